//! Pages of a catalogue of many projects.

use schemars::JsonSchema;
use serde::Serialize;

use super::Link;

/// A page: tables under headings.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct CatalogPage {
    /// The words above the title.
    pub eyebrow: String,
    /// The title.
    pub title: String,
    /// True if the title is code.
    pub is_code: bool,
    /// One or two sentences.
    pub lead: String,
    /// Pages of the whole catalogue, on its first page.
    pub jumps: Vec<Link>,
    /// Labelled facts.
    pub facts: Vec<CatalogFact>,
    /// The tables.
    pub sections: Vec<CatalogTable>,
    /// True for the page of the search.
    pub finds: bool,
    /// The breadcrumbs.
    #[serde(skip)]
    pub trail: Vec<Link>,
}

/// A labelled fact.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct CatalogFact {
    /// The label.
    pub label: String,
    /// The values.
    pub values: Vec<Link>,
}

/// A table under a heading.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct CatalogTable {
    /// The fragment.
    pub id: String,
    /// The heading.
    pub title: String,
    /// A sentence above the table.
    pub note: String,
    /// The columns.
    pub columns: Vec<CatalogColumn>,
    /// The rows.
    pub rows: Vec<Vec<CatalogCell>>,
    /// The sentence in place of a table without rows.
    pub empty: String,
}

/// A column.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct CatalogColumn {
    /// The heading.
    pub title: String,
    /// True for numbers.
    pub is_number: bool,
}

/// A cell.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct CatalogCell {
    /// The texts, with commas between them.
    pub parts: Vec<CatalogText>,
    /// True for a number.
    pub is_number: bool,
}

/// A text of a cell.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct CatalogText {
    /// The text.
    pub text: String,
    /// The address that it leads to.
    pub href: Option<String>,
    /// True if it is code.
    pub is_code: bool,
}
