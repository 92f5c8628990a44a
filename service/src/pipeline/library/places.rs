//! Searches for libraries that the user does not name.

use std::{
    cell::OnceCell,
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use super::{LibraryFiles, WITNESS, is_library};
use odsmith_engine::release::Release;

/// A library found by the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    /// The release's name.
    pub release: String,
    /// The include folder, or a packed library.
    pub include: PathBuf,
    /// The setting or place that led to it.
    pub by: &'static str,
}

/// The origin of a library.
#[derive(Clone, Copy, Debug)]
enum Origin {
    Beside,
    Environment,
    Cmake,
    Installation,
    Cache,
}

/// All origins, the preferred one first.
const ORIGINS: &[Origin] =
    &[Origin::Beside, Origin::Environment, Origin::Cmake, Origin::Installation, Origin::Cache];

/// Limits of the search in a virtual environment: the depth of folders, and the entries in all.
const MOST_DEPTH: usize = 7;
const MOST_ENTRIES: usize = 50_000;

/// A search of this machine. The virtual environment is searched only once.
#[derive(Default)]
pub(super) struct Search {
    environment: OnceCell<Option<PathBuf>>,
    /// The releases of the libraries that were looked at.
    releases: BTreeMap<PathBuf, Option<Release>>,
}

impl Search {
    /// Returns the first library of one of these releases.
    pub(super) fn first(&mut self, releases: &[Release]) -> Option<Installed> {
        let mut pairs =
            ORIGINS.iter().flat_map(|origin| releases.iter().map(move |release| (*origin, *release)));
        pairs.find_map(|(origin, release)| self.look(origin, release))
    }

    /// Returns all libraries, in order.
    pub(super) fn all(&mut self) -> Vec<Installed> {
        let pairs =
            ORIGINS.iter().flat_map(|origin| Release::ALL.iter().map(move |release| (*origin, *release)));
        let mut found: Vec<Installed> = Vec::new();
        for (origin, release) in pairs {
            let one = self.look(origin, release);
            found.extend(one.filter(|one| found.iter().all(|other| other.include != one.include)));
        }
        found
    }

    fn look(&mut self, origin: Origin, release: Release) -> Option<Installed> {
        let (by, places) = match origin {
            Origin::Beside => ("beside the program", beside(release)),
            Origin::Environment => {
                let wheel = self.environment.get_or_init(environment).clone();
                ("VIRTUAL_ENV", wheel.into_iter().map(|place| (place, false)).collect())
            }
            Origin::Cmake => ("MLIR_DIR", cmake().into_iter().map(|place| (place, false)).collect()),
            Origin::Installation => ("an installation", installations(release)),
            Origin::Cache => ("the cache", cached(release)),
        };
        for (place, is_trusted) in places {
            let is_of_release = if place.is_file() {
                is_trusted
            } else {
                let by_place = || is_trusted.then_some(release);
                is_library(&place) && self.release_of(&place).or_else(by_place) == Some(release)
            };
            if is_of_release {
                return Some(Installed { release: release.name().to_owned(), include: place, by });
            }
        }
        None
    }

    /// Returns the release of a library by its definitions and headers.
    fn release_of(&mut self, include: &Path) -> Option<Release> {
        if let Some(known) = self.releases.get(include) {
            return *known;
        }
        let release = LibraryFiles::read(include).ok().and_then(|files| files.nearest());
        self.releases.insert(include.to_owned(), release);
        release
    }
}

/// Returns the libraries in Odsmith's packages: `../share/odsmith/libraries/22.tar.zst` from the program's folder, or
/// below `libraries` in that folder.
fn beside(release: Release) -> Vec<(PathBuf, bool)> {
    // WebAssembly does not know its program: who runs it does.
    let named = env::var_os("ODSMITH_PROGRAM").map(PathBuf::from);
    let own = named.or_else(|| env::current_exe().and_then(|own| own.canonicalize()).ok());
    let Some(folder) = own.as_deref().and_then(Path::parent) else { return Vec::new() };
    let name = release.name();
    ["../share/odsmith/libraries", "libraries"]
        .iter()
        .flat_map(|below| {
            let libraries = folder.join(below);
            [format!("{name}.tar.zst"), format!("mlir-{name}.tar.zst"), format!("mlir-{name}/include")]
                .map(|one| (libraries.join(one), true))
        })
        .collect()
}

/// Returns the library in a wheel of the active virtual environment.
fn environment() -> Option<PathBuf> {
    let root = PathBuf::from(env::var_os("VIRTUAL_ENV")?);
    let mut entries = 0;
    let mut found = Vec::new();
    for below in [root.join("lib"), root.join("lib64"), root.join("Lib")] {
        find_wheel(&below, 0, &mut entries, &mut found);
    }
    found.sort();
    found.into_iter().next()
}

fn find_wheel(folder: &Path, depth: usize, entries: &mut usize, found: &mut Vec<PathBuf>) {
    if folder.join(WITNESS).is_file() {
        found.push(folder.to_owned());
        return;
    }
    let Ok(below) = fs::read_dir(folder) else { return };
    for entry in below.flatten() {
        *entries += 1;
        if *entries > MOST_ENTRIES || depth > MOST_DEPTH {
            return;
        }
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            find_wheel(&entry.path(), depth + 1, entries, found);
        }
    }
}

/// Returns the include folder that CMake's package `PREFIX/lib/cmake/mlir` belongs to.
fn cmake() -> Option<PathBuf> {
    let folder = PathBuf::from(env::var_os("MLIR_DIR").filter(|value| !value.is_empty())?);
    let mut above = folder.ancestors().map(|above| above.join("include"));
    let found = above.by_ref().take(5).find(|include| is_library(include));
    Some(found.unwrap_or(folder))
}

/// Returns possible installations, and whether a library there is surely of this release.
fn installations(release: Release) -> Vec<(PathBuf, bool)> {
    let name = release.name();
    let mut prefixes: Vec<(PathBuf, bool)> = Vec::new();
    prefixes.extend(env::var_os("MLIR_PREFIX").map(|prefix| (prefix.into(), true)));
    if env::var_os("ODSMITH_NO_INSTALLED").is_none() {
        prefixes.push((format!("/usr/lib/llvm-{name}").into(), true));
        prefixes.extend(llvm_config(&format!("llvm-config-{name}")).map(|prefix| (prefix, true)));
        prefixes.extend(llvm_config("llvm-config").map(|prefix| (prefix, false)));
        for homebrew in ["/opt/homebrew", "/usr/local", "/home/linuxbrew/.linuxbrew"] {
            prefixes.push((format!("{homebrew}/opt/llvm@{name}").into(), true));
            prefixes.push((format!("{homebrew}/opt/llvm").into(), false));
        }
        prefixes.push((format!("/opt/llvm-{name}").into(), true));
        prefixes.push(("/usr/local".into(), false));
        prefixes.push(("/usr".into(), false));
    }
    prefixes.into_iter().map(|(prefix, is_trusted)| (prefix.join("include"), is_trusted)).collect()
}

fn llvm_config(program: &str) -> Option<PathBuf> {
    let output = Command::new(program).arg("--prefix").output().ok()?;
    let prefix = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !prefix.trim().is_empty()).then(|| prefix.trim().into())
}

fn cached(release: Release) -> Vec<(PathBuf, bool)> {
    let place = cache_folder().map(|cache| cache.join(format!("mlir-{}/include", release.name())));
    place.into_iter().map(|place| (place, true)).collect()
}

/// Returns the folder of the cache, which the set-up scripts share.
pub(crate) fn cache_folder() -> Option<PathBuf> {
    // `off` only disables the cache of snapshots.
    let own = env::var_os("ODSMITH_CACHE").filter(|own| !own.is_empty() && own != "off").map(PathBuf::from);
    let shared = || env::var_os("XDG_CACHE_HOME").map(|cache| Path::new(&cache).join("odsmith"));
    let home = || env::var_os("HOME").map(|home| Path::new(&home).join(".cache/odsmith"));
    own.or_else(shared).or_else(home)
}
