//! TableGen, the ODS and DRR model and every generator: text in, artefacts out.
//!
//! The engine is pure: it opens no file, reads no clock and no environment, prints nothing. A [`Job`](job::Job)
//! names root files and what to make of each; [`run`] answers with an [`Outcome`](job::Outcome).
//!
//! ```text
//! files → source → syntax (tokens) → eval (statements, read and evaluated one by one) → record (frozen)
//!       → ods (the model) → generators → artefacts
//! ```

pub mod artefact;
pub mod bundle;
pub mod cancel;
pub mod cpp;
pub mod deprecated;
pub mod diagnostic;
pub mod eval;
pub mod generators;
pub mod interchange;
pub mod job;
pub mod library;
pub mod limits;
pub mod ods;
pub mod packing;
pub mod parallel;
pub mod record;
pub mod regex;
pub mod release;
pub mod report;
pub mod source;
pub mod span;
pub mod syntax;
pub mod text;

pub use job::run;
