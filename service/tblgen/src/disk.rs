//! The local disk: where the roots and what they include are read from.

use std::{
    error::Error,
    fs::{self, File, Metadata, OpenOptions},
    io::{self, Read},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use odsmith_engine::source::{Files, Stamp};

use crate::library;

/// The name under which standard input is a source file.
pub const STDIN: &str = "<stdin>";

/// Files of the local disk, relative to the working directory.
#[derive(Debug)]
pub struct Disk {
    /// A file that is already in memory, by the name that represents it.
    held: Option<(String, Arc<[u8]>)>,
    /// A file that was changed later than this may change again without another time.
    settled: SystemTime,
    /// Whether a file of a library was asked for that is not where it was looked for.
    lacks_library: AtomicBool,
}

/// Clocks of disks may be so late.
const LATENESS: Duration = Duration::from_secs(2);

impl Disk {
    /// The disk as it is now, with a file that was read already.
    #[must_use]
    pub fn holding(name: String, bytes: Arc<[u8]>) -> Self {
        Disk {
            held: Some((name, bytes)),
            settled: SystemTime::now() - LATENESS,
            lacks_library: AtomicBool::new(false),
        }
    }

    /// Whether a file of a library was asked for that is not where it was looked for.
    pub(crate) fn lacks_library(&self) -> bool {
        self.lacks_library.load(Ordering::Relaxed)
    }

    /// Where identity, length and times of a file say that it is the same.
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

/// An odd number without a pattern.
const MIXER: u64 = 0x9E37_79B9_7F4A_7C15;

/// When the state of a file was changed last (`ctime`), which programs can not set as they can the time of its contents;
/// and what is another number for another file.
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

/// Other systems have no such time: there, the bytes of files are compared.
#[cfg(not(unix))]
fn identity(_: &Metadata) -> Option<(Duration, [u64; 7])> {
    None
}

impl Files for Disk {
    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        match &self.held {
            Some((name, bytes)) if name == path => Some(bytes.clone()),
            _ => {
                let bytes = read(path).ok();
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
        match fs::metadata(path) {
            Ok(metadata) => self.stamp_of(&metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Stamp::Absent,
            Err(_) => Stamp::Unknown,
        }
    }
}

/// The bytes of a file, read to where they stay.
fn read(path: &str) -> io::Result<Arc<[u8]>> {
    let mut file = File::open(path)?;
    let length = usize::try_from(file.metadata()?.len()).unwrap_or(0);
    let mut bytes: Arc<[u8]> = std::iter::repeat_n(0, length).collect();
    if let Some(place) = Arc::get_mut(&mut bytes)
        && length > 0
        && file.read_exact(place).is_ok()
    {
        return Ok(bytes);
    }
    // What has no length before it is read: a pipe, for example.
    fs::read(path).map(Into::into)
}

/// Opens a regular file of a folder that others may write to. A link is not followed, and a pipe is not waited for.
///
/// # Errors
/// It cannot be opened; of the kind `InvalidData` if there is something other than a regular file.
pub fn open_regular(path: &Path, options: &mut OpenOptions) -> io::Result<(File, Metadata)> {
    let check = |about: Metadata| match about.is_file() {
        true => Ok(about),
        false => Err(io::Error::new(io::ErrorKind::InvalidData, "not a regular file")),
    };
    // Opening a device may already do something.
    check(fs::symlink_metadata(path)?)?;
    // It may have become a link or a pipe since.
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

/// Reads a file that [`open_regular`] has opened, but no more than `most` bytes.
///
/// # Errors
/// It cannot be read; of the kind `InvalidData` if it is longer.
pub fn read_at_most(file: &mut File, about: &Metadata, most: u64) -> io::Result<Vec<u8>> {
    let too_long = || io::Error::new(io::ErrorKind::InvalidData, "the file is too long");
    if about.len() > most {
        return Err(too_long());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(about.len()).unwrap_or(0));
    // It may become longer while it is read.
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_long()) } else { Ok(bytes) }
}

/// Whether an error says that a disk has no space, or no names, left.
#[must_use]
pub fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// A path as the engine has it, with slashes on every system, so that what is made of it is the same. Where a backslash
/// separates folders it becomes a slash, and elsewhere it is a part of a name.
#[must_use]
pub fn slashed(path: &str, separator: char) -> String {
    if separator == '\\' { path.replace(separator, "/") } else { path.to_owned() }
}

/// The text of an error without the system's number after it.
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
