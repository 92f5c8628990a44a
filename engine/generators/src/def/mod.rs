//! `gen-attrdef-decls`, `gen-attrdef-defs`, `gen-typedef-decls`, `gen-typedef-defs`: attributes and types with
//! parameters, all of one dialect.
//!
//! Declarations: forward declarations of the classes, the classes, their `TypeID`s. Definitions: the list of all
//! classes; then, if any definition has a mnemonic, the parser and printer that distinguish by it; then the storage and
//! members of each; then the dialect's hooks for parsing and printing.
//!
//! | file | what |
//! | --- | --- |
//! | [`class`] | one class, from its bases to its accessors |
//! | [`builders`] | `get` and `getChecked` |
//! | [`verifier`] | `verify` and its callers |
//! | [`interfaces`] | traits, and the methods of interfaces that the class declares |
//! | [`storage`] | the storage class |
//! | [`dispatch`] | parsing and printing by mnemonic |
//! | [`mod@format`] | `parse` and `print` by the declarative format |
//! | [`indented_classes`], [`mnemonic_comparisons`] | classes, and parsing by mnemonic, of early releases |
//! | [`mod@members`] | builders and accessors as plain data |

mod builders;
mod class;
mod dispatch;
mod format;
mod indented_classes;
mod interfaces;
mod members;
mod mnemonic_comparisons;
mod storage;
mod verifier;

use super::{Cx, Generator, OptionSpec};
use crate::cpp::{Class, Template, Writer, join};
use odsmith_ods::{AttrOrTypeDef, Builder, DefKind, Dialect, Parameter, cpp_name};
use odsmith_release::{Change, Rules, spellings};
use odsmith_tablegen::{diagnostic::Diagnostic, span::Span};

pub(super) use members::members;

pub(super) const ATTR_DECLS: Generator = Generator {
    name: "gen-attrdef-decls",
    about: "Generate AttrDef declarations",
    run: |cx, w| emit_declarations(&ATTRIBUTE, cx, w),
};

pub(super) const ATTR_DEFS: Generator = Generator {
    name: "gen-attrdef-defs",
    about: "Generate AttrDef definitions",
    run: |cx, w| emit_definitions(&ATTRIBUTE, cx, w),
};

pub(super) const TYPE_DECLS: Generator = Generator {
    name: "gen-typedef-decls",
    about: "Generate TypeDef declarations",
    run: |cx, w| emit_declarations(&TYPE, cx, w),
};

pub(super) const TYPE_DEFS: Generator = Generator {
    name: "gen-typedef-defs",
    about: "Generate TypeDef definitions",
    run: |cx, w| emit_definitions(&TYPE, cx, w),
};

pub(super) const ATTR_DIALECT: OptionSpec = OptionSpec {
    name: "attrdefs-dialect",
    value: Some("string"),
    about: "Generate attributes for this dialect",
};

pub(super) const TYPE_DIALECT: OptionSpec =
    OptionSpec { name: "typedefs-dialect", value: Some("string"), about: "Generate types for this dialect" };

/// The differences between attributes and types.
struct Kind {
    /// `Attr`, `Type`: the prefix of C++ base classes.
    short: &'static str,
    /// `Attribute`, `Type`: the C++ class that all derive from.
    class: &'static str,
    /// The prefix of preprocessor guards.
    guard: &'static str,
    kind: DefKind,
    /// The option that selects a dialect.
    option: &'static str,
    /// The parameters of `parse`.
    parse_parameters: &'static [(&'static str, &'static str)],
}

const ATTRIBUTE: Kind = Kind {
    short: "Attr",
    class: "Attribute",
    guard: "GET_ATTRDEF",
    kind: DefKind::Attribute,
    option: ATTR_DIALECT.name,
    parse_parameters: &[("::mlir::AsmParser &", "odsParser"), ("::mlir::Type", "odsType")],
};

const TYPE: Kind = Kind {
    short: "Type",
    class: "Type",
    guard: "GET_TYPEDEF",
    kind: DefKind::Type,
    option: TYPE_DIALECT.name,
    parse_parameters: &[("::mlir::AsmParser &", "odsParser")],
};

impl Kind {
    fn of(def: &AttrOrTypeDef<'_>) -> &'static Kind {
        match def.kind() {
            DefKind::Attribute => &ATTRIBUTE,
            DefKind::Type => &TYPE,
        }
    }
}

/// Returns all definitions, in the order of their creation or by name. Unless a dialect is selected, all must belong to
/// the same one.
fn all_defs<'r>(kind: &Kind, cx: &Cx<'r>) -> Result<Vec<&'r AttrOrTypeDef<'r>>, Diagnostic> {
    const SEVERAL: &str =
        "defs belonging to more than one dialect. Must select one via '--(attr|type)defs-dialect'";
    let rules = cx.records.rules();
    if !rules.has(Change::KeywordSwitches) {
        cx.require_class(kind.kind.class())?;
    }
    if rules.has(Change::DefinitionClasses) && !rules.has(Change::KeywordSwitches) {
        cx.require_class(if kind.short == "Attr" { "DialectAttr" } else { "DialectType" })?;
    }
    let mut recs: Vec<_> = cx.records.derived(kind.kind.class()).collect();
    if cx.records.rules().has(Change::DefinitionsInOrder) {
        recs.sort_by_key(|rec| rec.id());
    }
    let is_selective = selected_dialect(kind, cx).is_some();
    let compares = !is_selective && recs.len() > 1;
    if compares {
        // The reference compares the second one with the first, and reads it first.
        recs.swap(0, 1);
    }
    let mut defs = Vec::with_capacity(recs.len());
    for rec in recs {
        let def = cx.model.definition(rec, kind.kind)?;
        match is_selective {
            true => def.dialect().check_name()?,
            false => def.dialect().check()?,
        }
        defs.push(def);
        if compares
            && let [second, first, rest @ ..] = defs.as_slice()
            && rest.last().unwrap_or(second).dialect() != first.dialect()
        {
            return Err(Diagnostic::error(Span::NONE, SEVERAL));
        }
    }
    if compares {
        defs.swap(0, 1);
    }
    // Early releases read the name before they write anything.
    if !rules.has(Change::DefinitionClasses)
        && let Some(def) = defs.first()
    {
        def.dialect().check_name()?;
    }
    Ok(defs)
}

fn selected_dialect<'a>(kind: &Kind, cx: &Cx<'a>) -> Option<&'a str> {
    cx.options.get(kind.option).filter(|name| !name.is_empty())
}

/// Returns the selected dialect with its definitions; nothing if there are none.
fn selected<'d, 'r>(
    kind: &Kind,
    defs: &[&'d AttrOrTypeDef<'r>],
    cx: &Cx<'r>,
) -> Option<(Dialect<'r>, Vec<&'d AttrOrTypeDef<'r>>)> {
    let name = selected_dialect(kind, cx);
    let is_selected = |def: &&AttrOrTypeDef<'_>| name.is_none_or(|name| def.dialect().name() == name);
    let defs: Vec<_> = defs.iter().copied().filter(is_selected).collect();
    let dialect = defs.first()?.dialect();
    Some((dialect, defs))
}

/// A definition with its generated classes.
struct GeneratedDef<'d, 'r> {
    def: &'d AttrOrTypeDef<'r>,
    class: Class<'d>,
    storage: Option<Class<'d>>,
}

impl<'d, 'r> GeneratedDef<'d, 'r> {
    fn new(def: &'d AttrOrTypeDef<'r>, cx: &Cx<'r>) -> Result<Self, Diagnostic> {
        // This field is unset only if evaluation failed, after which some releases go on.
        def.check_class_name()?;
        check_fields(def)?;
        let class = class::class(def, cx)?;
        check_storage(def)?;
        check_parameter_texts(def, &["cppAccessorType"])?;
        let storage = storage::class(def);
        if storage.is_some() {
            check_comparators(def)?;
        }
        Ok(GeneratedDef { def, class, storage })
    }

    fn all(defs: &[&'d AttrOrTypeDef<'r>], cx: &Cx<'r>) -> Result<Vec<Self>, Diagnostic> {
        defs.iter().map(|def| GeneratedDef::new(def, cx)).collect()
    }
}

fn check_names(def: &AttrOrTypeDef<'_>) -> Result<(), Diagnostic> {
    match def.parameters().iter().all(|parameter| !parameter.name.is_empty()) {
        true => Ok(()),
        false => Err(Diagnostic::error(Span::NONE, "all parameters must have a name")),
    }
}

/// Checks the fields that the class is generated from, up to its format, in the order in which the reference reads
/// them.
fn check_fields(def: &AttrOrTypeDef<'_>) -> Result<(), Diagnostic> {
    let has_parameters = !def.parameters().is_empty();
    let rules = def.rules();
    if rules.has(Change::ParametersNamedFirst) {
        check_names(def)?;
    }
    if has_parameters {
        def.check_storage_class()?;
    }
    def.check_base_class()?;
    if has_parameters {
        def.check_storage_namespace()?;
    }
    interfaces::trait_names(def)?;
    if rules.has(Change::MnemonicAliases) {
        def.check_mnemonic_alias()?;
    }
    def.traits().iter().try_for_each(|one| one.check_extra_code())?;
    def.check_extra_class_declaration()?;
    if rules.has(Change::CustomDefinitions) {
        def.check_extra_class_definition()?;
    }
    if has_parameters {
        def.check_skipped_builders()?;
        def.check_parameters()?;
        check_names(def)?;
    }
    if has_parameters || rules.has(Change::VerifiedParameters) {
        def.check_verifier()?;
    }
    if has_parameters {
        def.builders().iter().try_for_each(check_builder)?;
    }
    if rules.has(Change::NamedDefinitions) {
        def.check_full_name()?;
    }
    def.check_older_format()?;
    def.check_accessors()
}

/// Checks the fields that are read after the format.
fn check_storage(def: &AttrOrTypeDef<'_>) -> Result<(), Diagnostic> {
    let has_storage =
        !def.parameters().is_empty() && def.check_storage_choice().map(|()| def.has_storage_class())?;
    interfaces::check(def)?;
    if has_storage {
        def.check_custom_storage_constructor()?;
    }
    Ok(())
}

fn check_builder(builder: &Builder<'_>) -> Result<(), Diagnostic> {
    builder.check_types()?;
    builder.check_context()
}

/// Checks that fields of parameters are texts, because later code treats another value as unset; also those in `more`.
fn check_parameter_texts(def: &AttrOrTypeDef<'_>, more: &[&str]) -> Result<(), Diagnostic> {
    if def.rules().has(Change::ParameterTexts) {
        return Ok(());
    }
    let has_format = def.assembly_format().is_some();
    let of_format = ["parser", "cppStorageType"].iter().filter(|_| has_format);
    let fields: Vec<&str> =
        ["comparator", "allocator"].iter().chain(more).chain(of_format).copied().collect();
    def.parameters().iter().try_for_each(|parameter| parameter.check_texts(&fields))
}

/// Checks that all parameters can be compared with `==` unless they have a comparator.
fn check_comparators(def: &AttrOrTypeDef<'_>) -> Result<(), Diagnostic> {
    const RAW_APINT: &str = "Using a raw APInt parameter without a custom comparator is not supported because an \
                             assert in the equality operator is triggered when the two APInts have different bit \
                             widths. This can lead to unexpected crashes. Use an `APIntParameter` or provide a \
                             custom comparator.";
    let is_raw =
        |parameter: &Parameter<'_>| parameter.cpp_type().contains("APInt") && !parameter.has_comparator();
    let is_refused = def.rules().has(Change::RawApintRefused);
    match is_refused && def.parameters().iter().any(is_raw) {
        true => Err(def.definition().error(RAW_APINT)),
        false => Ok(()),
    }
}

fn emit_declarations(kind: &Kind, cx: &Cx<'_>, w: &mut Writer) -> Result<(), Diagnostic> {
    let all = all_defs(kind, cx)?;
    let selected = selected(kind, &all, cx);
    let has_comments = cx.records.rules().has(Change::ClassComments);
    for def in selected.iter().flat_map(|(_, defs)| defs).filter(|_| has_comments) {
        def.definition().check_texts()?;
    }
    w.file_header(&format!("{} Declarations", kind.kind.class()), None);
    w.fill(GUARD_START, &[("guard", &kind.guard), ("part", &"CLASSES")]);
    w.fill(ASSEMBLY_CLASSES, &[]);
    if let Some((dialect, _)) = &selected {
        dialect.check_cpp_namespace()?;
    }
    if let Some((dialect, defs)) = &selected
        && !w.rules().has(Change::DefinitionClasses)
    {
        let defs = indented_classes::with_traits(defs)?;
        w.namespaces(dialect.cpp_namespace(), |w| indented_classes::emit_declarations(&defs, w));
    } else if let Some((dialect, defs)) = selected {
        let generated = GeneratedDef::all(&defs, cx)?;
        w.namespaces(dialect.cpp_namespace(), |w| {
            for def in &defs {
                emit_comment(def, w);
                w.line(format_args!("class {};", def.cpp_class_name()));
            }
            for GeneratedDef { def, class, storage } in &generated {
                let is_own = !def.parameters().is_empty() && !w.rules().has(Change::OwnStoragesUndeclared);
                if storage.is_some() || is_own {
                    w.namespaces(def.storage_namespace(), |w| {
                        w.line(format_args!("struct {};", def.storage_class()));
                    });
                }
                class.declaration(w);
            }
        });
        for def in &defs {
            emit_type_id("DECLARE_EXPLICIT_TYPE_ID", def, w);
        }
    }
    w.fill(GUARD_END, &[("guard", &kind.guard), ("part", &"CLASSES")]);
    Ok(())
}

fn emit_definitions(kind: &Kind, cx: &Cx<'_>, w: &mut Writer) -> Result<(), Diagnostic> {
    let all = all_defs(kind, cx)?;
    let selected = selected(kind, &all, cx);
    w.file_header(&format!("{} Definitions", kind.kind.class()), None);
    let Some((dialect, defs)) = selected else { return Ok(()) };
    dialect.check_cpp_namespace()?;
    if !w.rules().has(Change::DefinitionClasses) {
        return emit_indented_definitions(kind, &defs, w);
    }
    let generated = GeneratedDef::all(&defs, cx)?;
    emit_list(kind, &defs, w);
    w.fill(GUARD_START, &[("guard", &kind.guard), ("part", &"CLASSES")]);
    emit_dispatch(kind, &defs, w);
    for GeneratedDef { def, class, storage } in &generated {
        // Another dialect of the same name may have another namespace.
        w.namespaces(def.dialect().cpp_namespace(), |w| {
            if let Some(storage) = storage {
                w.namespaces(def.storage_namespace(), |w| storage.declaration(w));
            }
            class.definitions(w);
        });
        emit_type_id("DEFINE_EXPLICIT_TYPE_ID", def, w);
    }
    dispatch::emit_dialect_hooks(kind, dialect, w)?;
    w.fill(GUARD_END, &[("guard", &kind.guard), ("part", &"CLASSES")]);
    Ok(())
}

fn emit_indented_definitions(
    kind: &Kind,
    defs: &[&AttrOrTypeDef<'_>],
    w: &mut Writer,
) -> Result<(), Diagnostic> {
    for def in defs {
        def.check_class_name()?;
        indented_classes::check(def)?;
        check_parameter_texts(def, &[])?;
        indented_classes::check_definitions(def)?;
    }
    emit_list(kind, defs, w);
    w.fill(GUARD_START, &[("guard", &kind.guard), ("part", &"CLASSES")]);
    emit_dispatch(kind, defs, w);
    for def in defs {
        w.namespaces(def.dialect().cpp_namespace(), |w| indented_classes::emit_definitions(def, w));
    }
    w.fill(GUARD_END, &[("guard", &kind.guard), ("part", &"CLASSES")]);
    Ok(())
}

const GUARD_START: Template = Template(
    r#"
#ifdef @{guard}_@part
#undef @{guard}_@part

"#,
);

const GUARD_END: Template = Template(
    r#"

@endif @{guard}_@part

"#,
);

const ASSEMBLY_CLASSES: Template = Template(
    r#"

namespace mlir {
class @{asm_classes}AsmParser;
class @{asm_classes}AsmPrinter;
} // namespace mlir
"#,
);

/// Writes `generatedTypeParser` and `generatedTypePrinter`, if any definition has a mnemonic.
fn emit_dispatch(kind: &Kind, defs: &[&AttrOrTypeDef<'_>], w: &mut Writer) {
    if defs.iter().any(|def| def.mnemonic().is_some()) {
        match w.rules().has(Change::KeywordSwitches) {
            true => dispatch::emit(kind, defs, w),
            false => mnemonic_comparisons::emit(kind, defs, w),
        }
    }
}

/// Writes the names of all classes, for the dialect's initialisation.
fn emit_list(kind: &Kind, defs: &[&AttrOrTypeDef<'_>], w: &mut Writer) {
    w.fill(GUARD_START, &[("guard", &kind.guard), ("part", &"LIST")]);
    w.line(format_args!("{}", join(defs.iter().map(|def| qualified_name(def)), ",\n")));
    w.fill(GUARD_END, &[("guard", &kind.guard), ("part", &"LIST")]);
}

/// Writes summary and description above the forward declaration of the class.
fn emit_comment(def: &AttrOrTypeDef<'_>, w: &mut Writer) {
    w.description(def.summary());
    w.description(def.description());
}

fn emit_type_id(macro_name: &str, def: &AttrOrTypeDef<'_>, w: &mut Writer) {
    if !def.dialect().cpp_namespace().is_empty() {
        let prefix = spellings::type_id_prefix.of(w.rules());
        w.line(format_args!("{prefix}{macro_name}({})", qualified_name(def)));
    }
}

/// Returns the class's name for use outside all namespaces.
fn qualified_name(def: &AttrOrTypeDef<'_>) -> String {
    format!("{}::{}", def.dialect().cpp_namespace(), def.cpp_class_name())
}

/// Returns the name of a parameter's accessor.
fn accessor(parameter: &Parameter<'_>, rules: &Rules) -> String {
    let name = match rules.has(Change::CamelCaseAccessors) {
        true => cpp_name::camel_case(parameter.name, true),
        false => cpp_name::capitalized(parameter.name),
    };
    format!("get{name}")
}
