//! The capabilities of this server: `/v1/generators`, `/v1/libraries`, `/v1/limits`, `/v1/version`; and the messages of
//! plugins, at `/schemas/plugin.json`.

use std::sync::LazyLock;

use actix_web::{HttpRequest, HttpResponse, web::Data};
use odsmith_engine::{
    generators::{GENERATORS, OPTIONS},
    plugin::protocol,
    release::Release,
};
use odsmith_tblgen::flags::DUMPS;
use serde_json::{Value, json};

use crate::{
    http::{
        openapi::Problem,
        reply::{self, Keep},
        state::State,
    },
    store::{cache::Blob, keys},
};

fn answer(request: &HttpRequest, value: &Value) -> HttpResponse {
    let blob = Blob::new(serde_json::to_vec(value).unwrap_or_default());
    reply::blob(request, &blob, "application/json", Keep::Short)
}

/// Every generator, every dump and every option.
#[utoipa::path(
    get, path = "/v1/generators", tag = "discovery", operation_id = "generators",
    responses(
        (status = 200, description = "Generators, dumps and options", content_type = "application/json", body = serde_json::Value),
    ),
)]
pub async fn generators(request: HttpRequest) -> HttpResponse {
    let generators = GENERATORS.iter().map(|generator| (generator.name, generator.about));
    let entries = generators.chain(DUMPS.iter().copied());
    let options = OPTIONS.iter();
    let value = json!({
        "generators": entries.map(|(name, about)| json!({ "flag": format!("--{name}"), "about": about }))
            .collect::<Vec<_>>(),
        "options": options.map(|option| {
            json!({ "flag": format!("--{}", option.name), "value": option.value, "about": option.about })
        }).collect::<Vec<_>>(),
    });
    answer(&request, &value)
}

/// Every release that there is a library of.
#[utoipa::path(
    get, path = "/v1/libraries", tag = "discovery", operation_id = "libraries",
    responses(
        (status = 200, description = "MLIR releases", content_type = "application/json", body = serde_json::Value),
    ),
)]
pub async fn libraries(request: HttpRequest, state: Data<State>) -> HttpResponse {
    answer(&request, &state.libraries.described())
}

/// Every limit.
#[utoipa::path(
    get, path = "/v1/limits", tag = "discovery", operation_id = "limits",
    responses(
        (status = 200, description = "Every limit", content_type = "application/json", body = serde_json::Value),
    ),
)]
pub async fn limits(request: HttpRequest, state: Data<State>) -> HttpResponse {
    answer(&request, &json!(state.limits))
}

/// Which version this is, and whose behaviour it reproduces.
#[utoipa::path(
    get, path = "/v1/version", tag = "discovery", operation_id = "version",
    responses(
        (status = 200, description = "This version", content_type = "application/json", body = serde_json::Value),
    ),
)]
pub async fn version(request: HttpRequest, state: Data<State>) -> HttpResponse {
    let releases: Vec<&str> = Release::ALL.iter().map(|release| release.name()).collect();
    let library = state
        .libraries
        .preferred()
        .map_or(Value::Null, |newest| json!({ "mlir": newest.release().name(), "digest": newest.digest() }));
    let mut value = json!({
        "name": "odsmith",
        "version": env!("CARGO_PKG_VERSION"),
        "build": keys::BUILD,
        "mlir": releases,
        "library": library,
    });
    if let Some(key) = &state.signing_key {
        value["signing_key"] = key.public().to_pem().into();
    }
    answer(&request, &value)
}

/// The JSON Schema of the messages between Odsmith and a plugin.
#[utoipa::path(
    get, path = "/schemas/plugin.json", tag = "discovery", operation_id = "plugin_schema",
    responses(
        (status = 200, description = "A JSON Schema", content_type = "application/schema+json", body = serde_json::Value),
        (status = "4XX", description = "The request is refused", content_type = "application/problem+json", body = Problem),
    ),
)]
pub async fn plugin_schema(request: HttpRequest) -> HttpResponse {
    static SCHEMA: LazyLock<Blob> = LazyLock::new(|| Blob::new(format!("{:#}\n", protocol::schema())));
    reply::blob(&request, &SCHEMA, "application/schema+json", Keep::Short)
}
