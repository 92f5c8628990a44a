//! A dialect: class `Dialect`.

use super::definition::set_bits;
use odsmith_release::Change;
use odsmith_tablegen::{
    diagnostic::{Diagnostic, Id},
    record::{Dag, Rec, name},
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

field_enum! {
    /// A function of a dialect's class that the author may request, in the order in which a class declares them.
    DialectHook {
        /// Parser and printer of attributes.
        AttributeParser = "useDefaultAttributePrinterParser",
        /// Parser and printer of types.
        TypeParser = "useDefaultTypePrinterParser",
        /// Patterns for the canonicalizer.
        Canonicalizer = "hasCanonicalizer",
        /// Materialization of constants.
        ConstantMaterializer = "hasConstantMaterializer",
        /// Verifier of attributes of operations.
        OperationVerifier = "hasOperationAttrVerify",
        /// Verifier of attributes of a region's arguments.
        RegionArgumentVerifier = "hasRegionArgAttrVerify",
        /// Verifier of attributes of a region's results.
        RegionResultVerifier = "hasRegionResultAttrVerify",
        /// Interfaces for operations without them.
        InterfaceFallback = "hasOperationInterfaceFallback",
    }
}

impl DialectHook {
    /// Returns the class of the definitions that a parser is for.
    fn defined_class(self) -> Option<&'static str> {
        match self {
            DialectHook::AttributeParser => Some("DialectAttr"),
            DialectHook::TypeParser => Some("DialectType"),
            DialectHook::Canonicalizer
            | DialectHook::ConstantMaterializer
            | DialectHook::OperationVerifier
            | DialectHook::RegionArgumentVerifier
            | DialectHook::RegionResultVerifier
            | DialectHook::InterfaceFallback => None,
        }
    }
}

const STRICT_PROPERTIES: &str = "useStrictPropertiesInAssemblyFormat";

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

    reads! {
        self;
        /// Returns the name before the dot: `arith`.
        name: text name!("name");
        /// Returns the one-line summary, which may be empty.
        summary: text name!("summary");
        /// Returns the description in Markdown, which may be empty.
        description: text name!("description");
        /// Returns the C++ namespace of everything in the dialect: `::mlir::arith`.
        cpp_namespace: text name!("cppNamespace");
        /// Returns the author's C++ for the body of the class.
        extra_class_declaration: text name!("extraClassDeclaration");
        /// Returns whether the author writes the destructor.
        has_own_destructor: bit "hasNonDefaultDestructor";
        /// Returns whether operations, attributes and types can be added to it at run time.
        is_extensible: bit "isExtensible";
    }

    identity!();

    checks! {
        check_cpp_namespace: string "cppNamespace";
        check_extensible: bit "isExtensible";
        check_own_name: string "name";
    }

    /// Checks that the fields of the documentation exist; they may be unset or no texts.
    ///
    /// # Errors
    /// There is no such field.
    pub fn check_documentation(self) -> Result<(), Diagnostic> {
        self.0.value(name!("summary"))?;
        self.0.value(name!("description")).map(drop)
    }

    /// Checks the field of a hook.
    ///
    /// # Errors
    /// The field is missing or not a bit.
    pub fn check_hook(self, hook: DialectHook) -> Result<(), Diagnostic> {
        self.0.bit(hook.field()).map(drop)
    }

    /// Checks the fields that a class is declared from, in the order in which the reference reads them.
    ///
    /// # Errors
    /// A field has no value.
    pub fn check_declaration(self) -> Result<(), Diagnostic> {
        self.check_class()?;
        if self.rules().has(Change::ClassComments) {
            self.check_documentation()?;
        }
        self.0.string(name!("name"))?;
        for &hook in DialectHook::ALL {
            let class = hook.defined_class().filter(|_| !self.rules().has(Change::DialectHooksAsSaid));
            match class {
                Some(class) if !self.defines(class)? || !self.rules().has(Change::DefaultDialectParsers) => {}
                _ => self.check_hook(hook)?,
            }
        }
        self.check_discardable_attributes()?;
        self.0.string(name!("extraClassDeclaration")).map(drop)
    }

    /// Checks the fields that a class is defined from, in the order in which the reference reads them.
    ///
    /// # Errors
    /// A field has no value.
    pub fn check_definition(self) -> Result<(), Diagnostic> {
        self.check_class()?;
        self.check_discardable_attributes()?;
        self.0.bit("hasNonDefaultDestructor").map(drop)
    }

    fn check_class(self) -> Result<(), Diagnostic> {
        self.check_cpp_namespace()?;
        match self.rules().has(Change::ExtensibleDialects) {
            true => self.check_extensible(),
            false => Ok(()),
        }
    }

    fn check_discardable_attributes(self) -> Result<(), Diagnostic> {
        match self.rules().has(Change::DiscardableAttributes) {
            true => self.0.dag("discardableAttrs").map(drop),
            false => Ok(()),
        }
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

    /// Returns whether the class overrides a hook. Early releases derive some from the attributes and types that the
    /// dialect defines.
    #[must_use]
    pub fn has_hook(self, hook: DialectHook) -> bool {
        match hook.defined_class().filter(|_| !self.rules().has(Change::DialectHooksAsSaid)) {
            Some(class) => {
                let is_requested =
                    !self.rules().has(Change::DefaultDialectParsers) || self.0.is_set(hook.field());
                is_requested && self.defines(class).unwrap_or_default()
            }
            None => self.0.is_set(hook.field()),
        }
    }

    /// Returns whether the dialect has a definition of a class.
    ///
    /// # Errors
    /// A definition of that class has no dialect.
    fn defines(self, class: &str) -> Result<bool, Diagnostic> {
        let dialects = self.0.records().derived(class).map(|rec| rec.def(name!("dialect")));
        Ok(dialects.collect::<Result<Vec<_>, _>>()?.contains(&self.0))
    }

    /// Returns the names of the bits that are set, of those that request parts of the class.
    pub fn hooks(self) -> impl Iterator<Item = &'static str> + use<'r> {
        set_bits(
            self.0,
            &[
                "hasCanonicalizer",
                "hasConstantMaterializer",
                "hasNonDefaultDestructor",
                "hasOperationAttrVerify",
                "hasRegionArgAttrVerify",
                "hasRegionResultAttrVerify",
                "hasOperationInterfaceFallback",
                "useDefaultAttributePrinterParser",
                "useDefaultTypePrinterParser",
                "isExtensible",
            ],
        )
    }

    /// Returns whether the dialect's parser and printer of types are generated.
    #[must_use]
    pub fn has_default_type_parser(self) -> bool {
        self.0.is_set(DialectHook::TypeParser.field())
    }

    /// Returns whether the dialect's parser and printer of attributes are generated.
    #[must_use]
    pub fn has_default_attribute_parser(self) -> bool {
        self.0.is_set(DialectHook::AttributeParser.field())
    }

    /// Returns whether it materializes constants as operations.
    #[must_use]
    pub fn has_constant_materializer(self) -> bool {
        self.0.is_set(DialectHook::ConstantMaterializer.field())
    }

    /// Returns whether folders of its operations get raw attributes, rather than an adaptor.
    ///
    /// # Errors
    /// The field that chooses is missing or has an unknown value.
    pub fn folds_raw_attributes(self) -> Result<bool, Diagnostic> {
        let rules = self.rules();
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
        let rules = self.rules();
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
        let rules = self.rules();
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

    /// Returns whether formats bind every attribute and property of an operation, or else have a `prop-dict`.
    #[must_use]
    pub fn has_strict_properties(self) -> bool {
        self.rules().has(Change::StrictProperties) && self.0.is_set(STRICT_PROPERTIES)
    }

    /// Checks the field that [`Dialect::has_strict_properties`] reads.
    ///
    /// # Errors
    /// The field is missing or not a bit.
    pub fn check_strict_properties(self) -> Result<(), Diagnostic> {
        match self.rules().has(Change::StrictProperties) {
            true => self.0.bit(STRICT_PROPERTIES).map(drop),
            false => Ok(()),
        }
    }

    /// Returns whether `attr-dict` may write inherent attributes, by the dialect's choice. A release without this choice
    /// has no dialects that make it.
    #[must_use]
    pub fn mixes_attributes(self) -> bool {
        let choice = self.0.get(STRICT_PROPERTIES);
        choice.is_some() && !self.0.is_set(STRICT_PROPERTIES)
    }

    fn may_use_properties(self) -> bool {
        self.rules().has(Change::Properties)
    }

    fn always_uses_properties(self) -> bool {
        self.rules().has(Change::AttributesAreProperties)
    }
}
