//! What a bundle without a manifest asks for: its roots, their include folders and their outputs.
//!
//! * [`includes`] reads what a file includes;
//! * [`Graph`] works out which file is meant, which folders must be include folders for that, and who is a root;
//! * [`outputs`] names what a root defines as MLIR's build functions would.

pub mod includes;
pub mod outputs;

use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
};

use odsmith_engine::{
    bundle::{Bundle, normalise},
    limits::Budget,
};

/// Files that are named where an include may mean more than one, and such includes of a root.
const MOST_AMBIGUOUS: usize = 8;

/// What it costs to look for a file in a folder.
const LOOK_UNITS: usize = 16;

/// Who includes whom in a bundle.
pub struct Graph<'b> {
    /// Every `.td` file.
    files: BTreeMap<&'b str, File<'b>>,
    /// Every path by its last segment.
    by_name: BTreeMap<&'b str, Vec<&'b str>>,
    library: BTreeSet<&'b str>,
    budget: &'b Budget,
}

/// A file, and what it includes. The includes are found on demand: a manifest that spells everything out needs none.
struct File<'b> {
    text: &'b [u8],
    includes: OnceCell<Vec<String>>,
}

impl File<'_> {
    fn includes(&self) -> &[String] {
        self.includes.get_or_init(|| includes::of(self.text))
    }
}

/// The include folders that a root needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inferred {
    /// Folders, in the order in which they were needed; the bundle's root is `.`.
    pub includes: Vec<String>,
    /// Includes that two folders could serve.
    pub ambiguous: Vec<String>,
}

/// What an include means.
enum Meaning<'b> {
    /// The file, and the folder that must be an include folder (`None`: the bundle's root).
    File(&'b str, Option<&'b str>),
    /// A file of the library, or none at all: evaluation will tell.
    Elsewhere,
    Ambiguous(Vec<&'b str>),
}

impl<'b> Graph<'b> {
    /// The graph of a bundle's files.
    pub fn new(bundle: &'b Bundle, library: impl Iterator<Item = &'b str>, budget: &'b Budget) -> Self {
        let mut files = BTreeMap::new();
        let mut by_name: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (path, bytes) in bundle.iter() {
            by_name.entry(file_name(path)).or_default().push(path);
            if path.ends_with(".td") {
                files.insert(path, File { text: bytes, includes: OnceCell::new() });
            }
        }
        Graph { files, by_name, library: library.collect(), budget }
    }

    /// The files that no other file includes, by path.
    #[must_use]
    pub fn roots(&self) -> Vec<&'b str> {
        let mut included = BTreeSet::new();
        for (&path, file) in &self.files {
            for include in file.includes() {
                if !self.budget.goes_on() {
                    return Vec::new();
                }
                match self.meaning(path, include, &[]) {
                    Meaning::File(target, _) if target != path => {
                        included.insert(target);
                    }
                    Meaning::File(..) | Meaning::Elsewhere => {}
                    Meaning::Ambiguous(candidates) => included.extend(candidates),
                }
            }
        }
        self.files.keys().copied().filter(|path| !included.contains(path)).collect()
    }

    /// The files that no root reads: those that only include each other.
    #[must_use]
    pub fn unread(&self, roots: &[&'b str]) -> Vec<&'b str> {
        let mut reached: BTreeSet<&str> = roots.iter().copied().collect();
        let mut waiting = roots.to_vec();
        while let Some(path) = waiting.pop() {
            let includes = self.files.get(path).map(File::includes).unwrap_or_default();
            for include in includes {
                let targets = match self.meaning(path, include, &[]) {
                    Meaning::File(target, _) => vec![target],
                    Meaning::Ambiguous(candidates) => candidates,
                    Meaning::Elsewhere => Vec::new(),
                };
                waiting.extend(targets.into_iter().filter(|target| reached.insert(target)));
            }
        }
        self.files.keys().copied().filter(|path| !reached.contains(path)).collect()
    }

    /// Works out the include folders of a root, besides those that are given.
    #[must_use]
    pub fn infer(&self, root: &str, given: &[String]) -> Inferred {
        let mut inferred = Inferred::default();
        let mut waiting = vec![root];
        let mut seen = BTreeSet::new();
        while let Some(path) = waiting.pop() {
            let Some((&path, file)) = self.files.get_key_value(path) else { continue };
            if !seen.insert(path) {
                continue;
            }
            let mut next = Vec::new();
            for include in file.includes() {
                if !self.budget.goes_on() {
                    return inferred;
                }
                let folders: Vec<&str> = given.iter().chain(&inferred.includes).map(String::as_str).collect();
                match self.meaning(path, include, &folders) {
                    Meaning::File(target, folder) => {
                        if let Some(folder) = folder {
                            inferred.includes.push(folder.to_owned());
                        }
                        next.push(target);
                    }
                    Meaning::Elsewhere => {}
                    Meaning::Ambiguous(_) if inferred.ambiguous.len() >= MOST_AMBIGUOUS => {}
                    Meaning::Ambiguous(candidates) => {
                        let message = format!(
                            "{path}: include \"{include}\" may mean {}; name the include folder in odsmith.toml",
                            candidates[..candidates.len().min(MOST_AMBIGUOUS)].join(" or ")
                        );
                        if !inferred.ambiguous.contains(&message) {
                            inferred.ambiguous.push(message);
                        }
                    }
                }
            }
            // Depth first, in the order in which evaluation will read.
            waiting.extend(next.into_iter().rev());
        }
        inferred
    }

    fn meaning(&self, from: &str, include: &str, folders: &[&str]) -> Meaning<'b> {
        // Each folder is looked in, and each file of the name is compared.
        let names = self.by_name.get(file_name(include)).map_or(0, Vec::len);
        self.budget.charge((folders.len() + 2 * names + 1) * LOOK_UNITS + include.len());
        let find = |path: &str| self.files.get_key_value(path).map(|(&path, _)| path);
        if let Some(target) = normalise(include).and_then(|path| find(&path)) {
            return Meaning::File(target, None);
        }
        for folder in folders {
            if let Some(target) = normalise(&format!("{folder}/{include}")).and_then(|path| find(&path)) {
                return Meaning::File(target, None);
            }
        }
        let candidates: Vec<(&str, &str)> = self
            .by_name
            .get(file_name(include))
            .into_iter()
            .flatten()
            .filter_map(|&path| Some((path, path.strip_suffix(include)?.strip_suffix('/')?)))
            .collect();
        // Build files make a file's own folder an include folder.
        let own = candidates.iter().find(|(_, folder)| *folder == folder_of(from));
        match (candidates.as_slice(), own) {
            ([(path, folder)], _) | (_, Some((path, folder))) => Meaning::File(path, Some(folder)),
            _ if candidates.is_empty() || self.library.contains(include) => Meaning::Elsewhere,
            (several, None) => Meaning::Ambiguous(several.iter().map(|(path, _)| *path).collect()),
        }
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bundle(files: &[(&str, &str)]) -> Bundle {
        let mut bundle = Bundle::default();
        for (path, text) in files {
            bundle.insert(*path, text.as_bytes());
        }
        bundle
    }

    #[test]
    fn a_unique_folder_becomes_an_include_folder() {
        let bundle = bundle(&[
            ("p/include/Foo/Ops.td", "include \"Foo/Base.td\"\ninclude \"mlir/IR/OpBase.td\""),
            ("p/include/Foo/Base.td", "include \"Local.td\""),
            ("p/include/Foo/Local.td", ""),
        ]);
        let budget = Budget::default();
        let graph = Graph::new(&bundle, ["mlir/IR/OpBase.td"].into_iter(), &budget);
        assert_eq!(graph.roots(), ["p/include/Foo/Ops.td"]);
        assert_eq!(graph.infer("p/include/Foo/Ops.td", &[]).includes, ["p/include", "p/include/Foo"]);
        let given = ["p/include".to_owned()];
        assert_eq!(graph.infer("p/include/Foo/Ops.td", &given).includes, ["p/include/Foo"]);
    }

    #[test]
    fn two_candidates_are_named() {
        let bundle = bundle(&[("a/X.td", ""), ("b/X.td", ""), ("r.td", "include \"X.td\"")]);
        let inferred = Graph::new(&bundle, std::iter::empty(), &Budget::default()).infer("r.td", &[]);
        assert!(inferred.ambiguous[0].contains("a/X.td or b/X.td"), "{inferred:?}");
    }

    #[test]
    fn ones_own_folder_comes_first() {
        let bundle = bundle(&[("a/X.td", ""), ("b/X.td", ""), ("b/r.td", "include \"X.td\"")]);
        let budget = Budget::default();
        let graph = Graph::new(&bundle, std::iter::empty(), &budget);
        assert_eq!(graph.infer("b/r.td", &[]), Inferred { includes: vec!["b".into()], ambiguous: vec![] });
        assert_eq!(graph.roots(), ["a/X.td", "b/r.td"]);
    }
}
