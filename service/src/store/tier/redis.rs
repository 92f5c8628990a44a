//! Redis and Valkey: one server, the master that sentinels name, or a cluster.
//!
//! ```text
//! redis[s]://[user:password@]host:port[/database]
//! redis[s]+sentinel://[user:password@]host:port{,host:port}/service
//! redis[s]+cluster://[user:password@]host:port{,host:port}
//! ```

use std::{fmt, io, time::Duration};

use futures_util::{FutureExt, StreamExt, stream};
use redis::{
    AsyncConnectionConfig, Client, Cmd, FromRedisValue, IntoConnectionInfo, Pipeline, RedisFuture,
    RedisResult, TlsMode,
    aio::{ConnectionLike, MultiplexedConnection},
    cluster::{ClusterClient, ClusterClientBuilder},
    cluster_async::ClusterConnection,
    sentinel::{SentinelClient, SentinelNodeConnectionInfo, SentinelServerType},
};
use tokio::{sync::Mutex, time::timeout};

use super::lease::LEASE;
use super::{
    EntryKind,
    sealed::{Answer, Backend, Entry, Failure, Rest},
};

/// Timeout for connecting, and for an answer.
const PATIENCE: Duration = Duration::from_millis(500);
/// Timeout for storing entries: over a slow line, those before them take their time.
const WRITE: Duration = Duration::from_secs(10);
/// How long the request of a job is kept, in seconds: far longer than a job takes.
const REQUEST_SECONDS: u64 = 3_600;
/// Entries of a group that a cluster stores at the same time.
const AT_ONCE: usize = 16;

/// A Redis; connections are made at the first use.
#[derive(Debug)]
pub(super) struct Redis {
    server: Server,
    seconds: u64,
    /// Maximum bytes of an entry.
    most_bytes: u64,
    /// Entries are sent over a connection of their own, so that none delays an answer.
    reading: Mutex<Option<Connection>>,
    writing: Mutex<Option<Connection>>,
}

/// The server, or servers.
enum Server {
    Single(Box<Client>),
    Sentinel(Box<Mutex<SentinelClient>>),
    Cluster(Box<ClusterClient>),
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Addresses may hold passwords.
        f.write_str(match self {
            Server::Single(_) => "Single",
            Server::Sentinel(_) => "Sentinel",
            Server::Cluster(_) => "Cluster",
        })
    }
}

#[derive(Clone)]
enum Connection {
    Single(MultiplexedConnection),
    Cluster(ClusterConnection),
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Connection")
    }
}

impl ConnectionLike for Connection {
    fn req_packed_command<'a>(&'a mut self, cmd: &'a Cmd) -> RedisFuture<'a, redis::Value> {
        match self {
            Connection::Single(connection) => connection.req_packed_command(cmd),
            Connection::Cluster(connection) => connection.req_packed_command(cmd),
        }
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        pipeline: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<redis::Value>> {
        match self {
            Connection::Single(connection) => connection.req_packed_commands(pipeline, offset, count),
            Connection::Cluster(connection) => connection.req_packed_commands(pipeline, offset, count),
        }
    }

    fn get_db(&self) -> i64 {
        match self {
            Connection::Single(connection) => connection.get_db(),
            Connection::Cluster(connection) => connection.get_db(),
        }
    }
}

impl Server {
    /// Returns the server at an address; does not connect to it yet.
    fn at(address: &str) -> Option<Server> {
        let (scheme, rest) = address.split_once("://")?;
        let Some((scheme, kind)) = scheme.split_once('+') else {
            return Client::open(address).ok().map(|client| Server::Single(Box::new(client)));
        };
        if !matches!(scheme, "redis" | "rediss") {
            return None;
        }
        let (hosts, path) = rest.split_once('/').unwrap_or((rest, ""));
        let (user, hosts) = hosts.rsplit_once('@').map_or(("", hosts), |(user, hosts)| (user, hosts));
        let at = if user.is_empty() { "" } else { "@" };
        let urls = |scheme: &str, user: &str, at: &str| -> Vec<String> {
            hosts.split(',').map(|host| format!("{scheme}://{user}{at}{host}/")).collect()
        };
        match kind {
            "sentinel" if !path.is_empty() => {
                // The name and the password are those of the servers.
                let server = urls(scheme, user, at).first()?.as_str().into_connection_info().ok()?;
                let mut node = SentinelNodeConnectionInfo::default()
                    .set_redis_connection_info(server.redis_settings().clone());
                if scheme == "rediss" {
                    node = node.set_tls_mode(TlsMode::Secure);
                }
                let sentinels = urls("redis", "", "");
                let client = SentinelClient::build(sentinels, path, Some(node), SentinelServerType::Master);
                Some(Server::Sentinel(Box::new(Mutex::new(client.ok()?))))
            }
            "cluster" => {
                let client = ClusterClientBuilder::new(urls(scheme, user, at)).connection_timeout(PATIENCE);
                // Longer than an entry takes; reads have a timeout of their own.
                Some(Server::Cluster(Box::new(client.response_timeout(WRITE).build().ok()?)))
            }
            _ => None,
        }
    }

    async fn connect(&self) -> RedisResult<Connection> {
        let config =
            AsyncConnectionConfig::new().set_connection_timeout(Some(PATIENCE)).set_response_timeout(None);
        Ok(match self {
            Server::Single(client) => {
                Connection::Single(client.get_multiplexed_async_connection_with_config(&config).await?)
            }
            Server::Sentinel(client) => {
                Connection::Single(client.lock().await.get_async_connection_with_config(&config).await?)
            }
            Server::Cluster(client) => Connection::Cluster(client.get_async_connection().await?),
        })
    }
}

/// The direction in which entries go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Read,
    Write,
}

impl Redis {
    /// Creates the store at an address; entries expire after `seconds`, and larger ones are not read.
    pub(super) fn new(address: &str, seconds: u64, most_bytes: u64) -> Result<Redis, String> {
        // The address may hold a password, so it is not repeated.
        let server = Server::at(address).ok_or_else(|| {
            "shared_cache: this is not the address of a Redis (redis://host:port/, rediss://host:port/, \
             redis+sentinel://host:port,host:port/service, redis+cluster://host:port,host:port)"
                .to_owned()
        })?;
        Ok(Redis {
            server,
            seconds: seconds.max(1),
            most_bytes,
            reading: Mutex::new(None),
            writing: Mutex::new(None),
        })
    }

    async fn call<T: FromRedisValue>(
        &self,
        direction: Direction,
        commands: Pipeline,
        rest: &Rest,
    ) -> Result<T, Failure> {
        let (place, patience) = match direction {
            Direction::Read => (&self.reading, PATIENCE),
            Direction::Write => (&self.writing, WRITE),
        };
        let answer: RedisResult<T> = async {
            let mut connection = self.connect(place, rest).await?;
            let late = |_| redis::RedisError::from(io::Error::from(io::ErrorKind::TimedOut));
            timeout(patience, commands.query_async(&mut connection)).await.map_err(late)?
        }
        .await;
        answer.map_err(|error| {
            // A store that refuses a command, because it is full for example, is not down.
            let is_gone = error.is_io_error()
                || error.is_timeout()
                || error.is_connection_dropped()
                || error.is_unrecoverable_error();
            if is_gone && let Ok(mut connection) = place.try_lock() {
                *connection = None;
            }
            Failure { is_gone }
        })
    }

    /// Reads an entry, unless it is too long, which is known before it is received.
    async fn read(&self, key: String, rest: &Rest) -> Result<Option<Vec<u8>>, Failure> {
        let mut commands = redis::pipe();
        commands.cmd("EXISTS").arg(&key).cmd("STRLEN").arg(&key);
        let (is_there, length): (bool, u64) = self.call(Direction::Read, commands, rest).await?;
        if length > self.most_bytes {
            return Err(Failure { is_gone: false });
        }
        if !is_there {
            return Ok(None);
        }
        // It may have become longer meanwhile.
        let mut commands = redis::pipe();
        commands.cmd("GETRANGE").arg(&key).arg(0).arg(length.saturating_sub(1));
        let (entry,) = self.call(Direction::Read, commands, rest).await?;
        Ok(Some(entry))
    }

    async fn connect(&self, place: &Mutex<Option<Connection>>, rest: &Rest) -> RedisResult<Connection> {
        let mut connection = place.lock().await;
        if let Some(connection) = &*connection {
            return Ok(connection.clone());
        }
        // Others that waited for the lock meanwhile need not all time out as well.
        if rest.is_on() {
            return Err(io::Error::from(io::ErrorKind::NotConnected).into());
        }
        let made = match timeout(PATIENCE, self.server.connect()).await {
            Ok(made) => made,
            Err(_) => Err(io::Error::from(io::ErrorKind::TimedOut).into()),
        };
        match made {
            Ok(made) => Ok(connection.insert(made).clone()),
            Err(error) => {
                rest.begin();
                Err(error)
            }
        }
    }

    /// Returns the seconds that an entry is kept.
    fn seconds(&self, kind: EntryKind) -> u64 {
        match kind {
            EntryKind::Jobs => LEASE.as_secs(),
            EntryKind::Requests => self.seconds.min(REQUEST_SECONDS),
            _ => self.seconds,
        }
    }

    fn set(&self, Entry { kind, name, bytes }: Entry, commands: &mut Pipeline) {
        let seconds = self.seconds(kind);
        commands.cmd("SET").arg(key(kind, &name)).arg(bytes).arg("EX").arg(seconds).ignore();
    }
}

impl Backend for Redis {
    fn get<'s>(&'s self, kind: EntryKind, name: &'s str, rest: &'s Rest) -> Answer<'s, Option<Vec<u8>>> {
        self.read(key(kind, name), rest).boxed_local()
    }

    fn put<'s>(&'s self, kind: EntryKind, name: &'s str, entry: Vec<u8>, rest: &'s Rest) -> Answer<'s, ()> {
        let mut commands = redis::pipe();
        self.set(Entry { kind, name: name.to_owned(), bytes: entry }, &mut commands);
        self.call(Direction::Write, commands, rest).boxed_local()
    }

    fn put_all<'s>(&'s self, entries: Vec<Entry>, rest: &'s Rest) -> Answer<'s, ()> {
        // The entries of a cluster belong to several servers.
        let is_cluster = matches!(self.server, Server::Cluster(_));
        let groups: Vec<Vec<Entry>> =
            if is_cluster { entries.into_iter().map(|entry| vec![entry]).collect() } else { vec![entries] };
        let put = move |group: Vec<Entry>| {
            let mut commands = redis::pipe();
            group.into_iter().for_each(|entry| self.set(entry, &mut commands));
            self.call::<()>(Direction::Write, commands, rest)
        };
        async move {
            let mut writes = stream::iter(groups.into_iter().map(put)).buffer_unordered(AT_ONCE);
            while let Some(written) = writes.next().await {
                written?;
            }
            Ok(())
        }
        .boxed_local()
    }

    fn has<'s>(&'s self, kind: EntryKind, name: &'s str, rest: &'s Rest) -> Answer<'s, bool> {
        let mut commands = redis::pipe();
        commands.cmd("EXPIRE").arg(key(kind, name)).arg(self.seconds(kind));
        async move {
            let (is_there,): (bool,) = self.call(Direction::Read, commands, rest).await?;
            Ok(is_there)
        }
        .boxed_local()
    }

    fn claim<'s>(
        &'s self,
        kind: EntryKind,
        name: &'s str,
        entry: Vec<u8>,
        rest: &'s Rest,
    ) -> Answer<'s, Option<bool>> {
        let mut commands = redis::pipe();
        commands.cmd("SET").arg(key(kind, name)).arg(entry).arg("NX").arg("EX").arg(self.seconds(kind));
        async move {
            let (set,): (Option<String>,) = self.call(Direction::Read, commands, rest).await?;
            Ok(Some(set.is_some()))
        }
        .boxed_local()
    }

    fn release<'s>(&'s self, name: &'s str, _: Vec<u8>, rest: &'s Rest) -> Answer<'s, ()> {
        let mut commands = redis::pipe();
        commands.cmd("DEL").arg(key(EntryKind::Jobs, name)).ignore();
        self.call(Direction::Read, commands, rest).boxed_local()
    }

    fn forgets_jobs(&self) -> bool {
        true
    }
}

fn key(kind: EntryKind, name: &str) -> String {
    format!("odsmith:2:{}:{name}", kind.word())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let kind = |address: &str| Server::at(address).map(|server| format!("{server:?}"));
        for address in ["redis://host/", "rediss://user:word@host:1/2", "redis://:word@[::1]:1"] {
            assert_eq!(kind(address).as_deref(), Some("Single"), "{address}");
        }
        for address in ["redis+sentinel://a:1,b:2/service", "rediss+sentinel://user:word@a/service"] {
            assert_eq!(kind(address).as_deref(), Some("Sentinel"), "{address}");
        }
        for address in ["redis+cluster://a:1,b:2", "rediss+cluster://user:word@a:1/"] {
            assert_eq!(kind(address).as_deref(), Some("Cluster"), "{address}");
        }
        for address in ["redis+sentinel://a:1", "redis+other://a", "x+cluster://a", "host", "redis://"] {
            assert!(kind(address).is_none(), "{address}");
        }
    }
}
