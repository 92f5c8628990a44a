//! `odsmith upgrade`: reports how another release of MLIR affects a project.

use std::{
    collections::BTreeMap,
    fs,
    io::{Write, stdout},
    mem,
    path::PathBuf,
    process::ExitCode,
    sync::Arc,
};

use clap::{Args, ValueEnum};
use odsmith_engine::{
    cancel::Cancel,
    limits::Limits,
    parallel,
    release::major_version,
    review::{
        diff::rules::Severity,
        upgrade::{Upgrade, edits, render},
    },
};

use super::{Input, LibraryOptions, Progress, ProjectOptions, to_stderr, warn_of};
use crate::{
    jobs::pool::Pool,
    pipeline::{
        pins,
        upgrade::{self, Answer, Program, Request},
        workspace::Workspace,
    },
    store::disk,
};

/// The exit code if a project cannot be read, which must not look like a clean result.
const UNREADABLE: u8 = 2;
/// The most bytes of programs or C++ files to scan, and the most files.
const MOST_BYTES: u64 = 256 << 20;
const MOST_FILES: usize = 20_000;

/// The arguments of `odsmith upgrade`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The project: a folder, or an archive
    #[arg(value_name = "PATH", default_value = ".")]
    project: PathBuf,
    /// MLIR release that the project is made for
    #[arg(long, value_name = "RELEASE", required_unless_present_any = ["rows", "explain"])]
    from: Option<String>,
    /// MLIR release that it goes to
    #[arg(long, value_name = "RELEASE", required_unless_present_any = ["rows", "explain"])]
    to: Option<String>,
    /// Edit the project's files where a name, an include or a field is called otherwise
    #[arg(long, conflicts_with = "diff")]
    fix: bool,
    /// Print those edits as a patch, and nothing else
    #[arg(long)]
    diff: bool,
    /// Also look for MLIR's definitions in C++ files, and compare all of MLIR
    #[arg(long)]
    scan: bool,
    /// Take each .td file for a root, not only those that no other file includes
    #[arg(long)]
    each_file: bool,
    /// Leave generated files out
    #[arg(long)]
    no_generated: bool,
    /// The severity that makes the exit code 1
    #[arg(long, value_enum, default_value = "error")]
    fail_on: Least,
    /// How the report is printed
    #[arg(long, value_enum, default_value = "text")]
    format: Form,
    /// A file for it, in place of standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// List what releases dropped, renamed and moved
    #[arg(long)]
    rows: bool,
    /// Explain a row of that list
    #[arg(long, value_name = "ROW")]
    explain: Option<String>,
    #[command(flatten)]
    files: ProjectOptions,
    #[command(flatten)]
    library: LibraryOptions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Least {
    Error,
    Warning,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    Text,
    Json,
    Markdown,
    Html,
}

impl Options {
    /// Runs the command: 0 if nothing is as bad as `--fail-on`, 1 if something is, 2 if the project or the newer library can
    /// not be read.
    ///
    /// # Errors
    /// The request is wrong, or a file cannot be written.
    pub fn run(self) -> Result<ExitCode, String> {
        if let Some(id) = &self.explain {
            let page =
                render::row_page(id).ok_or_else(|| format!("there is no row {id}; --rows lists them"))?;
            return self.write(&page).map(|()| ExitCode::SUCCESS);
        }
        if self.rows {
            let text = match self.format {
                Form::Json => pretty(&render::rows_json()),
                Form::Markdown => render::rows_markdown(),
                Form::Html => render::rows_html(),
                Form::Text => render::rows_text(),
            };
            return self.write(&text).map(|()| ExitCode::SUCCESS);
        }
        let (request, workspace) = match self.request() {
            Ok(read) => read,
            Err(message) => {
                to_stderr(format!("error: {message}\n").as_bytes());
                return Ok(ExitCode::from(UNREADABLE));
            }
        };
        let progress = Progress::start();
        progress.say(&format!("comparing {} files over both releases", request.bundle.len()));
        let pool = Pool::new(1, 1).map_err(|error| error.to_string())?;
        let bundle = request.bundle.clone();
        let answer = pool.wait(move || upgrade::report(&request));
        let Answer { report, edited } =
            answer.map_err(|_| "the job ended in a way that it never should".to_owned())??;
        if self.diff {
            let files: edits::Files<'_> = bundle.iter().map(|(path, bytes)| (path, &**bytes)).collect();
            self.write(&edits::patch(&report.edits, &files))?;
        } else {
            self.write(&self.render(&report))?;
        }
        if self.fix {
            edit(workspace.as_ref(), &edited)?;
            to_stderr(
                format!(
                    "odsmith: {}: {}\n",
                    counted(edited.len(), "file was edited", "files were edited"),
                    report.proof.text()
                )
                .as_bytes(),
            );
        }
        let fails = match self.fail_on {
            Least::Error => report.fails(Severity::Error),
            Least::Warning => report.fails(Severity::Warning),
            Least::Never => false,
        };
        Ok(if fails { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }

    /// Reads the project and the libraries. Archives have no workspace.
    fn request(&self) -> Result<(Request, Option<Workspace>), String> {
        let (from, to) = (self.from.as_deref().unwrap_or_default(), self.to.as_deref().unwrap_or_default());
        let number = major_version(from)
            .ok_or_else(|| format!("--from wants a release, such as 19: '{from}' is none"))?;
        let input = Input {
            input: self.project.clone(),
            project: self.files.clone(),
            mlir: Some(to.to_owned()),
            library: self.library.clone(),
            ..Input::default()
        };
        let mut files = input.read()?;
        let new = files.libraries.of(Some(to))?.clone();
        if new.release().is_before(number) {
            return Err(format!("--from {from} is newer than --to {to}"));
        }
        let old = self.library.load(Some(from), None).and_then(|all| all.of(Some(from)).cloned());
        warn_of(&new);
        if let Ok(old) = &old
            && old.caution() != new.caution()
        {
            warn_of(old);
        }
        let bundle = mem::take(&mut files.bundle);
        let request = input.request(&files, bundle, |_| ())?;
        let mut programs = Vec::new();
        let mut cpp = Vec::new();
        if let Some(workspace) = &files.workspace {
            for (path, file) in workspace.files() {
                let (path, file) = (&*path, &*file);
                let end = path.rsplit_once('.').map_or("", |(_, end)| end);
                let is_program = matches!(end, "mlir" | "mlirbc");
                let is_cpp = self.scan && matches!(end, "h" | "hpp" | "cc" | "cpp" | "cxx");
                let is_small = || fs::metadata(file).is_ok_and(|data| data.len() <= MOST_BYTES);
                if (is_program || is_cpp) && programs.len() + cpp.len() < MOST_FILES && is_small() {
                    let bytes =
                        fs::read(file).map_err(|error| format!("{path}: {}", disk::reason(&error)))?;
                    if is_program {
                        programs.push(Program { path: path.to_owned(), bytes });
                    } else {
                        cpp.push(bytes);
                    }
                }
            }
        }
        let request = Request {
            bundle: Arc::unwrap_or_clone(request.bundle),
            includes: request.manifest.includes,
            old,
            from: number,
            new,
            each_file: self.each_file,
            generates: !self.no_generated,
            whole_library: self.scan,
            programs,
            pin: Some(&*self.project)
                .filter(|place| place.is_dir())
                .and_then(pins::of_folder)
                .map(|pin| pin.to_string()),
            cpp,
            threads: parallel::parallelism(),
            limits: Limits::generous(),
            cancel: Cancel::new(),
        };
        Ok((request, files.workspace))
    }

    fn render(&self, report: &Upgrade) -> String {
        match self.format {
            Form::Text => render::text(report),
            Form::Json => pretty(&render::json(report)),
            Form::Markdown => render::markdown(report),
            Form::Html => render::html(report),
        }
    }

    fn write(&self, text: &str) -> Result<(), String> {
        match &self.out {
            Some(path) => disk::write(path, text.as_bytes()),
            None => stdout().lock().write_all(text.as_bytes()).map_err(|error| error.to_string()),
        }
    }
}

/// Writes the edited files back in place.
fn edit(workspace: Option<&Workspace>, edited: &BTreeMap<String, Vec<u8>>) -> Result<(), String> {
    let Some(workspace) = workspace else {
        return Err("--fix edits the files of a folder; --diff prints the edits".to_owned());
    };
    edited.iter().try_for_each(|(path, bytes)| disk::write(&workspace.place_of(path), bytes))
}

fn counted(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}

fn pretty(value: &serde_json::Value) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}
