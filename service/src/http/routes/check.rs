//! `POST /v1/check`: messages only.

use actix_web::{
    HttpRequest, HttpResponse,
    http::header,
    web::{Data, Payload},
};
use odsmith_engine::report::{self, Finding};

use super::single;
use crate::{
    http::{
        openapi::RequestBody,
        query::{self, Settings},
        reply::{self, Form, MESSAGE_FORMS},
        state::State,
    },
    pipeline::{error::ApiError, generate::schema::Diagnostic, manifest::Manifest, request::Change},
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
    request_body(content((RequestBody = "application/json"), (String = "text/plain")), description = "One .td file, or whatever /v1/generate takes"),
    responses(
        (status = 200, description = "The messages", body = Vec<Diagnostic>),
    ),
)]
pub async fn check(
    state: Data<State>,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    let (state, request) = (&state, &request);
    let wanted = reply::form(request, MESSAGE_FORMS)?;
    let settings = query::settings(request)?;
    let change = change(settings);
    let (found, ticket, timing) = single::result(state, request, payload, "check", change).await?;
    let stored = found.stored.clone();
    let mut response = HttpResponse::Ok();
    response.insert_header((header::CACHE_CONTROL, "no-store"));
    let is_small = stored.diagnostics.len() <= FEW;
    let write = move || written(&stored.diagnostics, wanted);
    let text = if is_small { write() } else { state.results.pool.run(&ticket, write).await? };
    let mut response = response.content_type(wanted.media_type()).body(text);
    timing.write_to(&mut response, &found);
    reply::varies(&mut response);
    Ok(response)
}

/// Returns the change of a manifest so that only messages are made.
pub(super) fn change(settings: Settings) -> Change {
    Box::new(move |manifest: &mut Manifest| {
        manifest.docs.enabled = false;
        manifest.model = false;
        settings.apply(manifest);
        Ok(())
    })
}

/// Maximum number of messages that are formatted on the HTTP thread.
const FEW: usize = 20;

/// Returns messages in the given form.
pub(super) fn written(reports: &[Finding], wanted: Form) -> Vec<u8> {
    match wanted {
        Form::Json => serde_json::to_vec(&report::json::render(reports)).unwrap_or_default(),
        Form::Sarif => serde_json::to_vec(&report::sarif::log(&[], reports, &|_| None)).unwrap_or_default(),
        _ => {
            let mut lines = Vec::new();
            reports.iter().for_each(|report| report::text::render(report, &mut lines));
            lines
        }
    }
}
