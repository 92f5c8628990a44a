//! `odsmith import`: turns a project's build into a manifest.

use std::{
    fs,
    io::{Write, stdout},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Args;
use odsmith_tblgen::library::header_release;

use super::to_stderr;
use crate::{
    import::{
        Origin, Reading, Warning,
        bazel::{self, Workspace},
        below,
        cmake::{self, Tree},
        compile_commands, folder_of, makefile, ninja, tablegen_files,
        targets::{self, Project},
    },
    pipeline::library::is_library,
    store::disk,
};

/// The build folder to assume if there is no build.
const NO_BUILD: &str = "/build-of-no-build";

/// The arguments of `odsmith import`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The folder of a build (build.ninja, Makefile, compile_commands.json), or of sources (BUILD.bazel, CMakeLists.txt)
    folder: PathBuf,
    /// The folder of the sources, where the manifest will be; the build says which, if it is CMake's
    #[arg(long, value_name = "DIR")]
    source: Option<PathBuf>,
}

/// The commands that were read, and the folders of the project.
struct Import {
    reading: Reading,
    source: String,
    binary: String,
    by: String,
}

impl Options {
    /// Runs the command: the manifest goes to standard output, warnings about unread parts to standard error.
    ///
    /// # Errors
    /// There is nothing to read in the folder, or nothing in it calls the tool.
    pub fn run(self) -> Result<ExitCode, String> {
        let import = self.read()?;
        let project = Project {
            source: &import.source,
            binary: &import.binary,
            library: &|folder| {
                let folder = Path::new(folder);
                is_library(folder).then(|| header_release(folder).unwrap_or_default())
            },
            holds_definitions: &|folder| holds_definitions(Path::new(folder), 0),
        };
        let (manifest, warnings) = targets::manifest(import.reading, &project);
        for Warning { origin: Origin { file, line }, message } in &warnings {
            to_stderr(format!("{file}:{line}: warning: {message}\n").as_bytes());
        }
        let outputs: usize = manifest.target.iter().map(|target| target.outputs.len()).sum();
        if outputs == 0 {
            return Err(format!("{}: nothing there calls mlir-tblgen", self.folder.display()));
        }
        let text = targets::to_toml(&manifest, &format!("Made by `odsmith import` from {}.", import.by));
        let (roots, warned) = (manifest.target.len(), warnings.len());
        stdout().lock().write_all(text.as_bytes()).map_err(|error| error.to_string())?;
        let say = format!(
            "{outputs} outputs of {roots} roots, {warned} warnings; belongs into {}\n",
            import.source
        );
        to_stderr(say.as_bytes());
        Ok(ExitCode::SUCCESS)
    }

    fn read(&self) -> Result<Import, String> {
        let folder = full(&self.folder)?;
        let source = self.source.as_deref().map(full).transpose()?;
        let file = |name: &str| {
            let path = format!("{folder}/{name}");
            Path::new(&path).is_file().then_some(path)
        };
        if let Some(path) = file("build.ninja") {
            let text = text_of(&path)?;
            let include = |name: &str| text_of(&crate::import::absolute(&folder, name)).ok();
            let reading = ninja::read(&path, &text, &folder, &include);
            return Ok(self.of_build(reading, &folder, source, "build.ninja"));
        }
        let recipes =
            if Path::new(&folder).join("CMakeCache.txt").is_file() { recipes(&folder)? } else { Vec::new() };
        if !recipes.is_empty() {
            let reading = makefile::read(&recipes, &folder);
            return Ok(self.of_build(reading, &folder, source, "the build's Makefiles"));
        }
        let mut unread = Reading::default();
        if let Some(path) = file("compile_commands.json") {
            let reading = compile_commands::read(&path, &text_of(&path)?);
            if !reading.calls.is_empty() {
                return Ok(self.of_build(reading, &folder, source, "compile_commands.json"));
            }
            unread.warnings.extend(reading.warnings);
        }
        if let Some(path) = file("tablegen_compile_commands.yml") {
            let (infos, mut reading) = tablegen_files::read(&path, &text_of(&path)?);
            reading.warnings.extend(unread.warnings);
            let source = source.or_else(|| home_of(&folder)).ok_or(
                "tablegen_compile_commands.yml names no outputs: --source names the folder of CMakeLists.txt, which does",
            )?;
            let calls =
                cmake::read(&Tree { source: &source, binary: &folder, read: &|path| text_of(path).ok() });
            reading.warnings.extend(calls.warnings);
            for mut call in calls.calls {
                match infos.iter().find(|info| info.td == call.td) {
                    Some(info) => call.includes.clone_from(&info.includes),
                    None => reading.warnings.push(Warning {
                        origin: call.origin.clone(),
                        message: format!(
                            "{path} has no '{}': its folders are those of CMakeLists.txt",
                            call.td
                        ),
                    }),
                }
                reading.calls.push(call);
            }
            for info in infos {
                if !reading.calls.iter().any(|call| call.td == info.td) {
                    let message =
                        format!("no CMakeLists.txt says what becomes of '{}': it is left out", info.td);
                    reading.warnings.push(Warning { origin: info.origin, message });
                }
            }
            return Ok(self.of_build(
                reading,
                &folder,
                Some(source),
                "tablegen_compile_commands.yml and CMakeLists.txt",
            ));
        }
        self.of_sources(folder)
    }

    fn of_build(&self, reading: Reading, folder: &str, source: Option<String>, by: &str) -> Import {
        let source = source.or_else(|| home_of(folder)).unwrap_or_else(|| shared_folder(&reading));
        Import { reading, source, binary: folder.to_owned(), by: by.to_owned() }
    }

    /// Reads the build files of a project without a build.
    fn of_sources(&self, folder: String) -> Result<Import, String> {
        let (mut build_files, mut macro_files) = (Vec::new(), Vec::new());
        disk::walk(Path::new(&folder), "", 0, &mut |path, file| {
            let name = path.rsplit('/').next().unwrap_or(path);
            let is_build = matches!(name, "BUILD" | "BUILD.bazel");
            if is_build || name.ends_with(".bzl") {
                let text = String::from_utf8_lossy(&fs::read(file).map_err(|error| disk::reason(&error))?)
                    .into_owned();
                (if is_build { &mut build_files } else { &mut macro_files }).push((path.to_owned(), text));
            }
            Ok(())
        })?;
        // `BUILD.bazel` takes precedence over `BUILD`.
        let packages: Vec<String> = build_files.iter().map(|(path, _)| path.clone()).collect();
        build_files.retain(|(path, _)| !packages.contains(&format!("{path}.bazel")));
        let is_cmake = Path::new(&folder).join("CMakeLists.txt").is_file();
        if !build_files.is_empty() {
            let reading = bazel::read(&Workspace {
                root: &folder,
                build_files: &build_files,
                macro_files: &macro_files,
            });
            if !reading.calls.is_empty() || !is_cmake {
                let by = "BUILD.bazel".to_owned();
                return Ok(Import { reading, source: folder.clone(), binary: folder, by });
            }
        }
        if !is_cmake {
            return Err(format!(
                "{folder}: holds no build.ninja, Makefile, compile_commands.json, tablegen_compile_commands.yml, \
                 BUILD.bazel or CMakeLists.txt"
            ));
        }
        let read = |path: &str| text_of(path).ok();
        let reading = cmake::read(&Tree { source: &folder, binary: NO_BUILD, read: &read });
        Ok(Import { reading, source: folder, binary: NO_BUILD.to_owned(), by: "CMakeLists.txt".to_owned() })
    }
}

fn full(folder: &Path) -> Result<String, String> {
    let wrong = |reason: String| format!("{}: {reason}", folder.display());
    let full = fs::canonicalize(folder).map_err(|error| wrong(disk::reason(&error)))?;
    full.into_os_string().into_string().map_err(|_| wrong("the path is not UTF-8".to_owned()))
}

fn text_of(path: &str) -> Result<String, String> {
    let bytes = fs::read(path).map_err(|error| format!("{path}: {}", disk::reason(&error)))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the source folder noted in CMake's cache.
fn home_of(folder: &str) -> Option<String> {
    let cache = text_of(&format!("{folder}/CMakeCache.txt")).ok()?;
    let home = cache.lines().find_map(|line| line.strip_prefix("CMAKE_HOME_DIRECTORY:INTERNAL="))?;
    full(Path::new(home)).ok()
}

/// Reads the recipes of CMake's Makefile generator.
fn recipes(folder: &str) -> Result<Vec<(String, String)>, String> {
    let mut recipes = Vec::new();
    disk::walk(Path::new(folder), "", 0, &mut |path, file| {
        if path.ends_with("build.make") {
            recipes.push((file.display().to_string(), text_of(&file.to_string_lossy())?));
        }
        Ok(())
    })?;
    Ok(recipes)
}

/// Returns the folder that contains all roots and their include folders.
fn shared_folder(reading: &Reading) -> String {
    let mut shared: Option<&str> = None;
    for call in &reading.calls {
        let around =
            call.includes.iter().map(String::as_str).filter(|folder| below(&call.td, folder).is_some());
        for folder in around.chain([folder_of(&call.td)]) {
            let mut known = shared.unwrap_or(folder);
            while !known.is_empty() && below(folder, known).is_none() {
                known = folder_of(known);
            }
            shared = Some(known);
        }
    }
    shared.filter(|folder| !folder.is_empty()).unwrap_or("/").to_owned()
}

/// Returns true if a folder contains definitions, within `MOST_DEPTH` levels.
fn holds_definitions(folder: &Path, depth: usize) -> bool {
    const MOST_DEPTH: usize = 12;
    let Ok(entries) = fs::read_dir(folder) else { return false };
    let entries: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    let is_definition = |path: &PathBuf| path.extension().is_some_and(|end| end == "td") && path.is_file();
    entries.iter().any(is_definition)
        || depth < MOST_DEPTH
            && entries
                .iter()
                .any(|path| path.is_dir() && !path.is_symlink() && holds_definitions(path, depth + 1))
}
