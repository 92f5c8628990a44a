//! A folder that a command writes. It lists what was written, so that a file of another hand is never overwritten.
//!
//! ```text
//! odsmith-output 1
//! owns folder                             "files" if it held other things when it was first written
//! by docs                                 a section for each command
//! index.html  1834  5d1823183a93970775c5  path, size and start of the SHA-256, with tabs between them
//! ```
//!
//! The list is replaced by renaming a new one. While a folder is written for the first time its list has no entries: if the
//! run is cut off, all that is there is of that run.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Component, Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::{disk, keys};

/// The name of the list.
pub const MARKER: &str = ".odsmith-output";

const HEAD: &str = "odsmith-output 1";
/// Hex digits of a digest.
const DIGITS: usize = 20;

type Section = BTreeMap<String, Entry>;
/// Sections that are to be listed.
type Lists<'s> = BTreeMap<&'s str, BTreeMap<&'s String, &'s Entry>>;

/// A folder that a command writes.
#[derive(Debug)]
pub struct OutputFolder {
    root: PathBuf,
    /// The command.
    by: &'static str,
    state: State,
    /// Recognizes a file that a version without lists has written.
    is_own: fn(&[u8]) -> bool,
    progress: Mutex<Progress>,
}

/// What a list says.
#[derive(Debug)]
struct State {
    owns_folder: bool,
    sections: BTreeMap<String, Section>,
    /// Whether all that is there may be overwritten.
    is_open: bool,
}

#[derive(Debug, PartialEq, Eq)]
struct Entry {
    size: u64,
    digest: String,
}

#[derive(Debug, Default)]
struct Progress {
    has_marker: bool,
    written: Section,
}

impl OutputFolder {
    /// The folder, which may not be there yet; nothing is written so far.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn open(root: &Path, by: &'static str) -> Result<OutputFolder, String> {
        let wrong = |error: io::Error| format!("{}: {}", root.display(), disk::reason(&error));
        let state = match fs::read(root.join(MARKER)) {
            // A list that is damaged lists nothing.
            Ok(text) => State::parse(&text).unwrap_or(State::of_others()),
            Err(_) => match fs::read_dir(root).map(|mut entries| entries.next().is_some()) {
                Ok(true) => State { is_open: is_of_first_version(root), ..State::of_others() },
                Ok(false) => State::new(),
                Err(error) if error.kind() == io::ErrorKind::NotFound => State::new(),
                Err(error) => return Err(wrong(error)),
            },
        };
        let progress = Mutex::default();
        Ok(OutputFolder { root: root.to_owned(), by, state, is_own: |_| false, progress })
    }

    /// The same folder, where files that `is_own` recognizes may be overwritten although no list has them.
    #[must_use]
    pub fn recognizing(self, is_own: fn(&[u8]) -> bool) -> OutputFolder {
        OutputFolder { is_own, ..self }
    }

    /// Checks that a file is not there, or was written by an earlier call.
    ///
    /// # Errors
    /// It was written by another hand.
    pub fn check(&self, path: &str, bytes: &[u8]) -> Result<(), String> {
        let place = disk::place(&self.root, path);
        let Ok(about) = fs::symlink_metadata(&place) else { return Ok(()) };
        let is_listed = || self.state.is_open || self.state.sections.values().any(|it| it.contains_key(path));
        let is_own = || fs::read(&place).is_ok_and(|old| old == bytes || (self.is_own)(&old));
        // Of a folder the system says that it is one.
        if about.is_dir() || about.is_file() && (is_listed() || is_own()) {
            return Ok(());
        }
        Err(format!(
            "{}: the file is there already, and odsmith did not write it: remove it, or name another folder",
            place.display()
        ))
    }

    /// Writes a file and the folders above it.
    ///
    /// # Errors
    /// It cannot be written, or it is there already and was written by another hand.
    pub fn write(&self, path: &str, bytes: &[u8]) -> Result<(), String> {
        self.check(path, bytes)?;
        self.begin()?;
        disk::write(&disk::place(&self.root, path), bytes)?;
        self.keep(path, bytes)
    }

    /// Lists a file that is there already with these bytes, and keeps its time.
    ///
    /// # Errors
    /// The list cannot be written.
    pub fn keep(&self, path: &str, bytes: &[u8]) -> Result<(), String> {
        self.begin()?;
        let digest = keys::sha256(bytes)[..DIGITS].to_owned();
        self.progress().written.insert(path.to_owned(), Entry { size: bytes.len() as u64, digest });
        Ok(())
    }

    /// Lists what was written. What an earlier call of the command wrote and this one did not stays, or is removed if
    /// nothing has changed it since.
    ///
    /// # Errors
    /// The list cannot be written.
    pub fn finish(&self, removes_others: bool) -> Result<(), String> {
        let mut progress = self.progress();
        if !progress.has_marker && progress.written.is_empty() {
            return Ok(());
        }
        let mut sections = Lists::new();
        for (by, section) in &self.state.sections {
            let earlier = section.iter().filter(|(path, _)| !progress.written.contains_key(*path));
            let is_gone =
                |path: &str, entry: &Entry| removes_others && by == self.by && self.remove(path, entry);
            sections.insert(by, earlier.filter(|(path, entry)| !is_gone(path, entry)).collect());
        }
        sections.entry(self.by).or_default().extend(&progress.written);
        self.write_marker(&sections)?;
        progress.has_marker = true;
        Ok(())
    }

    /// Removes a file that is as it was written, and the folders that are empty then.
    fn remove(&self, path: &str, entry: &Entry) -> bool {
        let place = disk::place(&self.root, path);
        // A link leads out of the folder.
        let real = |place: &Path| fs::canonicalize(place).ok();
        let (Some(root), Some(folder)) = (real(&self.root), place.parent().and_then(real)) else {
            return true;
        };
        let about = fs::symlink_metadata(&place);
        if about.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            return true;
        }
        let is_same = folder.starts_with(&root)
            && about.is_ok_and(|about| about.is_file() && about.len() == entry.size)
            && fs::read(&place).is_ok_and(|bytes| keys::sha256(&bytes)[..DIGITS] == entry.digest);
        let is_removed = is_same && fs::remove_file(&place).is_ok();
        if is_removed {
            let above = place.ancestors().skip(1).take_while(|folder| *folder != self.root);
            // One that holds something stays, and so do those above it.
            let _ = above.map(fs::remove_dir).take_while(Result::is_ok).count();
        }
        is_removed
    }

    /// Says whose the folder is before there is anything in it.
    fn begin(&self) -> Result<(), String> {
        let mut progress = self.progress();
        if !progress.has_marker {
            let mut sections: Lists<'_> = self
                .state
                .sections
                .iter()
                .map(|(by, section)| (by.as_str(), section.iter().collect()))
                .collect();
            sections.entry(self.by).or_default();
            self.write_marker(&sections)?;
            progress.has_marker = true;
        }
        Ok(())
    }

    fn write_marker(&self, sections: &Lists<'_>) -> Result<(), String> {
        let mut text = format!("{HEAD}\nowns {}\n", if self.state.owns_folder { "folder" } else { "files" });
        for (by, section) in sections {
            text += &format!("by {by}\n");
            for (path, Entry { size, digest }) in section.iter().filter(|(path, _)| !path.contains('\n')) {
                text += &format!("{path}\t{size}\t{digest}\n");
            }
        }
        let (new, place) = (self.root.join(format!("{MARKER}.new")), self.root.join(MARKER));
        // What is there under this name is left of a run that was cut off, or a link.
        let _ = fs::remove_file(&new);
        disk::write(&new, text.as_bytes())?;
        fs::rename(&new, &place).map_err(|error| format!("{}: {}", place.display(), disk::reason(&error)))
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        // No code that can panic runs under the lock.
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// A folder that was empty.
    fn new() -> State {
        State { owns_folder: true, sections: BTreeMap::new(), is_open: false }
    }

    /// A folder with files of other hands.
    fn of_others() -> State {
        State { owns_folder: false, ..State::new() }
    }

    fn parse(text: &[u8]) -> Option<State> {
        let mut lines = str::from_utf8(text).ok()?.lines();
        if lines.next()? != HEAD {
            return None;
        }
        let owns_folder = match lines.next()? {
            "owns folder" => true,
            "owns files" => false,
            _ => return None,
        };
        let mut sections: BTreeMap<String, Section> = BTreeMap::new();
        let mut section = None;
        for line in lines {
            let fields: Vec<&str> = line.rsplitn(3, '\t').collect();
            match fields[..] {
                [digest, size, path] => {
                    let is_below = Path::new(path).components().all(|it| matches!(it, Component::Normal(_)));
                    let entry = Entry { size: size.parse().ok()?, digest: digest.to_owned() };
                    sections.get_mut(section?)?.insert(is_below.then_some(path)?.to_owned(), entry);
                }
                _ => {
                    let by = line.strip_prefix("by ")?;
                    sections.entry(by.to_owned()).or_default();
                    section = Some(by);
                }
            }
        }
        let is_open = owns_folder && sections.values().all(BTreeMap::is_empty);
        Some(State { owns_folder, sections, is_open })
    }
}

/// Whether Odsmith wrote a folder, and all that is in it.
#[must_use]
pub fn is_own(root: &Path) -> bool {
    match fs::read(root.join(MARKER)) {
        Ok(text) => State::parse(&text).is_some_and(|state| state.owns_folder),
        Err(_) => is_of_first_version(root),
    }
}

/// Whether version 0.1.0, which had no lists, wrote a folder: it has the description of a result, the index of a site,
/// or the list of the sites of several releases.
fn is_of_first_version(root: &Path) -> bool {
    let json = |name: &str| {
        let bytes = fs::read(root.join(name)).ok()?;
        serde_json::from_slice::<serde_json::Value>(&bytes).ok()
    };
    let is_result = json("result.json").is_some_and(|value| value["engine"]["name"] == "odsmith");
    let has_schema = |name: &str, schema: &str| {
        json(name).is_some_and(|value| value["schema"].as_str().is_some_and(|own| own.starts_with(schema)))
    };
    is_result
        || has_schema("index.json", "odsmith.index/")
        || has_schema("versions.json", "odsmith.versions/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_lead_elsewhere_are_damaged() {
        let of = |line: &str| State::parse(format!("{HEAD}\nowns folder\nby docs\n{line}\n").as_bytes());
        assert!(of("a/b.html\t3\tabc").is_some_and(|state| !state.is_open));
        assert!(
            of("a\tb.html\t3\tabc").is_some_and(|state| state.sections["docs"].contains_key("a\tb.html"))
        );
        for wrong in
            ["../b.html\t3\tabc", "/b.html\t3\tabc", "a/../../b\t3\tabc", "b.html\tmany\tabc", "b.html"]
        {
            assert!(of(wrong).is_none(), "{wrong}");
        }
        assert!(State::parse(b"odsmith-output 2\nowns folder\n").is_none());
        assert!(State::parse(b"odsmith-output 1\nowns folder\nby docs\n").is_some_and(|state| state.is_open));
        assert!(State::parse(b"odsmith-output 1\nowns files\nby docs\n").is_some_and(|state| !state.is_open));
    }
}
