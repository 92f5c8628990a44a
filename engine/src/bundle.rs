//! The files of a job.

use std::{collections::BTreeMap, sync::Arc};

use odsmith_tablegen::source::Files;

/// The uploaded files: normalised relative path (with `/`) to bytes.
///
/// The caller that fills it checks the paths: none is absolute, none holds `..`, `.`, an empty segment or `\`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bundle {
    files: BTreeMap<String, Arc<[u8]>>,
}

impl Bundle {
    /// Adds or replaces a file.
    pub fn insert(&mut self, path: impl Into<String>, bytes: impl Into<Arc<[u8]>>) {
        self.files.insert(path.into(), bytes.into());
    }

    /// Returns a file's bytes.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&Arc<[u8]>> {
        self.files.get(path)
    }

    /// Iterates over all files by path.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Arc<[u8]>)> {
        self.files.iter().map(|(path, bytes)| (path.as_str(), bytes))
    }

    /// Returns the number of files.
    #[must_use]
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Returns true if there is no file.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

impl Files for Bundle {
    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        self.files.get(path).or_else(|| self.files.get(normalise(path)?.as_str())).cloned()
    }
}

/// Normalises `a/./b/../c` to `a/c`; `None` if the path leads out of the root.
#[must_use]
pub fn normalise(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
