//! `odsmith token`: makes a new token for clients of a server.

use std::{fs::OpenOptions, io::Write, path::PathBuf};

use clap::Args;
use ring::rand::{SecureRandom, SystemRandom};

use super::{display, exit::ExitStatus};
use crate::{
    http::tokens::{self, Scope, Tokens},
    store::{disk, keys},
};

/// A name, and what the token is good for.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Its name in the log, as in ci
    name: String,
    /// The file of `odsmith serve --tokens` that its digest is added to; the server sees it within a second
    #[arg(long, value_name = "FILE")]
    file: PathBuf,
    /// Its scopes: read, generate (and read), publish, admin; may be repeated
    #[arg(long = "scope", value_name = "SCOPE", value_delimiter = ',', default_value = "generate")]
    scopes: Vec<Scope>,
    /// Its tenant: bundles and files that are named by digest are those of the same tenant
    #[arg(long, default_value = "")]
    tenant: String,
    /// The parts of registries that its clients may read, as in registry.example/dialects: projects of the catalogue, and
    /// dependencies of bundles; may be repeated [default: all]
    #[arg(long, value_name = "HOST/PREFIX", value_delimiter = ',')]
    registries: Vec<String>,
}

impl Options {
    /// Adds the digest to the file, and prints the token, which is stored nowhere else.
    ///
    /// # Errors
    /// The file cannot be written, or would be invalid.
    pub fn run(self) -> Result<ExitStatus, String> {
        let wrong = |error: std::io::Error| format!("{}: {}", self.file.display(), disk::reason(&error));
        let mut bytes = [0; 32];
        SystemRandom::new().fill(&mut bytes).map_err(|_| "the system gives no random bytes".to_owned())?;
        let token = format!("odsmith_{}", keys::hex(&bytes));
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&self.file).map_err(wrong)?;
        // An invalid file is not extended.
        Tokens::new(&[], Some(&self.file))?;
        let before = file.metadata().map_err(wrong)?.len();
        let gap = if before == 0 { "" } else { "\n" };
        let row = tokens::row(&self.name, &token, &self.scopes, &self.tenant, &self.registries);
        file.write_all(format!("{gap}{row}").as_bytes()).map_err(wrong)?;
        if let Err(error) = Tokens::new(&[], Some(&self.file)) {
            file.set_len(before).map_err(wrong)?;
            return Err(error);
        }
        display::print(&format!("{token}\n"))?;
        Ok(ExitStatus::Done)
    }
}
