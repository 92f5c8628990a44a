//! Checks that operations have all that their clauses define, unless they declare an omission. Writes nothing.

use crate::{Cx, Generator};
use odsmith_ods::openmp::{Clause, ClauseOperation};
use odsmith_tablegen::diagnostic::Diagnostic;

pub(crate) const VERIFY: Generator = Generator {
    name: "verify-openmp-ops",
    about: "Verify OpenMP operations (produce no output file)",
    run: |cx, _| {
        cx.require_class("OpenMP_Op")?;
        for op in cx.records.derived("OpenMP_Op").map(ClauseOperation::new) {
            for clause in op.clauses()? {
                check_arguments(op, clause, cx)?;
                check_texts(op, clause, cx)?;
            }
        }
        Ok(())
    },
};

fn check_arguments<'r>(op: ClauseOperation<'r>, clause: Clause<'r>, cx: &Cx<'_>) -> Result<(), Diagnostic> {
    if clause.ignores_arguments()? {
        return Ok(());
    }
    for argument in op.lacking_arguments(clause)? {
        let message = format!(
            "'{}' clause-defined argument '{argument}' not present in operation. Consider \
             `dag arguments = !con(clausesArgs, ...)` or explicitly skipping this field.",
            clause.name()
        );
        cx.report(Diagnostic::warning(op.definition().span(), message));
    }
    Ok(())
}

fn check_texts(op: ClauseOperation<'_>, clause: Clause<'_>, cx: &Cx<'_>) -> Result<(), Diagnostic> {
    for text in clause.texts() {
        if clause.ignores(text)? || op.contains(text, clause) {
            continue;
        }
        let message = format!(
            "'{}' clause-defined `{}` not present in operation. Consider concatenating `{}` or \
             explicitly skipping this field.",
            clause.name(),
            text.field,
            text.hint
        );
        let diagnostic = if text.is_required { Diagnostic::error } else { Diagnostic::warning };
        cx.report(diagnostic(op.definition().span(), message));
    }
    Ok(())
}
