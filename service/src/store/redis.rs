//! Redis and Valkey.

use std::{io, time::Duration};

use futures_util::FutureExt;
use redis::{
    AsyncConnectionConfig, Client, FromRedisValue, Pipeline, RedisResult, aio::MultiplexedConnection,
};
use tokio::sync::Mutex;

use super::{
    EntryKind,
    sealed::{Answer, Backend, Failure, Rest},
};

/// Timeout for connecting, and for an answer.
const PATIENCE: Duration = Duration::from_millis(500);

/// A Redis server; the connection is made at the first use.
#[derive(Debug)]
pub(super) struct Redis {
    client: Client,
    seconds: u64,
    /// Maximum bytes of an entry.
    most_bytes: u64,
    connection: Mutex<Option<MultiplexedConnection>>,
}

impl Redis {
    /// Creates the store at `redis://host:port/`; entries expire after `seconds`, and larger ones are not read.
    pub(super) fn new(address: &str, seconds: u64, most_bytes: u64) -> Result<Redis, String> {
        // The address may hold a password, so it is not repeated.
        let client = Client::open(address).map_err(|_| {
            "shared_cache: this is not the address of a Redis (redis://host:port/)".to_owned()
        })?;
        Ok(Redis { client, seconds: seconds.max(1), most_bytes, connection: Mutex::new(None) })
    }

    async fn call<T: FromRedisValue>(&self, commands: Pipeline, rest: &Rest) -> Result<T, Failure> {
        let answer: RedisResult<T> = async {
            let mut connection = self.connect(rest).await?;
            commands.query_async(&mut connection).await
        }
        .await;
        answer.map_err(|error| {
            // A store that refuses a command, because it is full for example, is not down.
            let is_gone = error.is_io_error()
                || error.is_timeout()
                || error.is_connection_dropped()
                || error.is_unrecoverable_error();
            if is_gone && let Ok(mut connection) = self.connection.try_lock() {
                *connection = None;
            }
            Failure { is_gone }
        })
    }

    /// Reads an entry, unless it is too long, which is known before it is received.
    async fn read(&self, key: String, rest: &Rest) -> Result<Option<Vec<u8>>, Failure> {
        let mut commands = redis::pipe();
        commands.cmd("EXISTS").arg(&key).cmd("STRLEN").arg(&key);
        let (is_there, length): (bool, u64) = self.call(commands, rest).await?;
        if length > self.most_bytes {
            return Err(Failure { is_gone: false });
        }
        if !is_there {
            return Ok(None);
        }
        // It may have become longer meanwhile.
        let mut commands = redis::pipe();
        commands.cmd("GETRANGE").arg(&key).arg(0).arg(length.saturating_sub(1));
        let (entry,) = self.call(commands, rest).await?;
        Ok(Some(entry))
    }

    async fn connect(&self, rest: &Rest) -> RedisResult<MultiplexedConnection> {
        let mut connection = self.connection.lock().await;
        if let Some(connection) = &*connection {
            return Ok(connection.clone());
        }
        // Others that waited for the lock meanwhile need not all time out as well.
        if rest.is_on() {
            return Err(io::Error::from(io::ErrorKind::NotConnected).into());
        }
        let patience = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(PATIENCE))
            .set_response_timeout(Some(PATIENCE));
        match self.client.get_multiplexed_async_connection_with_config(&patience).await {
            Ok(made) => Ok(connection.insert(made).clone()),
            Err(error) => {
                rest.begin();
                Err(error)
            }
        }
    }
}

impl Backend for Redis {
    fn get<'s>(&'s self, kind: EntryKind, name: &'s str, rest: &'s Rest) -> Answer<'s, Option<Vec<u8>>> {
        self.read(key(kind, name), rest).boxed_local()
    }

    fn put<'s>(&'s self, kind: EntryKind, name: &'s str, entry: Vec<u8>, rest: &'s Rest) -> Answer<'s, ()> {
        let mut commands = redis::pipe();
        commands.cmd("SET").arg(key(kind, name)).arg(entry).arg("EX").arg(self.seconds).ignore();
        self.call(commands, rest).boxed_local()
    }
}

fn key(kind: EntryKind, name: &str) -> String {
    match kind {
        EntryKind::Results => format!("odsmith:2:result:{name}"),
        EntryKind::Bundles => format!("odsmith:2:bundle:{name}"),
        EntryKind::Places => format!("odsmith:2:place:{name}"),
    }
}
