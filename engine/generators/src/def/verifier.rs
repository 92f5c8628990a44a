//! Checks before an attribute or type is built: the constraints of its parameters, and the users' `verify`.

use crate::cpp::{Class, Method, Parameter, Writer, join, substitute};
use odsmith_ods::{AttrOrTypeDef, Constraint, Trait, TraitKind};
use odsmith_release::{Change, spellings};
use odsmith_tablegen::diagnostic::Diagnostic;

/// The first parameter of every function that can fail with a message.
pub(super) const EMIT_ERROR: (&str, &str) =
    ("::llvm::function_ref<::mlir::InFlightDiagnostic()>", "emitError");

/// Returns the parameters of a definition as those of a method.
pub(super) fn parameters<'d>(def: &'d AttrOrTypeDef<'_>) -> impl Iterator<Item = Parameter<'d>> {
    def.parameters().iter().map(|parameter| Parameter::new(parameter.cpp_type(), parameter.name))
}

/// Returns whether there is anything to check.
pub(super) fn has_verifier(def: &AttrOrTypeDef<'_>) -> bool {
    def.has_verifier() || has_constraints(def)
}

fn has_constraints(def: &AttrOrTypeDef<'_>) -> bool {
    let has_constrained = def.parameters().iter().any(|parameter| parameter.constraint().is_some());
    def.rules().has(Change::VerifiedParameters) && (has_constrained || predicates(def).next().is_some())
}

/// Returns the traits that are conditions on the parameters.
fn predicates<'d, 'r>(def: &'d AttrOrTypeDef<'r>) -> impl Iterator<Item = Trait<'r>> + use<'d, 'r> {
    let are_checked = def.rules().has(Change::PredicateTraits);
    def.traits().iter().copied().filter(move |t| are_checked && t.kind() == TraitKind::Predicate)
}

/// Checks that traits have a condition and a summary.
///
/// # Errors
/// A field is unset.
pub(super) fn check_predicates(def: &AttrOrTypeDef<'_>) -> Result<(), Diagnostic> {
    // Without parameters there is no function that checks them.
    match def.parameters() {
        [] => Ok(()),
        _ => predicates(def).try_for_each(Trait::check_predicate),
    }
}

/// Adds the verifiers to the class.
pub(super) fn add<'d>(def: &'d AttrOrTypeDef<'_>, class: &mut Class<'d>) {
    let verifier = |name| {
        let (ty, emit_error) = EMIT_ERROR;
        let method = Method::new(spellings::LogicalResult.of(def.rules()), name).as_static();
        method.parameter(ty, emit_error).parameters(parameters(def))
    };
    if has_constraints(def) {
        class.method(verifier("verifyInvariantsImpl").defined(|w| emit_constraints(def, w)));
    }
    if def.has_verifier() {
        class.method(verifier("verify"));
    }
    if has_verifier(def) && def.rules().has(Change::VerifiedParameters) {
        class.method(verifier("verifyInvariants").defined(|w| emit_calls(def, w)));
    }
}

fn emit_constraints(def: &AttrOrTypeDef<'_>, w: &mut Writer) {
    let mut checks = String::new();
    for parameter in def.parameters() {
        if let Some(constraint) = parameter.constraint() {
            checks += &check(parameter.name, constraint);
        }
    }
    let names: Vec<_> = def.parameters().iter().map(|parameter| (parameter.name, parameter.name)).collect();
    for t in predicates(def) {
        let condition = t.predicate().map(|predicate| predicate.condition()).unwrap_or_default();
        let (condition, summary) = (substitute(&condition, &names), t.summary());
        checks += &format!(
            r#"if (!({condition})) {{
  emitError() << "failed to verify that {summary}";
  return ::mlir::failure();
}}
"#
        );
    }
    w.code(&checks);
    w.line("return ::mlir::success();");
}

fn check(name: &str, constraint: Constraint<'_>) -> String {
    let condition = constraint.condition();
    let names = [("_self", name)];
    let condition = substitute(&condition, &names);
    let summary = constraint.summary();
    format!(
        r#"
if (!({condition})) {{
  emitError() << "failed to verify '{name}': {summary}";
  return ::mlir::failure();
}}

"#
    )
}

fn emit_calls(def: &AttrOrTypeDef<'_>, w: &mut Writer) {
    let arguments = join(def.parameters().iter().map(|parameter| parameter.name), ", ").to_string();
    let called = [("verifyInvariantsImpl", has_constraints(def)), ("verify", def.has_verifier())];
    for (name, _) in called.iter().filter(|(_, is_there)| *is_there) {
        w.line(format_args!("if (::mlir::failed({name}(emitError, {arguments})))"));
        w.indented(|w| w.line("return ::mlir::failure();"));
    }
    w.line("return ::mlir::success();");
}
