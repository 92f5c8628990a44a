//! The document of a pass in releases that have no blank lines around its parts.

use super::doc::{emit_table, tables};
use crate::{
    cpp::Writer,
    docs::{emit_legacy_description, emit_legacy_summary},
};
use odsmith_ods::Pass;
use odsmith_release::Change;

pub(super) fn emit_pass(pass: &Pass<'_>, w: &mut Writer) {
    match w.rules().has(Change::ItalicSummaries) {
        true => {
            writeln!(w, "### `-{}`", pass.argument);
            emit_legacy_summary(pass.summary, w);
        }
        false => writeln!(w, "### `-{}`: {}", pass.argument, pass.summary),
    }
    emit_legacy_description(pass.description, w);
    for (title, rows) in tables(pass) {
        emit_table(&format!("\n#### {title}\n"), &rows, w);
    }
}
