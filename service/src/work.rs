//! What a request took, and what it led to: for the log and the counts, not for the client.

use std::time::Duration;

use actix_web::{HttpMessage, HttpRequest};

use crate::keys;

/// What was done for a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// The result that it led to.
    pub key: String,
    /// The time of a processor that was spent on it; none, if it was there or was being made for another.
    pub processor: Duration,
}

impl Work {
    /// Notes it in the request.
    pub fn note(self, request: &HttpRequest) {
        request.extensions_mut().insert(self);
    }

    /// What was noted in a request; of one that names a result, that result.
    #[must_use]
    pub fn of(request: &HttpRequest) -> Work {
        let named = || {
            let rest =
                ["/v1/results/", "/v1/sites/"].iter().find_map(|start| request.path().strip_prefix(start));
            let key = rest.and_then(|rest| rest.get(..64)).filter(|key| keys::is_key(key));
            Work { key: key.unwrap_or_default().to_owned(), ..Work::default() }
        };
        request.extensions().get::<Work>().cloned().unwrap_or_else(named)
    }
}

/// The time that the processor has spent on this thread so far.
#[cfg(target_os = "linux")]
#[must_use]
pub fn processor_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// The time since the first call: elsewhere a thread's own time can not be had, and a job's thread does little else.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn processor_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}
