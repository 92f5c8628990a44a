//! `odsmith serve`: serves everything over HTTP.

use std::{fs, net::SocketAddr, path::PathBuf, thread, time::Duration};

use actix_web::{rt, web::Data};
use clap::Args;
use futures_util::future::try_join_all;

use super::{display, exit::ExitStatus, options::MlirOptions, to_stderr, warn_of};
use crate::{
    config::{Config, Log},
    http::{app, signals, state::State},
    observe::memory::MemoryCeiling,
    pipeline::{
        library::{AUTOMATIC, Libraries, ProfileArgument},
        plugins::OfferedModules,
    },
    store::disk,
};

/// The arguments of `odsmith serve`; what is not given here comes from the file, or is the default.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// A file with any of what follows, every limit, and the digests of tokens that let clients in (TOML; see
    /// --print-config)
    #[arg(long, value_name = "FILE", env = "ODSMITH_CONFIG")]
    config: Option<PathBuf>,
    /// Print the whole configuration as a file would have it, and end
    #[arg(long)]
    print_config: bool,
    /// The address to listen on; port 0 takes a free one [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS", env = "ODSMITH_BIND")]
    bind: Option<SocketAddr>,
    /// The address of /livez, /readyz and /metrics; without one there are none. If other machines can reach it, /metrics
    /// needs a token of scope admin
    #[arg(long, value_name = "ADDRESS", env = "ODSMITH_ADMIN")]
    admin: Option<SocketAddr>,
    /// A file of tokens that let clients in, each with a name, scopes and perhaps a tenant; `odsmith token` makes one.
    /// It may change while the server runs
    #[arg(long, value_name = "FILE", env = "ODSMITH_TOKENS")]
    tokens: Option<PathBuf>,
    /// Let others than this machine in without a token; operators' pages excepted
    #[arg(long, env = "ODSMITH_ALLOW_ANONYMOUS")]
    allow_anonymous: bool,
    /// Megabytes of results that are kept in memory [default: 512]
    #[arg(long, value_name = "MB", env = "ODSMITH_CACHE_MB")]
    cache_mb: Option<u64>,
    /// Megabytes of memory that the server may take: above 70 % of them, requests that start work are refused with 503
    /// until others have ended; 0 means no ceiling [default: the limit of its control group]
    #[arg(long, value_name = "MB", env = "ODSMITH_MEMORY_MB")]
    memory_mb: Option<u64>,
    /// Seconds between SIGTERM and the end of listening, in which /readyz says 503 and requests are answered
    /// [default: 5 with --admin, else 0]
    #[arg(long, value_name = "SECONDS", env = "ODSMITH_DRAIN_SECONDS")]
    drain_seconds: Option<u64>,
    /// The form of the log line of each request, written to the standard error stream [default: off]
    #[arg(long, value_name = "FORM", env = "ODSMITH_LOG")]
    log: Option<Log>,
    /// The server is behind a proxy, which is trusted about the clients that requests come from (X-Forwarded-For)
    #[arg(long, env = "ODSMITH_BEHIND_PROXY")]
    behind_proxy: bool,
    /// A proxy, or a network of proxies as 10.0.0.0/8, that is trusted in the same way; may be repeated
    #[arg(long, value_name = "NETWORK", env = "ODSMITH_TRUSTED_PROXIES", value_delimiter = ',')]
    trusted_proxies: Vec<String>,
    /// A host that source archives may be fetched from, as in codeload.github.com; may be repeated
    #[arg(long = "fetch-host", value_name = "HOST", env = "ODSMITH_FETCH_HOSTS", value_delimiter = ',')]
    fetch_hosts: Vec<String>,
    /// A part of a registry that dependencies of bundles may come from, as their odsmith.lock names them: HOST/PREFIX. Redirects
    /// and logins of other hosts are refused, unless these are named as well; may be repeated
    #[arg(long = "registry", value_name = "HOST/PREFIX", env = "ODSMITH_REGISTRIES", value_delimiter = ',')]
    registries: Vec<String>,
    /// The store that other servers share results in: redis://host:port/ (rediss:// with TLS,
    /// redis+sentinel://host:port,host:port/service, redis+cluster://host:port,host:port),
    /// s3://bucket/prefix?endpoint=https://host&region=name with its keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY,
    /// or a cache that builds have, with /cas and /ac below https://host:port/prefix
    #[arg(long, value_name = "ADDRESS", env = "ODSMITH_SHARED_CACHE", hide_env_values = true)]
    shared_cache: Option<String>,
    /// A file with the key (at least 32 bytes) that seals what servers share. Without it, whoever can write to the shared
    /// cache decides what is served
    #[arg(long, value_name = "FILE", env = "ODSMITH_SHARED_KEY_FILE")]
    shared_key_file: Option<PathBuf>,
    /// A file with an Ed25519 key (`openssl genpkey -algorithm ed25519`), to sign where each result comes from:
    /// /v1/results/{key}.intoto.json, for `odsmith verify`
    #[arg(long, value_name = "FILE", env = "ODSMITH_SIGNING_KEY_FILE")]
    signing_key_file: Option<PathBuf>,
    /// A folder in which results and bundles are kept over a restart. Without it, and without a shared cache, the
    /// addresses of results are good until the server ends
    #[arg(long, value_name = "DIR", env = "ODSMITH_STORE")]
    store: Option<PathBuf>,
    /// Megabytes that the folder may take; what was used least recently goes first [default: 10240]
    #[arg(long, value_name = "MB", env = "ODSMITH_STORE_MB")]
    store_mb: Option<u64>,
    /// Drop from the folder what was not asked for in this time, as in 90d or 12h
    #[arg(long, value_name = "TIME", env = "ODSMITH_KEEP")]
    keep: Option<String>,
    /// The OpenTelemetry collector that takes a span for each request: http://host:4318
    #[arg(long, value_name = "ADDRESS", env = "OTEL_EXPORTER_OTLP_ENDPOINT")]
    otlp: Option<String>,
    /// Show reference sites at an origin of their own, and nothing else there; its host leads here as well
    #[arg(long, value_name = "ORIGIN", env = "ODSMITH_SITE_ORIGIN")]
    site_origin: Option<String>,
    /// Catalogue the dialects of a registry at /v1/catalog and /catalog: oci://HOST/PREFIX/, or oci-layout:DIR
    #[arg(long, value_name = "PLACE", env = "ODSMITH_CATALOG")]
    catalog: Option<String>,
    /// A file with the repositories of the catalogue, where the registry does not list them, and with owners
    #[arg(long, value_name = "FILE", env = "ODSMITH_CATALOG_SETTINGS")]
    catalog_settings: Option<PathBuf>,
    /// A limit by its name in /v1/limits, as in job.fuel=1000000; may be repeated. Of connections: connections and
    /// connections_of_client (how many), idle_seconds (between requests), head_seconds and body_seconds (for a request to
    /// arrive), write_seconds and write_bytes_per_second (for an answer to be taken)
    #[arg(long = "limit", value_name = "NAME=NUMBER", env = "ODSMITH_LIMITS", value_delimiter = ',')]
    limits: Vec<String>,
    #[command(flatten)]
    mlir: MlirOptions,
    /// A profile of `odsmith calibrate` that requests name as `?mlir=NAME`; its library is --library NAME=DIR, or else
    /// that of its base. May be repeated
    #[arg(
        long = "profile",
        value_name = "NAME=FILE",
        env = "ODSMITH_PROFILES",
        value_delimiter = ',',
        help_heading = "MLIR"
    )]
    profiles: Vec<ProfileArgument>,
    /// A WebAssembly module that requests name as a plugin without sending it. May be repeated
    #[arg(long = "plugin", value_name = "NAME=FILE", env = "ODSMITH_PLUGINS", value_delimiter = ',')]
    plugins: Vec<ProfileArgument>,
}

impl Options {
    fn config(&self) -> Result<Config, String> {
        let file = match &self.config {
            Some(path) => fs::read_to_string(path)
                .map_err(|error| format!("{}: {}", path.display(), disk::reason(&error)))?,
            None => String::new(),
        };
        let mut config = Config::read(&file, &self.limits)?;
        config.bind = self.bind.unwrap_or(config.bind);
        config.admin = self.admin.or(config.admin);
        config.allow_anonymous |= self.allow_anonymous;
        config.cache_mb = self.cache_mb.unwrap_or(config.cache_mb);
        config.memory_mb = self.memory_mb.or(config.memory_mb);
        config.drain_seconds = self.drain_seconds.or(config.drain_seconds);
        config.behind_proxy |= self.behind_proxy;
        config.tokens = self.tokens.clone().or(config.tokens);
        config.trusted_proxies.extend(self.trusted_proxies.iter().cloned());
        config.fetch_hosts.extend(self.fetch_hosts.iter().cloned());
        config.registries.extend(self.registries.iter().cloned());
        config.shared_cache = self.shared_cache.clone().or(config.shared_cache);
        config.shared_key_file = self.shared_key_file.clone().or(config.shared_key_file);
        config.signing_key_file = self.signing_key_file.clone().or(config.signing_key_file);
        config.store = self.store.clone().or(config.store);
        config.store_mb = self.store_mb.unwrap_or(config.store_mb);
        config.keep = self.keep.clone().or(config.keep);
        config.otlp = self.otlp.clone().or(config.otlp);
        config.site_origin = self.site_origin.clone().or(config.site_origin);
        config.catalog = self.catalog.clone().or(config.catalog);
        config.catalog_settings = self.catalog_settings.clone().or(config.catalog_settings);
        config.log = self.log.unwrap_or(config.log);
        config.drain_seconds = Some(config.drain());
        config.check()?;
        Ok(config)
    }

    /// Serves until SIGTERM or SIGINT.
    ///
    /// # Errors
    /// The configuration is wrong, the library is missing, or an address cannot be listened on.
    pub fn run(self) -> Result<ExitStatus, String> {
        let config = self.config()?;
        if self.print_config {
            let text = toml::to_string(&config).map_err(|error| error.to_string())?;
            return display::print(&text).map(|()| ExitStatus::Done);
        }
        free_memory_at_once(&config)?;
        if config.shared_cache.is_some() && config.shared_key_file.is_none() {
            let warning =
                "whoever can write to the shared cache decides what is served; see --shared-key-file";
            display::warning(warning);
        }
        let libraries = Libraries::of_server(&self.mlir.library, &self.profiles)?;
        let libraries = match self.mlir.release().filter(|name| *name != AUTOMATIC) {
            Some(name) => libraries.preferring(name)?,
            None => libraries,
        };
        libraries.preferred()?;
        let mut modules = OfferedModules::default();
        self.plugins.iter().try_for_each(|plugin| modules.add(&plugin.name, &plugin.file))?;
        let libraries = libraries.offering(modules);
        let described = libraries.names().map(|(name, release)| match release.name() == name {
            true => format!("MLIR {}", release.label()),
            false => format!("MLIR {name} on the base of {release}"),
        });
        let described = described.collect::<Vec<_>>().join("; ");
        let state = Data::new(State::new(&config, libraries)?);
        let of_state = state.clone().into_inner();
        of_state.guard_memory();
        thread::spawn(move || read_all(&of_state.libraries));
        rt::System::new().block_on(async move {
            let at = |address: SocketAddr| move |error: std::io::Error| format!("{address}: {error}");
            let (server, listening, address) =
                app::server(&config, state.clone()).map_err(at(config.bind))?;
            let mut running = vec![(server.handle(), listening)];
            let mut servers = vec![server];
            to_stderr(format!("odsmith: serving on http://{address}/ ({described})\n").as_bytes());
            if let Some(address) = config.admin {
                let (server, listening, address) =
                    app::admin_server(address, state.clone()).map_err(at(address))?;
                running.push((server.handle(), listening));
                servers.push(server);
                to_stderr(format!("odsmith: for its operators on http://{address}/metrics\n").as_bytes());
            }
            signals::end_on_signals(running, state.clone(), Duration::from_secs(config.drain()))
                .map_err(|error| format!("signals: {error}"))?;
            try_join_all(servers).await.map_err(|error| error.to_string())?;
            state.observers.flush().await;
            Ok::<_, String>(())
        })?;
        Ok(ExitStatus::Done)
    }
}

/// Starts the program again with an allocator that gives memory back to the system as soon as it is free, if there is a
/// ceiling. By default the allocator waits for more work, and a server above its mark takes none.
///
/// # Errors
/// The program cannot be started again.
#[cfg(unix)]
fn free_memory_at_once(config: &Config) -> Result<(), String> {
    use std::{env, os::unix::process::CommandExt, process::Command};
    const SETTING: &str = "MIMALLOC_PURGE_DELAY";
    if MemoryCeiling::new(config.memory_mb).most().is_none() || env::var_os(SETTING).is_some() {
        return Ok(());
    }
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let mut words = env::args_os();
    let name = words.next().unwrap_or_default();
    let error = Command::new(program).arg0(name).args(words).env(SETTING, "0").exec();
    Err(error.to_string())
}

#[cfg(not(unix))]
fn free_memory_at_once(_: &Config) -> Result<(), String> {
    Ok(())
}

/// Reads the libraries that no request has read yet, and warns of those that are of another release or unreadable.
fn read_all(libraries: &Libraries) {
    for (_, library) in libraries.all() {
        match library {
            Ok(library) => warn_of(library),
            Err(error) => display::warning(&error),
        }
    }
}
