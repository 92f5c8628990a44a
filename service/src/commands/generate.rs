//! `odsmith generate`: everything that a bundle asks for, into a folder or an archive.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;

use super::{Folder, Input, to_stderr, write_out};
use crate::{automatic::outputs::Wanted, generate::Status};

/// What `odsmith generate` is told.
#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(flatten)]
    input: Input,
    /// A folder, or an archive by its name (.tar.gz, .tar.zst, .zip, .tar)
    #[arg(short, long, value_name = "OUT")]
    out: PathBuf,
}

impl Options {
    /// Runs the command: 0 if all could be made, 1 if not.
    ///
    /// # Errors
    /// The bundle can not be read, or the results not be written.
    pub fn run(self) -> Result<ExitCode, String> {
        let pages = Folder::new(&self.out, |path| Some(path.to_owned()));
        let finished = self.input.run(Wanted::All, |_| {}, pages)?;
        write_out(&self.out, &finished.files)?;
        let outputs = &finished.result.outputs;
        let made = outputs.iter().filter(|output| output.status == Status::Ok).count();
        let site = finished.result.site.as_ref().map_or(0, |site| site.files);
        to_stderr(
            format!(
                "{made} of {} outputs, {site} files of reference in {}\n",
                outputs.len(),
                self.out.display()
            )
            .as_bytes(),
        );
        Ok(if finished.result.status == Status::Ok { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}
