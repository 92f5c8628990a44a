//! The engine's border: a [`Job`] in, an [`Outcome`] out. `target.rs` runs one root file.

mod dump;
mod release;
mod target;

use std::{fmt, sync::Arc};

use serde::Serialize;

use crate::{
    artefact::Artefact,
    library::Library,
    report::{Extent, Report},
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

pub use odsmith_tablegen::eval::checkpoint::CheckpointStore;

/// What is to be done.
#[derive(Clone)]
pub struct Job {
    /// Where the roots and what they include come from.
    pub files: Arc<dyn Files>,
    /// Include folders of every target, after the target's own and before the library.
    pub includes: Vec<String>,
    /// Macros of every target.
    pub defines: Vec<String>,
    /// Root files and what to make of each.
    pub targets: Vec<Target>,
    /// Limits of each target.
    pub limits: Limits,
    /// Whether states after leading `include`s are shared; what comes out is the same, only slower without.
    pub uses_snapshots: bool,
    /// Where states of evaluation and outputs are kept for later processes; what comes out is the same, only slower
    /// without. Where snapshots are used, they are the states, and only outputs are kept.
    pub checkpoints: Option<Arc<dyn CheckpointStore>>,
    /// Threads that may help; what is made does not depend on it.
    pub spare: Spare,
    /// Stops the job.
    pub cancel: Cancel,
}

impl Job {
    /// A job without targets, on these files.
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

/// One root `.td` file: parsed once, however many outputs it has.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// The root's path.
    pub td: String,
    /// Include folders before the job's.
    pub includes: Vec<String>,
    /// Macros besides the job's.
    pub defines: Vec<String>,
    /// Whether unused template arguments are warned of.
    pub warn_unused_template_args: bool,
    /// What to do where a deprecated def is used.
    pub on_deprecated: OnDeprecated,
    /// Whether generated text names a file by its path where that is relative, as for one who gives paths by hand. The
    /// files of a bundle are named by the last part, as those with absolute paths are.
    pub shows_relative_paths: bool,
    /// Whether messages have pieces of long lines, where those of the reference repeat all of them.
    pub shows_excerpts: bool,
    /// Whether outputs are made after errors that evaluation went on from, as the tools of older releases do.
    pub makes_after_errors: bool,
    /// Whether the outputs of an earlier process are taken where nothing has changed, if the job has checkpoints, and kept
    /// for later ones. There are no records then. For a target without a plan.
    pub keeps_outputs: bool,
    /// What to make.
    pub outputs: Vec<Output>,
    /// Names more to make once the records are known.
    pub plan: Option<Plan>,
}

impl Target {
    /// How much of lines messages repeat.
    #[must_use]
    pub fn extent(&self) -> Extent {
        if self.shows_excerpts { Extent::Excerpt } else { Extent::Whole }
    }

    /// A root file of which nothing is made yet.
    #[must_use]
    pub fn new(td: impl Into<String>) -> Self {
        Target { td: td.into(), ..Target::default() }
    }

    /// Adds a file to be made.
    #[must_use]
    pub fn output(mut self, path: impl Into<String>, action: Action) -> Self {
        self.outputs.push(Output { path: path.into(), action });
        self
    }

    /// Adds a file that a generator makes, named as its flag: `gen-enum-decls`.
    ///
    /// # Errors
    /// There is no generator of that name.
    pub fn generate(self, path: impl Into<String>, generator: &str) -> Result<Self, UnknownGenerator> {
        match Generator::find(generator) {
            Some(generator) => Ok(self.output(path, Action::Generate(generator, Options::default()))),
            None => Err(UnknownGenerator(generator.to_owned())),
        }
    }
}

/// A name that no generator has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownGenerator(pub String);

impl fmt::Display for UnknownGenerator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no generator \"{}\"", self.0)
    }
}

impl std::error::Error for UnknownGenerator {}

/// What to do where a deprecated def is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnDeprecated {
    /// Nothing.
    Ignore,
    /// Warn.
    #[default]
    Warn,
    /// Warn, and make no output.
    Fail,
}

impl OnDeprecated {
    /// What a value of the flag means.
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

/// Names outputs by what a root defines, so that it is parsed once all the same.
#[derive(Clone)]
pub struct Plan(pub Arc<Planner>);

/// Chooses outputs by what a root defines.
pub type Planner = dyn Fn(&Records) -> Vec<Output> + Send + Sync;

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Plan")
    }
}

/// One file to be made.
#[derive(Clone, Debug)]
pub struct Output {
    /// Its path.
    pub path: String,
    /// What makes it.
    pub action: Action,
}

/// What came of a job.
#[derive(Debug, Default)]
pub struct Outcome {
    /// One per target, in the job's order.
    pub targets: Vec<TargetOutcome>,
}

impl Outcome {
    /// All files that were made, in the job's order.
    pub fn artefacts(&self) -> impl Iterator<Item = &Artefact> {
        let outputs = self.targets.iter().flat_map(|target| &target.outputs);
        outputs.filter_map(|output| output.artefact.as_ref())
    }

    /// All messages: of each target those of its evaluation, then those of its outputs.
    pub fn reports(&self) -> impl Iterator<Item = &Report> {
        self.targets.iter().flat_map(|target| {
            let of_outputs = target.outputs.iter().flat_map(|output| &output.diagnostics);
            target.diagnostics.iter().chain(of_outputs)
        })
    }
}

/// What came of one root file.
#[derive(Debug, Default)]
pub struct TargetOutcome {
    /// The root's path.
    pub td: String,
    /// The records, if evaluation succeeded; none where an output was kept from an earlier process.
    pub records: Option<Arc<Records>>,
    /// Messages of evaluation.
    pub diagnostics: Vec<Report>,
    /// Whether there were more messages than are kept.
    pub is_truncated: bool,
    /// How many errors evaluation counted (the reference prints it); 0 when it stopped at the first.
    pub error_count: u32,
    /// Files that were read, the root first, each once.
    pub reads: Vec<String>,
    /// One per output, in the target's order; those of its plan come last.
    pub outputs: Vec<OutputOutcome>,
    /// The outputs that its plan named.
    pub planned: Vec<Output>,
    /// What it took.
    pub usage: Usage,
}

impl TargetOutcome {
    /// How many errors the reference counts in the end for an output; 0 where it stopped at one.
    #[must_use]
    pub fn counted_errors(&self, output: Option<&OutputOutcome>) -> u32 {
        let Some(output) = output else { return self.error_count };
        let is_error = |report: &Report| report.severity == Severity::Error;
        let is_stopped = output.error_count == 0 && output.diagnostics.iter().any(is_error);
        if is_stopped { 0 } else { self.error_count + output.error_count }
    }

    /// Whether evaluation failed: there are no records, nor an output that was kept.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.records.is_none() && self.outputs.iter().all(|output| output.artefact.is_none())
    }

    /// Whether there is an output, or records to print, in spite of errors of evaluation.
    #[must_use]
    pub fn is_made_after_errors(&self) -> bool {
        let is_made = self.outputs.first().is_none_or(|output| output.artefact.is_some());
        self.error_count > 0 && self.records.is_some() && is_made
    }

    /// The bytes of the first output; none where it was not made.
    #[must_use]
    pub fn first_bytes(&self) -> &[u8] {
        let artefact = self.outputs.first().and_then(|output| output.artefact.as_ref());
        artefact.map_or(&[], |artefact| &artefact.bytes)
    }
}

/// What came of one output.
#[derive(Debug)]
pub struct OutputOutcome {
    /// The file, unless making it failed.
    pub artefact: Option<Artefact>,
    /// Its path, also when it was not made.
    pub path: String,
    /// Messages of this output alone; those of evaluation are with the target.
    pub diagnostics: Vec<Report>,
    /// Whether there were more messages than are kept.
    pub is_truncated: bool,
    /// How many errors its generator counted and went on from (the reference prints it); 0 when it stopped at one.
    pub error_count: u32,
}

/// What a target took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// Units of work.
    pub fuel: u64,
    /// Live bytes of the job's own strings and values.
    pub arena_bytes: u64,
    /// Records, the library's included.
    pub records: u64,
    /// How often the root was parsed.
    pub parsed: u32,
}

/// Runs a job. Never fails as a whole: what goes wrong is in the outcome, at the output it belongs to.
#[must_use]
pub fn run(library: &Library, job: &Job) -> Outcome {
    let session = Session::new(library, job);
    Outcome { targets: (0..job.targets.len()).map(|index| session.run(index)).collect() }
}

/// Makes the outputs of a target from records that were made before: by an evaluation of the same text. The messages are
/// those of the outputs alone.
#[must_use]
pub fn make(job: &Job, target: &Target, records: &Arc<Records>) -> TargetOutcome {
    target::make_from(job, target, records)
}

/// A job whose targets are run one by one, in any order and from any thread: what comes of each is the same.
pub struct Session<'a> {
    library: &'a Library,
    job: &'a Job,
    /// Targets of one job see the same files, so they share what they include first.
    own: Option<Snapshots>,
}

impl<'a> Session<'a> {
    /// A job of which nothing is done yet.
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
    /// Makes the outputs of a target that was evaluated without any, from the records in its outcome. One that has no
    /// records stays as it is.
    #[must_use]
    pub fn go_on(&self, target: usize, mut outcome: TargetOutcome) -> TargetOutcome {
        let target = &self.job.targets[target];
        match outcome.records.take() {
            Some(records) => parallel::with_stack(|| target::make_all(self.job, target, &records, outcome)),
            None => outcome,
        }
    }
}

/// Fails an output before anything is read, for requests that name what does not exist.
#[must_use]
pub fn refused(path: String, diagnostic: &Diagnostic) -> OutputOutcome {
    let diagnostics = vec![Report::unlocated(diagnostic)];
    OutputOutcome { artefact: None, path, diagnostics, is_truncated: false, error_count: 0 }
}

/// Writes a dump of the records (`--print-records`, `--dump-json`) piece by piece, so that it is never held as a whole.
/// Other actions write nothing.
///
/// # Errors
/// It is longer than `most` bytes; what came before was written.
pub fn dump(
    records: &Records,
    action: &Action,
    most: u64,
    spare: &Spare,
    write: &mut dyn FnMut(&[u8]),
) -> Result<(), Box<Diagnostic>> {
    let Some(dump) = dump::of(action, records) else { return Ok(()) };
    let means = dump::Means { most, spare, cancel: &Cancel::new() };
    parallel::with_stack(|| dump::write(&*dump, &means, &mut |piece| text::with_bytes(piece, &mut *write)))
}
