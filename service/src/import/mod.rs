//! Reads what a project's build makes with mlir-tblgen, and writes it down as a manifest.
//!
//! * [`ninja`], [`makefile`], [`compile_commands`]: the commands of a build that is configured;
//! * [`tablegen_files`]: the include folders that CMake notes for editors;
//! * [`cmake`], [`bazel`]: the build files, where there is no build;
//! * [`command`]: one command, taken apart;
//! * [`targets`]: all of them, as a manifest.
//!
//! The readers take text and give [`Call`]s. What they can not read is a [`Warning`] with its file and line.

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

/// One call of mlir-tblgen, or of a project's own tool like it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Where the build says so.
    pub origin: Origin,
    /// The root file, as an absolute path.
    pub td: String,
    /// Include folders in their order, as absolute paths.
    pub includes: Vec<String>,
    /// Macros.
    pub defines: Vec<String>,
    /// What makes the output, as the build spells it.
    pub flags: Vec<String>,
    /// The output, as an absolute path.
    pub output: String,
}

/// A line of a file of the build.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
}

/// Something that was not read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Warning {
    /// Where it is.
    pub origin: Origin,
    /// What is wrong, and what becomes of it.
    pub message: String,
}

/// What a reader gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Calls, in the order of the build.
    pub calls: Vec<Call>,
    /// What was not read.
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

/// A path as an absolute one without `.` and `..`, seen from a folder.
#[must_use]
pub fn absolute(folder: &str, path: &str) -> String {
    let whole = if path.starts_with('/') { path.to_owned() } else { format!("{folder}/{path}") };
    format!("/{}", normalise(&whole).unwrap_or_default())
}

/// The rest of a path below a folder; `.` for the folder itself.
#[must_use]
pub fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    match path.strip_prefix(folder.trim_end_matches('/'))? {
        "" => Some("."),
        rest => rest.strip_prefix('/'),
    }
}

/// The folder that a file is in.
#[must_use]
pub fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
