//! Checks that operations have all that their clauses define, unless they declare an omission. Writes nothing.

use super::clause_name;
use crate::{Cx, Generator};
use odsmith_release::Change;
use odsmith_tablegen::{diagnostic::Diagnostic, record::Rec};

pub(crate) const VERIFY: Generator = Generator {
    name: "verify-openmp-ops",
    about: "Verify OpenMP operations (produce no output file)",
    run: |cx, _| {
        cx.require_class("OpenMP_Op")?;
        for op in cx.records.derived("OpenMP_Op") {
            for clause in op.defs("clauseList")? {
                check_arguments(op, clause, cx)?;
                check_texts(op, clause, cx)?;
            }
        }
        Ok(())
    },
};

fn check_arguments(op: Rec<'_>, clause: Rec<'_>, cx: &Cx<'_>) -> Result<(), Diagnostic> {
    if clause.bit("ignoreArgs")? {
        return Ok(());
    }
    let arguments = op.dag("arguments")?;
    for (value, name) in clause.dag("arguments")?.args() {
        if arguments.args().all(|own| own != (value, name)) {
            let (clause, name) = (clause_name(clause), name.unwrap_or_default());
            let message = format!(
                "'{clause}' clause-defined argument '{value}:${name}' not present in operation. Consider \
                 `dag arguments = !con(clausesArgs, ...)` or explicitly skipping this field."
            );
            cx.report(Diagnostic::warning(op.span(), message));
        }
    }
    Ok(())
}

/// A text that a clause defines.
struct Text {
    field: &'static str,
    /// The bit with which an operation leaves it out.
    ignored_by: &'static str,
    /// The operation's field that should hold it.
    op_field: &'static str,
    /// The text that the operation should concatenate.
    hint: &'static str,
    is_required: bool,
}

const ONE_FORMAT: &[Text] = &[Text {
    field: "assemblyFormat",
    ignored_by: "ignoreAsmFormat",
    op_field: "assemblyFormat",
    hint: "clausesAssemblyFormat",
    is_required: false,
}];

const TWO_FORMATS: &[Text] = &[
    Text {
        field: "reqAssemblyFormat",
        ignored_by: "ignoreAsmFormat",
        op_field: "assemblyFormat",
        hint: "clauses[{Req,Opt}]AssemblyFormat",
        is_required: false,
    },
    Text {
        field: "optAssemblyFormat",
        ignored_by: "ignoreAsmFormat",
        op_field: "assemblyFormat",
        hint: "clauses[{Req,Opt}]AssemblyFormat",
        is_required: false,
    },
];

const TEXTS: &[Text] = &[
    Text {
        field: "description",
        ignored_by: "ignoreDesc",
        op_field: "description",
        hint: "clausesDescription",
        is_required: true,
    },
    Text {
        field: "extraClassDeclaration",
        ignored_by: "ignoreExtraDecl",
        op_field: "extraClassDeclaration",
        hint: "clausesExtraClassDeclaration",
        is_required: false,
    },
];

fn check_texts(op: Rec<'_>, clause: Rec<'_>, cx: &Cx<'_>) -> Result<(), Diagnostic> {
    let has_two_formats = cx.records.rules().has(Change::RequiredClauseFormats);
    let formats = if has_two_formats { TWO_FORMATS } else { ONE_FORMAT };
    for Text { field, ignored_by, op_field, hint, is_required } in formats.iter().chain(TEXTS) {
        let text = clause.optional_string(field).unwrap_or_default().trim_ascii();
        if clause.bit(ignored_by)? || op.optional_string(op_field).unwrap_or_default().contains(text) {
            continue;
        }
        let message = format!(
            "'{}' clause-defined `{field}` not present in operation. Consider concatenating `{hint}` or \
             explicitly skipping this field.",
            clause_name(clause)
        );
        let diagnostic = if *is_required { Diagnostic::error } else { Diagnostic::warning };
        cx.report(diagnostic(op.span(), message));
    }
    Ok(())
}
