//! The leases of jobs that this server does, for other servers that share a tier with it.

use std::sync::{Arc, Weak};

use actix_web::rt::{self, task::JoinHandle, time::sleep};

use crate::{
    jobs::running::RunningJob,
    store::{
        SealedTier, Tier, Value,
        lease::{LEASE, Lease},
    },
};

/// The lease of a job, renewed for as long as this is held.
#[derive(Debug)]
pub struct JobLease {
    tier: Arc<SealedTier>,
    key: String,
    renewal: JoinHandle<()>,
}

impl JobLease {
    /// Renews a lease that this server has.
    #[must_use]
    pub fn keep(tier: &Arc<SealedTier>, job: &Arc<RunningJob>) -> JobLease {
        let renewal = rt::spawn(renew(tier.clone(), Arc::downgrade(job)));
        JobLease { tier: tier.clone(), key: job.key.clone(), renewal }
    }

    /// Ends the lease: the job has ended.
    pub async fn end(self) {
        self.renewal.abort();
        self.tier.release(&self.key).await;
    }
}

impl Drop for JobLease {
    fn drop(&mut self) {
        // Unless it was ended, it ends by itself.
        self.renewal.abort();
    }
}

async fn renew(tier: Arc<SealedTier>, job: Weak<RunningJob>) {
    loop {
        sleep(LEASE / 3).await;
        let Some(job) = job.upgrade() else { return };
        tier.put(&job.key, Value::Job(Lease::new(&job.report()))).await;
    }
}
