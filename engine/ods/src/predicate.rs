//! Predicates: class `Pred`, a tree of C++ conditions, and the single condition that it folds to.
//!
//! ```text
//! CPred            its text, which TableGen has put in parentheses
//! And, Or          (child) && (child) …; a single child is written alone, none is true or false
//! Neg              !(child)
//! Concat           prefix child suffix
//! SubstLeaves      the child, its leaves and the prefixes and suffixes in it rewritten
//! ```
//!
//! Children of `And` and `Or` that are constantly true or false are dropped or decide the result. Conditions below
//! `SubstLeaves` are written in full.

use odsmith_release::Change;
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{Rec, name},
};

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
        /// The text to replace.
        pattern: &'r str,
        /// The replacement.
        replacement: &'r str,
        /// The child whose leaves change.
        child: Box<Predicate<'r>>,
    },
    /// `Concat`: text around the child's condition.
    Concat {
        /// The text before the child.
        prefix: &'r str,
        /// The child.
        child: Box<Predicate<'r>>,
        /// The text after the child.
        suffix: &'r str,
    },
}

/// A predicate without its children: see [`Predicate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node<'r> {
    /// The expression.
    Leaf(&'r str),
    /// All of them.
    And,
    /// One of them.
    Or,
    /// The negation.
    Not,
    /// A text and what replaces it.
    SubstLeaves(&'r str, &'r str),
    /// The texts before and after.
    Concat(&'r str, &'r str),
}

impl<'r> Node<'r> {
    /// Reads a record of class `Pred`, and returns the records of its children too.
    ///
    /// # Errors
    /// A field is missing or has no value.
    pub fn new(rec: Rec<'r>) -> Result<(Self, Vec<Rec<'r>>), Diagnostic> {
        if !rec.is_subclass_of(name!("CombinedPred")) {
            return Ok((Node::Leaf(rec.string(name!("predExpr"))?), Vec::new()));
        }
        let kind = rec.def(name!("kind"))?;
        let children = rec.defs(name!("children"))?;
        let node = match kind.name() {
            "PredCombinerAnd" => Node::And,
            "PredCombinerOr" => Node::Or,
            "PredCombinerNot" => Node::Not,
            "PredCombinerConcat" => Node::Concat(rec.string(name!("prefix"))?, rec.string(name!("suffix"))?),
            _ => Node::SubstLeaves(rec.string(name!("pattern"))?, rec.string(name!("replacement"))?),
        };
        Ok((node, children))
    }
}

/// Returns the condition of a `Pred`, with the placeholders of its leaves.
///
/// # Errors
/// A field of a predicate is missing or has no value.
pub fn condition(predicate: Rec<'_>) -> Result<String, Diagnostic> {
    Ok(Predicate::new(predicate)?.condition())
}

impl<'r> Predicate<'r> {
    /// Reads the tree of a record of class `Pred`.
    ///
    /// # Errors
    /// A field is missing or has no value.
    pub fn new(rec: Rec<'r>) -> Result<Self, Diagnostic> {
        let (node, children) = Node::new(rec)?;
        let all = || children.iter().map(|&child| Predicate::new(child)).collect::<Result<Vec<_>, _>>();
        let first = || match children.first() {
            Some(&child) => Predicate::new(child).map(Box::new),
            None => Err(Diagnostic::error(rec.span(), "predicate has no child")),
        };
        let is_word = children.is_empty() && !rec.records().rules().has(Change::FoldedConditions);
        Ok(match node {
            Node::Leaf(expression) => Predicate::Leaf(expression),
            Node::And if is_word => Predicate::Leaf("true"),
            Node::Or if is_word => Predicate::Leaf("false"),
            Node::And => Predicate::And(all()?),
            Node::Or => Predicate::Or(all()?),
            Node::Not => Predicate::Not(first()?),
            Node::Concat(prefix, suffix) => Predicate::Concat { prefix, suffix, child: first()? },
            Node::SubstLeaves(pattern, replacement) => {
                Predicate::SubstLeaves { pattern, replacement, child: first()? }
            }
        })
    }

    /// Returns the C++ condition, with its placeholders.
    #[must_use]
    pub fn condition(&self) -> String {
        Cx { replacements: Vec::new(), is_in_full: false }.build(self).text()
    }
}

enum Condition {
    KnownName(bool),
    Text(String),
}

impl Condition {
    fn text(self) -> String {
        match self {
            Condition::KnownName(known) => known.to_string(),
            Condition::Text(text) => text,
        }
    }
}

struct Cx<'r> {
    /// The replacements of the enclosing `SubstLeaves`, the outermost first.
    replacements: Vec<(&'r str, &'r str)>,
    is_in_full: bool,
}

impl<'r> Cx<'r> {
    fn build(&mut self, predicate: &Predicate<'r>) -> Condition {
        match predicate {
            Predicate::Leaf(expression) => Condition::Text(self.replaced(expression)),
            Predicate::And(children) => self.combine(children, true),
            Predicate::Or(children) => self.combine(children, false),
            Predicate::Not(child) => Condition::Text(format!("!({})", self.build(child).text())),
            Predicate::Concat { prefix, child, suffix } => {
                let (prefix, suffix) = (self.replaced(prefix), self.replaced(suffix));
                Condition::Text(prefix + &self.build(child).text() + &suffix)
            }
            Predicate::SubstLeaves { pattern, replacement, child } => {
                self.replacements.push((pattern, replacement));
                let outer = std::mem::replace(&mut self.is_in_full, true);
                let text = self.build(child).text();
                self.is_in_full = outer;
                self.replacements.pop();
                Condition::Text(text)
            }
        }
    }

    /// Joins children with `&&` if `neutral` is true, and with `||` if it is false.
    fn combine(&mut self, children: &[Predicate<'r>], neutral: bool) -> Condition {
        let mut texts = Vec::with_capacity(children.len());
        for child in children {
            match self.build(child) {
                Condition::KnownName(known) if self.is_in_full => texts.push(known.to_string()),
                Condition::KnownName(known) if known == neutral => {}
                Condition::KnownName(known) => return Condition::KnownName(known),
                Condition::Text(text) => texts.push(text),
            }
        }
        match texts.len() {
            0 => Condition::KnownName(neutral),
            1 => Condition::Text(texts.remove(0)),
            _ => Condition::Text(format!("({})", texts.join(if neutral { ") && (" } else { ") || (" }))),
        }
    }

    fn replaced(&self, text: &str) -> String {
        self.replacements.iter().rev().fold(text.to_owned(), |text, (pattern, replacement)| match *pattern {
            "" => text,
            pattern => text.replace(pattern, replacement),
        })
    }
}
