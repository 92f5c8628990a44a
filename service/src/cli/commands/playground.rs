//! `odsmith playground`: writes the playground as files that need no server.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use clap::Args;
use odsmith_engine::library::Library;

use super::{Destination, display, exit::ExitStatus, library, wrote};
use crate::pipeline::playground;

/// The arguments of `odsmith playground`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// A release of MLIR that the playground has, as in 22; may be repeated, the preferred one first [default: all that are
    /// found here]
    #[arg(long = "mlir", alias = "release", value_name = "RELEASE")]
    release: Vec<String>,
    /// The module that answers in the browser [default: odsmith_web.wasm in the packages of odsmith]
    #[arg(long, value_name = "FILE", env = playground::VARIABLE)]
    module: Option<PathBuf>,
    /// A folder, or an archive by its name (.tar.gz, .tar.zst, .zip, .tar)
    #[arg(short, long, value_name = "OUT", default_value = "playground")]
    out: PathBuf,
}

impl Options {
    /// Runs the command.
    ///
    /// # Errors
    /// The module or a library is missing, or a file cannot be written.
    pub fn run(self) -> Result<ExitStatus, String> {
        let module = playground::module(self.module.as_deref())?;
        let libraries = library::packed(&self.release)?;
        let files = playground::files(&module, &libraries)?;
        let destination = Destination::new(&self.out, "playground", Path::new(""))?;
        let ((), counts) = destination.finish(true, destination.write(&files))?;
        display::closing(&wrote(files.len(), &self.out, &counts));
        Ok(ExitStatus::Done)
    }
}

/// Returns the files of a playground for one library.
pub(super) fn for_library(library: &Library) -> Result<BTreeMap<String, Vec<u8>>, String> {
    playground::files(
        &playground::module(None)?,
        &[(library.release().name().to_owned(), playground::library(library))],
    )
}
