//! The outputs of an earlier process.

use std::fmt::Write as _;

use super::super::{Output, OutputOutcome, Target, TargetOutcome, Usage};
use crate::artefact::Artefact;
use odsmith_generators::Action;
use odsmith_tablegen::{
    eval::checkpoint::{Checkpoints, KeptOutputs, Trail},
    record::Records,
};

/// The stored outputs of a target, if it reuses them.
pub struct Layer<'a> {
    target: &'a Target,
    /// The store, and the part of the key that says what the outputs depend on besides files.
    store: Option<(&'a Checkpoints<'a, 'a>, String)>,
}

impl<'a> Layer<'a> {
    /// Creates the layer over a store of checkpoints.
    pub fn new(target: &'a Target, states: Option<&'a Checkpoints<'a, 'a>>) -> Self {
        Layer { target, store: states.zip(actions(target)) }
    }

    /// Returns the outcome that was stored.
    pub fn find(&self) -> Option<TargetOutcome> {
        let (states, actions) = self.store.as_ref()?;
        Some(outcome(self.target, states.find_outputs(actions)?))
    }

    /// Stores an outcome, if all outputs were made without any message.
    pub fn save(&self, outcome: &TargetOutcome, records: &Records, trail: &Trail<'_>) {
        if let Some((states, actions)) = &self.store
            && let Some(texts) = texts(outcome)
        {
            let Usage { fuel, arena_bytes, records: count, .. } = outcome.usage;
            states.save_outputs(actions, records.sources(), trail, [fuel, arena_bytes, count], &texts);
        }
    }
}

/// Serialises what outputs depend on besides files and inputs of evaluation; `None` if outputs are not stored.
fn actions(target: &Target) -> Option<String> {
    let Target { on_deprecated, shows_relative_paths, makes_after_errors, .. } = target;
    if !target.keeps_outputs || target.plan.is_some() || target.outputs.is_empty() {
        return None;
    }
    let mut text = format!("{on_deprecated:?} {shows_relative_paths} {makes_after_errors}");
    for output in &target.outputs {
        let _ = match &output.action {
            Action::Generate(generator, options) => write!(text, " {} {options:?}", generator.name),
            // A plugin sees the name of its output.
            Action::Plugin(plugin) => write!(text, " {:?} {:?}", plugin.key()?, output.path),
            action => write!(text, " {action:?}"),
        };
    }
    Some(text)
}

/// Returns the outputs if all were made without any message.
fn texts(outcome: &TargetOutcome) -> Option<Vec<&[u8]>> {
    let is_silent = |output: &&OutputOutcome| output.diagnostics.is_empty() && output.error_count == 0;
    if !outcome.diagnostics.is_empty() || outcome.error_count > 0 {
        return None;
    }
    let text = |output| Some(Some(output).filter(is_silent)?.artefact.as_ref()?.bytes.as_slice());
    outcome.outputs.iter().map(text).collect()
}

/// Creates the outcome of a target from its stored outputs.
fn outcome(target: &Target, kept: KeptOutputs) -> TargetOutcome {
    let KeptOutputs { reads, usage: [fuel, arena_bytes, records], texts } = kept;
    let output = |(output, bytes): (&Output, Vec<u8>)| {
        let path = output.path.clone();
        let artefact = Some(Artefact { path: path.clone(), bytes });
        OutputOutcome {
            artefact,
            path,
            diagnostics: Vec::new(),
            is_truncated: false,
            error_count: 0,
            fuel: 0,
        }
    };
    TargetOutcome {
        td: target.td.clone(),
        reads,
        outputs: target.outputs.iter().zip(texts).map(output).collect(),
        usage: Usage { fuel, arena_bytes, records, parsed: 1 },
        ..TargetOutcome::default()
    }
}
