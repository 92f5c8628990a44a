//! The tokens of MLIR's text, as far as finding statements requires.

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `%a`, or `%a#1`.
    Value,
    /// `^bb0`.
    Block,
    /// `@name`.
    Symbol,
    /// `!d.t`.
    Type,
    /// `#d.a`.
    Attribute,
    /// A name with its dots: `arith.addi`, `to`.
    Word,
    /// A number.
    Number,
    /// A string in quotes.
    Text,
    /// `(`, `[` or `{`.
    Open(u8),
    /// `)`, `]` or `}`.
    Close(u8),
    /// `// -----`, which separates the inputs of a test.
    Separator,
    /// Any other character, or `->`.
    Punctuation,
}

/// A token with its position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
    /// True if it is the first on its line.
    pub(super) is_first: bool,
}

impl Token {
    pub(super) fn text<'t>(&self, text: &'t str) -> &'t str {
        &text[self.start..self.end]
    }
}

/// Splits a text into tokens, without comments.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut is_first = true;
    while at < bytes.len() {
        let byte = bytes[at];
        if byte == b'\n' {
            is_first = true;
            at += 1;
            continue;
        }
        if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let start = at;
        let kind = if text[at..].starts_with("//") {
            let end = text[at..].find('\n').map_or(bytes.len(), |found| at + found);
            let is_separator = text[at..end].trim_end() == "// -----";
            at = end;
            if !is_separator {
                continue;
            }
            Kind::Separator
        } else {
            let (kind, end) = token(text, at);
            at = end;
            kind
        };
        tokens.push(Token { kind, start, end: at, is_first });
        is_first = false;
    }
    tokens
}

/// The kind and end of the token at a position that is not a space.
fn token(text: &str, at: usize) -> (Kind, usize) {
    let bytes = text.as_bytes();
    let name = |from: usize| {
        let length = bytes[from..]
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || b"_$.-".contains(byte))
            .count();
        // A minus sign before `>` begins an arrow.
        let name = &text[from..from + length];
        from + name
            .find("->")
            .unwrap_or(length)
            .min(name.trim_end_matches(['-', '.']).len().max(usize::from(!name.is_empty())))
    };
    match bytes[at] {
        b'%' => {
            let end = name(at + 1);
            let suffix = bytes.get(end) == Some(&b'#') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
            (Kind::Value, if suffix { name(end + 1) } else { end })
        }
        b'^' => (Kind::Block, name(at + 1)),
        b'@' if bytes.get(at + 1) == Some(&b'"') => (Kind::Symbol, end_of_text(bytes, at + 1)),
        b'@' => (Kind::Symbol, name(at + 1)),
        b'!' => (Kind::Type, name(at + 1)),
        b'#' => (Kind::Attribute, name(at + 1)),
        b'"' => (Kind::Text, end_of_text(bytes, at)),
        byte @ (b'(' | b'[' | b'{') => (Kind::Open(byte), at + 1),
        byte @ (b')' | b']' | b'}') => (Kind::Close(byte), at + 1),
        b'0'..=b'9' => {
            let length =
                bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'.').count();
            (Kind::Number, at + length)
        }
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => (Kind::Word, word(bytes, at)),
        b'-' if bytes.get(at + 1) == Some(&b'>') => (Kind::Punctuation, at + 2),
        _ => (Kind::Punctuation, at + text[at..].chars().next().map_or(1, char::len_utf8)),
    }
}

fn word(bytes: &[u8], at: usize) -> usize {
    let length =
        bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"_$.".contains(byte)).count();
    // A dot at the end does not belong to the name.
    let dots = bytes[at..at + length].iter().rev().take_while(|byte| **byte == b'.').count();
    at + (length - dots).max(1)
}

/// The end of a string in quotes; an unclosed string is only its first quote.
fn end_of_text(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while let Some(byte) = bytes.get(end) {
        match byte {
            b'"' => return end + 1,
            b'\n' => break,
            b'\\' => end += 2,
            _ => end += 1,
        }
    }
    at + 1
}
