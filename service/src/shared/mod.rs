//! The second level of the cache, shared by servers: Redis or Valkey, or a store that speaks S3.
//!
//! It only ever saves work. What it gives is checked against the digest in front of it; when it is down, slow, full or
//! wrong, the answer is made as if there were none, and after a failure it is left alone for a while.

mod redis;
mod s3;

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use tokio::sync::Semaphore;

/// How long it may take to connect, or to answer.
const PATIENCE: Duration = Duration::from_millis(500);
/// How long it is left alone after a failure.
const REST: Duration = Duration::from_secs(2);
/// Entries on their way to it; more are not sent.
const MOST_WRITES: usize = 32;

/// What an entry holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shelf {
    /// A result, by its key.
    Results,
    /// An archive that was sent, by its digest.
    Bundles,
}

/// The store, and how it fares.
#[derive(Debug)]
pub struct Shared {
    store: Store,
    rest: Rest,
    writes: Semaphore,
    /// What became of the calls.
    pub counts: Counts,
}

#[derive(Debug)]
enum Store {
    Redis(Box<redis::Redis>),
    S3(Box<s3::S3>),
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
    /// The store at `redis://host:port/` or `s3://bucket/prefix`; nothing is asked of it yet. One that forgets by itself
    /// keeps entries for so many seconds.
    ///
    /// # Errors
    /// The address is none.
    pub fn new(address: &str, seconds: u64) -> Result<Shared, String> {
        let store = if address.starts_with("s3://") {
            Store::S3(Box::new(s3::S3::new(address)?))
        } else {
            Store::Redis(Box::new(redis::Redis::new(address, seconds)?))
        };
        Ok(Shared {
            store,
            rest: Rest { start: Instant::now(), until: AtomicU64::new(0) },
            writes: Semaphore::new(MOST_WRITES),
            counts: Counts::default(),
        })
    }

    /// The entry of a name, as `read` understands it; nothing, if it is not there or damaged.
    pub async fn get<T>(
        &self,
        shelf: Shelf,
        name: &str,
        read: impl FnOnce(Vec<u8>) -> Option<T>,
    ) -> Option<T> {
        let entry = self
            .call(async {
                match &self.store {
                    Store::Redis(redis) => redis.get(&shelf.redis_key(name), &self.rest).await,
                    Store::S3(s3) => s3.get(&shelf.s3_key(name)).await,
                }
            })
            .await?;
        let Some(entry) = entry else {
            count(&self.counts.misses);
            return None;
        };
        let read = read(entry);
        count(if read.is_some() { &self.counts.hits } else { &self.counts.damaged });
        read
    }

    /// Keeps an entry, in the background if there is room for it.
    pub async fn put(&self, shelf: Shelf, name: &str, entry: Vec<u8>) {
        let Ok(_permit) = self.writes.try_acquire() else { return };
        self.call(async {
            match &self.store {
                Store::Redis(redis) => redis.put(&shelf.redis_key(name), entry, &self.rest).await,
                Store::S3(s3) => s3.put(&shelf.s3_key(name), entry).await,
            }
        })
        .await;
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

impl Shelf {
    fn redis_key(self, name: &str) -> String {
        match self {
            Shelf::Results => format!("odsmith:1:result:{name}"),
            Shelf::Bundles => format!("odsmith:1:bundle:{name}"),
        }
    }

    fn s3_key(self, name: &str) -> String {
        match self {
            Shelf::Results => format!("odsmith/1/results/{name}"),
            Shelf::Bundles => format!("odsmith/1/bundles/{name}"),
        }
    }
}

fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}
