//! A dialect on one page.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Constraint, Link, Parts, Prose, Token};

/// A whole dialect on one page, with the fragments of MLIR's published documents.
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

/// All definitions of one kind.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct AllSection {
    /// The fragment.
    pub id: String,
    /// Fragments of earlier versions of the page.
    pub aliases: Vec<String>,
    /// The heading.
    pub title: &'static str,
    /// The definitions.
    pub entries: Vec<AllEntry>,
}

/// An operation, type, attribute, … in short.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct AllEntry {
    /// The fragment.
    pub id: String,
    /// Fragments of earlier versions of the page.
    pub aliases: Vec<String>,
    /// The name, and its page.
    pub name: Link,
    /// Another name: the C++ class or the record.
    pub also: Option<String>,
    /// One line.
    pub summary: Option<String>,
    /// Its syntax.
    pub syntax: Vec<Token>,
    /// The author's text.
    pub description: Option<Prose>,
    /// Operands, attributes, parameters, cases, …
    pub parts: Vec<Parts>,
    /// Constraints on several parts.
    pub constraints: Vec<Constraint>,
    /// Traits and interfaces.
    pub traits: Vec<Link>,
}
