//! The files of a project, by one set of rules for all commands: what is a source, what is a library, an output or a
//! dependency, and what is ignored.
//!
//! ```text
//! root        the nearest folder, from the given path upwards, with odsmith.toml, .git, .hg, .jj or .sl; else the path
//! selection   the given path: roots, findings and pages come from it
//! bundle      the sources of the selection at their own paths; files of the rest that an include needs below <in-tree>
//! ```
//!
//! * [`tree`]: folders of the disk and, with `revision`, revisions of git, through one trait;
//! * [`listing`]: which folders are entered;
//! * `ignores`: the files that name ignored paths;
//! * `includes`: included files that are no sources of the selection;
//! * [`patterns`]: patterns of paths.

pub mod dates;
mod ignores;
mod includes;
pub mod listing;
pub mod patterns;
mod revision;

pub use revision::commit_of;
pub mod tree;

use std::{
    collections::BTreeSet,
    fs,
    path::{Component, Path, PathBuf},
};

use odsmith_engine::{
    bundle::{Bundle, normalise},
    library::Library,
};

use self::{
    includes::Search,
    listing::{Extent, Kind, Listing, join},
    revision::{RevisionTree, SparseTree},
    tree::{BundleTree, DiskTree, Tree},
};
use crate::{
    pipeline::{
        dependencies,
        manifest::{FILE_NAME, Manifest},
        presets,
    },
    store::{archive, disk},
};

/// The folder of a bundle with files of the project's tree that are no sources; as a dependency, it has no roots.
pub const IN_TREE: &str = "<in-tree>";

/// Folders and files that mark the root of a repository.
const REPOSITORIES: [&str; 4] = [".git", ".hg", ".jj", ".sl"];

/// The files of a project.
pub struct Workspace {
    tree: Box<dyn Tree>,
    /// The mark of the root, if it has one.
    root_by: Option<&'static str>,
    /// The folder of the project in the tree: a revision's tree begins at the top of the repository.
    root: String,
    /// The folder of the bundle's root, below the root.
    base: String,
    /// The selected folder, below the root.
    start: String,
    /// The selected file, below the root.
    file: Option<String>,
    listing: Listing,
    /// The path as the user wrote it.
    named: PathBuf,
}

impl Workspace {
    /// Opens a folder or a `.td` file of the disk. With `is_alone`, no `odsmith.toml` above it counts, as another
    /// manifest is given.
    ///
    /// # Errors
    /// A folder cannot be read.
    pub fn open(named: &Path, is_alone: bool) -> Result<Workspace, String> {
        let missing = |_| format!("'{}' is not there", named.display());
        let real = fs::canonicalize(named).map_err(missing)?;
        let is_file = real.is_file();
        let folder = if is_file { real.parent().unwrap_or(&real) } else { &real };
        let mark = |folder: &Path| {
            let has_manifest = !is_alone && folder.join(FILE_NAME).is_file();
            let repository = || REPOSITORIES.into_iter().find(|name| folder.join(name).exists());
            if has_manifest { Some(FILE_NAME) } else { repository() }
        };
        let root = folder.ancestors().find_map(|above| Some((above, mark(above)?)));
        let (root, root_by) = root.map_or((folder, None), |(root, by)| (root, Some(by)));
        let below = |place: &Path| path_below(root, place).unwrap_or_default();
        let start = below(folder);
        let disk = DiskTree::new(root.to_owned());
        let tree: Box<dyn Tree> = match RevisionTree::left_out(root) {
            Some(left_out) => Box::new(SparseTree { disk, left_out }),
            None => Box::new(disk),
        };
        let base = if root_by == Some(FILE_NAME) { String::new() } else { start.clone() };
        let file = is_file.then(|| below(&real));
        Self::new(tree, root_by, base, start, file, named.to_owned())
    }

    /// Returns the folder of the project that a file or folder is in: the nearest one with `odsmith.toml` or a
    /// repository, else the folder itself or the file's own.
    ///
    /// # Errors
    /// There is no such path.
    pub fn around(path: &Path) -> Result<PathBuf, String> {
        let missing = |_| format!("'{}' is not there", path.display());
        let real = fs::canonicalize(path).map_err(missing)?;
        let folder = if real.is_dir() { &real } else { real.parent().unwrap_or(&real) };
        let is_root = |folder: &&Path| {
            folder.join(FILE_NAME).is_file() || REPOSITORIES.iter().any(|name| folder.join(name).exists())
        };
        Ok(folder.ancestors().find(is_root).unwrap_or(folder).to_owned())
    }

    /// Opens a revision of the repository that a folder is in: the same selection, or else a path below the top folder.
    ///
    /// # Errors
    /// There is no such revision or path, or git cannot be run.
    pub fn open_revision(folder: &Path, revision: &str, path: Option<&str>) -> Result<Workspace, String> {
        let missing = |_| format!("'{}' is not there", folder.display());
        let real = fs::canonicalize(folder).map_err(missing)?;
        let is_file = real.is_file();
        let top = revision::top_of(if is_file { real.parent().unwrap_or(&real) } else { &real })?;
        let tree = RevisionTree::open(&top, revision)?;
        let below = path_below(&top, &real).unwrap_or_default();
        let selected = path.and_then(normalise).unwrap_or(below);
        let file = Some(&selected).filter(|path| tree.has_file(path)).cloned();
        if file.is_none() && !tree.has_folder(&selected) {
            return Err(format!("'{selected}' is not there in the revision '{revision}'"));
        }
        let start = match &file {
            Some(file) => file.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned(),
            None => selected,
        };
        let ends = start.match_indices('/').map(|(at, _)| at).chain([0, start.len()]);
        let above: BTreeSet<&str> = ends.map(|at| &start[..at]).collect();
        let above: Vec<&str> = above.into_iter().rev().collect();
        let base = above.iter().find(|folder| tree.has_file(&join(folder, FILE_NAME)));
        let root_by = if base.is_some() { FILE_NAME } else { REPOSITORIES[0] };
        let base = base.copied().unwrap_or(&start).to_owned();
        Self::new(Box::new(tree), Some(root_by), base, start, file, folder.to_owned())
    }

    fn new(
        tree: Box<dyn Tree>,
        root_by: Option<&'static str>,
        base: String,
        start: String,
        file: Option<String>,
        named: PathBuf,
    ) -> Result<Workspace, String> {
        let root = if root_by == Some(FILE_NAME) { base.clone() } else { String::new() };
        // A file alone may be in a folder of any size.
        let listing = match (&file, root_by) {
            (Some(_), None) => Listing::default(),
            (Some(_), Some(_)) => Listing::new(&*tree, &root, Extent::Sources)?,
            (None, _) => Listing::new(&*tree, &start, Extent::Sources)?,
        };
        Ok(Workspace { tree, root_by, root, base, start, file, listing, named })
    }

    /// Returns the listing.
    #[must_use]
    pub fn listing(&self) -> &Listing {
        &self.listing
    }

    /// Returns the mark of the root: `odsmith.toml`, `.git`, ….
    #[must_use]
    pub fn root_by(&self) -> Option<&'static str> {
        self.root_by
    }

    /// Reads the sources of the selection, and the manifest.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn bundle(&self) -> Result<Bundle, String> {
        let mut bundle = Bundle::default();
        let mut paths: Vec<String> = Vec::new();
        match &self.file {
            Some(file) => paths.push(file.clone()),
            None => paths.extend(self.sources().map(str::to_owned)),
        }
        let files = paths.into_iter().map(|path| (self.bundle_path(&path), path));
        disk::read_all_by(files.collect(), &|path: &String| self.tree.read(path), |path, bytes| {
            bundle.insert(path, bytes);
        })?;
        let manifest = join(&self.base, FILE_NAME);
        if bundle.get(FILE_NAME).is_none() && self.tree.has_file(&manifest) {
            bundle.insert(FILE_NAME, self.tree.read(&manifest)?);
        }
        Ok(bundle)
    }

    /// Returns the sources of the selection that a job may read, below the root.
    fn sources(&self) -> impl Iterator<Item = &str> {
        let has_pages = self.tree.has_pages();
        let is_read = move |path: &&str| {
            archive::is_of_interest(&self.bundle_path(path)) && (has_pages || !path.ends_with(".md"))
        };
        self.listing.files.iter().map(String::as_str).filter(is_read)
    }

    /// Returns the path in the bundle of a source.
    fn bundle_path(&self, path: &str) -> String {
        match path.strip_prefix(&*self.base) {
            Some(below) if !self.base.is_empty() => below.trim_start_matches('/').to_owned(),
            _ => path.to_owned(),
        }
    }

    /// Adds the files that includes need and that are no sources of the selection: those of dependencies in the tree,
    /// ignored ones, and those of the rest of the tree. `folders` are the given include folders.
    pub fn add_included(&mut self, bundle: &mut Bundle, library: &Library, folders: &[String]) {
        let needs_base = Search::new(self, bundle, library, folders).run() && self.root_by != Some(FILE_NAME);
        if needs_base {
            // A source is included by a path that begins above the selection.
            let mut moved = Bundle::default();
            for (path, bytes) in bundle.iter() {
                let stays = dependencies::is_foreign(path) || path == FILE_NAME;
                moved.insert(if stays { path.to_owned() } else { join(&self.base, path) }, bytes.clone());
            }
            *bundle = moved;
            self.base.clear();
        }
    }

    /// Returns the folder of the disk that the bundle's paths begin at.
    #[must_use]
    pub fn base_place(&self) -> PathBuf {
        if self.base == self.start && self.file.is_none() {
            return self.named.clone();
        }
        disk::place(self.tree.real_root(), &self.base)
    }

    /// Returns the place on the disk of a file of the bundle that is no dependency's.
    #[must_use]
    pub fn place_of(&self, path: &str) -> PathBuf {
        match path.strip_prefix(IN_TREE) {
            Some(below) => disk::place(self.tree.real_root(), below.trim_start_matches('/')),
            None => disk::place(&self.base_place(), path),
        }
    }

    /// Returns the path of a bundle's file for messages: as it is reached from the working directory.
    #[must_use]
    pub fn shown(&self, path: &str) -> String {
        relative(&self.place_of(path))
    }

    /// Returns the path in the bundle of the selected file.
    #[must_use]
    pub fn selected_file(&self) -> Option<String> {
        self.file.as_ref().map(|file| self.bundle_path(file))
    }

    /// Returns the path in the bundle of the selected file or folder, if it is a part of the project.
    #[must_use]
    pub fn selected_part(&self) -> Option<String> {
        let folder = || Some(self.bundle_path(&self.start)).filter(|folder| !folder.is_empty());
        self.selected_file().or_else(folder)
    }

    /// Returns the paths in the bundle of what is no source: folders end with a slash.
    pub fn exceptions(&self) -> impl Iterator<Item = String> {
        self.listing.exceptions.iter().map(|it| {
            let end = if it.is_folder { "/" } else { "" };
            format!("{}{end}", self.bundle_path(&it.path))
        })
    }

    /// Returns the folder of the bundle that paths of outputs leave out.
    #[must_use]
    pub fn output_base(&self) -> String {
        match self.root_by {
            Some(FILE_NAME) => String::new(),
            _ => self.bundle_path(&self.start),
        }
    }

    /// Leaves the targets of a manifest that belong to the selection.
    pub fn select_targets(&self, manifest: &mut Manifest) {
        let folder = self.bundle_path(&self.start);
        let file = self.selected_file();
        if folder.is_empty() && file.is_none() {
            return;
        }
        manifest.target.retain(|target| {
            let td = presets::expand(target).ok().and_then(|target| target.td).unwrap_or_default();
            match &file {
                Some(file) => td == *file,
                None => td.strip_prefix(&*folder).is_some_and(|below| below.starts_with('/')),
            }
        });
    }

    /// Returns the include folders of the libraries in the tree that may be used, the preferred one first.
    #[must_use]
    pub fn libraries(&self) -> Vec<PathBuf> {
        let whole;
        let mut listing = &self.listing;
        if self.file.is_none() && self.start != self.root && self.root_by.is_some() {
            // Bounded, as the tree may be of any size.
            whole = Listing::new(&*self.tree, &self.root, Extent::Dependencies).unwrap_or_default();
            listing = &whole;
        }
        let own = self.listing.libraries.iter().filter(|_| self.listing.libraries != listing.libraries);
        let all = own.chain(&listing.libraries).filter(|library| !library.is_in_dependency);
        all.map(|library| disk::place(self.tree.real_root(), &library.include)).collect()
    }

    /// Returns true if a folder of the disk has sources of the bundle.
    #[must_use]
    pub fn has_sources_in(&self, place: &Path) -> Option<String> {
        let below = path_below(self.tree.real_root(), place)?;
        let prefix = if below.is_empty() { String::new() } else { format!("{below}/") };
        let is_below = self.sources().any(|path| path.starts_with(&prefix));
        let in_base =
            below == self.base || self.base.is_empty() || below.starts_with(&format!("{}/", self.base));
        if !is_below || !in_base {
            return None;
        }
        let path = self.bundle_path(&below);
        Some(if path.is_empty() { ".".to_owned() } else { path })
    }

    /// Returns the files of the selection, of all types, by their paths in the bundle.
    pub fn files(&self) -> impl Iterator<Item = (String, PathBuf)> {
        let all = self.listing.files.iter().filter(|_| self.file.is_none());
        all.map(|path| (self.bundle_path(path), disk::place(self.tree.real_root(), path)))
    }

    /// Returns the folders of the disk with files of the bundle that are no sources, and the bundle's paths of these
    /// folders, with a slash at the end.
    #[must_use]
    pub fn folders_in_tree(&self, bundle: &Bundle) -> BTreeSet<(PathBuf, String)> {
        let folder =
            |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
        let own: BTreeSet<String> = self.sources().map(folder).collect();
        let others = bundle.iter().filter_map(|(path, _)| Some(folder(path.strip_prefix(IN_TREE)?)));
        let others = others.map(|folder| folder.trim_start_matches('/').to_owned());
        let others = others.filter(|folder| !own.contains(folder));
        others
            .map(|folder| (disk::place(self.tree.real_root(), &folder), join(IN_TREE, &folder) + "/"))
            .collect()
    }

    /// Returns the folder above the project, and in the same repository, that has an included file, as seen from the project.
    #[must_use]
    pub fn folder_above(&self, include: &str) -> Option<String> {
        let place = disk::place(self.tree.real_root(), &self.root);
        let is_top = |folder: &Path| REPOSITORIES.iter().any(|name| folder.join(name).exists());
        if self.root_by != Some(FILE_NAME) || is_top(&place) {
            return None;
        }
        let mut up = String::new();
        for folder in place.ancestors().skip(1) {
            up += if up.is_empty() { ".." } else { "/.." };
            let ends = [String::new(), "/include".to_owned()];
            let found = ends.iter().find(|end| disk::place(folder, &format!("{end}/{include}")).is_file());
            if let Some(end) = found {
                return Some(up + end);
            }
            if is_top(folder) {
                break;
            }
        }
        None
    }

    /// Explains why there is no `.td` file.
    #[must_use]
    pub fn missing_definitions(&self) -> String {
        let place = self.named.display();
        let mut text = format!("no .td file in '{place}'");
        let counted = self.listing.exceptions.iter().filter(|it| it.is_folder).filter_map(|it| {
            let below = Listing::new(&*self.tree, &it.path, Extent::All).ok()?;
            let count = below.files.iter().filter(|path| path.ends_with(".td")).count();
            (count > 0).then_some((count, it))
        });
        for (count, it) in counted.take(3) {
            let verb = if count == 1 { "is" } else { "are" };
            let path = self.named_below(&it.path);
            text += &format!("; {count} {verb} in '{}' ({})", path.display(), it.kind.name());
        }
        text
    }

    /// Returns the number of definitions below a folder.
    #[must_use]
    pub fn definitions_below(&self, folder: &str) -> usize {
        let below = Listing::new(&*self.tree, folder, Extent::Dependencies).unwrap_or_default();
        below.files.iter().filter(|path| path.ends_with(".td")).count()
    }

    /// Returns a path below the selection as the user would write it.
    fn named_below(&self, path: &str) -> PathBuf {
        let below = self.below_start(path);
        if self.named == Path::new(".") { PathBuf::from(below) } else { disk::place(&self.named, below) }
    }

    fn below_start<'p>(&self, path: &'p str) -> &'p str {
        path.strip_prefix(&*self.start).unwrap_or(path).trim_start_matches('/')
    }

    /// Returns the places of the projects inside, which have settings of their own.
    pub fn projects(&self) -> impl Iterator<Item = PathBuf> {
        let nested =
            self.listing.exceptions.iter().filter(|it| it.kind == Kind::Project && self.file.is_none());
        nested.map(|it| self.named_below(&it.path))
    }
}

/// Arranges the files of an archive as those of a folder: those of dependencies have no roots, and those of libraries and
/// builds are left out.
#[must_use]
pub fn arranged(bundle: Bundle) -> Bundle {
    let tree = BundleTree::new(&bundle);
    // A tree in memory has no unreadable folders.
    let Ok(listing) = Listing::new(&tree, "", Extent::Sources) else { return bundle };
    if listing.exceptions.is_empty() {
        return bundle;
    }
    let is_dependency = |path: &str| {
        let mut folders = listing.exceptions.iter().filter(|it| it.kind.is_dependency());
        folders.any(|it| path.strip_prefix(&*it.path).is_some_and(|below| below.starts_with('/')))
    };
    let mut moved = Bundle::default();
    for (path, bytes) in bundle.iter() {
        if dependencies::is_foreign(path)
            || listing.files.binary_search_by(|own| own.as_str().cmp(path)).is_ok()
        {
            moved.insert(path, bytes.clone());
        } else if is_dependency(path) {
            moved.insert(format!("{IN_TREE}/{path}"), bytes.clone());
        }
    }
    moved
}

/// Returns the files below the folder of another project, with those of its own dependencies.
///
/// # Errors
/// A folder cannot be read.
pub fn files_of_dependency(folder: &Path) -> Result<Vec<(String, PathBuf)>, String> {
    let fail = |error: std::io::Error| format!("{}: {}", folder.display(), disk::reason(&error));
    let real = fs::canonicalize(folder).map_err(fail)?;
    let listing = Listing::new(&DiskTree::new(real), "", Extent::Dependencies)?;
    let place = |path: String| (path.clone(), disk::place(folder, &path));
    Ok(listing.files.into_iter().map(place).collect())
}

/// Returns the path of a file below a folder, with slashes.
fn path_below(folder: &Path, file: &Path) -> Option<String> {
    let below = file.strip_prefix(folder).ok()?;
    let parts: Vec<&str> = below.iter().map(|part| part.to_str()).collect::<Option<_>>()?;
    Some(parts.join("/"))
}

/// Returns a path as seen from the working directory.
fn relative(place: &Path) -> String {
    if place.is_relative() {
        let parts = place.components().filter(|part| !matches!(part, Component::CurDir));
        return parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
    }
    let own = std::env::current_dir().and_then(fs::canonicalize).unwrap_or_default();
    let mut up = 0;
    let mut folder = Some(own.as_path());
    while let Some(above) = folder {
        if let Ok(below) = place.strip_prefix(above) {
            // A place far away is clearer by its whole path.
            if above.parent().is_none() || up > 3 {
                break;
            }
            let names = below.components().filter_map(|part| match part {
                Component::Normal(name) => Some(name.to_string_lossy()),
                _ => None,
            });
            return std::iter::repeat_n("..".into(), up).chain(names).collect::<Vec<_>>().join("/");
        }
        up += 1;
        folder = above.parent();
    }
    place.to_string_lossy().into_owned()
}
