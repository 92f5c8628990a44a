//! The fields that definitions of every kind share. Nothing is checked: a missing or malformed field reads as empty.

use super::{Dialect, Trait, cpp_name, op::full_name};
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{KnownName, Name, Rec, RecordId, Val, name},
    span::Span,
};

/// The kind of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DefinitionKind {
    /// `Op`.
    Operation,
    /// `AttrDef` or `TypeDef`.
    AttrOrType,
    /// `EnumInfo`, even if it is an attribute as well.
    Enum,
    /// `EnumCase`.
    EnumCase,
    /// `Interface`.
    Interface,
    /// `Constraint` of no kind above.
    Constraint,
    /// Anything else.
    Other,
}

/// A definition of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Definition<'r>(Rec<'r>);

impl<'r> Definition<'r> {
    /// Wraps a record.
    #[must_use]
    pub fn new(rec: Rec<'r>) -> Self {
        Definition(rec)
    }

    /// Returns the record.
    #[must_use]
    pub fn rec(self) -> Rec<'r> {
        self.0
    }

    reads! {
        self;
        /// Returns the description in Markdown.
        description: text name!("description");
        /// Returns the deprecation message.
        deprecated: option name!("odsDeprecated");
    }

    /// Returns the record's name.
    #[must_use]
    pub fn record_name(self) -> &'r str {
        self.0.name()
    }

    /// Returns the position of the definition.
    #[must_use]
    pub fn span(self) -> Span {
        self.0.span()
    }

    /// Returns the number of the record, which distinguishes it from all others.
    #[must_use]
    pub fn id(self) -> RecordId {
        self.0.id()
    }

    /// Returns whether the record has a generated name.
    #[must_use]
    pub fn is_anonymous(self) -> bool {
        self.0.is_anonymous()
    }

    /// Creates an error at the definition, as [`Rec::error`] does.
    #[must_use]
    pub fn error(self, message: impl Into<String>) -> Diagnostic {
        self.0.error(message)
    }

    checks! {
        check_summary: string "summary";
        check_description: string "description";
    }

    /// Checks that summary and description are texts.
    ///
    /// # Errors
    /// One of them is missing, unset or of another type.
    pub fn check_texts(self) -> Result<(), Diagnostic> {
        self.check_summary()?;
        self.check_description()
    }

    /// Returns the kind.
    #[must_use]
    pub fn kind(self) -> DefinitionKind {
        let kinds = [
            (name!("Op"), DefinitionKind::Operation),
            (name!("AttrOrTypeDef"), DefinitionKind::AttrOrType),
            (name!("EnumInfo"), DefinitionKind::Enum),
            (name!("EnumAttrInfo"), DefinitionKind::Enum),
            (name!("EnumCase"), DefinitionKind::EnumCase),
            (name!("EnumAttrCaseInfo"), DefinitionKind::EnumCase),
            (name!("Interface"), DefinitionKind::Interface),
            (name!("Constraint"), DefinitionKind::Constraint),
        ];
        let found = kinds.into_iter().find(|(class, _)| self.0.is_subclass_of(class));
        found.map_or(DefinitionKind::Other, |(_, kind)| kind)
    }

    fn text(self, field: impl Name) -> &'r str {
        self.0.optional_string(field).unwrap_or_default()
    }

    /// Returns the one-line summary, trimmed.
    #[must_use]
    pub fn summary(self) -> &'r str {
        self.text(name!("summary")).trim()
    }

    /// Returns the dialect of an operation, an attribute or a type.
    #[must_use]
    pub fn dialect(self) -> Option<Dialect<'r>> {
        self.0.optional_def(self.dialect_field()).map(Dialect::new)
    }

    /// Returns the dialect of an operation, an attribute or a type.
    ///
    /// # Errors
    /// The field is missing, unset or of another type.
    pub fn own_dialect(self) -> Result<Dialect<'r>, Diagnostic> {
        self.0.def(self.dialect_field()).map(Dialect::new)
    }

    fn dialect_field(self) -> KnownName {
        if self.0.is_subclass_of(name!("Op")) { name!("opDialect") } else { name!("dialect") }
    }

    /// Returns whether the record derives from a class.
    #[must_use]
    pub fn is_a(self, class: &str) -> bool {
        self.0.is_subclass_of(class)
    }

    /// Returns the name inside the dialect of an operation, an attribute or a type.
    #[must_use]
    pub fn mnemonic(self) -> Option<&'r str> {
        let own = self.0.optional_string(name!("opName"));
        own.or_else(|| self.0.optional_string(name!("mnemonic")).filter(|mnemonic| !mnemonic.is_empty()))
    }

    /// Returns dialect and mnemonic: `arith.addf`. The record's name replaces a missing mnemonic.
    #[must_use]
    pub fn name(self) -> String {
        let mnemonic = self.mnemonic().unwrap_or(self.0.name());
        full_name(self.dialect().map(Dialect::name).unwrap_or_default(), mnemonic)
    }

    /// Returns the C++ namespace, or else that of the dialect.
    #[must_use]
    pub fn cpp_namespace(self) -> &'r str {
        let own = Some(self.text(name!("cppNamespace"))).filter(|text| !text.is_empty());
        own.or_else(|| Some(self.dialect()?.cpp_namespace())).unwrap_or_default()
    }

    /// Returns the C++ class of an operation, an attribute, a type, an enum or an interface.
    #[must_use]
    pub fn cpp_class_name(self) -> &'r str {
        let fields = [name!("cppClassName"), name!("className"), name!("cppInterfaceName")];
        let named = fields.into_iter().find_map(|field| self.0.optional_string(field));
        named.unwrap_or_else(|| cpp_name::class_name(self.0.name()))
    }

    /// Returns whether a generator writes something for a record of no kind above: a dialect, a pass, a pattern or the
    /// like.
    #[must_use]
    pub fn is_generated(self) -> bool {
        let classes = [
            "Dialect",
            "PassBase",
            "Pattern",
            "OpDocGroup",
            "DialectAttributes",
            "DialectTypes",
            "NativeCodeCall",
            "Trait",
            "SideEffect",
            "Resource",
            "OpVariable",
            "Availability",
        ];
        classes.iter().any(|class| self.0.is_subclass_of(*class))
    }

    /// Returns whether the record leaves a field as the last class that it names sets it.
    #[must_use]
    pub fn is_base_value(self, field: &str) -> bool {
        let Some(own) = self.0.get(field) else { return false };
        let bases = self.0.direct_superclasses().filter_map(|base| base.get(field));
        // The last base counts, as its fields replace those of the others.
        bases.last().is_some_and(|base| base == own && !own.is_unset())
    }

    /// Returns the position where a field was last set, or else declared.
    #[must_use]
    pub fn place_of(self, field: &str) -> Option<Span> {
        self.0.field(field).map(|field| field.span)
    }

    /// Returns the traits that the record itself names.
    #[must_use]
    pub fn traits(self) -> Vec<Trait<'r>> {
        defs(self.0, name!("traits")).map(Trait::new).collect()
    }
}

/// Returns the records in a list; empty if there is no such list.
pub(super) fn defs(rec: Rec<'_>, field: impl Name) -> impl Iterator<Item = Rec<'_>> {
    rec.get(field).and_then(Val::as_list).into_iter().flatten().filter_map(Val::as_def)
}

/// Returns the names of the `bit` fields among these that are set.
pub(super) fn set_bits<'r>(
    rec: Rec<'r>,
    fields: &'static [&'static str],
) -> impl Iterator<Item = &'static str> + use<'r> {
    fields.iter().copied().filter(move |field| rec.is_set(*field))
}
