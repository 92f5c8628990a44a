//! `POST /v1/tblgen?flags=…`: one output as text. `POST /v1/records`: every record as JSON.

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Payload},
};
use odsmith_tblgen::flags;

use super::single;
use crate::{
    http::{
        openapi::RequestBody,
        query::{self, Root, RootOutput, Settings},
        reply::{self, Keep},
        state::State,
    },
    pipeline::{
        automatic::SINGLE,
        error::{ApiError, Kind},
        manifest::{Manifest, Output, Target},
        request::Change,
    },
};

/// The path of the single output in its archive.
pub(super) const OUTPUT: &str = "cpp/output";

/// The body is one `.td` file, or an archive and `td` names the root in it. Answers with the output's bytes.
///
/// # Errors
/// The request is refused, or the output could not be made.
#[utoipa::path(
    post, path = "/v1/tblgen", tag = "make", operation_id = "tblgen",
    params(
        RootOutput,
        Settings,
    ),
    request_body(content((RequestBody = "application/json"), (String = "text/plain")), description = "One .td file, or whatever /v1/generate takes"),
    responses(
        (status = 200, description = "The output", content_type = "text/plain", body = String),
    ),
)]
pub async fn tblgen(
    state: Data<State>,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    let (output, settings) = query::with_settings(&request)?;
    let RootOutput { td, flags } = output;
    let change = change(td, words(&flags), settings);
    one_file(state, request, payload, OUTPUT, "text/plain; charset=utf-8", change).await
}

/// The same for all records as JSON.
///
/// # Errors
/// The request is refused, or the root cannot be evaluated.
#[utoipa::path(
    post, path = "/v1/records", tag = "make", operation_id = "records",
    params(
        Root,
        Settings,
    ),
    request_body(content((RequestBody = "application/json"), (String = "text/plain")), description = "One .td file, or whatever /v1/generate takes"),
    responses(
        (status = 200, description = "The records, in the form of --dump-json", content_type = "application/json", body = serde_json::Value),
    ),
)]
pub async fn records(
    state: Data<State>,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    let (Root { td }, settings) = query::with_settings(&request)?;
    let change = change(td, vec!["--dump-json".to_owned()], settings);
    one_file(state, request, payload, OUTPUT, "application/json", change).await
}

/// Answers with one file of the result. The body is one `.td` file, or any form that `/v1/generate` accepts.
///
/// # Errors
/// The request is refused, or an output failed.
pub async fn one_file(
    state: Data<State>,
    request: HttpRequest,
    payload: Payload,
    path: &'static str,
    media_type: &'static str,
    change: Change,
) -> Result<HttpResponse, ApiError> {
    let route = super::pattern(&request);
    let (found, _, timing) = single::result(&state, &request, payload, &route, change).await?;
    if !found.stored.is_ok {
        return Err(reply::failure(&found));
    }
    let made = found.stored.files.get(path);
    let made = made.ok_or_else(|| ApiError::new(Kind::INTERNAL, "what was made is not there"))?;
    let mut response = reply::blob(&request, made, media_type, Keep::Never);
    timing.write_to(&mut response, &found);
    reply::locate(&mut response, &found, &format!("/v1/results/{}/files/{path}", found.stored.key));
    Ok(response)
}

fn words(flags: &[String]) -> Vec<String> {
    flags.iter().flat_map(|flags| flags::words(flags)).collect()
}

/// Returns the change of a manifest so that one output of a root is made.
pub(super) fn change(td: Option<String>, flags: Vec<String>, settings: Settings) -> Change {
    Box::new(move |manifest: &mut Manifest| {
        manifest.docs.enabled = false;
        manifest.model = false;
        settings.apply(manifest);
        manifest.target = vec![Target {
            td: td.or_else(|| Some(SINGLE.to_owned())),
            outputs: vec![Output { path: "output".to_owned(), flags }],
            ..Target::default()
        }];
        Ok(())
    })
}
