//! Positions, edits and URIs of the protocol as offsets, texts and files.

use std::{iter, ops::Range, path::PathBuf};

use gen_lsp_types as lsp;
use odsmith_ide::Document;
use url::Url;

/// The unit of a character position: code units of UTF-16, or bytes if both sides agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Encoding {
    /// A code unit of UTF-16.
    #[default]
    Utf16,
    /// A byte of UTF-8.
    Utf8,
}

impl Encoding {
    /// Returns the offset in a line of a character position; the end of the line if it is beyond.
    pub(super) fn offset_in(self, line: &str, character: usize) -> usize {
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
    pub(super) fn character_at(self, line: &str, offset: usize) -> usize {
        let offset = (0..=offset.min(line.len())).rev().find(|&offset| line.is_char_boundary(offset));
        let before = &line[..offset.unwrap_or(0)];
        match self {
            Encoding::Utf8 => before.len(),
            Encoding::Utf16 => before.chars().map(char::len_utf16).sum(),
        }
    }
}

/// Returns the text of a line, without its line break.
pub(super) fn line(document: &Document, number: usize) -> &str {
    let text = &document.text[document.line_start(number)..document.line_start(number + 1)];
    text.trim_end_matches(['\n', '\r'])
}

/// Converts a position to an offset.
pub(super) fn offset(document: &Document, position: lsp::Position, encoding: Encoding) -> usize {
    let number = position.line as usize;
    document.line_start(number) + encoding.offset_in(line(document, number), position.character as usize)
}

/// Converts a range.
pub(super) fn range(document: &Document, range: lsp::Range, encoding: Encoding) -> Range<usize> {
    offset(document, range.start, encoding)..offset(document, range.end, encoding)
}

/// Returns the file of a URI.
pub(super) fn file_of(uri: &str) -> Option<PathBuf> {
    let url = Url::parse(uri).ok()?;
    (url.scheme() == "file").then(|| url.to_file_path().ok()).flatten()
}

/// Applies the changes of a notification to a text.
pub(super) fn changed(
    text: &str,
    changes: Vec<lsp::TextDocumentContentChangeEvent>,
    encoding: Encoding,
) -> String {
    use lsp::TextDocumentContentChangeEvent::{
        TextDocumentContentChangePartial as Part, TextDocumentContentChangeWholeDocument as Whole,
    };
    let mut text = text.to_owned();
    for change in changes {
        match change {
            Whole(change) => text = change.text,
            Part(change) => {
                let [start, end] =
                    [change.range.start, change.range.end].map(|at| offset_in(&text, at, encoding));
                text.replace_range(start..end.max(start), &change.text);
            }
        }
    }
    text
}

/// Converts a position in a text that is being changed.
fn offset_in(text: &str, position: lsp::Position, encoding: Encoding) -> usize {
    let mut starts = iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
    let Some(start) = starts.nth(position.line as usize) else { return text.len() };
    let end = starts.next().unwrap_or(text.len());
    let line = text[start..end].trim_end_matches(['\n', '\r']);
    start + encoding.offset_in(line, position.character as usize)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{super::to_proto::position, *};

    fn at(line: u32, character: u32) -> lsp::Position {
        lsp::Position { line, character }
    }

    #[test]
    fn characters_outside_of_the_first_plane() {
        let document = Document::new("a", "// 𝒳é x\ndef".as_bytes());
        let x = document.text.find('x').unwrap_or(0);
        assert_eq!(position(&document, x, Encoding::Utf16), at(0, 7));
        assert_eq!(position(&document, x, Encoding::Utf8), at(0, 10));
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            assert_eq!(offset(&document, position(&document, x, encoding), encoding), x);
        }
        // Inside a surrogate pair, after the end of a line, after the last line.
        assert_eq!(offset(&document, at(0, 4), Encoding::Utf16), 3);
        assert_eq!(offset(&document, at(0, 99), Encoding::Utf16), x + 1);
        assert_eq!(offset(&document, at(9, 9), Encoding::Utf16), document.text.len());
    }

    #[test]
    fn changes_come_one_after_the_other() {
        let change = |from: (u32, u32), to: (u32, u32), text: &str| {
            let range = lsp::Range { start: at(from.0, from.1), end: at(to.0, to.1) };
            serde_json::from_value(json!({ "range": range, "text": text })).unwrap()
        };
        let whole = serde_json::from_value(json!({ "text": "y" })).unwrap();
        let changes =
            vec![change((0, 0), (0, 3), "class"), change((1, 0), (1, 0), "é\n"), change((1, 1), (2, 0), "")];
        assert_eq!(changed("def A;\r\nB", changes, Encoding::Utf16), "class A;\r\néB");
        assert_eq!(changed("x", vec![whole], Encoding::Utf16), "y");
        assert_eq!(changed("x", vec![change((5, 0), (9, 0), "y")], Encoding::Utf16), "xy");
    }
}
