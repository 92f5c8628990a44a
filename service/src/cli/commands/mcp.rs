//! `odsmith mcp`: answers tools over the Model Context Protocol.

use std::path::PathBuf;

use clap::Args;

use super::exit::ExitStatus;
use crate::cli::mcp;

/// The arguments of `odsmith mcp`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The folder that tools may ask about; paths outside of it are refused
    #[arg(long, value_name = "DIR", default_value = ".")]
    root: PathBuf,
}

impl Options {
    /// Answers until standard input ends. No file of the root is written.
    ///
    /// # Errors
    /// The root is no folder, or the client breaks the protocol.
    pub fn run(self) -> Result<ExitStatus, String> {
        mcp::serve(self.root).map(|()| ExitStatus::Done)
    }
}
