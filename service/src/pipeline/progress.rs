//! The progress of a job, for the clients that wait for it.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use odsmith_engine::{
    cancel::Cancel,
    limits::{Budget, Limits},
};
use serde::Serialize;
use utoipa::ToSchema;

/// The work that a job does at the moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// It waits for its turn.
    #[default]
    Waiting,
    /// It finds out what to evaluate.
    Planning,
    /// It evaluates roots and makes their outputs.
    Evaluating,
    /// It writes the model and the site.
    Documenting,
}

/// The finished part of a number of things.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Count {
    /// So many are done.
    done: u64,
    /// Of so many.
    of: u64,
}

/// The used part of a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Share)]
pub struct LimitUse {
    /// So much was used.
    used: u64,
    /// Of so much.
    limit: u64,
}

/// How far a job is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Counts {
    /// The work of the moment.
    stage: Stage,
    /// Root files that were evaluated.
    targets: Count,
    /// Units of work on them, as far as they are done (`job.job_fuel`).
    fuel: LimitUse,
    /// Units of work besides evaluation (`job.work`).
    work: LimitUse,
    /// Files of the site that were written.
    pages: u64,
}

impl Counts {
    /// Returns the progress as a line for a person: `checking 12 of 253 files`.
    #[must_use]
    pub fn text(&self, verb: &str) -> String {
        let Count { done, of } = self.targets;
        match self.stage {
            Stage::Documenting if self.pages > 0 => format!("{verb}: {} pages", self.pages),
            _ if of > 0 => format!("{verb} {done} of {of} files"),
            _ => verb.to_owned(),
        }
    }
}

/// The budget and the progress of a job. Clones share their state.
#[derive(Clone)]
pub struct Progress {
    budget: Budget,
    cancel: Cancel,
    counts: Arc<Mutex<Counts>>,
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Progress").field(&self.counts()).finish()
    }
}

impl Progress {
    /// Creates the progress of a waiting job.
    #[must_use]
    pub fn new(limits: &Limits, cancel: Cancel) -> Progress {
        let counts = Counts {
            fuel: LimitUse { used: 0, limit: limits.job_fuel },
            work: LimitUse { used: 0, limit: limits.work },
            ..Counts::default()
        };
        Progress { budget: Budget::new(limits, cancel.clone()), cancel, counts: Arc::new(Mutex::new(counts)) }
    }

    /// Returns the budget for work other than evaluation.
    #[must_use]
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Returns the handle that stops the job.
    #[must_use]
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Moves the job to another stage.
    pub fn begin(&self, stage: Stage) {
        self.lock().stage = stage;
    }

    /// Adds targets to be evaluated.
    pub fn expect_targets(&self, targets: usize) {
        self.lock().targets.of = targets as u64;
    }

    /// Counts an evaluated target and its fuel.
    pub fn finish_target(&self, fuel: u64) {
        let mut counts = self.lock();
        counts.targets.done += 1;
        counts.fuel.used += fuel;
    }

    /// Counts written files of the site.
    pub fn write_pages(&self, files: usize) {
        self.lock().pages += files as u64;
    }

    /// Returns the progress.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut counts = *self.lock();
        counts.work.used = self.budget.used();
        counts
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        // No code that can panic runs under the lock.
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_job_notes_is_seen_by_others() {
        let limits = Limits { job_fuel: 10, work: 20, ..Limits::default() };
        let progress = Progress::new(&limits, Cancel::new());
        let seen = progress.clone();
        assert_eq!(seen.counts().stage, Stage::Waiting);
        progress.begin(Stage::Evaluating);
        progress.expect_targets(3);
        progress.finish_target(4);
        progress.write_pages(5);
        progress.budget().charge(7);
        let counts = Counts {
            stage: Stage::Evaluating,
            targets: Count { done: 1, of: 3 },
            fuel: LimitUse { used: 4, limit: 10 },
            work: LimitUse { used: 7, limit: 20 },
            pages: 5,
        };
        assert_eq!(seen.counts(), counts);
    }
}
