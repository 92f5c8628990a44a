//! Changes of meaning without a word: a constraint of the library that takes fewer types under the same name.
//!
//! ```text
//! def SignlessIntegerLike    of 19    takes index
//!                            of 23    does not; SignlessIntegerOrIndexLike does
//! ```

use std::collections::BTreeMap;

use odsmith_ods::Constraint;
use odsmith_tablegen::record::{Rec, Records};
use serde::Serialize;

use crate::logic::{self, Answer, Condition};

/// A constraint that takes fewer types or attributes under the same name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct NarrowedConstraint {
    /// Its name.
    pub name: String,
    /// A type or attribute that it took, and does not take any more.
    pub example: String,
    /// The constraint that is now what it was, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub successor: Option<String>,
    /// The number of mentions in the project's `.td` files.
    pub mentions: usize,
}

/// The classes of constraints.
const CLASSES: [&str; 2] = ["TypeConstraint", "AttrConstraint"];

fn condition(rec: Rec<'_>) -> Option<Condition> {
    Some(Condition::new(&Constraint::new(rec).predicate()?))
}

fn is_constraint(rec: Rec<'_>) -> bool {
    CLASSES.iter().any(|class| rec.is_subclass_of(*class))
}

/// Returns true if two conditions accept the same.
fn is_same(one: &Condition, other: &Condition) -> bool {
    let implies = |a: &Condition, b: &Condition| logic::implies(a, b, logic::WORK) == Answer::Yes;
    implies(one, other) && implies(other, one)
}

/// Returns the constraints that a root names, that both libraries define, and that the new one defines more narrowly.
/// `is_of_library` returns true for a definition of the library.
#[must_use]
pub fn narrowed(
    old: &Records,
    new: &Records,
    mentions: &BTreeMap<String, usize>,
    is_of_library: &dyn Fn(Rec<'_>) -> bool,
) -> Vec<NarrowedConstraint> {
    let mut found = Vec::new();
    for (name, &count) in mentions {
        let (Some(before), Some(after)) = (old.def(name), new.def(name)) else { continue };
        let is_meant = |rec: Rec<'_>| is_constraint(rec) && is_of_library(rec);
        if !is_meant(before) || !is_meant(after) {
            continue;
        }
        let (Some(was), Some(is)) = (condition(before), condition(after)) else { continue };
        let Answer::No(witness) = logic::implies(&was, &is, logic::WORK) else { continue };
        // Without an example, nothing shows it.
        let Some(example) = witness.example else { continue };
        let named = CLASSES.iter().flat_map(|class| new.derived(class)).filter(|rec| !rec.is_anonymous());
        let candidates = named.filter(|rec| is_of_library(*rec) && rec.name() != name);
        let mut alike = candidates.filter(|rec| condition(*rec).is_some_and(|other| is_same(&was, &other)));
        let successor = alike.next().map(|rec| rec.name().to_owned());
        found.push(NarrowedConstraint { name: name.clone(), example, successor, mentions: count });
    }
    found
}
