//! A dialect: class `Dialect`.

use odsmith_release::Change;
use odsmith_tablegen::{
    diagnostic::{Diagnostic, Id},
    record::{Dag, Name, Rec, name},
};

/// The naming style of an operation's accessors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessorStyle {
    /// The name of the part: `some_name`.
    Raw,
    /// With a prefix: `getSomeName`, `setSomeName`.
    Prefixed,
    /// Both.
    Both,
}

/// A dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dialect<'r>(Rec<'r>);

impl<'r> Dialect<'r> {
    /// Wraps a record of class `Dialect`.
    #[must_use]
    pub fn new(rec: Rec<'r>) -> Self {
        Dialect(rec)
    }

    /// Returns the record.
    #[must_use]
    pub fn rec(self) -> Rec<'r> {
        self.0
    }

    /// Checks that the list of dependent dialects is set.
    ///
    /// # Errors
    /// The list is unset.
    pub fn check(self) -> Result<(), Diagnostic> {
        self.0.strings(name!("dependentDialects")).map(drop)
    }

    /// Checks that the dialect has a name, with which the names of its operations, attributes and types begin.
    ///
    /// # Errors
    /// As for [`Dialect::check`], or the name is unset.
    pub fn check_name(self) -> Result<(), Diagnostic> {
        self.check()?;
        self.0.string(name!("name")).map(drop)
    }

    fn text(self, field: impl Name) -> &'r str {
        self.0.optional_string(field).unwrap_or_default()
    }

    /// Returns the name before the dot: `arith`.
    #[must_use]
    pub fn name(self) -> &'r str {
        self.text(name!("name"))
    }

    /// Returns the one-line summary, which may be empty.
    #[must_use]
    pub fn summary(self) -> &'r str {
        self.text(name!("summary"))
    }

    /// Returns the description in Markdown, which may be empty.
    #[must_use]
    pub fn description(self) -> &'r str {
        self.text(name!("description"))
    }

    /// Returns the C++ namespace of everything in the dialect: `::mlir::arith`.
    #[must_use]
    pub fn cpp_namespace(self) -> &'r str {
        self.text(name!("cppNamespace"))
    }

    /// Returns the dialect's class: the record's name without its underscores.
    #[must_use]
    pub fn cpp_class_name(self) -> String {
        self.0.name().replace('_', "")
    }

    /// Returns the C++ names of the dialects that it loads.
    #[must_use]
    pub fn dependent_dialects(self) -> Vec<&'r str> {
        let list = self.0.get(name!("dependentDialects")).and_then(odsmith_tablegen::record::Val::as_list);
        list.into_iter().flatten().filter_map(odsmith_tablegen::record::Val::as_str).collect()
    }

    /// Returns the discardable attributes with typed helpers: C++ type and name.
    #[must_use]
    pub fn discardable_attributes(self) -> Option<Dag<'r>> {
        self.0.get(name!("discardableAttrs")).and_then(odsmith_tablegen::record::Val::as_dag)
    }

    /// Returns the author's C++ for the body of the class.
    #[must_use]
    pub fn extra_class_declaration(self) -> &'r str {
        self.text(name!("extraClassDeclaration"))
    }

    /// Returns whether a `bit` field is set: `hasCanonicalizer`, `isExtensible`, ….
    #[must_use]
    pub fn is_set(self, field: impl Name) -> bool {
        self.0.is_set(field)
    }

    /// Returns whether the dialect's parser and printer of types are generated.
    #[must_use]
    pub fn has_default_type_parser(self) -> bool {
        self.is_set("useDefaultTypePrinterParser")
    }

    /// Returns whether the dialect's parser and printer of attributes are generated.
    #[must_use]
    pub fn has_default_attribute_parser(self) -> bool {
        self.is_set("useDefaultAttributePrinterParser")
    }

    /// Returns whether operations, attributes and types can be added to it at run time.
    #[must_use]
    pub fn is_extensible(self) -> bool {
        self.is_set("isExtensible")
    }

    /// Returns whether it materializes constants as operations.
    #[must_use]
    pub fn has_constant_materializer(self) -> bool {
        self.is_set("hasConstantMaterializer")
    }

    /// Returns whether folders of its operations get raw attributes, rather than an adaptor.
    ///
    /// # Errors
    /// The field that chooses is missing or has an unknown value.
    pub fn folds_raw_attributes(self) -> Result<bool, Diagnostic> {
        let rules = self.0.records().rules();
        if rules.has(Change::FoldAdaptors) || !rules.has(Change::FoldChoice) {
            return Ok(!rules.has(Change::FoldAdaptors));
        }
        match self.0.def("useFoldAPI")?.name() {
            "kEmitRawAttributesFolder" => Ok(true),
            "kEmitFoldAdaptorFolder" => Ok(false),
            _ => {
                let message = "Invalid value for dialect field `useFoldAPI`";
                Err(Diagnostic::error(self.0.span(), message).id(Id::FieldValue))
            }
        }
    }

    /// Returns the naming style of its operations' accessors.
    ///
    /// # Errors
    /// The field that chooses is missing or has an unknown value.
    pub fn accessor_style(self) -> Result<AccessorStyle, Diagnostic> {
        let rules = self.0.records().rules();
        if !self.chooses_accessors() {
            let has_prefix = rules.has(Change::PrefixedAccessors);
            return Ok(if has_prefix { AccessorStyle::Prefixed } else { AccessorStyle::Raw });
        }
        // The reference keeps the low 32 bits.
        match self.0.int("emitAccessorPrefix")? & 0xffff_ffff {
            0 => Ok(AccessorStyle::Raw),
            1 => Ok(AccessorStyle::Prefixed),
            2 => Ok(AccessorStyle::Both),
            _ => Err(Diagnostic::error(self.0.span(), "Invalid accessor prefix value")),
        }
    }

    /// Returns whether a dialect of this release chooses the names of accessors.
    pub(crate) fn chooses_accessors(self) -> bool {
        let rules = self.0.records().rules();
        rules.has(Change::AccessorChoice) && !rules.has(Change::PrefixedAccessors)
    }

    /// Returns whether inherent attributes are stored as properties: by the dialect's choice, or always.
    #[must_use]
    pub fn uses_properties_for_attributes(self) -> bool {
        self.always_uses_properties()
            || self.may_use_properties() && self.0.is_set(name!("usePropertiesForAttributes"))
    }

    /// Checks the field that [`Dialect::uses_properties_for_attributes`] reads.
    ///
    /// # Errors
    /// The field is missing or not a bit.
    pub fn check_use_of_properties(self) -> Result<(), Diagnostic> {
        match !self.always_uses_properties() && self.may_use_properties() {
            true => self.0.bit(name!("usePropertiesForAttributes")).map(drop),
            false => Ok(()),
        }
    }

    fn may_use_properties(self) -> bool {
        self.0.records().rules().has(Change::Properties)
    }

    fn always_uses_properties(self) -> bool {
        self.0.records().rules().has(Change::AttributesAreProperties)
    }
}
