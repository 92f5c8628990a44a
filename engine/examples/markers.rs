//! Writes the tables of definitions by which libraries are recognised and errors are explained.
//!
//! ```text
//! cargo run --release --example markers -- engine/release/src 22=/usr/lib/llvm-22/include 24=include
//! ```

#![expect(clippy::print_stderr, reason = "an example talks to its user")]

use std::{collections::BTreeMap, fs, io, path::Path, process::ExitCode};

use odsmith_engine::{
    library::table::{self, ReleaseFiles},
    release::Release,
};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap_or_default();
    let libraries: Result<Vec<ReleaseFiles>, String> = arguments.map(|argument| library(&argument)).collect();
    let write = |libraries: Vec<ReleaseFiles>| {
        let folder = Path::new(&folder);
        fs::write(folder.join("markers.txt"), table::write(&libraries))
            .and_then(|()| fs::write(folder.join("names.txt"), table::names(&libraries)))
            .map_err(|error| format!("{}: {error}", folder.display()))
    };
    match libraries.and_then(write) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("markers: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Reads the library of `22=/usr/lib/llvm-22/include`.
fn library(argument: &str) -> Result<ReleaseFiles, String> {
    let (release, include) = argument.split_once('=').ok_or("usage: markers FOLDER RELEASE=INCLUDE...")?;
    let mut files = BTreeMap::new();
    let folder = Path::new(include).join("mlir");
    add(&folder, "mlir", &mut files).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok((Release::parse(release)?, files))
}

fn add(folder: &Path, name: &str, files: &mut BTreeMap<String, Vec<u8>>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{name}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            add(&entry.path(), &name, files)?;
        } else if name.ends_with(".td") {
            files.insert(name, fs::read(entry.path())?);
        }
    }
    Ok(())
}
