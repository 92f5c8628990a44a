//! The disk cache of evaluation states and outputs, for the next call of `odsmith tblgen` or `generate`: a folder with
//! one file for each.
//!
//! The cache only ever saves work. Files are written under another name and then renamed, so that concurrent processes
//! see whole files. The engine checks digests and ignores files that do not match. Errors here (no folder, no
//! permission, a full disk) are ignored.

use std::{
    env,
    ffi::{OsStr, OsString},
    fs::{self, File},
    io::{self, Write},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, SystemTime},
};

use odsmith_engine::job::CheckpointStore;

use crate::disk;

/// The environment variable for the cache: a folder, or `off`.
pub const VARIABLE: &str = "ODSMITH_CACHE";

/// The environment variable for the user's cache folder.
const CACHES: &str = if cfg!(windows) { "LOCALAPPDATA" } else { "XDG_CACHE_HOME" };

/// The approximate limit of all states, in bytes; the least recently used are removed first.
const MOST_BYTES: u64 = 1 << 30;
/// The most bytes of one state; longer files are ignored.
const MOST_STATE: u64 = 1 << 28;
/// The age of the last use below which a state is not marked as used again.
const MARKED: Duration = Duration::from_secs(3600);
/// The age at which unfinished files are removed: the process that wrote them has ended.
const ABANDONED: Duration = Duration::from_secs(3600);
const SUFFIX: &str = "state";
/// The suffix of an empty file that records that a state would have been useful.
const NOTE_SUFFIX: &str = "note";
/// The age at which notes are removed.
const FORGOTTEN: Duration = Duration::from_secs(30 * 24 * 3600);

/// Opens the folder named by `ODSMITH_CACHE`, or else `odsmith/states` in the user's cache folder.
///
/// Returns `None` if the variable is `off` or there is no such folder.
#[must_use]
pub fn of_environment() -> Option<Arc<dyn CheckpointStore>> {
    let folder = CheckpointFolder::named(env::var_os(VARIABLE), env::var_os(CACHES), env::var_os("HOME"));
    folder.map(|folder| -> Arc<dyn CheckpointStore> { Arc::new(folder) })
}

/// A folder of states.
#[derive(Debug)]
struct CheckpointFolder {
    root: PathBuf,
    most_bytes: u64,
}

impl CheckpointFolder {
    fn named(own: Option<OsString>, caches: Option<OsString>, home: Option<OsString>) -> Option<Self> {
        let given = |name: Option<OsString>| name.filter(|name| !name.is_empty()).map(PathBuf::from);
        let root = match given(own) {
            Some(root) if root.as_os_str() == "off" => return None,
            Some(root) => root,
            None => {
                let caches = given(caches).filter(|caches| caches.is_absolute());
                caches.or_else(|| Some(given(home)?.join(".cache")))?.join("odsmith/states")
            }
        };
        Some(CheckpointFolder { root, most_bytes: MOST_BYTES })
    }

    fn place(&self, key: &str) -> PathBuf {
        self.root.join(key).with_extension(SUFFIX)
    }

    /// Writes a file under a temporary name that no other process uses, then renames it.
    fn write(&self, key: &str, parts: &[&[u8]]) -> io::Result<()> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let unfinished = self.root.join(format!("{key}.{:x}-{number}.new", disk::own_number()));
        let create = || File::options().write(true).create_new(true).open(&unfinished);
        let mut file = create().or_else(|_| {
            fs::create_dir_all(&self.root)?;
            create()
        })?;
        let mut parts = parts.iter();
        let written = parts
            .try_for_each(|part| file.write_all(part))
            .and_then(|()| fs::rename(&unfinished, self.place(key)));
        if written.is_err() {
            // Remove the unfinished file, ignoring errors.
            let _ = fs::remove_file(&unfinished);
        }
        written
    }

    /// Removes the least recently used files if there are more than `most` bytes, until a quarter of the limit, or of
    /// the present size, is free.
    fn shrink(&self, most: u64) {
        let now = SystemTime::now();
        let mut files = Vec::new();
        let mut total = 0;
        for entry in fs::read_dir(&self.root).into_iter().flatten().flatten() {
            let (path, Ok(metadata)) = (entry.path(), entry.metadata()) else { continue };
            let Ok(used) = metadata.modified() else { continue };
            if path.extension().is_some_and(|extension| extension == SUFFIX) {
                total += metadata.len();
                files.push((used, metadata.len(), path));
                continue;
            }
            let age = now.duration_since(used).unwrap_or_default();
            let is_old = match path.extension().and_then(OsStr::to_str) {
                Some("new") => age > ABANDONED,
                Some(NOTE_SUFFIX) => age > FORGOTTEN,
                _ => false,
            };
            if is_old {
                let _ = fs::remove_file(path);
            }
        }
        if total <= most {
            return;
        }
        let goal = total.min(self.most_bytes) / 4 * 3;
        files.sort();
        for (_, bytes, path) in files {
            if total <= goal {
                break;
            }
            if fs::remove_file(path).is_ok() {
                total -= bytes;
            }
        }
    }
}

impl CheckpointStore for CheckpointFolder {
    fn load(&self, key: &str) -> Option<Vec<u8>> {
        let place = self.place(key);
        let (mut file, about) = match disk::open_regular(&place, File::options().read(true)) {
            Ok(opened) => opened,
            Err(error) => {
                if error.kind() == io::ErrorKind::InvalidData {
                    let _ = fs::remove_file(&place);
                }
                return None;
            }
        };
        let bytes = disk::read_at_most(&mut file, &about, MOST_STATE.min(self.most_bytes)).ok()?;
        // The time of change marks the last use: many disks do not record access times.
        let now = SystemTime::now();
        if about.modified().is_ok_and(|used| now.duration_since(used).is_ok_and(|age| age > MARKED)) {
            let marked = disk::open_regular(&place, File::options().append(true));
            let _ = marked.and_then(|(file, _)| file.set_modified(now));
        }
        Some(bytes)
    }

    fn save(&self, key: &str, parts: &[&[u8]]) {
        match self.write(key, parts) {
            // One save in sixteen checks the size of the folder; keys are digests.
            Ok(()) if key.ends_with('0') => self.shrink(self.most_bytes),
            // Make room for the next call.
            Err(error) if disk::is_full(&error) => self.shrink(0),
            Ok(()) | Err(_) => {}
        }
    }

    fn note(&self, key: &str) -> bool {
        let place = self.root.join(key).with_extension(NOTE_SUFFIX);
        let create = || File::options().write(true).create_new(true).open(&place);
        let noted = create().or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => fs::create_dir_all(&self.root).and_then(|()| create()),
            _ => Err(error),
        });
        noted.is_err_and(|error| error.kind() == io::ErrorKind::AlreadyExists)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str, most_bytes: u64) -> CheckpointFolder {
        let root = env::temp_dir().join(format!("odsmith-states-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        CheckpointFolder { root, most_bytes }
    }

    #[test]
    fn the_environment_names_the_folder() {
        let root = |own: Option<&str>, caches: Option<&str>, home: Option<&str>| {
            CheckpointFolder::named(own.map(Into::into), caches.map(Into::into), home.map(Into::into))
                .map(|folder| folder.root.display().to_string())
        };
        assert_eq!(root(Some("off"), Some("/c"), Some("/h")), None);
        assert_eq!(root(Some("there"), Some("/c"), Some("/h")).as_deref(), Some("there"));
        assert_eq!(root(Some(""), Some("/c"), Some("/h")).as_deref(), Some("/c/odsmith/states"));
        assert_eq!(root(None, Some("relative"), Some("/h")).as_deref(), Some("/h/.cache/odsmith/states"));
        assert_eq!(root(None, None, None), None);
    }

    #[test]
    fn what_was_saved_is_loaded() {
        let folder = folder("plain", MOST_BYTES);
        assert_eq!(folder.load("a1"), None);
        folder.save("a1", &[b"one"]);
        folder.save("a1", &[b"t", b"wo"]);
        assert_eq!(folder.load("a1").as_deref(), Some(&b"two"[..]));
        let names: Vec<_> = fs::read_dir(&folder.root).expect("a folder").flatten().collect();
        assert_eq!(names.len(), 1, "{names:?}");
        fs::remove_dir_all(&folder.root).expect("a folder of this test");
    }

    /// Other users may write to the folder: anything but a regular file is ignored, and never waited for.
    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_no_state() {
        let folder = folder("hostile", MOST_BYTES);
        folder.save("a1", &[b"one"]);
        let link = |to: &str, key: &str| std::os::unix::fs::symlink(to, folder.place(key)).expect("a link");
        link("a1.state", "a2");
        link("/dev/zero", "a3");
        let pipe = std::process::Command::new("mkfifo").arg(folder.place("a4")).status().expect("mkfifo");
        assert!(pipe.success());
        File::create(folder.place("a5")).and_then(|file| file.set_len(1 << 33)).expect("a sparse file");
        for key in ["a2", "a3", "a4", "a5"] {
            assert_eq!(folder.load(key), None, "{key}");
            folder.save(key, &[b"two"]);
            assert_eq!(folder.load(key).as_deref(), Some(&b"two"[..]), "{key}");
        }
        assert_eq!(folder.load("a1").as_deref(), Some(&b"one"[..]));
        fs::remove_dir_all(&folder.root).expect("a folder of this test");
    }

    #[test]
    fn a_quarter_makes_way_on_a_full_disk() {
        let folder = folder("small", MOST_BYTES);
        for number in 0..8 {
            folder.save(&format!("a{number}1"), &[&[0; 100]]);
        }
        folder.shrink(0);
        let kept = (0..8).filter(|number| folder.place(&format!("a{number}1")).exists()).count();
        assert_eq!(kept, 6);
        fs::remove_dir_all(&folder.root).expect("a folder of this test");
    }

    #[test]
    fn a_second_note_finds_the_first() {
        let folder = folder("noted", MOST_BYTES);
        assert!(!folder.note("a1"));
        assert!(!folder.note("a2"));
        assert!(folder.note("a1"));
        fs::remove_dir_all(&folder.root).expect("a folder of this test");
    }

    #[test]
    fn the_ones_used_last_stay() {
        let folder = folder("full", 1000);
        let now = SystemTime::now();
        for number in 0..10_u64 {
            let key = format!("a{number}1");
            folder.save(&key, &[&[0; 150]]);
            let file = File::options().append(true).open(folder.place(&key)).expect("a state");
            file.set_modified(now - Duration::from_secs(10_000 - 100 * number)).expect("a time");
        }
        assert!(folder.load("a01").is_some());
        folder.save("b0", &[&[0; 150]]);
        let kept: Vec<u64> = (0..10).filter(|number| folder.place(&format!("a{number}1")).exists()).collect();
        assert_eq!(kept, [0, 7, 8, 9]);
        fs::remove_dir_all(&folder.root).expect("a folder of this test");
    }

    #[test]
    fn a_folder_that_can_not_be_is_none() {
        let folder = CheckpointFolder { root: "/dev/null/states".into(), most_bytes: 1 };
        folder.save("a0", &[b"one"]);
        assert!(!folder.note("a0"));
        assert_eq!(folder.load("a0"), None);
    }
}
