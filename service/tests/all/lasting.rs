//! Results stay at the address that a 200 names, and addresses depend on all that made the result.

use crate::support::http::{application, config, get, post, send};
use actix_web::test::TestRequest;
use odsmith_service::{
    config::Config,
    store::{archive::Format, keys},
};

/// A `.td` file of about this many kilobytes, different for each number.
fn text(number: usize, kilobytes: usize) -> Vec<u8> {
    format!("def A{number} {{ string s = \"{}\"; }}\n", "x".repeat(kilobytes << 10)).into_bytes()
}

const RECORDS: &str = "/v1/tblgen?flags=--print-records";

/// Clients of hot results do not evict results that others were just given.
#[actix_web::test]
async fn a_result_just_made_is_there_however_hot_others_are() {
    let mut config = config();
    // Results may take half a megabyte: about 24 of these.
    config.cache_mb = 1;
    let state = crate::support::http::state(&config);
    let app = actix_web::test::init_service(odsmith_service::http::app::app(state.clone())).await;
    let results = &state.results.caches.results;
    for number in 0..40 {
        let made = post(&app, RECORDS, "*/*", text(number, 20)).await;
        let address = made.header("content-location").to_owned();
        for _ in 0..20 {
            get(&app, &address, &[]).await;
        }
        results.run_pending_tasks().await;
    }
    for number in 100..120 {
        let made = post(&app, RECORDS, "*/*", text(number, 20)).await;
        assert_eq!(made.header("cache-status"), "odsmith; fwd=miss; stored");
        results.run_pending_tasks().await;
        let kept = get(&app, made.header("content-location"), &[]).await;
        assert_eq!((kept.status.as_u16(), kept.body == made.body), (200, true), "result {number}");
    }
}

/// A result that is too large to keep is not reported as stored.
#[actix_web::test]
async fn a_result_that_is_too_large_to_be_kept_says_so() {
    let mut config = config();
    config.cache_mb = 1;
    let app = application!(config);
    let made = post(&app, RECORDS, "*/*", text(0, 700)).await;
    let status = made.header("cache-status");
    assert_eq!((made.status.as_u16(), status), (200, "odsmith; fwd=miss; detail=too-large"));
}

/// Two builds never share a name: a new one serves nothing that an old one made.
#[actix_web::test]
async fn the_build_is_part_of_what_a_result_says() {
    let app = application!();
    let version = get(&app, "/v1/version", &[]).await.json();
    assert!(keys::is_key(version["build"].as_str().unwrap_or_default()), "{version}");
    assert_eq!(version["library"], serde_json::json!({ "mlir": "22", "digest": "none" }));
    let made = post(&app, RECORDS, "*/*", b"def A;".to_vec()).await;
    let key = made.header("content-location").split('/').nth(3).unwrap_or_default().to_owned();
    let object = get(&app, &format!("/v1/results/{key}"), &[]).await.json();
    assert_eq!((&object["engine"]["build"], &object["key"]), (&version["build"], &key.into()));
}

/// The limits are part of a failure's key, as they may have caused it; they are not part of a success's key.
#[actix_web::test]
async fn failures_are_named_by_the_limits() {
    let mut less = config();
    less.limits.job.fuel = 1_000_000;
    let mut addresses = Vec::new();
    for config in [config(), less] {
        let app = application!(config);
        let failed = post(&app, RECORDS, "*/*", b"def A : Missing;".to_vec()).await;
        let problem = failed.is_problem(422, "tablegen-errors");
        let failure = problem["result"].as_str().unwrap_or_default().to_owned();
        let object = get(&app, &failure, &[]).await.json();
        assert_eq!(format!("/v1/results/{}", object["key"].as_str().unwrap_or_default()), failure);
        // The failure is cached under that name.
        let again = post(&app, RECORDS, "*/*", b"def A : Missing;".to_vec()).await;
        assert_eq!(again.header("cache-status"), "odsmith; hit; detail=memory");
        let made = post(&app, RECORDS, "*/*", b"def A;".to_vec()).await;
        addresses.push((failure, made.header("content-location").to_owned()));
    }
    assert_ne!(addresses[0].0, addresses[1].0);
    assert_eq!(addresses[0].1, addresses[1].1);
}

/// The media type is part of a body's key: the same bytes differ as text and as JSON, or with another boundary.
#[actix_web::test]
async fn a_body_is_remembered_with_its_media_type() {
    let app = application!();
    let body = serde_json::json!({ "files": { "input.td": "def A;\n" } }).to_string();
    let tblgen = || TestRequest::post().uri("/v1/tblgen?td=input.td");
    let as_text = send(&app, tblgen(), "text/plain", body.clone()).await;
    as_text.is_problem(422, "tablegen-errors");
    let as_json = send(&app, tblgen(), "application/json", body.clone()).await;
    assert_eq!(as_json.status, 200, "{}", String::from_utf8_lossy(&as_json.body));
    let part = |boundary: &str, name: &str, text: &str| {
        format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=file; filename={name}\r\n\r\n{text}\r\n--{boundary}--\r\n"
        )
    };
    // With one boundary it is a file that defines A, with the other one that defines B.
    let parts = part("a", "input.td", "def A;") + &part("b", "input.td", "def B;");
    let mut made = Vec::new();
    for boundary in ["a", "b"] {
        let answer =
            send(&app, tblgen(), &format!("multipart/form-data; boundary={boundary}"), parts.clone()).await;
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        made.push(String::from_utf8_lossy(&answer.body).into_owned());
    }
    assert!(made[0].contains("def A {") && made[1].contains("def B {"), "{made:?}");
}

/// Answers that depend on `Accept` vary by it; answers that need a token are private to the client's cache.
#[actix_web::test]
async fn caches_between_know_what_they_may_keep() {
    let archive = || crate::support::archive(Format::Zip, &[("a.td", "def A;")]);
    let open = application!();
    let closed = application!(Config { token_digests: vec![keys::sha256(b"secret")], ..config() });
    let token = ("authorization", "Bearer secret");
    for uri in ["/v1/generate", "/v1/check"] {
        assert_eq!(post(&open, uri, "*/*", archive()).await.header("vary"), "accept", "{uri}");
    }
    let uri = format!("/v1/bundles/{}", keys::sha256(&archive()));
    for headers in [&[][..], &[token]] {
        let put = headers.iter().fold(TestRequest::put().uri(&uri), |put, header| put.insert_header(*header));
        let app = if headers.is_empty() { &open } else { &closed };
        assert_eq!(send(app, put, "application/zip", archive()).await.status, 201);
        let known = get(app, &uri.replace("bundles/", "generate?bundle="), headers).await;
        assert_eq!((known.status.as_u16(), known.header("vary")), (303, "accept"));
        let scope = if headers.is_empty() { "public" } else { "private" };
        assert_eq!(known.header("cache-control"), format!("{scope}, max-age=60"));
        let kept = get(app, known.header("location"), headers).await;
        let expected = format!("{scope}, max-age=31536000, immutable, no-transform");
        assert_eq!(kept.header("cache-control"), expected);
        let unchanged = [headers, &[("if-none-match", kept.header("etag"))]].concat();
        let again = get(app, known.header("location"), &unchanged).await;
        assert_eq!((again.status.as_u16(), again.header("cache-control")), (304, &*expected));
        assert_eq!(
            get(app, "/v1/version", headers).await.header("cache-control"),
            format!("{scope}, max-age=300")
        );
    }
}

/// Equal requests at the same time are one job with one answer.
#[actix_web::test]
async fn equal_requests_are_made_once() {
    let state = crate::support::http::state(&config());
    let app = actix_web::test::init_service(odsmith_service::http::app::app(state.clone())).await;
    let body =
        || crate::support::archive(Format::Tar, &[("a.td", "foreach i = !range(0, 3000) in def A#i;\n")]);
    let one = || post(&app, "/v1/generate", "application/json", body());
    let (a, b, c) = tokio::join!(one(), one(), one());
    let made = |answer: &crate::support::http::Answer| {
        answer.header("cache-status").starts_with("odsmith; fwd=miss")
    };
    let answers = [&a, &b, &c];
    assert_eq!(answers.iter().filter(|answer| made(answer)).count(), 1);
    assert!(answers.iter().all(|answer| answer.status == 200 && answer.body == a.body));
    // A result that was made for one form has the others by GET, each packed once.
    let address = a.header("content-location");
    for format in Format::ALL {
        let uri = format!("{address}{}", format.extension());
        let (first, again) = (get(&app, &uri, &[]).await, get(&app, &uri, &[]).await);
        assert!(first.status == 200 && first.body == again.body, "{uri}");
        assert_eq!(first.header("content-encoding"), "", "what is packed is not packed again");
    }
}
