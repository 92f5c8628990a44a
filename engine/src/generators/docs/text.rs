//! Summaries and descriptions: what people wrote, put at the margin.

use crate::cpp::Writer;

/// Writes a summary in italics, trimmed and with a capital; nothing for an empty one.
pub(in crate::generators) fn emit_summary(summary: &str, w: &mut Writer) {
    if summary.is_empty() {
        return;
    }
    let mut chars = summary.trim_ascii().chars();
    // Of a summary that is nothing but blanks, the reference shows the byte that ends it.
    let first = chars.next().unwrap_or('\0');
    w.text("\n_");
    w.text(first.to_ascii_uppercase().encode_utf8(&mut [0; 4]));
    w.text(chars.as_str());
    w.text("_\n");
}

/// Writes a description; nothing for one that is blank.
pub(in crate::generators) fn emit_description(description: &str, w: &mut Writer) {
    if !description.trim().is_empty() {
        emit_description_as_is(description, w);
    }
}

/// Writes a description, also a blank one; nothing for an empty one.
pub(in crate::generators) fn emit_description_as_is(description: &str, w: &mut Writer) {
    if description.is_empty() {
        return;
    }
    w.text("\n");
    let text = description.trim_end_matches([' ', '\t']);
    emit_at_margin(text, w);
    if !text.ends_with('\n') {
        w.text("\n");
    }
}

/// Writes lines without the indentation that they share. Blank lines at the start go; those inside are emptied.
fn emit_at_margin(text: &str, w: &mut Writer) {
    let is_blank = |line: &&str| line.trim().is_empty();
    let indent_of = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let shared = text.split('\n').filter(|line| !is_blank(line)).map(indent_of).min().unwrap_or(0);
    let lines = text.split('\n').skip_while(is_blank);
    for (index, line) in lines.enumerate() {
        if index > 0 {
            w.text("\n");
        }
        if !is_blank(&line) {
            w.text(&line[shared..]);
        }
    }
}
