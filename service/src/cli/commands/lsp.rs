//! `odsmith lsp`: a language server.

use std::{
    io::{Write, stdout},
    path::PathBuf,
    process::ExitCode,
};

use clap::Args;

use crate::{
    cli::lsp::{
        self,
        configuration::{self, Editor},
        project::Sources,
    },
    pipeline::library::LibraryArgument,
};

/// The arguments of `odsmith lsp`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Listen here in place of standard input and output, for one editor: `127.0.0.1:9257`
    #[arg(long, value_name = "ADDRESS")]
    socket: Option<String>,
    /// Ignored: some editors pass it to say that they use standard input and output
    #[arg(long, hide = true)]
    stdio: bool,
    /// Print the settings of an editor for this server, and exit
    #[arg(long, value_enum, value_name = "EDITOR")]
    print_config: Option<Editor>,
    /// The folder of definitions, where the editor does not name one
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Include folder of an MLIR release: `22=/path/to/include`, or the path alone
    #[arg(long, value_name = "[RELEASE=]DIR")]
    library: Vec<LibraryArgument>,
    /// MLIR release to be like
    #[arg(long, env = "ODSMITH_MLIR", value_name = "RELEASE")]
    mlir: Option<String>,
}

impl Options {
    /// Runs the command, until the editor ends it.
    ///
    /// # Errors
    /// The address cannot be listened on, or the editor's messages are malformed.
    pub fn run(self) -> Result<ExitCode, String> {
        if let Some(editor) = self.print_config {
            let text = configuration::of(editor);
            return match stdout().lock().write_all(text.as_bytes()) {
                Ok(()) => Ok(ExitCode::SUCCESS),
                Err(error) => Err(error.to_string()),
            };
        }
        let sources = Sources { libraries: self.library, mlir: self.mlir, root: self.root };
        lsp::run(self.socket.as_deref(), sources)
    }
}
