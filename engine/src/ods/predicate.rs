//! Predicates: class `Pred`, a tree of C++ conditions.

use crate::record::{Rec, Val};

/// The condition of a constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Predicate<'r> {
    /// `CPred`: a C++ expression in parentheses, with placeholders such as `$_self`.
    Leaf(&'r str),
    /// `And`: all of them; the empty one is true.
    And(Vec<Predicate<'r>>),
    /// `Or`: one of them; the empty one is false.
    Or(Vec<Predicate<'r>>),
    /// `Neg`.
    Not(Box<Predicate<'r>>),
    /// `SubstLeaves`: in every leaf of the child, `pattern` becomes `replacement`.
    SubstLeaves {
        /// What is replaced.
        pattern: &'r str,
        /// By what.
        replacement: &'r str,
        /// Where.
        child: Box<Predicate<'r>>,
    },
    /// `Concat`: text around the child's condition.
    Concat {
        /// Before it.
        prefix: &'r str,
        /// The child.
        child: Box<Predicate<'r>>,
        /// Behind it.
        suffix: &'r str,
    },
}

impl<'r> Predicate<'r> {
    /// The tree of a record of class `Pred`; nothing for a record that is neither a leaf nor combined.
    #[must_use]
    pub fn new(rec: Rec<'r>) -> Option<Self> {
        if let Some(expression) = rec.optional_string("predExpr") {
            return Some(Predicate::Leaf(expression));
        }
        let kind = rec.get("kind").and_then(Val::as_def)?;
        let list = rec.get("children").and_then(Val::as_list)?;
        let mut children: Vec<_> = list.filter_map(|child| Predicate::new(child.as_def()?)).collect();
        let text = |field| rec.optional_string(field).unwrap_or_default();
        match kind.name() {
            "PredCombinerAnd" => Some(Predicate::And(children)),
            "PredCombinerOr" => Some(Predicate::Or(children)),
            "PredCombinerNot" => Some(Predicate::Not(Box::new(children.pop()?))),
            "PredCombinerSubstLeaves" => Some(Predicate::SubstLeaves {
                pattern: text("pattern"),
                replacement: text("replacement"),
                child: Box::new(children.pop()?),
            }),
            "PredCombinerConcat" => Some(Predicate::Concat {
                prefix: text("prefix"),
                suffix: text("suffix"),
                child: Box::new(children.pop()?),
            }),
            _ => None,
        }
    }

    /// The C++ condition, with its placeholders.
    #[must_use]
    pub fn condition(&self) -> String {
        self.simplified(&mut Vec::new()).text()
    }

    /// The same tree with substitutions carried to the leaves and what is known to be true or false taken out.
    fn simplified(&self, substitutions: &mut Vec<(&'r str, &'r str)>) -> Condition {
        match self {
            Predicate::Leaf(expression) => {
                // The innermost substitution comes first.
                let text = substitutions.iter().rev();
                Condition::Text(
                    text.fold((*expression).to_owned(), |text, (from, to)| text.replace(from, to)),
                )
            }
            Predicate::And(children) => {
                let mut kept = Vec::new();
                for child in children {
                    match child.simplified(substitutions) {
                        Condition::Known(true) => {}
                        Condition::Known(false) => return Condition::Known(false),
                        other => kept.push(other),
                    }
                }
                Condition::joined(kept, " && ", true)
            }
            Predicate::Or(children) => {
                let mut kept = Vec::new();
                for child in children {
                    match child.simplified(substitutions) {
                        Condition::Known(false) => {}
                        Condition::Known(true) => return Condition::Known(true),
                        other => kept.push(other),
                    }
                }
                Condition::joined(kept, " || ", false)
            }
            Predicate::Not(child) => {
                Condition::Text(format!("!({})", child.simplified(substitutions).text()))
            }
            Predicate::SubstLeaves { pattern, replacement, child } => {
                substitutions.push((pattern, replacement));
                let condition = child.simplified(substitutions);
                substitutions.pop();
                condition
            }
            Predicate::Concat { prefix, child, suffix } => {
                Condition::Text(format!("{prefix}{}{suffix}", child.simplified(substitutions).text()))
            }
        }
    }
}

enum Condition {
    Known(bool),
    Text(String),
}

impl Condition {
    fn joined(mut parts: Vec<Condition>, operator: &str, empty: bool) -> Condition {
        match parts.len() {
            0 => Condition::Known(empty),
            1 => parts.remove(0),
            _ => {
                let parts: Vec<_> = parts.into_iter().map(|part| format!("({})", part.text())).collect();
                Condition::Text(parts.join(operator))
            }
        }
    }

    fn text(self) -> String {
        match self {
            Condition::Known(known) => known.to_string(),
            Condition::Text(text) => text,
        }
    }
}
