//! The second level of the cache, shared by servers: Redis or Valkey, or a store that speaks S3.
//!
//! It only ever saves work. What it gives is checked against the digest in front of it; when it is down, slow, full or
//! wrong, the answer is made as if there were none, and after a failure it is left alone for a while.

#[cfg(feature = "redis")]
mod redis;
#[cfg(feature = "s3")]
mod s3;

use std::{
    fmt,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use futures_util::future::LocalBoxFuture;
use tokio::sync::Semaphore;

use crate::config::Config;

/// How long it may take to connect, or to answer.
#[cfg(any(feature = "redis", feature = "s3"))]
const PATIENCE: Duration = Duration::from_millis(500);
/// How long it is left alone after a failure.
const REST: Duration = Duration::from_secs(2);
/// The most entries that are sent to it at the same time; further ones are dropped.
const MOST_WRITES: usize = 32;

/// What an entry holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shelf {
    /// A result, by its key.
    Results,
    /// An archive that was sent, by its digest.
    Bundles,
}

/// A store of entries by name. One that finds out that it is gone may begin its rest itself.
trait Store: fmt::Debug {
    /// The entry of a name, if there is one.
    fn get<'s>(&'s self, shelf: Shelf, name: &'s str, rest: &'s Rest) -> Answer<'s, Option<Vec<u8>>>;
    /// Keeps an entry.
    fn put<'s>(&'s self, shelf: Shelf, name: &'s str, entry: Vec<u8>, rest: &'s Rest) -> Answer<'s, ()>;
}

type Answer<'s, T> = LocalBoxFuture<'s, Result<T, Failure>>;

/// The store, and how it fares.
#[derive(Debug)]
pub struct Shared {
    store: Box<dyn Store + Send + Sync>,
    rest: Rest,
    writes: Semaphore,
    /// What became of the calls.
    pub counts: Counts,
}

/// A call that gave nothing.
struct Failure {
    /// Whether the store is to be left alone for a while.
    is_gone: bool,
}

/// The time for which a store is left alone.
#[derive(Debug)]
struct Rest {
    start: Instant,
    /// Milliseconds after the start.
    until: AtomicU64,
}

impl Rest {
    fn is_on(&self) -> bool {
        self.now() < self.until.load(Ordering::Relaxed)
    }

    fn begin(&self) {
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

impl Shared {
    /// The store at `redis://host:port/` or `s3://bucket/prefix`, if the configuration names one; nothing is asked of it
    /// yet.
    ///
    /// # Errors
    /// The address is none.
    pub fn new(config: &Config) -> Result<Option<Shared>, String> {
        let Some(address) = &config.shared_cache else { return Ok(None) };
        Ok(Some(Shared {
            store: open(config, address)?,
            rest: Rest { start: Instant::now(), until: AtomicU64::new(0) },
            writes: Semaphore::new(MOST_WRITES),
            counts: Counts::default(),
        }))
    }

    /// The entry of a name, as `read` understands it; nothing, if it is not there or damaged.
    pub async fn get<T>(
        &self,
        shelf: Shelf,
        name: &str,
        read: impl FnOnce(Vec<u8>) -> Option<T>,
    ) -> Option<T> {
        let entry = self.call(self.store.get(shelf, name, &self.rest)).await?;
        let Some(entry) = entry else {
            count(&self.counts.misses);
            return None;
        };
        let read = read(entry);
        count(if read.is_some() { &self.counts.hits } else { &self.counts.damaged });
        read
    }

    /// Keeps an entry, in the background, if there is capacity for it.
    pub async fn put(&self, shelf: Shelf, name: &str, entry: Vec<u8>) {
        let Ok(_permit) = self.writes.try_acquire() else { return };
        self.call(self.store.put(shelf, name, entry, &self.rest)).await;
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

    /// Notes that an entry was damaged that looked well.
    pub fn damaged(&self) {
        count(&self.counts.damaged);
    }
}

/// The store that a configuration names at an address.
fn open(config: &Config, address: &str) -> Result<Box<dyn Store + Send + Sync>, String> {
    match (config, address.starts_with("s3://")) {
        #[cfg(feature = "s3")]
        (_, true) => Ok(Box::new(s3::S3::new(address)?)),
        #[cfg(feature = "redis")]
        (Config { shared_cache_seconds, .. }, false) => {
            Ok(Box::new(redis::Redis::new(address, *shared_cache_seconds)?))
        }
        #[cfg(not(all(feature = "redis", feature = "s3")))]
        _ => Err("shared_cache: this program was built without stores of this kind".to_owned()),
    }
}

fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}
