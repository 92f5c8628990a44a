//! Attribute constraints: classes `AttrConstraint` and `Attr`.

use super::{
    Constraint, Dialect, EnumInfo, TypeConstraint,
    enums::{self, is_enum},
};
use odsmith_release::spellings;
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{Name, Rec, Val, name},
};

/// What an attribute of an operation must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Attribute<'r>(Rec<'r>);

impl<'r> Attribute<'r> {
    /// The view of a record of class `Attr`.
    #[must_use]
    pub fn new(rec: Rec<'r>) -> Self {
        Attribute(rec)
    }

    /// The record.
    #[must_use]
    pub fn rec(self) -> Rec<'r> {
        self.0
    }

    /// As a constraint of any kind.
    #[must_use]
    pub fn constraint(self) -> Constraint<'r> {
        Constraint::new(self.0)
    }

    /// One line.
    #[must_use]
    pub fn summary(self) -> &'r str {
        self.constraint().summary()
    }

    fn text(self, field: impl Name) -> Option<&'r str> {
        self.0.optional_string(field).map(str::trim).filter(|text| !text.is_empty())
    }

    /// The class of an attribute whose definition names none.
    fn any_class(self) -> &'static str {
        spellings::attribute_class.of(self.0.records().rules())
    }

    /// Whether it is stored as any attribute.
    #[must_use]
    pub fn is_stored_as_any(self) -> bool {
        self.storage_type() == self.any_class()
    }

    /// The C++ class that stores it: `::mlir::IntegerAttr`.
    #[must_use]
    pub fn storage_type(self) -> &'r str {
        self.text(name!("storageType")).unwrap_or_else(|| self.any_class())
    }

    /// The C++ type that its getter returns: `uint32_t`; empty if the author names none.
    #[must_use]
    pub fn return_type(self) -> &'r str {
        self.text(name!("returnType")).unwrap_or_default()
    }

    /// C++ from the stored form to the returned one, with `$_self`.
    #[must_use]
    pub fn convert_from_storage(self) -> &'r str {
        self.text(name!("convertFromStorage")).unwrap_or_default()
    }

    /// C++ that makes one from a value, with `$0`, if that is possible.
    #[must_use]
    pub fn const_builder_call(self) -> Option<&'r str> {
        self.text(name!("constBuilderCall"))
    }

    /// The default value in C++.
    #[must_use]
    pub fn default_value(self) -> Option<&'r str> {
        self.text(name!("defaultValue"))
    }

    /// The type of its value, if it has one.
    #[must_use]
    pub fn value_type(self) -> Option<TypeConstraint<'r>> {
        self.0.get(name!("valueType")).and_then(Val::as_def).map(TypeConstraint::new)
    }

    /// Whether it may be missing.
    #[must_use]
    pub fn is_optional(self) -> bool {
        self.0.is_set(name!("isOptional"))
    }

    /// What is wrapped by `OptionalAttr`, `DefaultValuedAttr`, `ConfinedAttr`, …, through all layers.
    #[must_use]
    pub fn base(self) -> Attribute<'r> {
        let mut attribute = self;
        while let Some(base) = attribute.0.get(name!("baseAttr")).and_then(Val::as_def) {
            attribute = Attribute(base);
        }
        attribute
    }

    /// The name of the base attribute's record, `<…>` being of no use for an anonymous one.
    #[must_use]
    pub fn def_name(self) -> &'r str {
        let base = self.base();
        if base.0.is_anonymous() { "anonymous" } else { base.0.name() }
    }

    /// Whether it is worked out from the operation rather than stored.
    #[must_use]
    pub fn is_derived(self) -> bool {
        self.0.is_subclass_of(name!("DerivedAttr"))
    }

    /// C++ that works out a derived attribute.
    #[must_use]
    pub fn derived_body(self) -> Option<&'r str> {
        self.is_derived().then(|| self.0.optional_string(name!("body"))).flatten()
    }

    /// Whether it names a type (`TypeAttrBase`).
    #[must_use]
    pub fn is_type_attribute(self) -> bool {
        self.0.is_subclass_of(name!("TypeAttrBase"))
    }

    /// Whether it is a symbol's name.
    #[must_use]
    pub fn is_symbol_name(self) -> bool {
        matches!(self.def_name(), "SymbolNameAttr")
    }

    /// Whether it refers to a symbol.
    #[must_use]
    pub fn is_symbol_reference(self) -> bool {
        matches!(self.def_name(), "SymbolRefAttr" | "FlatSymbolRefAttr")
    }

    /// Whether its base is `UnitAttr`.
    #[must_use]
    pub fn is_unit(self) -> bool {
        self.def_name() == "UnitAttr"
    }

    /// Whether it is `UnitAttr`, or something without a name of its own around it.
    #[must_use]
    pub fn is_called_unit(self) -> bool {
        if self.0.is_anonymous() { self.is_unit() } else { self.0.name() == "UnitAttr" }
    }

    /// The underlying enum, if it is an enum attribute.
    #[must_use]
    pub fn enum_info(self) -> Option<Rec<'r>> {
        let base = self.base().0;
        if is_enum(base) {
            return Some(base);
        }
        base.is_subclass_of(name!("EnumAttr"))
            .then(|| base.get(name!("enum")).and_then(Val::as_def))
            .flatten()
    }

    /// The enum of an attribute that formats write as one of its cases. One of its own class around an enum is written as
    /// that class says, and one that has no underlying type or no C++ that makes it as any other attribute.
    #[must_use]
    pub fn written_as_case(self) -> Option<EnumInfo<'r>> {
        let base = self.base().0;
        let info = base.is_subclass_of(name!("EnumAttrInfo")).then(|| EnumInfo::lenient(base))?;
        info.is_built().then_some(info)
    }

    /// The enum of an attribute that holds a case as an integer, and the width of that.
    #[must_use]
    pub fn integer_enum(self) -> Option<(EnumInfo<'r>, i64)> {
        let info = self.0.is_subclass_of(name!("EnumAttrInfo")).then(|| EnumInfo::lenient(self.0))?;
        Some((info, self.0.get(name!("bitwidth")).and_then(Val::as_int).unwrap_or(32)))
    }

    /// Whether the field that decides if formats write it as a case is there, for an attribute that formats name, and what
    /// is needed to write it.
    ///
    /// # Errors
    /// Something is not.
    pub fn check_written(self) -> Result<(), Diagnostic> {
        let base = self.base().0;
        if !base.is_subclass_of(name!("EnumAttrInfo")) {
            return Ok(());
        }
        base.string(name!("underlyingType"))?;
        match self.written_as_case() {
            Some(_) => EnumInfo::with(base, enums::written(base)).map(drop),
            None => Ok(()),
        }
    }

    /// The dialect of an attribute that belongs to one.
    #[must_use]
    pub fn dialect(self) -> Option<Dialect<'r>> {
        self.base().0.get(name!("dialect")).and_then(Val::as_def).map(Dialect::new)
    }

    /// Its full description, or else that of the base attribute.
    #[must_use]
    pub fn description(self) -> &'r str {
        match self.constraint().description() {
            "" => self.base().constraint().description(),
            own => own,
        }
    }
}
