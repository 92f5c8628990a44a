//! What definitions mean, rather than how they are written.
//!
//! | module | question |
//! | --- | --- |
//! | [`language`] | does one format's parser take what another one's printer writes, and does each token come back in its place? |
//! | [`logic`] | does one constraint imply another? |
//! | [`diff`] | what does a change to a dialect break, and for whom? |
//! | [`lint`] | what is unwise in a dialect, though it is accepted? |
//! | [`report`] | how do findings look, whatever found them? |
//! | [`upgrade`] | what does a project meet when it goes to another release of MLIR? |
//!
//! The answers are decided on plain data, which the model gives, or a document that was read from a file. Work is
//! counted: where it would be too much, the answer is "unknown".

pub mod diff;
pub mod language;
pub mod lint;
pub mod logic;
pub mod report;
pub mod upgrade;
