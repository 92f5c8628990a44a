//! Runs one root file: evaluates it, then makes its outputs.

use std::sync::{Arc, Mutex, PoisonError};

use super::{
    Job, JobFiles, OnDeprecated, Output, OutputOutcome, Target, TargetOutcome, Usage, dump, refused,
};
use crate::{artefact::Artefact, deprecated, library::Library, report::Report};
use odsmith_generators::{Action, Cx, cpp::Writer};
use odsmith_ods::Model;
use odsmith_release::Change;
use odsmith_tablegen::{
    diagnostic::{Code, Diagnostic, Severity},
    eval::{
        Evaluated,
        checkpoint::{Access, Checkpoint, Checkpoints, KeptOutputs, Trail},
        snapshot::{Input, Snapshots, Tier},
    },
    limits::{InclusionMeter, Meter, cancelled_job, over},
    parallel,
    record::{Records, detailed, print, sets},
    source::Files,
    span::Span,
    syntax::{Lexer, Tokens, tokens},
    text,
};

/// The share of the output limit per concurrent output: a limit of 64 MiB lets four outputs be made at the same time.
const BYTES_AT_ONCE: u64 = 16 << 20;

/// The identity of the build of this program.
const BUILD: &str = env!("ODSMITH_BUILD");

/// Evaluates a root file and makes its outputs; an output that fails does not affect the others.
///
/// `own` keeps evaluation states after leading `include`s for the job's other targets.
pub(super) fn run(library: &Library, job: &Job, target: &Target, own: Option<&Snapshots>) -> TargetOutcome {
    let files = JobFiles { library, own: &*job.files };
    let Some(text) = files.read(&target.td) else {
        let message = format!("Could not open input file '{}': No such file or directory", target.td);
        return unreadable(target, &Diagnostic::error(Span::NONE, message).code(Code::Request));
    };
    let mut macros = job.defines.iter().chain(&target.defines);
    let are_checked = library.rules().has(Change::MacroNamesChecked);
    if let Some(name) = macros.find(|name| are_checked && !is_macro_name(name)) {
        let message = format!("invalid macro name `{name}` specified on command line");
        return unreadable(target, &Diagnostic::error(Span::NONE, message).code(Code::Request));
    }
    let input = job.input(target, &files);
    let checkpoints = job.checkpoints.as_ref().map(|store| {
        let access = Access { files: &job.files, store, build: BUILD };
        Checkpoints::of(&input, access, (&job.limits, &job.cancel), &target.td, &text)
    });
    let kept_outputs = checkpoints.as_ref().zip(kept_actions(target));
    if let Some(outputs) = kept_outputs.as_ref().and_then(|(states, actions)| states.find_outputs(actions)) {
        return made_before(target, outputs);
    }
    let of_records = checkpoints.as_ref().filter(|_| !job.uses_snapshots);
    let meter = Meter::new(job.limits.clone(), job.cancel.clone());
    let found = of_records.as_ref().and_then(|states| states.find_whole(meter));
    let is_found = found.is_some();
    let mut evaluated = found.unwrap_or_else(|| match &of_records {
        Some(states) => evaluate_on(states, job),
        None => evaluate(library, job, target, &input, &text, own),
    });
    let made = std::mem::take(&mut evaluated.checkpoints);
    let usage = Usage {
        fuel: evaluated.meter.fuel_used(),
        arena_bytes: (evaluated.keeper.live_bytes() + evaluated.sources.heap_bytes()) as u64,
        records: evaluated.keeper.record_count() as u64,
        parsed: 1,
    };
    let (kept, is_truncated) = kept(&evaluated.diagnostics, job.limits.diagnostics as usize);
    let diagnostics =
        kept.map(|diagnostic| Report::with(target.extent(), diagnostic, &evaluated.sources)).collect();
    let mut outcome = TargetOutcome {
        td: target.td.clone(),
        records: None,
        diagnostics,
        is_truncated,
        error_count: evaluated.counted_errors,
        reads: evaluated.reads.clone(),
        outputs: Vec::new(),
        planned: Vec::new(),
        usage,
    };
    let save = |checkpoint: &Checkpoint| {
        if let Some(states) = &of_records {
            states.save(checkpoint);
        }
    };
    let goes_on = target.makes_after_errors
        && evaluated.counted_errors > 0
        && !library.rules().has(Change::NothingAfterErrors);
    if goes_on {
        let records = Arc::new(Records::new(evaluated.keeper, evaluated.sources));
        return make_all(job, target, &records, outcome);
    }
    if !evaluated.is_ok {
        made.iter().for_each(save);
        outcome.outputs = target.outputs.iter().map(not_made).collect();
        return outcome;
    }
    let records = Arc::new(Records::new(evaluated.keeper, evaluated.sources));
    let trail = Trail {
        reads: &evaluated.reads,
        requests: &evaluated.requests,
        diagnostics: &evaluated.diagnostics,
        fuel: usage.fuel,
    };
    let save_all = || {
        made.iter().for_each(save);
        if let Some(states) = &of_records {
            states.pack_whole(&records, &trail).iter().for_each(save);
        }
    };
    let outcome = if of_records.is_none() || is_found {
        make_all(job, target, &records, outcome)
    } else {
        // An idle thread saves the states while outputs are made.
        parallel::beside(&job.spare, save_all, |is_helped| {
            if !is_helped {
                save_all();
            }
            make_all(job, target, &records, outcome)
        })
    };
    if let Some((states, actions)) = &kept_outputs
        && let Some(texts) = made_in_silence(&outcome)
    {
        let usage = [usage.fuel, usage.arena_bytes, usage.records];
        states.save_outputs(actions, records.sources(), &trail, usage, &texts);
    }
    outcome
}

/// Serialises what outputs depend on besides files and inputs of evaluation; `None` if outputs are not stored.
fn kept_actions(target: &Target) -> Option<String> {
    use std::fmt::Write as _;
    let Target { on_deprecated, shows_relative_paths, makes_after_errors, .. } = target;
    if !target.keeps_outputs || target.plan.is_some() || target.outputs.is_empty() {
        return None;
    }
    let mut text = format!("{on_deprecated:?} {shows_relative_paths} {makes_after_errors}");
    for output in &target.outputs {
        let _ = match &output.action {
            Action::Generate(generator, options) => write!(text, " {} {options:?}", generator.name),
            action => write!(text, " {action:?}"),
        };
    }
    Some(text)
}

/// Returns the outputs if all were made without any message.
fn made_in_silence(outcome: &TargetOutcome) -> Option<Vec<&[u8]>> {
    let is_silent = |output: &&OutputOutcome| output.diagnostics.is_empty() && output.error_count == 0;
    if !outcome.diagnostics.is_empty() || outcome.error_count > 0 {
        return None;
    }
    let text = |output| Some(Some(output).filter(is_silent)?.artefact.as_ref()?.bytes.as_slice());
    outcome.outputs.iter().map(text).collect()
}

/// Creates the outcome of a target from its stored outputs.
fn made_before(target: &Target, kept: KeptOutputs) -> TargetOutcome {
    let KeptOutputs { reads, usage: [fuel, arena_bytes, records], texts } = kept;
    let output = |(output, bytes): (&Output, Vec<u8>)| {
        let path = output.path.clone();
        let artefact = Some(Artefact { path: path.clone(), bytes });
        OutputOutcome { artefact, path, diagnostics: Vec::new(), is_truncated: false, error_count: 0 }
    };
    TargetOutcome {
        td: target.td.clone(),
        reads,
        outputs: target.outputs.iter().zip(texts).map(output).collect(),
        usage: Usage { fuel, arena_bytes, records, parsed: 1 },
        ..TargetOutcome::default()
    }
}

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
    outcome.outputs = make_within(job, &outputs, |output| make(job, target, output, records, &model));
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

fn evaluate(
    library: &Library,
    job: &Job,
    target: &Target,
    input: &Input<'_>,
    text: &Arc<[u8]>,
    own: Option<&Snapshots>,
) -> Evaluated {
    let meter = Meter::new(job.limits.clone(), job.cancel.clone());
    if !job.uses_snapshots {
        let lexer = || input.lexer(&target.td, text).within(InclusionMeter::new(&job.limits, &job.cancel));
        return with_tokens(job, lexer, |tokens| input.evaluator(tokens, meter).run());
    }
    let is_library = |path: &str| path.starts_with(library.root());
    let mut tiers = vec![Tier { snapshots: library.snapshots(), shares: &is_library }];
    tiers.extend(own.map(|snapshots| Tier { snapshots, shares: &|_| true }));
    input.start_on(&tiers, &target.td, text, meter).run()
}

/// Evaluates a root, starting from the longest of its prefixes in the store.
fn evaluate_on(states: &Checkpoints<'_, '_>, job: &Job) -> Evaluated {
    let meter = || Meter::new(job.limits.clone(), job.cancel.clone());
    if let Some(mut prefix) = states.find_prefix() {
        let after = Mutex::new(prefix.after.take());
        let after = || after.lock().unwrap_or_else(PoisonError::into_inner).take();
        let evaluated = with_tokens(
            job,
            || states.lexer(after()),
            |tokens| {
                let evaluator = states.evaluator(tokens, Some(prefix), meter());
                (!evaluator.needs_what_is_before()).then(|| evaluator.run())
            },
        );
        if let Some(evaluated) = evaluated {
            return evaluated;
        }
    }
    with_tokens(job, || states.lexer(None), |tokens| states.evaluator(tokens, None, meter()).run())
}

/// Runs `evaluate` on a lexer's tokens; if a thread is idle, it lexes ahead.
fn with_tokens<'f, R>(
    job: &Job,
    lexer: impl Fn() -> Lexer<'f> + Copy + Send,
    evaluate: impl FnOnce(Tokens<'f>) -> R,
) -> R {
    let (to_evaluator, from_lexer) = tokens::channel();
    let lex = move || tokens::send(lexer(), &to_evaluator);
    parallel::beside(&job.spare, lex, |is_helped| {
        evaluate(if is_helped { Tokens::received(from_lexer) } else { Tokens::of(lexer()) })
    })
}

/// Returns the first messages, and true if there are more. The last error explains the failure, so it is always kept.
fn kept(all: &[Diagnostic], most: usize) -> (impl Iterator<Item = &Diagnostic>, bool) {
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
    let report = |warning| Report::with(target.extent(), &warning, records.sources());
    let most = (job.limits.diagnostics as usize).saturating_sub(outcome.diagnostics.len());
    outcome.is_truncated |= uses.len() > most;
    outcome.diagnostics.extend(uses.iter().take(most).map(deprecated::Use::warning).map(report));
    let is_allowed = uses.is_empty() || target.on_deprecated == OnDeprecated::Warn;
    if !is_allowed {
        let message = "Error'ing out due to deprecated defs";
        outcome.diagnostics.push(Report::unlocated(&Diagnostic::remark(Span::NONE, message)));
    }
    is_allowed
}

/// Returns true if a macro may have this name; an empty name is accepted and defines nothing.
fn is_macro_name(name: &str) -> bool {
    let is_start = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    name.bytes().next().is_none_or(is_start)
        && name.bytes().all(|byte| is_start(byte) || byte.is_ascii_digit())
}

fn unreadable(target: &Target, diagnostic: &Diagnostic) -> TargetOutcome {
    TargetOutcome {
        td: target.td.clone(),
        diagnostics: vec![Report::unlocated(diagnostic)],
        outputs: target.outputs.iter().map(not_made).collect(),
        ..TargetOutcome::default()
    }
}

fn not_made(output: &Output) -> OutputOutcome {
    OutputOutcome {
        artefact: None,
        path: output.path.clone(),
        diagnostics: Vec::new(),
        is_truncated: false,
        error_count: 0,
    }
}

fn make<'r>(
    job: &Job,
    target: &'r Target,
    output: &'r Output,
    records: &'r Records,
    model: &'r Model<'r>,
) -> OutputOutcome {
    let mut written = String::new();
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    let mut error_count = 0;
    if job.cancel.is_cancelled() {
        return refused(output.path.clone(), &cancelled_job());
    }
    let mut note = |result: Result<(), Box<Diagnostic>>| diagnostics.extend(result.err().map(|error| *error));
    match &output.action {
        Action::PrintRecords | Action::DumpJson => {
            let means = dump::Means { most: job.limits.output_bytes, spare: &job.spare, cancel: &job.cancel };
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
            let mut w = Writer::new(job.limits.output_bytes as usize, *records.rules())
                .preallocated()
                .until(job.cancel.clone());
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
            .map(|diagnostic| Report::with(target.extent(), diagnostic, records.sources()))
            .collect(),
        is_truncated,
        error_count: error_count as u32,
    }
}

fn is_error(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Severity::Error && !diagnostic.is_tolerated
}
