//! The states after leading `include`s that jobs on one library share, and targets of one job.

use super::super::evaluate::{self, Root, meter};
use odsmith_tablegen::eval::{
    Evaluated,
    snapshot::{Snapshots, Tier},
};

/// Evaluates a root, starting from its longest prefix if the job uses snapshots. `own` holds the states of the job's
/// other targets.
pub fn evaluate(root: &Root<'_>, own: Option<&Snapshots>) -> Evaluated {
    let Root { library, job, target, input, text } = *root;
    if !job.uses_snapshots {
        return evaluate::evaluate(root);
    }
    let is_library = |path: &str| path.starts_with(library.root());
    let mut tiers = vec![Tier { snapshots: library.snapshots(), shares: &is_library }];
    tiers.extend(own.map(|snapshots| Tier { snapshots, shares: &|_| true }));
    input.start_on(&tiers, &target.td, text, meter(job)).run()
}
