#![doc = include_str!("../README.md")]

#[doc(hidden)]
pub mod artefact;
pub mod bundle;
mod deprecated;
pub mod job;
pub mod library;

#[cfg(feature = "review")]
#[doc(hidden)]
pub use odsmith_format as format;
pub use odsmith_generators as generators;
#[cfg(feature = "review")]
#[doc(hidden)]
pub use odsmith_interchange as interchange;
#[cfg(feature = "review")]
#[doc(hidden)]
pub use odsmith_ir as ir;
#[doc(hidden)]
pub use odsmith_ods as ods;
#[cfg(feature = "review")]
#[doc(hidden)]
pub use odsmith_plugin as plugin;
pub use odsmith_release as release;
pub use odsmith_report as report;
#[cfg(feature = "review")]
#[doc(hidden)]
pub use odsmith_review as review;
pub use odsmith_tablegen::{cancel, limits, source};
#[doc(hidden)]
pub use odsmith_tablegen::{diagnostic, eval, outline, parallel, record, span, syntax, text};

pub use self::{
    artefact::Artefact,
    bundle::Bundle,
    job::{Job, Outcome, Target, UnknownGenerator, run},
    library::Library,
};
