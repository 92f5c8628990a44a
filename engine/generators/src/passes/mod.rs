//! `gen-pass-decls`, `gen-pass-doc`, `gen-pass-capi-header`, `gen-pass-capi-impl`.

mod base_class;
mod capi;
mod decls;
mod doc;
mod joint_classes;

use super::Cx;
use crate::cpp::{Template, Writer};
use odsmith_ods::{Pass, RequiredFields};
use odsmith_release::{Change, Rules};
use odsmith_tablegen::{diagnostic::Diagnostic, record::Rec};

pub(super) use capi::{HEADER, IMPL, PREFIX};
pub(super) use decls::{DECLS, NAME};
pub(super) use doc::DOC;

/// Returns the records of all passes, by their names.
fn records<'r>(cx: &Cx<'r>) -> Result<Vec<Rec<'r>>, Diagnostic> {
    cx.require_class("PassBase")?;
    Ok(cx.records.derived("PassBase").collect())
}

/// Returns the records of all passes, whose lists are read before any text.
fn records_with_lists<'r>(cx: &Cx<'r>) -> Result<Vec<Rec<'r>>, Diagnostic> {
    let records = records(cx)?;
    records.iter().try_for_each(|pass| RequiredFields::Lists.check(*pass))?;
    Ok(records)
}

/// Reads the passes one after the other.
fn passes<'r>(records: &[Rec<'r>], required: &[RequiredFields]) -> Result<Vec<Pass<'r>>, Diagnostic> {
    records.iter().map(|pass| Pass::requiring(*pass, required)).collect()
}

/// Returns the C++ expression that creates a pass.
fn constructor_call(pass: &Pass<'_>, rules: &Rules) -> String {
    match pass.constructor {
        Some(call) => call.to_owned(),
        None if rules.has(Change::PassParts) => format!("create{}()", pass.name),
        None => String::new(),
    }
}

fn emit_banner(title: &str, w: &mut Writer) {
    w.fill(BANNER, &[("title", &title)]);
}

const BANNER: Template = Template(
    r#"

//===----------------------------------------------------------------------===//
// @title
//===----------------------------------------------------------------------===//
"#,
);
