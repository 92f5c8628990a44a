//! A library with what all workspaces on it share, so that a short-lived one begins where earlier ones were.
//!
//! A server answers each question in a workspace of its own: without this it would read `OpBase.td` for each of them.

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
};

use odsmith_engine::{Library, eval::snapshot::Snapshots};

use crate::{
    document::Document,
    index::{FileNames, Index},
};

/// A library, the states after reading its files, and what they define.
pub struct SharedLibrary {
    library: Arc<Library>,
    states: Snapshots,
    index: OnceLock<SharedIndex>,
}

/// What the files of a library define, each by itself and all together.
struct SharedIndex {
    files: HashMap<String, Arc<FileNames>>,
    all: Arc<Index>,
}

/// States may take so many bytes; then all are dropped, and made anew as they are asked for.
const MOST_STATE_BYTES: usize = 96 << 20;

impl SharedLibrary {
    /// A library of which nothing was read so far.
    #[must_use]
    pub fn new(library: Arc<Library>) -> Self {
        SharedLibrary { library, states: Snapshots::default(), index: OnceLock::new() }
    }

    /// The library.
    #[must_use]
    pub fn library(&self) -> &Arc<Library> {
        &self.library
    }

    /// The states after reading its files.
    pub(crate) fn states(&self) -> &Snapshots {
        &self.states
    }

    /// Frees states if they take too much.
    pub fn trim(&self) {
        if self.states.size().1 > MOST_STATE_BYTES {
            self.states.clear();
        }
    }

    /// What all of its files define; it is worked out when it is asked for first.
    pub(crate) fn index(&self) -> &Arc<Index> {
        &self.shared_index().all
    }

    /// What a file defines, by its path with the root in front, if the index was asked for before.
    pub(crate) fn known_names(&self, path: &str) -> Option<Arc<FileNames>> {
        self.index.get()?.files.get(path).cloned()
    }

    fn shared_index(&self) -> &SharedIndex {
        self.index.get_or_init(|| {
            let root = self.library.root();
            // Those of LLVM are for its back ends, and there are many of them.
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
