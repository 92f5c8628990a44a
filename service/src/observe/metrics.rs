//! The server's metrics, in the OpenMetrics text format.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};

use actix_web::http::Method;
use prometheus_client::{
    encoding::{EncodeLabelSet, EncodeMetric, MetricEncoder, NoLabelSet, text::encode},
    metrics::{MetricType, TypedMetric, counter::Counter, family::Family, gauge::Gauge},
    registry::{Registry, Unit},
};

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
struct CacheLabel {
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

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct TokenLabel {
    token: String,
}

/// The counters of one family of addresses.
struct Hit {
    ok: Counter<u64, AtomicU64>,
    not_modified: Counter<u64, AtomicU64>,
    seconds: Times,
}

/// The distribution of answer times: a histogram that many threads can update at once.
#[derive(Clone, Debug)]
struct Times(Arc<[AtomicU64; BUCKETS + 1]>, Arc<AtomicU64>);

/// Number of buckets of [`Times`]: half a millisecond, then twice as much each.
const BUCKETS: usize = 16;

/// Returns the upper bound of a bucket.
fn bound(bucket: usize) -> Duration {
    if bucket < BUCKETS { Duration::from_micros(500 << bucket) } else { Duration::MAX }
}

impl Default for Times {
    fn default() -> Self {
        Times(Arc::new([const { AtomicU64::new(0) }; BUCKETS + 1]), Arc::default())
    }
}

impl Times {
    fn observe(&self, time: Duration) {
        let bucket = (0..BUCKETS).find(|&bucket| time <= bound(bucket)).unwrap_or(BUCKETS);
        self.0[bucket].fetch_add(1, Ordering::Relaxed);
        self.1.fetch_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

impl TypedMetric for Times {
    const TYPE: MetricType = MetricType::Histogram;
}

impl EncodeMetric for Times {
    fn encode(&self, mut encoder: MetricEncoder<'_>) -> fmt::Result {
        let buckets: Vec<(f64, u64)> = self
            .0
            .iter()
            .enumerate()
            .map(|(bucket, count)| {
                let end = if bucket < BUCKETS { bound(bucket).as_secs_f64() } else { f64::MAX };
                (end, count.load(Ordering::Relaxed))
            })
            .collect();
        let count = buckets.iter().map(|(_, count)| count).sum();
        let sum = Duration::from_nanos(self.1.load(Ordering::Relaxed)).as_secs_f64();
        encoder.encode_histogram::<NoLabelSet>(sum, count, &buckets, None)
    }

    fn metric_type(&self) -> MetricType {
        Self::TYPE
    }
}

/// The counters. Gauges are read from the state when the metrics are requested.
pub struct Metrics {
    families: &'static [&'static str],
    registry: Registry,
    requests: Family<Request, Counter<u64, AtomicU64>>,
    seconds: Family<Route, Times>,
    /// The counters of hits by family, so that a hit needs no lookup.
    hits: Vec<Hit>,
    results: Family<CacheLabel, Counter<u64, AtomicU64>>,
    token_requests: Family<TokenLabel, Counter<u64, AtomicU64>>,
    token_seconds: Family<TokenLabel, Counter<f64, AtomicU64>>,
    running: Gauge<i64, AtomicI64>,
    waiting: Gauge<i64, AtomicI64>,
    cached: Family<Cache, Gauge<i64, AtomicI64>>,
    shared: Family<Call, Gauge<u64, AtomicU64>>,
    shared_waiting: Gauge<u64, AtomicU64>,
    store: Family<Call, Gauge<u64, AtomicU64>>,
    store_faults: Gauge<i64, AtomicI64>,
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Metrics")
    }
}

/// The current gauges.
#[derive(Clone, Debug, Default)]
pub struct Gauges {
    /// Number of running jobs.
    pub running: usize,
    /// Number of waiting jobs.
    pub waiting: usize,
    /// The size of each cache in bytes, by its name.
    pub caches: Vec<(&'static str, u64)>,
    /// Calls of the shared cache by outcome.
    pub shared: Vec<(&'static str, u64)>,
    /// Number of entries that wait to be sent to the shared cache.
    pub shared_waiting: u64,
    /// Calls of the store on the disk by outcome.
    pub store: Vec<(&'static str, u64)>,
    /// True if the store on the disk keeps nothing new; `None` without a store.
    pub is_store_faulty: Option<bool>,
}

impl Metrics {
    /// Creates the counters, at zero, for these families of endpoints; the last family holds all other addresses.
    #[must_use]
    pub fn new(families: &'static [&'static str]) -> Self {
        let mut metrics = Metrics {
            families,
            registry: Registry::with_prefix("odsmith"),
            requests: Family::default(),
            seconds: Family::default(),
            hits: Vec::new(),
            results: Family::default(),
            token_requests: Family::default(),
            token_seconds: Family::default(),
            running: Gauge::default(),
            waiting: Gauge::default(),
            cached: Family::default(),
            shared: Family::default(),
            shared_waiting: Gauge::default(),
            store: Family::default(),
            store_faults: Gauge::default(),
        };
        let registry = &mut metrics.registry;
        registry.register("requests", "Requests answered", metrics.requests.clone());
        let help = "Time from head to answer";
        registry.register_with_unit("request_duration", help, Unit::Seconds, metrics.seconds.clone());
        registry.register("results", "Results by where they came from", metrics.results.clone());
        registry.register(
            "token_requests",
            "Requests by the name of their token",
            metrics.token_requests.clone(),
        );
        registry.register_with_unit(
            "token_processor",
            "Time of processors by the name of the token that it was spent on",
            Unit::Seconds,
            metrics.token_seconds.clone(),
        );
        registry.register("jobs_running", "Jobs that run", metrics.running.clone());
        registry.register("jobs_waiting", "Jobs that wait", metrics.waiting.clone());
        registry.register(
            "shared_cache_calls",
            "Calls of the shared cache by their outcome",
            metrics.shared.clone(),
        );
        registry.register(
            "shared_cache_waiting",
            "Entries that wait to be sent to the shared cache",
            metrics.shared_waiting.clone(),
        );
        registry.register(
            "store_calls",
            "Calls of the store on the disk by their outcome",
            metrics.store.clone(),
        );
        registry.register(
            "store_faulty",
            "Whether the store on the disk keeps nothing new at the moment",
            metrics.store_faults.clone(),
        );
        registry.register_with_unit("cache_size", "What caches hold", Unit::Bytes, metrics.cached.clone());
        metrics.hits = families.iter().map(|&route| metrics.hit(route)).collect();
        metrics
    }

    /// Returns the name of a family.
    #[must_use]
    pub fn family(&self, family: usize) -> &'static str {
        self.families.get(family).copied().unwrap_or_default()
    }

    /// Returns the index of the family of all other addresses.
    #[must_use]
    pub fn other_family(&self) -> usize {
        self.families.len().saturating_sub(1)
    }
}

/// Returns the name of a method from a fixed set, whatever the client sent.
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
    fn hit(&self, route: &'static str) -> Hit {
        let counter = |status| self.requests.get_or_create_owned(&Request { method: "GET", route, status });
        Hit {
            ok: counter(200),
            not_modified: counter(304),
            seconds: self.seconds.get_or_create_owned(&Route { route }),
        }
    }

    /// Counts an answer. `family` is an index of a family, so that there are few label values.
    pub fn answered(&self, method: &Method, family: usize, status: u16, time: Duration) {
        let (Some(hit), Some(route)) = (self.hits.get(family), self.families.get(family)) else { return };
        hit.seconds.observe(time);
        match (method, status) {
            (&Method::GET, 200) => hit.ok.inc(),
            (&Method::GET, 304) => hit.not_modified.inc(),
            _ => self.requests.get_or_create(&Request { method: name(method), route, status }).inc(),
        };
    }

    /// Counts a requested result as a hit or a miss.
    pub fn found(&self, is_hit: bool) {
        self.results.get_or_create(&CacheLabel { cache: if is_hit { "hit" } else { "miss" } }).inc();
    }

    /// Counts a request of a token, with its processor time; the name is empty if there is no token.
    pub fn spent(&self, token: String, processor: Duration) {
        let label = TokenLabel { token };
        self.token_requests.get_or_create(&label).inc();
        self.token_seconds.get_or_create(&label).inc_by(processor.as_secs_f64());
    }

    /// Counts the processor time spent on a token after its request was answered.
    pub fn worked(&self, token: String, processor: Duration) {
        self.token_seconds.get_or_create(&TokenLabel { token }).inc_by(processor.as_secs_f64());
    }

    /// Returns all metrics as text.
    #[must_use]
    pub fn text(&self, gauges: &Gauges) -> String {
        let signed = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        self.running.set(signed(gauges.running));
        self.waiting.set(signed(gauges.waiting));
        for &(cache, bytes) in &gauges.caches {
            self.cached.get_or_create(&Cache { cache }).set(i64::try_from(bytes).unwrap_or(i64::MAX));
        }
        for &(outcome, count) in &gauges.shared {
            self.shared.get_or_create(&Call { outcome }).set(count);
        }
        self.shared_waiting.set(gauges.shared_waiting);
        for &(outcome, count) in &gauges.store {
            self.store.get_or_create(&Call { outcome }).set(count);
        }
        if let Some(is_faulty) = gauges.is_store_faulty {
            self.store_faults.set(is_faulty.into());
        }
        let mut text = String::new();
        // Writing into a string does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
