//! The command line and the language server: they read arguments, files and messages of editors, and write files,
//! reports and answers.

pub mod commands;
pub mod lsp;
#[cfg(feature = "network")]
pub mod mcp;
