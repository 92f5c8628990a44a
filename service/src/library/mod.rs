//! Finds and loads a release's `.td` library.
//!
//! Looked at, in this order: what the user names (`--library`, `ODSMITH_LIBRARY`), installations (`MLIR_PREFIX`,
//! `llvm-config`, the usual prefixes, Homebrew), and the cache that the set-up scripts fill.

mod closure;
pub mod identify;
pub mod source;

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    str::FromStr,
    sync::Arc,
};

use odsmith_engine::{bundle::Bundle, library::Library, release::Release};
use odsmith_tblgen::library::header_release;

use self::closure::Closure;
use crate::{disk, keys, manifest::Manifest};

/// The file that distinguishes a library from any other folder.
const WITNESS: &str = "mlir/IR/OpBase.td";

/// A library as the user names it: `22=/path/to/include`, or the path alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The release; nothing where the library is to say it.
    pub release: Option<Release>,
    /// Its include folder.
    pub include: PathBuf,
}

impl FromStr for Named {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((name, path)) => {
                Ok(Named { release: Some(supported(Release::parse(name)?)?), include: path.into() })
            }
            None => Ok(Named { release: None, include: text.into() }),
        }
    }
}

fn supported(release: Release) -> Result<Release, String> {
    if release.is_complete() {
        return Ok(release);
    }
    let name = release.name();
    Err(format!("MLIR {name} is not supported here yet, only by some generators of `odsmith tblgen`"))
}

/// The libraries of a server or of a command: one for each release, the newest first.
#[derive(Debug)]
pub struct Libraries(Vec<Entry>);

#[derive(Debug)]
struct Entry {
    library: Arc<Library>,
    closure: Closure,
}

impl From<Library> for Entry {
    fn from(library: Library) -> Self {
        Entry { closure: Closure::new(&library), library: Arc::new(library) }
    }
}

impl From<Library> for Libraries {
    fn from(library: Library) -> Self {
        Libraries(vec![library.into()])
    }
}

impl FromIterator<Library> for Libraries {
    /// One at least, each of another release.
    fn from_iter<T: IntoIterator<Item = Library>>(libraries: T) -> Self {
        let mut all: Vec<Entry> = libraries.into_iter().map(Entry::from).collect();
        all.sort_by_key(|entry| Reverse(entry.library.release()));
        Libraries(all)
    }
}

impl Libraries {
    /// Finds and loads the libraries that the user names, or else the newest that is installed; of a release alone where
    /// only that is of use.
    ///
    /// # Errors
    /// There is none, one is not of the release that it is said to be, or it can not be read; the message says what to do.
    pub fn load(named: &[Named], only: Option<Release>) -> Result<Libraries, String> {
        let mut found: Vec<(Release, PathBuf)> = Vec::new();
        for named in named {
            let include = explicit(&named.include, "--library")?;
            let release = released(&include, named.release, "--library")?;
            found.retain(|(other, _)| *other != release);
            found.push((release, include));
        }
        if found.is_empty() {
            found.push(find(only)?);
        }
        if let Some(release) = only {
            let names: Vec<&str> = found.iter().map(|(release, _)| release.name()).collect();
            found.retain(|(other, _)| *other == release);
            if found.is_empty() {
                return Err(missing(release.name(), &names));
            }
        }
        found.into_iter().map(|(release, include)| read(release, &include)).collect()
    }

    /// The library of a release as users name it; the newest one where none is named.
    ///
    /// # Errors
    /// There is none of this release; the message says which there are.
    pub fn of(&self, release: Option<&str>) -> Result<&Arc<Library>, String> {
        let Some(name) = release.filter(|name| *name != AUTOMATIC) else { return Ok(self.newest()) };
        self.iter().find(|library| library.release().name() == name).ok_or_else(|| {
            let names: Vec<&str> = self.iter().map(|library| library.release().name()).collect();
            missing(name, &names)
        })
    }

    /// The library of the newest release.
    #[must_use]
    pub fn newest(&self) -> &Arc<Library> {
        &self.0[0].library
    }

    /// All of them, the newest first.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Library>> {
        self.0.iter().map(|entry| &entry.library)
    }

    /// The digest of what a job of this bundle can read of the library of a release: it is the same wherever these files are,
    /// whatever else the library holds.
    #[must_use]
    pub fn digest_for(&self, release: Release, bundle: &Bundle, manifest: &Manifest) -> String {
        let entry = self.0.iter().find(|entry| entry.library.release() == release);
        entry.map_or_else(String::new, |entry| entry.closure.digest(&entry.library, bundle, manifest))
    }
}

/// The release that is that of the library.
pub const AUTOMATIC: &str = "auto";

fn missing(name: &str, there: &[&str]) -> String {
    format!("there is no library of MLIR {name} here; there is {}", there.join(", "))
}

/// Where a library is, of this release or of the newest one that is installed.
fn find(only: Option<Release>) -> Result<(Release, PathBuf), String> {
    if let Some(named) = env::var_os("ODSMITH_LIBRARY") {
        let named = match named.to_str().map(Named::from_str) {
            Some(Ok(named)) => named,
            _ => Named { release: None, include: named.into() },
        };
        let include = explicit(&named.include, "ODSMITH_LIBRARY")?;
        return Ok((released(&include, named.release, "ODSMITH_LIBRARY")?, include));
    }
    let mut looked_at: Vec<PathBuf> = Vec::new();
    let newest = Release::ALL.iter().copied().filter(|release| release.is_complete());
    let wanted: Vec<Release> = only.map_or_else(|| newest.collect(), |release| vec![release]);
    for &release in &wanted {
        if let Some(found) = installed_release(release, &mut looked_at) {
            return Ok((release, found.include));
        }
    }
    looked_at.sort();
    looked_at.dedup();
    Err(nothing_found(only.unwrap_or_default(), looked_at.into_iter()))
}

/// A library that is found here without being named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    /// The release's name.
    pub release: String,
    /// The include folder.
    pub include: PathBuf,
    /// What led to it.
    pub by: &'static str,
}

/// All libraries that commands take if none is named, one for each release, in the order in which they are looked for.
#[must_use]
pub fn installed() -> Vec<Installed> {
    let named = env::var("ODSMITH_LIBRARY").ok().and_then(|named| {
        let named = Named::from_str(&named).ok()?;
        let include = explicit(&named.include, "ODSMITH_LIBRARY").ok()?;
        let release = released(&include, named.release, "ODSMITH_LIBRARY").ok()?;
        Some(Installed { release: release.name().to_owned(), include, by: "ODSMITH_LIBRARY" })
    });
    let mut found: Vec<Installed> = named.into_iter().collect();
    for &release in Release::ALL {
        if found.iter().all(|one| one.release != release.name()) {
            found.extend(installed_release(release, &mut Vec::new()));
        }
    }
    found
}

/// The library of a release, in an installation or in the cache; the places that hold none are added to those looked at.
fn installed_release(release: Release, looked_at: &mut Vec<PathBuf>) -> Option<Installed> {
    let found = |include, by| Installed { release: release.name().to_owned(), include, by };
    for (prefix, is_trusted) in prefixes(release) {
        let include = prefix.join("include");
        let known = is_library(&include).then(|| header_release(&include)).flatten();
        if is_library(&include) && known.as_deref().map_or(is_trusted, |known| known == release.name()) {
            return Some(found(include, "an installation"));
        }
        looked_at.push(prefix);
    }
    let cached = cache_folder().map(|cache| cache.join(format!("mlir-{}/include", release.name())));
    match cached {
        Some(cached) if is_library(&cached) => Some(found(cached, "the cache")),
        cached => {
            looked_at.extend(cached);
            None
        }
    }
}

/// The release of a library: as its headers say, if they are there, or as the user says.
fn released(include: &Path, said: Option<Release>, by: &str) -> Result<Release, String> {
    let place = include.display();
    match (header_release(include), said) {
        (Some(known), Some(said)) if known != said.name() => {
            Err(format!("{by} names {place} as MLIR {}, and it is MLIR {known}", said.name()))
        }
        (_, Some(said)) => Ok(said),
        (Some(known), None) => Release::parse(&known)
            .and_then(supported)
            .map_err(|reason| format!("{by} names {place}, which is MLIR {known}: {reason}")),
        (None, None) => Ok(Release::default()),
    }
}

fn explicit(include: &Path, by: &str) -> Result<PathBuf, String> {
    // A prefix is as good as its include folder.
    let below = include.join("include");
    match (is_library(include), is_library(&below)) {
        (true, _) => Ok(include.to_owned()),
        (false, true) => Ok(below),
        (false, false) => Err(format!("{by} names {}, which holds no {WITNESS}", include.display())),
    }
}

fn nothing_found(release: Release, looked_at: impl Iterator<Item = PathBuf>) -> String {
    let name = release.name();
    let mut text = format!(
        "no MLIR {name} was found, and its .td files are needed.\n\
         Get them with `odsmith library add {name}`, install MLIR (Debian, Ubuntu: libmlir-{name}-dev; Homebrew:\n\
         llvm@{name}), or name the folder that holds {WITNESS}:\n\
         --library {name}=/path/to/include  or  ODSMITH_LIBRARY=/path/to/include\n\
         Looked at:"
    );
    for place in looked_at {
        text += "\n  ";
        text += &place.display().to_string();
    }
    text
}

/// Places where an installation may be, and whether one there is surely of this release.
fn prefixes(release: Release) -> Vec<(PathBuf, bool)> {
    let name = release.name();
    let mut prefixes: Vec<(PathBuf, bool)> = Vec::new();
    prefixes.extend(env::var_os("MLIR_PREFIX").map(|prefix| (prefix.into(), true)));
    if env::var_os("ODSMITH_NO_INSTALLED").is_some() {
        return prefixes;
    }
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
    prefixes
}

fn llvm_config(program: &str) -> Option<PathBuf> {
    let output = Command::new(program).arg("--prefix").output().ok()?;
    let prefix = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !prefix.trim().is_empty()).then(|| prefix.trim().into())
}

/// The folder of the cache, that of the set-up scripts.
pub(crate) fn cache_folder() -> Option<PathBuf> {
    let own = env::var_os("ODSMITH_CACHE").map(PathBuf::from);
    let shared = || env::var_os("XDG_CACHE_HOME").map(|cache| Path::new(&cache).join("odsmith"));
    let home = || env::var_os("HOME").map(|home| Path::new(&home).join(".cache/odsmith"));
    own.or_else(shared).or_else(home)
}

/// Whether a folder holds the library of a release.
#[must_use]
pub fn is_library(include: &Path) -> bool {
    include.join(WITNESS).is_file()
}

/// Loads the `.td` files below `mlir/` and `llvm/` of an include folder.
///
/// # Errors
/// A file can not be read.
pub fn read(release: Release, include: &Path) -> Result<Library, String> {
    let mut files: BTreeMap<String, Arc<[u8]>> = BTreeMap::new();
    for top in ["llvm", "mlir"] {
        // Distributions make these links; below them there are none.
        let folder = fs::canonicalize(include.join(top)).unwrap_or_else(|_| include.join(top));
        if !folder.is_dir() {
            continue;
        }
        disk::walk(&folder, top, 0, &mut |path, file| {
            if path.ends_with(".td") {
                let bytes = fs::read(file)
                    .map_err(|error| format!("{}: {}", file.display(), disk::reason(&error)))?;
                files.insert(path.to_owned(), bytes.into());
            }
            Ok(())
        })?;
    }
    let digest = keys::tree(files.iter().map(|(path, bytes)| (path.as_str(), &**bytes)));
    Ok(Library::new(release, digest, files))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_with_and_without_release() {
        assert_eq!("22=/x".parse(), Ok(Named { release: Some(Release::V22), include: "/x".into() }));
        assert_eq!("/x".parse(), Ok(Named { release: None, include: "/x".into() }));
        assert!("7=/x".parse::<Named>().is_err());
    }

    #[test]
    fn a_folder_that_is_none_is_named() {
        let error = Libraries::load(&["22=/nonexistent".parse().unwrap()], None).unwrap_err();
        assert!(error.contains("--library names /nonexistent"), "{error}");
    }

    fn library_of(release: Release) -> Library {
        Library::new(release, release.name().to_owned(), BTreeMap::new())
    }

    #[test]
    fn the_newest_release_is_the_default() {
        let libraries: Libraries = [Release::V21, Release::V23].map(library_of).into_iter().collect();
        let of = |release: Option<&str>| libraries.of(release).map(|library| library.release());
        assert_eq!(of(None), Ok(Release::V23));
        assert_eq!(of(Some("auto")), Ok(Release::V23));
        assert_eq!(of(Some("21")), Ok(Release::V21));
        assert_eq!(of(Some("22")).unwrap_err(), "there is no library of MLIR 22 here; there is 23, 21");
    }
}
