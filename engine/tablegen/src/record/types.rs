//! Types, section "Types" of the TableGen Programmer's Reference.

use super::init::Seq;

/// An interned [`Type`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

impl TypeId {
    /// `bit`; the arena interns the five plain types first, in this order.
    pub const BIT: TypeId = TypeId(0);
    /// `int`.
    pub const INT: TypeId = TypeId(1);
    /// `string` and `code`.
    pub const STRING: TypeId = TypeId(2);
    /// `dag`.
    pub const DAG: TypeId = TypeId(3);
    /// The record type without a class, `{}`, of a record with no superclass.
    pub const ANY_RECORD: TypeId = TypeId(4);
}

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `bit`.
    Bit,
    /// `bits<n>`.
    Bits(u32),
    /// `int`: 64 bits, signed.
    Int,
    /// `string`; `code` is the same type in another spelling.
    String,
    /// `dag`.
    Dag,
    /// `list<T>`.
    List(TypeId),
    /// Records that derive from every one of these classes (a run in the arena's table of classes, ordered
    /// by id, none of them a superclass of another).
    Record(Seq),
}
