//! The part of a library that a bundle can read, and its digest.
//!
//! A result depends on the library's files that its bundle includes, and on no others: an installation has LLVM's own files
//! beside MLIR's, a package may not. So keys and `result.json` name the digest of
//!
//! * each file of the library whose path is between quotes in a file of the bundle, and
//! * each file whose path is between quotes in one of those, and so on.
//!
//! This is a little more than what evaluation reads, and known before it. Quotes are paired in every way, so that neither
//! comments nor what the preprocessor skips can hide an `include`.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::OnceLock,
};

use odsmith_engine::{bundle::Bundle, library::Library};
use sha2::{Digest, Sha256};

use crate::{keys, manifest::Manifest};

/// What is known of each file of a library, by its path below `include`.
#[derive(Debug, Default)]
pub(super) struct Closure {
    files: BTreeMap<String, Facts>,
}

/// Computed when they are first asked for: most requests read a small part of the library.
#[derive(Debug, Default)]
struct Facts {
    sha256: OnceLock<[u8; 32]>,
    quoted: OnceLock<Vec<String>>,
}

impl Closure {
    /// What can be known of a library.
    pub(super) fn new(library: &Library) -> Self {
        Closure { files: library.paths().map(|path| (path.to_owned(), Facts::default())).collect() }
    }

    /// The digest of what a job of this bundle can read of the library, in the form of [`keys::tree`].
    pub(super) fn digest(&self, library: &Library, bundle: &Bundle, manifest: &Manifest) -> String {
        if names_library(library, manifest) {
            return library.digest().to_owned();
        }
        let mut reached = BTreeSet::new();
        let mut waiting: Vec<&str> = Vec::new();
        for (_, text) in bundle.iter() {
            for path in quoted(text) {
                waiting.extend(self.find(library, path));
            }
        }
        while let Some(path) = waiting.pop() {
            if !reached.insert(path) {
                continue;
            }
            let Some((facts, text)) = self.files.get(path).zip(library.get(path)) else { continue };
            let names = facts.quoted.get_or_init(|| {
                quoted(text).filter_map(|name| self.find(library, name)).map(str::to_owned).collect()
            });
            waiting.extend(names.iter().filter_map(|name| self.find(library, name.as_bytes())));
        }
        let mut listing = Sha256::new();
        for path in reached {
            let Some((facts, text)) = self.files.get(path).zip(library.get(path)) else { continue };
            let sha256 = facts.sha256.get_or_init(|| Sha256::digest(text).into());
            keys::list(&mut listing, path, text.len(), sha256);
        }
        keys::hex(&listing.finalize())
    }

    /// The file of the library that an `include` of this name reads.
    fn find(&self, library: &Library, name: &[u8]) -> Option<&str> {
        let name = std::str::from_utf8(name).ok()?;
        let below = name.strip_prefix(library.root()).and_then(|below| below.strip_prefix('/'));
        self.files.get_key_value(below.unwrap_or(name)).map(|(path, _)| path.as_str())
    }
}

/// Whether a manifest names a folder of the library itself: then any of its files may be read.
fn names_library(library: &Library, manifest: &Manifest) -> bool {
    serde_json::to_string(manifest).map_or(true, |manifest| manifest.contains(library.root()))
}

/// What is between two quotes that follow each other, and may be the name of a library's file.
fn quoted(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let quotes: Vec<usize> = memchr::memchr_iter(b'"', text).collect();
    let between = (1..quotes.len()).map(move |index| &text[quotes[index - 1] + 1..quotes[index]]);
    between.filter(|name| name.ends_with(b".td"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use odsmith_engine::release::Release;

    fn library(files: &[(&str, &str)]) -> Library {
        let files: BTreeMap<String, std::sync::Arc<[u8]>> =
            files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().into())).collect();
        let digest = keys::tree(files.iter().map(|(path, bytes)| (path.as_str(), &**bytes)));
        Library::new(Release::default(), digest, files)
    }

    fn digest(library: &Library, text: &str) -> String {
        let mut bundle = Bundle::default();
        bundle.insert("a.td", text.as_bytes());
        Closure::new(library).digest(library, &bundle, &Manifest::default())
    }

    #[test]
    fn only_what_can_be_read_counts() {
        let base = [("mlir/A.td", "include \"mlir/B.td\""), ("mlir/B.td", "class B;")];
        let small = library(&base);
        let more = [base[0], base[1], ("llvm/C.td", "class C;")];
        let more = library(&more);
        let other = library(&[base[0], ("mlir/B.td", "class B { int x; }")]);
        let text = "include \"mlir/A.td\"";
        assert_eq!(digest(&small, text), digest(&more, text));
        assert_ne!(digest(&small, text), digest(&other, text), "through another file");
        let text = "include \"llvm/C.td\"";
        assert_ne!(digest(&small, text), digest(&more, text), "it is there or not");
        assert_eq!(digest(&small, "class X;"), digest(&other, "class X;"));
    }

    #[test]
    fn nothing_hides_an_include() {
        let (with, without) = (library(&[("mlir/A.td", "class A;")]), library(&[]));
        for text in [
            "// \"\ninclude /* \" */ \"mlir/A.td\"",
            &format!("include \"{}/mlir/A.td\"", with.root()),
            "#ifdef X\n\"\n#endif\ninclude \"mlir/A.td\"",
        ] {
            assert_ne!(digest(&with, text), digest(&without, text), "{text}");
        }
    }
}
