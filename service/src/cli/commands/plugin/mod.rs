//! `odsmith plugin`: help for those who write generators of their own.
//!
//! * `new`: writes a generator that works, with a test;
//! * `check`: runs one over hostile definitions;
//! * `types`: the types of the protocol in each language, from its schema;
//! * [`call`]: the plugin of a call of `odsmith tblgen`.

pub mod call;
mod check;
mod new;
mod types;

use clap::{Args, Subcommand};

use super::exit::ExitStatus;

/// The arguments of `odsmith plugin`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(subcommand)]
    action: Action,
}

/// A subcommand.
#[derive(Clone, Debug, Subcommand)]
enum Action {
    /// Write a generator that works, with a test
    New(new::Options),
    /// Run a generator twice over hostile definitions, and compare what it makes
    Check(check::Options),
}

impl Options {
    /// Runs the command.
    ///
    /// # Errors
    /// A file cannot be read or written.
    pub fn run(self) -> Result<ExitStatus, String> {
        match self.action {
            Action::New(options) => options.run(),
            Action::Check(options) => options.run(),
        }
    }
}
