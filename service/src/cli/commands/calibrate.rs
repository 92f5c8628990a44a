//! `odsmith calibrate`: measures the rules of an mlir-tblgen, or compares its outputs for a project.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::{self, Command, Stdio},
    sync::Arc,
};

use clap::Args;
use odsmith_calibrate::{Calibration, Fixture, Fixtures, Question, calibrate, text::Streams};
use odsmith_engine::{
    job::{Output, Target},
    library::Library,
    limits::Limits,
    parallel::{parallelism, with_stack},
    release::{Release, Rule},
};
use odsmith_tblgen::{
    flags,
    library::{ReadAs, is_library},
    profile::{self, Profile, UndecidedRule, UnknownChange},
};
use time::OffsetDateTime;

use super::{Input, display, exit::ExitStatus, options::MlirOptions};
use crate::{
    pipeline::library::{self, LibraryArgument},
    store::disk,
};

/// The arguments of `odsmith calibrate`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The mlir-tblgen to measure
    #[arg(long, value_name = "PROGRAM")]
    tool: PathBuf,
    /// The include folder of its MLIR [default: `include` beside the tool's folder]
    #[arg(long, value_name = "DIR")]
    library: Option<PathBuf>,
    /// The profile to write [default: standard output]
    #[arg(short, long, alias = "output", value_name = "FILE", conflicts_with = "check")]
    out: Option<PathBuf>,
    /// Compare the outputs of this project instead, and list those that differ
    #[arg(long, value_name = "PATH")]
    check: Option<PathBuf>,
    /// The release or the profile to compare with, or to start the search with [default: as the library]
    #[arg(long, value_name = "RELEASE")]
    mlir: Option<String>,
}

impl Options {
    /// Runs the command: 0 if the tool does nothing that Odsmith cannot do, 1 if texts differ.
    ///
    /// # Errors
    /// The tool does not start, there is no library, or the profile cannot be written.
    pub fn run(self) -> Result<ExitStatus, String> {
        let tool = Tool::new(&self.tool, self.library()?)?;
        match &self.check {
            Some(project) => self.compare(&tool, project),
            None => self.measure(&tool),
        }
    }

    /// Returns the library's include folder.
    fn library(&self) -> Result<PathBuf, String> {
        let beside = || Some(self.tool.parent()?.parent()?.join("include"));
        let include = self.library.clone().or_else(beside).unwrap_or_default();
        if is_library(&include) {
            return Ok(include);
        }
        Err(format!(
            "'{}' holds no mlir/IR/OpBase.td: name the include folder of the tool's MLIR with --library DIR",
            include.display()
        ))
    }

    /// Measures the rules, and writes the profile.
    fn measure(&self, tool: &Tool) -> Result<ExitStatus, String> {
        let fixtures = Fixtures::unpack()?;
        let folder = Folder::new()?;
        for (path, bytes) in fixtures.files.iter() {
            disk::write(&folder.0.join(path), bytes)?;
        }
        let base = match self.mlir.as_deref() {
            Some(name) => Release::parse(name)?,
            None => tool.nearest_release(),
        };
        let files = library::read(base, &tool.include)?;
        let root = format!("{}/", files.root());
        let library: BTreeMap<String, Arc<[u8]>> = files
            .paths()
            .filter_map(|path| Some((path.to_owned(), files.read(&format!("{root}{path}"))?)))
            .collect();
        display::closing(&format!("asking {} about {} fixtures", tool.version, fixtures.all.len()));
        let question = Question {
            fixtures: &fixtures,
            library,
            base,
            newest: Release::newest(),
            tool: &|fixture, flags| tool.text(&folder.0, fixture, flags),
            threads: parallelism().get(),
        };
        let made = with_stack(|| calibrate(&question));
        let profile = Profile {
            tool: tool.version.clone(),
            date: OffsetDateTime::now_utc().date().to_string(),
            library: files.digest().to_owned(),
            ..profile_of(&made)
        };
        let text = format!(
            "# The rules of {}, measured by `odsmith calibrate`.\n{}",
            profile.tool,
            toml::to_string_pretty(&profile).map_err(|error| error.to_string())?
        );
        match &self.out {
            Some(path) => disk::write(path, text.as_bytes())?,
            None => display::print(&text)?,
        }
        summarize(&made, &profile);
        Ok(if made.unknown.is_empty() { ExitStatus::Done } else { ExitStatus::Findings })
    }

    /// Compares the outputs of a project.
    fn compare(&self, tool: &Tool, project: &Path) -> Result<ExitStatus, String> {
        let include = tool.include.clone();
        let named = LibraryArgument::from(include);
        let rules = self.mlir.as_deref().map(profile::rules_of).transpose()?;
        let input = Input {
            input: project.to_owned(),
            mlir: MlirOptions {
                release: rules.map(|rules| rules.release().name().to_owned()),
                library: vec![named],
            },
            ..Input::default()
        };
        let (_, request) = input.prepare(|_| {})?;
        let folder = Folder::new()?;
        for (path, bytes) in request.bundle.iter() {
            disk::write(&folder.0.join(path), bytes)?;
        }
        let (targets, _) = request.targets(&Limits::generous());
        let cells =
            targets.iter().flat_map(|target| target.outputs.iter().map(move |output| (target, output)));
        let calls: Vec<(&Target, &Output)> = cells.collect();
        let texts = odsmith_engine::parallel::map(parallelism().get(), &calls, |(target, output)| {
            tool.text_of_output(&folder.0, target, output)
        });
        let library = Library::clone(&request.library).with_rules(rules.unwrap_or(*request.library.rules()));
        let files = request.bundle.clone();
        let ours = with_stack(|| odsmith_calibrate::texts_of_targets(&library, files, &targets));
        let mut differing = String::new();
        let mut count = 0;
        for (((target, output), tool), ours) in calls.iter().zip(&texts).zip(&ours) {
            if tool.as_ref() != Some(ours) {
                count += 1;
                differing += &format!("{}: {}\n", target.td, flags::of_action(&output.action).join(" "));
            }
        }
        display::print(&differing)?;
        let compared = display::counted(calls.len(), "output");
        display::closing(&format!("{compared} compared, {count} differ"));
        Ok(if count == 0 { ExitStatus::Done } else { ExitStatus::Findings })
    }
}

/// Returns the profile of a calibration, without the circumstances.
fn profile_of(made: &Calibration) -> Profile {
    let unknown = made.unknown.iter().map(|one| UnknownChange {
        fixture: one.fixture.clone(),
        flags: one.flags.join(" "),
        difference: one.difference(),
    });
    let undecided = made.undecided.iter().map(|(rule, reason)| UndecidedRule {
        rule: rule.name().to_owned(),
        reason: reason.text().to_owned(),
    });
    Profile {
        odsmith: env!("CARGO_PKG_VERSION").to_owned(),
        without_effect: made.without_effect.iter().map(|rule| rule.name().to_owned()).collect(),
        undecided: undecided.collect(),
        unknown: unknown.collect(),
        ..Profile::of(made.rules)
    }
}

/// Prints the lines that end the measurement.
fn summarize(made: &Calibration, profile: &Profile) {
    display::closing(&format!(
        "MLIR {}, with {} rules more and {} less; {} of {} rules are undecided, {} change nothing beside the \
         others; {} texts compared",
        profile.base,
        profile.on.len(),
        profile.off.len(),
        profile.undecided.len(),
        Rule::COUNT,
        profile.without_effect.len(),
        made.compared
    ));
    if !profile.unknown.is_empty() {
        display::warning(&format!(
            "{} texts of the tool are explained by no rule: it has changes that this odsmith does not \
             know; [[unknown]] lists them",
            profile.unknown.len()
        ));
    }
}

/// An mlir-tblgen with its library.
struct Tool {
    program: PathBuf,
    include: PathBuf,
    version: String,
}

impl Tool {
    /// Asks a program for its version.
    fn new(program: &Path, include: PathBuf) -> Result<Tool, String> {
        let wrong = |reason: String| format!("{}: {reason}", program.display());
        let program = fs::canonicalize(program).map_err(|error| wrong(disk::reason(&error)))?;
        let include = fs::canonicalize(&include).map_err(|error| wrong(disk::reason(&error)))?;
        let answer = Command::new(&program).arg("--version").stdin(Stdio::null()).output();
        let answer = answer.map_err(|error| wrong(disk::reason(&error)))?;
        let text = String::from_utf8_lossy(&answer.stdout).into_owned();
        let version =
            text.lines().find_map(|line| line.trim().split_once("LLVM version ")).map(|(_, version)| version);
        let version =
            version.ok_or_else(|| wrong("it says no LLVM version: is it mlir-tblgen?".to_owned()))?;
        Ok(Tool { version: format!("mlir-tblgen {version}"), program, include })
    }

    /// Returns the release whose rules are probably the nearest.
    fn nearest_release(&self) -> Release {
        let major = self.version.split([' ', '.']).nth(1).unwrap_or_default();
        let by_version = || Release::nearest(major).unwrap_or_default();
        ReadAs::of_folder(&self.include).map_or_else(by_version, |it| it.release)
    }

    /// Returns the text of a fixture.
    fn text(&self, folder: &Path, fixture: &Fixture, flags: &[String]) -> Option<String> {
        let path = match fixture.is_absolute {
            true => folder.join(&fixture.path),
            false => PathBuf::from(&fixture.path),
        };
        let text = self.call(folder, flags, &path)?;
        Some(text.replace(&*folder.to_string_lossy(), odsmith_calibrate::FOLDER))
    }

    /// Returns the text of an output of a project.
    fn text_of_output(&self, folder: &Path, target: &Target, output: &Output) -> Option<String> {
        let mut words = flags::of_action(&output.action);
        words.extend(target.includes.iter().map(|include| format!("-I{include}")));
        words.extend(target.defines.iter().map(|name| format!("-D{name}")));
        self.call(folder, &words, Path::new(&target.td))
    }

    /// Calls the tool in a folder; nothing if it crashes or does not know a flag.
    fn call(&self, folder: &Path, words: &[String], path: &Path) -> Option<String> {
        let mut command = Command::new(&self.program);
        command.args(words).arg("-I").arg(&self.include).arg(path).current_dir(folder).stdin(Stdio::null());
        let run = command.output().ok()?;
        let code = run.status.code()?;
        let is_unknown = |line: &str| line.contains(": Unknown command line argument '");
        if String::from_utf8_lossy(&run.stderr).lines().any(is_unknown) {
            return None;
        }
        let library = format!("{}/", self.include.display());
        let streams = Streams { is_success: code == 0, output: run.stdout, messages: run.stderr };
        Some(streams.text(&[&library]))
    }
}

/// A folder for the tool's input, removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Folder, String> {
        let place = env::temp_dir().join(format!("odsmith-calibrate-{}", process::id()));
        fs::create_dir_all(&place)
            .map_err(|error| format!("{}: {}", place.display(), disk::reason(&error)))?;
        let place = fs::canonicalize(&place)
            .map_err(|error| format!("{}: {}", place.display(), disk::reason(&error)))?;
        Ok(Folder(place))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // It is in the system's temporary folder.
        let _ = fs::remove_dir_all(&self.0);
    }
}
