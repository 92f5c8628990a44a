//! The configuration of a server at its start: from a file, the environment and flags; later ones win.

use std::{
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
};

use odsmith_engine::{limits::Limits as JobLimits, parallel};
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

/// The whole configuration of a server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// The address.
    pub bind: SocketAddr,
    /// The address for its operators (`/livez`, `/readyz`, `/metrics`).
    pub admin: Option<SocketAddr>,
    /// True if other machines may use the server without a token.
    pub allow_anonymous: bool,
    /// The sha256, in hex, of each token that lets a client in; if there are any, every client needs one.
    pub token_digests: Vec<String>,
    /// A file of tokens with a name, scopes and perhaps a tenant each; it may change while the server runs.
    pub tokens: Option<PathBuf>,
    /// Megabytes of results to keep in memory.
    pub cache_mb: u64,
    /// Megabytes that the process may take; by default as many as its container, and 0 means no ceiling.
    pub memory_mb: Option<u64>,
    /// Seconds between the signal to end and the end of listening, in which load balancers notice that this server is
    /// not ready any more; by default 5 with an address for operators, else none.
    pub drain_seconds: Option<u64>,
    /// The form of the log line of each request.
    pub log: Log,
    /// True if a proxy in front names the client's address (`X-Forwarded-For`).
    pub behind_proxy: bool,
    /// Proxies whose `X-Forwarded-For` is believed: addresses, or networks such as `10.0.0.0/8`.
    pub trusted_proxies: Vec<String>,
    /// Hosts that sources may be fetched from; if empty, nothing is fetched.
    pub fetch_hosts: Vec<String>,
    /// Parts of registries (`registry.example/dialects`) that dependencies of bundles may come from; if empty, none do.
    pub registries: Vec<String>,
    /// The store shared with other servers: `redis://host:port/`, `s3://bucket/prefix?endpoint=…&region=…`, or a cache of
    /// builds at `https://host:port/prefix`.
    pub shared_cache: Option<String>,
    /// A file with the key that seals shared entries, so that only these servers can write them.
    pub shared_key_file: Option<PathBuf>,
    /// A file with the Ed25519 key that signs provenance.
    pub signing_key_file: Option<PathBuf>,
    /// The folder in which results and bundles survive a restart.
    pub store: Option<PathBuf>,
    /// Megabytes that the folder may take.
    pub store_mb: u64,
    /// How long after its last use an entry is kept there: `90d`, `12h`; by default, as long as there is space.
    pub keep: Option<String>,
    /// Seconds that a Redis keeps shared results; a bucket has its own lifecycle rules.
    pub shared_cache_seconds: u64,
    /// The OpenTelemetry collector that receives a span for each request: `http://host:4318`.
    pub otlp: Option<String>,
    /// The origin that serves reference sites, and nothing else: `https://sites.example`.
    pub site_origin: Option<String>,
    /// The registry whose dialects are catalogued: `oci://host/prefix/`, or `oci-layout:folder`.
    pub catalog: Option<String>,
    /// A file with the repositories of the catalogue, where the registry does not list them, and with owners.
    pub catalog_settings: Option<PathBuf>,
    /// Every limit.
    pub limits: Limits,
}

/// The form of the log line of each request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Log {
    /// Nothing.
    #[default]
    Off,
    /// A line of text.
    Text,
    /// A line of JSON.
    Json,
}

/// Limits of an archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ArchiveLimits {
    /// Bytes of the archive as received.
    pub body_bytes: u64,
    /// Bytes of the archive when unpacked.
    pub unpacked_bytes: u64,
    /// Bytes of one file.
    pub file_bytes: u64,
    /// Entries of any kind.
    pub entries: u64,
    /// Bytes of a path.
    pub path_bytes: u64,
    /// Segments of a path.
    pub path_depth: u64,
    /// Bytes of a manifest.
    pub manifest_bytes: u64,
    /// Suffixes of additional file names to keep, besides those that a job may read: not a limit that a user sets.
    #[serde(skip)]
    pub also: &'static [&'static str],
}

impl Default for ArchiveLimits {
    fn default() -> Self {
        ArchiveLimits {
            body_bytes: 16 << 20,
            unpacked_bytes: 64 << 20,
            file_bytes: 8 << 20,
            entries: 10_000,
            path_bytes: 1_024,
            path_depth: 32,
            manifest_bytes: 1 << 20,
            also: &[],
        }
    }
}

/// Limits on the requests of one client.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct QuotaLimits {
    /// Requests a minute in the long run; 0 means no limit.
    pub requests_per_minute: u32,
    /// Requests at once, after a pause; 0 means as many as in a minute.
    pub burst: u32,
}

/// Every limit of the service; `/v1/limits` shows them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Limits of uploaded archives.
    pub archive: ArchiveLimits,
    /// Limits of one evaluation.
    pub job: JobLimits,
    /// Limits on the requests of one client.
    pub quota: QuotaLimits,
    /// How long a head may take to arrive.
    pub head_seconds: u64,
    /// How long a body may take to arrive.
    pub body_seconds: u64,
    /// Bytes of a body that must arrive in a second, after a start of five seconds.
    pub body_bytes_per_second: u64,
    /// How long a source may take to be fetched.
    pub fetch_seconds: u64,
    /// How long a job may wait and run.
    pub job_seconds: u64,
    /// Jobs that run at the same time.
    pub jobs_running: usize,
    /// Jobs that wait; further ones are refused.
    pub jobs_waiting: usize,
    /// Bytes of bodies that are being read or processed.
    pub bytes_in_flight: u64,
    /// The part of them that one client may use.
    pub bytes_in_flight_of_client: u64,
    /// Connections at the same time; further ones wait until one ends.
    pub connections: usize,
    /// Connections of one address, without a proxy in front; further ones are closed.
    pub connections_of_client: usize,
    /// How long a connection may be idle between two requests.
    pub idle_seconds: u64,
    /// How long a client may stall while it receives an answer.
    pub write_seconds: u64,
    /// Bytes of an answer that a client must take in a second, after a start of `write_seconds`.
    pub write_bytes_per_second: u64,
    /// Bytes of an address.
    pub address_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        let cores = parallel::parallelism().get();
        Limits {
            archive: ArchiveLimits::default(),
            job: JobLimits::default(),
            quota: QuotaLimits::default(),
            head_seconds: 5,
            body_seconds: 30,
            fetch_seconds: 30,
            body_bytes_per_second: 8 << 10,
            job_seconds: 20,
            jobs_running: cores,
            jobs_waiting: 64 * cores,
            bytes_in_flight: 512 << 20,
            bytes_in_flight_of_client: 256 << 20,
            connections: 20_000,
            connections_of_client: 1_000,
            idle_seconds: 15,
            write_seconds: 30,
            write_bytes_per_second: 8 << 10,
            address_bytes: 8 << 10,
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Config::new(SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)))
    }
}

impl Config {
    /// Returns true if tokens are configured.
    #[must_use]
    pub fn has_tokens(&self) -> bool {
        self.tokens.is_some() || !self.token_digests.is_empty()
    }

    /// Returns the seconds between the signal to end and the end of listening. Only a server that reports to its operators
    /// whether it is ready has a load balancer to wait for.
    #[must_use]
    pub fn drain(&self) -> u64 {
        self.drain_seconds.unwrap_or(if self.admin.is_some() { 5 } else { 0 })
    }

    /// Creates the configuration of a server on this address, with the default limits.
    #[must_use]
    pub fn new(bind: SocketAddr) -> Self {
        Config {
            bind,
            admin: None,
            allow_anonymous: false,
            token_digests: Vec::new(),
            tokens: None,
            cache_mb: 512,
            memory_mb: None,
            drain_seconds: None,
            log: Log::Off,
            behind_proxy: false,
            trusted_proxies: Vec::new(),
            fetch_hosts: Vec::new(),
            registries: Vec::new(),
            shared_cache: None,
            shared_key_file: None,
            signing_key_file: None,
            store: None,
            store_mb: 10 << 10,
            keep: None,
            shared_cache_seconds: 7 * 24 * 3600,
            otlp: None,
            site_origin: None,
            catalog: None,
            catalog_settings: None,
            limits: Limits::default(),
        }
    }

    /// Reads the configuration from the text of a file and single limits (`job.fuel=1000`).
    ///
    /// # Errors
    /// The text is not TOML, or it or a limit has an unknown name or a wrong type.
    pub fn read(file: &str, limits: &[String]) -> Result<Config, String> {
        let mut table: Table = file.parse().map_err(|error| format!("the configuration: {error}"))?;
        for limit in limits {
            let wrong = || format!("--limit {limit}: a limit is set as NAME=NUMBER, as in job.fuel=1000000");
            let (name, value) = limit.split_once('=').ok_or_else(wrong)?;
            let value: i64 = value.trim().replace('_', "").parse().map_err(|_| wrong())?;
            let mut at = &mut table;
            let path: Vec<&str> = std::iter::once("limits").chain(name.trim().split('.')).collect();
            let (last, folders) = path.split_last().ok_or_else(wrong)?;
            for folder in folders {
                let entry = at.entry(*folder).or_insert_with(|| Value::Table(Table::new()));
                at = entry.as_table_mut().ok_or_else(wrong)?;
            }
            at.insert((*last).to_owned(), Value::Integer(value));
        }
        table.try_into().map_err(|error| format!("the configuration: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_and_limits() {
        let file = "bind = '127.0.0.1:1'\nlog = 'json'\n[limits]\njob_seconds = 3\n[limits.job]\nfuel = 7\n";
        let config = Config::read(file, &["job.fuel=1_000".into(), "archive.entries=5".into()]).unwrap();
        assert_eq!(config.bind.port(), 1);
        assert_eq!(config.log, Log::Json);
        assert_eq!(config.limits.job.fuel, 1000);
        assert_eq!((config.limits.job_seconds, config.limits.archive.entries), (3, 5));
        assert_eq!(config.cache_mb, Config::default().cache_mb);
    }

    #[test]
    fn what_can_not_be() {
        for (file, limit, expected) in [
            ("unknown = 1", None, "unknown field `unknown`"),
            ("[limits]\nunknown = 1", None, "unknown field `unknown`"),
            ("", Some("job.fuel"), "NAME=NUMBER"),
            ("", Some("job.unknown=1"), "unknown field `unknown`"),
            ("", Some("body_seconds.x=1"), "invalid type"),
            ("", Some("job.fuel=-1"), "invalid value"),
        ] {
            let limits: Vec<String> = limit.into_iter().map(str::to_owned).collect();
            let error = Config::read(file, &limits).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
