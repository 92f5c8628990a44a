//! For operators: `/livez`, `/readyz` and `/metrics`.

use std::time::Duration;

use actix_web::{HttpResponse, http::header, web::Data};

use crate::{
    http::state::State,
    jobs::{pool::Refused, ticket::Ticket},
    observe::metrics,
    pipeline::error::{ApiError, Kind},
};

/// A job may run for this many times its limit before the server counts as stuck. Limits apply long before that; a job
/// that escaped them would hold its thread for ever.
const PATIENCE: u64 = 4;

/// Answers `/livez`: fails if a job is stuck.
///
/// # Errors
/// A job has run for far longer than its limit.
pub async fn live(state: Data<State>) -> Result<HttpResponse, ApiError> {
    let longest = state.results.pool.load().longest;
    if longest > Duration::from_secs(state.limits.job_seconds.saturating_mul(PATIENCE)) {
        let detail = format!("a job runs for {} seconds and comes to no end", longest.as_secs());
        return Err(ApiError::new(Kind::DEADLINE, detail));
    }
    Ok(ok())
}

/// Answers `/readyz`: passes an empty job through the queue.
///
/// # Errors
/// The server is draining, or the job did not pass within a second.
pub async fn ready(state: Data<State>) -> Result<HttpResponse, ApiError> {
    if state.is_draining() {
        return Err(ApiError::new(Kind::OVERLOADED, "the server is about to end"));
    }
    match state.results.pool.run(&Ticket::internal(Duration::from_secs(1)), || ()).await {
        Ok(()) => {
            // Answers are still correct; only their addresses may expire sooner, or be unknown to other servers.
            let mut said = "ok\n".to_owned();
            if let Some(fault) = state.results.disk.as_ref().and_then(|disk| disk.fault()) {
                said += &format!("the store keeps nothing new: {fault}\n");
            }
            if let Some(fault) = state.results.shared.as_ref().and_then(|shared| shared.fault()) {
                said += &format!("the shared cache: {fault}\n");
            }
            Ok(text(said))
        }
        Err(Refused::Late) => Err(ApiError::new(Kind::OVERLOADED, "the queue moves too slowly")),
        Err(refused) => Err(refused.into()),
    }
}

/// Returns the counters and gauges in the text form of OpenMetrics.
pub async fn metrics(state: Data<State>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .content_type(metrics::MEDIA_TYPE)
        .body(state.observers.metrics.text(&state.results.gauges()))
}

fn ok() -> HttpResponse {
    text("ok\n".to_owned())
}

fn text(text: String) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .content_type("text/plain")
        .body(text)
}
