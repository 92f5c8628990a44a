//! The bang operators: section "Bang operators" of the manual.
//!
//! [`OPERATORS`] is the list that the lexer, the reader, the folder and the printer share. An entry defines how the
//! operands are read (`Form`) and how they fold. One file per group.

mod arith;
mod compare;
mod control;
mod dags;
mod legacy_range;
mod lists;
mod read;
mod records;
mod strings;

use std::slice;

use odsmith_release::{Change, Rules};

use super::{Evaluator, Parsed};
use crate::{
    diagnostic::Diagnostic,
    record::{
        InitId, OperatorId, RecordId, StrId, TypeId,
        operator::{Completeness, Notation, OperatorFacts},
    },
    span::Span,
};

/// A bang operator.
pub struct Operator {
    /// The facts about it that every user of values needs.
    facts: OperatorFacts,
    /// The way in which its operands are read.
    pub(super) form: Form,
    /// The function that folds it: returns its value for these operands, or nothing while that is unknown.
    pub(super) fold: Fold,
    /// True if it is folded again when a record is finished, though no operand changed: it depends on records.
    pub(super) waits_for_the_end: bool,
    /// The change that introduced it, if not every release has it.
    since: Option<Change>,
}

impl Operator {
    /// Creates an operator that is always complete, may fail, is written `!name(…)`, and is folded when an operand
    /// changes.
    const fn new(name: &'static str, form: Form, fold: Fold) -> Self {
        let (completeness, notation) = (Completeness::Always, Notation::Call);
        let facts = OperatorFacts { name, completeness, is_pure: false, decisive: None, notation };
        Operator { facts, form, fold, waits_for_the_end: false, since: None }
    }

    const fn since(mut self, change: Change) -> Self {
        self.since = Some(change);
        self
    }

    const fn complete(mut self, completeness: Completeness) -> Self {
        self.facts.completeness = completeness;
        self
    }

    const fn pure(mut self) -> Self {
        self.facts.is_pure = true;
        self
    }

    const fn decided_by(mut self, left: i64) -> Self {
        self.facts.decisive = Some(left);
        self
    }

    const fn written(mut self, notation: Notation) -> Self {
        self.facts.notation = notation;
        self
    }

    const fn waits_for_the_end(mut self) -> Self {
        self.waits_for_the_end = true;
        self
    }
}

/// The result of a fold function.
pub(super) type Folded = Parsed<Option<InitId>>;
/// A fold function.
pub(super) type Fold = fn(&mut Evaluator<'_>, &Folding<'_>) -> Folded;

/// The input of a fold function.
pub(super) struct Folding<'a> {
    /// The type in angle brackets, or the result's.
    pub(super) ty: TypeId,
    pub(super) operands: &'a [InitId],
    /// The current record.
    pub(super) record: Option<RecordId>,
    /// True if this is the last chance.
    pub(super) is_final: bool,
}

/// A function that checks three operands, each with its place, and returns the result's type.
pub(super) type TernaryCheck = fn(&mut Evaluator<'_>, [(InitId, Span); 3]) -> Parsed<TypeId>;

/// The way in which operands are read, and the type of the result.
pub(super) enum Form {
    /// `!op(x)`; the function checks the operand and returns the result's type.
    Unary(fn(&mut Evaluator<'_>, InitId) -> Parsed<TypeId>),
    /// `!op(a, b)`, or more operands that nest to the right.
    Binary(Binary),
    /// `!op(a, b, c)`; the function checks the operands and returns the result's type.
    Ternary(TernaryCheck),
    /// Read by a function of its own: operator, its place, the type wanted.
    Special(fn(&mut Evaluator<'_>, OperatorId, Span, Option<TypeId>) -> Parsed<InitId>),
}

/// The types around a binary operator.
pub(super) struct Binary {
    /// The result's type; nothing if it is that of the operands.
    pub(super) result: Option<TypeId>,
    /// The kinds of the operands.
    pub(super) operands: Operands,
    /// True if more than two operands are allowed.
    pub(super) nests: bool,
}

/// The kinds of operands that a binary operator accepts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Operands {
    /// All of this type, or convertible.
    All(TypeId),
    /// All comparable by identity or value.
    Equatable,
    /// All ordered.
    Ordered,
    /// All lists with a common element type.
    Lists,
    /// Any value, and the number of times to repeat it.
    Splat,
    /// A list and a separator.
    Interleave,
    /// A dag and this operand.
    DagAnd(DagSecond),
}

/// The second operand of an operator on dags.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum DagSecond {
    /// A record.
    Operator,
    /// A string.
    Name,
    /// An index or a name.
    Key,
    /// An index.
    Index,
}

/// Every operator. The index is its [`OperatorId`].
pub const OPERATORS: &[Operator] = &[
    records::CAST,
    records::ISA,
    records::EXISTS,
    records::INSTANCES,
    records::INITIALIZED,
    arith::ADD,
    arith::SUB,
    arith::MUL,
    arith::DIV,
    arith::NOT,
    arith::LOGTWO,
    arith::AND,
    arith::OR,
    arith::XOR,
    arith::SHL,
    arith::SRA,
    arith::SRL,
    compare::EQ,
    compare::NE,
    compare::LT,
    compare::LE,
    compare::GT,
    compare::GE,
    strings::STRCONCAT,
    strings::INTERLEAVE,
    strings::FIND,
    strings::SUBSTR,
    strings::TOLOWER,
    strings::TOUPPER,
    strings::MATCH,
    strings::REPR,
    lists::LISTCONCAT,
    lists::LISTSPLAT,
    lists::LISTREMOVE,
    lists::LISTFLATTEN,
    lists::HEAD,
    lists::TAIL,
    lists::SIZE,
    lists::EMPTY,
    lists::RANGE,
    lists::ELEMENT,
    lists::SLICE,
    lists::RANGE_PIECE,
    lists::NOTHING,
    dags::DAG,
    dags::CON,
    dags::GETDAGOP,
    dags::SETDAGOP,
    dags::GETDAGOPNAME,
    dags::SETDAGOPNAME,
    dags::GETDAGARG,
    dags::SETDAGARG,
    dags::GETDAGNAME,
    dags::SETDAGNAME,
    control::IF,
    control::COND,
    control::SWITCH,
    control::SUBST,
    control::FOREACH,
    control::FILTER,
    control::SORT,
    control::FOLDL,
];

/// Returns the entry of an operator.
#[inline]
pub(super) fn of(operator: OperatorId) -> &'static Operator {
    &OPERATORS[usize::from(operator.0)]
}

/// Returns the index of the operator of this name.
const fn id(name: &str) -> OperatorId {
    let mut index = 0;
    while index < OPERATORS.len() {
        let (a, b) = (OPERATORS[index].facts.name.as_bytes(), name.as_bytes());
        let mut at = 0;
        while at < a.len() && at < b.len() && a[at] == b[at] {
            at += 1;
        }
        if at == a.len() && at == b.len() {
            return OperatorId(index as u8);
        }
        index += 1;
    }
    panic!("no such operator")
}

/// `!cast`.
pub const CAST: OperatorId = id("cast");
/// `!isa`.
pub const ISA: OperatorId = id("isa");
/// `!exists`.
pub const EXISTS: OperatorId = id("exists");
/// `!strconcat`, also the `#` between strings.
pub const STRCONCAT: OperatorId = id("strconcat");
/// `!con`.
pub const CON: OperatorId = id("con");
/// `!listconcat`, also the `#` between lists.
pub const LISTCONCAT: OperatorId = id("listconcat");
/// `!getdagop`.
pub const GETDAGOP: OperatorId = id("getdagop");
/// `!getdagarg`.
pub const GETDAGARG: OperatorId = id("getdagarg");
/// `!repr`.
pub const REPR: OperatorId = id("repr");
/// `list[index]`.
pub const ELEMENT: OperatorId = id("[]");
/// `list[indices]`.
pub const SLICE: OperatorId = id("[...]");
/// `first...last` inside `list[…]`.
pub const RANGE_PIECE: OperatorId = id("...");
/// A missing value.
pub const NOTHING: OperatorId = id("no value");
/// `!range`.
pub const RANGE: OperatorId = id("range");
/// `!size`.
pub const SIZE: OperatorId = id("size");
/// `!eq`.
pub const EQ: OperatorId = id("eq");
/// `!if`.
pub const IF: OperatorId = id("if");
/// `!and`.
pub const AND: OperatorId = id("and");
/// `!or`.
pub const OR: OperatorId = id("or");
/// `!cond`.
pub const COND: OperatorId = id("cond");
/// `!subst`.
pub const SUBST: OperatorId = id("subst");
/// `!foreach`.
pub const FOREACH: OperatorId = id("foreach");
/// `!filter`.
pub const FILTER: OperatorId = id("filter");
/// `!sort`.
pub const SORT: OperatorId = id("sort");
/// `!foldl`.
pub const FOLDL: OperatorId = id("foldl");

/// Returns the first operand with which an operator ignores the second.
pub(super) fn deciding(operator: OperatorId) -> Option<i64> {
    match operator {
        AND => Some(0),
        OR => Some(-1),
        _ => None,
    }
}

/// Returns the operands of an operator that binds variables: those outside of them, the variables, and the body they
/// are bound in.
pub(super) fn bound_parts(operands: &[InitId]) -> (&[InitId], &[InitId], InitId) {
    match operands {
        // `!foreach`, `!filter`, `!sort`
        [variable, list, body] => (slice::from_ref(list), slice::from_ref(variable), *body),
        // `!foldl`
        [outside @ .., body] if outside.len() == 4 => (&outside[..2], &outside[2..], *body),
        _ => (operands, &[], InitId::NONE),
    }
}

/// The facts about each operator for arenas, by its [`OperatorId`].
pub static FACTS: [OperatorFacts; OPERATORS.len()] = {
    let mut facts = [OPERATORS[0].facts; OPERATORS.len()];
    let mut index = 1;
    while index < facts.len() {
        facts[index] = OPERATORS[index].facts;
        index += 1;
    }
    facts
};

/// Returns the operator of this name, for the lexer.
#[must_use]
pub fn find(name: &str, rules: &Rules) -> Option<u8> {
    let name = match name {
        "getop" if !rules.has(Change::LongDagOperators) => "getdagop",
        "setop" if !rules.has(Change::LongDagOperators) => "setdagop",
        _ => name,
    };
    let index = OPERATORS.iter().position(|operator| operator.facts.name == name)?;
    OPERATORS[index].since.is_none_or(|change| rules.has(change)).then_some(index as u8)
}

impl Evaluator<'_> {
    /// Returns the texts of two operands, if both are known.
    pub(super) fn two_strings(&self, folding: &Folding<'_>) -> Option<(StrId, StrId)> {
        Some((self.string_of(folding.operands[0])?, self.string_of(folding.operands[1])?))
    }

    /// Reports an error at the current record; evaluation ends.
    fn fold_fatal<T>(&mut self, folding: &Folding<'_>, message: impl Into<String>) -> Parsed<T> {
        match folding.record {
            Some(record) => self.fatal_at(record, message.into()),
            None => self.fatal(Span::NONE, message),
        }
    }

    /// Reports an error at the current record; evaluation continues with the same value as in the reference.
    fn fold_error(&mut self, folding: &Folding<'_>, message: String) -> Parsed<()> {
        let Some(record) = folding.record else { return self.fold_fatal(folding, message) };
        let error = self.located(record, Diagnostic::error, message);
        self.report(error);
        Ok(())
    }
}
