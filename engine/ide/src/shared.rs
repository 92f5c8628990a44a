//! A library with the state that all workspaces on it share, so that a short-lived workspace starts warm.
//!
//! A server answers each question in a new workspace, which would otherwise read `OpBase.td` again.

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
};

use odsmith_engine::{Library, eval::snapshot::Snapshots, record::Records};

use crate::{
    document::Document,
    index::{FileNames, Index},
};

/// A library, the evaluation states after reading its files, and an index of its definitions.
pub struct SharedLibrary {
    library: Arc<Library>,
    states: Snapshots,
    index: OnceLock<SharedIndex>,
    /// The records of all its roots, for reading IR.
    roots: OnceLock<Vec<Arc<Records>>>,
}

/// The definitions of a library's files: each file by itself and all together.
struct SharedIndex {
    files: HashMap<String, Arc<FileNames>>,
    all: Arc<Index>,
}

/// The most bytes of states to keep; above that all are dropped, and recreated on demand.
const MOST_STATE_BYTES: usize = 96 << 20;

impl SharedLibrary {
    /// Creates a library with no file read yet.
    #[must_use]
    pub fn new(library: Arc<Library>) -> Self {
        SharedLibrary {
            library,
            states: Snapshots::default(),
            index: OnceLock::new(),
            roots: OnceLock::new(),
        }
    }

    /// Returns the library.
    #[must_use]
    pub fn library(&self) -> &Arc<Library> {
        &self.library
    }

    /// Sets the records of all its roots; the first call counts.
    pub(crate) fn set_roots(&self, roots: Vec<Arc<Records>>) {
        let _ = self.roots.set(roots);
    }

    /// Returns the records of all its roots, if they were set.
    pub(crate) fn roots(&self) -> Option<&[Arc<Records>]> {
        self.roots.get().map(Vec::as_slice)
    }

    /// Returns the states after reading its files.
    pub(crate) fn states(&self) -> &Snapshots {
        &self.states
    }

    /// Drops the states if they take too much memory.
    pub fn trim(&self) {
        if self.states.size().1 > MOST_STATE_BYTES {
            self.states.clear();
        }
    }

    /// Returns the index of all its definitions, built on first use.
    pub(crate) fn index(&self) -> &Arc<Index> {
        &self.shared_index().all
    }

    /// Returns the definitions of a file, by its path below the root, if the index was built before.
    pub(crate) fn known_names(&self, path: &str) -> Option<Arc<FileNames>> {
        self.index.get()?.files.get(path).cloned()
    }

    fn shared_index(&self) -> &SharedIndex {
        self.index.get_or_init(|| {
            let root = self.library.root();
            // LLVM's own files are for its back ends, and there are many of them.
            let paths =
                self.library.paths().filter(|path| path.starts_with("mlir/") && path.ends_with(".td"));
            let named: Vec<(Arc<FileNames>, String)> = paths
                .map(|path| format!("{root}/{path}"))
                .filter_map(|path| {
                    let document = Document::new(&path, &self.library.read(&path)?);
                    Some((Arc::new(FileNames::of(&document)), path))
                })
                .collect();
            let files = named.iter().map(|(names, path)| (path.clone(), Arc::clone(names))).collect();
            SharedIndex { files, all: Arc::new(Index::new(named.into_iter())) }
        })
    }
}
