//! The observers of every answer: the metrics, the log, and spans for a collector.

use std::{net::IpAddr, time::Duration};

use actix_web::http::Method;

#[cfg(feature = "otlp")]
use crate::observe::traces::Traces;
use crate::{
    config::{Config, Log},
    observe::{
        log::{self, JobOutcome},
        metrics::Metrics,
    },
};

/// The facts about an answer for operators.
#[derive(Clone, Debug)]
pub struct Answered<'a> {
    /// The id of the request.
    pub request_id: &'a str,
    /// The path of the request as received.
    pub path: &'a str,
    /// The bytes of the body, if their number is known beforehand.
    pub bytes: u64,
    /// The address that the request came from, as far as proxies are trusted.
    pub client: IpAddr,
    /// The name of its token; empty without one.
    pub token: String,
    /// The key of the result that it led to; empty without one.
    pub result: String,
    /// The value of `Cache-Status`.
    pub cache: &'a str,
    /// The processor time spent on it.
    pub processor: Duration,
    /// The request's `traceparent`.
    pub trace: Option<&'a str>,
}

/// The observers of every answer.
pub struct Observers {
    /// The metrics.
    pub metrics: Metrics,
    /// True if the server has tokens, so that work is counted by their names.
    counts_tokens: bool,
    log: Log,
    #[cfg(feature = "otlp")]
    traces: Option<Traces>,
}

impl Observers {
    /// Creates the observers that a configuration asks for.
    ///
    /// # Errors
    /// The address of the collector is malformed, or this program was built without support for collectors.
    pub fn new(config: &Config, families: &'static [&'static str]) -> Result<Observers, String> {
        #[cfg(not(feature = "otlp"))]
        if config.otlp.is_some() {
            return Err("otlp: this program was built without it".to_owned());
        }
        Ok(Observers {
            metrics: Metrics::new(families),
            counts_tokens: config.has_tokens(),
            log: config.log,
            #[cfg(feature = "otlp")]
            traces: config.otlp.as_deref().map(Traces::new).transpose()?,
        })
    }

    /// Starts sending spans, on the current runtime.
    pub fn start(&self) {
        #[cfg(feature = "otlp")]
        if let Some(traces) = &self.traces {
            traces.start();
        }
    }

    /// Records an answer. `details` is called only if more than counts is needed.
    pub fn answered<'a>(
        &self,
        method: &Method,
        family: usize,
        status: u16,
        time: Duration,
        details: impl FnOnce() -> Answered<'a>,
    ) {
        self.metrics.answered(method, family, status, time);
        #[cfg(feature = "otlp")]
        let traces = self.traces.as_ref();
        #[cfg(not(feature = "otlp"))]
        let traces: Option<()> = None;
        if !self.counts_tokens && traces.is_none() && self.log == Log::Off {
            return;
        }
        let answered = details();
        if self.counts_tokens {
            self.metrics.spent(answered.token.clone(), answered.processor);
        }
        #[cfg(feature = "otlp")]
        if let Some(traces) = traces {
            traces.note(&answered, method, self.metrics.family(family), status, time);
        }
        if self.log != Log::Off {
            log::Entry::new(&answered, method, status, time).write(self.log);
        }
    }

    /// Records a request that was refused before more than its origin was known.
    pub fn refused(&self, status: u16, id: &str, peer: Option<IpAddr>, time: Duration) {
        self.metrics.answered(&Method::default(), self.metrics.other_family(), status, time);
        if self.log != Log::Off {
            log::Entry::refused(status, id, peer, time).write(self.log);
        }
    }

    /// Records the end of a job that no request waited for: `ok` or the code of a problem, and the key of its result.
    pub fn finished(&self, token: String, outcome: &str, key: &str, processor: Duration) {
        if self.log != Log::Off {
            JobOutcome::new(&token, outcome, key, processor).write(self.log);
        }
        if self.counts_tokens {
            self.metrics.worked(token, processor);
        }
    }

    /// Waits until all records are sent, or cannot be.
    pub async fn flush(&self) {
        #[cfg(feature = "otlp")]
        if let Some(traces) = &self.traces {
            traces.flush().await;
        }
    }
}
