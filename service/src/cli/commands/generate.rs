//! `odsmith generate`: makes everything that a bundle asks for, into a folder or an archive.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
    process::ExitCode,
};

use clap::Args;

use super::{Destination, Input, to_stderr};
use crate::{
    pipeline::{
        generate::{Finished, Status},
        manifest::Manifest,
        workspace::IN_TREE,
    },
    store::{disk, output_folder::OutputFolder},
};

/// The arguments of `odsmith generate`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "Environment:
  ODSMITH_CACHE  Folder in which outputs are kept for later calls, or `off` (default: ~/.cache/odsmith/states). They are
                 kept the second time that the same targets are asked for, without a reference or a model.")]
pub struct Options {
    #[command(flatten)]
    input: Input,
    /// A folder, or an archive by its name (.tar.gz, .tar.zst, .zip, .tar)
    #[arg(short, long, value_name = "OUT")]
    out: PathBuf,
    /// Only the outputs, at their paths below OUT; those that stay as they are keep their time
    #[arg(long)]
    outputs_only: bool,
    /// Write which files were read, for a build: the first output depends on them
    #[arg(long, value_name = "FILE", requires = "outputs_only")]
    depfile: Option<PathBuf>,
}

impl Options {
    /// Runs the command: 0 if all could be made, 1 if not. With several releases each has a folder of its name.
    ///
    /// # Errors
    /// The bundle cannot be read, or the results cannot be written.
    pub fn run(self) -> Result<ExitCode, String> {
        if self.outputs_only {
            return self.run_outputs();
        }
        let destination = Destination::new(&self.out, "generate", self.input.place())?;
        let done = self.run_all(&destination);
        // Outputs are missing after an error, so older ones are kept.
        destination.finish(done.as_ref().is_ok_and(|code| *code == ExitCode::SUCCESS), done)
    }

    fn run_all(&self, destination: &Destination) -> Result<ExitCode, String> {
        let names = self.input.mlir.clone().unwrap_or_default();
        let releases: Vec<&str> = names.split(',').map(str::trim).collect();
        if releases.len() < 2 {
            let pages = destination.pages("", |path| Some(path.to_owned()));
            let finished = self.input.run(|_| {}, pages)?;
            destination.write(&finished.files)?;
            return Ok(self.say(&finished, ""));
        }
        let mut files = BTreeMap::new();
        let mut code = ExitCode::SUCCESS;
        for release in releases {
            let pages = destination.pages(&format!("{release}/"), |path| Some(path.to_owned()));
            let input = Input { mlir: Some(release.to_owned()), ..self.input.clone() };
            let finished = input.run(|_| {}, pages)?;
            if self.say(&finished, &format!("MLIR {release}: ")) != ExitCode::SUCCESS {
                code = ExitCode::FAILURE;
            }
            files
                .extend(finished.files.into_iter().map(|(path, bytes)| (format!("{release}/{path}"), bytes)));
        }
        destination.write(&files)?;
        Ok(code)
    }

    /// Writes only the outputs, for a build. With a depfile the build itself keeps track of the folder's contents.
    fn run_outputs(&self) -> Result<ExitCode, String> {
        let outputs_alone = |manifest: &mut Manifest| {
            manifest.docs.enabled = false;
            manifest.model = false;
        };
        let (files, request) = self.input.prepare(outputs_alone)?;
        let finished = files.run(request, None)?;
        let folder = match &self.depfile {
            Some(_) => None,
            None => Some(OutputFolder::open(&self.out, "generate")?.for_project(self.input.place())),
        };
        let mut made = Vec::new();
        let mut written = Ok(());
        let mut reads = BTreeSet::new();
        for output in &finished.result.outputs {
            reads.extend(output.reads.iter().map(String::as_str));
            let below = output.path.strip_prefix("cpp/").unwrap_or(&output.path);
            let place = disk::place(&self.out, below);
            let Some(bytes) = finished.files.get(&output.path) else { continue };
            let is_there = fs::read(&place).is_ok_and(|old| old == *bytes);
            let own = match &folder {
                Some(folder) if is_there => folder.keep(below, bytes),
                Some(folder) => folder.write(below, bytes),
                None if is_there => Ok(()),
                None => disk::write(&place, bytes),
            };
            written = written.and(own);
            made.push(place);
        }
        if let Some(folder) = folder {
            // Several calls of a build may share a folder.
            written = written.and(folder.finish(false)).map(drop);
        }
        written?;
        if let (Some(depfile), Some(first)) = (&self.depfile, made.first()) {
            let workspace = files.workspace.as_ref();
            let projects: BTreeMap<String, PathBuf> = self.input.other_projects(workspace).collect();
            let library = self.input.library_place(workspace);
            let mut rule = format!("{}:", escaped(&first.to_string_lossy()));
            for path in reads {
                let own = |path: &str| match workspace {
                    Some(workspace) => workspace.place_of(path),
                    None => disk::place(&self.input.input, path),
                };
                let place = match path.strip_prefix('<').and_then(|rest| rest.split_once(">/")) {
                    _ if path.starts_with(IN_TREE) => Some(own(path)),
                    None => Some(own(path)),
                    Some((name, below)) => {
                        projects.get(name).or(library.as_ref()).map(|root| disk::place(root, below))
                    }
                };
                if let Some(place) = place {
                    rule += " ";
                    rule += &escaped(&place.to_string_lossy());
                }
            }
            disk::write(depfile, format!("{rule}\n").as_bytes())?;
        }
        let is_done = finished.result.status == Status::Ok;
        Ok(if is_done { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// Prints a summary of the results.
    fn say(&self, finished: &Finished, of: &str) -> ExitCode {
        let outputs = &finished.result.outputs;
        let made = outputs.iter().filter(|output| output.status == Status::Ok).count();
        let site = finished.result.site.as_ref().map_or(0, |site| site.files);
        let (count, out) = (outputs.len(), self.out.display());
        to_stderr(format!("{of}{made} of {count} outputs, {site} files of reference in {out}\n").as_bytes());
        if finished.result.status == Status::Ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// Escapes a path for a make rule.
fn escaped(path: &str) -> String {
    path.replace('$', "$$").replace(' ', "\\ ").replace('#', "\\#")
}
