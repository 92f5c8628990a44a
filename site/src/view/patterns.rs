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
    /// What must match; what is captured has a role `cap1`, `cap2`, … that is the same after the arrow.
    pub before: Vec<Token>,
    /// What replaces it: one tree for each result.
    pub after: Vec<Token>,
    /// What is done besides, once it has matched.
    pub also: Vec<Token>,
    /// What else must hold.
    pub constraints: Vec<PatternRule>,
    /// How it is preferred to others that match.
    pub benefit: i64,
    /// The operations that it makes.
    pub makes: Vec<Link>,
    /// Where it is defined.
    pub source: Option<Source>,
}

/// Something that must hold for a pattern to apply.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct PatternRule {
    /// The constraint, applied to what was captured.
    pub tokens: Vec<Token>,
    /// The same in words.
    pub text: Option<String>,
    /// Its condition in C++.
    pub condition: Option<String>,
}
