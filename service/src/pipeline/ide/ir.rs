//! `POST /v1/ir/check`: IR checked by the definitions of a release and of the request.

use std::{
    collections::BTreeMap,
    num::NonZero,
    sync::{Arc, OnceLock},
};

use bytes::Bytes;
use odsmith_engine::{bundle::Bundle, cancel::Cancel, ir::syntax::Table, record::Records, report::Finding};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Editors;
use crate::pipeline::{
    error::{ApiError, Kind},
    generate::{Finished, Request, schema::Diagnostic},
    ir::{Dialects, request_for_library, request_for_records},
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
}

/// The problems of files with IR.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct IrAnswer {
    /// The problems, file by file; those of definitions first.
    #[schema(value_type = Vec<Diagnostic>)]
    pub problems: Vec<Finding>,
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
        for (path, text) in texts {
            if cancel.is_cancelled() {
                return Err(ApiError::client_gone());
            }
            problems.extend(dialects.findings(&path, &dialects.read(text)));
        }
        Ok(IrAnswer { problems })
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
