//! The `.td` files of an MLIR release, shared by all jobs.

use std::{collections::BTreeMap, fmt, sync::Arc};

use odsmith_release::{Change, Release, Rules};
use odsmith_tablegen::eval::snapshot::Snapshots;

/// A release's `.td` library: what lies below its `include` folder.
///
/// Messages and `reads` show a library file as `<mlir-22>/mlir/IR/OpBase.td`, so that it can not be taken for
/// a file of the bundle.
#[derive(Clone, Default)]
pub struct Library {
    release: Release,
    rules: Rules,
    root: String,
    digest: String,
    files: BTreeMap<String, Arc<[u8]>>,
    caution: Option<String>,
    /// States after reading its files, shared by all jobs.
    snapshots: Arc<Snapshots>,
}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Library({}, {} files)", self.release.name(), self.files.len())
    }
}

impl Library {
    /// A library of these files (paths below `include`, with `/`); `digest` names their content.
    #[must_use]
    pub fn new(release: Release, digest: String, files: BTreeMap<String, Arc<[u8]>>) -> Self {
        Library {
            root: format!("<mlir-{}>", release.name()),
            rules: release.rules(),
            release,
            digest,
            files,
            caution: None,
            snapshots: Arc::default(),
        }
    }

    /// The same library with what users have to know about it, as a message.
    #[must_use]
    pub fn with_caution(self, caution: Option<String>) -> Self {
        Library { caution, ..self }
    }

    /// What users have to know about it: it is read as another release than its own.
    #[must_use]
    pub fn caution(&self) -> Option<&str> {
        self.caution.as_deref()
    }

    /// The release.
    #[must_use]
    pub fn release(&self) -> Release {
        self.release
    }

    /// How the release behaves.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The same library, whose release has one change more or less. Its states after reading files are the same, unless
    /// evaluation asks for the change.
    #[must_use]
    pub fn flipped(self, change: Change) -> Self {
        let snapshots = if change.is_of_evaluation() { Arc::default() } else { self.snapshots.clone() };
        Library { rules: self.rules.flipped(change), snapshots, ..self }
    }

    /// A hex digest of the whole content.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The shared states after reading its files.
    #[must_use]
    pub fn snapshots(&self) -> &Snapshots {
        &self.snapshots
    }

    /// The include root under which jobs see it.
    #[must_use]
    pub fn root(&self) -> &str {
        &self.root
    }

    /// Paths below the root, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// A file by its path with the root in front.
    #[must_use]
    pub fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        self.files.get(path.strip_prefix(&self.root)?.strip_prefix('/')?).cloned()
    }
}
