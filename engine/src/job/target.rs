//! Runs one root file: evaluates it, then makes its outputs.

use std::sync::Arc;

use super::{
    Job, JobFiles, Target, TargetOutcome, Usage,
    evaluate::Root,
    layers::{checkpoints, kept_outputs, snapshots},
    outputs::{self, make_all, not_made},
};
use crate::{library::Library, report::Finding};
use odsmith_release::Change;
use odsmith_tablegen::{
    diagnostic::{Code, Diagnostic},
    eval::{Evaluated, checkpoint::Trail, snapshot::Snapshots},
    record::Records,
    source::Files,
    span::Span,
};

/// Evaluates a root file and makes its outputs; an output that fails does not affect the others.
///
/// `own` keeps evaluation states after leading `include`s for the job's other targets.
pub(super) fn run(library: &Library, job: &Job, target: &Target, own: Option<&Snapshots>) -> TargetOutcome {
    let files = JobFiles { library, own: &*job.files };
    let Some(text) = files.read(&target.td) else {
        let message = format!("Could not open input file '{}': No such file or directory", target.td);
        return refused(target, message);
    };
    let are_checked = library.rules().has(Change::MacroNamesChecked);
    if let Some(name) = job.macros(target).find(|name| are_checked && !is_macro_name(name)) {
        return refused(target, format!("invalid macro name `{name}` specified on command line"));
    }
    let input = job.input(target, &files);
    let root = Root { library, job, target, input: &input, text: &text };
    let store = checkpoints::open(&root);
    let kept_outputs = kept_outputs::Layer::new(target, store.as_ref());
    if let Some(outcome) = kept_outputs.find() {
        return outcome;
    }
    let mut checkpoints = checkpoints::Layer::new(job, store.as_ref());
    let evaluated = checkpoints.evaluate(|| snapshots::evaluate(&root, own));
    let mut outcome = outcome(job, target, &evaluated);
    let goes_on = target.makes_after_errors
        && evaluated.counted_errors > 0
        && !library.rules().has(Change::NothingAfterErrors);
    if !evaluated.is_ok && !goes_on {
        checkpoints.save_prefixes();
        outcome.outputs = target.outputs.iter().map(not_made).collect();
        return outcome;
    }
    let Evaluated { keeper, sources, reads, requests, diagnostics, .. } = evaluated;
    let records = Arc::new(Records::new(keeper, sources));
    if goes_on {
        return make_all(job, target, &records, outcome);
    }
    let fuel = outcome.usage.fuel;
    let trail = Trail { reads: &reads, requests: &requests, diagnostics: &diagnostics, fuel };
    let make = || make_all(job, target, &records, outcome);
    let outcome = checkpoints.save_beside(&records, &trail, make);
    kept_outputs.save(&outcome, &records, &trail);
    outcome
}

/// Creates the outcome of an evaluation, without outputs.
fn outcome(job: &Job, target: &Target, evaluated: &Evaluated) -> TargetOutcome {
    let (kept, is_truncated) = outputs::kept(&evaluated.diagnostics, job.limits.diagnostics as usize);
    let report = |diagnostic| Finding::with(target.extent(), diagnostic, &evaluated.sources);
    TargetOutcome {
        td: target.td.clone(),
        diagnostics: kept.map(report).collect(),
        is_truncated,
        error_count: evaluated.counted_errors,
        reads: evaluated.reads.clone(),
        usage: Usage {
            fuel: evaluated.meter.fuel_used(),
            arena_bytes: (evaluated.keeper.live_bytes() + evaluated.sources.heap_bytes()) as u64,
            records: evaluated.keeper.record_count() as u64,
            parsed: 1,
        },
        ..TargetOutcome::default()
    }
}

/// Returns true if a macro may have this name; an empty name is accepted and defines nothing.
fn is_macro_name(name: &str) -> bool {
    let is_start = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    name.bytes().next().is_none_or(is_start)
        && name.bytes().all(|byte| is_start(byte) || byte.is_ascii_digit())
}

/// Creates the outcome of a target that is not evaluated.
fn refused(target: &Target, message: String) -> TargetOutcome {
    let diagnostic = Diagnostic::error(Span::NONE, message).code(Code::Request);
    TargetOutcome {
        td: target.td.clone(),
        diagnostics: vec![Finding::unlocated(&diagnostic)],
        outputs: target.outputs.iter().map(not_made).collect(),
        ..TargetOutcome::default()
    }
}
