//! Writes examples of operations, with types and attributes that satisfy their constraints.
//!
//! * [`skeleton`]: examples of operations;
//! * [`program`]: the examples as whole modules;
//! * [`instance`]: an operation of an example, for the comparison of two releases;
//! * [`upstream`]: examples of MLIR's own operations for which the definitions do not suffice.
//!
//! The answers of conditions for a type or attribute are those of `odsmith-conditions`, which this crate hands on.

pub mod instance;
pub mod program;
pub mod skeleton;
pub mod upstream;

pub(crate) use odsmith_conditions::Condition;
pub use odsmith_conditions::{Attr, Env, Judge, Type, Value, Witness, attrs, classes, memo, types};
