//! `odsmith diff`: what a change of definitions breaks, and for whom.

use std::{
    collections::BTreeMap,
    fs,
    io::{Write, stdout},
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use clap::{Args, ValueEnum};
use odsmith_engine::{
    bundle::Bundle,
    interchange::Document,
    review::diff::{
        self, Comparison, Direction, Profile,
        accept::Acceptance,
        render,
        rules::{Rule, Severity},
    },
};
use serde::Deserialize;

use super::{Input, LibraryOptions, has_error, read_archive, read_bundle, to_stderr};
use crate::{automatic::outputs::Wanted, disk, generate::MODEL, library::Libraries};

/// A side could not be read: that must not look like one without findings.
const UNREADABLE: u8 = 3;

/// What `odsmith diff` is asked.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The old definitions: a folder, an archive, a model.json, `git:REV[:PATH]`, or `release:22` for MLIR's own
    #[arg(required_unless_present_any = ["rules", "explain"])]
    old: Option<String>,
    /// The new definitions, in the same way
    #[arg(required_unless_present_any = ["rules", "explain"])]
    new: Option<String>,
    /// What matters: WIRE (bytecode, meaning), IR (that, text, verification), API (C++, Python, pipelines), or ALL
    #[arg(long, value_enum, ignore_case = true, default_value = "all")]
    profile: Level,
    /// Old files and users meet the new definitions (backward), new files meet the old ones (forward), or both
    #[arg(long, value_enum, default_value = "backward")]
    direction: Directions,
    /// What makes the exit code 1
    #[arg(long, value_enum, default_value = "error")]
    fail_on: Least,
    /// How findings are printed
    #[arg(long, value_enum, default_value = "text")]
    format: Form,
    /// A file for them, in place of standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Findings that are agreed to, and what was renamed: a TOML file with [[diff.accept]] and [diff.renamed]
    #[arg(long, value_name = "FILE")]
    accept: Option<PathBuf>,
    /// The version of the project, at which acceptances may have ended
    #[arg(long, value_name = "VERSION")]
    project_version: Option<String>,
    /// List the rules
    #[arg(long)]
    rules: bool,
    /// Explain a rule
    #[arg(long, value_name = "RULE")]
    explain: Option<String>,
    /// MLIR release of the old definitions
    #[arg(long, value_name = "RELEASE")]
    old_mlir: Option<String>,
    /// MLIR release of the new definitions
    #[arg(long, value_name = "RELEASE")]
    new_mlir: Option<String>,
    /// Include folders, below the root of each side
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    includes: Vec<String>,
    #[command(flatten)]
    library: LibraryOptions,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Level {
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
}

/// The file of `--accept`.
#[derive(Debug, Default, Deserialize)]
struct Agreement {
    #[serde(default)]
    diff: Agreed,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Agreed {
    #[serde(default)]
    accept: Vec<Acceptance>,
    #[serde(default)]
    renamed: BTreeMap<String, String>,
}

impl Options {
    /// Runs the command: 0 if nothing is as bad as `--fail-on`, 1 if something is, 3 if a side can not be read.
    ///
    /// # Errors
    /// The request is wrong, or the findings can not be written.
    pub fn run(self) -> Result<ExitCode, String> {
        if let Some(id) = &self.explain {
            let rule = Rule::of_id(id).ok_or_else(|| format!("there is no rule {id}; --rules lists them"))?;
            return self.write(&rule.page()).map(|()| ExitCode::SUCCESS);
        }
        if self.rules {
            let text = match self.format {
                Form::Json => pretty(&render::rules_json()),
                Form::Text | Form::Markdown => render::rules_text(),
            };
            return self.write(&text).map(|()| ExitCode::SUCCESS);
        }
        let Agreed { accept, renamed } = self.agreed()?;
        let sides = [(&self.old, &self.old_mlir), (&self.new, &self.new_mlir)];
        let [old, new] = sides.map(|(place, mlir)| {
            let place = place.as_deref().unwrap_or_default();
            self.side(place, mlir.as_deref()).map_err(|reason| format!("{place}: {reason}"))
        });
        let (old, new) = match (old, new) {
            (Ok(old), Ok(new)) => (old, new),
            (old, new) => {
                for message in [old.err(), new.err()].into_iter().flatten() {
                    to_stderr(format!("odsmith: {message}\n").as_bytes());
                }
                return Ok(ExitCode::from(UNREADABLE));
            }
        };
        let options =
            diff::Options { profile: self.profile.into(), directions: self.direction.all(), renamed };
        let mut comparison = diff::compare(&old, &new, &options);
        comparison.accept(&accept, self.project_version.as_deref())?;
        self.write(&self.render(&comparison))?;
        let fails = match self.fail_on {
            Least::Error => comparison.fails(Severity::Error),
            Least::Warning => comparison.fails(Severity::Warning),
            Least::Never => false,
        };
        Ok(if fails { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }

    fn render(&self, comparison: &Comparison) -> String {
        match self.format {
            Form::Text => render::text(comparison),
            Form::Json => pretty(&render::json(comparison)),
            Form::Markdown => render::markdown(comparison),
        }
    }

    fn write(&self, text: &str) -> Result<(), String> {
        match &self.out {
            Some(path) => disk::write(path, text.as_bytes()),
            None => stdout().lock().write_all(text.as_bytes()).map_err(|error| error.to_string()),
        }
    }

    fn agreed(&self) -> Result<Agreed, String> {
        let Some(path) = &self.accept else { return Ok(Agreed::default()) };
        let wrong = |reason: String| format!("{}: {reason}", path.display());
        let text = fs::read_to_string(path).map_err(|error| wrong(disk::reason(&error)))?;
        let agreement: Agreement = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        Ok(agreement.diff)
    }

    /// Reads one side.
    fn side(&self, place: &str, mlir: Option<&str>) -> Result<Document, String> {
        if let Some(name) = place.strip_prefix("release:") {
            let libraries = self.library.load(Some(name), None)?;
            let library = libraries.of(Some(name))?;
            let mut bundle = Bundle::default();
            // LLVM's own definitions are no dialects.
            for path in library.paths().filter(|path| path.starts_with("mlir/")) {
                if let Some(bytes) = library.read(&format!("{}/{path}", library.root())) {
                    bundle.insert(path, bytes);
                }
            }
            return self.document(&libraries, bundle, Some(name));
        }
        let bundle = match place.strip_prefix("git:") {
            Some(tree) => checked_in(tree)?,
            None if place.ends_with(".json") => {
                let bytes = fs::read(place).map_err(|error| disk::reason(&error))?;
                return Document::from_json(&bytes);
            }
            None => read_bundle(Path::new(place))?,
        };
        self.document(&self.library.load(mlir, None)?, bundle, mlir)
    }

    /// The model of a bundle.
    fn document(
        &self,
        libraries: &Libraries,
        bundle: Bundle,
        mlir: Option<&str>,
    ) -> Result<Document, String> {
        let input = Input {
            input: PathBuf::new(),
            manifest: None,
            includes: self.includes.clone(),
            defines: Vec::new(),
            title: None,
            source_url: None,
            mlir: mlir.map(str::to_owned),
            library: self.library.clone(),
        };
        let finished = input.run_with(
            libraries,
            bundle,
            Wanted::All,
            |manifest| {
                manifest.outputs = false;
                manifest.docs.enabled = false;
                manifest.model = true;
            },
            None,
        )?;
        if has_error(finished.result.all_diagnostics()) {
            return Err("it has errors, and is not compared".to_owned());
        }
        let model = finished.files.get(MODEL).ok_or("it defines nothing")?;
        Document::from_json(model)
    }
}

/// The files of a commit, and of a folder in it: `HEAD~1`, `v2:include`.
fn checked_in(tree: &str) -> Result<Bundle, String> {
    if tree.is_empty() || tree.starts_with('-') {
        return Err("git: wants a commit: git:HEAD~1, git:v2:include".to_owned());
    }
    let made = Command::new("git").args(["archive", "--format=tar", tree]).output();
    let made = made.map_err(|error| format!("git can not be run: {}", disk::reason(&error)))?;
    if !made.status.success() {
        return Err(String::from_utf8_lossy(&made.stderr).trim().to_owned());
    }
    read_archive(&made.stdout)
}

fn pretty(value: &serde_json::Value) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

impl From<Level> for Profile {
    fn from(level: Level) -> Profile {
        match level {
            Level::Wire => Profile::Wire,
            Level::Ir => Profile::Ir,
            Level::Api => Profile::Api,
            Level::All => Profile::All,
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
