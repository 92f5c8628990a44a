//! The tokens of a text. Every byte belongs to exactly one, so that they concatenate to the text.
//!
//! Any bytes have tokens, and valid UTF-8 is only divided between characters.

use std::ops::Range;

use super::lexical::{self, Extent};

/// The kind of a [`Token`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// White space, line breaks included.
    Blank,
    /// `// …`, without the line break.
    LineComment,
    /// `/* … */`.
    BlockComment,
    /// `#ifdef A` and the like, with the comments after it and without the line break.
    Directive,
    /// An identifier or a keyword.
    Word,
    /// `$name`.
    Variable,
    /// `!name`.
    Operator,
    /// An integer with its sign.
    Number,
    /// `"…"`.
    String,
    /// `[{ … }]`.
    Code,
    /// One byte of punctuation, or a character that cannot begin another token, by its first byte.
    Sign(u8),
}

/// A token and its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its kind.
    pub kind: Kind,
    /// Its first byte.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// True if it has its end mark, or is of a kind without one.
    pub is_closed: bool,
}

impl Token {
    /// Returns its range.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Returns its text.
    #[must_use]
    pub fn text<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.range()).unwrap_or_default()
    }

    /// Returns the range between the marks of a string or a code fragment, or all of any other token.
    #[must_use]
    pub fn inside(&self) -> Range<usize> {
        let mark = match self.kind {
            Kind::String => 1,
            Kind::Code => 2,
            _ => 0,
        };
        self.start + mark..if self.is_closed { self.end - mark } else { self.end }
    }

    /// Returns true if it is this word.
    #[must_use]
    pub fn is_word(&self, text: &str, word: &str) -> bool {
        self.kind == Kind::Word && self.text(text) == word
    }

    /// Returns true if it is this byte.
    #[must_use]
    pub fn is(&self, byte: u8) -> bool {
        self.kind == Kind::Sign(byte)
    }

    /// Returns true if it is a comment.
    #[must_use]
    pub fn is_comment(&self) -> bool {
        matches!(self.kind, Kind::LineComment | Kind::BlockComment)
    }

    /// Returns true if the parser reads it: it is no white space, no comment and no line of the preprocessor.
    #[must_use]
    pub fn is_code(&self) -> bool {
        !self.is_comment() && !matches!(self.kind, Kind::Blank | Kind::Directive)
    }
}

/// Returns the tokens of a text.
#[must_use]
pub fn tokens(text: &[u8]) -> Tokens<'_> {
    Tokens { text, at: 0, is_line_start: true }
}

/// An iterator over the tokens of a text.
#[derive(Clone, Debug)]
pub struct Tokens<'t> {
    text: &'t [u8],
    at: usize,
    /// True if only blanks and comments come before the cursor on its line.
    is_line_start: bool,
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let start = self.at;
        let rest = self.text.get(start..).filter(|rest| !rest.is_empty())?;
        let (kind, Extent { length, is_closed }) = first(rest, self.is_line_start);
        self.at = start + length;
        match kind {
            Kind::Blank => self.is_line_start = self.is_line_start || rest[..length].contains(&b'\n'),
            Kind::LineComment | Kind::BlockComment => {}
            _ => self.is_line_start = false,
        }
        Some(Token { kind, start, end: self.at, is_closed })
    }
}

/// Returns the kind and extent of the token that a text begins with.
fn first(text: &[u8], is_line_start: bool) -> (Kind, Extent) {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0);
    let blanks = text.iter().position(|byte| !is_blank(byte)).unwrap_or(text.len());
    if blanks > 0 {
        return (Kind::Blank, Extent::closed(blanks));
    }
    if let Some(enclosed) = lexical::enclosed(text) {
        return enclosed;
    }
    let (kind, length) = match text {
        [b'#', ..] if is_line_start => match lexical::directive(text) {
            Some(length) => (Kind::Directive, length),
            None => (Kind::Sign(b'#'), 1),
        },
        [b'$', next, ..] if next.is_ascii_alphabetic() || *next == b'_' => {
            (Kind::Variable, 1 + lexical::word(&text[1..]))
        }
        [b'!', next, ..] if next.is_ascii_alphabetic() => {
            let letters = text[1..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
            (Kind::Operator, 1 + letters)
        }
        [b'0'..=b'9', ..] | [b'+' | b'-', b'0'..=b'9', ..] => match lexical::numeral(text) {
            Some(numeral) => (Kind::Number, numeral.end),
            None => (Kind::Word, lexical::word(text)),
        },
        [byte, ..] if lexical::is_word_byte(*byte) => (Kind::Word, lexical::word(text)),
        [byte @ 0x80..=0xff, rest @ ..] => {
            let others = rest.iter().take_while(|byte| matches!(byte, 0x80..=0xbf)).count();
            (Kind::Sign(*byte), 1 + others)
        }
        [byte, ..] => (Kind::Sign(*byte), 1),
        [] => (Kind::Blank, 0),
    };
    (kind, Extent::closed(length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(Kind, &str)> {
        let all: Vec<(Kind, &str)> = tokens(text.as_bytes()).map(|it| (it.kind, it.text(text))).collect();
        assert_eq!(all.iter().map(|(_, part)| *part).collect::<String>(), text);
        all.into_iter().filter(|(kind, _)| *kind != Kind::Blank).collect()
    }

    #[test]
    fn lines_of_the_preprocessor() {
        let expected = [
            (Kind::BlockComment, "/* a */"),
            (Kind::Directive, "#ifdef A /* b\n c */ // d"),
            (Kind::Word, "x"),
            (Kind::Sign(b'#'), "#"),
            (Kind::Word, "else"),
            (Kind::Sign(b'#'), "#"),
            (Kind::Word, "elsey"),
        ];
        assert_eq!(kinds("/* a */ #ifdef A /* b\n c */ // d\r\nx #else\n#elsey"), expected);
    }

    #[test]
    fn every_kind() {
        let expected = [
            (Kind::Word, "def"),
            (Kind::Code, "[{ c }}] }]"),
            (Kind::String, "\"a\\\"b\""),
            (Kind::LineComment, "// z"),
            (Kind::Operator, "!add"),
            (Kind::Variable, "$a"),
            (Kind::Number, "-1"),
            (Kind::Sign(b'-'), "-"),
            (Kind::Word, "2x"),
            (Kind::Number, "10"),
            (Kind::Word, "x1F"),
            (Kind::Sign(0xc3), "é"),
            (Kind::Sign(0xe2), "€"),
            (Kind::Sign(b'$'), "$"),
            (Kind::String, "\"open"),
            (Kind::BlockComment, "/* /* */"),
        ];
        let text = "def [{ c }}] }]\"a\\\"b\" // z\n!add $a -1 - 2x 10x1F é€ $ \"open\n/* /* */";
        assert_eq!(kinds(text), expected);
        assert_eq!(tokens(b"\"open\n").map(|it| (it.inside(), it.is_closed)).next(), Some((1..5, false)));
        assert_eq!(tokens(b"[{ a }]").map(|it| it.inside()).next(), Some(2..5));
    }
}
