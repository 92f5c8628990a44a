//! `POST /v1/generate`: a bundle in, an archive of everything out.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, HeaderName, HeaderValue},
    web::{Data, Payload},
};

use super::{change, parameters};
use crate::{
    body,
    error::ApiError,
    reply::{self, Form, Keep},
    state::{State, Upload},
};

const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// Answers with the archive, or the object that describes it, as `Accept` has it.
///
/// # Errors
/// The request is refused, or something could not be made.
pub async fn generate(
    state: Data<State>,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    let form = reply::form(&request)?;
    let parameters = parameters(&request)?;
    let start = Instant::now();
    let body = body::read(&state, &request, payload).await?;
    let received = start.elapsed();
    body::check_media_type(&request, &body.bytes)?;
    let state: Arc<State> = state.into_inner();
    let upload = Upload {
        body: body.bytes,
        single: None,
        salt: format!("generate?{}", request.query_string()),
        change: change(parameters),
    };
    let stored = state.result(upload).await?;
    drop(body.permit);
    let made = start.elapsed();
    if !stored.is_ok {
        return Err(reply::failure(&stored));
    }
    let mut response = match (form, stored.object()) {
        (Form::Object, Some(object)) => reply::blob(&request, object, "application/json", Keep::Never),
        (Form::Archive(format), _) => {
            let archive = state.archive(&stored, format).await?;
            reply::blob(&request, &archive, format.media_type(), Keep::Never)
        }
        (Form::Object, None) => HttpResponse::NoContent().finish(),
    };
    let part = |name: &str, time: Duration| format!("{name};dur={:.1}", time.as_secs_f64() * 1000.0);
    let parts = [part("body", received), part("make", made - received), part("pack", start.elapsed() - made)];
    if let Ok(timing) = HeaderValue::from_str(&parts.join(", ")) {
        response.headers_mut().insert(SERVER_TIMING, timing);
    }
    if let Ok(location) = HeaderValue::from_str(&format!("/v1/results/{}", stored.key)) {
        response.headers_mut().insert(header::CONTENT_LOCATION, location);
    }
    Ok(response)
}
