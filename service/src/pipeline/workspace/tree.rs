//! A tree of folders and files, which is listed and read by the same code wherever it is.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use odsmith_engine::bundle::Bundle;

use crate::store::{disk, output_folder};

/// An entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeEntry {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: EntryKind,
}

/// The kind of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// A link to a file, with the real path of the file.
    FileLink(PathBuf),
    /// A link to a folder, with the real path of the folder.
    FolderLink(PathBuf),
}

/// A tree of files. Paths are below its root, with `/`; the root itself is the empty path.
pub trait Tree: Send + Sync {
    /// Returns the entries of a folder, sorted by name. Links to nothing are left out.
    ///
    /// # Errors
    /// The folder cannot be read; the message names it.
    fn entries(&self, folder: &str) -> Result<Vec<TreeEntry>, String>;

    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read; the message names it.
    fn read(&self, path: &str) -> Result<Arc<[u8]>, String>;

    /// Returns true if there is such a file.
    fn has_file(&self, path: &str) -> bool;

    /// Returns the real path of the root.
    fn real_root(&self) -> &Path;

    /// Returns true if hand-written pages are read as well as definitions.
    fn has_pages(&self) -> bool {
        true
    }

    /// Returns true if version 0.1.0, which left no markers, wrote a folder.
    fn is_output_of_first_version(&self, _: &str) -> bool {
        false
    }
}

/// The entries of folders, for trees that list files alone.
#[derive(Debug, Default)]
pub(super) struct FolderIndex(BTreeMap<String, Vec<TreeEntry>>);

impl FolderIndex {
    /// Adds an entry and the folders above it.
    pub fn add(&mut self, path: &str, kind: EntryKind) {
        let (mut path, mut kind) = (path, kind);
        loop {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            let is_new = !self.0.contains_key(folder);
            let entries = self.0.entry(folder.to_owned()).or_default();
            entries.push(TreeEntry { name: name.to_owned(), kind });
            if !is_new || folder.is_empty() {
                return;
            }
            (path, kind) = (folder, EntryKind::Folder);
        }
    }

    /// Sorts the entries of each folder.
    pub fn sort(&mut self) {
        for entries in self.0.values_mut() {
            entries.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        }
    }

    pub fn has(&self, folder: &str) -> bool {
        folder.is_empty() || self.0.contains_key(folder)
    }

    pub fn entries(&self, folder: &str) -> Result<Vec<TreeEntry>, String> {
        match self.0.get(folder) {
            Some(entries) => Ok(entries.clone()),
            None if folder.is_empty() => Ok(Vec::new()),
            None => Err(format!("'{folder}' is not there")),
        }
    }
}

/// The files of an archive.
pub(super) struct BundleTree<'b> {
    bundle: &'b Bundle,
    folders: FolderIndex,
}

impl<'b> BundleTree<'b> {
    pub fn new(bundle: &'b Bundle) -> BundleTree<'b> {
        let mut folders = FolderIndex::default();
        for (path, _) in bundle.iter() {
            folders.add(path, EntryKind::File);
        }
        folders.sort();
        BundleTree { bundle, folders }
    }
}

impl Tree for BundleTree<'_> {
    fn entries(&self, folder: &str) -> Result<Vec<TreeEntry>, String> {
        self.folders.entries(folder)
    }

    fn read(&self, path: &str) -> Result<Arc<[u8]>, String> {
        self.bundle.get(path).cloned().ok_or_else(|| format!("'{path}' is not there"))
    }

    fn has_file(&self, path: &str) -> bool {
        self.bundle.get(path).is_some()
    }

    fn real_root(&self) -> &Path {
        Path::new("")
    }
}

/// A folder of the disk.
#[derive(Debug)]
pub struct DiskTree {
    root: PathBuf,
}

impl DiskTree {
    /// Opens a folder by its real path.
    #[must_use]
    pub fn new(root: PathBuf) -> DiskTree {
        DiskTree { root }
    }

    fn place(&self, path: &str) -> PathBuf {
        if path.is_empty() { self.root.clone() } else { disk::place(&self.root, path) }
    }
}

impl Tree for DiskTree {
    fn entries(&self, folder: &str) -> Result<Vec<TreeEntry>, String> {
        let place = self.place(folder);
        let fail = |error: &std::io::Error| format!("{}: {}", place.display(), disk::reason(error));
        let mut entries = Vec::new();
        for entry in fs::read_dir(&place).map_err(|error| fail(&error))? {
            let entry = entry.map_err(|error| fail(&error))?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let own = entry.file_type().map_err(|error| fail(&error))?;
            let kind = if own.is_symlink() {
                // A link to nothing is not a file.
                let (Ok(about), Ok(real)) = (fs::metadata(entry.path()), fs::canonicalize(entry.path()))
                else {
                    continue;
                };
                match about.is_dir() {
                    true => EntryKind::FolderLink(real),
                    false if about.is_file() => EntryKind::FileLink(real),
                    false => continue,
                }
            } else if own.is_dir() {
                EntryKind::Folder
            } else if own.is_file() {
                EntryKind::File
            } else {
                continue;
            };
            entries.push(TreeEntry { name, kind });
        }
        entries.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        Ok(entries)
    }

    fn read(&self, path: &str) -> Result<Arc<[u8]>, String> {
        let place = self.place(path);
        let bytes = fs::read(&place);
        bytes.map(Into::into).map_err(|error| format!("{}: {}", place.display(), disk::reason(&error)))
    }

    fn has_file(&self, path: &str) -> bool {
        self.place(path).is_file()
    }

    fn real_root(&self) -> &Path {
        &self.root
    }

    fn is_output_of_first_version(&self, folder: &str) -> bool {
        output_folder::is_own(&self.place(folder))
    }
}
