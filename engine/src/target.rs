//! One root file: evaluate, then make its outputs.

use crate::{
    job::{Job, Target, TargetOutcome},
    library::Library,
};

/// Evaluates a root file and makes its outputs; one output's failure leaves the others alone.
pub(crate) fn run(_library: &Library, _job: &Job, target: &Target) -> TargetOutcome {
    TargetOutcome { td: target.td.clone(), ..TargetOutcome::default() }
}
