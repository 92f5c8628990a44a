//! Findings of any kind, as code hosts show them. What compares, lints or checks gives [`Remark`]s and the [`RuleText`]s
//! that they are of; one file per form renders them.
//!
//! ```text
//! findings ─ Remark ─┬─ sarif    a log in SARIF 2.1.0
//!                    ├─ github   annotations of a workflow's run
//!                    └─ html     a page that needs nothing else
//! ```

pub mod github;
pub mod html;
pub mod sarif;

/// How bad a remark is.
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
    /// The name in texts.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Grade::Error => "error",
            Grade::Warning => "warning",
            Grade::Note => "note",
        }
    }
}

/// What a rule says of itself.
#[derive(Clone, Debug)]
pub struct RuleText {
    /// The id: `IN001`.
    pub id: String,
    /// A name in words: `attr-added-optional`.
    pub name: String,
    /// What it finds, in one or two sentences.
    pub text: String,
    /// What to do about it.
    pub advice: String,
    /// How bad what it finds is, unless a remark says otherwise.
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
    /// How bad it is.
    pub grade: Grade,
    /// What was found, in one line.
    pub message: String,
    /// More about it, line by line.
    pub details: Vec<String>,
    /// Where.
    pub place: Option<Place>,
    /// Other places, with what they are.
    pub related: Vec<(Place, String)>,
    /// What the finding is about, without lines: the same finding has the same key after an edit elsewhere. An empty one is
    /// left to the reader's own rules.
    pub key: String,
    /// Why it was agreed to, if it was.
    pub accepted: Option<String>,
}
