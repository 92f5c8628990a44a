//! The surroundings of a call: those of its process, or of one of many calls in a process.

use std::{
    borrow::Cow,
    collections::HashMap,
    io::{self, IsTerminal, Write},
    mem,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use odsmith_engine::{cancel::Cancel, job::CheckpointStore, source::Stamp};

use crate::{Failure, checkpoints, output::stream_failure};

/// The folder that a call's paths begin at, its streams, and what it shares with other calls.
#[derive(Debug, Default)]
pub struct Environment {
    /// The folder; the working directory if it is empty.
    pub folder: PathBuf,
    /// The files that may be read by relative paths, with their stamps; `None` for all files of the disk.
    pub inputs: Option<Arc<HashMap<String, Stamp>>>,
    /// The states and outputs of earlier calls.
    pub states: Option<Arc<dyn CheckpointStore>>,
    /// Ends the call early.
    pub cancel: Cancel,
    /// The bytes for standard output and standard error, in order; `None` to print them.
    printed: Option<Mutex<Vec<u8>>>,
}

impl Environment {
    /// Returns the environment of a process that makes one call.
    #[must_use]
    pub fn of_process() -> Environment {
        Environment { states: checkpoints::of_environment(), ..Environment::default() }
    }

    /// Returns one whose streams are kept in memory.
    #[must_use]
    pub fn captured() -> Environment {
        Environment { printed: Some(Mutex::default()), ..Environment::default() }
    }

    /// Returns the bytes that were printed, if they are kept in memory.
    #[must_use]
    pub fn into_printed(self) -> Vec<u8> {
        let printed = self.printed.unwrap_or_default();
        printed.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the place of a path of the call.
    #[must_use]
    pub fn place<'p>(&self, path: &'p str) -> Cow<'p, Path> {
        if self.folder.as_os_str().is_empty() {
            Cow::Borrowed(Path::new(path))
        } else {
            Cow::Owned(self.folder.join(path))
        }
    }

    /// Frees a value that a call leaves. A process that makes one call ends soon, and would only lose time.
    pub(crate) fn dispose<T>(&self, value: T) {
        if !self.is_captured() {
            mem::forget(value);
        }
    }

    /// Returns true if the streams of the process are not the call's.
    pub(crate) fn is_captured(&self) -> bool {
        self.printed.is_some()
    }

    /// Returns true if messages go to a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        !self.is_captured() && io::stderr().is_terminal()
    }

    /// Prints messages.
    pub fn to_stderr(&self, bytes: &[u8]) {
        match &self.printed {
            Some(printed) => printed.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes),
            // No other stream is left for the error.
            None => drop(io::stderr().lock().write_all(bytes)),
        }
    }

    /// Prints an output.
    pub(crate) fn to_stdout(&self, bytes: &[u8]) -> Result<(), Failure> {
        let mut out = self.stdout();
        out.write_all(bytes).and_then(|()| out.flush()).map_err(|error| stream_failure(&error))
    }

    /// Returns the standard output.
    pub(crate) fn stdout(&self) -> Box<dyn Write + '_> {
        match &self.printed {
            Some(printed) => Box::new(Captured(printed)),
            None => Box::new(io::stdout().lock()),
        }
    }
}

/// A stream in memory.
struct Captured<'e>(&'e Mutex<Vec<u8>>);

impl Write for Captured<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
