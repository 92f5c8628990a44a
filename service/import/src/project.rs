//! Finds the build of a project, or its build files, and reads them.

use crate::{
    Reading, Warning, absolute,
    bazel::{self, Workspace},
    below,
    cmake::{self, Tree},
    compile_commands, folder_of, makefile,
    manifest::{self, Manifest},
    ninja, tablegen_files,
};

/// The build folder to assume if there is no build.
const NO_BUILD: &str = "/build-of-no-build";

/// The files of a project, and the caller's knowledge of them. All paths are absolute, with `/`.
pub trait Project {
    /// Returns true for a file.
    fn is_file(&self, path: &str) -> bool;

    /// Returns the text of a file.
    ///
    /// # Errors
    /// The file cannot be read; the message names it.
    fn text(&self, path: &str) -> Result<String, String>;

    /// Returns the files below a folder whose names are wanted, by their paths below it.
    ///
    /// # Errors
    /// A folder cannot be read; the message names it.
    fn files(&self, folder: &str, is_wanted: &dyn Fn(&str) -> bool) -> Result<Vec<String>, String>;

    /// Returns a folder without links, if it exists.
    fn folder(&self, path: &str) -> Option<String>;

    /// Detects the release of MLIR's library in a folder; the text is empty if the release is unknown.
    fn library(&self, folder: &str) -> Option<String>;

    /// Returns true if a folder holds `.td` files.
    fn holds_definitions(&self, folder: &str) -> bool;

    /// Returns a name for the dependency in a folder.
    fn dependency(&self, folder: &str, is_taken: &dyn Fn(&str) -> bool) -> String;
}

/// A manifest, and its source.
#[derive(Debug)]
pub struct Import {
    /// The manifest.
    pub manifest: Manifest,
    /// Warnings about unread parts, sorted.
    pub warnings: Vec<Warning>,
    /// The folder of the future manifest.
    pub source: String,
    /// The name of the files that were read.
    pub by: &'static str,
}

/// Reads the build or the build files in a folder. `source` is the folder of the sources, if it is known.
///
/// # Errors
/// There is nothing to read in the folder.
pub fn import(project: &dyn Project, folder: &str, source: Option<String>) -> Result<Import, String> {
    let mut build = build(project, folder, source)?;
    for job in std::mem::take(&mut build.reading.jobs) {
        match project.text(&job.manifest).map(|text| manifest::calls(&job, &text)) {
            Ok(Ok(calls)) => build.reading.calls.extend(calls),
            Ok(Err(reason)) => build.reading.warn(&job.origin, format!("'{}': {reason}", job.manifest)),
            Err(reason) => build.reading.warn(&job.origin, reason),
        }
    }
    let (manifest, mut warnings) = manifest::manifest(build.reading, project, &build.source, &build.binary);
    // Users know no such folder.
    for warning in &mut warnings {
        warning.message = warning.message.replace(&format!("{NO_BUILD}/"), "");
    }
    Ok(Import { manifest, warnings, source: build.source, by: build.by })
}

/// The commands that were read, and the folders of the project.
struct Build {
    reading: Reading,
    source: String,
    /// The folder of the build; outputs keep their paths below it.
    binary: String,
    by: &'static str,
}

fn build(project: &dyn Project, folder: &str, source: Option<String>) -> Result<Build, String> {
    let file = |name: &str| Some(format!("{folder}/{name}")).filter(|path| project.is_file(path));
    let read = |path: &str| project.text(path).ok();
    let configured = |reading: Reading, source: Option<String>, by| {
        let source = source.or_else(|| home_of(project, folder)).unwrap_or_else(|| shared_folder(&reading));
        Ok(Build { reading, source, binary: folder.to_owned(), by })
    };
    if let Some(path) = file("build.ninja") {
        let reading =
            ninja::read(&path, &project.text(&path)?, folder, &|name| read(&absolute(folder, name)));
        return configured(reading, source, "build.ninja");
    }
    let recipes = match file("CMakeCache.txt") {
        Some(_) => texts(project, folder, &|name| name.ends_with("build.make"))?,
        None => Vec::new(),
    };
    if !recipes.is_empty() {
        return configured(makefile::read(&recipes, folder), source, "the build's Makefiles");
    }
    let mut unread = Vec::new();
    if let Some(path) = file("compile_commands.json") {
        let reading = compile_commands::read(&path, &project.text(&path)?);
        if !reading.calls.is_empty() {
            return configured(reading, source, "compile_commands.json");
        }
        unread = reading.warnings;
    }
    let Some(path) = file("tablegen_compile_commands.yml") else { return of_sources(project, folder) };
    let (infos, warnings) = tablegen_files::read(&path, &project.text(&path)?);
    let source = source.or_else(|| home_of(project, folder)).ok_or(
        "tablegen_compile_commands.yml names no outputs: --source names the folder of CMakeLists.txt, which does",
    )?;
    let mut reading = cmake::read(&Tree { source: &source, binary: folder, project });
    reading.warnings.extend(warnings.into_iter().chain(unread));
    for call in &mut reading.calls {
        match infos.iter().find(|info| info.td == call.td) {
            Some(info) => call.includes.clone_from(&info.includes),
            None => reading.warnings.push(Warning {
                origin: call.origin.clone(),
                message: format!("{path} has no '{}': its folders are those of CMakeLists.txt", call.td),
            }),
        }
    }
    for info in infos {
        if !reading.calls.iter().any(|call| call.td == info.td) {
            let message = format!("no CMakeLists.txt says what becomes of '{}': it is left out", info.td);
            reading.warnings.push(Warning { origin: info.origin, message });
        }
    }
    configured(reading, Some(source), "tablegen_compile_commands.yml and CMakeLists.txt")
}

/// Reads the build files of a project without a build.
fn of_sources(project: &dyn Project, folder: &str) -> Result<Build, String> {
    let mut build_files = texts(project, folder, &|name| matches!(name, "BUILD" | "BUILD.bazel"))?;
    // `BUILD.bazel` takes precedence over `BUILD`.
    let packages: Vec<String> = build_files.iter().map(|(path, _)| path.clone()).collect();
    build_files.retain(|(path, _)| !packages.contains(&format!("{path}.bazel")));
    let is_cmake = project.is_file(&format!("{folder}/CMakeLists.txt"));
    if !build_files.is_empty() {
        let macro_files = texts(project, folder, &|name| name.ends_with(".bzl"))?;
        let module_files = ["MODULE.bazel", "WORKSPACE.bazel", "WORKSPACE"]
            .map(|name| format!("{folder}/{name}"))
            .into_iter()
            .filter_map(|path| project.text(&path).ok());
        let module_files: Vec<String> = module_files.collect();
        let (build_files, macro_files) = (&build_files, &macro_files);
        let reading =
            bazel::read(&Workspace { root: folder, build_files, macro_files, module_files: &module_files });
        if !reading.calls.is_empty() || !is_cmake {
            let (source, binary) = (folder.to_owned(), folder.to_owned());
            return Ok(Build { reading, source, binary, by: "BUILD.bazel" });
        }
    }
    if !is_cmake {
        return Err(format!(
            "'{folder}' holds no build.ninja, Makefile, compile_commands.json, tablegen_compile_commands.yml, \
             BUILD.bazel or CMakeLists.txt"
        ));
    }
    let reading = cmake::read(&Tree { source: folder, binary: NO_BUILD, project });
    Ok(Build { reading, source: folder.to_owned(), binary: NO_BUILD.to_owned(), by: "CMakeLists.txt" })
}

/// Returns the texts of files below a folder, with their paths below it.
fn texts(
    project: &dyn Project,
    folder: &str,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Result<Vec<(String, String)>, String> {
    let files = project.files(folder, is_wanted)?.into_iter();
    files.map(|path| Ok((path.clone(), project.text(&format!("{folder}/{path}"))?))).collect()
}

/// Returns the source folder noted in CMake's cache.
fn home_of(project: &dyn Project, folder: &str) -> Option<String> {
    let cache = project.text(&format!("{folder}/CMakeCache.txt")).ok()?;
    let home = cache.lines().find_map(|line| line.strip_prefix("CMAKE_HOME_DIRECTORY:INTERNAL="))?;
    project.folder(home)
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

#[cfg(test)]
pub(crate) mod memory {
    use std::collections::BTreeMap;

    use super::Project;
    use crate::below;

    /// The files of a test.
    pub(crate) struct Memory(BTreeMap<String, String>);

    impl Memory {
        pub(crate) fn of(files: &[(&str, &str)]) -> Memory {
            Memory(files.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect())
        }
    }

    impl Project for Memory {
        fn is_file(&self, path: &str) -> bool {
            self.0.contains_key(path)
        }
        fn text(&self, path: &str) -> Result<String, String> {
            self.0.get(path).cloned().ok_or_else(|| format!("{path}: no such file"))
        }
        fn files(&self, folder: &str, is_wanted: &dyn Fn(&str) -> bool) -> Result<Vec<String>, String> {
            let below = self.0.keys().filter_map(|path| below(path, folder));
            let wanted = below.filter(|path| is_wanted(path.rsplit('/').next().unwrap_or(path)));
            Ok(wanted.map(str::to_owned).collect())
        }
        fn folder(&self, path: &str) -> Option<String> {
            self.0.keys().any(|file| below(file, path).is_some()).then(|| path.to_owned())
        }
        fn library(&self, folder: &str) -> Option<String> {
            (folder == "/mlir").then(|| "22".to_owned())
        }
        fn holds_definitions(&self, folder: &str) -> bool {
            folder != "/b/inc"
        }
        fn dependency(&self, _: &str, _: &dyn Fn(&str) -> bool) -> String {
            "other".to_owned()
        }
    }
}
