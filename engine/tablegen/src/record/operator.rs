//! What is known of bang operators wherever values are kept and written.
//!
//! An operator has one entry, where operators are evaluated. Its part that is about values comes here, and an arena is
//! given those of all operators.

/// Which bang operator, as an index into the facts that an arena is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OperatorId(pub u8);

/// What is known of a bang operator without evaluating it.
#[derive(Clone, Copy, Debug)]
pub struct OperatorFacts {
    /// The name without the bang. Those of `list[…]` have names that no text can spell.
    pub name: &'static str,
    /// When it is complete while it is not folded.
    pub completeness: Completeness,
    /// Whether it gives a value over any values, and does nothing else: it makes no record, looks into none, and nothing
    /// can be wrong.
    pub is_pure: bool,
    /// The left operand that decides, whatever the right one is. This is noticed when the value is resolved, not before.
    pub decisive: Option<i64>,
    /// How it is written.
    pub notation: Notation,
}

/// When an operator that is not folded is complete: only then it can be the default of a template argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completeness {
    /// Always.
    Always,
    /// When all its operands are.
    OfOperands,
    /// Never.
    Never,
}

/// How an operator over its operands is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `!name(a, b)`
    Call,
    /// `!name<type>(a)`
    Typed,
    /// `!name<type>(a)`, where its own type is a list of these.
    TypedByElement,
    /// `!name(a: b, c: d)`
    Cases,
    /// `a[b]`
    Index,
    /// `a...b`
    Range,
    /// The text that the first operand is.
    Text,
}
