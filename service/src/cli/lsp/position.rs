//! Positions in the protocol: lines from 0, and characters as UTF-16 code units, or as bytes if both sides agree.

use std::ops::Range;

use odsmith_ide::Document;
use serde_json::{Value, json};

/// The unit of a character position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// A code unit of UTF-16.
    #[default]
    Utf16,
    /// A byte of UTF-8.
    Utf8,
}

impl Encoding {
    /// Returns the offset in a line of a character position; the end of the line if it is beyond.
    #[must_use]
    pub fn offset_in(self, line: &str, character: usize) -> usize {
        match self {
            Encoding::Utf8 => {
                let offset = character.min(line.len());
                (0..=offset).rev().find(|&offset| line.is_char_boundary(offset)).unwrap_or(0)
            }
            Encoding::Utf16 => {
                let mut units = 0;
                for (offset, c) in line.char_indices() {
                    // A position between the halves of a surrogate pair counts as before it.
                    if units + c.len_utf16() > character {
                        return offset;
                    }
                    units += c.len_utf16();
                }
                line.len()
            }
        }
    }

    /// Returns the character position of an offset in a line.
    #[must_use]
    pub fn character_at(self, line: &str, offset: usize) -> usize {
        let offset = (0..=offset.min(line.len())).rev().find(|&offset| line.is_char_boundary(offset));
        let before = &line[..offset.unwrap_or(0)];
        match self {
            Encoding::Utf8 => before.len(),
            Encoding::Utf16 => before.chars().map(char::len_utf16).sum(),
        }
    }
}

/// Returns the text of a line, without its line break.
fn line(document: &Document, number: usize) -> &str {
    let text = &document.text[document.line_start(number)..document.line_start(number + 1)];
    text.trim_end_matches(['\n', '\r'])
}

/// Converts an offset to a position of the protocol.
#[must_use]
pub fn position(document: &Document, offset: usize, encoding: Encoding) -> Value {
    let (number, column) = document.line_of(offset);
    json!({ "line": number, "character": encoding.character_at(line(document, number), column) })
}

/// Converts a range to a range of the protocol.
#[must_use]
pub fn range(document: &Document, range: &Range<usize>, encoding: Encoding) -> Value {
    json!({
        "start": position(document, range.start, encoding),
        "end": position(document, range.end.max(range.start), encoding),
    })
}

/// Converts a position of the protocol to an offset.
#[must_use]
pub fn offset(document: &Document, position: &Value, encoding: Encoding) -> usize {
    let number = |name: &str| position[name].as_u64().and_then(|it| usize::try_from(it).ok()).unwrap_or(0);
    let start = document.line_start(number("line"));
    start + encoding.offset_in(line(document, number("line")), number("character"))
}

/// Applies the changes of a notification to a text.
#[must_use]
pub fn changed(text: &str, changes: &[Value], encoding: Encoding) -> String {
    let mut text = text.to_owned();
    for change in changes {
        let new = change["text"].as_str().unwrap_or_default();
        if change["range"].is_null() {
            text = new.to_owned();
            continue;
        }
        let lines = Lines::of(&text);
        let place = |name: &str| lines.offset(&change["range"][name], encoding);
        let (start, end) = (place("start"), place("end"));
        text.replace_range(start..end.max(start), new);
    }
    text
}

/// The lines of a text that is being changed.
struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        let starts = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
        Lines { text, starts: std::iter::once(0).chain(starts).collect() }
    }

    fn offset(&self, position: &Value, encoding: Encoding) -> usize {
        let number =
            |name: &str| position[name].as_u64().and_then(|it| usize::try_from(it).ok()).unwrap_or(0);
        let Some(&start) = self.starts.get(number("line")) else { return self.text.len() };
        let end = self.starts.get(number("line") + 1).copied().unwrap_or(self.text.len());
        let line = self.text[start..end].trim_end_matches(['\n', '\r']);
        start + encoding.offset_in(line, number("character"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, character: u32) -> Value {
        json!({ "line": line, "character": character })
    }

    #[test]
    fn characters_outside_of_the_first_plane() {
        let document = Document::new("a", "// 𝒳é x\ndef".as_bytes());
        let x = document.text.find('x').unwrap_or(0);
        assert_eq!(position(&document, x, Encoding::Utf16), at(0, 7));
        assert_eq!(position(&document, x, Encoding::Utf8), at(0, 10));
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            assert_eq!(offset(&document, &position(&document, x, encoding), encoding), x);
        }
        // Inside a surrogate pair, after the end of a line, after the last line.
        assert_eq!(offset(&document, &at(0, 4), Encoding::Utf16), 3);
        assert_eq!(offset(&document, &at(0, 99), Encoding::Utf16), x + 1);
        assert_eq!(offset(&document, &at(9, 9), Encoding::Utf16), document.text.len());
    }

    #[test]
    fn changes_come_one_after_the_other() {
        let change = |from: (u32, u32), to: (u32, u32), text: &str| json!({ "range": { "start": at(from.0, from.1), "end": at(to.0, to.1) }, "text": text });
        let changes =
            [change((0, 0), (0, 3), "class"), change((1, 0), (1, 0), "é\n"), change((1, 1), (2, 0), "")];
        assert_eq!(changed("def A;\r\nB", &changes, Encoding::Utf16), "class A;\r\néB");
        assert_eq!(changed("x", &[json!({ "text": "y" })], Encoding::Utf16), "y");
        assert_eq!(changed("x", &[change((5, 0), (9, 0), "y")], Encoding::Utf16), "xy");
    }
}
