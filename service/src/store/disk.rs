//! The local disk, which the command line reads from and writes to.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Component, Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use odsmith_engine::{
    bundle::Bundle,
    parallel::{self, Spare},
};
use odsmith_site::Out;

pub use odsmith_tblgen::disk::{is_full, open_regular, read_at_most, reason};

use crate::store::output_folder::{self, MARKER, Marker, Owns};

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

/// Reads all files below a folder whose names end in `.td`, `.md`, `.inc`, or that are named `odsmith.toml`.
///
/// Links are followed. Hidden folders are skipped, and so are those that builds or odsmith generated.
///
/// # Errors
/// A folder or file cannot be read; the message names it.
pub fn bundle(root: &Path) -> Result<Bundle, String> {
    let mut files = Vec::new();
    walk_with_links(root, &mut |path, file| {
        if crate::store::archive::is_of_interest(path) {
            files.push((path.to_owned(), file.to_owned()));
        }
        Ok(())
    })?;
    let mut bundle = Bundle::default();
    read_all(files, |path, bytes| bundle.insert(path, bytes))?;
    Ok(bundle)
}

/// Reads named files on all processors; `take` receives them in order.
///
/// # Errors
/// A file cannot be read; the message names its path.
pub fn read_all(
    files: Vec<(String, PathBuf)>,
    mut take: impl FnMut(String, Arc<[u8]>),
) -> Result<(), String> {
    let spare = Spare::beside_one(parallel::parallelism());
    let read = |(_, file): &(String, PathBuf)| {
        let bytes = fs::read(file).map_err(|error| format!("{}: {}", file.display(), reason(&error)))?;
        Ok(bytes.into())
    };
    let texts: Vec<Result<_, String>> = parallel::map_on(&spare, &files, read);
    files.into_iter().zip(texts).try_for_each(|((name, _), text)| {
        take(name, text?);
        Ok(())
    })
}

/// Does the same as [`walk`] in the folder of a project: follows links, and skips the folders of builds and the outputs
/// of odsmith.
///
/// # Errors
/// A folder cannot be read, or `visit` failed.
pub fn walk_with_links(
    folder: &Path,
    visit: &mut dyn FnMut(&str, &Path) -> Result<(), String>,
) -> Result<(), String> {
    let own =
        fs::canonicalize(folder).map_err(|error| format!("{}: {}", folder.display(), reason(&error)))?;
    walk_linked(folder, "", &mut vec![own], &mut BTreeSet::new(), visit)
}

/// Maximum depth of links that lead out of their folder.
const MOST_LINKS: usize = 8;

/// Walks one folder. `above` contains the real paths of the folder and those above it; links to them would form a
/// cycle. `listed` are the outputs in folders that also contain other files.
fn walk_linked(
    folder: &Path,
    below: &str,
    above: &mut Vec<PathBuf>,
    listed: &mut BTreeSet<String>,
    visit: &mut dyn FnMut(&str, &Path) -> Result<(), String>,
) -> Result<(), String> {
    let fail = |error: &io::Error| format!("{}: {}", folder.display(), reason(error));
    if above.len() > 64 {
        return Err(format!("{}: folders are nested too deeply", folder.display()));
    }
    let mut entries: Vec<fs::DirEntry> =
        fs::read_dir(folder).and_then(Iterator::collect).map_err(|error| fail(&error))?;
    entries.sort_by_key(fs::DirEntry::file_name);
    let has_marker = entries.iter().any(|entry| entry.file_name() == MARKER);
    let marker = if has_marker { Marker::of(folder) } else { None };
    if let Some(marker) = marker.filter(|marker| marker.owns == Owns::Files) {
        let slash = if below.is_empty() { "" } else { "/" };
        listed.extend(marker.files().map(|file| format!("{below}{slash}{file}")));
    }
    for entry in entries {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let is_link = entry.file_type().map_err(|error| fail(&error))?.is_symlink();
        let place = entry.path();
        // A dangling link is not a file.
        let Ok(kind) = fs::metadata(&place) else { continue };
        let path = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
        if kind.is_file() {
            if !listed.contains(&path) {
                visit(&path, &place)?;
            }
        } else if kind.is_dir() && !name.starts_with('.') && !is_of_build(&place, &name, is_link) {
            let Ok(real) = fs::canonicalize(&place) else { continue };
            let outside = above.windows(2).filter(|pair| !pair[1].starts_with(&pair[0])).count();
            if above.contains(&real) || is_link && outside >= MOST_LINKS {
                continue;
            }
            above.push(real);
            walk_linked(&place, &path, above, listed, visit)?;
            above.pop();
        }
    }
    Ok(())
}

/// Returns true if a folder belongs to a build: CMake's has a cache, Bazel and Nix leave links, and odsmith's has a
/// marker.
fn is_of_build(place: &Path, name: &str, is_link: bool) -> bool {
    place.join("CMakeCache.txt").is_file()
        || output_folder::is_own(place)
        || is_link && (name.starts_with("bazel-") || name == "result")
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
