//! Files of other projects that a bundle's own files include.
//!
//! The files of the dependency `name` are in the bundle below `<name>`, as the library's are below `<mlir-22>`: they
//! are included and linked to, but are neither roots nor documented. They come from a folder, from an archive that is
//! cached by its digest, or from a registry by way of `odsmith fetch`.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use odsmith_engine::bundle::Bundle;

use crate::{
    config::ArchiveLimits,
    pipeline::{
        fetch::archive_at,
        library::{cache_folder, is_library},
        manifest::{Dependency, FILE_NAME, Manifest},
        registry::packages,
        workspace,
    },
    store::{archive, disk, keys},
};

/// Maximum bytes of an archive of a project's sources.
const MOST_BYTES: u64 = 512 << 20;

/// Returns the folder of a dependency's files, in the bundle and in messages.
#[must_use]
pub fn root(name: &str) -> String {
    format!("<{name}>")
}

/// Returns true if a path of a bundle belongs to a dependency.
#[must_use]
pub fn is_foreign(path: &str) -> bool {
    let name = path.strip_prefix('<').and_then(|path| path.split_once(">/"));
    name.is_some_and(|(name, _)| is_name(name))
}

/// Returns true if a dependency may have this name.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || matches!(char, '-' | '_');
    !name.is_empty() && name.chars().all(is_plain) && !name.starts_with("mlir-")
}

/// Returns a name for a folder of another project, from its path: `/x/stablehlo/include` is `stablehlo`.
#[must_use]
pub fn name_of(folder: &str, is_taken: impl Fn(&str) -> bool) -> String {
    const GENERIC: &[&str] = &["include", "src", "lib", "", ".", ".."];
    let part = folder.rsplit('/').find(|part| !GENERIC.contains(part)).unwrap_or("other");
    let is_plain = |char: char| char.is_ascii_alphanumeric() || char == '-';
    let plain: String = part.chars().map(|char| if is_plain(char) { char } else { '_' }).collect();
    // Names of libraries are reserved.
    let stem = if plain.starts_with("mlir-") { plain.replacen('-', "_", 1) } else { plain };
    let mut name = stem.clone();
    let mut number = 1;
    while is_taken(&name) {
        number += 1;
        name = format!("{stem}-{number}");
    }
    name
}

/// Adds the files of all dependencies of a manifest in a folder.
///
/// # Errors
/// A folder or an archive cannot be read or fetched; the message names it.
pub fn add_all(bundle: &mut Bundle, manifest: &Manifest, folder: &Path) -> Result<(), String> {
    for (name, dependency) in &manifest.dependencies {
        let line = bundle.get(FILE_NAME).map_or(0, |text| line_of(text, name, dependency));
        let wrong = |reason: String| format!("{FILE_NAME}:{line}: dependency '{name}': {reason}");
        match &dependency.path {
            Some(path) if !folder.join(path).is_dir() => return Err(wrong(format!("'{path}' is not there"))),
            Some(path) => add_folder(bundle, name, &folder.join(path)).map_err(wrong)?,
            None if dependency.oci.is_some() => {}
            None => add_archive(bundle, name, dependency).map_err(wrong)?,
        }
    }
    // Packages of an artifact came with it.
    let is_missing = |name: &String| !bundle.iter().any(|(path, _)| path.starts_with(&root(name)));
    let of_registries = manifest.dependencies.iter().filter(|(_, it)| it.oci.is_some());
    if of_registries.map(|(name, _)| name).any(is_missing) {
        let text = bundle.get(FILE_NAME).map(|bytes| bytes.to_vec()).unwrap_or_default();
        packages::add_locked(bundle, manifest, &text, folder)?;
    }
    Ok(())
}

/// Returns the line of a manifest that has the place of a dependency, or else its name.
#[must_use]
pub fn line_of(text: &[u8], name: &str, dependency: &Dependency) -> usize {
    let text = String::from_utf8_lossy(text);
    let place = dependency
        .path
        .as_deref()
        .or(dependency.url.as_deref())
        .or(dependency.oci.as_deref())
        .unwrap_or(name);
    let line_with = |word: &str| text.lines().position(|line| line.contains(word));
    line_with(place).or_else(|| line_with(name)).map_or(1, |line| line + 1)
}

/// Adds the definitions below a folder.
///
/// # Errors
/// A file cannot be read.
pub fn add_folder(bundle: &mut Bundle, name: &str, folder: &Path) -> Result<(), String> {
    if !folder.is_dir() {
        return Err(format!("'{}' is not there", folder.display()));
    }
    // MLIR's own files come from the library.
    let holds_library = is_library(folder);
    let is_librarys = |path: &str| holds_library && (path.starts_with("mlir/") || path.starts_with("llvm/"));
    let mut files = workspace::files_of_dependency(folder)?;
    files.retain(|(path, _)| is_definition(path) && !is_librarys(path));
    disk::read_all(files, |path, bytes| bundle.insert(format!("{}/{path}", root(name)), bytes))
}

/// Returns true if a dependency's file is one that definitions include.
#[must_use]
pub fn is_definition(path: &str) -> bool {
    [".td", ".inc"].iter().any(|end| path.ends_with(end))
}

fn add_archive(bundle: &mut Bundle, name: &str, dependency: &Dependency) -> Result<(), String> {
    let (Some(url), Some(sha256)) = (&dependency.url, &dependency.sha256) else {
        return Err("it has neither a path nor an address".to_owned());
    };
    let bytes = match cached(sha256) {
        Some(bytes) => bytes,
        None => {
            let bytes = archive_at(url, sha256, MOST_BYTES)?;
            if let Some(place) = place_of(sha256) {
                // If the archive cannot be cached, it is fetched again next time.
                let _ = disk::write(&place, &bytes);
            }
            bytes
        }
    };
    let limits = ArchiveLimits {
        body_bytes: MOST_BYTES,
        unpacked_bytes: 4 << 30,
        file_bytes: 1 << 30,
        entries: 1_000_000,
        ..ArchiveLimits::default()
    };
    let folder = dependency.strip_prefix.as_deref().unwrap_or_default().trim_matches('/');
    let files =
        archive::read_below(&bytes, folder, &limits).map_err(|refusal| format!("{url}: {refusal}"))?;
    let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    for (path, bytes) in files.iter().filter(|(path, _)| is_definition(path)) {
        let below = path.strip_prefix(&prefix).unwrap_or(path);
        bundle.insert(format!("{}/{below}", root(name)), Arc::clone(bytes));
    }
    Ok(())
}

fn place_of(sha256: &str) -> Option<PathBuf> {
    Some(cache_folder()?.join("dependencies").join(sha256))
}

/// Returns the archive with a digest, if the cache has all of it.
fn cached(sha256: &str) -> Option<Vec<u8>> {
    fs::read(place_of(sha256)?).ok().filter(|bytes| keys::sha256(bytes) == sha256)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let name = |folder: &str| name_of(folder, |name| name == "taken");
        assert_eq!(name("/x/stablehlo/include"), "stablehlo");
        assert_eq!(name("../a.b/include/"), "a_b");
        assert_eq!(name("/taken"), "taken-2");
        assert_eq!(name("/mlir-22/include"), "mlir_22");
        assert_eq!(name("/"), "other");
    }
}
