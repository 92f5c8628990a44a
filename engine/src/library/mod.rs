//! The `.td` files of an MLIR release, shared by all jobs.

pub mod definitions;
pub mod identity;
pub mod table;

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, OnceLock},
};

use odsmith_release::{Change, Release, Rule, Rules};
use odsmith_tablegen::{eval::snapshot::Snapshots, outline::symbols::Symbols};

/// A release's `.td` library: the files below its `include` folder.
///
/// Messages and `reads` show a library file as `<mlir-22>/mlir/IR/OpBase.td`, so that it cannot be taken for
/// a file of the bundle.
#[derive(Clone, Default)]
pub struct Library {
    release: Release,
    rules: Rules,
    root: String,
    digest: String,
    files: BTreeMap<String, Arc<[u8]>>,
    caution: Option<String>,
    /// Evaluation states after reading its files, shared by all jobs.
    snapshots: Arc<Snapshots>,
    /// Its definitions, once something asks for them.
    symbols: Arc<OnceLock<Symbols>>,
}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Library({}, {} files)", self.release.name(), self.files.len())
    }
}

impl Library {
    /// Creates a library of these files (paths below `include`, with `/`); `digest` identifies their content.
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
            symbols: Arc::default(),
        }
    }

    /// Sets a caution for users, shown as a message.
    #[must_use]
    pub fn with_caution(self, caution: Option<String>) -> Self {
        Library { caution, ..self }
    }

    /// Returns the caution for users: the library is read as another release than its own.
    #[must_use]
    pub fn caution(&self) -> Option<&str> {
        self.caution.as_deref()
    }

    /// Returns the release.
    #[must_use]
    pub fn release(&self) -> Release {
        self.release
    }

    /// Returns the rules of the release.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Sets other rules than those of the release. The library keeps its evaluation states unless they depend on these.
    #[must_use]
    pub fn with_rules(self, rules: Rules) -> Self {
        let mut of_evaluation = Rule::all().filter(|rule| rule.is_of_evaluation());
        let is_same = of_evaluation.all(|rule| self.rules.has_rule(rule) == rules.has_rule(rule));
        let snapshots = if is_same { self.snapshots.clone() } else { Arc::default() };
        Library { rules, snapshots, ..self }
    }

    /// Toggles one change of the release. The library keeps its evaluation states unless they depend on the change.
    #[must_use]
    pub fn flipped(self, change: Change) -> Self {
        self.with_flipped(Rule::of(change))
    }

    /// Toggles one rule of the release, as [`Self::flipped`].
    #[must_use]
    pub fn with_flipped(self, rule: Rule) -> Self {
        let snapshots = if rule.is_of_evaluation() { Arc::default() } else { self.snapshots.clone() };
        Library { rules: self.rules.with_flipped(rule), snapshots, ..self }
    }

    /// Returns a hex digest of the whole content.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Returns the shared evaluation states after reading its files.
    #[must_use]
    pub fn snapshots(&self) -> &Snapshots {
        &self.snapshots
    }

    /// Returns the include root under which jobs see it.
    #[must_use]
    pub fn root(&self) -> &str {
        &self.root
    }

    /// Returns the heads of its definitions as they are written, by paths below the root. The first call reads all files.
    #[must_use]
    pub fn symbols(&self) -> &Symbols {
        self.symbols.get_or_init(|| Symbols::heads_of(self.files().map(|(path, text)| (path, &text[..]))))
    }

    /// Iterates over the paths below the root, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Iterates over the files with their paths below the root, sorted.
    pub fn files(&self) -> impl Iterator<Item = (&str, &Arc<[u8]>)> {
        self.files.iter().map(|(path, bytes)| (path.as_str(), bytes))
    }

    /// Returns a file by its path including the root.
    #[must_use]
    pub fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        self.files.get(path.strip_prefix(&self.root)?.strip_prefix('/')?).cloned()
    }
}
