//! Attribute constraints: classes `AttrConstraint` and `Attr`.

use super::{
    Constraint, Dialect, EnumInfo, TypeConstraint,
    enums::{self, is_enum},
};
use odsmith_release::{Change, spellings};
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{Name, Rec, Val, name},
};

/// The constraint on an attribute of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Attribute<'r>(Rec<'r>);

impl<'r> Attribute<'r> {
    /// Wraps a record of class `Attr`.
    #[must_use]
    pub fn new(rec: Rec<'r>) -> Self {
        Attribute(rec)
    }

    /// Returns the record.
    #[must_use]
    pub fn rec(self) -> Rec<'r> {
        self.0
    }

    reads! {
        self;
        /// Returns whether the attribute may be missing.
        is_optional: bit name!("isOptional");
        /// Returns whether the attribute is computed from the operation rather than stored.
        is_derived: class name!("DerivedAttr");
        /// Returns whether the attribute holds a type (`TypeAttrBase`).
        is_type_attribute: class name!("TypeAttrBase");
    }

    /// Returns the constraint as one of any kind.
    #[must_use]
    pub fn constraint(self) -> Constraint<'r> {
        Constraint::new(self.0)
    }

    /// Returns the one-line summary.
    #[must_use]
    pub fn summary(self) -> &'r str {
        self.constraint().summary()
    }

    identity!();

    /// Checks the field that says that the attribute may be missing, if there is one.
    ///
    /// # Errors
    /// The field is not a bit.
    pub fn check_quantity(self) -> Result<(), Diagnostic> {
        self.0.get(name!("isOptional")).map_or(Ok(()), |_| self.check_optional())
    }

    /// Checks the field that says that the attribute may be missing.
    ///
    /// # Errors
    /// The field is missing, unset or not a bit.
    pub fn check_optional(self) -> Result<(), Diagnostic> {
        self.0.bit(name!("isOptional")).map(drop)
    }

    /// Returns the attribute, or the base of an attribute with a generated name.
    #[must_use]
    pub fn named(self) -> Attribute<'r> {
        if self.0.is_anonymous() { self.base() } else { self }
    }

    /// Returns whether the attribute is an enum.
    #[must_use]
    pub fn is_enum(self) -> bool {
        is_enum(self.0)
    }

    /// Returns the enum of an attribute class around one.
    ///
    /// # Errors
    /// The field is missing, unset or of another type.
    pub fn enum_rec(self) -> Result<Rec<'r>, Diagnostic> {
        self.0.def(name!("enum"))
    }

    /// Returns the enum whose cases may have requirements: that of the attribute, or in early releases the attribute.
    /// Only its list of cases is checked.
    ///
    /// # Errors
    /// A field is missing, unset or of another type.
    pub fn restricted_enum(self) -> Result<EnumInfo<'r>, Diagnostic> {
        let rec = if self.rules().has(Change::SpirvEnumAttributes) { self.enum_rec()? } else { self.0 };
        EnumInfo::with(rec, &["enumerants"])
    }

    /// Returns the name of the dialect of an attribute class around an enum.
    #[must_use]
    pub fn enum_dialect(self) -> Option<&'r str> {
        let base = self.base().0;
        let dialect =
            base.is_subclass_of(name!("EnumAttr")).then(|| base.optional_def(name!("dialect")))??;
        dialect.optional_string(name!("name"))
    }

    /// Returns whether the attribute itself, not one that it wraps, is of a class with floating-point elements.
    #[must_use]
    pub fn holds_floats(self) -> bool {
        self.0.is_subclass_of("FloatElementsAttr") || self.0.is_subclass_of("RankedFloatElementsAttr")
    }

    /// Returns the Python class that early releases name for the storage type: class `PythonAttr`.
    #[must_use]
    pub fn python_class(self) -> Option<&'r str> {
        let storage = self.storage_type();
        let mut classes = self.0.records().derived("PythonAttr");
        let class = classes.find(|class| class.optional_string("cppStorageType") == Some(storage))?;
        class.optional_string("pythonType")
    }

    fn text(self, field: impl Name) -> Option<&'r str> {
        self.0.optional_string(field).map(str::trim).filter(|text| !text.is_empty())
    }

    /// Returns the class of an attribute whose definition names none.
    fn any_class(self) -> &'static str {
        spellings::attribute_class.of(self.rules())
    }

    /// Returns whether the attribute is stored as the generic attribute class.
    #[must_use]
    pub fn is_stored_as_any(self) -> bool {
        self.storage_type() == self.any_class()
    }

    /// Returns the C++ class that stores it: `::mlir::IntegerAttr`.
    #[must_use]
    pub fn storage_type(self) -> &'r str {
        self.text(name!("storageType")).unwrap_or_else(|| self.any_class())
    }

    /// Returns the C++ type that its getter returns: `uint32_t`; empty if the author names none.
    #[must_use]
    pub fn return_type(self) -> &'r str {
        self.text(name!("returnType")).unwrap_or_default()
    }

    /// Returns C++ that converts the stored attribute, `$_self`, to the returned value.
    #[must_use]
    pub fn convert_from_storage(self) -> &'r str {
        self.text(name!("convertFromStorage")).unwrap_or_default()
    }

    /// Returns C++ that builds the attribute from a value, `$0`, if that is possible.
    #[must_use]
    pub fn const_builder_call(self) -> Option<&'r str> {
        self.text(name!("constBuilderCall"))
    }

    /// Returns the default value in C++.
    #[must_use]
    pub fn default_value(self) -> Option<&'r str> {
        self.text(name!("defaultValue"))
    }

    /// Returns the type of its value, if it has one.
    #[must_use]
    pub fn value_type(self) -> Option<TypeConstraint<'r>> {
        self.0.get(name!("valueType")).and_then(Val::as_def).map(TypeConstraint::new)
    }

    /// Returns the attribute inside `OptionalAttr`, `DefaultValuedAttr`, `ConfinedAttr`, …, through all layers.
    #[must_use]
    pub fn base(self) -> Attribute<'r> {
        let mut attribute = self;
        while let Some(base) = attribute.0.get(name!("baseAttr")).and_then(Val::as_def) {
            attribute = Attribute(base);
        }
        attribute
    }

    /// Returns the name of the base attribute's record, or `anonymous` instead of a generated name.
    #[must_use]
    pub fn def_name(self) -> &'r str {
        let base = self.base();
        if base.0.is_anonymous() { "anonymous" } else { base.0.name() }
    }

    /// Returns the C++ that computes a derived attribute.
    #[must_use]
    pub fn derived_body(self) -> Option<&'r str> {
        self.is_derived().then(|| self.0.optional_string(name!("body"))).flatten()
    }

    /// Returns whether the attribute is a symbol's name.
    #[must_use]
    pub fn is_symbol_name(self) -> bool {
        matches!(self.def_name(), "SymbolNameAttr")
    }

    /// Returns whether the attribute refers to a symbol.
    #[must_use]
    pub fn is_symbol_reference(self) -> bool {
        let names = ["SymbolRefAttr", "FlatSymbolRefAttr"];
        names.contains(&self.def_name()) || names.iter().any(|class| self.base().0.is_subclass_of(*class))
    }

    /// Returns whether the base attribute is `UnitAttr`.
    #[must_use]
    pub fn is_unit(self) -> bool {
        self.def_name() == "UnitAttr"
    }

    /// Returns whether the attribute is `UnitAttr` or an anonymous wrapper around it.
    #[must_use]
    pub fn is_called_unit(self) -> bool {
        if self.0.is_anonymous() { self.is_unit() } else { self.0.name() == "UnitAttr" }
    }

    /// Returns the enum of an enum attribute.
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

    /// Returns the enum of an attribute that formats write as an enum case. The enum must have an underlying type and
    /// C++ that builds a value. An attribute class around an enum has its own format.
    #[must_use]
    pub fn written_as_case(self) -> Option<EnumInfo<'r>> {
        let base = self.base().0;
        let info = base.is_subclass_of(name!("EnumAttrInfo")).then(|| EnumInfo::lenient(base))?;
        info.is_built().then_some(info)
    }

    /// Returns whether the attribute's own format is a case of its enum in angle brackets.
    #[must_use]
    pub fn is_case_in_brackets(self) -> bool {
        let base = self.base().0;
        base.is_subclass_of(name!("EnumAttr"))
            && base.optional_string(name!("assemblyFormat")) == Some("`<` $value `>`")
    }

    /// Checks the field that [`Attribute::is_case_in_brackets`] reads.
    ///
    /// # Errors
    /// The field is unset.
    pub fn check_own_format(self) -> Result<(), Diagnostic> {
        let base = self.base().0;
        match base.is_subclass_of(name!("EnumAttr")) {
            true => base.string(name!("assemblyFormat")).map(drop),
            false => Ok(()),
        }
    }

    /// Returns the enum of an attribute that holds a case as an integer, and the width of that integer.
    #[must_use]
    pub fn integer_enum(self) -> Option<(EnumInfo<'r>, i64)> {
        let info = self.0.is_subclass_of(name!("EnumAttrInfo")).then(|| EnumInfo::lenient(self.0))?;
        Some((info, self.0.get(name!("bitwidth")).and_then(Val::as_int).unwrap_or(32)))
    }

    /// Checks the fields that a format needs to write the attribute: the one that decides whether it is written as a
    /// case, and then those of the enum.
    ///
    /// # Errors
    /// A field is unset.
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

    /// Returns the dialect of an attribute that belongs to one.
    #[must_use]
    pub fn dialect(self) -> Option<Dialect<'r>> {
        self.base().0.get(name!("dialect")).and_then(Val::as_def).map(Dialect::new)
    }

    /// Returns the description, or else that of the base attribute.
    #[must_use]
    pub fn description(self) -> &'r str {
        match self.constraint().description() {
            "" => self.base().constraint().description(),
            own => own,
        }
    }
}
