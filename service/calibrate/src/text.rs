//! The text of a run: its output, or its messages if it fails.

use odsmith_engine::{
    diagnostic::Severity,
    job::TargetOutcome,
    report::{Finding, text},
};

/// Returns the text of a call of mlir-tblgen. Its program's name and these prefixes are left out of messages.
#[must_use]
pub fn of_call(is_success: bool, output: &[u8], messages: &[u8], prefixes: &[&str]) -> String {
    let shown =
        if is_success { String::from_utf8_lossy(output).into_owned() } else { without_program(messages) };
    prefixes.iter().fold(shown, |text, prefix| text.replace(prefix, ""))
}

/// Returns our text of one output of a target.
pub(super) fn of_outcome(target: &TargetOutcome, index: usize) -> String {
    let output = target.outputs.get(index);
    let is_error = |report: &Finding| report.severity == Severity::Error;
    let artefact = output.and_then(|output| output.artefact.as_ref());
    // An output may tolerate errors of its own: these count only if there is no output.
    if let Some(artefact) = artefact.filter(|_| !target.diagnostics.iter().any(is_error)) {
        return String::from_utf8_lossy(&artefact.bytes).into_owned();
    }
    let mut messages = Vec::new();
    let own = output.map_or(&[][..], |output| &output.diagnostics);
    for report in target.diagnostics.iter().chain(own) {
        text::render_in(text::Style::Plain, report, &mut messages);
    }
    let mut text = String::from_utf8_lossy(&messages).into_owned();
    let count = target.counted_errors(output);
    if count > 0 {
        text += &format!("{count} errors.\n");
    }
    text
}

/// Removes the program's name before the number of errors: `/usr/bin/mlir-tblgen: 2 errors.`
fn without_program(messages: &[u8]) -> String {
    let text = String::from_utf8_lossy(messages);
    let lines = text.split_inclusive('\n').map(|line| {
        let count = line.rsplit_once(": ").map(|(_, rest)| rest).filter(|rest| {
            rest.strip_suffix(" errors.\n")
                .is_some_and(|count| count.bytes().all(|byte| byte.is_ascii_digit()))
        });
        count.unwrap_or(line)
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_names_no_program_and_no_library() {
        let messages = b"/x/mlir/A.td:1:2: error: no\n/bin/mlir-tblgen: 2 errors.\n";
        assert_eq!(of_call(false, b"", messages, &["/x/"]), "mlir/A.td:1:2: error: no\n2 errors.\n");
        assert_eq!(of_call(true, b"/x/y", messages, &["/x/"]), "y");
    }
}
