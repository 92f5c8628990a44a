//! The main loop: messages in order, open files, and work for idle times.

use crate::cli::commands::exit::ExitStatus;
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    path::{Path, PathBuf},
    sync::{Arc, mpsc},
    time::{Duration, Instant},
};

use gen_lsp_types::{self as lsp, LspErrorCodes, Notification as _, Uri};
use lsp_server::{Message, Notification, Request, RequestId, Response};
use odsmith_engine::cancel::Cancel;
use odsmith_ide::ir::is_ir;
use serde_json::{Value, json};

use super::{
    Event, Interruption,
    capabilities::Client,
    dispatch::Failure,
    from_proto::{self, file_of},
    history::History,
    lint::Linter,
    problems::Board,
    project::{Project, Sources},
};

/// Debounce: how long to wait after an edit before checking.
const DEBOUNCE: Duration = Duration::from_millis(30);

/// A file that the editor has open.
struct OpenFile {
    project: usize,
    path: String,
    text: String,
    version: i32,
}

/// Work for idle times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// Finds the problems of a root that are found fast, and queues the slower tasks.
    Check { project: usize, root: String },
    /// Makes a root's outputs to find problems that generators report.
    Generate { project: usize, root: String },
    /// Compares a root with the last commit.
    Compare { project: usize, root: String },
    /// Runs lint on all roots.
    Lint { project: usize },
    /// Builds the index of all definitions.
    Index { project: usize },
    /// Checks a root that is not open.
    Visit { project: usize, root: String },
}

/// The next event, or the reason why there is none.
pub(super) type NextEvent = Result<Event, mpsc::RecvTimeoutError>;

/// The server.
pub(super) struct Server {
    pub(super) projects: Vec<Project>,
    pub(super) client: Client,
    pub(super) board: Board,
    pub(super) history: History,
    pub(super) linter: Linter,
    /// The last semantic tokens of each file, with the number of that answer.
    pub(super) tokens: BTreeMap<(usize, String), (u64, Vec<lsp::SemanticToken>)>,
    sources: Sources,
    send: Box<dyn Fn(Message) -> bool>,
    interruption: Arc<Interruption>,
    pub(super) events: mpsc::Sender<Event>,
    /// The projects whose library is being read for IR.
    pub(super) reads_library: BTreeSet<usize>,
    /// Open files by their URIs, as the editor spells them.
    open: BTreeMap<String, OpenFile>,
    tasks: VecDeque<Task>,
    /// The time of the last message.
    last_message: Instant,
    /// The debounce time after an edit.
    wait: Duration,
    next_id: i32,
    pub(super) has_ended: bool,
    is_shut_down: bool,
}

impl Server {
    pub(super) fn new(
        client: Client,
        sources: Sources,
        send: Box<dyn Fn(Message) -> bool>,
        interruption: Arc<Interruption>,
        events: mpsc::Sender<Event>,
    ) -> Self {
        Server {
            projects: Vec::new(),
            client,
            board: Board::default(),
            history: History::default(),
            linter: Linter::new(events.clone()),
            tokens: BTreeMap::new(),
            sources,
            send,
            interruption,
            events,
            reads_library: BTreeSet::new(),
            open: BTreeMap::new(),
            tasks: VecDeque::new(),
            last_message: Instant::now(),
            wait: Duration::ZERO,
            next_id: 0,
            has_ended: false,
            is_shut_down: false,
        }
    }

    /// Answers messages until the editor ends the server. `next` waits for an event, for so long.
    pub(super) fn serve(mut self, mut next: impl FnMut(Option<Duration>) -> NextEvent) -> ExitStatus {
        self.open_folders();
        self.watch_files();
        while !self.has_ended {
            let wait = self.tasks.front().map(|task| {
                let due = self.last_message + self.patience(task);
                due.saturating_duration_since(Instant::now())
            });
            match next(wait) {
                Ok(Event::Message(message)) => {
                    self.last_message = Instant::now();
                    self.read(message);
                }
                Ok(Event::Linted(answer)) => self.take_findings(answer),
                Ok(Event::LibraryRead(answer)) => self.take_library(answer),
                Err(mpsc::RecvTimeoutError::Timeout) => self.work(),
                Ok(Event::Gone) | Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
        }
        if self.is_shut_down { ExitStatus::Done } else { ExitStatus::Findings }
    }

    /// Returns how long no message must come before a task begins: slow tasks wait until the user pauses.
    fn patience(&self, task: &Task) -> Duration {
        match task {
            Task::Check { .. } => self.wait,
            Task::Index { .. } => Duration::from_millis(50),
            Task::Generate { .. } | Task::Visit { .. } => Duration::from_millis(150),
            Task::Lint { .. } => Duration::from_millis(200),
            Task::Compare { .. } => Duration::from_millis(500),
        }
    }

    fn read(&mut self, message: Message) {
        match message {
            Message::Request(request) => self.answer(request),
            Message::Notification(note) => self.notice(note),
            Message::Response(_) => {}
        }
    }

    fn answer(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let error = |id, code: i32, message: String| Response::new_err(id, code, message);
        if self.interruption.is_cancelled(&id) {
            return self.respond(error(id, LspErrorCodes::RequestCancelled.into(), "taken back".to_owned()));
        }
        if method == "shutdown" {
            self.is_shut_down = true;
            return self.respond(Response::new_ok(id, Value::Null));
        }
        let cancel = self.renew();
        let response = match self.dispatch(&method, params) {
            None => {
                error(id, lsp::ErrorCodes::MethodNotFound.into(), format!("there is no request {method}"))
            }
            Some(_) if cancel.is_cancelled() => {
                let message = "the file was changed meanwhile".to_owned();
                error(id, LspErrorCodes::ContentModified.into(), message)
            }
            Some(Ok(value)) => Response::new_ok(id, value),
            Some(Err(Failure::Nothing)) => Response::new_ok(id, Value::Null),
            Some(Err(Failure::Error { code, message })) => error(id, code, message),
        };
        self.respond(response);
    }

    fn renew(&mut self) -> Cancel {
        let cancel = self.interruption.renew();
        self.projects.iter_mut().for_each(|project| project.workspace.set_cancel(cancel.clone()));
        cancel
    }

    fn respond(&mut self, response: Response) {
        self.has_ended |= !(self.send)(response.into());
    }

    /// Sends the client a notification.
    pub(super) fn notify<N: lsp::Notification>(&mut self, parameters: N::Params) {
        self.has_ended |= !(self.send)(Notification::new(N::METHOD.to_string(), parameters).into());
    }

    /// Sends the client a request whose answer is ignored.
    pub(super) fn ask<R: lsp::Request>(&mut self, parameters: R::Params) {
        self.next_id += 1;
        let request = Request::new(RequestId::from(self.next_id), R::METHOD.to_string(), parameters);
        self.has_ended |= !(self.send)(request.into());
    }

    /// Writes a warning to the client's log.
    pub(super) fn warn(&mut self, message: String) {
        let kind = lsp::MessageType::Warning;
        self.notify::<lsp::LogMessageNotification>(lsp::LogMessageParams { kind, message });
    }

    // --- folders ----------------------------------------------------------------------------------------------

    fn open_folders(&mut self) {
        let mut folders = std::mem::take(&mut self.client.folders);
        if folders.is_empty() {
            folders.extend(self.sources.root.clone());
        }
        for folder in folders {
            self.open_folder(&folder);
        }
    }

    pub(super) fn did_change_folders(&mut self, it: lsp::DidChangeWorkspaceFoldersParams) {
        for folder in it.event.added.iter().filter_map(|folder| file_of(&folder.uri.0)) {
            self.open_folder(&folder);
        }
    }

    fn open_folder(&mut self, place: &Path) -> Option<usize> {
        match Project::open(place, &self.sources) {
            Ok(project) => {
                let complaints = project.complaints.clone();
                self.projects.push(project);
                let project = self.projects.len() - 1;
                complaints.into_iter().for_each(|complaint| self.warn(complaint));
                self.history.forget();
                self.tasks.push_back(Task::Index { project });
                self.visit_all(project);
                Some(project)
            }
            Err(message) => {
                let message = format!("odsmith: {message}");
                let kind = lsp::MessageType::Error;
                self.notify::<lsp::ShowMessageNotification>(lsp::ShowMessageParams { kind, message });
                None
            }
        }
    }

    /// Queues a visit to every root, if the client wants diagnostics for files that are not open.
    fn visit_all(&mut self, project: usize) {
        if !self.client.shows_all_files {
            return;
        }
        self.tasks.push_back(Task::Lint { project });
        let targets = self.projects[project].workspace.targets();
        let roots: Vec<String> = targets.iter().map(|target| target.td.clone()).collect();
        self.tasks.extend(roots.into_iter().map(|root| Task::Visit { project, root }));
    }

    fn watch_files(&mut self) {
        if self.client.watches_files {
            let watchers = json!([{ "globPattern": "**/*.td" }, { "globPattern": "**/odsmith.toml" }]);
            let registration = lsp::Registration {
                id: "files".to_owned(),
                method: lsp::DidChangeWatchedFilesNotification::METHOD.to_string(),
                register_options: Some(json!({ "watchers": watchers })),
            };
            let registrations = vec![registration];
            self.ask::<lsp::RegistrationRequest>(lsp::RegistrationParams { registrations });
        }
    }

    /// Returns the project and the path of a URI; opens a folder for a file that is in none.
    pub(super) fn locate(&mut self, uri: &Uri) -> Option<(usize, String)> {
        if let Some(open) = self.open.get(&uri.0) {
            return Some((open.project, open.path.clone()));
        }
        let file = file_of(&uri.0)?;
        let find = |server: &Self| {
            server.projects.iter().enumerate().find_map(|(project, it)| Some((project, it.path_of(&file)?)))
        };
        if let Some(found) = find(self) {
            return Some(found);
        }
        let folder = folder_of(&file)?;
        self.open_folder(&folder)?;
        find(self)
    }

    /// Returns the URI of a path, as the editor spells it if it has the file open.
    pub(super) fn uri_of(&self, project: usize, path: &str) -> Uri {
        let open = self.open.iter().find(|(_, open)| open.project == project && open.path == path);
        Uri(open.map_or_else(|| self.projects[project].uri_of(path), |(uri, _)| uri.clone()))
    }

    /// Returns the open files that a root includes.
    pub(super) fn open_files_of(&self, project: usize, root: &str) -> Vec<String> {
        let workspace = &self.projects[project].workspace;
        let Some(analysis) = workspace.known_analysis(root) else { return Vec::new() };
        let own = self.open.values().filter(|open| open.project == project && analysis.reads(&open.path));
        own.map(|open| open.path.clone()).collect()
    }

    /// Returns the version of an open file.
    pub(super) fn version_of(&self, uri: &Uri) -> Option<i32> {
        self.open.get(&uri.0).map(|open| open.version)
    }

    // --- files ------------------------------------------------------------------------------------------------

    pub(super) fn did_open(&mut self, it: lsp::DidOpenTextDocumentParams) {
        let lsp::TextDocumentItem { uri, version, text, .. } = it.text_document;
        let Some((project, path)) = self.locate(&uri) else { return };
        self.set_text(project, &path, &text);
        self.open.insert(uri.0, OpenFile { project, path: path.clone(), text, version });
        self.look_at(project, &path, Duration::ZERO);
    }

    pub(super) fn did_change(&mut self, it: lsp::DidChangeTextDocumentParams) {
        let lsp::VersionedTextDocumentIdentifier { version, text_document_identifier } = it.text_document;
        let Some(open) = self.open.get_mut(&text_document_identifier.uri.0) else { return };
        open.text = from_proto::changed(&open.text, it.content_changes, self.client.encoding);
        open.version = version;
        let (project, path, text) = (open.project, open.path.clone(), open.text.clone());
        self.set_text(project, &path, &text);
        self.look_at(project, &path, DEBOUNCE);
    }

    pub(super) fn did_close(&mut self, it: lsp::DidCloseTextDocumentParams) {
        let Some(open) = self.open.remove(&it.text_document.uri.0) else { return };
        self.tokens.remove(&(open.project, open.path.clone()));
        // Unsaved edits are lost.
        self.reload(open.project, &open.path);
        self.look_at(open.project, &open.path, DEBOUNCE);
    }

    pub(super) fn did_save(&mut self, it: lsp::DidSaveTextDocumentParams) {
        let Some((project, path)) = self.locate(&it.text_document.uri) else { return };
        self.projects[project].workspace.forget_index();
        self.tasks.push_back(Task::Index { project });
        self.look_at(project, &path, DEBOUNCE);
    }

    pub(super) fn did_change_files(&mut self, it: lsp::DidChangeWatchedFilesParams) {
        let mut has_new_roots = false;
        for lsp::FileEvent { uri: Uri(uri), .. } in it.changes {
            if self.open.contains_key(&uri) {
                continue;
            }
            let Some(file) = file_of(&uri) else { continue };
            let is_manifest =
                file.file_name().is_some_and(|name| name == crate::pipeline::manifest::FILE_NAME);
            let found = self.projects.iter().position(|project| project.path_of(&file).is_some());
            let Some(project) = found else { continue };
            if is_manifest {
                let root = self.projects[project].root.clone();
                if let Ok(fresh) = Project::open(&root, &self.sources) {
                    self.projects[project] = fresh;
                    self.linter.forget(project);
                    self.restore(project);
                }
                continue;
            }
            let Some(path) = self.projects[project].path_of(&file) else { continue };
            has_new_roots |= self.projects[project].workspace.bundle().get(&path).is_none() || !file.exists();
            self.reload(project, &path);
            self.look_at(project, &path, DEBOUNCE);
        }
        if has_new_roots {
            self.projects.iter_mut().for_each(Project::find_roots);
        }
    }

    /// Sets the texts of open files in a project that was reopened.
    fn restore(&mut self, project: usize) {
        let open: Vec<(String, String)> = self
            .open
            .values()
            .filter(|open| open.project == project)
            .map(|open| (open.path.clone(), open.text.clone()))
            .collect();
        for (path, text) in open {
            self.set_text(project, &path, &text);
            self.look_at(project, &path, DEBOUNCE);
        }
        self.visit_all(project);
    }

    fn set_text(&mut self, project: usize, path: &str, text: &str) {
        let old = self.projects[project].workspace.read(path);
        if is_ir(path) {
            self.projects[project].workspace.set_text(path, Some(text.as_bytes()));
            return self.read_library(project);
        }
        self.linter.move_places(project, path, old.as_deref(), Some(text.as_bytes()));
        self.projects[project].workspace.set_text(path, Some(text.as_bytes()));
        if old.is_none() {
            self.projects[project].find_roots();
        }
    }

    fn reload(&mut self, project: usize, path: &str) {
        let old = self.projects[project].workspace.read(path);
        let bytes = self.projects[project].file_of(path).and_then(|file| std::fs::read(file).ok());
        if !is_ir(path) {
            self.linter.move_places(project, path, old.as_deref(), bytes.as_deref());
        }
        self.projects[project].workspace.set_text(path, bytes.as_deref());
    }

    // --- what is done meanwhile -------------------------------------------------------------------------------

    /// Queues checks of the roots that include a file before all other tasks.
    pub(super) fn look_at(&mut self, project: usize, path: &str, wait: Duration) {
        let roots = self.projects[project].workspace.roots_of(path);
        for root in roots.into_iter().take(ROOTS_AT_ONCE).rev() {
            let is_of_root = |task: &Task| match task {
                Task::Check { project: other, root: known }
                | Task::Generate { project: other, root: known }
                | Task::Compare { project: other, root: known }
                | Task::Visit { project: other, root: known } => *other == project && *known == root,
                Task::Index { .. } | Task::Lint { .. } => false,
            };
            self.tasks.retain(|task| !is_of_root(task));
            self.tasks.push_front(Task::Check { project, root });
        }
        // IR is read by the definitions as they are now.
        if !is_ir(path) {
            self.check_ir(project);
        }
        self.wait = wait;
        self.last_message = Instant::now();
    }

    /// Queues the check of a file after all others.
    pub(super) fn queue_check(&mut self, project: usize, root: String) {
        let task = Task::Check { project, root };
        self.tasks.retain(|other| *other != task);
        let at = self.tasks.iter().position(|other| !matches!(other, Task::Check { .. }));
        self.tasks.insert(at.unwrap_or(self.tasks.len()), task);
    }

    /// Returns the files of a project that the editor has open.
    pub(super) fn open_files(&self, project: usize) -> Vec<String> {
        let own = self.open.values().filter(|open| open.project == project);
        own.map(|open| open.path.clone()).collect()
    }

    fn work(&mut self) {
        let Some(task) = self.tasks.pop_front() else { return };
        let cancel = self.renew();
        // Requests that come meanwhile are answered first.
        self.interruption.gives_way(!matches!(task, Task::Check { .. }));
        match task.clone() {
            Task::Check { project, root } => {
                self.check(project, &root);
                // IR has no outputs.
                if is_ir(&root) {
                    return self.go_on(&cancel, task);
                }
                let later = [
                    Task::Compare { project, root: root.clone() },
                    Task::Lint { project },
                    Task::Generate { project, root },
                ];
                self.tasks.retain(|task| !later.contains(task));
                // Slow tasks come after the quick checks of all roots.
                let at = self.tasks.iter().position(|task| !matches!(task, Task::Check { .. }));
                let at = at.unwrap_or(self.tasks.len());
                later.into_iter().for_each(|task| self.tasks.insert(at, task));
            }
            Task::Generate { project, root } => self.check_outputs(project, &root),
            Task::Compare { project, root } => self.compare(project, &root),
            Task::Lint { project } => self.lint(project),
            Task::Index { project } => drop(self.projects[project].workspace.index()),
            Task::Visit { project, root } => {
                self.check(project, &root);
                self.check_outputs(project, &root);
                self.trim(project);
            }
        }
        self.go_on(&cancel, task);
    }

    /// Ends a task; one that was cancelled starts again.
    fn go_on(&mut self, cancel: &Cancel, task: Task) {
        self.interruption.gives_way(false);
        // Cancelled work starts again; an edit puts its own tasks in front.
        if cancel.is_cancelled() && !self.tasks.contains(&task) {
            self.tasks.push_front(task);
        }
    }

    /// Returns true if the editor has a file open.
    pub(super) fn is_open(&self, project: usize, path: &str) -> bool {
        self.open.values().any(|open| open.project == project && open.path == path)
    }

    /// Frees memory that open files do not need.
    fn trim(&self, project: usize) {
        self.projects[project].workspace.trim(&|path| self.is_open(project, path));
    }
}

/// The roots of a file that are checked after each edit.
const ROOTS_AT_ONCE: usize = 4;

/// Returns the folder to open for a file: the nearest with a manifest or a repository, or else the file's own.
fn folder_of(file: &Path) -> Option<PathBuf> {
    let own = file.parent()?;
    let marked = own.ancestors().find(|folder| {
        folder.join(crate::pipeline::manifest::FILE_NAME).is_file() || folder.join(".git").exists()
    });
    Some(marked.unwrap_or(own).to_owned())
}
