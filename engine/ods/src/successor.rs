//! Successors: class `Successor`.

use super::Constraint;
use odsmith_tablegen::record::{Rec, name};

/// A successor of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NamedSuccessor<'r> {
    /// The name without `$`; empty if it has none.
    pub name: &'r str,
    /// The record of class `Successor`.
    pub rec: Rec<'r>,
}

impl<'r> NamedSuccessor<'r> {
    /// Returns its constraint.
    #[must_use]
    pub fn constraint(self) -> Constraint<'r> {
        Constraint::new(self.rec)
    }

    /// Returns whether it is `VariadicSuccessor<…>`.
    #[must_use]
    pub fn is_variadic(self) -> bool {
        self.rec.is_subclass_of(name!("VariadicSuccessor"))
    }
}
