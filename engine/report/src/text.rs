//! Text: the reference tool's form, which has include stack, place, severity, message, line and caret; and lists, which
//! have a finding on a line and their number at the end.

use std::fmt::Write as _;

use super::{Finding, Location, count};
pub use odsmith_tablegen::text::shortened;
use odsmith_tablegen::{diagnostic::Severity, text};

/// Writes a finding and its notes as the reference prints them, except that each starts on a new line.
pub fn render(finding: &Finding, out: &mut Vec<u8>) {
    render_in(Style::Plain, finding, out);
    if finding.is_unended {
        out.push(b'\n');
    }
}

/// The style of a text: with or without terminal colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Plain text.
    Plain,
    /// Text with the escape sequences that the reference writes to a terminal.
    Coloured,
}

impl Style {
    /// Writes an escape sequence if the style is coloured.
    fn escape(self, sequence: &str, out: &mut Vec<u8>) {
        if self == Style::Coloured {
            out.extend_from_slice(sequence.as_bytes());
        }
    }
}

const RESET: &str = "\x1b[0m";
const BOLD: &str = "\x1b[1m";
const CARET: &str = "\x1b[0;1;32m";

/// Writes a finding and its notes in a style.
pub fn render_in(style: Style, finding: &Finding, out: &mut Vec<u8>) {
    if let Some(location) = &finding.location {
        for inclusion in &location.include_stack {
            out.extend_from_slice(
                format!("Included from {}:{}:\n", inclusion.file, inclusion.line).as_bytes(),
            );
        }
        let start = location.range.start;
        // A text without a name, such as a format string, has no place worth printing.
        if !location.file.is_empty() {
            style.escape(BOLD, out);
            // Columns count from 0 inside the reference and are printed from 1.
            out.extend_from_slice(format!("{}:{}:{}: ", location.file, start.line, start.column).as_bytes());
            style.escape(RESET, out);
        }
    }
    if finding.is_of_unknown_place {
        out.extend_from_slice(b"<unknown>:0: ");
    }
    if !finding.is_bare {
        let (label, colour) = if finding.is_help { HELP } else { label(finding.severity) };
        style.escape(colour, out);
        out.extend_from_slice(label.as_bytes());
        style.escape(RESET, out);
    }
    // Only a message with a place is bold.
    let style_of_message = if finding.location.is_some() { style } else { Style::Plain };
    style_of_message.escape(BOLD, out);
    text::with_bytes(&finding.message, &mut |bytes| out.extend_from_slice(bytes));
    if !finding.is_unended {
        out.push(b'\n');
    }
    style_of_message.escape(RESET, out);
    if let Some(location) = &finding.location {
        render_line(style, location, out);
    }
    for note in &finding.related {
        render_in(style, note, out);
    }
}

/// The label of a note that says what to do, and its colour.
const HELP: (&str, &str) = ("help: ", "\x1b[0;1;36m");

fn label(severity: Severity) -> (&'static str, &'static str) {
    match severity {
        Severity::Error => ("error: ", "\x1b[0;1;31m"),
        Severity::Warning => ("warning: ", "\x1b[0;1;35m"),
        Severity::Note => ("note: ", "\x1b[0;1;30m"),
        Severity::Remark => ("remark: ", "\x1b[0;1;34m"),
    }
}

/// Writes the line and a caret below the column. For a line with bytes beyond ASCII there is no caret line:
/// the reference prints the line alone.
fn render_line(style: Style, location: &Location, out: &mut Vec<u8>) {
    let line = &location.line.text;
    if line.iter().any(|byte| !byte.is_ascii()) {
        out.extend_from_slice(line);
        out.push(b'\n');
        return;
    }
    let mut carets: Vec<u8> = vec![b' '; location.line.at.min(line.len())];
    carets.push(b'^');
    expand_tabs(line, line, out);
    style.escape(CARET, out);
    expand_tabs(line, &carets, out);
    style.escape(RESET, out);
}

/// Writes `text` with the columns that the tabs of `line` make: tab stops are eight wide.
fn expand_tabs(line: &[u8], text: &[u8], out: &mut Vec<u8>) {
    let mut column = 0;
    for (index, &byte) in text.iter().enumerate() {
        if line.get(index) != Some(&b'\t') {
            out.push(byte);
            column += 1;
            continue;
        }
        loop {
            out.push(if byte == b'\t' { b' ' } else { byte });
            column += 1;
            if column % 8 == 0 {
                break;
            }
        }
    }
    out.push(b'\n');
}

/// Lists the findings, and counts them at the end.
#[must_use]
pub fn list(findings: &[Finding]) -> String {
    lines(findings) + &summary(findings) + "\n"
}

/// Lists the findings.
#[must_use]
pub fn lines(findings: &[Finding]) -> String {
    let mut out = String::new();
    for finding in findings.iter().filter(|finding| finding.is_open()) {
        let at = finding.location.as_ref().map(|at| format!("{at}: ")).unwrap_or_default();
        let Finding { rule, message, subject, .. } = finding;
        // Writing to a text does not fail.
        let _ = writeln!(out, "{at}{}: {message} [{rule}] {subject}", finding.level());
        if let Some(witness) = &finding.witness {
            let _ = writeln!(out, "    for example: {witness}");
        }
        for related in &finding.related {
            let at = related.location.as_ref().map(|at| format!("{at}: ")).unwrap_or_default();
            let _ = writeln!(out, "    {at}{}", related.message);
        }
        match &finding.fix {
            Some(fix) => {
                let how = if fix.is_safe { "--fix" } else { "--unsafe-fixes" };
                let _ = writeln!(out, "    fix ({how}): {}", fix.title);
            }
            None if !finding.advice.is_empty() => {
                let _ = writeln!(out, "    instead: {}", finding.advice);
            }
            None => {}
        }
    }
    out
}

/// Returns `1 error`, `2 errors`.
#[must_use]
pub fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Returns `1 error, 2 warnings, 3 notes`.
#[must_use]
pub fn summary(findings: &[Finding]) -> String {
    let of = |severity| count(findings, severity);
    let accepted = findings.len() - findings.iter().filter(|finding| finding.is_open()).count();
    let mut text = format!(
        "{}, {}, {}",
        counted(of(Severity::Error), "error"),
        counted(of(Severity::Warning), "warning"),
        counted(of(Severity::Note), "note")
    );
    if accepted > 0 {
        let _ = write!(text, "; {accepted} accepted");
    }
    text
}
