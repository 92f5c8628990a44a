//! A struct for the arguments of each clause; for each operation a name for the structs of all its clauses.

use crate::{
    Cx, Generator,
    cpp::{Template, Writer, join},
};
use odsmith_ods::{
    cpp_name,
    openmp::{Clause, ClauseArgument, ClauseOperation},
};
use odsmith_tablegen::diagnostic::Diagnostic;

pub(crate) const CLAUSE_OPS: Generator = Generator {
    name: "gen-openmp-clause-ops",
    about: "Generate OpenMP clause operand structures",
    run: |cx, w| {
        cx.require_class("OpenMP_Clause")?;
        let clauses = cx.records.derived("OpenMP_Clause").map(Clause::new);
        let clauses = clauses
            .filter(|clause| !clause.definition().is_anonymous())
            .map(|clause| Ok((clause.name(), members(clause, cx)?)))
            .collect::<Result<Vec<_>, _>>()?;
        cx.require_class("OpenMP_Op")?;
        let ops = cx.records.derived("OpenMP_Op").map(ClauseOperation::new);
        let ops = ops.filter(|op| !op.definition().is_anonymous());
        let ops = ops.map(|op| Ok((op, op.clauses()?))).collect::<Result<Vec<_>, _>>()?;
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

/// Writes the name for the structs of an operation's clauses.
fn emit_operands(op: ClauseOperation<'_>, clauses: &[Clause<'_>], w: &mut Writer) {
    let name = op.short_name();
    let clauses = clauses.iter().map(|clause| format!("{}ClauseOps", clause.name()));
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

/// Returns a clause's arguments: C++ types and names.
fn members(clause: Clause<'_>, cx: &Cx<'_>) -> Result<Vec<(String, String)>, Diagnostic> {
    let members = clause.arguments()?.map(|argument| {
        let (argument, name) = argument?;
        Ok((member_type(argument, name, clause, cx)?, cpp_name::camel_case(name, false)))
    });
    members.collect()
}

/// Returns the C++ type of an argument: lists of values and elements, rather than the attributes that store them.
fn member_type(
    argument: ClauseArgument<'_>,
    name: &str,
    clause: Clause<'_>,
    cx: &Cx<'_>,
) -> Result<String, Diagnostic> {
    const VALUE: &str = "::mlir::Value";
    let mut base = argument;
    // The number of lists that the type begins with; the elements are converted like the argument.
    let mut lists = 0;
    let element = loop {
        if lists > ClauseArgument::MAX_DEPTH {
            let message =
                format!("the elements of argument `{name}` are lists without an end: mend `elementAttr`");
            return Err(Diagnostic::error(clause.definition().span(), message));
        }
        base = base.without_options()?;
        let Some(element) = base.list_element()? else { break base.number_type()? };
        base = element;
        lists += 1;
    };
    if element.is_none() && base.has_elements() {
        let message = format!(
            "could not infer array-like attribute element type for argument '{name}', will use bare `storageType`"
        );
        cx.report(Diagnostic::warning(clause.definition().span(), message));
    }
    let innermost = match element {
        Some(element) => list_of(element),
        None if lists > 0 => "::mlir::Attribute".to_owned(),
        None => match base.operand() {
            Some(constraint) if constraint.is_variadic() => list_of(VALUE),
            Some(_) => VALUE.to_owned(),
            None => base.storage_type()?.to_owned(),
        },
    };
    Ok((0..lists).fold(innermost, |ty, _| list_of(&ty)))
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
