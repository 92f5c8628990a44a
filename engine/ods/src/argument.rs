//! Named operands, results, attributes and properties.

use super::{Attribute, Constraint, Property, SideEffect, TypeConstraint, definition::defs};
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{Rec, name},
};

/// The decoration of an argument or result: `Arg<…>`, `Res<…>`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decoration<'r>(Option<Rec<'r>>);

impl<'r> Decoration<'r> {
    /// Splits an argument in a dag into its decoration, if there is one, and its constraint.
    pub(super) fn split(rec: Rec<'r>) -> Result<(Decoration<'r>, Rec<'r>), Diagnostic> {
        if rec.is_subclass_of(name!("OpVariable")) {
            return Ok((Decoration(Some(rec)), rec.def(name!("constraint"))?));
        }
        Ok((Decoration(None), rec))
    }

    /// Returns the one-line summary of the argument, if the author gave one.
    #[must_use]
    pub fn summary(self) -> Option<&'r str> {
        self.0?.optional_string(name!("summary")).filter(|summary| !summary.is_empty())
    }

    /// Returns the effects that the operation has on the argument.
    #[must_use]
    pub fn effects(self) -> Vec<SideEffect<'r>> {
        let decorators = self.0.into_iter().flat_map(|rec| defs(rec, name!("decorators")));
        decorators.filter(|rec| rec.is_subclass_of(name!("SideEffect"))).map(SideEffect::new).collect()
    }

    /// Checks that the list of decorators, if there is a decoration, is set.
    ///
    /// # Errors
    /// The list is missing or unset.
    pub fn check_decorators(self) -> Result<(), Diagnostic> {
        self.0.map_or(Ok(()), |rec| rec.list(name!("decorators")).map(drop))
    }
}

/// An operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand<'r> {
    /// The name without `$`; empty if it has none.
    pub name: &'r str,
    /// The constraint on its type.
    pub constraint: TypeConstraint<'r>,
    /// Its decoration: summary and effects.
    pub decoration: Decoration<'r>,
}

/// A result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpResult<'r> {
    /// The name without `$`; empty if it has none.
    pub name: &'r str,
    /// The constraint on its type.
    pub constraint: TypeConstraint<'r>,
    /// Its decoration: summary and effects.
    pub decoration: Decoration<'r>,
}

/// An attribute, natural or derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedAttribute<'r> {
    /// The name without `$`.
    pub name: &'r str,
    /// Its constraint.
    pub attribute: Attribute<'r>,
    /// Its decoration: summary and effects.
    pub decoration: Decoration<'r>,
}

/// A property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedProperty<'r> {
    /// The name without `$`.
    pub name: &'r str,
    /// Its constraint.
    pub property: Property<'r>,
    /// Its decoration: summary and effects.
    pub decoration: Decoration<'r>,
}

/// The kind of an operation's part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// An operand.
    Operand,
    /// An attribute that is stored.
    Attribute,
    /// A property.
    Property,
    /// An attribute that is computed.
    DerivedAttribute,
    /// A result.
    Result,
    /// A region.
    Region,
    /// A successor.
    Successor,
}

/// A part of an operation, of any kind.
#[derive(Clone, Copy, Debug)]
pub struct Part<'r> {
    /// Its kind.
    pub kind: PartKind,
    /// The name without `$`; empty if it has none.
    pub name: &'r str,
    /// Its constraint.
    pub constraint: Constraint<'r>,
    /// Its decoration: summary and effects.
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
