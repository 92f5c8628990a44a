//! The definitions of each file of the library that only some releases have, and a digest of each file's versions.
//!
//! ```text
//! mlir/IR/OpBase.td 13-24
//! =13 1c0a5b2f6e3d4987 48233
//! =14-15 90e1d2c3b4a59687 51706
//! +118 5f6e7d8c9bafbecd
//! ~13-18 Op.verifier
//! ~17-24 class AnyPred
//! ~21-24 Op.order = 1
//! ```
//!
//! is a file that 13 to 24 have: the digest of its bytes in 13 and their number, and others in 14 and 15; 118 definitions that are in all releases,
//! with the sum of their digests; a field, a class and a field's default that some releases have.
//! `tests/setup/markers.sh` writes the table from the libraries.

use std::{borrow::Cow, fmt};

use crate::Release;

/// The table.
const MARKERS: &str = include_str!("markers.txt");

/// A set of releases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ReleaseSet(u64);

impl ReleaseSet {
    /// Returns the set with one more release.
    #[must_use]
    pub const fn with(self, release: Release) -> Self {
        ReleaseSet(self.0 | 1 << release.number())
    }

    /// Returns whether a release is in the set.
    #[must_use]
    pub const fn has(self, release: Release) -> bool {
        self.0 & (1 << release.number()) != 0
    }

    /// Returns whether the set has no releases.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the releases of the set, newest first.
    pub fn iter(self) -> impl Iterator<Item = Release> {
        Release::ALL.iter().copied().filter(move |release| self.has(*release))
    }

    /// Reads `13-16,19`.
    fn parse(text: &str) -> Option<Self> {
        let mut set = ReleaseSet::default();
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last): (u8, u8) = (first.parse().ok()?, last.parse().ok()?);
            let range = first..=last;
            set = Release::ALL
                .iter()
                .filter(|release| range.contains(&release.number()))
                .fold(set, |set, release| set.with(*release));
        }
        Some(set)
    }
}

impl FromIterator<Release> for ReleaseSet {
    fn from_iter<T: IntoIterator<Item = Release>>(releases: T) -> Self {
        releases.into_iter().fold(ReleaseSet::default(), ReleaseSet::with)
    }
}

impl fmt::Display for ReleaseSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut ranges: Vec<(Release, Release)> = Vec::new();
        let mut is_open = false;
        for &release in Release::ALL.iter().rev() {
            match ranges.last_mut() {
                Some((_, last)) if is_open && self.has(release) => *last = release,
                _ if self.has(release) => ranges.push((release, release)),
                _ => {}
            }
            is_open = self.has(release);
        }
        let range = |(first, last): &(Release, Release)| match first == last {
            true => first.to_string(),
            false => format!("{first}-{last}"),
        };
        f.write_str(&ranges.iter().map(range).collect::<Vec<_>>().join(","))
    }
}

/// A file of the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileMarkers<'t> {
    /// Its path below the include folder.
    pub path: &'t str,
    /// The releases that have it.
    pub releases: ReleaseSet,
    /// Its bytes in each release.
    pub versions: Vec<FileVersion>,
    /// The number of definitions in all of these releases.
    pub common: usize,
    /// The sum of the digests of these definitions.
    pub common_sum: u64,
    /// The rows of the other definitions, which are read only for a file that is as in no release.
    pub rest: Cow<'t, str>,
}

/// The bytes of a file in some releases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileVersion {
    /// The releases.
    pub releases: ReleaseSet,
    /// The digest of the bytes.
    pub digest: u64,
    /// Their number.
    pub size: u64,
}

impl FileMarkers<'_> {
    /// Adds a definition that some of the releases have.
    pub fn add(&mut self, releases: ReleaseSet, marker: &str) {
        *self.rest.to_mut() += &format!("~{releases} {marker}\n");
    }

    /// Returns the definitions that some of the releases have.
    pub fn markers(&self) -> impl Iterator<Item = (ReleaseSet, &str)> {
        self.rest.lines().filter_map(|line| {
            let (releases, marker) = line.strip_prefix('~')?.split_once(' ')?;
            Some((ReleaseSet::parse(releases)?, marker))
        })
    }

    /// Writes the rows of the file.
    #[must_use]
    pub fn rows(&self) -> String {
        let mut text = format!("{} {}\n", self.path, self.releases);
        for FileVersion { releases, digest, size } in &self.versions {
            text += &format!("={releases} {digest:016x} {size}\n");
        }
        text += &format!("+{} {:016x}\n", self.common, self.common_sum);
        text + &self.rest
    }
}

/// The start of each file's first row, found while compiling: calls of builds ask for files.
static STARTS: [u32; FILES] = starts();

const FILES: usize = {
    let (mut count, mut at) = (0, 0);
    while let Some(start) = next_file(at) {
        (count, at) = (count + 1, start + 1);
    }
    count
};

#[allow(clippy::cast_possible_truncation, reason = "the table is small")]
const fn starts() -> [u32; FILES] {
    let mut starts = [0; FILES];
    let (mut count, mut at) = (0, 0);
    while let Some(start) = next_file(at) {
        starts[count] = start as u32;
        (count, at) = (count + 1, start + 1);
    }
    starts
}

/// Returns the start of the first file's row that begins at an offset or later.
#[allow(long_running_const_eval, reason = "it looks at each byte of the table once")]
const fn next_file(mut at: usize) -> Option<usize> {
    let bytes = MARKERS.as_bytes();
    while at < bytes.len() {
        let is_start = at == 0 || bytes[at - 1] == b'\n';
        if is_start && !matches!(bytes[at], b'=' | b'+' | b'~' | b'#') {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// Returns the rows of a file.
#[must_use]
pub fn file(path: &str) -> Option<FileMarkers<'static>> {
    let path_at = |start: &u32| MARKERS[*start as usize..].split(' ').next();
    let index = STARTS.binary_search_by(|start| path_at(start).cmp(&Some(path))).ok()?;
    read(rows(index))
}

/// Returns the files of the table, by path.
pub fn files() -> impl Iterator<Item = FileMarkers<'static>> {
    (0..FILES).filter_map(|index| read(rows(index)))
}

/// The text of a file's rows.
fn rows(index: usize) -> &'static str {
    let end = STARTS.get(index + 1).map_or(MARKERS.len(), |next| *next as usize);
    &MARKERS[STARTS[index] as usize..end]
}

/// Reads the rows of a file. Lines that are wrong are skipped: a test compares all lines with what is written.
fn read(rows: &str) -> Option<FileMarkers<'_>> {
    let (head, mut rest) = after_line(rows);
    let (path, releases) = head.split_once(' ')?;
    let mut file = FileMarkers { path, releases: ReleaseSet::parse(releases)?, ..FileMarkers::default() };
    while rest.starts_with(['=', '+']) {
        let (line, next) = after_line(rest);
        rest = next;
        let mut words = line[1..].split(' ');
        let mut word = || words.next().unwrap_or_default();
        let (first, digest, size) = (word(), word(), word());
        let digest = u64::from_str_radix(digest, 16).unwrap_or_default();
        match (line.starts_with('+'), ReleaseSet::parse(first)) {
            (true, _) => (file.common, file.common_sum) = (first.parse().unwrap_or(0), digest),
            (false, Some(releases)) => {
                file.versions.push(FileVersion { releases, digest, size: size.parse().unwrap_or(0) });
            }
            (false, None) => {}
        }
    }
    file.rest = Cow::Borrowed(rest);
    Some(file)
}

/// Divides a text after its first line.
fn after_line(text: &str) -> (&str, &str) {
    text.split_once('\n').unwrap_or((text, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_written_as_they_are_read() {
        for text in ["13", "13-24", "13-16,19-22", "24"] {
            assert_eq!(ReleaseSet::parse(text).expect("a set").to_string(), text);
        }
        // No library of 20 is known.
        assert_eq!(ReleaseSet::parse("19-21").expect("a set").iter().count(), 2);
        assert_eq!(ReleaseSet::parse("x"), None);
    }

    #[test]
    fn the_table_is_whole() {
        let comments: String =
            MARKERS.lines().filter(|line| line.starts_with('#')).map(|line| format!("{line}\n")).collect();
        let written: String = files().map(|file| file.rows()).collect();
        assert!(comments + &written == MARKERS);
        let paths: Vec<&str> = files().map(|file| file.path).collect();
        assert!(paths.is_sorted() && paths.len() > 300);
        for row in files() {
            assert_eq!(file(row.path).as_ref(), Some(&row));
        }
        assert_eq!(file("mlir/IR/Op"), None);
        for file in files() {
            let of_versions: ReleaseSet =
                file.versions.iter().flat_map(|version| version.releases.iter()).collect();
            assert_eq!(of_versions, file.releases, "{}", file.path);
            for (releases, marker) in file.markers() {
                assert!(!releases.is_empty() && releases != file.releases, "{}: {marker}", file.path);
            }
        }
    }
}
