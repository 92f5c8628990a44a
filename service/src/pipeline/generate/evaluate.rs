//! Parallel evaluation of targets. An outcome depends neither on the other targets, nor on how many run at once.

use std::{
    num::NonZero,
    sync::{Mutex, OnceLock, PoisonError},
};

use odsmith_engine::{
    artefact::Artefact,
    bundle::Bundle,
    diagnostic::{Diagnostic, Id, Severity},
    job::{self, Job, OutputOutcome, Session, Target, TargetOutcome},
    library::Library,
    limits::{cancelled_job, over_job},
    outline::symbols::Symbols,
    parallel,
    report::Finding,
    review::advice::{self, Knowledge},
};

use super::Resources;
use crate::store::keys;

/// The outcome of one evaluation.
pub(super) struct MeasuredOutcome {
    /// The engine's outcome.
    pub outcome: TargetOutcome,
    /// The measures of its outputs, in order; `None` for a failed one.
    pub measures: Vec<Option<Measure>>,
}

/// The measures of an output's text, for its report.
pub(super) struct Measure {
    /// Number of lines.
    pub lines: usize,
    /// Digest of the bytes.
    pub sha256: String,
}

/// Runs all targets of a job, in order, on the job's threads; their records are kept only if `keeps_records` is true.
/// Targets in `begun` were evaluated already, and only their outputs are generated.
pub(super) fn all(
    library: &Library,
    bundle: &Bundle,
    job: &Job,
    mut begun: Vec<Option<MeasuredOutcome>>,
    means: Resources<'_>,
    keeps_records: bool,
) -> Vec<MeasuredOutcome> {
    let session = Session::new(library, job);
    let project = OnceLock::new();
    begun.resize_with(job.targets.len(), || None);
    let targets: Vec<(usize, Mutex<Option<MeasuredOutcome>>)> =
        begun.into_iter().map(Mutex::new).enumerate().collect();
    let work = |(target, begun): &(usize, Mutex<Option<MeasuredOutcome>>)| {
        // Each is taken once.
        let mut outcome = match begun.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(made) => session.go_on(*target, made.outcome),
            None => {
                let mut outcome = session.run(*target);
                means.progress.finish_target(outcome.usage.fuel);
                // The definitions are read only for errors that they explain.
                if outcome.diagnostics.iter().any(advice::may_have_remedy) {
                    add_remedies(&mut outcome, library, project.get_or_init(|| definitions(bundle)));
                }
                outcome
            }
        };
        outcome.note_other_release(library.rules(), library.root());
        if !keeps_records {
            outcome.records = None;
        }
        let measures = outcome.outputs.iter().map(|output| output.artefact.as_ref().map(measure));
        MeasuredOutcome { measures: measures.collect(), outcome }
    };
    // With one thread no target is begun that the limits of the job refuse; the refused targets are the same with
    // several.
    let at_once = if means.threads == NonZero::<usize>::MIN { 1 } else { targets.len().max(1) };
    let mut tally = Tally::default();
    let mut all = Vec::with_capacity(targets.len());
    for some in targets.chunks(at_once) {
        if let Some(refusal) = tally.refusal(job) {
            all.extend(some.iter().map(|(target, _)| refused(&job.targets[*target], &refusal)));
            continue;
        }
        // Neighbours begin with the same files: threads that work from both ends seldom read one at the same time.
        for (mut made, (target, _)) in parallel::map_on(&job.spare, some, work).into_iter().zip(some) {
            match tally.refusal(job) {
                Some(refusal) => all.push(refused(&job.targets[*target], &refusal)),
                None => {
                    tally.add(&made.outcome);
                    tally.trim(&mut made.outcome);
                    all.push(made);
                }
            }
        }
    }
    all
}

/// Drops the error that follows a missing include at its place, and says nothing more.
pub(super) fn drop_consequences(diagnostics: &mut Vec<Finding>) {
    let start = |finding: &Finding| {
        let location = finding.location.as_ref()?;
        Some((location.file.clone(), location.range.start))
    };
    let mut missing = None;
    diagnostics.retain(|finding| {
        let place = start(finding);
        let is_consequence = place.is_some() && place == missing;
        missing = if finding.id == Some(Id::MissingInclude) { place } else { None };
        !is_consequence
    });
}

/// Returns the definitions of a project as they are written.
fn definitions(bundle: &Bundle) -> Symbols {
    let files = bundle.iter().filter(|(path, _)| path.ends_with(".td"));
    Symbols::heads_of(files.map(|(path, text)| (path, &text[..])))
}

/// Adds a note with the remedy to each error whose cause is known.
fn add_remedies(outcome: &mut TargetOutcome, library: &Library, project: &Symbols) {
    /// The most errors that are looked at.
    const MOST_ERRORS: usize = 20;
    let TargetOutcome { diagnostics, reads, .. } = outcome;
    let (library_root, rules, library) = (library.root(), library.rules(), library.symbols());
    let knowledge = Knowledge { library, project, rules, library_root, reads };
    let errors = diagnostics.iter_mut().filter(|report| report.severity == Severity::Error);
    for error in errors.take(MOST_ERRORS) {
        if let Some(remedy) = knowledge.remedy(error) {
            error.related.push(Finding::help(remedy));
        }
    }
}

/// The resources used by the targets so far, in order.
#[derive(Default)]
struct Tally {
    fuel: u64,
    arena_bytes: u64,
    output_bytes: u64,
    /// Bytes of messages.
    message_bytes: usize,
    /// Bytes of the lists of the files that outputs were generated from.
    listed_bytes: u64,
}

/// Maximum bytes of the messages of all targets. Beyond it only the last error of each target is kept: it is the cause
/// of the missing outputs.
const MOST_MESSAGE_BYTES: usize = 16 << 20;

impl Tally {
    /// Drops messages over the maximum.
    fn trim(&mut self, outcome: &mut TargetOutcome) {
        let mut trim = |reports: &mut Vec<Finding>| {
            let bytes: usize = reports.iter().map(Finding::heap_bytes).sum();
            if self.message_bytes + bytes <= MOST_MESSAGE_BYTES {
                self.message_bytes += bytes;
                return false;
            }
            let last = reports.iter().rposition(|report| report.severity == Severity::Error);
            let kept: Vec<Finding> = last.map(|last| reports.swap_remove(last)).into_iter().collect();
            let is_less = kept.len() < reports.len() + kept.len();
            *reports = kept;
            is_less
        };
        let mut is_less = trim(&mut outcome.diagnostics);
        for output in &mut outcome.outputs {
            is_less |= trim(&mut output.diagnostics);
        }
        outcome.is_truncated |= is_less;
    }

    fn add(&mut self, outcome: &TargetOutcome) {
        let reads: usize = outcome.reads.iter().map(|path| path.len() + size_of::<String>()).sum();
        self.listed_bytes += (reads * outcome.outputs.len()) as u64;
        self.fuel += outcome.usage.fuel;
        self.arena_bytes += outcome.records.as_ref().map_or(0, |_| outcome.usage.arena_bytes);
        let artefacts = outcome.outputs.iter().filter_map(|output| output.artefact.as_ref());
        self.output_bytes += artefacts.map(|artefact| artefact.bytes.len() as u64).sum::<u64>();
    }

    /// Returns the reason why no further target is read, if there is one.
    fn refusal(&self, job: &Job) -> Option<Box<Diagnostic>> {
        let limits = &job.limits;
        if job.cancel.is_cancelled() {
            return Some(cancelled_job());
        }
        [
            (self.fuel, limits.job_fuel, "fuel of all targets", "units of work"),
            (self.arena_bytes, limits.job_arena_bytes, "memory of all targets", "bytes"),
            (self.output_bytes, limits.output_bytes, "length of all outputs", "bytes"),
            (self.listed_bytes, limits.output_bytes, "length of all lists of files", "bytes"),
        ]
        .into_iter()
        .find(|(used, most, ..)| used > most)
        .map(|(_, most, what, unit)| over_job(what, most, unit))
    }
}

/// Returns the outcome of a target that is not read.
fn refused(target: &Target, refusal: &Diagnostic) -> MeasuredOutcome {
    let outputs: Vec<OutputOutcome> =
        target.outputs.iter().map(|output| job::refused(output.path.clone(), refusal)).collect();
    let diagnostics = vec![Finding::unlocated(refusal)];
    let measures = outputs.iter().map(|_| None).collect();
    MeasuredOutcome {
        measures,
        outcome: TargetOutcome { td: target.td.clone(), diagnostics, outputs, ..TargetOutcome::default() },
    }
}

fn measure(made: &Artefact) -> Measure {
    Measure { lines: made.lines(), sha256: keys::sha256(&made.bytes) }
}
