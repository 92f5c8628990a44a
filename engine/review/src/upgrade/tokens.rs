//! The words of a `.td` file with their places, without following `include`s and without a preprocessor: for questions
//! that are asked of a file as it was written.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
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
pub(super) struct Token<'t> {
    pub kind: Kind,
    /// Its first byte.
    pub start: usize,
    /// Its bytes.
    pub bytes: &'t [u8],
}

impl<'t> Token<'t> {
    pub(super) fn end(&self) -> usize {
        self.start + self.bytes.len()
    }

    pub(super) fn is_sign(&self, sign: u8) -> bool {
        self.kind == Kind::Sign(sign)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.bytes == word.as_bytes()
    }

    /// The text of a word; nothing for any other token.
    pub(super) fn word(&self) -> Option<&'t str> {
        if self.kind == Kind::Word { std::str::from_utf8(self.bytes).ok() } else { None }
    }

    /// What is between the quotation marks.
    pub(super) fn quoted(&self) -> Option<&'t str> {
        let inner = self.bytes.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
        if self.kind == Kind::Text { std::str::from_utf8(inner).ok() } else { None }
    }
}

/// All tokens of a text; whatever it is, it has some.
pub(super) fn tokens(text: &[u8]) -> Vec<Token<'_>> {
    let mut all = Vec::with_capacity(text.len() / 6);
    let mut at = 0;
    let mut is_line_start = true;
    while let Some(&byte) = text.get(at) {
        let rest = &text[at..];
        let (kind, length) = match (byte, rest.get(1)) {
            (b'\n', _) => {
                is_line_start = true;
                at += 1;
                continue;
            }
            (b' ' | b'\t' | b'\r' | 0, _) => {
                at += 1;
                continue;
            }
            (b'/', Some(b'/')) => {
                at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                continue;
            }
            (b'/', Some(b'*')) => {
                at += block_comment(rest);
                continue;
            }
            (b'#', _) if is_line_start && is_directive(rest) => {
                at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                continue;
            }
            (b'"', _) => (Kind::Text, string(rest)),
            (b'[', Some(b'{')) => {
                (Kind::Code, memchr::memmem::find(rest, b"}]").map_or(rest.len(), |end| end + 2))
            }
            (b'$' | b'!', Some(next)) if is_word_byte(*next) => (Kind::Other, 1 + word(&rest[1..])),
            (byte, _) if byte.is_ascii_digit() => number_or_word(rest),
            (byte, _) if is_word_byte(byte) => (Kind::Word, word(rest)),
            (byte, _) => (Kind::Sign(byte), 1),
        };
        is_line_start = false;
        all.push(Token { kind, start: at, bytes: &rest[..length] });
        at += length;
    }
    all
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn word(text: &[u8]) -> usize {
    text.iter().position(|&byte| !is_word_byte(byte)).unwrap_or(text.len())
}

/// A name may begin with digits.
fn number_or_word(text: &[u8]) -> (Kind, usize) {
    let length = word(text);
    let is_number =
        text[..length].iter().all(u8::is_ascii_digit) || text.starts_with(b"0x") || text.starts_with(b"0b");
    (if is_number { Kind::Other } else { Kind::Word }, length)
}

fn is_directive(text: &[u8]) -> bool {
    let name = text[1..].trim_ascii_start();
    ["ifdef", "ifndef", "else", "endif", "define"].iter().any(|it| name.starts_with(it.as_bytes()))
}

/// Block comments nest.
fn block_comment(text: &[u8]) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < text.len() {
        match text.get(at..at + 2) {
            Some(b"/*") => {
                depth += 1;
                at += 2;
            }
            Some(b"*/") => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    text.len()
}

fn string(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            b'\n' => return at,
            _ => at += 1,
        }
    }
    text.len()
}

/// Line and column of a byte, both from 1.
pub(super) fn position(text: &[u8], at: usize) -> (u32, u32) {
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
