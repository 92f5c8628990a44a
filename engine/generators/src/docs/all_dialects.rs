//! Documents of all dialects in one file, in releases that do not select one: dialects with definitions follow each
//! other by name. Types also appear among the type constraints.

use super::{Definitions, Parts, Style, compact};
use crate::{Cx, cpp::Writer};
use odsmith_ods::{Constraint, DefKind, Dialect};
use odsmith_release::Change;
use odsmith_tablegen::diagnostic::Diagnostic;

/// Writes the documents of all dialects, or of the selected one.
///
/// # Errors
/// A definition breaks a rule.
pub(super) fn emit(cx: &Cx<'_>, w: &mut Writer) -> Result<(), Diagnostic> {
    let dialects = defining(cx)?;
    super::check_dialects_of_types(cx)?;
    super::emit_header(w);
    let selected = cx.options.get("dialect");
    for dialect in dialects {
        if selected.is_none_or(|name| name == dialect.name()) {
            let parts = Parts::of(dialect, Definitions::read(cx)?, cx)?;
            super::op::check_all(&parts.ops, Style::of(cx))?;
            parts.check_defs(cx)?;
            parts.type_constraints.iter().try_for_each(|one| one.check_described())?;
            emit_dialect(dialect, &parts, Style::of(cx), w);
        }
    }
    Ok(())
}

/// Dialects of operations, attributes and types, by name.
fn defining<'r>(cx: &Cx<'r>) -> Result<Vec<Dialect<'r>>, Diagnostic> {
    let mut dialects: Vec<Dialect<'r>> =
        super::requested_operations(cx)?.iter().map(|op| op.dialect()).collect();
    for kind in [DefKind::Attribute, DefKind::Type] {
        for rec in cx.records.derived(kind.class()) {
            let def = cx.model.definition(rec, kind)?;
            def.check_names()?;
            def.dialect().check_name()?;
            dialects.push(def.dialect());
        }
    }
    // Of several dialects with one name, the first one has the document.
    dialects.sort_by_key(|dialect| dialect.name());
    dialects.dedup_by_key(|dialect| dialect.name());
    Ok(dialects)
}

fn emit_dialect(dialect: Dialect<'_>, parts: &Parts<'_>, style: Style<'_>, w: &mut Writer) {
    let has_contents = w.rules().has(Change::DefinitionClasses);
    compact::emit_title(dialect, !has_contents, w);
    compact::emit_defs("Attribute", &parts.attrs, w);
    emit_constraints(&parts.type_constraints, w);
    if !parts.ops.is_empty() {
        compact::emit_heading("Operation", w);
        compact::emit_groups(&parts.ops, style, w);
    }
    compact::emit_defs("Type", &parts.types, w);
}

fn emit_constraints(constraints: &[Constraint<'_>], w: &mut Writer) {
    if constraints.is_empty() {
        return;
    }
    compact::emit_heading("Type constraint", w);
    for constraint in constraints {
        w.raw(&format!("### {}\n", constraint.summary()));
        compact::emit_as_written(constraint.description(), w);
        w.raw("\n");
    }
}
