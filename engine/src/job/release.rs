//! Errors that occur because a project is written for another release than that of its library.

use super::TargetOutcome;
use crate::report::Finding;
use odsmith_release::Rules;
use odsmith_tablegen::{
    diagnostic::{Diagnostic, Severity},
    record::Records,
    source::is_below,
    span::Span,
};

impl TargetOutcome {
    /// Returns true if evaluation or an output has an error.
    #[must_use]
    pub fn has_error(&self) -> bool {
        let made = self.outputs.iter().flat_map(|output| &output.diagnostics);
        self.diagnostics.iter().chain(made).any(|report| report.severity == Severity::Error)
    }

    /// Adds a note to the first error that another release of the library would explain: its message contains a name
    /// that only other releases define, or one of the library's operations, defined below `library_root`.
    pub fn note_other_release(&mut self, rules: &Rules, library_root: &str) {
        let records = self.records.clone();
        let all = self
            .diagnostics
            .iter_mut()
            .chain(self.outputs.iter_mut().flat_map(|output| &mut output.diagnostics));
        for report in all.filter(|report| report.severity == Severity::Error) {
            if let Some(note) = note(report, rules, records.as_deref(), library_root) {
                // The outcome of a target that was begun earlier has it already.
                if report.related.iter().any(|known| known.message == note) {
                    return;
                }
                report.related.push(Finding::unlocated(&Diagnostic::remark(Span::NONE, note)));
                return;
            }
        }
    }
}

fn note(report: &Finding, rules: &Rules, records: Option<&Records>, library_root: &str) -> Option<String> {
    let library = rules.release_name();
    // Apostrophes also end a name: a piece without a space in it counts as a name.
    let pieces = report.message.split(['\'', '"', '`']);
    pieces.filter(|piece| !piece.is_empty() && !piece.contains(' ')).find_map(|name| {
        if let Some(others) = rules.elsewhere(name) {
            return Some(format!(
                "'{name}' is in {others}, and this library is MLIR {library}: the project may be written for another release"
            ));
        }
        is_operation_of(records?, name, library_root).then(|| {
            format!(
                "'{name}' is as MLIR {library} defines it: the project may be written for another release than its library"
            )
        })
    })
}

/// Returns true if an operation of this name (`arith.addf`) is defined in a file below a folder.
fn is_operation_of(records: &Records, name: &str, folder: &str) -> bool {
    let Some((dialect, mnemonic)) = name.split_once('.') else { return false };
    records.derived("Op").any(|op| {
        let sources = records.sources();
        op.optional_string("opName") == Some(mnemonic)
            && op.def("opDialect").is_ok_and(|def| def.optional_string("name") == Some(dialect))
            && sources.buffer_of(op.span()).is_some_and(|buffer| is_below(&buffer.name, folder))
    })
}
