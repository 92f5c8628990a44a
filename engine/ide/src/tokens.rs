//! The tokens of one file as an editor sees it, with comments and preprocessor lines, without following `include`s.
//!
//! The text may be broken anywhere. Nothing here fails, and every byte except white space is in exactly one token.

use std::ops::Range;

use odsmith_engine::outline::lexical;
pub use odsmith_engine::outline::lexical::is_word_byte;

/// The kind of a token.
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
    /// One byte of punctuation, or a byte that fits no other kind.
    Punctuation(u8),
}

/// A token and its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its kind.
    pub kind: Kind,
    /// The offset of its first byte.
    pub start: usize,
    /// The offset after its last byte.
    pub end: usize,
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

    /// Returns true if it is this word.
    #[must_use]
    pub fn is_word(&self, text: &str, word: &str) -> bool {
        self.kind == Kind::Word && self.text(text) == word
    }

    /// Returns true unless a string or code fragment lacks its end mark.
    #[must_use]
    pub fn is_closed(&self, text: &str) -> bool {
        lexical::enclosed(self.text(text).as_bytes()).is_none_or(|(_, extent)| extent.is_closed)
    }

    /// Returns true if it is this byte.
    #[must_use]
    pub fn is(&self, byte: u8) -> bool {
        self.kind == Kind::Punctuation(byte)
    }
}

/// Returns the tokens of a text.
#[must_use]
pub fn tokens(text: &str) -> Vec<Token> {
    let mut all: Vec<Token> = Vec::new();
    for lexeme in lexical::lexemes(text.as_bytes()) {
        // All bytes of one character form one token.
        if !text.is_char_boundary(lexeme.start) {
            continue;
        }
        let mut end = lexeme.end;
        while !text.is_char_boundary(end) {
            end += 1;
        }
        all.push(Token { kind: kind(lexeme.kind), start: lexeme.start, end });
    }
    all
}

fn kind(kind: lexical::Kind) -> Kind {
    match kind {
        lexical::Kind::LineComment | lexical::Kind::BlockComment => Kind::Comment,
        lexical::Kind::Directive => Kind::Directive,
        lexical::Kind::Word => Kind::Word,
        lexical::Kind::Variable => Kind::Variable,
        lexical::Kind::Operator => Kind::Operator,
        lexical::Kind::Number => Kind::Number,
        lexical::Kind::String => Kind::String,
        lexical::Kind::Code => Kind::Code,
        lexical::Kind::Sign(byte) => Kind::Punctuation(byte),
    }
}

/// Returns the index of the token that covers an offset, or of a word that ends there.
#[must_use]
pub fn at(tokens: &[Token], offset: usize) -> Option<usize> {
    let after = tokens.partition_point(|token| token.start <= offset);
    let covers = |index: &usize| {
        let token = &tokens[*index];
        offset < token.end
            || offset == token.end && matches!(token.kind, Kind::Word | Kind::Variable | Kind::Operator)
    };
    let last = after.checked_sub(1)?;
    // If two tokens meet, a word that ends there wins over punctuation that begins there.
    let before = last.checked_sub(1).filter(|before| {
        tokens[last].start == offset
            && matches!(tokens[last].kind, Kind::Punctuation(_))
            && tokens[*before].end == offset
    });
    before.filter(covers).or(Some(last).filter(covers))
}

/// The literal text of a string or code token, with the file offset of each of its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Literal {
    /// The value.
    pub text: String,
    /// Runs of bytes without escapes: their start in the value, and in the file.
    runs: Vec<(usize, usize)>,
    /// The offset in the file at which the value ends.
    end: usize,
}

impl Literal {
    /// Returns the value of adjacent string tokens, or of one code token.
    #[must_use]
    pub fn of(file: &str, tokens: &[Token]) -> Literal {
        let mut literal = Literal::default();
        for token in tokens {
            let whole = token.text(file);
            match token.kind {
                Kind::Code => {
                    let body = whole.get(2..).unwrap_or_default();
                    let body = body.strip_suffix("}]").filter(|_| token.is_closed(file)).unwrap_or(body);
                    literal.add(body, token.start + 2);
                }
                Kind::String => {
                    let body = whole.get(1..).unwrap_or_default();
                    let body = body.strip_suffix('"').filter(|_| token.is_closed(file)).unwrap_or(body);
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

    /// Returns the file offset of a byte of the value, or of its end.
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

    /// Returns the offset in the value for a file offset inside it.
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
