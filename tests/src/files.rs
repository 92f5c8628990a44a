//! Files that tests give to the engine.

use std::{fs, path::PathBuf, sync::Arc};

use odsmith_engine::{bundle::Bundle, source::Files};

/// Texts by name, and all files below a folder on disk.
#[derive(Clone, Debug, Default)]
pub struct TestFiles {
    texts: Bundle,
    folder: PathBuf,
}

impl TestFiles {
    /// A text; other paths are relative to the working folder.
    #[must_use]
    pub fn of_text(name: &str, text: impl Into<Arc<[u8]>>) -> Self {
        TestFiles::default().and(name, text)
    }

    /// The files below a folder.
    #[must_use]
    pub fn below(folder: impl Into<PathBuf>) -> Self {
        TestFiles { folder: folder.into(), ..TestFiles::default() }
    }

    /// Adds a text, which comes before a file of that name.
    #[must_use]
    pub fn and(mut self, name: impl Into<String>, text: impl Into<Arc<[u8]>>) -> Self {
        self.texts.insert(name, text);
        self
    }
}

impl Files for TestFiles {
    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        self.texts.read(path).or_else(|| fs::read(self.folder.join(path)).ok().map(Arc::from))
    }
}
