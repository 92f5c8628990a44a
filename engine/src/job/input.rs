//! The input of evaluation: the files, include folders and macros that a root sees.

use std::sync::Arc;

use super::{Job, OnDeprecated, Target};
use crate::library::Library;
use odsmith_tablegen::{
    eval::{ops, snapshot::Input},
    source::{Files, Stamp},
    syntax::IncludePaths,
};

/// The settings of a root's evaluation; outputs with the same ones share it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Include folders, in order.
    pub includes: Vec<String>,
    /// Macros.
    pub defines: Vec<String>,
    /// True to keep quiet about unused template arguments.
    pub no_unused_warnings: bool,
    /// The reaction to a deprecated def that is used.
    pub on_deprecated: OnDeprecated,
}

impl Settings {
    /// Creates a target without outputs.
    #[must_use]
    pub fn target(self, td: impl Into<String>) -> Target {
        let Settings { includes, defines, no_unused_warnings, on_deprecated } = self;
        let warn_unused_template_args = !no_unused_warnings;
        Target { includes, defines, warn_unused_template_args, on_deprecated, ..Target::new(td) }
    }
}

/// A job's own files, then the library's.
#[derive(Clone, Copy)]
pub struct JobFiles<'a> {
    /// The library.
    pub library: &'a Library,
    /// The job's own files; they hide those of the library.
    pub own: &'a dyn Files,
}

impl Files for JobFiles<'_> {
    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        self.own.read(path).or_else(|| self.library.read(path))
    }

    fn stamp(&self, path: &str) -> Stamp {
        match self.own.stamp(path) {
            Stamp::Absent if self.library.read(path).is_some() => Stamp::Unknown,
            stamp => stamp,
        }
    }
}

impl Job {
    /// Returns the include folders of a target in search order: its own, the job's, the library.
    #[must_use]
    pub fn include_paths(&self, library: &Library, target: &Target) -> IncludePaths {
        let mut folders = target.includes.clone();
        folders.extend_from_slice(&self.includes);
        folders.push(library.root().to_owned());
        IncludePaths { folders, max_depth: self.limits.include_depth }
    }

    /// Returns the names of the macros that a target defines: the job's, then its own.
    pub(super) fn macros<'j>(&'j self, target: &'j Target) -> impl Iterator<Item = &'j String> {
        self.defines.iter().chain(&target.defines)
    }

    /// Returns the input of a target's evaluation.
    #[must_use]
    pub fn input<'f>(&self, target: &Target, files: &'f JobFiles<'f>) -> Input<'f> {
        Input {
            files,
            paths: self.include_paths(files.library, target),
            macros: self.macros(target).cloned().collect(),
            operators: ops::find,
            warns_of_unused: target.warn_unused_template_args,
            rules: *files.library.rules(),
            is_traced: false,
        }
    }
}
