//! A store in a folder: the file system is its index.
//!
//! ```text
//! DIR/results/ab/abcd…   an entry; its modification time is the time of its last use
//! DIR/bundles/ab/abcd…
//! DIR/places/ab/abcd…    the digest of a file, and the result that contains it
//! DIR/new/…              entries that are being written
//! ```
//!
//! An entry is written to a temporary file, synced to the disk, and then renamed, so that a name has either all of its
//! bytes or none, even if the process or the machine fails. Several processes may use one folder: each step is atomic
//! in the file system, and an entry removed by one of them is missing for the others.
//!
//! Other programs may write to the folder as well. Only regular files of a limited size are read, links are not
//! followed, and only files with the names of entries are removed to free space: when the store is full, and when the
//! disk is.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    process,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use actix_web::web;
use futures_util::{FutureExt, future::ready};

use super::{
    EntryKind,
    sealed::{Answer, Backend, Failure, Rest},
};
use crate::{
    config::Config,
    store::{
        disk::{is_full, open_regular, read_at_most, reason},
        keys,
    },
};

const KINDS: [EntryKind; 3] = [EntryKind::Results, EntryKind::Bundles, EntryKind::Places];
/// The size of a disk block: sizes are rounded up to it.
const BLOCK: u64 = 4096;
/// After writing this part of the store's size, a process counts the entries of all processes again.
const SWEEPS: u64 = 16;
/// After this part of the store's size was written, it is filling up: uses in memory must be marked before a sweep.
const FILLS: u64 = 64;
/// Maximum bytes of a place, which is a key and a path.
const MOST_PLACE: u64 = 16 << 10;
/// Bytes that an entry may have besides its content: its head, and the overhead of compression.
const EXTRA: u64 = 1 << 20;
/// Maximum number of attempts to write an entry to a full disk; older entries are removed before each further one.
const MOST_ATTEMPTS: usize = 4;
/// The part of all entries that is removed when the disk is full.
const PART: u64 = 20;
/// The age at which the unfinished file of a writer that has ended is removed.
const ABANDONED: Duration = Duration::from_secs(3600);

/// A store in a folder.
#[derive(Clone, Debug)]
pub struct Folder(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    root: PathBuf,
    most_bytes: u64,
    /// Maximum bytes of an entry to read.
    most_entry: u64,
    /// How long after its last use an entry is kept.
    keep: Option<Duration>,
    /// Bytes of all entries, as far as this process knows.
    bytes: AtomicU64,
    /// Bytes written since the last sweep.
    written: AtomicU64,
    /// Bytes written since the last call of `is_filling`.
    fresh: AtomicU64,
    number: AtomicU64,
    /// Distinguishes the files of this process from those of others, also on another machine.
    start: u128,
    sweep: Mutex<()>,
    /// How often space was freed on a full disk.
    freed: AtomicU64,
    fault: Mutex<Option<String>>,
}

/// An entry in the file system.
struct Entry {
    used: SystemTime,
    bytes: u64,
    path: PathBuf,
}

impl Folder {
    /// Opens the folder that a configuration names, if it names one; creates it if it is missing. `most_result` is the
    /// maximum size of a result.
    ///
    /// # Errors
    /// It cannot be created, or its configuration is wrong.
    pub fn new(config: &Config, most_result: u64) -> Result<Option<Folder>, String> {
        let Some(root) = &config.store else {
            return match &config.keep {
                Some(_) => Err("keep: nothing is kept without a store (--store DIR)".to_owned()),
                None => Ok(None),
            };
        };
        let start = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let inner = Inner {
            root: root.clone(),
            most_bytes: config.store_mb.saturating_mul(1 << 20),
            most_entry: most_result.max(config.limits.archive.body_bytes).saturating_add(EXTRA),
            keep: config.keep.as_deref().map(duration).transpose()?,
            bytes: AtomicU64::new(0),
            written: AtomicU64::new(0),
            fresh: AtomicU64::new(0),
            number: AtomicU64::new(0),
            start,
            sweep: Mutex::new(()),
            freed: AtomicU64::new(0),
            fault: Mutex::new(None),
        };
        // All folders are created now, so that no entry has to wait until a new one is on the disk.
        let folders = KINDS.into_iter().flat_map(|kind| {
            let folder = inner.folder(kind);
            (0..=u8::MAX).map(move |start| folder.join(format!("{start:02x}")))
        });
        for place in [inner.new_files()].into_iter().chain(folders) {
            match fs::create_dir_all(&place) {
                Ok(()) => {}
                // A full disk can be read, and written to as soon as there is space.
                Err(error) if is_full(&error) => {
                    inner.fail(&error);
                    break;
                }
                Err(error) => return Err(format!("store: {}: {}", place.display(), reason(&error))),
            }
        }
        for kind in KINDS {
            // Some file systems cannot sync a folder; they are used without it.
            let _ = sync(&inner.folder(kind));
        }
        inner.sweep(0);
        Ok(Some(Folder(Arc::new(inner))))
    }
}

/// Parses a duration in days, hours, minutes or seconds: `90d`, `12h`, `30m`, `5s`.
///
/// # Errors
/// It is malformed.
pub fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("keep: '{text}' is not a time as 90d, 12h, 30m or 5s are");
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    let unit = match &text[digits.len()..] {
        "d" => 24 * 3600,
        "h" => 3600,
        "m" => 60,
        "s" => 1,
        _ => return Err(wrong()),
    };
    number.checked_mul(unit).filter(|seconds| *seconds > 0).map(Duration::from_secs).ok_or_else(wrong)
}

impl Backend for Folder {
    fn get<'s>(&'s self, kind: EntryKind, name: &'s str, _: &'s Rest) -> Answer<'s, Option<Vec<u8>>> {
        let (inner, name) = (self.0.clone(), name.to_owned());
        let read = web::block(move || inner.read(&inner.place(kind, &name), inner.most(kind)));
        async { read.await.ok().and_then(Result::ok).ok_or(Failure { is_gone: false }) }.boxed_local()
    }

    fn put<'s>(&'s self, kind: EntryKind, name: &'s str, entry: Vec<u8>, _: &'s Rest) -> Answer<'s, ()> {
        let (inner, name) = (self.0.clone(), name.to_owned());
        let write = web::block(move || {
            // Places only refer to other entries, and may be lost.
            let is_forced = kind != EntryKind::Places;
            let written = inner.write(&inner.place(kind, &name), &entry, is_forced);
            match &written {
                Ok(()) if is_forced => *lock(&inner.fault) = None,
                Err(error) if is_forced => inner.fail(error),
                Ok(()) | Err(_) => {}
            }
            written
        });
        async { write.await.ok().and_then(Result::ok).ok_or(Failure { is_gone: false }) }.boxed_local()
    }

    fn has<'s>(&'s self, kind: EntryKind, name: &'s str, _: &'s Rest) -> Answer<'s, bool> {
        let is_there = self.0.place(kind, name).is_file();
        ready(Ok(is_there)).boxed_local()
    }

    /// Returns false: an answer that names a result waits until the result is stored.
    fn is_best_effort(&self) -> bool {
        false
    }

    fn touch(&self, kind: EntryKind, name: &str) {
        if let Ok((file, _)) = open_regular(&self.0.place(kind, name), File::options().append(true)) {
            touch(&file);
        }
    }

    fn is_filling(&self) -> bool {
        let fresh = &self.0.fresh;
        let is_much = fresh.load(Ordering::Relaxed) > self.0.most_bytes / FILLS;
        if is_much {
            fresh.store(0, Ordering::Relaxed);
        }
        is_much
    }

    fn remove(&self, kind: EntryKind, name: &str) {
        let place = self.0.place(kind, name);
        // Another process may have removed it. If it is not a file, it is removed too.
        if fs::remove_file(&place).is_err() {
            let _ = fs::remove_dir_all(place);
        }
    }

    fn size(&self) -> Option<u64> {
        Some(self.0.bytes.load(Ordering::Relaxed))
    }

    fn fault(&self) -> Option<String> {
        lock(&self.0.fault).clone()
    }
}

impl Inner {
    fn folder(&self, kind: EntryKind) -> PathBuf {
        self.root.join(format!("{}s", kind.word()))
    }

    fn new_files(&self) -> PathBuf {
        self.root.join("new")
    }

    /// Returns the path of an entry. The first two hex digits of its name are its folder.
    fn place(&self, kind: EntryKind, name: &str) -> PathBuf {
        self.folder(kind).join(name.get(..2).unwrap_or("-")).join(name)
    }

    fn is_old(&self, used: SystemTime) -> bool {
        // A time in the future comes from another clock.
        self.keep.is_some_and(|keep| used.elapsed().is_ok_and(|age| age > keep))
    }

    /// Reads an entry. Anything but a regular file reads as an empty entry, which fails every check and is removed.
    fn read(&self, place: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
        unlink_folder(place);
        let opened = open_regular(place, File::options().read(true).append(true));
        // A read-only disk can still be read.
        let opened = opened.or_else(|_| open_regular(place, File::options().read(true)));
        let (mut file, about) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                return match error.kind() {
                    io::ErrorKind::NotFound => Ok(None),
                    io::ErrorKind::InvalidData => Ok(Some(Vec::new())),
                    _ => Err(error),
                };
            }
        };
        if about.modified().is_ok_and(|used| self.is_old(used)) {
            let _ = fs::remove_file(place);
            return Ok(None);
        }
        let entry = match read_at_most(&mut file, &about, most) {
            Err(error) if error.kind() == io::ErrorKind::InvalidData => return Ok(Some(Vec::new())),
            entry => entry?,
        };
        touch(&file);
        Ok(Some(entry))
    }

    fn most(&self, kind: EntryKind) -> u64 {
        match kind {
            EntryKind::Places | EntryKind::Jobs => MOST_PLACE,
            _ => self.most_entry,
        }
    }

    fn write(&self, place: &Path, entry: &[u8], is_forced: bool) -> io::Result<()> {
        let bytes = (entry.len() as u64).next_multiple_of(BLOCK);
        if bytes > self.most_bytes {
            return Err(io::Error::other("an entry is larger than the whole store may be"));
        }
        self.fresh.fetch_add(bytes, Ordering::Relaxed);
        let written = self.written.fetch_add(bytes, Ordering::Relaxed) + bytes;
        let is_over = self.bytes.load(Ordering::Relaxed) + bytes > self.most_bytes;
        if is_over || written > self.most_bytes / SWEEPS {
            self.sweep(bytes);
        }
        let mut attempts = 1;
        loop {
            let freed = self.freed.load(Ordering::Relaxed);
            let number = self.number.fetch_add(1, Ordering::Relaxed);
            let beside = self.new_files().join(format!("{}-{}-{number}", self.start, process::id()));
            let Err(error) = self.write_beside(&beside, place, entry, is_forced) else {
                self.bytes.fetch_add(bytes, Ordering::Relaxed);
                return Ok(());
            };
            let _ = fs::remove_file(&beside);
            if !is_full(&error) || attempts == MOST_ATTEMPTS || !self.free(bytes, freed) {
                return Err(error);
            }
            attempts += 1;
        }
    }

    fn write_beside(&self, beside: &Path, place: &Path, entry: &[u8], is_forced: bool) -> io::Result<()> {
        let create = || File::options().write(true).create_new(true).open(beside);
        let mut file = create().or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => fs::create_dir_all(self.new_files()).and_then(|()| create()),
            _ => Err(error),
        })?;
        file.write_all(entry)?;
        if is_forced {
            file.sync_all()?;
        }
        let folder = place.parent().unwrap_or(&self.root);
        unlink_folder(place);
        if !folder.is_dir() {
            fs::create_dir_all(folder)?;
            sync(folder.parent().unwrap_or(&self.root))?;
        }
        fs::rename(beside, place)?;
        // The name is on the disk only after its folder is synced.
        if is_forced { sync(folder) } else { Ok(()) }
    }

    fn fail(&self, error: &io::Error) {
        *lock(&self.fault) = Some(reason(error));
    }

    /// Removes entries that are too old, and then the least recently used ones until there are `bytes` free.
    fn sweep(&self, bytes: u64) {
        let _one = lock(&self.sweep);
        self.written.store(0, Ordering::Relaxed);
        self.remove_until(|swept| {
            // Frees somewhat more than needed, so that not every write to a full store has to sweep.
            let most = match swept.bytes.saturating_add(bytes) > self.most_bytes {
                true => self.most_bytes - self.most_bytes / PART,
                false => self.most_bytes,
            };
            swept.bytes_left().saturating_add(bytes) <= most
        });
    }

    /// Frees space for `bytes` on a disk that is full although the store is not: the disk is smaller than the store may
    /// be, has no free inodes, or is used by other programs too. `freed` is the value of `self.freed` before the entry
    /// was written. Returns true if it is worth writing the entry again.
    fn free(&self, bytes: u64, freed: u64) -> bool {
        let _one = lock(&self.sweep);
        if self.freed.load(Ordering::Relaxed) != freed {
            // Another writer has just freed space.
            return true;
        }
        let swept = self.remove_until(|swept| {
            swept.bytes_removed >= bytes.max(swept.bytes / PART)
                && swept.entries_removed > swept.entries / PART
        });
        let mut has_freed = swept.entries_removed > 0;
        if !has_freed {
            // An empty folder takes an inode as well, and is created again when an entry needs it.
            let folders = KINDS.into_iter().flat_map(|kind| self.folders(kind));
            has_freed = folders.filter(|folder| fs::remove_dir(folder).is_ok()).count() > 0;
        }
        self.freed.fetch_add(u64::from(has_freed), Ordering::Relaxed);
        has_freed
    }

    /// Removes entries that are too old, and then the least recently used ones until `is_enough` is true.
    fn remove_until(&self, is_enough: impl Fn(&Swept) -> bool) -> Swept {
        let mut entries = Vec::new();
        for folder in KINDS.into_iter().flat_map(|kind| self.folders(kind)) {
            entries.extend(list(&folder).filter(is_of_entry).filter_map(|file| entry(&file)));
        }
        let is_abandoned = |file: &Entry| file.used.elapsed().is_ok_and(|age| age > ABANDONED);
        let unfinished = list(&self.new_files()).filter(is_unfinished).filter_map(|file| entry(&file));
        for file in unfinished.filter(is_abandoned) {
            let _ = fs::remove_file(file.path);
        }
        let mut swept = Swept {
            bytes: entries.iter().map(|entry| entry.bytes).sum(),
            entries: entries.len() as u64,
            bytes_removed: 0,
            entries_removed: 0,
        };
        // By the last use, then by name, so that all processes choose alike.
        let by_use: BTreeMap<(SystemTime, PathBuf), u64> =
            entries.into_iter().map(|entry| ((entry.used, entry.path), entry.bytes)).collect();
        for ((used, path), size) in by_use {
            if is_enough(&swept) && !self.is_old(used) {
                break;
            }
            if fs::remove_file(path).is_ok() {
                swept.bytes_removed += size;
                swept.entries_removed += 1;
            }
        }
        self.bytes.store(swept.bytes_left(), Ordering::Relaxed);
        swept
    }

    /// Returns the folders that contain the entries of a kind.
    fn folders(&self, kind: EntryKind) -> impl Iterator<Item = PathBuf> + use<> {
        let is_folder = |folder: &fs::DirEntry| {
            let name = folder.file_name();
            let is_hex = name.len() == 2 && name.as_encoded_bytes().iter().all(u8::is_ascii_hexdigit);
            is_hex && folder.file_type().is_ok_and(|kind| kind.is_dir())
        };
        list(&self.folder(kind)).filter(is_folder).map(|folder| folder.path())
    }
}

/// The totals of the entries that a sweep found, and of those that it removed.
struct Swept {
    bytes: u64,
    entries: u64,
    bytes_removed: u64,
    entries_removed: u64,
}

impl Swept {
    fn bytes_left(&self) -> u64 {
        self.bytes - self.bytes_removed
    }
}

/// Removes a link in the place of an entry's folder: its target does not belong to this store.
fn unlink_folder(place: &Path) {
    if let Some(folder) = place.parent()
        && folder.is_symlink()
    {
        let _ = fs::remove_file(folder);
    }
}

/// Returns true if a file has the name of an entry: it begins with a digest.
fn is_of_entry(file: &fs::DirEntry) -> bool {
    file.file_name().to_str().and_then(|name| name.get(..64)).is_some_and(keys::is_key)
}

/// Returns true if a file has the name of an unfinished entry.
fn is_unfinished(file: &fs::DirEntry) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    file.file_name()
        .to_str()
        .is_some_and(|name| name.split('-').count() == 3 && name.split('-').all(is_number))
}

/// Returns the entries of a folder; none if the folder is missing.
fn list(folder: &Path) -> impl Iterator<Item = fs::DirEntry> + use<> {
    fs::read_dir(folder).into_iter().flatten().flatten()
}

fn entry(file: &fs::DirEntry) -> Option<Entry> {
    let about = file.metadata().ok().filter(fs::Metadata::is_file)?;
    Some(Entry {
        used: about.modified().ok()?,
        bytes: about.len().next_multiple_of(BLOCK),
        path: file.path(),
    })
}

/// Marks a file as used. Where that fails, entries are removed in the order in which they were written.
fn touch(file: &File) {
    let _ = file.set_modified(SystemTime::now());
}

/// Syncs the names in a folder to the disk.
#[cfg(unix)]
fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Does nothing: on other systems a folder cannot be opened, and its names are written with the files.
#[cfg(not(unix))]
fn sync(_: &Path) -> io::Result<()> {
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // No code that can panic runs under the locks.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str, keep: Option<&str>) -> (Folder, PathBuf) {
        let root = std::env::temp_dir().join(format!("odsmith-store-{name}-{}", process::id()));
        let _ = fs::remove_dir_all(&root);
        let config = Config {
            store: Some(root.clone()),
            store_mb: 1,
            keep: keep.map(str::to_owned),
            ..Config::default()
        };
        (Folder::new(&config, 1 << 20).unwrap().unwrap(), root)
    }

    fn name(number: u32) -> String {
        format!("{number:064x}")
    }

    impl Folder {
        fn read(&self, number: u32) -> Option<Vec<u8>> {
            self.0.read(&self.0.place(EntryKind::Results, &name(number)), self.0.most_entry).unwrap()
        }

        fn write(&self, number: u32, entry: &[u8]) -> io::Result<()> {
            self.0.write(&self.0.place(EntryKind::Results, &name(number)), entry, true)
        }

        fn age(&self, number: u32, seconds: u64) {
            let file =
                File::options().append(true).open(self.0.place(EntryKind::Results, &name(number))).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
        }
    }

    #[test]
    fn the_least_recently_used_goes_first() {
        let (store, root) = folder("lru", None);
        let entry = vec![1; 180 << 10];
        for number in 0..5 {
            store.write(number, &entry).unwrap();
            store.age(number, 100 - u64::from(number));
        }
        // The oldest is used, so that the next one is removed.
        assert!(store.read(0).is_some());
        store.write(5, &entry).unwrap();
        let there: Vec<bool> = (0..6).map(|number| store.read(number).is_some()).collect();
        assert_eq!(there, [true, false, true, true, true, true]);
        assert_eq!(store.size(), Some(5 * (180 << 10)));
        assert!(store.write(9, &vec![0; (1 << 20) + 1]).is_err());
        // Another process sees the same entries, and counts them.
        let config = Config { store: Some(root.clone()), store_mb: 1, ..Config::default() };
        let other = Folder::new(&config, 1 << 20).unwrap().unwrap();
        assert_eq!((other.size(), other.read(5).is_some()), (Some(5 * (180 << 10)), true));
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_store_that_fills_says_so_once() {
        let (store, root) = folder("fills", None);
        assert!(!store.is_filling());
        store.write(0, &vec![1; 10 << 10]).unwrap();
        assert!(!store.is_filling());
        store.write(1, &vec![1; 10 << 10]).unwrap();
        assert!(store.is_filling() && !store.is_filling());
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn what_was_not_used_for_long_goes() {
        let (store, root) = folder("keep", Some("1h"));
        for number in 0..3 {
            store.write(number, b"x").unwrap();
        }
        store.age(0, 3_700);
        store.age(1, 3_500);
        assert_eq!([0, 1].map(|number| store.read(number).is_some()), [false, true]);
        store.age(2, 3_700);
        store.0.sweep(0);
        assert!(!store.0.place(EntryKind::Results, &name(2)).exists());
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn what_a_writer_left_is_removed() {
        let (store, root) = folder("left", None);
        let left = store.0.new_files().join("1-2-3");
        fs::write(&left, "half an en").unwrap();
        store.0.sweep(0);
        assert!(left.exists(), "its writer may be at it");
        File::options().append(true).open(&left).unwrap().set_modified(UNIX_EPOCH).unwrap();
        store.0.sweep(0);
        assert!(!left.exists());
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn times() {
        assert_eq!(duration("90d"), Ok(Duration::from_secs(90 * 24 * 3600)));
        assert_eq!(duration("12h"), Ok(Duration::from_secs(12 * 3600)));
        for wrong in ["", "d", "90", "1y", "-1d", "0s", "99999999999999999999d", "18446744073709551615d"] {
            assert!(duration(wrong).unwrap_err().contains("90d"), "{wrong}");
        }
    }
}
