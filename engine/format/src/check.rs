//! The check that a file is whole: what is broken stays as it is.

use odsmith_report::{Finding, Location};
use odsmith_tablegen::{
    outline::{Kind, Outline, Statement},
    source::Excerpt,
};

/// The reason why a file cannot be formatted, and its first byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The place.
    pub offset: usize,
    /// The message.
    pub message: String,
}

impl Refusal {
    fn new(offset: usize, message: impl Into<String>) -> Self {
        Refusal { offset, message: message.into() }
    }

    /// Returns the finding, with the line of the file.
    #[must_use]
    pub fn finding(&self, outline: &Outline) -> Finding {
        at(outline, self.offset, &self.message)
    }
}

/// Returns a finding at a place of a file.
#[must_use]
pub fn at(outline: &Outline, offset: usize, message: &str) -> Finding {
    let (line, column) = outline.position(offset);
    let mut location = Location::new(&*outline.file, (line, column), None);
    let start = outline.line_start(line as usize - 1);
    let text = outline.slice(start..outline.line_start(line as usize));
    location.line = Excerpt::around(text.trim_end().as_bytes(), offset - start);
    Finding { message: message.to_owned(), location: Some(location), ..Finding::default() }
}

/// The opening brackets, by their tokens: the closing one of each.
#[derive(Clone, Debug)]
pub struct Brackets {
    /// The token of the other bracket; of other tokens themselves.
    pub partner: Vec<usize>,
}

/// Returns the pairs of brackets of a file.
///
/// # Errors
/// A token has no end, or a bracket has no partner.
pub fn brackets(outline: &Outline) -> Result<Brackets, Refusal> {
    let mut partner: Vec<usize> = (0..outline.tokens.len()).collect();
    let mut open: Vec<(usize, u8)> = Vec::new();
    for (index, token) in outline.tokens.iter().enumerate() {
        if !token.is_closed {
            let what = match token.kind {
                Kind::String => "this string has no closing quote",
                Kind::Code => "this code fragment has no '}]'",
                _ => "this comment has no '*/'",
            };
            return Err(Refusal::new(token.start, what));
        }
        let Kind::Sign(byte) = token.kind else { continue };
        let wanted = match byte {
            b'(' => b')',
            b'[' => b']',
            b'{' => b'}',
            b'<' => b'>',
            b')' | b']' | b'}' | b'>' => {
                match open.pop() {
                    Some((start, wanted)) if wanted == byte => {
                        partner[start] = index;
                        partner[index] = start;
                    }
                    Some((start, wanted)) => {
                        let (line, _) = outline.position(outline.tokens[start].start);
                        let text = outline.text_of(outline.tokens[start]);
                        let wanted = char::from(wanted);
                        return Err(Refusal::new(
                            token.start,
                            format!("expected '{wanted}', for the '{text}' of line {line}"),
                        ));
                    }
                    None => {
                        return Err(Refusal::new(
                            token.start,
                            format!("'{}' without its opening bracket", char::from(byte)),
                        ));
                    }
                }
                continue;
            }
            _ => continue,
        };
        open.push((index, wanted));
    }
    match open.pop() {
        Some((start, _)) => {
            let text = outline.text_of(outline.tokens[start]);
            Err(Refusal::new(outline.tokens[start].start, format!("'{text}' is not closed")))
        }
        None => Ok(Brackets { partner }),
    }
}

/// Checks that the statements are complete and that each token belongs to one.
///
/// # Errors
/// A statement has no end, or something is between statements.
pub fn statements(outline: &Outline) -> Result<(), Refusal> {
    level(outline, &outline.statements, 0, outline.tokens.len())
}

/// Checks the tokens from one on up to another: there are statements, and nothing else.
fn level(outline: &Outline, statements: &[Statement], from: usize, to: usize) -> Result<(), Refusal> {
    let mut at = from;
    for statement in statements {
        nothing(outline, at, statement.tokens.start)?;
        check(outline, statement)?;
        at = statement.tokens.end;
    }
    nothing(outline, at, to)
}

/// Checks that there are comments alone.
fn nothing(outline: &Outline, from: usize, to: usize) -> Result<(), Refusal> {
    let other = outline.tokens[from..to.max(from)].iter().find(|token| token.is_code());
    match other {
        Some(token) => {
            Err(Refusal::new(token.start, format!("unexpected '{}'", outline.text_of(*token).escape_debug())))
        }
        None => Ok(()),
    }
}

fn check(outline: &Outline, statement: &Statement) -> Result<(), Refusal> {
    if !statement.is_closed {
        return Err(Refusal::new(statement.start, "this statement has no end"));
    }
    for item in &statement.items {
        if !outline.tokens[item.tokens.clone()].last().is_some_and(|token| token.is(b';')) {
            return Err(Refusal::new(item.start, "this has no ';'"));
        }
    }
    // The parts of a body follow each other; what is between them is no code, but for the braces.
    let Some(body) = &statement.body else {
        return statement.children.iter().try_for_each(|child| check(outline, child));
    };
    let mut parts: Vec<_> = statement.items.iter().map(|item| item.tokens.clone()).collect();
    parts.extend(statement.children.iter().map(|child| child.tokens.clone()));
    parts.sort_by_key(|part| part.start);
    let mut at = body.start;
    let is_brace = |index: usize| {
        let token = outline.tokens[index];
        token.is(b'{') || token.is(b'}') || outline.text_of(token) == "else"
    };
    let is_if = outline.text_of(outline.tokens[statement.tokens.start]) == "if";
    let between = |from: usize, to: usize| {
        let mut from = from;
        // `} else {`
        while is_if && from < to && (!outline.tokens[from].is_code() || is_brace(from)) {
            from += 1;
        }
        nothing(outline, from, to)
    };
    for part in parts.iter().filter(|part| part.start >= body.start) {
        between(at, part.start)?;
        at = part.end;
    }
    between(at, body.end.max(at))?;
    statement.children.iter().try_for_each(|child| check(outline, child))
}
