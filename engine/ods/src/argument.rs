//! Operands, results, attributes and properties under their names.

use super::{Attribute, Constraint, Property, SideEffect, TypeConstraint, definition::defs};
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{Rec, name},
};

/// What decorates an argument or result: `Arg<…>`, `Res<…>`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decoration<'r>(Option<Rec<'r>>);

impl<'r> Decoration<'r> {
    /// The decoration that a dag's argument may be, and the constraint in it.
    pub(super) fn split(rec: Rec<'r>) -> Result<(Decoration<'r>, Rec<'r>), Diagnostic> {
        if rec.is_subclass_of(name!("OpVariable")) {
            return Ok((Decoration(Some(rec)), rec.def(name!("constraint"))?));
        }
        Ok((Decoration(None), rec))
    }

    /// One line about the argument, if the author gave one.
    #[must_use]
    pub fn summary(self) -> Option<&'r str> {
        self.0?.optional_string(name!("summary")).filter(|summary| !summary.is_empty())
    }

    /// The effects that the operation has on it.
    #[must_use]
    pub fn effects(self) -> Vec<SideEffect<'r>> {
        let decorators = self.0.into_iter().flat_map(|rec| defs(rec, name!("decorators")));
        decorators.filter(|rec| rec.is_subclass_of(name!("SideEffect"))).map(SideEffect::new).collect()
    }

    /// Whether its effects, if there is a decoration, are there.
    ///
    /// # Errors
    /// They are not, or a text of one is unset.
    pub fn check_effects(self) -> Result<(), Diagnostic> {
        self.0.map_or(Ok(()), |rec| rec.list(name!("decorators")).map(drop))?;
        self.effects().into_iter().try_for_each(SideEffect::check)
    }
}

/// An operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand<'r> {
    /// The name without `$`; empty if it has none.
    pub name: &'r str,
    /// What its type must satisfy.
    pub constraint: TypeConstraint<'r>,
    /// What the author says of it.
    pub decoration: Decoration<'r>,
}

/// A result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpResult<'r> {
    /// The name without `$`; empty if it has none.
    pub name: &'r str,
    /// What its type must satisfy.
    pub constraint: TypeConstraint<'r>,
    /// What the author says of it.
    pub decoration: Decoration<'r>,
}

/// An attribute, natural or derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedAttribute<'r> {
    /// The name without `$`.
    pub name: &'r str,
    /// What it is.
    pub attribute: Attribute<'r>,
    /// What the author says of it.
    pub decoration: Decoration<'r>,
}

/// A property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedProperty<'r> {
    /// The name without `$`.
    pub name: &'r str,
    /// What it is.
    pub property: Property<'r>,
    /// What the author says of it.
    pub decoration: Decoration<'r>,
}

/// What a part of an operation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// An operand.
    Operand,
    /// An attribute that is stored.
    Attribute,
    /// A property.
    Property,
    /// An attribute that is worked out.
    DerivedAttribute,
    /// A result.
    Result,
    /// A region.
    Region,
    /// A successor.
    Successor,
}

/// A part of an operation, whatever it is.
#[derive(Clone, Copy, Debug)]
pub struct Part<'r> {
    /// What it is.
    pub kind: PartKind,
    /// The name without `$`; empty if it has none.
    pub name: &'r str,
    /// What it must satisfy.
    pub constraint: Constraint<'r>,
    /// What the author says of it.
    pub decoration: Decoration<'r>,
}

/// One entry of `arguments`, as an index into the operation's operands, attributes or properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// An operand.
    Operand(usize),
    /// A natural attribute.
    Attribute(usize),
    /// A property.
    Property(usize),
}
