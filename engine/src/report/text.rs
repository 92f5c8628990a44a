//! The reference tool's text form: include stack, place, severity, message, line, caret.

use super::{Place, Report};
use crate::diagnostic::Severity;

/// Writes a report and its notes as the reference prints them.
pub fn render(report: &Report, out: &mut Vec<u8>) {
    if let Some(place) = &report.place {
        for inclusion in &place.include_stack {
            out.extend_from_slice(
                format!("Included from {}:{}:\n", inclusion.file, inclusion.line).as_bytes(),
            );
        }
        let start = place.range.start;
        // A text without a name, such as a format string, has no place worth printing.
        if !place.file.is_empty() {
            // Columns count from 0 inside the reference and are printed from 1.
            out.extend_from_slice(format!("{}:{}:{}: ", place.file, start.line, start.column).as_bytes());
        }
    }
    if !report.is_bare {
        out.extend_from_slice(label(report.severity).as_bytes());
    }
    out.extend_from_slice(report.message.as_bytes());
    out.push(b'\n');
    if let Some(place) = &report.place {
        render_line(place, out);
    }
    for note in &report.notes {
        render(note, out);
    }
}

fn label(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error: ",
        Severity::Warning => "warning: ",
        Severity::Note => "note: ",
        Severity::Remark => "remark: ",
    }
}

/// The line and a caret below the column. A line with bytes beyond ASCII gets no caret line aligned for it:
/// the reference prints the line alone.
fn render_line(place: &Place, out: &mut Vec<u8>) {
    let line = &place.line_text;
    if line.iter().any(|byte| !byte.is_ascii()) {
        out.extend_from_slice(line);
        out.push(b'\n');
        return;
    }
    let caret_at = place.range.start.column as usize - 1;
    let mut carets: Vec<u8> = vec![b' '; caret_at.min(line.len())];
    carets.push(b'^');
    expand_tabs(line, line, out);
    expand_tabs(line, &carets, out);
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
