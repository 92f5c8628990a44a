//! The definitions in each file of a project, collected from evaluations.

use std::collections::{BTreeMap, BTreeSet};

use odsmith_engine::{
    record::{Rec, Records},
    source::is_below,
};

use super::outputs;
use crate::pipeline::dependencies;

/// The definitions in one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileDefinitions {
    /// True if it defines an interface: interfaces are generated from their own file only.
    pub has_interfaces: bool,
    /// The dialects of its operations, types and attributes, and the dialects that it defines.
    pub dialects: BTreeSet<String>,
}

/// The definitions of each file from which C++ is generated, by path; files without such definitions are left out.
#[derive(Clone, Debug, Default)]
pub struct Definitions(BTreeMap<String, FileDefinitions>);

impl Definitions {
    /// Adds the definitions of an evaluation, except those in files of the library and of dependencies.
    pub fn add(&mut self, records: &Records, library_root: &str) {
        for (kind, def) in outputs::generated(records) {
            let Some(path) = path_of(def) else { continue };
            if is_below(path, library_root) || dependencies::is_foreign(path) {
                continue;
            }
            let file = self.0.entry(path.to_owned()).or_default();
            file.has_interfaces |= kind.is_interface();
            file.dialects.extend(kind.dialect_of(def).map(str::to_owned));
        }
    }

    /// Returns the definitions in a file, if it has any.
    #[must_use]
    pub fn of(&self, path: &str) -> Option<&FileDefinitions> {
        self.0.get(path)
    }
}

fn path_of(def: Rec<'_>) -> Option<&str> {
    def.records().sources().buffer_of(def.span()).map(|buffer| &*buffer.name)
}

#[cfg(test)]
impl<'d> FromIterator<(&'d str, bool, &'d [&'d str])> for Definitions {
    fn from_iter<T: IntoIterator<Item = (&'d str, bool, &'d [&'d str])>>(files: T) -> Self {
        let files = files.into_iter().map(|(path, has_interfaces, dialects)| {
            let dialects = dialects.iter().map(|&name| name.to_owned()).collect();
            (path.to_owned(), FileDefinitions { has_interfaces, dialects })
        });
        Definitions(files.collect())
    }
}
