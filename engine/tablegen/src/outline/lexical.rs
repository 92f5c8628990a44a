//! The ends of comments, strings, code fragments and other parts of a text: the single place for these rules.
//!
//! ```text
//! [{ a }}] b }]      one code fragment: the byte after another `}` is skipped unseen
//! /* /* */ */        one comment: they nest
//! "a\"b"             one string, which a line break ends without a closing quote
//! ```
//!
//! Any bytes are accepted: a part without its end mark reaches as far as the lexer would read.

use super::tokens::Kind;

/// The length of a part, and a flag for its end mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Bytes from its first to its last.
    pub length: usize,
    /// True if it has its end mark.
    pub is_closed: bool,
}

impl Extent {
    /// Returns the extent of a part with its end mark.
    pub(super) fn closed(length: usize) -> Self {
        Extent { length, is_closed: true }
    }

    fn open(length: usize) -> Self {
        Extent { length, is_closed: false }
    }
}

/// Returns the extent of the comment, string or code fragment that a text begins with; nothing if it begins with none.
#[must_use]
pub fn enclosed(text: &[u8]) -> Option<(Kind, Extent)> {
    Some(match text {
        [b'/', b'/', ..] => (Kind::LineComment, Extent::closed(line_comment(text))),
        [b'/', b'*', ..] => (Kind::BlockComment, block_comment(text)),
        [b'"', ..] => (Kind::String, string(text)),
        [b'[', b'{', ..] => (Kind::Code, code(text)),
        _ => return None,
    })
}

/// Returns the length of a `// …` comment. A carriage return ends it, too.
#[must_use]
pub fn line_comment(text: &[u8]) -> usize {
    memchr::memchr2(b'\n', b'\r', text).unwrap_or(text.len())
}

/// Returns the extent of a `/* … */` comment; they nest.
#[must_use]
pub fn block_comment(text: &[u8]) -> Extent {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(next) = memchr::memchr2(b'/', b'*', text.get(at..).unwrap_or_default()) {
        at += next;
        match &text[at..] {
            [b'/', b'*', ..] => {
                depth += 1;
                at += 2;
            }
            [b'*', b'/', ..] => {
                depth = depth.saturating_sub(1);
                at += 2;
                if depth == 0 {
                    return Extent::closed(at);
                }
            }
            _ => at += 1,
        }
    }
    Extent::open(text.len())
}

/// Returns the extent of a string. A line break is not part of it; a backslash before one is.
#[must_use]
pub fn string(text: &[u8]) -> Extent {
    let mut at = 1;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let plain = memchr::memchr3(b'"', b'\\', b'\n', rest).unwrap_or(rest.len());
        at += memchr::memchr(b'\r', &rest[..plain]).unwrap_or(plain);
        match text.get(at..).unwrap_or_default() {
            [b'"', ..] => return Extent::closed(at + 1),
            [b'\\'] | [b'\\', b'\n' | b'\r', ..] => return Extent::open(at + 1),
            [b'\\', _, ..] => at += 2,
            _ => return Extent::open(at.min(text.len())),
        }
    }
}

/// Returns the byte that a backslash and this one mean in a string.
#[must_use]
pub fn escaped(byte: u8) -> Option<u8> {
    match byte {
        b'\\' | b'\'' | b'"' => Some(byte),
        b't' => Some(b'\t'),
        b'n' => Some(b'\n'),
        _ => None,
    }
}

/// Returns the extent of a code fragment. The byte after another `}` is skipped unseen, so `}}]` ends none and `}}}]`
/// does.
#[must_use]
pub fn code(text: &[u8]) -> Extent {
    let mut at = 2;
    while let Some(next) = memchr::memchr(b'}', text.get(at..).unwrap_or_default()) {
        at += next;
        if text.get(at + 1) == Some(&b']') {
            return Extent::closed(at + 2);
        }
        at += 2;
    }
    Extent::open(text.len())
}

const DIRECTIVES: [&[u8]; 5] = [b"ifdef", b"ifndef", b"else", b"endif", b"define"];

/// Returns the length of the preprocessor line that the `#` at the start of a line begins; nothing if it begins none.
///
/// The lexer refuses a directive that the end of the file cuts off. Here it counts as one: the file is being written.
#[must_use]
pub fn directive(text: &[u8]) -> Option<usize> {
    let rest = text.strip_prefix(b"#")?;
    let is_whole = |rest: &[u8]| rest.is_empty() || ends_directive(rest);
    let word = DIRECTIVES.iter().find(|word| rest.strip_prefix(**word).is_some_and(is_whole))?;
    let mut at = 1 + word.len();
    while let Some(rest) = text.get(at..) {
        match rest {
            [] | [b'\n', ..] => break,
            [b'/', b'/', ..] => at += memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
            [b'/', b'*', ..] => at += block_comment(rest).length,
            _ => at += 1,
        }
    }
    Some(if text[at - 1] == b'\r' { at - 1 } else { at })
}

/// Returns true if a directive's word may end before this text.
#[must_use]
pub fn ends_directive(text: &[u8]) -> bool {
    matches!(text, [b' ' | b'\t' | b'\r' | b'\n', ..] | [b'/', b'/' | b'*', ..])
}

/// Returns true if this byte may be part of a word.
#[must_use]
pub fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns the length of the word at the start of a text.
#[must_use]
pub fn word(text: &[u8]) -> usize {
    text.iter().position(|&byte| !is_word_byte(byte)).unwrap_or(text.len())
}

/// The parts of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numeral {
    /// The radix: 2, 10 or 16.
    pub radix: u32,
    /// Index of its first digit.
    pub digits: usize,
    /// One past its last digit.
    pub end: usize,
}

/// Returns the number that a text begins with, whose first byte is a digit or the sign before one. Returns nothing if
/// it is an identifier that begins with digits.
#[must_use]
pub fn numeral(text: &[u8]) -> Option<Numeral> {
    let (radix, digits) = match text {
        [b'0', b'x', digit, ..] if digit.is_ascii_hexdigit() => (16, 2),
        [b'0', b'b', b'0' | b'1', ..] => (2, 2),
        [b'+' | b'-', ..] => (10, 1),
        _ => (10, 0),
    };
    let is_digit = |byte: &u8| char::from(*byte).is_digit(radix);
    let end = text[digits..].iter().position(|byte| !is_digit(byte)).map_or(text.len(), |end| digits + end);
    // The prefix of another number ends this one: `10x1F` is `10` and `x1F`.
    let is_word = match &text[end..] {
        [b'x', digit, ..] if digit.is_ascii_hexdigit() => false,
        [b'b', b'0' | b'1', ..] => false,
        [byte, ..] => byte.is_ascii_alphabetic() || *byte == b'_',
        [] => false,
    };
    (radix != 10 || digits == 1 || !is_word).then_some(Numeral { radix, digits, end })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_a_code_fragment() {
        let length = |text: &str| (code(text.as_bytes()).length, code(text.as_bytes()).is_closed);
        assert_eq!(length("[{ a }] b }]"), (7, true));
        assert_eq!(length("[{ a }}] b }]"), (13, true));
        assert_eq!(length("[{ a }}}] b }]"), (9, true));
        assert_eq!(length("[{ a } }] b }]"), (9, true));
        assert_eq!(length("[{ [{ a }] }]"), (10, true));
        assert_eq!(length("[{}]"), (4, true));
        assert_eq!(length("[{}}]"), (5, false));
        assert_eq!(length("[{ a }\n]}]"), (10, true));
    }

    #[test]
    fn what_ends_a_string() {
        let length = |text: &str| (string(text.as_bytes()).length, string(text.as_bytes()).is_closed);
        assert_eq!(length(r#""a\"b" c"#), (6, true));
        assert_eq!(length(r#""a\\" c"#), (5, true));
        assert_eq!(length("\"a\nb\""), (2, false));
        assert_eq!(length("\"a\rb\""), (2, false));
        assert_eq!(length("\"a\\\nb\""), (3, false));
        assert_eq!(length("\"a\\"), (3, false));
    }

    #[test]
    fn what_ends_a_comment() {
        let length =
            |text: &str| (block_comment(text.as_bytes()).length, block_comment(text.as_bytes()).is_closed);
        assert_eq!(length("/*/ a */ b"), (8, true));
        assert_eq!(length("/* /*/ */ */ b"), (12, true));
        assert_eq!(length("/**/ b /***/"), (4, true));
        assert_eq!(length("/* /* */"), (8, false));
        assert_eq!(line_comment(b"// a \r b"), 5);
        assert_eq!(line_comment(b"// a \\\nb"), 6);
    }
}
