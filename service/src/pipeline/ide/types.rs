//! The questions and answers in JSON, as `openapi.json` describes them; offsets are in bytes.

use std::{collections::BTreeMap, ops::Range};

use odsmith_engine::diagnostic::Severity;
use odsmith_ide::{
    FileRange, Workspace,
    completion::{Completions, Item, ItemKind},
    problems::{Origin, Problem},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::pipeline::error::shortened;

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

/// A request for a view of the files.
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
    /// The view.
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

/// A view of files.
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
    /// The examples as programs that can be parsed, between `// -----`.
    Program,
    /// Python bindings.
    Python,
    /// The records.
    Records,
    /// The model as JSON.
    Json,
    /// The changes.
    Changes,
}

/// Bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ByteRange {
    /// The first.
    pub start: usize,
    /// The one after the last.
    pub end: usize,
}

impl From<Range<usize>> for ByteRange {
    fn from(Range { start, end }: Range<usize>) -> Self {
        ByteRange { start, end }
    }
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct EditorPlace {
    /// The file; one of the library begins with `<mlir-…>/`.
    pub path: String,
    /// The bytes.
    pub range: ByteRange,
    /// The line of the first, from 1.
    pub line: usize,
    /// The column of the first, from 1, in bytes.
    pub column: usize,
}

impl EditorPlace {
    fn new(workspace: &Workspace, place: &FileRange) -> Self {
        let start = workspace.document(&place.path).map(|document| document.line_of(place.range.start));
        let (line, column) = start.unwrap_or_default();
        let range = place.range.clone().into();
        EditorPlace { path: place.path.clone(), range, line: line + 1, column: column + 1 }
    }
}

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct EditorProblem {
    /// The location; nothing if the problem is about the files as a whole.
    pub place: Option<EditorPlace>,
    /// `error`, `warning` or `remark`.
    pub severity: &'static str,
    /// The message, in the reference's words.
    pub message: String,
    /// The origin: `evaluation` as the reference does, `after-error` where the reference does not come so far, `model` for
    /// the generators, `deprecated`, or `request` for the files as a whole.
    pub origin: &'static str,
    /// More about it.
    pub related: Vec<RelatedPlace>,
}

/// More about a problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RelatedPlace {
    /// The location.
    pub place: Option<EditorPlace>,
    /// The message.
    pub message: String,
}

impl EditorProblem {
    /// Converts a problem.
    pub(super) fn new(workspace: &Workspace, problem: &Problem) -> Self {
        let place =
            |place: &Option<FileRange>| place.as_ref().map(|place| EditorPlace::new(workspace, place));
        let related = |(at, message): &(Option<FileRange>, String)| RelatedPlace {
            place: place(at),
            message: shortened(message).into_owned(),
        };
        EditorProblem {
            place: place(&problem.place),
            severity: match problem.finding.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note | Severity::Remark => "remark",
            },
            message: shortened(&problem.finding.message).into_owned(),
            origin: match problem.origin {
                Origin::Evaluation => "evaluation",
                Origin::AfterError => "after-error",
                Origin::Model => "model",
                Origin::Deprecated => "deprecated",
            },
            related: problem.related.iter().map(related).collect(),
        }
    }

    /// Creates a problem of the files as a whole.
    pub(super) fn of_request(message: &str) -> Self {
        EditorProblem {
            place: None,
            severity: "error",
            message: message.to_owned(),
            origin: "request",
            related: Vec::new(),
        }
    }
}

/// The problems of files.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CheckAnswer {
    /// The files that are evaluated, with what they include.
    pub roots: Vec<String>,
    /// The problems.
    pub problems: Vec<EditorProblem>,
}

/// The problems of files, and a view of them.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PreviewAnswer {
    /// The root that answers for the file.
    pub root: String,
    /// The problems.
    pub problems: Vec<EditorProblem>,
    /// True if no error hides the view or a part of it.
    pub is_whole: bool,
    /// The view; nothing if an error hides it, or if there is no such definition.
    pub shown: Option<ViewText>,
}

/// A view of files.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[schema(as = Shown)]
pub struct ViewText {
    /// The record that it is about; nothing if it is about all of them.
    pub record: Option<String>,
    /// The text.
    pub text: String,
    /// Its language: `cpp`, `python`, `mlir`, `tablegen`, `json` or `html`.
    pub language: &'static str,
    /// The line, from 0, where the definition's own part begins.
    pub line: usize,
    /// The outputs that there are.
    pub outputs: Vec<OutputSummary>,
    /// The output that is shown.
    pub output: Option<String>,
    /// The page that is shown.
    pub page: Option<PagePath>,
    /// The changes, as in a comparison of `/v1/diff`.
    pub comparison: Option<Value>,
    /// Outputs that changed.
    pub texts: Vec<ChangedText>,
}

/// An output that was made.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = MadeOutput)]
pub struct OutputSummary {
    /// Its path.
    pub path: String,
    /// Its lines.
    pub lines: usize,
}

/// A page of the reference; its text is HTML.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ShownPage)]
pub struct PagePath {
    /// Its path in the site.
    pub path: String,
}

/// An output that changed.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ChangedText {
    /// Its path.
    pub path: String,
    /// The old text, if there was one.
    pub before: Option<String>,
    /// The new text, if there is one.
    pub after: Option<String>,
}

/// The explanation of a place in a file.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct HoverAnswer {
    /// The bytes that it is about.
    pub range: ByteRange,
    /// Markdown; empty if there is nothing to say.
    pub text: String,
}

/// Completions at a place.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CompletionAnswer {
    /// The best ones, in order.
    pub items: Vec<Completion>,
    /// True if more entries begin with the same text.
    pub is_incomplete: bool,
}

/// Something that may come next.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Completion {
    /// The shown text, which is also inserted if there is no snippet.
    pub label: String,
    /// The kind: `class`, `def`, `field` and so on.
    pub kind: &'static str,
    /// A few words about it.
    pub detail: String,
    /// Markdown.
    pub documentation: Option<String>,
    /// The inserted snippet, with `$1`, `${2:default}`.
    pub snippet: Option<String>,
    /// The bytes that it replaces.
    pub replace: ByteRange,
    /// Further edits.
    pub addition: Option<Addition>,
}

/// A text that is written elsewhere in the same file.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Addition {
    /// The offset, in bytes.
    pub offset: usize,
    /// The text.
    pub text: String,
}

impl From<Completions> for CompletionAnswer {
    fn from(found: Completions) -> Self {
        CompletionAnswer {
            items: found.items.into_iter().map(Completion::from).collect(),
            is_incomplete: found.is_incomplete,
        }
    }
}

impl From<Item> for Completion {
    fn from(item: Item) -> Self {
        Completion {
            label: item.label,
            kind: match item.kind {
                ItemKind::Keyword => "keyword",
                ItemKind::Class => "class",
                ItemKind::Def => "def",
                ItemKind::Field => "field",
                ItemKind::Argument => "argument",
                ItemKind::Variable => "variable",
                ItemKind::Operator => "operator",
                ItemKind::Type => "type",
                ItemKind::File => "file",
                ItemKind::Folder => "folder",
                ItemKind::Directive => "directive",
            },
            detail: item.detail,
            documentation: item.documentation,
            snippet: item.snippet,
            replace: item.replace.into(),
            addition: item.also.map(|(offset, text)| Addition { offset, text }),
        }
    }
}
