//! `gen-enum-decls`, `gen-enum-defs`, `gen-enum-doc`: one file each.

mod decls;
mod defs;
mod doc;

pub(super) use decls::DECLS;
pub(super) use defs::DEFS;
pub(super) use doc::{DOC, emit_enum_doc};
