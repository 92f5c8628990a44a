//! Generators for SPIR-V: `gen-spirv-attr-utils`, `gen-spirv-capability-implication`, `gen-spirv-enum-avail-decls`,
//! `gen-spirv-enum-avail-defs` ([`enums`]) and `gen-spirv-serialization` ([`serialization`]).

mod enums;
mod serialization;

pub(super) use enums::{ATTR_UTILS, CAPABILITY_IMPLICATION, ENUM_AVAIL_DECLS, ENUM_AVAIL_DEFS};
pub(super) use serialization::SERIALIZATION;
