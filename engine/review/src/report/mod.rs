//! Findings of any kind, in the forms of code hosts. Comparisons, lints and checks give [`Remark`]s and their
//! [`RuleText`]s; one file per form renders them.
//!
//! ```text
//! findings ─ Remark ─┬─ sarif    a log in SARIF 2.1.0
//!                    ├─ github   annotations of a workflow's run
//!                    └─ html     a self-contained page
//! ```

pub mod github;
pub mod html;
pub mod sarif;

/// The severity of a remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// Something is wrong.
    Error,
    /// Something may be wrong.
    Warning,
    /// Worth knowing.
    Note,
}

impl Grade {
    /// Returns the name in texts.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Grade::Error => "error",
            Grade::Warning => "warning",
            Grade::Note => "note",
        }
    }
}

/// The texts of a rule.
#[derive(Clone, Debug)]
pub struct RuleText {
    /// The id: `IN001`.
    pub id: String,
    /// A name in words: `attr-added-optional`.
    pub name: String,
    /// The fault that it finds, in one or two sentences.
    pub text: String,
    /// The remedy.
    pub advice: String,
    /// The severity, unless a remark overrides it.
    pub grade: Grade,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The first byte: line and column, from 1.
    pub start: (u32, u32),
    /// One past the last byte, if that is known.
    pub end: Option<(u32, u32)>,
}

/// A finding for a reader.
#[derive(Clone, Debug)]
pub struct Remark {
    /// The id of its rule.
    pub rule: String,
    /// Its severity.
    pub grade: Grade,
    /// The finding in one line.
    pub message: String,
    /// More details, one per line.
    pub details: Vec<String>,
    /// The place.
    pub place: Option<Place>,
    /// Other places, with descriptions.
    pub related: Vec<(Place, String)>,
    /// The identity of the finding, without line numbers: it stays the same after an edit elsewhere. If empty, the
    /// host's own rules apply.
    pub key: String,
    /// The reason for accepting it, if it is accepted.
    pub accepted: Option<String>,
}
