//! `odsmith lint`: finds questionable but valid definitions, and fixes them.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use odsmith_engine::{
    bundle::Bundle,
    diagnostic::Id,
    limits::Limits,
    outline::Outline,
    parallel,
    report::{Finding, Fix, Severity, markdown},
    review::lint::{
        baseline::Baseline,
        config::Config,
        finding::Findings,
        fix::{self, FixedTexts},
        render, suppress,
    },
};

use super::{
    Input, ProjectFiles,
    check::{DistinctFindings, weaken_unlocated},
    display,
    exit::ExitStatus,
    options::{
        FailOn, FileOptions, MlirOptions, ProjectOptions, ReportForm, ReportOptions, ToleranceOptions, pretty,
    },
    warn_of,
};
use crate::{
    pipeline::{
        generate::{
            FINDINGS, Finished,
            proof::{Proof, Question},
        },
        ir::library_bundle,
        manifest::{FILE_NAME, Manifest},
        workspace::Workspace,
    },
    store::disk,
};

/// The arguments of `odsmith lint`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Folders, .td files or archives (.tar.gz, .tar.zst, .zip, .tar), or `release:22` for MLIR's own definitions
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<String>,
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
    /// Print how many findings there are of each rule, and not the findings
    #[arg(long)]
    statistics: bool,
    #[command(flatten)]
    project: ProjectOptions,
    #[command(flatten)]
    mlir: MlirOptions,
    #[command(flatten)]
    tolerance: ToleranceOptions,
    #[command(flatten)]
    report: ReportOptions,
    #[command(flatten)]
    file: FileOptions,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Preset {
    Minimal,
    Default,
    Strict,
    Pedantic,
    All,
}

/// The definitions to check, and how they are read.
struct Subject {
    input: Input,
    files: ProjectFiles,
}

impl Subject {
    /// Reads the files of a project.
    fn read(input: Input) -> Result<Subject, String> {
        let files = input.read()?;
        let libraries = &files.libraries;
        warn_of(libraries.of(input.mlir.release()).or_else(|_| libraries.preferred())?);
        Ok(Subject { input, files })
    }

    /// Fails if the files include each other by names that the library also has: fixes would be checked with its files.
    fn check_place(&self) -> Result<(), String> {
        let folder = fs::canonicalize(&self.input.input).ok().filter(|place| place.is_dir());
        let name = folder.as_deref().and_then(Path::file_name).and_then(OsStr::to_str);
        let (Some(name), Ok(library)) = (name, self.files.libraries.of(self.input.mlir.release())) else {
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
    /// Runs the command.
    ///
    /// # Errors
    /// The request is wrong, something cannot be read, or a file cannot be written.
    pub fn run(self) -> Result<ExitStatus, String> {
        let mut all = Vec::new();
        let mut messages = DistinctFindings::default();
        let mut patches = String::new();
        let baseline = self.baseline.as_deref().map(read_baseline).transpose()?;
        let mut waiting =
            self.paths.iter().rev().map(|path| self.subject(path)).collect::<Result<Vec<_>, _>>()?;
        while let Some(subject) = waiting.pop() {
            // A project inside without definitions has no findings.
            let nested = subject.input.nested(&subject.files).into_iter().rev();
            waiting.extend(nested.filter_map(|input| Subject::read(input).ok()));
            self.config(&subject.files.bundle)?.check()?;
            let fixes = self.fix || self.unsafe_fixes || self.diff;
            if fixes {
                subject.check_place()?;
            }
            let (finished, of_subject) = self.look(&subject, subject.files.bundle.clone())?;
            messages.extend(of_subject);
            let mut findings = findings(&finished)?;
            if let Some(file) = subject.files.workspace.as_ref().and_then(Workspace::selected_file) {
                findings.retain(|it| it.location.as_ref().is_some_and(|location| location.file == file));
            }
            if let Some(baseline) = &baseline {
                baseline.accept(&mut findings);
            }
            if self.add_ignores {
                let texts = self.ignored(&subject, &findings);
                Self::write_files(&subject, &texts)?;
                display::closing(&format!("changed {}", display::counted(texts.len(), "file")));
                continue;
            }
            if fixes {
                let FixedTexts { files, applied } = self.fixed(&subject, &findings)?;
                if self.diff {
                    patches += &patch(&subject.files.bundle, &files);
                    continue;
                }
                Self::write_files(&subject, &files)?;
                let (mended, count) = (applied.len(), display::counted(files.len(), "file"));
                display::closing(&format!("mended {} in {count}", display::counted(mended, "finding")));
                let mut index = 0;
                findings.retain(|_| {
                    index += 1;
                    !applied.contains(&(index - 1))
                });
            }
            all.push((subject, findings));
        }
        let fail_on = self.report.fail_on();
        let mut messages = messages.into_inner();
        let has_error = messages.iter().any(|it| it.severity == Severity::Error);
        weaken_unlocated(&mut messages, fail_on);
        let is_text = self.statistics || self.report.form() == ReportForm::Text;
        if is_text || self.diff || self.add_ignores {
            display::messages(&messages);
        }
        if self.diff {
            return self.file.write(&patches).map(|()| ExitStatus::Done);
        }
        if self.add_ignores {
            return Ok(ExitStatus::Done);
        }
        if let Some(path) = &self.write_baseline {
            let found: Vec<Finding> = all.iter().flat_map(|(_, findings)| findings).cloned().collect();
            disk::write(path, Baseline::new(&found).to_json().as_bytes())?;
        }
        let mut findings = DistinctFindings::default();
        for (subject, mut of_subject) in all {
            of_subject.iter_mut().for_each(|finding| subject.files.locate(finding));
            findings.extend(of_subject);
        }
        // In a report for programs, messages of evaluation are findings.
        for message in messages.iter_mut().filter(|it| !is_text && it.rule.is_empty()) {
            message.rule = message.id.map(Id::name).unwrap_or_default().into();
        }
        let findings: Vec<Finding> = messages.into_iter().chain(findings.into_inner()).collect();
        self.file.write(&self.render(&findings))?;
        let fails = has_error && fail_on != FailOn::Never;
        Ok(ExitStatus::of_findings(&findings, fail_on).max(ExitStatus::of(!fails)))
    }

    fn render(&self, findings: &[Finding]) -> String {
        if self.statistics {
            return render::statistics(findings);
        }
        match self.report.form() {
            ReportForm::Text => render::list(findings, display::is_verbose()),
            ReportForm::Json => pretty(&Findings::new(findings.to_vec())),
            ReportForm::Sarif => pretty(&render::sarif(findings)),
            ReportForm::Github => render::github(findings),
            ReportForm::Markdown => markdown::table(findings),
            form => form.render("lint", findings),
        }
    }

    /// Reads the definitions to check.
    fn subject(&self, place: &str) -> Result<Subject, String> {
        let release = place.strip_prefix("release:");
        let path = if release.is_some() { "" } else { place };
        let mut input = Input::new(path, &self.project, &self.mlir, &self.tolerance);
        if let Some(release) = release {
            input.mlir.release = Some(release.to_owned());
        }
        input.visits_projects = true;
        let Some(name) = release else { return Subject::read(input) };
        let libraries = self.mlir.load(Some(name), None)?;
        let library = libraries.of(Some(name))?;
        warn_of(library);
        let bundle = library_bundle(library);
        Ok(Subject { input, files: ProjectFiles::of_library(bundle, libraries) })
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
                Preset::Pedantic => "pedantic",
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

    /// Runs lint on a bundle. Returns the messages of evaluation as well: errors, and warnings that lint does not repeat.
    fn look(&self, subject: &Subject, bundle: Bundle) -> Result<(Finished, Vec<Finding>), String> {
        let change = |manifest: &mut Manifest| {
            manifest.make_nothing();
            manifest.findings = true;
            self.change(&mut manifest.lint);
        };
        let request = subject.input.kept_request(&subject.files, bundle, change)?;
        let caution = request.library.caution().unwrap_or_default().to_owned();
        let (finished, written) = subject.files.run_silently(request, None)?;
        written?;
        let is_new = |it: &&Finding| match it.severity {
            Severity::Error => true,
            Severity::Warning => it.id != Some(Id::UnusedArgument) && it.message != caution,
            _ => false,
        };
        let messages = finished.result.all_diagnostics().filter(is_new).cloned().collect();
        Ok((finished, messages))
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

fn read_baseline(path: &Path) -> Result<Baseline, String> {
    let wrong = |reason: String| format!("{}: {reason}", path.display());
    let bytes = fs::read(path).map_err(|error| wrong(disk::reason(&error)))?;
    Baseline::from_json(&bytes).map_err(wrong)
}
