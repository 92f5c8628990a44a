//! What the server counts, in the OpenMetrics text format, for its operators.

use std::{
    fmt,
    sync::atomic::{AtomicI64, AtomicU64},
    time::Duration,
};

use actix_web::http::Method;
use prometheus_client::{
    encoding::{EncodeLabelSet, text::encode},
    metrics::{
        counter::Counter,
        family::Family,
        gauge::Gauge,
        histogram::{Histogram, exponential_buckets},
    },
    registry::{Registry, Unit},
};

use crate::state::State;

/// The media type of the text.
pub const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Request {
    method: &'static str,
    route: &'static str,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    route: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Found {
    cache: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Cache {
    cache: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Call {
    outcome: &'static str,
}

/// The counters. Gauges are read from the state when they are asked for.
pub struct Metrics {
    registry: Registry,
    requests: Family<Request, Counter<u64, AtomicU64>>,
    seconds: Family<Route, Histogram>,
    results: Family<Found, Counter<u64, AtomicU64>>,
    running: Gauge<i64, AtomicI64>,
    waiting: Gauge<i64, AtomicI64>,
    cached: Family<Cache, Gauge<i64, AtomicI64>>,
    shared: Family<Call, Gauge<u64, AtomicU64>>,
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Metrics")
    }
}

impl Default for Metrics {
    fn default() -> Self {
        let mut metrics = Metrics {
            registry: Registry::with_prefix("odsmith"),
            requests: Family::default(),
            seconds: Family::new_with_constructor(|| Histogram::new(exponential_buckets(0.0005, 2.0, 16))),
            results: Family::default(),
            running: Gauge::default(),
            waiting: Gauge::default(),
            cached: Family::default(),
            shared: Family::default(),
        };
        let registry = &mut metrics.registry;
        registry.register("requests", "Requests answered", metrics.requests.clone());
        let help = "Time from head to answer";
        registry.register_with_unit("request_duration", help, Unit::Seconds, metrics.seconds.clone());
        registry.register("results", "Results by where they came from", metrics.results.clone());
        registry.register("jobs_running", "Jobs that run", metrics.running.clone());
        registry.register("jobs_waiting", "Jobs that wait", metrics.waiting.clone());
        registry.register(
            "shared_cache_calls",
            "Calls of the shared cache by their outcome",
            metrics.shared.clone(),
        );
        registry.register_with_unit("cache_size", "What caches hold", Unit::Bytes, metrics.cached.clone());
        metrics
    }
}

/// A method by one of few names, whatever a client may call it.
fn name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        _ => "other",
    }
}

impl Metrics {
    /// Counts an answer. `route` is the address as a pattern, so that there are few of them.
    pub fn answered(&self, method: &Method, route: &'static str, status: u16, time: Duration) {
        let label = Request { method: name(method), route, status };
        self.requests.get_or_create(&label).inc();
        self.seconds.get_or_create(&Route { route }).observe(time.as_secs_f64());
    }

    /// Counts a result that was asked for.
    pub fn found(&self, is_hit: bool) {
        self.results.get_or_create(&Found { cache: if is_hit { "hit" } else { "miss" } }).inc();
    }

    /// Everything as text.
    #[must_use]
    pub fn text(&self, state: &State) -> String {
        let load = state.pool.load();
        let signed = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        self.running.set(signed(load.running));
        self.waiting.set(signed(load.waiting));
        for (cache, bytes) in state.caches.sizes() {
            self.cached.get_or_create(&Cache { cache }).set(i64::try_from(bytes).unwrap_or(i64::MAX));
        }
        if let Some(shared) = &state.shared {
            for (outcome, count) in shared.counts.all() {
                self.shared.get_or_create(&Call { outcome }).set(count);
            }
        }
        let mut text = String::new();
        // Writing into a string does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
