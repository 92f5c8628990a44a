//! Which files of a library a request can read, and what they are called together.
//!
//! A result has its name before its job runs, and two machines must give it the same one where one has LLVM's own
//! definitions beside MLIR's and the other has not. So a library is named in a result by the files that the bundle can come
//! to: those that are named in a string of it, and those that are named in these, and so on. An `include` takes a string
//! and nothing that is computed, so a job reads no other file. A name in a comment or in a text counts as well: then the
//! digest is of a file more than is read, and the result is right. The files that are *read* are not known so early, and a
//! list for each release would have no name for a checkout.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::OnceLock,
};

use odsmith_engine::{bundle::Bundle, library::Library};

use crate::store::keys;

/// How the names of definitions end.
const EXTENSION: &[u8] = b".td";

/// What a file of a library is, as far as names of results need it.
#[derive(Debug)]
struct Entry {
    digest: String,
    names: Vec<String>,
}

/// The files of a library, each looked at when a request first comes to it.
#[derive(Debug)]
pub struct Reach {
    /// The prefix of the library's files in a job.
    root: String,
    entries: BTreeMap<String, OnceLock<Entry>>,
}

impl Reach {
    /// Of a library.
    #[must_use]
    pub fn new(library: &Library) -> Reach {
        let entries = library.paths().map(|path| (path.to_owned(), OnceLock::new())).collect();
        Reach { root: format!("{}/", library.root()), entries }
    }

    /// The digest of the files that a request can come to: a bundle, and what is asked of it. `library` is the one that this
    /// was made of.
    #[must_use]
    pub fn digest(&self, library: &Library, bundle: &Bundle, request: &str) -> String {
        let mut reached: BTreeMap<&str, &Entry> = BTreeMap::new();
        let mut waiting: Vec<String> = Vec::new();
        if request.contains(library.root()) {
            // An include folder inside of the library gives its files other names.
            waiting.extend(self.entries.keys().cloned());
        }
        // Roots and folders are of the library only if they begin with its root, so the request's names do not count.
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

/// What may be a string with the name of a definition file: what is between two quotes and ends as such a name does.
fn names(text: &[u8]) -> impl Iterator<Item = &str> {
    // A bundle may be large, and its request is waited for.
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
        // One that is included by an included file counts, and so does whether it is there.
        let changed = [mlir[0], ("mlir/B.td", "// c\n")];
        assert_ne!(digest(&mlir, own, ""), digest(&changed, own, ""));
        assert_ne!(digest(&mlir, own, ""), digest(&mlir[..1], own, ""));
        // Two files of one name.
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
