//! Packs the fixtures that show the rules. A crate without the repository has none.

use std::{
    env, fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

const FOLDER: &str = "../../tests/fixtures/release";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={FOLDER}");
    let mut files = Vec::new();
    for folder in ["", "library"] {
        collect(Path::new(FOLDER), folder, &mut files)?;
    }
    files.sort();
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?).join("fixtures.tar.zst");
    let mut packed = tar::Builder::new(zstd::Encoder::new(fs::File::create(out)?, 19)?);
    for path in files {
        let text = fs::read(Path::new(FOLDER).join(&path))?;
        let mut header = tar::Header::new_ustar();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        packed.append_data(&mut header, path, &*text)?;
    }
    packed.into_inner()?.finish()?.flush()
}

/// Adds the `.td` files of a folder, as paths below the fixtures.
fn collect(root: &Path, folder: &str, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let entries = match fs::read_dir(root.join(folder)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let name = PathBuf::from(entry?.file_name());
        if name.extension().is_some_and(|extension| extension == "td") {
            files.push(Path::new(folder).join(name));
        }
    }
    Ok(())
}
