//! Facts about bang operators that every user of values needs.
//!
//! An operator has one entry, in the module that evaluates operators. The part of it about values is defined here, and
//! an arena holds that part of all operators.

/// The id of a bang operator: an index into the facts that an arena holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OperatorId(pub u8);

/// The facts about a bang operator, known without evaluation.
#[derive(Clone, Copy, Debug)]
pub struct OperatorFacts {
    /// The name without the bang. The operators of `list[…]` have names that cannot be written in a file.
    pub name: &'static str,
    /// The condition under which it is complete without being folded.
    pub completeness: Completeness,
    /// True if it produces a value for any operands, and has no other effect: it makes no record, looks into none, and
    /// cannot fail.
    pub is_pure: bool,
    /// The left operand that decides, whatever the right one is. This is checked when the value is resolved, not
    /// before.
    pub decisive: Option<i64>,
    /// The notation in which it is written.
    pub notation: Notation,
}

/// The condition under which an unfolded operator is complete: only then can it be the default of a template argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completeness {
    /// Always.
    Always,
    /// If all its operands are.
    OfOperands,
    /// Never.
    Never,
}

/// The notation of an operator with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `!name(a, b)`
    Call,
    /// `!name<type>(a)`
    Typed,
    /// `!name<type>(a)`, if its own type is a list of these.
    TypedByElement,
    /// `!name(a: b, c: d)`
    Cases,
    /// `a[b]`
    Index,
    /// `a...b`
    Range,
    /// The text of the first operand.
    Text,
}
