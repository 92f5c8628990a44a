//! The page of a dialect's rewrite patterns.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Link, Prose, Source, Token};

/// All declarative rewrite patterns that begin with an operation of a dialect.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Patterns {
    /// [`super::SCHEMA`].
    pub schema: &'static str,
    /// `patterns`.
    pub kind: &'static str,
    /// The dialect.
    pub dialect: String,
    /// The patterns.
    pub patterns: Vec<Pattern>,
}

/// A rewrite pattern.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Pattern {
    /// The fragment.
    pub id: String,
    /// The record.
    pub name: String,
    /// The operation that it begins with.
    pub root: Link,
    /// The comment above it.
    pub description: Option<Prose>,
    /// The source pattern. A captured value has a role `cap1`, `cap2`, …, the same in the result pattern.
    pub before: Vec<Token>,
    /// The result patterns, one tree for each result.
    pub after: Vec<Token>,
    /// The supplemental patterns, which are applied after a match.
    pub also: Vec<Token>,
    /// Additional constraints.
    pub constraints: Vec<PatternRule>,
    /// The benefit, by which patterns that match are ranked.
    pub benefit: i64,
    /// The operations that it creates.
    pub makes: Vec<Link>,
    /// The place of its definition.
    pub source: Option<Source>,
}

/// A constraint that must hold for a pattern to apply.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct PatternRule {
    /// The constraint, applied to the captured values.
    pub tokens: Vec<Token>,
    /// The constraint in words.
    pub text: Option<String>,
    /// The condition in C++.
    pub condition: Option<String>,
}
