//! `get` and, for what can be verified, `getChecked`: with all parameters, and with those of custom builders.

use std::borrow::Cow;

use super::verifier::{EMIT_ERROR, has_verifier, parameters};
use crate::cpp::{Class, Method, Parameter, Writer, join, substitute};
use odsmith_ods::{AttrOrTypeDef, Builder};
use odsmith_release::Change;
use odsmith_tablegen::{diagnostic::Diagnostic, span::Span};

/// Adds the builders to the class.
///
/// # Errors
/// Another builder accepts every call of a custom builder.
pub(super) fn add<'d>(def: &'d AttrOrTypeDef<'_>, class: &mut Class<'d>) -> Result<(), Diagnostic> {
    if !def.skips_default_builders() {
        add_default("get", def, class);
        if has_verifier(def) {
            add_default("getChecked", def, class);
        }
    }
    for builder in def.builders() {
        add_custom("get", builder, def, class)?;
        if has_verifier(def) {
            add_custom("getChecked", builder, def, class)?;
        }
    }
    Ok(())
}

const CONTEXT: (&str, &str) = ("::mlir::MLIRContext *", "context");

/// Returns a builder with the parameters that all of its kind have.
fn builder_method<'d>(return_type: &'d str, name: &'static str, has_context: bool) -> Method<'d> {
    let checked = (name == "getChecked").then_some(EMIT_ERROR);
    let context = has_context.then_some(CONTEXT);
    let first = checked.into_iter().chain(context).map(|(ty, name)| Parameter::new(ty, name));
    Method::new(return_type, name).as_static().parameters(first)
}

fn add_default<'d>(name: &'static str, def: &'d AttrOrTypeDef<'_>, class: &mut Class<'d>) {
    let builder = builder_method(def.cpp_class_name(), name, true).parameters(parameters(def));
    class.method(builder.defined(move |w| {
        let first = if name == "getChecked" { "emitError, context" } else { "context" };
        let change = if name == "get" { Change::MovedParameters } else { Change::MovedCheckedParameters };
        let is_moved = w.rules().has(change);
        let given = def.parameters().iter().map(|parameter| match is_moved {
            true => format!(", std::move({})", parameter.name),
            false => format!(", {}", parameter.name),
        });
        w.line(format_args!("return Base::{name}({first}{});", join(given, "")));
    }));
}

pub(super) fn add_custom<'d>(
    name: &'static str,
    builder: &'d Builder<'_>,
    def: &'d AttrOrTypeDef<'_>,
    class: &mut Class<'d>,
) -> Result<(), Diagnostic> {
    let return_type = builder.return_type().unwrap_or(def.cpp_class_name());
    let mut method = builder_method(return_type, name, !builder.has_inferred_context());
    for parameter in &builder.parameters {
        let mut declared = Parameter::new(parameter.cpp_type, parameter.name.unwrap_or_default());
        declared.default = parameter.default_value.map(Into::into);
        method = method.parameters([declared]);
    }
    if let Some(body) = builder.body() {
        method = method.defined(move |w| emit_body(name, body, builder.has_inferred_context(), w));
    }
    let refuses = def.rules().has(Change::RefusedShadowedBuilders);
    if let Some(other) = class.accepting_method(&method).filter(|_| refuses) {
        return Err(conflict(def, &method, other));
    }
    class.method(method);
    Ok(())
}

fn emit_body(name: &str, body: &str, has_inferred_context: bool, w: &mut Writer) {
    let body = match name {
        "getChecked" => Cow::Owned(body.replace("$_get(", "Base::getChecked(emitError, ")),
        _ => Cow::Borrowed(body),
    };
    let context = (!has_inferred_context).then_some(("_ctxt", "context"));
    let get = (name == "get").then_some(("_get", "Base::get"));
    let names: Vec<_> = context.into_iter().chain(get).collect();
    w.code(&substitute(&body, &names).to_string());
}

/// Returns the error for two builders that accept the same calls, at the position where the list of builders was set.
fn conflict(def: &AttrOrTypeDef<'_>, method: &Method<'_>, other: &Method<'_>) -> Diagnostic {
    let rules = *def.rules();
    let prototype = |method: &Method<'_>| {
        let mut w = Writer::new(usize::MAX, rules);
        method.prototype(&mut w);
        w.finish().unwrap_or_default()
    };
    let message = format!("builder `{}` conflicts with an existing builder. ", method.name);
    let note = format!(
        "A new builder with signature:\n{};\n\nis shadowed by an existing builder with signature:\n{};\n\n\
         Please remove one of the conflicting definitions.",
        prototype(method),
        prototype(other),
    );
    Diagnostic::error(def.builders_span(), message).note(Span::NONE, note)
}
