//! The engine's interface: a [`Job`] in, an [`Outcome`] out.
//!
//! `target` runs one root file: `input` → `layers` around `evaluate` → `outputs`.

mod dump;
mod evaluate;
mod input;
mod layers;
mod outputs;
mod release;
mod target;

use std::{fmt, sync::Arc};

use serde::Serialize;

use crate::{
    artefact::Artefact,
    library::Library,
    report::{Extent, Finding},
};
use odsmith_generators::{Action, Generator, Options};
use odsmith_tablegen::{
    cancel::Cancel,
    diagnostic::{Diagnostic, Severity},
    eval::snapshot::Snapshots,
    limits::Limits,
    parallel::{self, Spare},
    record::Records,
    source::Files,
    text,
};

pub use self::input::{JobFiles, Settings};
pub use odsmith_tablegen::eval::checkpoint::CheckpointStore;

/// A set of root files and the outputs to generate.
#[derive(Clone)]
pub struct Job {
    /// The source of the roots and of included files.
    pub files: Arc<dyn Files>,
    /// Include folders of every target, searched after the target's own and before the library.
    pub includes: Vec<String>,
    /// Macros of every target.
    pub defines: Vec<String>,
    /// The root files with their outputs.
    pub targets: Vec<Target>,
    /// Limits of each target.
    pub limits: Limits,
    /// True to share the evaluation states after leading `include`s. It affects only speed.
    pub uses_snapshots: bool,
    /// The store that keeps evaluation states and outputs for later processes. It affects only speed. If snapshots are
    /// used, only outputs are stored.
    pub checkpoints: Option<Arc<dyn CheckpointStore>>,
    /// The budget of additional threads; results do not depend on it.
    pub spare: Spare,
    /// Cancels the job.
    pub cancel: Cancel,
}

impl Job {
    /// Creates a job without targets, on these files.
    #[must_use]
    pub fn new(files: impl Files + 'static) -> Self {
        Job {
            files: Arc::new(files),
            includes: Vec::new(),
            defines: Vec::new(),
            targets: Vec::new(),
            limits: Limits::default(),
            uses_snapshots: false,
            checkpoints: None,
            spare: Spare::default(),
            cancel: Cancel::new(),
        }
    }

    /// Adds a root file.
    #[must_use]
    pub fn target(mut self, target: Target) -> Self {
        self.targets.push(target);
        self
    }

    /// Adds an include folder of every target.
    #[must_use]
    pub fn include(mut self, folder: impl Into<String>) -> Self {
        self.includes.push(folder.into());
        self
    }

    /// Adds a macro of every target.
    #[must_use]
    pub fn define(mut self, name: impl Into<String>) -> Self {
        self.defines.push(name.into());
        self
    }

    /// Sets the limits of each target.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}

/// A root `.td` file with its outputs. It is parsed once, however many outputs there are.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// The root's path.
    pub td: String,
    /// Include folders, searched before the job's.
    pub includes: Vec<String>,
    /// Macros in addition to the job's.
    pub defines: Vec<String>,
    /// True to warn of unused template arguments.
    pub warn_unused_template_args: bool,
    /// The reaction to a deprecated def that is used.
    pub on_deprecated: OnDeprecated,
    /// True if generated text names a file by its relative path, as for paths typed by hand. The files of a bundle are
    /// named by their last component, like files with absolute paths.
    pub shows_relative_paths: bool,
    /// True if messages quote an excerpt of a long line, where the reference repeats the whole line.
    pub shows_excerpts: bool,
    /// True to make outputs even if evaluation reported errors and went on, as the tools of older releases do.
    pub makes_after_errors: bool,
    /// True to reuse the outputs of an earlier process if nothing has changed, and to store new ones. The job needs
    /// checkpoints, the target has no plan, and reused outputs come without records.
    pub keeps_outputs: bool,
    /// The outputs to make.
    pub outputs: Vec<Output>,
    /// Chooses additional outputs once the records are known.
    pub plan: Option<Plan>,
}

impl Target {
    /// Returns how much of a line messages quote.
    #[must_use]
    pub fn extent(&self) -> Extent {
        if self.shows_excerpts { Extent::Excerpt } else { Extent::Whole }
    }

    /// Creates a target without outputs.
    #[must_use]
    pub fn new(td: impl Into<String>) -> Self {
        Target { td: td.into(), ..Target::default() }
    }

    /// Adds an output file.
    #[must_use]
    pub fn output(mut self, path: impl Into<String>, action: Action) -> Self {
        self.outputs.push(Output { path: path.into(), action });
        self
    }

    /// Adds an output file of a generator, given by its flag: `gen-enum-decls`.
    ///
    /// # Errors
    /// No generator has this name.
    pub fn generate(self, path: impl Into<String>, generator: &str) -> Result<Self, UnknownGenerator> {
        match Generator::find(generator) {
            Some(generator) => Ok(self.output(path, Action::Generate(generator, Options::default()))),
            None => Err(UnknownGenerator(generator.to_owned())),
        }
    }
}

/// The error for an unknown generator name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownGenerator(pub String);

impl fmt::Display for UnknownGenerator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no generator \"{}\"", self.0)
    }
}

impl std::error::Error for UnknownGenerator {}

/// The reaction to a deprecated def that is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnDeprecated {
    /// Do nothing.
    Ignore,
    /// Warn.
    #[default]
    Warn,
    /// Warn, and make no output.
    Fail,
}

impl OnDeprecated {
    /// Parses the value of the flag.
    #[must_use]
    pub fn of_flag(value: &str) -> Option<Self> {
        match value {
            "none" => Some(OnDeprecated::Ignore),
            "warn" => Some(OnDeprecated::Warn),
            "error" => Some(OnDeprecated::Fail),
            _ => None,
        }
    }
}

/// Chooses outputs from a root's definitions, so that the root is parsed only once.
#[derive(Clone)]
pub struct Plan(pub Arc<Planner>);

/// A function that chooses outputs from a root's definitions.
pub type Planner = dyn Fn(&Records) -> Vec<Output> + Send + Sync;

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Plan")
    }
}

/// An output file to make.
#[derive(Clone, Debug)]
pub struct Output {
    /// Its path.
    pub path: String,
    /// The generator or dump that makes it.
    pub action: Action,
}

/// The result of running a [`Job`].
#[derive(Debug, Default)]
pub struct Outcome {
    /// One per target, in the job's order.
    pub targets: Vec<TargetOutcome>,
}

impl Outcome {
    /// Iterates over all files that were made, in the job's order.
    pub fn artefacts(&self) -> impl Iterator<Item = &Artefact> {
        let outputs = self.targets.iter().flat_map(|target| &target.outputs);
        outputs.filter_map(|output| output.artefact.as_ref())
    }

    /// Iterates over all messages: for each target those of its evaluation, then those of its outputs.
    pub fn reports(&self) -> impl Iterator<Item = &Finding> {
        self.targets.iter().flat_map(|target| {
            let of_outputs = target.outputs.iter().flat_map(|output| &output.diagnostics);
            target.diagnostics.iter().chain(of_outputs)
        })
    }
}

/// The result of one root file.
#[derive(Debug, Default)]
pub struct TargetOutcome {
    /// The root's path.
    pub td: String,
    /// The records, if evaluation succeeded; `None` if stored outputs were reused.
    pub records: Option<Arc<Records>>,
    /// The messages of evaluation.
    pub diagnostics: Vec<Finding>,
    /// True if further messages were dropped.
    pub is_truncated: bool,
    /// The number of errors that evaluation counted (the reference prints it); 0 if it stopped at the first.
    pub error_count: u32,
    /// The files that were read, the root first, each once.
    pub reads: Vec<String>,
    /// The outcome of each output, in the target's order; those of its plan come last.
    pub outputs: Vec<OutputOutcome>,
    /// The outputs that the plan chose.
    pub planned: Vec<Output>,
    /// The resources used.
    pub usage: Usage,
}

impl TargetOutcome {
    /// Returns the number of errors that the reference reports for an output; 0 if it stopped at the first.
    #[must_use]
    pub fn counted_errors(&self, output: Option<&OutputOutcome>) -> u32 {
        let Some(output) = output else { return self.error_count };
        let is_error = |report: &Finding| report.severity == Severity::Error;
        let is_stopped = output.error_count == 0 && output.diagnostics.iter().any(is_error);
        if is_stopped { 0 } else { self.error_count + output.error_count }
    }

    /// Returns true if evaluation failed: there are no records and no stored output.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.records.is_none() && self.outputs.iter().all(|output| output.artefact.is_none())
    }

    /// Returns true if there are outputs, or records to print, in spite of evaluation errors.
    #[must_use]
    pub fn is_made_after_errors(&self) -> bool {
        let is_made = self.outputs.first().is_none_or(|output| output.artefact.is_some());
        self.error_count > 0 && self.records.is_some() && is_made
    }

    /// Returns the bytes of the first output; empty if it was not made.
    #[must_use]
    pub fn first_bytes(&self) -> &[u8] {
        let artefact = self.outputs.first().and_then(|output| output.artefact.as_ref());
        artefact.map_or(&[], |artefact| &artefact.bytes)
    }
}

/// The result of one output.
#[derive(Debug)]
pub struct OutputOutcome {
    /// The file, unless it failed.
    pub artefact: Option<Artefact>,
    /// The path, even if the file was not made.
    pub path: String,
    /// The messages of this output alone; those of evaluation are with the target.
    pub diagnostics: Vec<Finding>,
    /// True if further messages were dropped.
    pub is_truncated: bool,
    /// The number of errors that its generator counted (the reference prints it); 0 if it stopped at the first.
    pub error_count: u32,
    /// Units of work that a plugin took for it; they are in the target's usage as well.
    pub fuel: u64,
}

/// The resources used by a target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// Units of work.
    pub fuel: u64,
    /// Bytes of the job's own strings and values that are in use.
    pub arena_bytes: u64,
    /// Records, including those of the library.
    pub records: u64,
    /// The number of times that the root was parsed.
    pub parsed: u32,
}

/// Runs a job. It never fails as a whole: errors are in the outcome, at the output they belong to.
#[must_use]
pub fn run(library: &Library, job: &Job) -> Outcome {
    let session = Session::new(library, job);
    Outcome { targets: (0..job.targets.len()).map(|index| session.run(index)).collect() }
}

/// Runs the targets of a job on its idle threads and passes each outcome, with the index of its target, to `finish`.
#[must_use]
pub fn run_all<R: Send>(
    library: &Library,
    job: &Job,
    finish: impl Fn(usize, TargetOutcome) -> R + Sync,
) -> Vec<R> {
    let session = Session::new(library, job);
    let all: Vec<usize> = (0..job.targets.len()).collect();
    parallel::map_on(&job.spare, &all, |&target| finish(target, session.run(target)))
}

/// Makes the outputs of a target from the records of an earlier evaluation of the same text. The outcome holds only
/// the messages of the outputs.
#[must_use]
pub fn make(job: &Job, target: &Target, records: &Arc<Records>) -> TargetOutcome {
    outputs::make_from(job, target, records)
}

/// A job whose targets run one by one, in any order and on any thread, with the same results.
pub struct Session<'a> {
    library: &'a Library,
    job: &'a Job,
    /// Targets of one job see the same files, so they share the evaluation states of leading `include`s.
    own: Option<Snapshots>,
}

impl<'a> Session<'a> {
    /// Starts a session; no target has run yet.
    #[must_use]
    pub fn new(library: &'a Library, job: &'a Job) -> Self {
        Session { library, job, own: (job.targets.len() > 1).then(Snapshots::default) }
    }

    /// Evaluates a target, by its index, and makes its outputs.
    #[must_use]
    pub fn run(&self, target: usize) -> TargetOutcome {
        let target = &self.job.targets[target];
        parallel::with_stack(|| target::run(self.library, self.job, target, self.own.as_ref()))
    }
}

impl Session<'_> {
    /// Makes the outputs of a target that was evaluated without any, from the records in its outcome. Without records
    /// an outcome stays as it is.
    #[must_use]
    pub fn go_on(&self, target: usize, mut outcome: TargetOutcome) -> TargetOutcome {
        let target = &self.job.targets[target];
        match outcome.records.take() {
            Some(records) => parallel::with_stack(|| outputs::make_all(self.job, target, &records, outcome)),
            None => outcome,
        }
    }
}

/// Creates the outcome of an output that fails before anything is read, because a request names something unknown.
#[must_use]
pub fn refused(path: String, diagnostic: &Diagnostic) -> OutputOutcome {
    let diagnostics = vec![Finding::unlocated(diagnostic)];
    OutputOutcome { artefact: None, path, diagnostics, is_truncated: false, error_count: 0, fuel: 0 }
}

/// Writes a dump of the records (`--print-records`, `--dump-json`) piece by piece, so that it is never in memory as a
/// whole. Other actions write nothing.
///
/// # Errors
/// The dump is longer than `most` bytes; earlier pieces were written.
pub fn dump(
    records: &Records,
    action: &Action,
    most: u64,
    spare: &Spare,
    write: &mut dyn FnMut(&[u8]),
) -> Result<(), Box<Diagnostic>> {
    let Some(dump) = dump::of(action, records) else { return Ok(()) };
    let means = dump::DumpBudget { most, spare, cancel: &Cancel::new() };
    parallel::with_stack(|| dump::write(&*dump, &means, &mut |piece| text::with_bytes(piece, &mut *write)))
}
