//! `POST /v1/ir/check`: IR checked by the definitions of a release and of the request.

use std::{
    collections::BTreeMap,
    num::NonZero,
    sync::{Arc, OnceLock},
};

use bytes::Bytes;
use odsmith_engine::{
    bundle::Bundle,
    cancel::Cancel,
    ir::{parse::Piece, syntax::Table},
    record::Records,
    report::Finding,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Editors;
use crate::pipeline::{
    error::{ApiError, Kind},
    generate::{Finished, Request, schema::Diagnostic},
    ir::{Dialects, IrText, request_for_library, request_for_records},
    manifest::Manifest,
    progress::Progress,
    request::{Form, Source, without_packages},
};

/// Files with IR that is to be checked, and with definitions that it is read by.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct IrQuestion {
    /// Path to text: .mlir files, and .td files with definitions; an odsmith.toml among them says what the roots are.
    pub files: BTreeMap<String, String>,
    /// The release of MLIR; by default, the newest that the server has.
    #[serde(default)]
    pub mlir: Option<String>,
    /// The file that is shown, besides the problems.
    #[serde(default)]
    pub path: Option<String>,
    /// The form in which it is shown.
    #[serde(default)]
    pub view: IrView,
    /// The place in it, in bytes, whose operation's parse is shown.
    #[serde(default)]
    pub offset: usize,
}

/// A form in which IR is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum IrView {
    /// The parse of an operation: the element of its form that reads each stretch of its text.
    #[default]
    Parse,
    /// The file with its operations in generic form.
    Generic,
    /// The file with its operations in custom form.
    Custom,
}

/// The problems of files with IR.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct IrAnswer {
    /// The problems, file by file; those of definitions first.
    #[schema(value_type = Vec<Diagnostic>)]
    pub problems: Vec<Finding>,
    /// The view of the file that the question names; null if there is no operation at the place.
    pub shown: Option<IrShown>,
}

/// A view of a file with IR.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum IrShown {
    /// The parse of an operation.
    Parse(OperationParse),
    /// The file in a form.
    Text(IrForm),
}

/// The parse of an operation.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct OperationParse {
    /// The full name of the operation, or the written one if nothing defines it.
    pub name: String,
    /// `custom`, `generic` or `opaque`.
    #[schema(value_type = String)]
    pub form: &'static str,
    /// The first byte of its text in the file.
    pub start: usize,
    /// The byte after its text.
    pub end: usize,
    /// The stretches of its text, in order.
    pub pieces: Vec<ParsedPiece>,
}

/// A stretch of an operation's text.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ParsedPiece {
    /// The first byte in the file.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
    /// The element that reads it, in the notation of `assemblyFormat` or in words.
    pub element: String,
}

/// A file with IR whose operations are in one form.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct IrForm {
    /// The text.
    pub text: String,
    /// The number of operations that stay as they are, because something of them is not known.
    pub left: usize,
}

fn show(dialects: &Dialects, read: &IrText, view: IrView, offset: usize) -> Option<IrShown> {
    if view != IrView::Parse {
        let (text, left) = dialects.rewritten(read, view == IrView::Custom);
        return Some(IrShown::Text(IrForm { text, left }));
    }
    // A place inside of a letter counts as its begin.
    let text = read.text();
    let byte = (0..=offset.min(text.len())).rev().find(|byte| text.is_char_boundary(*byte)).unwrap_or(0);
    let (parse, name, form) = dialects.parse(read, byte)?;
    let piece =
        |piece: Piece| ParsedPiece { start: piece.range.start, end: piece.range.end, element: piece.element };
    Some(IrShown::Parse(OperationParse {
        name,
        form,
        start: parse.range.start,
        end: parse.range.end,
        pieces: parse.pieces.into_iter().map(piece).collect(),
    }))
}

/// The definitions of a library, evaluated on first use.
#[derive(Default)]
pub(super) struct LibraryDialects {
    roots: OnceLock<Vec<Arc<Records>>>,
    dialects: OnceLock<Dialects>,
}

impl Editors {
    /// Returns the problems of files with IR.
    ///
    /// # Errors
    /// The files are refused, or the work was stopped.
    pub fn check_ir(&self, question: IrQuestion, cancel: Cancel) -> Result<IrAnswer, ApiError> {
        let (texts, others): (BTreeMap<_, _>, BTreeMap<_, _>) =
            question.files.into_iter().partition(|(path, _)| path.ends_with(".mlir"));
        if texts.is_empty() {
            return Err(ApiError::new(Kind::BAD_REQUEST, "there is no .mlir file among the files"));
        }
        if let Some(path) = question.path.as_ref().filter(|path| !texts.contains_key(*path)) {
            let message = format!("path: '{path}' is none of the .mlir files of the request");
            return Err(ApiError::new(Kind::BAD_REQUEST, message));
        }
        let bundle = match others.is_empty() {
            true => Bundle::default(),
            false => {
                let files = others.into_iter().map(|(path, text)| (path, Bytes::from(text))).collect();
                Source::Files(files).open("", &self.archive)?
            }
        };
        let has_definitions = bundle.iter().any(|(path, _)| path.ends_with(".td"));
        let wrong = |error: String| ApiError::new(Kind::BAD_MANIFEST, error);
        let request = request_for_records(&self.libraries, bundle, question.mlir).map_err(wrong)?;
        let name = request.manifest.mlir.clone().unwrap_or_default();
        let own;
        let library = match self.dialects.get(&name) {
            Some(library) => library,
            None => {
                own = LibraryDialects::default();
                &own
            }
        };
        let library_request = || request_for_library(&self.libraries, &request.library);
        let roots = match library.roots.get() {
            Some(roots) => roots,
            None => {
                let Finished { roots, .. } = self.evaluate(&library_request().map_err(wrong)?, &cancel);
                if cancel.is_cancelled() {
                    return Err(ApiError::client_gone());
                }
                library.roots.get_or_init(|| roots)
            }
        };
        let mut problems = Vec::new();
        let of_request;
        let dialects = match has_definitions {
            false => library.dialects.get_or_init(|| Dialects::new(roots, Table::default())),
            true => {
                let Finished { roots: mut all, result, .. } = self.evaluate(&request, &cancel);
                problems.extend(result.all_diagnostics().cloned());
                all.extend(roots.iter().cloned());
                of_request = Dialects::new(&all, request.manifest.syntax_table());
                &of_request
            }
        };
        let mut shown = None;
        for (path, text) in texts {
            if cancel.is_cancelled() {
                return Err(ApiError::client_gone());
            }
            let read = dialects.read(text);
            problems.extend(dialects.findings(&path, &read));
            if question.path.as_ref() == Some(&path) {
                shown = show(dialects, &read, question.view, question.offset);
            }
        }
        Ok(IrAnswer { problems, shown })
    }

    /// Returns the records of all roots of a request's files.
    ///
    /// # Errors
    /// The files or the manifest are refused.
    pub fn records(
        &self,
        form: Form,
        mlir: Option<String>,
        cancel: &Cancel,
    ) -> Result<Vec<Arc<Records>>, ApiError> {
        let change = |manifest: &mut Manifest| {
            manifest.mlir = mlir.or(manifest.mlir.take());
            manifest.make_nothing();
            Ok(())
        };
        let (request, _) = form.open(&self.archive, &self.libraries, &without_packages, Box::new(change))?;
        let request = Request { keeps_records: true, ..request };
        Ok(self.evaluate(&request, cancel).roots)
    }

    fn evaluate(&self, request: &Request, cancel: &Cancel) -> Finished {
        let progress = Progress::new(&self.limits, cancel.clone());
        request.run(&self.limits, &progress, NonZero::<usize>::MIN, None)
    }
}
