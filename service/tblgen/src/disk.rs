//! The local disk, from which roots and included files are read.

use std::{
    collections::HashMap,
    error::Error,
    fs::{self, File, Metadata, OpenOptions},
    hash::{BuildHasher, Hasher, RandomState},
    io::{self, Read},
    path::{Path, PathBuf},
    sync::{
        Arc, LazyLock,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use odsmith_engine::{
    bundle::normalise,
    source::{Files, Stamp},
};

use crate::{environment::Environment, library};

/// The name under which standard input is a source file.
pub const STDIN: &str = "<stdin>";

/// Files of the local disk, as a call sees them.
#[derive(Debug)]
pub struct Disk {
    /// The folder that relative paths begin at; the working directory if it is empty.
    folder: PathBuf,
    /// The files that may be read by relative paths, with their stamps; `None` for all.
    inputs: Option<Arc<HashMap<String, Stamp>>>,
    /// A file already in memory, with its name.
    held: Option<(String, Arc<[u8]>)>,
    /// A file changed after this time may change again without getting a later time.
    settled: SystemTime,
    /// True once a library file was requested that was not found.
    lacks_library: AtomicBool,
}

/// The most that a disk's clock is assumed to lag.
const LATENESS: Duration = Duration::from_secs(2);

impl Disk {
    /// Creates a view of the disk with one file that has been read already.
    #[must_use]
    pub fn holding(environment: &Environment, name: String, bytes: Arc<[u8]>) -> Self {
        Disk {
            folder: environment.folder.clone(),
            inputs: environment.inputs.clone(),
            held: Some((name, bytes)),
            settled: SystemTime::now() - LATENESS,
            lacks_library: AtomicBool::new(false),
        }
    }

    /// Returns true if a library file was requested that was not found.
    pub(crate) fn lacks_library(&self) -> bool {
        self.lacks_library.load(Ordering::Relaxed)
    }

    /// Returns the stamp of a file if inputs are listed: `Absent` for one that may not be read.
    fn listed(&self, path: &str) -> Option<Stamp> {
        let inputs = self.inputs.as_ref().filter(|_| Path::new(path).is_relative())?;
        let stamp = inputs.get(path).or_else(|| inputs.get(&*normalise(path)?));
        Some(stamp.copied().unwrap_or(Stamp::Absent))
    }

    /// Returns a stamp that is equal as long as identity, length and times of a file show that it is unchanged.
    fn stamp_of(&self, metadata: &Metadata) -> Stamp {
        match identity(metadata) {
            Some((changed, facts)) if metadata.is_file() && UNIX_EPOCH + changed < self.settled => {
                Stamp::Known(
                    facts.iter().fold(0, |all, fact| (all ^ fact).wrapping_mul(MIXER).rotate_left(29)),
                )
            }
            _ => Stamp::Unknown,
        }
    }
}

/// An odd number without a pattern, for mixing.
const MIXER: u64 = 0x9E37_79B9_7F4A_7C15;

/// Returns the time of the last status change (`ctime`), which programs cannot set as they can `mtime`, and numbers
/// that identify the file and its version.
#[cfg(unix)]
fn identity(metadata: &Metadata) -> Option<(Duration, [u64; 7])> {
    use std::os::unix::fs::MetadataExt;
    let changed = Duration::new(metadata.ctime().try_into().unwrap_or(0), metadata.ctime_nsec() as u32);
    let facts = [
        metadata.dev(),
        metadata.ino(),
        metadata.len(),
        metadata.mtime() as u64,
        metadata.mtime_nsec() as u64,
        metadata.ctime() as u64,
        metadata.ctime_nsec() as u64,
    ];
    (metadata.ino() != 0).then_some((changed, facts))
}

/// Returns `None`: other systems have no `ctime`, so the bytes of files are compared.
#[cfg(not(unix))]
fn identity(_: &Metadata) -> Option<(Duration, [u64; 7])> {
    None
}

impl Files for Disk {
    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        match &self.held {
            Some((name, bytes)) if name == path => Some(bytes.clone()),
            _ => {
                let is_there = self.listed(path) != Some(Stamp::Absent);
                let bytes = is_there.then(|| read(&self.folder.join(path)).ok()).flatten();
                let top = path.split_once('/').map_or("", |(top, _)| top);
                if bytes.is_none() && library::TOPS.contains(&top) {
                    self.lacks_library.store(true, Ordering::Relaxed);
                }
                bytes
            }
        }
    }

    fn stamp(&self, path: &str) -> Stamp {
        if self.held.as_ref().is_some_and(|(name, _)| name == path) {
            return Stamp::Unknown;
        }
        if let Some(stamp) = self.listed(path)
            && stamp != Stamp::Unknown
        {
            return stamp;
        }
        match fs::metadata(self.folder.join(path)) {
            Ok(metadata) => self.stamp_of(&metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Stamp::Absent,
            Err(_) => Stamp::Unknown,
        }
    }
}

/// Reads a file straight into shared memory, without a further copy.
fn read(path: &Path) -> io::Result<Arc<[u8]>> {
    let mut file = File::open(path)?;
    let length = usize::try_from(file.metadata()?.len()).unwrap_or(0);
    let mut bytes: Arc<[u8]> = std::iter::repeat_n(0, length).collect();
    if let Some(place) = Arc::get_mut(&mut bytes)
        && length > 0
        && file.read_exact(place).is_ok()
    {
        return Ok(bytes);
    }
    // A pipe, for example, has no length before it is read.
    fs::read(path).map(Into::into)
}

/// Opens a regular file of a folder that other users may write to. It follows no link and does not wait for a pipe.
///
/// # Errors
/// The file cannot be opened; the kind is `InvalidData` if it is not a regular file.
pub fn open_regular(path: &Path, options: &mut OpenOptions) -> io::Result<(File, Metadata)> {
    let check = |about: Metadata| match about.is_file() {
        true => Ok(about),
        false => Err(io::Error::new(io::ErrorKind::InvalidData, "not a regular file")),
    };
    // Merely opening a device may have an effect.
    check(fs::symlink_metadata(path)?)?;
    // The file may have become a link or a pipe since.
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed());
    }
    let file = options.open(path)?;
    let about = check(file.metadata()?)?;
    Ok((file, about))
}

/// Reads at most `most` bytes of a file that [`open_regular`] has opened.
///
/// # Errors
/// The file cannot be read; the kind is `InvalidData` if it is longer.
pub fn read_at_most(file: &mut File, about: &Metadata, most: u64) -> io::Result<Vec<u8>> {
    let too_long = || io::Error::new(io::ErrorKind::InvalidData, "the file is too long");
    if about.len() > most {
        return Err(too_long());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(about.len()).unwrap_or(0));
    // The file may grow while it is read.
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_long()) } else { Ok(bytes) }
}

/// Returns a number that no other process has, for the names of files that are not finished. WebAssembly has no numbers
/// of processes.
#[must_use]
pub fn own_number() -> u64 {
    static NUMBER: LazyLock<u64> = LazyLock::new(|| RandomState::new().build_hasher().finish());
    *NUMBER
}

/// Returns true if an error says that a disk has no space, or no inodes, left.
#[must_use]
pub fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// Converts a path to the engine's form, with slashes on every system, so that outputs do not depend on the system. A
/// backslash becomes a slash only where it separates folders.
#[must_use]
pub fn slashed(path: &str, separator: char) -> String {
    if separator == '\\' { path.replace(separator, "/") } else { path.to_owned() }
}

/// Returns the text of an error without the system's error number.
#[must_use]
pub fn reason(error: &(dyn Error + 'static)) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backslashes_separate_folders_where_the_system_says_so() {
        assert_eq!(slashed(r"include\foo/x.td", '\\'), "include/foo/x.td");
        assert_eq!(slashed(r"include\foo/x.td", '/'), r"include\foo/x.td");
    }
}
