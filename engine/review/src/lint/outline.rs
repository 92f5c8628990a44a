//! A file of the user as tokens and statements, for details that records do not keep: comments, the place of `$name` in
//! a dag, the text that a fix replaces. Nothing is evaluated, and `include` is not followed.
//!
//! ```text
//! // odsmith: ignore COR011: …      comment
//! let cppNamespace = "::a" in {     Let     ─┐
//! def Foo : Base<"foo"> {           Def      │ items: let arguments …
//!   let arguments = (ins I32:$x);            │
//! }                                          │
//! }                                         ─┘
//! ```

use std::sync::Arc;

use odsmith_tablegen::outline::lexical;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name, keyword or number.
    Word,
    /// `"…"`.
    String,
    /// `[{…}]`.
    Code,
    /// `$name`.
    Variable,
    /// Anything else, byte by byte; a bang operator is one of these and a word.
    Sign(u8),
    /// `#ifdef` and the like, up to the end of the line.
    Directive,
}

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its kind.
    pub kind: Kind,
    /// Its first byte.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
}

/// A comment of one line, with its marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Its first byte.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    /// True if something else is before it on its line.
    pub is_trailing: bool,
}

/// The kind of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keyword {
    /// `def`.
    Def,
    /// `class`.
    Class,
    /// `multiclass`.
    Multiclass,
    /// `defm`.
    Defm,
    /// `let … in`.
    Let,
    /// `include`.
    Include,
    /// `defvar`.
    Defvar,
    /// `foreach`, `if`, `defset` and others that only surround statements or are ignored.
    Other,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Its kind.
    pub keyword: Keyword,
    /// Its name; of an `include` the string. `None` if there is none, or if it is pasted together.
    pub name: Option<Token>,
    /// Its first byte.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    /// Between `{` and `}`, without them.
    pub body: Option<(u32, u32)>,
    /// The items in the body of a `def` or `class`.
    pub items: Vec<Item>,
    /// The statement around it.
    pub parent: Option<usize>,
    /// Names after `<` of a class or multiclass, up to `>`.
    pub template_args: Vec<Token>,
}

/// An item in the body of a `def` or `class`.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    /// Its kind.
    pub kind: ItemKind,
    /// The name of the field or variable.
    pub name: Token,
    /// Its first byte.
    pub start: u32,
    /// One past its last byte, the `;`.
    pub end: u32,
    /// The value without `=` and `;`.
    pub value: Option<(u32, u32)>,
}

/// The kind of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// `let x = …;`, of a whole field.
    Let,
    /// `let x{…} = …;`, `let append x = …;`.
    PartialLet,
    /// `string x = …;`.
    Field,
    /// `defvar x = …;`.
    Defvar,
}

/// A file.
#[derive(Clone, Debug)]
pub struct Outline {
    /// Its name.
    pub file: Arc<str>,
    /// Its text.
    pub text: Arc<[u8]>,
    /// Tokens, without comments.
    pub tokens: Vec<Token>,
    /// Comments.
    pub comments: Vec<Comment>,
    /// Statements in the order of their first bytes.
    pub statements: Vec<Statement>,
    lines: Vec<u32>,
}

impl Outline {
    /// Reads a file. Never fails, whatever is in it.
    #[must_use]
    pub fn new(file: Arc<str>, text: Arc<[u8]>) -> Outline {
        let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at as u32 + 1);
        let lines = std::iter::once(0).chain(ends).collect();
        let (tokens, comments) = scan(&text);
        let mut outline = Outline { file, text, tokens, comments, statements: Vec::new(), lines };
        let mut reader = Reader { text: &outline.text, tokens: &outline.tokens, at: 0, found: Vec::new() };
        reader.statements(None, 0);
        let mut statements = reader.found;
        // The parser adds a statement before its children.
        statements.shrink_to_fit();
        outline.statements = statements;
        outline
    }

    /// Returns the text of a piece, or an empty text if it is not UTF-8.
    #[must_use]
    pub fn slice(&self, start: u32, end: u32) -> &str {
        let bytes = self.text.get(start as usize..end as usize).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    /// Returns the text of a token.
    #[must_use]
    pub fn word(&self, token: Token) -> &str {
        self.slice(token.start, token.end)
    }

    /// Returns line and column of an offset, both from 1.
    #[must_use]
    pub fn position(&self, at: u32) -> (u32, u32) {
        let line = self.lines.partition_point(|&start| start <= at).max(1);
        (line as u32, at - self.lines.get(line - 1).copied().unwrap_or_default() + 1)
    }

    /// Returns the offset of the first byte of a line, from 1.
    #[must_use]
    pub fn line_start(&self, line: u32) -> u32 {
        self.lines.get(line.saturating_sub(1) as usize).copied().unwrap_or(self.text.len() as u32)
    }

    /// Returns the token that begins at an offset.
    #[must_use]
    pub fn token_at(&self, at: u32) -> Option<Token> {
        let index = self.tokens.partition_point(|token| token.start < at);
        self.tokens.get(index).copied().filter(|token| token.start == at)
    }

    /// Returns the tokens in a piece.
    pub fn tokens_in(&self, start: u32, end: u32) -> &[Token] {
        let from = self.tokens.partition_point(|token| token.start < start);
        let to = self.tokens.partition_point(|token| token.start < end);
        self.tokens.get(from..to).unwrap_or_default()
    }

    /// Returns the innermost `def`, `class`, `defm` or the like around an offset.
    #[must_use]
    pub fn statement_at(&self, at: u32) -> Option<&Statement> {
        let around = self.statements.iter().rev().filter(|it| it.start <= at && at < it.end);
        around.min_by_key(|it| it.end - it.start)
    }

    /// Returns the statements around one, from the inside out, without it.
    pub fn around(&self, statement: &Statement) -> impl Iterator<Item = &Statement> {
        let mut parent = statement.parent;
        std::iter::from_fn(move || {
            let outer = self.statements.get(parent?)?;
            parent = outer.parent;
            Some(outer)
        })
    }
}

impl Statement {
    /// Returns the last `let` of a field, or its declaration.
    #[must_use]
    pub fn item(&self, outline: &Outline, name: &str) -> Option<&Item> {
        self.items.iter().rev().find(|item| item.kind != ItemKind::Defvar && outline.word(item.name) == name)
    }
}

fn scan(text: &[u8]) -> (Vec<Token>, Vec<Comment>) {
    let (mut tokens, mut comments) = (Vec::new(), Vec::new());
    // The end of the last token that stays on its line.
    let mut code_end = None;
    for lexeme in lexical::lexemes(text) {
        let (start, end) = (lexeme.start as u32, lexeme.end as u32);
        let kind = match lexeme.kind {
            lexical::Kind::LineComment => {
                let is_trailing =
                    code_end.is_some_and(|end| memchr::memchr(b'\n', &text[end..lexeme.start]).is_none());
                comments.push(Comment { start, end, is_trailing });
                continue;
            }
            lexical::Kind::BlockComment => continue,
            lexical::Kind::Directive => {
                code_end = None;
                tokens.push(Token { kind: Kind::Directive, start, end });
                continue;
            }
            lexical::Kind::String => Kind::String,
            lexical::Kind::Code => Kind::Code,
            lexical::Kind::Variable => Kind::Variable,
            lexical::Kind::Word => Kind::Word,
            lexical::Kind::Sign(byte) => Kind::Sign(byte),
            // A mark or a sign, and a word.
            lexical::Kind::Operator | lexical::Kind::Number => {
                let sign = text[lexeme.start];
                let mark = u32::from(!lexical::is_word_byte(sign));
                if mark > 0 {
                    tokens.push(Token { kind: Kind::Sign(sign), start, end: start + mark });
                }
                code_end = Some(lexeme.end);
                tokens.push(Token { kind: Kind::Word, start: start + mark, end });
                continue;
            }
        };
        code_end = Some(lexeme.end);
        tokens.push(Token { kind, start, end });
    }
    (tokens, comments)
}

/// The nesting limit for statements.
const DEPTH: usize = 64;

struct Reader<'t> {
    text: &'t [u8],
    tokens: &'t [Token],
    at: usize,
    found: Vec<Statement>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }

    fn word(&self, token: Token) -> &[u8] {
        self.text.get(token.start as usize..token.end as usize).unwrap_or_default()
    }

    fn is_sign(&self, sign: u8) -> bool {
        self.peek().is_some_and(|token| token.kind == Kind::Sign(sign))
    }

    /// Reads statements up to the end, or up to a `}` that closes the surrounding one.
    fn statements(&mut self, parent: Option<usize>, depth: usize) {
        while let Some(token) = self.peek() {
            if token.kind == Kind::Sign(b'}') {
                return;
            }
            let before = self.at;
            self.statement(parent, depth);
            if self.at == before {
                self.at += 1;
            }
        }
    }

    fn statement(&mut self, parent: Option<usize>, depth: usize) {
        let Some(first) = self.peek() else { return };
        let keyword = match self.word(first) {
            b"def" => Keyword::Def,
            b"class" => Keyword::Class,
            b"multiclass" => Keyword::Multiclass,
            b"defm" => Keyword::Defm,
            b"let" => Keyword::Let,
            b"include" => Keyword::Include,
            b"defvar" => Keyword::Defvar,
            b"foreach" | b"if" | b"else" | b"defset" | b"assert" | b"dump" | b"deftype" => Keyword::Other,
            _ => {
                self.at += 1;
                return;
            }
        };
        self.at += 1;
        let is_named = !matches!(keyword, Keyword::Let | Keyword::Other);
        let name = self.peek().filter(|token| is_named && matches!(token.kind, Kind::Word | Kind::String));
        let follows = self.tokens.get(self.at + 1);
        // A name followed by `#` is pasted together.
        let name = name.filter(|_| follows.is_none_or(|token| token.kind != Kind::Sign(b'#')));
        let index = self.found.len();
        self.found.push(Statement {
            keyword,
            name,
            start: first.start,
            end: first.end,
            body: None,
            items: Vec::new(),
            parent,
            template_args: Vec::new(),
        });
        if keyword == Keyword::Include {
            self.at += usize::from(name.is_some());
        } else if matches!(keyword, Keyword::Class | Keyword::Multiclass) {
            self.at += usize::from(name.is_some());
            if self.is_sign(b'<') {
                let from = self.at;
                self.skip_brackets();
                self.found[index].template_args = self.template_args(from + 1, self.at.saturating_sub(1));
            }
        }
        if keyword != Keyword::Include {
            self.rest(index, keyword, depth);
        }
        let end = self.at.checked_sub(1).and_then(|last| self.tokens.get(last));
        self.found[index].end = end.map_or(first.end, |last| last.end);
    }

    /// Reads what follows the head: a body, `;`, or the statement that a `let`, `foreach` or `if` applies to.
    fn rest(&mut self, index: usize, keyword: Keyword, depth: usize) {
        while let Some(token) = self.peek() {
            match token.kind {
                Kind::Sign(b';') => {
                    self.at += 1;
                    return;
                }
                Kind::Sign(b'}') => return,
                Kind::Sign(b'{') => return self.body(index, keyword, depth),
                Kind::Sign(b'<' | b'(' | b'[') => self.skip_brackets(),
                Kind::Word
                    if matches!(keyword, Keyword::Let | Keyword::Other)
                        && matches!(self.word(token), b"in" | b"then") =>
                {
                    self.at += 1;
                    if !self.is_sign(b'{') && depth < DEPTH {
                        return self.statement(Some(index), depth + 1);
                    }
                }
                // The first word of the `else` branch.
                Kind::Word
                    if keyword == Keyword::Other
                        && matches!(self.word(token), b"def" | b"defm" | b"let" | b"if" | b"foreach")
                        && depth < DEPTH =>
                {
                    return self.statement(Some(index), depth + 1);
                }
                _ => self.at += 1,
            }
        }
    }

    fn body(&mut self, index: usize, keyword: Keyword, depth: usize) {
        let Some(open) = self.peek() else { return };
        if matches!(keyword, Keyword::Def | Keyword::Class | Keyword::Defm) || depth >= DEPTH {
            let from = self.at + 1;
            self.skip_brackets();
            let to = self.at.saturating_sub(1).max(from);
            self.found[index].items = self.items(from, to);
        } else {
            self.at += 1;
            self.statements(Some(index), depth + 1);
            self.at += usize::from(self.is_sign(b'}'));
        }
        let close = self.at.checked_sub(1).and_then(|last| self.tokens.get(last));
        self.found[index].body = close.map(|close| (open.end, close.start.max(open.end)));
    }

    /// Moves from an opening bracket past the one that closes it.
    fn skip_brackets(&mut self) {
        let mut depth = 0_usize;
        while let Some(token) = self.peek() {
            self.at += 1;
            match token.kind {
                Kind::Sign(b'<' | b'(' | b'[' | b'{') => depth += 1,
                Kind::Sign(b'>' | b')' | b']' | b'}') => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    fn template_args(&self, from: usize, to: usize) -> Vec<Token> {
        let mut found = Vec::new();
        let mut depth = 0_usize;
        let mut is_named = false;
        let tokens = self.tokens.get(from..to).unwrap_or_default();
        for (index, token) in tokens.iter().enumerate() {
            match token.kind {
                Kind::Sign(b'<' | b'(' | b'[' | b'{') => depth += 1,
                Kind::Sign(b'>' | b')' | b']' | b'}') => depth = depth.saturating_sub(1),
                Kind::Sign(b',') if depth == 0 => is_named = false,
                Kind::Word if depth == 0 && !is_named => {
                    let next = tokens.get(index + 1).map(|next| next.kind);
                    // The last word before `=`, `,` or the end is the name.
                    if matches!(next, None | Some(Kind::Sign(b',' | b'='))) {
                        found.push(*token);
                        is_named = true;
                    }
                }
                _ => {}
            }
        }
        found
    }

    fn items(&self, from: usize, to: usize) -> Vec<Item> {
        let mut items = Vec::new();
        let mut start = from;
        let mut depth = 0_usize;
        for index in from..to {
            match self.tokens.get(index).map(|token| token.kind) {
                Some(Kind::Sign(b'<' | b'(' | b'[' | b'{')) => depth += 1,
                Some(Kind::Sign(b'>' | b')' | b']' | b'}')) => depth = depth.saturating_sub(1),
                Some(Kind::Sign(b';')) if depth == 0 => {
                    items.extend(self.item(start, index));
                    start = index + 1;
                }
                _ => {}
            }
        }
        items
    }

    /// Returns the item that ends with the `;` at token `end`.
    fn item(&self, start: usize, end: usize) -> Option<Item> {
        let tokens = self.tokens.get(start..end)?;
        let (first, last) = (tokens.first()?, self.tokens.get(end)?);
        let mut depth = 0_usize;
        let equals = tokens.iter().position(|token| {
            match token.kind {
                Kind::Sign(b'<' | b'(' | b'[' | b'{') => depth += 1,
                Kind::Sign(b'>' | b')' | b']' | b'}') => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && token.kind == Kind::Sign(b'=')
        });
        let head = tokens.get(..equals.unwrap_or(tokens.len()))?;
        let value = equals.and_then(|at| Some((tokens.get(at + 1)?.start, tokens.last()?.end)));
        let is_partial = head.last()?.kind == Kind::Sign(b'}');
        let name =
            head.iter().rev().find(|token| token.kind == Kind::Word && self.is_outside(head, token))?;
        let kind = match self.word(*first) {
            b"let" if is_partial || head.len() > 2 => ItemKind::PartialLet,
            b"let" => ItemKind::Let,
            b"defvar" => ItemKind::Defvar,
            b"assert" | b"dump" => return None,
            _ => ItemKind::Field,
        };
        Some(Item { kind, name: *name, start: first.start, end: last.end, value })
    }

    /// Returns true if a token of a head is in no brackets.
    fn is_outside(&self, head: &[Token], token: &Token) -> bool {
        let before = head.iter().take_while(|it| it.start < token.start);
        let mut depth = 0_i32;
        for token in before {
            match token.kind {
                Kind::Sign(b'<' | b'{') => depth += 1,
                Kind::Sign(b'>' | b'}') => depth -= 1,
                _ => {}
            }
        }
        depth == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(text: &str) -> Outline {
        Outline::new("a.td".into(), text.as_bytes().into())
    }

    fn shown(text: &str) -> Vec<String> {
        let outline = outline(text);
        let shown = outline.statements.iter().map(|it| {
            let name = it.name.map(|name| outline.word(name)).unwrap_or_default();
            let items: Vec<&str> = it.items.iter().map(|item| outline.word(item.name)).collect();
            format!("{:?} {name} [{}] {:?}", it.keyword, items.join(" "), it.parent)
        });
        shown.collect()
    }

    #[test]
    fn statements() {
        let text = r#"
            include "a.td"
            let x = 1, y = [{ a }] in {
            def A : B<"a", [C<{1, 0}>]> { let z = (ins I:$x); list<int> w = [1]; defvar q = 2; let bits{3-1} = 1; }
            }
            multiclass M<int a, list<string> b = []> { def _x : C; defm "" : N<a>; }
            foreach i = [1] in def D#i : E;
            if c then { def F; } else { def G; }
        "#;
        let expected = [
            "Include \"a.td\" [] None",
            "Let  [] None",
            "Def A [z w q bits] Some(1)",
            "Multiclass M [] None",
            "Def _x [] Some(3)",
            "Defm \"\" [] Some(3)",
            "Other  [] None",
            "Def  [] Some(6)",
            "Other  [] None",
            "Def F [] Some(8)",
            "Other  [] None",
            "Def G [] Some(10)",
        ];
        assert_eq!(shown(text), expected);
        let outline = outline(text);
        let args: Vec<&str> =
            outline.statements[3].template_args.iter().map(|token| outline.word(*token)).collect();
        assert_eq!(args, ["a", "b"]);
    }

    #[test]
    fn nothing_is_too_strange() {
        for text in
            ["", "}", "def", "def {", "let in", "class A<", "[{", "\"", "/*", "def A { let x = ; }", "$"]
        {
            let _ = shown(text);
        }
    }
}
