//! For operators: `/livez`, `/readyz` and `/metrics`.

use std::time::Duration;

use actix_web::{HttpResponse, http::header, rt::time::timeout, web::Data};

use crate::{
    error::{ApiError, Kind},
    metrics,
    state::State,
};

/// How many times its limit a job may run before the server is given up. Limits are met long before that; a job that
/// meets none would hold its thread for ever.
const PATIENCE: u64 = 4;

/// The server answers, and its jobs come to an end.
///
/// # Errors
/// One does not.
pub async fn live(state: Data<State>) -> Result<HttpResponse, ApiError> {
    let longest = state.results.pool.load().longest;
    if longest > Duration::from_secs(state.limits.job_seconds.saturating_mul(PATIENCE)) {
        let detail = format!("a job runs for {} seconds and comes to no end", longest.as_secs());
        return Err(ApiError::new(Kind::DEADLINE, detail));
    }
    Ok(ok())
}

/// A job that does nothing passes the queue.
///
/// # Errors
/// It does not, or not within a second.
pub async fn ready(state: Data<State>) -> Result<HttpResponse, ApiError> {
    match timeout(Duration::from_secs(1), state.results.pool.run(|| ())).await {
        Ok(Ok(())) => Ok(ok()),
        Ok(Err(refused)) => Err(refused.into()),
        Err(_) => Err(ApiError::new(Kind::OVERLOADED, "the queue moves too slowly")),
    }
}

/// What was counted.
pub async fn metrics(state: Data<State>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .content_type(metrics::MEDIA_TYPE)
        .body(state.observers.metrics.text(&state.results))
}

fn ok() -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .content_type("text/plain")
        .body("ok\n")
}
