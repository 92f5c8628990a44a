//! The local disk, which the command line reads from and writes to.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Component, Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use odsmith_engine::parallel::{self, Spare};
use odsmith_site::Out;

pub use odsmith_tblgen::disk::{is_full, open_regular, own_number, read_at_most, reason};

/// Reads a theme: the templates and assets below a folder, by their paths there.
///
/// # Errors
/// A file cannot be read, or is not text.
pub fn theme(root: &Path) -> Result<BTreeMap<String, String>, String> {
    let mut files = BTreeMap::new();
    walk(root, "", 0, &mut |path, file| {
        if path.ends_with(".hbs") || path.starts_with("assets/") {
            let text = fs::read_to_string(file)
                .map_err(|error| format!("{}: {}", file.display(), reason(&error)))?;
            files.insert(path.to_owned(), text);
        }
        Ok(())
    })?;
    if files.is_empty() {
        return Err(format!("{}: holds neither templates (.hbs) nor assets/", root.display()));
    }
    Ok(files)
}

/// Reads named files on all processors; `take` receives them in order.
///
/// # Errors
/// A file cannot be read; the message names its path.
pub fn read_all(files: Vec<(String, PathBuf)>, take: impl FnMut(String, Arc<[u8]>)) -> Result<(), String> {
    let read = |file: &PathBuf| {
        let bytes = fs::read(file).map_err(|error| format!("{}: {}", file.display(), reason(&error)))?;
        Ok(bytes.into())
    };
    read_all_by(files, &read, take)
}

/// Does the same with a function that reads a file.
///
/// # Errors
/// A file cannot be read.
pub fn read_all_by<P: Sync>(
    files: Vec<(String, P)>,
    read: &(impl Fn(&P) -> Result<Arc<[u8]>, String> + Sync),
    mut take: impl FnMut(String, Arc<[u8]>),
) -> Result<(), String> {
    let spare = Spare::beside_one(parallel::parallelism());
    let texts: Vec<Result<_, String>> = parallel::map_on(&spare, &files, |(_, place)| read(place));
    files.into_iter().zip(texts).try_for_each(|((name, _), text)| {
        take(name, text?);
        Ok(())
    })
}

/// Calls `visit` with the relative path (with `/`) and the full path of every file below a folder; links are skipped.
///
/// # Errors
/// A folder cannot be read, or `visit` failed.
pub fn walk(
    folder: &Path,
    below: &str,
    depth: usize,
    visit: &mut dyn FnMut(&str, &Path) -> Result<(), String>,
) -> Result<(), String> {
    let fail = |error: &io::Error| format!("{}: {}", folder.display(), reason(error));
    if depth > 64 {
        return Err(format!("{}: folders are nested too deeply", folder.display()));
    }
    let mut entries: Vec<fs::DirEntry> =
        fs::read_dir(folder).and_then(Iterator::collect).map_err(|error| fail(&error))?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let kind = entry.file_type().map_err(|error| fail(&error))?;
        let path = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
        if kind.is_dir() && !name.starts_with('.') {
            walk(&entry.path(), &path, depth + 1, visit)?;
        } else if kind.is_file() {
            visit(&path, &entry.path())?;
        }
    }
    Ok(())
}

/// Writes a file and the folders above it.
///
/// # Errors
/// It cannot be written; the message names it.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    if cfg!(windows)
        && let Some(name) = names(path).find(|name| !is_name_on_windows(name))
    {
        return Err(format!("{}: Windows has no file of the name {name}", path.display()));
    }
    let fail = |error: io::Error| format!("{}: {}", path.display(), reason(&error));
    match (fs::write(path, bytes), path.parent()) {
        // Most files share their folder with others: it is created only when it is missing.
        (Err(error), Some(folder)) if error.kind() == io::ErrorKind::NotFound => {
            fs::create_dir_all(folder).and_then(|()| fs::write(path, bytes)).map_err(fail)
        }
        (done, _) => done.map_err(fail),
    }
}

/// Returns the names in a path, without its root.
fn names(path: &Path) -> impl Iterator<Item = &str> {
    path.components().filter_map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    })
}

/// Names that Windows gives to devices, with any extension.
const DEVICES: &[&str] = &["aux", "con", "conin$", "conout$", "nul", "prn"];

/// Returns true if a file or a folder may have this name on Windows. Writing to any other name fails, reaches a device,
/// or creates a file of another name.
#[must_use]
pub fn is_name_on_windows(name: &str) -> bool {
    let base = name.split(['.', ':']).next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let port = base.strip_prefix("com").or_else(|| base.strip_prefix("lpt"));
    let is_port = port
        .is_some_and(|port| matches!(port, "¹" | "²" | "³") || port.len() == 1 && port > "0" && port <= "9");
    let is_relative = name == "." || name == "..";
    let is_refused = |c: char| c < ' ' || matches!(c, '<' | '>' | ':' | '"' | '|' | '?' | '*' | '/' | '\\');
    is_relative
        || !(is_port
            || DEVICES.contains(&&*base)
            || name.ends_with(['.', ' '])
            || name.contains(is_refused)
            || name.is_empty())
}

/// Runs `make` and writes the files that it emits, with `write_file`, on the threads that emit them. Returns its value
/// and, if a file could not be written, a message about the first one; the others are written.
pub fn write_while<R>(
    write_file: impl Fn(&str, &[u8]) -> Result<(), String> + Sync,
    make: impl FnOnce(&Out<'_>) -> R,
) -> (R, Result<(), String>) {
    let written = Mutex::new(Ok(()));
    let made = make(&|files| {
        for file in files {
            if let Err(message) = write_file(&file.path, &file.bytes) {
                let mut written = written.lock().unwrap_or_else(PoisonError::into_inner);
                *written = written.clone().and(Err(message));
            }
        }
    });
    (made, written.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Returns the path of a bundle file below a folder.
#[must_use]
pub fn place(root: &Path, path: &str) -> PathBuf {
    let mut place = PathBuf::with_capacity(root.as_os_str().len() + path.len() + 1);
    place.push(root);
    place.extend(path.split('/'));
    place
}

#[cfg(test)]
mod tests {
    use odsmith_engine::artefact::Artefact;

    use super::*;

    #[test]
    fn names_that_windows_refuses() {
        for name in [
            "aux", "AUX.html", "con", "nul.md", "com1", "LPT9.txt", "com¹", "prn .txt", "op.", "op ", "a:b",
            "a<b>", "a\\b", "",
        ] {
            assert!(!is_name_on_windows(name), "{name:?}");
        }
        assert_eq!(names(Path::new("/a/../aux.html")).collect::<Vec<_>>(), ["a", "aux.html"]);
        for name in [
            "auxiliary.html",
            "console",
            "null",
            "com",
            "com0",
            "com10.html",
            "lpta",
            ".con",
            "..",
            "a b",
            "é.html",
        ] {
            assert!(is_name_on_windows(name), "{name:?}");
        }
    }

    #[test]
    fn files_are_written_while_others_are_made() {
        let root = std::env::temp_dir().join(format!("odsmith-disk-{}", std::process::id()));
        let file = |path: String| Artefact { bytes: path.clone().into_bytes(), path };
        let make = |out: &Out<'_>| {
            for number in 0..2048 {
                out(vec![file(format!("{}/{number}.txt", number % 7)), file(format!("{number}.txt"))]);
            }
            "made"
        };
        let write_file = |path: &str, bytes: &[u8]| write(&place(&root, path), bytes);
        assert_eq!(write_while(write_file, make), ("made", Ok(())));
        for path in ["0/7.txt", "4/11.txt", "2047.txt"] {
            assert_eq!(fs::read_to_string(place(&root, path)).ok().as_deref(), Some(path));
        }
        // A file has the name of a needed folder: the message names it, and the others are written.
        let ((), written) = write_while(write_file, |out| {
            out(vec![file("1.txt/a".to_owned()), file("1.txt/b".to_owned()), file("last".to_owned())]);
        });
        let message = written.expect_err("a file is no folder");
        assert!(message.contains("1.txt/a: "), "{message}");
        assert_eq!(fs::read_to_string(root.join("last")).ok().as_deref(), Some("last"));
        fs::remove_dir_all(root).expect("a folder of this test");
    }
}
