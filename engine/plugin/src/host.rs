//! The host of a plugin: it runs a program with one stream in and one out, under limits.

use std::fmt;

use odsmith_tablegen::cancel::Cancel;

/// Runs the program of a plugin.
pub trait Host: fmt::Debug + Send + Sync {
    /// Returns the digest of the program, if the same input always gives the same output.
    fn digest(&self) -> Option<&str>;

    /// Runs the program once.
    fn run(&self, input: &[u8], allowance: &Allowance<'_>) -> Run;
}

/// The limits of a run.
#[derive(Clone, Copy, Debug)]
pub struct Allowance<'a> {
    /// Instructions; only hosts that count them have this limit.
    pub instructions: u64,
    /// Bytes of memory.
    pub memory_bytes: u64,
    /// Bytes of the output.
    pub output_bytes: u64,
    /// Ends the run.
    pub cancel: &'a Cancel,
}

/// The end of a run.
#[derive(Debug, Default)]
pub struct Run {
    /// The standard output.
    pub output: Vec<u8>,
    /// The beginning of the standard error.
    pub errors: Vec<u8>,
    /// The instructions that were executed.
    pub instructions: u64,
    /// The reason why the output does not count.
    pub fault: Option<Fault>,
}

/// The reasons why a run fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A limit was reached.
    Limit {
        /// The name of the limit.
        name: &'static str,
        /// Its value.
        most: u64,
        /// The unit of the value.
        unit: &'static str,
    },
    /// The job was cancelled.
    Cancelled,
    /// The program ended with a code that is not 0.
    Exit(i32),
    /// Anything else, as the end of a sentence about the plugin: `failed: unreachable`.
    Failed(String),
}

/// The most bytes of standard error that are kept.
pub const MOST_ERRORS: usize = 8 << 10;

/// Adds bytes to a stream, as far as there is room; returns whether all of them fit.
pub fn append(stream: &mut Vec<u8>, bytes: &[u8], most: u64) -> bool {
    let room = usize::try_from(most).unwrap_or(usize::MAX).saturating_sub(stream.len());
    stream.extend_from_slice(&bytes[..bytes.len().min(room)]);
    bytes.len() <= room
}
