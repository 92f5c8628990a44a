//! `odsmith serve`: all of this over HTTP.

use std::{
    fs,
    io::{Write, stdout},
    net::SocketAddr,
    path::PathBuf,
    process::ExitCode,
};

use actix_web::{rt, web::Data};
use clap::Args;
use futures_util::future::try_join_all;

use super::{LibraryOptions, to_stderr};
use crate::{
    app,
    config::{Config, Log},
    disk,
    state::State,
};

/// What `odsmith serve` is told; what is not said here stands in the file, or is as usual.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// A file with any of what follows, every limit, and the digests of tokens that let clients in (TOML; see
    /// --print-config)
    #[arg(long, value_name = "FILE", env = "ODSMITH_CONFIG")]
    config: Option<PathBuf>,
    /// Print the whole configuration as a file would have it, and end
    #[arg(long)]
    print_config: bool,
    /// Where to listen; port 0 takes a free one [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS", env = "ODSMITH_BIND")]
    bind: Option<SocketAddr>,
    /// Where /livez, /readyz and /metrics are; nowhere, if nothing is said
    #[arg(long, value_name = "ADDRESS", env = "ODSMITH_ADMIN")]
    admin: Option<SocketAddr>,
    /// Let others than this machine in without a token
    #[arg(long, env = "ODSMITH_ALLOW_ANONYMOUS")]
    allow_anonymous: bool,
    /// Megabytes of results that are kept in memory [default: 512]
    #[arg(long, value_name = "MB", env = "ODSMITH_CACHE_MB")]
    cache_mb: Option<u64>,
    /// What is written of each request to the standard error stream [default: off]
    #[arg(long, value_name = "FORM", env = "ODSMITH_LOG")]
    log: Option<Log>,
    /// Believe the proxy in front where it says where requests come from (X-Forwarded-For)
    #[arg(long, env = "ODSMITH_BEHIND_PROXY")]
    behind_proxy: bool,
    /// A host that source archives may be fetched from, as in codeload.github.com; may be repeated
    #[arg(long = "fetch-host", value_name = "HOST", env = "ODSMITH_FETCH_HOSTS", value_delimiter = ',')]
    fetch_hosts: Vec<String>,
    /// Where results are shared with other servers: redis://host:port/, or
    /// s3://bucket/prefix?endpoint=https://host&region=name with its keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY
    #[arg(long, value_name = "ADDRESS", env = "ODSMITH_SHARED_CACHE", hide_env_values = true)]
    shared_cache: Option<String>,
    /// Where a collector of OpenTelemetry takes a span for each request: http://host:4318
    #[arg(long, value_name = "ADDRESS", env = "OTEL_EXPORTER_OTLP_ENDPOINT")]
    otlp: Option<String>,
    /// Show reference sites at an origin of their own, and nothing else there; its host leads here as well
    #[arg(long, value_name = "ORIGIN", env = "ODSMITH_SITE_ORIGIN")]
    site_origin: Option<String>,
    /// A limit by its name in /v1/limits, as in job.fuel=1000000; may be repeated
    #[arg(long = "limit", value_name = "NAME=NUMBER", env = "ODSMITH_LIMITS", value_delimiter = ',')]
    limits: Vec<String>,
    #[command(flatten)]
    library: LibraryOptions,
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
        config.behind_proxy |= self.behind_proxy;
        config.fetch_hosts.extend(self.fetch_hosts.iter().cloned());
        config.shared_cache = self.shared_cache.clone().or(config.shared_cache);
        config.otlp = self.otlp.clone().or(config.otlp);
        config.site_origin = self.site_origin.clone().or(config.site_origin);
        config.log = self.log.unwrap_or(config.log);
        config.check()?;
        Ok(config)
    }

    /// Serves until SIGTERM or SIGINT.
    ///
    /// # Errors
    /// The configuration is wrong, the library can not be found, or an address not be listened on.
    pub fn run(self) -> Result<ExitCode, String> {
        let config = self.config()?;
        if self.print_config {
            let text = toml::to_string(&config).map_err(|error| error.to_string())?;
            stdout().lock().write_all(text.as_bytes()).map_err(|error| error.to_string())?;
            return Ok(ExitCode::SUCCESS);
        }
        let library = self.library.load()?;
        let described =
            format!("MLIR {}, {} library files", library.release().name(), library.paths().count());
        let state = Data::new(State::new(&config, library)?);
        rt::System::new().block_on(async move {
            let at = |address: SocketAddr| move |error: std::io::Error| format!("{address}: {error}");
            let (server, addresses) = app::server(&config, state.clone()).map_err(at(config.bind))?;
            let mut servers = vec![server];
            for address in addresses {
                to_stderr(format!("odsmith: serving on http://{address}/ ({described})\n").as_bytes());
            }
            if let Some(address) = config.admin {
                let (server, addresses) = app::admin_server(address, state.clone()).map_err(at(address))?;
                servers.push(server);
                for address in addresses {
                    to_stderr(format!("odsmith: for its operators on http://{address}/metrics\n").as_bytes());
                }
            }
            try_join_all(servers).await.map_err(|error| error.to_string())?;
            state.observers.flush().await;
            Ok::<_, String>(())
        })?;
        Ok(ExitCode::SUCCESS)
    }
}
