//! The tokens of one file as an editor sees it: comments and preprocessor lines included, whatever is included elsewhere.
//!
//! The text may be broken anywhere. Nothing here fails, and every byte that is no blank is in exactly one token.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `// …` up to the end of the line, or `/* … */`.
    Comment,
    /// A line that begins with `#` and a directive of the preprocessor.
    Directive,
    /// An identifier or a keyword.
    Word,
    /// `$name`.
    Variable,
    /// `!name`.
    Operator,
    /// An integer.
    Number,
    /// `"…"`, or up to the end of the line.
    String,
    /// `[{ … }]`, or up to the end of the file.
    Code,
    /// One byte of punctuation, or one that belongs nowhere.
    Punctuation(u8),
}

/// A token and its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Its first byte.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
}

impl Token {
    /// Its bytes.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Its text.
    #[must_use]
    pub fn text<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.range()).unwrap_or_default()
    }

    /// Whether it is this word.
    #[must_use]
    pub fn is_word(&self, text: &str, word: &str) -> bool {
        self.kind == Kind::Word && self.text(text) == word
    }

    /// Whether it is this byte.
    #[must_use]
    pub fn is(&self, byte: u8) -> bool {
        self.kind == Kind::Punctuation(byte)
    }
}

const DIRECTIVES: [&str; 5] = ["ifdef", "ifndef", "else", "endif", "define"];

/// The tokens of a text.
#[must_use]
pub fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut all = Vec::new();
    let mut at = 0;
    let mut is_line_start = true;
    while let Some(&byte) = bytes.get(at) {
        if byte.is_ascii_whitespace() {
            is_line_start |= byte == b'\n';
            at += 1;
            continue;
        }
        let (kind, length) = token(bytes, at, is_line_start);
        let mut end = (at + length.max(1)).min(bytes.len());
        while !text.is_char_boundary(end) {
            end += 1;
        }
        all.push(Token { kind, start: at, end });
        is_line_start &= kind == Kind::Comment;
        at = end;
    }
    all
}

fn token(bytes: &[u8], at: usize, is_line_start: bool) -> (Kind, usize) {
    let rest = &bytes[at..];
    match rest {
        [b'/', b'/', ..] => (Kind::Comment, line_length(rest)),
        [b'/', b'*', ..] => (Kind::Comment, block_comment(rest)),
        [b'#', ..] if is_line_start && is_directive(rest) => (Kind::Directive, line_length(rest)),
        [b'"', ..] => (Kind::String, string(rest)),
        [b'[', b'{', ..] => (Kind::Code, code(rest)),
        [b'$', next, ..] if is_word_byte(*next) => (Kind::Variable, 1 + word_length(&rest[1..])),
        [b'!', next, ..] if next.is_ascii_alphabetic() => {
            (Kind::Operator, 1 + rest[1..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count())
        }
        [b'+' | b'-', next, ..] if next.is_ascii_digit() => (Kind::Number, 1 + word_length(&rest[1..])),
        [first, ..] if is_word_byte(*first) => {
            let length = word_length(rest);
            let is_number = first.is_ascii_digit()
                && (rest[..length].iter().all(u8::is_ascii_digit) || matches!(rest, [b'0', b'x' | b'b', ..]));
            (if is_number { Kind::Number } else { Kind::Word }, length)
        }
        [first, ..] => (Kind::Punctuation(*first), 1),
        [] => (Kind::Punctuation(0), 0),
    }
}

/// Whether words are made of this byte.
#[must_use]
pub fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn word_length(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| is_word_byte(**byte)).count()
}

fn line_length(bytes: &[u8]) -> usize {
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    if end > 0 && bytes.get(end - 1) == Some(&b'\r') { end - 1 } else { end }
}

fn is_directive(bytes: &[u8]) -> bool {
    let word = &bytes[1..1 + word_length(&bytes[1..])];
    DIRECTIVES.iter().any(|directive| directive.as_bytes() == word)
}

/// Block comments nest.
fn block_comment(bytes: &[u8]) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"/*" => depth += 1,
            b"*/" => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    bytes.len()
}

fn string(bytes: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' if bytes.get(at + 1).is_some_and(|next| *next != b'\n') => at += 2,
            b'"' => return at + 1,
            b'\n' => return at,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn code(bytes: &[u8]) -> usize {
    let mut at = 2;
    while at < bytes.len() {
        match &bytes[at..] {
            [b'}', b']', ..] => return at + 2,
            [b'}', ..] => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Where a token is that covers an offset, or that ends there if it is a word.
#[must_use]
pub fn at(tokens: &[Token], offset: usize) -> Option<usize> {
    let after = tokens.partition_point(|token| token.start <= offset);
    let covers = |index: &usize| {
        let token = &tokens[*index];
        offset < token.end
            || offset == token.end && matches!(token.kind, Kind::Word | Kind::Variable | Kind::Operator)
    };
    let last = after.checked_sub(1)?;
    // Where two tokens meet, a word that ends there is meant before punctuation that begins there.
    let before = last.checked_sub(1).filter(|before| {
        tokens[last].start == offset
            && matches!(tokens[last].kind, Kind::Punctuation(_))
            && tokens[*before].end == offset
    });
    before.filter(covers).or(Some(last).filter(covers))
}

/// The literal text of a string or code token, with the place in the file of each of its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Literal {
    /// The value.
    pub text: String,
    /// Runs of bytes that are spelled as they are: their start in the value, and in the file.
    runs: Vec<(usize, usize)>,
    /// Where the file's bytes of the value end.
    end: usize,
}

impl Literal {
    /// The value of adjacent string tokens, or of one code token.
    #[must_use]
    pub fn of(file: &str, tokens: &[Token]) -> Literal {
        let mut literal = Literal::default();
        for token in tokens {
            let whole = token.text(file);
            match token.kind {
                Kind::Code => {
                    let body = whole.get(2..).unwrap_or_default();
                    let body = body.strip_suffix("}]").unwrap_or(body);
                    literal.add(body, token.start + 2);
                }
                Kind::String => {
                    let body = whole.get(1..).unwrap_or_default();
                    let body = body.strip_suffix('"').unwrap_or(body);
                    literal.add_escaped(body, token.start + 1);
                }
                _ => {}
            }
        }
        literal
    }

    fn add(&mut self, text: &str, at: usize) {
        self.runs.push((self.text.len(), at));
        self.text.push_str(text);
        self.end = at + text.len();
    }

    fn add_escaped(&mut self, body: &str, start: usize) {
        let (mut rest, mut at) = (body, start);
        self.end = start;
        while let Some(slash) = rest.find('\\') {
            self.add(&rest[..slash], at);
            let escaped = rest[slash + 1..].chars().next();
            let value = match escaped {
                Some('n') => "\n".to_owned(),
                Some('t') => "\t".to_owned(),
                Some(other) => other.to_string(),
                None => String::new(),
            };
            let length = 1 + escaped.map_or(0, char::len_utf8);
            self.add(&value, at + slash);
            rest = &rest[slash + length..];
            at += slash + length;
        }
        self.add(rest, at);
    }

    /// The place in the file of a byte of the value; that after the last one included.
    #[must_use]
    pub fn place(&self, offset: usize) -> usize {
        let after = self.runs.partition_point(|(start, _)| *start <= offset);
        match after.checked_sub(1) {
            Some(index) => {
                let (start, at) = self.runs[index];
                (at + offset - start).min(self.end)
            }
            None => self.end,
        }
    }

    /// The byte of the value that a place in the file is, if it is one.
    #[must_use]
    pub fn offset(&self, place: usize) -> Option<usize> {
        let run = self.runs.iter().rposition(|(_, at)| *at <= place)?;
        let (start, at) = self.runs[run];
        let end = self.runs.get(run + 1).map_or(self.text.len(), |next| next.0);
        let offset = start + (place - at);
        (offset <= end).then_some(offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(Kind, &str)> {
        tokens(text).iter().map(|token| (token.kind, token.text(text))).collect()
    }

    #[test]
    fn every_kind() {
        let text = "#ifdef A\ndef X : Y<\"a\\\"b\", [{ c }}] }]>; // z\n!add($a, -1) # 0x1F 2x /* /* */ */";
        let found = kinds(text);
        assert_eq!(found[0], (Kind::Directive, "#ifdef A"));
        assert!(found.contains(&(Kind::String, "\"a\\\"b\"")), "{found:?}");
        assert!(found.contains(&(Kind::Code, "[{ c }}] }]")), "{found:?}");
        assert!(found.contains(&(Kind::Operator, "!add")));
        assert!(found.contains(&(Kind::Variable, "$a")));
        assert!(found.contains(&(Kind::Number, "-1")));
        assert!(found.contains(&(Kind::Word, "2x")));
        assert!(found.contains(&(Kind::Punctuation(b'#'), "#")));
        assert_eq!(found.last(), Some(&(Kind::Comment, "/* /* */ */")));
    }

    #[test]
    fn broken_texts_have_tokens() {
        for text in ["\"abc\ndef", "[{ abc", "/* abc", "é€", "$", "!", "def X : Y<é", "\"\\"] {
            let all = tokens(text);
            assert!(all.iter().all(|token| text.is_char_boundary(token.end)), "{text:?} {all:?}");
        }
    }

    #[test]
    fn literals_know_their_places() {
        let text = r#"x = "a\"b" "c";"#;
        let all = tokens(text);
        let strings: Vec<Token> = all.iter().copied().filter(|token| token.kind == Kind::String).collect();
        let literal = Literal::of(text, &strings);
        assert_eq!(literal.text, "a\"bc");
        assert_eq!(&text[literal.place(2)..=literal.place(2)], "b");
        assert_eq!(&text[literal.place(3)..=literal.place(3)], "c");
        assert_eq!(literal.offset(literal.place(3)), Some(3));
    }

    #[test]
    fn the_token_at_an_offset() {
        let text = "def Foo<a>";
        let all = tokens(text);
        let word = |offset| at(&all, offset).map(|index| all[index].text(text));
        assert_eq!((word(4), word(7), word(3)), (Some("Foo"), Some("Foo"), Some("def")));
        assert_eq!(word(8), Some("a"));
    }
}
