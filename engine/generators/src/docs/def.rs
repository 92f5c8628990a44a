//! An attribute or type with parameters: heading, summary, syntax, description, parameters.

use super::text;
use crate::cpp::Writer;
use odsmith_ods::{AttrOrTypeDef, DefKind};
use odsmith_release::{Change, Rules, spellings};
use odsmith_tablegen::diagnostic::Diagnostic;

pub(super) fn emit(def: &AttrOrTypeDef<'_>, w: &mut Writer) {
    w.raw(&format!("\n### {}\n", def.cpp_class_name()));
    text::emit_summary(def.summary(), w);
    emit_syntax(def, w);
    text::emit_description_as_is(def.description(), w);
    match def.parameters() {
        [] => w.blank(),
        _ => emit_parameters(def, w),
    }
}

/// Checks the fields that [`emit`] writes.
///
/// # Errors
/// The class has no name; the dialect has none although the syntax begins with it; a parameter has no C++ type; or the
/// cases of an enum parameter are unset.
pub(super) fn check(def: &AttrOrTypeDef<'_>, rules: &Rules) -> Result<(), Diagnostic> {
    def.check_class_name()?;
    if def.mnemonic().is_some() && is_declared(def, rules) {
        def.dialect().check_name()?;
        def.parameters().iter().try_for_each(|parameter| parameter.check_cases())?;
    }
    def.check_parameters()
}

/// Writes the syntax after the mnemonic; nothing without a mnemonic, or if C++ parses it.
pub(super) fn emit_syntax(def: &AttrOrTypeDef<'_>, w: &mut Writer) {
    let Some(mnemonic) = def.mnemonic().filter(|_| is_declared(def, w.rules())) else { return };
    let mark = match def.kind() {
        DefKind::Attribute => spellings::attribute_mark.of(w.rules()),
        DefKind::Type => "!",
    };
    let name = format!("{mark}{}.{mnemonic}", def.dialect().name());
    let Some((last, others)) = def.parameters().split_last() else {
        w.raw(&format!("\nSyntax: `{name}`\n"));
        return;
    };
    w.raw(&format!("\nSyntax:\n\n```\n{name}<\n"));
    for parameter in others {
        w.raw(&format!("  {},   # {}\n", parameter.syntax(), parameter.name));
    }
    w.raw(&format!("  {}   # {}\n>\n```\n", last.syntax(), last.name));
}

/// Returns whether the syntax after the mnemonic is declared rather than parsed by C++. Early releases declare it by
/// empty code.
fn is_declared(def: &AttrOrTypeDef<'_>, rules: &Rules) -> bool {
    match rules.has(Change::CustomDefinitions) {
        true => !def.has_custom_assembly_format(),
        false => def.parser_code() == Some("") && def.printer_code() == Some(""),
    }
}

/// Writes a table of the parameters, if there are any.
pub(super) fn emit_parameters(def: &AttrOrTypeDef<'_>, w: &mut Writer) {
    if def.parameters().is_empty() {
        return;
    }
    w.raw("\n#### Parameters:\n\n");
    w.raw("| Parameter | C++ type | Description |\n");
    w.raw("| :-------: | :-------: | ----------- |\n");
    for parameter in def.parameters() {
        let summary = parameter.summary().unwrap_or_default();
        w.raw(&format!("| {} | `{}` | {summary} |\n", parameter.name, parameter.cpp_type()));
    }
}
