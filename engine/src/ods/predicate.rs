//! Predicates: a tree of C++ conditions, written out as one condition.
//!
//! ```text
//! CPred            its text, which TableGen has put in parentheses
//! And, Or          (child) && (child) …; a single child stands alone, none is true or false
//! Neg              !(child)
//! Concat           prefix child suffix
//! SubstLeaves      the child, its leaves and the prefixes and suffixes in it rewritten
//! ```
//!
//! Children of `And` and `Or` that are known to be true or false are dropped or decide; what stands below
//! `SubstLeaves` and `Concat` is written out in full.

use crate::{diagnostic::Diagnostic, record::Rec};

/// The condition of a `Pred`, with the placeholders of its leaves.
///
/// # Errors
/// A field of a predicate is missing or has no value.
pub fn condition(predicate: Rec<'_>) -> Result<String, Diagnostic> {
    let mut cx = Cx { replacements: Vec::new(), is_in_full: false };
    Ok(cx.build(predicate)?.text())
}

enum Condition {
    Known(bool),
    Text(String),
}

impl Condition {
    fn text(self) -> String {
        match self {
            Condition::Known(known) => known.to_string(),
            Condition::Text(text) => text,
        }
    }
}

struct Cx<'r> {
    /// Those of the `SubstLeaves` around, the outermost first.
    replacements: Vec<(&'r str, &'r str)>,
    is_in_full: bool,
}

impl<'r> Cx<'r> {
    fn build(&mut self, predicate: Rec<'r>) -> Result<Condition, Diagnostic> {
        if !predicate.is_subclass_of("CombinedPred") {
            return Ok(Condition::Text(self.replaced(predicate.string("predExpr")?)));
        }
        let children = predicate.defs("children")?;
        match predicate.def("kind")?.name() {
            "PredCombinerAnd" => self.combine(&children, true),
            "PredCombinerOr" => self.combine(&children, false),
            "PredCombinerNot" => {
                let child = self.build(first(predicate, &children)?)?;
                Ok(Condition::Text(format!("!({})", child.text())))
            }
            "PredCombinerConcat" => {
                let prefix = self.replaced(predicate.string("prefix")?);
                let suffix = self.replaced(predicate.string("suffix")?);
                let child = self.build_in_full(first(predicate, &children)?)?;
                Ok(Condition::Text(prefix + &child + &suffix))
            }
            _ => {
                self.replacements.push((predicate.string("pattern")?, predicate.string("replacement")?));
                let child = self.build_in_full(first(predicate, &children)?);
                self.replacements.pop();
                child.map(Condition::Text)
            }
        }
    }

    fn build_in_full(&mut self, predicate: Rec<'r>) -> Result<String, Diagnostic> {
        let outer = std::mem::replace(&mut self.is_in_full, true);
        let text = self.build(predicate).map(Condition::text);
        self.is_in_full = outer;
        text
    }

    /// Joins children with `&&`, for which `true` is neutral, or with `||`, for which `false` is.
    fn combine(&mut self, children: &[Rec<'r>], neutral: bool) -> Result<Condition, Diagnostic> {
        let mut texts = Vec::with_capacity(children.len());
        for child in children {
            match self.build(*child)? {
                Condition::Known(known) if self.is_in_full => texts.push(known.to_string()),
                Condition::Known(known) if known == neutral => {}
                Condition::Known(known) => return Ok(Condition::Known(known)),
                Condition::Text(text) => texts.push(text),
            }
        }
        Ok(match texts.len() {
            0 => Condition::Known(neutral),
            1 => Condition::Text(texts.remove(0)),
            _ => Condition::Text(format!("({})", texts.join(if neutral { ") && (" } else { ") || (" }))),
        })
    }

    fn replaced(&self, text: &str) -> String {
        self.replacements.iter().rev().fold(text.to_owned(), |text, (pattern, replacement)| match *pattern {
            "" => text,
            pattern => text.replace(pattern, replacement),
        })
    }
}

fn first<'r>(predicate: Rec<'_>, children: &[Rec<'r>]) -> Result<Rec<'r>, Diagnostic> {
    children.first().copied().ok_or_else(|| Diagnostic::error(predicate.span(), "predicate has no child"))
}
