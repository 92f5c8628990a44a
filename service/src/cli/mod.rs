//! The command line and the language server: arguments, files and messages of editors come in; files, reports and answers
//! go out.

pub mod commands;
pub mod lsp;
