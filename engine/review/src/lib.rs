//! Analyses of the meaning of definitions, rather than of their syntax.
//!
//! | module | question |
//! | --- | --- |
//! | [`language`] | does one format's parser accept what another one's printer writes, with each token in its place? |
//! | [`logic`] | does one constraint imply another? |
//! | [`diff`] | what does a change to a dialect break, and for whom? |
//! | [`lint`] | which valid definitions are questionable? |
//! | [`advice`] | what does the author of an error have to do? |
//! | [`upgrade`] | what does a project have to change for another release of MLIR? |
//!
//! `code` reads pieces of C++ as tokens.
//!
//! Decisions are made on plain data from the model, or on a document that was read from a file. Work is limited: beyond
//! the limit, the answer is "unknown".

pub mod advice;
mod code;
pub mod diff;
pub mod language;
pub mod lint;
pub mod logic;
pub mod upgrade;
