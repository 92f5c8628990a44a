//! The files of a project: its sources, and the folders that are not entered.
//!
//! A folder is not entered if it is, in this order,
//!
//! * a *library*: MLIR's own definitions, as a checkout, an installation or an include folder;
//! * an *output* of odsmith, by its marker;
//! * a *build* of another program;
//! * a *checkout* inside the project;
//! * *vendored*: a child of `third_party` and the like;
//! * *ignored* by a `.gitignore` or a file like it;
//! * a *project* of its own, with an `odsmith.toml`.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use serde::Serialize;

use super::{
    ignores::{Ignores, Verdict},
    tree::{EntryKind, Tree, TreeEntry},
};
use crate::{
    pipeline::manifest::FILE_NAME,
    store::output_folder::{MARKER, Marker, Owns},
};

/// The file that distinguishes MLIR's definitions, below an include folder.
const WITNESS: &str = "mlir/IR/OpBase.td";
/// The header that distinguishes an installation of LLVM, below an include folder.
const HEADER: &str = "llvm/Config/llvm-config.h";
/// Files and folders that only the folder of a build or of an environment has.
const BUILD_FILES: &[&str] =
    &["CMakeCache.txt", ".ninja_log", "meson-private", "CACHEDIR.TAG", "pyvenv.cfg", "conda-meta"];
/// Names of folders of builds and of installed packages.
const BUILD_NAMES: &[&str] = &["build", "node_modules", "site-packages", "_deps"];
/// Names of folders whose children are other projects.
const VENDORS: &[&str] = &[
    "third_party",
    "third-party",
    "thirdparty",
    "3rdparty",
    "external",
    "externals",
    "extern",
    "vendor",
    "vendored",
    "submodules",
    "subprojects",
];
/// Maximum depth of folders.
const MOST_DEPTH: usize = 64;
/// Maximum depth of links that lead out of the project.
const MOST_LINKS: usize = 8;
/// Maximum number of entries that are listed in search of an included file.
const MOST_ENTRIES: usize = 100_000;

/// The reason why a folder or a file is no source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// MLIR's own definitions.
    Library,
    /// It was written by odsmith.
    Output,
    /// It belongs to a build or to an environment.
    Build,
    /// It is another repository's checkout.
    NestedCheckout,
    /// It is below a folder for other projects.
    Vendored,
    /// An ignore file names it.
    Ignored,
    /// It has its own `odsmith.toml`.
    Project,
    /// It is a link to a folder that is listed anyway.
    Link,
    /// It is a link to another source.
    Alias,
}

impl Kind {
    /// Returns true if includes read such files.
    #[must_use]
    pub fn is_dependency(self) -> bool {
        matches!(self, Kind::NestedCheckout | Kind::Vendored | Kind::Project)
    }

    /// Returns its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Library => "library",
            Kind::Output => "output",
            Kind::Build => "build",
            Kind::NestedCheckout => "nested checkout",
            Kind::Vendored => "vendored",
            Kind::Ignored => "ignored",
            Kind::Project => "project",
            Kind::Link => "link",
            Kind::Alias => "alias",
        }
    }
}

/// A folder or file that is no source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exception {
    /// Its path below the root of the tree.
    pub path: String,
    /// The reason.
    pub kind: Kind,
    /// The file or name that shows it.
    pub why: String,
    /// True for a folder.
    pub is_folder: bool,
}

/// A folder with MLIR's definitions, inside the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryFolder {
    /// Its include folder.
    pub include: String,
    /// True if it is inside a dependency: then it is not used.
    pub is_in_dependency: bool,
}

/// The files of a project by their paths below the root of the tree.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// Its files, of all types, sorted bytewise.
    pub files: Vec<String>,
    /// The folders and files that are no sources, sorted bytewise.
    pub exceptions: Vec<Exception>,
    /// The libraries, the least deep first.
    pub libraries: Vec<LibraryFolder>,
}

/// The extent of a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// The sources of a project.
    Sources,
    /// All files that includes may mean: those of dependencies as well.
    Dependencies,
    /// The same, with ignored files.
    All,
}

impl Listing {
    /// Lists the files below a folder, which is entered whatever it is.
    ///
    /// # Errors
    /// A folder cannot be read, or folders are nested too deeply.
    pub(super) fn new(tree: &dyn Tree, start: &str, extent: Extent) -> Result<Listing, String> {
        let mut walk = Walk {
            tree,
            extent,
            has_library: !is_in_library(tree, start),
            submodules: submodules(tree),
            written: BTreeSet::new(),
            reals: vec![tree.real_root().join(start)],
            file_links: Vec::new(),
            entries: 0,
            listing: Listing::default(),
        };
        walk.start(start)?;
        let Walk { mut listing, file_links, .. } = walk;
        add_linked_files(tree, &mut listing, file_links);
        listing.files.sort_unstable();
        listing.exceptions.sort_by(|one, other| one.path.cmp(&other.path));
        let depth = |it: &LibraryFolder| it.include.matches('/').count();
        listing
            .libraries
            .sort_by(|one, other| (depth(one), &one.include).cmp(&(depth(other), &other.include)));
        Ok(listing)
    }
}

/// The position of a walk.
#[derive(Clone, Copy)]
struct Level<'a> {
    ignores: Option<&'a Ignores<'a>>,
    is_in_dependency: bool,
    depth: usize,
}

/// Adds the links to files: one to a source is an alias of it.
fn add_linked_files(tree: &dyn Tree, listing: &mut Listing, links: Vec<(String, PathBuf)>) {
    let sources: BTreeSet<String> = listing.files.iter().cloned().collect();
    for (path, real) in links {
        let target = real.strip_prefix(tree.real_root()).ok();
        let target = target.map(|path| path.to_string_lossy().replace('\\', "/"));
        match target.filter(|target| sources.contains(target)) {
            Some(target) => listing.exceptions.push(Exception {
                path,
                kind: Kind::Alias,
                why: format!("a link to {target}"),
                is_folder: false,
            }),
            None => listing.files.push(path),
        }
    }
}

struct Walk<'t> {
    tree: &'t dyn Tree,
    extent: Extent,
    /// False inside a library: there MLIR is the project.
    has_library: bool,
    /// The folders that `.gitmodules` of the root names.
    submodules: BTreeSet<String>,
    /// The files that markers list.
    written: BTreeSet<String>,
    /// The real paths of the start and of the links that were followed.
    reals: Vec<PathBuf>,
    file_links: Vec<(String, PathBuf)>,
    entries: usize,
    listing: Listing,
}

impl Walk<'_> {
    fn start(&mut self, start: &str) -> Result<(), String> {
        let entries = self.tree.entries(start)?;
        // Of a checkout of LLVM, MLIR is the project; of an installation, its include folder.
        if let Some(library) = self.library(start, &entries) {
            self.has_library = false;
            self.listing.libraries.push(LibraryFolder { include: library.include, is_in_dependency: false });
            if let Some(own) = library.project.filter(|_| self.extent == Extent::Sources) {
                return self.start(&join(start, own));
            }
        }
        // The ignore files of the root and the folders on the way here.
        let above: Vec<String> = start.match_indices('/').map(|(at, _)| start[..at].to_owned()).collect();
        let mut folders = if start.is_empty() { Vec::new() } else { vec![String::new()] };
        folders.extend(above);
        self.below(start, &entries, &folders, None)
    }

    /// Reads the ignore files of folders, one after the other, and then walks.
    fn below(
        &mut self,
        start: &str,
        entries: &[TreeEntry],
        folders: &[String],
        above: Option<&Ignores<'_>>,
    ) -> Result<(), String> {
        let Some((folder, rest)) = folders.split_first() else {
            // A folder that the user names is read even if it is ignored, and then by its own ignore files alone.
            let is_ignored = above.is_some_and(|ignores| {
                let parts = start.match_indices('/').map(|(at, _)| &start[..at]).chain([start]);
                parts.into_iter().any(|path| matches!(ignores.verdict(path, true), Verdict::Ignored(_)))
            });
            let level = Level { ignores: above.filter(|_| !is_ignored), is_in_dependency: false, depth: 0 };
            return self.folder(start, entries, level);
        };
        let names = self.tree.entries(folder).unwrap_or_default();
        let names: Vec<&str> = names.iter().map(|entry| entry.name.as_str()).collect();
        match self.ignores(folder, &names, above) {
            Some(ignores) => self.below(start, entries, rest, Some(&ignores)),
            None => self.below(start, entries, rest, above),
        }
    }

    fn ignores<'a>(
        &self,
        folder: &str,
        names: &[&str],
        above: Option<&'a Ignores<'a>>,
    ) -> Option<Ignores<'a>> {
        if self.extent == Extent::All {
            return None;
        }
        Ignores::read(self.tree, folder, names, above)
    }

    fn folder(&mut self, folder: &str, entries: &[TreeEntry], level: Level<'_>) -> Result<(), String> {
        if level.depth > MOST_DEPTH {
            return Err(format!("{folder}: folders are nested too deeply"));
        }
        let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
        let own = self.ignores(folder, &names, level.ignores);
        let ignores = own.as_ref().or(level.ignores);
        let below = Level { ignores, depth: level.depth + 1, ..level };
        if names.contains(&MARKER)
            && let Some(marker) = self.marker(folder).filter(|marker| marker.owns == Owns::Files)
        {
            self.written.extend(marker.files().map(|file| join(folder, file)));
        }
        // Of an include folder, only MLIR's and LLVM's files are the library's.
        let is_include =
            self.has_library && folder_has(entries, "mlir") && self.tree.has_file(&join(folder, WITNESS));
        for entry in entries {
            self.entries += 1;
            if self.extent != Extent::Sources && self.entries > MOST_ENTRIES {
                return Ok(());
            }
            if entry.name.starts_with('.') {
                continue;
            }
            let path = join(folder, &entry.name);
            let is_folder = matches!(entry.kind, EntryKind::Folder | EntryKind::FolderLink(_));
            if is_include && is_folder && level.depth > 0 && matches!(&*entry.name, "mlir" | "llvm") {
                continue;
            }
            let verdict = ignores.map_or(Verdict::Unmatched, |ignores| ignores.verdict(&path, is_folder));
            match &entry.kind {
                EntryKind::File | EntryKind::FileLink(_) => {
                    if self.written.contains(&path) {
                        self.except(path, Kind::Output, "listed in .odsmith-output", false);
                    } else if let Verdict::Ignored(why) = verdict {
                        self.except(path, Kind::Ignored, &why, false);
                    } else if let EntryKind::FileLink(real) = &entry.kind {
                        self.file_links.push((path, real.clone()));
                    } else {
                        self.listing.files.push(path);
                    }
                }
                EntryKind::Folder => {
                    self.child(path, &entry.name, verdict, below)?;
                }
                EntryKind::FolderLink(real) => {
                    if is_build_link(&entry.name) {
                        self.except(path, Kind::Build, "a link of a build", true);
                    } else if self.is_listed(real) {
                        let target = real.strip_prefix(self.tree.real_root()).unwrap_or(real);
                        let target = if target.as_os_str().is_empty() { Path::new(".") } else { target };
                        let why = format!("a link to {}", target.display()).replace('\\', "/");
                        self.except(path, Kind::Link, &why, true);
                    } else if self.reals.len() <= MOST_LINKS {
                        self.reals.push(real.clone());
                        let done = self.child(path, &entry.name, verdict, below);
                        self.reals.pop();
                        done?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Enters a folder, or notes why it is not entered.
    fn child(&mut self, path: String, name: &str, verdict: Verdict, level: Level<'_>) -> Result<(), String> {
        let entries = self.tree.entries(&path)?;
        if verdict == Verdict::TakenBack {
            return self.folder(&path, &entries, level);
        }
        if let Some(library) = self.library(&path, &entries) {
            let include = library.include;
            let is_in_dependency = level.is_in_dependency;
            self.listing.libraries.push(LibraryFolder { include, is_in_dependency });
            self.except(path.clone(), Kind::Library, library.why, true);
            return match library.is_whole {
                true => Ok(()),
                false => self.folder(&path, &entries, level),
            };
        }
        let exception = self.exception(&path, name, &entries).or(match verdict {
            Verdict::Ignored(why) => Some((Kind::Ignored, why)),
            Verdict::Unmatched | Verdict::TakenBack => None,
        });
        let exception = exception.or_else(|| {
            entries.iter().any(|entry| entry.name == FILE_NAME).then(|| (Kind::Project, FILE_NAME.to_owned()))
        });
        let Some((kind, why)) = exception else {
            return self.folder(&path, &entries, level);
        };
        let is_entered = match self.extent {
            Extent::Sources => false,
            Extent::Dependencies => kind.is_dependency(),
            Extent::All => kind.is_dependency() || kind == Kind::Ignored,
        };
        if is_entered {
            let is_in_dependency = level.is_in_dependency || kind.is_dependency();
            return self.folder(&path, &entries, Level { is_in_dependency, ..level });
        }
        self.except(path.clone(), kind, &why, true);
        // Libraries of dependencies are not used, and are listed so that users see why.
        if self.extent == Extent::Sources && kind.is_dependency() {
            self.note_libraries(&path, &entries, 0);
        }
        Ok(())
    }

    /// Notes the libraries in a dependency, a few folders deep.
    fn note_libraries(&mut self, folder: &str, entries: &[TreeEntry], depth: usize) {
        /// Projects keep a checkout of LLVM near their root.
        const MOST: usize = 2;
        for entry in entries.iter().filter(|entry| entry.kind == EntryKind::Folder) {
            let path = join(folder, &entry.name);
            let is_likely = |name: &str| VENDORS.contains(&name) || name.contains("llvm") || name == "mlir";
            if !is_likely(&entry.name) {
                continue;
            }
            let Ok(below) = self.tree.entries(&path) else { continue };
            if let Some(library) = self.library(&path, &below) {
                let include = library.include;
                self.listing.libraries.push(LibraryFolder { include, is_in_dependency: true });
            } else if depth < MOST {
                self.note_libraries(&path, &below, depth + 1);
            }
        }
    }

    /// Returns true if a folder is listed anyway, or contains one that is.
    fn is_listed(&self, real: &Path) -> bool {
        let start = self.reals.first();
        self.reals.iter().any(|known| real.starts_with(known)) || start.is_some_and(|it| it.starts_with(real))
    }

    fn except(&mut self, path: String, kind: Kind, why: &str, is_folder: bool) {
        self.listing.exceptions.push(Exception { path, kind, why: why.to_owned(), is_folder });
    }

    /// Returns the reason not to enter a folder, by its entries and its name.
    fn exception(&self, path: &str, name: &str, entries: &[TreeEntry]) -> Option<(Kind, String)> {
        let has = |wanted: &str| entries.iter().any(|entry| entry.name == wanted);
        if has(MARKER) && self.marker(path).is_some_and(|marker| marker.owns == Owns::Folder) {
            return Some((Kind::Output, MARKER.to_owned()));
        }
        let is_likely = ["result.json", "index.json", "versions.json"].iter().any(|name| has(name));
        if !has(MARKER) && is_likely && self.tree.is_output_of_first_version(path) {
            return Some((Kind::Output, "written by odsmith 0.1.0".to_owned()));
        }
        if let Some(file) = BUILD_FILES.iter().find(|file| has(file)) {
            return Some((Kind::Build, (*file).to_owned()));
        }
        if BUILD_NAMES.contains(&name) {
            return Some((Kind::Build, format!("named {name}")));
        }
        if has(".git") {
            return Some((Kind::NestedCheckout, ".git".to_owned()));
        }
        if self.submodules.contains(path) {
            return Some((Kind::NestedCheckout, ".gitmodules".to_owned()));
        }
        let above = path.rsplit('/').nth(1)?;
        VENDORS.contains(&above).then(|| (Kind::Vendored, format!("in {above}")))
    }

    fn marker(&self, folder: &str) -> Option<Marker> {
        Marker::parse(&self.tree.read(&join(folder, MARKER)).ok()?)
    }

    /// Returns the library that a folder holds.
    fn library(&self, path: &str, entries: &[TreeEntry]) -> Option<LibraryProbe> {
        if !self.has_library {
            return None;
        }
        library(self.tree, path, entries)
    }
}

/// A folder with MLIR's definitions.
struct LibraryProbe {
    include: String,
    /// True if all of the folder is the library's.
    is_whole: bool,
    /// The folder below it that is the project, if the user names the folder itself.
    project: Option<&'static str>,
    why: &'static str,
}

fn library(tree: &dyn Tree, path: &str, entries: &[TreeEntry]) -> Option<LibraryProbe> {
    let has = |below: &str| tree.has_file(&join(path, below));
    if folder_has(entries, "mlir") && has("mlir/include/mlir/IR/OpBase.td") {
        return Some(LibraryProbe {
            include: join(path, "mlir/include"),
            is_whole: true,
            project: Some("mlir"),
            why: "a checkout of MLIR",
        });
    }
    if folder_has(entries, "include") && has("include/mlir/IR/OpBase.td") {
        let is_installation = has("include/llvm/Config/llvm-config.h");
        // Without the header, the include folder itself is found below.
        return is_installation.then(|| LibraryProbe {
            include: join(path, "include"),
            is_whole: true,
            project: Some("include"),
            why: "an installation of MLIR",
        });
    }
    (folder_has(entries, "mlir") && has(WITNESS)).then(|| LibraryProbe {
        include: path.to_owned(),
        is_whole: has(HEADER),
        project: None,
        why: "an include folder of MLIR",
    })
}

fn folder_has(entries: &[TreeEntry], name: &str) -> bool {
    entries.binary_search_by(|entry| entry.name.as_str().cmp(name)).is_ok()
}

/// Returns true if a folder is inside of MLIR's definitions.
fn is_in_library(tree: &dyn Tree, start: &str) -> bool {
    let real = tree.real_root().join(start);
    let mut above = real.as_path();
    loop {
        let Some(folder) = above.parent() else { return false };
        let name = above.file_name().unwrap_or_default();
        let is_of = match name.to_str() {
            Some("mlir") => {
                folder.join("mlir/include/mlir/IR/OpBase.td").is_file() || folder.join(WITNESS).is_file()
            }
            Some("llvm") => folder.join(WITNESS).is_file(),
            Some("include") => {
                folder.join("include/mlir/IR/OpBase.td").is_file()
                    && folder.join("include").join(HEADER).is_file()
            }
            _ => false,
        };
        if is_of {
            return true;
        }
        above = folder;
    }
}

fn is_build_link(name: &str) -> bool {
    name.starts_with("bazel-") || name == "result" || name.starts_with("result-")
}

/// Returns the folders that `.gitmodules` of the root names.
fn submodules(tree: &dyn Tree) -> BTreeSet<String> {
    let Ok(text) = tree.read(".gitmodules") else { return BTreeSet::new() };
    let path = |line: &str| {
        let (key, value) = line.split_once('=')?;
        (key.trim() == "path").then(|| value.trim().trim_matches('"').trim_end_matches('/').to_owned())
    };
    String::from_utf8_lossy(&text).lines().filter_map(path).collect()
}

/// Joins a folder, which may be the root, and a path below it.
pub(super) fn join(folder: &str, below: &str) -> String {
    if folder.is_empty() { below.to_owned() } else { format!("{folder}/{below}") }
}
