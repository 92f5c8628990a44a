//! What a project says of its definitions besides what ODS asks.

use schemars::JsonSchema;
use serde::Serialize;

use super::Link;

/// A fact of a definition.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct OwnFact {
    /// The field, or the class of the requirement.
    pub name: String,
    /// The page that compares it, if several definitions have it.
    pub href: Option<String>,
    /// What it says.
    pub values: Vec<Link>,
}

/// The page that compares a fact over a dialect.
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
    /// What it says somewhere.
    pub values: Vec<MatrixValue>,
    /// Whether there are few values, so that definitions and values make a table.
    pub is_table: bool,
    /// The definitions, where there is a table.
    pub rows: Vec<MatrixRow>,
}

/// What has a value.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct MatrixValue {
    /// The fragment.
    pub id: String,
    /// The value.
    pub title: String,
    /// How many have it.
    pub count: usize,
    /// Those, where there is no table.
    pub users: Vec<Link>,
}

/// A definition and the values that it has.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct MatrixRow {
    /// The definition.
    pub name: Link,
    /// Whether it has the value of each column.
    pub cells: Vec<bool>,
}
