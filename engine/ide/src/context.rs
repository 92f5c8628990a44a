//! The context of a position in an unfinished statement: brackets, the class whose arguments they hold, the field.

use std::{ops::Range, rc::Rc};

use odsmith_engine::{
    outline::{Item, Kind, Statement, StatementKind, Token, lexical::is_word_byte, symbols},
    record::{Rec, TypeId},
};

use crate::{analysis::Analysis, document::Document, workspace::Workspace};

/// An open bracket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The bracket.
    pub bracket: u8,
    /// The word or operator before it.
    pub head: Option<usize>,
    /// The first token after it.
    pub first: Option<usize>,
    /// The number of commas between it and the cursor.
    pub commas: usize,
    /// The token at which the current entry begins.
    pub entry: usize,
}

/// The context of a position.
pub struct Context<'d> {
    /// The file.
    pub document: &'d Document,
    /// The position.
    pub offset: usize,
    /// The statements that enclose it, outermost first.
    pub path: Vec<&'d Statement>,
    /// The open brackets of the innermost statement, outermost first, without that of its body.
    pub frames: Vec<Frame>,
    /// The last token before the word at the position.
    pub before: Option<usize>,
    /// The range of the word that ends at the position.
    pub word: Range<usize>,
    /// The token that contains the position, if that is a string, code or a comment.
    pub inside: Option<usize>,
    /// True if the position is in the body of the innermost statement.
    pub is_in_body: bool,
    /// True if it comes after a `:` of the innermost statement's header.
    pub is_after_colon: bool,
}

impl<'d> Context<'d> {
    /// Computes the context of an offset.
    #[must_use]
    pub fn new(document: &'d Document, offset: usize) -> Self {
        let offset = document.boundary(offset);
        let inside = inside(document, offset);
        let word = word_before(document, offset, inside.is_some());
        let path = document.path_to(word.start.max(1) - usize::from(word.start > 0 && inside.is_none()));
        let mut path = if path.is_empty() { document.path_to(word.start) } else { path };
        let limit = document.tokens.partition_point(|token| token.start < word.start);
        // After a statement that is closed a new one begins.
        while let Some(last) = path.last() {
            let end = document.tokens[last.tokens.end - 1].end;
            if last.is_closed && word.start >= end && inside.is_none() {
                path.pop();
            } else {
                break;
            }
        }
        let mut context = Context {
            document,
            offset,
            path,
            frames: Vec::new(),
            before: None,
            word,
            inside,
            is_in_body: false,
            is_after_colon: false,
        };
        context.read(limit);
        context
    }

    fn read(&mut self, limit: usize) {
        let Some(statement) = self.path.last().copied() else {
            self.before = self.significant(0..limit).last();
            return;
        };
        let body = statement.body.as_ref().map(|body| body.start);
        let range = statement.tokens.start..limit.max(statement.tokens.start);
        let tokens: Vec<usize> = self.significant(range).collect();
        // The last `>`, and the operator before its `<`: `!cast<type>(` is one head.
        let mut typed: Option<(usize, usize)> = None;
        for &index in &tokens {
            let token = self.document.tokens[index];
            if let Some(frame) = self.frames.last_mut()
                && frame.first.is_none()
            {
                frame.first = Some(index);
            }
            match token.kind {
                Kind::Sign(b'{') if body == Some(index + 1) => {
                    self.is_in_body = true;
                    self.frames.clear();
                }
                Kind::Sign(bracket @ (b'<' | b'(' | b'[' | b'{')) => {
                    let head = self.before.filter(|&before| {
                        matches!(self.document.tokens[before].kind, Kind::Word | Kind::Operator)
                    });
                    let of_type =
                        typed.filter(|(end, _)| Some(*end) == self.before).map(|(_, operator)| operator);
                    let head = head.or(of_type);
                    self.frames.push(Frame { bracket, head, first: None, commas: 0, entry: index + 1 });
                }
                Kind::Sign(close @ (b'>' | b')' | b']' | b'}')) => {
                    let open = match close {
                        b'>' => b'<',
                        b')' => b'(',
                        b']' => b'[',
                        _ => b'{',
                    };
                    if let Some(at) = self.frames.iter().rposition(|frame| frame.bracket == open) {
                        let head = self.frames[at].head.filter(|_| open == b'<');
                        let operator = head.filter(|&head| self.document.tokens[head].kind == Kind::Operator);
                        typed = operator.map(|operator| (index, operator));
                        self.frames.truncate(at);
                    }
                }
                Kind::Sign(b',') => {
                    if let Some(frame) = self.frames.last_mut() {
                        frame.commas += 1;
                        frame.entry = index + 1;
                    }
                }
                Kind::Sign(b':') if self.frames.is_empty() && !self.is_in_body => {
                    self.is_after_colon = true;
                }
                Kind::Sign(b';') => self.frames.clear(),
                _ => {}
            }
            self.before = Some(index);
        }
    }

    fn significant(&self, range: Range<usize>) -> impl Iterator<Item = usize> + use<'d> {
        let tokens = &self.document.tokens;
        range.filter(|&index| tokens[index].is_code())
    }

    /// Returns the innermost statement.
    #[must_use]
    pub fn statement(&self) -> Option<&'d Statement> {
        self.path.last().copied()
    }

    /// Returns the text of a token.
    #[must_use]
    pub fn text(&self, token: usize) -> &'d str {
        self.document.tokens[token].text(&self.document.text)
    }

    /// Returns the token before the word at the position.
    #[must_use]
    pub fn before(&self) -> Option<&'d Token> {
        self.before.map(|index| &self.document.tokens[index])
    }

    /// Returns true if the previous token is this byte.
    #[must_use]
    pub fn is_after(&self, byte: u8) -> bool {
        self.before().is_some_and(|token| token.is(byte))
    }

    /// Returns the field whose declaration or `let` contains the position.
    #[must_use]
    pub fn field(&self) -> Option<&'d Item> {
        let statement = self.statement().filter(|_| self.is_in_body)?;
        let starts = |item: &&Item| item.start <= self.word.start;
        let item = statement.items.iter().rfind(starts)?;
        let last = self.document.tokens[item.tokens.end - 1];
        // After its `;` the next field begins.
        (!last.is(b';') || self.offset < last.end).then_some(item)
    }

    /// Returns true if the position is in the value of a field.
    #[must_use]
    pub fn is_in_value(&self) -> bool {
        let Some(item) = self.field() else { return false };
        let equal = item.value.start.checked_sub(1).map(|index| self.document.tokens[index]);
        equal.is_some_and(|equal| equal.is(b'=') && equal.end <= self.offset)
    }
}

/// Returns the string, code or comment token that contains an offset.
fn inside(document: &Document, offset: usize) -> Option<usize> {
    let after = document.tokens.partition_point(|token| token.start < offset);
    let index = after.checked_sub(1)?;
    let token = &document.tokens[index];
    let is_open = match token.kind {
        Kind::String | Kind::Code => !token.is_closed,
        Kind::LineComment | Kind::Directive => true,
        Kind::BlockComment => false,
        _ => return None,
    };
    (offset < token.end || is_open && offset == token.end).then_some(index)
}

fn word_before(document: &Document, offset: usize, is_inside: bool) -> Range<usize> {
    let bytes = document.text.as_bytes();
    let offset = offset.min(bytes.len());
    let is_part =
        |byte: &u8| is_word_byte(*byte) || matches!(byte, b'$' | b'!') || is_inside && *byte == b'-';
    let length = bytes[..offset].iter().rev().take_while(|byte| is_part(byte)).count();
    offset - length..offset
}

/// The record of a statement or, if the statement is broken, the classes that its header names.
pub struct Shape<'r> {
    /// The record.
    pub record: Option<Rec<'r>>,
    /// The classes of its header.
    pub classes: Vec<Rec<'r>>,
}

impl<'r> Shape<'r> {
    /// Returns the shape of a statement.
    #[must_use]
    pub fn of(analysis: &'r Analysis, document: &Document, statement: &Statement) -> Self {
        let keyword = statement.start;
        let record = analysis.records_at(&document.path, keyword).into_iter().next();
        let named = symbols::parents(document, statement)
            .filter_map(|name| analysis.records.class(document.text_of(name)));
        let mut classes: Vec<Rec<'r>> = named.collect();
        // The record of a class that was cut short lacks the superclasses after the cut.
        if classes.is_empty() {
            classes.extend(record.into_iter().flat_map(Rec::direct_superclasses));
        }
        Shape { record, classes }
    }

    /// Returns the fields that a `let` can set: each with its type and a record that has it.
    #[must_use]
    pub fn fields(&self) -> Vec<(&'r str, TypeId, Rec<'r>)> {
        let mut found: Vec<(&'r str, TypeId, Rec<'r>)> = Vec::new();
        for rec in self.record.iter().chain(&self.classes).copied() {
            for (name, field) in rec.declarations() {
                if found.iter().all(|(known, ..)| *known != name) {
                    found.push((name, field.ty(), rec));
                }
            }
        }
        found
    }

    /// Returns the type of a field.
    #[must_use]
    pub fn field_type(&self, name: &str) -> Option<TypeId> {
        let all = self.record.iter().chain(&self.classes);
        all.copied().find_map(|rec| rec.field(name)).map(|field| field.ty())
    }

    /// Returns true if the record derives from a class, or will.
    #[must_use]
    pub fn is_a(&self, class: &str) -> bool {
        let all = self.record.iter().chain(&self.classes);
        all.copied().any(|rec| rec.name() == class || rec.is_subclass_of(class))
    }
}

/// A template argument.
#[derive(Clone, Copy)]
pub struct Argument<'r> {
    /// The name as written.
    pub name: &'r str,
    /// The type.
    pub ty: TypeId,
    /// The default value, if any.
    pub default: Option<odsmith_engine::record::Val<'r>>,
    /// The place of its declaration.
    pub span: odsmith_engine::span::Span,
}

/// Returns the template arguments of a class.
pub fn arguments<'r>(class: Rec<'r>) -> impl Iterator<Item = Argument<'r>> {
    let record = class.record();
    let records = class.records();
    record.template_args.iter().zip(&record.template_locals).map(move |(field, &local)| Argument {
        name: records.keeper().str(local),
        ty: field.ty(),
        default: records.val_or_none(field.value).filter(|value| !value.is_unset()),
        span: field.span,
    })
}

/// Returns the class or multiclass whose arguments a `<` opens.
#[must_use]
pub fn class_of<'r>(analysis: &'r Analysis, context: &Context<'_>, frame: &Frame) -> Option<Rec<'r>> {
    if frame.bracket != b'<' {
        return None;
    }
    let name = context.text(frame.head?);
    let records = &analysis.records;
    records.class(name).or_else(|| {
        let head = context.document.tokens[frame.head?].start;
        let mention = analysis.mention(&context.document.path, head)?;
        Some(records.rec(mention.record?))
    })
}

/// Returns the analyses to ask about a broken file: the current one, then the last good one.
#[must_use]
pub fn analyses(workspace: &Workspace, path: &str) -> Vec<Rc<Analysis>> {
    let current = workspace.analysis_of(path);
    current.into_iter().chain(workspace.earlier_analysis_of(path)).collect()
}

/// Returns true if a statement has a body of fields.
#[must_use]
pub fn has_fields(statement: &Statement) -> bool {
    matches!(statement.kind, StatementKind::Class | StatementKind::Def)
}
