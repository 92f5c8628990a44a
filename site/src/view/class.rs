//! The page of a TableGen class that a project's operations, types or attributes share.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Fact, Group, Link, Prose, Source};

/// The page of a class.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct ClassPage {
    /// [`super::SCHEMA`].
    pub schema: &'static str,
    /// `class`.
    pub kind: &'static str,
    /// The name.
    pub name: String,
    /// The comment above it.
    pub description: Option<Prose>,
    /// Its template arguments: name, type, default value.
    pub arguments: Vec<Fact>,
    /// The classes that it derives from, nearest first.
    pub bases: Vec<Link>,
    /// The classes that derive from it, directly or not.
    pub derived: Vec<Link>,
    /// True if it has base classes or derived classes.
    pub has_family: bool,
    /// Fields that it declares or sets, with their values.
    pub fields: Vec<Fact>,
    /// Definitions of this class, by dialect.
    pub users: Vec<Group>,
    /// The place of its definition.
    pub source: Option<Source>,
}
