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
                && !self.0.records().rules().has(Change::PropertiesInFormats)
        };
        let mut fields = FIELDS.iter().filter(|field| !is_recent(**field));
        fields.try_for_each(|&field| self.0.value(field).map(drop))
    }

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

    /// Returns a C++ snippet, trimmed: `convertFromStorage`, `parser`, `hashProperty`, ….
    #[must_use]
    pub fn code(self, field: impl Name) -> &'r str {
        self.0.optional_string(field).unwrap_or_default().trim_ascii()
    }

    /// Returns the C++ type that stores the property.
    #[must_use]
    pub fn storage_type(self) -> &'r str {
        self.code(name!("storageType"))
    }

    /// Returns the C++ type of its getter.
    #[must_use]
    pub fn interface_type(self) -> &'r str {
        self.code(name!("interfaceType"))
    }

    /// Returns the default value in C++, of the interface type.
    #[must_use]
    pub fn default_value(self) -> Option<&'r str> {
        Some(self.code(name!("defaultValue"))).filter(|value| !value.is_empty())
    }

    /// Returns whether the property has a parser that may find nothing.
    #[must_use]
    pub fn has_optional_parser(self) -> bool {
        !self.code(name!("optionalParser")).is_empty()
    }

    /// Returns C++ that parses the property in formats, and C++ that prints it.
    #[must_use]
    pub fn assembly(self) -> (&'r str, &'r str) {
        (self.code("parser"), self.code("printer"))
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
