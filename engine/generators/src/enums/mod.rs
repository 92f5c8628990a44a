//! `gen-enum-decls`, `gen-enum-defs`: one file each.

mod decls;
mod defs;
mod legacy_bits;
mod plain_parser;

pub(super) use decls::DECLS;
pub(super) use defs::DEFS;
