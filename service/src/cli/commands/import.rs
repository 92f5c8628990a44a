//! `odsmith import`: turns a project's build into a manifest.

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::Args;
use odsmith_import::{Origin, Project, Warning};
use odsmith_tblgen::library::header_release;

use super::{display, exit::ExitStatus};
use crate::{
    pipeline::{dependencies, library::is_library},
    store::disk,
};

/// The arguments of `odsmith import`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The folder of a build (build.ninja, Makefile, compile_commands.json), or of sources (BUILD.bazel, CMakeLists.txt)
    #[arg(value_name = "PATH", default_value = ".")]
    folder: PathBuf,
    /// The folder of the sources, which paths of the manifest begin at; a build of CMake says which it is
    #[arg(long, value_name = "DIR")]
    source: Option<PathBuf>,
    /// A file for the manifest, in place of standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Options {
    /// Runs the command: the manifest goes to standard output, warnings about unread parts to standard error.
    ///
    /// # Errors
    /// There is nothing to read in the folder, or nothing in it calls the tool.
    pub fn run(self) -> Result<ExitStatus, String> {
        let source = self.source.as_deref().map(full).transpose()?;
        let folder = full(&self.folder)?;
        let shown = self.folder.display();
        let import = odsmith_import::import(&Disk, &folder, source);
        let import =
            import.map_err(|message| message.replacen(&format!("'{folder}'"), &format!("'{shown}'"), 1))?;
        let mut lines = Vec::new();
        for Warning { origin: Origin { file, line }, message } in &import.warnings {
            lines.push(format!("{file}:{line}: warning: {message}"));
        }
        lines.extend(import.manifest.notes().iter().map(|note| format!("note: {note}")));
        let hidden = match display::lines(&lines) {
            0 => String::new(),
            count => format!(" ({count} more with -v)"),
        };
        let (roots, outputs) = import.manifest.counts();
        if outputs == 0 {
            return Err(format!("nothing in '{shown}' calls mlir-tblgen"));
        }
        let text = import.manifest.to_toml(&format!("Made by `odsmith import` from {}.", import.by));
        match &self.out {
            Some(path) => disk::write(path, text.as_bytes())?,
            None => display::print(&text)?,
        }
        let say = format!(
            "{} of {}, {}{hidden}; belongs into {}",
            display::counted(outputs, "output"),
            display::counted(roots, "root"),
            display::counted(import.warnings.len(), "warning"),
            import.source
        );
        display::closing(&say);
        Ok(ExitStatus::Done)
    }
}

/// The files of this machine.
struct Disk;

impl Project for Disk {
    fn is_file(&self, path: &str) -> bool {
        Path::new(path).is_file()
    }

    fn text(&self, path: &str) -> Result<String, String> {
        let bytes = fs::read(path).map_err(|error| format!("{path}: {}", disk::reason(&error)))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn files(&self, folder: &str, is_wanted: &dyn Fn(&str) -> bool) -> Result<Vec<String>, String> {
        let mut files = Vec::new();
        disk::walk(Path::new(folder), "", 0, &mut |path, _| {
            if is_wanted(path.rsplit('/').next().unwrap_or(path)) {
                files.push(path.to_owned());
            }
            Ok(())
        })?;
        Ok(files)
    }

    fn folder(&self, path: &str) -> Option<String> {
        full(Path::new(path)).ok()
    }

    fn library(&self, folder: &str) -> Option<String> {
        let folder = Path::new(folder);
        is_library(folder).then(|| header_release(folder).unwrap_or_default())
    }

    fn holds_definitions(&self, folder: &str) -> bool {
        holds_definitions(Path::new(folder), 0)
    }

    fn dependency(&self, folder: &str, is_taken: &dyn Fn(&str) -> bool) -> String {
        dependencies::name_of(folder, is_taken)
    }
}

fn full(folder: &Path) -> Result<String, String> {
    let wrong = |reason: String| format!("{}: {reason}", folder.display());
    let full = fs::canonicalize(folder).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => format!("'{}' is not there", folder.display()),
        _ => wrong(disk::reason(&error)),
    })?;
    full.into_os_string().into_string().map_err(|_| wrong("the path is not UTF-8".to_owned()))
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
