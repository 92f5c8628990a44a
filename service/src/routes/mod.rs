//! The resources, one file each, and what they share.

pub mod check;
pub mod discovery;
pub mod generate;
pub mod health;
pub mod results;
pub mod sites;
pub mod start;
pub mod tblgen;

use actix_web::{
    HttpRequest, Resource,
    guard::{self, Guard},
    web,
};

use crate::{
    error::{ApiError, Kind},
    manifest::{Manifest, OnUnsupported},
};

/// GET, and HEAD with it.
fn reading() -> impl Guard {
    guard::Any(guard::Get()).or(guard::Head())
}

/// A resource that answers other methods with a problem.
fn resource(path: &str, allow: &'static str) -> Resource {
    let refuse = move || async move {
        let detail = format!("this address takes {allow}");
        Err::<String, _>(ApiError { allow: Some(allow), ..ApiError::new(Kind::METHOD_NOT_ALLOWED, detail) })
    };
    web::resource(path.to_owned()).default_service(web::route().to(refuse))
}

/// Every address.
pub fn configure(config: &mut web::ServiceConfig) {
    let read = |path: &str| resource(path, "GET, HEAD");
    let get = || web::route().guard(reading());
    let post = |path: &str| resource(path, "POST");
    config
        .service(post("/v1/generate").route(web::post().to(generate::generate)))
        .service(post("/v1/tblgen").route(web::post().to(tblgen::tblgen)))
        .service(post("/v1/check").route(web::post().to(check::check)))
        .service(read("/v1/results/{name}").route(get().to(results::whole)))
        .service(read("/v1/results/{key}/files/{path:.*}").route(get().to(results::file)))
        .service(read("/v1/sites/{key}").route(get().to(sites::enter)))
        .service(read("/v1/sites/{key}/{path:.*}").route(get().to(sites::page)))
        .service(read("/v1/generators").route(get().to(discovery::generators)))
        .service(read("/v1/libraries").route(get().to(discovery::libraries)))
        .service(read("/v1/limits").route(get().to(discovery::limits)))
        .service(read("/v1/version").route(get().to(discovery::version)))
        .service(read("/livez").route(get().to(health::live)))
        .service(read("/readyz").route(get().to(health::ready)))
        .service(read("/problems").route(get().to(start::problems)))
        .service(read("/start.js").route(get().to(start::script)))
        .service(read("/start.css").route(get().to(start::style)))
        .service(read("/").route(get().to(start::page)))
        .default_service(web::route().to(|| async {
            Err::<String, _>(ApiError::new(Kind::NOT_FOUND, "there is nothing at this address"))
        }));
}

/// The parameters behind the `?`, in order.
fn parameters(request: &HttpRequest) -> Result<Vec<(String, String)>, ApiError> {
    let parsed = web::Query::<Vec<(String, String)>>::from_query(request.query_string());
    parsed.map(web::Query::into_inner).map_err(|error| ApiError::new(Kind::BAD_REQUEST, error.to_string()))
}

/// Applies a parameter that stands for a field of the manifest; `false` if it stands for none.
fn apply(manifest: &mut Manifest, name: &str, value: &str) -> Result<bool, String> {
    match name {
        "mlir" => manifest.mlir = Some(value.to_owned()),
        "includes" => manifest.includes.push(value.to_owned()),
        "defines" => manifest.defines.push(value.to_owned()),
        "title" => manifest.docs.title = Some(value.to_owned()),
        "source_url" => manifest.docs.source_url = Some(value.to_owned()),
        "on_unsupported" => {
            manifest.on_unsupported = match value {
                "error" => OnUnsupported::Error,
                "skip" => OnUnsupported::Skip,
                _ => return Err(format!("on_unsupported is 'error' or 'skip', not '{value}'")),
            }
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// A change of the manifest by parameters, all of which must stand for fields.
fn change(parameters: Vec<(String, String)>) -> crate::state::Change {
    Box::new(move |manifest| {
        for (name, value) in &parameters {
            if !apply(manifest, name, value)? {
                return Err(format!("there is no parameter '{name}'"));
            }
        }
        Ok(())
    })
}
