//! A file as a document: which role each token plays, where lines may break, and what is indented by what.

use odsmith_tablegen::outline::{Kind, Outline, Statement, StatementKind, Token};

use crate::{
    check::Brackets,
    document::{Document, Gap, Group, GroupKind, Hang, Piece},
    spacing::{Role, is_spaced},
    style::Style,
};

/// Blank lines beyond two are dropped.
pub const MOST_BREAKS: usize = 3;

/// The comments between which the layout stays as it is.
pub const OFF: &str = "odsmith: fmt off";
/// The end of such a part.
pub const ON: &str = "odsmith: fmt on";

/// The parts of a statement outside of its brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `name : superclasses`.
    Record,
    /// `name = value`.
    Assignment,
    /// `defset list<A> name =`, `include "…"`.
    Plain,
    /// `let name = value, … in`, `assert condition, message`.
    List,
    /// `foreach … in`, `if … then … else`.
    Control,
}

impl Form {
    fn of(kind: StatementKind) -> Self {
        match kind {
            StatementKind::Class | StatementKind::Def | StatementKind::Defm | StatementKind::Multiclass => {
                Form::Record
            }
            StatementKind::Defvar | StatementKind::Deftype => Form::Assignment,
            StatementKind::Defset | StatementKind::Include => Form::Plain,
            StatementKind::Let | StatementKind::Check => Form::List,
            StatementKind::Foreach | StatementKind::If => Form::Control,
        }
    }
}

/// The beginning of a statement or an item.
#[derive(Clone, Copy, Debug)]
struct Start {
    end: usize,
    form: Form,
    /// Of a statement after `in`, `then` or `else` without braces, how much further it is indented.
    child: Option<usize>,
}

/// A construct around the current token.
#[derive(Clone, Copy, Debug)]
enum Context {
    /// A statement, outside of its brackets and its body.
    Statement {
        end: usize,
        form: Form,
        /// True after the `:` or the `=`.
        has_tail: bool,
        /// The first piece of a list of superclasses or fields, or of a value.
        aligned: Option<usize>,
        /// True if the next piece is that one.
        is_next_aligned: bool,
        /// The author's indentation of that part, and of what follows its first line.
        hang: Option<Hang>,
        rows: Option<Hang>,
        /// The place of the group.
        group: usize,
    },
    /// Braces around statements.
    Body,
    /// Brackets.
    Brackets {
        open: usize,
        role: Role,
        /// True if it is `!cond(`.
        is_cond: bool,
        element: Option<usize>,
        is_block: bool,
        /// Line breaks since the bracket, or since the operator of a dag.
        breaks: usize,
        hang: Option<Hang>,
    },
}

/// The column of a token in the source, and the indentation of its line.
#[derive(Clone, Copy, Debug, Default)]
struct Origin {
    column: usize,
    indent: usize,
}

/// Returns the document of a file that [`check`](crate::check) accepts.
#[must_use]
pub fn document(outline: &Outline, brackets: &Brackets, style: &Style) -> Document {
    let count = outline.tokens.len();
    let mut builder = Builder {
        outline,
        brackets,
        style,
        starts: vec![None; count],
        is_body: vec![false; count],
        contexts: Vec::new(),
        pieces: Vec::with_capacity(count),
        groups: Vec::new(),
        role: Role::Start,
        code_role: Role::Start,
        code_kind: None,
        carried: 0,
        is_raw: false,
        texts: None,
        texts_more: None,
        marks: Vec::new(),
        is_colon_moved: false,
        origins: origins(outline),
    };
    builder.survey(&outline.statements, None);
    for index in 0..count {
        builder.add(index);
    }
    builder.finish(count);
    if !style.strict {
        builder.tables();
    }
    Document::new(builder.pieces, builder.groups)
}

struct Builder<'o> {
    outline: &'o Outline,
    brackets: &'o Brackets,
    style: &'o Style,
    starts: Vec<Option<Start>>,
    is_body: Vec<bool>,
    contexts: Vec<Context>,
    pieces: Vec<Piece>,
    groups: Vec<Group>,
    /// The role of the last piece, and that of the last one that is no comment.
    role: Role,
    code_role: Role,
    code_kind: Option<Token>,
    /// Line breaks before a `,` that count for what follows it.
    carried: usize,
    is_raw: bool,
    /// The first of adjacent strings.
    texts: Option<usize>,
    /// The author's columns between the first of them and those in other lines.
    texts_more: Option<usize>,
    /// The `:` and the `=` of statements, with their groups.
    marks: Vec<(usize, usize)>,
    /// True if the last `:` of a definition begins a line.
    is_colon_moved: bool,
    origins: Vec<Origin>,
}

impl Builder<'_> {
    /// Notes where statements, items and bodies begin.
    fn survey(&mut self, statements: &[Statement], child: Option<usize>) {
        for statement in statements {
            let form = Form::of(statement.kind);
            self.starts[statement.tokens.start] = Some(Start { end: statement.tokens.end, form, child });
            for item in &statement.items {
                let is_check = item.kind == odsmith_tablegen::outline::ItemKind::Check;
                let form = if is_check { Form::List } else { Form::Assignment };
                self.starts[item.tokens.start] = Some(Start { end: item.tokens.end, form, child: None });
            }
            self.mark_bodies(statement);
            for child in &statement.children {
                let before = self.code_before(child.tokens.start);
                let is_inline = before.is_some_and(|before| {
                    let text = self.outline.text_of(before);
                    before.kind == Kind::Word && matches!(text, "in" | "then" | "else")
                });
                let indent = if statement.kind == StatementKind::Let { 0 } else { self.style.indent };
                self.survey(std::slice::from_ref(child), is_inline.then_some(indent));
            }
        }
    }

    fn code_before(&self, index: usize) -> Option<Token> {
        self.outline.tokens[..index].iter().rev().find(|token| token.is_code()).copied()
    }

    /// Marks the opening braces of a statement's bodies.
    fn mark_bodies(&mut self, statement: &Statement) {
        let Some(body) = &statement.body else { return };
        self.is_body[body.start - 1] = true;
        if statement.kind != StatementKind::If {
            return;
        }
        // `} else {`, which is none of the children.
        let mut at = self.brackets.partner[body.start - 1] + 1;
        while at < statement.tokens.end {
            let token = self.outline.tokens[at];
            if token.is(b'{') {
                self.is_body[at] = true;
                at = self.brackets.partner[at];
            }
            at += 1;
        }
    }

    fn add(&mut self, index: usize) {
        let token = self.outline.tokens[index];
        while let Some(Context::Statement { end, .. }) = self.contexts.last()
            && *end <= index
        {
            self.end_statement(index);
        }
        let gap_start = self.pieces.last().map_or(0, |piece| piece.range.end);
        let between = self.outline.slice(gap_start..token.start);
        let breaks = memchr_count(between.as_bytes()).min(MOST_BREAKS);
        let text = self.outline.text_of(token);
        let mut range = token.range();
        if token.kind == Kind::LineComment {
            range.end = range.start + text.trim_end().len();
        }
        let text = self.outline.slice(range.clone());
        let was_raw = self.is_raw;
        if token.kind == Kind::LineComment {
            match text.trim_start_matches('/').trim() {
                OFF => self.is_raw = true,
                ON => self.is_raw = false,
                _ => {}
            }
        }
        let mut piece = Piece {
            range,
            gap: Gap::Joined,
            is_spaced: false,
            breaks,
            is_raw: was_raw,
            ends_line: matches!(token.kind, Kind::LineComment | Kind::Directive),
            is_trailing: false,
            padding: 0,
            width: text.lines().next().map_or(0, width),
            last_width: text.rsplit_once('\n').map(|(_, last)| width(last)),
            last_indent: text.rsplit_once('\n').map_or(0, |(_, last)| last.len() - last.trim_start().len()),
        };
        let role = match token.kind {
            Kind::Directive => {
                piece.gap = Gap::Directive;
                Role::Value
            }
            Kind::LineComment if breaks == 0 && index > 0 => {
                piece.is_trailing = true;
                Role::Trailing
            }
            Kind::LineComment => {
                piece.gap = Gap::Line;
                Role::Comment
            }
            Kind::BlockComment => {
                self.begin_element(index, breaks, true);
                let carried = std::mem::take(&mut self.carried);
                piece.breaks = breaks.max(carried);
                if self.code_role == Role::Comma && !matches!(self.role, Role::Comment | Role::Label) {
                    piece.gap = Gap::Author;
                    if piece.breaks > 0 {
                        self.note_row(index);
                    }
                } else if piece.breaks > 0 && index > 0 {
                    piece.gap = Gap::Line;
                }
                if text.ends_with("=*/") { Role::Label } else { Role::Comment }
            }
            _ => self.code(index, token, &mut piece),
        };
        if !token.is_code() && token.kind != Kind::BlockComment {
            self.count_breaks(breaks);
        }
        piece.is_spaced = is_spaced(self.role, role);
        self.role = role;
        if token.is_code() {
            self.code_role = role;
            self.code_kind = Some(token);
        }
        self.pieces.push(piece);
    }

    /// Counts line breaks before the first element of brackets.
    fn count_breaks(&mut self, more: usize) {
        if let Some(Context::Brackets { element: None, breaks, .. }) = self.contexts.last_mut() {
            *breaks += more;
        }
    }

    /// Notes the first element of brackets; returns true if it begins here.
    fn begin_element(&mut self, index: usize, more: usize, is_comment: bool) -> bool {
        let code_role = self.code_role;
        let token = self.outline.tokens[index];
        let Some(Context::Brackets { open, role, element, breaks, is_block, .. }) = self.contexts.last_mut()
        else {
            return false;
        };
        if element.is_some() {
            return false;
        }
        if *role == Role::OpenDag {
            let is_operand = match token.kind {
                Kind::Word | Kind::Variable | Kind::String | Kind::Code | Kind::Number | Kind::Operator => {
                    true
                }
                Kind::Sign(b'(') => !matches!(code_role, Role::Operator | Role::CloseType),
                Kind::Sign(b'?') => true,
                _ => is_comment,
            };
            let is_glued =
                matches!(code_role, Role::OpenDag | Role::Name | Role::Paste | Role::Dot | Role::Operator);
            if !is_operand || is_glued {
                // The operator goes on.
                *breaks = 0;
                return false;
            }
        }
        *breaks += more;
        *element = Some(index);
        *is_block = *breaks > 0;
        let (open, is_block) = (*open, *is_block);
        if is_block && more > 0 {
            let rise = self.rise(index, self.origins[open].indent);
            if let Some(Context::Brackets { hang, .. }) = self.contexts.last_mut() {
                *hang = rise;
            }
        }
        true
    }

    /// Returns by how much more a line of the source is indented than another one: one of the two indentations.
    fn rise(&self, index: usize, base: usize) -> Option<Hang> {
        if self.style.strict {
            return None;
        }
        let rise = self.origins[index].column.saturating_sub(base);
        let (small, large) = (self.style.indent, self.style.continuation);
        match rise {
            0 => None,
            _ if rise * 2 <= small + large => Some(Hang::Indented(small)),
            _ => Some(Hang::Indented(large)),
        }
    }

    /// Notes the author's indentation of a line that continues the innermost group.
    fn note_row(&mut self, index: usize) {
        if self.style.strict {
            return;
        }
        let column = self.origins[index].column;
        let (first, base) = match self.contexts.last() {
            Some(Context::Brackets { open, element: Some(element), is_block: false, hang: None, .. }) => {
                (*element, self.origins[*open].indent)
            }
            Some(Context::Statement { aligned: Some(first), rows: None, group, .. }) => {
                (*first, self.origins[self.groups[*group].start].column)
            }
            _ => return,
        };
        let aligned = self.origins[first].column;
        let rise = column.saturating_sub(base);
        let (step, is_angle) = (self.style.continuation, self.is_in_angles());
        let is_aligned = column == aligned || rise >= step * 2 && aligned > base + step;
        let found = if is_aligned {
            Some(Hang::Aligned)
        } else if rise == 0 && (is_angle && base > 0 || self.is_long(first, index)) {
            Some(Hang::Indented(0))
        } else {
            self.rise(index, base)
        };
        match self.contexts.last_mut() {
            Some(Context::Brackets { hang, .. }) => *hang = found,
            Some(Context::Statement { rows, .. }) => *rows = found,
            _ => {}
        }
    }

    /// Returns true if the innermost brackets are those of arguments.
    fn is_in_angles(&self) -> bool {
        matches!(self.contexts.last(), Some(Context::Brackets { role: Role::OpenAngle, .. }))
    }

    /// Returns true if the first element of a list, which a token continues, has several lines.
    fn is_long(&self, first: usize, next: usize) -> bool {
        let tokens = &self.outline.tokens;
        let before = next.saturating_sub(1);
        self.outline.line_of(tokens[first].start).0 < self.outline.line_of(tokens[before].end).0
    }

    /// Notes the author's indentation of a line that continues a value with `#`.
    fn note_pasted(&mut self, index: usize) {
        if matches!(self.contexts.last(), Some(Context::Statement { .. })) {
            self.note_row(index);
        }
    }

    /// Notes the author's indentation of superclasses or a value on a line of their own.
    fn note_tail(&mut self, index: usize) {
        let Some(Context::Statement { group, .. }) = self.contexts.last() else { return };
        let base = self.origins[self.groups[*group].start].column;
        let found = self.rise(index, base);
        if let Some(Context::Statement { hang, .. }) = self.contexts.last_mut() {
            *hang = found;
        }
    }

    fn code(&mut self, index: usize, token: Token, piece: &mut Piece) -> Role {
        let follows_comment =
            self.pieces.last().is_some_and(|_| matches!(self.role, Role::Comment | Role::Label));
        let carried = std::mem::take(&mut self.carried);
        if let Some(start) = self.starts[index] {
            self.contexts.push(Context::Statement {
                end: start.end,
                form: start.form,
                has_tail: false,
                aligned: None,
                is_next_aligned: false,
                hang: None,
                rows: None,
                group: self.groups.len(),
            });
            let kind = GroupKind::Statement { hang: None, is_row: false };
            self.groups.push(Group { start: index, end: start.end, kind });
            piece.gap = match start.child {
                _ if follows_comment && piece.breaks == 0 => Gap::Joined,
                Some(indent) => Gap::Child(indent),
                None => Gap::Statement,
            };
            if start.form == Form::List {
                self.set_next_aligned();
            }
            return Role::Value;
        }
        let closes = matches!(token.kind, Kind::Sign(b')' | b']' | b'}' | b'>'));
        let mut is_text = false;
        if closes {
            self.close_texts(index);
        } else {
            self.align(index, piece);
            let is_element = self.begin_element(index, piece.breaks, false);
            if is_element {
                piece.gap = Gap::Element;
            } else if self.code_role == Role::Comma {
                piece.breaks = piece.breaks.max(carried);
                piece.gap = Gap::Author;
            } else if self.code_role == Role::Text && matches!(token.kind, Kind::String | Kind::Code) {
                piece.gap = Gap::Author;
                let first = *self.texts.get_or_insert(index - 1);
                let is_row = piece.breaks > 0 && self.texts_more.is_none() && !self.style.strict;
                if is_row {
                    let rise = self.origins[index].column.saturating_sub(self.origins[first].column);
                    self.texts_more = Some(if rise == self.style.indent { rise } else { 0 });
                }
                is_text = true;
            }
            if !is_text {
                self.close_texts(index);
            }
            if self.code_role == Role::Paste && piece.breaks > 0 && !self.style.strict {
                piece.gap = Gap::Paste;
                self.note_pasted(index);
            }
            if piece.gap == Gap::Author && piece.breaks > 0 && !is_text {
                self.note_row(index);
            }
            if follows_comment {
                piece.gap = if piece.breaks > 0 { Gap::Line } else { Gap::Joined };
            }
        }
        match token.kind {
            Kind::String | Kind::Code => Role::Text,
            Kind::Operator => Role::Operator,
            Kind::Number => self.number(token),
            Kind::Word => self.word(index, token, piece),
            Kind::Sign(sign) => self.sign(index, sign, piece),
            _ => Role::Value,
        }
    }

    /// Begins the aligned part of a statement where it is due.
    fn align(&mut self, index: usize, piece: &mut Piece) {
        let is_body = self.is_body[index];
        let Some(Context::Statement { form, aligned, is_next_aligned, .. }) = self.contexts.last_mut() else {
            return;
        };
        if !std::mem::take(is_next_aligned) || is_body {
            return;
        }
        *aligned = Some(index);
        let is_tail = match *form {
            Form::Assignment => {
                piece.gap = Gap::Value;
                true
            }
            // The colon stays at the end of its line.
            Form::Record if piece.breaks > 0 && !self.style.strict && !self.is_colon_moved => {
                piece.gap = Gap::Parents;
                true
            }
            _ => false,
        };
        if is_tail && piece.breaks > 0 {
            self.note_tail(index);
        }
    }

    fn set_next_aligned(&mut self) {
        if let Some(Context::Statement { is_next_aligned, .. }) = self.contexts.last_mut() {
            *is_next_aligned = true;
        }
    }

    /// Ends the aligned part of the innermost statement before a piece.
    fn close_aligned(&mut self, index: usize) {
        if let Some(Context::Statement { aligned, rows, .. }) = self.contexts.last_mut()
            && let Some(start) = aligned.take()
        {
            self.groups.push(Group { start, end: index, kind: GroupKind::Aligned { hang: *rows } });
        }
    }

    /// Ends a row of strings, which are one value.
    fn close_texts(&mut self, index: usize) {
        if let Some(start) = self.texts.take() {
            let more = self.texts_more.take().unwrap_or(0);
            self.groups.push(Group { start, end: index, kind: GroupKind::Texts { more } });
        }
    }

    fn end_statement(&mut self, index: usize) {
        self.close_aligned(index);
        if let Some(Context::Statement { group, hang, .. }) = self.contexts.pop() {
            self.groups[group].kind = GroupKind::Statement { hang, is_row: false };
        }
    }

    fn number(&self, token: Token) -> Role {
        let is_signed = self.outline.text_of(token).starts_with(['+', '-']);
        let in_slice = matches!(
            self.contexts.last(),
            Some(Context::Brackets { role: Role::OpenSlice | Role::OpenBits, .. })
        );
        let follows_number = self.code_kind.is_some_and(|before| before.kind == Kind::Number);
        if is_signed && (in_slice || follows_number) { Role::Bound } else { Role::Value }
    }

    fn word(&mut self, index: usize, token: Token, piece: &mut Piece) -> Role {
        let text = self.outline.text_of(token);
        let Some(Context::Statement { form, .. }) = self.contexts.last() else { return Role::Value };
        match (text, *form) {
            ("in", Form::List | Form::Control) | ("then", Form::Control) => self.close_aligned(index),
            ("else", Form::Control) if !matches!(self.code_role, Role::CloseBody | Role::CloseEmpty) => {
                piece.gap = Gap::Child(0);
            }
            _ => {}
        }
        Role::Value
    }

    /// Returns true if the last code is a value that `[` or `{` takes parts of.
    fn follows_value(&self) -> bool {
        let is_keyword = self.code_kind.is_some_and(|token| {
            let text = self.outline.text_of(token);
            token.kind == Kind::Word && matches!(text, "in" | "then" | "else" | "if" | "assert" | "dump")
        });
        matches!(self.code_role, Role::Value | Role::Text | Role::Close | Role::CloseApart) && !is_keyword
    }

    fn sign(&mut self, index: usize, sign: u8, piece: &mut Piece) -> Role {
        match sign {
            b'<' => self.open(index, Role::OpenAngle),
            b'(' if matches!(self.code_role, Role::Operator | Role::CloseType) => {
                self.open(index, Role::OpenOperands)
            }
            b'(' => self.open(index, Role::OpenDag),
            b'[' if self.follows_value() => self.open(index, Role::OpenSlice),
            b'[' => self.open(index, Role::OpenList),
            b'{' if self.is_body[index] => {
                self.close_aligned(index);
                if piece.gap == Gap::Joined {
                    piece.gap = Gap::Brace;
                }
                self.contexts.push(Context::Body);
                let end = self.brackets.partner[index];
                self.groups.push(Group { start: index, end, kind: GroupKind::Body });
                Role::OpenBody
            }
            b'{' if self.follows_value() => self.open(index, Role::OpenSlice),
            b'{' => self.open(index, Role::OpenBits),
            b')' | b']' | b'}' | b'>' => self.close(index, piece),
            b',' => {
                self.carried = piece.breaks;
                piece.gap = Gap::Joined;
                Role::Comma
            }
            b';' => {
                self.close_aligned(index);
                Role::Semicolon
            }
            b':' => self.colon(index, piece),
            b'=' => {
                if let Some(Context::Statement { form, has_tail, group, .. }) = self.contexts.last_mut()
                    && !*has_tail
                    && *form == Form::Assignment
                {
                    *has_tail = true;
                    let group = *group;
                    self.marks.push((group, index));
                    self.set_next_aligned();
                }
                Role::Equal
            }
            b'#' => {
                if let Some(Context::Statement { form: Form::Record, has_tail: false, .. }) =
                    self.contexts.last()
                {
                    return Role::NamePaste;
                }
                piece.gap = Gap::Paste;
                let after = self.breaks_after(index);
                if piece.breaks == 0 && after > 0 && !self.style.strict {
                    // It stays at the end of its line.
                    piece.gap = Gap::Joined;
                } else if piece.breaks > 0 {
                    self.note_pasted(index);
                }
                if self.style.strict {
                    piece.breaks = piece.breaks.max(after);
                }
                Role::Paste
            }
            b'.' => Role::Dot,
            _ => Role::Value,
        }
    }

    /// Returns the line breaks between a token and the next one.
    fn breaks_after(&self, index: usize) -> usize {
        let tokens = &self.outline.tokens;
        let Some(next) = tokens.get(index + 1) else { return 0 };
        memchr_count(self.outline.slice(tokens[index].end..next.start).as_bytes()).min(1)
    }

    fn colon(&mut self, index: usize, piece: &mut Piece) -> Role {
        match self.contexts.last_mut() {
            Some(Context::Statement { form: Form::Record, has_tail, group, .. }) if !*has_tail => {
                *has_tail = true;
                let group = *group;
                self.marks.push((group, index));
                self.set_next_aligned();
                let after = self.breaks_after(index);
                self.is_colon_moved = piece.breaks > 0;
                if piece.breaks == 0 && after > 0 && !self.style.strict {
                    return Role::Parents;
                }
                piece.gap = Gap::Parents;
                if piece.breaks > 0 {
                    self.note_tail(index);
                }
                piece.breaks = piece.breaks.max(after).min(1);
                Role::Parents
            }
            Some(Context::Brackets { is_cond: true, .. }) => Role::Case,
            _ => Role::Name,
        }
    }

    fn open(&mut self, index: usize, role: Role) -> Role {
        let is_cond = role == Role::OpenOperands
            && self.code_kind.is_some_and(|token| self.outline.text_of(token) == "!cond");
        self.contexts.push(Context::Brackets {
            open: index,
            role,
            is_cond,
            element: None,
            is_block: false,
            breaks: 0,
            hang: None,
        });
        role
    }

    fn close(&mut self, index: usize, piece: &mut Piece) -> Role {
        let is_empty = self.brackets.partner[index] + 1 == index;
        match self.contexts.pop() {
            Some(Context::Brackets { open, role, element, is_block, hang, .. }) => {
                let is_header = role == Role::OpenAngle
                    && matches!(self.contexts.last(), Some(Context::Statement { form: Form::Record, .. }));
                let element = element.unwrap_or(index);
                piece.gap = if is_empty { Gap::Joined } else { Gap::Close };
                let rise = self.origins[index].column.saturating_sub(self.origins[open].indent);
                let closing = match rise {
                    _ if self.style.strict || piece.breaks == 0 => None,
                    0 => Some(0),
                    _ => (rise < self.style.continuation).then_some(self.style.indent),
                };
                let kind = GroupKind::Brackets { element, is_block, hang, is_header, closing };
                self.groups.push(Group { start: open, end: index, kind });
                // The operator of a dag may end here.
                if let Some(Context::Brackets { element: None, breaks, .. }) = self.contexts.last_mut() {
                    *breaks = 0;
                }
                let before = open.checked_sub(1).and_then(|_| self.code_before(open));
                let opens_bits = self.outline.tokens.get(open + 1).is_some_and(|next| next.is(b'{'));
                let is_type = self.outline.tokens[open].is(b'<')
                    && before.is_some_and(|before| before.kind == Kind::Operator);
                match role {
                    Role::OpenList | Role::OpenSlice if opens_bits && !is_empty => Role::CloseApart,
                    _ if is_type => Role::CloseType,
                    _ => Role::Close,
                }
            }
            _ if is_empty => Role::CloseEmpty,
            _ => {
                piece.gap = Gap::Close;
                Role::CloseBody
            }
        }
    }

    /// Finds tables: statements on consecutive lines whose `:` or `=` the author has aligned.
    fn tables(&mut self) {
        let outline = self.outline;
        let line = |token: usize| outline.line_of(outline.tokens[token].start).0;
        let last_line = |token: usize| outline.line_of(outline.tokens[token].end).0;
        let mut marks = std::mem::take(&mut self.marks);
        marks.sort_unstable_by_key(|(_, mark)| *mark);
        marks.retain(|(group, mark)| {
            let start = self.groups[*group].start;
            line(start) == line(*mark) && self.origins[start].column == self.origins[start].indent
        });
        // A mark in a body comes between those of two statements: rows of one table have one column.
        marks.sort_by_key(|(group, mark)| (self.origins[self.groups[*group].start].column, *mark));
        let is_near = |a: &(usize, usize), b: &(usize, usize)| {
            let (above, below) = (&self.groups[a.0], &self.groups[b.0]);
            let between = outline.tokens.get(above.end..below.start).unwrap_or_default();
            last_line(above.end - 1) + 1 == line(below.start)
                && !between.iter().any(Token::is_code)
                && self.origins[a.1].column == self.origins[b.1].column
                && self.outline.text_of(outline.tokens[a.1]) == outline.text_of(outline.tokens[b.1])
        };
        let runs: Vec<Vec<(usize, usize)>> = marks.chunk_by(is_near).map(<[_]>::to_vec).collect();
        for run in runs.iter().filter(|run| run.len() > 1) {
            let gap = |mark: usize| self.pieces[mark].range.start - self.pieces[mark - 1].range.end;
            if !run.iter().any(|(_, mark)| gap(*mark) > 1) {
                continue;
            }
            let width = |&(group, mark): &(usize, usize)| {
                let pieces = &self.pieces[self.groups[group].start..mark];
                let spaces = pieces.iter().skip(1).filter(|piece| piece.is_spaced).count();
                pieces.iter().map(|piece| piece.width).sum::<usize>() + spaces
            };
            let column = |&(group, mark): &(usize, usize)| {
                self.origins[mark].column - self.origins[self.groups[group].start].column
            };
            let target = run.iter().map(|row| column(row).max(width(row) + 1)).max().unwrap_or(0);
            let paddings: Vec<usize> = run.iter().map(|row| target - width(row) - 1).collect();
            for (&(group, mark), padding) in run.iter().zip(paddings) {
                self.pieces[mark].padding = padding;
                self.pieces[mark].gap = Gap::Joined;
                if let GroupKind::Statement { is_row, .. } = &mut self.groups[group].kind {
                    *is_row = true;
                }
            }
        }
    }

    fn finish(&mut self, count: usize) {
        while let Some(Context::Statement { .. }) = self.contexts.last() {
            self.end_statement(count);
        }
    }
}

/// Returns the places of the tokens in the source.
fn origins(outline: &Outline) -> Vec<Origin> {
    let text = &*outline.text;
    let mut origins = Vec::with_capacity(outline.tokens.len());
    let (mut line_start, mut indent, mut at) = (0, 0, 0);
    for token in &outline.tokens {
        if let Some(last) = text[at..token.start].rfind('\n').map(|last| at + last + 1) {
            line_start = last;
            let line = &text[last..];
            indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        }
        at = token.start;
        let column = text[line_start..token.start].chars().count();
        origins.push(Origin { column, indent });
    }
    origins
}

fn memchr_count(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

/// Returns the columns of a text.
fn width(text: &str) -> usize {
    if text.is_ascii() { text.trim_end_matches('\r').len() } else { text.chars().count() }
}
