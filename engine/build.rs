//! Names this build by what it is made of: states and outputs that another build left on the disk are not its own.

use std::{
    env, fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
};

/// What decides on records, and on what is made of them.
const SOURCES: &[&str] = &["src", "tablegen/src", "release/src", "ods/src", "generators/src"];

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut files = vec![root.join("Cargo.toml"), root.join("../Cargo.lock")];
    for sources in SOURCES {
        collect(&root.join(sources), &mut files);
    }
    files.sort();
    // Two hashes of 64 bits, which begin differently.
    let mut hashers = [0_u8, 1].map(|first| {
        let mut hasher = DefaultHasher::new();
        first.hash(&mut hasher);
        hasher
    });
    for file in &files {
        let name = file.strip_prefix(&root).unwrap_or(file);
        let bytes = fs::read(file).unwrap_or_default();
        hashers.iter_mut().for_each(|hasher| (name, &bytes).hash(hasher));
    }
    for name in ["TARGET", "PROFILE"] {
        let value = env::var(name).unwrap_or_default();
        hashers.iter_mut().for_each(|hasher| value.hash(hasher));
    }
    let [first, second] = hashers.map(|hasher| hasher.finish());
    println!("cargo::rustc-env=ODSMITH_BUILD={first:016x}{second:016x}");
    // In a package of this crate there are its own alone. Its version then says what the others are.
    let all = SOURCES.iter().chain(&["../Cargo.lock"]);
    for changes in all.filter(|source| root.join(source).exists()) {
        println!("cargo::rerun-if-changed={changes}");
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}
