//! Text → tokens, lossless: each byte belongs to a token or to the gap before one.
//!
//! ```text
//! %a = arith.addi %b, %c : tensor<4x?xi32>   // sum
//! %a·=·arith.addi·%b·,·%c·:·tensor·<·4·x·?·x·i32·>·   gaps hold blanks and comments
//! ```
//!
//! A list of dimensions is split: an `x` directly after a number, `?`, `*` or `]` is a token of its own, and `0x` begins
//! a hexadecimal number only where no dimension can be.

use std::ops::Range;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum TokenKind {
    /// The end of the text.
    End,
    /// `func.func`, `i32`.
    Word,
    /// `12`.
    Integer,
    /// `0x1F`.
    Hexadecimal,
    /// `1.5e+10`.
    Float,
    /// `"text"`.
    String,
    /// `%value`.
    Value,
    /// `^block`.
    Block,
    /// `#attribute`, `#0`.
    Attribute,
    /// `!type`.
    Type,
    /// `@symbol`, `@"symbol"`.
    Symbol,
    /// The `x` between dimensions.
    Times,
    /// `(`
    LeftParen,
    /// `)`
    RightParen,
    /// `{`
    LeftBrace,
    /// `}`
    RightBrace,
    /// `[`
    LeftBracket,
    /// `]`
    RightBracket,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `::`
    ColonColon,
    /// `=`
    Equal,
    /// `==`
    EqualEqual,
    /// `>=`
    GreaterEqual,
    /// `<=`
    LessEqual,
    /// `->`
    Arrow,
    /// `-`
    Minus,
    /// `+`
    Plus,
    /// `*`
    Star,
    /// `?`
    Question,
    /// `/`
    Slash,
    /// `|`
    Pipe,
    /// `...`
    Ellipsis,
    /// `{-#`
    ResourcesBegin,
    /// `#-}`
    ResourcesEnd,
    /// A text in quotes that has no end in its line, or an escape that does not exist.
    BrokenString,
    /// A character that begins no token.
    Unknown,
}

/// The tokens of a text.
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    kinds: Vec<TokenKind>,
    starts: Vec<u32>,
    ends: Vec<u32>,
    /// For a bracket the other one of its pair, otherwise `NONE`.
    partners: Vec<u32>,
    pieces: Vec<u32>,
}

/// No token.
pub const NONE: u32 = u32::MAX;

/// The most bytes of a text.
pub const MAX_BYTES: usize = u32::MAX as usize - 1;

/// The begin of a comment that splits a file into pieces.
const SPLIT: &[u8] = b"// -----";

impl Tokens {
    /// Reads the tokens of a text. Of a text that is too long only the end is left.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let text = if text.len() > MAX_BYTES { "" } else { text };
        let mut lexer = Lexer {
            bytes: text.as_bytes(),
            text,
            at: 0,
            tokens: Tokens::default(),
            open: Vec::new(),
            braces: 0,
        };
        let estimate = text.len() / 6 + 2;
        lexer.tokens.kinds.reserve(estimate);
        lexer.tokens.starts.reserve(estimate);
        lexer.tokens.ends.reserve(estimate);
        lexer.tokens.partners.reserve(estimate);
        lexer.run();
        lexer.tokens
    }

    /// Returns the number of tokens, with the end of the text as the last one.
    #[must_use]
    pub fn len(&self) -> u32 {
        u32::try_from(self.kinds.len()).unwrap_or(NONE)
    }

    /// Returns true if there is no token, which is never so.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// Returns the kind of a token; after the last one it is the end.
    #[must_use]
    #[inline]
    pub fn kind(&self, token: u32) -> TokenKind {
        self.kinds.get(token as usize).copied().unwrap_or(TokenKind::End)
    }

    /// Returns the bytes of a token.
    #[must_use]
    #[inline]
    pub fn range(&self, token: u32) -> Range<usize> {
        let last = self.kinds.len().saturating_sub(1);
        let token = (token as usize).min(last);
        self.start_at(token)..self.ends.get(token).map_or(0, |end| *end as usize)
    }

    fn start_at(&self, token: usize) -> usize {
        self.starts.get(token).map_or(0, |start| *start as usize)
    }

    /// Returns the first byte of a token.
    #[must_use]
    #[inline]
    pub fn start(&self, token: u32) -> usize {
        self.range(token).start
    }

    /// Returns the bytes between the token before and this one: blanks and comments.
    #[must_use]
    pub fn gap(&self, token: u32) -> Range<usize> {
        let start = self.range(token).start;
        let before = (token as usize).min(self.kinds.len().saturating_sub(1)).checked_sub(1);
        before.and_then(|before| self.ends.get(before)).map_or(0, |end| *end as usize)..start
    }

    /// Returns true if no byte separates the token from the one before.
    #[must_use]
    #[inline]
    pub fn is_joined(&self, token: u32) -> bool {
        let gap = self.gap(token);
        gap.start == gap.end && token > 0
    }

    /// Returns the other bracket of a pair.
    #[must_use]
    #[inline]
    pub fn partner(&self, token: u32) -> Option<u32> {
        self.partners.get(token as usize).copied().filter(|partner| *partner != NONE)
    }

    /// Returns the first token after a token or, for an opening bracket with a partner, after its pair.
    #[must_use]
    #[inline]
    pub fn after(&self, token: u32) -> u32 {
        match self.partner(token) {
            Some(partner) if partner > token => partner + 1,
            _ => token + 1,
        }
    }

    /// Returns the first token of each piece of the file; comments `// -----` are between them.
    #[must_use]
    pub fn pieces(&self) -> &[u32] {
        &self.pieces
    }

    /// Returns true if the token is the first one in its line.
    #[must_use]
    pub fn begins_line(&self, token: u32, text: &str) -> bool {
        token == 0 || memchr::memchr(b'\n', &text.as_bytes()[self.gap(token)]).is_some()
    }

    /// Returns the token that contains a byte or follows it.
    #[must_use]
    pub fn at_byte(&self, byte: usize) -> u32 {
        let before = self.ends.partition_point(|end| *end as usize <= byte);
        u32::try_from(before.min(self.kinds.len().saturating_sub(1))).unwrap_or(NONE)
    }
}

struct Lexer<'t> {
    bytes: &'t [u8],
    text: &'t str,
    at: usize,
    tokens: Tokens,
    /// The brackets that are open.
    open: Vec<u32>,
    /// The number of `{` among them.
    braces: u32,
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')
}

fn is_suffix(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.' | b'-')
}

impl Lexer<'_> {
    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    fn run(&mut self) {
        self.tokens.pieces.push(0);
        loop {
            self.skip_gap();
            let start = self.at;
            let kind = if start >= self.bytes.len() { TokenKind::End } else { self.token() };
            self.push(kind, start);
            if kind == TokenKind::End {
                break;
            }
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "a text has at most MAX_BYTES")]
    fn push(&mut self, kind: TokenKind, start: usize) {
        let index = self.tokens.kinds.len() as u32;
        self.tokens.kinds.push(kind);
        self.tokens.starts.push(start as u32);
        self.tokens.ends.push(self.at as u32);
        self.tokens.partners.push(NONE);
        match kind {
            TokenKind::LeftBrace => {
                self.braces += 1;
                self.open.push(index);
            }
            TokenKind::LeftParen | TokenKind::LeftBracket | TokenKind::Less | TokenKind::ResourcesBegin => {
                self.open.push(index)
            }
            TokenKind::RightParen => self.close(TokenKind::LeftParen, index),
            TokenKind::RightBrace => self.close(TokenKind::LeftBrace, index),
            TokenKind::RightBracket => self.close(TokenKind::LeftBracket, index),
            TokenKind::ResourcesEnd => self.close(TokenKind::ResourcesBegin, index),
            // `>` is also a sign of comparison: then no `<` is open directly around it.
            TokenKind::Greater | TokenKind::GreaterEqual
                if self.open.last().is_some_and(|open| self.tokens.kind(*open) == TokenKind::Less) =>
            {
                self.close(TokenKind::Less, index);
            }
            _ => {}
        }
    }

    /// Closes the innermost open bracket of a kind. `<` may stay without a partner, and so may a bracket inside braces.
    fn close(&mut self, kind: TokenKind, index: u32) {
        while let Some(open) = self.open.last().copied() {
            let opened = self.tokens.kind(open);
            if opened == kind {
                self.open.pop();
                self.braces -= u32::from(kind == TokenKind::LeftBrace);
                self.tokens.partners[open as usize] = index;
                self.tokens.partners[index as usize] = open;
                return;
            }
            // A closing brace ends what is open inside its pair; other brackets end `<` alone.
            let ends = opened == TokenKind::Less || kind == TokenKind::LeftBrace && self.braces > 0;
            if !ends {
                return;
            }
            self.open.pop();
        }
    }

    fn skip_gap(&mut self) {
        loop {
            match self.bytes.get(self.at) {
                Some(b' ' | b'\t' | b'\n' | b'\r' | 0) => self.at += 1,
                Some(b'/') if self.byte(self.at + 1) == b'/' => {
                    let rest = &self.bytes[self.at..];
                    if rest.starts_with(SPLIT) {
                        let first = self.tokens.len();
                        self.tokens.pieces.push(first);
                        self.open.clear();
                        self.braces = 0;
                    }
                    self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    fn run_of(&mut self, is_part: fn(u8) -> bool) {
        while self.bytes.get(self.at).is_some_and(|byte| is_part(*byte)) {
            self.at += 1;
        }
    }

    fn one(&mut self, length: usize, kind: TokenKind) -> TokenKind {
        self.at += length;
        kind
    }

    fn token(&mut self) -> TokenKind {
        let (first, second) = (self.byte(self.at), self.byte(self.at + 1));
        match first {
            b'x' if self.is_after_dimension() => self.one(1, TokenKind::Times),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                self.run_of(is_word);
                TokenKind::Word
            }
            b'0'..=b'9' => self.number(),
            b'%' => self.sigil(TokenKind::Value),
            b'^' => self.sigil(TokenKind::Block),
            b'!' => self.sigil(TokenKind::Type),
            b'#' if second == b'-' && self.byte(self.at + 2) == b'}' => self.one(3, TokenKind::ResourcesEnd),
            b'#' => self.sigil(TokenKind::Attribute),
            b'@' => self.symbol(),
            b'"' => self.string(),
            b'(' => self.one(1, TokenKind::LeftParen),
            b')' => self.one(1, TokenKind::RightParen),
            b'{' if second == b'-' && self.byte(self.at + 2) == b'#' => {
                self.one(3, TokenKind::ResourcesBegin)
            }
            b'{' => self.one(1, TokenKind::LeftBrace),
            b'}' => self.one(1, TokenKind::RightBrace),
            b'[' => self.one(1, TokenKind::LeftBracket),
            b']' => self.one(1, TokenKind::RightBracket),
            b'<' if second == b'=' => self.one(2, TokenKind::LessEqual),
            b'<' => self.one(1, TokenKind::Less),
            b'>' if second == b'=' => self.one(2, TokenKind::GreaterEqual),
            b'>' => self.one(1, TokenKind::Greater),
            b',' => self.one(1, TokenKind::Comma),
            b':' if second == b':' => self.one(2, TokenKind::ColonColon),
            b':' => self.one(1, TokenKind::Colon),
            b'=' if second == b'=' => self.one(2, TokenKind::EqualEqual),
            b'=' => self.one(1, TokenKind::Equal),
            b'-' if second == b'>' => self.one(2, TokenKind::Arrow),
            b'-' => self.one(1, TokenKind::Minus),
            b'+' => self.one(1, TokenKind::Plus),
            b'*' => self.one(1, TokenKind::Star),
            b'?' => self.one(1, TokenKind::Question),
            b'/' => self.one(1, TokenKind::Slash),
            b'|' => self.one(1, TokenKind::Pipe),
            b'.' if second == b'.' && self.byte(self.at + 2) == b'.' => self.one(3, TokenKind::Ellipsis),
            _ => {
                let length = self.text[self.at..].chars().next().map_or(1, char::len_utf8);
                self.one(length, TokenKind::Unknown)
            }
        }
    }

    fn sigil(&mut self, kind: TokenKind) -> TokenKind {
        self.at += 1;
        match self.byte(self.at) {
            b'0'..=b'9' => self.run_of(|byte| byte.is_ascii_digit()),
            b'a'..=b'z' | b'A'..=b'Z' | b'$' | b'.' | b'_' | b'-' => self.run_of(is_suffix),
            _ => return TokenKind::Unknown,
        }
        kind
    }

    fn symbol(&mut self) -> TokenKind {
        self.at += 1;
        match self.byte(self.at) {
            b'"' => match self.string() {
                TokenKind::String => TokenKind::Symbol,
                broken => broken,
            },
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                self.run_of(is_word);
                TokenKind::Symbol
            }
            _ => TokenKind::Unknown,
        }
    }

    fn string(&mut self) -> TokenKind {
        let mut kind = TokenKind::String;
        self.at += 1;
        loop {
            let rest = &self.bytes[self.at..];
            let Some(length) = memchr::memchr3(b'"', b'\\', b'\n', rest) else {
                self.at = self.bytes.len();
                return TokenKind::BrokenString;
            };
            self.at += length;
            match self.byte(self.at) {
                b'"' => {
                    self.at += 1;
                    return kind;
                }
                b'\n' => return TokenKind::BrokenString,
                _ => {
                    let (first, second) = (self.byte(self.at + 1), self.byte(self.at + 2));
                    self.at += match first {
                        b'n' | b't' | b'\\' | b'"' => 2,
                        _ if first.is_ascii_hexdigit() && second.is_ascii_hexdigit() => 3,
                        _ => {
                            kind = TokenKind::BrokenString;
                            1
                        }
                    };
                }
            }
        }
    }

    /// Returns true if the token before, without a gap, can be a dimension.
    fn is_after_dimension(&self) -> bool {
        let Some(last) = self.tokens.kinds.len().checked_sub(1) else { return false };
        self.tokens.ends[last] as usize == self.at
            && matches!(
                self.tokens.kinds[last],
                TokenKind::Integer | TokenKind::Question | TokenKind::Star | TokenKind::RightBracket
            )
    }

    /// Returns true if a dimension may begin here, so that `0x` is no hexadecimal prefix.
    fn may_be_dimension(&self) -> bool {
        let kinds = &self.tokens.kinds;
        let Some(last) = kinds.len().checked_sub(1) else { return false };
        match kinds[last] {
            TokenKind::Times => true,
            TokenKind::Less => last.checked_sub(1).is_some_and(|before| {
                let range = self.tokens.starts[before] as usize..self.tokens.ends[before] as usize;
                let word = &self.text[range];
                matches!(word, "tensor" | "vector" | "memref") || kinds[before] == TokenKind::Type
            }),
            _ => false,
        }
    }

    fn number(&mut self) -> TokenKind {
        let start = self.at;
        if self.byte(start) == b'0' && self.byte(start + 1) == b'x' {
            let digits = self.bytes[start + 2..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
            let goes_on = self.byte(start + 2 + digits) == b'x';
            if digits > 0 && !goes_on && !self.may_be_dimension() {
                return self.one(2 + digits, TokenKind::Hexadecimal);
            }
            return self.one(1, TokenKind::Integer);
        }
        self.run_of(|byte| byte.is_ascii_digit());
        if self.byte(self.at) != b'.' || self.byte(self.at + 1) == b'.' {
            return TokenKind::Integer;
        }
        self.at += 1;
        self.run_of(|byte| byte.is_ascii_digit());
        if matches!(self.byte(self.at), b'e' | b'E') {
            let sign = usize::from(matches!(self.byte(self.at + 1), b'+' | b'-'));
            if self.byte(self.at + 1 + sign).is_ascii_digit() {
                self.at += 1 + sign;
                self.run_of(|byte| byte.is_ascii_digit());
            }
        }
        TokenKind::Float
    }
}

#[cfg(test)]
mod tests {
    use super::{TokenKind, Tokens};

    /// Returns the texts of the tokens.
    fn texts(text: &str) -> Vec<&str> {
        let tokens = Tokens::new(text);
        (0..tokens.len() - 1).map(|token| &text[tokens.range(token)]).collect()
    }

    #[test]
    fn dimensions_are_split() {
        assert_eq!(texts("tensor<4x0x8xf32>"), ["tensor", "<", "4", "x", "0", "x", "8", "x", "f32", ">"]);
        assert_eq!(texts("vector<2x[4]xi1>"), ["vector", "<", "2", "x", "[", "4", "]", "x", "i1", ">"]);
        assert_eq!(texts("tensor<0xf32>"), ["tensor", "<", "0", "x", "f32", ">"]);
        assert_eq!(texts("tensor<?x*xbf16>"), ["tensor", "<", "?", "x", "*", "x", "bf16", ">"]);
        assert_eq!(texts("dense<0xFF>"), ["dense", "<", "0xFF", ">"]);
        assert_eq!(texts("shape = 2x0x3"), ["shape", "=", "2", "x", "0", "x", "3"]);
        assert_eq!(texts("x xor"), ["x", "xor"]);
    }

    #[test]
    fn names_end_as_in_mlir() {
        assert_eq!(texts("%a-b#1"), ["%a-b", "#1"]);
        assert_eq!(texts("%0a"), ["%0", "a"]);
        assert_eq!(texts("@a::@\"b c\""), ["@a", "::", "@\"b c\""]);
        assert_eq!(texts("1e3 1.5e+10 1."), ["1", "e3", "1.5e+10", "1."]);
        assert_eq!(texts("a>=0,b->c"), ["a", ">=", "0", ",", "b", "->", "c"]);
    }

    #[test]
    fn brackets_have_partners() {
        let tokens = Tokens::new("a<(b >= 0) -> c> }");
        assert_eq!(tokens.partner(1), Some(9));
        assert_eq!(tokens.partner(2), Some(6));
        assert_eq!(tokens.partner(4), None);
        assert_eq!(tokens.after(1), 10);
    }

    #[test]
    fn comments_split_pieces() {
        let tokens = Tokens::new("a\n// -----\nb // c\n// -----\n");
        assert_eq!(tokens.pieces(), [0, 1, 2]);
        assert!(tokens.begins_line(1, "a\n// -----\nb // c\n// -----\n"));
    }

    /// A small generator of numbers, so that the same texts are tried each time.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % bound
        }
    }

    #[test]
    fn tokens_and_gaps_are_the_text() {
        let parts = [
            "%",
            "^",
            "#",
            "!",
            "@",
            "\"",
            "\\",
            "0x",
            "x",
            "4",
            "?",
            "*",
            "[",
            "]",
            "<",
            ">",
            "(",
            ")",
            "{",
            "}",
            "{-#",
            "#-}",
            "-",
            "->",
            ":",
            "::",
            "=",
            ".",
            "...",
            "//",
            "// -----",
            "\n",
            " ",
            "é",
            "\0",
            "func.func",
            "loc",
            "1.5e",
            "e+",
            "|",
            "/",
            ",",
            ";",
        ];
        let mut random = Random(65);
        for _ in 0..4000 {
            let text: String = (0..random.below(24)).map(|_| parts[random.below(parts.len())]).collect();
            let tokens = Tokens::new(&text);
            let mut joined = String::new();
            for token in 0..tokens.len() {
                joined.push_str(&text[tokens.gap(token)]);
                joined.push_str(&text[tokens.range(token)]);
                if let Some(partner) = tokens.partner(token) {
                    assert_eq!(tokens.partner(partner), Some(token), "{text:?}");
                }
            }
            assert_eq!(joined, text);
            assert_eq!(tokens.kind(tokens.len() - 1), TokenKind::End);
        }
    }
}
