//! Published diagnostics: for each file the problems that its roots report, each once.

use std::collections::{BTreeMap, BTreeSet};

use gen_lsp_types::{
    self as lsp, DiagnosticSeverity, FullDocumentDiagnosticReport, WorkspaceFullDocumentDiagnosticReport,
};
use odsmith_engine::diagnostic::{Id, Severity};
use odsmith_ide::{
    Document, FileRange, ir,
    problems::{self, Origin, Problem},
};

use super::{server::Server, to_proto};

/// The problems of all roots.
#[derive(Default)]
pub(super) struct Board {
    roots: BTreeMap<(usize, String), RootProblems>,
    /// The diagnostics last published for each file, with the version of the file.
    published: BTreeMap<(usize, String), (Option<i32>, Vec<lsp::Diagnostic>)>,
}

/// The problems of one root.
#[derive(Default)]
struct RootProblems {
    /// The problems from evaluation and from the definitions.
    own: Vec<Problem>,
    /// The problems reported by generators.
    of_outputs: Vec<Problem>,
    /// Breaking edits, compared with the last commit.
    breaks: Vec<(FileRange, String)>,
}

impl Board {
    fn found(&mut self, project: usize, root: &str) -> &mut RootProblems {
        self.roots.entry((project, root.to_owned())).or_default()
    }

    /// Returns the files with problems of a root.
    fn files(&self, project: usize, root: &str) -> BTreeSet<String> {
        let Some(found) = self.roots.get(&(project, root.to_owned())) else { return BTreeSet::new() };
        let all = found.own.iter().chain(&found.of_outputs);
        let places = all
            .map(|problem| file_of(problem, root))
            .chain(found.breaks.iter().map(|(place, _)| place.path.clone()));
        places.collect()
    }

    /// Returns the files of every root's problems.
    fn all_files(&self) -> impl Iterator<Item = (usize, String)> {
        let roots = self.roots.keys();
        roots.flat_map(|(project, root)| self.files(*project, root).into_iter().map(|file| (*project, file)))
    }
}

/// Returns the file in which a problem is shown: the root, if it has no place.
fn file_of(problem: &Problem, root: &str) -> String {
    problem.place.as_ref().map_or_else(|| root.to_owned(), |place| place.path.clone())
}

impl Server {
    /// Finds the problems of a root that are found fast, and publishes them.
    pub(super) fn check(&mut self, project: usize, root: &str) {
        let workspace = &self.projects[project].workspace;
        let own = match workspace.analysis(root) {
            None if ir::is_ir(root) => ir::problems(workspace, root),
            Some(analysis) => {
                let mut own = problems::of_evaluation(workspace, &analysis);
                own.extend(problems::of_definitions(workspace, &analysis));
                own
            }
            None => Vec::new(),
        };
        // Before the library is read, most names of IR are unknown.
        let is_early = ir::is_ir(root) && !workspace.has_library_roots();
        if is_early || self.is_stopped(project) {
            return;
        }
        self.replace(project, root, |found| {
            // Messages of generators stay until the next run, as far as they may still be true.
            found.of_outputs.retain(|problem| problem.origin == Origin::Deprecated);
            found.own = own;
        });
    }

    /// Makes a root's outputs, and publishes the messages of generators.
    pub(super) fn check_outputs(&mut self, project: usize, root: &str) {
        let workspace = &self.projects[project].workspace;
        let Some(analysis) = workspace.analysis(root) else { return };
        let known = self.board.found(project, root).own.clone();
        let of_outputs = problems::of_outputs(workspace, &analysis, &known);
        if self.is_stopped(project) {
            return;
        }
        self.replace(project, root, |found| found.of_outputs = of_outputs);
    }

    /// Compares a root with the last commit, and publishes breaking edits.
    pub(super) fn compare(&mut self, project: usize, root: &str) {
        let breaks = self.history.breaks(&self.projects[project], root);
        if self.is_stopped(project) {
            return;
        }
        self.replace(project, root, |found| found.breaks = breaks);
    }

    /// Returns true if the current work was cancelled, so that its results are incomplete.
    fn is_stopped(&self, project: usize) -> bool {
        self.projects[project].workspace.is_stopped()
    }

    /// Updates the problems of a root, and publishes the changes in files.
    fn replace(&mut self, project: usize, root: &str, change: impl FnOnce(&mut RootProblems)) {
        let mut files = self.board.files(project, root);
        change(self.board.found(project, root));
        files.extend(self.board.files(project, root));
        // Open files are published even without problems.
        files.extend(self.open_files_of(project, root));
        files.extend(Some(root.to_owned()).filter(|root| ir::is_ir(root) && self.is_open(project, root)));
        for file in files {
            self.publish(project, &file);
        }
    }

    /// Returns the files with any problem.
    pub(super) fn files_with_problems(&self) -> BTreeSet<(usize, String)> {
        let of_lint = self.linter.files().filter(|(project, file)| self.shows(*project, file));
        self.board.all_files().chain(of_lint).collect()
    }

    pub(super) fn publish(&mut self, project: usize, file: &str) {
        let diagnostics = self.diagnostics(project, file);
        let key = (project, file.to_owned());
        let uri = self.uri_of(project, file);
        let version = self.version_of(&uri);
        let state = (version, diagnostics.clone());
        if self.board.published.get(&key) == Some(&state) {
            return;
        }
        self.board.published.insert(key, state);
        if !self.client.pulls {
            let parameters = lsp::PublishDiagnosticsParams { uri, version, diagnostics };
            self.notify::<lsp::PublishDiagnosticsNotification>(parameters);
        } else if version.is_none() {
            self.refresh();
        }
    }

    /// Asks the client to request diagnostics again, if it supports that.
    pub(super) fn refresh(&mut self) {
        if self.client.pulls && self.client.refreshes_diagnostics {
            self.ask::<lsp::DiagnosticRefreshRequest>(());
        }
    }

    /// Returns the diagnostics of a file from all roots, each once.
    pub(super) fn diagnostics(&self, project: usize, file: &str) -> Vec<lsp::Diagnostic> {
        let Some(document) = self.projects[project].workspace.document(file) else { return Vec::new() };
        let mut all: Vec<lsp::Diagnostic> = Vec::new();
        let mut add = |diagnostic: lsp::Diagnostic| {
            let is_same = |known: &lsp::Diagnostic| {
                known.range == diagnostic.range && known.message == diagnostic.message
            };
            if !all.iter().any(is_same) {
                all.push(diagnostic);
            }
        };
        for ((of, root), found) in &self.board.roots {
            if *of != project {
                continue;
            }
            let problems = found.own.iter().chain(&found.of_outputs);
            let is_of_file = |problem: &&Problem| {
                // Problems that lint reports as findings are not repeated.
                let is_said = problem.place.as_ref().is_some_and(|place| {
                    problem.finding.id == Some(Id::UnusedArgument) && self.linter.says_it(project, place)
                });
                file_of(problem, root) == file && !is_said
            };
            for problem in problems.filter(is_of_file) {
                add(self.diagnostic(project, &document, problem));
            }
            for (place, message) in found.breaks.iter().filter(|(place, _)| place.path == file) {
                add(lsp::Diagnostic {
                    range: to_proto::range(&document, &place.range, self.client.encoding),
                    severity: Some(DiagnosticSeverity::Hint),
                    source: Some("odsmith diff".to_owned()),
                    message: message.as_str().into(),
                    ..lsp::Diagnostic::default()
                });
            }
        }
        self.findings_of(project, &document).into_iter().for_each(add);
        all
    }

    fn diagnostic(&self, project: usize, document: &Document, problem: &Problem) -> lsp::Diagnostic {
        let range = problem.place.as_ref().map_or(0..0, |place| place.range.clone());
        let tag = match problem.origin {
            Origin::Deprecated => Some(lsp::DiagnosticTag::Deprecated),
            _ if problem.finding.id == Some(Id::UnusedArgument) => Some(lsp::DiagnosticTag::Unnecessary),
            _ => None,
        };
        let is_after_error = problem.origin == Origin::AfterError;
        let related = problem.related.iter();
        let placed = related.clone().filter_map(|(place, message)| Some((place.as_ref()?, message)));
        // Related messages without a place are appended to the message.
        let unplaced = related.filter(|(place, _)| place.is_none()).map(|(_, message)| message);
        let message =
            [&problem.finding.message].into_iter().chain(unplaced).map(String::as_str).collect::<Vec<_>>();
        lsp::Diagnostic {
            range: to_proto::range(document, &range, self.client.encoding),
            severity: Some(match problem.finding.severity {
                Severity::Error => DiagnosticSeverity::Error,
                Severity::Warning => DiagnosticSeverity::Warning,
                Severity::Note | Severity::Remark => DiagnosticSeverity::Information,
            }),
            code: is_after_error.then(|| "after-an-earlier-error".into()),
            source: Some("odsmith".to_owned()),
            message: message.join("\n").into(),
            tags: tag.map(|tag| vec![tag]),
            related_information: self.related(project, placed),
            ..lsp::Diagnostic::default()
        }
    }

    /// Returns the diagnostics of a file on request.
    pub(super) fn pull(&mut self, uri: &lsp::Uri) -> FullDocumentDiagnosticReport {
        let items = self.locate(uri).map(|(project, path)| {
            for root in self.projects[project].workspace.roots_of(&path).into_iter().take(1) {
                self.check(project, &root);
            }
            self.diagnostics(project, &path)
        });
        FullDocumentDiagnosticReport { result_id: None, items: items.unwrap_or_default() }
    }

    /// Returns the diagnostics of all files on request.
    pub(super) fn pull_all(&mut self) -> lsp::WorkspaceDiagnosticReport {
        let report = |(project, path): &(usize, String)| {
            let uri = self.uri_of(*project, path);
            let version = self.version_of(&uri);
            let items = self.diagnostics(*project, path);
            let report = FullDocumentDiagnosticReport { result_id: None, items };
            WorkspaceFullDocumentDiagnosticReport::new(uri, version, report).into()
        };
        lsp::WorkspaceDiagnosticReport { items: self.files_with_problems().iter().map(report).collect() }
    }
}
