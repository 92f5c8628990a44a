//! Image layouts on disk: the cache, what a project keeps of its dependencies, and what other tools copy.
//!
//! ```text
//! oci-layout                     {"imageLayoutVersion":"1.0.0"}
//! index.json                     manifests, with their tags
//! blobs/sha256/4497c7…           a blob or manifest by its digest
//! ```
//!
//! A blob is named by its digest before it can be seen, and hashed again when it is read: a damaged one counts as
//! missing. `index.json` is bookkeeping, written under a lock.

use std::{
    fs::{self, File},
    hash::{BuildHasher as _, Hasher as _, RandomState},
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::{
        LazyLock,
        atomic::{AtomicU32, Ordering},
    },
};

use super::{
    artifact::Artifact,
    digest::Digest,
    manifest::{Descriptor, INDEX, Index, MANIFEST, REF_NAME},
    referrers,
};

/// The text of the file `oci-layout`.
const MARK: &str = "{\"imageLayoutVersion\":\"1.0.0\"}";

/// An image layout.
#[derive(Clone, Debug)]
pub struct Layout {
    folder: PathBuf,
}

impl Layout {
    /// Names the layout in a folder, which need not exist.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Layout {
        Layout { folder: folder.into() }
    }

    /// Returns whether the folder has a layout.
    #[must_use]
    pub fn exists(&self) -> bool {
        self.folder.join("oci-layout").is_file()
    }

    fn place(&self, digest: &Digest) -> PathBuf {
        self.folder.join("blobs/sha256").join(digest.hex())
    }

    /// Reads a blob; nothing if it is missing or damaged.
    #[must_use]
    pub fn blob(&self, digest: &Digest) -> Option<Vec<u8>> {
        let place = self.place(digest);
        let bytes = fs::read(&place).ok()?;
        if Digest::of(&bytes) == *digest {
            return Some(bytes);
        }
        // The next call fetches it anew.
        let _ = fs::remove_file(place);
        None
    }

    /// Writes a blob, and returns its digest.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn put(&self, bytes: &[u8]) -> Result<Digest, String> {
        let digest = Digest::of(bytes);
        let place = self.place(&digest);
        if fs::metadata(&place).is_ok_and(|data| data.len() == bytes.len() as u64)
            && self.blob(&digest).is_some()
        {
            return Ok(digest);
        }
        if !self.exists() {
            write(&self.folder.join("oci-layout"), MARK.as_bytes())?;
        }
        write(&place, bytes)?;
        Ok(digest)
    }

    /// Reads the list of manifests.
    ///
    /// # Errors
    /// There is no layout, or its list is broken.
    pub fn index(&self) -> Result<Index, String> {
        let place = self.folder.join("index.json");
        match fs::read(&place) {
            Ok(bytes) => Index::read(&bytes).map_err(|why| format!("{}: {why}", place.display())),
            Err(error) if error.kind() == io::ErrorKind::NotFound && self.exists() => Ok(Index::default()),
            Err(_) if !self.exists() => Err(format!("'{}' is no OCI image layout", self.folder.display())),
            Err(error) => Err(format!("{}: {error}", place.display())),
        }
    }

    /// Returns the manifest with a tag.
    ///
    /// # Errors
    /// There is no layout, or no such tag in it.
    pub fn tag(&self, tag: &str) -> Result<Descriptor, String> {
        let index = self.index()?;
        let mut tagged = index.manifests.into_iter();
        tagged
            .find(|it| it.annotations.get(REF_NAME).map(String::as_str) == Some(tag))
            .ok_or_else(|| format!("'{}' has no tag '{}'", self.folder.display(), tag.escape_debug()))
    }

    /// Adds manifests to the list. One with a tag replaces the one that has it.
    ///
    /// # Errors
    /// The list cannot be read or written.
    pub fn list(&self, new: Vec<Descriptor>) -> Result<(), String> {
        let place = self.folder.join("index.json");
        fs::create_dir_all(&self.folder).map_err(|error| format!("{}: {error}", self.folder.display()))?;
        let lock = self.folder.join("index.lock");
        let wrong = |error: io::Error| format!("{}: {error}", lock.display());
        let file = File::create(&lock).map_err(wrong)?;
        file.lock().map_err(wrong)?;
        if !self.exists() {
            write(&self.folder.join("oci-layout"), MARK.as_bytes())?;
        }
        let mut index = self.index()?;
        if index.media_type.is_empty() {
            INDEX.clone_into(&mut index.media_type);
        }
        let tag = |it: &Descriptor| it.annotations.get(REF_NAME).cloned();
        for it in new {
            index.manifests.retain(|old| match tag(&it) {
                Some(own) => tag(old).as_ref() != Some(&own),
                None => old.digest != it.digest || tag(old).is_some(),
            });
            index.manifests.push(it);
        }
        index.manifests.sort_by(|a, b| (tag(a), &a.digest).cmp(&(tag(b), &b.digest)));
        let before = fs::read(&place).unwrap_or_default();
        let after = index.to_json();
        if before == after { Ok(()) } else { write(&place, &after) }
    }

    /// Writes an artifact with its reports under a tag.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn publish(&self, tag: &str, artifact: &Artifact) -> Result<(), String> {
        let mut subject = Descriptor::of(MANIFEST, &artifact.bytes);
        subject.artifact_type.clone_from(&artifact.manifest.artifact_type);
        for blob in &artifact.blobs {
            self.put(&blob.bytes)?;
        }
        self.put(&artifact.bytes)?;
        let mut listed = Vec::new();
        for report in &artifact.reports {
            self.put(b"{}")?;
            self.put(&report.bytes)?;
            let (entry, bytes) = referrers::manifest_of(report, &subject, artifact.manifest.media_types());
            self.put(&bytes)?;
            listed.push(entry);
        }
        subject.annotations.insert(REF_NAME.to_owned(), tag.to_owned());
        listed.push(subject);
        self.list(listed)
    }
}

/// Writes a file beside its place, and renames it: readers see all of it or nothing.
fn write(place: &Path, bytes: &[u8]) -> Result<(), String> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    /// A number that no other process has.
    static OWN: LazyLock<u64> = LazyLock::new(|| RandomState::new().build_hasher().finish());
    let wrong = |error: io::Error| format!("{}: {error}", place.display());
    if let Some(folder) = place.parent() {
        fs::create_dir_all(folder).map_err(wrong)?;
    }
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    let part = place.with_file_name(format!(".{name}.{:x}.{number}", *OWN));
    let written = File::create(&part).and_then(|mut file| file.write_all(bytes));
    written.and_then(|()| fs::rename(&part, place)).map_err(|error| {
        let _ = fs::remove_file(&part);
        wrong(error)
    })
}
