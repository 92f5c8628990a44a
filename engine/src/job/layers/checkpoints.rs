//! The records, or the state after leading `include`s, that an earlier process has saved.

use std::sync::{Mutex, PoisonError};

use super::super::{
    Job,
    evaluate::{Root, meter, with_tokens},
};
use odsmith_tablegen::{
    eval::{
        Evaluated,
        checkpoint::{Access, Checkpoint, Checkpoints, Trail},
    },
    parallel,
    record::Records,
};

/// The identity of the build of this program.
const BUILD: &str = env!("ODSMITH_BUILD");

/// Opens the job's store for a root.
pub fn open<'a>(root: &Root<'a>) -> Option<Checkpoints<'a, 'a>> {
    let Root { job, target, input, text, .. } = *root;
    let access = Access { files: &job.files, store: job.checkpoints.as_ref()?, build: BUILD };
    Some(Checkpoints::of(input, access, (&job.limits, &job.cancel), &target.td, text))
}

/// The saved states of a root. Jobs that use snapshots save none.
pub struct Layer<'a> {
    job: &'a Job,
    states: Option<&'a Checkpoints<'a, 'a>>,
    /// The prefixes to save.
    prefixes: Vec<Checkpoint>,
}

impl<'a> Layer<'a> {
    /// Creates the layer over a store that [`open`] has opened.
    pub fn new(job: &'a Job, states: Option<&'a Checkpoints<'a, 'a>>) -> Self {
        Layer { job, states: states.filter(|_| !job.uses_snapshots), prefixes: Vec::new() }
    }

    /// Returns the saved result of a root, or starts at its longest saved prefix. Without a store `below` evaluates it.
    pub fn evaluate(&mut self, below: impl FnOnce() -> Evaluated) -> Evaluated {
        let Some(states) = self.states else { return below() };
        if let Some(found) = states.find_whole(meter(self.job)) {
            // There is nothing to save.
            self.states = None;
            return found;
        }
        let mut evaluated = evaluate_on(states, self.job);
        self.prefixes = std::mem::take(&mut evaluated.checkpoints);
        evaluated
    }

    /// Saves the prefixes.
    pub fn save_prefixes(&self) {
        if let Some(states) = self.states {
            self.prefixes.iter().for_each(|checkpoint| states.save(checkpoint));
        }
    }

    /// Saves the prefixes and the records on an idle thread, if there is one, while `make` runs.
    pub fn save_beside<R>(&self, records: &Records, trail: &Trail<'_>, make: impl FnOnce() -> R) -> R {
        let Some(states) = self.states else { return make() };
        let save = || {
            self.save_prefixes();
            states.pack_whole(records, trail).iter().for_each(|checkpoint| states.save(checkpoint));
        };
        parallel::beside(&self.job.spare, save, |is_helped| {
            if !is_helped {
                save();
            }
            make()
        })
    }
}

/// Evaluates a root, starting from the longest of its prefixes in the store.
fn evaluate_on(states: &Checkpoints<'_, '_>, job: &Job) -> Evaluated {
    if let Some(mut prefix) = states.find_prefix() {
        let after = Mutex::new(prefix.after.take());
        let after = || after.lock().unwrap_or_else(PoisonError::into_inner).take();
        let evaluated = with_tokens(
            job,
            || states.lexer(after()),
            |tokens| {
                let evaluator = states.evaluator(tokens, Some(prefix), meter(job));
                (!evaluator.needs_what_is_before()).then(|| evaluator.run())
            },
        );
        if let Some(evaluated) = evaluated {
            return evaluated;
        }
    }
    with_tokens(job, || states.lexer(None), |tokens| states.evaluator(tokens, None, meter(job)).run())
}
