//! Evaluations side by side. What comes of each does not depend on the others, nor on how many run at once.

use odsmith_engine::{
    artefact::Artefact,
    job::{Job, Session, TargetOutcome},
    library::Library,
    parallel,
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

/// Runs all targets of a job, in its order, on the job's threads; their records are kept only if they are of use.
pub(super) fn all(library: &Library, job: &Job, keeps_records: bool) -> Vec<Made> {
    let session = Session::new(library, job);
    let targets: Vec<usize> = (0..job.targets.len()).collect();
    // Neighbours begin with the same files: threads that work from both ends seldom read one at the same time.
    parallel::map_on(&job.spare, &targets, |&target| {
        let mut outcome = session.run(target);
        if !keeps_records {
            outcome.records = None;
        }
        let measures = outcome.outputs.iter().map(|output| output.artefact.as_ref().map(measure));
        Made { measures: measures.collect(), outcome }
    })
}

fn measure(made: &Artefact) -> Measure {
    Measure { lines: made.lines(), sha256: keys::sha256(&made.bytes) }
}
