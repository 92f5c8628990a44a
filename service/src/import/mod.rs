//! Reads a project's calls of mlir-tblgen from its build, and writes them as a manifest.
//!
//! * [`ninja`], [`makefile`], [`compile_commands`]: the commands of a configured build;
//! * [`tablegen_files`]: the include folders that CMake lists for editors;
//! * [`cmake`], [`bazel`]: the build files, if there is no build;
//! * [`command`]: parses one command;
//! * [`targets`]: turns all calls into a manifest.
//!
//! The readers take text and return [`Call`]s. Each unread part becomes a [`Warning`] with file and line.

pub mod bazel;
pub mod cmake;
pub mod command;
pub mod compile_commands;
pub mod makefile;
pub mod ninja;
pub mod starlark;
pub mod tablegen_files;
pub mod targets;

use odsmith_engine::bundle::normalise;

/// One call of mlir-tblgen, or of a similar tool in a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The place in the build.
    pub origin: Origin,
    /// The root file, as an absolute path.
    pub td: String,
    /// Include folders in their order, as absolute paths.
    pub includes: Vec<String>,
    /// Macros.
    pub defines: Vec<String>,
    /// The flags that choose the output, as the build spells them.
    pub flags: Vec<String>,
    /// The output, as an absolute path.
    pub output: String,
}

/// A line in a file of the build.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
}

/// A part of the build that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Warning {
    /// The place in the build.
    pub origin: Origin,
    /// The problem, and its consequence.
    pub message: String,
}

/// The result of a reader.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Calls, in the order of the build.
    pub calls: Vec<Call>,
    /// Warnings about unread parts.
    pub warnings: Vec<Warning>,
}

impl Reading {
    fn warn(&mut self, origin: &Origin, message: impl Into<String>) {
        let warning = Warning { origin: origin.clone(), message: message.into() };
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }
}

/// Makes a path absolute, relative to a folder, and removes `.` and `..`.
#[must_use]
pub fn absolute(folder: &str, path: &str) -> String {
    let whole = if path.starts_with('/') { path.to_owned() } else { format!("{folder}/{path}") };
    format!("/{}", normalise(&whole).unwrap_or_default())
}

/// Returns the part of a path below a folder; `.` for the folder itself.
#[must_use]
pub fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    match path.strip_prefix(folder.trim_end_matches('/'))? {
        "" => Some("."),
        rest => rest.strip_prefix('/'),
    }
}

/// Returns the folder that contains a file.
#[must_use]
pub fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
