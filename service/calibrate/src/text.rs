//! The text of a run: its output, or its messages if it fails.

use odsmith_engine::{
    diagnostic::Severity,
    job::TargetOutcome,
    report::{Finding, text},
};

/// The streams of a run, as `odsmith tblgen` writes them.
#[derive(Clone, Debug, Default)]
pub struct Streams {
    /// True if the run succeeds.
    pub is_success: bool,
    /// The output, which may be there in spite of errors.
    pub output: Vec<u8>,
    /// The messages.
    pub messages: Vec<u8>,
}

impl Streams {
    /// Returns the streams for one output of a target.
    #[must_use]
    pub fn of_output(target: &TargetOutcome, index: usize) -> Streams {
        let output = target.outputs.get(index);
        let own = output.map_or(&[][..], |output| &output.diagnostics);
        let mut messages = Vec::new();
        for report in target.diagnostics.iter().chain(own) {
            text::render_in(text::Style::Plain, report, &mut messages);
        }
        let error_count = target.counted_errors(output);
        if error_count > 0 {
            messages.extend_from_slice(format!("tblgen: {error_count} errors.\n").as_bytes());
        }
        let artefact = output.and_then(|output| output.artefact.as_ref());
        let is_error = |report: &Finding| report.severity == Severity::Error;
        // An output may tolerate errors of its own: these count only if there is no output.
        let is_success = artefact.is_some() && !target.diagnostics.iter().any(is_error);
        let output = artefact.map_or_else(Vec::new, |artefact| artefact.bytes.clone());
        Streams { is_success, output, messages }
    }

    /// Returns the output, or the messages if the run fails, without the name of the program and without these prefixes.
    #[must_use]
    pub fn text(&self, prefixes: &[&str]) -> String {
        let shown = if self.is_success { &self.output } else { &neutral(&self.messages) };
        let text = String::from_utf8_lossy(shown).into_owned();
        prefixes.iter().fold(text, |text, prefix| text.replace(prefix, ""))
    }
}

/// Replaces the name of the program in the closing count of messages.
#[must_use]
pub fn neutral(messages: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(messages);
    let mut neutral = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.rsplit_once(": ").filter(|(_, rest)| {
            rest.strip_suffix(" errors.\n")
                .is_some_and(|count| count.bytes().all(|byte| byte.is_ascii_digit()))
        }) {
            Some((_, rest)) => neutral.extend(["tblgen: ", rest]),
            None => neutral.push_str(line),
        }
    }
    neutral.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_does_not_name_the_program() {
        assert_eq!(neutral(b"/usr/bin/mlir-tblgen: 2 errors.\n"), b"tblgen: 2 errors.\n");
        assert_eq!(neutral(b"a.td:1:2: error: many errors.\n"), b"a.td:1:2: error: many errors.\n");
    }

    #[test]
    fn a_text_names_no_program_and_no_library() {
        let messages = b"/x/mlir/A.td:1:2: error: no\n/bin/mlir-tblgen: 2 errors.\n".to_vec();
        let failed = Streams { messages, ..Streams::default() };
        assert_eq!(failed.text(&["/x/"]), "mlir/A.td:1:2: error: no\ntblgen: 2 errors.\n");
        let made = Streams { is_success: true, output: b"/x/y".to_vec(), ..failed };
        assert_eq!(made.text(&["/x/"]), "y");
    }
}
