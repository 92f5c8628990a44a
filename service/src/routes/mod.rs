//! The resources, one file each, and what they share.

pub mod bundles;
pub mod cas;
pub mod check;
pub mod diff;
pub mod discovery;
mod docs;
pub mod generate;
pub mod health;
pub mod ide;
pub mod lint;
pub mod login;
pub mod model;
pub mod play;
pub mod results;
pub mod sites;
pub mod start;
pub mod tblgen;
pub mod upgrade;

use actix_web::{
    Resource, Scope,
    guard::{self, Guard},
    web,
};

use crate::error::{ApiError, Kind};

/// GET, and HEAD with it.
fn reading() -> impl Guard {
    guard::Any(guard::Get()).or(guard::Head())
}

/// A resource that answers other methods with a problem.
fn resource(path: &str, allow: &'static str) -> Resource {
    let refuse = move || async move { Err::<String, _>(refusal(allow)) };
    web::resource(path.to_owned()).default_service(web::route().to(refuse))
}

/// Another method than an address takes.
fn refusal(allow: &'static str) -> ApiError {
    let detail = format!("this address takes {allow}");
    ApiError { allow: Some(allow), ..ApiError::new(Kind::METHOD_NOT_ALLOWED, detail) }
}

/// Every address.
pub fn configure(config: &mut web::ServiceConfig) {
    let read = |path: &str| resource(path, "GET, HEAD");
    let get = || web::route().guard(reading());
    let post = |path: &str| resource(path, "POST");
    // A scope is found by its beginning, without looking at the patterns of the others; the busiest come first.
    config
        .service(web::scope("/v1/results").default_service(web::route().to(results::below)))
        .service(
            scope("/v1/sites")
                .service(read("/{key}").route(get().to(sites::enter)))
                .service(read("/{key}/{path:.*}").route(get().to(sites::page))),
        )
        .service(
            resource("/v1/generate", "GET, HEAD, POST")
                .route(web::post().to(generate::generate))
                .route(get().to(generate::known)),
        )
        .service(scope("/v1/generate").service(read("/{name}").route(get().to(generate::from_source))))
        .service(
            scope("/v1/bundles").service(
                resource("/{sha256}", "HEAD, PUT")
                    .route(web::put().to(bundles::put))
                    .route(web::head().to(bundles::head)),
            ),
        )
        .service(scope("/cas").service(read("/{sha256}").route(get().to(cas::by_digest))))
        .service(scope("/ac").service(read("/{sha256}").route(get().to(cas::action))))
        .service(post("/v1/records").route(web::post().to(tblgen::records)))
        .service(post("/v1/model").route(web::post().to(model::model)))
        .service(post("/v1/tblgen").route(web::post().to(tblgen::tblgen)))
        .service(post("/v1/check").route(web::post().to(check::check)))
        .service(post("/v1/check/sarif").route(web::post().to(check::sarif)))
        .service(post("/v1/check/text").route(web::post().to(check::text)))
        .service(
            resource("/v1/diff", "GET, HEAD, POST")
                .route(web::post().to(diff::diff))
                .route(get().to(diff::of_results)),
        )
        .service(scope("/v1/diffs").service(read("/{name}").route(get().to(diff::kept))))
        .service(post("/v1/upgrade").route(web::post().to(upgrade::upgrade)))
        .service(post("/v1/lint").route(web::post().to(lint::lint)))
        .service(post("/v1/lint/sarif").route(web::post().to(lint::sarif)))
        .service(post("/v1/lint/text").route(web::post().to(lint::text)))
        .service(
            scope("/v1/ide")
                .service(post("/check").route(web::post().to(ide::check)))
                .service(post("/preview").route(web::post().to(ide::preview)))
                .service(post("/hover").route(web::post().to(ide::hover)))
                .service(post("/completion").route(web::post().to(ide::completion))),
        )
        .service(read("/v1/generators").route(get().to(discovery::generators)))
        .service(read("/v1/libraries").route(get().to(discovery::libraries)))
        .service(read("/v1/limits").route(get().to(discovery::limits)))
        .service(read("/v1/version").route(get().to(discovery::version)))
        .service(read("/schemas/model.json").route(get().to(model::schema)))
        .service(read("/schemas/diff.json").route(get().to(diff::schema)))
        .service(read("/openapi.json").route(get().to(start::openapi)))
        .service(read("/docs").route(get().to(start::docs)))
        .service(read("/problems").route(get().to(start::problems)))
        .service(
            resource("/login", "GET, HEAD, POST")
                .route(get().to(login::page))
                .route(web::post().to(login::enter)),
        )
        .service(read("/play").route(get().to(play::page)))
        .service(
            scope("/play")
                .service(read("/play.js").route(get().to(play::script)))
                .service(read("/play.css").route(get().to(play::style)))
                .service(read("/frame.html").route(get().to(play::frame)))
                .service(read("/site.css").route(get().to(play::site_style))),
        )
        .service(read("/start.js").route(get().to(start::script)))
        .service(read("/start.css").route(get().to(start::style)))
        .service(read("/").route(get().to(start::page)))
        .default_service(web::route().to(nowhere));
}

async fn nowhere() -> Result<String, ApiError> {
    Err(nowhere_error())
}

/// The problem of an address that leads nowhere.
#[must_use]
pub fn nowhere_error() -> ApiError {
    ApiError::new(Kind::NOT_FOUND, "there is nothing at this address")
}

/// What lies below a path; what is not there is nowhere, as everywhere.
fn scope(path: &str) -> Scope {
    web::scope(path).default_service(web::route().to(nowhere))
}

/// Every address of the operators' own listener.
pub fn configure_admin(config: &mut web::ServiceConfig) {
    let get = || web::route().guard(reading());
    config
        .service(resource("/livez", "GET, HEAD").route(get().to(health::live)))
        .service(resource("/readyz", "GET, HEAD").route(get().to(health::ready)))
        .service(resource("/metrics", "GET, HEAD").route(get().to(health::metrics)));
}

/// Families of addresses, for counting; the busiest first.
pub const FAMILIES: &[&str] = &[
    "/v1/results",
    "/v1/generate",
    "/v1/bundles",
    "/v1/sites",
    "/v1/tblgen",
    "/v1/records",
    "/v1/model",
    "/v1/check",
    "/v1/diff",
    "/v1/diffs",
    "/v1/upgrade",
    "/v1/lint",
    "/v1/ide",
    "/v1/generators",
    "/v1/libraries",
    "/v1/limits",
    "/v1/version",
    "/cas",
    "other",
];

/// The family of an address, as its place among [`FAMILIES`]; those that are of none are the last.
#[must_use]
pub fn family(path: &str) -> usize {
    let is_below = |family: &&str| {
        path.strip_prefix(*family).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    FAMILIES.iter().position(is_below).unwrap_or(FAMILIES.len() - 1)
}
