//! `gen-enum-decls`, `gen-enum-defs`: one file each.

mod casewise_bits;
mod decls;
mod defs;
mod parsers;

pub(super) use decls::DECLS;
pub(super) use defs::DEFS;
