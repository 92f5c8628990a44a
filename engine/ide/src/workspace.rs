//! The files of a folder that an editor has open, and the roots that include them.
//!
//! A file that is not a root has a meaning only in a root that includes it: it is analysed in the context of each such
//! root, and questions about it are answered in the context of the first one.

use std::{
    borrow::Cow,
    cell::RefCell,
    collections::{BTreeMap, BTreeSet, HashMap},
    rc::Rc,
    sync::Arc,
};

use odsmith_engine::{
    Bundle, Job, Library, Target,
    bundle::normalise,
    cancel::Cancel,
    eval::snapshot::{Input, Snapshots, Tier},
    ir::syntax::Table,
    job::JobFiles,
    limits::{Limits, Meter},
    outline::includes,
    record::Records,
    source::Files,
    syntax::IncludePaths,
};

use crate::{
    analysis::Analysis,
    document::Document,
    index::{FileNames, Index},
    ir::{self, IrDefinitions, IrText},
    shared::SharedLibrary,
};

/// A folder of definitions.
pub struct Workspace {
    library: Arc<SharedLibrary>,
    bundle: Bundle,
    /// The roots and the settings of all of them; it has no files, and makes outputs from existing records.
    job: Job,
    of_workspace: Snapshots,
    /// Files that were edited; evaluation states that include them are not kept.
    edited: BTreeSet<String>,
    /// The syntax of the project's operations whose parsers are written by hand.
    syntax: Table,
    memo: RefCell<Memo>,
}

#[derive(Default)]
struct Memo {
    documents: HashMap<String, Rc<Document>>,
    analyses: HashMap<String, Rc<Analysis>>,
    /// An outdated analysis of each root: the last one without errors, if there was one.
    earlier: HashMap<String, Rc<Analysis>>,
    /// The files that each root reads, as far as `include`s show without evaluation.
    closures: HashMap<String, Rc<BTreeSet<String>>>,
    /// The root chosen for a file.
    chosen: BTreeMap<String, String>,
    names: HashMap<String, Arc<FileNames>>,
    /// The definitions that IR is read by.
    definitions: Option<Rc<IrDefinitions>>,
    /// Files with IR, as they were read last.
    ir: HashMap<String, Rc<IrText>>,
    index: Option<Rc<Index>>,
}

/// The most bytes of evaluation states to keep while files that are not open are examined.
const MOST_STATE_BYTES: usize = 96 << 20;

/// The most roots of one file to search for mentions.
const MOST_ROOTS: usize = 64;

impl Workspace {
    /// Creates a workspace of these files. The include folders and macros apply to all targets.
    #[must_use]
    pub fn new(library: Arc<Library>, bundle: Bundle, limits: Limits) -> Self {
        Workspace::sharing(Arc::new(SharedLibrary::new(library)), bundle, limits)
    }

    /// Creates a workspace on a library that other workspaces share.
    #[must_use]
    pub fn sharing(library: Arc<SharedLibrary>, bundle: Bundle, limits: Limits) -> Self {
        // A file that replaces one of the library's must not affect other workspaces.
        let root = library.library().root();
        let hides_some = bundle.iter().any(|(path, _)| path.starts_with(root));
        let library =
            if hides_some { Arc::new(SharedLibrary::new(Arc::clone(library.library()))) } else { library };
        Workspace {
            library,
            bundle,
            job: Job::new(Bundle::default()).limits(limits),
            of_workspace: Snapshots::default(),
            edited: BTreeSet::new(),
            syntax: Table::default(),
            memo: RefCell::default(),
        }
    }

    /// Sets the roots, and the include folders and macros of all of them.
    pub fn set_targets(&mut self, targets: Vec<Target>, includes: Vec<String>, defines: Vec<String>) {
        (self.job.targets, self.job.includes, self.job.defines) = (targets, includes, defines);
        self.of_workspace = Snapshots::default();
        let memo = self.memo.get_mut();
        memo.analyses.clear();
        memo.closures.clear();
        memo.definitions = None;
    }

    /// Sets the token that cancels a long analysis.
    pub fn set_cancel(&mut self, cancel: Cancel) {
        self.job.cancel = cancel;
    }

    /// Returns the limits of each root.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.job.limits
    }

    /// Returns the token that cancels a long analysis.
    #[must_use]
    pub fn cancel(&self) -> &Cancel {
        &self.job.cancel
    }

    /// Returns true if the last question was cancelled, so that its answer is incomplete.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.job.cancel.is_cancelled()
    }

    /// Returns the bundle of files.
    #[must_use]
    pub fn bundle(&self) -> &Bundle {
        &self.bundle
    }

    /// Returns the library.
    #[must_use]
    pub fn library(&self) -> &Arc<Library> {
        self.library.library()
    }

    /// Returns the roots.
    #[must_use]
    pub fn targets(&self) -> &[Target] {
        &self.job.targets
    }

    /// Returns the include folders of all roots.
    #[must_use]
    pub fn includes(&self) -> &[String] {
        &self.job.includes
    }

    /// Sets the text of a file, or removes the file.
    pub fn set_text(&mut self, path: &str, text: Option<&[u8]>) {
        let old = self.read(path);
        if old.as_deref() == text {
            return;
        }
        let is_ir = ir::is_ir(path);
        let new = text.map(|text| Rc::new(Document::new(path, text)));
        let includes_changed = match (&old, text) {
            _ if is_ir => false,
            (Some(old), Some(new)) => includes::of(old) != includes::of(new),
            _ => true,
        };
        match text {
            Some(text) => self.bundle.insert(path, text),
            None => {
                let mut rest = Bundle::default();
                for (known, bytes) in self.bundle.iter().filter(|(known, _)| *known != path) {
                    rest.insert(known, Arc::clone(bytes));
                }
                self.bundle = rest;
            }
        }
        // The first edit of a file drops the states that include it; no later state with it is kept.
        if !is_ir && self.edited.insert(path.to_owned()) || includes_changed {
            self.of_workspace = Snapshots::default();
            if path.starts_with(self.library().root()) {
                self.library = Arc::new(SharedLibrary::new(Arc::clone(self.library())));
            }
        }
        let memo = self.memo.get_mut();
        match new {
            Some(new) => memo.documents.insert(path.to_owned(), new),
            None => memo.documents.remove(path),
        };
        memo.names.remove(path);
        if is_ir {
            memo.ir.remove(path);
            return;
        }
        memo.definitions = None;
        if includes_changed {
            memo.closures.clear();
            memo.index = None;
        }
        // An analysis with errors may have lacked this file.
        let is_stale = |analysis: &Rc<Analysis>| analysis.reads(path) || includes_changed && !analysis.is_ok;
        let stale: Vec<String> =
            memo.analyses.iter().filter(|(_, it)| is_stale(it)).map(|(root, _)| root.clone()).collect();
        for root in stale {
            if let Some(analysis) = memo.analyses.remove(&root) {
                let is_better = analysis.is_ok || !memo.earlier.contains_key(&root);
                if is_better {
                    memo.earlier.insert(root, analysis);
                }
            }
        }
    }

    /// Returns the bytes of a file of the workspace or the library.
    #[must_use]
    pub fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        self.files().read(path)
    }

    /// Returns the parsed document of a file.
    #[must_use]
    pub fn document(&self, path: &str) -> Option<Rc<Document>> {
        if let Some(known) = self.memo.borrow().documents.get(path) {
            return Some(Rc::clone(known));
        }
        let document = Rc::new(Document::new(path, &self.read(path)?));
        self.memo.borrow_mut().documents.insert(path.to_owned(), Rc::clone(&document));
        Some(document)
    }

    /// Drops whatever can be recomputed for files that are not open, so that a big workspace needs little memory.
    pub fn trim(&self, is_open: &dyn Fn(&str) -> bool) {
        let mut memo = self.memo.borrow_mut();
        memo.documents.retain(|path, _| is_open(path));
        memo.ir.retain(|path, _| is_open(path));
        memo.analyses
            .retain(|root, analysis| is_open(root) || analysis.reads.iter().any(|read| is_open(read)));
        let Memo { analyses, earlier, .. } = &mut *memo;
        earlier.retain(|root, _| analyses.contains_key(root));
        for states in [&self.of_workspace, self.library.states()] {
            if states.size().1 > MOST_STATE_BYTES {
                states.clear();
            }
        }
    }

    // --- roots ------------------------------------------------------------------------------------------------

    /// Resolves an `include` in a file of a root.
    #[must_use]
    pub fn resolve_include(&self, root: &str, name: &str) -> Option<String> {
        let files = self.files();
        let (path, _) = self.paths(root).find(&files, name)?;
        Some(normalise(&path).unwrap_or(path))
    }

    fn target(&self, root: &str) -> Option<&Target> {
        self.job.targets.iter().find(|target| target.td == root)
    }

    /// Returns the target of a root. A file that is no root may use the include folders of any root.
    pub(crate) fn target_of(&self, root: &str) -> Cow<'_, Target> {
        if let Some(target) = self.target(root) {
            return Cow::Borrowed(target);
        }
        let includes: BTreeSet<&String> = self.job.targets.iter().flat_map(|it| &it.includes).collect();
        Cow::Owned(Target { includes: includes.into_iter().cloned().collect(), ..Target::new(root) })
    }

    fn files(&self) -> JobFiles<'_> {
        JobFiles { library: self.library(), own: &self.bundle }
    }

    fn paths(&self, root: &str) -> IncludePaths {
        self.job.include_paths(self.library(), &self.target_of(root))
    }

    /// Returns the include folders of a root, in search order.
    #[must_use]
    pub fn include_folders(&self, root: &str) -> Vec<String> {
        self.paths(root).folders
    }

    /// Returns the files that a root reads, as far as `include`s show without evaluation.
    fn closure(&self, root: &str) -> Rc<BTreeSet<String>> {
        if let Some(known) = self.memo.borrow().closures.get(root) {
            return Rc::clone(known);
        }
        let files = self.files();
        let paths = self.paths(root);
        let mut seen = BTreeSet::from([root.to_owned()]);
        let mut open = vec![root.to_owned()];
        while let Some(path) = open.pop() {
            // A library's files include only each other.
            if path.starts_with(self.library().root()) {
                continue;
            }
            let Some(names) = self.names(&path) else { continue };
            for name in &names.includes {
                let Some((found, _)) = paths.find(&files, name) else { continue };
                let found = normalise(&found).unwrap_or(found);
                if seen.insert(found.clone()) {
                    open.push(found);
                }
            }
        }
        let seen = Rc::new(seen);
        self.memo.borrow_mut().closures.insert(root.to_owned(), Rc::clone(&seen));
        seen
    }

    /// Returns the roots that include a file, the one used for answers first; the file itself if no root includes it.
    #[must_use]
    pub fn roots_of(&self, path: &str) -> Vec<String> {
        let is_root = self.target(path).is_some();
        let mut roots: Vec<String> = if is_root { vec![path.to_owned()] } else { Vec::new() };
        let is_of_library = path.starts_with(self.library().root());
        for target in &self.job.targets {
            if roots.len() >= MOST_ROOTS {
                break;
            }
            let reads = if is_of_library {
                // Closures leave out library files, so only roots that have been analysed are found.
                self.memo.borrow().analyses.get(&target.td).is_some_and(|analysis| analysis.reads(path))
            } else {
                self.closure(&target.td).contains(path)
            };
            if reads && target.td != path {
                roots.push(target.td.clone());
            }
        }
        if roots.is_empty() {
            roots.push(path.to_owned());
        }
        if let Some(chosen) = self.memo.borrow().chosen.get(path)
            && let Some(index) = roots.iter().position(|root| root == chosen)
        {
            roots[..=index].rotate_right(1);
        }
        roots
    }

    /// Chooses the root in whose context questions about a file are answered from now on.
    pub fn choose_root(&self, path: &str, root: &str) {
        self.memo.borrow_mut().chosen.insert(path.to_owned(), root.to_owned());
    }

    // --- evaluation -------------------------------------------------------------------------------------------

    /// Returns the analysis of a root; `None` if there is no such file.
    #[must_use]
    pub fn analysis(&self, root: &str) -> Option<Rc<Analysis>> {
        if let Some(known) = self.memo.borrow().analyses.get(root) {
            return Some(Rc::clone(known));
        }
        let analysis = Rc::new(self.evaluate(root)?);
        if !self.job.cancel.is_cancelled() {
            self.memo.borrow_mut().analyses.insert(root.to_owned(), Rc::clone(&analysis));
        }
        Some(analysis)
    }

    /// Returns the cached analysis of a root, if it is current.
    #[must_use]
    pub fn known_analysis(&self, root: &str) -> Option<Rc<Analysis>> {
        self.memo.borrow().analyses.get(root).map(Rc::clone)
    }

    /// Returns the analysis of the first root of a file, in whose context questions are answered.
    #[must_use]
    pub fn analysis_of(&self, path: &str) -> Option<Rc<Analysis>> {
        self.analysis(self.roots_of(path).first()?)
    }

    /// Returns the last good analysis of a file's root: for questions that the current, broken text cannot answer.
    #[must_use]
    pub fn earlier_analysis_of(&self, path: &str) -> Option<Rc<Analysis>> {
        let root = self.roots_of(path).into_iter().next()?;
        self.memo.borrow().earlier.get(&root).map(Rc::clone)
    }

    fn evaluate(&self, root: &str) -> Option<Analysis> {
        if ir::is_ir(root) {
            return None;
        }
        let files = self.files();
        let text = files.read(root)?;
        let input = Input { is_traced: true, ..self.job.input(&self.target_of(root), &files) };
        let is_of_library =
            |path: &str| path.starts_with(self.library().root()) && !self.edited.contains(path);
        let is_unedited = |path: &str| !self.edited.contains(path);
        let tiers = [
            Tier { snapshots: self.library.states(), shares: &is_of_library },
            Tier { snapshots: &self.of_workspace, shares: &is_unedited },
        ];
        let meter = Meter::new(self.job.limits.clone(), self.job.cancel.clone());
        let recovered = input.start_on(&tiers, root, &text, meter).run_for_editor();
        Some(Analysis::new(root, recovered))
    }

    /// Returns the job that makes outputs from existing records.
    pub(crate) fn job(&self) -> &Job {
        &self.job
    }

    // --- IR ---------------------------------------------------------------------------------------------------

    /// Sets the records of the library's roots, for reading IR.
    pub fn set_library_roots(&mut self, roots: Vec<Arc<Records>>) {
        self.library.set_roots(roots);
        let memo = self.memo.get_mut();
        memo.definitions = None;
        memo.ir.clear();
    }

    /// Sets the syntax of the project's operations whose parsers are written by hand.
    pub fn set_syntax(&mut self, syntax: Table) {
        self.syntax = syntax;
        self.memo.get_mut().definitions = None;
    }

    /// Returns true if the records of the library's roots are there.
    #[must_use]
    pub fn has_library_roots(&self) -> bool {
        self.library.roots().is_some()
    }

    /// Returns the definitions that IR is read by: those of the workspace's roots, then those of the library.
    fn definitions(&self) -> Rc<IrDefinitions> {
        if let Some(known) = &self.memo.borrow().definitions {
            return Rc::clone(known);
        }
        let own = self.job.targets.iter().filter_map(|target| self.analysis(&target.td));
        let own: Vec<Arc<Records>> = own.map(|analysis| Arc::clone(&analysis.records)).collect();
        let of_library = self.library.roots().unwrap_or_default();
        let definitions =
            Rc::new(IrDefinitions::new(&own, of_library, self.library().root(), self.syntax.clone()));
        if !self.job.cancel.is_cancelled() {
            self.memo.borrow_mut().definitions = Some(Rc::clone(&definitions));
        }
        definitions
    }

    /// Returns a file with IR as it is read by the current definitions.
    pub(crate) fn ir(&self, path: &str) -> Option<Rc<IrText>> {
        let (document, definitions) = (self.document(path)?, self.definitions());
        let known = self.memo.borrow().ir.get(path).cloned();
        if let Some(known) = known
            && Rc::ptr_eq(&known.document, &document)
            && Rc::ptr_eq(&known.definitions, &definitions)
        {
            return Some(known);
        }
        let text = Rc::new(IrText::new(document, definitions));
        self.memo.borrow_mut().ir.insert(path.to_owned(), Rc::clone(&text));
        Some(text)
    }

    // --- names ------------------------------------------------------------------------------------------------

    /// Returns the definitions and includes of a file.
    #[must_use]
    pub(crate) fn names(&self, path: &str) -> Option<Arc<FileNames>> {
        if let Some(known) = self.memo.borrow().names.get(path) {
            return Some(Arc::clone(known));
        }
        if let Some(known) = self.library.known_names(path).filter(|_| !self.hides(path)) {
            return Some(known);
        }
        // A workspace may have thousands of files, so the document itself is not kept here.
        let known = self.memo.borrow().documents.get(path).cloned();
        let document = match known {
            Some(document) => document,
            None => Rc::new(Document::new(path, &self.read(path)?)),
        };
        let names = Arc::new(FileNames::of(&document));
        self.memo.borrow_mut().names.insert(path.to_owned(), Arc::clone(&names));
        Some(names)
    }

    /// Returns true if a file of the workspace replaces one of the library's.
    fn hides(&self, path: &str) -> bool {
        self.bundle.get(path).is_some()
    }

    /// Returns the index of all definitions, including those of the library.
    #[must_use]
    pub fn index(&self) -> Rc<Index> {
        if let Some(known) = &self.memo.borrow().index {
            return Rc::clone(known);
        }
        let root = self.library().root();
        let own = self.bundle.iter().map(|(path, _)| path.to_owned()).filter(|path| path.ends_with(".td"));
        let named = |path: String| Some((self.names(&path)?, path));
        let hides_some = self.bundle.iter().any(|(path, _)| path.starts_with(root));
        let index = if hides_some {
            let paths = self.library().paths();
            let of_library = paths.filter(|path| path.starts_with("mlir/") && path.ends_with(".td"));
            let others = of_library.map(|path| format!("{root}/{path}")).filter(|path| !self.hides(path));
            Index::new(own.chain(others).filter_map(named))
        } else {
            Index::new(own.filter_map(named)).with(Arc::clone(self.library.index()))
        };
        let index = Rc::new(index);
        self.memo.borrow_mut().index = Some(Rc::clone(&index));
        index
    }

    /// Drops the index, which is rebuilt on demand: while a file is edited it may be slightly out of date.
    pub fn forget_index(&self) {
        self.memo.borrow_mut().index = None;
    }
}
