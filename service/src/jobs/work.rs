//! The processor time of a request and the result that it led to: for the log and the metrics, not for the client.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use actix_web::{HttpMessage, HttpRequest};

use crate::store::keys;

/// The processor time spent on a request, by any thread in any stage. Clones share the count.
#[derive(Clone, Debug, Default)]
pub struct ProcessorTime(Arc<AtomicU64>);

impl ProcessorTime {
    /// Returns the count of a request, which starts at its first use.
    #[must_use]
    pub fn of(request: &HttpRequest) -> ProcessorTime {
        let known = request.extensions().get::<ProcessorTime>().cloned();
        known.unwrap_or_else(|| {
            let spent = ProcessorTime::default();
            request.extensions_mut().insert(spent.clone());
            spent
        })
    }

    /// Adds to the count.
    pub fn add(&self, time: Duration) {
        self.0.fetch_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Returns the time spent so far.
    #[must_use]
    pub fn time(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }
}

/// The result that a request led to.
struct Led(String);

/// The work done for a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestWork {
    /// The result that it led to.
    pub key: String,
    /// The processor time spent on it; a job's time counts for the request that began it, and not for others that
    /// waited for its result or found it.
    pub processor: Duration,
}

impl RequestWork {
    /// Notes in a request the result that it led to.
    pub fn led_to(key: &str, request: &HttpRequest) {
        request.extensions_mut().insert(Led(key.to_owned()));
    }

    /// Returns the work done for a request; a request that names a result led to that one.
    #[must_use]
    pub fn of(request: &HttpRequest) -> RequestWork {
        let named = || {
            let parts = request.match_info();
            // Below `/v1/results` the router leaves the rest of the address to the handler.
            let key = parts.get("key").or_else(|| parts.unprocessed().strip_prefix('/')?.get(..64));
            key.filter(|key| keys::is_key(key)).unwrap_or_default().to_owned()
        };
        let extensions = request.extensions();
        RequestWork {
            key: extensions.get::<Led>().map_or_else(named, |led| led.0.clone()),
            processor: extensions.get::<ProcessorTime>().map(ProcessorTime::time).unwrap_or_default(),
        }
    }
}
