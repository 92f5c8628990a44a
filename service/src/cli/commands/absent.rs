//! The commands that a build without the feature `network` or `signing` does not have: each says so.

use clap::Args;

use super::exit::ExitStatus;

/// The error of such a command.
const NO_NETWORK: &str = "this build of odsmith has no network, and starts no programs\nhelp: install odsmith for this \
                          machine, or ask a server";

/// Any arguments.
#[derive(Clone, Debug, Args)]
pub struct Arguments {
    /// Words that nothing reads
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    words: Vec<String>,
}

impl Arguments {
    /// Does nothing.
    ///
    /// # Errors
    /// This build has no such command.
    pub fn run(self) -> Result<ExitStatus, String> {
        Err(NO_NETWORK.to_owned())
    }
}

/// `odsmith catalog`.
pub mod catalog {
    pub use super::Arguments as Options;
}

/// `odsmith mcp`.
pub mod mcp {
    pub use super::Arguments as Options;
}

/// `odsmith serve`.
pub mod serve {
    pub use super::Arguments as Options;
}

/// `odsmith token`.
pub mod token {
    pub use super::Arguments as Options;
}

/// `odsmith verify`, without the feature `signing`.
#[cfg(not(feature = "signing"))]
pub mod verify {
    pub use super::Arguments as Options;
}

/// `odsmith tblgen --server`, and the models of servers.
pub mod remote {
    use std::process;

    use odsmith_tblgen::Call;

    use super::{super::to_stderr, NO_NETWORK};

    /// Ends the program with an error.
    pub fn run(_: String, call: Call) -> ! {
        to_stderr(format!("{}: --server: {NO_NETWORK}\n", call.program).as_bytes());
        process::exit(1)
    }

    /// Fetches nothing.
    ///
    /// # Errors
    /// This build has no network.
    pub fn get(server: &str, _: &str) -> Result<Vec<u8>, String> {
        Err(format!("{server}: {NO_NETWORK}"))
    }

    /// Sends nothing.
    ///
    /// # Errors
    /// This build has no network.
    pub fn post(server: &str, _: &str, _: Vec<u8>) -> Result<Vec<u8>, String> {
        Err(format!("{server}: {NO_NETWORK}"))
    }
}

/// `odsmith docs --watch` and `--open`.
pub mod watch {
    use super::{
        super::{display, docs::Options, exit::ExitStatus},
        NO_NETWORK,
    };

    /// Serves nothing.
    ///
    /// # Errors
    /// This build has no network.
    pub fn run(_: &Options) -> Result<ExitStatus, String> {
        Err(format!("--watch: {NO_NETWORK}"))
    }

    /// Opens no browser.
    pub fn open(_: &str) {
        display::warning("--open: this build of odsmith starts no browser");
    }
}

/// `odsmith tblgen --persistent_worker`.
pub mod worker {
    use odsmith_tblgen::WorkerCall;

    use super::{super::exit::ExitStatus, NO_NETWORK};

    /// Answers no request.
    ///
    /// # Errors
    /// This build cannot answer several requests at the same time.
    pub fn run(_: WorkerCall) -> Result<ExitStatus, String> {
        Err(format!("--persistent_worker: {NO_NETWORK}"))
    }
}
