//! Custom forms: a format's parser over tokens.
//!
//! ```text
//! $lhs `,` $rhs attr-dict `:` type($result)      over      %a, %b {x} : i32
//! %a → lhs · , · %b → rhs · {x} → dictionary · : · i32 → type of result
//! ```
//!
//! The first pass finds only where each piece ends, and reads nothing: types, attributes and regions are skipped by
//! their brackets. The text of a `custom` directive ends where the rest of the format fits. Alternatives are tried in
//! order, each (step, token) once.

use std::sync::Arc;

use odsmith_interchange::grammar::{
    Class, Format, Kind,
    program::{self, Parser, Role},
};
use rustc_hash::FxHashSet;

use crate::{
    bound::{self, Defaults},
    cursor::{Cursor, Limits},
    definitions::Definitions,
    lexer::{TokenKind as T, Tokens},
    skip,
    tree::{NO_DATA, flags},
};

/// The text of a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// A keyword or punctuation.
    Literal(Box<str>),
    /// `%value`.
    Value,
    /// `^block`, in the notation of tables with the values that are passed.
    Successor {
        /// True if `(%a : T)` may follow.
        has_values: bool,
    },
    /// `{ … }` with operations.
    Region,
    /// `{ … }` with attributes.
    Dictionary,
    /// `<{ … }>`.
    Properties,
    /// `<{ … }>`, or a list: `<a = 1, b>`.
    PropertyList,
    /// A type. One of this C++ class may be without its dialect and mnemonic.
    Type(Option<Box<str>>),
    /// `(…) -> …`.
    FunctionType,
    /// `T`, `(T, …)`.
    ResultTypes,
    /// `@a`.
    Symbol,
    /// `@a::@b`.
    SymbolPath,
    /// A case of an enum.
    Case {
        /// Words without quotes.
        words: Box<[Box<str>]>,
    },
    /// An attribute without its own type: numbers, texts, lists.
    Untyped(Untyped),
    /// Any attribute.
    Attribute,
    /// An attribute or type of this C++ class, maybe without its dialect and mnemonic.
    Own(Box<str>),
    /// The text that a snippet of C++ parses.
    Code,
    /// The text that a custom directive parses.
    Custom(Box<str>),
    /// The text of a custom directive whose syntax a table has.
    Directive(Arc<Program>),
    /// Any word.
    Keyword,
    /// Anything in a pair of brackets.
    Brackets,
    /// `(%a: T {attrs}, …) -> …`.
    Signature,
    /// `(%a: T, …)`.
    Arguments,
    /// `%a: T`.
    Argument,
    /// `loc(…)`.
    Location,
    /// `(%a = %x, …)`.
    Assign,
    /// `#map(%d)[%s]`, `min #map(%d)`, `%x`, a number.
    Bound,
    /// `#map(%d)[%s]`.
    MapOperands,
}

/// The classes of attributes whose type is not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untyped {
    /// `true`.
    Bool,
    /// `-1`.
    Integer,
    /// `1.5`.
    Float,
    /// `"text"`.
    String,
    /// `[…]`.
    Array,
    /// `[1, 2]`, `array<…>`.
    DenseArray,
    /// Another attribute of a builtin class.
    Other,
}

/// The role of a piece in its operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartRef {
    /// The number of the part, or [`NO_DATA`].
    pub part: u16,
    /// True for the type of the part.
    pub is_type: bool,
    /// [`flags::ALL`] if the part is the list of all of a kind.
    pub flags: u8,
    /// True if the values are arguments of the next region, and no operands.
    pub is_argument: bool,
}

impl PartRef {
    /// No part.
    pub const NONE: PartRef = PartRef { part: NO_DATA, is_type: false, flags: 0, is_argument: false };
}

/// A piece of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its text.
    pub kind: PieceKind,
    /// Its role.
    pub place: PartRef,
}

/// A step of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Takes a piece.
    Take(Piece),
    /// Takes a piece, or goes on at another step.
    Try(Piece, u32),
    /// Goes on, or at another step.
    Split(u32),
    /// Goes on at another step.
    Jump(u32),
    /// Marks an alternative as chosen.
    Mark {
        /// Its number.
        bit: u32,
        /// True if it can be chosen only once.
        is_once: bool,
    },
    /// Fails if an alternative is not marked.
    Need(u32),
    /// Goes on at another step if all of these are marked.
    IfMarked(u64, u32),
    /// The end.
    End,
}

/// A form as a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The steps.
    pub steps: Vec<Step>,
    /// True if a piece of it has no end of its own: `custom`.
    pub is_open: bool,
    /// True if a table has a part of it, whose refusal is no error.
    pub has_table: bool,
}

impl Program {
    /// Returns the pieces of all steps.
    pub fn pieces(&self) -> impl Iterator<Item = &Piece> {
        self.steps.iter().filter_map(|step| match step {
            Step::Take(piece) | Step::Try(piece, _) => Some(piece),
            _ => None,
        })
    }

    /// Returns true if it reads a region.
    pub(crate) fn has_region(&self) -> bool {
        self.pieces().any(|piece| piece.kind == PieceKind::Region)
    }

    /// Compiles a format.
    #[must_use]
    pub fn new(format: &Format) -> Self {
        let parser = Parser::new(format, &|_| true);
        let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let steps: Vec<Step> = parser
            .steps
            .iter()
            .map(|step| match step {
                program::Step::Take(piece) => Step::Take(Piece::new(format, piece)),
                program::Step::Try { wanted, otherwise } => {
                    Step::Try(Piece::new(format, wanted), number(*otherwise))
                }
                program::Step::Mark { bit, is_once } => Step::Mark { bit: *bit, is_once: *is_once },
                program::Step::Need(bit) => Step::Need(*bit),
                program::Step::IfMarked { bits, to } => Step::IfMarked(*bits, number(*to)),
                program::Step::Jump(to) => Step::Jump(number(*to)),
                program::Step::End => Step::End,
            })
            .collect();
        Program::of(steps)
    }

    /// Creates a program of these steps.
    #[must_use]
    pub fn of(steps: Vec<Step>) -> Self {
        let is_open = steps.iter().any(|step| match step {
            Step::Take(piece) | Step::Try(piece, _) => {
                matches!(piece.kind, PieceKind::Custom(_) | PieceKind::Code)
            }
            _ => false,
        });
        Program { steps, is_open, has_table: false }
    }
}

impl Program {
    /// Leaves the text of `prop-dict` to C++.
    pub(crate) fn open_properties(&mut self) {
        self.is_open |= self.replace_properties(&PieceKind::Custom("prop-dict".into()));
    }

    /// Lets `prop-dict` be a list.
    pub(crate) fn list_properties(&mut self) {
        self.replace_properties(&PieceKind::PropertyList);
    }

    fn replace_properties(&mut self, kind: &PieceKind) -> bool {
        let mut is_replaced = false;
        for step in &mut self.steps {
            if let Step::Take(piece) | Step::Try(piece, _) = step
                && piece.kind == PieceKind::Properties
            {
                piece.kind = kind.clone();
                is_replaced = true;
            }
        }
        is_replaced
    }
}

impl Program {
    /// Returns true if C++ parses a part of it.
    pub(crate) fn is_vague(&self, cursor: &Cursor<'_>) -> bool {
        self.is_open
            || self.steps.iter().any(|step| match step {
                Step::Take(piece) | Step::Try(piece, _) => match &piece.kind {
                    PieceKind::Own(class) => cursor.definitions().program_of_class(class).is_none(),
                    _ => false,
                },
                _ => false,
            })
    }

    /// Replaces the custom directives whose syntax is known. `syntax` returns that of a name.
    pub(crate) fn close_directives(&mut self, syntax: impl Fn(&str) -> Option<(Arc<Program>, bool)>) {
        for step in &mut self.steps {
            if let Step::Take(piece) | Step::Try(piece, _) = step
                && let PieceKind::Custom(name) = &piece.kind
                && let Some((program, is_exact)) = syntax(name)
            {
                piece.kind = PieceKind::Directive(program);
                self.has_table |= !is_exact;
            }
        }
        let has_table = self.has_table;
        *self = Program { has_table, ..Program::of(std::mem::take(&mut self.steps)) };
    }
}

impl Piece {
    fn new(format: &Format, piece: &program::ExpectedPiece) -> Self {
        let own = |class: &str| (!class.is_empty()).then(|| Box::from(class));
        let kind = match &piece.class {
            Class::Literal(text) => PieceKind::Literal(text.as_str().into()),
            Class::Enum { words, .. } => {
                PieceKind::Case { words: words.iter().map(|word| word.as_str().into()).collect() }
            }
            Class::Value => PieceKind::Value,
            Class::Successor => PieceKind::Successor { has_values: false },
            Class::Region => PieceKind::Region,
            Class::Dictionary => PieceKind::Dictionary,
            Class::PropDictionary => PieceKind::Properties,
            Class::Type(class) => PieceKind::Type(own(class)),
            Class::FunctionType => PieceKind::FunctionType,
            Class::Symbol => PieceKind::Symbol,
            Class::SymbolPath => PieceKind::SymbolPath,
            Class::Bool => PieceKind::Untyped(Untyped::Bool),
            Class::Integer => PieceKind::Untyped(Untyped::Integer),
            Class::Float => PieceKind::Untyped(Untyped::Float),
            Class::String => PieceKind::Untyped(Untyped::String),
            Class::Array => PieceKind::Untyped(Untyped::Array),
            Class::DenseArray => PieceKind::Untyped(Untyped::DenseArray),
            Class::Unit | Class::AffineMap | Class::IntegerSet => PieceKind::Untyped(Untyped::Other),
            Class::Elements | Class::Attribute => PieceKind::Attribute,
            Class::Own(class) => PieceKind::Own(class.as_str().into()),
            Class::Code(_) => PieceKind::Code,
            Class::Custom(name) => PieceKind::Custom(name.as_str().into()),
        };
        let place = match piece.bindings.as_slice() {
            [(role, entity)] if *role != Role::Presence => {
                let is_all = format.entities.get(*entity).is_some_and(|entity| entity.is_all);
                PartRef {
                    part: u16::try_from(*entity).unwrap_or(NO_DATA),
                    is_type: *role == Role::Type,
                    flags: if is_all { flags::ALL } else { 0 },
                    is_argument: false,
                }
            }
            // The keyword shows that the attribute is present.
            [(_, entity)] => PartRef {
                part: u16::try_from(*entity).unwrap_or(NO_DATA),
                flags: flags::PRESENCE,
                ..PartRef::NONE
            },
            // The operands of a directive.
            bindings => bindings
                .iter()
                .find(|(role, entity)| {
                    let kind = format.entities.get(*entity).map(|entity| entity.kind);
                    *role == Role::Value && kind == Some(Kind::Operand)
                })
                .map_or(PartRef::NONE, |(_, entity)| PartRef {
                    part: u16::try_from(*entity).unwrap_or(NO_DATA),
                    ..PartRef::NONE
                }),
        };
        // The value of an operand can be anything in quotes of a literal; a result is never written as a value.
        let is_result =
            |entity: u16| format.entities.get(entity as usize).is_some_and(|it| it.kind == Kind::Result);
        let place = if !place.is_type && kind == PieceKind::Value && is_result(place.part) {
            PartRef::NONE
        } else {
            place
        };
        Piece { kind, place }
    }
}

/// A piece that was found: the step, the first token and the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundPiece {
    /// The step.
    pub step: u32,
    /// The first token.
    pub first: u32,
    /// The token after the last one.
    pub end: u32,
}

/// The result of matching a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It matches up to this token.
    Matched(u32),
    /// It does not match; this is the last token that could be reached, and the step there.
    Refused(u32, u32),
    /// There are too many steps.
    Exhausted,
}

/// The conditions for the end of a form.
#[derive(Clone, Copy, Debug)]
pub struct Goal<'d> {
    /// The token at which the form has to end; nothing if it may end before any statement.
    pub end: Option<u32>,
    /// The token that no piece goes beyond.
    pub limit: u32,
    /// True if brackets may be carried from one directive to the next.
    pub is_carried: bool,
    /// True if the form may be followed by anything.
    pub is_inner: bool,
    /// The dialect whose operations need no prefix; nothing if any word may begin the next statement.
    pub defaults: Option<Defaults<'d>>,
}

impl Goal<'_> {
    /// Returns the goal of a form that ends at a token.
    #[must_use]
    pub fn to(end: u32) -> Self {
        Goal { end: Some(end), limit: end, is_carried: false, is_inner: false, defaults: None }
    }
}

#[derive(Clone, Copy, Debug)]
struct Alternative {
    step: u32,
    at: u32,
    found: u32,
    marks: u64,
    again: Again,
}

/// A state of the matcher.
#[derive(Clone, Copy, Debug)]
struct State {
    step: u32,
    at: u32,
    marks: u64,
}

/// The way to go on with an alternative.
#[derive(Clone, Copy, Debug)]
enum Again {
    /// With the step.
    Step,
    /// With a longer text of the step's directive, from this token.
    Longer(u32),
    /// After the step's piece, which began at this token and ends at the alternative's.
    After(u32),
}

/// A matcher, whose memory is used again for each form.
#[derive(Debug, Default)]
pub struct Matcher {
    /// The pieces in the order of the text.
    pub found: Vec<FoundPiece>,
    /// True if the form fits in several ways.
    pub is_ambiguous: bool,
    alternatives: Vec<Alternative>,
    visited: FxHashSet<(u32, u32, u64)>,
    ends: Vec<u32>,
    /// The token at which the steps that are tried are noted.
    watched: Option<u32>,
    /// The steps that were tried there.
    tried: Vec<u32>,
}

/// Tokens by which nested definitions are read.
const DEPTH: u32 = 6;

impl Matcher {
    /// Matches a form at a token.
    pub fn run(&mut self, cursor: &Cursor<'_>, program: &Program, start: u32, goal: Goal<'_>) -> Outcome {
        self.found.clear();
        self.alternatives.clear();
        self.visited.clear();
        self.is_ambiguous = false;
        let length = u64::from(goal.limit.saturating_sub(start).min(1 << 20));
        let mut budget =
            256 + u64::from(cursor.limits().steps_per_token) * length * if program.is_open { 8 } else { 1 };
        let (mut step, mut at, mut marks) = (0_u32, start, 0_u64);
        let (mut farthest, mut reason) = (start, 0_u32);
        let mut accepted: Option<(u32, Vec<FoundPiece>)> = None;
        loop {
            if budget == 0 {
                return match accepted {
                    Some((end, found)) => {
                        self.found = found;
                        self.is_ambiguous = true;
                        Outcome::Matched(end)
                    }
                    None => Outcome::Exhausted,
                };
            }
            budget -= 1;
            let mut is_failed = false;
            if self.watched == Some(at) && !self.tried.contains(&step) {
                self.tried.push(step);
            }
            match program.steps.get(step as usize) {
                None | Some(Step::End) => {
                    if self.accepts(cursor, at, goal) {
                        if !program.is_open {
                            return Outcome::Matched(at);
                        }
                        if accepted.is_some() {
                            self.is_ambiguous = true;
                        } else {
                            accepted = Some((at, self.found.clone()));
                        }
                    }
                    is_failed = true;
                }
                Some(Step::Jump(to)) => step = *to,
                Some(Step::Split(to)) => {
                    self.push(*to, at, marks);
                    step += 1;
                }
                Some(Step::Mark { bit, is_once }) => {
                    if *is_once && (marks >> bit) & 1 == 1 {
                        is_failed = true;
                    } else {
                        marks |= 1 << bit;
                        step += 1;
                    }
                }
                Some(Step::Need(bit)) => {
                    if (marks >> bit) & 1 == 1 {
                        step += 1;
                    } else {
                        is_failed = true;
                    }
                }
                Some(Step::IfMarked(bits, to)) => step = if marks & bits == *bits { *to } else { step + 1 },
                Some(Step::Take(piece)) => {
                    let open = matches!(piece.kind, PieceKind::Custom(_) | PieceKind::Code);
                    if open && !goal.is_inner {
                        let is_empty = matches!(piece.kind, PieceKind::Custom(_));
                        let first = at;
                        self.alternatives.push(Alternative {
                            step,
                            at,
                            found: self.length(),
                            marks,
                            again: Again::Longer(first),
                        });
                        if is_empty {
                            self.found.push(FoundPiece { step, first, end: at });
                            step += 1;
                        } else {
                            is_failed = true;
                        }
                    } else if let Some(end) = self.take(cursor, piece, State { step, at, marks }, goal) {
                        (step, at) = (step + 1, end);
                    } else {
                        is_failed = true;
                    }
                }
                Some(Step::Try(piece, otherwise)) => {
                    let open = matches!(piece.kind, PieceKind::Custom(_) | PieceKind::Code);
                    if open && !goal.is_inner {
                        self.push(*otherwise, at, marks);
                        self.alternatives.push(Alternative {
                            step,
                            at,
                            found: self.length(),
                            marks,
                            again: Again::Longer(at),
                        });
                        is_failed = true;
                    } else {
                        let before = (self.alternatives.len(), at, self.length());
                        self.push(*otherwise, at, marks);
                        if let Some(end) = self.take(cursor, piece, State { step, at, marks }, goal) {
                            (step, at) = (step + 1, end);
                        } else {
                            self.alternatives.truncate(before.0);
                            (at, step) = (before.1, *otherwise);
                        }
                    }
                }
            }
            if !is_failed {
                continue;
            }
            if at >= farthest && step < u32::MAX {
                (farthest, reason) = (at, step);
            }
            // The next alternative.
            loop {
                let Some(next) = self.alternatives.pop() else {
                    return match accepted {
                        Some((end, found)) => {
                            self.found = found;
                            Outcome::Matched(end)
                        }
                        None => Outcome::Refused(farthest, reason),
                    };
                };
                if budget == 0 {
                    break;
                }
                budget -= 1;
                self.found.truncate(next.found as usize);
                (step, at, marks) = (next.step, next.at, next.marks);
                match next.again {
                    Again::Step => {}
                    Again::Longer(first) => {
                        let Some(end) = longer(cursor, at, goal) else { continue };
                        self.alternatives.push(Alternative { at: end, ..next });
                        self.found.push(FoundPiece { step, first, end });
                        (step, at) = (step + 1, end);
                    }
                    Again::After(first) => {
                        self.found.push(FoundPiece { step, first, end: at });
                        step += 1;
                    }
                }
                if self.visited.insert((step, at, marks)) {
                    break;
                }
                // Another way to a state of the accepted form.
                if let Some((_, found)) = &accepted
                    && found.iter().any(|piece| piece.step + 1 == step && piece.end == at)
                {
                    self.is_ambiguous = true;
                }
            }
        }
    }

    fn length(&self) -> u32 {
        u32::try_from(self.found.len()).unwrap_or(u32::MAX)
    }

    fn push(&mut self, step: u32, at: u32, marks: u64) {
        let found = self.length();
        self.alternatives.push(Alternative { step, at, found, marks, again: Again::Step });
    }

    /// Takes a piece; further ends that it may have become alternatives.
    /// Takes a piece and returns its end; further ends that it may have become alternatives.
    fn take(&mut self, cursor: &Cursor<'_>, piece: &Piece, state: State, goal: Goal<'_>) -> Option<u32> {
        let State { step, at: first, marks } = state;
        let mut ends = std::mem::take(&mut self.ends);
        ends.clear();
        piece_ends(cursor, &piece.kind, first, DEPTH, &mut ends);
        ends.retain(|end| *end <= goal.limit);
        let taken = ends.first().copied();
        for other in ends.iter().skip(1).rev() {
            let (found, again) = (self.length(), Again::After(first));
            self.alternatives.push(Alternative { step, at: *other, found, marks, again });
        }
        self.found.extend(taken.map(|end| FoundPiece { step, first, end }));
        self.ends = ends;
        taken
    }

    fn accepts(&self, cursor: &Cursor<'_>, at: u32, goal: Goal<'_>) -> bool {
        if goal.is_inner {
            return true;
        }
        match goal.end {
            Some(end) if at == end => true,
            // The location of the statement.
            Some(end) => {
                let is_location = cursor.text_of(at) == "loc" && cursor.kind(at + 1) == T::LeftParen;
                is_location && cursor.tokens().after(at + 1) == end
            }
            None => {
                may_follow(cursor, at)
                    && goal.defaults.is_none_or(|defaults| {
                        let is_word = cursor.kind(at) == T::Word;
                        !is_word || bound::operation_at(cursor, at, defaults, true).is_some()
                    })
            }
        }
    }
}

/// Returns the pieces that a form may have at the end of a text, which begins after the operation's name.
#[must_use]
pub fn expected(text: &str, program: &Program, definitions: &Definitions) -> Vec<PieceKind> {
    let tokens = Tokens::new(text);
    let limits = Limits::default();
    let cursor = Cursor::new(text, &tokens, definitions, &limits);
    let end = tokens.len().saturating_sub(1);
    let mut matcher = Matcher { watched: Some(end), ..Matcher::default() };
    // No form may end, so that all alternatives are tried.
    let goal = Goal { end: Some(u32::MAX), limit: end, is_carried: false, is_inner: false, defaults: None };
    matcher.run(&cursor, program, 0, goal);
    matcher.tried.sort_unstable();
    let piece = |step: &u32| match program.steps.get(*step as usize) {
        Some(Step::Take(piece) | Step::Try(piece, _)) => Some(piece.kind.clone()),
        _ => None,
    };
    matcher.tried.iter().filter_map(piece).collect()
}

/// Returns the next longer end of a directive.
fn longer(cursor: &Cursor<'_>, at: u32, goal: Goal<'_>) -> Option<u32> {
    let end = if goal.is_carried { at + 1 } else { cursor.tokens().after(at) };
    let closes = matches!(cursor.kind(at), T::RightParen | T::RightBrace | T::RightBracket);
    (end <= goal.limit && at < goal.limit && (goal.is_carried || !closes)).then_some(end)
}

/// Returns true if a statement or the end of a region can begin with a token.
#[must_use]
pub fn may_follow(cursor: &Cursor<'_>, at: u32) -> bool {
    match cursor.kind(at) {
        T::End
        | T::RightBrace
        | T::RightParen
        | T::RightBracket
        | T::Block
        | T::Word
        | T::ResourcesBegin
        | T::Attribute
        | T::Type => true,
        // Results; a value alone begins nothing.
        T::Value => matches!(cursor.kind(at + 1), T::Equal | T::Comma | T::Colon),
        T::String => cursor.kind(at + 1) == T::LeftParen,
        _ => false,
    }
}

/// Returns true if a dictionary, and no region, begins at a token. A region can consist of one word: `{ acc.yield }`.
#[must_use]
pub fn is_dictionary(cursor: &Cursor<'_>, at: u32) -> bool {
    if cursor.kind(at) != T::LeftBrace || cursor.tokens().partner(at).is_none() {
        return false;
    }
    match cursor.kind(at + 1) {
        T::RightBrace => true,
        T::Word if cursor.kind(at + 2) == T::RightBrace => {
            cursor.definitions().operation(cursor.text_of(at + 1)).is_none()
        }
        T::Word | T::String => matches!(cursor.kind(at + 2), T::Equal | T::Comma | T::RightBrace),
        _ => false,
    }
}

fn pair_end(cursor: &Cursor<'_>, at: u32) -> Option<u32> {
    cursor.tokens().partner(at).filter(|end| *end > at && *end < cursor.end).map(|end| end + 1)
}

/// Returns the end of a value.
#[must_use]
pub fn value_end(cursor: &Cursor<'_>, at: u32) -> Option<u32> {
    if cursor.kind(at) != T::Value {
        return None;
    }
    let is_number = cursor.kind(at + 1) == T::Attribute && {
        let text = &cursor.text_of(at + 1)[1..];
        text.bytes().all(|byte| byte.is_ascii_digit())
    };
    Some(at + 1 + u32::from(is_number))
}

/// Adds the possible ends of a piece, the most likely one first.
fn piece_ends(cursor: &Cursor<'_>, kind: &PieceKind, at: u32, depth: u32, ends: &mut Vec<u32>) {
    let token = cursor.kind(at);
    let end = match kind {
        PieceKind::Literal(text) => (cursor.text_of(at) == &**text).then_some(at + 1),
        PieceKind::Value => value_end(cursor, at),
        PieceKind::Successor { has_values } => (token == T::Block).then(|| match cursor.kind(at + 1) {
            T::LeftParen if *has_values => pair_end(cursor, at + 1).unwrap_or(at + 1),
            _ => at + 1,
        }),
        PieceKind::Region => (token == T::LeftBrace).then(|| pair_end(cursor, at)).flatten(),
        PieceKind::Dictionary => is_dictionary(cursor, at).then(|| pair_end(cursor, at)).flatten(),
        PieceKind::Properties => {
            (token == T::Less && cursor.kind(at + 1) == T::LeftBrace).then(|| pair_end(cursor, at)).flatten()
        }
        PieceKind::PropertyList => {
            let begins = match cursor.kind(at + 1) {
                T::LeftBrace => true,
                T::Word => matches!(cursor.kind(at + 2), T::Equal | T::Comma | T::Greater),
                _ => false,
            };
            (token == T::Less && begins).then(|| pair_end(cursor, at)).flatten()
        }
        PieceKind::Type(None) => skip::ty(cursor, at),
        PieceKind::Type(Some(class)) => {
            if let Some(end) = skip::ty(cursor, at) {
                ends.push(end);
            }
            if token != T::Type {
                own_ends(cursor, class, at, depth, ends);
            }
            None
        }
        PieceKind::FunctionType => skip::function(cursor, at),
        PieceKind::ResultTypes => skip::results(cursor, at),
        PieceKind::Symbol => (token == T::Symbol).then_some(at + 1),
        PieceKind::SymbolPath => skip::symbol(cursor, at),
        PieceKind::Case { words } => case_end(cursor, words, at),
        PieceKind::Untyped(class) => {
            ends.extend(untyped_end(cursor, *class, at));
            // Attributes of some of these classes have a type nevertheless.
            match *class {
                Untyped::String | Untyped::Other if !ends.is_empty() => skip::attribute(cursor, at),
                _ => None,
            }
        }
        PieceKind::Attribute => {
            let (typed, untyped) = (skip::attribute(cursor, at), skip::untyped_attribute(cursor, at));
            ends.extend(typed);
            untyped.filter(|end| Some(*end) != typed)
        }
        PieceKind::Own(class) => {
            own_ends(cursor, class, at, depth, ends);
            None
        }
        PieceKind::Code | PieceKind::Custom(_) => {
            // Inside another definition: the shortest text that can be one value.
            ends.extend(skip::untyped_attribute(cursor, at));
            pair_end(cursor, at).or((token == T::Word).then_some(at + 1))
        }
        PieceKind::Directive(program) => {
            (depth > 0).then(|| inner_end(cursor, program, at, depth - 1)).flatten()
        }
        PieceKind::Keyword => (token == T::Word).then_some(at + 1),
        PieceKind::Brackets | PieceKind::Arguments | PieceKind::Assign => {
            let is_round = *kind == PieceKind::Brackets || token == T::LeftParen;
            let is_open = matches!(token, T::LeftParen | T::LeftBracket | T::LeftBrace | T::Less);
            (is_open && is_round).then(|| pair_end(cursor, at)).flatten()
        }
        PieceKind::Signature => signature_end(cursor, at),
        PieceKind::Argument => {
            let colon = value_end(cursor, at).filter(|end| cursor.kind(*end) == T::Colon);
            colon.and_then(|colon| skip::ty(cursor, colon + 1))
        }
        PieceKind::Location => (cursor.text_of(at) == "loc" && cursor.kind(at + 1) == T::LeftParen)
            .then(|| pair_end(cursor, at + 1))
            .flatten(),
        PieceKind::Bound => bound_end(cursor, at),
        PieceKind::MapOperands => map_end(cursor, at),
    };
    if let Some(end) = end
        && !ends.contains(&end)
    {
        ends.push(end);
    }
}

fn signature_end(cursor: &Cursor<'_>, at: u32) -> Option<u32> {
    let end = (cursor.kind(at) == T::LeftParen).then(|| pair_end(cursor, at))??;
    match cursor.kind(end) {
        T::Arrow => skip::results(cursor, end + 1),
        _ => Some(end),
    }
}

/// Returns the end of a map with its operands.
fn map_end(cursor: &Cursor<'_>, at: u32) -> Option<u32> {
    let map = match cursor.kind(at) {
        T::Attribute => Some(at + 1),
        T::Word => skip::attribute(cursor, at),
        _ => None,
    }?;
    let operands = (cursor.kind(map) == T::LeftParen).then(|| pair_end(cursor, map))??;
    match cursor.kind(operands) {
        T::LeftBracket => pair_end(cursor, operands),
        _ => Some(operands),
    }
}

fn bound_end(cursor: &Cursor<'_>, at: u32) -> Option<u32> {
    match cursor.kind(at) {
        T::Value => value_end(cursor, at),
        T::Integer | T::Minus => skip::number(cursor, at),
        T::Word if matches!(cursor.text_of(at), "min" | "max") => map_end(cursor, at + 1),
        _ => map_end(cursor, at),
    }
}

fn case_end(cursor: &Cursor<'_>, words: &[Box<str>], at: u32) -> Option<u32> {
    let is_case = |at: u32| {
        let text = cursor.text_of(at);
        words.iter().any(|word| &**word == text)
    };
    match cursor.kind(at) {
        T::String => Some(at + 1),
        T::Attribute => skip::attribute(cursor, at),
        T::Word | T::Times if is_case(at) => {
            let mut end = at + 1;
            while matches!(cursor.kind(end), T::Pipe | T::Comma) && is_case(end + 1) {
                end += 2;
            }
            Some(end)
        }
        T::Integer | T::Minus => skip::number(cursor, at),
        // A word that is no keyword: `2d`, `a::b`.
        _ => words.iter().find_map(|word| {
            let start = cursor.tokens().start(at);
            let rest = &cursor.whole_text()[start..];
            let fits = !word.is_empty() && rest.starts_with(&**word);
            let end = cursor.tokens().at_byte(start + word.len());
            (fits && end > at && end <= cursor.end).then_some(end)
        }),
    }
}

fn untyped_end(cursor: &Cursor<'_>, class: Untyped, at: u32) -> Option<u32> {
    let token = cursor.kind(at);
    // An alias, or the full syntax of an attribute.
    if token == T::Attribute {
        return skip::untyped_attribute(cursor, at);
    }
    match class {
        Untyped::Bool => match cursor.text_of(at) {
            "true" | "false" => Some(at + 1),
            _ => skip::number(cursor, at),
        },
        Untyped::Integer => match cursor.text_of(at) {
            "true" | "false" => Some(at + 1),
            _ => skip::number(cursor, at),
        },
        Untyped::Float => skip::number(cursor, at),
        Untyped::String => (token == T::String).then_some(at + 1),
        Untyped::Array => (token == T::LeftBracket).then(|| pair_end(cursor, at)).flatten(),
        Untyped::DenseArray => match token {
            T::LeftBracket => pair_end(cursor, at),
            _ => skip::untyped_attribute(cursor, at),
        },
        Untyped::Other => skip::untyped_attribute(cursor, at),
    }
}

/// Adds the ends of an attribute or type of a class, which may be written without dialect and mnemonic.
fn own_ends(cursor: &Cursor<'_>, class: &str, at: u32, depth: u32, ends: &mut Vec<u32>) {
    if cursor.kind(at) == T::Attribute {
        ends.extend(skip::attribute(cursor, at));
        let untyped = skip::untyped_attribute(cursor, at);
        if let Some(end) = untyped.filter(|end| !ends.contains(end)) {
            ends.push(end);
        }
        return;
    }
    if let Some(program) = cursor.definitions().program_of_class(class)
        && depth > 0
    {
        ends.extend(inner_end(cursor, program, at, depth - 1));
        // If C++ parses a parameter, its text may be any.
        if !program.is_vague(cursor) {
            if ends.is_empty() {
                ends.extend(skip::attribute(cursor, at));
            }
            // A parameter may be read by C++ that no format shows.
            if !ends.is_empty() {
                return;
            }
        }
    }
    let mut add = |end: Option<u32>| {
        if let Some(end) = end.filter(|end| !ends.contains(end)) {
            ends.push(end);
        }
    };
    add(skip::attribute(cursor, at));
    add(skip::untyped_attribute(cursor, at));
    match cursor.kind(at) {
        T::Less | T::LeftParen | T::LeftBracket => add(pair_end(cursor, at)),
        T::Word => {
            let mut end = at + 1;
            if cursor.kind(end) == T::Less {
                add(pair_end(cursor, end));
            }
            while matches!(cursor.kind(end), T::Pipe) && cursor.kind(end + 1) == T::Word {
                end += 2;
            }
            add(Some(end));
            add(Some(at + 1));
        }
        _ => {}
    }
}

/// Returns the end of the parameters of a definition.
fn inner_end(cursor: &Cursor<'_>, program: &Program, at: u32, depth: u32) -> Option<u32> {
    let mut matcher = InnerMatcher { cursor, program, depth, budget: 4096 };
    matcher.from(0, at, 0)
}

/// A matcher for definitions inside forms: the first way that fits counts.
struct InnerMatcher<'c, 't> {
    cursor: &'c Cursor<'t>,
    program: &'c Program,
    depth: u32,
    budget: u32,
}

impl InnerMatcher<'_, '_> {
    fn from(&mut self, mut step: u32, mut at: u32, mut marks: u64) -> Option<u32> {
        loop {
            self.budget = self.budget.checked_sub(1)?;
            match self.program.steps.get(step as usize) {
                None | Some(Step::End) => return Some(at),
                Some(Step::Jump(to)) => step = *to,
                Some(Step::Split(to)) => match self.from(step + 1, at, marks) {
                    Some(end) => return Some(end),
                    None => step = *to,
                },
                Some(Step::Mark { bit, is_once }) => {
                    if *is_once && (marks >> bit) & 1 == 1 {
                        return None;
                    }
                    marks |= 1 << bit;
                    step += 1;
                }
                Some(Step::Need(bit)) => {
                    if (marks >> bit) & 1 == 0 {
                        return None;
                    }
                    step += 1;
                }
                Some(Step::IfMarked(bits, to)) => step = if marks & bits == *bits { *to } else { step + 1 },
                Some(Step::Take(piece)) => {
                    at = self.one(piece, at)?;
                    step += 1;
                }
                Some(Step::Try(piece, otherwise)) => match self.one(piece, at) {
                    Some(end) => (step, at) = (step + 1, end),
                    None => step = *otherwise,
                },
            }
        }
    }

    fn one(&self, piece: &Piece, at: u32) -> Option<u32> {
        let mut ends = Vec::new();
        piece_ends(self.cursor, &piece.kind, at, self.depth, &mut ends);
        ends.first().copied()
    }
}
