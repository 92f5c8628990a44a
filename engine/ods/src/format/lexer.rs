//! Tokens of a format string.

use super::FormatError;
use odsmith_release::{Change, Rules};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The end of the string.
    End,
    /// What is no token; its error has been noted.
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
const KEYWORDS: [&str; 15] = [
    "attr-dict",
    "attr-dict-with-keyword",
    "custom",
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

/// Reads one token after the other.
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    rules: Rules,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str, rules: &Rules) -> Self {
        Lexer { text, at: 0, rules: *rules }
    }

    /// Whether these characters mean anything in formats of the release.
    fn is_known(&self, byte: u8) -> bool {
        match byte {
            b'"' => self.rules.has(Change::CodeInFormats),
            b'|' => self.rules.has(Change::Oilist),
            b'*' => self.rules.has(Change::SharedFormats),
            _ => true,
        }
    }

    fn is_keyword(&self, word: &str) -> bool {
        KEYWORDS.contains(&word)
            && match word {
                "oilist" => self.rules.has(Change::Oilist),
                "params" | "qualified" | "struct" => self.rules.has(Change::SharedFormats),
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
        Token { kind: Kind::Error, at, text: "" }
    }

    /// The next token; what is none is noted in `errors`.
    pub(super) fn next(&mut self, errors: &mut Vec<FormatError>) -> Token<'a> {
        self.skip_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
        let start = self.at;
        let Some(byte) = self.peek() else { return self.token(Kind::End, start) };
        self.at += 1;
        if !self.is_known(byte) {
            return self.error(start, "unexpected character", errors);
        }
        match byte {
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
                let is_keyword = self.is_keyword(token.text);
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
                // A quote after a backslash, whatever comes before that, does not end the string.
                Some(b'\\') if self.text[self.at + 1..].starts_with('"') => self.at += 2,
                Some(_) => self.at += 1,
                None => return self.error(self.text.len(), "unexpected end of file in string", errors),
            }
        }
    }
}
