//! The defaults of a bundle without a manifest: its roots, their include folders and their outputs.
//!
//! * [`Graph`] resolves each include, finds the include folders that this needs, and finds the files that no other file
//!   includes: these are evaluated;
//! * [`definitions`] collects the definitions in each file, so that files that others include can be roots, too;
//! * [`outputs`] names the outputs of a root as MLIR's build functions would.

pub mod definitions;
pub mod outputs;

use std::{
    cell::OnceCell,
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use memchr::memmem;
use odsmith_engine::{
    bundle::{Bundle, normalise},
    limits::Budget,
    outline::includes,
};

use self::definitions::Definitions;
use crate::pipeline::{dependencies, workspace::IN_TREE};

/// The name of a `.td` file that arrives without one.
pub const SINGLE: &str = "input.td";

/// Maximum number of files to list for an ambiguous include, and of ambiguous includes to report for a root.
const MOST_AMBIGUOUS: usize = 8;

/// Cost of looking for a file in a folder.
const LOOK_UNITS: usize = 16;

/// The include graph of a bundle.
pub struct Graph<'b> {
    /// Every `.td` file.
    files: BTreeMap<&'b str, File<'b>>,
    /// Every path by its last segment.
    by_name: BTreeMap<&'b str, Vec<&'b str>>,
    library: BTreeSet<&'b str>,
    /// The given include folders of all targets.
    given: Vec<&'b str>,
    budget: &'b Budget,
}

/// A file and its includes. Both are computed on demand: a manifest that spells everything out needs none.
struct File<'b> {
    text: &'b [u8],
    includes: OnceCell<Vec<String>>,
    /// The other files of the bundle that it includes.
    targets: OnceCell<Vec<&'b str>>,
}

impl<'b> File<'b> {
    fn new(text: &'b [u8]) -> Self {
        File { text, includes: OnceCell::new(), targets: OnceCell::new() }
    }

    fn includes(&self) -> &[String] {
        self.includes.get_or_init(|| includes::of(self.text))
    }

    /// Returns true if the file contains nothing but includes, comments and macros.
    fn only_includes(&self) -> bool {
        includes::are_all(self.text)
    }

    /// Returns true if a comment says how lit runs the file.
    fn is_lit_test(&self) -> bool {
        memmem::find(self.text, b"RUN:").is_some() && self.text.split(|&byte| byte == b'\n').any(is_run_line)
    }

    /// Returns the line of an include, from 1.
    fn line_of(&self, include: &str) -> usize {
        let mut strings = includes::strings(self.text);
        let found = strings.find(|token| &self.text[token.inside()] == include.as_bytes());
        let start = found.map_or(0, |token| token.range().start);
        1 + self.text[..start].iter().filter(|&&byte| byte == b'\n').count()
    }
}

/// Returns true for a line `// RUN: …`.
fn is_run_line(line: &[u8]) -> bool {
    let comment = line.trim_ascii_start().strip_prefix(b"//");
    comment.is_some_and(|text| text.trim_ascii_start().starts_with(b"RUN:"))
}

/// The files of a bundle that are evaluated if no roots are named, by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tops<'b> {
    /// The files that no other file includes, and one file of each include cycle.
    pub files: Vec<&'b str>,
    /// Files that no other file includes and that define nothing and include no file of their own folder, like those of
    /// Python bindings for a dialect; they are not roots.
    pub wrappers: Vec<&'b str>,
    /// Tests of lit, which are not roots.
    pub lit_tests: Vec<&'b str>,
    /// The ones among `files` that represent an include cycle.
    pub in_circles: Vec<&'b str>,
}

/// All roots of a bundle.
#[derive(Clone, Debug, Default)]
pub struct Roots<'b> {
    /// All of them.
    pub all: BTreeSet<&'b str>,
    /// The roots that other roots read.
    pub included: BTreeSet<&'b str>,
}

/// An evaluated file and the files that it reads.
struct Reader<'b, 'd> {
    files: BTreeSet<&'b str>,
    /// The files with definitions.
    defining: Vec<&'b str>,
    by_dialect: BTreeMap<&'d str, Vec<&'b str>>,
    /// True if the file itself only includes others: their outputs are generated from it.
    is_umbrella: bool,
}

/// The include folders that a root needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inferred {
    /// Folders, in the order in which they were needed; the bundle's root is `.`.
    pub includes: Vec<String>,
    /// Messages about includes that several files could serve alike.
    pub ambiguous: Vec<String>,
}

/// The meaning of an include.
enum Meaning<'b> {
    /// The file, and the folder that must be an include folder (`None`: the bundle's root).
    File(&'b str, Option<&'b str>),
    /// The same, where another file is as near.
    Tie { target: &'b str, folder: &'b str, other: &'b str },
    /// A file of the library, or a missing one: evaluation will show.
    Elsewhere,
}

impl<'b> Graph<'b> {
    /// Builds the graph of a bundle's files.
    pub fn new(bundle: &'b Bundle, library: impl Iterator<Item = &'b str>, budget: &'b Budget) -> Self {
        let mut files = BTreeMap::new();
        let mut by_name: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (path, bytes) in bundle.iter() {
            by_name.entry(file_name(path)).or_default().push(path);
            if path.ends_with(".td") {
                files.insert(path, File::new(bytes));
            }
        }
        Graph { files, by_name, library: library.collect(), given: Vec::new(), budget }
    }

    /// Sets the include folders that the manifest names.
    #[must_use]
    pub fn with_folders(mut self, folders: &'b [String]) -> Self {
        self.given = folders.iter().map(String::as_str).collect();
        self
    }

    /// Returns the budget for this work.
    #[must_use]
    pub fn budget(&self) -> &'b Budget {
        self.budget
    }

    /// Returns the path of a file if the bundle contains it.
    #[must_use]
    pub fn file(&self, path: &str) -> Option<&'b str> {
        self.files.get_key_value(path).map(|(&path, _)| path)
    }

    /// Finds the files to evaluate if no roots are named.
    #[must_use]
    pub fn tops(&self) -> Tops<'b> {
        let mut tops = Tops::default();
        let mut included: BTreeSet<&str> = BTreeSet::new();
        for (&path, file) in &self.files {
            if !self.budget.goes_on() {
                return Tops::default();
            }
            if file.is_lit_test() {
                tops.lit_tests.push(path);
            } else if self.is_wrapper(path, file) {
                tops.wrappers.push(path);
            }
        }
        let skipped: BTreeSet<&str> = tops.wrappers.iter().chain(&tops.lit_tests).copied().collect();
        // Files of dependencies, and excluded ones, count as far as the project's own files read them.
        let own: Vec<&str> = self.own_files().filter(|path| !skipped.contains(path)).collect();
        for path in self.search(own, &skipped) {
            included.extend(self.targets(path));
        }
        let is_outer = |path: &&str| !included.contains(path) && !dependencies::is_foreign(path);
        tops.wrappers.retain(is_outer);
        tops.lit_tests.retain(is_outer);
        tops.files =
            self.own_files().filter(|path| !included.contains(path) && !skipped.contains(path)).collect();
        // Includes of wrappers do not count: a cycle that is reached only from them has a root of its own.
        tops.in_circles = self.of_circles(self.reach(&tops.files), &skipped);
        tops.files.extend(&tops.in_circles);
        tops.files.sort_unstable();
        // Without others, these are the roots.
        if tops.files.is_empty() {
            std::mem::swap(&mut tops.files, &mut tops.wrappers);
        }
        if tops.files.is_empty() {
            std::mem::swap(&mut tops.files, &mut tops.lit_tests);
        }
        tops
    }

    /// Returns one file of each include cycle that no file in `reached` leads to, the first by path. Wrappers are
    /// skipped, and not followed.
    fn of_circles(&self, mut reached: BTreeSet<&'b str>, wrappers: &BTreeSet<&'b str>) -> Vec<&'b str> {
        reached.extend(wrappers);
        let known = reached.clone();
        // The last start of such a search is in a cycle that no other file leads to.
        let mut starts = Vec::new();
        for path in self.own_files() {
            if !reached.contains(path) {
                starts.push(path);
                reached.extend(self.reach_without(path, &reached));
            }
        }
        let mut reached = known;
        let mut chosen = Vec::new();
        for path in starts.into_iter().rev() {
            if !reached.contains(path) {
                chosen.push(path);
                reached.extend(self.reach_without(path, &reached));
            }
        }
        chosen.sort_unstable();
        chosen
    }

    /// Returns the files that others include and that are still roots, because of their definitions:
    ///
    /// * interfaces are generated from their own file only;
    /// * a dialect is generated from its own files if all files that include these contain other definitions, as tests,
    ///   patterns and other dialects do.
    #[must_use]
    pub fn included_roots(&self, tops: &[&'b str], definitions: &Definitions) -> Vec<&'b str> {
        let is_top: BTreeSet<&str> = tops.iter().copied().collect();
        let readers: Vec<Reader<'b, '_>> = tops.iter().map(|&top| self.reader(top, definitions)).collect();
        let is_root = |path: &&'b str| {
            let Some(defined) = definitions.of(path).filter(|_| !is_top.contains(path)) else { return false };
            if defined.has_interfaces {
                return true;
            }
            let below = self.reach(&[path]);
            let mut its_readers = readers.iter().filter(|reader| reader.files.contains(path));
            !defined.dialects.is_empty()
                && its_readers.all(|reader| {
                    self.budget.charge(LOOK_UNITS);
                    let is_elsewhere = |file: &&str| !below.contains(file);
                    let of_dialect = |name| reader.by_dialect.get(name).into_iter().flatten();
                    !reader.is_umbrella
                        && reader.defining.iter().any(is_elsewhere)
                        && !defined
                            .dialects
                            .iter()
                            .flat_map(|name| of_dialect(name.as_str()))
                            .any(is_elsewhere)
                })
        };
        let mut roots: Vec<&'b str> = Vec::new();
        for path in self.own_files().take_while(|_| self.budget.goes_on()).filter(is_root) {
            let has_interfaces = definitions.of(path).is_some_and(|defined| defined.has_interfaces);
            // Files that include each other are one root, the first by path.
            let is_known =
                |root: &&str| self.reach(&[*root]).contains(path) && self.reach(&[path]).contains(root);
            if has_interfaces || !roots.iter().any(is_known) {
                roots.push(path);
            }
        }
        roots
    }

    /// Returns the files that a file reads, and which of them have definitions.
    fn reader<'d>(&self, top: &'b str, definitions: &'d Definitions) -> Reader<'b, 'd> {
        let files = self.reach(&[top]);
        let mut by_dialect: BTreeMap<&'d str, Vec<&'b str>> = BTreeMap::new();
        let mut defining = Vec::new();
        for &path in &files {
            let Some(defined) = definitions.of(path) else { continue };
            defining.push(path);
            for dialect in &defined.dialects {
                by_dialect.entry(dialect).or_default().push(path);
            }
        }
        let is_umbrella = self.files.get(top).is_some_and(File::only_includes);
        Reader { files, defining, by_dialect, is_umbrella }
    }

    /// Returns true if a file has no definitions of its own, and includes no file of its own folder or below.
    fn is_wrapper(&self, path: &'b str, file: &File<'b>) -> bool {
        let folder = folder_of(path);
        let is_near = |target: &&str| {
            let other = folder_of(target);
            !dependencies::is_foreign(target)
                && (folder.is_empty() || other == folder || other.starts_with(&format!("{folder}/")))
        };
        file.only_includes() && !self.targets(path).iter().any(is_near)
    }

    /// Returns the line that says how lit runs a file.
    #[must_use]
    pub fn run_line(&self, path: &str) -> Option<usize> {
        let mut lines = self.files.get(path)?.text.split(|&byte| byte == b'\n');
        lines.position(is_run_line).map(|line| line + 1)
    }

    /// Returns each included file, with the first file that includes it.
    #[must_use]
    pub fn includers(&self) -> BTreeMap<&'b str, &'b str> {
        let mut includers = BTreeMap::new();
        for &path in self.files.keys() {
            for target in self.targets(path) {
                includers.entry(*target).or_insert(path);
            }
        }
        includers
    }

    /// Returns the first include of a file that neither the bundle nor the library has.
    #[must_use]
    pub fn missing_in(&self, path: &str) -> Option<&str> {
        let (&path, file) = self.files.get_key_value(path)?;
        let is_missing = |include: &&String| {
            matches!(self.meaning(path, include, &[]), Meaning::Elsewhere)
                && !self.library.contains(include.as_str())
        };
        file.includes().iter().find(is_missing).map(String::as_str)
    }

    /// Returns the file that an include would name in another case.
    #[must_use]
    pub fn other_spelling(&self, include: &str) -> Option<&'b str> {
        let count = include.matches('/').count();
        let tail = |path: &'b str| {
            let start = path.rmatch_indices('/').nth(count).map_or(0, |(at, _)| at + 1);
            &path[start..]
        };
        let own = self.files.keys().map(|path| tail(path));
        own.chain(self.library.iter().copied())
            .find(|file| *file != include && file.eq_ignore_ascii_case(include))
    }

    /// Returns true if a root reads definitions of MLIR. Others, such as those of LLVM's code generators, define no dialect.
    #[must_use]
    pub fn reads_mlir(&self, root: &str) -> bool {
        let is_of_mlir = |path: &str| path.starts_with("mlir/") || path.contains("/mlir/");
        let includes = |path: &str| {
            self.files.get(path).is_some_and(|file| file.includes().iter().any(|it| is_of_mlir(it)))
        };
        self.reach(&[root]).into_iter().any(|path| is_of_mlir(path) || includes(path))
    }

    /// Returns true if a root reads a file with an include that neither the bundle nor the library has.
    #[must_use]
    pub fn lacks_include(&self, root: &str) -> bool {
        self.reach(&[root]).into_iter().any(|path| self.missing_in(path).is_some())
    }

    /// Returns true if a file includes another file of the project.
    #[must_use]
    pub fn includes_own(&self, path: &str) -> bool {
        self.targets(path).iter().any(|target| !dependencies::is_foreign(target))
    }

    /// Returns the files that a root reads but for which other roots generate the outputs.
    #[must_use]
    pub fn covered(&self, root: &str, roots: &Roots<'b>, definitions: &Definitions) -> BTreeSet<String> {
        let read = self.reach(&[root]);
        let is_interfaces = |path: &str| definitions.of(path).is_some_and(|file| file.has_interfaces);
        let mut covered = if is_interfaces(root) && roots.included.contains(root) {
            read
        } else {
            let others = read.iter().copied().filter(|other| *other != root && roots.all.contains(other));
            let (interfaces, whole): (Vec<&str>, Vec<&str>) = others.partition(|other| is_interfaces(other));
            let mut covered = self.reach(&whole);
            covered.extend(interfaces);
            covered
        };
        covered.remove(root);
        covered.into_iter().map(str::to_owned).collect()
    }

    /// Returns the other files of the bundle that a file includes.
    fn targets(&self, path: &str) -> &[&'b str] {
        let Some((&path, file)) = self.files.get_key_value(path) else { return &[] };
        file.targets.get_or_init(|| {
            let mut targets = Vec::new();
            for include in file.includes() {
                if !self.budget.goes_on() {
                    break;
                }
                match self.meaning(path, include, &[]) {
                    Meaning::File(target, _) | Meaning::Tie { target, .. } => targets.push(target),
                    Meaning::Elsewhere => {}
                }
            }
            targets.retain(|target| *target != path);
            targets
        })
    }

    /// Returns the files that some files read, including themselves.
    fn reach(&self, from: &[&str]) -> BTreeSet<&'b str> {
        self.search(from.iter().filter_map(|path| self.file(path)).collect(), &BTreeSet::new())
    }

    /// Returns the files that a file reads, including itself, without the files in `known` and those reached only from
    /// them.
    fn reach_without(&self, from: &'b str, known: &BTreeSet<&'b str>) -> BTreeSet<&'b str> {
        self.search(vec![from], known)
    }

    fn search(&self, mut waiting: Vec<&'b str>, known: &BTreeSet<&'b str>) -> BTreeSet<&'b str> {
        let mut reached: BTreeSet<&'b str> = waiting.iter().copied().collect();
        while let Some(path) = waiting.pop() {
            let targets = self.targets(path);
            self.budget.charge(targets.len());
            if !self.budget.goes_on() {
                break;
            }
            for &target in targets {
                if !known.contains(target) && reached.insert(target) {
                    waiting.push(target);
                }
            }
        }
        reached
    }

    /// Returns the files of the bundle itself: dependencies have no roots.
    fn own_files(&self) -> impl Iterator<Item = &'b str> {
        self.files.keys().copied().filter(|path| !dependencies::is_foreign(path))
    }

    /// Finds the include folders of a root, besides the given ones.
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
                // Folders of dependencies come last, whatever was found first.
                let own = inferred.includes.iter().filter(|folder| !folder.starts_with('<'));
                let folders: Vec<&str> = given.iter().chain(own).map(String::as_str).collect();
                match self.meaning(path, include, &folders) {
                    Meaning::File(target, folder) => {
                        if let Some(folder) = folder {
                            inferred.add(folder);
                        }
                        next.push(target);
                    }
                    Meaning::Tie { target, folder, other } => {
                        inferred.add(folder);
                        next.push(target);
                        let line = file.line_of(include);
                        let message =
                            format!("{path}:{line}: \"{include}\": '{target}' is read, not '{other}'");
                        let is_new = !inferred.ambiguous.contains(&message);
                        if is_new && inferred.ambiguous.len() < MOST_AMBIGUOUS {
                            inferred.ambiguous.push(message);
                        }
                    }
                    Meaning::Elsewhere => {}
                }
            }
            // Depth first, in the order of evaluation.
            waiting.extend(next.into_iter().rev());
        }
        inferred.includes.sort_by_key(|folder| Origin::of(&format!("{folder}/")));
        inferred
    }

    fn meaning(&self, from: &'b str, include: &str, folders: &[&str]) -> Meaning<'b> {
        // Each folder is searched, and each file of the name is compared.
        let names = self.by_name.get(file_name(include)).map_or(0, Vec::len);
        let folders = || self.given.iter().chain(folders).copied();
        self.budget.charge((folders().count() + 2 * names + 1) * LOOK_UNITS + include.len());
        let find = |path: &str| self.files.get_key_value(path).map(|(&path, _)| path);
        if let Some(target) = normalise(include).and_then(|path| find(&path)) {
            return Meaning::File(target, None);
        }
        for folder in folders() {
            if let Some(target) = normalise(&format!("{folder}/{include}")).and_then(|path| find(&path)) {
                return Meaning::File(target, None);
            }
        }
        // Build files make a file's own folder an include folder.
        let own = folder_of(from);
        if let Some(target) = normalise(&format!("{own}/{include}")).and_then(|path| find(&path)) {
            return Meaning::File(target, Some(own));
        }
        let candidates = self.by_name.get(file_name(include)).into_iter().flatten();
        let mut candidates: Vec<(Rank, &str, &str)> = candidates
            .filter_map(|&path| {
                let folder = path.strip_suffix(include)?.strip_suffix('/')?;
                Some((Rank::new(path, from), path, folder))
            })
            .collect();
        candidates.sort_unstable();
        match *candidates {
            [] => Meaning::Elsewhere,
            [(_, target, folder)] => Meaning::File(target, Some(folder)),
            [(rank, target, folder), (next, ..), ..] if rank.origin < next.origin => {
                Meaning::File(target, Some(folder))
            }
            _ if self.library.contains(include) => Meaning::Elsewhere,
            [(rank, target, folder), (next, other, _), ..] if rank == next => {
                Meaning::Tie { target, folder, other }
            }
            [(_, target, folder), ..] => Meaning::File(target, Some(folder)),
        }
    }
}

/// The rank of a file among those that an include may mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    origin: Origin,
    /// Larger for files that share fewer folders with the including file.
    distance: Reverse<usize>,
}

/// The origin of a file that an include may mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    Project,
    Dependency,
    Tree,
}

impl Origin {
    fn of(path: &str) -> Origin {
        match path.strip_prefix(IN_TREE) {
            Some(_) => Origin::Tree,
            None if dependencies::is_foreign(path) => Origin::Dependency,
            None => Origin::Project,
        }
    }
}

impl Inferred {
    /// Adds an include folder.
    fn add(&mut self, folder: &str) {
        if self.includes.iter().all(|known| known != folder) {
            self.includes.push(folder.to_owned());
        }
    }
}

impl Rank {
    fn new(path: &str, from: &str) -> Rank {
        let below = path.strip_prefix(IN_TREE).and_then(|path| path.strip_prefix('/'));
        let origin = Origin::of(path);
        let from = from.strip_prefix(IN_TREE).map_or(from, |from| from.trim_start_matches('/'));
        let folders = folder_of(below.unwrap_or(path)).split('/').zip(folder_of(from).split('/'));
        Rank { origin, distance: Reverse(folders.take_while(|(one, other)| one == other).count()) }
    }
}

/// Returns the default root: the only `.td` file of a bundle, if there is just one.
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
        assert_eq!(graph.tops().files, ["p/include/Foo/Ops.td"]);
        assert_eq!(graph.infer("p/include/Foo/Ops.td", &[]).includes, ["p/include", "p/include/Foo"]);
        let given = ["p/include".to_owned()];
        assert_eq!(graph.infer("p/include/Foo/Ops.td", &given).includes, ["p/include/Foo"]);
    }

    #[test]
    fn includes_of_files_that_nothing_reads_do_not_count() {
        let bundle = bundle(&[
            ("A.td", "include \"x/X.td\"\ndef A;"),
            ("B.td", "def B;"),
            ("C.td", "def C;"),
            ("<in-tree>/x/X.td", "include \"C.td\"\ndef X;"),
            ("<in-tree>/x/Y.td", "include \"B.td\"\ndef Y;"),
        ]);
        let budget = Budget::default();
        let tops = Graph::new(&bundle, std::iter::empty(), &budget).tops();
        assert_eq!((tops.files, tops.in_circles), (vec!["A.td", "B.td"], Vec::new()));
    }

    #[test]
    fn what_is_defined_decides_which_included_files_are_roots() {
        let bundle = bundle(&[
            (
                "include/Foo/FooOps.td",
                "include \"Foo/FooBase.td\"\ninclude \"Foo/FooInterfaces.td\"\ninclude \"Foo/FooTypes.td\"\ndef A;",
            ),
            ("include/Foo/FooInterfaces.td", "include \"Foo/FooBase.td\"\ndef I;"),
            ("include/Foo/FooTypes.td", "include \"Foo/FooBase.td\"\ndef T;"),
            ("include/Foo/FooBase.td", "def Foo_Dialect;"),
            ("bridge/FooOps.td", "include \"Foo/FooOps.td\""),
            ("checks/Probe.td", "include \"Foo/FooOps.td\"\ninclude \"Part.td\"\ndef B;"),
            ("checks/Part.td", "def P;"),
            ("lib/Combine.td", "include \"Foo/FooOps.td\"\ndef R;"),
        ]);
        let budget = Budget::default();
        let graph = Graph::new(&bundle, std::iter::empty(), &budget);
        let tops = graph.tops();
        assert_eq!(tops.files, ["checks/Probe.td", "lib/Combine.td"]);
        assert_eq!(tops.wrappers, ["bridge/FooOps.td"]);
        let foo: &[&str] = &["foo"];
        let mut files = vec![
            ("include/Foo/FooOps.td", false, foo),
            ("include/Foo/FooInterfaces.td", true, &[][..]),
            ("include/Foo/FooTypes.td", false, foo),
            ("include/Foo/FooBase.td", false, foo),
            ("checks/Probe.td", false, &["probe"][..]),
            ("lib/Combine.td", false, &[][..]),
        ];
        let definitions: Definitions = files.iter().copied().collect();
        let included = graph.included_roots(&tops.files, &definitions);
        // Types and the dialect itself are generated together with the operations.
        assert_eq!(included, ["include/Foo/FooInterfaces.td", "include/Foo/FooOps.td"]);
        let roots = Roots {
            all: tops.files.iter().chain(&included).copied().collect(),
            included: included.iter().copied().collect(),
        };
        let covered = |root: &str| Vec::from_iter(graph.covered(root, &roots, &definitions));
        assert_eq!(covered("include/Foo/FooOps.td"), ["include/Foo/FooInterfaces.td"]);
        assert_eq!(covered("include/Foo/FooInterfaces.td"), ["include/Foo/FooBase.td"]);
        assert_eq!(covered("lib/Combine.td").len(), 4);
        // A file that defines operations of the dialect itself contains all of it.
        files[4].2 = foo;
        let included = graph.included_roots(&tops.files, &files.into_iter().collect());
        assert_eq!(included, ["include/Foo/FooInterfaces.td"]);
    }

    #[test]
    fn a_file_that_only_includes_makes_one_of_its_parts() {
        let bundle = bundle(&[
            (
                "Foo.td",
                "// All of it.\n#ifndef X\n#define X\ninclude \"FooOps.td\"\ninclude \"BarOps.td\"\n#endif",
            ),
            ("FooOps.td", "def A;"),
            ("BarOps.td", "def B;"),
        ]);
        let budget = Budget::default();
        let graph = Graph::new(&bundle, std::iter::empty(), &budget);
        let files = [("FooOps.td", false, &["foo"][..]), ("BarOps.td", false, &["bar"][..])];
        assert_eq!(graph.tops().files, ["Foo.td"]);
        assert!(graph.included_roots(&["Foo.td"], &files.into_iter().collect()).is_empty());
    }

    #[test]
    fn circles_have_a_root() {
        let bundle = bundle(&[
            ("a.td", "include \"b.td\""),
            ("b.td", "include \"c.td\"\ninclude \"x.td\""),
            ("c.td", "include \"b.td\"\ninclude \"a.td\""),
            ("x.td", "include \"y.td\""),
            ("y.td", "include \"x.td\""),
            ("m.td", "include \"n.td\""),
            ("n.td", "include \"m.td\""),
            ("r.td", "include \"n.td\""),
            ("self.td", "include \"self.td\"\ndef S;"),
        ]);
        let budget = Budget::default();
        let tops = Graph::new(&bundle, std::iter::empty(), &budget).tops();
        assert_eq!(tops.files, ["a.td", "r.td", "self.td"]);
        assert_eq!(tops.in_circles, ["a.td"]);
    }

    #[test]
    fn circles_that_wrappers_enter_have_a_root() {
        let bundle = bundle(&[
            ("bind/Py.td", "include \"Top.td\""),
            ("bind/Rs.td", "include \"Ops.td\"\ninclude \"Rs2.td\""),
            ("lang/Rs2.td", "include \"Rs.td\""),
            ("inc/Ops.td", "include \"Top.td\"\ndef A;"),
            ("inc/Top.td", "include \"Ops.td\"\ndef B;"),
        ]);
        let budget = Budget::default();
        let tops = Graph::new(&bundle, std::iter::empty(), &budget).tops();
        assert_eq!(tops.files, ["inc/Ops.td"]);
        assert_eq!(tops.in_circles, ["inc/Ops.td"]);
    }

    #[test]
    fn circles_that_a_root_enters_are_one_root() {
        let bundle = bundle(&[
            ("inc/Ops.td", "include \"Top.td\"\ndef A;"),
            ("inc/Top.td", "include \"Ops.td\"\ndef B;"),
            ("test/T.td", "include \"Top.td\"\ndef T;"),
        ]);
        let budget = Budget::default();
        let graph = Graph::new(&bundle, std::iter::empty(), &budget);
        let tops = graph.tops();
        assert_eq!(tops.files, ["test/T.td"]);
        let foo: &[&str] = &["foo"];
        let files = [("inc/Ops.td", false, foo), ("inc/Top.td", false, foo), ("test/T.td", false, &[][..])];
        assert_eq!(graph.included_roots(&tops.files, &files.into_iter().collect()), ["inc/Ops.td"]);
    }

    #[test]
    fn the_nearest_candidate_is_read() {
        let bundle = bundle(&[
            ("a/X.td", ""),
            ("b/X.td", ""),
            ("b/c/s.td", "include \"X.td\""),
            ("r.td", "\ninclude \"X.td\""),
        ]);
        let budget = Budget::default();
        let graph = Graph::new(&bundle, std::iter::empty(), &budget);
        let inferred = graph.infer("r.td", &[]);
        assert_eq!(inferred.includes, ["a"]);
        assert_eq!(inferred.ambiguous, ["r.td:2: \"X.td\": 'a/X.td' is read, not 'b/X.td'"]);
        assert_eq!(graph.infer("b/c/s.td", &[]), Inferred { includes: vec!["b".into()], ambiguous: vec![] });
    }

    #[test]
    fn dependencies_come_after_the_project_and_have_no_roots() {
        let bundle = bundle(&[
            ("<in-tree>/ext/q/Q.td", "def Q;"),
            ("<in-tree>/ext/q/R.td", "def Q;"),
            ("<other>/q/R.td", "def R;"),
            ("a/T.td", "include \"q/Q.td\"\ninclude \"q/R.td\"\ndef T;"),
        ]);
        let budget = Budget::default();
        let graph = Graph::new(&bundle, std::iter::empty(), &budget);
        assert_eq!(graph.tops().files, ["a/T.td"]);
        assert_eq!(graph.infer("a/T.td", &[]).includes, ["<other>", "<in-tree>/ext"]);
    }

    #[test]
    fn tests_of_lit_are_no_roots() {
        let bundle = bundle(&[
            ("a.td", "def A;"),
            ("test/b.td", "// RUN: tool %s\ninclude \"a.td\""),
            ("test/c.td", "// see RUN: x\ndef C;"),
        ]);
        let budget = Budget::default();
        let tops = Graph::new(&bundle, std::iter::empty(), &budget).tops();
        assert_eq!(tops.files, ["a.td", "test/c.td"]);
        assert_eq!(tops.lit_tests, ["test/b.td"]);
    }

    #[test]
    fn ones_own_folder_comes_first() {
        let bundle = bundle(&[("a/X.td", "def X;"), ("b/X.td", "def X;"), ("b/r.td", "include \"X.td\"")]);
        let budget = Budget::default();
        let graph = Graph::new(&bundle, std::iter::empty(), &budget);
        assert_eq!(graph.infer("b/r.td", &[]), Inferred { includes: vec!["b".into()], ambiguous: vec![] });
        assert_eq!(graph.tops().files, ["a/X.td", "b/r.td"]);
    }
}
