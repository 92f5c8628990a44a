//! Makes the outputs of one root from its records.

use std::sync::Arc;

use super::{Job, OnDeprecated, Output, OutputOutcome, Target, TargetOutcome, dump, refused};
use crate::{artefact::Artefact, deprecated, report::Finding};
use odsmith_generators::{Action, Cx, PluginCx, PluginOutput, cpp::Writer};
use odsmith_ods::Model;
use odsmith_release::Change;
use odsmith_tablegen::{
    diagnostic::{Diagnostic, Severity},
    limits::{Meter, cancelled_job, over},
    parallel,
    record::{Records, detailed, print, sets},
    span::Span,
    text,
};

/// The share of the output limit per concurrent output: a limit of 64 MiB lets four outputs be made at the same time.
const BYTES_AT_ONCE: u64 = 16 << 20;

/// Makes the outputs of a target from existing records.
pub(super) fn make_from(job: &Job, target: &Target, records: &Arc<Records>) -> TargetOutcome {
    make_all(job, target, records, TargetOutcome { td: target.td.clone(), ..TargetOutcome::default() })
}

/// Makes all outputs of a target.
pub(super) fn make_all(
    job: &Job,
    target: &Target,
    records: &Arc<Records>,
    mut outcome: TargetOutcome,
) -> TargetOutcome {
    if !allows_deprecated(job, target, records, &mut outcome) {
        outcome.outputs = target.outputs.iter().map(not_made).collect();
        return outcome;
    }
    let model = Model::new(records).with_help(job.spare.clone());
    outcome.planned = target.plan.as_ref().map(|plan| plan.0(records)).unwrap_or_default();
    let outputs: Vec<&Output> = target.outputs.iter().chain(&outcome.planned).collect();
    let is_plugin = |output: &&&Output| matches!(output.action, Action::Plugin(_));
    let plugins = outputs.iter().filter(is_plugin).count();
    let shared = Shared { job, target, records, model: &model, plugins };
    outcome.outputs = make_within(job, &outputs, |output| make(&shared, output));
    outcome.usage.fuel += outcome.outputs.iter().map(|output| output.fuel).sum::<u64>();
    outcome.is_truncated |= outcome.outputs.iter().any(|output| output.is_truncated);
    outcome.records = Some(Arc::clone(records));
    outcome
}

/// Makes outputs until they exceed the byte limit of all outputs together; refuses the rest.
fn make_within<'o>(
    job: &Job,
    outputs: &[&'o Output],
    make: impl Fn(&'o Output) -> OutputOutcome + Sync,
) -> Vec<OutputOutcome> {
    let most = job.limits.output_bytes;
    // Small batches, so that outputs over the limit take little memory; the refused ones are the same for any size.
    let at_once = usize::try_from(most / BYTES_AT_ONCE).unwrap_or(usize::MAX).max(1);
    let mut bytes = 0u64;
    let mut made = Vec::with_capacity(outputs.len());
    for outputs in outputs.chunks(at_once) {
        let goes_on = bytes <= most && !job.cancel.is_cancelled();
        let more = goes_on.then(|| parallel::map_on(&job.spare, outputs, |&output| make(output)));
        let mut more = more.into_iter().flatten();
        for output in outputs {
            let outcome = more.next().filter(|_| bytes <= most);
            let artefact = outcome.as_ref().and_then(|outcome| outcome.artefact.as_ref());
            bytes += artefact.map_or(0, |artefact| artefact.bytes.len() as u64);
            let refuse =
                || refused(output.path.clone(), &over(Span::NONE, "length of all outputs", most, "bytes"));
            made.push(outcome.unwrap_or_else(refuse));
        }
    }
    made
}

/// Returns the first messages, and true if there are more. The last error explains the failure, so it is always kept.
pub(super) fn kept(all: &[Diagnostic], most: usize) -> (impl Iterator<Item = &Diagnostic>, bool) {
    let last = all.iter().rposition(is_error).filter(|&last| last >= most && most > 0);
    let first = most - usize::from(last.is_some());
    (all.iter().take(first).chain(last.map(|last| &all[last])), all.len() > most)
}

/// Warns of deprecated defs that are used; returns true if outputs may be made.
fn allows_deprecated(job: &Job, target: &Target, records: &Records, outcome: &mut TargetOutcome) -> bool {
    if target.on_deprecated == OnDeprecated::Ignore || !records.rules().has(Change::DeprecatedDefs) {
        return true;
    }
    let uses = deprecated::uses(records);
    // Warnings are rendered one at a time: each repeats its reason.
    let report = |warning| Finding::with(target.extent(), &warning, records.sources());
    let most = (job.limits.diagnostics as usize).saturating_sub(outcome.diagnostics.len());
    outcome.is_truncated |= uses.len() > most;
    outcome.diagnostics.extend(uses.iter().take(most).map(deprecated::Use::warning).map(report));
    let is_allowed = uses.is_empty() || target.on_deprecated == OnDeprecated::Warn;
    if !is_allowed {
        let message = "Error'ing out due to deprecated defs";
        outcome.diagnostics.push(Finding::unlocated(&Diagnostic::remark(Span::NONE, message)));
    }
    is_allowed
}

pub(super) fn not_made(output: &Output) -> OutputOutcome {
    OutputOutcome {
        artefact: None,
        path: output.path.clone(),
        diagnostics: Vec::new(),
        is_truncated: false,
        error_count: 0,
        fuel: 0,
    }
}

/// The data that all outputs of a target are made from.
struct Shared<'r> {
    job: &'r Job,
    target: &'r Target,
    records: &'r Records,
    model: &'r Model<'r>,
    /// The number of outputs that plugins make.
    plugins: usize,
}

fn make<'r>(shared: &Shared<'r>, output: &'r Output) -> OutputOutcome {
    let &Shared { job, target, records, model, plugins } = shared;
    let mut written = String::new();
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    let mut error_count = 0;
    let mut fuel = 0;
    if job.cancel.is_cancelled() {
        return refused(output.path.clone(), &cancelled_job());
    }
    let mut note = |result: Result<(), Box<Diagnostic>>| diagnostics.extend(result.err().map(|error| *error));
    match &output.action {
        Action::PrintRecords | Action::DumpJson => {
            let means =
                dump::DumpBudget { most: job.limits.output_bytes, spare: &job.spare, cancel: &job.cancel };
            if let Some(dump) = dump::of(&output.action, records) {
                note(dump::write(&*dump, &means, &mut |text| written.push_str(text)));
            }
        }
        Action::PrintDetailedRecords => note(detailed::print(records, &target.td, &mut written)),
        Action::PrintEnums(class) => match print::enums(records, class) {
            Ok(text) => written = text,
            Err(error) => diagnostics.push(error),
        },
        Action::PrintSets => {
            let meter = Meter::new(job.limits.clone(), job.cancel.clone());
            note(sets::print(records, meter, &mut written));
        }
        Action::Generate(generator, options) => {
            // No memory of 32 bits holds more than fits.
            let most = usize::try_from(job.limits.output_bytes).unwrap_or(usize::MAX);
            let mut w = Writer::new(most, *records.rules()).preallocated().until(job.cancel.clone());
            let sink = std::cell::RefCell::new(Vec::new());
            let cx = Cx {
                records,
                model,
                options,
                source: &target.td,
                shows_relative_paths: target.shows_relative_paths,
                sink,
            };
            let result = generator
                .check_release(records.rules())
                .and_then(|()| model.check())
                .and_then(|()| (generator.run)(&cx, &mut w));
            diagnostics = cx.sink.into_inner();
            match result {
                Ok(()) => error_count = diagnostics.iter().filter(|diagnostic| is_error(diagnostic)).count(),
                Err(error) => diagnostics.push(error),
            }
            match w.finish() {
                Some(text) => written = text,
                None if job.cancel.is_cancelled() => diagnostics.push(*cancelled_job()),
                None => diagnostics.push(*over(Span::NONE, "output size", job.limits.output_bytes, "bytes")),
            }
        }
        Action::Plugin(plugin) => {
            let made = plugin.run(&PluginCx {
                records,
                source: &target.td,
                output: &output.path,
                limits: &job.limits,
                sharers: plugins as u64,
                cancel: &job.cancel,
            });
            PluginOutput { text: written, diagnostics, fuel } = made;
            error_count = diagnostics.iter().filter(|diagnostic| is_error(diagnostic)).count();
        }
    }
    if written.len() as u64 > job.limits.output_bytes && diagnostics.is_empty() {
        diagnostics.push(*over(Span::NONE, "output size", job.limits.output_bytes, "bytes"));
    }
    let is_failed = diagnostics.iter().any(is_error);
    let artefact = (!is_failed).then(|| Artefact { path: output.path.clone(), bytes: text::decode(written) });
    let (kept, is_truncated) = kept(&diagnostics, job.limits.diagnostics as usize);
    OutputOutcome {
        artefact,
        path: output.path.clone(),
        diagnostics: kept
            .map(|diagnostic| Finding::with(target.extent(), diagnostic, records.sources()))
            .collect(),
        is_truncated,
        error_count: error_count as u32,
        fuel,
    }
}

fn is_error(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Severity::Error && !diagnostic.is_tolerated
}
