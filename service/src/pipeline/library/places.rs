//! Where libraries are that this call does not name, in the order in which they are looked for.

use std::{
    cell::OnceCell,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use odsmith_engine::release::Release;
use odsmith_tblgen::library::header_release;

use super::{WITNESS, identify, identify::Identity, is_library};

/// A library that is found here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    /// The release's name.
    pub release: String,
    /// The include folder, or a packed library.
    pub include: PathBuf,
    /// What led to it.
    pub by: &'static str,
}

/// Where a library comes from.
#[derive(Clone, Copy, Debug)]
enum Origin {
    Beside,
    Environment,
    Cmake,
    Installation,
    Cache,
}

/// All origins, the one that is preferred first.
const ORIGINS: &[Origin] =
    &[Origin::Beside, Origin::Environment, Origin::Cmake, Origin::Installation, Origin::Cache];

/// Folders of a virtual environment that are looked into below one another, and their entries in all.
const MOST_DEPTH: usize = 7;
const MOST_ENTRIES: usize = 50_000;

/// A look at this machine. What it sees once is not looked for again.
#[derive(Default)]
pub(super) struct Search {
    environment: OnceCell<Option<PathBuf>>,
    /// Where nothing was.
    pub(super) looked_at: Vec<PathBuf>,
}

impl Search {
    /// The first library that is of one of these releases.
    pub(super) fn first(&mut self, releases: &[Release]) -> Option<Installed> {
        let mut pairs =
            ORIGINS.iter().flat_map(|origin| releases.iter().map(move |release| (*origin, *release)));
        pairs.find_map(|(origin, release)| self.look(origin, release))
    }

    /// All that there are, in order.
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
                is_library(&place)
                    && release_of(&place, is_trusted.then_some(release)).as_deref() == Some(release.name())
            };
            if is_of_release {
                return Some(Installed { release: release.name().to_owned(), include: place, by });
            }
            self.looked_at.push(place);
        }
        None
    }
}

/// The release of a library: as its headers say, or else as its place says, or else as its definitions do.
fn release_of(include: &Path, by_place: Option<Release>) -> Option<String> {
    header_release(include).or_else(|| by_place.map(|release| release.name().to_owned())).or_else(|| {
        match identify::of_folder(include) {
            Identity::Release(number) => Some(number.to_string()),
            Identity::Between(..) | Identity::Newer | Identity::Unknown => None,
        }
    })
}

/// What packages of Odsmith bring: `../share/odsmith/libraries/22.tar.zst` from the program's folder, or the same beside it.
fn beside(release: Release) -> Vec<(PathBuf, bool)> {
    let own = env::current_exe().and_then(|own| own.canonicalize()).ok();
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

/// The library in a wheel of the virtual environment that this runs in.
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

/// Where CMake finds MLIR: `PREFIX/lib/cmake/mlir`.
fn cmake() -> Option<PathBuf> {
    let folder = PathBuf::from(env::var_os("MLIR_DIR").filter(|value| !value.is_empty())?);
    let mut above = folder.ancestors().map(|above| above.join("include"));
    let found = above.by_ref().take(5).find(|include| is_library(include));
    Some(found.unwrap_or(folder))
}

/// Places where an installation may be, and whether one there is surely of this release.
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

/// The folder of the cache, that of the set-up scripts.
pub(crate) fn cache_folder() -> Option<PathBuf> {
    // `off` is about the states of calls alone.
    let own = env::var_os("ODSMITH_CACHE").filter(|own| !own.is_empty() && own != "off").map(PathBuf::from);
    let shared = || env::var_os("XDG_CACHE_HOME").map(|cache| Path::new(&cache).join("odsmith"));
    let home = || env::var_os("HOME").map(|home| Path::new(&home).join(".cache/odsmith"));
    own.or_else(shared).or_else(home)
}
