//! One file: its text, its tokens and its statements.

use std::ops::{Deref, Range};

use odsmith_engine::outline::{Item, Kind, Outline};

use crate::literal::Literal;

/// A file of the workspace or the library, as it is written.
#[derive(Debug)]
pub struct Document {
    /// The path in the workspace or the library.
    pub path: String,
    outline: Outline,
}

impl Deref for Document {
    type Target = Outline;

    fn deref(&self) -> &Outline {
        &self.outline
    }
}

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FileRange {
    /// The file.
    pub path: String,
    /// Its bytes.
    pub range: Range<usize>,
}

impl Document {
    /// Reads a file.
    #[must_use]
    pub fn new(path: impl Into<String>, bytes: &[u8]) -> Self {
        let path = path.into();
        Document { outline: Outline::new(path.as_str(), bytes), path }
    }

    /// Returns the place of a range of this file.
    #[must_use]
    pub fn place(&self, range: Range<usize>) -> FileRange {
        FileRange { path: self.path.clone(), range }
    }

    /// Returns the start of the character that contains an offset, or the end of the text.
    #[must_use]
    pub fn boundary(&self, offset: usize) -> usize {
        (0..=offset.min(self.text.len())).rev().find(|at| self.text.is_char_boundary(*at)).unwrap_or(0)
    }

    /// Returns the text of a token.
    #[must_use]
    pub fn word(&self, token: usize) -> &str {
        self.tokens.get(token).map_or("", |token| token.text(&self.text))
    }

    /// Returns the declaration or `let` whose name is at an offset.
    #[must_use]
    pub fn field_named_at(&self, offset: usize) -> Option<&Item> {
        let path = self.path_to(offset);
        let mut items = path.iter().rev().flat_map(|statement| &statement.items);
        items.find(|item| item.name.range().contains(&offset))
    }

    /// Returns the field of a body that contains an offset.
    #[must_use]
    pub fn field_at(&self, offset: usize) -> Option<&Item> {
        let statement = *self.path_to(offset).last()?;
        statement.items.iter().find(|item| item.start <= offset && offset <= item.end)
    }

    /// Returns the string or code literals among these tokens; adjacent strings are one literal.
    pub fn literals(&self, range: Range<usize>) -> impl Iterator<Item = (Literal, Range<usize>)> {
        let mut at = range.start;
        std::iter::from_fn(move || {
            while at < range.end {
                let start = at;
                match self.tokens[at].kind {
                    Kind::Code => at += 1,
                    Kind::String => {
                        while at < range.end && self.tokens[at].kind == Kind::String {
                            at += 1;
                        }
                    }
                    _ => {
                        at += 1;
                        continue;
                    }
                }
                return Some((Literal::of(&self.text, &self.tokens[start..at]), start..at));
            }
            None
        })
    }

    /// Returns the block of `//` lines above the line of an offset, without the slashes.
    #[must_use]
    pub fn comment_above(&self, offset: usize) -> Option<String> {
        let (mut line, _) = self.line_of(offset);
        let mut lines = Vec::new();
        while line > 0 {
            line -= 1;
            let text = self.text[self.line_start(line)..self.line_start(line + 1)].trim();
            let Some(comment) = text.strip_prefix("///").or_else(|| text.strip_prefix("//")) else { break };
            lines.push(comment.strip_prefix(' ').unwrap_or(comment));
        }
        lines.reverse();
        let is_rule = |line: &&str| line.chars().all(|c| matches!(c, '-' | '=' | '/' | '*'));
        lines.retain(|line| !is_rule(line));
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_comments() {
        let document = Document::new("a.td", b"// one\n// two\ndef A;\xff\n");
        assert_eq!(document.line_of(14), (2, 0));
        assert_eq!(document.comment_above(18).as_deref(), Some("one\ntwo"));
        assert_eq!(document.text.len(), 22);
        assert_eq!(document.line_count(), 4);
        let accented = Document::new("a.td", "// é".as_bytes());
        assert_eq!([3, 4, 5, 9].map(|offset| accented.boundary(offset)), [3, 3, 5, 5]);
    }
}
