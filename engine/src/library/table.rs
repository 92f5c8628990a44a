//! Writes the table of `odsmith_release::markers` from libraries of all releases.

use std::collections::{BTreeMap, BTreeSet};

use odsmith_release::{
    Release,
    markers::{FileMarkers, FileVersion, ReleaseSet},
};
use odsmith_tablegen::parallel;

use super::definitions;

/// A library: its release, and its files by their paths below the include folder.
pub type ReleaseFiles = (Release, BTreeMap<String, Vec<u8>>);

/// The first lines of the table.
const HEAD: &str =
    "# What the files of MLIR's library define, release by release; written by tests/setup/markers.sh.\n";

/// Returns the table of markers.
#[must_use]
pub fn write(libraries: &[ReleaseFiles]) -> String {
    let paths: BTreeSet<&str> =
        libraries.iter().flat_map(|(_, files)| files.keys().map(String::as_str)).collect();
    let paths: Vec<&str> = paths.into_iter().filter(|path| path.starts_with("mlir/")).collect();
    let files = parallel::map(parallel::parallelism().get(), &paths, |path| file(path, libraries));
    HEAD.to_owned() + &files.concat()
}

fn file(path: &str, libraries: &[ReleaseFiles]) -> String {
    let mut file = FileMarkers { path, ..FileMarkers::default() };
    let mut versions: BTreeMap<(u64, usize), ReleaseSet> = BTreeMap::new();
    let mut all: BTreeMap<String, ReleaseSet> = BTreeMap::new();
    for (release, files) in libraries {
        let Some(text) = files.get(path) else { continue };
        file.releases = file.releases.with(*release);
        let of_version = versions.entry((definitions::digest(text), text.len())).or_default();
        *of_version = of_version.with(*release);
        for marker in definitions::markers(path, text) {
            let of_marker = all.entry(marker).or_default();
            *of_marker = of_marker.with(*release);
        }
    }
    let version = |((digest, size), releases)| FileVersion { releases, digest, size: size as u64 };
    file.versions = versions.into_iter().map(version).collect();
    file.versions.sort_unstable();
    let mut markers = Vec::new();
    for (marker, releases) in &all {
        if *releases == file.releases {
            file.common += 1;
            file.common_sum = file.common_sum.wrapping_add(definitions::digest_of_marker(marker));
        } else {
            markers.push((*releases, marker));
        }
    }
    markers.sort_unstable();
    markers.into_iter().for_each(|(releases, marker)| file.add(releases, marker));
    file.rows()
}

/// Returns the table of names that some releases define and others do not, for `Rules::elsewhere`: of files outside
/// dialects, and of at least two words, because projects use single words for definitions of their own.
#[must_use]
pub fn names(libraries: &[ReleaseFiles]) -> String {
    let mut all: BTreeMap<String, ReleaseSet> = BTreeMap::new();
    for (release, files) in libraries {
        for (path, text) in files.iter().filter(|(path, _)| is_of_core(path)) {
            for marker in definitions::markers(path, text) {
                if let Some(name) = name(&marker) {
                    let of_name = all.entry(name.to_owned()).or_default();
                    *of_name = of_name.with(*release);
                }
            }
        }
    }
    let measured = libraries.iter().map(|(release, _)| *release).collect::<ReleaseSet>();
    let row = |(name, releases): (&String, &ReleaseSet)| {
        let (last, first) = (releases.iter().next()?, releases.iter().last()?);
        (*releases != measured).then(|| format!("{name} {first} {last}\n"))
    };
    all.iter().filter_map(row).collect()
}

fn is_of_core(path: &str) -> bool {
    path.starts_with("mlir/") && !path.starts_with("mlir/Dialect/")
}

/// Returns the name of a marker that is a class, a record or a field, if it has two words.
fn name(marker: &str) -> Option<&str> {
    let name = marker.strip_prefix("class ").or_else(|| marker.strip_prefix("def "));
    let name = name.or_else(|| Some(marker.split_once('.')?.1).filter(|name| !name.contains(' ')))?;
    let mut letters = name.chars().skip(1);
    letters.any(|letter| letter.is_uppercase() || letter == '_').then_some(name)
}
