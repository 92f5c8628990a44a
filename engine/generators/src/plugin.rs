//! Generators that are programs of a project: a trait hides how they run.

use std::fmt;

use odsmith_tablegen::{cancel::Cancel, diagnostic::Diagnostic, limits::Limits, record::Records};

/// A generator that is a program of a project, with the options of one output.
pub trait Plugin: fmt::Debug + Send + Sync {
    /// Returns the flags that request the output.
    fn flags(&self) -> Vec<String>;

    /// Returns a text that names the program and its options, if the same text always gives the same output.
    fn key(&self) -> Option<String>;

    /// Makes the output.
    fn run(&self, cx: &PluginCx<'_>) -> PluginOutput;
}

/// The input of a plugin.
pub struct PluginCx<'r> {
    /// The records.
    pub records: &'r Records,
    /// The root file's path.
    pub source: &'r str,
    /// The path of the output.
    pub output: &'r str,
    /// The limits of the job.
    pub limits: &'r Limits,
    /// The number of the target's outputs that share its fuel.
    pub sharers: u64,
    /// Cancels the job.
    pub cancel: &'r Cancel,
}

/// The answer of a plugin.
#[derive(Debug, Default)]
pub struct PluginOutput {
    /// The text of the output; it counts only if there is no error.
    pub text: String,
    /// Messages, in order.
    pub diagnostics: Vec<Diagnostic>,
    /// Units of work that the program took.
    pub fuel: u64,
}
