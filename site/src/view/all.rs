//! A dialect on one page.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Constraint, Link, Parts, Prose, Token};

/// Everything of a dialect on one page, with the fragments under which others have published it.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct All {
    /// The dialect.
    pub name: String,
    /// One line.
    pub summary: Option<String>,
    /// The author's text.
    pub description: Option<Prose>,
    /// Operations, types, attributes, …
    pub sections: Vec<AllSection>,
}

/// All of one kind.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct AllSection {
    /// The fragment.
    pub id: String,
    /// Fragments of other times.
    pub aliases: Vec<String>,
    /// The heading.
    pub title: &'static str,
    /// What there is.
    pub entries: Vec<AllEntry>,
}

/// An operation, type, attribute, … in short.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct AllEntry {
    /// The fragment.
    pub id: String,
    /// Fragments of other times.
    pub aliases: Vec<String>,
    /// The name, and its page.
    pub name: Link,
    /// The C++ class, the record or whatever else it is known by.
    pub also: Option<String>,
    /// One line.
    pub summary: Option<String>,
    /// How it is written.
    pub syntax: Vec<Token>,
    /// The author's text.
    pub description: Option<Prose>,
    /// Operands, attributes, parameters, cases, …
    pub parts: Vec<Parts>,
    /// What must hold between the parts.
    pub constraints: Vec<Constraint>,
    /// Traits and interfaces.
    pub traits: Vec<Link>,
}
