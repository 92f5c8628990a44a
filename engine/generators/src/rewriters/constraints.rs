//! Functions that check the types, attributes and properties in source patterns. Constraints with the same condition
//! and summary share a function.

use std::collections::HashMap;

use crate::cpp::{Template, Writer, file_label, substitute};
use crate::op::{Stream, first_number, streamed};
use odsmith_ods::{Constraint, ConstraintKind};
use odsmith_tablegen::record::RecordId;

/// The functions, numbered for each kind in order of first use.
pub(super) struct Functions<'r> {
    kinds: [Kind<'r>; 3],
    /// The function of each constraint.
    names: HashMap<RecordId, String>,
}

struct Kind<'r> {
    kind: ConstraintKind,
    /// The word in the functions' names, also the parameter's name.
    name: &'static str,
    checks: Vec<Check<'r>>,
}

struct Check<'r> {
    function: String,
    constraint: Constraint<'r>,
    condition: String,
}

impl<'r> Functions<'r> {
    pub(super) fn new(constraints: &[Constraint<'r>], source_name: &str) -> Self {
        let kind = |kind, name| Kind { kind, name, checks: Vec::new() };
        let mut kinds = [
            kind(ConstraintKind::Type, "type"),
            kind(ConstraintKind::Attribute, "attr"),
            kind(ConstraintKind::Property, "prop"),
        ];
        let suffix = file_label(source_name.strip_suffix(".td").unwrap_or(source_name));
        let mut names = HashMap::new();
        for &constraint in constraints {
            if let Some(kind) = kinds.iter_mut().find(|kind| kind.kind == constraint.kind()) {
                names.insert(constraint.definition().id(), kind.function(constraint, &suffix));
            }
        }
        Functions { kinds, names }
    }

    /// Returns the name of the function that checks a constraint.
    pub(super) fn name(&self, constraint: Constraint<'_>) -> &str {
        self.names.get(&constraint.definition().id()).map_or("", String::as_str)
    }
}

impl<'r> Kind<'r> {
    /// Returns the function of a constraint; a new one unless an equal constraint has one.
    fn function(&mut self, constraint: Constraint<'r>, suffix: &str) -> String {
        let condition = constraint.condition();
        let is_equal = |check: &&Check<'r>| {
            check.condition == condition && check.constraint.summary() == constraint.summary()
        };
        if let Some(check) = self.checks.iter().find(is_equal) {
            return check.function.clone();
        }
        let number = self.checks.len() + first_number(constraint);
        let function = format!("__mlir_ods_local_{}_constraint_{suffix}{number}", self.name);
        self.checks.push(Check { function: function.clone(), constraint, condition });
        function
    }
}

pub(super) fn emit(functions: &Functions<'_>, w: &mut Writer) {
    let rules = *w.rules();
    let stream = Stream::Started.of(&rules);
    for kind in &functions.kinds {
        for check in &kind.checks {
            let own_type = check.constraint.cpp().interface_type.unwrap_or_default().trim_ascii();
            let ty = match kind.kind {
                ConstraintKind::Type => "::mlir::Type",
                ConstraintKind::Attribute => "::mlir::Attribute",
                _ if own_type.is_empty() => {
                    w.raw("template <typename T>");
                    "T"
                }
                _ => own_type,
            };
            let names = [("_self", kind.name), ("_op", "*op"), ("_builder", "rewriter")];
            w.fill(
                FUNCTION,
                &[
                    ("name", &check.function),
                    ("type", &ty),
                    ("parameter", &kind.name),
                    ("condition", &substitute(&check.condition, &names)),
                    ("summary", &streamed(check.constraint.summary(), &names, stream, &rules)),
                ],
            );
        }
    }
}

// The line break at the front ends a template head, if there is one.
const FUNCTION: Template = Template(
    r#"

static @LogicalResult @name(
    ::mlir::PatternRewriter &rewriter, ::mlir::Operation *op, @type @parameter,
    ::llvm::StringRef failureStr) {
  if (!(@condition)) {
    return rewriter.notifyMatchFailure(op, [&](::mlir::Diagnostic &diag) {
      diag << failureStr << ": @summary";
    });
  }
  return ::mlir::success();
}
"#,
);
