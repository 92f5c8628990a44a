//! Long jobs (`Prefer: respond-async`): until a result is ready, its address reports progress.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::time::{Duration, Instant};

use crate::support::{
    archive,
    http::{Answer, application, config, get, post, state},
};
use actix_web::{
    dev::{Service, ServiceResponse},
    http::header,
    rt::time::sleep,
    test::{self, TestRequest},
};
use odsmith_service::{http::app, store::archive::Format};

/// Far more time than any of this takes.
const SOON: Duration = Duration::from_secs(20);

async fn begin(
    app: &impl Service<actix_http::Request, Response = ServiceResponse, Error = actix_web::Error>,
    accept: &str,
    text: &str,
) -> Answer {
    let body = archive(Format::Tar, &[("a.td", text)]);
    let request = TestRequest::post()
        .uri("/v1/generate")
        .insert_header((header::ACCEPT, accept))
        .insert_header(("prefer", "respond-async"))
        .insert_header((header::CONTENT_LENGTH, body.len()))
        .set_payload(body);
    Answer::of(test::call_service(app, request.to_request()).await).await
}

/// Waits until the address no longer reports progress; returns its answer then, and the stages seen before.
async fn wait_for(
    app: &impl Service<actix_http::Request, Response = ServiceResponse, Error = actix_web::Error>,
    address: &str,
) -> (Answer, Vec<String>) {
    let begun = Instant::now();
    let mut stages = Vec::new();
    loop {
        let answer = get(app, address, &[]).await;
        if answer.status != 202 {
            return (answer, stages);
        }
        assert_eq!((answer.header("retry-after"), answer.header("cache-control")), ("1", "no-store"));
        let report = answer.json();
        assert_eq!(Some(&address[12..76]), report["key"].as_str(), "{report}");
        assert!(report["seconds"].is_f64() && report["fuel"]["limit"].is_u64(), "{report}");
        stages.push(report["stage"].as_str().unwrap().to_owned());
        assert!(begun.elapsed() < SOON, "{report}");
        sleep(Duration::from_millis(20)).await;
    }
}

#[track_caller]
fn is_begun(answer: &Answer) -> String {
    assert_eq!(answer.status, 202, "{}", String::from_utf8_lossy(&answer.body));
    assert_eq!(answer.header("preference-applied"), "respond-async");
    assert_eq!((answer.header("retry-after"), answer.header("cache-control")), ("1", "no-store"));
    answer.header("location").to_owned()
}

#[actix_web::test]
async fn the_address_of_a_result_is_known_before_it_is_made() {
    let app = application!();
    let text = "class A<int x> { int v = x; }\ndef B : A<1>;\n";
    let address = is_begun(&begin(&app, "application/zip", text).await);
    assert!(address.ends_with(".zip"), "{address}");
    let (made, _) = wait_for(&app, &address).await;
    assert_eq!(made.status, 200);
    assert_eq!(made.header("cache-control"), "public, max-age=31536000, immutable, no-transform");
    // A client that waits now gets the same bytes at once.
    let waited = post(&app, "/v1/generate", "application/zip", archive(Format::Tar, &[("a.td", text)])).await;
    assert!(waited.body == made.body);
    assert_eq!(format!("{}.zip", waited.header("content-location")), address);
    let again = begin(&app, "application/zip", text).await;
    assert_eq!((again.status.as_u16(), again.header("cache-status")), (200, "odsmith; hit; detail=memory"));
    // The object is at the address without an extension.
    let other = is_begun(&begin(&app, "application/json", "def C;").await);
    let (object, _) = wait_for(&app, &other).await;
    assert_eq!(Some(&other[12..]), object.json()["key"].as_str());
}

/// Limits are part of a failure's key, so that its result has another address; the first one says why.
#[actix_web::test]
async fn a_failure_is_at_the_address_too() {
    let app = application!();
    let address = is_begun(&begin(&app, "application/json", "def A : Missing;").await);
    let (failed, _) = wait_for(&app, &address).await;
    let problem = failed.is_problem(422, "tablegen-errors");
    let kept = problem["result"].as_str().unwrap();
    assert_ne!(kept, address);
    assert_eq!(get(&app, kept, &[]).await.json()["status"], "failed");
    // A client that waits gets the same.
    let body = archive(Format::Tar, &[("a.td", "def A : Missing;")]);
    let waited = post(&app, "/v1/generate", "application/json", body).await;
    assert_eq!(waited.is_problem(422, "tablegen-errors")["diagnostics"], problem["diagnostics"]);
}

#[actix_web::test]
async fn messages_that_were_cut_off_lead_to_another_name() {
    let mut config = config();
    config.limits.job.diagnostics = 1;
    let app = application!(config);
    let text = "class A<int unused>;\nclass B<int unused>;\ndef C;\n";
    let address = is_begun(&begin(&app, "application/zip", text).await);
    let (elsewhere, _) = wait_for(&app, &address).await;
    assert_eq!(elsewhere.status, 303);
    let other = elsewhere.header("location");
    assert!(other != address && other.ends_with(".zip"), "{other}");
    assert_eq!(get(&app, other, &[]).await.status, 200);
}

#[actix_web::test]
async fn how_far_it_is_and_why_it_was_given_up() {
    let mut config = config();
    config.limits.job.fuel = u64::MAX / 2;
    config.limits.job_seconds = 1;
    let app = application!(config);
    let many = "!range(0, 100000)";
    let endless = format!("foreach i = {many} in foreach j = {many} in defvar x = !add(i, j);");
    let begun = Instant::now();
    let address = is_begun(&begin(&app, "application/json", &endless).await);
    assert!(begun.elapsed() < Duration::from_millis(900), "{:?}", begun.elapsed());
    let (late, stages) = wait_for(&app, &address).await;
    assert!(stages.contains(&"evaluating".to_owned()), "{stages:?}");
    late.is_problem(503, "deadline");
    assert_eq!(late.header("retry-after"), "2");
    // The failure is not kept: the next request tries again.
    is_begun(&begin(&app, "application/json", &endless).await);
}

/// A server that has restarted does not know the job; the client sends its bundle again.
#[actix_web::test]
async fn what_is_not_being_made_is_not_found() {
    let app = application!();
    let address = format!("/v1/results/{}", "0".repeat(64));
    get(&app, &address, &[]).await.is_problem(404, "result-not-found");
    // A request that is itself invalid is refused at once.
    let body = TestRequest::post().uri("/v1/generate").insert_header(("prefer", "respond-async"));
    let body = body.insert_header((header::CONTENT_LENGTH, 3)).set_payload("def");
    Answer::of(test::call_service(&app, body.to_request()).await).await.is_problem(400, "bad-archive");
}

/// The address of a result that is too large to keep says so.
#[actix_web::test]
async fn a_result_that_is_too_large_to_be_kept() {
    let mut config = config();
    config.cache_mb = 1;
    let state = state(&config);
    let app = test::init_service(app::app(state.clone())).await;
    let text = format!("def A {{ string s = \"{}\"; }}\n", "x".repeat(700 << 10));
    let manifest = "[[target]]\ntd = \"a.td\"\noutputs = [{ path = \"o\", flags = [\"--print-records\"] }]\n";
    let body = archive(Format::Tar, &[("a.td", &text), ("odsmith.toml", manifest)]);
    let request = TestRequest::post().uri("/v1/generate").insert_header(("prefer", "respond-async"));
    let request = request.insert_header((header::CONTENT_LENGTH, body.len())).set_payload(body);
    let begun = Answer::of(test::call_service(&app, request.to_request()).await).await;
    let address = is_begun(&begun);
    wait_for(&app, &address).await;
    state.results.caches.results.run_pending_tasks().await;
    let problem = get(&app, &address, &[]).await.is_problem(404, "result-not-found");
    assert!(problem["detail"].as_str().unwrap().contains("too large to be kept"), "{problem}");
}

/// The bytes of a request count as in flight until its job ends, and the job counts as any other.
#[actix_web::test]
async fn work_that_no_client_waits_for_is_bounded_as_well() {
    let mut config = config();
    (config.limits.jobs_running, config.limits.jobs_waiting, config.limits.job_seconds) = (1, 2, 3);
    config.limits.job.fuel = u64::MAX / 2;
    let state = state(&config);
    let app = test::init_service(app::app(state.clone())).await;
    let many = "!range(0, 100000)";
    let mut statuses = Vec::new();
    for number in 0..4 {
        let endless = format!("foreach i = {many} in foreach j = {many} in defvar x = !add(i, {number});");
        statuses.push(begin(&app, "application/json", &endless).await.status.as_u16());
    }
    assert_eq!(statuses[0], 202);
    assert!(statuses[1..].iter().all(|status| [202, 503].contains(status)), "{statuses:?}");
    assert!(state.results.pool.load().waiting <= 2);
}
