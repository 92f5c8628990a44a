//! A struct for each clause's arguments; for each operation a name for the structs of its clauses together.

use super::{PREFIX, clause_name};
use crate::{
    Generator,
    cpp::{Template, Writer, join},
};
use odsmith_ods::{Attribute, TypeConstraint, cpp_name};
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{Rec, Val},
};

pub(crate) const CLAUSE_OPS: Generator = Generator {
    name: "gen-openmp-clause-ops",
    about: "Generate OpenMP clause operand structures",
    run: |cx, w| {
        cx.require_class("OpenMP_Clause")?;
        cx.require_class("OpenMP_Op")?;
        let clauses = cx.records.derived("OpenMP_Clause").filter(|clause| !clause.is_anonymous());
        let clauses = clauses
            .map(|clause| Ok((clause_name(clause), members(clause)?)))
            .collect::<Result<Vec<_>, _>>()?;
        let ops = cx.records.derived("OpenMP_Op").map(|op| Ok((op, op.defs("clauseList")?)));
        let ops = ops.collect::<Result<Vec<_>, _>>()?;
        w.namespaces("mlir::omp", |w| {
            for (name, members) in &clauses {
                emit_struct(name, members, w);
            }
            w.fill(CLAUSES, &[]);
            for (op, clauses) in &ops {
                w.blank();
                emit_operands(*op, clauses, w);
            }
        });
        Ok(())
    },
};

/// The name for the structs of an operation's clauses together.
fn emit_operands(op: Rec<'_>, clauses: &[Rec<'_>], w: &mut Writer) {
    let name = op.name().strip_prefix(PREFIX).unwrap_or(op.name());
    let name = name.strip_suffix("Op").unwrap_or(name);
    let clauses = clauses.iter().map(|&clause| format!("{}ClauseOps", clause_name(clause)));
    w.line(format_args!("using {name}Operands = detail::Clauses<{}>;", join(clauses, ", ")));
}

const CLAUSES: Template = Template(
    r#"

namespace detail {
template <typename... Mixins>
struct Clauses : public Mixins... {};
} // namespace detail
"#,
);

/// A clause's arguments: C++ types and names.
fn members(clause: Rec<'_>) -> Result<Vec<(String, String)>, Diagnostic> {
    let members = clause.dag("arguments")?.args().map(|(value, name)| {
        let error = |message: &str| Err(Diagnostic::error(clause.span(), message));
        let Some(rec) = value.as_def() else { return error("arguments of a clause must be records") };
        let Some(name) = name else { return error("arguments of a clause must be named") };
        Ok((member_type(rec)?, cpp_name::camel_case(name, false)))
    });
    members.collect()
}

fn member_type(rec: Rec<'_>) -> Result<String, Diagnostic> {
    const VALUE: &str = "::mlir::Value";
    if rec.is_subclass_of("TypeConstraint") {
        let is_list = TypeConstraint::new(rec).is_variadic();
        return Ok(if is_list { list_of(VALUE) } else { VALUE.to_owned() });
    }
    rec.value("storageType")?;
    let attribute = Attribute::new(rec);
    let base = attribute.base().rec();
    if base.is_subclass_of("TypedArrayAttrBase") {
        return Ok(list_of("::mlir::Attribute"));
    }
    if base.is_subclass_of("DenseArrayAttrBase") {
        let list = base.get("returnType").and_then(Val::as_str).unwrap_or_default();
        let element = list.strip_prefix("::llvm::ArrayRef<").and_then(|element| element.strip_suffix('>'));
        return Ok(list_of(element.unwrap_or(list)));
    }
    Ok(attribute.storage_type().to_owned())
}

fn list_of(element: &str) -> String {
    format!("::llvm::SmallVector<{element}>")
}

fn emit_struct(clause: &str, members: &[(String, String)], w: &mut Writer) {
    w.block(format_args!("struct {clause}ClauseOps {{"), "};", |w| {
        for (ty, name) in members {
            w.line(format_args!("{ty} {name};"));
        }
    });
}
