//! `odsmith ls`: lists what a project consists of, as all commands see it.
//!
//! ```text
//! project  .                         root by .git, no odsmith.toml
//! sources  253 files                 67 roots, 160 included, 20 include-only, 6 lit-test
//! library  llvm/mlir/include         MLIR 23, in the tree
//! depends  ext/stablehlo             nested checkout, 33 files, 1 included
//! output   site                      by docs, 46 files
//! ignored  build                     build: CMakeCache.txt
//! ```

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use clap::Args;
use odsmith_engine::limits::Budget;
use serde::Serialize;

use super::{
    Input, ProjectFiles, display,
    exit::ExitStatus,
    options::{ListOptions, MlirOptions, ProjectOptions, ToleranceOptions},
};
use crate::pipeline::{
    automatic::Graph,
    dependencies,
    generate::Request,
    library::{self, Installed, profiles},
    manifest::{FILE_NAME, Manifest},
    workspace::{
        IN_TREE, Workspace,
        listing::{Exception, Kind},
    },
};
use crate::store::output_folder::Marker;

/// The arguments of `odsmith ls`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Folders, .td files or archives
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,
    /// List each file: its kind, its path and the reason, with tabs between them
    #[arg(long, conflicts_with = "json")]
    files: bool,
    #[command(flatten)]
    project: ProjectOptions,
    #[command(flatten)]
    mlir: MlirOptions,
    #[command(flatten)]
    list: ListOptions,
}

/// The answer, as JSON.
#[derive(Debug, Serialize)]
struct Answer {
    schema: &'static str,
    projects: Vec<ProjectEntry>,
}

#[derive(Debug, Serialize)]
struct ProjectEntry {
    root: String,
    by: Option<&'static str>,
    mlir: SettingEntry,
    files: Vec<FileEntry>,
    libraries: Vec<LibraryEntry>,
    dependencies: Vec<DependencyEntry>,
    outputs: Vec<ExceptionEntry>,
    ignored: Vec<ExceptionEntry>,
    /// Nested projects and links, which have no list of their own.
    #[serde(skip)]
    others: Vec<ExceptionEntry>,
    #[serde(skip)]
    has_manifest: bool,
    /// A line for each folder with outputs.
    #[serde(skip)]
    output_folders: BTreeMap<String, String>,
    /// The other settings: name, value and source.
    #[serde(skip)]
    settings: Vec<(&'static str, String, &'static str)>,
}

#[derive(Debug, Serialize)]
struct SettingEntry {
    value: String,
    by: &'static str,
}

#[derive(Debug, Serialize)]
struct FileEntry {
    path: String,
    kind: &'static str,
    why: String,
}

#[derive(Debug, Serialize)]
struct LibraryEntry {
    path: String,
    mlir: String,
    by: &'static str,
    used: bool,
}

#[derive(Debug, Serialize)]
struct DependencyEntry {
    path: String,
    by: &'static str,
    used: Vec<String>,
    /// The number of its definitions.
    files: usize,
}

#[derive(Clone, Debug, Serialize)]
struct ExceptionEntry {
    path: String,
    kind: &'static str,
    why: String,
}

impl From<&Exception> for ExceptionEntry {
    fn from(exception: &Exception) -> ExceptionEntry {
        let Exception { path, kind, why, .. } = exception.clone();
        let kind = if kind.is_dependency() && kind != Kind::Project { "dependency" } else { kind.name() };
        ExceptionEntry { path, kind, why }
    }
}

impl Options {
    /// Runs the command.
    ///
    /// # Errors
    /// A path is not there, or its files cannot be read.
    pub fn run(self) -> Result<ExitStatus, String> {
        let mut projects = Vec::new();
        for path in &self.paths {
            let input = Input {
                visits_projects: true,
                ..Input::new(path, &self.project, &self.mlir, &ToleranceOptions::default())
            };
            let files = input.read()?;
            files.warnings.iter().for_each(|message| display::warning(message));
            projects.push(project_entry(&input, &files)?);
            let mut nested = input.nested(&files);
            while let Some(input) = nested.pop() {
                // One without definitions is no reason to say nothing of the others.
                let Ok(files) = input.read() else { continue };
                projects.push(project_entry(&input, &files)?);
                nested.extend(input.nested(&files));
            }
        }
        let text = if self.list.json {
            let answer = Answer { schema: "odsmith.ls/1", projects };
            serde_json::to_string_pretty(&answer).unwrap_or_default() + "\n"
        } else if self.files {
            projects.iter().map(ProjectEntry::lines).collect()
        } else {
            projects.iter().map(|project| project.summary(display::is_verbose())).collect()
        };
        display::print(&text)?;
        Ok(ExitStatus::Done)
    }
}

/// Describes one project.
fn project_entry(input: &Input, files: &ProjectFiles) -> Result<ProjectEntry, String> {
    let ProjectFiles { bundle, workspace, .. } = files;
    let manifest = bundle.get(FILE_NAME).map(|bytes| Manifest::from_toml(bytes)).transpose()?;
    let has_manifest = manifest.is_some();
    let request = input.request(files, bundle.clone(), |_| ())?;
    let shown = |path: &str| workspace.as_ref().map_or_else(|| path.to_owned(), |all| all.shown(path));
    let manifest = manifest.unwrap_or_default();
    let settings = settings(input, &manifest);
    let own_release = manifest.mlir;
    let mlir = match (&input.mlir.release, own_release) {
        (Some(_), _) => "--mlir or ODSMITH_MLIR",
        (None, Some(_)) => FILE_NAME,
        (None, None) => "library",
    };
    let mut entry = ProjectEntry {
        root: input.input.to_string_lossy().replace('\\', "/"),
        by: workspace.as_ref().and_then(Workspace::root_by),
        mlir: SettingEntry { value: request.manifest.mlir.clone().unwrap_or_default(), by: mlir },
        files: file_entries(&request, &shown),
        libraries: Vec::new(),
        dependencies: Vec::new(),
        outputs: Vec::new(),
        ignored: Vec::new(),
        others: Vec::new(),
        has_manifest,
        output_folders: BTreeMap::new(),
        settings,
    };
    if let Some(workspace) = workspace {
        entry.add_listing(workspace, &request);
        entry.add_libraries(input, workspace)?;
    }
    Ok(entry)
}

/// Returns the settings of lists with their sources.
fn settings(input: &Input, manifest: &Manifest) -> Vec<(&'static str, String, &'static str)> {
    let ProjectOptions { includes, defines, exclude, .. } = &input.project;
    [
        ("include", &manifest.includes, FILE_NAME),
        ("include", includes, "-I"),
        ("define", &manifest.defines, FILE_NAME),
        ("define", defines, "-D"),
        ("exclude", &manifest.exclude, FILE_NAME),
        ("exclude", exclude, "--exclude"),
    ]
    .into_iter()
    .flat_map(|(name, values, by)| values.iter().map(move |value| (name, value.clone(), by)))
    .collect()
}

/// Classifies the definitions of a request.
fn file_entries(request: &Request, shown: &dyn Fn(&str) -> String) -> Vec<FileEntry> {
    let budget = Budget::default();
    let graph = Graph::new(&request.bundle, request.library.paths(), &budget)
        .with_folders(&request.manifest.includes);
    let tops = graph.tops();
    let includers = graph.includers();
    let targets: Vec<&str> =
        request.manifest.target.iter().filter_map(|target| target.td.as_deref()).collect();
    let classify = |path: &str| {
        if !targets.is_empty() && targets.contains(&path) {
            return ("root", format!("a target of {FILE_NAME}"));
        }
        if request.root.as_deref() == Some(path) {
            return ("root", "named".to_owned());
        }
        if tops.lit_tests.contains(&path) {
            let line = graph.run_line(path).unwrap_or(1);
            return ("lit-test", format!("// RUN: in line {line}"));
        }
        if tops.wrappers.contains(&path) {
            return ("include-only", "only includes files of other folders".to_owned());
        }
        if targets.is_empty() && request.root.is_none() && tops.files.contains(&path) {
            let is_circle = tops.in_circles.contains(&path);
            let why = if is_circle { "the first of a circle" } else { "no other file includes it" };
            return ("root", why.to_owned());
        }
        match includers.get(path) {
            Some(by) => ("included", format!("by {}", shown(by))),
            None => ("source", "no target reads it".to_owned()),
        }
    };
    let paths = request.bundle.iter().map(|(path, _)| path);
    let own = paths.filter(|path| path.ends_with(".td") && !dependencies::is_foreign(path));
    own.map(|path| {
        let (kind, why) = classify(path);
        FileEntry { path: shown(path), kind, why }
    })
    .collect()
}

impl ProjectEntry {
    /// Adds the folders that are not entered.
    fn add_listing(&mut self, workspace: &Workspace, request: &Request) {
        let foreign: Vec<&str> = request
            .bundle
            .iter()
            .filter_map(|(path, _)| Some(path.strip_prefix(IN_TREE)?.trim_start_matches('/')))
            .collect();
        let mut markers = BTreeMap::new();
        for exception in &workspace.listing().exceptions {
            let path = workspace.shown(&format!("{IN_TREE}/{}", exception.path));
            match exception.kind {
                Kind::Library => {}
                Kind::NestedCheckout | Kind::Vendored => {
                    let below = |file: &&&str| {
                        file.strip_prefix(&*exception.path).is_some_and(|below| below.starts_with('/'))
                    };
                    let used = foreign.iter().filter(below);
                    self.dependencies.push(DependencyEntry {
                        path,
                        by: exception.kind.name(),
                        used: used.map(|file| file[exception.path.len() + 1..].to_owned()).collect(),
                        files: workspace.definitions_below(&exception.path),
                    });
                }
                Kind::Output => {
                    self.add_output_folder(workspace, exception, &mut markers);
                    self.outputs.push(ExceptionEntry { path, ..exception.into() });
                }
                Kind::Build | Kind::Ignored => self.ignored.push(ExceptionEntry { path, ..exception.into() }),
                Kind::Project | Kind::Link | Kind::Alias => {
                    // Links and ignored files of other types are of no interest.
                    if exception.is_folder || path.ends_with(".td") {
                        self.others.push(ExceptionEntry { path, ..exception.into() });
                    }
                }
            }
        }
        self.ignored.retain(|it| !it.path.is_empty());
    }

    /// Adds the folder of an output: itself, or the outermost that lists it.
    fn add_output_folder(
        &mut self,
        workspace: &Workspace,
        Exception { path, is_folder, why, .. }: &Exception,
        markers: &mut BTreeMap<PathBuf, Option<Marker>>,
    ) {
        let is_folder = *is_folder;
        let place = workspace.place_of(&format!("{IN_TREE}/{path}"));
        let parts: Vec<&str> = path.split('/').collect();
        let mut found = None;
        for (folder, up) in place.ancestors().zip(0..=parts.len()) {
            let known = markers.entry(folder.to_owned()).or_insert_with(|| Marker::of(folder));
            let Some(marker) = known else { continue };
            let (before, below) = parts.split_at(parts.len() - up);
            let below = below.join("/");
            let is_it = match is_folder {
                true => up == 0 || marker.files().any(|file| file.starts_with(&format!("{below}/"))),
                false => marker.lists(&below),
            };
            if is_it {
                found = Some((folder, before.join("/")));
            }
        }
        let below = found.as_ref().map_or(path.as_str(), |(_, below)| below);
        let shown = workspace.shown(&format!("{IN_TREE}/{below}"));
        let shown = if shown.is_empty() { ".".to_owned() } else { shown };
        if self.output_folders.contains_key(&shown) {
            return;
        }
        let marker = found.and_then(|(folder, _)| markers.get(folder)?.as_ref());
        // Without a marker, the listing knows the writer by other files.
        let line = marker.map_or_else(
            || why.strip_prefix("written ").unwrap_or(why).to_owned(),
            |marker| {
                let (by, count) = marker.summary();
                format!("by {}, {}", by.join(" and "), display::counted(count, "file"))
            },
        );
        self.output_folders.insert(shown, line);
    }

    /// Adds the libraries in the tree, and the one that is used.
    fn add_libraries(&mut self, input: &Input, workspace: &Workspace) -> Result<(), String> {
        let named = input.named_libraries(Some(workspace));
        let manifest = input.manifest_of(workspace)?;
        let folder = workspace.base_place();
        let own = manifest.mlir.map(|name| profiles::seen_from(&folder, &name));
        let only = profiles::release_of(input.mlir.release.clone().or(own).as_deref())?;
        let of_manifest = manifest.library.map(|library| workspace.base_place().join(library));
        let in_tree = || workspace.libraries();
        let Installed { include: place, by, .. } =
            library::taken(&named, only, of_manifest.as_deref(), &in_tree)?;
        let by = match by {
            library::COMMAND_LINE if input.mlir.library.is_empty() => "-I",
            library::COMMAND_LINE => "--library",
            by => by,
        };
        let real = |place: &Path| fs::canonicalize(place).unwrap_or_else(|_| place.to_owned());
        let mut is_listed = false;
        for library in &workspace.listing().libraries {
            let include = workspace.place_of(&format!("{IN_TREE}/{}", library.include));
            let used = real(&include) == real(&place);
            is_listed |= used;
            let mlir = library::identity(&include).to_string();
            self.libraries.push(LibraryEntry {
                path: workspace.shown(&format!("{IN_TREE}/{}", library.include)),
                mlir: mlir.strip_prefix("MLIR ").map_or(mlir.clone(), str::to_owned),
                by: match library.is_in_dependency {
                    _ if used && by != library::IN_TREE => by,
                    true => "in a dependency",
                    false => "in the tree",
                },
                used,
            });
        }
        if !is_listed {
            let path = place.to_string_lossy().replace('\\', "/");
            let mlir = self.mlir.value.clone();
            self.libraries.push(LibraryEntry { path, mlir, by, used: true });
        }
        self.libraries.sort_by_key(|library| !library.used);
        Ok(())
    }

    /// Returns a line for each file and folder: kind, path, reason.
    fn lines(&self) -> String {
        let mut rows: Vec<(&str, String, &str)> = Vec::new();
        rows.extend(self.files.iter().map(|file| (file.kind, file.path.clone(), &*file.why)));
        for library in &self.libraries {
            let path = library.path.clone();
            rows.push(("library", path, if library.used { library.by } else { "not used" }));
        }
        rows.extend(self.dependencies.iter().map(|it| ("dependency", it.path.clone(), it.by)));
        let others = self.outputs.iter().chain(&self.ignored).chain(&self.others);
        rows.extend(others.map(|it| (it.kind, it.path.clone(), &*it.why)));
        rows.sort_by(|one, other| one.1.cmp(&other.1));
        rows.iter().map(|(kind, path, why)| format!("{kind}\t{path}\t{why}\n")).collect()
    }

    /// Returns a few lines about the whole project.
    fn summary(&self, is_verbose: bool) -> String {
        let mut lines: Vec<(&str, String, String)> = Vec::new();
        let by = match self.by {
            Some(FILE_NAME) => format!("root by {FILE_NAME}"),
            Some(by) => format!("root by {by}, no {FILE_NAME}"),
            None if self.has_manifest => format!("root by {FILE_NAME}"),
            None => format!("the path, no {FILE_NAME}"),
        };
        lines.push(("project", self.root.clone(), by));
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for file in &self.files {
            *counts.entry(file.kind).or_default() += 1;
        }
        let kinds = [
            ("root", "roots"),
            ("included", "included"),
            ("include-only", "include-only"),
            ("lit-test", "lit-test"),
        ];
        let of_kinds = kinds.iter().filter_map(|(kind, many)| {
            let count = counts.get(kind)?;
            Some(format!("{count} {}", if *count == 1 { kind } else { many }))
        });
        let count = self.files.len();
        let files = if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
        lines.push(("sources", files, of_kinds.collect::<Vec<_>>().join(", ")));
        for (index, library) in self.libraries.iter().enumerate() {
            let state = if library.used { library.by } else { "not used" };
            let kind = if index == 0 { "library" } else { "" };
            let is_number = library.mlir.starts_with(|first: char| first.is_ascii_digit());
            let mlir = if is_number { format!("MLIR {}", library.mlir) } else { library.mlir.clone() };
            lines.push((kind, library.path.clone(), format!("{mlir}, {state}")));
        }
        if is_verbose {
            lines.push(("mlir", self.mlir.value.clone(), format!("by {}", self.mlir.by)));
            let settings = self.settings.iter();
            lines.extend(settings.map(|(name, value, by)| (*name, value.clone(), format!("by {by}"))));
        }
        for it in &self.dependencies {
            let files = display::counted(it.files, "file");
            lines.push((
                "depends",
                it.path.clone(),
                format!("{}, {files}, {} included", it.by, it.used.len()),
            ));
        }
        for (path, line) in &self.output_folders {
            lines.push(("output", path.clone(), line.clone()));
        }
        for it in &self.ignored {
            lines.push(("ignored", it.path.clone(), format!("{}: {}", it.kind, it.why)));
        }
        for it in &self.others {
            lines.push((it.kind, it.path.clone(), it.why.clone()));
        }
        /// The column of reasons, unless paths are longer.
        const LEAST: usize = 25;
        let width = lines.iter().map(|(_, path, _)| path.chars().count()).max().unwrap_or_default();
        let width = width.max(LEAST);
        lines.iter().map(|(kind, path, why)| format!("{kind:<8} {path:<width$} {why}\n")).collect()
    }
}
