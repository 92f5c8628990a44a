//! The catalogue that a server answers from. A thread reads the registry: new tags each minute, moved tags and withdrawals
//! each hour or on request. If the registry fails, the last generation stays. Nothing is kept but a cache.
//!
//! Clients that see a part of the registries alone have a catalogue of their own, built of the projects that they see: names,
//! counts and suggestions follow from these.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock},
    thread,
    time::{Duration, Instant},
};

use odsmith_catalog::{
    Catalog, Project,
    changes::Snapshot,
    pages::{self, PageOptions},
};
use odsmith_engine::interchange::{Document, symbols::Symbols};
use odsmith_registry::{
    artifact::Layer, digest::Digest, error::Error, manifest::Descriptor, pull::OpenArtifact,
};

use crate::{
    observe::log,
    pipeline::{
        catalog::{
            TITLE,
            build::{self, BuiltCatalog},
            place::symbols_of,
            read::{self, CatalogSettings, KnownVersions, Origin},
        },
        registry::{Access, Registries, rights::RegistryRights},
    },
    store::cache::Blob,
};

/// The time between two listings of new tags.
const SHORT: Duration = Duration::from_secs(60);
/// The time between two listings of everything.
const LONG: Duration = Duration::from_secs(3600);
/// The pause after a registry failed.
const AFTER_FAILURE: Duration = Duration::from_secs(10);
/// The generations whose changes are known.
const MOST_SNAPSHOTS: usize = 64;
/// The parts of the catalogue that are kept for clients who see no more.
const MOST_VIEWS: usize = 32;
/// Bytes of unpacked references in memory.
const MOST_SITE_BYTES: u64 = 96 << 20;

/// The catalogue of a server.
pub struct CatalogServer {
    origin: Origin,
    settings: CatalogSettings,
    registries: Registries,
    current: RwLock<Option<Arc<ServedCatalog>>>,
    views: Mutex<BTreeMap<RegistryRights, View>>,
    status: Mutex<Status>,
    wake: Condvar,
    sites: moka::sync::Cache<String, Arc<BTreeMap<String, Blob>>>,
}

/// The state of the reading thread.
#[derive(Debug, Default)]
struct Status {
    /// The time of the last listing that succeeded.
    read: Option<Instant>,
    /// True if the last listing failed.
    is_stale: bool,
    /// True if a listing of everything is asked for.
    is_asked: bool,
    snapshots: VecDeque<Snapshot>,
}

/// A generation, ready to be served.
pub struct ServedCatalog {
    /// The catalogue.
    pub catalog: Arc<Catalog>,
    /// The pages by path.
    pub pages: BTreeMap<String, Blob>,
    artifacts: Arc<BTreeMap<Digest, OpenArtifact>>,
}

/// The part of the catalogue that some clients see.
struct View {
    /// The generation of the whole catalogue.
    generation: String,
    served: Arc<ServedCatalog>,
    snapshots: VecDeque<Snapshot>,
}

impl CatalogServer {
    /// Creates the catalogue of a registry or of layouts; nothing is read yet.
    ///
    /// # Errors
    /// The place is wrong, or the HTTP client cannot be created.
    pub fn new(place: &str, settings: CatalogSettings) -> Result<Arc<CatalogServer>, String> {
        let origin = Origin::parse(place)?;
        let registries = match &origin {
            Origin::Registry { .. } => Registries::new(&Access::default())?,
            Origin::Layouts(_) => Registries::offline()?,
        };
        let weigh = |_: &String, files: &Arc<BTreeMap<String, Blob>>| {
            let bytes: usize = files.iter().map(|(path, blob)| path.len() + blob.bytes.len() + 256).sum();
            u32::try_from(bytes).unwrap_or(u32::MAX)
        };
        Ok(Arc::new(CatalogServer {
            origin,
            settings,
            registries,
            current: RwLock::default(),
            views: Mutex::default(),
            status: Mutex::default(),
            wake: Condvar::new(),
            sites: moka::sync::Cache::builder().max_capacity(MOST_SITE_BYTES).weigher(weigh).build(),
        }))
    }

    /// Starts the thread that reads the registry, for as long as the process runs.
    pub fn start(self: &Arc<Self>) {
        let own = Arc::downgrade(self);
        thread::spawn(move || {
            let mut known = KnownVersions::new();
            let mut last_full: Option<Instant> = None;
            while let Some(server) = own.upgrade() {
                let is_asked = std::mem::take(&mut server.status().is_asked);
                if is_asked || last_full.is_none_or(|at| at.elapsed() >= LONG) {
                    known.clear();
                }
                let is_full = known.is_empty();
                let pause = match server.refresh(&known) {
                    Ok(next) => {
                        known = next;
                        if is_full {
                            last_full = Some(Instant::now());
                        }
                        SHORT
                    }
                    Err(error) => {
                        log::note(&format!("the catalogue of {} stays as it was: {error}", server.origin));
                        AFTER_FAILURE
                    }
                };
                server.wait(pause);
            }
        });
    }

    /// Waits, unless a listing is asked for.
    fn wait(&self, pause: Duration) {
        let end = Instant::now() + pause;
        let mut status = self.status();
        while !status.is_asked {
            let Some(left) = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) else {
                return;
            };
            let waited = self.wake.wait_timeout(status, left);
            status = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn status(&self) -> MutexGuard<'_, Status> {
        // No code that can panic runs under the lock.
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for a listing of everything.
    pub fn ask(&self) {
        self.status().is_asked = true;
        self.wake.notify_all();
    }

    /// Reads the registry and builds the next generation, if anything changed.
    fn refresh(&self, known: &KnownVersions) -> Result<KnownVersions, Error> {
        let listing = read::list(&self.registries, &self.origin, &self.settings, known);
        let listing = listing.inspect_err(|_| self.status().is_stale = true)?;
        let next = listing.known();
        let before = self.current();
        let by_key: BTreeMap<&str, &Arc<Project>> =
            before.iter().flat_map(|it| &it.catalog.projects).map(|it| (it.facts.key.as_str(), it)).collect();
        let built =
            build::build(&self.registries, listing, &|key| by_key.get(key).map(|it| Arc::clone(it)), false);
        let built = built.inspect_err(|_| self.status().is_stale = true)?;
        for note in &built.notes {
            log::note(&format!("catalogue: {note}"));
        }
        let is_new = before.as_ref().is_none_or(|it| it.catalog.generation != built.catalog.generation);
        if is_new {
            let BuiltCatalog { catalog, artifacts, .. } = built;
            let served = ServedCatalog::new(catalog, Arc::new(artifacts)).map_err(Error::Refused)?;
            let served = Arc::new(served);
            note(&mut self.status().snapshots, &served.catalog);
            *self.current.write().unwrap_or_else(PoisonError::into_inner) = Some(served);
        }
        let mut status = self.status();
        status.read = Some(Instant::now());
        status.is_stale = false;
        Ok(next)
    }

    /// Returns the generation that is served; nothing before the first one.
    #[must_use]
    pub fn current(&self) -> Option<Arc<ServedCatalog>> {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns what a client with some rights sees of the generation that is served; nothing before the first one. Another part
    /// than the whole may have to be built, which takes time.
    ///
    /// # Errors
    /// A page cannot be made.
    pub fn seen_with(&self, rights: &RegistryRights) -> Result<Option<Arc<ServedCatalog>>, String> {
        let Some(whole) = self.current().filter(|_| !rights.are_all()) else { return Ok(self.current()) };
        let generation = &whole.catalog.generation;
        let known =
            self.views().get(rights).filter(|it| it.generation == *generation).map(|it| it.served.clone());
        if known.is_some() {
            return Ok(known);
        }
        let projects = whole.catalog.projects.iter().filter(|it| rights.allow(&it.facts.repository));
        let catalog = Catalog::of(projects.cloned().collect());
        let served = Arc::new(ServedCatalog::new(catalog, Arc::clone(&whole.artifacts))?);
        let mut views = self.views();
        let mut snapshots = views.remove(rights).map(|it| it.snapshots).unwrap_or_default();
        note(&mut snapshots, &served.catalog);
        if views.len() >= MOST_VIEWS {
            // They are built again for whoever asks.
            views.pop_first();
        }
        let view = View { generation: generation.clone(), served: Arc::clone(&served), snapshots };
        views.insert(rights.clone(), view);
        Ok(Some(served))
    }

    fn views(&self) -> MutexGuard<'_, BTreeMap<RegistryRights, View>> {
        // No code that can panic runs under the lock.
        self.views.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the age of the generation in seconds if the registry failed since.
    #[must_use]
    pub fn stale_for(&self) -> Option<u64> {
        let status = self.status();
        let read = status.read.filter(|_| status.is_stale)?;
        Some(read.elapsed().as_secs())
    }

    /// Returns the snapshot of a generation as clients with some rights saw it, if it is known here.
    #[must_use]
    pub fn snapshot(&self, rights: &RegistryRights, generation: &str) -> Option<Snapshot> {
        let find = |all: &VecDeque<Snapshot>| all.iter().find(|it| it.generation == generation).cloned();
        match rights.are_all() {
            true => find(&self.status().snapshots),
            false => find(&self.views().get(rights)?.snapshots),
        }
    }

    /// Reads the symbols of an older version.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn symbols(
        &self,
        served: &ServedCatalog,
        project: &Project,
        version: &str,
    ) -> Result<Symbols, String> {
        let facts = project.version(version).ok_or("there is no such version")?;
        symbols_of(&self.registries, &served.artifacts, &facts.manifest)
    }

    /// Reads the model of a version.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn model(&self, artifact: &OpenArtifact) -> Result<Document, Error> {
        self.registries.model(artifact)
    }

    /// Reads a layer of a version and unpacks it.
    ///
    /// # Errors
    /// It is missing, or other bytes.
    pub fn layer(&self, artifact: &OpenArtifact, layer: Layer) -> Result<Vec<u8>, Error> {
        self.registries.layer(artifact, layer)
    }

    /// Reads a blob of a version as it is packed.
    ///
    /// # Errors
    /// It is missing, or other bytes.
    pub fn blob(&self, artifact: &OpenArtifact, blob: &Descriptor) -> Result<Vec<u8>, Error> {
        self.registries.blob(artifact, blob)
    }

    /// Returns a file of the reference of a version.
    ///
    /// # Errors
    /// The reference cannot be read.
    pub fn page(&self, artifact: &OpenArtifact, path: &str) -> Result<Option<Blob>, Error> {
        let key = artifact.digest.to_string();
        if let Some(files) = self.sites.get(&key) {
            return Ok(files.get(path).cloned());
        }
        let bundle = self.registries.files(artifact, Layer::Site)?;
        let files = bundle.iter().map(|(path, bytes)| (path.to_owned(), Blob::new(bytes.to_vec())));
        let files: Arc<BTreeMap<String, Blob>> = Arc::new(files.collect());
        let found = files.get(path).cloned();
        self.sites.insert(key, files);
        Ok(found)
    }
}

impl ServedCatalog {
    fn new(
        catalog: Catalog,
        artifacts: Arc<BTreeMap<Digest, OpenArtifact>>,
    ) -> Result<ServedCatalog, String> {
        let options = PageOptions {
            title: TITLE.to_owned(),
            sites: Some("../v1/catalog/{project}/{tag}/site/".to_owned()),
            has_older_sites: true,
        };
        let files = odsmith_site::catalog::site(&pages::input(&catalog, &options))
            .map_err(|fault| format!("{}:{}: {}", fault.file, fault.line, fault.what))?;
        let pages = files.into_iter().map(|file| (file.path, Blob::new(file.bytes)));
        let pages = pages.collect();
        Ok(ServedCatalog { catalog: Arc::new(catalog), pages, artifacts })
    }

    /// Returns the artifact of a manifest.
    #[must_use]
    pub fn artifact(&self, digest: &Digest) -> Option<&OpenArtifact> {
        self.artifacts.get(digest)
    }
}

/// Adds the snapshot of a generation to those before it.
fn note(snapshots: &mut VecDeque<Snapshot>, catalog: &Catalog) {
    snapshots.push_back(Snapshot::of(catalog));
    if snapshots.len() > MOST_SNAPSHOTS {
        snapshots.pop_front();
    }
}
