//! A folder that a command writes. A marker in it lists the written files, so that no later run takes them for sources,
//! files from elsewhere are never overwritten, and files that are no longer generated are removed.
//!
//! ```text
//! odsmith-output 1
//! owns folder                             "files" if it contained other files when it was first written
//! by docs                                 a section for each command
//! index.html  1834  5d1823183a93970775c5  path, size and start of the SHA-256, with tabs between them
//! ```
//!
//! The marker is replaced by renaming a new one. While a folder is written for the first time its marker lists nothing:
//! if the run is interrupted, all files there are from that run.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs, io,
    path::{Component, Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde::Deserialize;

use crate::store::{disk, keys};

/// The name of the marker.
pub const MARKER: &str = ".odsmith-output";

const HEAD: &str = "odsmith-output 1";
/// Hex digits of a digest.
const DIGITS: usize = 20;

/// The files of one command, by their paths below the folder.
type Section = BTreeMap<String, Entry>;

/// A file as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    size: u64,
    /// The first digits of its SHA-256.
    digest: String,
}

impl Entry {
    fn new(bytes: &[u8]) -> Entry {
        Entry { size: bytes.len() as u64, digest: keys::sha256(bytes)[..DIGITS].to_owned() }
    }
}

/// The files that belong to an output folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owns {
    /// All files below it.
    Folder,
    /// The listed ones: the folder contained other files when it was first written.
    Files,
}

/// The list of an output folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// The files that belong to the folder.
    pub owns: Owns,
    sections: BTreeMap<String, Section>,
}

impl Marker {
    fn new(owns: Owns) -> Marker {
        Marker { owns, sections: BTreeMap::new() }
    }

    /// Parses a marker; `None` if it is damaged.
    #[must_use]
    pub fn parse(text: &[u8]) -> Option<Marker> {
        let mut lines = str::from_utf8(text).ok()?.lines();
        lines.next().filter(|line| *line == HEAD)?;
        let mut marker = Marker::new(match lines.next()? {
            "owns folder" => Owns::Folder,
            "owns files" => Owns::Files,
            _ => return None,
        });
        let mut section = None;
        for line in lines {
            let fields: Vec<&str> = line.rsplitn(3, '\t').collect();
            match fields[..] {
                [digest, size, path] => {
                    let is_below = Path::new(path).components().all(|it| matches!(it, Component::Normal(_)));
                    let entry = Entry { size: size.parse().ok()?, digest: digest.to_owned() };
                    let section: &mut Section = marker.sections.get_mut(section?)?;
                    section.insert(is_below.then_some(path)?.to_owned(), entry);
                }
                _ => {
                    let by = line.strip_prefix("by ")?;
                    marker.sections.entry(by.to_owned()).or_default();
                    section = Some(by);
                }
            }
        }
        Some(marker)
    }

    /// Returns the marker of a folder, if it has a readable one.
    #[must_use]
    pub fn of(folder: &Path) -> Option<Marker> {
        Marker::parse(&fs::read(folder.join(MARKER)).ok()?)
    }

    /// Returns the listed files of all commands.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.sections.values().flat_map(BTreeMap::keys).map(String::as_str)
    }

    /// Returns true if a file is listed, and not with this size and digest.
    fn is_changed(&self, path: &str, now: &Entry) -> bool {
        let mut entries = self.sections.values().filter_map(|section| section.get(path)).peekable();
        entries.peek().is_some() && entries.all(|entry| entry != now)
    }

    /// Returns true if only this command wrote files.
    fn is_only_by(&self, by: &str) -> bool {
        self.owns == Owns::Files && self.sections.keys().all(|own| own == by)
    }

    /// Returns the commands that wrote files, and the number of files.
    #[must_use]
    pub fn summary(&self) -> (Vec<&str>, usize) {
        let by = self.sections.iter().filter(|(_, section)| !section.is_empty());
        (by.map(|(by, _)| by.as_str()).collect(), self.files().collect::<BTreeSet<_>>().len())
    }

    /// Returns true if a file is listed.
    #[must_use]
    pub fn lists(&self, path: &str) -> bool {
        self.sections.values().any(|section| section.contains_key(path))
    }

    fn text(&self) -> String {
        let owns = match self.owns {
            Owns::Folder => "folder",
            Owns::Files => "files",
        };
        let mut text = format!("{HEAD}\nowns {owns}\n");
        for (by, section) in &self.sections {
            // Writing into a string does not fail.
            let _ = writeln!(text, "by {by}");
            for (path, Entry { size, digest }) in section.iter().filter(|(path, _)| !path.contains('\n')) {
                let _ = writeln!(text, "{path}\t{size}\t{digest}");
            }
        }
        text
    }
}

/// A folder that a command writes.
#[derive(Debug)]
pub struct OutputFolder {
    root: PathBuf,
    /// The command.
    by: &'static str,
    /// The marker of earlier runs.
    earlier: Marker,
    /// True if every existing file may be overwritten.
    is_open: bool,
    /// A folder below that gets a list of its own.
    movable: Option<&'static str>,
    /// Recognizes a file that was written by a version without markers.
    is_own: fn(&[u8]) -> bool,
    progress: Mutex<Progress>,
}

#[derive(Debug, Default)]
struct Progress {
    has_marker: bool,
    written: Section,
    /// The paths among them whose files were not there with these bytes.
    rewritten: BTreeSet<String>,
    /// The files that another hand changed, and that were written again.
    overwritten: Vec<PathBuf>,
}

/// The numbers of files of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileCounts {
    /// The files that no longer belong to the output, and stay because they were changed.
    pub changed: Vec<PathBuf>,
    /// The files that were changed since they were written, and are now written again.
    pub overwritten: Vec<PathBuf>,
    /// The number of files that were removed.
    pub removed: usize,
    /// The number of files that an earlier run wrote with the same bytes.
    pub unchanged: usize,
}

impl OutputFolder {
    /// Opens a folder, which may not exist yet; writes nothing.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn open(root: &Path, by: &'static str) -> Result<OutputFolder, String> {
        let (earlier, is_open) = match fs::read(root.join(MARKER)) {
            Ok(text) => {
                // A damaged marker lists nothing.
                let marker = Marker::parse(&text).unwrap_or(Marker::new(Owns::Files));
                let is_open = marker.owns == Owns::Folder && marker.sections.values().all(BTreeMap::is_empty);
                (marker, is_open)
            }
            Err(_) => match fs::read_dir(root).map(|mut entries| entries.next().is_some()) {
                Ok(true) if is_of_first_version(root) => (Marker::new(Owns::Folder), true),
                Ok(true) => (Marker::new(Owns::Files), false),
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(format!("{}: {}", root.display(), disk::reason(&error)));
                }
                Ok(false) | Err(_) => (Marker::new(Owns::Folder), false),
            },
        };
        let (root, progress) = (root.to_owned(), Mutex::default());
        Ok(OutputFolder { root, by, earlier, is_open, movable: None, is_own: |_| false, progress })
    }

    /// Gives a folder below a list of its own, so that its files are known as outputs where users move or copy it to.
    #[must_use]
    pub fn with_movable(self, folder: &'static str) -> OutputFolder {
        OutputFolder { movable: Some(folder), ..self }
    }

    /// Returns true if the folder has no files of other hands: then no file can be in the way.
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.earlier.owns == Owns::Folder
    }

    /// Sets the folder of the project being read, which is never an output as a whole.
    #[must_use]
    pub fn for_project(mut self, project: &Path) -> OutputFolder {
        let real = |place: &Path| fs::canonicalize(place).ok();
        if real(&self.root).is_some_and(|root| Some(root) == real(project)) {
            (self.earlier.owns, self.is_open) = (Owns::Files, false);
        }
        self
    }

    /// Sets a test for files that may be overwritten although no marker lists them.
    #[must_use]
    pub fn recognizing(self, is_own: fn(&[u8]) -> bool) -> OutputFolder {
        OutputFolder { is_own, ..self }
    }

    /// Checks that a file does not exist, or was written by an earlier run.
    ///
    /// # Errors
    /// It exists, and no earlier run wrote it.
    pub fn check(&self, path: &str, bytes: &[u8]) -> Result<(), String> {
        let place = disk::place(&self.root, path);
        let Ok(about) = fs::symlink_metadata(&place) else { return Ok(()) };
        let is_listed = || self.is_open || self.earlier.lists(path);
        let is_own = || fs::read(&place).is_ok_and(|old| old == bytes || (self.is_own)(&old));
        // For a folder, the system's own error is clear.
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
    /// It cannot be written, or it exists and no earlier run wrote it.
    pub fn write(&self, path: &str, bytes: &[u8]) -> Result<(), String> {
        self.check(path, bytes)?;
        self.begin()?;
        let place = disk::place(&self.root, path);
        let old = fs::read(&place).ok();
        if old.as_deref() != Some(bytes) {
            let is_changed = old.is_some_and(|old| self.earlier.is_changed(path, &Entry::new(&old)));
            disk::write(&place, bytes)?;
            let mut progress = self.progress();
            progress.rewritten.insert(path.to_owned());
            progress.overwritten.extend(is_changed.then_some(place));
        }
        self.keep(path, bytes)
    }

    /// Lists an existing file with these bytes, without touching its modification time.
    ///
    /// # Errors
    /// The marker cannot be written.
    pub fn keep(&self, path: &str, bytes: &[u8]) -> Result<(), String> {
        self.begin()?;
        self.progress().written.insert(path.to_owned(), Entry::new(bytes));
        Ok(())
    }

    /// Lists the written files. Files that only an earlier run of the command wrote stay, or are removed unless they
    /// were changed since. The changed ones are no longer listed.
    ///
    /// # Errors
    /// The marker cannot be written.
    pub fn finish(&self, removes_others: bool) -> Result<FileCounts, String> {
        let mut progress = self.progress();
        let mut numbers = FileCounts::default();
        if !progress.has_marker && progress.written.is_empty() {
            return Ok(numbers);
        }
        let mut marker = self.earlier.clone();
        let section = marker.sections.entry(self.by.to_owned()).or_default();
        let is_known = |(path, entry): &(&String, &Entry)| {
            section.get(*path) == Some(*entry) && !progress.rewritten.contains(*path)
        };
        numbers.unchanged = progress.written.iter().filter(is_known).count();
        if removes_others {
            let mut folders = BTreeSet::new();
            for (path, entry) in std::mem::take(section) {
                if progress.written.contains_key(&path) {
                    continue;
                }
                match self.remove(&path, &entry) {
                    Some(true) => {
                        numbers.removed += 1;
                        folders.extend(path.match_indices('/').map(|(at, _)| path[..at].to_owned()));
                    }
                    Some(false) => numbers.changed.push(disk::place(&self.root, &path)),
                    None => {}
                }
            }
            // The innermost come last; a folder that is not empty stays.
            for folder in folders.iter().rev() {
                let _ = fs::remove_dir(disk::place(&self.root, folder));
            }
        }
        section.extend(std::mem::take(&mut progress.written));
        numbers.overwritten = std::mem::take(&mut progress.overwritten);
        numbers.overwritten.sort();
        if let Some(folder) = self.movable {
            self.mark(folder, section)?;
        }
        self.save(&marker)?;
        progress.has_marker = true;
        Ok(numbers)
    }

    /// Writes the list of a folder below into it.
    fn mark(&self, folder: &str, section: &Section) -> Result<(), String> {
        let below = |(path, entry): (&String, &Entry)| {
            let path = path.strip_prefix(folder)?.strip_prefix('/')?;
            Some((path.to_owned(), entry.clone()))
        };
        let mut marker = Marker::new(Owns::Files);
        marker.sections.insert(self.by.to_owned(), section.iter().filter_map(below).collect());
        let root = disk::place(&self.root, folder);
        match marker.files().next() {
            Some(_) if Marker::of(&root).is_none_or(|old| old != marker) => {
                disk::write(&root.join(MARKER), marker.text().as_bytes())
            }
            Some(_) => Ok(()),
            // An empty folder goes with the list of an earlier run.
            None if Marker::of(&root).is_some_and(|old| old.is_only_by(self.by)) => {
                let _ = fs::remove_file(root.join(MARKER));
                let _ = fs::remove_dir(&root);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Removes a file that is unchanged since it was listed: returns `Some(false)` if it changed, `None` if it is gone.
    /// Links are left alone, and so are their targets.
    fn remove(&self, path: &str, entry: &Entry) -> Option<bool> {
        let mut place = self.root.clone();
        for part in path.split('/') {
            place.push(part);
            match fs::symlink_metadata(&place) {
                Ok(about) if about.is_symlink() => return Some(false),
                Ok(_) => {}
                Err(_) => return None,
            }
        }
        let is_same = fs::metadata(&place).is_ok_and(|about| about.is_file() && about.len() == entry.size)
            && fs::read(&place).is_ok_and(|bytes| Entry::new(&bytes) == *entry);
        Some(is_same && fs::remove_file(&place).is_ok())
    }

    /// Writes the marker before the folder's first file.
    fn begin(&self) -> Result<(), String> {
        let mut progress = self.progress();
        if !progress.has_marker {
            let mut marker = self.earlier.clone();
            marker.sections.entry(self.by.to_owned()).or_default();
            self.save(&marker)?;
            progress.has_marker = true;
        }
        Ok(())
    }

    fn save(&self, marker: &Marker) -> Result<(), String> {
        let (new, place) = (self.root.join(format!("{MARKER}.new")), self.root.join(MARKER));
        // A file with this name is left from an interrupted run, or is a link.
        let _ = fs::remove_file(&new);
        disk::write(&new, marker.text().as_bytes())?;
        fs::rename(&new, &place).map_err(|error| format!("{}: {}", place.display(), disk::reason(&error)))
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        // No code that can panic runs under the lock.
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns true if all of a folder was written by odsmith.
#[must_use]
pub fn is_own(root: &Path) -> bool {
    match fs::read(root.join(MARKER)) {
        Ok(text) => Marker::parse(&text).is_some_and(|marker| marker.owns == Owns::Folder),
        Err(_) => is_of_first_version(root),
    }
}

/// Returns true if version 0.1.0, which had no markers, wrote a folder: it contains the description of a result, the
/// index of a site, or the list of the sites of several releases.
fn is_of_first_version(root: &Path) -> bool {
    /// The fields that identify a file; all others are skipped, since the file of a project may be large.
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Head {
        /// A text in some files, a number in others.
        schema: serde_json::Value,
        engine: Engine,
    }
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Engine {
        name: String,
    }
    let head = |name: &str| {
        let (file, _) = disk::open_regular(&root.join(name), fs::File::options().read(true)).ok()?;
        serde_json::from_reader::<_, Head>(io::BufReader::new(file)).ok()
    };
    let has_schema = |name: &str, schema: &str| {
        head(name).is_some_and(|head| head.schema.as_str().is_some_and(|own| own.starts_with(schema)))
    };
    head("result.json").is_some_and(|head| head.engine.name == "odsmith")
        || has_schema("index.json", "odsmith.index/")
        || has_schema("versions.json", "odsmith.versions/")
}

/// Returns the paths among `files` that no marker among `markers` lists as outputs; all are below the same folder.
#[must_use]
pub fn sources<'p>(
    files: impl Iterator<Item = &'p str>,
    markers: &BTreeMap<String, Marker>,
) -> BTreeSet<String> {
    let is_output = |path: &str| {
        // The folder itself is a source, whatever wrote it.
        let mut above = path.match_indices('/').map(|(at, _)| &path[..at]);
        let is_own = |folder: &str, below: &str| {
            markers.get(folder).is_some_and(|marker| match marker.owns {
                Owns::Folder => !folder.is_empty(),
                Owns::Files => marker.lists(below),
            })
        };
        is_own("", path) || above.any(|folder| is_own(folder, &path[folder.len() + 1..]))
    };
    files.filter(|path| !is_output(path)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_is_read_as_it_was_written() {
        let text = "odsmith-output 1\nowns files\nby docs\na/b.html\t3\tabc\nby generate\nc.inc\t0\te3b0\n";
        let marker = Marker::parse(text.as_bytes()).expect("a marker");
        assert_eq!(marker.text(), text);
        assert_eq!(marker.files().collect::<Vec<_>>(), ["a/b.html", "c.inc"]);
        assert!(
            Marker::parse(format!("{HEAD}\nowns folder\nby docs\na\tb.html\t3\tabc\n").as_bytes())
                .is_some_and(|marker| marker.lists("a\tb.html"))
        );
        for damaged in [
            "",
            "odsmith-output 2\nowns folder\n",
            "odsmith-output 1\n",
            "odsmith-output 1\nowns all\n",
            "odsmith-output 1\nowns files\na\t1\tb\n",
            "odsmith-output 1\nowns files\nby docs\n../a\t1\tb\n",
            "odsmith-output 1\nowns files\nby docs\na/../../b\t1\tb\n",
            "odsmith-output 1\nowns files\nby docs\n/a\t1\tb\n",
            "odsmith-output 1\nowns files\nby docs\na\tx\tb\n",
            "odsmith-output 1\nowns files\nby docs\nb.html\n",
        ] {
            assert_eq!(Marker::parse(damaged.as_bytes()), None, "{damaged:?}");
        }
    }

    #[test]
    fn outputs_are_no_sources() {
        let marker = |text: &str| Marker::parse(format!("{HEAD}\n{text}").as_bytes()).expect("a marker");
        let markers = BTreeMap::from([
            ("site".to_owned(), marker("owns folder\n")),
            ("gen".to_owned(), marker("owns files\nby generate\nX.td\t1\ta\n")),
        ]);
        let files = ["A.td", "gen/Own.td", "gen/X.td", "site/a/b.md", "sites/c.md"];
        let found = sources(files.into_iter(), &markers);
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["A.td", "gen/Own.td", "sites/c.md"]);
    }
}
