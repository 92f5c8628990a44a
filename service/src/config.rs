//! What a server is told at its start.

use std::net::SocketAddr;

use odsmith_engine::limits::Limits as JobLimits;
use serde::Serialize;

use crate::archive;

/// Where a server listens, and what it allows.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address.
    pub bind: SocketAddr,
    /// Whether others than this machine may come without a token.
    pub allow_anonymous: bool,
    /// Every limit.
    pub limits: Limits,
    /// Bytes of results that are kept.
    pub cache_bytes: u64,
}

/// Every limit of the service; `/v1/limits` shows them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Limits {
    /// What comes in.
    pub archive: archive::Limits,
    /// What one evaluation may use.
    pub job: JobLimits,
    /// How long a body may take to arrive.
    pub body_seconds: u64,
    /// How many bytes a second must arrive, after a start of five seconds.
    pub body_bytes_per_second: u64,
    /// How long a job may wait and run.
    pub job_seconds: u64,
    /// Jobs that run at the same time.
    pub jobs_running: usize,
    /// Jobs that wait; more are refused.
    pub jobs_waiting: usize,
    /// Bytes of bodies that are being read or worked on.
    pub bytes_in_flight: u64,
}

impl Default for Limits {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Limits {
            archive: archive::Limits::default(),
            job: JobLimits::default(),
            body_seconds: 30,
            body_bytes_per_second: 8 << 10,
            job_seconds: 20,
            jobs_running: cores,
            jobs_waiting: 64 * cores,
            bytes_in_flight: 512 << 20,
        }
    }
}

impl Config {
    /// A server on this address with the default limits.
    #[must_use]
    pub fn new(bind: SocketAddr) -> Self {
        Config { bind, allow_anonymous: false, limits: Limits::default(), cache_bytes: 512 << 20 }
    }

    /// Checks that what is asked for is safe.
    ///
    /// # Errors
    /// Others could reach the server, and nobody said that they may.
    pub fn check(&self) -> Result<(), String> {
        if self.bind.ip().is_loopback() || self.allow_anonymous {
            return Ok(());
        }
        Err(format!(
            "{} can be reached from other machines; say --allow-anonymous if anyone may use the service",
            self.bind
        ))
    }
}
