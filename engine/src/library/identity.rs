//! Recognises the release of a library by the definitions in its files.
//!
//! A file has the same code as in some releases, or the definitions of some, or others. All files together are those of
//! one release, of a commit between two, of a mix, or of a release after all known ones.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use odsmith_release::{
    Release, changes,
    markers::{self, FileMarkers, ReleaseSet},
};
use odsmith_tablegen::parallel;

use super::definitions;

/// The remedy for a library that is no known release.
pub const REMEDY: &str = "`odsmith calibrate` measures its rules";

/// The number of names in a text.
const MOST_NAMES: usize = 3;

/// The identity of a library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// It has the definitions of this release, and no others.
    Release(Release),
    /// It has the definitions of this release, and some that no release has.
    Extended(Release, Evidence),
    /// Each file is as in one of two neighbours or between them: a commit between the two, or a mix.
    Between(Blend),
    /// Some files are as in another release, which is no neighbour or was published before trunk had the rest.
    Mix(Blend),
    /// It has definitions that appeared after the newest known release.
    Newer(Evidence),
    /// It has no definitions of any known release.
    Unknown,
}

/// The files that show how a library differs from a release.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The paths of the files.
    pub files: Vec<String>,
    /// The number of the library's files that the table knows.
    pub of: usize,
}

/// A library with definitions of two releases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blend {
    /// The release that most of its files have.
    pub nearest: Release,
    /// The release that explains most of the other files.
    pub other: Release,
    /// The files that are not as in `nearest`.
    pub evidence: Evidence,
    /// The markers of the later release that the library has, and earlier releases do not.
    pub present: Vec<String>,
    /// The markers of the later release that the library does not have.
    pub absent: Vec<String>,
}

impl Blend {
    fn ends(&self) -> (Release, Release) {
        (self.nearest.min(self.other), self.nearest.max(self.other))
    }
}

/// The state of one file.
#[derive(Default)]
struct FileState {
    /// The releases that define the same, or the nearest ones.
    releases: ReleaseSet,
    /// True if these releases do not define quite the same.
    is_partial: bool,
    /// True if it has definitions of no release, or lacks some of all releases.
    is_novel: bool,
}

impl Identity {
    /// Identifies a library by its files, which have their paths in an include folder.
    pub fn of<B: AsRef<[u8]> + Sync>(files: &BTreeMap<String, B>) -> Identity {
        Identity::of_some(files, true)
    }

    /// Identifies a library by some of its files. Missing files count if `is_whole`.
    pub fn of_some<B: AsRef<[u8]> + Sync>(files: &BTreeMap<String, B>, is_whole: bool) -> Identity {
        let rows: Vec<FileMarkers<'_>> = match is_whole {
            true => markers::files().collect(),
            false => files.keys().filter_map(|path| markers::file(path)).collect(),
        };
        let table: BTreeMap<&str, FileMarkers<'_>> = rows.into_iter().map(|file| (file.path, file)).collect();
        let paths: Vec<(&str, &[u8])> = files
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_ref()))
            .filter(|(path, _)| path.starts_with("mlir/") && path.ends_with(".td"))
            .collect();
        let threads = if is_whole { parallel::parallelism().get() } else { 1 };
        let states = parallel::map(threads, &paths, |(path, text)| state(table.get(path), path, text));
        let mut states: BTreeMap<&str, FileState> = paths.iter().map(|(path, _)| *path).zip(states).collect();
        if is_whole {
            add_missing(&mut states, &table);
        }
        classify(&states, files, &table)
    }

    /// Returns the release whose rules fit best.
    #[must_use]
    pub fn nearest(&self) -> Option<Release> {
        match self {
            Identity::Release(release) | Identity::Extended(release, _) => Some(*release),
            Identity::Between(blend) | Identity::Mix(blend) => Some(blend.nearest),
            Identity::Newer(_) => Some(Release::newest()),
            Identity::Unknown => None,
        }
    }

    /// Returns true if it may be a release; a checkout counts as both of its neighbours.
    #[must_use]
    pub fn may_be(&self, release: Release) -> bool {
        match self {
            Identity::Between(blend) | Identity::Mix(blend) => {
                [blend.nearest, blend.other].contains(&release)
            }
            Identity::Unknown => true,
            Identity::Release(_) | Identity::Extended(..) | Identity::Newer(_) => {
                self.nearest() == Some(release)
            }
        }
    }

    /// Returns the warning for users of a library that is read as a release, if it is not that release.
    #[must_use]
    pub fn caution(&self, release: Release) -> Option<String> {
        let rules = match self {
            Identity::Release(own) | Identity::Extended(own, _) if *own == release => return None,
            Identity::Unknown => return None,
            Identity::Between(blend) | Identity::Mix(blend) => unseen_rules(blend.ends()),
            Identity::Newer(_) => "what changed after it".to_owned(),
            Identity::Release(own) | Identity::Extended(own, _) => {
                unseen_rules(((*own).min(release), (*own).max(release)))
            }
        };
        Some(format!("is {self}: it is read as MLIR {release}, and results may differ in {rules}; {REMEDY}"))
    }
}

/// Returns the only release in which all of these files have these sizes.
#[must_use]
pub fn by_sizes<'p>(sizes: impl Iterator<Item = (&'p str, u64)>) -> Option<Release> {
    let mut releases: ReleaseSet = Release::ALL.iter().copied().collect();
    for (path, size) in sizes {
        let file = markers::file(path)?;
        let versions = file.versions.iter().filter(|version| version.size == size);
        let with_size: ReleaseSet = versions.flat_map(|version| version.releases.iter()).collect();
        releases = releases.iter().filter(|release| with_size.has(*release)).collect();
    }
    let mut releases = releases.iter();
    releases.next().filter(|_| releases.next().is_none())
}

/// Returns true if a file of a library may be as in a release, by its size alone.
#[must_use]
pub fn has_size_of_release(path: &str, release: Release, size: u64) -> bool {
    let file = markers::file(path);
    file.is_some_and(|file| file.versions.iter().any(|it| it.releases.has(release) && it.size == size))
}

/// Describes the rules that came with the later releases and that definitions do not show.
fn unseen_rules((older, newer): (Release, Release)) -> String {
    let rows = changes::between(older, newer);
    let names: Vec<String> = rows.iter().take(MOST_NAMES).map(|row| format!("{:?}", row.change)).collect();
    match rows.len() {
        0 => format!("rules of MLIR {newer} that definitions do not show"),
        count => format!(
            "{count} rules of MLIR {newer} that definitions do not show ({}{})",
            names.join(", "),
            if count > names.len() { ", …" } else { "" }
        ),
    }
}

/// Compares a file with the releases.
fn state(file: Option<&FileMarkers<'_>>, path: &str, text: &[u8]) -> FileState {
    let Some(file) = file else {
        // A file that no release has counts if it defines anything that could mark one.
        let is_novel = !definitions::markers(path, text).is_empty();
        return FileState { is_novel, ..FileState::default() };
    };
    let digest = definitions::digest(text);
    if let Some(version) = file.versions.iter().find(|version| version.digest == digest) {
        return FileState { releases: version.releases, ..FileState::default() };
    }
    let own = definitions::markers(path, text);
    let known: BTreeMap<&str, ReleaseSet> =
        file.markers().map(|(releases, marker)| (marker, releases)).collect();
    let rest = || own.iter().filter(|marker| !known.contains_key(marker.as_str()));
    let sum = rest().fold(0_u64, |sum, marker| sum.wrapping_add(definitions::digest_of_marker(marker)));
    let distance = |release: Release| {
        known.iter().filter(|(marker, releases)| releases.has(release) != own.contains(**marker)).count()
    };
    let least = file.releases.iter().map(distance).min().unwrap_or_default();
    // A file with few of the common definitions only has the name of the library's.
    let is_foreign = rest().count() * 2 < file.common;
    FileState {
        releases: file.releases.iter().filter(|release| !is_foreign && distance(*release) == least).collect(),
        is_partial: least > 0,
        is_novel: sum != file.common_sum,
    }
}

/// Adds the files that came with a release and are missing, if nearly all others are there.
fn add_missing<'t>(states: &mut BTreeMap<&'t str, FileState>, table: &BTreeMap<&'t str, FileMarkers<'t>>) {
    let Some(nearest) = nearest(states) else { return };
    let of_nearest: Vec<&FileMarkers<'_>> =
        table.values().filter(|file| file.releases.has(nearest)).collect();
    let missing: Vec<&&FileMarkers<'_>> =
        of_nearest.iter().filter(|file| !states.contains_key(file.path)).collect();
    if missing.len() * 10 > of_nearest.len() {
        return;
    }
    let position = Release::ALL.iter().position(|release| *release == nearest).unwrap_or_default();
    let neighbours = [position.checked_sub(1), Some(position + 1)];
    let neighbours: ReleaseSet =
        neighbours.into_iter().flatten().filter_map(|at| Release::ALL.get(at)).copied().collect();
    for file in missing {
        let without: ReleaseSet = neighbours.iter().filter(|release| !file.releases.has(*release)).collect();
        if !without.is_empty() {
            states.insert(file.path, FileState { releases: without, ..FileState::default() });
        }
    }
}

/// Returns the release that most files have; of several the newest.
fn nearest(states: &BTreeMap<&str, FileState>) -> Option<Release> {
    let files = |release: &Release| states.values().filter(|state| state.releases.has(*release)).count();
    let nearest = Release::ALL.iter().copied().min_by_key(|release| Reverse(files(release)))?;
    (files(&nearest) > 0).then_some(nearest)
}

fn classify<B: AsRef<[u8]>>(
    states: &BTreeMap<&str, FileState>,
    files: &BTreeMap<String, B>,
    table: &BTreeMap<&str, FileMarkers<'_>>,
) -> Identity {
    let Some(nearest) = nearest(states) else { return Identity::Unknown };
    let of = states.keys().filter(|path| table.contains_key(*path)).count();
    let paths = |is_meant: &dyn Fn(&FileState) -> bool| -> Vec<String> {
        let meant = states.iter().filter(|(_, state)| is_meant(state));
        meant.map(|(path, _)| (*path).to_owned()).collect()
    };
    let is_of_another =
        |state: &FileState| !state.releases.is_empty() && (state.is_partial || !state.releases.has(nearest));
    let novel = paths(&|state| state.is_novel && (state.releases.is_empty() || state.releases.has(nearest)));
    let others = paths(&is_of_another);
    if others.is_empty() || (nearest == Release::newest() && novel.len() >= others.len()) {
        let evidence = Evidence { files: novel, of };
        return match (evidence.files.is_empty(), nearest == Release::newest()) {
            (true, _) => Identity::Release(nearest),
            (false, true) => Identity::Newer(evidence),
            (false, false) => Identity::Extended(nearest, evidence),
        };
    }
    let differing = || states.values().filter(|state| is_of_another(state));
    let explained = |release: &Release| differing().filter(|state| state.releases.has(*release)).count();
    let position =
        |release: &Release| Release::ALL.iter().position(|other| other == release).unwrap_or_default();
    let distance = |release: &Release| position(release).abs_diff(position(&nearest));
    let candidates = Release::ALL.iter().copied().filter(|release| *release != nearest);
    let Some(other) = candidates.min_by_key(|release| (Reverse(explained(release)), distance(release)))
    else {
        return Identity::Release(nearest);
    };
    let is_pair = |state: &&FileState| state.releases.has(other) || state.releases.has(nearest);
    let is_of_neighbours = distance(&other) == 1 && differing().all(|state| is_pair(&state));
    // Only what was never published is read between two releases: files of two published ones are rather a mix.
    let is_between = differing().any(|state| state.is_partial)
        || states.values().any(|state| state.is_novel)
        || nearest.max(other).snapshot().is_some();
    let (present, absent) = arrivals(nearest.min(other), nearest.max(other), files, table);
    let blend = Blend { nearest, other, evidence: Evidence { files: others, of }, present, absent };
    if is_of_neighbours && is_between { Identity::Between(blend) } else { Identity::Mix(blend) }
}

/// Returns the markers that came between two releases: those that the library has, and those that it lacks.
fn arrivals<B: AsRef<[u8]>>(
    older: Release,
    newer: Release,
    files: &BTreeMap<String, B>,
    table: &BTreeMap<&str, FileMarkers<'_>>,
) -> (Vec<String>, Vec<String>) {
    let (mut present, mut absent) = (Vec::new(), Vec::new());
    for file in table.values().filter(|file| file.releases.has(newer) && file.releases.has(older)) {
        let came = |releases: ReleaseSet| releases.has(newer) && !releases.has(older);
        let came: Vec<&str> =
            file.markers().filter(|(releases, _)| came(*releases)).map(|(_, marker)| marker).collect();
        if came.is_empty() {
            continue;
        }
        let own: BTreeSet<String> = files
            .get(file.path)
            .map(|text| definitions::markers(file.path, text.as_ref()))
            .unwrap_or_default();
        for marker in came {
            if own.contains(marker) { &mut present } else { &mut absent }.push(marker.to_owned());
        }
    }
    (present, absent)
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Identity::Release(release) => write!(f, "MLIR {}", release.label()),
            Identity::Extended(release, evidence) => {
                write!(f, "MLIR {} with definitions of no release ({evidence})", release.label())
            }
            Identity::Between(blend) => {
                let (older, newer) = blend.ends();
                write!(f, "between MLIR {older} and {newer}, or a mix of them ({blend})")
            }
            Identity::Mix(blend) if blend.nearest_is_beside_other() => {
                let Blend { nearest, other, .. } = blend;
                write!(f, "a mix of MLIR {nearest} and {other}, or a commit between them ({blend})")
            }
            Identity::Mix(blend) => {
                write!(f, "a mix of MLIR {} and {} ({blend})", blend.nearest, blend.other)
            }
            Identity::Newer(evidence) => {
                write!(
                    f,
                    "newer than MLIR {}, the newest that is known ({evidence})",
                    Release::newest().label()
                )
            }
            Identity::Unknown => f.write_str("no release of MLIR that is known here"),
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} files: {}", self.files.len(), self.of, shortened(&self.files))
    }
}

impl fmt::Display for Blend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Blend { nearest, evidence: Evidence { files, of }, .. } = self;
        write!(f, "{} of {of} files are not as in {nearest}: {}", files.len(), shortened(files))
    }
}

impl Blend {
    fn nearest_is_beside_other(&self) -> bool {
        let (older, newer) = self.ends();
        Release::ALL.windows(2).any(|pair| pair == [newer, older])
    }

    /// Describes the changes of the later release that the library has, and those that it lacks.
    #[must_use]
    pub fn details(&self) -> String {
        let (_, newer) = self.ends();
        let list = |what: &str, markers: &[String]| match markers.len() {
            0 => String::new(),
            count => format!("{what} {count} of the changes that definitions show: {}\n", shortened(markers)),
        };
        list(&format!("has from MLIR {newer}"), &self.present)
            + &list(&format!("lacks from MLIR {newer}"), &self.absent)
    }
}

/// Returns the first names of a list.
fn shortened(names: &[String]) -> String {
    let shown = names.iter().take(MOST_NAMES).map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ");
    if names.len() > MOST_NAMES { shown + ", …" } else { shown }
}
