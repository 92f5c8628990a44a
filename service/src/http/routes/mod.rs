//! The resources, one file each, and their common parts.

pub mod bundles;
pub mod cas;
pub mod catalog;
pub mod check;
pub mod diff;
pub mod discovery;
mod docs;
mod endpoint;
pub mod generate;
pub mod health;
pub mod ide;
pub mod lint;
pub mod login;
pub mod manual;
pub mod mcp;
pub mod model;
pub mod play;
pub mod results;
mod single;
pub mod sites;
pub mod start;
pub mod tblgen;
pub mod upgrade;

use actix_web::{
    HttpResponse,
    http::{Method, header},
    web,
};

use crate::{
    http::tokens::Scope,
    pipeline::error::{ApiError, Kind},
};

pub use endpoint::{Home, Needs, RouteMatch, Rule, family, pattern};

use endpoint::{Below, Endpoint, Whole};

/// The right to read results.
const READ: Needs = Needs::Scope(Scope::Read);
/// The right to start jobs.
const GENERATE: Needs = Needs::Scope(Scope::Generate);
/// The right to store bundles.
const PUBLISH: Needs = Needs::Scope(Scope::Publish);

/// Mounts every address.
pub fn configure(config: &mut web::ServiceConfig) {
    let at = Endpoint::at;
    // The busiest come first.
    config
        .service(Whole::new(
            "/v1/results",
            &[(Method::GET, READ), (Method::HEAD, READ), (Method::POST, GENERATE)],
            results::below,
        ))
        .service(Below::new(
            "/v1/sites",
            vec![
                at("/{key}").of(Home::Sites).get(READ, sites::enter),
                at("/{key}/{path:.*}").of(Home::Sites).get(READ, sites::page),
            ],
        ))
        .service(at("/v1/generate").get(GENERATE, generate::known).post(GENERATE, generate::generate))
        .service(Below::new("/v1/generate", vec![at("/{name}").get(GENERATE, generate::from_source)]))
        .service(Below::new(
            "/v1/bundles",
            vec![at("/{sha256}").head(GENERATE, bundles::head).put(PUBLISH, bundles::put)],
        ))
        .service(Below::new("/cas", vec![at("/{sha256}").get(READ, cas::by_digest)]))
        .service(Below::new("/ac", vec![at("/{sha256}").get(READ, cas::action)]))
        .service(at("/v1/records").post(GENERATE, tblgen::records))
        .service(at("/v1/model").post(GENERATE, model::model))
        .service(at("/v1/tblgen").post(GENERATE, tblgen::tblgen))
        .service(at("/v1/check").post(GENERATE, check::check))
        .service(at("/v1/check/sarif").post(GENERATE, check::check))
        .service(at("/v1/check/text").post(GENERATE, check::check))
        .service(at("/v1/diff").get(READ, diff::of_results).post(GENERATE, diff::diff))
        .service(Below::new("/v1/diffs", vec![at("/{name}").get(READ, diff::kept)]))
        .service(at("/v1/upgrade").post(GENERATE, upgrade::upgrade))
        .service(at("/v1/lint").post(GENERATE, lint::lint))
        .service(at("/v1/lint/sarif").post(GENERATE, lint::lint))
        .service(at("/v1/lint/text").post(GENERATE, lint::lint))
        .service(Below::new(
            "/v1/ide",
            vec![
                at("/check").post(GENERATE, ide::check),
                at("/preview").post(GENERATE, ide::preview),
                at("/hover").post(GENERATE, ide::hover),
                at("/completion").post(GENERATE, ide::completion),
            ],
        ))
        .service(at("/v1/catalog").get(READ, catalog::list))
        .service(Below::new(
            "/v1/catalog",
            vec![
                at("/search").get(READ, catalog::search),
                at("/symbols/{id:.*}").get(READ, catalog::symbol),
                at("/uses/{id:.*}").get(READ, catalog::uses),
                at("/reports/{name}").get(READ, catalog::report),
                at("/changes").get(READ, catalog::changes),
                at("/elsewhere").post(READ, catalog::elsewhere),
                at("/refresh").post(PUBLISH, catalog::refresh),
                at("/notify.pub").get(READ, catalog::key),
                at("/{project}/{version}/site/{path:.*}").of(Home::Sites).get(READ, catalog::page_of_site),
                at("/{project}/{version}/{path:.*}").get(READ, catalog::file),
                at("/{project}/{range}").get(READ, catalog::diff),
            ],
        ))
        .service(Below::new("/v1/ir", vec![at("/check").post(GENERATE, ide::check_ir)]))
        .service(at("/mcp").post(READ, mcp::message))
        .service(at("/v1/generators").get(READ, discovery::generators))
        .service(at("/v1/libraries").get(READ, discovery::libraries))
        .service(at("/v1/limits").get(READ, discovery::limits))
        .service(at("/v1/version").get(READ, discovery::version))
        .service(at("/schemas/model.json").get(READ, model::schema))
        .service(at("/schemas/diff.json").get(READ, diff::schema))
        .service(at("/schemas/plugin.json").get(READ, discovery::plugin_schema))
        .service(at("/openapi.json").get(READ, start::openapi))
        .service(at("/docs").get(READ, start::docs))
        .service(at("/problems").get(READ, start::problems))
        .service(
            at("/login").of(Home::Both).get(Needs::Nothing, login::page).post(Needs::Nothing, login::enter),
        )
        .service(at("/play").get(READ, play::page))
        .service(Below::new(
            "/play",
            vec![
                at("/play.js").get(READ, play::script),
                at("/play.css").get(READ, play::style),
                at("/frame.html").get(READ, play::frame),
                at("/site.css").get(READ, play::site_style),
                at("/module").get(READ, play::module),
                at("/libraries/{mlir}").get(READ, play::library),
            ],
        ))
        .service(at("/manual").get(READ, manual::enter))
        .service(Below::new("/manual", vec![at("/{path:.*}").get(READ, manual::page)]))
        .service(at("/catalog").get(READ, catalog::enter))
        .service(Below::new("/catalog", vec![at("/{path:.*}").get(READ, catalog::page)]))
        .service(at("/start.js").get(READ, start::script))
        .service(at("/start.css").of(Home::Both).get(Needs::Nothing, start::style))
        .service(at("/").get(READ, start::page))
        .default_service(endpoint::nowhere(""));
}

/// Mounts every address of the operators' own listener.
pub fn configure_admin(config: &mut web::ServiceConfig) {
    let at = |pattern| Endpoint::at(pattern).of(Home::Both);
    config
        .service(at("/livez").get(Needs::Nothing, health::live))
        .service(at("/readyz").get(Needs::Nothing, health::ready))
        .service(at("/metrics").get(Needs::Operator, health::metrics));
}

/// Returns the error for a method that an address does not support.
fn refusal(allow: &str) -> ApiError {
    let detail = format!("this address takes {allow}");
    ApiError { allow: Some(allow.into()), ..ApiError::new(Kind::METHOD_NOT_ALLOWED, detail) }
}

/// Redirects to another origin.
fn moved(address: &str) -> HttpResponse {
    HttpResponse::PermanentRedirect().insert_header((header::LOCATION, address)).finish()
}

/// Returns the error for an unknown address.
#[must_use]
pub fn nowhere_error() -> ApiError {
    ApiError::new(Kind::NOT_FOUND, "there is nothing at this address")
}

/// Families of addresses, for the metrics; the busiest first.
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
    "/v1/ir",
    "/v1/catalog",
    "/v1/generators",
    "/v1/libraries",
    "/v1/limits",
    "/v1/version",
    "/cas",
    "/mcp",
    "other",
];

/// Returns the family of a pattern, as an index in [`FAMILIES`]; patterns without a family are in the last.
fn family_of(pattern: &str) -> usize {
    let is_below = |family: &&str| {
        pattern.strip_prefix(*family).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    FAMILIES.iter().position(is_below).unwrap_or(FAMILIES.len() - 1)
}
