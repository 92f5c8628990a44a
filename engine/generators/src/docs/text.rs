//! Summaries and descriptions: the users' text, put at the margin.

use crate::cpp::Writer;

/// Writes a summary in italics, trimmed and with a capital; nothing for an empty one.
pub(crate) fn emit_summary(summary: &str, w: &mut Writer) {
    if summary.is_empty() {
        return;
    }
    emit_italics(summary.trim_ascii(), w);
}

/// Writes a text in italics, with a capital.
pub(super) fn emit_italics(text: &str, w: &mut Writer) {
    let mut chars = text.chars();
    // For a summary of blanks only, the reference writes the byte that ends it.
    let first = chars.next().unwrap_or('\0');
    w.raw("\n_");
    w.raw(first.to_ascii_uppercase().encode_utf8(&mut [0; 4]));
    w.raw(chars.as_str());
    w.raw("_\n");
}

/// Writes a description, even a blank one; nothing for an empty one.
pub(crate) fn emit_description_as_is(description: &str, w: &mut Writer) {
    if description.is_empty() {
        return;
    }
    w.blank();
    w.reindented("", description);
}

/// Writes a description with every heading one level deeper.
pub(super) fn emit_deeper_description(description: &str, w: &mut Writer) {
    deepened(w, |w| emit_description_as_is(description, w));
}

/// Writes Markdown with every heading one level deeper; as in the reference, that is every line that begins with `#`.
pub(super) fn deepened(w: &mut Writer, emit: impl FnOnce(&mut Writer)) {
    let start = w.position();
    emit(w);
    for line in w.cut(start).split_inclusive('\n') {
        w.raw(if line.starts_with('#') { "#" } else { "" });
        w.raw(line);
    }
}

/// Returns whether a line is the mark that the tool that renders Markdown replaces by a table of contents.
pub(super) fn is_table_of_contents(line: &str) -> bool {
    line.trim_start() == "[TOC]"
}
