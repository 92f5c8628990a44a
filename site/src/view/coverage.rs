//! What the definitions leave untold.

use schemars::JsonSchema;
use serde::Serialize;

use super::Link;

/// How well the definitions are documented.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Coverage {
    /// [`super::SCHEMA`].
    pub schema: &'static str,
    /// `coverage`.
    pub kind: &'static str,
    /// Over all dialects.
    pub total: Score,
    /// Dialect by dialect.
    pub dialects: Vec<DialectCoverage>,
    /// What lint finds, if the project shows it.
    pub findings: Option<FindingList>,
}

/// What lint finds and nothing accepts.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct FindingList {
    /// `2 errors, 1 warning, no notes`.
    pub count: String,
    /// The findings, by place.
    pub rows: Vec<FindingRow>,
}

/// A finding.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct FindingRow {
    /// The id of the rule.
    pub rule: String,
    /// `error`, `warning` or `info`.
    pub level: &'static str,
    /// The definition.
    pub name: Link,
    /// What is wrong.
    pub message: String,
    /// What shows it.
    pub witness: Option<String>,
    /// Where it is: `paint.td:12`.
    pub place: String,
    /// The line in the project's repository, if its address is known.
    pub href: Option<String>,
}

/// How much of what could be documented is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Score {
    /// What is documented.
    pub documented: usize,
    /// What could be.
    pub of: usize,
    /// In per cent, rounded down.
    pub percent: usize,
}

/// How well a dialect is documented.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct DialectCoverage {
    /// The fragment.
    pub id: String,
    /// The dialect.
    pub name: Link,
    /// All of it.
    pub score: Score,
    /// How many definitions lack nothing.
    pub complete: usize,
    /// The definitions that lack something.
    pub items: Vec<CoverageItem>,
}

/// A definition that lacks something.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct CoverageItem {
    /// The definition.
    pub name: Link,
    /// Where it is defined: `paint.td:12`.
    pub place: String,
    /// The line in the project's repository, if its address is known.
    pub href: Option<String>,
    /// What is missing, and of what: `description of operand lhs`.
    pub missing: Vec<String>,
    /// Its own score.
    pub score: Score,
}
