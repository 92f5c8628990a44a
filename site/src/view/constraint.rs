//! The page of a named constraint.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Fact, Group, Link, Prose, Source};

/// The page of a constraint on types, attributes, properties, regions or successors.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct ConstraintPage {
    /// [`super::SCHEMA`].
    pub schema: &'static str,
    /// `constraint`.
    pub kind: &'static str,
    /// The kind of the constraint: `Type constraint`.
    pub kind_title: &'static str,
    /// The record.
    pub name: String,
    /// The rule in words.
    pub summary: Option<String>,
    /// The author's text.
    pub description: Option<Prose>,
    /// The condition as a tree.
    pub predicate: Option<Predicate>,
    /// Types or attributes that satisfy it, fail it, or are unknown.
    pub witnesses: Vec<Witnesses>,
    /// The key facts.
    pub facts: Vec<Fact>,
    /// Constraints that it is built from.
    pub parts: Vec<Link>,
    /// Constraints that are built from it.
    pub part_of: Vec<Link>,
    /// Definitions that demand it, by dialect.
    pub users: Vec<Group>,
    /// The place of its definition.
    pub source: Option<Source>,
}

/// Types or attributes with the same answer.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Witnesses {
    /// `yes`, `no` or `unknown`.
    pub answer: &'static str,
    /// The answer in words.
    pub title: &'static str,
    /// The spellings.
    pub items: Vec<String>,
}

/// A condition and the conditions in it.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Predicate {
    /// `all`, `any`, `not`, `where`, `around`, `code` or `constraint`.
    pub kind: &'static str,
    /// The kind in words: `all of`.
    pub label: String,
    /// The definition that it comes from, if it has a name.
    pub name: Option<Link>,
    /// The C++ of a leaf, the replaced text of a substitution, or the text around a condition.
    pub code: Option<String>,
    /// The conditions in it.
    pub children: Vec<Predicate>,
}
