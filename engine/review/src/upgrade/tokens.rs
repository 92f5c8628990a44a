//! The tokens of a `.td` file with their places, without `include`s and preprocessor: for questions about a file as it
//! is written.

use odsmith_tablegen::outline::lexical;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name or a keyword.
    Word,
    /// `"…"`.
    Text,
    /// `[{…}]`.
    Code,
    /// A number, `$name` or `!name`.
    Other,
    /// One of the signs.
    Sign(u8),
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub struct Token<'t> {
    /// Its kind.
    pub kind: Kind,
    /// Its first byte.
    pub start: usize,
    /// Its bytes.
    pub bytes: &'t [u8],
}

impl<'t> Token<'t> {
    /// Returns one past its last byte.
    #[must_use]
    pub fn end(&self) -> usize {
        self.start + self.bytes.len()
    }

    /// Returns true if it is this sign.
    #[must_use]
    pub fn is_sign(&self, sign: u8) -> bool {
        self.kind == Kind::Sign(sign)
    }

    /// Returns true if it is this word.
    #[must_use]
    pub fn is_word(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.bytes == word.as_bytes()
    }

    /// Returns the text of a word, or `None` for any other token.
    #[must_use]
    pub fn word(&self) -> Option<&'t str> {
        if self.kind == Kind::Word { std::str::from_utf8(self.bytes).ok() } else { None }
    }

    /// Returns the text between the quotation marks.
    #[must_use]
    pub fn quoted(&self) -> Option<&'t str> {
        let inner = self.bytes.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
        let is_whole = self.kind == Kind::Text && lexical::string(self.bytes).is_closed;
        if is_whole { std::str::from_utf8(inner).ok() } else { None }
    }
}

/// Returns all tokens of a text. Never fails, whatever is in it.
#[must_use]
pub fn tokens(text: &[u8]) -> Vec<Token<'_>> {
    let mut all = Vec::with_capacity(text.len() / 6);
    for lexeme in lexical::lexemes(text) {
        let kind = match lexeme.kind {
            lexical::Kind::LineComment | lexical::Kind::BlockComment | lexical::Kind::Directive => continue,
            lexical::Kind::Word => Kind::Word,
            lexical::Kind::String => Kind::Text,
            lexical::Kind::Code => Kind::Code,
            lexical::Kind::Variable | lexical::Kind::Operator | lexical::Kind::Number => Kind::Other,
            lexical::Kind::Sign(byte) => Kind::Sign(byte),
        };
        all.push(Token { kind, start: lexeme.start, bytes: &text[lexeme.start..lexeme.end] });
    }
    all
}

/// Returns line and column of a byte, both from 1.
#[must_use]
pub fn position(text: &[u8], at: usize) -> (u32, u32) {
    let before = &text[..at.min(text.len())];
    let line = memchr::memchr_iter(b'\n', before).count() + 1;
    let column = before.len() - memchr::memrchr(b'\n', before).map_or(0, |end| end + 1) + 1;
    (line as u32, column as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_outside_of_texts_and_comments() {
        let text = b"#ifdef A\ndef B : C<\"D\", [{ E }]> { // F\n let G = /* H */ !add(I, 1); } #endif";
        let words: Vec<&str> = tokens(text).iter().filter_map(Token::word).collect();
        assert_eq!(words, ["def", "B", "C", "let", "G", "I", "endif"]);
    }

    #[test]
    fn any_bytes_have_an_end() {
        for text in ["\"", "\"\\", "[{", "/*", "/* /*", "//", "#", "$", "!", "\u{fffd}", "0", "0x"] {
            let all = tokens(text.as_bytes());
            assert!(all.iter().all(|token| token.end() <= text.len()), "{text:?}");
        }
        assert_eq!(position(b"a\nbc", 3), (2, 2));
    }
}
