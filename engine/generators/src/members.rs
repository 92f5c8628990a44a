//! The interface of generated classes as plain data: builders and accessors of operations, attributes and types in C++,
//! and the signature of an operation in Python. Documentation shows what the generators write, by the same rules.

pub use crate::signatures::{Encoding, Function, Members, Parameter, PythonSignature};
use odsmith_ods::{AttrOrTypeDef, Operation};
use odsmith_tablegen::record::Records;

/// Returns the members of an operation's class; nothing if the class cannot be generated.
#[must_use]
pub fn of_operation(op: &Operation<'_>) -> Option<Members> {
    super::op::members(op)
}

/// Returns the members of an attribute's or type's class; nothing if the class cannot be generated.
#[must_use]
pub fn of_def(def: &AttrOrTypeDef<'_>) -> Option<Members> {
    super::def::members(def)
}

/// Returns the functions that users of an operation's class can call: every `build`, and the accessors. Nothing if the
/// class cannot be generated.
#[must_use]
pub fn callable(op: &Operation<'_>) -> Option<Members> {
    super::op::callable(op)
}

/// Returns the codes of the dialects' own bytecode; lists that cannot be generated are left out.
#[must_use]
pub fn encodings(records: &Records) -> Vec<Encoding> {
    super::bytecode::encodings(records)
}

/// Returns the signature of an operation in Python; nothing if the bindings cannot be generated.
#[must_use]
pub fn python(op: &Operation<'_>) -> Option<PythonSignature> {
    super::python::signature(op)
}
