//! The subcommands, one file each. Those that a build without the feature `network` cannot have are in `absent`.

#[cfg(not(all(feature = "network", feature = "signing")))]
mod absent;
pub mod calibrate;
#[cfg(feature = "network")]
pub mod catalog;
pub mod check;
pub mod cmake_shim;
pub mod describe;
pub mod diff;
mod display;
pub mod docs;
#[cfg_attr(not(feature = "network"), path = "download_absent.rs")]
mod download;
pub mod exit;
pub mod fetch;
pub mod fmt;
pub mod generate;
pub mod grammar;
pub mod help;
pub mod import;
pub mod init;
pub mod ir;
pub mod library;
pub mod lint;
pub mod ls;
pub mod lsp;
mod manual;
#[cfg(feature = "network")]
pub mod mcp;
mod mlir;
pub mod options;
pub mod playground;
pub mod plugin;
pub mod publish;
pub mod pull;
mod reference;
#[cfg(feature = "network")]
mod remote;
pub mod rule;
pub mod schema;
#[cfg(feature = "network")]
pub mod serve;
#[cfg(feature = "network")]
pub mod token;
pub mod upgrade;
#[cfg(feature = "signing")]
pub mod verify;
mod versions;
#[cfg(feature = "network")]
mod watch;
#[cfg(feature = "network")]
mod worker;
pub mod yank;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    panic::AssertUnwindSafe,
    path::{MAIN_SEPARATOR, Path, PathBuf},
    process::ExitCode,
    sync::{Arc, LazyLock},
};

use clap::{Args, FromArgMatches, Parser, Subcommand};
use odsmith_engine::{
    artefact::Artefact,
    bundle::Bundle,
    cancel::Cancel,
    diagnostic::{Code, Id, Severity},
    library::Library,
    limits::Limits,
    parallel::{self, Spare, parallelism},
    release::Release,
    report::Finding,
};
use odsmith_import::short_list;
use odsmith_registry::pull::Address;
use odsmith_site::Out;
use odsmith_tblgen::{Call, WorkerCall, checkpoints, disk::slashed};

#[cfg(not(feature = "signing"))]
use self::absent::verify;
#[cfg(not(feature = "network"))]
use self::absent::{catalog, mcp, remote, serve, token, watch, worker};
use self::{
    display::{ProgressLine, to_stderr},
    exit::ExitStatus,
    options::{DisplayOptions, MlirOptions, ProjectOptions, ToleranceOptions},
};
use crate::{
    config::ArchiveLimits,
    pipeline::{
        automatic::SINGLE,
        dependencies,
        generate::{Finished, OutputReport, Request, ResultObject, Status, unmatched},
        library::{Libraries, LibraryArgument, is_library, profiles},
        manifest::{Dependency, FILE_NAME, Manifest},
        plugins::Executables,
        presets,
        progress::Progress,
        registry::{Access, Registries},
        workspace::{self, IN_TREE, Workspace, patterns::Patterns},
    },
    store::{
        archive::{self, Format},
        disk, keys,
        output_folder::{FileCounts, OutputFolder},
    },
};

/// MLIR TableGen definitions in; generated C++ and a dialect reference out.
#[derive(Debug, Parser)]
#[command(name = "odsmith", version, long_version = LONG_VERSION.as_str())]
pub struct Cli {
    #[command(flatten)]
    display: DisplayOptions,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make one output of one .td file, with mlir-tblgen's flags
    #[command(disable_help_flag = true)]
    Tblgen {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Make all that a project asks for: C++, Markdown, the reference site
    Generate(Box<generate::Options>),
    /// Make the reference site of a project
    Docs(Box<docs::Options>),
    /// Write the playground as files that need no server
    Playground(playground::Options),
    /// Find errors in definitions
    Check(Box<check::Options>),
    /// Print the parts of IR (.mlir) as it is read by the definitions alone
    Ir(Box<ir::Options>),
    /// Write a grammar of IR (.mlir) for editors and highlighters
    Grammar(Box<grammar::Options>),
    /// List what a project consists of: roots, libraries, dependencies, outputs
    Ls(ls::Options),
    /// List and explain the rules of check, lint, diff and upgrade
    Rule(rule::Options),
    /// Print a manifest (odsmith.toml) of what a project's build makes
    Import(import::Options),
    /// Write a folder for CMake's -DMLIR_DIR, so that a build calls odsmith
    CmakeShim(cmake_shim::Options),
    /// Write an odsmith.toml for a folder
    Init(init::Options),
    /// Print the form of odsmith.toml, model.json, the JSON of diff or the messages of plugins
    Schema(schema::Options),
    /// Find what a change of definitions breaks
    Diff(Box<diff::Options>),
    /// Say what a definition is
    Describe(Box<describe::Options>),
    /// Find definitions by words, facets or signature
    Search(Box<describe::SearchOptions>),
    /// Find unwise definitions, and mend them
    Lint(Box<lint::Options>),
    /// Lay .td files out: spaces, line breaks, indentation
    Fmt(fmt::Options),
    /// Find what another release of MLIR changes for a project, and mend it
    Upgrade(Box<upgrade::Options>),
    /// Put a project's dialects into a registry
    Publish(Box<publish::Options>),
    /// Get published dialects from a registry
    Pull(pull::Options),
    /// Withdraw a published version
    Yank(yank::Options),
    /// Get the dependencies of a project, and lock them
    Fetch(fetch::Options),
    /// Build a catalogue of published dialects, and ask it
    Catalog(Box<catalog::Options>),
    /// Answer over HTTP
    Serve(Box<serve::Options>),
    /// Answer an editor, over the Language Server Protocol
    Lsp(lsp::Options),
    /// Answer tools, over the Model Context Protocol
    Mcp(mcp::Options),
    /// Find MLIR's .td files, and get those of other releases
    Library(library::Options),
    /// Make a token for clients of a server
    Token(token::Options),
    /// Check where a file of a result comes from, and make it again
    Verify(verify::Options),
    /// Measure the rules of an mlir-tblgen, or compare its outputs
    Calibrate(calibrate::Options),
    /// Write a generator of your own, or check one
    Plugin(plugin::Options),
    /// Print the completions of a shell
    Completions(manual::Completions),
    /// Write manual pages for man
    Man(manual::Manual),
}

/// Warns of a library that is read as another release than its own, if no result does.
fn warn_of(library: &Library) {
    if let Some(caution) = library.caution() {
        display::warning(caution);
    }
}

/// A project, and the flags for reading it.
#[derive(Clone, Debug, Default, Args)]
pub struct Input {
    /// A folder, a .td file, an archive (.tar.gz, .tar.zst, .zip, .tar), or oci://HOST/REPOSITORY:TAG
    #[arg(value_name = "PATH", default_value = ".")]
    input: PathBuf,
    /// The site's title
    #[arg(long)]
    title: Option<String>,
    /// The address of a line of a source file: holds {path} and {line}
    #[arg(long, value_name = "URL")]
    source_url: Option<String>,
    #[command(flatten)]
    project: ProjectOptions,
    #[command(flatten)]
    mlir: MlirOptions,
    #[command(flatten)]
    tolerance: ToleranceOptions,
    /// True for a command that also reads the projects inside, with their own settings.
    #[arg(skip)]
    visits_projects: bool,
    /// True for a command that can do without definitions in the project.
    #[arg(skip)]
    may_lack_definitions: bool,
    /// True if the manifest may name roots that are not there.
    #[arg(skip)]
    may_lack_targets: bool,
    /// True for a command that runs the executables of the project.
    #[arg(skip)]
    runs_executables: bool,
}

impl Input {
    /// Creates the input for a path.
    fn new(
        path: impl Into<PathBuf>,
        project: &ProjectOptions,
        mlir: &MlirOptions,
        tolerance: &ToleranceOptions,
    ) -> Input {
        let (project, mlir, tolerance) = (project.clone(), mlir.clone(), tolerance.clone());
        Input { input: path.into(), project, mlir, tolerance, ..Input::default() }
    }

    /// Opens the files of the project; `None` for an archive.
    fn workspace(&self) -> Result<Option<Workspace>, String> {
        let is_definition = self.input.extension().is_some_and(|end| end == "td");
        let is_artifact = artifact_of(&self.input).is_some();
        let is_archive = is_artifact || self.input.is_file() && !is_definition;
        if is_archive {
            Ok(None)
        } else {
            Workspace::open(&self.input, self.project.manifest.is_some()).map(Some)
        }
    }

    /// Reads the files of the project, with the included files of other projects, and the library.
    fn read(&self) -> Result<ProjectFiles, String> {
        self.read_in(self.workspace()?)
    }

    /// Returns the projects inside of one.
    fn nested(&self, files: &ProjectFiles) -> Vec<Input> {
        let projects = files.workspace.iter().flat_map(Workspace::projects);
        let project = ProjectOptions { manifest: None, ..self.project.clone() };
        projects.map(|input| Input { input, project: project.clone(), ..self.clone() }).collect()
    }

    fn read_in(&self, mut workspace: Option<Workspace>) -> Result<ProjectFiles, String> {
        if !self.visits_projects {
            for place in workspace.iter().flat_map(Workspace::projects) {
                display::note_once(&format!(
                    "'{}' has its own {FILE_NAME}, and is not read",
                    place.display()
                ));
            }
        }
        let mut bundle = match &workspace {
            Some(workspace) => workspace.bundle()?,
            None => match artifact_of(&self.input) {
                Some(text) => read_artifact(text)?,
                None => read_archive_at(&self.input)?,
            },
        };
        if let Some(path) = &self.project.manifest {
            let bytes =
                fs::read(path).map_err(|error| format!("{}: {}", path.display(), disk::reason(&error)))?;
            bundle.insert(FILE_NAME, bytes);
        }
        let mut folders = Vec::new();
        let missing =
            self.project.includes.iter().filter(|folder| !self.is_there(folder, workspace.as_ref()));
        let mut warnings: Vec<String> = missing.map(|folder| format!("-I '{folder}' is not there")).collect();
        if let Some(name) = self.mlir.release() {
            profiles::add(&mut bundle, name)?;
        }
        if let Some(bytes) = bundle.get(FILE_NAME).cloned() {
            // Errors in it are reported later.
            if let Ok(manifest) = Manifest::from_toml(&bytes) {
                let place = self.manifest_place(workspace.as_ref());
                dependencies::add_all(&mut bundle, &manifest, &place)?;
                if let (Some(name), None, Some(_)) = (&manifest.mlir, self.mlir.release(), &workspace) {
                    profiles::add(&mut bundle, &profiles::seen_from(&place, name))?;
                }
                self.add_policy(&mut bundle, &manifest, workspace.as_ref());
                add_plugins(&mut bundle, &manifest, &place);
                self.check_targets(&bundle, &manifest, &bytes, workspace.as_ref())?;
                if workspace.is_some() {
                    let is_missing = |folder: &&String| {
                        !dependencies::is_foreign(&format!("{folder}/")) && !place.join(folder).is_dir()
                    };
                    warnings.extend(manifest.includes.iter().filter(is_missing).map(|folder| {
                        let line = line_with(&bytes, folder);
                        format!("{FILE_NAME}:{line}: include folder '{folder}' is not there")
                    }));
                }
                folders = manifest.includes;
            }
        }
        if !self.may_lack_definitions && bundle.iter().all(|(path, _)| !path.ends_with(".td")) {
            let of_archive = || format!("no .td file in '{}'", self.input.display());
            return Err(workspace.as_ref().map_or_else(of_archive, Workspace::missing_definitions));
        }
        for (name, folder) in self.other_projects(workspace.as_ref()) {
            dependencies::add_folder(&mut bundle, &name, &folder)?;
        }
        let libraries = self.libraries(&bundle, workspace.as_ref())?;
        if let Some(workspace) = &mut workspace {
            folders.extend(self.include_folders(Some(&*workspace)).into_iter().filter_map(|folder| {
                match folder {
                    IncludeFolder::Bundle(folder) => Some(folder),
                    IncludeFolder::Library(_) | IncludeFolder::Other { .. } => None,
                }
            }));
            let library = libraries.of(self.mlir.release()).or_else(|_| libraries.preferred())?.clone();
            workspace.add_included(&mut bundle, &library, &folders);
        }
        let excluded = self.project.exclude.iter().map(|it| unmatched("exclude", it));
        let tolerated = self.tolerance.ignore_errors.iter().map(|it| unmatched("ignore-errors", it));
        let of_flags = excluded.chain(tolerated).collect();
        Ok(ProjectFiles { bundle, libraries, workspace, of_flags, warnings })
    }

    /// Fails if the manifest names a root of the selection that is not there.
    fn check_targets(
        &self,
        bundle: &Bundle,
        manifest: &Manifest,
        text: &[u8],
        workspace: Option<&Workspace>,
    ) -> Result<(), String> {
        // The manifest of another version may name files that come or go with the change.
        let Some(workspace) = workspace.filter(|_| !self.may_lack_targets) else { return Ok(()) };
        let mut selected = manifest.clone();
        workspace.select_targets(&mut selected);
        let mut targets = selected.target.iter().filter_map(|target| presets::expand(target).ok()?.td);
        let Some(td) = targets.find(|td| bundle.get(td).is_none() && td != SINGLE) else { return Ok(()) };
        // A preset names a part of the path.
        let is_whole = String::from_utf8_lossy(text).contains(&td);
        let line = line_with(text, if is_whole { &td } else { td.rsplit('/').next().unwrap_or(&td) });
        let what = match workspace.place_of(&td).is_file() {
            true => "is no source of the project\nhelp: odsmith ls --files says why",
            false => "is not there",
        };
        Err(format!("{FILE_NAME}:{line}: '{td}' {what}"))
    }

    /// Returns the patterns of `exclude`: the selected file or folder is always a source, whatever the manifest excludes.
    fn excluded(&self, of_manifest: &[String], workspace: Option<&Workspace>) -> Result<Vec<String>, String> {
        let mut patterns = of_manifest.to_vec();
        if let Some(workspace) = workspace
            && let Some(selected) = workspace.selected_part()
        {
            let is_folder = workspace.selected_file().is_none();
            let inside = if is_folder { format!("{selected}/_") } else { selected.clone() };
            if Patterns::new(of_manifest)?.has(&inside) {
                patterns.push(Patterns::taking_back(&selected));
            }
        }
        patterns.extend(self.project.exclude.iter().cloned());
        Ok(patterns)
    }

    /// Returns the patterns whose files need not be in the bundle: those of folders that are not entered, and those of the
    /// manifest if a part of the project is selected.
    fn unneeded_patterns(&self, request: &Request, workspace: &Workspace) -> BTreeSet<String> {
        let Manifest { exclude, ignore_errors, .. } = &request.manifest;
        let of_flags: Vec<&String> =
            self.project.exclude.iter().chain(&self.tolerance.ignore_errors).collect();
        let is_part = workspace.selected_part().is_some();
        let paths: Vec<String> = workspace.exceptions().map(|path| format!("{path}_")).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let is_unneeded = |pattern: &&String| {
            let matches_exception = || {
                Patterns::new(std::slice::from_ref(pattern)).is_ok_and(|it| it.unmatched(&paths).is_empty())
            };
            is_part && !of_flags.contains(pattern) || matches_exception()
        };
        exclude.iter().chain(ignore_errors).filter(is_unneeded).cloned().collect()
    }

    /// Fails if `exclude` leaves nothing to read.
    fn check_excluded(&self, request: &Request, files: &ProjectFiles) -> Result<(), String> {
        let is_own = |path: &str| path.ends_with(".td") && !dependencies::is_foreign(path);
        let selected = files.workspace.as_ref().and_then(Workspace::selected_file);
        let is_left = match &selected {
            Some(file) => request.bundle.get(file).is_some(),
            None => request.bundle.iter().any(|(path, _)| is_own(path)),
        };
        if is_left || self.may_lack_definitions || request.excluded.is_empty() {
            return Ok(());
        }
        let flags: Vec<String> = self.project.exclude.iter().map(|it| format!("--exclude '{it}'")).collect();
        let by = if flags.is_empty() { format!("'exclude' of {FILE_NAME}") } else { flags.join(" and ") };
        Err(match selected {
            Some(_) => format!("'{}' is excluded by {by}", self.input.display()),
            None => format!("every .td file in '{}' is excluded by {by}", self.input.display()),
        })
    }

    /// Returns true if an include folder of the command line exists.
    fn is_there(&self, folder: &str, workspace: Option<&Workspace>) -> bool {
        let below = |workspace: &Workspace| workspace.base_place().join(folder).is_dir();
        Path::new(folder).is_dir() || workspace.is_none_or(below) || self.input.join(folder).is_dir()
    }

    /// Adds the files that the lint policy names: bundles lack them, as they are not definitions.
    fn add_policy(&self, bundle: &mut Bundle, manifest: &Manifest, workspace: Option<&Workspace>) {
        let Some(folder) = workspace.map(Workspace::base_place) else { return };
        for path in [&manifest.lint.released, &manifest.lint.baseline].into_iter().flatten() {
            if let Ok(bytes) = fs::read(folder.join(path)) {
                bundle.insert(path, bytes);
            }
        }
    }

    /// Returns the folder of the project, or the one that contains its archive or file.
    fn place(&self) -> &Path {
        let folder = if self.input.is_dir() { Some(&*self.input) } else { self.input.parent() };
        folder.unwrap_or(Path::new("."))
    }

    /// Returns the folder that the bundle's paths begin at, or the one that contains its archive.
    fn base_place(&self, workspace: Option<&Workspace>) -> PathBuf {
        workspace.map_or_else(|| self.place().to_owned(), Workspace::base_place)
    }

    /// Returns the folder that the paths of the manifest begin at.
    fn manifest_place(&self, workspace: Option<&Workspace>) -> PathBuf {
        let place = self.project.manifest.as_deref().and_then(Path::parent).map(Path::to_owned);
        place.unwrap_or_else(|| self.base_place(workspace))
    }

    /// Reads the manifest of a project; its errors are reported later.
    fn manifest_of(&self, workspace: &Workspace) -> Result<Manifest, String> {
        let beside = workspace.base_place().join(FILE_NAME);
        let Some(path) = self.project.manifest.clone().or(Some(beside)).filter(|path| path.is_file()) else {
            return Ok(Manifest::default());
        };
        let bytes =
            fs::read(&path).map_err(|error| format!("{}: {}", path.display(), disk::reason(&error)))?;
        Ok(Manifest::from_toml(&bytes).unwrap_or_default())
    }

    /// Classifies each include folder of the command line.
    fn include_folders(&self, workspace: Option<&Workspace>) -> Vec<IncludeFolder> {
        let root = workspace.map(Workspace::base_place).and_then(|root| fs::canonicalize(root).ok());
        let mut folders: Vec<IncludeFolder> = Vec::new();
        for folder in self.project.includes.iter().filter(|folder| self.is_there(folder, workspace)) {
            let folder = slashed(folder, MAIN_SEPARATOR);
            let is_below = !Path::new(&folder).is_absolute()
                && (!folder.split('/').any(|part| part == "..") && !self.input.join(&folder).is_symlink())
                && root.as_ref().is_none_or(|root| root.join(&folder).is_dir());
            // A folder that does not exist counts as one of the bundle, without files.
            let place = match &root {
                Some(root) if is_below => fs::canonicalize(root.join(&folder)).ok(),
                _ => fs::canonicalize(&folder).ok().filter(|place| !is_below && place.is_dir()),
            };
            let inside = workspace.zip(place.as_ref()).and_then(|(all, place)| all.has_sources_in(place));
            folders.push(match (inside, place) {
                (Some(inside), _) => IncludeFolder::Bundle(inside),
                (None, None) => IncludeFolder::Bundle(folder),
                (None, Some(place)) if is_library(&place) => IncludeFolder::Library(place),
                (None, Some(place)) => {
                    let is_taken = |name: &str| {
                        folders.iter().any(|known| matches!(known, IncludeFolder::Other { name: known, .. } if known == name))
                    };
                    let name = dependencies::name_of(&place.to_string_lossy(), is_taken);
                    IncludeFolder::Other { name, place }
                }
            });
        }
        folders
    }

    /// Returns the include folders of other projects, with their names.
    fn other_projects(&self, workspace: Option<&Workspace>) -> impl Iterator<Item = (String, PathBuf)> {
        self.include_folders(workspace).into_iter().filter_map(|folder| match folder {
            IncludeFolder::Other { name, place } => Some((name, place)),
            IncludeFolder::Bundle(_) | IncludeFolder::Library(_) => None,
        })
    }

    /// Returns the library of the release that the options or the bundle ask for.
    fn libraries(&self, bundle: &Bundle, workspace: Option<&Workspace>) -> Result<Libraries, String> {
        let own =
            bundle.get(FILE_NAME).map(|bytes| Manifest::from_toml(bytes)).transpose()?.unwrap_or_default();
        let library = MlirOptions { library: self.named_libraries(workspace), ..self.mlir.clone() };
        let folder = self.base_place(workspace);
        let of_manifest = own.library.map(|library| folder.join(library));
        let of_own = own.mlir.map(|name| profiles::seen_from(&folder, &name));
        let release = self.mlir.release.clone().or(of_own);
        library.load_in(release.as_deref(), of_manifest.as_deref(), workspace)
    }

    /// Returns the libraries that the command line names, or else those among its include folders.
    fn named_libraries(&self, workspace: Option<&Workspace>) -> Vec<LibraryArgument> {
        if !self.mlir.library.is_empty() {
            return self.mlir.library.clone();
        }
        self.library_place(workspace).map(LibraryArgument::from).into_iter().collect()
    }

    /// Returns MLIR's include folder, if the command line names it.
    fn library_place(&self, workspace: Option<&Workspace>) -> Option<PathBuf> {
        let named = self.mlir.library.first().map(|named| named.include.clone());
        named.or_else(|| {
            self.include_folders(workspace).into_iter().find_map(|folder| match folder {
                IncludeFolder::Library(place) => Some(place),
                IncludeFolder::Bundle(_) | IncludeFolder::Other { .. } => None,
            })
        })
    }

    /// Runs everything on a thread with a big stack, and prints the messages. The files of the site are written to a
    /// folder as they are made, or else added to the result.
    fn run(&self, change: impl FnOnce(&mut Manifest), pages: Option<Pages>) -> Result<Finished, String> {
        let (files, request) = self.prepare(change)?;
        files.run(request, pages)
    }

    /// Reads the library and the files, and builds the request.
    fn prepare(&self, change: impl FnOnce(&mut Manifest)) -> Result<(ProjectFiles, Request), String> {
        self.prepare_in(self.workspace()?, change)
    }

    fn prepare_in(
        &self,
        workspace: Option<Workspace>,
        change: impl FnOnce(&mut Manifest),
    ) -> Result<(ProjectFiles, Request), String> {
        let progress = ProgressLine::start("reading the library and the files");
        let mut files = self.read_in(workspace)?;
        progress.say("finding out what to make");
        let bundle = std::mem::take(&mut files.bundle);
        let request = self.kept_request(&files, bundle, change)?;
        Ok((files, request))
    }

    /// Builds the request, with the store of outputs for later processes.
    fn kept_request(
        &self,
        files: &ProjectFiles,
        bundle: Bundle,
        change: impl FnOnce(&mut Manifest),
    ) -> Result<Request, String> {
        let request = self.request(files, bundle, change)?;
        Ok(Request { checkpoints: checkpoints::of_environment(), ..request })
    }

    /// Builds the request. `bundle` is that of the files, or a changed one.
    fn request(
        &self,
        files: &ProjectFiles,
        bundle: Bundle,
        change: impl FnOnce(&mut Manifest),
    ) -> Result<Request, String> {
        let workspace = files.workspace.as_ref();
        // A folder without definitions, such as that of a build's headers, is left out.
        let is_there = |name: &str| {
            let root = dependencies::root(name);
            bundle.iter().any(|(path, _)| path.starts_with(&root))
        };
        let folders: Vec<IncludeFolder> = self
            .include_folders(workspace)
            .into_iter()
            .filter(|folder| !matches!(folder, IncludeFolder::Other { name, .. } if !is_there(name)))
            .collect();
        let mut request = Request::new(&files.libraries, bundle, None, |manifest| {
            manifest.mlir = self.mlir.release.clone().or(manifest.mlir.take());
            for folder in folders {
                match folder {
                    IncludeFolder::Bundle(folder) => manifest.includes.push(folder),
                    IncludeFolder::Library(_) => {}
                    IncludeFolder::Other { name, place } => {
                        manifest.includes.push(dependencies::root(&name));
                        let path = Some(place.to_string_lossy().into_owned());
                        manifest.dependencies.insert(name, Dependency { path, ..Dependency::default() });
                    }
                }
            }
            manifest.defines.extend(self.project.defines.iter().cloned());
            manifest.exclude = self.excluded(&manifest.exclude, workspace)?;
            self.tolerance.apply(manifest);
            if let Some(workspace) = workspace {
                workspace.select_targets(manifest);
            }
            if let Some(title) = &self.title {
                manifest.docs.title = Some(title.clone());
            }
            if let Some(url) = &self.source_url {
                manifest.docs.source_url = Some(url.clone());
            }
            change(manifest);
            Ok(())
        })?;
        self.check_excluded(&request, files)?;
        if let Some(workspace) = workspace {
            request.unneeded_patterns = self.unneeded_patterns(&request, workspace);
        }
        let executables = match self.runs_executables {
            true => Executables::Below(self.manifest_place(workspace)),
            false => Executables::LeftOut,
        };
        let request = Request { is_brief: true, executables, ..request };
        Ok(match workspace {
            Some(workspace) => request.with_selection(workspace.selected_file(), workspace.output_base()),
            None => request,
        })
    }
}

/// Returns the first line of a text that has a word, from 1.
fn line_with(text: &[u8], word: &str) -> usize {
    let text = String::from_utf8_lossy(text);
    text.lines().position(|line| line.contains(word)).map_or(1, |line| line + 1)
}

/// Adds the programs of plugins: bundles lack them, as they are no definitions.
fn add_plugins(bundle: &mut Bundle, manifest: &Manifest, folder: &Path) {
    for path in manifest.plugins.values().filter_map(|plugin| plugin.file()) {
        // One that is not there is reported at the outputs that need it.
        if bundle.get(path).is_none()
            && let Ok(bytes) = fs::read(disk::place(folder, path))
        {
            bundle.insert(path, bytes);
        }
    }
}

/// The files of a project, and the libraries for them.
struct ProjectFiles {
    bundle: Bundle,
    libraries: Libraries,
    /// The place of the files; `None` for those of an archive.
    workspace: Option<Workspace>,
    /// The warnings about patterns, as far as they are of flags.
    of_flags: Vec<String>,
    /// Warnings about folders that are not there.
    warnings: Vec<String>,
}

impl ProjectFiles {
    /// Creates the files of MLIR's own definitions.
    fn of_library(bundle: Bundle, libraries: Libraries) -> ProjectFiles {
        ProjectFiles { bundle, libraries, workspace: None, of_flags: Vec::new(), warnings: Vec::new() }
    }

    /// Runs a request on a thread with a big stack, and prints the messages.
    fn run(&self, request: Request, pages: Option<Pages>) -> Result<Finished, String> {
        let (finished, written) = self.run_silently(request, pages)?;
        display::messages(finished.result.all_diagnostics());
        written.map(|()| finished)
    }

    /// Does the same without printing; returns the result, and whether the files could be written.
    fn run_silently(
        &self,
        request: Request,
        pages: Option<Pages>,
    ) -> Result<(Finished, Result<(), String>), String> {
        let (mut finished, written) = run_request_silently(request, pages)?;
        let warnings = self.warnings.iter().map(|message| Finding {
            severity: Severity::Warning,
            code: Code::Request,
            message: message.clone(),
            ..Finding::default()
        });
        finished.result.diagnostics.splice(0..0, warnings);
        let ResultObject { diagnostics, outputs, .. } = &mut finished.result;
        for output in outputs.iter_mut() {
            let td = self.workspace.as_ref().map_or_else(|| output.td.clone(), |all| all.shown(&output.td));
            output.diagnostics.iter_mut().for_each(|finding| explain_output(&td, finding));
        }
        diagnostics.extend(note_of_other_programs(outputs));
        let of_outputs = outputs.iter_mut().flat_map(|output| &mut output.diagnostics);
        diagnostics.iter_mut().chain(of_outputs).for_each(|finding| self.locate(finding));
        Ok((finished, written))
    }

    /// Writes the paths of a finding as the user sees them.
    fn locate(&self, finding: &mut Finding) {
        if self.of_flags.contains(&finding.message) {
            finding.message.insert_str(0, "--");
        }
        let Some(workspace) = &self.workspace else { return };
        if finding.id == Some(Id::MissingInclude)
            && finding.related.iter().all(|note| !note.is_help)
            && let Some(include) = finding.message.split('\'').nth(1)
            && let Some(folder) = workspace.folder_above(include)
        {
            let place = workspace.base_place().join(&folder);
            let place = fs::canonicalize(&place).unwrap_or(place);
            let name = dependencies::name_of(&slashed(&place.to_string_lossy(), MAIN_SEPARATOR), |_| false);
            let line = format!("in odsmith.toml: [dependencies] {name} = {{ path = \"{folder}\" }}");
            finding.related.push(Finding::help(line));
        }
        if let Some(location) = &mut finding.location {
            for file in location.include_stack.iter_mut().map(|it| &mut it.file).chain([&mut location.file]) {
                if !dependencies::is_foreign(file) || file.starts_with(IN_TREE) {
                    *file = workspace.shown(file);
                }
            }
        }
        finding.related.iter_mut().for_each(|finding| self.locate(finding));
    }
}

/// Replaces the warnings about outputs with flags that no generator has by one note.
fn note_of_other_programs(outputs: &mut [OutputReport]) -> Option<Finding> {
    let is_of_another = |output: &&mut OutputReport| {
        output.status == Status::Skipped && output.diagnostics.iter().all(|it| it.code == Code::Request)
    };
    let paths: Vec<String> = outputs
        .iter_mut()
        .filter(is_of_another)
        .map(|output| {
            output.diagnostics.clear();
            output.path.clone()
        })
        .collect();
    let subject = match paths.len() {
        0 => return None,
        1 => "1 output has flags of another program and is".to_owned(),
        count => format!("{count} outputs have flags of another program and are"),
    };
    Some(Finding::note(None, format!("{subject} left to it: {}", short_list(&paths))))
}

/// Names the root of an error of an output that has no place, and says how a dialect is chosen.
fn explain_output(td: &str, finding: &mut Finding) {
    let has_place = finding.location.is_some() || finding.is_of_unknown_place;
    if has_place || finding.severity != Severity::Error {
        return;
    }
    finding.is_bare = false;
    if finding.id == Some(Id::DialectChoice) {
        finding
            .related
            .push(Finding::help("in odsmith.toml, add \"-dialect=NAME\" to the flags of the output"));
    }
    finding.message.insert_str(0, &format!("{td}: "));
}

/// Runs a request on a thread with a big stack; returns the result, and whether the files could be written.
fn run_request_silently(
    request: Request,
    pages: Option<Pages>,
) -> Result<(Finished, Result<(), String>), String> {
    let verb = if request.manifest.docs.enabled { "making" } else { "checking" };
    let limits = Limits::generous();
    let progress = Progress::new(&limits, Cancel::new());
    let line = ProgressLine::start(verb);
    line.follow(verb, progress.clone());
    Ok(parallel::with_stack(|| {
        let run = |pages: Option<&Out<'_>>| request.run(&limits, &progress, parallelism(), pages);
        match pages {
            None => (run(None), Ok(())),
            Some(Pages { folder, below, place }) => disk::write_while(
                |path, bytes| folder.write(path, bytes),
                |out| {
                    let placed = |mut file: Artefact| {
                        file.path = format!("{below}{}", place(&file.path)?);
                        Some(file)
                    };
                    run(Some(&|files: Vec<Artefact>| out(files.into_iter().filter_map(placed).collect())))
                },
            ),
        }
    }))
}

/// The kinds of include folder on the command line.
enum IncludeFolder {
    /// A folder of the bundle.
    Bundle(String),
    /// MLIR's include folder.
    Library(PathBuf),
    /// A folder of another project, with a name.
    Other { name: String, place: PathBuf },
}

/// Returns the text of an input that is an artifact of a registry or of a layout.
fn artifact_of(input: &Path) -> Option<&str> {
    input.to_str().filter(|text| Address::is_one(text))
}

/// Reads the definitions of an artifact, with those of its dependencies.
fn read_artifact(text: &str) -> Result<Bundle, String> {
    let registries = Registries::new(&Access::default())?;
    let artifact = pull::open(&registries, &Address::parse(text)?);
    let bundle = artifact.and_then(|artifact| registries.project(&artifact));
    bundle.map_err(|error| error.to_string())
}

/// Reads the archive at a place.
fn read_archive_at(place: &Path) -> Result<Bundle, String> {
    let bytes = fs::read(place).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => format!("'{}' is not there", place.display()),
        _ => format!("{}: {}", place.display(), disk::reason(&error)),
    })?;
    if Format::of_bytes(&bytes).is_none() {
        return Err(format!("'{}' is no .td file, folder or archive", place.display()));
    }
    let bundle = read_archive(&bytes).map_err(|reason| format!("{}: {reason}", place.display()))?;
    Ok(workspace::arranged(bundle))
}

/// Reads the bundle in an archive.
fn read_archive(bytes: &[u8]) -> Result<Bundle, String> {
    // On the user's own machine an archive may have any size.
    let limits = ArchiveLimits {
        body_bytes: u64::MAX,
        unpacked_bytes: 4 << 30,
        file_bytes: 1 << 30,
        entries: 1_000_000,
        ..ArchiveLimits::default()
    };
    archive::read(bytes, &limits).map_err(|refusal| refusal.to_string())
}

/// The target for pages of a site that are written while others are still being made.
struct Pages {
    folder: Arc<OutputFolder>,
    /// The common prefix of all their places.
    below: String,
    /// Maps a file of the archive to its place below that prefix, if it belongs there.
    place: fn(&str) -> Option<String>,
}

/// The folder of Markdown pages in an output, which users move to the sources of a site.
const MARKDOWN: &str = "markdown";

/// The destination of the files: a folder, or an archive if the name says so.
enum Destination {
    Folder(Arc<OutputFolder>),
    Archive(PathBuf, Format),
}

impl Destination {
    /// Chooses the destination by the name of an output.
    fn new(out: &Path, by: &'static str, project: &Path) -> Result<Destination, String> {
        Ok(match archive_of(out) {
            Some(format) => Destination::Archive(out.to_owned(), format),
            None => {
                let folder = OutputFolder::open(out, by)?.with_movable(MARKDOWN).for_project(project);
                Destination::Folder(Arc::new(folder))
            }
        })
    }

    /// Returns the target for pages written as they are made. `None` for an archive, which is written at once, and for a
    /// folder with other files: they are looked at before anything is written.
    fn pages(&self, below: &str, place: fn(&str) -> Option<String>) -> Option<Pages> {
        match self {
            Destination::Folder(folder) if folder.is_own() => {
                Some(Pages { folder: folder.clone(), below: below.to_owned(), place })
            }
            Destination::Folder(_) | Destination::Archive(..) => None,
        }
    }

    /// Writes files.
    fn write(&self, files: &BTreeMap<String, Vec<u8>>) -> Result<(), String> {
        match self {
            Destination::Archive(out, format) => disk::write(out, &archive::write(*format, files)),
            Destination::Folder(folder) => {
                files.iter().try_for_each(|(path, bytes)| folder.check(path, bytes))?;
                let files: Vec<_> = files.iter().collect();
                // Work from both ends: threads that create files in one folder block each other.
                let spare = Spare::beside_one(parallelism());
                let written = parallel::map_on(&spare, &files, |(path, bytes)| folder.write(path, bytes));
                written.into_iter().collect()
            }
        }
    }

    /// Lists the written files, even after an error, in which case the files of an earlier call stay. Passes on the
    /// result of the work, with the numbers of files.
    fn finish<T>(&self, removes_others: bool, done: Result<T, String>) -> Result<(T, FileCounts), String> {
        if let Destination::Folder(folder) = self {
            let listed = folder.finish(removes_others && done.is_ok());
            for place in listed.iter().flat_map(|listed| &listed.changed) {
                let what = "is no longer made, and stays: it was changed by another hand";
                display::warning(&format!("'{}' {what}", place.display()));
            }
            for place in listed.iter().flat_map(|listed| &listed.overwritten) {
                let what = "was changed by another hand, and is made anew";
                display::warning(&format!("'{}' {what}", place.display()));
            }
            return done.and_then(|done| listed.map(|listed| (done, listed)));
        }
        done.map(|done| (done, FileCounts::default()))
    }
}

/// Returns `wrote 46 files to site (3 removed, 40 unchanged)`.
fn wrote(count: usize, out: &Path, written: &FileCounts) -> String {
    let numbers = [(written.removed, "removed"), (written.unchanged, "unchanged")];
    let numbers: Vec<String> = numbers
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    let more = if numbers.is_empty() { String::new() } else { format!(" ({})", numbers.join(", ")) };
    format!("wrote {} to {}{more}", display::counted(count, "file"), out.display())
}

/// Returns `1 of 4 roots cannot be read`.
fn unread((count, all): (usize, usize)) -> String {
    format!("{count} of {all} roots cannot be read")
}

/// Returns the archive format that a file name implies.
fn archive_of(out: &Path) -> Option<Format> {
    out.to_str().and_then(Format::of_name)
}

fn has_error<'r>(mut reports: impl Iterator<Item = &'r Finding>) -> bool {
    reports.any(|report| report.severity == Severity::Error)
}

/// Runs the command line.
#[must_use]
pub fn main(words: &[String]) -> ExitCode {
    if let Some(call) = WorkerCall::of(words) {
        return exit::run(|| worker::run(call)).into();
    }
    if let Some(call) = Call::of(words) {
        tblgen(call);
    }
    if let [_, first, second] = words
        && first == "--version"
        && second == "--json"
    {
        return exit::run(version).into();
    }
    let (words, warnings) = help::renamed(words);
    let parsed = help::command().try_get_matches_from(&words);
    let cli = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => {
            match help::refusal(&error, &words) {
                Some(message) => display::error(&message),
                // A closed pipe has no other stream.
                None => drop(error.print()),
            }
            let status = if error.use_stderr() { ExitStatus::NoAnswer } else { ExitStatus::Done };
            return status.into();
        }
    };
    display::set(cli.display);
    help::warn_of_names(&warnings);
    match cli.command {
        Some(command) => exit::run(AssertUnwindSafe(|| command.run())).into(),
        None => {
            to_stderr(help::command().render_help().to_string().as_bytes());
            ExitStatus::NoAnswer.into()
        }
    }
}

impl Command {
    fn run(self) -> Result<ExitStatus, String> {
        match self {
            Command::Tblgen { args } => tblgen(Call::new("odsmith tblgen".to_owned(), &args)),
            Command::Generate(options) => options.run(),
            Command::Docs(options) => options.run(),
            Command::Playground(options) => options.run(),
            Command::Check(options) => options.run(),
            Command::Ir(options) => options.run(),
            Command::Grammar(options) => options.run(),
            Command::Ls(options) => options.run(),
            Command::Rule(options) => options.run(),
            Command::Import(options) => options.run(),
            Command::CmakeShim(options) => options.run(),
            Command::Init(options) => options.run(),
            Command::Schema(options) => options.run(),
            Command::Describe(options) => options.run(),
            Command::Search(options) => options.run(),
            Command::Diff(options) => options.run(),
            Command::Lint(options) => options.run(),
            Command::Fmt(options) => options.run(),
            Command::Upgrade(options) => options.run(),
            Command::Publish(options) => options.run(),
            Command::Pull(options) => options.run(),
            Command::Yank(options) => options.run(),
            Command::Fetch(options) => options.run(),
            Command::Catalog(options) => options.run(),
            Command::Serve(options) => options.run(),
            Command::Lsp(options) => options.run(),
            Command::Mcp(options) => options.run(),
            Command::Library(options) => options.run(),
            Command::Token(options) => options.run(),
            Command::Verify(options) => options.run(),
            Command::Calibrate(options) => options.run(),
            Command::Plugin(options) => options.run(),
            Command::Completions(options) => options.run(),
            Command::Man(options) => options.run(),
        }
    }
}

/// Describes the releases that are snapshots of trunk, as JSON.
fn snapshots() -> serde_json::Value {
    let of = |release: &Release| {
        let snapshot = release.snapshot()?;
        Some((release.to_string(), serde_json::json!({ "date": snapshot.date, "commit": snapshot.commit })))
    };
    serde_json::Value::Object(Release::ALL.iter().filter_map(of).collect())
}

/// The version with the releases of MLIR, as `odsmith --version` prints it without this program.
static LONG_VERSION: LazyLock<String> =
    LazyLock::new(|| format!("{}\nMLIR {}", env!("CARGO_PKG_VERSION"), Release::all_labels()));

/// Prints facts about this program for other programs. The commit is known if `ODSMITH_COMMIT` was set for the build.
fn version() -> Result<ExitStatus, String> {
    let libraries = library::described(&crate::pipeline::library::installed(None).unwrap_or_default());
    let value = serde_json::json!({
        "name": "odsmith",
        "version": env!("CARGO_PKG_VERSION"),
        "commit": option_env!("ODSMITH_COMMIT"),
        "build": keys::BUILD,
        "mlir": Release::ALL.iter().map(|release| release.name()).collect::<Vec<_>>(),
        "snapshots": snapshots(),
        "libraries": libraries,
    });
    display::print(&format!("{value:#}\n"))?;
    Ok(ExitStatus::Done)
}

fn tblgen(mut call: Call) -> ! {
    if let Err(failure) = plugin::call::attach(&mut call, Path::new("")) {
        odsmith_tblgen::end_with(|| Err(failure));
    }
    match call.server.take().filter(|_| call.plugin.is_none()) {
        Some(server) => remote::run(server, call),
        None => odsmith_tblgen::run(call, library::for_tblgen),
    }
}
