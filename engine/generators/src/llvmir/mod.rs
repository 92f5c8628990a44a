//! Conversions between MLIR and LLVM IR: `gen-llvmir-conversions`, `gen-op-from-llvmir-conversions`,
//! `gen-intr-from-llvmir-conversions`, `gen-convertible-llvmir-intrinsics`, `gen-llvmintrinsic-to-llvmirop-pairs`
//! ([`ops`]), `gen-enum-to-llvmir-conversions`, `gen-enum-from-llvmir-conversions` ([`enums`]) and
//! `gen-llvmir-intrinsics` ([`intrinsics`]).

mod enums;
mod intrinsics;
mod ops;

pub(super) use enums::{FROM_LLVM as ENUM_FROM_LLVM, TO_LLVM as ENUM_TO_LLVM};
pub(super) use intrinsics::{ACCESS_GROUPS, ALIAS_ANALYSIS, ALIAS_SCOPES, FILTER, INTRINSICS, OP_CLASS};
pub(super) use ops::{CONVERTIBLE, INTRINSIC_FROM_LLVM, OP_FROM_LLVM, OP_TO_LLVM, PAIRS};
