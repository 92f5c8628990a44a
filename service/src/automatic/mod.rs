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

use crate::dependencies;

/// What a `.td` file is called that comes without a name.
pub const SINGLE: &str = "input.td";

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
    included: OnceCell<BTreeSet<&'b str>>,
    budget: &'b Budget,
}

/// A file, and what it includes. The includes are found on demand: a manifest that spells everything out needs none.
struct File<'b> {
    text: &'b [u8],
    includes: OnceCell<Vec<String>>,
    has_interfaces: OnceCell<bool>,
    has_operations: OnceCell<bool>,
}

impl<'b> File<'b> {
    fn new(text: &'b [u8]) -> Self {
        let [has_interfaces, has_operations] = [OnceCell::new(), OnceCell::new()];
        File { text, includes: OnceCell::new(), has_interfaces, has_operations }
    }

    fn includes(&self) -> &[String] {
        self.includes.get_or_init(|| includes::of(self.text))
    }

    /// Whether it holds nothing but includes, comments and macros.
    fn only_includes(&self) -> bool {
        includes::are_all(self.text)
    }

    /// Whether it is about patterns: these come from files of operations, which have outputs of their own.
    fn has_patterns(&self) -> bool {
        self.includes().iter().any(|include| include == "mlir/IR/PatternBase.td")
            || file_holds(self.text, b"Pat<")
    }

    /// Whether it has interfaces.
    fn has_interfaces(&self) -> bool {
        let classes = ["OpInterface<", "TypeInterface<", "AttrInterface<"];
        let define = || {
            classes.into_iter().any(|class| {
                let defines = |line: &[u8]| {
                    line.trim_ascii_start().starts_with(b"def ") && file_holds(line, class.as_bytes())
                };
                self.text.split(|&byte| byte == b'\n').any(defines)
            })
        };
        *self.has_interfaces.get_or_init(define)
    }

    /// Whether it has operations.
    fn has_operations(&self) -> bool {
        let define = || file_holds(self.text, b"def ") && file_holds(self.text, b"Op<");
        *self.has_operations.get_or_init(define)
    }
}

fn file_holds(text: &[u8], word: &[u8]) -> bool {
    memchr::memmem::find(text, word).is_some()
}

/// Whether a file is beside the project: of its tests, or of its bindings.
fn is_beside(path: &str) -> bool {
    const FOLDERS: &[&str] = &["test", "tests", "unittest", "unittests", "python", "bindings"];
    folder_of(path).split('/').any(|folder| FOLDERS.contains(&folder))
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
    /// A file of the library, or none at all: evaluation will show.
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
                files.insert(path, File::new(bytes));
            }
        }
        Graph { files, by_name, library: library.collect(), included: OnceCell::new(), budget }
    }

    /// The roots, by path: files that no other file includes.
    #[must_use]
    pub fn roots(&self) -> Vec<&'b str> {
        self.roots_and_wrappers().0
    }

    /// The roots, and files that would be but for this: they only include files of other folders, as those do that
    /// bindings have for a dialect. Tests and patterns include roots as well.
    #[must_use]
    pub fn roots_and_wrappers(&self) -> (Vec<&'b str>, Vec<&'b str>) {
        let mut included = BTreeSet::new();
        let mut wrappers = BTreeSet::new();
        for (&path, file) in &self.files {
            if self.is_wrapper(path, file) {
                wrappers.insert(path);
                continue;
            }
            let is_of_tests = is_beside(path);
            let has_patterns = file.has_patterns();
            let leaves_roots = |target: &str| is_of_tests && !is_beside(target) || has_patterns;
            for include in file.includes() {
                if !self.budget.goes_on() {
                    return (Vec::new(), Vec::new());
                }
                match self.meaning(path, include, &[]) {
                    Meaning::File(target, _)
                        if target != path && !self.stays_root(target, leaves_roots(target)) =>
                    {
                        included.insert(target);
                    }
                    Meaning::File(..) | Meaning::Elsewhere => {}
                    Meaning::Ambiguous(candidates) => included.extend(candidates),
                }
            }
        }
        let all = self.own_files().filter(|path| !included.contains(path));
        all.partition(|path| !wrappers.contains(path))
    }

    /// Whether a file is a root although another includes it. Interfaces are made of their own file alone; operations
    /// that tests and patterns include are made of theirs, too.
    fn stays_root(&self, path: &str, is_left: bool) -> bool {
        let Some(file) = self.files.get(path) else { return false };
        !dependencies::is_foreign(path) && (file.has_interfaces() || is_left && file.has_operations())
    }

    /// Whether a file has nothing of its own, and all that it includes of the bundle is in other folders.
    fn is_wrapper(&self, path: &str, file: &File<'_>) -> bool {
        let folder = folder_of(path);
        if !file.only_includes() {
            return false;
        }
        let mut targets =
            file.includes().iter().filter_map(|include| match self.meaning(path, include, &[]) {
                Meaning::File(target, _) => Some(target),
                Meaning::Elsewhere | Meaning::Ambiguous(_) => None,
            });
        let is_away = |target: &str| {
            let other = folder_of(target);
            other != folder && !other.starts_with(&format!("{folder}/")) && !folder.is_empty()
        };
        targets.next().is_some_and(is_away) && targets.all(is_away)
    }

    /// The files that a root reads and that are other roots' affair.
    #[must_use]
    pub fn covered(&self, root: &str, roots: &BTreeSet<&'b str>) -> BTreeSet<String> {
        let read = self.reach(&[root]);
        let is_interfaces = |path: &str| self.files.get(path).is_some_and(File::has_interfaces);
        let mut covered: BTreeSet<&str> = if is_interfaces(root) && self.included().contains(root) {
            read
        } else {
            let others = read.iter().copied().filter(|other| *other != root && roots.contains(other));
            let (interfaces, whole): (Vec<&str>, Vec<&str>) = others.partition(|other| is_interfaces(other));
            let mut covered = self.reach(&whole);
            covered.extend(interfaces);
            covered
        };
        covered.remove(root);
        covered.into_iter().map(str::to_owned).collect()
    }

    /// The files that others include.
    fn included(&self) -> &BTreeSet<&'b str> {
        self.included.get_or_init(|| {
            let mut included = BTreeSet::new();
            for path in self.own_files() {
                for include in self.files.get(path).map(File::includes).unwrap_or_default() {
                    if !self.budget.goes_on() {
                        return included;
                    }
                    match self.meaning(path, include, &[]) {
                        Meaning::File(target, _) if target != path => _ = included.insert(target),
                        Meaning::File(..) | Meaning::Ambiguous(_) | Meaning::Elsewhere => {}
                    }
                }
            }
            included
        })
    }

    /// The files that some files read, these among them.
    fn reach<'a>(&'a self, from: &[&'a str]) -> BTreeSet<&'a str> {
        let mut reached: BTreeSet<&str> = from.iter().copied().collect();
        let mut waiting = from.to_vec();
        while let Some(path) = waiting.pop() {
            let includes = self.files.get(path).map(File::includes).unwrap_or_default();
            for include in includes {
                if !self.budget.goes_on() {
                    return reached;
                }
                let targets = match self.meaning(path, include, &[]) {
                    Meaning::File(target, _) => vec![target],
                    Meaning::Ambiguous(candidates) => candidates,
                    Meaning::Elsewhere => Vec::new(),
                };
                waiting.extend(targets.into_iter().filter(|target| reached.insert(target)));
            }
        }
        reached
    }

    /// The files of the bundle itself: dependencies have no roots.
    fn own_files(&self) -> impl Iterator<Item = &'b str> {
        self.files.keys().copied().filter(|path| !dependencies::is_foreign(path))
    }

    /// The files that no root reads: those that only include each other.
    #[must_use]
    pub fn unread(&self, roots: &[&'b str]) -> Vec<&'b str> {
        let reached = self.reach(roots);
        self.own_files().filter(|path| !reached.contains(path)).collect()
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

/// The root that is meant where none is named: the only `.td` file of a bundle, if there is one alone.
#[must_use]
pub fn only_file(bundle: &Bundle) -> Option<&str> {
    let mut files = bundle
        .iter()
        .map(|(path, _)| path)
        .filter(|path| path.ends_with(".td") && !dependencies::is_foreign(path));
    let first = files.next()?;
    files.next().is_none().then_some(first)
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
    fn wrappers_tests_and_patterns_leave_roots_alone() {
        let bundle = bundle(&[
            (
                "include/Foo/FooOps.td",
                "include \"Foo/FooBase.td\"\ninclude \"Foo/FooInterfaces.td\"\ndef A : FooOp<\"a\">;",
            ),
            ("include/Foo/FooInterfaces.td", "include \"Foo/FooBase.td\"\ndef I : OpInterface<\"I\">;"),
            ("include/Foo/FooBase.td", "def Foo_Dialect : Dialect;"),
            ("include/Foo/Foo.td", "// All of it.\n#ifndef X\n#define X\ninclude \"Foo/FooOps.td\"\n#endif"),
            ("python/foo/FooOps.td", "include \"Foo/FooOps.td\""),
            ("test/lib/TestOps.td", "include \"Foo/FooBase.td\"\ninclude \"Part.td\"\ndef B : Op;"),
            ("test/lib/Part.td", "def P;"),
            ("lib/Combine.td", "include \"Foo/FooOps.td\"\ndef : Pat<(A), (A)>;"),
        ]);
        let budget = Budget::default();
        let graph = Graph::new(&bundle, std::iter::empty(), &budget);
        let (roots, wrappers) = graph.roots_and_wrappers();
        // What is included in its own folder is no root, whoever else includes it.
        assert_eq!(
            roots,
            ["include/Foo/Foo.td", "include/Foo/FooInterfaces.td", "lib/Combine.td", "test/lib/TestOps.td"]
        );
        assert_eq!(wrappers, ["python/foo/FooOps.td"]);
        let covered = |root: &str| {
            graph.covered(root, &roots.iter().copied().collect()).into_iter().collect::<Vec<_>>()
        };
        assert_eq!(covered("include/Foo/Foo.td"), ["include/Foo/FooInterfaces.td"]);
        assert_eq!(covered("include/Foo/FooInterfaces.td"), ["include/Foo/FooBase.td"]);
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
