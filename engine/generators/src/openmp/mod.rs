//! Generators for OpenMP: `gen-openmp-clause-ops` ([`clause_ops`]) and `verify-openmp-ops` ([`verify`]), for the
//! classes `OpenMP_Clause` and `OpenMP_Op`.

mod clause_ops;
mod verify;

pub(super) use clause_ops::CLAUSE_OPS;
pub(super) use verify::VERIFY;

use odsmith_tablegen::record::Rec;

const PREFIX: &str = "OpenMP_";

/// Returns a clause's name: that of its class below `OpenMP_Clause`, such as `Align` of `OpenMP_AlignClauseSkip`; its
/// own, if it is directly an instance of `OpenMP_Clause`.
fn clause_name(clause: Rec<'_>) -> &str {
    let class = clause.superclasses().find(|class| class.is_subclass_of("OpenMP_Clause"));
    let name = class.map_or(clause.name(), |class| class.name());
    let name = name.strip_prefix(PREFIX).unwrap_or(name);
    let name = name.strip_suffix("Skip").unwrap_or(name);
    name.strip_suffix("Clause").unwrap_or(name)
}
