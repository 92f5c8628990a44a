//! Findings and their forms. Evaluation, comparisons, lints and upgrades report a [`Finding`] each; one file per form
//! renders it.
//!
//! ```text
//! Finding ─┬─ text       as the reference prints its messages, and as a list
//!          ├─ json       an array
//!          ├─ sarif      a log in SARIF 2.1.0
//!          ├─ github     annotations of a workflow's run
//!          ├─ gitlab     a report of code quality
//!          ├─ html       a self-contained page
//!          ├─ markdown   a table
//!          └─ junit      a test suite
//! ```

mod finding;
pub mod github;
#[cfg(feature = "json")]
pub mod gitlab;
pub mod html;
#[cfg(feature = "json")]
pub mod json;
pub mod junit;
pub mod markdown;
#[cfg(feature = "json")]
pub mod sarif;
pub mod text;

pub use finding::{
    Edit, Excerpt, Extent, Finding, Fix, Inclusion, LineColumn, Location, Range, RuleText, count,
};
pub use odsmith_tablegen::diagnostic::{Code, Id, Severity};
