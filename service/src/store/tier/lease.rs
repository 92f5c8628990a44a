//! The lease of a job: other servers see that one of them does it, for as long as that server renews the lease.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How long a lease lasts. A server that does a job renews it earlier; one that was killed leaves the job to others
/// after this time.
pub const LEASE: Duration = Duration::from_secs(6);

/// A lease.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lease {
    /// Its end, in milliseconds after the epoch; 0 if the job has ended.
    pub until: u64,
    /// How far the job is, as the result's address reports it.
    pub report: Value,
}

impl Lease {
    /// Creates a lease that begins now.
    #[must_use]
    pub fn new(report: &impl Serialize) -> Lease {
        let until = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default() + LEASE;
        let until = u64::try_from(until.as_millis()).unwrap_or(u64::MAX);
        Lease { until, report: serde_json::to_value(report).unwrap_or_default() }
    }

    /// Creates the lease of a job that has ended.
    #[must_use]
    pub fn ended() -> Lease {
        Lease { until: 0, report: Value::Null }
    }

    /// Serializes the lease.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        // Serializing cannot fail.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Parses a lease.
    #[must_use]
    pub fn from_json(json: &[u8]) -> Option<Lease> {
        serde_json::from_slice(json).ok()
    }
}
