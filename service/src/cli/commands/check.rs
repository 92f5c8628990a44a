//! `odsmith check`: reports the problems in definitions, and in IR (`.mlir`) that is read by them.

use std::{
    collections::{BTreeMap, HashSet},
    path::PathBuf,
    time::Instant,
};

use clap::Args;
use odsmith_engine::{
    outline::symbols::Symbols,
    report::{Finding, Severity},
};

use super::{
    Input, ProjectFiles, display,
    exit::ExitStatus,
    mlir::{self, IrInput},
    options::{
        FailOn, FileOptions, MlirOptions, ProjectOptions, ReportForm, ReportOptions, ToleranceOptions, pretty,
    },
};
use crate::pipeline::{
    dependencies,
    generate::{Finished, Request},
    ir::{IrText, OperationEntry},
    manifest::Manifest,
    pins,
};

/// The arguments of `odsmith check`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Folders, .td files, .mlir files or archives (.tar.gz, .tar.zst, .zip, .tar)
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,
    /// Check the .mlir files of folders, in place of the definitions
    #[arg(long)]
    ir: bool,
    /// Print how often each operation of .mlir files is not understood, in place of findings
    #[arg(long)]
    coverage: bool,
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

/// The findings of some projects, and their size.
#[derive(Default)]
struct Checked {
    findings: DistinctFindings,
    files: usize,
    dialects: usize,
}

impl Options {
    /// Runs the command.
    ///
    /// # Errors
    /// A project cannot be read, or the report cannot be written.
    pub fn run(self) -> Result<ExitStatus, String> {
        let start = Instant::now();
        let (form, fail_on) = (self.report.form(), self.report.fail_on());
        let mut checked = Checked::default();
        let is_ir = |path: &PathBuf| self.ir || self.coverage || mlir::is_ir(path);
        let (of_ir, definitions): (Vec<PathBuf>, Vec<PathBuf>) = self.paths.iter().cloned().partition(is_ir);
        if !of_ir.is_empty() {
            let coverage = self.add_ir(&of_ir, &mut checked)?;
            if self.coverage {
                return self.file.write(&coverage.render(form)).map(|()| ExitStatus::Done);
            }
        }
        for (at, path) in definitions.iter().enumerate() {
            if definitions[..at].contains(path) {
                continue;
            }
            if form == ReportForm::Text
                && let Some(pin) =
                    Some(path).filter(|place| place.is_dir()).and_then(|it| pins::of_folder(it))
            {
                display::note(&format!("the project pins {pin}"));
            }
            let input = Input {
                visits_projects: true,
                ..Input::new(path, &self.project, &self.mlir, &self.tolerance)
            };
            let mut nested = checked.add(&input)?;
            while let Some(input) = nested.pop() {
                // A project without definitions has no messages.
                nested.extend(checked.add(&input).unwrap_or_default());
            }
        }
        let Checked { findings, files, dialects } = checked;
        let mut findings = findings.into_inner();
        let status = ExitStatus::of_findings(&findings, fail_on);
        weaken_unlocated(&mut findings, fail_on);
        let mut hidden = 0;
        if form == ReportForm::Text && !self.file.is_named() {
            hidden = display::messages(&findings);
        } else {
            self.file.write(&form.render("check", &findings))?;
        }
        let dialects = match dialects {
            0 => String::new(),
            count => format!(", {}", display::counted(count, "dialect")),
        };
        display::closing(&format!(
            "checked {}{dialects} in {}: {}",
            display::counted(files, "file"),
            display::seconds(start),
            display::verdict(&findings, hidden)
        ));
        Ok(status)
    }
}

impl Options {
    /// Adds the findings of `.mlir` files, and returns the uses of operations in them.
    fn add_ir(&self, paths: &[PathBuf], checked: &mut Checked) -> Result<Coverage, String> {
        let Options { project, mlir, tolerance, .. } = self;
        let input = IrInput { paths, project, mlir, tolerance };
        let files = input.files()?;
        if files.is_empty() {
            return Err(format!("no .mlir file in '{}'", paths[0].display()));
        }
        let dialects = input.dialects()?;
        let look = |read: &IrText| {
            let operations = if self.coverage { dialects.operations(read) } else { Vec::new() };
            (operations, dialects.undefined_dialects(read))
        };
        let (findings, looks) = mlir::checked(&files, &dialects, look)?;
        let (operations, undefined): (Vec<_>, Vec<_>) = looks.into_iter().unzip();
        note_undefined(undefined);
        checked.files += files.len();
        checked.findings.extend(findings);
        let mut coverage = Coverage::default();
        operations.into_iter().flatten().for_each(|operation| coverage.add(operation));
        Ok(coverage)
    }
}

/// Notes the dialects that nothing defines, with the number of their operations in each file.
fn note_undefined(of_files: Vec<BTreeMap<String, usize>>) {
    let mut all: BTreeMap<String, usize> = BTreeMap::new();
    for (dialect, count) in of_files.into_iter().flatten() {
        *all.entry(dialect).or_default() += count;
    }
    if all.is_empty() {
        return;
    }
    let count: usize = all.values().sum();
    let names: Vec<String> = all.keys().map(|name| format!("'{name}'")).collect();
    let verb = if count == 1 { "is" } else { "are" };
    let (word, it) = if names.len() == 1 { ("dialect", "it") } else { ("dialects", "them") };
    display::note(&format!(
        "{} of the {word} {} {verb} not checked: nothing in the project around the files defines {it}",
        display::counted(count, "operation"),
        names.join(", "),
    ));
}

/// The uses of operations: all, and those that are not understood.
#[derive(Default)]
struct Coverage(BTreeMap<String, (usize, usize)>);

impl Coverage {
    fn add(&mut self, operation: OperationEntry) {
        let (all, opaque) = self.0.entry(operation.name).or_default();
        *all += 1;
        *opaque += usize::from(operation.form == "opaque");
    }

    /// Returns the operations that are not always understood, the most used first.
    fn render(&self, form: ReportForm) -> String {
        let mut rows: Vec<(&String, usize, usize)> =
            self.0.iter().map(|(name, (all, opaque))| (name, *all, *opaque)).collect();
        let (all, opaque) = rows.iter().fold((0, 0), |(uses, opaque), row| (uses + row.1, opaque + row.2));
        rows.retain(|(_, _, opaque)| *opaque > 0);
        rows.sort_by(|one, other| other.2.cmp(&one.2).then_with(|| one.0.cmp(other.0)));
        if form == ReportForm::Json {
            let rows: Vec<serde_json::Value> = rows
                .iter()
                .map(|(name, all, opaque)| serde_json::json!({ "name": name, "uses": all, "opaque": opaque }))
                .collect();
            return pretty(&serde_json::json!({ "uses": all, "opaque": opaque, "operations": rows }));
        }
        let lines = rows.iter().map(|(name, all, opaque)| format!("{opaque:>8} {all:>8}  {name}\n"));
        format!("  opaque     uses  operation\n{}{opaque:>8} {all:>8}  all\n", lines.collect::<String>())
    }
}

impl Checked {
    /// Adds a project, and returns those inside.
    fn add(&mut self, input: &Input) -> Result<Vec<Input>, String> {
        let messages_only = |manifest: &mut Manifest| {
            manifest.docs.enabled = false;
            manifest.model = false;
        };
        let (files, request) = input.prepare(messages_only)?;
        let definitions: Vec<(&str, &[u8])> = request
            .bundle
            .iter()
            .filter(|(path, _)| path.ends_with(".td") && !dependencies::is_foreign(path))
            .filter(|(path, _)| request.root.as_ref().is_none_or(|root| root == path))
            .map(|(path, text)| (path, &text[..]))
            .collect();
        let symbols = Symbols::heads_of(definitions.iter().copied());
        let is_dialect = |name: &&str| {
            let symbol = symbols.symbol(name);
            symbol.is_some_and(|symbol| symbol.parents.iter().any(|parent| parent == "Dialect"))
        };
        self.dialects += symbols.names().filter(is_dialect).count();
        for (path, _) in definitions {
            self.files += 1;
            display::detail(|| format!("reads {path}"));
        }
        let nested = input.nested(&files);
        self.add_findings(&files, request)?;
        Ok(nested)
    }

    fn add_findings(&mut self, files: &ProjectFiles, request: Request) -> Result<(), String> {
        let (Finished { result, .. }, written) = files.run_silently(request, None)?;
        written?;
        self.findings.extend(result.all_diagnostics().cloned());
        Ok(())
    }
}

/// Findings in the order in which they came, each once: several paths, and several roots, may share a file.
#[derive(Default)]
pub(super) struct DistinctFindings {
    all: Vec<Finding>,
    known: HashSet<Finding>,
}

impl DistinctFindings {
    /// Returns the findings.
    pub(super) fn into_inner(self) -> Vec<Finding> {
        self.all
    }
}

impl Extend<Finding> for DistinctFindings {
    fn extend<T: IntoIterator<Item = Finding>>(&mut self, findings: T) {
        for finding in findings {
            if self.known.insert(finding.clone()) {
                self.all.push(finding);
            }
        }
    }
}

/// Makes errors without a place warnings if no finding fails: their lines would begin with `error:`.
pub(super) fn weaken_unlocated(findings: &mut [Finding], fail_on: FailOn) {
    let is_unlocated = |it: &&mut Finding| {
        it.severity == Severity::Error && it.location.is_none() && !it.is_of_unknown_place
    };
    if fail_on == FailOn::Never {
        findings.iter_mut().filter(is_unlocated).for_each(|it| it.severity = Severity::Warning);
    }
}
