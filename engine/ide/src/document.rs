//! One file: its text, its tokens and its statements.

use std::{ops::Range, sync::Arc};

use crate::{
    outline::{self, FieldItem, Statement},
    tokens::{self, Kind, Literal, Token},
};

/// A file's text, with its tokens and statements as far as they can be read without evaluation.
#[derive(Debug)]
pub struct Document {
    /// The path in the workspace or the library.
    pub path: String,
    /// The text. A byte that is not UTF-8 appears as `?`, so that offsets stay the same.
    pub text: Arc<str>,
    /// Its tokens.
    pub tokens: Vec<Token>,
    /// Its statements.
    pub statements: Vec<Statement>,
    lines: Vec<usize>,
}

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The file.
    pub path: String,
    /// Its bytes.
    pub range: Range<usize>,
}

impl Document {
    /// Reads a file.
    #[must_use]
    pub fn new(path: impl Into<String>, bytes: &[u8]) -> Self {
        let text = decoded(bytes);
        let tokens = tokens::tokens(&text);
        let statements = outline::statements(&text, &tokens);
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(ends).collect();
        Document { path: path.into(), text: text.into(), tokens, statements, lines }
    }

    /// Returns the place of a range of this file.
    #[must_use]
    pub fn place(&self, range: Range<usize>) -> Place {
        Place { path: self.path.clone(), range }
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

    /// Returns the index of the token at an offset.
    #[must_use]
    pub fn token_at(&self, offset: usize) -> Option<usize> {
        tokens::at(&self.tokens, offset)
    }

    /// Returns the statements that enclose an offset, outermost first.
    #[must_use]
    pub fn path_to(&self, offset: usize) -> Vec<&Statement> {
        outline::path_to(&self.statements, &self.tokens, offset)
    }

    /// Returns the bytes of a statement.
    #[must_use]
    pub fn range_of(&self, statement: &Statement) -> Range<usize> {
        self.tokens[statement.tokens.start].start..self.tokens[statement.tokens.end - 1].end
    }

    /// Returns every statement, including nested ones.
    pub fn all_statements(&self) -> impl Iterator<Item = &Statement> {
        let mut open: Vec<&Statement> = self.statements.iter().rev().collect();
        std::iter::from_fn(move || {
            let next = open.pop()?;
            open.extend(next.children.iter().rev());
            Some(next)
        })
    }

    /// Returns the declaration or `let` whose name is at an offset.
    #[must_use]
    pub fn field_named_at(&self, offset: usize) -> Option<&FieldItem> {
        let path = self.path_to(offset);
        let fields = path.iter().rev().flat_map(|statement| &statement.fields);
        fields.into_iter().find(|item| self.tokens[item.name].range().contains(&offset))
    }

    /// Returns the field of a body that contains an offset.
    #[must_use]
    pub fn field_at(&self, offset: usize) -> Option<&FieldItem> {
        let statement = *self.path_to(offset).last()?;
        statement.fields.iter().find(|item| {
            let start = self.tokens[item.tokens.start].start;
            let end = self.tokens[item.tokens.end - 1].end;
            start <= offset && offset <= end
        })
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

    /// Returns the line and the column in bytes of an offset, both from 0.
    #[must_use]
    pub fn line_of(&self, offset: usize) -> (usize, usize) {
        let offset = offset.min(self.text.len());
        let line = self.lines.partition_point(|start| *start <= offset) - 1;
        (line, offset - self.lines[line])
    }

    /// Returns the offset at which a line begins, or the end of the text if there is no such line.
    #[must_use]
    pub fn line_start(&self, line: usize) -> usize {
        self.lines.get(line).copied().unwrap_or(self.text.len())
    }

    /// Returns the number of lines.
    #[must_use]
    pub fn line_count(&self) -> usize {
        self.lines.len()
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

/// Decodes UTF-8; each invalid byte becomes `?`.
fn decoded(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text
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
