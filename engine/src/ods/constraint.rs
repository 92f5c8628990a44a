//! What any operand, attribute, property, region or successor must satisfy: class `Constraint`.

use super::Predicate;
use crate::record::{Rec, Val, name};

/// What a constraint is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConstraintKind {
    /// `TypeConstraint`.
    Type,
    /// `AttrConstraint`.
    Attribute,
    /// `PropConstraint`.
    Property,
    /// `RegionConstraint`.
    Region,
    /// `SuccessorConstraint`.
    Successor,
    /// Several entities at once.
    Other,
}

/// A constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Constraint<'r>(Rec<'r>);

impl<'r> Constraint<'r> {
    /// The view of a record of class `Constraint`.
    #[must_use]
    pub fn new(rec: Rec<'r>) -> Self {
        Constraint(rec)
    }

    /// The record.
    #[must_use]
    pub fn rec(self) -> Rec<'r> {
        self.0
    }

    /// What it is about.
    #[must_use]
    pub fn kind(self) -> ConstraintKind {
        let kinds = [
            (name!("TypeConstraint"), ConstraintKind::Type),
            (name!("AttrConstraint"), ConstraintKind::Attribute),
            (name!("PropConstraint"), ConstraintKind::Property),
            (name!("RegionConstraint"), ConstraintKind::Region),
            (name!("SuccessorConstraint"), ConstraintKind::Successor),
        ];
        let found = kinds.into_iter().find(|(class, _)| self.0.is_subclass_of(class));
        found.map_or(ConstraintKind::Other, |(_, kind)| kind)
    }

    /// One line for messages and documentation; may be empty.
    #[must_use]
    pub fn summary(self) -> &'r str {
        self.0.optional_string(name!("summary")).unwrap_or_default()
    }

    /// The description of the entity behind the constraint; empty for most.
    #[must_use]
    pub fn description(self) -> &'r str {
        self.0.optional_string(name!("description")).unwrap_or_default()
    }

    /// The condition; nothing where the field is unset or not well formed.
    #[must_use]
    pub fn predicate(self) -> Option<Predicate<'r>> {
        Predicate::new(self.0.get(name!("predicate")).and_then(Val::as_def)?).ok()
    }

    /// The C++ condition with its placeholders; `true` where there is none.
    #[must_use]
    pub fn condition(self) -> String {
        self.predicate().map_or_else(|| "true".to_owned(), |predicate| predicate.condition())
    }

    /// The name of the C++ function that checks it, if one is wanted.
    #[must_use]
    pub fn cpp_function_name(self) -> Option<&'r str> {
        self.0.optional_string(name!("cppFunctionName")).filter(|name| !name.is_empty())
    }
}
