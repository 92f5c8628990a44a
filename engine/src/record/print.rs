//! `--print-records`, and how values, types and records are written everywhere.

use super::{InitId, TypeId, keeper::Keeper};

/// Writes a value.
pub fn init(_keeper: &Keeper, _id: InitId, _out: &mut String) {}
/// Writes a type.
pub fn ty(_keeper: &Keeper, _id: TypeId, _out: &mut String) {}
