//! Names the build by what it is made of, so that results of different builds have different names; and links as
//! `odsmith` does.
//!
//! ```text
//! ODSMITH_BUILD = sha256 of { path NUL length NUL content }, sorted by path
//! ```
//!
//! In a package of this crate alone, its lock file names the other crates by version and digest.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

#[path = "tblgen/build.rs"]
mod relocations;

/// All that is compiled in and may change a byte of a result, the versions of other crates included.
const PARTS: &[&str] = &[
    "Cargo.lock",
    "engine/generators/src",
    "engine/ods/src",
    "engine/release/src",
    "engine/review/src",
    "engine/src",
    "engine/tablegen/src",
    "service/src",
    "service/tblgen/src",
    "site/src",
    "site/witness/src",
    "templates",
];

/// What is there of it in a package of this crate.
const OWN_PARTS: &[&str] = &["Cargo.lock", "src"];

fn main() -> io::Result<()> {
    relocations::main();
    embed_playground()?;
    let mut files = Vec::new();
    let (root, parts) = if Path::new("../Cargo.lock").is_file() { ("..", PARTS) } else { (".", OWN_PARTS) };
    for part in parts {
        println!("cargo::rerun-if-changed={root}/{part}");
        collect(Path::new(root), part.to_string(), &mut files)?;
    }
    files.sort();
    let mut digest = Sha256::new();
    for (path, file) in files {
        let content = fs::read(file)?;
        digest.update(path.as_bytes());
        digest.update(b"\0");
        digest.update(content.len().to_string());
        digest.update(b"\0");
        digest.update(content);
    }
    let digest: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    println!("cargo::rustc-env=ODSMITH_BUILD={digest}");
    Ok(())
}

/// The playground's script, made by `service/play/build.mjs`, if it is there. It changes no byte of a result.
fn embed_playground() -> io::Result<()> {
    println!("cargo::rerun-if-changed=play/dist");
    let script = Path::new("play/dist/play.js.gz");
    let value = if script.is_file() {
        format!("Some(include_bytes!({:?}))", script.canonicalize()?)
    } else {
        "None".to_owned()
    };
    let text = format!(
        "/// The script, packed by gzip, if this build has it.\nconst SCRIPT: Option<&[u8]> = {value};\n"
    );
    let folder = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&folder).join("play.rs"), text)
}

/// The files below a path, named with slashes on every system.
fn collect(root: &Path, path: String, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    let place = root.join(&path);
    if place.is_file() {
        files.push((path, place));
        return Ok(());
    }
    for entry in fs::read_dir(place)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        // What editors and file managers leave is no part of the build.
        if !name.starts_with('.') && !name.ends_with('~') {
            collect(root, format!("{path}/{name}"), files)?;
        }
    }
    Ok(())
}
