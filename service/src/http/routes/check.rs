//! `POST /v1/check`: messages only.

use actix_web::{
    HttpRequest, HttpResponse,
    http::header,
    web::{Data, Payload},
};
use odsmith_engine::report::{self, Report};

use crate::pipeline::automatic::SINGLE;
use crate::{
    http::{
        body, forms,
        openapi::{Archive, Problem, RequestBody, RequestParts},
        query::{self, Settings},
        reply::{self, MessageForm},
        state::State,
    },
    jobs::{
        results::{StoredResult, Upload},
        timing::Timing,
    },
    pipeline::{error::ApiError, generate::schema::Diagnostic},
};

/// Evaluates, generates, and answers with the messages. `Accept` gets SARIF or text as well, which have addresses of their own.
///
/// # Errors
/// The request is refused.
#[utoipa::path(
    post, path = "/v1/check", tag = "make", operation_id = "check",
    params(
        Settings,
    ),
    request_body(content(
            (Archive = "application/gzip"), (Archive = "application/zstd"), (Archive = "application/zip"),
            (Archive = "application/x-tar"), (RequestBody = "application/json"), (RequestParts = "multipart/form-data"), (String = "text/plain")
        ), description = "One .td file, or whatever /v1/generate takes"),
    responses(
        (status = 200, description = "What there is to say", body = Vec<Diagnostic>),
        (status = "4XX", description = "The request is refused", content_type = "application/problem+json", body = Problem),
        (status = "5XX", description = "The server cannot do it", content_type = "application/problem+json", body = Problem),
    ),
)]
pub async fn check(
    state: Data<State>,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    let wanted = MessageForm::wanted(&request)?;
    answer(&state, &request, payload, wanted).await
}

/// The messages as SARIF 2.1.0.
///
/// # Errors
/// The request is refused.
#[utoipa::path(
    post, path = "/v1/check/sarif", tag = "make", operation_id = "check_sarif",
    params(
        Settings,
    ),
    request_body(content(
            (Archive = "application/gzip"), (Archive = "application/zstd"), (Archive = "application/zip"),
            (Archive = "application/x-tar"), (RequestBody = "application/json"), (RequestParts = "multipart/form-data"), (String = "text/plain")
        ), description = "One .td file, or whatever /v1/generate takes"),
    responses(
        (status = 200, description = "What there is to say", content_type = "application/sarif+json", body = serde_json::Value),
        (status = "4XX", description = "The request is refused", content_type = "application/problem+json", body = Problem),
        (status = "5XX", description = "The server cannot do it", content_type = "application/problem+json", body = Problem),
    ),
)]
pub async fn sarif(
    state: Data<State>,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    answer(&state, &request, payload, MessageForm::Sarif).await
}

/// The messages as the reference prints them.
///
/// # Errors
/// The request is refused.
#[utoipa::path(
    post, path = "/v1/check/text", tag = "make", operation_id = "check_text",
    params(
        Settings,
    ),
    request_body(content(
            (Archive = "application/gzip"), (Archive = "application/zstd"), (Archive = "application/zip"),
            (Archive = "application/x-tar"), (RequestBody = "application/json"), (RequestParts = "multipart/form-data"), (String = "text/plain")
        ), description = "One .td file, or whatever /v1/generate takes"),
    responses(
        (status = 200, description = "What there is to say", content_type = "text/plain", body = String),
        (status = "4XX", description = "The request is refused", content_type = "application/problem+json", body = Problem),
        (status = "5XX", description = "The server cannot do it", content_type = "application/problem+json", body = Problem),
    ),
)]
pub async fn text(
    state: Data<State>,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    answer(&state, &request, payload, MessageForm::Text).await
}

/// Runs a request, and answers with the messages in the given form.
async fn answer(
    state: &State,
    request: &HttpRequest,
    payload: Payload,
    wanted: MessageForm,
) -> Result<HttpResponse, ApiError> {
    let settings = query::settings(request)?;
    let mut timing = Timing::start();
    let body = body::read(state, request, payload).await?;
    let ticket = state.ticket(request);
    let form = forms::read(request, &body.bytes, Some(SINGLE), state, &ticket).await?;
    timing.mark("body");
    let upload = Upload {
        body: body.bytes,
        form,
        salt: format!("check?{}", request.query_string()),
        change: Box::new(move |manifest| {
            manifest.docs.enabled = false;
            manifest.model = false;
            settings.apply(manifest);
            Ok(())
        }),
    };
    let StoredResult { stored, origin, .. } = state.result(request, upload, &ticket).await?;
    timing.mark("make");
    drop(body.permit);
    let mut response = HttpResponse::Ok();
    response.insert_header((header::CACHE_CONTROL, "no-store"));
    let is_small = stored.diagnostics.len() <= FEW;
    let write = move || written(&stored.diagnostics, wanted);
    let text = if is_small { write() } else { state.results.pool.run(&ticket, write).await? };
    let mut response = response.content_type(wanted.media_type()).body(text);
    timing.write_to(&mut response, origin);
    reply::varies(&mut response);
    Ok(response)
}

/// Maximum number of messages that are formatted on the HTTP thread.
const FEW: usize = 20;

/// Returns messages in the given form.
fn written(reports: &[Report], wanted: MessageForm) -> Vec<u8> {
    match wanted {
        MessageForm::Json => serde_json::to_vec(&report::json::render(reports)).unwrap_or_default(),
        MessageForm::Sarif => serde_json::to_vec(&report::sarif::render(reports)).unwrap_or_default(),
        MessageForm::Text => {
            let mut lines = Vec::new();
            reports.iter().for_each(|report| report::text::render(report, &mut lines));
            lines
        }
    }
}
