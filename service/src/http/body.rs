//! Bodies: read whole, bounded in size and in time.

use std::time::Duration;

use actix_web::{
    HttpRequest,
    http::header,
    rt::time::timeout,
    web::{Bytes, BytesMut, Payload},
};
use futures_util::StreamExt;
use tokio::time::Instant;

use crate::{
    config::Limits,
    http::{in_flight::Reservation, state::State},
    pipeline::error::{ApiError, Kind},
};

/// A body, and its share of the bytes in flight.
pub struct Body {
    /// The bytes.
    pub bytes: Bytes,
    /// Held until the request is done.
    pub permit: Reservation,
}

/// Reads a body.
///
/// # Errors
/// It is too large, too slow, broken, or there is no capacity for it.
pub async fn read(state: &State, request: &HttpRequest, payload: Payload) -> Result<Body, ApiError> {
    if request.headers().contains_key(header::CONTENT_ENCODING) {
        return Err(ApiError::new(Kind::MEDIA_TYPE, "a body with a Content-Encoding is not read"));
    }
    let is_chunked = request.headers().contains_key(header::TRANSFER_ENCODING);
    if !is_chunked && !request.headers().contains_key(header::CONTENT_LENGTH) {
        return Err(ApiError::new(Kind::LENGTH_REQUIRED, "a body has a Content-Length or comes in chunks"));
    }
    let limit = state.limits.archive.body_bytes;
    let said =
        request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if let Some(said) = said.filter(|&said| said > limit) {
        return Err(ApiError::too_large("body_bytes", limit, said));
    }
    state.check_memory()?;
    let mut permit = state.reservation(request);
    let bytes = receive(payload, said, &state.limits, &mut permit).await?;
    Ok(Body { bytes, permit })
}

/// Bytes that must arrive before the announced length is trusted. Until then the body is copied as it grows, afterwards
/// never again: copying megabytes would block a thread that serves other requests.
const BELIEVED: usize = 1 << 20;

async fn receive(
    mut payload: Payload,
    said: Option<u64>,
    limits: &Limits,
    permit: &mut Reservation,
) -> Result<Bytes, ApiError> {
    let limit = limits.archive.body_bytes;
    let start = Instant::now();
    let deadline = start + Duration::from_secs(limits.body_seconds);
    let mut bytes = BytesMut::new();
    loop {
        // As late as the bytes so far allow at the least rate, and never later than the deadline.
        let paid = Duration::from_secs_f64(bytes.len() as f64 / limits.body_bytes_per_second.max(1) as f64);
        let until = deadline.min(start + Duration::from_secs(5) + paid);
        let Ok(chunk) = timeout(until.saturating_duration_since(Instant::now()), payload.next()).await else {
            let detail = format!(
                "a body has {} seconds and {} bytes a second to arrive",
                limits.body_seconds, limits.body_bytes_per_second
            );
            return Err(ApiError::new(Kind::BODY_TOO_SLOW, detail));
        };
        let Some(chunk) = chunk else { return Ok(bytes.freeze()) };
        let chunk = chunk
            .map_err(|error| ApiError::new(Kind::BAD_REQUEST, format!("the body is broken: {error}")))?;
        let seen = (bytes.len() + chunk.len()) as u64;
        if seen > limit {
            return Err(ApiError::too_large("body_bytes", limit, seen));
        }
        permit.grow(chunk.len() as u64)?;
        if bytes.len() < BELIEVED && bytes.len() + chunk.len() >= BELIEVED {
            let whole = said.and_then(|said| usize::try_from(said).ok()).unwrap_or(0);
            bytes.reserve(whole.saturating_sub(bytes.len()));
        }
        bytes.extend_from_slice(&chunk);
    }
}
