//! `odsmith docs`: the reference site alone.

use std::{collections::BTreeMap, path::PathBuf, process::ExitCode};

use clap::Args;

use super::{Input, has_error, to_stderr, watch, write_out};
use crate::{generate::Finished, manifest::Manifest};

/// What `odsmith docs` is told.
#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(flatten)]
    pub(super) input: Input,
    /// A folder, or an archive by its name (.tar.gz, .tar.zst, .zip, .tar)
    #[arg(short, long, value_name = "OUT", required_unless_present = "watch")]
    pub(super) out: Option<PathBuf>,
    /// Show the site on this machine, and make it anew whenever a file changes
    #[arg(long)]
    watch: bool,
    /// Open the site in a browser
    #[arg(long, requires = "watch")]
    pub(super) open: bool,
    /// The port that a watched site is shown on; 0 for a free one
    #[arg(long, default_value_t = 0, requires = "watch")]
    pub(super) port: u16,
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
        if self.watch {
            return watch::run(&self);
        }
        let finished = self.input.run(only_docs)?;
        let mut is_wrong = has_error(finished.result.all_diagnostics());
        if let Some(out) = &self.out {
            let pages = pages(finished);
            write_out(out, &pages)?;
            let told = coverage(&pages);
            if let Some(least) = self.min_coverage.filter(|least| told < *least) {
                let message =
                    format!("error: {told} % is documented, {least} % is asked for: see coverage.html\n");
                to_stderr(message.as_bytes());
                is_wrong = true;
            }
            to_stderr(format!("{} files in {}\n", pages.len(), out.display()).as_bytes());
        }
        Ok(if is_wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}

/// Roots are evaluated; nothing else of them is asked for.
pub(super) fn only_docs(manifest: &mut Manifest) {
    manifest.docs.enabled = true;
    manifest.outputs = false;
    manifest.model = false;
}

/// The files of the site, and the Markdown tree in a folder beside them. What was mended is told.
pub(super) fn pages(finished: Finished) -> BTreeMap<String, Vec<u8>> {
    let mut lines = String::new();
    for note in finished.result.site.iter().flat_map(|site| &site.notes) {
        lines.push_str(&format!("{}:{}: note: {} ({})\n", note.file, note.line, note.what, note.page));
    }
    to_stderr(lines.as_bytes());
    let below = |(path, bytes): (String, Vec<u8>)| {
        let page = path.strip_prefix("site/").map(str::to_owned);
        page.or_else(|| path.starts_with("markdown/").then_some(path)).map(|path| (path, bytes))
    };
    finished.files.into_iter().filter_map(below).collect()
}

/// How much is documented, in per cent, as the page says that is for people and machines.
fn coverage(pages: &BTreeMap<String, Vec<u8>>) -> u64 {
    let page =
        pages.get("coverage.json").and_then(|bytes| serde_json::from_slice::<serde_json::Value>(bytes).ok());
    page.and_then(|page| page["total"]["percent"].as_u64()).unwrap_or(0)
}
