//! Attributes and types with parameters: classes `AttrDef` and `TypeDef`.

use std::borrow::Cow;

use odsmith_release::{Change, Rules, fields};

use super::{
    Builder, Constraint, Dialect, EnumInfo, Trait, builder, cpp_name, definition::set_bits, lenient::Mistake,
};
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{Name, Rec, Val, name},
    span::Span,
};

/// The two kinds of definitions with parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DefKind {
    /// `AttrDef`.
    Attribute,
    /// `TypeDef`.
    Type,
}

impl DefKind {
    /// Both kinds, types first.
    pub const ALL: [DefKind; 2] = [DefKind::Type, DefKind::Attribute];

    /// Returns the kind of a record that is an attribute or type with parameters.
    #[must_use]
    pub fn of(rec: Rec<'_>) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| rec.is_subclass_of(kind.name()))
    }

    /// Returns the class of its records: `AttrDef` or `TypeDef`.
    #[must_use]
    pub fn class(self) -> &'static str {
        match self {
            DefKind::Attribute => "AttrDef",
            DefKind::Type => "TypeDef",
        }
    }

    fn name(self) -> impl Name {
        match self {
            DefKind::Attribute => name!("AttrDef"),
            DefKind::Type => name!("TypeDef"),
        }
    }

    /// Returns the sigil of its name in MLIR's textual form: `#` or `!`.
    #[must_use]
    pub fn mark(self) -> char {
        match self {
            DefKind::Attribute => '#',
            DefKind::Type => '!',
        }
    }
}

/// An attribute or type with parameters.
#[derive(Clone, Debug)]
pub struct AttrOrTypeDef<'r> {
    rec: Rec<'r>,
    kind: DefKind,
    dialect: Dialect<'r>,
    parameters: Vec<Parameter<'r>>,
    traits: Vec<Trait<'r>>,
    builders: Vec<Builder<'r>>,
    mistake: Mistake,
}

impl<'r> AttrOrTypeDef<'r> {
    /// Reads and checks a record of class `AttrDef` or `TypeDef`.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn new(rec: Rec<'r>, kind: DefKind) -> Result<Self, Diagnostic> {
        let mut def = AttrOrTypeDef::read(rec, kind)?;
        std::mem::take(&mut def.mistake).refuse(def)
    }

    /// Reads a definition and leaves out what breaks a rule; returns nothing if it has no dialect.
    #[must_use]
    pub fn lenient(rec: Rec<'r>, kind: DefKind) -> Option<Self> {
        AttrOrTypeDef::read(rec, kind).ok()
    }

    /// Returns the definition if it breaks no rule.
    pub(super) fn sound(&self) -> Result<&Self, Diagnostic> {
        self.mistake.check(self)
    }

    /// Returns whether the definition breaks no rule.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.mistake.is_none()
    }

    fn read(rec: Rec<'r>, kind: DefKind) -> Result<Self, Diagnostic> {
        let mut def = AttrOrTypeDef::read_nameless(rec, kind)?;
        let names = def.check_names();
        def.mistake.keep(names);
        Ok(def)
    }

    /// Checks the names of the dialect and of the class.
    ///
    /// # Errors
    /// A name is unset.
    pub fn check_names(&self) -> Result<(), Diagnostic> {
        if self.rules().has(Change::DialectNames) {
            self.dialect.check_name()?;
        }
        // This field is unset only if evaluation failed, after which some releases go on.
        self.check_class_name()
    }

    /// Reads everything but the names of the class and the dialect. Generators read all definitions before they look up
    /// the ones to write.
    pub(super) fn read_nameless(rec: Rec<'r>, kind: DefKind) -> Result<Self, Diagnostic> {
        let dialect = Dialect::new(rec.def(name!("dialect"))?);
        let mut mistake = Mistake::default();
        let builders = builder::builders(rec, &mut mistake);
        let mut traits: Vec<Trait<'r>> = Vec::new();
        for rec in mistake.keep(rec.defs(name!("traits"))) {
            if traits.iter().all(|seen| seen.rec() != rec) {
                if rec.is_subclass_of(name!("Interface")) && rec.records().rules().has(Change::InterfaceBases)
                {
                    mistake.keep(rec.list(name!("baseInterfaces")).map(drop));
                }
                traits.push(Trait::new(rec));
            }
        }
        let dag = rec.get(name!("parameters")).and_then(Val::as_dag);
        let parameters = dag.into_iter().flat_map(odsmith_tablegen::record::Dag::args);
        let parameters =
            parameters.map(|(value, name)| Parameter { name: name.unwrap_or_default(), value }).collect();
        let mut def = AttrOrTypeDef { rec, kind, dialect, parameters, traits, builders, mistake };
        let format = def.check_format();
        def.mistake.keep(format);
        def.mistake.keep(rec.dag(name!("parameters")).map(drop));
        Ok(def)
    }

    /// Checks that all parameters have a C++ type.
    ///
    /// # Errors
    /// The first parameter without one.
    pub fn check_parameters(&self) -> Result<(), Diagnostic> {
        let rules = self.rec.records().rules();
        self.parameters.iter().try_for_each(|parameter| parameter.check(rules))
    }

    /// Checks that the mnemonic and the format agree.
    fn check_format(&self) -> Result<(), Diagnostic> {
        if !self.says_how_it_is_written() {
            return Ok(());
        }
        let has_parameters = self.rec.dag(name!("parameters"))?.len() > 0;
        let is_custom = self.rec.bit(name!("hasCustomAssemblyFormat"))?;
        let has_format = self.assembly_format().is_some();
        let message = match (self.mnemonic(), is_custom, has_format) {
            (Some(_), true, true) => "cannot specify both 'assemblyFormat' and 'hasCustomAssemblyFormat'",
            (Some(_), false, false) if has_parameters => {
                "must specify either 'assemblyFormat' or 'hasCustomAssemblyFormat' when 'mnemonic' is set"
            }
            (None, true, _) | (None, _, true) => {
                "'assemblyFormat' or 'hasCustomAssemblyFormat' can only be used when 'mnemonic' is set"
            }
            (Some(_), _, true) if !self.rec.bit(name!("genAccessors"))? => {
                "'assemblyFormat' requires 'genAccessors' to be true"
            }
            _ => return Ok(()),
        };
        Err(self.rec.error(message))
    }

    fn says_how_it_is_written(&self) -> bool {
        self.rec.records().rules().has(Change::CustomDefinitions)
    }

    /// Checks that the mnemonic and the format agree, in releases that keep the C++ of parser and printer in fields.
    ///
    /// # Errors
    /// The combination is invalid.
    pub fn check_older_format(&self) -> Result<(), Diagnostic> {
        if self.says_how_it_is_written() || self.mnemonic().is_none() {
            return Ok(());
        }
        let (parser, printer) = (self.parser_code(), self.printer_code());
        let has_format = self.assembly_format().is_some();
        let message = if has_format && parser.or(printer).is_some() {
            "assembly format cannot be specified at the same time as printer or parser code"
        } else if has_format && !self.rec.bit(name!("genAccessors"))? {
            "the generated printer from 'assemblyFormat' requires 'genAccessors' to be true"
        } else if parser.is_some_and(str::is_empty) {
            "parser cannot be empty"
        } else if printer.is_some_and(str::is_empty) {
            "printer cannot be empty"
        } else {
            return Ok(());
        };
        let text = format!("{}: {message}", self.rec.name());
        Err(Diagnostic::error(self.rec.span(), text))
    }

    /// Returns the C++ of the parser, which early releases have in a field.
    #[must_use]
    pub fn parser_code(&self) -> Option<&'r str> {
        self.rec.optional_string("parser").filter(|_| !self.says_how_it_is_written())
    }

    /// Returns the C++ of the printer, which early releases have in a field.
    #[must_use]
    pub fn printer_code(&self) -> Option<&'r str> {
        self.rec.optional_string("printer").filter(|_| !self.says_how_it_is_written())
    }

    identity!();

    /// Returns the record.
    #[must_use]
    pub fn rec(&self) -> Rec<'r> {
        self.rec
    }

    reads! {
        &self;
        /// Returns the C++ class: `ComplexType`.
        cpp_class_name: text name!("cppClassName");
        /// Returns the name in assembly, without the dialect.
        mnemonic: option name!("mnemonic");
        /// Returns the one-line summary, which may be empty.
        summary: text name!("summary");
        /// Returns the description in Markdown, which may be empty.
        description: text name!("description");
        /// Returns the declarative assembly format as written.
        assembly_format: option name!("assemblyFormat");
        /// Returns whether parser and printer are written in C++.
        has_custom_assembly_format: bit name!("hasCustomAssemblyFormat");
        /// Returns whether the class has an accessor for each parameter.
        has_accessors: bit "genAccessors";
        /// Returns whether the storage class is generated.
        has_storage_class: bit "genStorageClass";
        /// Returns whether the author writes the construction of the storage.
        has_custom_storage_constructor: bit "hasStorageCustomConstructor";
        /// Returns whether the mnemonic is an alias in assembly.
        has_mnemonic_alias: bit "genMnemonicAlias";
        /// Returns whether the definition has only custom builders.
        skips_default_builders: bit "skipDefaultBuilders";
        /// Returns whether the author writes its verifier.
        has_verifier: bit "genVerifyDecl";
        /// Returns the C++ base class.
        cpp_base_class_name: text name!("cppBaseClassName");
        /// Returns the storage class.
        storage_class: text "storageClass";
        /// Returns the C++ namespace of the storage class.
        storage_namespace: text "storageNamespace";
        /// Returns C++ that computes the type of an attribute in early releases.
        type_builder: option "typeBuilder";
        /// Returns the author's C++ for the body of the class.
        extra_class_declaration: text name!("extraClassDeclaration");
        /// Returns the author's C++ for the source file.
        extra_class_definition: text name!("extraClassDefinition");
    }

    /// Returns the kind of the definition.
    #[must_use]
    pub fn kind(&self) -> DefKind {
        self.kind
    }

    /// Returns its dialect.
    #[must_use]
    pub fn dialect(&self) -> Dialect<'r> {
        self.dialect
    }

    fn text(&self, field: impl Name) -> &'r str {
        self.rec.optional_string(field).unwrap_or_default()
    }

    /// Returns the class with the dialect's namespace.
    #[must_use]
    pub fn qualified_cpp_class_name(&self) -> String {
        cpp_name::qualified(self.dialect.cpp_namespace(), self.cpp_class_name())
    }

    /// Returns whether the summary is set, even if it is empty.
    #[must_use]
    pub fn has_summary(&self) -> bool {
        self.rec.optional_string(name!("summary")).is_some()
    }

    /// Returns whether the description is set, even if it is empty.
    #[must_use]
    pub fn has_description(&self) -> bool {
        self.rec.optional_string(name!("description")).is_some()
    }

    /// Returns the parameters, in order.
    #[must_use]
    pub fn parameters(&self) -> &[Parameter<'r>] {
        &self.parameters
    }

    /// Returns the traits, each once. Unlike for operations, lists of traits are not flattened.
    #[must_use]
    pub fn traits(&self) -> &[Trait<'r>] {
        &self.traits
    }

    /// Returns the custom builders.
    #[must_use]
    pub fn builders(&self) -> &[Builder<'r>] {
        &self.builders
    }

    /// Returns whether lists in a `struct` have brackets, except for the last one.
    #[must_use]
    pub fn brackets_lists(&self) -> bool {
        self.rec.records().rules().has(Change::BracketedLists)
    }

    checks! {
        check_accessors: bit "genAccessors";
        check_class_name: string "cppClassName";
        check_custom_storage_constructor: bit "hasStorageCustomConstructor";
        check_base_class: string "cppBaseClassName";
        check_extra_class_declaration: string "extraClassDeclaration";
        check_extra_class_definition: string "extraClassDefinition";
        check_mnemonic_alias: bit "genMnemonicAlias";
        check_skipped_builders: bit "skipDefaultBuilders";
        check_storage_choice: bit "genStorageClass";
        check_storage_class: string "storageClass";
        check_storage_namespace: string "storageNamespace";
        check_verifier: bit "genVerifyDecl";
    }

    /// Checks that the name with the dialect is set: `attrName` or `typeName`.
    ///
    /// # Errors
    /// The field is missing or unset.
    pub fn check_full_name(&self) -> Result<(), Diagnostic> {
        self.rec.string(self.full_name_field()).map(drop)
    }

    fn full_name_field(&self) -> &'static str {
        match self.kind {
            DefKind::Attribute => "attrName",
            DefKind::Type => "typeName",
        }
    }

    /// Returns the name with the dialect: `builtin.complex`.
    #[must_use]
    pub fn full_name(&self) -> &'r str {
        self.text(self.full_name_field())
    }

    /// Returns the names of the bits that are set, of those that request parts of the class.
    pub fn hooks(&self) -> impl Iterator<Item = &'static str> + use<'r> {
        set_bits(
            self.rec,
            &[
                "genAccessors",
                "genVerifyDecl",
                "genVerifyInvariantsImpl",
                "genStorageClass",
                "genMnemonicAlias",
                "hasStorageCustomConstructor",
                "skipDefaultBuilders",
            ],
        )
    }

    /// Returns the position where the list of builders was set.
    #[must_use]
    pub fn builders_span(&self) -> Span {
        self.rec.field(name!("builders")).map_or(Span::NONE, |field| field.span)
    }
}

/// A parameter: a C++ type, or a record of class `AttrOrTypeParameter`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter<'r> {
    /// The name without `$`.
    pub name: &'r str,
    value: Val<'r>,
}

impl<'r> Parameter<'r> {
    fn check(self, rules: &Rules) -> Result<(), Diagnostic> {
        const MISSING: &str = "Missing `cppType` field in Attribute/Type parameter:";
        const NO_PARAMETER: &str = "Parameters DAG arguments must be either strings or defs which inherit from AttrOrTypeParameter\n";
        match self.rec() {
            Some(rec) if !rules.has(Change::CustomDefinitions) => rec.string(name!("cppType")).map(drop),
            Some(_) if !rules.has(Change::ParameterTypesNeeded) => Ok(()),
            Some(rec) if rec.optional_string(name!("cppType")).is_none() => {
                Err(rec.error(format!("{MISSING} {}", rec.name())))
            }
            None if self.value.as_str().is_some() => Ok(()),
            None if !rules.has(Change::CustomDefinitions) => Err(Diagnostic::error(Span::NONE, NO_PARAMETER)),
            None if rules.has(Change::ParameterTypesNeeded) => {
                Err(Diagnostic::error(Span::NONE, format!("LLVM ERROR: {MISSING} {}", self.value)).bare())
            }
            _ => Ok(()),
        }
    }

    /// Returns whether the parameter may be missing in assembly.
    #[must_use]
    pub fn is_optional(self) -> bool {
        self.default_value().is_some() || self.is_marked_optional()
    }

    /// Returns whether the parameter has the field `isOptional` of early releases.
    #[must_use]
    pub fn may_be_marked_optional(self) -> bool {
        self.rec().is_some_and(|rec| !rec.records().rules().has(Change::OptionalByDefault))
    }

    fn is_marked_optional(self) -> bool {
        self.may_be_marked_optional() && self.rec().is_some_and(|rec| rec.is_set("isOptional"))
    }

    /// Returns whether the parameter may be missing and is null then (`OptionalParameter`).
    #[must_use]
    pub fn is_null_by_default(self) -> bool {
        self.is_marked_optional() && self.default_value().is_none()
            || self.rec().is_some_and(|rec| rec.is_subclass_of(name!("OptionalParameter")))
    }

    /// Returns whether the parameter is the type of the attribute, which follows the attribute in assembly.
    #[must_use]
    pub fn is_self_type(self) -> bool {
        self.rec().is_some_and(|rec| rec.is_subclass_of(name!("AttributeSelfTypeParameter")))
    }

    /// Checks that C++ snippets of the parameter are texts if they are set: `parser`, `comparator`, ….
    ///
    /// # Errors
    /// A field is of another type.
    pub fn check_texts(self, fields: &[&str]) -> Result<(), Diagnostic> {
        self.rec().map_or(Ok(()), |rec| fields.iter().try_for_each(|field| rec.check_optional_string(*field)))
    }

    /// Returns the record; nothing for a bare C++ type.
    #[must_use]
    pub fn rec(self) -> Option<Rec<'r>> {
        self.value.as_def()
    }

    /// Returns a text of the record; nothing for a bare C++ type or an unset field.
    fn text(self, field: impl Name) -> Option<&'r str> {
        self.rec()?.optional_string(field)
    }

    /// Returns the C++ that parses the parameter in formats and the C++ that prints it, as far as the record gives
    /// them.
    #[must_use]
    pub fn assembly(self) -> (Option<&'r str>, Option<&'r str>) {
        (self.text("parser"), self.text("printer"))
    }

    /// Returns C++ that copies the parameter into the storage.
    #[must_use]
    pub fn allocator(self) -> Option<&'r str> {
        self.text("allocator")
    }

    /// Returns whether the author gives C++ that compares two values.
    #[must_use]
    pub fn has_comparator(self) -> bool {
        self.text(name!("comparator")).is_some()
    }

    /// Returns whether the parameter is written as a list without brackets, which would consume the comma that follows.
    #[must_use]
    pub fn is_bare_list(self) -> bool {
        let is_list = self.rec().is_some_and(|rec| {
            rec.is_subclass_of("ArrayRefParameter") || rec.is_subclass_of("OptionalArrayRefParameter")
        });
        is_list && self.assembly() == (None, None)
    }

    /// Returns the C++ type.
    #[must_use]
    pub fn cpp_type(self) -> &'r str {
        self.value.as_str().or_else(|| self.text(name!("cppType"))).unwrap_or_default()
    }

    /// Returns the C++ type that the accessor returns.
    #[must_use]
    pub fn accessor_type(self) -> &'r str {
        self.text(name!("cppAccessorType")).unwrap_or_else(|| self.cpp_type())
    }

    /// Returns the C++ type that the parser produces: one that owns its memory.
    #[must_use]
    pub fn storage_type(self) -> &'r str {
        self.text(name!("cppStorageType")).unwrap_or_else(|| self.cpp_type())
    }

    /// Returns C++ that converts the parser's result, `$_self`, to the parameter.
    #[must_use]
    pub fn convert_from_storage(self) -> &'r str {
        self.text(name!("convertFromStorage")).unwrap_or("$_self")
    }

    /// Returns C++ that compares `$_lhs` with `$_rhs`.
    #[must_use]
    pub fn comparator(self) -> &'r str {
        self.text(name!("comparator")).unwrap_or("$_lhs == $_rhs")
    }

    /// Returns the dialect that the parser of the parameter needs, if the parameter names one, as attributes and types
    /// with parameters do. The builtin dialect is always loaded.
    #[must_use]
    pub fn dialect(self) -> Option<Dialect<'r>> {
        let dialect = self.rec()?.optional_def(name!("dialect")).map(Dialect::new);
        dialect.filter(|dialect| dialect.name() != "builtin")
    }

    /// Returns the enum of a parameter that is given as the attribute of an enum.
    ///
    /// # Errors
    /// The parameter names no attribute, or the attribute no enum.
    pub fn enum_info(self) -> Result<Option<EnumInfo<'r>>, Diagnostic> {
        let Some(rec) = self.rec().filter(|rec| rec.is_subclass_of("EnumAttrParameter")) else {
            return Ok(None);
        };
        let info = rec.def(name!("attr"))?.def(name!("enum"))?;
        EnumInfo::with(info, &["cppNamespace", "className"]).map(Some)
    }

    /// Returns the constraint, if the parameter is given as one.
    #[must_use]
    pub fn constraint(self) -> Option<Constraint<'r>> {
        self.rec().filter(|rec| rec.is_subclass_of(name!("Constraint"))).map(Constraint::new)
    }

    /// Returns whether the parameter is given as a constraint on attributes, rather than as an attribute with
    /// parameters.
    #[must_use]
    pub fn is_attribute_constraint(self) -> bool {
        self.rec()
            .is_some_and(|rec| rec.is_subclass_of(name!("AttrConstraint")) && DefKind::of(rec).is_none())
    }

    /// Returns the one-line summary, if there is one.
    #[must_use]
    pub fn summary(self) -> Option<&'r str> {
        self.text(name!("summary"))
    }

    /// Returns the parameter's text in documented syntax: the C++ type unless the record gives another. Some releases
    /// list the cases of an enum instead.
    #[must_use]
    pub fn syntax(self) -> Cow<'r, str> {
        match self.listed_cases() {
            Some(cases) => Cow::Owned(cases),
            None => Cow::Borrowed(self.text(name!("syntax")).unwrap_or_else(|| self.cpp_type())),
        }
    }

    /// Checks that the enum cases that documentation lists are set.
    ///
    /// # Errors
    /// The list of cases, or a case's spelling, is unset.
    pub fn check_cases(self) -> Result<(), Diagnostic> {
        let check = |record| EnumInfo::with(record, &["enumerants", "str"]).map(drop);
        self.listed_enum().map_or(Ok(()), check)
    }

    /// Returns the enum whose cases documentation lists.
    fn listed_enum(self) -> Option<Rec<'r>> {
        let is_listed = |rec: &Rec<'_>| {
            rec.is_subclass_of("EnumParameter") && rec.records().rules().has(Change::SyntaxListsCases)
        };
        self.rec().filter(is_listed)?.def(name!("enum")).ok()
    }

    fn listed_cases(self) -> Option<String> {
        let info = EnumInfo::lenient(self.listed_enum()?);
        let cases: Vec<String> = info.cases.iter().map(|case| format!("`{}`", case.spelling)).collect();
        Some(cases.join(" | "))
    }

    /// Returns the enum of a parameter that holds one of its cases (`EnumParameter`), if its root defines the enum.
    #[must_use]
    pub fn held_enum(self) -> Option<EnumInfo<'r>> {
        let rec = self.rec().filter(|rec| rec.is_subclass_of("EnumParameter"))?;
        let records = rec.records();
        let bare = |name: &str| name.trim().trim_start_matches("::").to_owned();
        let wanted = bare(self.cpp_type());
        let enums = records.derived(fields::ENUM.of(records.rules()));
        enums.map(EnumInfo::lenient).find(|info| bare(&info.qualified_name) == wanted)
    }

    /// Returns the default value in C++. A parameter with a default value is optional.
    #[must_use]
    pub fn default_value(self) -> Option<&'r str> {
        // Early releases distinguish an empty default from an unset one.
        self.text(name!("defaultValue")).filter(|value| self.may_be_marked_optional() || !value.is_empty())
    }
}
