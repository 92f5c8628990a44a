//! `odsmith upgrade`: reports how another release of MLIR affects a project.

use std::{collections::BTreeMap, fs, mem, path::PathBuf, sync::Arc};

use clap::Args;
use odsmith_engine::{
    cancel::Cancel,
    limits::Limits,
    parallel,
    release::{Release, major_version},
    review::upgrade::{Upgrade, edits, render},
};

use odsmith_tblgen::profile::is_profile;

use super::{
    Input,
    display::{self, ProgressLine},
    exit::ExitStatus,
    options::{
        FileOptions, MlirOptions, ProjectOptions, ReportForm, ReportOptions, ToleranceOptions, pretty,
    },
    warn_of,
};
use crate::{
    pipeline::{
        library::{self, AUTOMATIC},
        pins,
        upgrade::{self, Answer, Program, Request},
        workspace::{Workspace, patterns::Patterns},
    },
    store::disk,
};

/// The most bytes of programs or C++ files to scan, and the most files.
const MOST_BYTES: u64 = 256 << 20;
const MOST_FILES: usize = 20_000;

/// The arguments of `odsmith upgrade`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The project: a folder, or an archive
    #[arg(value_name = "PATH", default_value = ".")]
    project: PathBuf,
    /// Edit the project's files where a name, an include or a field is called otherwise, and the statements of .mlir
    /// files that have another text
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
    #[command(flatten)]
    files: ProjectOptions,
    #[command(flatten)]
    mlir: MlirOptions,
    /// MLIR release that the project is made for [default: the project's]
    #[arg(long, value_name = "RELEASE", help_heading = "MLIR")]
    from: Option<String>,
    /// MLIR release that it goes to [default: the newest that is here]
    #[arg(long, value_name = "RELEASE", help_heading = "MLIR")]
    to: Option<String>,
    #[command(flatten)]
    tolerance: ToleranceOptions,
    #[command(flatten)]
    report: ReportOptions,
    #[command(flatten)]
    file: FileOptions,
}

impl Options {
    /// Runs the command.
    ///
    /// # Errors
    /// The request is wrong, the project or the newer library cannot be read, or a file cannot be written.
    pub fn run(self) -> Result<ExitStatus, String> {
        let (request, workspace) = self.request()?;
        let line = ProgressLine::start("comparing both releases");
        let bundle = request.bundle.clone();
        let tolerated = Patterns::new(&request.ignore_errors)?;
        let keeps_going = request.keep_going;
        let answer = parallel::with_stack(|| upgrade::report(&request));
        drop(line);
        let Answer { report, edited } = answer?;
        if self.diff {
            let programs = request.programs.iter().map(|program| (&*program.path, &*program.bytes));
            let files: edits::Files<'_> =
                bundle.iter().map(|(path, bytes)| (path, &**bytes)).chain(programs).collect();
            self.file.write(&edits::patch(&report.edits, &files))?;
        } else {
            self.file.write(&self.render(&report))?;
        }
        if self.fix {
            edit(workspace.as_ref(), &edited)?;
            display::closing(&format!(
                "edited {}: {}",
                display::counted(edited.len(), "file"),
                report.proof.text()
            ));
        }
        let fail_on = self.report.fail_on();
        let makes_some = report.reading.read + report.reading.mended.len() > 0;
        let is_tolerated = |root: &str| keeps_going && makes_some || tolerated.has(root);
        let mut counted = report;
        counted.reading.failures.retain(|failure| !is_tolerated(&failure.root));
        let has_error = counted.own_errors().next().is_some() || counted.reading.unmade > 0 && !keeps_going;
        let fails = fail_on.least().is_some_and(|least| has_error || counted.fails(least));
        Ok(ExitStatus::of(!fails))
    }

    /// Returns the release that the project is made for, and the one that it goes to.
    fn releases(&self, input: &Input) -> Result<(String, String), String> {
        let from = match self.from.as_deref().or(self.mlir.release()).filter(|name| *name != AUTOMATIC) {
            Some(from) if !is_profile(from) => from.to_owned(),
            _ => {
                let files = input.read()?;
                let own = input.request(&files, files.bundle.clone(), |_| ())?;
                own.library.release().name().to_owned()
            }
        };
        if let Some(to) = &self.to {
            return Ok((from, to.clone()));
        }
        let number = major_version(&from).unwrap_or_default();
        let named = self.mlir.library.iter().filter_map(|named| named.release);
        let installed = library::installed(None)?;
        let found = installed.iter().filter_map(|one| Release::parse(&one.release).ok());
        let newest = named.chain(found).filter(|release| release.is_after(number)).max();
        let newest = newest.ok_or_else(|| {
            let next = Release::ALL.iter().rev().find(|release| release.is_after(number));
            let next = next.copied().unwrap_or(Release::newest()).name();
            format!("no library of a release after MLIR {from} is here\nhelp: odsmith library add {next}")
        })?;
        Ok((from, newest.name().to_owned()))
    }

    /// Reads the project and the libraries. Archives have no workspace.
    fn request(&self) -> Result<(Request, Option<Workspace>), String> {
        let mut input = Input {
            may_lack_definitions: true,
            ..Input::new(&self.project, &self.files, &self.mlir, &self.tolerance)
        };
        if let Some(workspace) = input.workspace()?.filter(|all| all.files().next().is_none()) {
            return Err(workspace.missing_definitions());
        }
        let (from, to) = self.releases(&input)?;
        let (from, to) = (&*from, &*to);
        let number = major_version(from)
            .ok_or_else(|| format!("--from wants a release, such as 19, and not '{from}'"))?;
        input.mlir.release = Some(to.to_owned());
        let mut files = input.read()?;
        files.warnings.iter().for_each(|message| display::warning(message));
        let new = files.libraries.of(Some(to))?.clone();
        if new.release().is_before(number) {
            return Err(format!("--from {from} is newer than --to {to}"));
        }
        let old = self.mlir.load(Some(from), None).and_then(|all| all.of(Some(from)).cloned());
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
            ignore_errors: request.manifest.ignore_errors,
            keep_going: request.manifest.keep_going,
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
        match self.report.form() {
            ReportForm::Text => render::text(report),
            ReportForm::Json => pretty(&render::json(report)),
            ReportForm::Markdown => render::markdown(report),
            ReportForm::Html => render::html(report),
            form => form.render("upgrade", &render::findings(report)),
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
