//! Requests of editors over HTTP. A request contains all files and is answered in a workspace of its own, so that
//! nothing of it is kept; the workspaces share only the library.
//!
//! * `question`: the requests;
//! * `answer`: the answers, and how they are derived from the engine's;
//! * `views`: the previews: outputs, pages and other forms of the files;
//! * `changes`: the changes between two states of the files.

mod answer;
mod changes;
mod question;
mod views;

use std::{collections::BTreeMap, sync::Arc};

use actix_web::web::Bytes;
use odsmith_engine::{
    bundle::Bundle,
    cancel::Cancel,
    job,
    limits::{Budget, Limits},
    record::Records,
};
use odsmith_ide::{SharedLibrary, Workspace, completion, hover};

use crate::{
    pipeline::{
        automatic::outputs::{self, Surrounding, Wanted},
        error::{ApiError, Kind},
        generate::Request,
        library::Libraries,
        request::Source,
    },
    store::archive,
};

pub use answer::{
    Addition, ByteRange, ChangedText, CheckAnswer, Completion, CompletionAnswer, EditorPlace, EditorProblem,
    HoverAnswer, MadeOutput, PreviewAnswer, RelatedPlace, Shown, ShownPage,
};
pub use question::{CheckQuestion, EditorView, PlaceQuestion, PreviewQuestion};

/// Answers the requests of editors: holds the libraries, and the limits of a request.
pub struct Editors {
    libraries: Arc<Libraries>,
    shared: BTreeMap<&'static str, Arc<SharedLibrary>>,
    archive: archive::Limits,
    limits: Limits,
}

/// The files of a request, opened in a workspace.
struct Opened {
    workspace: Workspace,
    library: Arc<SharedLibrary>,
    /// The problems of the files as a whole.
    complaints: Vec<String>,
    limits: Limits,
    cancel: Cancel,
}

impl Editors {
    /// Creates an instance with these libraries, none of which has been read yet.
    #[must_use]
    pub fn new(libraries: Arc<Libraries>, archive: archive::Limits, limits: Limits) -> Self {
        let shared = |library: &Arc<_>| Arc::new(SharedLibrary::new(Arc::clone(library)));
        let shared = libraries.iter().map(|library| (library.release().name(), shared(library))).collect();
        Editors { libraries, shared, archive, limits }
    }

    /// Returns the problems of the files.
    ///
    /// # Errors
    /// The files are refused, or the work was stopped.
    pub fn check(&self, question: CheckQuestion, cancel: Cancel) -> Result<CheckAnswer, ApiError> {
        let opened = self.open(question.files, question.mlir, cancel)?;
        let roots = opened.roots();
        let problems = opened.problems(&roots);
        opened.finish(CheckAnswer { roots, problems })
    }

    /// Returns the problems of the files, and a preview.
    ///
    /// # Errors
    /// The files are refused, there is no such file, or the work was stopped.
    pub fn preview(&self, mut question: PreviewQuestion, cancel: Cancel) -> Result<PreviewAnswer, ApiError> {
        let (files, mlir) = (std::mem::take(&mut question.files), question.mlir.clone());
        let before = question.before.take().filter(|_| question.view == EditorView::Changes);
        let before = before.map(|before| self.open(before, mlir.clone(), cancel.clone())).transpose()?;
        let opened = self.open(files, mlir, cancel)?;
        opened.has(&question.path)?;
        let root = opened.workspace.roots_of(&question.path).swap_remove(0);
        let problems = opened.problems(&opened.roots());
        opened.check_waiting()?;
        let view = match before {
            Some(before) => changes::view(&before, &opened, &root)?,
            None => views::view(&opened, &root, &question)?,
        };
        let is_whole = opened.is_evaluated(&root) && !matches!(view, Some(Err(Hidden)));
        let shown = view.and_then(Result::ok);
        opened.finish(PreviewAnswer { root, problems, is_whole, shown })
    }

    /// Returns a description of the item at an offset.
    ///
    /// # Errors
    /// As for [`Editors::preview`].
    pub fn hover(&self, question: PlaceQuestion, cancel: Cancel) -> Result<HoverAnswer, ApiError> {
        let (opened, path, offset) = self.place(question, cancel)?;
        let found = hover::hover(&opened.workspace, &path, offset);
        opened.finish(HoverAnswer::new(found, offset))
    }

    /// Returns the completions at an offset.
    ///
    /// # Errors
    /// As for [`Editors::preview`].
    pub fn completion(&self, question: PlaceQuestion, cancel: Cancel) -> Result<CompletionAnswer, ApiError> {
        let (opened, path, offset) = self.place(question, cancel)?;
        let found = completion::complete(&opened.workspace, &path, offset);
        opened.finish(CompletionAnswer::from(found))
    }

    fn place(&self, question: PlaceQuestion, cancel: Cancel) -> Result<(Opened, String, usize), ApiError> {
        let PlaceQuestion { files, mlir, path, offset } = question;
        let opened = self.open(files, mlir, cancel)?;
        opened.has(&path)?;
        let offset = opened.offset(&path, offset);
        Ok((opened, path, offset))
    }

    fn open(
        &self,
        files: BTreeMap<String, String>,
        mlir: Option<String>,
        cancel: Cancel,
    ) -> Result<Opened, ApiError> {
        let files = files.into_iter().map(|(path, text)| (path, Bytes::from(text))).collect();
        let bundle: Bundle = Source::Files(files).open("", &self.archive)?;
        let bad = |error| ApiError::new(Kind::BAD_MANIFEST, error);
        let request = Request::new(&self.libraries, bundle, None, |manifest| {
            manifest.docs.enabled = false;
            manifest.model = false;
            manifest.mlir = mlir.or(manifest.mlir.take());
            Ok(())
        });
        let request = request.map_err(bad)?;
        let (mut targets, reports) = request.targets(&self.limits);
        targets.iter_mut().for_each(|target| plan(target, request.library.root()));
        let library = self.shared.get(request.library.release().name()).cloned();
        let library = library.ok_or_else(|| ApiError::new(Kind::INTERNAL, "a library is not at hand"))?;
        let bundle = Arc::unwrap_or_clone(request.bundle);
        let mut workspace = Workspace::sharing(Arc::clone(&library), bundle, self.limits.clone());
        workspace.set_targets(targets, request.manifest.includes, request.manifest.defines);
        workspace.set_cancel(cancel.clone());
        let complaints = reports.into_iter().map(|report| report.message).collect();
        Ok(Opened { workspace, library, complaints, limits: self.limits.clone(), cancel })
    }
}

/// An error hides the requested view.
struct Hidden;

/// The view; `None` if there is no such view, or the root could not be evaluated.
type Viewed = Option<Result<Shown, Hidden>>;

/// Derives the outputs of a root from its definitions, if the root names none.
fn plan(target: &mut job::Target, library_root: &str) {
    if !target.outputs.is_empty() || target.plan.is_some() {
        return;
    }
    let (root, library_root) = (target.td.clone(), library_root.to_owned());
    let planner = move |records: &Records| {
        let none = std::collections::BTreeSet::new();
        let surrounding = Surrounding { library_root: &library_root, others: &none };
        let mut all = outputs::wanted(Wanted::All, &root, records, surrounding);
        all.extend(outputs::python(&root, records, surrounding));
        all
    };
    target.plan = Some(job::Plan(Arc::new(planner)));
}

impl Opened {
    /// Returns the paths of the roots.
    fn roots(&self) -> Vec<String> {
        self.workspace.targets().iter().map(|target| target.td.clone()).collect()
    }

    fn has(&self, path: &str) -> Result<(), ApiError> {
        if self.workspace.bundle().get(path).is_some() {
            return Ok(());
        }
        let detail = format!("'{}' is not among the files", path.escape_debug());
        Err(ApiError::new(Kind::BAD_REQUEST, detail))
    }

    /// Returns the nearest character boundary at or before an offset in a file.
    fn offset(&self, path: &str, offset: usize) -> usize {
        let Some(document) = self.workspace.document(path) else { return 0 };
        let text = &document.text;
        (0..=offset.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
    }

    /// Returns true if all of a root could be evaluated.
    fn is_evaluated(&self, root: &str) -> bool {
        self.workspace.analysis(root).is_some_and(|analysis| analysis.is_ok)
    }

    /// Returns the budget for work other than evaluation.
    fn budget(&self) -> Budget {
        Budget::new(&self.limits, self.cancel.clone())
    }

    /// Returns the answer, or an error if the work on it was stopped.
    fn finish<T>(self, answer: T) -> Result<T, ApiError> {
        self.library.trim();
        self.check_waiting()?;
        Ok(answer)
    }

    /// Returns an error if the client no longer waits for the answer.
    fn check_waiting(&self) -> Result<(), ApiError> {
        if self.cancel.is_cancelled() {
            return Err(ApiError::client_gone());
        }
        Ok(())
    }
}
