//! What sees every answer: the counts, the log, and spans for a collector.

use std::{net::IpAddr, time::Duration};

use actix_web::{body::BoxBody, dev::ServiceResponse, http::Method};

#[cfg(feature = "otlp")]
use crate::traces::Traces;
use crate::{
    access::{Access, token_name},
    config::{Config, Log},
    error::ApiError,
    log::{self, JobOutcome},
    metrics::Metrics,
    results::StoredResult,
    routes,
    work::Work,
};

/// What sees every answer.
pub struct Observers {
    /// What is counted.
    pub metrics: Metrics,
    log: Log,
    #[cfg(feature = "otlp")]
    traces: Option<Traces>,
}

impl Observers {
    /// Those that a configuration asks for.
    ///
    /// # Errors
    /// The address of the collector is none, or this program knows no collectors.
    pub fn new(config: &Config) -> Result<Observers, String> {
        #[cfg(not(feature = "otlp"))]
        if config.otlp.is_some() {
            return Err("otlp: this program was built without it".to_owned());
        }
        Ok(Observers {
            metrics: Metrics::default(),
            log: config.log,
            #[cfg(feature = "otlp")]
            traces: config.otlp.as_deref().map(Traces::new).transpose()?,
        })
    }

    /// Begins to send what is to be sent, on the runtime at hand.
    pub fn start(&self) {
        #[cfg(feature = "otlp")]
        if let Some(traces) = &self.traces {
            traces.start();
        }
    }

    /// Notes an answer.
    pub fn answered(
        &self,
        answer: &ServiceResponse<BoxBody>,
        method: &Method,
        time: Duration,
        access: &Access,
    ) {
        let family = routes::family(answer.request());
        self.metrics.answered(method, family, answer.status().as_u16(), time);
        if access.has_tokens() {
            let token = token_name(answer.request()).unwrap_or_default();
            self.metrics.spent(token, Work::of(answer.request()).processor);
        }
        #[cfg(feature = "otlp")]
        if let Some(traces) = &self.traces {
            traces.note(answer, method, routes::FAMILIES[family], time);
        }
        if self.log != Log::Off {
            log::Entry::new(answer, method, time, access).write(self.log);
        }
    }

    /// Notes what was refused before anything was known of it but where it came from.
    pub fn refused(&self, problem: &ApiError, id: &str, peer: Option<IpAddr>, time: Duration) {
        let status = problem.kind.status();
        self.metrics.answered(&Method::default(), routes::FAMILIES.len() - 1, status, time);
        if self.log != Log::Off {
            log::Entry::refused(status, id, peer, time).write(self.log);
        }
    }

    /// Notes the end of a job that no request waited for.
    pub fn finished(
        &self,
        token: String,
        made: &Result<StoredResult, ApiError>,
        processor: Duration,
        access: &Access,
    ) {
        if self.log != Log::Off {
            JobOutcome::new(&token, made, processor).write(self.log);
        }
        if access.has_tokens() {
            self.metrics.worked(token, processor);
        }
    }

    /// Waits until what was noted has gone out, or can not.
    pub async fn flush(&self) {
        #[cfg(feature = "otlp")]
        if let Some(traces) = &self.traces {
            traces.flush().await;
        }
    }
}
