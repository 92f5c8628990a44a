//! Requests of editors, over HTTP or in a page. A request contains all files and is answered in a workspace of its own, so that
//! nothing of it is kept; the workspaces share only the library.
//!
//! The questions go to `odsmith_ide`, as those of the language server do; here its answers become JSON.
//!
//! * `ir`: checks of IR;
//! * `types`: the requests and answers;
//! * `views`: the previews: outputs, pages, other forms of the files, and changes.

mod ir;
mod types;
mod views;

use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};

use bytes::Bytes;
use odsmith_engine::{bundle::Bundle, cancel::Cancel, job, limits::Limits, record::Records};
use odsmith_ide::{
    SharedLibrary, Workspace, completion,
    hover::{self, Hover},
    problems,
};

use crate::{
    config::ArchiveLimits,
    pipeline::{
        automatic::outputs::{self, Surrounding},
        editor::WorkspaceRoots,
        error::{ApiError, Kind},
        library::Libraries,
        request::Source,
    },
};

pub use ir::{IrAnswer, IrQuestion, IrView};
pub use types::{
    Addition, ByteRange, ChangedText, CheckAnswer, CheckQuestion, Completion, CompletionAnswer, EditorPlace,
    EditorProblem, EditorView, HoverAnswer, OutputSummary, PagePath, PlaceQuestion, PreviewAnswer,
    PreviewQuestion, RelatedPlace, ViewText,
};
use views::ViewError;

/// Maximum number of problems in an answer.
const MOST_PROBLEMS: usize = 500;

/// Answers the requests of editors: holds the libraries, and the limits of a request.
pub struct Editors {
    libraries: Arc<Libraries>,
    shared: BTreeMap<String, OnceLock<Arc<SharedLibrary>>>,
    dialects: BTreeMap<String, ir::LibraryDialects>,
    archive: ArchiveLimits,
    limits: Limits,
}

/// The files of a request, opened in a workspace.
struct RequestWorkspace {
    workspace: Workspace,
    library: Arc<SharedLibrary>,
    /// The problems of the files as a whole.
    complaints: Vec<String>,
}

impl Editors {
    /// Creates an instance with these libraries, none of which has been read yet.
    #[must_use]
    pub fn new(libraries: Arc<Libraries>, archive: ArchiveLimits, limits: Limits) -> Self {
        let shared = libraries.names().map(|(name, _)| (name.to_owned(), OnceLock::new())).collect();
        let dialects = libraries.names().map(|(name, _)| (name.to_owned(), ir::LibraryDialects::default()));
        let dialects = dialects.collect();
        Editors { libraries, shared, dialects, archive, limits }
    }

    /// Returns the problems of the files.
    ///
    /// # Errors
    /// The files are refused, or the work was stopped.
    pub fn check(&self, question: CheckQuestion, cancel: Cancel) -> Result<CheckAnswer, ApiError> {
        let files = self.open(question.files, question.mlir, cancel)?;
        files.finish(CheckAnswer { roots: files.roots(), problems: files.problems() })
    }

    /// Returns the problems of the files, and a preview.
    ///
    /// # Errors
    /// The files are refused, there is no such file, or the work was stopped.
    pub fn preview(&self, mut question: PreviewQuestion, cancel: Cancel) -> Result<PreviewAnswer, ApiError> {
        let (files, mlir) = (std::mem::take(&mut question.files), question.mlir.clone());
        let before = question.before.take().filter(|_| question.view == EditorView::Changes);
        let before = before.map(|before| self.open(before, mlir.clone(), cancel.clone())).transpose()?;
        let files = self.open(files, mlir, cancel)?;
        files.has(&question.path)?;
        let root = files.workspace.roots_of(&question.path).swap_remove(0);
        let problems = files.problems();
        files.check_waiting()?;
        let view = match before {
            Some(before) => views::changes(&before, &files, &root)?,
            None => views::view(&files, &root, &question)?,
        };
        let is_evaluated = files.workspace.analysis(&root).is_some_and(|analysis| analysis.is_ok);
        let is_whole = is_evaluated && !matches!(view, Some(Err(ViewError)));
        files.finish(PreviewAnswer { root, problems, is_whole, shown: view.and_then(Result::ok) })
    }

    /// Returns a description of the item at an offset.
    ///
    /// # Errors
    /// As for [`Editors::preview`].
    pub fn hover(&self, question: PlaceQuestion, cancel: Cancel) -> Result<HoverAnswer, ApiError> {
        self.query(question, cancel, |workspace, path, offset| {
            let nothing = || Hover { range: offset..offset, text: String::new() };
            let Hover { range, text } = hover::hover(workspace, path, offset).unwrap_or_else(nothing);
            HoverAnswer { range: range.into(), text }
        })
    }

    /// Returns the completions at an offset.
    ///
    /// # Errors
    /// As for [`Editors::preview`].
    pub fn completion(&self, question: PlaceQuestion, cancel: Cancel) -> Result<CompletionAnswer, ApiError> {
        self.query(question, cancel, |workspace, path, offset| {
            completion::complete(workspace, path, offset).into()
        })
    }

    /// Asks a question of the engine at an offset.
    fn query<T>(
        &self,
        question: PlaceQuestion,
        cancel: Cancel,
        answer: fn(&Workspace, &str, usize) -> T,
    ) -> Result<T, ApiError> {
        let PlaceQuestion { files, mlir, path, offset } = question;
        let files = self.open(files, mlir, cancel)?;
        files.has(&path)?;
        files.finish(answer(&files.workspace, &path, files.boundary(&path, offset)))
    }

    fn open(
        &self,
        files: BTreeMap<String, String>,
        mlir: Option<String>,
        cancel: Cancel,
    ) -> Result<RequestWorkspace, ApiError> {
        let files = files.into_iter().map(|(path, text)| (path, Bytes::from(text))).collect();
        let bundle: Bundle = Source::Files(files).open("", &self.archive)?;
        let roots = WorkspaceRoots::find(&self.libraries, bundle, None, mlir, &self.limits);
        let mut roots = roots.map_err(|error| ApiError::new(Kind::BAD_MANIFEST, error))?;
        roots.targets.iter_mut().for_each(|target| plan(target, roots.library.root()));
        let shared = || Arc::new(SharedLibrary::new(roots.library.clone()));
        let library = match roots.manifest.mlir.as_ref().and_then(|name| self.shared.get(name)) {
            Some(cell) => cell.get_or_init(shared).clone(),
            None => shared(),
        };
        let bundle = std::mem::take(&mut roots.bundle);
        let mut workspace = Workspace::sharing(Arc::clone(&library), bundle, self.limits.clone());
        let complaints = std::mem::take(&mut roots.complaints);
        roots.set(&mut workspace);
        workspace.set_cancel(cancel);
        Ok(RequestWorkspace { workspace, library, complaints })
    }
}

/// Derives the outputs of a root from its definitions, if the root names none.
fn plan(target: &mut job::Target, library_root: &str) {
    if !target.outputs.is_empty() || target.plan.is_some() {
        return;
    }
    let (root, library_root) = (target.td.clone(), library_root.to_owned());
    let planner = move |records: &Records| {
        let none = std::collections::BTreeSet::new();
        let surrounding = Surrounding { library_root: &library_root, others: &none };
        outputs::with_python(&root, records, surrounding)
    };
    target.plan = Some(job::Plan(Arc::new(planner)));
}

impl RequestWorkspace {
    /// Returns the paths of the roots.
    fn roots(&self) -> Vec<String> {
        self.workspace.targets().iter().map(|target| target.td.clone()).collect()
    }

    /// Returns the problems of the roots, without duplicates.
    fn problems(&self) -> Vec<EditorProblem> {
        let workspace = &self.workspace;
        let mut found: Vec<EditorProblem> =
            self.complaints.iter().map(|message| EditorProblem::of_request(message)).collect();
        for root in self.roots() {
            let Some(analysis) = workspace.analysis(&root) else { continue };
            let mut own = problems::of_evaluation(workspace, &analysis);
            own.extend(problems::of_definitions(workspace, &analysis));
            let of_outputs = problems::of_outputs(workspace, &analysis, &own);
            for problem in own.iter().chain(&of_outputs) {
                let problem = EditorProblem::new(workspace, problem);
                if found.len() < MOST_PROBLEMS && !found.contains(&problem) {
                    found.push(problem);
                }
            }
        }
        found
    }

    fn has(&self, path: &str) -> Result<(), ApiError> {
        if self.workspace.bundle().get(path).is_some() {
            return Ok(());
        }
        let detail = format!("'{}' is not among the files", path.escape_debug());
        Err(ApiError::new(Kind::BAD_REQUEST, detail))
    }

    /// Returns the nearest character boundary at or before an offset in a file.
    fn boundary(&self, path: &str, offset: usize) -> usize {
        self.workspace.document(path).map_or(0, |document| document.boundary(offset))
    }

    /// Returns the answer, or an error if the work on it was stopped.
    fn finish<T>(&self, answer: T) -> Result<T, ApiError> {
        self.library.trim();
        self.check_waiting()?;
        Ok(answer)
    }

    /// Returns an error if the client no longer waits for the answer.
    fn check_waiting(&self) -> Result<(), ApiError> {
        if self.workspace.is_stopped() {
            return Err(ApiError::client_gone());
        }
        Ok(())
    }
}
