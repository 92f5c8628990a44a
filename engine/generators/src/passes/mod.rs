//! `gen-pass-decls`, `gen-pass-doc`, `gen-pass-capi-header`, `gen-pass-capi-impl`.

mod capi;
mod decls;
mod doc;
mod legacy_classes;
mod legacy_doc;

use super::Cx;
use odsmith_ods::{Pass, Required};
use odsmith_release::{Change, Rules};
use odsmith_tablegen::diagnostic::Diagnostic;

pub(super) use capi::{HEADER, IMPL, PREFIX};
pub(super) use decls::{DECLS, NAME};
pub(super) use doc::DOC;

/// All passes, by the names of their records.
fn passes<'r>(cx: &Cx<'r>, required: &[Required]) -> Result<Vec<Pass<'r>>, Diagnostic> {
    cx.require_class("PassBase")?;
    cx.records.derived("PassBase").map(|pass| Pass::requiring(pass, required)).collect()
}

/// The C++ expression that makes a pass.
fn constructor_call(pass: &Pass<'_>, rules: &Rules) -> String {
    match pass.constructor {
        Some(call) => call.to_owned(),
        None if rules.has(Change::PassParts) => format!("create{}()", pass.name),
        None => String::new(),
    }
}
