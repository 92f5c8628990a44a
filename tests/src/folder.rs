//! Folders for the files that a test writes.

use std::{
    env,
    ffi::OsStr,
    fs,
    ops::Deref,
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU32, Ordering},
};

use crate::archive::files_below;

/// An empty folder, which is removed with its contents when the test ends.
#[derive(Debug)]
pub struct TestFolder(PathBuf);

impl TestFolder {
    /// Makes a folder whose name says which test it is of.
    ///
    /// # Panics
    /// When the system's folder for such files cannot be written.
    #[must_use]
    pub fn new(name: &str) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("odsmith-{name}-{}-{number}", process::id()));
        // An earlier process of the same number may have been killed.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        TestFolder(fs::canonicalize(path).expect("a folder"))
    }

    /// Writes a file, and the folders that it is in. Returns its path.
    ///
    /// # Panics
    /// When the file cannot be written.
    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) -> PathBuf {
        write(&self.0, path, content)
    }
}

/// Writes a file below a folder, and the folders that it is in. Returns its path.
///
/// # Panics
/// When the file cannot be written.
pub fn write(folder: &Path, path: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap_or(folder)).expect("a folder");
    fs::write(&path, content).expect("a file");
    path
}

/// Copies the files below a folder to another one.
///
/// # Panics
/// When that cannot be done.
pub fn copy(from: &Path, to: &Path) {
    for (path, bytes) in files_below(from) {
        write(to, &path, bytes);
    }
}

/// Makes a folder of these files and nothing else below Cargo's folder for tests, where it stays to be looked at.
///
/// # Panics
/// When the folder cannot be written.
#[must_use]
pub fn kept(parent: &str, name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(parent).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    for (path, text) in files {
        write(&folder, path, text);
    }
    folder
}

impl Deref for TestFolder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl AsRef<OsStr> for TestFolder {
    fn as_ref(&self) -> &OsStr {
        self.0.as_os_str()
    }
}

impl AsRef<Path> for TestFolder {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
