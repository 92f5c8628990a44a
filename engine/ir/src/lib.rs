//! IR as text (`.mlir`), read by the definitions of its dialects alone.
//!
//! ```text
//! text ─ lexer ─ tokens ─ file ─ tree ─ scope ─ values, blocks, symbols
//!                          │
//!             definitions ─┴─ format, syntax, bound
//! ```
//!
//! The first rule is that no error is false: a part that is not understood is unknown, causes no error, and silences
//! the checks that depend on it.
//!
//! | file | what |
//! | --- | --- |
//! | [`lexer`] | text → tokens, lossless |
//! | [`tree`] | nodes over tokens |
//! | [`cursor`] | the position of a reader, its tree, errors and limits |
//! | [`types`], [`attributes`], [`affine`], [`location`], [`aliases`] | builtin forms, and those of dialects |
//! | [`mod@file`] | statements, regions, blocks, aliases, resources, pieces |
//! | [`mod@format`] | custom forms, by their formats |
//! | [`syntax`] | forms that are parsed by C++, as data |
//! | [`bound`] | the ends of statements that are not understood |
//! | [`check`] | faults that the definitions show |
//! | [`migrate`] | texts of one release as texts of another |
//! | [`mod@parse`] | the parse of one operation, to be shown |
//! | [`scope`] | values, blocks and symbols |
//! | [`grammar`] | grammars for editors and highlighters that know no definitions |
//! | [`mod@print`] | texts in generic and in custom form |
//! | [`skip`] | the ends of types and attributes, by brackets alone |
//! | [`definitions`] | an index of what models define |

pub mod affine;
pub mod aliases;
pub mod attributes;
pub mod bound;
pub mod check;
pub mod cursor;
pub mod definitions;
pub mod file;
pub mod format;
pub mod grammar;
pub mod lexer;
pub mod location;
pub mod migrate;
pub mod parse;
pub mod print;
pub mod scope;
pub mod skip;
pub mod syntax;
pub mod tree;
pub mod types;

#[cfg(test)]
mod forms_test;

pub use check::{Checker, Fault, ValueTypes};
pub use cursor::{Cursor, Limits, Reading, Refusal, SyntaxError};
pub use definitions::Definitions;
pub use file::{Ir, read};
pub use lexer::{TokenKind, Tokens};
pub use scope::Names;
pub use tree::{NodeId, NodeKind, Tree};
