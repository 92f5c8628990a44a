#![doc = include_str!("../README.md")]

#[doc(hidden)]
pub mod artefact;
pub mod bundle;
pub mod cancel;
#[doc(hidden)]
pub mod cpp;
mod deprecated;
#[doc(hidden)]
pub mod diagnostic;
#[doc(hidden)]
pub mod eval;
pub mod generators;
#[doc(hidden)]
pub mod interchange;
pub mod job;
pub mod library;
pub mod limits;
#[doc(hidden)]
pub mod ods;
mod packing;
#[doc(hidden)]
pub mod parallel;
#[doc(hidden)]
pub mod record;
mod regex;
pub mod release;
pub mod report;
pub mod source;
#[doc(hidden)]
pub mod span;
#[doc(hidden)]
pub mod syntax;
#[doc(hidden)]
pub mod text;

pub use self::{
    artefact::Artefact,
    bundle::Bundle,
    job::{Job, Outcome, Target, UnknownGenerator, run},
    library::Library,
};
