//! The editor features for definitions: errors, names, completion, previews.
//!
//! A [`Workspace`] has the files, as they are in the editor, and the roots. Each query is a function of it, a file and
//! an offset; results are plain data, with places as files and byte ranges. Nothing here depends on a protocol.
//!
//! | module | provides |
//! | --- | --- |
//! | [`workspace`], [`shared`], [`analysis`] | files and roots; shared state; a root, evaluated with recovery |
//! | [`document`], [`literal`], [`index`] | a file as written, however broken |
//! | [`problems`] | errors and warnings |
//! | [`names`], [`quoted`], [`navigate`], [`rename`] | definitions, references and renaming |
//! | [`hover`], [`signature`], [`inlay`], [`lens`] | explanations in place |
//! | [`completion`], [`context`], [`operators`] | completion |
//! | [`symbols`], [`structure`], [`semantic`], [`hierarchy`] | symbols of a file and of the workspace |
//! | [`actions`] | code actions |
//! | [`preview`] | the output for a definition |
//! | [`ir`] | the same for IR (`.mlir`) |

pub mod actions;
pub mod analysis;
pub mod completion;
pub mod context;
pub mod document;
pub mod hierarchy;
pub mod hover;
pub mod index;
pub mod inlay;
pub mod ir;
pub mod lens;
pub mod literal;
pub mod names;
pub mod navigate;
pub mod operators;
pub mod parts;
pub mod preview;
pub mod problems;
pub mod quoted;
pub mod rename;
pub mod semantic;
pub mod shared;
pub mod signature;
pub mod structure;
pub mod symbols;
pub mod workspace;

pub use document::{Document, FileRange};
pub use shared::SharedLibrary;
pub use workspace::Workspace;
