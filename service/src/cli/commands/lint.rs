//! `odsmith lint`: finds questionable but valid definitions, and fixes them.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fs,
    io::{Write, stdout},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Args, ValueEnum};
use odsmith_engine::{
    bundle::Bundle,
    limits::Limits,
    outline::Outline,
    parallel,
    report::{self, Finding, Fix, Severity},
    review::lint::{
        self,
        baseline::Baseline,
        config::Config,
        finding::Findings,
        fix::{self, FixedTexts},
        render, suppress,
    },
};

use super::{
    Input, LibraryOptions, ProjectFiles, ProjectOptions, ToleranceOptions, has_error, print_messages,
    to_stderr, warn_of,
};
use crate::{
    pipeline::{
        generate::{
            FINDINGS, Finished,
            proof::{Proof, Question},
        },
        manifest::{FILE_NAME, Manifest},
        workspace::Workspace,
    },
    store::disk,
};

/// The exit code if something could not be read, which must not look like a clean result.
const UNREADABLE: u8 = 2;

/// The arguments of `odsmith lint`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// A folder, a .td file, an archive (.tar.gz, .tar.zst, .zip, .tar), or `release:22` for MLIR's own definitions
    #[arg(value_name = "PATH", default_value = ".")]
    input: String,
    /// Rules, groups and presets, in place of those of odsmith.toml: COR,DOC001
    #[arg(long, value_delimiter = ',', value_name = "RULES")]
    select: Vec<String>,
    /// More of them
    #[arg(long, value_delimiter = ',', value_name = "RULES")]
    extend_select: Vec<String>,
    /// Rules and groups that are not asked
    #[arg(long, value_delimiter = ',', value_name = "RULES")]
    ignore: Vec<String>,
    /// A preset: minimal is COR, default adds what is at least a warning, strict has all but what is off
    #[arg(long, value_enum)]
    level: Option<Preset>,
    /// Mend what can be mended without a change of generated code; that is proved by making the code before and after
    #[arg(long)]
    fix: bool,
    /// Mend also what changes generated code or names
    #[arg(long)]
    unsafe_fixes: bool,
    /// Show what --fix and --unsafe-fixes would do, as a patch, and write nothing
    #[arg(long)]
    diff: bool,
    /// Write a comment above each finding that accepts it
    #[arg(long, conflicts_with_all = ["fix", "unsafe_fixes", "diff"])]
    add_ignores: bool,
    /// The reason in these comments
    #[arg(long, value_name = "TEXT", default_value = "it was there before lint was used")]
    reason: String,
    /// Findings that are accepted: a file that --write-baseline wrote
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write the open findings into a file that --baseline reads
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,
    /// The severity that makes the exit code 1
    #[arg(long, value_enum, default_value = "error")]
    fail_on: Least,
    /// How findings are printed
    #[arg(long, value_enum, default_value = "text")]
    format: Form,
    /// List each finding, also where many definitions of a dialect have the same
    #[arg(short, long)]
    verbose: bool,
    /// A file for them, in place of standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print how many findings there are of each rule, and not the findings
    #[arg(long)]
    statistics: bool,
    /// List the rules
    #[arg(long)]
    rules: bool,
    /// Explain a rule
    #[arg(long, value_name = "RULE")]
    explain: Option<String>,
    #[command(flatten)]
    project: ProjectOptions,
    #[command(flatten)]
    tolerance: ToleranceOptions,
    /// MLIR release to emulate
    #[arg(long, env = "ODSMITH_MLIR", value_name = "RELEASE", help_heading = "MLIR")]
    mlir: Option<String>,
    #[command(flatten)]
    library: LibraryOptions,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Preset {
    Minimal,
    Default,
    Strict,
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Least {
    Error,
    Warning,
    Info,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    Text,
    Json,
    /// SARIF 2.1.0
    Sarif,
    /// Annotations of a workflow's run
    Github,
    Markdown,
    Junit,
}

/// The definitions to check, and how they are read.
struct Subject {
    input: Input,
    files: ProjectFiles,
}

impl Subject {
    /// Fails if the files include each other by names that the library also has: fixes would be checked with its files.
    fn check_place(&self) -> Result<(), String> {
        let folder = fs::canonicalize(&self.input.input).ok().filter(|place| place.is_dir());
        let name = folder.as_deref().and_then(Path::file_name).and_then(OsStr::to_str);
        let (Some(name), Ok(library)) = (name, self.files.libraries.of(self.input.mlir.as_deref())) else {
            return Ok(());
        };
        let library: BTreeSet<&str> = library.paths().collect();
        if self.files.bundle.iter().all(|(path, _)| !library.contains(format!("{name}/{path}").as_str())) {
            return Ok(());
        }
        Err(format!(
            "these files include each other as \"{name}/…\", and the library has files of these names, which fixes would be \
             proved with: give the folder that '{name}' is in"
        ))
    }
}

impl Options {
    /// Runs the command: 0 if nothing is as bad as `--fail-on`, 1 if something is or a definition has an error,
    /// 2 if something cannot be read.
    ///
    /// # Errors
    /// The request is wrong, or a file cannot be written.
    pub fn run(self) -> Result<ExitCode, String> {
        if let Some(id) = &self.explain {
            let rule =
                lint::rule_of_id(id).ok_or_else(|| format!("there is no rule {id}; --rules lists them"))?;
            return self.write(&rule.page()).map(|()| ExitCode::SUCCESS);
        }
        if self.rules {
            let text = match self.format {
                Form::Json => pretty(&render::rules_json()),
                Form::Markdown => render::rules_markdown(),
                _ => render::rules_text(),
            };
            return self.write(&text).map(|()| ExitCode::SUCCESS);
        }
        let subject = match self.subject() {
            Ok(subject) => subject,
            Err(message) => {
                to_stderr(format!("error: {message}\n").as_bytes());
                return Ok(ExitCode::from(UNREADABLE));
            }
        };
        self.config(&subject.files.bundle)?.check()?;
        if self.fix || self.unsafe_fixes || self.diff {
            subject.check_place()?;
        }
        let finished = self.look(&subject, subject.files.bundle.clone())?;
        let is_unreadable = has_error(finished.result.all_diagnostics());
        let mut findings = findings(&finished)?;
        if let Some(file) = subject.files.workspace.as_ref().and_then(Workspace::selected_file) {
            findings.retain(|it| it.location.as_ref().is_some_and(|location| location.file == file));
        }
        if let Some(path) = &self.baseline {
            let wrong = |reason: String| format!("{}: {reason}", path.display());
            let bytes = fs::read(path).map_err(|error| wrong(disk::reason(&error)))?;
            Baseline::from_json(&bytes).map_err(wrong)?.accept(&mut findings);
        }
        if let Some(path) = &self.write_baseline {
            disk::write(path, Baseline::new(&findings).to_json().as_bytes())?;
        }
        if self.add_ignores {
            let texts = self.ignored(&subject, &findings);
            return Self::write_files(&subject, &texts).map(|()| ExitCode::SUCCESS);
        }
        if self.fix || self.unsafe_fixes || self.diff {
            let FixedTexts { files, applied } = self.fixed(&subject, &findings)?;
            if self.diff {
                return self.write(&patch(&subject.files.bundle, &files)).map(|()| ExitCode::SUCCESS);
            }
            Self::write_files(&subject, &files)?;
            to_stderr(
                format!("odsmith: {} findings are mended in {} files\n", applied.len(), files.len())
                    .as_bytes(),
            );
            let mut index = 0;
            findings.retain(|_| {
                index += 1;
                !applied.contains(&(index - 1))
            });
        }
        findings.iter_mut().for_each(|finding| subject.files.locate(finding));
        self.write(&self.render(&findings))?;
        let fails = is_unreadable && self.fail_on != Least::Never;
        Ok(if fails { ExitCode::FAILURE } else { self.verdict(&findings) })
    }

    /// Returns the exit code: 1 if a finding is as bad as `--fail-on`.
    fn verdict(&self, findings: &[Finding]) -> ExitCode {
        let least = match self.fail_on {
            Least::Error => Some(Severity::Error),
            Least::Warning => Some(Severity::Warning),
            Least::Info => Some(Severity::Note),
            Least::Never => None,
        };
        let fails = least.is_some_and(|least| findings.iter().any(|it| it.is_open() && it.severity <= least));
        if fails { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }

    fn render(&self, findings: &[Finding]) -> String {
        if self.statistics {
            return render::statistics(findings);
        }
        match self.format {
            Form::Text => render::list(findings, self.verbose),
            Form::Json => pretty(&Findings::new(findings.to_vec())),
            Form::Sarif => pretty(&render::sarif(findings)),
            Form::Github => render::github(findings),
            Form::Markdown => report::markdown::table(findings),
            Form::Junit => report::junit::suite("lint", findings),
        }
    }

    fn write(&self, text: &str) -> Result<(), String> {
        match &self.out {
            Some(path) => disk::write(path, text.as_bytes()),
            None => stdout().lock().write_all(text.as_bytes()).map_err(|error| error.to_string()),
        }
    }

    /// Reads the definitions to check.
    fn subject(&self) -> Result<Subject, String> {
        let place = &*self.input;
        let release = place.strip_prefix("release:");
        let input = Input {
            input: if release.is_some() { PathBuf::new() } else { PathBuf::from(place) },
            project: self.project.clone(),
            tolerance: self.tolerance.clone(),
            mlir: release.map(str::to_owned).or_else(|| self.mlir.clone()),
            library: self.library.clone(),
            ..Input::default()
        };
        let Some(name) = release else {
            let files = input.read()?;
            let libraries = &files.libraries;
            warn_of(libraries.of(input.mlir.as_deref()).unwrap_or_else(|_| libraries.newest()));
            return Ok(Subject { input, files });
        };
        let libraries = self.library.load(Some(name), None)?;
        let library = libraries.of(Some(name))?;
        warn_of(library);
        let mut bundle = Bundle::default();
        // LLVM's own definitions are not dialects.
        for path in library.paths().filter(|path| path.starts_with("mlir/")) {
            if let Some(bytes) = library.read(&format!("{}/{path}", library.root())) {
                bundle.insert(path, bytes);
            }
        }
        Ok(Subject {
            input,
            files: ProjectFiles { bundle, libraries, workspace: None, prefix: String::new() },
        })
    }

    /// Returns the policy: that of the manifest, changed by the options.
    fn config(&self, bundle: &Bundle) -> Result<Config, String> {
        let manifest = bundle.get(FILE_NAME).map(|bytes| Manifest::from_toml(bytes)).transpose()?;
        let mut config = manifest.unwrap_or_default().lint;
        self.change(&mut config);
        Ok(config)
    }

    fn change(&self, config: &mut Config) {
        if let Some(preset) = self.level {
            let name = match preset {
                Preset::Minimal => "minimal",
                Preset::Default => "default",
                Preset::Strict => "strict",
                Preset::All => "all",
            };
            config.select = vec![name.to_owned()];
        }
        if !self.select.is_empty() {
            config.select.clone_from(&self.select);
        }
        config.extend_select.extend(self.extend_select.iter().cloned());
        config.ignore.extend(self.ignore.iter().cloned());
    }

    /// Runs lint on a bundle, and prints the messages of evaluation.
    fn look(&self, subject: &Subject, bundle: Bundle) -> Result<Finished, String> {
        let change = |manifest: &mut Manifest| {
            manifest.outputs = false;
            manifest.docs.enabled = false;
            manifest.model = false;
            manifest.findings = true;
            self.change(&mut manifest.lint);
        };
        let request = subject.input.kept_request(&subject.files, bundle, change)?;
        let (finished, written) = subject.files.run_silently(request, None)?;
        written?;
        // Messages that lint repeats as findings are dropped.
        let errors = finished.result.all_diagnostics().filter(|it| has_error([*it].into_iter()));
        print_messages(errors);
        Ok(finished)
    }

    /// Returns the texts after the wanted fixes. A safe fix is applied only if all generated code stays the same, an
    /// unsafe one only if everything can still be generated.
    fn fixed(&self, subject: &Subject, findings: &[Finding]) -> Result<FixedTexts, String> {
        let bundle = &subject.files.bundle;
        let text = |file: &str| bundle.get(file).map(|bytes| &bytes[..]);
        let candidates = |is_safe: bool| -> Vec<usize> {
            let is_meant = |fix: &Fix| fix.is_safe == is_safe;
            let wanted =
                (0..findings.len()).filter(|index| findings[*index].fix.as_ref().is_some_and(is_meant));
            wanted.collect()
        };
        let safe = if self.fix || !self.unsafe_fixes { candidates(true) } else { Vec::new() };
        let not_safe = if self.unsafe_fixes { candidates(false) } else { Vec::new() };
        if safe.is_empty() && not_safe.is_empty() {
            return Ok(FixedTexts::default());
        }
        let request = subject.input.request(&subject.files, bundle.clone(), |_| ())?;
        let proof = Proof::new(request, Limits::generous(), parallel::parallelism());
        let changed =
            |texts: &BTreeMap<String, Vec<u8>>, root| Ok(proof.changed(texts, root, Question::IsSame));
        let mut wanted = fix::proved(findings, safe, text, changed)?;
        if !not_safe.is_empty() {
            wanted.extend(not_safe);
            let changed =
                |texts: &BTreeMap<String, Vec<u8>>, root| Ok(proof.changed(texts, root, Question::IsMade));
            wanted = fix::proved(findings, wanted, text, changed)?;
        }
        Ok(fix::apply(findings, |index, _| wanted.contains(&index), text))
    }

    /// Returns the texts with comments that accept the findings.
    fn ignored(&self, subject: &Subject, findings: &[Finding]) -> BTreeMap<String, Vec<u8>> {
        let files: Vec<&str> = findings.iter().filter_map(|it| Some(&*it.location.as_ref()?.file)).collect();
        let mut texts = BTreeMap::new();
        for (path, bytes) in subject.files.bundle.iter().filter(|(path, _)| files.contains(path)) {
            let outline = Outline::new(path, bytes);
            let edits = suppress::additions([&outline], findings, &self.reason);
            let edits: Vec<_> = edits.iter().collect();
            if !edits.is_empty() {
                texts.extend(fix::edited(bytes, &edits).map(|text| (path.to_owned(), text)));
            }
        }
        texts
    }

    /// Writes texts into the folder that was checked.
    fn write_files(subject: &Subject, texts: &BTreeMap<String, Vec<u8>>) -> Result<(), String> {
        if texts.is_empty() {
            return Ok(());
        }
        let Some(workspace) = &subject.files.workspace else {
            return Err(
                "only a folder's files can be changed; --diff prints the changes of an archive's".to_owned()
            );
        };
        texts.iter().try_for_each(|(path, text)| disk::write(&workspace.place_of(path), text))
    }
}

fn findings(finished: &Finished) -> Result<Vec<Finding>, String> {
    let Some(bytes) = finished.files.get(FINDINGS) else { return Ok(Vec::new()) };
    let findings: Findings = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    Ok(findings.findings)
}

fn patch(bundle: &Bundle, texts: &BTreeMap<String, Vec<u8>>) -> String {
    let one = |(path, text): (&String, &Vec<u8>)| {
        let old = bundle.get(path).map(|bytes| &bytes[..]).unwrap_or_default();
        fix::unified(path, old, text)
    };
    texts.iter().map(one).collect()
}

fn pretty(value: &impl serde::Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}
