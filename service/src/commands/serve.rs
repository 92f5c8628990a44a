//! `odsmith serve`: all of this over HTTP.

use std::{net::SocketAddr, process::ExitCode};

use actix_web::{rt, web::Data};
use clap::Args;

use super::{LibraryOptions, to_stderr};
use crate::{app, config::Config, state::State};

/// What `odsmith serve` is told.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Where to listen; port 0 takes a free one
    #[arg(long, default_value = "127.0.0.1:8080", env = "ODSMITH_BIND")]
    bind: SocketAddr,
    /// Let others than this machine in without a token
    #[arg(long, env = "ODSMITH_ALLOW_ANONYMOUS")]
    allow_anonymous: bool,
    /// Megabytes of results that are kept in memory
    #[arg(long, default_value_t = 512, env = "ODSMITH_CACHE_MB")]
    cache_mb: u64,
    #[command(flatten)]
    library: LibraryOptions,
}

impl Options {
    /// Serves until SIGTERM or SIGINT.
    ///
    /// # Errors
    /// The library can not be found, or the address not be listened on.
    pub fn run(self) -> Result<ExitCode, String> {
        let config = Config {
            allow_anonymous: self.allow_anonymous,
            cache_bytes: self.cache_mb << 20,
            ..Config::new(self.bind)
        };
        config.check()?;
        let library = self.library.load()?;
        let described =
            format!("MLIR {}, {} library files", library.release().name(), library.paths().count());
        let state = State::new(&config, library).map_err(|error| error.to_string())?;
        rt::System::new().block_on(async move {
            let (server, addresses) = app::server(&config, Data::new(state))
                .map_err(|error| format!("{}: {error}", config.bind))?;
            for address in addresses {
                to_stderr(format!("odsmith: serving on http://{address}/ ({described})\n").as_bytes());
            }
            server.await.map_err(|error| error.to_string())
        })?;
        Ok(ExitCode::SUCCESS)
    }
}
