//! `odsmith diff`: reports breaking changes between two versions.

mod elsewhere;
pub(super) mod sides;

use std::{
    fs, mem,
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use odsmith_engine::{
    parallel::{self, Spare},
    review::diff::{
        self, Comparison, Direction, Profile, render,
        settings::{Bump, Selection, Settings},
    },
};
use serde::Deserialize;

use super::{
    display,
    exit::ExitStatus,
    options::{
        FailOn, FileOptions, MlirOptions, ProjectOptions, ReportForm, ReportOptions, ToleranceOptions, pretty,
    },
};
use crate::{
    pipeline::{compare, manifest::FILE_NAME},
    store::{disk, output_folder::OutputFolder},
};
use sides::{Reader, Sides};

/// The arguments of `odsmith diff`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The old definitions: a folder, an archive, a model.json, `git:REV[:PATH]`, `oci://…`, or `release:22` for MLIR's own
    #[arg(default_value = "git:HEAD")]
    old: String,
    /// The new definitions, in the same way
    #[arg(default_value = ".")]
    new: String,
    /// The profile: WIRE (bytecode, meaning), IR (that, text, verification), API (C++, Python, pipelines), or ALL [default: ALL]
    #[arg(long, value_enum, ignore_case = true)]
    profile: Option<ProfileName>,
    /// Old files and users meet the new definitions (backward), new files meet the old ones (forward), or both
    #[arg(long, value_enum, default_value = "backward")]
    direction: Directions,
    /// Only findings of these dialects and rules, with an effect on these levels: `dialect=func,rule=IN001,level=BC`
    #[arg(long, value_name = "CHOICE")]
    only: Option<String>,
    /// Findings that are agreed to, perhaps until a --project-version, and what was renamed: a TOML file with
    /// [[diff.accept]] and [diff.renamed]
    #[arg(long, value_name = "FILE")]
    accept: Option<PathBuf>,
    /// Write the errors as acceptances, in place of the findings; their reasons are yours to write
    #[arg(long)]
    write_accept: bool,
    /// The version of the project
    #[arg(long, value_name = "VERSION")]
    project_version: Option<String>,
    /// Say how much the version must rise; with both versions, fail if it rose by less
    #[arg(long)]
    semver: bool,
    /// The version of the old side, for --semver
    #[arg(long, value_name = "VERSION")]
    old_version: Option<String>,
    /// A folder for a program that shows each finding, as tests of lit
    #[arg(long, value_name = "DIR")]
    emit_witnesses: Option<PathBuf>,
    /// Add the users of what breaks in other projects of a catalogue: the folder of `odsmith catalog build`, oci://HOST/PREFIX/,
    /// oci-layout:DIR, or the https address of a server; `--fail-on elsewhere` fails if there are any
    #[arg(long, value_name = "PLACE")]
    catalog: Option<String>,
    /// Look for users in all versions of projects, not in the newest alone
    #[arg(long, requires = "catalog")]
    all_versions: bool,
    /// The address that explains a rule, for SARIF: holds {rule}
    #[arg(long, value_name = "URL")]
    help_uri: Option<String>,
    /// The server whose results OLD and NEW name by their keys
    #[arg(long, env = "ODSMITH_SERVER", value_name = "URL")]
    server: Option<String>,
    #[command(flatten)]
    project: ProjectOptions,
    #[command(flatten)]
    mlir: MlirOptions,
    /// MLIR release of the old definitions
    #[arg(long, value_name = "RELEASE", help_heading = "MLIR")]
    old_mlir: Option<String>,
    /// MLIR release of the new definitions
    #[arg(long, value_name = "RELEASE", help_heading = "MLIR")]
    new_mlir: Option<String>,
    #[command(flatten)]
    tolerance: ToleranceOptions,
    #[command(flatten)]
    report: ReportOptions,
    #[command(flatten)]
    file: FileOptions,
}

/// A profile, as the command line names it.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum ProfileName {
    Wire,
    Ir,
    Api,
    All,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Directions {
    Backward,
    Forward,
    Both,
}

/// A file with settings: the one of `--accept`, or a manifest, of which other parts are ignored.
#[derive(Debug, Default, Deserialize)]
struct File {
    #[serde(default)]
    diff: Settings,
}

impl Options {
    /// Runs the command.
    ///
    /// # Errors
    /// The request is wrong, no root can be compared, or the findings cannot be written.
    pub fn run(self) -> Result<ExitStatus, String> {
        let settings = self.settings()?;
        let selection = self.only.as_deref().map(Selection::parse).transpose()?;
        let reader = Reader {
            project: &self.project,
            tolerance: &self.tolerance,
            mlir: &self.mlir,
            fail_on: self.report.fail_on(),
            server: self.server.as_deref(),
        };
        let sides = [(&self.old, &self.old_mlir), (&self.new, &self.new_mlir)]
            .map(|(place, mlir)| (&**place, mlir.as_ref().or(self.mlir.release.as_ref()).map(|it| &**it)));
        let Some(Sides { old, new, is_broken }) = reader.sides(sides)? else {
            return Ok(ExitStatus::of(self.report.fail_on() == FailOn::Never));
        };
        let profile = self.profile.map(Profile::from).or(settings.profile).unwrap_or_default();
        let directions = self.direction.all();
        let options = diff::Options {
            profile,
            directions,
            renamed: settings.renamed.clone(),
            spare: Spare::beside_one(parallel::parallelism()),
            ..diff::Options::default()
        };
        let mut comparison = diff::compare(&old.document, &new.document, &options);
        let version = self.project_version.as_deref();
        let examiner = compare::complete(&mut comparison, [&old, &new], &settings, version, &options.stop)?;
        if let Some(selection) = &selection {
            comparison.select(selection);
        }
        if !self.write_accept {
            comparison.gather();
        }
        if self.emit_witnesses.is_some() || comparison.findings.len() <= compare::MOST_WITH_PROGRAMS {
            compare::add_programs(&mut comparison, &old, &new, &examiner, &options.stop);
        }
        if let Some(folder) = &self.emit_witnesses {
            let folder = OutputFolder::open(folder, "diff")?;
            let mut files = compare::witness_files(&comparison).into_iter();
            let written = files.try_for_each(|(name, text)| folder.write(&name, text.as_bytes()));
            written.and(folder.finish(false)).map(drop)?;
        }
        if self.write_accept {
            return self.file.write(&comparison.acceptances()).map(|()| ExitStatus::Done);
        }
        if let Some(place) = &self.catalog {
            let question = elsewhere::Question { place, old: &self.old, all_versions: self.all_versions };
            question.add(&mut comparison, &old.document, &new.document)?;
        }
        // The process is about to end: freeing all definitions one by one would take longer than comparing them.
        mem::forget(examiner);
        mem::forget((old, new));
        self.file.write(&self.render(&comparison))?;
        let is_bumped = self.judge_version(&comparison);
        let fail_on = self.report.fail_on.or(settings.fail_on.map(FailOn::from)).unwrap_or_default();
        let is_used = |it: &diff::Change| it.accepted.is_none() && !it.elsewhere.is_empty();
        let fails = fail_on.least().is_some_and(|least| comparison.fails(least))
            || fail_on == FailOn::Elsewhere && comparison.findings.iter().any(is_used);
        // If versions are judged, a breaking change alone is not a failure.
        let fails = is_bumped.map_or(fails, |is_bumped| !is_bumped);
        Ok(ExitStatus::of(!(fails || is_broken && fail_on != FailOn::Never)))
    }

    /// Prints how much the version must rise; returns whether it did, if both versions are known.
    fn judge_version(&self, comparison: &Comparison) -> Option<bool> {
        if !self.semver {
            return None;
        }
        let needed = comparison.bump();
        let (Some(old), Some(new)) = (&self.old_version, &self.project_version) else {
            display::closing(&format!("this change needs a {} version", needed.name()));
            return None;
        };
        let made = Bump::between(old, new);
        let is_enough = made >= needed;
        let verdict = if is_enough { "which is enough" } else { "which is not enough" };
        let message = format!(
            "this change needs a {} version; from {old} to {new} is a {} one, {verdict}",
            needed.name(),
            made.name()
        );
        display::closing(&message);
        Some(is_enough)
    }

    fn render(&self, comparison: &Comparison) -> String {
        let help = |id: &str| self.help_uri.as_ref().map(|address| address.replace("{rule}", id));
        match self.report.form() {
            ReportForm::Text if display::is_verbose() => render::full_text(comparison),
            ReportForm::Text => render::text(comparison),
            ReportForm::Json => pretty(&render::json(comparison)),
            ReportForm::Sarif => pretty(&render::sarif(comparison, &help)),
            ReportForm::Markdown => render::markdown(comparison),
            ReportForm::Github => render::github(comparison),
            ReportForm::Html => render::html(comparison),
            form @ (ReportForm::Gitlab | ReportForm::Junit) => {
                form.render("diff", &render::findings(comparison))
            }
        }
    }

    /// Reads the project's settings: the manifest of the new side, and the file of `--accept`.
    fn settings(&self) -> Result<Settings, String> {
        let manifest = Some(Path::new(&self.new).join(FILE_NAME));
        let mut settings = match manifest.filter(|path| path.is_file()) {
            Some(path) => read_settings(&path)?,
            None => Settings::default(),
        };
        if let Some(path) = &self.accept {
            let Settings { profile, fail_on, unstable, rules, accept, renamed } = read_settings(path)?;
            settings.profile = profile.or(settings.profile);
            settings.fail_on = fail_on.or(settings.fail_on);
            settings.unstable.extend(unstable);
            settings.rules.extend(rules);
            settings.accept.extend(accept);
            settings.renamed.extend(renamed);
        }
        Ok(settings)
    }
}

fn read_settings(path: &Path) -> Result<Settings, String> {
    let wrong = |reason: String| format!("{}: {reason}", path.display());
    let text = fs::read_to_string(path).map_err(|error| wrong(disk::reason(&error)))?;
    let file: File = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    Ok(file.diff)
}

impl From<ProfileName> for Profile {
    fn from(name: ProfileName) -> Profile {
        match name {
            ProfileName::Wire => Profile::Wire,
            ProfileName::Ir => Profile::Ir,
            ProfileName::Api => Profile::Api,
            ProfileName::All => Profile::All,
        }
    }
}

impl Directions {
    fn all(self) -> Vec<Direction> {
        match self {
            Directions::Backward => vec![Direction::Backward],
            Directions::Forward => vec![Direction::Forward],
            Directions::Both => vec![Direction::Backward, Direction::Forward],
        }
    }
}
