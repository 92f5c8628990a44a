//! What editors ask of definitions while they are written: errors, names, completion, previews.
//!
//! A [`Workspace`] has the files, as they are in the editor, and the roots. Each question is a function of it, a file and a
//! place; the answers are plain data, with places as files and bytes. Nothing here knows of a protocol.
//!
//! | module | answers |
//! | --- | --- |
//! | [`workspace`], [`shared`], [`analysis`] | files and roots; what workspaces share; a root, evaluated with recovery |
//! | [`document`], [`tokens`], [`outline`], [`index`] | a file as it is written, however broken |
//! | [`problems`] | what is wrong |
//! | [`names`], [`quoted`], [`navigate`], [`rename`] | what a name refers to, who mentions it, another name |
//! | [`hover`], [`signature`], [`inlay`], [`lens`] | what something is |
//! | [`completion`], [`context`], [`operators`] | what may come next |
//! | [`symbols`], [`structure`], [`semantic`], [`hierarchy`] | what is in a file and in the workspace |
//! | [`actions`] | changes that help |
//! | [`preview`] | what a definition becomes |

pub mod actions;
pub mod analysis;
pub mod completion;
pub mod context;
pub mod document;
pub mod hierarchy;
pub mod hover;
pub mod index;
pub mod inlay;
pub mod lens;
pub mod names;
pub mod navigate;
pub mod operators;
pub mod outline;
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
pub mod tokens;
pub mod workspace;

pub use document::{Document, Place};
pub use shared::SharedLibrary;
pub use workspace::Workspace;
