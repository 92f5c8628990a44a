//! The second level of the cache, shared by servers: Redis or Valkey.
//!
//! It only ever saves work. What it gives is checked against the digest in front of it; when it is down, slow, full or
//! wrong, the answer is made as if there were none, and after a failure it is left alone for a while.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use redis::{AsyncConnectionConfig, Client, RedisError, RedisResult, aio::MultiplexedConnection};
use tokio::sync::{Mutex, Semaphore};

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

/// The store.
#[derive(Debug)]
pub struct Shared {
    client: Client,
    seconds: u64,
    connection: Mutex<Option<MultiplexedConnection>>,
    start: Instant,
    /// Milliseconds after the start, until which it is left alone.
    rests_until: AtomicU64,
    writes: Arc<Semaphore>,
    /// What became of the calls.
    pub counts: Counts,
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
    /// The store at `redis://host:port/`; it is connected to when it is first asked.
    ///
    /// # Errors
    /// The address is none.
    pub fn new(address: &str, seconds: u64) -> Result<Shared, String> {
        // The address may hold a password, so it is not repeated.
        let client = Client::open(address).map_err(|_| {
            "shared_cache: this is not the address of a Redis (redis://host:port/)".to_owned()
        })?;
        Ok(Shared {
            client,
            seconds,
            connection: Mutex::new(None),
            start: Instant::now(),
            rests_until: AtomicU64::new(0),
            writes: Arc::new(Semaphore::new(MOST_WRITES)),
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
        let mut command = redis::cmd("GET");
        command.arg(address(shelf, name));
        let entry: Option<Vec<u8>> = self.call(&command).await?;
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
        let mut command = redis::cmd("SET");
        command.arg(address(shelf, name)).arg(entry).arg("EX").arg(self.seconds.max(1));
        let _: Option<()> = self.call(&command).await;
    }

    async fn call<T: redis::FromRedisValue>(&self, command: &redis::Cmd) -> Option<T> {
        if self.now() < self.rests_until.load(Ordering::Relaxed) {
            count(&self.counts.failures);
            return None;
        }
        let answer: RedisResult<T> = async {
            let mut connection = self.connect().await?;
            command.query_async(&mut connection).await
        }
        .await;
        answer.inspect_err(|error| count_failure(self, error)).ok()
    }

    async fn connect(&self) -> RedisResult<MultiplexedConnection> {
        let mut connection = self.connection.lock().await;
        if let Some(connection) = &*connection {
            return Ok(connection.clone());
        }
        // Others that waited for the lock meanwhile need not all find out by themselves.
        if self.now() < self.rests_until.load(Ordering::Relaxed) {
            return Err((redis::ErrorKind::IoError, "it did not answer just now").into());
        }
        let patience =
            AsyncConnectionConfig::new().set_connection_timeout(PATIENCE).set_response_timeout(PATIENCE);
        match self.client.get_multiplexed_async_connection_with_config(&patience).await {
            Ok(made) => Ok(connection.insert(made).clone()),
            Err(error) => {
                self.rest();
                Err(error)
            }
        }
    }

    /// Notes that an entry was damaged that looked well.
    pub fn damaged(&self) {
        count(&self.counts.damaged);
    }

    fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn rest(&self) {
        let until = self.now() + u64::try_from(REST.as_millis()).unwrap_or(0);
        self.rests_until.store(until, Ordering::Relaxed);
    }
}

fn count_failure(shared: &Shared, error: &RedisError) {
    count(&shared.counts.failures);
    // A store that says no, because it is full for example, is not one that is gone.
    let is_gone = error.is_io_error()
        || error.is_timeout()
        || error.is_connection_dropped()
        || error.is_unrecoverable_error();
    if is_gone {
        shared.rest();
        if let Ok(mut connection) = shared.connection.try_lock() {
            *connection = None;
        }
    }
}

fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

fn address(shelf: Shelf, name: &str) -> String {
    let shelf = match shelf {
        Shelf::Results => "result",
        Shelf::Bundles => "bundle",
    };
    format!("odsmith:1:{shelf}:{name}")
}
