//! Finds and loads a release's `.td` library.
//!
//! Looked at, in this order: what the user names (`--library`, `ODSMITH_LIBRARY`), installations (`MLIR_PREFIX`,
//! `llvm-config`, the usual prefixes, Homebrew), and the cache that the set-up scripts fill.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    str::FromStr,
    sync::Arc,
};

use odsmith_engine::{library::Library, release::Release};

use crate::{disk, keys};

/// The file that distinguishes a library from any other folder.
const WITNESS: &str = "mlir/IR/OpBase.td";

/// A library as the user names it: `22=/path/to/include`, or the path alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The release.
    pub release: Release,
    /// Its include folder.
    pub include: PathBuf,
}

impl FromStr for Named {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (release, include) = match text.split_once('=') {
            Some((name, path)) => (Release::parse(name)?, path),
            None => (Release::default(), text),
        };
        if !release.is_complete() {
            let name = release.name();
            return Err(format!(
                "MLIR {name} is not supported here yet, only by some generators of `odsmith tblgen`"
            ));
        }
        Ok(Named { release, include: include.into() })
    }
}

/// Finds the library of a release and loads it.
///
/// # Errors
/// There is none, or it can not be read; the message says what to do.
pub fn load(release: Release, named: &[Named]) -> Result<Library, String> {
    let include = find(release, named)?;
    read(release, &include)
}

fn find(release: Release, named: &[Named]) -> Result<PathBuf, String> {
    if let Some(named) = named.iter().rev().find(|named| named.release == release) {
        return explicit(&named.include, "--library");
    }
    if let Some(named) = env::var_os("ODSMITH_LIBRARY") {
        return match named.to_str().map(Named::from_str) {
            Some(Ok(named)) => explicit(&named.include, "ODSMITH_LIBRARY"),
            _ => explicit(Path::new(&named), "ODSMITH_LIBRARY"),
        };
    }
    let mut looked_at = Vec::new();
    for (prefix, is_trusted) in prefixes(release) {
        let include = prefix.join("include");
        if is_library(&include) && (is_trusted || is_release(&include, release)) {
            return Ok(include);
        }
        looked_at.push(prefix);
    }
    let cached = cache_folder().map(|cache| cache.join(format!("mlir-{}/include", release.name())));
    match cached {
        Some(cached) if is_library(&cached) => Ok(cached),
        cached => Err(nothing_found(release, looked_at.into_iter().chain(cached))),
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
         Install it (Debian, Ubuntu: libmlir-{name}-dev; Homebrew: llvm@{name}), or name the folder that holds\n\
         {WITNESS}:  --library {name}=/path/to/include  or  ODSMITH_LIBRARY=/path/to/include\n\
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

fn cache_folder() -> Option<PathBuf> {
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

/// Whether the headers beside the library say that they are of this release.
fn is_release(include: &Path, release: Release) -> bool {
    let line = format!("#define LLVM_VERSION_MAJOR {}", release.name());
    let header = fs::read_to_string(include.join("llvm/Config/llvm-config.h"));
    header.is_ok_and(|header| header.lines().any(|text| text.trim_end() == line))
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
        let named = Named { release: Release::V22, include: "/x".into() };
        assert_eq!("22=/x".parse(), Ok(named.clone()));
        assert_eq!("/x".parse(), Ok(named));
        assert!("7=/x".parse::<Named>().is_err());
    }

    #[test]
    fn a_folder_that_is_none_is_named() {
        let error = load(Release::V22, &["22=/nonexistent".parse().unwrap()]).unwrap_err();
        assert!(error.contains("--library names /nonexistent"), "{error}");
    }
}
