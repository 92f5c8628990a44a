//! Reading a given text with a format's parser, as far as that is decidable without C++.
//!
//! ```text
//! format:  $lhs `,` $rhs attr-dict `:` type($lhs)
//! text:    %a, %b : i32          taken
//! text:    %a, %b                refused at the end, where ':' is expected
//! text:    %a, ... : i32         unclear: no text, but a pattern of one
//! ```
//!
//! The parser decides by the next token, so one pass is enough. It stops at text that only C++ reads.

use super::{
    Class, Format,
    class::is_builtin_type,
    parser::{Parser, Step},
};

/// The result for a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fit {
    /// The parser accepts it up to this byte.
    Taken(usize),
    /// The parser rejects the text at this byte.
    Refused {
        /// The first rejected byte.
        at: usize,
        /// The expected text, for messages; `None` if the text had to end.
        wanted: Option<String>,
    },
    /// Undecidable.
    Unclear,
}

/// The most steps of a parser. Loops end with the text.
const STEPS: usize = 10_000;

/// Decides if a format's parser accepts a text that follows the name of an operation. Other operations may come after
/// it.
#[must_use]
pub fn fit(format: &Format, text: &str) -> Fit {
    let text = without_comments(text);
    let mut reader = Reader { text: &text, regions: Vec::new() };
    let parser = Parser::new(format, &|_| true);
    let fit = reader.run(&parser);
    let end = match &fit {
        Fit::Taken(at) | Fit::Refused { at, .. } => *at,
        Fit::Unclear => return Fit::Unclear,
    };
    if reader.is_sketch(end) { Fit::Unclear } else { fit }
}

/// Replaces comments by blanks.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let starts = line.match_indices("//").map(|(at, _)| at);
        // A comment does not begin in a string.
        let start = starts.into_iter().find(|at| line[..*at].matches('"').count() % 2 == 0);
        let start = start.unwrap_or(line.len());
        out.push_str(&line[..start]);
        out.extend(line[start..].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
    }
    out
}

/// The result of reading one piece.
enum Reading {
    /// The piece up to this byte.
    Piece(usize),
    /// Something else.
    Other,
    /// Only C++ knows.
    Unknown,
}

struct Reader<'t> {
    text: &'t str,
    /// The regions that were read, whose content is not checked.
    regions: Vec<(usize, usize)>,
}

fn is_identifier(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')
}

impl Reader<'_> {
    fn run(&mut self, parser: &Parser) -> Fit {
        let (mut at, mut step, mut marks) = (0, 0, 0_u64);
        let refused = |at: usize, class: Option<&Class>| Fit::Refused {
            at,
            wanted: class.map(|class| class.sample("value")),
        };
        for _ in 0..STEPS {
            let next = self.skip_blanks(at);
            match parser.steps.get(step) {
                None => return Fit::Unclear,
                Some(Step::End) => return self.end(at),
                Some(Step::Jump(to)) => step = *to,
                Some(Step::IfMarked { bits, to }) => {
                    step = if marks & bits == *bits { *to } else { step + 1 }
                }
                Some(Step::Mark { bit, is_once }) => {
                    if *is_once && (marks >> bit) & 1 == 1 {
                        return refused(next, None);
                    }
                    marks |= 1 << bit;
                    step += 1;
                }
                Some(Step::Need(bit)) => {
                    if (marks >> bit) & 1 == 0 {
                        return Fit::Unclear;
                    }
                    step += 1;
                }
                Some(Step::Take(wanted)) => match self.read(&wanted.class, next) {
                    Reading::Piece(end) => (at, step) = (end, step + 1),
                    // A word in place of a value or type is a placeholder.
                    Reading::Other if self.is_placeholder(&wanted.class, next) => return Fit::Unclear,
                    Reading::Other => return refused(next, Some(&wanted.class)),
                    Reading::Unknown => return Fit::Unclear,
                },
                Some(Step::Try { wanted, otherwise }) => match self.read(&wanted.class, next) {
                    Reading::Piece(end) => (at, step) = (end, step + 1),
                    Reading::Other => step = *otherwise,
                    Reading::Unknown => return Fit::Unclear,
                },
            }
        }
        Fit::Unclear
    }

    /// Checks that the text after the last piece may begin another operation, on another line.
    fn end(&self, at: usize) -> Fit {
        let next = self.skip_blanks(at);
        let rest = &self.text[next..];
        let is_same_line = !self.text[at..next].contains('\n');
        let goes_on = [":", ",", "->", "<", "(", "[", "{", "="].iter().any(|sign| rest.starts_with(sign));
        let may_follow =
            rest.is_empty() || rest.starts_with(['}', ']', ')', ';']) || rest.starts_with("loc(");
        match goes_on || is_same_line && !may_follow {
            true => Fit::Refused { at: next, wanted: None },
            false => Fit::Taken(at),
        }
    }

    /// Returns true if the text up to the end of this line contains an ellipsis or signs of a grammar.
    fn is_sketch(&self, end: usize) -> bool {
        let line_end = self.text[end..].find('\n').map_or(self.text.len(), |length| end + length);
        let mut start = 0;
        let regions = self.regions.iter().filter(|(from, _)| *from < line_end);
        let mut pieces: Vec<&str> = Vec::new();
        for (from, to) in regions {
            pieces.push(&self.text[start..*from]);
            start = (*to).min(line_end);
        }
        pieces.push(&self.text[start.min(line_end)..line_end]);
        let marks = ["...", "…", "`", "$", "::=", "{{", " | ", "<-", "[["];
        pieces.iter().any(|piece| marks.iter().any(|mark| piece.contains(mark)))
    }

    fn is_placeholder(&self, class: &Class, at: usize) -> bool {
        let is_word = self.text[at..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        is_word
            && matches!(
                class,
                Class::Value | Class::Type(_) | Class::Symbol | Class::SymbolPath | Class::Attribute
            )
    }

    fn skip_blanks(&self, at: usize) -> usize {
        self.text.len() - self.text[at..].trim_start().len()
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// Returns the end of the token at a byte.
    fn token(&self, at: usize) -> usize {
        let rest = &self.text[at..];
        match self.byte(at) {
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => {
                at + rest.bytes().take_while(|byte| is_identifier(*byte)).count()
            }
            Some(byte) if byte.is_ascii_digit() => {
                at + rest.bytes().take_while(u8::is_ascii_alphanumeric).count()
            }
            Some(_) if rest.starts_with("->") || rest.starts_with("::") => at + 2,
            Some(_) => at + rest.chars().next().map_or(0, char::len_utf8),
            None => at,
        }
    }

    fn word(&self, at: usize) -> &str {
        &self.text[at..self.token(at)]
    }

    fn read(&mut self, class: &Class, at: usize) -> Reading {
        let first = self.byte(at);
        let taken = |end: Option<usize>| end.map_or(Reading::Unknown, Reading::Piece);
        match (class, first) {
            (Class::Custom(_) | Class::Code(_), _) => Reading::Unknown,
            (Class::Literal(literal), _) => match self.word(at) == literal {
                true => Reading::Piece(at + literal.len()),
                false => Reading::Other,
            },
            (Class::Enum { words, strings }, _) => self.case(words, strings, at),
            (Class::Value, Some(b'%')) => Reading::Piece(self.value(at)),
            (Class::Successor, Some(b'^')) => Reading::Piece(self.suffix(at + 1)),
            (Class::Region, Some(b'{')) => {
                let end = self.balanced(at);
                self.regions.extend(end.map(|end| (at, end)));
                taken(end)
            }
            (Class::Dictionary, Some(b'{')) => taken(self.balanced(at)),
            (Class::PropDictionary, Some(b'<')) if self.text[at..].starts_with("<{") => {
                taken(self.balanced(at))
            }
            (Class::FunctionType, Some(b'(')) => taken(self.function_type(at)),
            (Class::Symbol, Some(b'@')) => taken(self.symbol(at)),
            (Class::SymbolPath, Some(b'@')) => taken(self.symbol_path(at)),
            (Class::Type(class), _) => self.ty(class, at),
            (Class::String, Some(b'"')) => taken(self.string(at)),
            (Class::Array | Class::DenseArray, Some(b'[')) => taken(self.balanced(at)),
            (Class::Bool, _) if matches!(self.word(at), "true" | "false") => Reading::Piece(self.token(at)),
            (Class::Integer | Class::Float, Some(b'-' | b'0'..=b'9')) => self.number(at),
            (Class::AffineMap | Class::IntegerSet | Class::Elements | Class::Unit | Class::Attribute, _) => {
                self.attribute(class, at)
            }
            // An alias, or the full syntax of an attribute.
            (_, Some(b'#')) if is_attribute(class) => Reading::Unknown,
            (Class::Own(_), _) => Reading::Unknown,
            // Some classes are written with their name, or as numbers.
            (Class::DenseArray, _) if self.word(at) == "array" => Reading::Unknown,
            (Class::Bool, Some(b'0'..=b'9')) => Reading::Unknown,
            (Class::Integer, _) if matches!(self.word(at), "true" | "false") => Reading::Unknown,
            _ => Reading::Other,
        }
    }

    fn case(&self, words: &[String], strings: &[String], at: usize) -> Reading {
        match self.byte(at) {
            Some(b'"') => match self.string(at) {
                Some(end) if strings.iter().chain(words).any(|it| *it == self.text[at + 1..end - 1]) => {
                    Reading::Piece(end)
                }
                Some(_) => Reading::Other,
                None => Reading::Unknown,
            },
            Some(b'#') => Reading::Unknown,
            _ if words.iter().any(|word| word == self.word(at)) => Reading::Piece(self.token(at)),
            // A case may be a number, or contain signs.
            _ if words.iter().any(|word| self.text[at..].starts_with(word.as_str())) => Reading::Unknown,
            _ => Reading::Other,
        }
    }

    /// Returns the end of a name after its sigil.
    fn suffix(&self, at: usize) -> usize {
        let is_part = |byte: &u8| is_identifier(*byte) || *byte == b'-';
        at + self.text.bytes().skip(at).take_while(is_part).count()
    }

    fn value(&self, at: usize) -> usize {
        let end = self.suffix(at + 1);
        let digits = |at: usize| self.text.bytes().skip(at).take_while(u8::is_ascii_digit).count();
        match self.byte(end) {
            Some(b'#') if digits(end + 1) > 0 => end + 1 + digits(end + 1),
            _ => end,
        }
    }

    fn string(&self, at: usize) -> Option<usize> {
        let mut end = at + 1;
        loop {
            match self.byte(end)? {
                b'"' => return Some(end + 1),
                b'\\' => end += 2,
                b'\n' => return None,
                _ => end += 1,
            }
        }
    }

    fn symbol(&self, at: usize) -> Option<usize> {
        match self.byte(at + 1)? {
            b'"' => self.string(at + 1),
            byte if is_identifier(byte) => Some(self.suffix(at + 1)),
            _ => None,
        }
    }

    fn symbol_path(&self, at: usize) -> Option<usize> {
        let mut end = self.symbol(at)?;
        while self.text[end..].starts_with("::@") {
            end = self.symbol(end + 2)?;
        }
        Some(end)
    }

    fn number(&self, at: usize) -> Reading {
        let start = at + usize::from(self.byte(at) == Some(b'-'));
        let is_digit = |at: usize| self.byte(at).is_some_and(|byte| byte.is_ascii_digit());
        if !is_digit(start) {
            return Reading::Unknown;
        }
        let mut end = self.token(start);
        if self.byte(end) == Some(b'.') {
            end = self.token(end + 1).max(end + 1);
        }
        // `1e-5`
        if self.text[..end].ends_with(['e', 'E']) && matches!(self.byte(end), Some(b'-' | b'+')) {
            end = self.token(end + 1);
        }
        Reading::Piece(end)
    }

    /// Returns the position after the bracket that closes the one here.
    fn balanced(&self, at: usize) -> Option<usize> {
        let mut open = Vec::new();
        let mut end = at;
        loop {
            let byte = self.byte(end)?;
            let closes =
                |open: u8| matches!((open, byte), (b'(', b')') | (b'[', b']') | (b'{', b'}') | (b'<', b'>'));
            match byte {
                b'"' => {
                    end = self.string(end)?;
                    continue;
                }
                b'-' if self.byte(end + 1) == Some(b'>') => end += 1,
                b'(' | b'[' | b'{' | b'<' => open.push(byte),
                // It is part of a comparison or arrow, not a bracket.
                b'>' if open.last() != Some(&b'<') => {}
                b')' | b']' | b'}' | b'>' => {
                    if open.last() == Some(&b'<') && byte != b'>' {
                        open.pop();
                    }
                    closes(open.pop()?).then_some(())?;
                }
                _ => {}
            }
            end += 1;
            if open.is_empty() {
                return Some(end);
            }
        }
    }

    /// Skips the brackets that directly follow a name.
    fn with_arguments(&self, end: usize) -> Option<usize> {
        if self.byte(end) == Some(b'<') { self.balanced(end) } else { Some(end) }
    }

    /// Reads a type with its dialect's prefix, or a builtin one.
    fn any_type(&self, at: usize) -> Option<usize> {
        match self.byte(at)? {
            b'!' => self.with_arguments(self.suffix(at + 1)),
            b'(' => self.function_type(at),
            _ if is_builtin_type(self.word(at)) => self.with_arguments(self.token(at)),
            _ => None,
        }
    }

    fn ty(&self, class: &str, at: usize) -> Reading {
        let is_own = !class.is_empty();
        match self.byte(at) {
            Some(b'!') => self.any_type(at).map_or(Reading::Unknown, Reading::Piece),
            None | Some(b')' | b']' | b'}' | b',' | b':' | b'=' | b'%' | b'@') => Reading::Other,
            Some(b'-') if self.word(at) == "->" => Reading::Other,
            // Without dialect and mnemonic, only C++ can read it.
            Some(_) if is_own => Reading::Unknown,
            Some(b'(') => self.any_type(at).map_or(Reading::Unknown, Reading::Piece),
            Some(_) if is_builtin_type(self.word(at)) => {
                self.any_type(at).map_or(Reading::Unknown, Reading::Piece)
            }
            Some(_) => Reading::Other,
        }
    }

    fn function_type(&self, at: usize) -> Option<usize> {
        let arrow = self.skip_blanks(self.balanced(at)?);
        let results = self.text[arrow..].strip_prefix("->").map(|_| self.skip_blanks(arrow + 2))?;
        match self.byte(results)? {
            b'(' => {
                let end = self.balanced(results)?;
                let is_function = self.text[self.skip_blanks(end)..].starts_with("->");
                (!is_function).then_some(end)
            }
            _ => self.any_type(results),
        }
    }

    /// Reads an attribute of one of MLIR's own classes, or any attribute.
    fn attribute(&self, class: &Class, at: usize) -> Reading {
        let is_any = *class == Class::Attribute;
        let word = self.word(at);
        let is_meant = match word {
            "affine_map" => is_any || *class == Class::AffineMap,
            "affine_set" => is_any || *class == Class::IntegerSet,
            "dense" | "dense_resource" | "sparse" => is_any || *class == Class::Elements,
            "unit" => {
                return if is_any || *class == Class::Unit {
                    Reading::Piece(self.token(at))
                } else {
                    Reading::Other
                };
            }
            _ => false,
        };
        let end = match self.byte(at) {
            Some(b'#') => self.with_arguments(self.suffix(at + 1)),
            Some(_) if is_meant => self.with_arguments(self.token(at)),
            Some(b'[' | b'{') if is_any => self.balanced(at),
            Some(b'"') if is_any => self.string(at),
            Some(b'@') if is_any => self.symbol_path(at),
            Some(b'0'..=b'9' | b'-') if is_any && word != "->" => match self.number(at) {
                Reading::Piece(end) => Some(end),
                Reading::Other | Reading::Unknown => None,
            },
            Some(_) if is_any && matches!(word, "true" | "false") => Some(self.token(at)),
            Some(b'!' | b'(') if is_any => self.any_type(at),
            Some(_) if is_any && is_builtin_type(word) => self.any_type(at),
            None | Some(b')' | b']' | b'}' | b',' | b':' | b'=' | b'%' | b'^') => return Reading::Other,
            // An unknown word.
            Some(_) if is_any => None,
            Some(_) => return Reading::Other,
        };
        let Some(end) = end else { return Reading::Unknown };
        self.with_type(end)
    }

    /// Returns the attribute up to `end`, or [`Reading::Unknown`] if a `:` follows, since a type may be part of it.
    fn with_type(&self, end: usize) -> Reading {
        let colon = self.skip_blanks(end);
        if self.byte(colon) != Some(b':') || self.word(colon) == "::" {
            return Reading::Piece(end);
        }
        // Only some attributes include the type.
        Reading::Unknown
    }
}

/// Returns true for classes of attributes, for which an alias may be written.
fn is_attribute(class: &Class) -> bool {
    matches!(
        class,
        Class::Bool
            | Class::Integer
            | Class::Float
            | Class::String
            | Class::Array
            | Class::DenseArray
            | Class::Own(_)
    )
}

#[cfg(test)]
mod tests {
    use super::{
        super::grammar::{Element, Entity, Kind},
        *,
    };

    /// `$lhs (`by` $step^)? attr-dict `:` type($lhs)`
    fn format() -> Format {
        let literal = |text: &str| Element::Literal(text.to_owned());
        let group = Element::Optional {
            then: vec![literal("by"), Element::Entity(1)],
            otherwise: Vec::new(),
            anchor: 1,
            is_inverted: false,
        };
        Format {
            entities: vec![
                Entity::one(Kind::Operand, "lhs", Class::Value),
                Entity::one(Kind::Attribute, "step", Class::Integer).counted(0, 1),
            ],
            elements: vec![
                Element::Entity(0),
                group,
                Element::AttrDict { with_keyword: false },
                literal(":"),
                Element::Type(0),
            ],
            ..Format::default()
        }
    }

    #[test]
    fn texts() {
        let refused =
            |at: usize, wanted: Option<&str>| Fit::Refused { at, wanted: wanted.map(str::to_owned) };
        for (text, expected) in [
            ("%x : i32", Fit::Taken(8)),
            ("%x by 3 {a = \"}\"} : tensor<?x!a.b<(i32) -> i32>> // so", Fit::Taken(48)),
            ("%x#1 : (i32) -> (i32, i64)\n%y = ex.other", Fit::Taken(26)),
            ("%x step 3 : i32", refused(3, Some(":"))),
            ("%x by %y : i32", refused(6, Some("1"))),
            ("%x", refused(2, Some(":"))),
            ("%x : i32, i32", refused(8, None)),
            ("%x : i32\n -> i32", refused(10, None)),
            ("%x, ... : i32", Fit::Unclear),
            ("x : i32", Fit::Unclear),
            ("%x : T", Fit::Unclear),
            ("%x by #step : i32", Fit::Unclear),
            // Pieces of a text.
            ("", refused(0, Some("%value"))),
            ("\"", refused(0, Some("%value"))),
            ("ä", refused(0, Some("%value"))),
            ("%", refused(1, Some(":"))),
            ("%x {", Fit::Unclear),
            ("%x {\"\\", Fit::Unclear),
            ("%x by -", Fit::Unclear),
            ("%x : (", Fit::Unclear),
            ("%x : tensor<", Fit::Unclear),
        ] {
            assert_eq!(fit(&format(), text), expected, "{text}");
        }
    }
}
