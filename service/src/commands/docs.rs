//! `odsmith docs`: the reference site alone.

use std::{collections::BTreeMap, path::PathBuf, process::ExitCode};

use clap::Args;

use super::{Input, has_error, to_stderr, write_out};

/// What `odsmith docs` is told.
#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(flatten)]
    input: Input,
    /// A folder, or an archive by its name (.tar.gz, .tar.zst, .zip, .tar)
    #[arg(short, long, value_name = "OUT")]
    out: PathBuf,
}

impl Options {
    /// Runs the command: 0 if nothing was wrong, 1 if something was.
    ///
    /// # Errors
    /// The bundle can not be read, or the site not be written.
    pub fn run(self) -> Result<ExitCode, String> {
        let finished = self.input.run(|manifest| {
            manifest.docs.enabled = true;
            manifest.outputs = false;
            manifest.model = false;
        })?;
        let pages = finished.files.into_iter().filter_map(|(path, bytes)| {
            let below = path.strip_prefix("site/").map(str::to_owned);
            below.or_else(|| path.starts_with("markdown/").then_some(path)).map(|path| (path, bytes))
        });
        let pages: BTreeMap<String, Vec<u8>> = pages.collect();
        write_out(&self.out, &pages)?;
        to_stderr(format!("{} files in {}\n", pages.len(), self.out.display()).as_bytes());
        Ok(if has_error(finished.result.all_diagnostics()) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}
