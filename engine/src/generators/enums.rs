//! `gen-enum-decls`, `gen-enum-defs`, `gen-enum-doc`.
