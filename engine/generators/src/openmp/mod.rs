//! Generators for OpenMP: `gen-openmp-clause-ops` ([`clause_ops`]) and `verify-openmp-ops` ([`verify`]), for the
//! classes `OpenMP_Clause` and `OpenMP_Op`.

mod clause_ops;
mod verify;

pub(super) use clause_ops::CLAUSE_OPS;
pub(super) use verify::VERIFY;
