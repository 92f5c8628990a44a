//! Facts that a project records in fields of its own.

use schemars::JsonSchema;
use serde::Serialize;

use super::Link;

/// A project's own fact about a definition.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct OwnFact {
    /// The field, or the class of the requirement.
    pub name: String,
    /// The page that compares it, if several definitions have it.
    pub href: Option<String>,
    /// The values.
    pub values: Vec<Link>,
}

/// The page that compares a fact across a dialect.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Matrix {
    /// [`super::SCHEMA`].
    pub schema: &'static str,
    /// `matrix`.
    pub kind: &'static str,
    /// The dialect.
    pub dialect: String,
    /// The fact.
    pub name: String,
    /// The values of the fact in the dialect.
    pub values: Vec<MatrixValue>,
    /// True if there are so few values that a table of definitions and values fits.
    pub is_table: bool,
    /// The definitions, if there is a table.
    pub rows: Vec<MatrixRow>,
}

/// A value and the definitions that have it.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct MatrixValue {
    /// The fragment.
    pub id: String,
    /// The value.
    pub title: String,
    /// The number of definitions that have it.
    pub count: usize,
    /// The definitions that have it, if there is no table.
    pub users: Vec<Link>,
}

/// A definition and the values that it has.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct MatrixRow {
    /// The definition.
    pub name: Link,
    /// One flag per column: true if it has the value.
    pub cells: Vec<bool>,
}
