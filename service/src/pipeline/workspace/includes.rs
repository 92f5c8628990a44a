//! Included files that are no sources of the selection: they are looked for in the rest of the tree.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use odsmith_engine::{
    bundle::{Bundle, normalise},
    library::Library,
    outline::includes,
};

use super::{
    IN_TREE, Workspace,
    listing::{Extent, Kind, Listing, join},
};
use crate::pipeline::dependencies;

/// A set of files that may be included, the nearest ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The project's sources beside a selected file.
    Sources,
    /// The dependencies in the tree.
    Dependencies,
    /// The ignored files.
    Ignored,
    /// The tree outside of the selection.
    Rest,
}

/// An include that no file of the bundle or of the library serves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct MissingInclude {
    /// The including file, below the root of the tree.
    from: String,
    include: String,
}

/// A search for the files that includes need.
pub(super) struct Search<'s> {
    workspace: &'s Workspace,
    bundle: &'s mut Bundle,
    library: BTreeSet<&'s str>,
    folders: &'s [String],
    /// The paths of the bundle by their last name.
    names: BTreeMap<String, Vec<String>>,
    missing: BTreeSet<MissingInclude>,
    /// Files whose includes are not noted yet.
    unread: Vec<(String, Arc<[u8]>)>,
    needs_base: bool,
}

impl<'s> Search<'s> {
    pub fn new(
        workspace: &'s Workspace,
        bundle: &'s mut Bundle,
        library: &'s Library,
        folders: &'s [String],
    ) -> Search<'s> {
        let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (path, _) in bundle.iter() {
            names.entry(file_name(path).to_owned()).or_default().push(path.to_owned());
        }
        let library = library.paths().collect();
        let (missing, unread) = (BTreeSet::new(), Vec::new());
        Search { workspace, bundle, library, folders, names, missing, unread, needs_base: false }
    }

    /// Adds the files, and returns true if the bundle must begin at the root of the tree.
    pub fn run(mut self) -> bool {
        let stages: Vec<Stage> = self.stages();
        if stages.is_empty() && self.workspace.file.is_none() {
            return false;
        }
        let own =
            self.bundle.iter().filter(|(path, _)| path.ends_with(".td") && !dependencies::is_foreign(path));
        self.unread = own.map(|(path, bytes)| (join(&self.workspace.base, path), bytes.clone())).collect();
        self.note_unread();
        for stage in stages {
            if self.missing.is_empty() {
                break;
            }
            let mut pool: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for path in self.files(stage) {
                pool.entry(file_name(&path).to_owned()).or_default().push(path);
            }
            self.serve(stage, &pool);
        }
        self.needs_base
    }

    /// Returns the stages that have files.
    fn stages(&self) -> Vec<Stage> {
        let Workspace { listing, file, start, root, root_by, .. } = self.workspace;
        let has = |is_meant: fn(Kind) -> bool| listing.exceptions.iter().any(|it| is_meant(it.kind));
        let mut stages = Vec::new();
        if file.is_some() && root_by.is_some() {
            stages.push(Stage::Sources);
        }
        if has(|kind| kind.is_dependency() || kind == Kind::Alias) {
            stages.push(Stage::Dependencies);
        }
        if has(|kind| kind == Kind::Ignored) {
            stages.push(Stage::Ignored);
        }
        if file.is_none() && start != root {
            stages.push(Stage::Rest);
        }
        stages
    }

    /// Returns the files of a stage, below the root of the tree.
    fn files(&self, stage: Stage) -> Vec<String> {
        let Workspace { tree, listing, root, .. } = self.workspace;
        let below = |is_meant: fn(Kind) -> bool, extent| {
            let folders = listing.exceptions.iter().filter(|it| is_meant(it.kind));
            let files = folders.flat_map(|it| match it.is_folder {
                // An unreadable folder has no files.
                true => Listing::new(&**tree, &it.path, extent).unwrap_or_default().files,
                false => vec![it.path.clone()],
            });
            files.collect()
        };
        match stage {
            Stage::Sources => listing.files.clone(),
            Stage::Dependencies => {
                below(|kind| kind.is_dependency() || kind == Kind::Alias, Extent::Dependencies)
            }
            Stage::Ignored => below(|kind| kind == Kind::Ignored, Extent::All),
            Stage::Rest => Listing::new(&**tree, root, Extent::Dependencies).unwrap_or_default().files,
        }
    }

    /// Notes the includes of new files that nothing serves yet.
    fn note_unread(&mut self) {
        while let Some((from, text)) = self.unread.pop() {
            for include in includes::of(&text) {
                if !self.is_served(&from, &include) && !self.read_beside(&from, &include) {
                    self.missing.insert(MissingInclude { from: from.clone(), include });
                }
            }
        }
    }

    fn is_served(&self, from: &str, include: &str) -> bool {
        let own = self.workspace.bundle_path(from);
        let beside = normalise(&join(folder_of(&own), include));
        beside.is_some_and(|path| self.bundle.get(&path).is_some())
            || self.names.get(file_name(include)).into_iter().flatten().any(|path| ends_with(path, include))
            || self.library.contains(include)
    }

    /// Reads a file beside the including one, or below a given include folder, if a file is selected.
    fn read_beside(&mut self, from: &str, include: &str) -> bool {
        let workspace = self.workspace;
        if workspace.file.is_none() {
            return false;
        }
        let base = &workspace.base;
        let given = self.folders.iter().map(|folder| join(base, folder));
        let folders: Vec<String> = given.chain([folder_of(from).to_owned(), base.clone()]).collect();
        let mut places = folders.iter().filter_map(|folder| normalise(&join(folder, include)));
        let Some(path) = places.find(|path| workspace.tree.has_file(path)) else { return false };
        self.add(&path, workspace.bundle_path(&path))
    }

    fn serve(&mut self, stage: Stage, pool: &BTreeMap<String, Vec<String>>) {
        let mut waiting: BTreeSet<MissingInclude> = std::mem::take(&mut self.missing);
        let mut unserved = BTreeSet::new();
        while let Some(missing) = waiting.pop_first() {
            let MissingInclude { from, include } = &missing;
            if self.is_served(from, include) {
                continue;
            }
            let candidates = pool.get(file_name(include)).into_iter().flatten();
            let found = candidates
                .filter(|path| ends_with(path, include) && *path != from)
                .min_by_key(|path| (Reverse(common(path, from)), path.as_str()));
            let Some(path) = found else {
                unserved.insert(missing);
                continue;
            };
            let is_selected =
                stage == Stage::Rest && self.workspace.listing.files.binary_search(path).is_ok();
            if is_selected {
                self.needs_base |= self.workspace.base != *"";
                continue;
            }
            let own = match stage {
                Stage::Sources => self.workspace.bundle_path(path),
                Stage::Dependencies | Stage::Ignored | Stage::Rest => format!("{IN_TREE}/{path}"),
            };
            self.needs_base |= !ends_with(&own, include);
            if self.add(path, own) {
                self.note_unread();
                waiting.append(&mut self.missing);
            } else {
                unserved.insert(missing);
            }
        }
        self.missing = unserved;
    }

    /// Adds a file to the bundle.
    fn add(&mut self, path: &str, own: String) -> bool {
        let Ok(bytes) = self.workspace.tree.read(path) else { return false };
        self.names.entry(file_name(&own).to_owned()).or_default().push(own.clone());
        self.bundle.insert(own, bytes.clone());
        self.unread.push((path.to_owned(), bytes));
        true
    }
}

/// Returns the number of folders that two paths share.
fn common(one: &str, other: &str) -> usize {
    folder_of(one).split('/').zip(folder_of(other).split('/')).take_while(|(one, other)| one == other).count()
}

fn ends_with(path: &str, include: &str) -> bool {
    path.strip_suffix(include).is_some_and(|above| above.is_empty() || above.ends_with('/'))
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
