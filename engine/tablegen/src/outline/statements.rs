//! The statements of a file, as far as they can be read without evaluation.
//!
//! A definition that is being written is broken most of the time. Therefore a statement also ends before an unindented
//! line that begins with a keyword which cannot occur inside it.
//!
//! ```text
//! let cppNamespace = "::a" in {      a statement with two children
//! def A : Foo<                       a broken header: the statement ends here
//! def B : Foo<"b"> {
//!   let arguments = (ins I32:$x);    an item of a body
//! }
//! }
//! ```

use std::ops::Range;

use super::tokens::{Kind, Token};

/// The kind of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    /// `if`, with its `else`.
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

    /// Returns true if its braces hold statements rather than items.
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

    /// Returns true if it cannot be inside another statement's header or the body of a record.
    fn is_outside_of_bodies(self) -> bool {
        !matches!(
            self,
            StatementKind::If
                | StatementKind::Check
                | StatementKind::Let
                | StatementKind::Defvar
                | StatementKind::Include
        )
    }
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Its kind.
    pub kind: StatementKind,
    /// Its tokens, from the keyword to the `;` or `}`.
    pub tokens: Range<usize>,
    /// Its first byte.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// The name that it declares; of an `include` the string. A `let` and an `if` have none.
    pub name: Option<Token>,
    /// True if the name is only the beginning of a name that is pasted together.
    pub is_pasted: bool,
    /// The tokens between its braces, if it has any.
    pub body: Option<Range<usize>>,
    /// The statements in its body.
    pub children: Vec<Statement>,
    /// The items of its body.
    pub items: Vec<Item>,
    /// True if no other statement is around it.
    pub is_outermost: bool,
    /// True if its end was found.
    pub is_closed: bool,
}

impl Statement {
    /// Returns the tokens before its body, with the `{`; or all of them.
    #[must_use]
    pub fn header(&self) -> Range<usize> {
        self.tokens.start..self.body.as_ref().map_or(self.tokens.end, |body| body.start)
    }

    /// Returns the name unless it is pasted together.
    #[must_use]
    pub fn whole_name(&self) -> Option<Token> {
        self.name.filter(|_| !self.is_pasted)
    }

    /// Returns its bytes.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// The kind of an [`Item`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// `let x = …;`, of a whole field.
    Let,
    /// `let x{…} = …;`, `let append x = …;`.
    PartialLet,
    /// `string x = …;`.
    Declaration,
    /// `defvar x = …;`.
    Defvar,
    /// `assert …;`, `dump …;`.
    Check,
}

/// An item in the body of a `def` or `class`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its kind.
    pub kind: ItemKind,
    /// The name of the field or variable; of a check its keyword.
    pub name: Token,
    /// Its tokens, with the `;`.
    pub tokens: Range<usize>,
    /// Its first byte.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// The tokens of its value.
    pub value: Range<usize>,
}

impl Item {
    /// Returns its bytes.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// Reads the statements of a file; `tokens` are all of its tokens that are not blank.
#[must_use]
pub fn statements(text: &str, tokens: &[Token]) -> Vec<Statement> {
    let mut reader = Reader { text, tokens, at: 0, depth: 0, body_until: 0 };
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
    // Text after an unclosed statement belongs to it, up to the next statement.
    let reach = |it: &Statement| tokens.get(it.tokens.end).map_or(usize::MAX, |next| next.start);
    let encloses = |it: &&Statement| offset < it.end || !it.is_closed && offset <= reach(it);
    let mut path = Vec::new();
    let mut level = statements;
    loop {
        let before = level.partition_point(|it| it.start <= offset);
        let last = before.checked_sub(1).map(|at| &level[at]);
        let earlier = before.checked_sub(2).map(|at| &level[at]);
        let Some(inside) = earlier.filter(encloses).or(last.filter(encloses)) else { return path };
        path.push(inside);
        level = &inside.children;
    }
}

/// The deepest nesting of statements that is read.
const MOST_DEPTH: usize = 64;

struct Reader<'t> {
    text: &'t str,
    tokens: &'t [Token],
    at: usize,
    depth: usize,
    /// The token up to which the current body is known to go on.
    body_until: usize,
}

impl Reader<'_> {
    fn token(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn skip_comments(&mut self) {
        while self.token().is_some_and(|token| !token.is_code()) {
            self.at += 1;
        }
    }

    fn keyword_at(&self, index: usize) -> Option<StatementKind> {
        let token = self.tokens.get(index).filter(|token| token.kind == Kind::Word)?;
        StatementKind::of(token.text(self.text))
    }

    /// Returns the kind of a statement that begins here and that cannot be inside another one's header.
    fn beginning(&self) -> Option<StatementKind> {
        let start = self.token()?.start;
        let is_unindented = start == 0 || self.text.as_bytes()[start - 1] == b'\n';
        let kind = self.keyword_at(self.at).filter(|_| is_unindented)?;
        (!matches!(kind, StatementKind::If | StatementKind::Check)).then_some(kind)
    }

    fn begins_another(&self) -> bool {
        self.beginning().is_some()
    }

    /// Returns true if the body of a record ends before an unindented line that begins here.
    fn ends_body(&mut self) -> bool {
        match self.beginning() {
            Some(kind) => kind.is_outside_of_bodies() || !self.is_followed_by_brace(),
            None => false,
        }
    }

    /// Returns true if the `}` of the current body comes before anything that cannot be inside one.
    fn is_followed_by_brace(&mut self) -> bool {
        let mut depth = 0_usize;
        let mut index = self.at;
        while index >= self.body_until {
            let Some(token) = self.tokens.get(index) else { return false };
            match token.kind {
                Kind::Sign(b'{' | b'(' | b'[' | b'<') => depth += 1,
                Kind::Sign(b'}') if depth == 0 => break,
                Kind::Sign(b'}' | b')' | b']' | b'>') => depth = depth.saturating_sub(1),
                Kind::Word if depth == 0 && token.is_word(self.text, "in") => return false,
                _ if self.keyword_at(index).is_some_and(StatementKind::is_outside_of_bodies) => return false,
                _ => {}
            }
            index += 1;
        }
        self.body_until = self.body_until.max(index);
        true
    }

    fn statement(&mut self) -> Option<Statement> {
        self.skip_comments();
        let kind = self.keyword_at(self.at)?;
        let start = self.at;
        self.at += 1;
        let keyword = self.tokens[start];
        let mut statement = Statement {
            kind,
            tokens: start..self.at,
            start: keyword.start,
            end: keyword.end,
            name: None,
            is_pasted: false,
            body: None,
            children: Vec::new(),
            items: Vec::new(),
            is_outermost: self.depth == 0,
            is_closed: false,
        };
        if kind == StatementKind::Defset {
            self.skip_type();
        }
        self.skip_comments();
        let takes_name = !matches!(kind, StatementKind::If | StatementKind::Check | StatementKind::Let);
        let is_name = |token: &&Token| matches!(token.kind, Kind::Word | Kind::String);
        statement.name =
            self.token().filter(is_name).filter(|_| takes_name && !self.begins_another()).copied();
        if kind == StatementKind::Include && statement.name.is_some() {
            self.at += 1;
            statement.is_closed = true;
        } else {
            let after = self.tokens.get(self.at + 1..).unwrap_or_default().iter().find(|it| it.is_code());
            statement.is_pasted = statement.name.is_some() && after.is_some_and(|token| token.is(b'#'));
            self.rest(&mut statement);
        }
        statement.tokens.end = self.at.max(start + 1);
        statement.end = self.tokens[statement.tokens.end - 1].end;
        Some(statement)
    }

    /// Skips `list<Class>` before the name of a set.
    fn skip_type(&mut self) {
        if self.token().is_some_and(|token| token.is_word(self.text, "list")) {
            self.at += 1;
            let mut depth = 0_usize;
            while let Some(token) = self.token() {
                match token.kind {
                    Kind::Sign(b'<') => depth += 1,
                    Kind::Sign(b'>') => depth = depth.saturating_sub(1),
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
                Kind::Sign(b'{') if open.is_empty() && self.is_body(statement) => {
                    self.body(statement);
                    if statement.kind == StatementKind::If && self.eat_else() {
                        continue;
                    }
                    return;
                }
                Kind::Sign(bracket @ (b'{' | b'(' | b'[' | b'<')) => open.push(bracket),
                Kind::Sign(b'}' | b')' | b']' | b'>') => {
                    let closes = |bracket: &u8| {
                        matches!(
                            (*bracket, token.kind),
                            (b'{', Kind::Sign(b'}'))
                                | (b'(', Kind::Sign(b')'))
                                | (b'[', Kind::Sign(b']'))
                                | (b'<', Kind::Sign(b'>'))
                        )
                    };
                    match open.iter().rposition(closes) {
                        Some(index) => open.truncate(index),
                        // The brace belongs to an enclosing statement.
                        None if token.is(b'}') => return,
                        None => {}
                    }
                }
                Kind::Sign(b';') => {
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
                let before = self.tokens[..self.at].iter().rev().find(|token| !token.is_comment());
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
            self.items(statement);
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

    fn items(&mut self, statement: &mut Statement) {
        loop {
            self.skip_comments();
            let Some(token) = self.token() else { return };
            if token.is(b'}') || self.ends_body() {
                return;
            }
            let start = self.at;
            if self.keyword_at(start) == Some(StatementKind::Include) {
                statement.children.extend(self.statement());
            } else {
                statement.items.extend(self.item());
            }
            self.at = self.at.max(start + 1);
        }
    }

    /// Reads `type name = value;`, `let name = value;`.
    fn item(&mut self) -> Option<Item> {
        let start = self.at;
        let first = *self.token()?;
        let mut name = None;
        let mut value = None;
        // The tokens before the `=`, without comments, and the last of them.
        let mut head = (0_usize, first);
        let mut depth = 0_usize;
        while let Some(token) = self.token().copied() {
            if self.at > start && self.begins_another() {
                break;
            }
            if value.is_none() && token.is_code() && !token.is(b'=') && !token.is(b';') {
                head = (head.0 + 1, token);
            }
            match token.kind {
                Kind::Sign(b'{' | b'(' | b'[' | b'<') => depth += 1,
                Kind::Sign(b'}') if depth == 0 => break,
                Kind::Sign(b'}' | b')' | b']' | b'>') => depth = depth.saturating_sub(1),
                Kind::Sign(b';') if depth == 0 => {
                    self.at += 1;
                    break;
                }
                Kind::Sign(b'=') if depth == 0 && value.is_none() => value = Some(self.at + 1),
                Kind::Word if depth == 0 && value.is_none() => name = Some(token),
                // A line that begins like the next item ends an unfinished item.
                Kind::Word if value.is_some() && self.at > start + 1 && self.begins_item() => break,
                _ => {}
            }
            self.at += 1;
        }
        let end = self.at;
        let is_closed = self.tokens[..end].last().is_some_and(|token| token.is(b';'));
        let value_end = if is_closed { end - 1 } else { end };
        let value = value.map_or(value_end..value_end, |start| start.min(value_end)..value_end);
        let kind = match first.text(self.text) {
            "let" if head.0 > 2 || head.1.is(b'}') => ItemKind::PartialLet,
            "let" => ItemKind::Let,
            "defvar" => ItemKind::Defvar,
            "assert" | "dump" => ItemKind::Check,
            _ => ItemKind::Declaration,
        };
        let last = self.tokens[start.max(end - 1)];
        name.map(|name| Item { kind, name, tokens: start..end, start: first.start, end: last.end, value })
    }

    /// Returns true if a line begins here with `let` or `defvar`.
    fn begins_item(&self) -> bool {
        let Some(token) = self.token() else { return false };
        let before = self.at.checked_sub(1).map_or(0, |before| self.tokens[before].end);
        let is_first = before == 0 || self.text.as_bytes()[before..token.start].contains(&b'\n');
        is_first && (token.is_word(self.text, "let") || token.is_word(self.text, "defvar"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Outline;
    use super::*;

    fn show(outline: &Outline, statements: &[Statement], out: &mut String) {
        for statement in statements {
            let name = statement.name.map_or("", |name| outline.text_of(name));
            *out += &format!("{:?} {name}", statement.kind);
            for item in &statement.items {
                let kind = match item.kind {
                    ItemKind::Let | ItemKind::Declaration => "",
                    ItemKind::PartialLet => "partial ",
                    ItemKind::Defvar => "defvar ",
                    ItemKind::Check => "check ",
                };
                *out += &format!(" .{kind}{}", outline.text_of(item.name));
            }
            if !statement.children.is_empty() {
                out.push('{');
                show(outline, &statement.children, out);
                out.push('}');
            }
            out.push(';');
        }
    }

    fn shown(text: &str) -> String {
        let outline = Outline::new("a.td", text.as_bytes());
        let mut out = String::new();
        show(&outline, &outline.statements, &mut out);
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
    fn kinds_of_items() {
        let text = "def A { let z = (ins I:$x); list<int> w = [1];\n#ifdef B\n defvar q = 2;\n#endif\n let bits{3-1} = 1; let append t = []; assert !eq(q, 2), \"\"; }";
        assert_eq!(shown(text), "Def A .z .w .defvar q .partial bits .partial t .check assert;");
    }

    #[test]
    fn broken_statements_end() {
        assert_eq!(shown("def A : B<\ndef C { let x = (ins\ndef D;"), "Def A;Def C .x;Def D;");
        assert_eq!(shown("def A { let x = \n  let y = 1;\n}"), "Def A .x .y;");
        assert_eq!(shown("class"), "Class ;");
        assert_eq!(shown("def A {\n  let x = 1;\n\nlet y = 2 in {\ndef B;\n}"), "Def A .x;Let {Def B;};");
        assert_eq!(shown("def A {\n  let x = 1;\ndefvar y = 2;\ndef B {\n}"), "Def A .x;Defvar y;Def B;");
    }

    #[test]
    fn bodies_without_indentation() {
        let text = "def A {\nlet x = 1;\ndefvar y = 2;\ninclude \"b.td\"\nlet z = y;\n}\ndef B;";
        assert_eq!(shown(text), "Def A .x .defvar y .z{Include \"b.td\";};Def B;");
    }

    #[test]
    fn names_that_are_pasted() {
        let outline = Outline::new("a.td", b"def A#i; def B /* c */ #\"x\"; def C;");
        let names = outline.statements.iter().map(|it| it.whole_name().map(|name| outline.text_of(name)));
        assert_eq!(names.collect::<Vec<_>>(), [None, None, Some("C")]);
    }

    #[test]
    fn statements_around_an_offset() {
        let text = "let x = 1 in {\n  def A : B<\ndef C;\n}\n";
        let outline = Outline::new("a.td", text.as_bytes());
        let kinds = |at: usize| outline.path_to(at).iter().map(|it| it.kind).collect::<Vec<_>>();
        let before_c = text.find("\ndef C").unwrap_or(0);
        assert_eq!(kinds(before_c), [StatementKind::Let, StatementKind::Def]);
        assert_eq!(outline.statement_at(before_c).map(|it| it.kind), Some(StatementKind::Let));
        assert_eq!(outline.statement_at(text.len()), None);
    }
}
