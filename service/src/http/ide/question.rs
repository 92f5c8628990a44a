//! The requests of editors.

use std::collections::BTreeMap;

use serde::Deserialize;
use utoipa::ToSchema;

/// Files that are to be checked.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckQuestion {
    /// Path to text; an odsmith.toml among them says what the roots are.
    pub files: BTreeMap<String, String>,
    /// The release of MLIR; by default, the newest that the server has.
    #[serde(default)]
    pub mlir: Option<String>,
}

/// A place in one of the files.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaceQuestion {
    /// Path to text; an odsmith.toml among them says what the roots are.
    pub files: BTreeMap<String, String>,
    /// The release of MLIR; by default, the newest that the server has.
    #[serde(default)]
    pub mlir: Option<String>,
    /// The file.
    pub path: String,
    /// The place in it, in bytes.
    pub offset: usize,
}

/// What is to be shown of the files.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PreviewQuestion {
    /// Path to text; an odsmith.toml among them says what the roots are.
    pub files: BTreeMap<String, String>,
    /// The release of MLIR; by default, the newest that the server has.
    #[serde(default)]
    pub mlir: Option<String>,
    /// The file that is looked at.
    pub path: String,
    /// The place in it, in bytes: its definition is shown. Without one, all of the root is that the file is part of.
    #[serde(default)]
    pub offset: Option<usize>,
    /// What is shown.
    pub view: EditorView,
    /// The output that is shown; by default, the first one.
    #[serde(default)]
    pub output: Option<String>,
    /// The page that is shown, by its path.
    #[serde(default)]
    pub page: Option<String>,
    /// The files as they were before, for what changed.
    #[serde(default)]
    pub before: Option<BTreeMap<String, String>>,
}

/// What files become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EditorView {
    /// Nothing but what is wrong.
    Problems,
    /// C++.
    Cpp,
    /// The reference page.
    Page,
    /// Examples in MLIR.
    Example,
    /// Python bindings.
    Python,
    /// The records.
    Records,
    /// The model as JSON.
    Json,
    /// What changed.
    Changes,
}
