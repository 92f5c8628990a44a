//! Finds the library files that a request can read, and computes a digest over them.
//!
//! A result has its key before its job runs, and two machines must compute the same key even if only one has LLVM's own
//! definitions beside MLIR's. So the key covers only the library files that the bundle can reach: those named in a
//! string of the bundle, those named in a string of these, and so on. An `include` takes a string literal and nothing
//! computed, so a job reads no other file. A name in a comment or in a text counts as well: then the digest covers one
//! file more than is read, and the result is still right. The files that are *read* are not known so early, and a fixed
//! list for each release would not cover a checkout.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::OnceLock,
};

use odsmith_engine::{bundle::Bundle, library::Library};

use crate::store::keys;

/// The extension of definition files.
const EXTENSION: &[u8] = b".td";

/// A file of a library: its digest and the names in it.
#[derive(Debug)]
struct Entry {
    digest: String,
    names: Vec<String>,
}

/// The files of a library, each parsed when a request first reaches it.
#[derive(Debug)]
pub struct Reach {
    /// The prefix of the library's files in a job.
    root: String,
    entries: BTreeMap<String, OnceLock<Entry>>,
}

impl Reach {
    /// Creates the index of a library.
    #[must_use]
    pub fn new(library: &Library) -> Reach {
        let entries = library.paths().map(|path| (path.to_owned(), OnceLock::new())).collect();
        Reach { root: format!("{}/", library.root()), entries }
    }

    /// Returns the digest of the files that a request can reach, from its bundle and its text. `library` is the one
    /// that the index was created for.
    #[must_use]
    pub fn digest(&self, library: &Library, bundle: &Bundle, request: &str) -> String {
        let mut reached: BTreeMap<&str, &Entry> = BTreeMap::new();
        let mut waiting: Vec<String> = Vec::new();
        if request.contains(library.root()) {
            // An include folder inside the library gives its files other names.
            waiting.extend(self.entries.keys().cloned());
        }
        // Roots and folders are in the library only if they begin with its root, so the request's names do not count.
        let own: BTreeSet<&str> = bundle.iter().flat_map(|(_, bytes)| names(bytes)).collect();
        waiting.extend(own.into_iter().map(str::to_owned));
        while let Some(name) = waiting.pop() {
            let name = name.strip_prefix(&self.root).unwrap_or(&name);
            let Some((path, entry)) = self.entries.get_key_value(name) else { continue };
            if reached.contains_key(path.as_str()) {
                continue;
            }
            let entry = entry.get_or_init(|| {
                let bytes = library.read(&format!("{}{path}", self.root)).unwrap_or_default();
                Entry { digest: keys::sha256(&bytes), names: names(&bytes).map(str::to_owned).collect() }
            });
            reached.insert(path, entry);
            waiting.extend(entry.names.iter().cloned());
        }
        keys::tree(reached.iter().map(|(path, entry)| (*path, entry.digest.as_bytes())))
    }
}

/// Returns all possible names of definition files in strings: the text between two quotes, if it ends in `.td`.
fn names(text: &[u8]) -> impl Iterator<Item = &str> {
    // A bundle may be large, and a client waits for this.
    let quotes = memchr::memchr_iter(b'"', text).chain([text.len()]);
    quotes
        .scan(0, |start, end| Some(&text[std::mem::replace(start, end + 1)..end]))
        .filter(|piece| piece.ends_with(EXTENSION) && !piece.contains(&b'\n'))
        .filter_map(|piece| str::from_utf8(piece).ok())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use odsmith_engine::release::Release;

    use super::*;

    fn digest(library: &[(&str, &str)], own: &str, request: &str) -> String {
        let files = library.iter().map(|(path, text)| ((*path).to_owned(), Arc::from(text.as_bytes())));
        let library = Library::new(Release::V22, String::new(), files.collect());
        let mut bundle = Bundle::default();
        bundle.insert("a.td", own.as_bytes());
        Reach::new(&library).digest(&library, &bundle, request)
    }

    #[test]
    fn what_can_not_be_read_does_not_count() {
        let mlir = [("mlir/A.td", "include \"mlir/B.td\"\n"), ("mlir/B.td", "// b\n"), ("mlir/C.td", "")];
        let more = [&mlir[..], &[("llvm/X.td", "// x\n")]].concat();
        let other = [&mlir[..], &[("llvm/X.td", "// another x\n")]].concat();
        let own = "include \"mlir/A.td\"";
        assert_eq!(digest(&mlir, own, ""), digest(&mlir[..2], own, ""));
        assert_eq!(digest(&mlir, own, ""), digest(&more, own, ""));
        assert_eq!(digest(&other, own, ""), digest(&more, own, ""));
        // A file that an included file includes counts, and so does whether it exists.
        let changed = [mlir[0], ("mlir/B.td", "// c\n")];
        assert_ne!(digest(&mlir, own, ""), digest(&changed, own, ""));
        assert_ne!(digest(&mlir, own, ""), digest(&mlir[..1], own, ""));
        // Two files of the same name.
        for own in
            ["include \"llvm/X.td\"", "include\n// x\n\"llvm/X.td\"", "include \"<mlir-22>/llvm/X.td\""]
        {
            assert_ne!(digest(&other, own, ""), digest(&more, own, ""), "{own}");
        }
        let within = "[\"-I\",\"<mlir-22>/llvm\"]";
        assert_ne!(digest(&other, own, within), digest(&more, own, within));
        assert_eq!(digest(&other, own, "[\"llvm/X.td\"]"), digest(&more, own, "[\"llvm/X.td\"]"));
    }
}
