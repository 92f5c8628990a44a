//! A tier over a backend: all entries from it are checked here, and nowhere else.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use actix_web::web::{self, Bytes};
use futures_util::{FutureExt, future::LocalBoxFuture};
use odsmith_engine::parallel;
use tokio::sync::Semaphore;

use super::{EntryKind, Seal, Tier, Value, entry};
use crate::store::{keys, origin::Origin};

/// How long a backend is left alone after a failure.
const REST: Duration = Duration::from_secs(2);
/// Maximum number of entries that are sent to it at the same time; further ones wait.
const MOST_WRITES: usize = 32;

/// A store of entries by name. A backend that finds its server down may start the rest itself.
pub(super) trait Backend: fmt::Debug {
    /// Returns the entry of a name, if there is one.
    fn get<'s>(&'s self, kind: EntryKind, name: &'s str, rest: &'s Rest) -> Answer<'s, Option<Vec<u8>>>;
    /// Stores an entry.
    fn put<'s>(&'s self, kind: EntryKind, name: &'s str, entry: Vec<u8>, rest: &'s Rest) -> Answer<'s, ()>;
    /// Returns true if entries may be dropped rather than wait for each other.
    fn is_best_effort(&self) -> bool {
        true
    }
    /// Notes that an entry was used in another tier.
    fn touch(&self, _kind: EntryKind, _name: &str) {}
    /// Returns true if much was written since the last call.
    fn is_filling(&self) -> bool {
        false
    }
    /// Removes a damaged entry.
    fn remove(&self, _kind: EntryKind, _name: &str) {}
    /// Returns the bytes stored, if known.
    fn size(&self) -> Option<u64> {
        None
    }
    /// Returns the reason why nothing can be stored at the moment, if so.
    fn fault(&self) -> Option<String> {
        None
    }
}

pub(super) type Answer<'s, T> = LocalBoxFuture<'s, Result<T, Failure>>;

/// A failed call.
pub(super) struct Failure {
    /// True if the backend is to be left alone for a while.
    pub is_gone: bool,
}

/// The time for which a backend is left alone.
#[derive(Debug)]
pub(super) struct Rest {
    start: Instant,
    /// Milliseconds after the start.
    until: AtomicU64,
}

impl Rest {
    pub(super) fn is_on(&self) -> bool {
        self.now() < self.until.load(Ordering::Relaxed)
    }

    pub(super) fn begin(&self) {
        let until = self.now() + u64::try_from(REST.as_millis()).unwrap_or(0);
        self.until.store(until, Ordering::Relaxed);
    }

    fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// The outcomes of calls.
#[derive(Debug, Default)]
pub struct Counts {
    /// Entries found.
    pub hits: AtomicU64,
    /// Entries not found.
    pub misses: AtomicU64,
    /// Calls that failed, or were skipped after a failure.
    pub failures: AtomicU64,
    /// Damaged entries.
    pub damaged: AtomicU64,
}

impl Counts {
    /// Returns every count by its name.
    #[must_use]
    pub fn all(&self) -> [(&'static str, u64); 4] {
        [
            ("hit", self.hits.load(Ordering::Relaxed)),
            ("miss", self.misses.load(Ordering::Relaxed)),
            ("failure", self.failures.load(Ordering::Relaxed)),
            ("damaged", self.damaged.load(Ordering::Relaxed)),
        ]
    }
}

/// A backend, the seal of its entries, and its state.
pub struct SealedTier {
    backend: Box<dyn Backend + Send + Sync>,
    seal: Arc<Seal>,
    origin: Origin,
    rest: Rest,
    writes: Semaphore,
    /// Limits the entries that are unpacked at the same time, each of which may take the memory of a result.
    reads: Semaphore,
    /// The outcomes of calls.
    pub counts: Counts,
}

impl fmt::Debug for SealedTier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SealedTier").field("backend", &self.backend).field("seal", &self.seal).finish()
    }
}

impl SealedTier {
    pub(super) fn new(backend: Box<dyn Backend + Send + Sync>, seal: Seal, origin: Origin) -> SealedTier {
        SealedTier {
            backend,
            seal: Arc::new(seal),
            origin,
            rest: Rest { start: Instant::now(), until: AtomicU64::new(0) },
            writes: Semaphore::new(MOST_WRITES),
            reads: Semaphore::new(parallel::parallelism().get()),
            counts: Counts::default(),
        }
    }

    /// Returns the bytes stored, if known.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        self.backend.size()
    }

    /// Returns the reason why nothing can be stored at the moment, if so.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        self.backend.fault()
    }

    /// Notes that a result was used in another tier.
    pub fn touch(&self, key: &str) {
        self.backend.touch(EntryKind::Results, key);
    }

    /// Returns true if much was written since the last call: then uses must be marked soon.
    #[must_use]
    pub fn is_filling(&self) -> bool {
        self.backend.is_filling()
    }

    async fn call<T>(&self, work: impl Future<Output = Result<T, Failure>>) -> Option<T> {
        if self.rest.is_on() {
            count(&self.counts.failures);
            return None;
        }
        let answer = work.await.inspect_err(|failure| {
            count(&self.counts.failures);
            if failure.is_gone {
                self.rest.begin();
            }
        });
        answer.ok()
    }

    async fn read(&self, kind: EntryKind, name: &str) -> Option<Value> {
        let entry = self.call(self.backend.get(kind, name, &self.rest)).await?;
        let Some(entry) = entry else {
            count(&self.counts.misses);
            return None;
        };
        let _permit = self.reads.acquire().await.ok()?;
        let (seal, key) = (self.seal.clone(), name.to_owned());
        // Not on the threads of jobs, which may have a queue, and not on one that serves HTTP.
        let value = web::block(move || verify(&seal, kind, &key, entry)).await.ok().flatten();
        count(if value.is_some() { &self.counts.hits } else { &self.counts.damaged });
        if value.is_none() {
            self.backend.remove(kind, name);
        }
        value
    }

    async fn write(&self, name: &str, value: Value) {
        let permit = match self.backend.is_best_effort() {
            true => self.writes.try_acquire().ok(),
            false => self.writes.acquire().await.ok(),
        };
        let Some(_permit) = permit else { return };
        let kind = match &value {
            Value::Result(_) => EntryKind::Results,
            Value::Bundle(_) => EntryKind::Bundles,
            Value::Place(_) => EntryKind::Places,
        };
        let (seal, key) = (self.seal.clone(), name.to_owned());
        let entry = web::block(move || match value {
            Value::Result(stored) => seal.seal(&key, &entry::write(&stored)),
            Value::Bundle(body) => Some(body.to_vec()),
            Value::Place(place) => Some(place.as_bytes().to_vec()),
        });
        if let Ok(Some(entry)) = entry.await {
            self.call(self.backend.put(kind, name, entry, &self.rest)).await;
        }
    }
}

/// Returns the value of an entry if it was stored under this name: a result is checked by its seal, a bundle by its own
/// digest. A place refers to a result, which is checked in turn.
fn verify(seal: &Seal, kind: EntryKind, name: &str, entry: Vec<u8>) -> Option<Value> {
    match kind {
        EntryKind::Results => {
            let stored = entry::read(seal.open(name, &entry)?.into(), name)?;
            Some(Value::Result(Arc::new(stored)))
        }
        EntryKind::Bundles => {
            let is_it = name.starts_with(&keys::sha256(&entry));
            is_it.then(|| Value::Bundle(Bytes::from(entry)))
        }
        // The bytes at the place are checked against the requested digest.
        EntryKind::Places => {
            let place = String::from_utf8(entry).ok()?;
            let is_one = place.get(..64).is_some_and(keys::is_key);
            is_one.then(|| Value::Place(place.into()))
        }
    }
}

impl Tier for SealedTier {
    fn origin(&self) -> Origin {
        self.origin
    }

    fn get<'s>(&'s self, kind: EntryKind, name: &'s str) -> LocalBoxFuture<'s, Option<Value>> {
        self.read(kind, name).boxed_local()
    }

    fn put<'s>(&'s self, name: &'s str, value: Value) -> LocalBoxFuture<'s, ()> {
        self.write(name, value).boxed_local()
    }
}

fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}
