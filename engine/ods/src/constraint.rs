//! Constraints on operands, attributes, properties, regions and successors: class `Constraint`.

use std::borrow::Cow;

use super::{Attribute, Predicate, Property, definition::defs, enums::is_enum, types};
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{KnownName, Rec, name},
};

/// The kind of entity that a constraint applies to.
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
    /// Wraps a record of class `Constraint`.
    #[must_use]
    pub fn new(rec: Rec<'r>) -> Self {
        Constraint(rec)
    }

    /// Returns the record.
    #[must_use]
    pub fn rec(self) -> Rec<'r> {
        self.0
    }

    reads! {
        self;
        /// Returns the description of the constrained entity; empty for most.
        description: text name!("description");
        /// Returns the value of a constant in a pattern.
        constant_value: option name!("value");
    }

    identity!();

    checks! {
        check_described: string "description";
        check_derived_body: string "body";
    }

    /// Returns the constraint as an attribute, if it is one.
    #[must_use]
    pub fn as_attribute(self) -> Option<Attribute<'r>> {
        self.0.is_subclass_of(name!("Attr")).then(|| Attribute::new(self.0))
    }

    /// Returns the constraint as a property, if it is one.
    #[must_use]
    pub fn as_property(self) -> Option<Property<'r>> {
        self.0.is_subclass_of(name!("Property")).then(|| Property::new(self.0))
    }

    /// Returns the kind of entity that it applies to.
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

    /// Returns the one-line summary for messages and documentation, which may be empty; the record's name if it is
    /// unset.
    #[must_use]
    pub fn summary(self) -> &'r str {
        self.0.optional_string(name!("summary")).unwrap_or_else(|| self.0.name())
    }

    /// Checks that the summary is a text if it is set. It may be built from another constraint's.
    ///
    /// # Errors
    /// The field is not a text.
    pub fn check_summary(self) -> Result<(), Diagnostic> {
        self.0.check_optional_string(name!("summary"))
    }

    /// Checks that the description is a text if it is set.
    ///
    /// # Errors
    /// The field is not a text.
    pub fn check_description(self) -> Result<(), Diagnostic> {
        self.0.check_optional_string(name!("description"))
    }

    /// Returns the record of the condition.
    #[must_use]
    pub fn predicate_rec(self) -> Option<Rec<'r>> {
        self.0.optional_def(name!("predicate"))
    }

    /// Returns the condition; nothing if the field is unset or malformed.
    #[must_use]
    pub fn predicate(self) -> Option<Predicate<'r>> {
        Predicate::new(self.predicate_rec()?).ok()
    }

    /// Returns the C++ condition with its placeholders; `true` without a condition.
    #[must_use]
    pub fn condition(self) -> String {
        self.predicate().map_or_else(|| "true".to_owned(), |predicate| predicate.condition())
    }

    /// Checks that the condition, if there is one, can be written.
    ///
    /// # Errors
    /// A text of a predicate is unset.
    pub fn check_condition(self) -> Result<(), Diagnostic> {
        self.predicate_rec().map_or(Ok(()), |predicate| Predicate::new(predicate).map(drop))
    }

    /// Returns the C++ function that is to check the constraint, if the author wants one.
    #[must_use]
    pub fn cpp_function_name(self) -> Option<&'r str> {
        self.0.optional_string(name!("cppFunctionName")).filter(|name| !name.is_empty())
    }

    fn is_one(self, classes: &[KnownName]) -> bool {
        classes.iter().any(|&class| self.0.is_subclass_of(class))
    }

    /// Returns the constraint inside `Variadic<…>`, `OptionalAttr<…>`, `DefaultValuedProp<…>` and the like, through all
    /// layers. Such a wrapper only adds a quantity or a default value.
    #[must_use]
    pub fn unwrapped(self) -> Constraint<'r> {
        let mut constraint = self;
        for _ in 0..8 {
            let mut wrapped = WRAPPERS.iter().filter(|(classes, _)| constraint.is_one(classes));
            let inner = wrapped.find_map(|&(_, field)| constraint.0.optional_def(field));
            let Some(inner) = inner.filter(|&inner| inner != constraint.0) else { break };
            constraint = Constraint(inner);
        }
        constraint
    }

    /// Returns how many values there may be.
    #[must_use]
    pub fn quantifier(self) -> Quantifier {
        let is_valued = self.is_one(&[name!("AttrConstraint"), name!("Property")]);
        let cpp = self.cpp();
        if self.0.is_subclass_of(name!("VariadicOfVariadic")) {
            Quantifier::VariadicOfVariadic
        } else if self.is_one(&[name!("Variadic"), name!("VariadicRegion"), name!("VariadicSuccessor")]) {
            Quantifier::Variadic
        } else if is_valued && cpp.storage_type.is_some_and(|ty| ty.trim().ends_with("::UnitAttr")) {
            Quantifier::Flag
        } else if self.is_one(&[name!("Optional"), name!("OptionalProp")])
            || (is_valued && self.0.is_set(name!("isOptional")) && cpp.default_value.is_none())
        {
            Quantifier::Optional
        } else {
            Quantifier::One
        }
    }

    /// Returns the default value, in C++, of an attribute or property that may be left out.
    #[must_use]
    pub fn default_value(self) -> Option<&'r str> {
        let is_valued = self.is_one(&[name!("AttrConstraint"), name!("Property")]);
        self.cpp().default_value.filter(|_| is_valued && self.quantifier() == Quantifier::One)
    }

    /// Returns the constraints that the record names as its parts.
    #[must_use]
    pub fn parts(self) -> Vec<Constraint<'r>> {
        // Most records have few of these fields.
        let lists = [name!("allowedTypes"), name!("allowedAttrs"), name!("allowedAttributes")];
        let single = [
            name!("baseType"),
            name!("elementType"),
            name!("baseAttr"),
            name!("elementAttr"),
            name!("baseProperty"),
        ];
        let listed = lists.into_iter().flat_map(|field| defs(self.0, field));
        let single = single.into_iter().filter_map(|field| self.0.optional_def(field));
        listed.chain(single).map(Constraint).collect()
    }

    /// Returns the enum: that of an attribute or property that holds a case, or the constraint itself.
    #[must_use]
    pub fn enum_info(self) -> Option<Rec<'r>> {
        let is_enum = |rec: &Rec<'_>| is_enum(*rec);
        Some(self.0).filter(is_enum).or_else(|| self.0.optional_def(name!("enum")).filter(is_enum))
    }

    /// Returns the C++ types and snippets that the author gives.
    #[must_use]
    pub fn cpp(self) -> ConstraintCpp<'r> {
        let text = |field: KnownName| self.0.optional_string(field).filter(|text| !text.is_empty());
        ConstraintCpp {
            cpp_type: types::cpp_type(self.0).filter(|text| !text.is_empty()),
            storage_type: text(name!("storageType")),
            return_type: text(name!("returnType")),
            interface_type: text(name!("interfaceType")),
            default_value: text(name!("defaultValue")),
            builder_call: text(name!("builderCall")),
            const_builder_call: text(name!("constBuilderCall")),
        }
    }
}

/// The classes of wrappers, and the field in which each names the wrapped constraint.
const WRAPPERS: &[(&[KnownName], KnownName)] = &[
    (&[name!("Variadic"), name!("Optional"), name!("VariadicOfVariadic")], name!("baseType")),
    (
        &[name!("OptionalAttr"), name!("DefaultValuedAttr"), name!("DefaultValuedOptionalAttr")],
        name!("baseAttr"),
    ),
    (&[name!("DefaultValuedProp"), name!("OptionalProp")], name!("baseProperty")),
];

/// The number of values under one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// One.
    One,
    /// None or one.
    Optional,
    /// An attribute that is either present or absent and has no value.
    Flag,
    /// Any number.
    Variadic,
    /// Any number of segments, each of any number.
    VariadicOfVariadic,
}

/// C++ types and snippets of a constraint; each kind has some of them.
#[derive(Clone, Debug)]
pub struct ConstraintCpp<'r> {
    /// The class of a type.
    pub cpp_type: Option<Cow<'r, str>>,
    /// The class that stores an attribute or property.
    pub storage_type: Option<&'r str>,
    /// The return type of an attribute's getter.
    pub return_type: Option<&'r str>,
    /// The return type of a property's getter.
    pub interface_type: Option<&'r str>,
    /// The default value of an attribute or property.
    pub default_value: Option<&'r str>,
    /// C++ that builds the type, if only one type satisfies the constraint.
    pub builder_call: Option<&'r str>,
    /// C++ that builds the attribute from a value.
    pub const_builder_call: Option<&'r str>,
}
