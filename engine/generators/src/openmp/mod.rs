//! OpenMP: `gen-openmp-clause-ops` ([`clause_ops`]) and `verify-openmp-ops` ([`verify`]), about classes `OpenMP_Clause`
//! and `OpenMP_Op`.

mod clause_ops;
mod verify;

pub(super) use clause_ops::CLAUSE_OPS;
pub(super) use verify::VERIFY;

use odsmith_tablegen::record::Rec;

const PREFIX: &str = "OpenMP_";

/// A clause's name: `Align` of `OpenMP_AlignClause` and of any instance of class `OpenMP_AlignClauseSkip`.
fn clause_name(clause: Rec<'_>) -> &str {
    let name = match clause.superclasses().next_back() {
        Some(class) if clause.is_anonymous() => class.name(),
        _ => clause.name(),
    };
    let name = name.strip_prefix(PREFIX).unwrap_or(name);
    name.strip_suffix("ClauseSkip").or_else(|| name.strip_suffix("Clause")).unwrap_or(name)
}
