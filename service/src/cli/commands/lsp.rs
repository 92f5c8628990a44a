//! `odsmith lsp`: a language server.

use std::path::PathBuf;

use clap::Args;

use super::{display, exit::ExitStatus, options::MlirOptions};
use crate::cli::lsp::{
    self,
    configuration::{self, Editor},
    project::Sources,
};

/// The arguments of `odsmith lsp`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The folder of definitions, where the editor does not name one
    #[arg(value_name = "PATH")]
    root: Option<PathBuf>,
    /// Listen here in place of standard input and output, for one editor: `127.0.0.1:9257`
    #[arg(long, value_name = "ADDRESS")]
    socket: Option<String>,
    /// Ignored: some editors pass it to say that they use standard input and output
    #[arg(long, hide = true)]
    stdio: bool,
    /// Print the settings of an editor for this server, and exit
    #[arg(long, value_enum, value_name = "EDITOR")]
    print_config: Option<Editor>,
    #[command(flatten)]
    mlir: MlirOptions,
}

impl Options {
    /// Runs the command, until the editor ends it.
    ///
    /// # Errors
    /// The address cannot be listened on, or the editor's messages are malformed.
    pub fn run(self) -> Result<ExitStatus, String> {
        if let Some(editor) = self.print_config {
            return display::print(configuration::of(editor)).map(|()| ExitStatus::Done);
        }
        let sources = Sources { libraries: self.mlir.library, mlir: self.mlir.release, root: self.root };
        lsp::run(self.socket.as_deref(), sources)
    }
}
