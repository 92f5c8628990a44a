//! A tier of bytes elsewhere: what comes from there is checked here, and nowhere else.

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
/// The most entries that are sent to it at the same time; further ones wait.
const MOST_WRITES: usize = 32;

/// Entries by name. One that finds out that it is gone may begin its rest itself.
pub(super) trait Backend: fmt::Debug {
    /// The entry of a name, if there is one.
    fn get<'s>(&'s self, kind: EntryKind, name: &'s str, rest: &'s Rest) -> Answer<'s, Option<Vec<u8>>>;
    /// Keeps an entry.
    fn put<'s>(&'s self, kind: EntryKind, name: &'s str, entry: Vec<u8>, rest: &'s Rest) -> Answer<'s, ()>;
    /// Whether entries may be dropped rather than wait for each other.
    fn is_best_effort(&self) -> bool {
        true
    }
    /// Notes that an entry was used where it was not read from here.
    fn touch(&self, _kind: EntryKind, _name: &str) {}
    /// Whether much was written since this was last asked.
    fn is_filling(&self) -> bool {
        false
    }
    /// Drops an entry that is damaged.
    fn remove(&self, _kind: EntryKind, _name: &str) {}
    /// Bytes that it holds, where that is known.
    fn size(&self) -> Option<u64> {
        None
    }
    /// Why nothing can be kept at the moment.
    fn fault(&self) -> Option<String> {
        None
    }
}

pub(super) type Answer<'s, T> = LocalBoxFuture<'s, Result<T, Failure>>;

/// A call that gave nothing.
pub(super) struct Failure {
    /// Whether the backend is to be left alone for a while.
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

/// What became of the calls.
#[derive(Debug, Default)]
pub struct Counts {
    /// Entries that were there.
    pub hits: AtomicU64,
    /// Entries that were not.
    pub misses: AtomicU64,
    /// Calls that failed, or were not made because one had.
    pub failures: AtomicU64,
    /// Entries that were damaged.
    pub damaged: AtomicU64,
}

impl Counts {
    /// Every count by its name.
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

/// A backend, the seal of its entries, and how it fares.
pub struct SealedTier {
    backend: Box<dyn Backend + Send + Sync>,
    seal: Arc<Seal>,
    origin: Origin,
    rest: Rest,
    writes: Semaphore,
    /// Entries that are unpacked at the same time, each of which may take the memory of a result.
    reads: Semaphore,
    /// What became of the calls.
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

    /// Bytes that it holds, where that is known.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        self.backend.size()
    }

    /// Why nothing can be kept at the moment.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        self.backend.fault()
    }

    /// Notes that a result was used where it was not read from here.
    pub fn touch(&self, key: &str) {
        self.backend.touch(EntryKind::Results, key);
    }

    /// Whether much was written since this was last asked: then what is in use must be known soon.
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
        // Not on the threads of jobs, for which others may wait in the queue, and not on one that serves.
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

/// What an entry holds, if it is what was kept under its name: a result by its seal, a bundle by its own digest. A place
/// leads to a result, which is checked in turn.
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
        // What it leads to is checked, against the digest that was asked for.
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
