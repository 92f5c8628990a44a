//! Rate limits for each client: the generic cell rate algorithm, which stores one instant per client.
//!
//! The crate `governor` would replace [`Quota::take`] alone. It hides when the quota of an admitted client is full
//! again, which the `RateLimit` header reports, and its store of clients has no limit.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use crate::{config::QuotaLimits, jobs::ticket::Client};

/// Maximum number of clients remembered; beyond it, clients with a full quota are forgotten.
const MOST_CLIENTS: usize = 100_000;

/// The quota of every client.
#[derive(Debug)]
pub struct Quota {
    interval: Duration,
    burst: u32,
    /// The instant at which each client will have its whole burst again.
    full_at: Mutex<HashMap<Client, Instant>>,
}

/// The state of a client's quota.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// True if this request is within it.
    pub is_admitted: bool,
    /// Number of requests that may follow at once.
    pub remaining: u32,
    /// Time until the next request is allowed or, if one is allowed now, until the quota is full.
    pub reset: Duration,
}

impl Quota {
    /// Returns the quota that the limits describe, if they do.
    #[must_use]
    pub fn new(limits: &QuotaLimits) -> Option<Quota> {
        let interval = Duration::from_secs(60).checked_div(limits.requests_per_minute)?;
        let burst = if limits.burst == 0 { limits.requests_per_minute } else { limits.burst };
        Some(Quota { interval, burst, full_at: Mutex::default() })
    }

    /// Takes one request from a client's quota.
    pub fn take(&self, client: Client, now: Instant) -> Standing {
        // No code that can panic runs under the lock.
        let mut full_at = self.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        if full_at.len() >= MOST_CLIENTS {
            full_at.retain(|_, full_at| *full_at > now);
        }
        let whole = self.interval * self.burst;
        let used = full_at.get(&client).map_or(Duration::ZERO, |full| full.saturating_duration_since(now));
        let after = used + self.interval;
        if after > whole {
            return Standing { is_admitted: false, remaining: 0, reset: after - whole };
        }
        if full_at.len() < MOST_CLIENTS || full_at.contains_key(&client) {
            full_at.insert(client, now + after);
        }
        let remaining = (whole - after).as_nanos() / self.interval.as_nanos().max(1);
        Standing { is_admitted: true, remaining: u32::try_from(remaining).unwrap_or(u32::MAX), reset: after }
    }

    /// Returns the value of `RateLimit-Policy`: the burst, and the seconds in which it is refilled.
    #[must_use]
    pub fn policy(&self) -> String {
        format!("\"requests\";q={};w={}", self.burst, seconds(self.interval * self.burst))
    }
}

impl Standing {
    /// Returns the value of `RateLimit`: the remaining requests, and the seconds until there are more.
    #[must_use]
    pub fn header(&self) -> String {
        format!("\"requests\";r={};t={}", self.remaining, seconds(self.reset))
    }
}

/// Returns whole seconds, rounded up.
#[must_use]
pub fn seconds(time: Duration) -> u64 {
    time.as_secs() + u64::from(time.subsec_nanos() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_and_then_the_rate() {
        let quota = Quota::new(&QuotaLimits { requests_per_minute: 60, burst: 3 }).unwrap();
        let start = Instant::now();
        let (one, other) = (Client::at([10, 0, 0, 1].into()), Client::at([10, 0, 0, 2].into()));
        let left: Vec<(bool, u32)> = (0..4)
            .map(|_| quota.take(one, start))
            .map(|standing| (standing.is_admitted, standing.remaining))
            .collect();
        assert_eq!(left, [(true, 2), (true, 1), (true, 0), (false, 0)]);
        assert!(quota.take(other, start).is_admitted, "another client has a quota of its own");
        assert_eq!(quota.take(one, start).reset, Duration::from_secs(1));
        assert!(quota.take(one, start + Duration::from_secs(1)).is_admitted);
        assert!(!quota.take(one, start + Duration::from_secs(1)).is_admitted);
        assert_eq!(quota.policy(), "\"requests\";q=3;w=3");
        assert!(Quota::new(&QuotaLimits::default()).is_none());
    }

    #[test]
    fn an_ipv6_network_is_one_client() {
        let at = |text: &str| Client::at(text.parse().unwrap());
        assert_eq!(at("2001:db8::1"), at("2001:db8::ffff:1"));
        assert_ne!(at("2001:db8::1"), at("2001:db8:0:1::1"));
        assert_eq!(at("::ffff:10.0.0.1"), at("10.0.0.1"));
    }
}
