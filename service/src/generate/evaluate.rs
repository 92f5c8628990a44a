//! Evaluations side by side. What comes of each does not depend on the others, nor on how many run at once.

use std::{
    num::NonZero,
    panic::resume_unwind,
    sync::{Mutex, OnceLock, PoisonError},
    thread,
};

use odsmith_engine::{
    artefact::Artefact,
    job::{Job, Session, TargetOutcome},
    library::Library,
    parallel::STACK_BYTES,
};

use crate::keys;

/// What came of one evaluation.
pub(super) struct Made {
    /// What the engine says.
    pub outcome: TargetOutcome,
    /// The measures of its outputs, in their order; nothing for one that was not made.
    pub measures: Vec<Option<Measure>>,
}

/// What the report of an output says of its text.
pub(super) struct Measure {
    /// Lines.
    pub lines: usize,
    /// Digest of the bytes.
    pub sha256: String,
}

/// Runs all targets of a job, in its order; their records are kept only if somebody wants them. Threads for which no
/// target is left help the others.
pub(super) fn all(library: &Library, job: &Job, threads: NonZero<usize>, keeps_records: bool) -> Vec<Made> {
    let session = Session::new(library, job);
    let made: Vec<OnceLock<Made>> = job.targets.iter().map(|_| OnceLock::new()).collect();
    let waiting = Mutex::new(0..made.len());
    // Neighbours begin with the same files: threads that work from both ends seldom read one at the same time.
    let work = |is_from_the_end: bool| {
        loop {
            let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
            let next = if is_from_the_end { waiting.next_back() } else { waiting.next() };
            drop(waiting);
            let Some(index) = next else { break job.spare.give() };
            let keeps_records = keeps_records || job.targets[index].plan.is_some();
            let _ = made[index].set(one(&session, index, keeps_records));
        }
    };
    let others = threads.get().min(job.targets.len()).saturating_sub(1);
    thread::scope(|scope| {
        let start = |index| {
            let thread = thread::Builder::new().stack_size(STACK_BYTES);
            thread.spawn_scoped(scope, move || work(index % 2 == 0))
        };
        // A thread that can not be had is one that does not help.
        let helpers: Vec<_> = (0..others).map_while(|index| start(index).ok()).collect();
        work(false);
        for helper in helpers {
            if let Err(panic) = helper.join() {
                resume_unwind(panic);
            }
        }
    });
    made.into_iter().filter_map(OnceLock::into_inner).collect()
}

fn one(session: &Session<'_>, index: usize, keeps_records: bool) -> Made {
    let mut outcome = session.run(index);
    if !keeps_records {
        outcome.records = None;
    }
    let measures = outcome.outputs.iter().map(|output| output.artefact.as_ref().map(measure));
    Made { measures: measures.collect(), outcome }
}

fn measure(made: &Artefact) -> Measure {
    Measure { lines: made.lines(), sha256: keys::sha256(&made.bytes) }
}
