//! Inits: values, possibly unresolved.

use super::{operator::OperatorId, record::RecordId, types::TypeId};

/// An interned string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StrId(pub u32);

/// An interned [`Init`]; equal values have equal ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InitId(pub u32);

impl InitId {
    /// `?`.
    pub const UNSET: InitId = InitId(0);
    /// The bit `0`.
    pub const FALSE: InitId = InitId(1);
    /// The bit `1`.
    pub const TRUE: InitId = InitId(2);
    /// The integer 0.
    pub const ZERO: InitId = InitId(3);
    /// The integer 1.
    pub const ONE: InitId = InitId(4);
    /// A missing value, for the reference's null pointer. Never an index.
    pub const NONE: InitId = InitId(u32::MAX);

    /// Returns true if there is a value, even `?`.
    #[must_use]
    pub fn is_some(self) -> bool {
        self != InitId::NONE
    }

    /// Returns the bit `value`.
    #[must_use]
    pub fn bit(value: bool) -> InitId {
        if value { InitId::TRUE } else { InitId::FALSE }
    }
}

/// A run of ids in the arena's pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seq {
    /// Index of the first one.
    pub start: u32,
    /// The number of ids.
    pub len: u32,
}

/// A value. Runs ([`Seq`]) hold the operands; two inits with equal runs are one init.
#[derive(Clone, Copy, Debug)]
pub enum Init {
    /// `?`.
    Unset,
    /// A bit.
    Bit(bool),
    /// Bits, the lowest first.
    Bits(Seq),
    /// An integer.
    Int(i64),
    /// A string, written `"…"`.
    String(StrId),
    /// A string, written `[{…}]`.
    Code(StrId),
    /// A list and its element type.
    List(TypeId, Seq),
    /// A record.
    Def(RecordId),
    /// A dag: operator, operator name, then an argument and its name for each operand. A missing name is
    /// [`InitId::NONE`], a missing argument [`InitId::UNSET`].
    Dag(Seq),
    /// A variable, template argument or field without a value so far.
    Var(StrId, TypeId),
    /// One bit of an unresolved value.
    VarBit(InitId, u32),
    /// `record.field` of an unresolved record; the type is the field's.
    Field(InitId, StrId, TypeId),
    /// A bang operator over unresolved operands. The type is the result's; for operators that name a type
    /// in angle brackets (`!isa<T>`), it is that type.
    Op(OperatorId, TypeId, Seq),
    /// `Class<…>`, not yet instantiated: first the arguments by position, then [`Init::Named`] ones.
    Instance(RecordId, Seq),
    /// A template argument's value, by (qualified) name.
    Named(StrId, InitId),
    /// A generated name of a `def` or `defm` without one. It becomes a string only when the record that mentions it is
    /// finished: until then the record may get another number.
    Anonymous(StrId),
}
