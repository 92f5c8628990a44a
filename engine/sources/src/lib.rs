//! Computes a digest of a build's sources, for build scripts: a build must not use results and states of another one.
//!
//! ```text
//! digest = sha256 of { path NUL length NUL content }, sorted by path, of
//!   Cargo.lock                        the versions of all other crates
//!   of the crate and each crate of the repository that it depends on:
//!     Cargo.toml, build.rs, src/, and what [package.metadata.sources] of Cargo.toml names
//! ```
//!
//! Dependencies come from the manifests, so that a new crate is counted without being listed here. In the package of a
//! single crate there are no others, and its lock file names them by version and digest.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Component, Path, PathBuf},
};

use sha2::{Digest, Sha256};
use toml::{Table, Value};

/// The source files of a crate and of the crates it depends on.
#[derive(Debug)]
pub struct Sources {
    root: PathBuf,
    /// Files and folders, by their path below the root.
    parts: BTreeMap<String, PathBuf>,
}

impl Sources {
    /// Collects the sources of the crate in a folder.
    ///
    /// # Errors
    /// A manifest cannot be read.
    pub fn of_crate(folder: &Path) -> io::Result<Sources> {
        // A package of one crate has a lock file of its own.
        let root = folder.ancestors().find(|above| above.join("Cargo.lock").is_file()).unwrap_or(folder);
        let shared = Manifest::read(root)?;
        let mut sources = Sources { root: root.to_owned(), parts: BTreeMap::new() };
        sources.add(root.join("Cargo.lock"));
        let mut crates = vec![(normal(folder), Vec::new())];
        let mut at = 0;
        while let Some((folder, features)) = crates.get(at).cloned() {
            at += 1;
            let manifest = Manifest::read(&folder)?;
            for part in ["Cargo.toml", "build.rs", "src"] {
                sources.add(folder.join(part));
            }
            for part in manifest.other_sources() {
                sources.add(normal(&folder.join(part)));
            }
            for dependency in manifest.path_dependencies(&shared, &features) {
                if !crates.contains(&dependency) {
                    crates.push(dependency);
                }
            }
        }
        Ok(sources)
    }

    fn add(&mut self, part: PathBuf) {
        if !part.exists() {
            return;
        }
        let names = part.strip_prefix(normal(&self.root)).unwrap_or(&part).components();
        let names: Vec<_> = names.map(|name| name.as_os_str().to_string_lossy()).collect();
        self.parts.insert(names.join("/"), part);
    }

    /// Returns the files and folders, for `cargo::rerun-if-changed`.
    pub fn parts(&self) -> impl Iterator<Item = &Path> {
        self.parts.values().map(PathBuf::as_path)
    }

    /// Returns the digest of all files, in hex.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn digest(&self) -> io::Result<String> {
        let mut files = BTreeMap::new();
        for (path, place) in &self.parts {
            collect(path.clone(), place, &mut files)?;
        }
        let mut digest = Sha256::new();
        for (path, file) in files {
            let content = fs::read(file)?;
            digest.update(path.as_bytes());
            digest.update(b"\0");
            digest.update(content.len().to_string());
            digest.update(b"\0");
            digest.update(content);
        }
        Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

/// The manifest of a crate, or of the workspace.
struct Manifest {
    folder: PathBuf,
    table: Table,
}

impl Manifest {
    fn read(folder: &Path) -> io::Result<Manifest> {
        let text = fs::read_to_string(folder.join("Cargo.toml"))?;
        let table = text.parse().map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        Ok(Manifest { folder: folder.to_owned(), table })
    }

    /// Returns the sources outside `src/` that are compiled in.
    fn other_sources(&self) -> impl Iterator<Item = &str> {
        let metadata = self.table.get("package").and_then(|package| package.get("metadata"));
        let named = metadata.and_then(|metadata| metadata.get("sources")).and_then(Value::as_array);
        named.into_iter().flatten().filter_map(Value::as_str)
    }

    /// Returns the folders of this repository's crates that this one depends on with some features, without
    /// dev-dependencies; and the features that it asks of each.
    fn path_dependencies(&self, workspace: &Manifest, features: &[String]) -> Vec<(PathBuf, Vec<String>)> {
        let tables = |table: &Table| -> Vec<Table> {
            let of = |name: &str| table.get(name).and_then(Value::as_table).cloned();
            ["dependencies", "build-dependencies"].into_iter().filter_map(of).collect()
        };
        let targets = self.table.get("target").and_then(Value::as_table);
        let of_targets = targets.into_iter().flat_map(Table::values).filter_map(Value::as_table);
        let all = tables(&self.table).into_iter().chain(of_targets.flat_map(tables));
        let shared = workspace.table.get("workspace").and_then(|table| table.get("dependencies"));
        let mut folders = Vec::new();
        let own = self.table.get("features");
        let enabled = features.iter().filter_map(|feature| own?.get(feature)?.as_array()).flatten();
        let enabled: Vec<&str> = enabled.filter_map(Value::as_str).collect();
        for (name, dependency) in all.flatten() {
            let is_optional = dependency.get("optional").and_then(Value::as_bool) == Some(true);
            if is_optional && !enabled.contains(&&*format!("dep:{name}")) {
                continue;
            }
            let asked = dependency.get("features").and_then(Value::as_array).into_iter().flatten();
            let asked: Vec<String> = asked.filter_map(|it| Some(it.as_str()?.to_owned())).collect();
            let is_shared = dependency.get("workspace").is_some();
            let (dependency, base) = match shared.and_then(|shared| shared.get(&name)) {
                Some(shared) if is_shared => (shared, &workspace.folder),
                _ => (&dependency, &self.folder),
            };
            if let Some(path) = dependency.get("path").and_then(Value::as_str) {
                folders.push((normal(&base.join(path)), asked));
            }
        }
        folders
    }
}

/// Returns a path without `.` and `..`. No link of the repository leads to a crate.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if normal.file_name().is_some() => _ = normal.pop(),
            part => normal.push(part),
        }
    }
    normal
}

/// Collects the files of a part, named with slashes on every system.
fn collect(path: String, place: &Path, files: &mut BTreeMap<String, PathBuf>) -> io::Result<()> {
    if place.is_file() {
        files.insert(path, place.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(place)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        // Hidden files and backups of editors and file managers are not part of the build.
        if !name.starts_with('.') && !name.ends_with('~') {
            collect(format!("{path}/{name}"), &place.join(&name), files)?;
        }
    }
    Ok(())
}
