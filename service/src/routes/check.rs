//! `POST /v1/check`: messages only.

use std::sync::Arc;

use actix_web::{
    HttpRequest, HttpResponse,
    http::header,
    web::{Data, Payload},
};
use odsmith_engine::report::{json, sarif, text};

use super::{parameters, tblgen::SINGLE};
use crate::{
    body,
    error::ApiError,
    reply,
    state::{State, Upload},
};

#[derive(Clone, Copy)]
enum Form {
    Json,
    Sarif,
    Text,
}

/// Evaluates, generates, and answers with what there is to say: JSON, SARIF or the reference's text.
///
/// # Errors
/// The request is refused.
pub async fn check(
    state: Data<State>,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    let forms = [
        (Form::Json, "application/json"),
        (Form::Sarif, "application/sarif+json"),
        (Form::Text, "text/plain"),
    ];
    let form = reply::choose(&request, &forms)?;
    let parameters = parameters(&request)?;
    let body = body::read(&state, &request, payload).await?;
    body::check_media_type(&request, &body.bytes)?;
    let change = super::change(parameters);
    let upload = Upload {
        body: body.bytes,
        single: Some(SINGLE),
        salt: format!("check?{}", request.query_string()),
        change: Box::new(move |manifest| {
            manifest.docs.enabled = false;
            change(manifest)
        }),
    };
    let state: Arc<State> = state.into_inner();
    let stored = state.result(upload).await?;
    drop(body.permit);
    let mut response = HttpResponse::Ok();
    response.insert_header((header::CACHE_CONTROL, "no-store"));
    Ok(match form {
        Form::Json => response.json(json::render(&stored.diagnostics)),
        Form::Sarif => {
            let sarif = serde_json::to_vec(&sarif::render(&stored.diagnostics)).unwrap_or_default();
            response.content_type("application/sarif+json").body(sarif)
        }
        Form::Text => {
            let mut lines = Vec::new();
            stored.diagnostics.iter().for_each(|report| text::render(report, &mut lines));
            response.content_type("text/plain; charset=utf-8").body(lines)
        }
    })
}
