//! `POST /v1/model`: the dialects' definitions as data. `GET /schemas/model.json`: the JSON Schema of that data.

use std::sync::LazyLock;

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Payload},
};
use odsmith_engine::interchange::Document;

use super::tblgen::one_file;
use crate::{
    http::{
        openapi::{Problem, RequestBody},
        query::{self, Root, Settings},
        reply::{self, Keep},
        state::State,
    },
    pipeline::{
        error::ApiError,
        generate::MODEL,
        manifest::{Manifest, Target},
        request::Change,
        schemas,
    },
    store::cache::Blob,
};

static SCHEMA: LazyLock<Blob> = LazyLock::new(|| Blob::new(schemas::model_schema()));

/// The body is one `.td` file, or whatever `/v1/generate` takes. Answers with the model of every root, or of `td`
/// alone, as in `model.json` of a result's archive.
///
/// # Errors
/// The request is refused, or a root cannot be evaluated.
#[utoipa::path(
    post, path = "/v1/model", tag = "make", operation_id = "model",
    params(
        Root,
        Settings,
    ),
    request_body(content((RequestBody = "application/json"), (String = "text/plain")), description = "One .td file, or whatever /v1/generate takes"),
    responses(
        (status = 200, description = "The model; its schema by itself is at /schemas/model.json", content_type = "application/json", body = Document),
    ),
)]
pub async fn model(
    state: Data<State>,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    let (root, settings) = query::with_settings(&request)?;
    one_file(state, request, payload, MODEL, "application/json", change(root, settings)).await
}

/// Returns the change of a manifest so that the model is made, and nothing else.
fn change(Root { td }: Root, settings: Settings) -> Change {
    Box::new(move |manifest: &mut Manifest| {
        manifest.docs.enabled = false;
        manifest.outputs = false;
        manifest.model = true;
        settings.apply(manifest);
        if td.is_some() {
            manifest.target = vec![Target { td, ..Target::default() }];
        }
        Ok(())
    })
}

/// The JSON Schema of `model.json`.
#[utoipa::path(
    get, path = "/schemas/model.json", tag = "discovery", operation_id = "model_schema",
    responses(
        (status = 200, description = "A JSON Schema", content_type = "application/schema+json", body = serde_json::Value),
        (status = "4XX", description = "The request is refused", content_type = "application/problem+json", body = Problem),
    ),
)]
pub async fn schema(request: HttpRequest) -> HttpResponse {
    reply::blob(&request, &SCHEMA, "application/schema+json", Keep::Short)
}
