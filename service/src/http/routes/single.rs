//! The result of a body that may be one `.td` file, for the routes that answer with a part of it.

use actix_web::{HttpRequest, web::Payload};

use crate::{
    http::{body, forms, state::State},
    jobs::{
        results::{StoredResult, Upload},
        ticket::Ticket,
        timing::Timing,
    },
    pipeline::{automatic::SINGLE, error::ApiError, request::Change},
};

/// Reads the body of a request, which is one `.td` file or any form that `/v1/generate` accepts, and returns its result.
/// `route` and the parameters of the address name the result among others of the same body.
///
/// # Errors
/// The request is refused.
pub async fn result(
    state: &State,
    request: &HttpRequest,
    payload: Payload,
    route: &str,
    change: Change,
) -> Result<(StoredResult, Ticket, Timing), ApiError> {
    let mut timing = Timing::start();
    let body = body::read(state, request, payload).await?;
    let ticket = state.ticket(request);
    let form = forms::read(request, &body.bytes, Some(SINGLE), state, &ticket).await?;
    timing.mark("body");
    let salt = format!("{route}?{}", request.query_string());
    let upload = Upload { body: body.bytes, form, salt, change };
    let found = state.result(request, upload, &ticket).await?;
    timing.mark("make");
    drop(body.permit);
    Ok((found, ticket, timing))
}
