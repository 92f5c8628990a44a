//! The coverage page: definitions that are not documented.

use schemars::JsonSchema;
use serde::Serialize;

use super::Link;

/// The coverage page.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Coverage {
    /// [`super::SCHEMA`].
    pub schema: &'static str,
    /// `coverage`.
    pub kind: &'static str,
    /// The score of all dialects together.
    pub total: Score,
    /// The score of each dialect.
    pub dialects: Vec<DialectCoverage>,
    /// The findings of lint, if the project shows them.
    pub findings: Option<FindingList>,
}

/// The findings of lint that no file accepts.
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
    /// The message.
    pub message: String,
    /// An example that shows the fault.
    pub witness: Option<String>,
    /// The place: `paint.td:12`.
    pub place: String,
    /// The line in the project's repository, if its address is known.
    pub href: Option<String>,
}

/// The share of documented items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Score {
    /// The number of documented items.
    pub documented: usize,
    /// The number of items that could be documented.
    pub of: usize,
    /// The percentage, rounded down.
    pub percent: usize,
}

/// The coverage of a dialect.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct DialectCoverage {
    /// The fragment.
    pub id: String,
    /// The dialect.
    pub name: Link,
    /// The score of the whole dialect.
    pub score: Score,
    /// The number of definitions that are fully documented.
    pub complete: usize,
    /// The definitions with undocumented parts.
    pub items: Vec<CoverageItem>,
}

/// A definition with undocumented parts.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct CoverageItem {
    /// The definition.
    pub name: Link,
    /// The place of its definition: `paint.td:12`.
    pub place: String,
    /// The line in the project's repository, if its address is known.
    pub href: Option<String>,
    /// The undocumented parts: `description of operand lhs`.
    pub missing: Vec<String>,
    /// The score of the definition.
    pub score: Score,
}
