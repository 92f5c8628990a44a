//! `odsmith generate`: everything that a bundle asks for, into a folder or an archive.

use std::{collections::BTreeMap, path::PathBuf, process::ExitCode};

use clap::Args;

use super::{Folder, Input, to_stderr, write_out};
use crate::{
    automatic::outputs::Wanted,
    generate::{Finished, Status},
};

/// The arguments of `odsmith generate`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(flatten)]
    input: Input,
    /// A folder, or an archive by its name (.tar.gz, .tar.zst, .zip, .tar)
    #[arg(short, long, value_name = "OUT")]
    out: PathBuf,
}

impl Options {
    /// Runs the command: 0 if all could be made, 1 if not. Of several releases each goes below a folder of its name.
    ///
    /// # Errors
    /// The bundle can not be read, or the results not be written.
    pub fn run(self) -> Result<ExitCode, String> {
        let names = self.input.mlir.clone().unwrap_or_default();
        let releases: Vec<&str> = names.split(',').map(str::trim).collect();
        if releases.len() < 2 {
            let pages = Folder::new(&self.out, |path| Some(path.to_owned()));
            let finished = self.input.run(Wanted::All, |_| {}, pages)?;
            write_out(&self.out, &finished.files)?;
            return Ok(self.say(&finished, ""));
        }
        let mut files = BTreeMap::new();
        let mut code = ExitCode::SUCCESS;
        for release in releases {
            let mut pages = Folder::new(&self.out, |path| Some(path.to_owned()));
            if let Some(folder) = &mut pages {
                folder.at.push(release);
            }
            let input = Input { mlir: Some(release.to_owned()), ..self.input.clone() };
            let finished = input.run(Wanted::All, |_| {}, pages)?;
            if self.say(&finished, &format!("MLIR {release}: ")) != ExitCode::SUCCESS {
                code = ExitCode::FAILURE;
            }
            files
                .extend(finished.files.into_iter().map(|(path, bytes)| (format!("{release}/{path}"), bytes)));
        }
        write_out(&self.out, &files)?;
        Ok(code)
    }

    /// Says what was made.
    fn say(&self, finished: &Finished, of: &str) -> ExitCode {
        let outputs = &finished.result.outputs;
        let made = outputs.iter().filter(|output| output.status == Status::Ok).count();
        let site = finished.result.site.as_ref().map_or(0, |site| site.files);
        let (count, out) = (outputs.len(), self.out.display());
        to_stderr(format!("{of}{made} of {count} outputs, {site} files of reference in {out}\n").as_bytes());
        if finished.result.status == Status::Ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}
