//! A tier over a backend: all entries from it are checked here, and nowhere else.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use actix_web::web::{self, Bytes};
use futures_util::{
    FutureExt, StreamExt,
    future::{LocalBoxFuture, ready},
    stream,
};
use odsmith_engine::parallel;
use tokio::sync::Semaphore;

use super::{EntryKind, Seal, Tier, Value, entry};
use crate::store::{keys, lease::Lease, origin::Origin};

/// How long a backend is left alone after a failure.
const REST: Duration = Duration::from_secs(2);
/// Maximum number of groups of entries that are packed at the same time; further ones wait.
const MOST_WRITES: usize = 32;
/// Maximum size of the entries that are sent at the same time, so that none waits long for its answer; and the size as
/// which a small one counts, so that they are few.
const MOST_IN_FLIGHT_KIB: u32 = 1 << 10;
const LEAST_KIB: usize = 32;
/// Maximum bytes of values that wait to be sent; further ones are dropped, and counted.
const MOST_WAITING: u64 = 128 << 20;
/// How long the loss of an entry is reported.
const REPORTED: Duration = Duration::from_secs(60);
/// Entries of a group that a backend stores at the same time, unless it has a better way.
const AT_ONCE: usize = 8;

/// An entry to be stored.
pub(super) struct Entry {
    pub kind: EntryKind,
    pub name: String,
    pub bytes: Vec<u8>,
}

/// A store of entries by name. A backend that finds its server down may start the rest itself.
pub(super) trait Backend: fmt::Debug {
    /// Returns the entry of a name, if there is one.
    fn get<'s>(&'s self, kind: EntryKind, name: &'s str, rest: &'s Rest) -> Answer<'s, Option<Vec<u8>>>;
    /// Stores an entry.
    fn put<'s>(&'s self, kind: EntryKind, name: &'s str, entry: Vec<u8>, rest: &'s Rest) -> Answer<'s, ()>;
    /// Returns true if there is an entry of a name, whose time then starts anew if entries expire.
    fn has<'s>(&'s self, kind: EntryKind, name: &'s str, rest: &'s Rest) -> Answer<'s, bool>;
    /// Stores several entries.
    fn put_all<'s>(&'s self, entries: Vec<Entry>, rest: &'s Rest) -> Answer<'s, ()> {
        let put = move |entry: Entry| async move {
            let Entry { kind, name, bytes } = entry;
            self.put(kind, &name, bytes, rest).await
        };
        async move {
            let mut writes = stream::iter(entries.into_iter().map(put)).buffer_unordered(AT_ONCE);
            while let Some(written) = writes.next().await {
                written?;
            }
            Ok(())
        }
        .boxed_local()
    }
    /// Stores an entry if there is none of its name; false if there is one, and `None` if the backend has no such
    /// call.
    fn claim<'s>(
        &'s self,
        _kind: EntryKind,
        _name: &'s str,
        _entry: Vec<u8>,
        _rest: &'s Rest,
    ) -> Answer<'s, Option<bool>> {
        ready(Ok(None)).boxed_local()
    }
    /// Stores the entry of a job that has ended, or removes it.
    fn release<'s>(&'s self, name: &'s str, entry: Vec<u8>, rest: &'s Rest) -> Answer<'s, ()> {
        self.put(EntryKind::Jobs, name, entry, rest)
    }
    /// Returns true if entries of jobs disappear at the end of their time.
    fn forgets_jobs(&self) -> bool {
        false
    }
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
    /// The number of rests so far.
    count: AtomicU64,
}

impl Rest {
    fn new() -> Rest {
        Rest { start: Instant::now(), until: AtomicU64::new(0), count: AtomicU64::new(0) }
    }

    pub(super) fn is_on(&self) -> bool {
        self.now() < self.until.load(Ordering::Relaxed)
    }

    pub(super) fn begin(&self) {
        let until = self.now() + u64::try_from(REST.as_millis()).unwrap_or(0);
        self.until.store(until, Ordering::Relaxed);
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// The values that wait to be sent.
#[derive(Debug, Default)]
struct Queue {
    bytes: AtomicU64,
    entries: AtomicU64,
}

/// A place in the queue for some values.
struct QueuePlace<'q> {
    queue: &'q Queue,
    bytes: u64,
    entries: u64,
}

impl Queue {
    /// Returns a place for values; `None` if too many wait already.
    fn enter(&self, bytes: u64, entries: usize) -> Option<QueuePlace<'_>> {
        let entries = entries as u64;
        let place = QueuePlace { queue: self, bytes, entries };
        let before = self.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.entries.fetch_add(entries, Ordering::Relaxed);
        // A single value has a place however large it is.
        (before == 0 || before.saturating_add(bytes) <= MOST_WAITING).then_some(place)
    }
}

impl Drop for QueuePlace<'_> {
    fn drop(&mut self) {
        self.queue.bytes.fetch_sub(self.bytes, Ordering::Relaxed);
        self.queue.entries.fetch_sub(self.entries, Ordering::Relaxed);
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
    /// Entries that were not sent because too many waited.
    pub dropped: AtomicU64,
}

impl Counts {
    /// Returns every count by its name.
    #[must_use]
    pub fn all(&self) -> [(&'static str, u64); 5] {
        [
            ("hit", self.hits.load(Ordering::Relaxed)),
            ("miss", self.misses.load(Ordering::Relaxed)),
            ("failure", self.failures.load(Ordering::Relaxed)),
            ("damaged", self.damaged.load(Ordering::Relaxed)),
            ("dropped", self.dropped.load(Ordering::Relaxed)),
        ]
    }
}

/// The answer to a server that wants to do a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The job is this server's.
    Own,
    /// Another server is doing it.
    Foreign,
    /// The tier cannot say.
    Unknown,
}

/// A backend, the seal of its entries, and its state.
pub struct SealedTier {
    backend: Box<dyn Backend + Send + Sync>,
    seal: Arc<Seal>,
    origin: Origin,
    rest: Rest,
    queue: Queue,
    writes: Semaphore,
    in_flight: Semaphore,
    /// Limits the entries that are unpacked at the same time, each of which may take the memory of a result.
    reads: Semaphore,
    /// The time of the last loss, in milliseconds after the start, and one more.
    lost: AtomicU64,
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
            rest: Rest::new(),
            queue: Queue::default(),
            writes: Semaphore::new(MOST_WRITES),
            in_flight: Semaphore::new(MOST_IN_FLIGHT_KIB as usize),
            reads: Semaphore::new(parallel::parallelism().get()),
            lost: AtomicU64::new(0),
            counts: Counts::default(),
        }
    }

    /// Returns the bytes stored, if known.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        self.backend.size()
    }

    /// Returns the reason why entries are not stored at the moment, or were not a moment ago, if so.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        if !self.backend.is_best_effort() {
            return self.backend.fault();
        }
        let waiting = self.waiting();
        if self.rest.is_on() {
            return Some("it does not answer".to_owned());
        }
        let lost = self.lost.load(Ordering::Relaxed);
        if lost > 0 && self.rest.now() < lost.saturating_add(millis(REPORTED)) {
            return Some(format!("entries were lost a moment ago, and {waiting} wait"));
        }
        let is_behind = self.queue.bytes.load(Ordering::Relaxed) > MOST_WAITING / 2;
        is_behind.then(|| format!("it is slow, and {waiting} entries wait"))
    }

    /// Returns the number of entries that wait to be sent.
    #[must_use]
    pub fn waiting(&self) -> u64 {
        self.queue.entries.load(Ordering::Relaxed)
    }

    /// Returns a number that changes whenever the backend was gone: it may have lost entries since.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.rest.count.load(Ordering::Relaxed)
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

    /// Returns true if an entry is there. Its content is not checked.
    pub async fn has(&self, kind: EntryKind, name: &str) -> bool {
        self.call(self.backend.has(kind, name, &self.rest)).await.unwrap_or(false)
    }

    /// Stores values; returns true if all are stored.
    pub async fn put_all(&self, values: Vec<(String, Value)>) -> bool {
        let is_stored = self.write(values).await;
        if !is_stored {
            self.lost.store(self.rest.now().saturating_add(1), Ordering::Relaxed);
        }
        is_stored
    }

    async fn write(&self, values: Vec<(String, Value)>) -> bool {
        let bytes = values.iter().map(|(name, value)| (name.len() + value.weight()) as u64).sum();
        let place = self.queue.enter(bytes, values.len());
        if self.backend.is_best_effort() {
            if self.rest.is_on() {
                count(&self.counts.failures);
                return false;
            }
            if place.is_none() {
                self.counts.dropped.fetch_add(values.len() as u64, Ordering::Relaxed);
                return false;
            }
        }
        let Ok(_permit) = self.writes.acquire().await else { return false };
        let seal = self.seal.clone();
        let sealed = move || values.into_iter().map(|(name, value)| sealed(&seal, name, value)).collect();
        let Ok(Some(mut entries)) = web::block(sealed).await.map(|entries: Option<Vec<Entry>>| entries)
        else {
            // A result that is too large for the tier.
            count(&self.counts.failures);
            return false;
        };
        if let (1, false) = (entries.len(), self.backend.is_best_effort()) {
            let Some(Entry { kind, name, bytes }) = entries.pop() else { return false };
            return self.call(self.backend.put(kind, &name, bytes, &self.rest)).await.is_some();
        }
        let bytes: usize = entries.iter().map(|entry| entry.bytes.len()).sum();
        let kib = (bytes >> 10).max(LEAST_KIB * entries.len().min(AT_ONCE));
        let kib = u32::try_from(kib).unwrap_or(u32::MAX).clamp(1, MOST_IN_FLIGHT_KIB);
        let Ok(_in_flight) = self.in_flight.acquire_many(kib).await else { return false };
        self.call(self.backend.put_all(entries, &self.rest)).await.is_some()
    }

    /// Claims a job for the time of a lease.
    pub async fn claim(&self, key: &str, lease: &Lease) -> Claim {
        let Some(entry) = self.seal.seal(key, &lease.to_json()) else { return Claim::Unknown };
        match self.call(self.backend.claim(EntryKind::Jobs, key, entry, &self.rest)).await.flatten() {
            Some(true) => Claim::Own,
            Some(false) => Claim::Foreign,
            None => Claim::Unknown,
        }
    }

    /// Releases a job that has ended.
    pub async fn release(&self, key: &str) {
        if let Some(entry) = self.seal.seal(key, &Lease::ended().to_json()) {
            self.call(self.backend.release(key, entry, &self.rest)).await;
        }
    }

    /// Returns the lease of a job that another server does, if it has not ended.
    pub async fn lease(&self, key: &str) -> Option<Lease> {
        let lease = self.read(EntryKind::Jobs, key).await.and_then(Value::lease)?;
        let now = millis(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default());
        // Where leases end by themselves, the clocks of servers may differ.
        let is_valid = lease.until > 0 && (self.backend.forgets_jobs() || lease.until > now);
        is_valid.then_some(lease)
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Returns the entry of a value, unless it is too large.
fn sealed(seal: &Seal, name: String, value: Value) -> Option<Entry> {
    let kind = value.kind();
    let bytes = match value {
        Value::Result(stored) => seal.seal(&name, &entry::write(&stored))?,
        Value::Bundle(body) | Value::Source(body) => body.to_vec(),
        Value::Place(place) => place.as_bytes().to_vec(),
        Value::Request(request) => seal.seal(&name, &request.to_bytes())?,
        Value::Job(lease) => seal.seal(&name, &lease.to_json())?,
    };
    Some(Entry { kind, name, bytes })
}

/// Returns the value of an entry if it was stored under this name: results, requests and jobs are checked by their
/// seal, bundles and files by their own digest. A place refers to a result, which is checked in turn.
fn verify(seal: &Seal, kind: EntryKind, name: &str, entry: Vec<u8>) -> Option<Value> {
    let is_named = |entry: &[u8]| name.starts_with(&keys::sha256(entry));
    match kind {
        EntryKind::Results => {
            let stored = entry::read(&seal.open(name, &entry)?.into(), name)?;
            Some(Value::Result(Arc::new(stored)))
        }
        EntryKind::Bundles => is_named(&entry).then(|| Value::Bundle(Bytes::from(entry))),
        EntryKind::Sources => is_named(&entry).then(|| Value::Source(Bytes::from(entry))),
        // The bytes at the place are checked against the requested digest.
        EntryKind::Places => {
            let place = String::from_utf8(entry).ok()?;
            let is_one = place.get(..64).is_some_and(keys::is_key);
            is_one.then(|| Value::Place(place.into()))
        }
        EntryKind::Requests => {
            let request = entry::StoredRequest::read(&seal.open(name, &entry)?.into())?;
            Some(Value::Request(Arc::new(request)))
        }
        EntryKind::Jobs => Some(Value::Job(Lease::from_json(&seal.open(name, &entry)?)?)),
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
        async move {
            self.put_all(vec![(name.to_owned(), value)]).await;
        }
        .boxed_local()
    }
}

fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}
