//! The jobs in progress, by the names of their results. A job is listed only as long as it runs. If one fails without
//! leaving a result, its error is remembered for a while, for clients that come back for the result.

use std::{
    collections::{BTreeMap, VecDeque},
    ptr,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::{Duration, Instant},
};

use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    jobs::leases::JobLease,
    pipeline::{
        error::ApiError,
        progress::{Counts, Progress},
    },
};

/// How long a failure is remembered.
const MEMORY: Duration = Duration::from_secs(60);

/// Maximum number of failures remembered.
const MOST_FAILURES: usize = 1_000;

/// The jobs in progress.
#[derive(Debug, Default)]
pub struct Running(Mutex<Table>);

#[derive(Debug, Default)]
struct Table {
    jobs: BTreeMap<String, Weak<RunningJob>>,
    /// The oldest first.
    failures: VecDeque<Failure>,
}

#[derive(Debug)]
struct Failure {
    at: Instant,
    key: String,
    error: ApiError,
}

/// A job in progress, for as long as this is held.
#[derive(Debug)]
pub struct RunningJob {
    table: Arc<Running>,
    /// The result's name.
    pub key: String,
    begun: Instant,
    /// The progress of the run that all clients wait for, once it has begun.
    progress: Mutex<Option<Progress>>,
    /// The lease that other servers see, unless the work has taken it over.
    lease: Mutex<Option<JobLease>>,
}

/// How far a result is that is being made.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ProgressReport {
    /// The result's name.
    pub key: String,
    /// Seconds since it was begun.
    seconds: f64,
    #[serde(flatten)]
    counts: Counts,
}

impl Running {
    /// Lists the job of a result; if it is listed already, returns the same job.
    pub fn begin(self: &Arc<Self>, key: &str) -> Arc<RunningJob> {
        let mut table = self.lock();
        if let Some(job) = table.jobs.get(key).and_then(Weak::upgrade) {
            return job;
        }
        let job = Arc::new(RunningJob {
            table: self.clone(),
            key: key.to_owned(),
            begun: Instant::now(),
            progress: Mutex::default(),
            lease: Mutex::default(),
        });
        table.jobs.insert(key.to_owned(), Arc::downgrade(&job));
        job
    }

    /// Returns the progress of a job, if it is running.
    #[must_use]
    pub fn report(&self, key: &str) -> Option<ProgressReport> {
        // The lock is released before the job is dropped: dropping the last handle locks the table again.
        let job = self.lock().jobs.get(key).and_then(Weak::upgrade)?;
        Some(job.report())
    }

    /// Remembers the error of a failed job.
    pub fn fail(&self, key: &str, error: ApiError) {
        let at = Instant::now();
        let failures = &mut self.lock().failures;
        let is_over = |failure: &Failure| at.saturating_duration_since(failure.at) > MEMORY;
        while failures.len() >= MOST_FAILURES || failures.front().is_some_and(is_over) {
            failures.pop_front();
        }
        failures.push_back(Failure { at, key: key.to_owned(), error });
    }

    /// Returns the error of a job that failed not long ago.
    #[must_use]
    pub fn failure(&self, key: &str) -> Option<ApiError> {
        let table = self.lock();
        let failure = table.failures.iter().rev().find(|failure| failure.key == key)?;
        (failure.at.elapsed() <= MEMORY).then(|| failure.error.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        // No code that can panic runs under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RunningJob {
    /// Sets the progress to report: the job has begun to run.
    pub fn follow(&self, progress: Progress) {
        *self.progress() = Some(progress);
    }

    /// Reports the progress.
    #[must_use]
    pub fn report(&self) -> ProgressReport {
        ProgressReport {
            key: self.key.clone(),
            seconds: (self.begun.elapsed().as_secs_f64() * 1e3).round() / 1e3,
            counts: self.progress().as_ref().map(Progress::counts).unwrap_or_default(),
        }
    }

    /// Keeps the lease of the job for the work that is about to begin.
    pub fn hold(&self, lease: JobLease) {
        *self.lease.lock().unwrap_or_else(PoisonError::into_inner) = Some(lease);
    }

    /// Takes over the lease of the job, if there is one.
    #[must_use]
    pub fn take_lease(&self) -> Option<JobLease> {
        self.lease.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn progress(&self) -> MutexGuard<'_, Option<Progress>> {
        // No code that can panic runs under the lock.
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for RunningJob {
    fn drop(&mut self) {
        let mut table = self.table.lock();
        // Another job of this name may have begun meanwhile.
        if table.jobs.get(&self.key).is_some_and(|job| ptr::eq(job.as_ptr(), self)) {
            table.jobs.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::error::Kind;

    #[test]
    fn a_job_is_there_while_it_is_held() {
        let running = Arc::new(Running::default());
        let one = running.begin("a");
        let other = running.begin("a");
        assert!(Arc::ptr_eq(&one, &other));
        drop(one);
        assert!(running.report("a").is_some_and(|report| report.key == "a"));
        assert!(running.report("b").is_none());
        drop(other);
        assert!(running.report("a").is_none());
        assert!(running.lock().jobs.is_empty());
    }

    #[test]
    fn failures_are_remembered_and_bounded() {
        let running = Running::default();
        for detail in ["first", "second"] {
            running.fail("a", ApiError::new(Kind::DEADLINE, detail));
        }
        assert_eq!(running.failure("a").map(|error| error.detail), Some("second".to_owned()));
        for number in 0..MOST_FAILURES {
            running.fail(&number.to_string(), ApiError::new(Kind::DEADLINE, ""));
        }
        assert!(running.failure("a").is_none());
        assert_eq!(running.lock().failures.len(), MOST_FAILURES);
    }
}
