//! The statements of one file, as far as they can be read without evaluation.
//!
//! A definition that is being written is broken most of the time. Therefore a statement also ends before an unindented
//! line that begins with a keyword which cannot occur inside it.
//!
//! ```text
//! def A : Foo<            a broken header: the statement ends here
//! def B : Foo<1> { … }
//! ```

use std::ops::Range;

use crate::tokens::{Kind, Token};

/// The kind of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// `class`.
    Class,
    /// `def`.
    Def,
    /// `defm`.
    Defm,
    /// `multiclass`.
    Multiclass,
    /// `defvar`.
    Defvar,
    /// `defset`.
    Defset,
    /// `deftype`.
    Deftype,
    /// `let … in`.
    Let,
    /// `foreach`.
    Foreach,
    /// `if`.
    If,
    /// `include`.
    Include,
    /// `assert` or `dump`.
    Check,
}

impl StatementKind {
    /// Returns the kind of statement that a keyword begins.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        Some(match word {
            "class" => StatementKind::Class,
            "def" => StatementKind::Def,
            "defm" => StatementKind::Defm,
            "multiclass" => StatementKind::Multiclass,
            "defvar" => StatementKind::Defvar,
            "defset" => StatementKind::Defset,
            "deftype" => StatementKind::Deftype,
            "let" => StatementKind::Let,
            "foreach" => StatementKind::Foreach,
            "if" => StatementKind::If,
            "include" => StatementKind::Include,
            "assert" | "dump" => StatementKind::Check,
            _ => return None,
        })
    }

    /// Returns true if its braces hold statements rather than fields.
    fn holds_statements(self) -> bool {
        matches!(
            self,
            StatementKind::Multiclass
                | StatementKind::Defset
                | StatementKind::Let
                | StatementKind::Foreach
                | StatementKind::If
        )
    }
}

/// A statement. All ranges are token indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Its kind.
    pub kind: StatementKind,
    /// Its tokens, from the keyword to the `;` or `}`.
    pub tokens: Range<usize>,
    /// The token of its name.
    pub name: Option<usize>,
    /// The tokens between its braces, if it has any.
    pub body: Option<Range<usize>>,
    /// The statements in its body.
    pub children: Vec<Statement>,
    /// The fields that its body declares and sets.
    pub fields: Vec<FieldItem>,
    /// True if its end was found.
    pub is_closed: bool,
}

/// A declaration, a `let` or a `defvar` in a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldItem {
    /// The token of its name.
    pub name: usize,
    /// Its tokens, with the `;`.
    pub tokens: Range<usize>,
    /// The tokens of its value.
    pub value: Range<usize>,
    /// True for a `let`.
    pub is_let: bool,
}

/// Reads the statements of a file; `tokens` are all of its tokens.
#[must_use]
pub fn statements(text: &str, tokens: &[Token]) -> Vec<Statement> {
    let mut reader = Reader { text, tokens, at: 0, depth: 0 };
    let mut all = Vec::new();
    while reader.at < tokens.len() {
        match reader.statement() {
            Some(statement) => all.push(statement),
            None => reader.at += 1,
        }
    }
    all
}

/// Returns the statements that enclose an offset, outermost first.
#[must_use]
pub fn path_to<'s>(statements: &'s [Statement], tokens: &[Token], offset: usize) -> Vec<&'s Statement> {
    let mut path = Vec::new();
    let mut level = statements;
    loop {
        let inside = level.iter().find(|statement| {
            let start = tokens[statement.tokens.start].start;
            let end = tokens[statement.tokens.end - 1].end;
            // Text after an unclosed statement belongs to it, up to the next statement.
            start <= offset && (offset < end || !statement.is_closed && offset <= reach(tokens, statement))
        });
        let Some(inside) = inside else { return path };
        path.push(inside);
        level = &inside.children;
    }
}

fn reach(tokens: &[Token], statement: &Statement) -> usize {
    tokens.get(statement.tokens.end).map_or(usize::MAX, |next| next.start)
}

/// The deepest nesting of statements that is read.
const MOST_DEPTH: usize = 64;

struct Reader<'t> {
    text: &'t str,
    tokens: &'t [Token],
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn token(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn skip_comments(&mut self) {
        while self.token().is_some_and(|token| matches!(token.kind, Kind::Comment | Kind::Directive)) {
            self.at += 1;
        }
    }

    fn keyword(&self) -> Option<StatementKind> {
        let token = self.token()?;
        if token.kind != Kind::Word {
            return None;
        }
        StatementKind::of(token.text(self.text))
    }

    /// Returns true if the current token begins an unindented line.
    fn is_unindented(&self) -> bool {
        self.token().is_some_and(|token| token.start == 0 || self.text.as_bytes()[token.start - 1] == b'\n')
    }

    /// Returns true if a statement begins here that cannot be inside another one's header or body.
    fn begins_another(&self) -> bool {
        self.is_unindented()
            && matches!(
                self.keyword(),
                Some(
                    StatementKind::Class
                        | StatementKind::Def
                        | StatementKind::Defm
                        | StatementKind::Multiclass
                        | StatementKind::Defset
                        | StatementKind::Deftype
                        | StatementKind::Include
                        | StatementKind::Let
                        | StatementKind::Foreach
                        | StatementKind::Defvar
                )
            )
    }

    fn statement(&mut self) -> Option<Statement> {
        self.skip_comments();
        let kind = self.keyword()?;
        let start = self.at;
        self.at += 1;
        let mut statement = Statement {
            kind,
            tokens: start..self.at,
            name: None,
            body: None,
            children: Vec::new(),
            fields: Vec::new(),
            is_closed: false,
        };
        if kind == StatementKind::Defset {
            self.skip_type();
        }
        self.skip_comments();
        let takes_name = !matches!(kind, StatementKind::If | StatementKind::Check | StatementKind::Let);
        let is_name = |token: &Token| matches!(token.kind, Kind::Word | Kind::String);
        if takes_name && self.token().is_some_and(is_name) && !self.begins_another() {
            statement.name = Some(self.at);
            if kind == StatementKind::Include {
                self.at += 1;
                statement.is_closed = true;
                statement.tokens.end = self.at;
                return Some(statement);
            }
        }
        self.rest(&mut statement);
        statement.tokens.end = self.at.max(start + 1);
        Some(statement)
    }

    /// Skips `list<Class>` before the name of a set.
    fn skip_type(&mut self) {
        if self.token().is_some_and(|token| token.is_word(self.text, "list")) {
            self.at += 1;
            let mut depth = 0_usize;
            while let Some(token) = self.token() {
                match token.kind {
                    Kind::Punctuation(b'<') => depth += 1,
                    Kind::Punctuation(b'>') => depth = depth.saturating_sub(1),
                    Kind::Word => {}
                    _ => return,
                }
                self.at += 1;
                if depth == 0 {
                    return;
                }
            }
        }
    }

    /// Reads a statement after its keyword.
    fn rest(&mut self, statement: &mut Statement) {
        let mut open: Vec<u8> = Vec::new();
        while let Some(token) = self.token().copied() {
            if self.begins_another() {
                return;
            }
            match token.kind {
                Kind::Punctuation(b'{') if open.is_empty() && self.is_body(statement) => {
                    self.body(statement);
                    if statement.kind == StatementKind::If && self.eat_else() {
                        continue;
                    }
                    return;
                }
                Kind::Punctuation(bracket @ (b'{' | b'(' | b'[' | b'<')) => open.push(bracket),
                Kind::Punctuation(b'}' | b')' | b']' | b'>') => {
                    let closes = |bracket: &u8| {
                        matches!(
                            (*bracket, token.kind),
                            (b'{', Kind::Punctuation(b'}'))
                                | (b'(', Kind::Punctuation(b')'))
                                | (b'[', Kind::Punctuation(b']'))
                                | (b'<', Kind::Punctuation(b'>'))
                        )
                    };
                    match open.iter().rposition(closes) {
                        Some(index) => open.truncate(index),
                        // The brace belongs to an enclosing statement.
                        None if token.is(b'}') => return,
                        None => {}
                    }
                }
                Kind::Punctuation(b';') => {
                    self.at += 1;
                    statement.is_closed = true;
                    return;
                }
                Kind::Word if open.is_empty() && self.ends_head(statement.kind) => {
                    self.at += 1;
                    self.skip_comments();
                    if self.token().is_some_and(|token| token.is(b'{')) {
                        continue;
                    }
                    self.depth += 1;
                    if self.depth < MOST_DEPTH
                        && let Some(child) = self.statement()
                    {
                        statement.is_closed = child.is_closed;
                        statement.children.push(child);
                    }
                    self.depth -= 1;
                    if statement.kind == StatementKind::If && self.eat_else() {
                        continue;
                    }
                    return;
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Returns true if the `{` here opens the body.
    fn is_body(&self, statement: &Statement) -> bool {
        match statement.kind {
            StatementKind::Class | StatementKind::Def | StatementKind::Multiclass => true,
            StatementKind::Defset | StatementKind::Let | StatementKind::Foreach | StatementKind::If => {
                let before = self.tokens[..self.at].iter().rev().find(|token| token.kind != Kind::Comment);
                before.is_some_and(|before| match statement.kind {
                    StatementKind::Defset => before.is(b'='),
                    StatementKind::If => {
                        before.is_word(self.text, "then") || before.is_word(self.text, "else")
                    }
                    _ => before.is_word(self.text, "in"),
                })
            }
            _ => false,
        }
    }

    fn ends_head(&self, kind: StatementKind) -> bool {
        let Some(token) = self.token() else { return false };
        match kind {
            StatementKind::Let | StatementKind::Foreach => token.is_word(self.text, "in"),
            StatementKind::If => token.is_word(self.text, "then") || token.is_word(self.text, "else"),
            _ => false,
        }
    }

    fn eat_else(&mut self) -> bool {
        let before = self.at;
        self.skip_comments();
        let is_else = self.token().is_some_and(|token| token.is_word(self.text, "else"));
        if !is_else {
            self.at = before;
        }
        is_else
    }

    /// Reads `{ … }`.
    fn body(&mut self, statement: &mut Statement) {
        self.at += 1;
        let start = self.at;
        self.depth += 1;
        if statement.kind.holds_statements() && self.depth < MOST_DEPTH {
            self.children(statement);
        } else {
            self.fields(statement);
        }
        self.depth -= 1;
        let body = start..self.at;
        statement.body = Some(statement.body.take().map_or(body.clone(), |first| first.start..body.end));
        statement.is_closed = self.token().is_some_and(|token| token.is(b'}'));
        if statement.is_closed {
            self.at += 1;
        }
    }

    fn children(&mut self, statement: &mut Statement) {
        while let Some(token) = self.token() {
            if token.is(b'}') {
                return;
            }
            let before = self.at;
            match self.statement() {
                Some(child) => statement.children.push(child),
                None => self.at = self.at.max(before + 1),
            }
        }
    }

    fn fields(&mut self, statement: &mut Statement) {
        loop {
            self.skip_comments();
            let Some(token) = self.token() else { return };
            if token.is(b'}') || self.begins_another() {
                return;
            }
            let start = self.at;
            if let Some(item) = self.field_item() {
                statement.fields.push(item);
            }
            self.at = self.at.max(start + 1);
        }
    }

    /// Reads `type name = value;`, `let name = value;`.
    fn field_item(&mut self) -> Option<FieldItem> {
        let start = self.at;
        let is_let = self.token()?.is_word(self.text, "let");
        let mut name = None;
        let mut value = None;
        let mut depth = 0_usize;
        while let Some(token) = self.token().copied() {
            match token.kind {
                Kind::Punctuation(b'{' | b'(' | b'[' | b'<') => depth += 1,
                Kind::Punctuation(b'}') if depth == 0 => break,
                Kind::Punctuation(b'}' | b')' | b']' | b'>') => depth = depth.saturating_sub(1),
                Kind::Punctuation(b';') if depth == 0 => {
                    self.at += 1;
                    break;
                }
                Kind::Punctuation(b'=') if depth == 0 && value.is_none() => value = Some(self.at + 1),
                Kind::Word if depth == 0 && value.is_none() => name = Some(self.at),
                // A line that begins like the next item ends an unfinished item.
                Kind::Word if value.is_some() && self.at > start + 1 && self.begins_item() => break,
                _ => {}
            }
            if self.at > start && self.begins_another() {
                break;
            }
            self.at += 1;
        }
        let end = self.at;
        let closed = self.tokens[..end].last().is_some_and(|token| token.is(b';'));
        let value_end = if closed { end - 1 } else { end };
        let value = value.map_or(value_end..value_end, |start| start.min(value_end)..value_end);
        name.map(|name| FieldItem { name, tokens: start..end, value, is_let })
    }

    /// Returns true if a line begins here with `let`.
    fn begins_item(&self) -> bool {
        let Some(token) = self.token() else { return false };
        let before = &self.text[..token.start];
        let is_first = before.rsplit('\n').next().is_some_and(|blank| blank.trim().is_empty());
        is_first && (token.is_word(self.text, "let") || token.is_word(self.text, "defvar"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::tokens;

    fn shown(text: &str) -> String {
        let tokens = tokens(text);
        fn show(text: &str, tokens: &[Token], statements: &[Statement], out: &mut String) {
            for statement in statements {
                let name = statement.name.map_or("", |name| tokens[name].text(text));
                out.push_str(&format!("{:?} {name}", statement.kind));
                for field in &statement.fields {
                    out.push_str(&format!(" .{}", tokens[field.name].text(text)));
                }
                if !statement.children.is_empty() {
                    out.push('{');
                    show(text, tokens, &statement.children, out);
                    out.push('}');
                }
                out.push(';');
            }
        }
        let mut out = String::new();
        show(text, &tokens, &statements(text, &tokens), &mut out);
        out
    }

    #[test]
    fn nested_statements() {
        let text = "include \"a.td\"\nlet x = {1} in {\ndef A : B<[{c}]> { let y = [1]; int z; }\nforeach i = [1] in def C#i;\n}\nif 1 then { def D; } else def E;\ndefvar v = 1;\ndefset list<A> S = { def F; }";
        assert_eq!(
            shown(text),
            "Include \"a.td\";Let {Def A .y .z;Foreach i{Def C;};};If {Def D;Def E;};Defvar v;Defset S{Def F;};"
        );
    }

    #[test]
    fn broken_statements_end() {
        assert_eq!(shown("def A : B<\ndef C { let x = (ins\ndef D;"), "Def A;Def C .x;Def D;");
        assert_eq!(shown("def A { let x = \n  let y = 1;\n}"), "Def A .x .y;");
        assert_eq!(shown("class"), "Class ;");
    }
}
