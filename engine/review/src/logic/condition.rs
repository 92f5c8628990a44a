//! Conditions as data: a predicate after its substitutions.

use odsmith_interchange::constraint::Predicate;
use serde::{Deserialize, Serialize};

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Condition {
    /// A C++ expression.
    Leaf(String),
    /// The negation.
    Not(Box<Condition>),
    /// All of them; an empty list is true.
    And(Vec<Condition>),
    /// One of them; an empty list is false.
    Or(Vec<Condition>),
    /// Text around a condition that must hold for all, or for one, of several values.
    Quantified {
        /// The text before it.
        prefix: String,
        /// The condition.
        child: Box<Condition>,
        /// The text after it.
        suffix: String,
    },
}

impl Condition {
    /// Returns the condition of a C++ expression.
    #[must_use]
    pub fn leaf(text: &str) -> Self {
        Condition::Leaf(text.to_owned())
    }

    /// Returns the condition of a predicate of the model.
    #[must_use]
    pub fn new(predicate: &odsmith_ods::Predicate<'_>) -> Self {
        Condition::of(&Predicate::new(predicate))
    }

    /// Returns the condition with each piece of C++ changed.
    #[must_use]
    pub fn map_texts(&self, change: &dyn Fn(&str) -> String) -> Self {
        let all = |children: &[Condition]| children.iter().map(|child| child.map_texts(change)).collect();
        match self {
            Condition::Leaf(text) => Condition::Leaf(change(text)),
            Condition::Not(child) => Condition::Not(Box::new(child.map_texts(change))),
            Condition::And(children) => Condition::And(all(children)),
            Condition::Or(children) => Condition::Or(all(children)),
            // A piece of an expression ends anywhere.
            Condition::Quantified { prefix, child, suffix } => Condition::Quantified {
                prefix: change(prefix),
                child: Box::new(child.map_texts(change)),
                suffix: change(suffix),
            },
        }
    }

    /// Returns the condition as one line.
    #[must_use]
    pub fn text(&self) -> String {
        let all = |children: &[Condition], operator: &str| match children {
            [child] => child.text(),
            children => {
                format!("({})", children.iter().map(Condition::text).collect::<Vec<_>>().join(operator))
            }
        };
        match self {
            Condition::Leaf(text) => text.clone(),
            Condition::Not(child) => format!("!({})", child.text()),
            Condition::And(children) if children.is_empty() => "true".to_owned(),
            Condition::Or(children) if children.is_empty() => "false".to_owned(),
            Condition::And(children) => all(children, " && "),
            Condition::Or(children) => all(children, " || "),
            Condition::Quantified { prefix, child, suffix } => format!("{prefix}{}{suffix}", child.text()),
        }
    }

    /// Returns the condition of a predicate of a document.
    #[must_use]
    pub fn of(predicate: &Predicate) -> Self {
        Reader { replacements: Vec::new(), around: Vec::new() }.read(predicate)
    }
}

struct Reader<'r> {
    /// The replacements of the surrounding `SubstLeaves`, the outermost first.
    replacements: Vec<(&'r str, &'r str)>,
    /// Texts around each leaf: applied functions.
    around: Vec<(String, String)>,
}

impl<'r> Reader<'r> {
    fn read(&mut self, predicate: &'r Predicate) -> Condition {
        match predicate {
            Predicate::Leaf { expression: text } => {
                let text = self.replaced(text);
                let around = self.around.iter().rev();
                Condition::Leaf(around.fold(text, |text, (prefix, suffix)| format!("{prefix}{text}{suffix}")))
            }
            Predicate::And { children } => {
                Condition::And(children.iter().map(|child| self.read(child)).collect())
            }
            Predicate::Or { children } => {
                Condition::Or(children.iter().map(|child| self.read(child)).collect())
            }
            Predicate::Not { child } => Condition::Not(Box::new(self.read(child))),
            Predicate::SubstLeaves { pattern, replacement, child } => {
                self.replacements.push((pattern, replacement));
                let condition = self.read(child);
                self.replacements.pop();
                condition
            }
            Predicate::Concat { prefix, child, suffix } => {
                let (prefix, suffix) = (self.replaced(prefix), self.replaced(suffix));
                if is_application(&prefix, &suffix) {
                    // A function applied to a condition is applied to each of its leaves.
                    self.around.push((prefix, suffix));
                    let condition = self.read(child);
                    self.around.pop();
                    return condition;
                }
                let outside = std::mem::take(&mut self.around);
                let child = Box::new(self.read(child));
                self.around = outside;
                let condition = Condition::Quantified { prefix, child, suffix };
                self.around.iter().rev().fold(condition, |child, (prefix, suffix)| Condition::Quantified {
                    prefix: prefix.clone(),
                    child: Box::new(child),
                    suffix: suffix.clone(),
                })
            }
        }
    }

    fn replaced(&self, text: &str) -> String {
        self.replacements.iter().rev().fold(text.to_owned(), |text, (pattern, replacement)| match *pattern {
            "" => text,
            pattern => text.replace(pattern, replacement),
        })
    }
}

/// Returns true if text around a condition applies a function of one parameter:
/// `[](Type it) { return ` … `; }(…)`.
fn is_application(prefix: &str, suffix: &str) -> bool {
    let prefix = prefix.trim();
    let is_function =
        prefix.starts_with("[](") && prefix.ends_with("return") && prefix.matches('{').count() == 1;
    let suffix = suffix.trim().trim_start_matches(';').trim_start();
    is_function && suffix.strip_prefix('}').is_some_and(|rest| rest.trim_start().starts_with('('))
}

/// Returns true if a quantifier is monotone: a weaker inner condition gives a weaker one, as in `all_of`, `any_of`.
pub(super) fn is_monotone(prefix: &str) -> bool {
    let is_quantifier = ["all_of(", "any_of("].iter().any(|name| prefix.contains(name));
    is_quantifier && !prefix.contains('!') && !prefix.contains("none_of(")
}
