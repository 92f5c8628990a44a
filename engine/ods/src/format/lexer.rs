//! Tokens of a format string.

use odsmith_release::{Change, Rules};

use super::FormatError;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The end of the string.
    End,
    /// An invalid token, whose error has been recorded.
    Error,
    /// An identifier that is no keyword.
    Identifier,
    /// A name of a directive.
    Keyword,
    /// `` `…` ``.
    Literal,
    /// `"…"`.
    String,
    /// `$…`.
    Variable,
    /// `^ : , = < > ? ( ) | *`.
    Punctuation(u8),
}

/// A token: its position and its whole text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) at: usize,
    pub(super) text: &'a str,
}

/// Names of directives.
const KEYWORDS: [&str; 16] = [
    "attr-dict",
    "attr-dict-with-keyword",
    "custom",
    "enum",
    "functional-type",
    "oilist",
    "operands",
    "params",
    "prop-dict",
    "qualified",
    "ref",
    "regions",
    "results",
    "struct",
    "successors",
    "type",
];

/// Returns whether a release has a directive of this name.
fn is_keyword(name: &str, rules: &Rules) -> bool {
    match name {
        "enum" => rules.has(Change::EnumDirective),
        "oilist" => rules.has(Change::OiLists),
        "params" | "qualified" | "struct" => rules.has(Change::ExplainedFormats),
        _ => KEYWORDS.contains(&name),
    }
}

/// The lexer of a format string.
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    rules: Rules,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str, rules: &Rules) -> Self {
        Lexer { text, at: 0, rules: *rules }
    }

    /// Returns whether the release has tokens that begin with this byte.
    fn has(&self, byte: u8) -> bool {
        match byte {
            b'"' => self.rules.has(Change::TextsInFormats),
            b'|' => self.rules.has(Change::OiLists),
            b'*' => self.rules.has(Change::ExplainedFormats),
            _ => true,
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_while(&mut self, is: fn(u8) -> bool) {
        while self.peek().is_some_and(is) {
            self.at += 1;
        }
    }

    fn token(&self, kind: Kind, start: usize) -> Token<'a> {
        Token { kind, at: start, text: self.text.get(start..self.at).unwrap_or_default() }
    }

    fn error(&self, at: usize, message: &str, errors: &mut Vec<FormatError>) -> Token<'a> {
        errors.push(FormatError::new(at, message));
        self.token(Kind::Error, at)
    }

    /// Returns the next token; records an error for an invalid one.
    pub(super) fn next(&mut self, errors: &mut Vec<FormatError>) -> Token<'a> {
        self.skip_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
        let start = self.at;
        let Some(byte) = self.peek() else { return self.token(Kind::End, start) };
        self.at += 1;
        match byte {
            _ if !self.has(byte) => self.error(start, "unexpected character", errors),
            b'^' | b':' | b',' | b'=' | b'<' | b'>' | b'?' | b'(' | b')' | b'|' | b'*' => {
                self.token(Kind::Punctuation(byte), start)
            }
            b'`' => match self.text[self.at..].find('`') {
                Some(length) => {
                    self.at += length + 1;
                    self.token(Kind::Literal, start)
                }
                None => {
                    self.at = self.text.len();
                    self.error(self.at, "unexpected end of file in literal", errors)
                }
            },
            b'"' => self.string(start, errors),
            b'$' => {
                if !self.peek().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_') {
                    return self.error(start, "expected variable name", errors);
                }
                self.skip_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                self.token(Kind::Variable, start)
            }
            byte if byte.is_ascii_alphabetic() || byte == b'_' => {
                self.skip_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
                let token = self.token(Kind::Identifier, start);
                let is_keyword = is_keyword(token.text, &self.rules);
                Token { kind: if is_keyword { Kind::Keyword } else { Kind::Identifier }, ..token }
            }
            _ => self.error(start, "unexpected character", errors),
        }
    }

    fn string(&mut self, start: usize, errors: &mut Vec<FormatError>) -> Token<'a> {
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return self.token(Kind::String, start);
                }
                // A backslash before a quote escapes it, even if another backslash comes before.
                Some(b'\\') if self.text[self.at + 1..].starts_with('"') => self.at += 2,
                Some(_) => self.at += 1,
                None => return self.error(self.text.len(), "unexpected end of file in string", errors),
            }
        }
    }
}
