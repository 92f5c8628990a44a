//! A `.td` file as it is written: nothing is evaluated, `include` is not followed and no macro is known.
//!
//! [`lexical`] finds the ends of the parts of such a text; the lexer uses the same functions. [`tokens`] divides a text
//! into tokens, [`statements`] finds the statements in them, [`symbols`] the definitions, and [`includes`] the included
//! files. All accept any text, however broken.

pub mod includes;
pub mod lexical;
pub mod statements;
pub mod symbols;
pub mod tokens;

use std::{ops::Range, sync::Arc};

pub use statements::{Item, ItemKind, Statement, StatementKind};
pub use tokens::{Kind, Token};

/// A file with its tokens, statements and lines.
#[derive(Clone, Debug)]
pub struct Outline {
    /// Its name.
    pub file: Arc<str>,
    /// Its text. A byte that is not UTF-8 appears as `?`, so that offsets stay the same.
    pub text: Arc<str>,
    /// Its tokens, comments included and white space left out.
    pub tokens: Vec<Token>,
    /// Its outermost statements.
    pub statements: Vec<Statement>,
    lines: Vec<usize>,
}

impl Outline {
    /// Reads a file. Never fails, whatever is in it.
    #[must_use]
    pub fn new(file: impl Into<Arc<str>>, bytes: &[u8]) -> Self {
        let text: Arc<str> = std::str::from_utf8(bytes).map_or_else(|_| decoded(bytes).into(), Arc::from);
        let mut tokens = Vec::with_capacity(text.len() / 16);
        tokens.extend(tokens::tokens(text.as_bytes()).filter(|token| token.kind != Kind::Blank));
        let statements = statements::statements(&text, &tokens);
        let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
        let lines = std::iter::once(0).chain(ends).collect();
        Outline { file: file.into(), text, tokens, statements, lines }
    }

    /// Returns the text of a range.
    #[must_use]
    pub fn slice(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }

    /// Returns the text of a token.
    #[must_use]
    pub fn text_of(&self, token: Token) -> &str {
        token.text(&self.text)
    }

    /// Returns the text inside a string, code fragment, or the whole text of another token.
    #[must_use]
    pub fn inside(&self, token: Token) -> &str {
        self.slice(token.inside())
    }

    /// Returns the tokens that are neither comments nor preprocessor lines.
    pub fn code(&self) -> impl Iterator<Item = Token> {
        self.tokens.iter().copied().filter(Token::is_code)
    }

    /// Returns the tokens in a range that are neither comments nor preprocessor lines.
    #[must_use]
    pub fn code_in(&self, range: Range<usize>) -> Vec<Token> {
        let from = self.tokens.partition_point(|token| token.start < range.start);
        let in_range = self.tokens[from..].iter().take_while(|token| token.start < range.end);
        in_range.copied().filter(Token::is_code).collect()
    }

    /// Returns the token that begins at an offset.
    #[must_use]
    pub fn token_from(&self, offset: usize) -> Option<Token> {
        let index = self.tokens.partition_point(|token| token.start < offset);
        self.tokens.get(index).copied().filter(|token| token.start == offset)
    }

    /// Returns the index of the token that covers an offset, or of a word that ends there.
    #[must_use]
    pub fn token_at(&self, offset: usize) -> Option<usize> {
        let tokens = &self.tokens;
        let covers = |index: &usize| {
            let token = &tokens[*index];
            let is_wordlike = matches!(token.kind, Kind::Word | Kind::Variable | Kind::Operator);
            offset < token.end || offset == token.end && is_wordlike
        };
        let last = tokens.partition_point(|token| token.start <= offset).checked_sub(1)?;
        // If two tokens meet, a word that ends there wins over punctuation that begins there.
        let before = last.checked_sub(1).filter(|before| {
            tokens[last].start == offset
                && matches!(tokens[last].kind, Kind::Sign(_))
                && tokens[*before].end == offset
        });
        before.filter(covers).or(Some(last).filter(covers))
    }

    /// Returns every statement, including nested ones, in the order of their first bytes.
    pub fn all_statements(&self) -> impl Iterator<Item = &Statement> {
        let mut open: Vec<&Statement> = self.statements.iter().rev().collect();
        std::iter::from_fn(move || {
            let next = open.pop()?;
            open.extend(next.children.iter().rev());
            Some(next)
        })
    }

    /// Returns the statements that enclose an offset, outermost first.
    #[must_use]
    pub fn path_to(&self, offset: usize) -> Vec<&Statement> {
        statements::path_to(&self.statements, &self.tokens, offset)
    }

    /// Returns the statements whose bytes contain an offset, outermost first.
    #[must_use]
    pub fn enclosing(&self, offset: usize) -> Vec<&Statement> {
        let mut path = Vec::new();
        let mut level = &self.statements;
        while let Some(last) = level[..level.partition_point(|it| it.start <= offset)].last()
            && offset < last.end
        {
            path.push(last);
            level = &last.children;
        }
        path
    }

    /// Returns the innermost statement around an offset.
    #[must_use]
    pub fn statement_at(&self, offset: usize) -> Option<&Statement> {
        self.enclosing(offset).pop()
    }

    /// Returns the bytes of a statement's body, without the braces.
    #[must_use]
    pub fn body_of(&self, statement: &Statement) -> Option<Range<usize>> {
        let body = statement.body.as_ref()?;
        let start = self.tokens.get(body.start.checked_sub(1)?)?.end;
        let end = self.tokens.get(body.end).filter(|token| token.start < statement.end);
        Some(start..end.map_or(statement.end, |close| close.start).max(start))
    }

    /// Returns the bytes of a statement before its body, with the `{`; or all of them.
    #[must_use]
    pub fn header_of(&self, statement: &Statement) -> Range<usize> {
        statement.start..self.body_of(statement).map_or(statement.end, |body| body.start)
    }

    /// Returns the last `let` of a field in a body, or its declaration.
    #[must_use]
    pub fn item<'s>(&self, statement: &'s Statement, name: &str) -> Option<&'s Item> {
        let is_field = |it: &&Item| !matches!(it.kind, ItemKind::Defvar | ItemKind::Check);
        statement.items.iter().rev().filter(is_field).find(|it| self.text_of(it.name) == name)
    }

    /// Returns the bytes of an item's value, if it has one.
    #[must_use]
    pub fn value_of(&self, item: &Item) -> Option<Range<usize>> {
        let tokens = self.tokens.get(item.value.clone())?;
        let mut code = tokens.iter().filter(|token| token.is_code());
        let first = code.next()?;
        Some(first.start..code.next_back().unwrap_or(first).end)
    }

    /// Returns the bytes of a field's value in a body, if it has one.
    #[must_use]
    pub fn value(&self, statement: &Statement, name: &str) -> Option<Range<usize>> {
        self.value_of(self.item(statement, name)?)
    }

    /// Returns the line and the column in bytes of an offset, both from 0.
    #[must_use]
    pub fn line_of(&self, offset: usize) -> (usize, usize) {
        let offset = offset.min(self.text.len());
        let line = self.lines.partition_point(|start| *start <= offset) - 1;
        (line, offset - self.lines[line])
    }

    /// Returns the line and the column in bytes of an offset, both from 1.
    #[must_use]
    pub fn position(&self, offset: usize) -> (u32, u32) {
        let (line, column) = self.line_of(offset);
        (line as u32 + 1, column as u32 + 1)
    }

    /// Returns the offset of a line and a column, both from 1.
    #[must_use]
    pub fn offset(&self, line: u32, column: u32) -> usize {
        self.line_start((line as usize).saturating_sub(1)) + (column as usize).saturating_sub(1)
    }

    /// Returns the offset at which a line, from 0, begins; or the end of the text if there is no such line.
    #[must_use]
    pub fn line_start(&self, line: usize) -> usize {
        self.lines.get(line).copied().unwrap_or(self.text.len())
    }

    /// Returns the bytes of the lines that a range touches, with the last line break.
    #[must_use]
    pub fn lines_of(&self, range: Range<usize>) -> Range<usize> {
        let (first, last) = (self.line_of(range.start).0, self.line_of(range.end).0);
        self.line_start(first)..self.line_start(last + 1)
    }

    /// Returns a range, or its lines if nothing else is on them.
    #[must_use]
    pub fn widened(&self, range: Range<usize>) -> Range<usize> {
        let lines = self.lines_of(range.clone());
        let is_blank = |part: Range<usize>| self.slice(part).trim().is_empty();
        let is_alone = is_blank(lines.start..range.start) && is_blank(range.end..lines.end);
        if is_alone { lines } else { range }
    }

    /// Returns the number of lines.
    #[must_use]
    pub fn line_count(&self) -> usize {
        self.lines.len()
    }
}

/// Decodes UTF-8; each invalid byte becomes `?`.
fn decoded(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text
}
