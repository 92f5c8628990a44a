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
    /// Fail if less than this per cent of what the definitions could tell is told (coverage.html says what is missing)
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u64).range(..=100))]
    min_coverage: Option<u64>,
}

impl Options {
    /// Runs the command: 0 if nothing was wrong, 1 if something was.
    ///
    /// # Errors
    /// The bundle can not be read, or the site not be written.
    pub fn run(self) -> Result<ExitCode, String> {
        // Roots are evaluated; nothing else of them is asked for.
        let finished = self.input.run(|manifest| {
            manifest.docs.enabled = true;
            manifest.target.iter_mut().for_each(|target| target.outputs.clear());
        })?;
        let pages = finished.files.into_iter().filter_map(|(path, bytes)| {
            let below = path.strip_prefix("site/").map(str::to_owned);
            below.or_else(|| path.starts_with("markdown/").then_some(path)).map(|path| (path, bytes))
        });
        let pages: BTreeMap<String, Vec<u8>> = pages.collect();
        write_out(&self.out, &pages)?;
        to_stderr(format!("{} files in {}\n", pages.len(), self.out.display()).as_bytes());
        let is_covered = self.min_coverage.is_none_or(|least| {
            let told = coverage(&pages);
            if told < least {
                let message =
                    format!("error: {told} % is documented, {least} % is asked for: see coverage.html\n");
                to_stderr(message.as_bytes());
            }
            told >= least
        });
        let is_fine = is_covered && !has_error(finished.result.all_diagnostics());
        Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// How much is documented, in per cent, as the page says that is for people and machines.
fn coverage(pages: &BTreeMap<String, Vec<u8>>) -> u64 {
    let page =
        pages.get("coverage.json").and_then(|bytes| serde_json::from_slice::<serde_json::Value>(bytes).ok());
    page.and_then(|page| page["total"]["percent"].as_u64()).unwrap_or(0)
}
