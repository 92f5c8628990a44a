//! `odsmith generate`: makes everything that a bundle asks for, into a folder or an archive.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
};

use clap::Args;

use super::{Destination, Input, display, exit::ExitStatus, fetch, options::ReportOptions, unread, wrote};
use crate::{
    pipeline::{
        generate::{Status, none_read},
        manifest::Manifest,
        workspace::IN_TREE,
    },
    store::{
        disk,
        output_folder::{FileCounts, OutputFolder},
    },
};

/// The arguments of `odsmith generate`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Only the outputs, at their paths below OUT; those that stay as they are keep their time
    #[arg(long)]
    outputs_only: bool,
    /// Write which files were read, for a build: the first output depends on them
    #[arg(long, value_name = "FILE", requires = "outputs_only")]
    depfile: Option<PathBuf>,
    /// Fail if odsmith.lock does not fit odsmith.toml
    #[arg(long)]
    locked: bool,
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    report: ReportOptions,
    /// A folder, or an archive by its name (.tar.gz, .tar.zst, .zip, .tar)
    #[arg(short, long, value_name = "OUT", default_value = "generated", help_heading = "Report")]
    out: PathBuf,
}

impl Options {
    /// Runs the command: 0 if all could be made, 1 if not. With several releases each has a folder of its name.
    ///
    /// # Errors
    /// The bundle cannot be read, or the results cannot be written.
    pub fn run(mut self) -> Result<ExitStatus, String> {
        self.input.runs_executables = true;
        if self.locked {
            fetch::check_locked(self.input.place())?;
        }
        if self.outputs_only {
            return self.run_outputs();
        }
        let destination = Destination::new(&self.out, "generate", self.input.place())?;
        let done = self.run_all(&destination);
        // Outputs are missing after an error, so older ones are kept.
        let is_done = done.as_ref().is_ok_and(|(status, ..)| *status == ExitStatus::Done);
        let ((status, count, summary), written) = destination.finish(is_done, done)?;
        if count > 0 {
            display::closing(&format!("{}: {summary}", wrote(count, &self.out, &written)));
        }
        Ok(status)
    }

    /// Makes everything; returns the number of written files and a summary.
    fn run_all(&self, destination: &Destination) -> Result<(ExitStatus, usize, String), String> {
        let names = self.input.mlir.release.clone().unwrap_or_default();
        let releases: Vec<&str> = names.split(',').map(str::trim).collect();
        let has_several = releases.len() > 1;
        let (mut status, mut files, mut summaries, mut count) =
            (ExitStatus::Done, BTreeMap::new(), Vec::new(), 0);
        for release in releases {
            let prefix = if has_several { format!("{release}/") } else { String::new() };
            let pages = destination.pages(&prefix, |path| Some(path.to_owned()));
            let is_streamed = pages.is_some();
            let mut input = self.input.clone();
            if has_several {
                input.mlir.release = Some(release.to_owned());
            }
            let (of_project, request) = input.prepare(|_| {})?;
            let (finished, written) = of_project.run_silently(request, pages)?;
            written?;
            let (own, _) = self.report.print("generate", &finished)?;
            status = status.max(own);
            let outputs = &finished.result.outputs;
            let made = outputs.iter().filter(|output| output.status == Status::Ok).count();
            let site = finished.result.site.as_ref().map_or(0, |site| site.files);
            let of = if has_several { format!("MLIR {release}: ") } else { String::new() };
            let roots = (finished.unread.len(), finished.result.targets.len());
            let left_out = if roots.0 > 0 { format!(", {}", unread(roots)) } else { String::new() };
            summaries
                .push(format!("{of}{made} of {} outputs, {site} of the reference{left_out}", outputs.len()));
            if made == 0 && site == 0 && own != ExitStatus::Done {
                if finished.result.diagnostics.iter().all(|it| it.message != none_read(roots.1)) {
                    display::error(&format!("nothing written: {}", unread(roots)));
                }
                continue;
            }
            count += finished.files.len() + if is_streamed { site } else { 0 };
            files.extend(finished.files.into_iter().map(|(path, bytes)| (format!("{prefix}{path}"), bytes)));
        }
        destination.write(&files)?;
        Ok((status, count, summaries.join("; ")))
    }

    /// Writes only the outputs, for a build. With a depfile the build itself keeps track of the folder's contents.
    fn run_outputs(&self) -> Result<ExitStatus, String> {
        let outputs_alone = |manifest: &mut Manifest| {
            manifest.docs.enabled = false;
            manifest.model = false;
        };
        let (files, request) = self.input.prepare(outputs_alone)?;
        let (finished, written) = files.run_silently(request, None)?;
        written?;
        let (status, _) = self.report.print("generate", &finished)?;
        let folder = match &self.depfile {
            Some(_) => None,
            None => Some(OutputFolder::open(&self.out, "generate")?.for_project(self.input.place())),
        };
        let mut made = Vec::new();
        let mut written = Ok(());
        let mut reads = BTreeSet::new();
        for output in &finished.result.outputs {
            reads.extend(output.reads.iter().map(String::as_str));
            reads.extend(finished.result.manifest.plugins.values().filter_map(|it| it.file()));
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
        // A build prints lines of its own.
        if self.depfile.is_none() && !made.is_empty() {
            display::closing(&wrote(made.len(), &self.out, &FileCounts::default()));
        }
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
        Ok(status)
    }
}

/// Escapes a path for a make rule.
fn escaped(path: &str) -> String {
    path.replace('$', "$$").replace(' ', "\\ ").replace('#', "\\#")
}
