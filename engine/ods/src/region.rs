//! Regions: class `Region`.

use super::Constraint;
use odsmith_tablegen::record::{Rec, name};

/// A region of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NamedRegion<'r> {
    /// The name without `$`; empty if it has none.
    pub name: &'r str,
    /// The record of class `Region`.
    pub rec: Rec<'r>,
}

impl<'r> NamedRegion<'r> {
    /// Returns its constraint.
    #[must_use]
    pub fn constraint(self) -> Constraint<'r> {
        Constraint::new(self.rec)
    }

    /// Returns whether it is `VariadicRegion<…>`.
    #[must_use]
    pub fn is_variadic(self) -> bool {
        self.rec.is_subclass_of(name!("VariadicRegion"))
    }
}
