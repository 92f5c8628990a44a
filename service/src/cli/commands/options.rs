//! The flags that commands share, a struct for each group. A name has one meaning, and a command that can use a flag has
//! it.

use std::{
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use clap::{ArgAction, Args, ValueEnum};
use odsmith_engine::{
    report::{Finding, github, gitlab, html, json, junit, markdown, sarif, text},
    review::diff::settings::Least,
};
use odsmith_registry::{manifest::MediaTypes, reference::is_host};
use serde::Serialize;

use super::{check::weaken_unlocated, display, exit::ExitStatus};
use crate::{
    pipeline::{
        generate::{Finished, Status},
        library::{Libraries, LibraryArgument, profiles},
        manifest::Manifest,
        registry::Access,
        workspace::Workspace,
    },
    store::disk,
};

/// The files of a project.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Project")]
pub struct ProjectOptions {
    /// The manifest, in place of the project's own
    #[arg(long, value_name = "FILE")]
    pub(super) manifest: Option<PathBuf>,
    /// Include folders besides those that are found: of the project, or of other projects
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    pub(super) includes: Vec<String>,
    /// A macro that is defined for the preprocessor; may be repeated
    #[arg(short = 'D', long = "define", value_name = "MACRO")]
    pub(super) defines: Vec<String>,
    /// Files that are no sources, as in .gitignore; includes still read them
    #[arg(long, value_name = "PATTERN")]
    pub(super) exclude: Vec<String>,
}

/// The release of MLIR and its `.td` files.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "MLIR")]
pub struct MlirOptions {
    /// MLIR release to be like, or a profile (.toml) of `odsmith calibrate`; `auto` is the release of the library
    #[arg(long = "mlir", env = "ODSMITH_MLIR", value_name = "RELEASE", hide_env_values = true)]
    pub(super) release: Option<String>,
    /// Include folder of an MLIR release: `22=/path/to/include`, or the path alone; may be repeated
    #[arg(long, value_name = "[RELEASE=]DIR")]
    pub(super) library: Vec<LibraryArgument>,
}

impl MlirOptions {
    /// Returns the release, if one is named.
    pub(super) fn release(&self) -> Option<&str> {
        self.release.as_deref()
    }

    /// Loads the libraries, or only that of a release. `of_manifest` is the one that `odsmith.toml` names.
    pub(super) fn load(
        &self,
        release: Option<&str>,
        of_manifest: Option<&Path>,
    ) -> Result<Libraries, String> {
        self.load_in(release, of_manifest, None)
    }

    /// Does the same; a library in the tree of the workspace comes after those that are named.
    pub(super) fn load_in(
        &self,
        release: Option<&str>,
        of_manifest: Option<&Path>,
        workspace: Option<&Workspace>,
    ) -> Result<Libraries, String> {
        let only = profiles::release_of(release)?;
        let in_tree = || workspace.map(Workspace::libraries).unwrap_or_default();
        Libraries::load(&self.library, only, of_manifest, &in_tree)
    }
}

/// The errors that are warnings.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Tolerance")]
pub struct ToleranceOptions {
    /// Roots whose errors are warnings, as in .gitignore: what cannot be made of them is left out
    #[arg(long, value_name = "PATTERN")]
    pub(super) ignore_errors: Vec<String>,
    /// Make what can be made: errors are warnings, unless nothing can be made
    #[arg(long, overrides_with = "no_keep_going")]
    keep_going: bool,
    /// Let errors be errors, whatever odsmith.toml says
    #[arg(long, overrides_with = "keep_going")]
    no_keep_going: bool,
}

impl ToleranceOptions {
    /// Applies the options to a manifest.
    pub(super) fn apply(&self, manifest: &mut Manifest) {
        manifest.ignore_errors.extend(self.ignore_errors.iter().cloned());
        manifest.keep_going = (manifest.keep_going || self.keep_going) && !self.no_keep_going;
    }
}

/// The severity from which findings make the exit code 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// An error.
    #[default]
    Error,
    /// A warning, or worse.
    Warning,
    /// Any finding.
    Info,
    /// An error, or a finding with users in other projects, of `diff --catalog`.
    #[value(hide = true)]
    Elsewhere,
    /// No finding.
    Never,
}

impl From<Least> for FailOn {
    fn from(least: Least) -> FailOn {
        match least {
            Least::Error => FailOn::Error,
            Least::Warning => FailOn::Warning,
            Least::Info => FailOn::Info,
            Least::Never => FailOn::Never,
        }
    }
}

/// The forms of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ReportForm {
    /// Text for people.
    #[default]
    Text,
    /// JSON.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Annotations of a workflow's run on GitHub.
    Github,
    /// A report of code quality on GitLab.
    Gitlab,
    /// A test suite of JUnit.
    Junit,
    /// Markdown.
    Markdown,
    /// A page.
    Html,
}

impl ReportForm {
    /// Renders findings that have no form of their command's own; text is a line for each.
    pub(super) fn render(self, command: &str, findings: &[Finding]) -> String {
        match self {
            ReportForm::Text => text::list(findings),
            ReportForm::Json => pretty(&json::render(findings)),
            ReportForm::Sarif => pretty(&sarif::log(&[], findings, &|_| None)),
            ReportForm::Github => github::annotations(findings),
            ReportForm::Gitlab => pretty(&gitlab::report(findings)),
            ReportForm::Junit => junit::suite(command, findings),
            ReportForm::Markdown => markdown::table(findings),
            ReportForm::Html => {
                let title = format!("odsmith {command}");
                html::of_findings(&title, &text::summary(findings), &by_file(findings))
            }
        }
    }
}

/// Returns the findings by file, in the order of the first of each.
fn by_file(findings: &[Finding]) -> Vec<(String, Vec<Finding>)> {
    let mut groups: Vec<(String, Vec<Finding>)> = Vec::new();
    for finding in findings {
        let file = finding.location.as_ref().map(|at| at.file.as_str()).unwrap_or_default();
        match groups.iter_mut().find(|(known, _)| known == file) {
            Some((_, group)) => group.push(finding.clone()),
            None => groups.push((file.to_owned(), vec![finding.clone()])),
        }
    }
    groups
}

/// The form of a report, and its effect.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Report")]
pub struct ReportOptions {
    /// The form of the report
    #[arg(long, value_enum, value_name = "FORM", default_value = "text", hide_possible_values = false)]
    output_format: ReportForm,
    /// The same as --output-format json
    #[arg(long, conflicts_with = "output_format")]
    json: bool,
    /// The severity that makes the exit code 1 [default: error]
    #[arg(long, value_enum, value_name = "SEVERITY")]
    pub(super) fail_on: Option<FailOn>,
}

impl ReportOptions {
    /// Returns the form.
    pub(super) fn form(self) -> ReportForm {
        if self.json { ReportForm::Json } else { self.output_format }
    }

    /// Returns the severity that fails.
    pub(super) fn fail_on(self) -> FailOn {
        self.fail_on.unwrap_or_default()
    }

    /// Prints the messages of a result; returns the status and how many were not printed.
    pub(super) fn print(self, command: &str, finished: &Finished) -> Result<(ExitStatus, usize), String> {
        let mut findings: Vec<Finding> = finished.result.all_diagnostics().cloned().collect();
        let mut status = ExitStatus::of_findings(&findings, self.fail_on());
        if finished.result.status != Status::Ok && self.fail_on() != FailOn::Never {
            status = ExitStatus::Findings;
        }
        weaken_unlocated(&mut findings, self.fail_on());
        match self.form() {
            ReportForm::Text => Ok((status, display::messages(&findings))),
            form => display::print(&form.render(command, &findings)).map(|()| (status, 0)),
        }
    }
}

/// The file of a report.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Report")]
pub struct FileOptions {
    /// A file for the report, in place of standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl FileOptions {
    /// Writes a report into the file, or prints it.
    pub(super) fn write(&self, text: &str) -> Result<(), String> {
        match &self.out {
            Some(path) => disk::write(path, text.as_bytes()),
            None => display::print(text),
        }
    }

    /// Returns true if a file is named.
    pub(super) fn is_named(&self) -> bool {
        self.out.is_some()
    }
}

/// The form of a list.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Report")]
pub struct ListOptions {
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// The way to a registry.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Registry")]
pub struct RegistryOptions {
    /// Ask this host over plain HTTP, which is otherwise done on this machine alone
    #[arg(long, value_name = "HOST")]
    plain_http: Vec<String>,
    /// The user [default: as `docker login` or `podman login` left it]
    #[arg(long, value_name = "NAME", requires = "password_stdin")]
    username: Option<String>,
    /// Read the password or token from standard input
    #[arg(long, requires = "username")]
    password_stdin: bool,
}

impl RegistryOptions {
    /// Returns the way to registries.
    pub(super) fn access(&self) -> Result<Access, String> {
        let mut login = None;
        if let Some(user) = self.username.clone().filter(|_| self.password_stdin) {
            let mut password = String::new();
            let read = io::stdin().read_to_string(&mut password);
            read.map_err(|error| format!("standard input: {}", disk::reason(&error)))?;
            login = Some((user, password.trim_end_matches(['\n', '\r']).to_owned()));
        }
        if let Some(host) = self.plain_http.iter().find(|host| !is_host(host)) {
            return Err(format!("--plain-http: '{}' is no host", host.escape_debug()));
        }
        Ok(Access { plain_http: self.plain_http.clone(), login })
    }
}

/// The media types of manifests that are written.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Registry")]
pub struct MediaTypeOptions {
    /// Use only media types that any registry knows: for registries that refuse others, such as GitLab's
    #[arg(long)]
    known_types: bool,
}

impl MediaTypeOptions {
    /// Returns the media types.
    pub(super) fn types(self) -> MediaTypes {
        if self.known_types { MediaTypes::Known } else { MediaTypes::Own }
    }
}

/// The texts for people.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Display")]
pub struct DisplayOptions {
    /// Print errors and findings only
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// Print all notes and each place; twice: files and times too
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub(super) verbose: u8,
    /// The use of colours
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(super) color: ColorChoice,
}

/// The cases in which text has colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal.
    #[default]
    Auto,
    /// In all cases.
    Always,
    /// In no case.
    Never,
}

/// Returns a value as JSON with line breaks.
pub(super) fn pretty(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}
