//! The values of strings and code fragments, with the places of their bytes.

use odsmith_engine::outline::{Kind, Token};

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
            let inside = token.inside();
            let body = file.get(inside.clone()).unwrap_or_default();
            match token.kind {
                Kind::Code => literal.add(body, inside.start),
                Kind::String => literal.add_escaped(body, inside.start),
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
    use odsmith_engine::outline::tokens::tokens;

    use super::*;

    #[test]
    fn literals_know_their_places() {
        let text = r#"x = "a\"b" "c";"#;
        let all = tokens(text.as_bytes());
        let strings: Vec<Token> = all.filter(|token| token.kind == Kind::String).collect();
        let literal = Literal::of(text, &strings);
        assert_eq!(literal.text, "a\"bc");
        assert_eq!(&text[literal.place(2)..=literal.place(2)], "b");
        assert_eq!(&text[literal.place(3)..=literal.place(3)], "c");
        assert_eq!(literal.offset(literal.place(3)), Some(3));
    }
}
