//! The sources of a library: a folder, an archive or a package, of which only the `.td` files are read.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{BufReader, Read},
    path::Path,
};

use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;
use odsmith_engine::library::identity::Identity;

use super::WITNESS;
use crate::{
    config::ArchiveLimits,
    store::{archive, disk},
};

/// The `.td` files of a library by their path in an include folder, and its licence.
#[derive(Debug)]
pub struct Definitions {
    /// `mlir/IR/OpBase.td` and so on.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The text of the licence, where it was found.
    pub licence: Option<Vec<u8>>,
}

/// Maximum bytes of a library.
const MOST_BYTES: u64 = 512 << 20;

/// Names of licence files.
const LICENCES: &[&str] = &["LICENSE.TXT", "LICENSE.txt", "LICENSE", "copyright"];

impl Definitions {
    /// Reads a folder (an installation, an include folder, a checkout, a virtual environment) or an archive (a source
    /// archive, a wheel, a Debian package).
    ///
    /// # Errors
    /// It cannot be read, or contains no library.
    pub fn read(from: &Path) -> Result<Definitions, String> {
        let mut all = BTreeMap::new();
        if from.is_dir() {
            read_folder(from, &mut all)?;
        } else {
            read_file(from, &mut all).map_err(|reason| format!("{}: {reason}", from.display()))?;
        }
        Definitions::of(all).ok_or_else(|| format!("{} holds no {WITNESS}", from.display()))
    }

    /// Reads the bytes of a packed library: an archive as `odsmith library pack` writes it.
    ///
    /// # Errors
    /// They are none.
    pub fn unpacked(bytes: &[u8]) -> Result<Definitions, String> {
        let mut all = BTreeMap::new();
        read_tar(unpacked(bytes, bytes)?, &mut all)?;
        Definitions::of(all).ok_or_else(|| format!("the archive holds no {WITNESS}"))
    }

    /// Picks the library out of files below any folders.
    fn of(all: BTreeMap<String, Vec<u8>>) -> Option<Definitions> {
        let witness = all.keys().find(|path| path.strip_suffix(WITNESS).is_some_and(ends_a_folder))?;
        let base = witness.strip_suffix(WITNESS)?.to_owned();
        // In a checkout LLVM's files are in another include folder than MLIR's; in packages too.
        let checkout = base.strip_suffix("mlir/include/").map(|root| format!("{root}llvm/include/"));
        let mut definitions = Definitions { files: BTreeMap::new(), licence: None };
        let licence = nearest_licence(&all, &base).cloned();
        for (path, bytes) in all {
            let below = path.strip_prefix(&base).or_else(|| path.strip_prefix(checkout.as_deref()?));
            if let Some(below) = below
                && path.ends_with(".td")
                && (below.starts_with("mlir/") || below.starts_with("llvm/"))
            {
                definitions.files.insert(below.to_owned(), bytes);
            }
        }
        definitions.licence = licence;
        Some(definitions)
    }

    /// Returns the release of the files.
    #[must_use]
    pub fn identity(&self) -> Identity {
        Identity::of(&self.files)
    }
}

fn ends_a_folder(path: &str) -> bool {
    path.is_empty() || path.ends_with('/')
}

/// Returns the licence in the folder that shares most with the library's.
fn nearest_licence<'a>(all: &'a BTreeMap<String, Vec<u8>>, base: &str) -> Option<&'a Vec<u8>> {
    let shared = |path: &str| path.bytes().zip(base.bytes()).take_while(|(one, other)| one == other).count();
    let is_licence = |path: &str| LICENCES.contains(&path.rsplit('/').next().unwrap_or(path));
    all.iter()
        .filter(|(path, _)| is_licence(path))
        .max_by_key(|(path, _)| shared(path))
        .map(|(_, bytes)| bytes)
}

/// Returns true if a file of an archive may be part of the library.
fn is_wanted(path: &str) -> bool {
    let is_definition = path.ends_with(".td") && ["mlir/", "llvm/"].iter().any(|top| path.contains(top));
    is_definition || LICENCES.contains(&path.rsplit('/').next().unwrap_or(path))
}

fn read_folder(from: &Path, all: &mut BTreeMap<String, Vec<u8>>) -> Result<(), String> {
    // The named folder is often a prefix with much else in it: the usual places come first.
    let places = ["", "include", "mlir/include", "llvm/include"];
    let mut is_found = false;
    for place in places {
        let folder = from.join(place);
        for top in ["mlir", "llvm"] {
            // In a checkout the folder `mlir` is not an include folder.
            let is_include = folder.join(WITNESS).is_file() || place == "llvm/include";
            let Ok(below) = fs::canonicalize(folder.join(top)) else { continue };
            if is_include && below.is_dir() {
                is_found |= top == "mlir";
                let name = if place.is_empty() { top.to_owned() } else { format!("{place}/{top}") };
                walk(&below, &name, all)?;
            }
        }
        if is_found && place != "mlir/include" {
            break;
        }
    }
    if !is_found {
        walk(from, "", all)?;
    }
    for licence in ["LICENSE.TXT", "mlir/LICENSE.TXT", "llvm/LICENSE.TXT"] {
        if let Ok(bytes) = fs::read(from.join(licence)) {
            all.insert(licence.to_owned(), bytes);
        }
    }
    Ok(())
}

fn walk(folder: &Path, name: &str, all: &mut BTreeMap<String, Vec<u8>>) -> Result<(), String> {
    disk::walk(folder, name, 0, &mut |path, file| {
        if is_wanted(path) {
            let bytes =
                fs::read(file).map_err(|error| format!("{}: {}", file.display(), disk::reason(&error)))?;
            all.insert(path.to_owned(), bytes);
        }
        Ok(())
    })
}

/// Reads a file in the format that its first bytes show.
fn read_file(from: &Path, all: &mut BTreeMap<String, Vec<u8>>) -> Result<(), String> {
    let open = || File::open(from).map(BufReader::new).map_err(|error| disk::reason(&error));
    let mut start = [0; 8];
    let read = open()?.read(&mut start).map_err(|error| disk::reason(&error))?;
    match &start[..read] {
        b"!<arch>\n" => read_package(open()?, all),
        [b'P', b'K', ..] => read_zip(from, all),
        start => read_tar(unpacked(start, open()?)?, all),
    }
}

/// Returns a stream without its compression.
fn unpacked<'r>(start: &[u8], stream: impl Read + 'r) -> Result<Box<dyn Read + 'r>, String> {
    Ok(match start {
        [0x1f, 0x8b, ..] => Box::new(MultiGzDecoder::new(stream)),
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Box::new(XzReader::new(stream, true)),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => {
            Box::new(zstd::stream::read::Decoder::new(stream).map_err(|error| disk::reason(&error))?)
        }
        _ => Box::new(stream),
    })
}

/// Reads a Debian package: an `ar` archive with the files in a tar, such as `data.tar.xz`.
fn read_package(stream: impl Read, all: &mut BTreeMap<String, Vec<u8>>) -> Result<(), String> {
    let mut package = ar::Archive::new(stream);
    while let Some(entry) = package.next_entry() {
        let mut entry = entry.map_err(|error| disk::reason(&error))?;
        if !entry.header().identifier().starts_with(b"data.tar") {
            continue;
        }
        let mut start = [0; 6];
        entry.read_exact(&mut start).map_err(|error| disk::reason(&error))?;
        return read_tar(unpacked(&start, (&start[..]).chain(entry))?, all);
    }
    Err("a package without files".to_owned())
}

fn read_tar(stream: impl Read, all: &mut BTreeMap<String, Vec<u8>>) -> Result<(), String> {
    let wrong = |error: std::io::Error| format!("this is no archive that can be read: {error}");
    let mut bytes = 0;
    for entry in tar::Archive::new(stream).entries().map_err(wrong)? {
        let mut entry = entry.map_err(wrong)?;
        let path = entry.path().map_err(wrong)?.to_string_lossy().trim_start_matches("./").to_owned();
        if !entry.header().entry_type().is_file() || !is_wanted(&path) {
            continue;
        }
        bytes += entry.size();
        if bytes > MOST_BYTES {
            return Err(format!("its .td files have more than {} MB", MOST_BYTES >> 20));
        }
        let mut content = Vec::new();
        entry.read_to_end(&mut content).map_err(wrong)?;
        all.insert(path, content);
    }
    Ok(())
}

/// Reads a wheel, or another zip.
fn read_zip(from: &Path, all: &mut BTreeMap<String, Vec<u8>>) -> Result<(), String> {
    let bytes = fs::read(from).map_err(|error| disk::reason(&error))?;
    let limits = ArchiveLimits {
        body_bytes: u64::MAX,
        unpacked_bytes: 4 << 30,
        file_bytes: 1 << 30,
        entries: 1_000_000,
        ..ArchiveLimits::default()
    };
    let bundle = archive::read(&bytes, &limits).map_err(|refusal| refusal.to_string())?;
    let wanted = bundle.iter().filter(|(path, _)| is_wanted(path));
    all.extend(wanted.map(|(path, bytes)| (path.to_owned(), bytes.to_vec())));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picked(paths: &[&str]) -> Option<Vec<String>> {
        let all = paths.iter().map(|path| ((*path).to_owned(), path.as_bytes().to_vec())).collect();
        Definitions::of(all).map(|found| found.files.into_keys().collect())
    }

    #[test]
    fn a_library_is_found_below_any_folders() {
        let installed = ["usr/lib/llvm-22/include/mlir/IR/OpBase.td", "usr/lib/llvm-22/include/mlir/A/B.td"];
        assert_eq!(picked(&installed), Some(vec!["mlir/A/B.td".into(), "mlir/IR/OpBase.td".into()]));
        let checkout = [
            "llvm-project/mlir/include/mlir/IR/OpBase.td",
            "llvm-project/llvm/include/llvm/IR/Intrinsics.td",
            "llvm-project/mlir/test/mlir-tblgen/op.td",
        ];
        let wanted = vec!["llvm/IR/Intrinsics.td".into(), "mlir/IR/OpBase.td".into()];
        assert_eq!(picked(&checkout), Some(wanted));
        assert_eq!(picked(&["a/b.td"]), None);
    }

    #[test]
    fn the_nearest_licence_is_taken() {
        let all = ["LICENSE.TXT", "mlir/LICENSE.TXT", "mlir/include/mlir/IR/OpBase.td", "clang/LICENSE.TXT"]
            .map(|path| (path.to_owned(), path.as_bytes().to_vec()));
        let found = Definitions::of(all.into()).expect("a library");
        assert_eq!(found.licence.as_deref(), Some(&b"mlir/LICENSE.TXT"[..]));
    }
}
