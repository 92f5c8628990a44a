//! `POST /v1/upgrade`: a project between two releases over HTTP.

use std::collections::BTreeMap;

use crate::support::{
    archive,
    http::{application, config, send},
};
use actix_web::web::Data;
use odsmith_engine::{library::Library, release::Release};
use odsmith_service::{
    http::{app, state::State},
    pipeline::library::Libraries,
    store::archive::Format,
};
use serde_json::Value;

/// A library of one file; the older release has its class under another name.
fn library(release: Release, class: &str) -> Library {
    let text = format!("class {class}<int n> {{ int number = n; }}\n");
    let files = BTreeMap::from([("mlir/IR/Core.td".to_owned(), text.into_bytes().into())]);
    Library::new(release, format!("of {}", release.name()), files)
}

fn libraries() -> Libraries {
    [library(Release::V22, "NumberOf"), library(Release::V19, "Number")].into_iter().collect()
}

fn project() -> Vec<u8> {
    archive(
        Format::Zip,
        &[
            ("my/a.td", "include \"mlir/IR/Core.td\"\ndef A : Number<3>;\n"),
            ("my/b.td", "def B { int n = 1; }\n"),
            ("my/program.mlir", "\"my.a\"() : () -> ()\n"),
        ],
    )
}

macro_rules! ask {
    ($app:expr, $query:expr, $accept:expr, $body:expr) => {
        send(
            $app,
            actix_web::test::TestRequest::post()
                .uri(&format!("/v1/upgrade{}", $query))
                .insert_header(("accept", $accept)),
            "application/zip",
            $body,
        )
        .await
    };
}

#[actix_web::test]
async fn a_project_is_reported_in_each_form() {
    let state = Data::new(State::new(&config(), libraries()).unwrap());
    let app = actix_web::test::init_service(app::app(state)).await;
    let made = ask!(&app, "?from=19&to=22&generated=true", "application/json", project());
    assert_eq!(made.status, 200, "{}", String::from_utf8_lossy(&made.body));
    let report: Value = made.json();
    assert_eq!((&report["from"], &report["to"], &report["files"]), (&"19".into(), &"22".into(), &2.into()));
    assert_eq!(report["reading"]["roots"], 2);
    assert_eq!(report["reading"]["failures"][0]["root"], "my/a.td");
    assert_eq!(report["programs"][0]["file"], "my/program.mlir");
    assert!(made.header("cache-status").is_empty() || !made.header("cache-status").contains("hit"));
    for (media_type, part) in [
        ("text/markdown", "my/a.td"),
        ("text/plain", "my/a.td"),
        ("text/html", "<title>"),
        ("application/sarif+json", "\"results\":[{"),
    ] {
        let answer = ask!(&app, "?from=19&to=22&generated=true", media_type, project());
        assert_eq!(answer.status, 200);
        assert!(answer.header("content-type").starts_with(media_type));
        assert!(String::from_utf8_lossy(&answer.body).contains(part), "{media_type}");
        assert!(answer.header("content-security-policy").contains("default-src 'none'"));
        assert_eq!(answer.header("cache-control"), "no-store");
    }
}

#[actix_web::test]
async fn without_the_older_library_the_report_says_so() {
    let app = application!();
    let made = ask!(&app, "?from=19", "application/json", project());
    assert_eq!(made.status, 200, "{}", String::from_utf8_lossy(&made.body));
    assert!(made.json()["notes"][0].as_str().unwrap().contains("the library of MLIR 19"));
}

#[actix_web::test]
async fn requests_that_are_refused() {
    let app = application!();
    let empty = archive(Format::Zip, &[("readme.txt", "nothing\n")]);
    for (query, body) in [
        ("", project()),
        ("?from=x", project()),
        ("?from=99", project()),
        ("?from=19&to=17", project()),
        ("?from=19&scan=perhaps", project()),
        ("?from=19", empty),
    ] {
        ask!(&app, query, "*/*", body).is_problem(400, "bad-request");
    }
    ask!(&app, "?from=19&colour=red", "*/*", project()).is_problem(400, "bad-parameter");
    ask!(&app, "?from=19", "image/png", project()).is_problem(406, "not-acceptable");
}

#[actix_web::test]
async fn a_project_that_takes_too_long_is_given_up() {
    let mut config = config();
    config.limits.job_seconds = 0;
    let app = application!(config);
    let late = ask!(&app, "?from=19", "*/*", project());
    assert_eq!(late.status, 503);
}

#[actix_web::test]
async fn limits_of_a_job_hold() {
    let mut config = config();
    config.limits.job.fuel = 1;
    let app = application!(config);
    let made = ask!(&app, "?from=19", "application/json", project());
    assert_eq!(made.status, 200, "{}", String::from_utf8_lossy(&made.body));
    assert_eq!(made.json()["reading"]["read"], 0);
}
