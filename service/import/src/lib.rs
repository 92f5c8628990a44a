//! Reads a project's calls of mlir-tblgen from its build, and writes them as a manifest.
//!
//! * `project`: finds the build or the build files of a project, and reads them;
//! * `ninja`, `makefile`, `compile_commands`: the commands of a configured build;
//! * [`tablegen_files`]: the include folders that CMake lists for editors;
//! * `cmake`, `bazel`: the build files, if there is no build;
//! * [`functions`]: MLIR's own functions in CMake files;
//! * `command`: parses one command;
//! * `manifest`: turns all calls into a manifest.
//!
//! The readers take text and return `Call`s. Each unread part becomes a [`Warning`] with file and line. All files come
//! through [`Project`].

mod bazel;
mod cmake;
mod command;
mod compile_commands;
pub mod functions;
mod makefile;
mod manifest;
mod ninja;
mod project;
mod starlark;
pub mod tablegen_files;

use odsmith_engine::bundle::normalise;

pub use manifest::{Manifest, short_list};
pub use project::{Import, Project, import};

/// One call of mlir-tblgen, or of a similar tool in a project.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Call {
    /// The place in the build.
    origin: Origin,
    /// The name of the program.
    tool: String,
    /// The root file, as an absolute path.
    td: String,
    /// Include folders in their order, as absolute paths.
    includes: Vec<String>,
    /// Macros.
    defines: Vec<String>,
    /// The flags that choose the output, as the build spells them.
    flags: Vec<String>,
    /// The output, as an absolute path.
    output: String,
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
struct Reading {
    /// Calls, in the order of the build.
    calls: Vec<Call>,
    /// Calls of `odsmith generate`, whose manifests hold the outputs.
    jobs: Vec<command::Job>,
    /// Warnings about unread parts.
    warnings: Vec<Warning>,
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
fn absolute(folder: &str, path: &str) -> String {
    let whole = if path.starts_with('/') { path.to_owned() } else { format!("{folder}/{path}") };
    format!("/{}", normalise(&whole).unwrap_or_default())
}

/// Returns the part of a path below a folder; `.` for the folder itself.
fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    match path.strip_prefix(folder.trim_end_matches('/'))? {
        "" => Some("."),
        rest => rest.strip_prefix('/'),
    }
}

/// Returns a path relative to a folder.
fn relative(from: &str, to: &str) -> String {
    let split = |path: &str| -> Vec<String> {
        path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    let (from, to) = (split(from), split(to));
    let shared = from.iter().zip(&to).take_while(|(from, to)| from == to).count();
    let up = std::iter::repeat_n("..", from.len() - shared);
    let parts: Vec<&str> = up.chain(to[shared..].iter().map(String::as_str)).collect();
    if parts.is_empty() { ".".to_owned() } else { parts.join("/") }
}

/// Returns the folder that contains a file.
fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
