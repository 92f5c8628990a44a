//! A folder that an editor has open: its files, its roots, and the places of workspace files on the disk.
//!
//! Roots, include folders and the library are found as in `odsmith generate`: `odsmith.toml` wins, then
//! `tablegen_compile_commands.yml` of a build, then the files' own `include`s.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use odsmith_engine::{
    bundle::Bundle,
    job::{self, Settings},
    limits::Limits,
};
use odsmith_ide::Workspace;
use odsmith_import::tablegen_files;
use url::Url;

use crate::{
    pipeline::{
        automatic::outputs::OutputSet,
        dependencies,
        editor::WorkspaceRoots,
        generate::Request,
        ir,
        library::{self, Libraries, LibraryArgument, is_library, profiles},
        manifest::{Dependency, FILE_NAME, Manifest, Target},
        workspace::Workspace as ProjectFiles,
    },
    store::disk,
};

/// The file that CMake writes for editors.
const COMMANDS: &str = "tablegen_compile_commands.yml";

/// The URI scheme of documents that are not on the disk.
pub const SCHEME: &str = "odsmith";

/// The options of the command line about files.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// MLIR's include folders.
    pub libraries: Vec<LibraryArgument>,
    /// The release to emulate.
    pub mlir: Option<String>,
    /// The folder, if the editor names none.
    pub root: Option<PathBuf>,
}

/// A folder that an editor has open.
pub struct Project {
    /// The folder.
    pub root: PathBuf,
    /// Its files and roots.
    pub workspace: Workspace,
    /// The problems of the folder as a whole.
    pub complaints: Vec<String>,
    /// Folders of the disk, each with the path prefix of its files in the workspace; the longest folders first.
    folders: Vec<(PathBuf, String)>,
    manifest: Manifest,
    /// True if the manifest's roots are those of CMake's list for editors.
    has_listed_roots: bool,
    libraries: Arc<Libraries>,
}

/// The input of a lint run: files, policy and libraries as they were when it began.
pub struct LintSubject {
    bundle: Bundle,
    manifest: Manifest,
    libraries: Arc<Libraries>,
}

impl LintSubject {
    /// Returns the request that `odsmith lint` would make.
    ///
    /// # Errors
    /// The policy is invalid.
    pub fn request(self) -> Result<Request, String> {
        let LintSubject { bundle, manifest, libraries } = self;
        manifest.lint.check()?;
        let mut request = Request::new(&libraries, bundle, Some(manifest), |manifest| {
            manifest.make_nothing();
            manifest.findings = true;
            Ok(())
        })?;
        request.wanted = OutputSet::All;
        Ok(request)
    }
}

impl Project {
    /// Opens a folder.
    ///
    /// # Errors
    /// The folder cannot be read, or there is no library.
    pub fn open(root: &Path, sources: &Sources) -> Result<Project, String> {
        let root = fs::canonicalize(root)
            .map_err(|error| format!("{}: {}", root.display(), disk::reason(&error)))?;
        let mut files = ProjectFiles::open(&root, false)?;
        let mut bundle = files.bundle()?;
        let root = files.base_place();
        let mut complaints = Vec::new();
        let mut manifest = match fs::read(root.join(FILE_NAME)) {
            Ok(bytes) => Manifest::from_toml(&bytes).unwrap_or_else(|message| {
                complaints.push(format!("{FILE_NAME}: {message}"));
                Manifest::default()
            }),
            Err(_) => Manifest::default(),
        };
        let mut folders = Vec::new();
        for (name, dependency) in &manifest.dependencies {
            if let Some(path) = &dependency.path
                && let Ok(place) = fs::canonicalize(root.join(path))
            {
                folders.push((place, format!("{}/", dependencies::root(name))));
            }
        }
        if let Err(message) = dependencies::add_all(&mut bundle, &manifest, &root) {
            complaints.push(message);
        }
        let has_own_roots = !manifest.target.is_empty();
        if !has_own_roots {
            add_commands(&root, &mut manifest, &mut bundle, &mut folders);
        }
        let of_manifest = manifest.mlir.as_ref().map(|name| profiles::seen_from(&root, name));
        let mlir = sources.mlir.clone().or(of_manifest);
        if let Some(name) = &mlir {
            profiles::add(&mut bundle, name)?;
            manifest.mlir = Some(name.clone());
        }
        let of_manifest = manifest.library.as_ref().map(|library| root.join(library));
        let only = profiles::release_of(mlir.as_deref())?;
        let in_tree = || files.libraries();
        let libraries = Libraries::load(&sources.libraries, only, of_manifest.as_deref(), &in_tree)?;
        let library = libraries.resolve(manifest.mlir.as_deref(), &bundle)?.library;
        files.add_included(&mut bundle, &library, &manifest.includes);
        let root = files.base_place();
        folders.push((root.clone(), String::new()));
        folders.extend(files.folders_in_tree(&bundle));
        complaints.extend(library.caution().map(str::to_owned));
        let release = library.release().name();
        let named = sources.libraries.iter().map(|named| named.include.clone());
        let installed = library::installed(of_manifest.as_deref()).unwrap_or_default();
        let found = installed.into_iter().filter(|it| it.release == release).map(|it| it.include);
        // The files of a packed library are not on the disk.
        if let Some(place) = named.chain(found).find(|place| place.is_dir())
            && let Ok(place) = fs::canonicalize(place)
        {
            folders.push((place, format!("{}/", library.root())));
        }
        folders.sort_by_key(|(folder, _)| std::cmp::Reverse(folder.as_os_str().len()));
        let workspace = Workspace::new(library, bundle, Limits::generous());
        let libraries = Arc::new(libraries);
        let has_listed_roots = !has_own_roots && !manifest.target.is_empty();
        let mut project =
            Project { root, workspace, complaints, folders, manifest, has_listed_roots, libraries };
        project.find_roots();
        Ok(project)
    }

    /// Finds the roots again after files have come or gone.
    pub fn find_roots(&mut self) {
        let manifest = self.manifest.clone();
        let bundle = self.workspace.bundle().clone();
        let limits = Limits::generous();
        match WorkspaceRoots::find(&self.libraries, bundle, Some(manifest), None, &limits) {
            Ok(mut roots) => {
                add_without_outputs(&mut roots.targets, &roots.manifest);
                self.complaints.append(&mut roots.complaints);
                self.complaints.dedup();
                roots.set(&mut self.workspace);
            }
            Err(message) => self.complaints.push(message),
        }
    }

    /// Returns the settings of the project.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns the input of a lint run on the current texts.
    #[must_use]
    pub fn lint_subject(&self) -> LintSubject {
        let (mut bundle, mut manifest) = (self.workspace.bundle().clone(), self.manifest.clone());
        // The files that the policy names are not definitions.
        for path in [&manifest.lint.released, &manifest.lint.baseline].into_iter().flatten() {
            if let Ok(bytes) = fs::read(disk::place(&self.root, path)) {
                bundle.insert(path, bytes);
            }
        }
        // Roots named only by CMake's list have no outputs: then all files are checked, as without a list.
        if self.has_listed_roots {
            let folders: BTreeSet<String> =
                manifest.target.drain(..).flat_map(|target| target.includes).collect();
            manifest.includes.extend(folders);
        }
        LintSubject { bundle, manifest, libraries: Arc::clone(&self.libraries) }
    }

    /// Returns the request for the definitions of the library.
    ///
    /// # Errors
    /// The library cannot be read.
    pub fn library_request(&self) -> Result<Request, String> {
        ir::request_for_library(&self.libraries, self.workspace.library())
    }

    /// Returns the workspace path of a file on the disk.
    #[must_use]
    pub fn path_of(&self, file: &Path) -> Option<String> {
        // Try the longest folder first: a library may be inside the project.
        let find = |file: &Path| {
            self.folders.iter().find_map(|(folder, prefix)| {
                let below = file.strip_prefix(folder).ok()?;
                let parts: Vec<&str> = below.iter().map(|part| part.to_str()).collect::<Option<_>>()?;
                Some(format!("{prefix}{}", parts.join("/")))
            })
        };
        find(file).or_else(|| find(&fs::canonicalize(file).ok()?))
    }

    /// Returns the place on the disk of a workspace path.
    #[must_use]
    pub fn file_of(&self, path: &str) -> Option<PathBuf> {
        let (folder, prefix) = self
            .folders
            .iter()
            .filter(|(_, prefix)| path.starts_with(prefix.as_str()))
            .max_by_key(|(_, prefix)| prefix.len())?;
        let is_elsewhere = prefix.is_empty() && path.starts_with('<');
        (!is_elsewhere).then(|| disk::place(folder, &path[prefix.len()..]))
    }

    /// Returns the URI of a workspace path.
    #[must_use]
    pub fn uri_of(&self, path: &str) -> String {
        let file = self.file_of(path).and_then(|file| Url::from_file_path(file).ok());
        file.map_or_else(|| format!("{SCHEME}:/library/{}", encoded(path)), String::from)
    }
}

/// Adds roots without outputs: CMake's list for editors names none.
fn add_without_outputs(targets: &mut Vec<job::Target>, manifest: &Manifest) {
    for Target { td, includes, defines, .. } in &manifest.target {
        let Some(td) = td.clone().filter(|td| targets.iter().all(|target| target.td != *td)) else {
            continue;
        };
        let (includes, defines) = (includes.clone(), defines.clone());
        targets.push(Settings { includes, defines, ..Settings::default() }.target(td));
    }
}

/// Percent-encodes a path for a URI.
#[must_use]
pub fn encoded(path: &str) -> String {
    use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
    const SET: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'#').add(b'?').add(b'%');
    utf8_percent_encode(path, SET).to_string()
}

/// Adds roots and include folders from the file that CMake wrote for editors, if a build is near.
fn add_commands(
    root: &Path,
    manifest: &mut Manifest,
    bundle: &mut Bundle,
    folders: &mut Vec<(PathBuf, String)>,
) {
    let below = fs::read_dir(root).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut places: Vec<PathBuf> = below.filter(|place| place.is_dir()).collect();
    places.sort();
    places.insert(0, root.to_owned());
    let Some((file, text)) = places.iter().find_map(|place| {
        let file = place.join(COMMANDS);
        Some((file.clone(), fs::read_to_string(file).ok()?))
    }) else {
        return;
    };
    let (infos, _) = tablegen_files::read(&file.to_string_lossy(), &text);
    let mut names: BTreeMap<PathBuf, Option<String>> = BTreeMap::new();
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for info in infos {
        let Some(td) = relative(root, Path::new(&info.td)) else { continue };
        let mut target = Target { td: Some(td), ..Target::default() };
        for include in info.includes {
            let place = PathBuf::from(&include);
            if let Some(inside) = relative(root, &place) {
                target.includes.push(if inside.is_empty() { ".".to_owned() } else { inside });
                continue;
            }
            let name = names.entry(place.clone()).or_insert_with(|| {
                if is_library(&place) || !place.is_dir() {
                    return None;
                }
                let name = dependencies::name_of(&include, |name| taken.contains(name));
                dependencies::add_folder(bundle, &name, &place).ok()?;
                taken.insert(name.clone());
                folders.push((fs::canonicalize(&place).ok()?, format!("{}/", dependencies::root(&name))));
                let root = dependencies::root(&name);
                let path = Some(include.clone());
                manifest.dependencies.insert(name, Dependency { path, ..Dependency::default() });
                Some(root)
            });
            target.includes.extend(name.clone());
        }
        manifest.target.push(target);
    }
}

/// Returns the path of a file below a folder.
fn relative(root: &Path, file: &Path) -> Option<String> {
    let file = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let below = file.strip_prefix(root).ok()?;
    let parts: Vec<&str> = below.iter().map(|part| part.to_str()).collect::<Option<_>>()?;
    Some(parts.join("/"))
}
