//! Evaluation: statements are read from the token stream and take effect one by one.
//!
//! TableGen's meaning is defined in one pass: the meaning of a name or a literal depends on the records made so far and
//! on the type wanted at that place, and an error in the middle of a statement decides at which token the next error is
//! reported. So there is no syntax tree between tokens and records: each file here reads its part of the grammar and
//! acts on it.
//!
//! * [`statement`](self) (`statement.rs`, `body.rs`, `multiclass.rs`): statements at top level and in bodies;
//! * `value.rs`: values and their suffixes; [`ops`]: the bang operators; `type_rules.rs`: types and conversions;
//! * `scope.rs`: the meanings of names; `resolve.rs`: replacing names by values and folding operators, with the
//!   environment of these names (`environment.rs`);
//! * `instantiate.rs`: classes into records; `entry.rs`: the statements that loops and multiclasses hold for later;
//! * [`snapshot`]: the state after leading `include`s, shared by the jobs that begin alike;
//! * [`checkpoint`]: states that a later process continues from;
//! * [`recovery`], [`trace`]: continuing after errors, and the targets of names: for editors.

mod body;
mod check;
pub mod checkpoint;
mod entry;
mod environment;
mod instantiate;
mod multiclass;
pub mod ops;
pub mod recovery;
mod resolve;
mod scope;
pub mod snapshot;
mod statement;
pub mod trace;
mod type_rules;
mod value;

use std::{
    collections::{BTreeMap, HashSet},
    rc::Rc,
    sync::Arc,
};

use rustc_hash::FxBuildHasher;

use self::{
    checkpoint::{Checkpoint, Recorder},
    entry::{Defset, Loop, Multiclass},
    recovery::Recovery,
    scope::Scope,
    trace::Trace,
};
use crate::{
    diagnostic::{Code, Diagnostic, Id, Severity},
    limits::Meter,
    record::{
        InitId, RecordId, StrId, TypeId,
        keeper::Keeper,
        layer::Layer,
        overlay::{Names, Overlay},
    },
    regex::Regex,
    source::Sources,
    span::Span,
    syntax::{Keyword, Token, TokenKind, Tokens},
};
use odsmith_release::Change;

/// A marker for an error that was reported; the caller stops reading.
#[derive(Clone, Copy, Debug)]
pub struct Reported;

/// The result of reading a construct.
pub type Parsed<T> = Result<T, Reported>;

/// The result of an evaluation.
#[derive(Debug)]
pub struct Evaluated {
    /// The records.
    pub keeper: Keeper,
    /// The texts they came from.
    pub sources: Sources,
    /// Files that were read, the root first, without duplicates.
    pub reads: Vec<String>,
    /// Names in `include`s and the files they led to.
    pub requests: BTreeMap<String, String>,
    /// Messages, in order.
    pub diagnostics: Vec<Diagnostic>,
    /// True if the whole root was read without an error.
    pub is_ok: bool,
    /// The number of errors, if reading continued to the end in spite of them.
    pub counted_errors: u32,
    /// The rest of the limits.
    pub meter: Meter,
    /// States to be saved.
    pub checkpoints: Vec<Checkpoint>,
}

/// Message for inputs that the reference rejects silently.
const NO_MEANING: &str = "a value in front of this has no meaning";

/// The most bytes of a value in a message.
const MOST_SHOWN: usize = 1 << 20;

/// The depth of instances of one class at which a limit error names that class.
const DEEP_RECURSION: usize = 100;

/// The most bytes of the text of one value, however long the output may be.
const MOST_TEXT: usize = 256 << 20;

/// The state of one evaluation.
pub struct Evaluator<'f> {
    keeper: Keeper,
    tokens: Tokens<'f>,
    token: Token,
    diagnostics: Vec<Diagnostic>,
    /// Bytes of these messages.
    message_bytes: usize,
    error_count: u32,
    /// True after a fatal error: nothing more is reported and everything unwinds.
    is_stopped: bool,
    meter: Meter,
    scopes: Vec<Scope>,
    loops: Vec<Loop>,
    lets: Vec<Vec<body::Let>>,
    /// The multiclass being read.
    multiclass: Option<Multiclass>,
    multiclasses: Layer<Arc<Multiclass>>,
    /// Names given by `deftype`.
    types: Names<TypeId>,
    defsets: Vec<Defset>,
    /// The record that each instance `Class<…>` became.
    instances: Overlay<InitId, InitId>,
    /// The place where each instance was first written.
    instance_spans: Overlay<InitId, Span>,
    /// Template arguments (by qualified name) that were mentioned.
    used_args: HashSet<StrId, FxBuildHasher>,
    warns_of_unused_args: bool,
    /// The record being read: its fields and template arguments are in scope.
    record: Option<RecordId>,
    /// The current record for the body of an operator that is read outside of any record.
    nameless: Option<RecordId>,
    /// Variables bound by surrounding operators.
    bound: Vec<StrId>,
    /// The string `NAME`.
    name_str: StrId,
    /// Classes that were declared before their definition, and the place of the definition.
    declared_again: Vec<(RecordId, Span)>,
    /// A buffer for a text before it is interned.
    room: String,
    /// The recorder of states after leading `include`s, if they are wanted.
    recorder: Option<Box<Recorder>>,
    /// The last regular expression used.
    last_regex: Option<(StrId, Rc<Regex>)>,
    /// The number of surrounding choices that are not made yet. Inside them a branch without a value is not an error.
    open_choices: u32,
    /// The missing value that ended the resolution of a branch.
    missing: Option<resolve::Missing>,
    /// The types of the chosen value and of the `!cond`, if the last one folded could not convert its value.
    unconverted: Option<[TypeId; 2]>,
    /// Classes whose instances are being made, with the places of the instances, outermost first.
    instantiating: Vec<(RecordId, Span)>,
    /// True if the lexer reported something at or before the first token.
    begins_with_message: bool,
    /// The trace of the targets of names, for editors.
    trace: Option<Box<Trace>>,
    /// The state for continuing after errors, for editors.
    recovery: Option<Box<Recovery>>,
}

/// Moves classes that were declared before to their definitions, if a comment is there: otherwise one above the
/// declaration stays.
fn place_again(keeper: &mut Keeper, declared_again: &[(RecordId, Span)], sources: &Sources) {
    for &(class, definition) in declared_again {
        if sources.comment_above(definition).is_some() {
            keeper.record_mut(class).statement = definition;
        }
    }
}

impl<'f> Evaluator<'f> {
    /// Creates an evaluator at the beginning of these tokens.
    pub fn new(mut tokens: Tokens<'f>, mut keeper: Keeper, meter: Meter, warns_of_unused_args: bool) -> Self {
        let token = tokens.next_token();
        keeper.most_text =
            usize::try_from(meter.limits().output_bytes).map_or(MOST_TEXT, |most| most.min(MOST_TEXT));
        let name_str = keeper.arena.string("NAME");
        let mut evaluator = Evaluator {
            keeper,
            tokens,
            token,
            diagnostics: Vec::new(),
            message_bytes: 0,
            error_count: 0,
            is_stopped: false,
            meter,
            scopes: vec![Scope::default()],
            loops: Vec::new(),
            lets: Vec::new(),
            multiclass: None,
            multiclasses: Layer::default(),
            types: Names::default(),
            defsets: Vec::new(),
            instances: Overlay::default(),
            instance_spans: Overlay::default(),
            used_args: HashSet::default(),
            warns_of_unused_args,
            record: None,
            nameless: None,
            bound: Vec::new(),
            name_str,
            declared_again: Vec::new(),
            room: String::new(),
            recorder: None,
            last_regex: None,
            open_choices: 0,
            missing: None,
            unconverted: None,
            instantiating: Vec::new(),
            begins_with_message: false,
            trace: None,
            recovery: None,
        };
        evaluator.fetch_messages();
        evaluator.begins_with_message = !evaluator.diagnostics.is_empty();
        evaluator.charge_inclusions();
        evaluator
    }

    /// Reads and evaluates everything.
    #[must_use]
    pub fn run(mut self) -> Evaluated {
        let text_fits = |cx: &mut Self| cx.reported(cx.keeper.check_text(cx.token.span));
        let result = self.file().and_then(|()| text_fits(&mut self));
        let is_read = result.is_ok() && !self.is_stopped;
        self.into_evaluated(is_read)
    }

    /// Returns the results; `is_read` is true if the whole root was read.
    fn into_evaluated(mut self, is_read: bool) -> Evaluated {
        if !is_read && self.error_count == 0 {
            // The reference fails silently.
            let _ = self.fail_here::<()>(NO_MEANING);
        }
        let recorder = self.recorder.take();
        let read = self.tokens.into_read();
        let checkpoints = recorder.map(|recorder| recorder.finish(&read)).unwrap_or_default();
        place_again(&mut self.keeper, &self.declared_again, &read.sources);
        Evaluated {
            checkpoints,
            requests: read.requests,
            is_ok: is_read && self.error_count == 0,
            counted_errors: if is_read { self.error_count } else { 0 },
            reads: read.reads,
            sources: read.sources,
            keeper: self.keeper,
            diagnostics: self.diagnostics,
            meter: self.meter,
        }
    }

    // --- messages -----------------------------------------------------------------------------------------

    /// Reports a message.
    fn report(&mut self, diagnostic: Diagnostic) {
        if self.is_stopped {
            return;
        }
        if diagnostic.severity == Severity::Error {
            self.error_count += 1;
            if self.keeper.rules.has(Change::ErrorsInNotesCounted) {
                let errors = diagnostic.notes.iter().filter(|note| note.severity == Severity::Error);
                self.error_count += errors.count() as u32;
            }
        }
        self.is_stopped = diagnostic.is_fatal;
        let span = diagnostic.span;
        self.message_bytes += diagnostic.heap_bytes();
        self.diagnostics.push(diagnostic);
        if !self.is_stopped
            && let Err(over) = self.meter.bytes(span, self.message_bytes)
        {
            self.report(*over);
        }
    }

    /// Reports an error and returns `Err`.
    fn fail<T>(&mut self, span: Span, message: impl Into<String>) -> Parsed<T> {
        self.report(Diagnostic::error(span, message));
        Err(Reported)
    }

    /// Reports an error that code recognises and returns `Err`.
    fn fail_as<T>(&mut self, id: Id, span: Span, message: impl Into<String>) -> Parsed<T> {
        self.report(Diagnostic::error(span, message).id(id));
        Err(Reported)
    }

    /// Reports an error at the current token and returns `Err`.
    fn fail_here<T>(&mut self, message: impl Into<String>) -> Parsed<T> {
        self.fail(self.token.span, message)
    }

    /// Reports an error that ends evaluation.
    fn fatal<T>(&mut self, span: Span, message: impl Into<String>) -> Parsed<T> {
        self.report(Diagnostic::fatal(span, message));
        Err(Reported)
    }

    /// Calls `ask` with the meter and the place of the current token, and reports a limit that is reached.
    #[inline]
    fn metered(&mut self, ask: impl FnOnce(&mut Meter, Span) -> Result<(), Box<Diagnostic>>) -> Parsed<()> {
        let asked = ask(&mut self.meter, self.token.span);
        self.reported(asked)
    }

    /// Charges one iteration, and checks the memory: iterations make values without reading a token.
    #[inline]
    fn charge_round(&mut self, span: Span, units: u64) -> Parsed<()> {
        let charged = self.meter.charge(span, units).and_then(|()| self.keeper.check(&self.meter, span));
        self.reported(charged)
    }

    /// Reports the error of a result, if it is one.
    #[inline]
    fn reported<T>(&mut self, result: Result<T, Box<Diagnostic>>) -> Parsed<T> {
        result.map_err(|diagnostic| self.give_up(*diagnostic))
    }

    #[cold]
    fn give_up(&mut self, mut diagnostic: Diagnostic) -> Reported {
        if diagnostic.code == Code::Limit {
            diagnostic = self.with_recursion(diagnostic);
        }
        self.report(diagnostic);
        Reported
    }

    /// Adds to a limit error the class that instantiates itself recursively, if there is one.
    fn with_recursion(&self, diagnostic: Diagnostic) -> Diagnostic {
        let Some(&(class, span)) = self.instantiating.last() else { return diagnostic };
        let depth = self.instantiating.iter().filter(|&&(other, _)| other == class).count();
        if depth < DEEP_RECURSION {
            return diagnostic;
        }
        let Diagnostic { message, notes, span: there, .. } = diagnostic;
        let name = self.show_name(class);
        let message =
            format!("{message}: class '{name}' instantiates itself, {depth} times inside one another");
        let help = format!(
            "end the recursion of '{name}' with !if on an operand that template arguments decide: a field has no value \
             yet while they are put in, and !cond resolves all its branches"
        );
        let mut error = Diagnostic::fatal(span, message).code(Code::Limit).note(Span::NONE, help);
        if there != span && there != Span::NONE {
            error = error.note(there, "the limit was reached here");
        }
        error.notes.extend(notes);
        error
    }

    #[cold]
    fn fetch_messages(&mut self) {
        for diagnostic in std::mem::take(&mut self.tokens.pending) {
            self.report(diagnostic);
        }
    }

    /// Charges the work and the memory of files that were opened. An exceeded limit is reported, and stops evaluation
    /// at the next token.
    #[cold]
    fn charge_inclusions(&mut self) {
        let units = std::mem::take(&mut self.tokens.units);
        let bytes = self.keeper.live_bytes() + self.tokens.opened_bytes();
        let charged = self.meter.charge(self.token.span, units);
        let _ = self.reported(charged.and_then(|()| self.meter.bytes(self.token.span, bytes)));
    }

    // --- tokens -------------------------------------------------------------------------------------------

    /// Advances to the next token.
    fn advance(&mut self) {
        self.token = self.tokens.next_token();
        if !self.tokens.pending.is_empty() {
            self.fetch_messages();
        }
        let here = self.token.span;
        if self.tokens.units > 0 {
            self.charge_inclusions();
        }
        let charged = self.meter.charge(here, 1).and_then(|()| self.keeper.check(&self.meter, here));
        // An exceeded limit is reported, and stops evaluation at the next token.
        let _ = self.reported(charged);
        if self.is_stopped {
            self.token.kind = TokenKind::Error;
        }
    }

    fn kind(&self) -> TokenKind {
        self.token.kind
    }

    fn at(&self, kind: TokenKind) -> bool {
        self.token.kind == kind
    }

    /// Skips the token if it is of this kind.
    fn eat(&mut self, kind: TokenKind) -> bool {
        let is = self.at(kind);
        if is {
            self.advance();
        }
        is
    }

    fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        self.eat(TokenKind::Keyword(keyword))
    }

    /// Skips a token of this kind, or fails at the token that is there instead.
    fn expect(&mut self, kind: TokenKind, message: &str) -> Parsed<()> {
        if self.eat(kind) { Ok(()) } else { self.fail_here(message) }
    }

    /// Interns the text of the current token, without skipping it.
    fn word(&mut self) -> StrId {
        self.keeper.arena.utf8(self.tokens.text())
    }

    // --- nesting ------------------------------------------------------------------------------------------

    /// Runs `action` one level of nesting deeper. If that is too deep, the error points `there`.
    #[inline(always)]
    fn nested<T>(&mut self, there: Span, action: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.metered(|meter, _| meter.enter(there))?;
        let result = action(self);
        self.meter.leave();
        result
    }

    fn str(&self, id: StrId) -> &str {
        self.keeper.str(id)
    }

    /// Returns a value as the reference writes it in messages.
    fn show(&self, init: InitId) -> String {
        let mut text = String::new();
        crate::record::print::beginning(&self.keeper, init, MOST_SHOWN, &mut text);
        // A message is for people.
        if text.len() > MOST_SHOWN {
            let end = (0..=MOST_SHOWN).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
            text.truncate(end);
        }
        text
    }

    /// Returns a type as the reference writes it in messages.
    fn show_type(&self, ty: TypeId) -> String {
        let mut text = String::new();
        crate::record::print::ty(&self.keeper, ty, &mut text);
        text
    }

    /// Returns a record's name as the reference writes it in messages.
    fn show_name(&self, record: RecordId) -> String {
        self.unquoted(self.keeper.record(record).name)
    }

    /// Returns a value as text: a string without its quotes.
    fn unquoted(&self, init: InitId) -> String {
        match self.string_of(init) {
            Some(text) => self.str(text).to_owned(),
            None => self.show(init),
        }
    }
}
