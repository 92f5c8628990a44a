//! Properties: class `Property`.

use super::Constraint;
use odsmith_release::Change;
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{Name, Rec, Val, name},
};

/// The fields that a property must have, in the order in which the reference reads them.
const FIELDS: [&str; 16] = [
    "summary",
    "description",
    "storageType",
    "interfaceType",
    "convertFromStorage",
    "assignToStorage",
    "convertToAttribute",
    "convertFromAttribute",
    "parser",
    "optionalParser",
    "printer",
    "readFromMlirBytecode",
    "writeToMlirBytecode",
    "hashProperty",
    "defaultValue",
    "storageTypeValueOverride",
];

field_enum! {
    /// A C++ snippet of a property.
    PropertyCode {
        /// Converts the stored value, `$_storage`, to the interface type.
        ConvertFromStorage = "convertFromStorage",
        /// Assigns `$_value` to the storage.
        AssignToStorage = "assignToStorage",
        /// Converts the stored value to an attribute.
        ConvertToAttribute = "convertToAttribute",
        /// Converts an attribute to the stored value.
        ConvertFromAttribute = "convertFromAttribute",
        /// Parses the property in formats.
        Parser = "parser",
        /// Parses the property in formats, if it is there.
        OptionalParser = "optionalParser",
        /// Prints the property in formats.
        Printer = "printer",
        /// Reads the property from bytecode.
        ReadFromBytecode = "readFromMlirBytecode",
        /// Writes the property to bytecode.
        WriteToBytecode = "writeToMlirBytecode",
        /// Computes the hash of the stored value.
        Hash = "hashProperty",
        /// The default value of the storage type.
        StorageDefault = "storageTypeValueOverride",
    }
}

/// The constraint on a property of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Property<'r>(Rec<'r>);

impl<'r> Property<'r> {
    /// Wraps a record of class `Property`.
    #[must_use]
    pub fn new(rec: Rec<'r>) -> Self {
        Property(rec)
    }

    /// Checks the fields that generated code needs; the library of earlier releases has fewer.
    ///
    /// # Errors
    /// A field is missing.
    pub fn check(self) -> Result<(), Diagnostic> {
        let is_recent = |field| {
            matches!(field, "parser" | "optionalParser" | "printer" | "storageTypeValueOverride")
                && !self.rules().has(Change::PropertiesInFormats)
        };
        let mut fields = FIELDS.iter().filter(|field| !is_recent(**field));
        fields.try_for_each(|&field| self.0.value(field).map(drop))
    }

    identity!();

    /// Returns the record.
    #[must_use]
    pub fn rec(self) -> Rec<'r> {
        self.0
    }

    /// Returns the constraint as one of any kind.
    #[must_use]
    pub fn constraint(self) -> Constraint<'r> {
        Constraint::new(self.0)
    }

    /// Returns the one-line summary.
    #[must_use]
    pub fn summary(self) -> &'r str {
        self.0.optional_string(name!("summary")).unwrap_or_default().trim_ascii()
    }

    /// Returns a C++ snippet, trimmed; empty if it is unset.
    #[must_use]
    pub fn code(self, code: PropertyCode) -> &'r str {
        self.text(code.field())
    }

    fn text(self, field: impl Name) -> &'r str {
        self.0.optional_string(field).unwrap_or_default().trim_ascii()
    }

    /// Returns the C++ type that stores the property.
    #[must_use]
    pub fn storage_type(self) -> &'r str {
        self.text(name!("storageType"))
    }

    /// Returns the C++ type of its getter.
    #[must_use]
    pub fn interface_type(self) -> &'r str {
        self.text(name!("interfaceType"))
    }

    /// Returns the default value in C++, of the interface type.
    #[must_use]
    pub fn default_value(self) -> Option<&'r str> {
        Some(self.text(name!("defaultValue"))).filter(|value| !value.is_empty())
    }

    /// Returns whether the property has a parser that may find nothing.
    #[must_use]
    pub fn has_optional_parser(self) -> bool {
        !self.code(PropertyCode::OptionalParser).is_empty()
    }

    /// Returns whether values are parsed by the `FieldParser` of the storage type, as class `Property` does, also through
    /// the property that this one wraps.
    #[must_use]
    pub fn has_default_parser(self) -> bool {
        let storage = self.0.optional_string(name!("storageType")).unwrap_or_default();
        let code = self.0.optional_string(PropertyCode::Parser.field()).unwrap_or_default();
        let call = format!("\n    auto value = ::mlir::FieldParser<{storage}>::parse($_parser);\n");
        code.strip_prefix(&call).is_some_and(|rest| {
            let lines =
                ["if (::mlir::failed(value))", "return ::mlir::failure();", "$_storage = std::move(*value);"];
            rest.ends_with("\n  ") && rest.trim_ascii_end().lines().map(str::trim_ascii).eq(lines)
        })
    }

    /// Returns C++ that parses the property in formats, and C++ that prints it.
    #[must_use]
    pub fn assembly(self) -> (&'r str, &'r str) {
        (self.code(PropertyCode::Parser), self.code(PropertyCode::Printer))
    }

    /// Returns the wrapped property, through all layers.
    #[must_use]
    pub fn base(self) -> Property<'r> {
        let mut property = self;
        while let Some(base) = property.0.get(name!("baseProperty")).and_then(Val::as_def) {
            property = Property(base);
        }
        property
    }

    /// Returns whether the base property is `UnitProp`.
    #[must_use]
    pub fn is_unit(self) -> bool {
        matches!(self.base().0.name(), "UnitProp" | "UnitProperty")
    }
}
