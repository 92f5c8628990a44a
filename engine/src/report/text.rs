//! The reference tool's text form: include stack, place, severity, message, line, caret.

use super::{Place, Report};
pub use odsmith_tablegen::text::shortened;
use odsmith_tablegen::{diagnostic::Severity, text};

/// Writes a report and its notes as the reference prints them, except that each starts on a new line.
pub fn render(report: &Report, out: &mut Vec<u8>) {
    render_in(Style::Plain, report, out);
    if report.is_unended {
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

/// Writes a report and its notes in a style.
pub fn render_in(style: Style, report: &Report, out: &mut Vec<u8>) {
    if let Some(place) = &report.place {
        for inclusion in &place.include_stack {
            out.extend_from_slice(
                format!("Included from {}:{}:\n", inclusion.file, inclusion.line).as_bytes(),
            );
        }
        let start = place.range.start;
        // A text without a name, such as a format string, has no place worth printing.
        if !place.file.is_empty() {
            style.escape(BOLD, out);
            // Columns count from 0 inside the reference and are printed from 1.
            out.extend_from_slice(format!("{}:{}:{}: ", place.file, start.line, start.column).as_bytes());
            style.escape(RESET, out);
        }
    }
    if report.is_of_unknown_place {
        out.extend_from_slice(b"<unknown>:0: ");
    }
    if !report.is_bare {
        let (label, colour) = label(report.severity);
        style.escape(colour, out);
        out.extend_from_slice(label.as_bytes());
        style.escape(RESET, out);
    }
    // Only a message with a place is bold.
    let style_of_message = if report.place.is_some() { style } else { Style::Plain };
    style_of_message.escape(BOLD, out);
    text::with_bytes(&report.message, &mut |bytes| out.extend_from_slice(bytes));
    if !report.is_unended {
        out.push(b'\n');
    }
    style_of_message.escape(RESET, out);
    if let Some(place) = &report.place {
        render_line(style, place, out);
    }
    for note in &report.notes {
        render_in(style, note, out);
    }
}

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
fn render_line(style: Style, place: &Place, out: &mut Vec<u8>) {
    let line = &place.line.text;
    if line.iter().any(|byte| !byte.is_ascii()) {
        out.extend_from_slice(line);
        out.push(b'\n');
        return;
    }
    let mut carets: Vec<u8> = vec![b' '; place.line.at.min(line.len())];
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
