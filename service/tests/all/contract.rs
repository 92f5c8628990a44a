//! The rows of the contract that `http.rs` does not cover: headers, statuses, limits, quotas.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use crate::support::{
    archive,
    http::{Answer, application, config, get, post, send, serve, state, talk},
};
use actix_web::{
    dev::{Service, ServiceResponse},
    http::{Method, header},
    test,
};
use odsmith_service::{
    config::Config,
    http::app,
    jobs::ticket::Ticket,
    pipeline::error::Kind,
    store::{archive::Format, keys},
};
use serde_json::{Value, json};

const GOOD: &[(&str, &str)] = &[("dir/a.td", "class A<int x> { int v = x; }\ndef B : A<1>;\n")];

async fn head(
    app: &impl Service<actix_http::Request, Response = ServiceResponse, Error = actix_web::Error>,
    uri: &str,
) -> Answer {
    let request = test::TestRequest::default().method(Method::HEAD).uri(uri);
    Answer::of(test::call_service(app, request.to_request()).await).await
}

/// Makes a result and returns its address.
async fn made(
    app: &impl Service<actix_http::Request, Response = ServiceResponse, Error = actix_web::Error>,
) -> String {
    let made = post(app, "/v1/generate", "application/json", archive(Format::Zip, GOOD)).await;
    assert_eq!(made.status, 200, "{}", String::from_utf8_lossy(&made.body));
    made.header("content-location").to_owned()
}

// --- headers ----------------------------------------------------------------------------------------------

#[actix_web::test]
async fn cache_status_and_server_timing() {
    let app = application!();
    let steps = |answer: &Answer| -> Vec<String> {
        let parts = answer.header("server-timing").split(", ").map(|part| part.split_once(";dur=").unwrap());
        parts.map(|(step, time)| time.parse::<f64>().map(|_| step.to_owned()).unwrap()).collect()
    };
    let hit = "odsmith; hit; detail=memory";
    let body = || archive(Format::Zip, GOOD);
    for (uri, expected) in [
        ("/v1/generate", &["body", "make", "pack"][..]),
        ("/v1/tblgen?flags=--print-records&td=dir/a.td", &["body", "make"]),
        ("/v1/records?td=dir/a.td", &["body", "make"]),
        ("/v1/check", &["body", "make"]),
        ("/v1/lint", &["body", "make"]),
    ] {
        let first = post(&app, uri, "*/*", body()).await;
        assert_eq!(
            (first.status.as_u16(), first.header("cache-status")),
            (200, "odsmith; fwd=miss; stored"),
            "{uri}"
        );
        assert_eq!(steps(&first), expected, "{uri}");
        assert_eq!(post(&app, uri, "*/*", body()).await.header("cache-status"), hit, "{uri}");
    }
    let address = made(&app).await;
    assert_eq!(get(&app, &format!("{address}.zip"), &[]).await.header("cache-status"), hit);
    // Failures that are final are cached as well.
    let bad = || b"def A : Missing;".to_vec();
    let failed = post(&app, "/v1/tblgen", "*/*", bad()).await;
    failed.is_problem(422, "tablegen-errors");
    assert_eq!(failed.header("cache-status"), "odsmith; fwd=miss; stored");
    assert_eq!(post(&app, "/v1/tblgen", "*/*", bad()).await.header("cache-status"), hit);
}

#[actix_web::test]
async fn head_is_get_without_the_body() {
    let app = application!();
    let address = made(&app).await;
    let mut addresses: Vec<String> = [
        "/",
        "/docs",
        "/problems",
        "/openapi.json",
        "/start.js",
        "/start.css",
        "/v1/generators",
        "/v1/libraries",
        "/v1/limits",
        "/v1/version",
    ]
    .map(str::to_owned)
    .into();
    addresses.push(address.clone());
    addresses.extend(Format::ALL.map(|format| format!("{address}{}", format.extension())));
    addresses.push(format!("{address}/files/result.json"));
    addresses.push(address.replace("results", "sites") + "/index.html");
    for address in addresses {
        let (head, get) = (head(&app, &address).await, get(&app, &address, &[]).await);
        assert_eq!((head.status.as_u16(), get.status.as_u16()), (200, 200), "{address}");
        for name in ["content-type", "etag", "cache-control", "repr-digest", "accept-ranges"] {
            assert_eq!(head.header(name), get.header(name), "{address} {name}");
            assert!(!get.header(name).is_empty(), "{address} {name}");
        }
    }
}

#[::core::prelude::v1::test]
fn head_has_no_body_on_the_wire() {
    let address = serve(config());
    let answer = talk(address, "HEAD /v1/version HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200 ") && body.is_empty(), "{answer}");
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    assert_ne!(length, "0");
}

#[actix_web::test]
async fn digests_and_ranges() {
    let app = application!();
    let address = format!("{}.tar", made(&app).await);
    let whole = get(&app, &address, &[]).await;
    let digest = keys::from_hex(&keys::sha256(&whole.body)).unwrap();
    assert_eq!(whole.header("repr-digest"), format!("sha-256=:{}:", keys::base64(&digest)));
    let size = whole.body.len();
    for (range, status, bytes) in [
        ("bytes=0-0", 206, &whole.body[..1]),
        ("bytes=-5", 206, &whole.body[size - 5..]),
        ("bytes=5-", 206, &whole.body[5..]),
        ("bytes=0-1,3-4", 200, &whole.body[..]),
        ("nonsense", 200, &whole.body[..]),
    ] {
        let part = get(&app, &address, &[("range", range)]).await;
        assert_eq!((part.status.as_u16(), part.body == bytes), (status, true), "{range}");
        if status == 206 {
            assert!(part.header("content-range").ends_with(&format!("/{size}")), "{range}");
            // The digest is that of the whole body, so that a client can check the parts once it has joined them.
            assert_eq!(part.header("repr-digest"), whole.header("repr-digest"));
        }
    }
    let none = get(&app, &address, &[("range", "bytes=99999999-")]).await;
    none.is_problem(416, "range-not-satisfiable");
    assert_eq!(none.header("content-range"), format!("bytes */{size}"));
    let other = get(&app, &address, &[("range", "bytes=0-0"), ("if-range", "\"other\"")]).await;
    assert_eq!(other.status, 200);
    let same = get(&app, &address, &[("range", "bytes=0-0"), ("if-range", whole.header("etag"))]).await;
    assert_eq!(same.status, 206);
    for tags in [whole.header("etag").to_owned(), format!("\"x\", W/{}", whole.header("etag")), "*".into()] {
        let known = get(&app, &address, &[("if-none-match", &tags)]).await;
        assert_eq!((known.status.as_u16(), known.body.len()), (304, 0), "{tags}");
        assert_eq!(known.header("cache-control"), "public, max-age=31536000, immutable, no-transform");
    }
}

// --- pages ------------------------------------------------------------------------------------------------

#[actix_web::test]
async fn every_problem_type_leads_to_its_explanation() {
    let app = application!();
    let page = String::from_utf8(get(&app, "/problems", &[]).await.body).unwrap();
    for kind in Kind::ALL {
        assert!(page.contains(&format!("id=\"{}\"", kind.code)), "{}", kind.code);
    }
    let problem = get(&app, "/nowhere", &[]).await.json();
    assert_eq!(problem["type"], "/problems#not-found");
}

#[actix_web::test]
async fn the_description_for_people_has_what_the_one_for_programs_has() {
    let app = application!();
    let document = get(&app, "/openapi.json", &[]).await.json();
    let page = get(&app, "/docs", &[]).await;
    assert!(page.header("content-security-policy").starts_with("default-src 'none'"));
    let page = String::from_utf8(page.body).unwrap();
    assert!(!page.contains("<script") && !page.contains("style=") && !page.contains("{{"));
    assert!(!page.contains('`'), "descriptions show their code as code");
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let title = format!("{} {path}", method.to_uppercase());
            assert!(page.contains(&title), "{title}");
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                assert!(page.contains(&format!("<code>{}</code>", parameter["name"].as_str().unwrap())));
            }
        }
    }
    for name in document["components"]["schemas"].as_object().unwrap().keys() {
        assert!(page.contains(&format!("id=\"object-{name}\"")), "{name}");
    }
    // Every link to an object on the page has a target.
    for link in page.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(page.contains(&format!("id=\"{link}\"")), "{link}");
    }
}

// --- statuses ---------------------------------------------------------------------------------------------

#[actix_web::test]
async fn a_body_without_a_length() {
    let app = application!();
    for request in [test::TestRequest::post().uri("/v1/generate"), test::TestRequest::post().uri("/v1/check")]
    {
        let answer = Answer::of(test::call_service(&app, request.to_request()).await).await;
        answer.is_problem(411, "length-required");
    }
}

#[::core::prelude::v1::test]
fn a_body_in_chunks() {
    let address = serve(config());
    let head = "POST /v1/tblgen HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";
    let answer = talk(address, &format!("{head}Transfer-Encoding: chunked\r\n\r\n6\r\ndef A;\r\n0\r\n\r\n"));
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("def A {"), "{answer}");
    let none = talk(address, &format!("{head}\r\n"));
    assert!(none.starts_with("HTTP/1.1 411 "), "{none}");
}

#[actix_web::test]
async fn methods_that_an_address_does_not_take() {
    let app = application!();
    let key = "0".repeat(64);
    for (path, method, allow) in [
        ("/v1/generate", Method::DELETE, "GET, HEAD, POST"),
        ("/v1/tblgen", Method::GET, "POST"),
        ("/v1/results/x", Method::POST, "GET, HEAD"),
        (&format!("/v1/bundles/{key}"), Method::GET, "HEAD, PUT"),
        ("/", Method::PUT, "GET, HEAD"),
    ] {
        let request = test::TestRequest::default().method(method).uri(path).to_request();
        let answer = Answer::of(test::call_service(&app, request).await).await;
        answer.is_problem(405, "method-not-allowed");
        assert_eq!(answer.header("allow"), allow, "{path}");
    }
}

#[actix_web::test]
async fn a_client_over_its_quota() {
    let mut config = config();
    (config.limits.quota.requests_per_minute, config.limits.quota.burst) = (60, 2);
    config.behind_proxy = true;
    let app = application!(config);
    let from = |address: &'static str| [("x-forwarded-for", address)];
    for left in [1, 0] {
        let answer = get(&app, "/v1/version", &from("10.0.0.1, 203.0.113.9")).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("ratelimit-policy"), "\"requests\";q=2;w=2");
        assert!(answer.header("ratelimit").starts_with(&format!("\"requests\";r={left};t=")), "{left}");
    }
    let over = get(&app, "/v1/version", &from("10.0.0.2, 203.0.113.9")).await;
    over.is_problem(429, "over-quota");
    assert_eq!((over.header("retry-after"), over.header("ratelimit")), ("1", "\"requests\";r=0;t=1"));
    assert_eq!(get(&app, "/v1/version", &from("203.0.113.8")).await.status, 200, "another client");
    assert_eq!(get(&app, "/", &from("203.0.113.9")).await.status, 200, "pages are free");
    let unlimited = application!();
    assert_eq!(get(&unlimited, "/v1/version", &[]).await.header("ratelimit"), "");
}

#[actix_web::test]
async fn a_token_has_a_quota_of_its_own() {
    let mut config = config();
    (config.limits.quota.requests_per_minute, config.limits.quota.burst) = (60, 1);
    config.token_digests = vec![keys::sha256(b"one"), keys::sha256(b"two")];
    let app = application!(config);
    for (token, status) in [("one", 200), ("one", 429), ("two", 200), ("two", 429), ("three", 401)] {
        let answer = get(&app, "/v1/version", &[("authorization", &format!("Bearer {token}"))]).await;
        assert_eq!(answer.status, status, "{token}");
    }
}

#[actix_web::test]
async fn the_clock_is_a_backstop_whose_verdict_is_not_kept() {
    let mut config = config();
    config.limits.job_seconds = 1;
    config.limits.job.fuel = u64::MAX / 2;
    let state = state(&config);
    let app = test::init_service(app::app(state.clone())).await;
    let many = "!range(0, 100000)";
    let endless = format!("foreach i = {many} in foreach j = {many} in defvar x = !add(i, j);");
    let late = post(&app, "/v1/tblgen", "*/*", endless.into_bytes()).await;
    late.is_problem(503, "deadline");
    assert_eq!(late.header("retry-after"), "2");
    state.results.caches.results.run_pending_tasks().await;
    assert_eq!(state.results.caches.results.entry_count(), 0);
}

// --- requests ---------------------------------------------------------------------------------------------

#[actix_web::test]
async fn the_expanded_manifest_freezes_a_request() {
    let app = application!();
    let address = made(&app).await;
    let manifest =
        String::from_utf8(get(&app, &format!("{address}/files/manifest.toml"), &[]).await.body).unwrap();
    assert!(manifest.contains("td = \"dir/a.td\""), "{manifest}");
    let frozen: Vec<(&str, &str)> =
        GOOD.iter().copied().chain([("odsmith.toml", manifest.as_str())]).collect();
    let again = post(&app, "/v1/generate", "application/json", archive(Format::Zip, &frozen)).await;
    let files = |object: &Value| -> Vec<(String, Value)> {
        let outputs = object["outputs"].as_array().unwrap().iter();
        outputs.map(|output| (output["path"].to_string(), output["sha256"].clone())).collect()
    };
    let before = get(&app, &address, &[]).await.json();
    assert_eq!(files(&before), files(&again.json()));
    assert_eq!(again.json()["manifest"]["target"], before["manifest"]["target"]);
}

#[actix_web::test]
async fn files_are_sent_once() {
    let app = application!();
    let (path, text) = GOOD[0];
    let digest = keys::sha256(text.as_bytes());
    let generate = || test::TestRequest::post().uri("/v1/tblgen?td=dir/a.td");
    let known = json!({ "known": { path: digest } }).to_string();
    let first = send(&app, generate(), "application/json", known.clone()).await;
    assert_eq!(first.is_problem(404, "files-not-found")["missing"], json!([digest]));
    let whole = json!({ "files": { path: text } }).to_string();
    let sent = send(&app, generate(), "application/json", whole).await;
    assert_eq!(sent.status, 200);
    let named = send(&app, generate(), "application/json", known).await;
    assert_eq!((named.status.as_u16(), &named.body), (200, &sent.body));
    let wrong = json!({ "known": { path: "x" } }).to_string();
    send(&app, generate(), "application/json", wrong).await.is_problem(400, "bad-request");
}

#[actix_web::test]
async fn a_key_knows_nothing_of_headers() {
    let app = application!();
    let mut keys = BTreeSet::new();
    for (name, value) in
        [("accept", "application/json"), ("accept-language", "de"), ("host", "other"), ("x-request-id", "a")]
    {
        let body = archive(Format::Tar, GOOD);
        let request = test::TestRequest::post()
            .uri("/v1/generate")
            .insert_header((name, value))
            .insert_header((header::CONTENT_LENGTH, body.len()))
            .set_payload(body);
        let answer = Answer::of(test::call_service(&app, request.to_request()).await).await;
        keys.insert(answer.header("content-location").to_owned());
    }
    assert_eq!(keys.len(), 1);
}

// --- limits -----------------------------------------------------------------------------------------------

/// A request that exceeds one limit: the setting, the files, and the expected answer.
struct Case {
    limit: &'static str,
    set: fn(&mut Config),
    files: Vec<(String, String)>,
    status: u16,
    code: &'static str,
}

fn case(limit: &'static str, set: fn(&mut Config), text: &str, status: u16) -> Case {
    let code = if status == 413 { "too-large" } else { "limit-exceeded" };
    Case { limit, set, files: vec![("a.td".into(), text.into())], status, code }
}

fn cases() -> Vec<Case> {
    let deep: Vec<(String, String)> = (0..9)
        .map(|index| (format!("f{index}.td"), format!("include \"f{}.td\"\n", index + 1)))
        .chain([("f9.td".into(), String::new())])
        .collect();
    vec![
        case("archive.body_bytes", |c| c.limits.archive.body_bytes = 100, "def A;", 413),
        case("archive.unpacked_bytes", |c| c.limits.archive.unpacked_bytes = 5, "def A;", 413),
        case("archive.file_bytes", |c| c.limits.archive.file_bytes = 5, "def A;", 413),
        Case {
            status: 413,
            code: "too-large",
            ..with("archive.entries", |c| c.limits.archive.entries = 9, &deep)
        },
        case("archive.path_bytes", |c| c.limits.archive.path_bytes = 3, "def A;", 413),
        Case {
            status: 413,
            code: "too-large",
            ..with(
                "archive.path_depth",
                |c| c.limits.archive.path_depth = 2,
                &[("a/b/c.td".into(), String::new())],
            )
        },
        Case {
            status: 413,
            code: "too-large",
            ..with(
                "archive.manifest_bytes",
                |c| c.limits.archive.manifest_bytes = 5,
                &[("a.td".into(), String::new()), ("odsmith.toml".into(), "schema = 1".into())],
            )
        },
        case("job.fuel", |c| c.limits.job.fuel = 100, "foreach i = !range(0, 1000) in def;", 422),
        case(
            "job.arena_bytes",
            |c| c.limits.job.arena_bytes = 10_000,
            "foreach i = !range(0, 9999) in def;",
            422,
        ),
        case(
            "job.nesting",
            |c| c.limits.job.nesting = 4,
            "def A { int x = !add(1, !add(1, !add(1, !add(1, !add(1, 1))))); }",
            422,
        ),
        with("job.include_depth", |c| c.limits.job.include_depth = 5, &deep),
        case("job.records", |c| c.limits.job.records = 10, "foreach i = !range(0, 20) in def;", 422),
        case(
            "job.list_items",
            |c| c.limits.job.list_items = 10,
            "def A { list<int> x = !range(0, 20); }",
            422,
        ),
        case(
            "job.string_bytes",
            |c| c.limits.job.string_bytes = 10,
            "def A { string x = !strconcat(\"123456\", \"789012\"); }",
            422,
        ),
        case("job.output_bytes", |c| c.limits.job.output_bytes = 10, "def A;", 422),
    ]
}

fn with(limit: &'static str, set: fn(&mut Config), files: &[(String, String)]) -> Case {
    Case { limit, set, files: files.to_vec(), status: 422, code: "limit-exceeded" }
}

/// Limits that other tests check, and these tests.
const ELSEWHERE: &[(&str, &str)] = &[
    ("job.diagnostics", "diagnostics_are_cut_off"),
    ("quota.requests_per_minute", "a_client_over_its_quota"),
    ("quota.burst", "a_client_over_its_quota"),
    ("head_seconds", "heads_that_never_end_are_given_up"),
    ("body_seconds", "http.rs: bodies_that_never_end_are_given_up"),
    ("body_bytes_per_second", "bodies_that_trickle_are_given_up"),
    ("fetch_seconds", "fetch.rs: sources_that_do_not_come"),
    ("job_seconds", "the_clock_is_a_backstop_whose_verdict_is_not_kept"),
    ("jobs_running", "a_full_queue_sheds_and_recovers"),
    ("jobs_waiting", "a_full_queue_sheds_and_recovers"),
    ("bytes_in_flight", "http.rs: no_room_for_a_body"),
    ("bytes_in_flight_of_client", "in_flight.rs: what_arrives_is_held_and_nothing_else"),
    ("job.targets", "hostile.rs: many_roots_and_targets"),
    ("job.job_fuel", "hostile.rs: what_all_targets_take"),
    ("job.job_arena_bytes", "hostile.rs: what_all_targets_take"),
    ("job.work", "hostile.rs: files_that_include_each_other"),
    ("job.text_bytes", "hostile.rs: texts_that_are_too_long"),
    ("connections", "tests/attack: connections"),
    ("connections_of_client", "hostile.rs: connections_of_one_address"),
    ("idle_seconds", "hostile.rs: connections_that_have_nothing_to_do"),
    ("write_seconds", "hostile.rs: readers_that_take_nothing"),
    ("write_bytes_per_second", "pieces.rs: a_client_that_is_too_slow_is_given_up"),
    ("address_bytes", "hostile.rs: addresses_that_are_too_long"),
];

fn names(prefix: &str, value: &Value, found: &mut BTreeSet<String>) {
    match value.as_object() {
        Some(fields) => fields.iter().for_each(|(name, value)| {
            names(&if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") }, value, found);
        }),
        None => {
            found.insert(prefix.to_owned());
        }
    }
}

#[actix_web::test]
async fn every_limit_that_is_shown_is_held() {
    let shown = get(&application!(), "/v1/limits", &[]).await.json();
    let mut shown_names = BTreeSet::new();
    names("", &shown, &mut shown_names);
    let tested = cases()
        .iter()
        .map(|case| case.limit)
        .chain(ELSEWHERE.iter().map(|(name, _)| *name))
        .map(str::to_owned)
        .collect();
    assert_eq!(shown_names, tested, "limits that are shown, and limits that have a test");
    for case in cases() {
        let mut config = config();
        (case.set)(&mut config);
        let app = application!(config);
        let files: Vec<(&str, &str)> =
            case.files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let root = files[0].0;
        let uri = format!("/v1/tblgen?td={root}");
        let answer = post(&app, &uri, "*/*", archive(Format::Tar, &files)).await;
        assert_eq!(answer.status, case.status, "{}: {}", case.limit, String::from_utf8_lossy(&answer.body));
        let problem = answer.is_problem(case.status, case.code);
        if case.status == 413 {
            assert_eq!(problem["limit"]["name"], case.limit.rsplit('.').next().unwrap());
            assert_eq!(answer.header("connection"), "close");
        }
        // The server still answers after that.
        assert_eq!(get(&app, "/v1/version", &[]).await.status, 200, "{}", case.limit);
    }
}

#[actix_web::test]
async fn diagnostics_are_cut_off() {
    let mut config = config();
    config.limits.job.diagnostics = 3;
    let app = application!(config);
    let classes = |count: usize| -> String {
        let classes: String = (0..count).map(|index| format!("class C{index}<int unused>;\n")).collect();
        format!("{classes}def A : Missing;\n")
    };
    for (text, kept, is_truncated) in [(classes(9), 3, true), (classes(1), 2, false)] {
        let answer = post(&app, "/v1/tblgen", "*/*", text.into_bytes()).await;
        let problem = answer.is_problem(422, "tablegen-errors");
        assert_eq!(problem["diagnostics"].as_array().unwrap().len(), kept, "{problem}");
        assert_eq!(problem["truncated"] == true, is_truncated, "{problem}");
        // The error stays, whatever is cut off.
        assert_eq!(problem["diagnostics"][kept - 1]["severity"], "error", "{problem}");
    }
}

// --- time and connections ---------------------------------------------------------------------------------

#[::core::prelude::v1::test]
fn heads_that_never_end_are_given_up() {
    let mut config = config();
    config.limits.head_seconds = 1;
    let address = serve(config);
    let start = Instant::now();
    let answer = talk(address, "GET /v1/version HTTP/1.1\r\nHost: x\r\nX-Slow: ");
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[::core::prelude::v1::test]
fn bodies_that_trickle_are_given_up() {
    use std::{
        io::{Read as _, Write as _},
        net::TcpStream,
    };
    let mut config = config();
    config.limits.body_seconds = 25;
    config.limits.body_bytes_per_second = 1 << 20;
    let address = serve(config);
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
    stream.write_all(b"POST /v1/generate HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n").unwrap();
    let start = Instant::now();
    let mut answer = Vec::new();
    let mut buffer = [0; 4096];
    // A byte now and then does not extend the server's deadline.
    while start.elapsed() < Duration::from_secs(20) && answer.is_empty() {
        let _ = stream.write_all(b"x");
        if let Ok(length) = stream.read(&mut buffer) {
            answer.extend_from_slice(&buffer[..length]);
        }
    }
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!((4..10).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
}

#[actix_web::test]
async fn a_full_queue_sheds_and_recovers() {
    let mut config = config();
    (config.limits.jobs_running, config.limits.jobs_waiting) = (1, 4);
    let state = state(&config);
    let app = test::init_service(app::app(state.clone())).await;
    let (go, gate) = std::sync::mpsc::channel::<()>();
    let (started, has_started) = std::sync::mpsc::channel();
    let ticket = Ticket::internal(Duration::from_secs(60));
    let block = state.results.pool.submit(&ticket, move || {
        started.send(()).unwrap();
        gate.recv().unwrap();
    });
    has_started.recv().unwrap();
    let waiting: Vec<_> = (0..4).map(|_| state.results.pool.submit(&ticket, || ()).unwrap()).collect();
    for _ in 0..40 {
        let shed = post(&app, "/v1/tblgen", "*/*", b"def A;".to_vec()).await;
        shed.is_problem(503, "overloaded");
        assert_eq!(shed.header("retry-after"), "2");
    }
    assert_eq!(get(&app, "/v1/version", &[]).await.status, 200, "what needs no job is answered");
    go.send(()).unwrap();
    for job in waiting {
        job.await.unwrap().unwrap();
    }
    assert!(block.is_ok());
    assert_eq!(post(&app, "/v1/tblgen", "*/*", b"def A;".to_vec()).await.status, 200);
}

// --- what the description promises ------------------------------------------------------------------------

/// Returns whether an operation reads a body.
fn has_body(operation: &Value) -> bool {
    operation["requestBody"].is_object() || operation["operationId"] == "put_bundle"
}

/// The operations of the description with a body: their method, an address of theirs, and the description.
async fn with_bodies(
    app: &impl Service<actix_http::Request, Response = ServiceResponse, Error = actix_web::Error>,
) -> Vec<(Method, String, Value)> {
    let description = get(app, "/openapi.json", &[]).await.json();
    let mut found = Vec::new();
    for (path, operations) in description["paths"].as_object().expect("paths") {
        for (method, operation) in operations.as_object().expect("operations") {
            let method: Method = method.to_uppercase().parse().expect("a method");
            if has_body(operation) {
                let path = path.replace("{sha256}", &"0".repeat(64));
                let query = if path == "/v1/upgrade" { "?from=22" } else { "" };
                found.push((method, format!("{path}{query}"), operation.clone()));
            }
        }
    }
    assert!(found.len() > 12, "{found:?}");
    found
}

#[actix_web::test]
async fn each_operation_names_its_refusals() {
    let app = application!();
    let description = get(&app, "/openapi.json", &[]).await.json();
    let mut counts = std::collections::BTreeMap::<&str, usize>::new();
    for (path, operations) in description["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let responses = operation["responses"].as_object().unwrap();
            let has_body = has_body(operation);
            for (status, is_named) in [
                ("412", true),
                ("413", has_body),
                ("415", has_body),
                ("429", path.starts_with("/v1/") || path == "/mcp"),
                ("503", operation["tags"][0] != "discovery"),
            ] {
                assert_eq!(responses.contains_key(status), is_named, "{method} {path}: {status}");
            }
            for status in ["412", "413", "415", "422", "429", "503"] {
                let Some(response) = responses.get(status) else { continue };
                *counts.entry(status).or_default() += 1;
                let schema = &response["content"]["application/problem+json"]["schema"]["$ref"];
                assert_eq!(schema, "#/components/schemas/Problem", "{method} {path}: {status}");
                let is_later = matches!(status, "429" | "503");
                assert_eq!(response["headers"]["Retry-After"].is_object(), is_later, "{path}: {status}");
            }
        }
    }
    assert!(counts["422"] > 10, "{counts:?}");
}

#[actix_web::test]
async fn each_body_that_is_too_large_or_of_a_wrong_type_is_refused_as_described() {
    let app = application!();
    for (method, uri, operation) in with_bodies(&app).await {
        let request = || test::TestRequest::default().method(method.clone()).uri(&uri);
        let large = request().insert_header((header::CONTENT_TYPE, "application/json"));
        let large = large.insert_header((header::CONTENT_LENGTH, 17 << 20));
        let answer = Answer::of(test::call_service(&app, large.to_request()).await).await;
        let problem = answer.is_problem(413, "too-large");
        assert_eq!(
            (problem["limit"]["name"].as_str(), problem["limit"]["seen"].as_u64()),
            (Some("body_bytes"), Some(17 << 20))
        );
        for media_type in ["image/png", "application/pdf", "application/zip", "application/gzip"] {
            // Such a bundle is another than its address says.
            if method == Method::PUT && Format::of_media_type(media_type).is_some() {
                continue;
            }
            let answer = send(&app, request(), media_type, "def A;").await;
            answer.is_problem(415, "media-type");
        }
        for media_type in ["application/json", "text/plain"] {
            let answer = send(&app, request(), media_type, archive(Format::Zip, GOOD)).await;
            answer.is_problem(415, "media-type");
        }
        assert!(operation["responses"].get("413").is_some() && operation["responses"].get("415").is_some());
    }
}

#[actix_web::test]
async fn media_types_that_disagree() {
    let app = application!();
    let request = || test::TestRequest::post().uri("/v1/generate");
    let zipped = archive(Format::Zip, GOOD);
    // One header says one thing, the other another.
    let two = request().append_header((header::CONTENT_TYPE, "application/zip"));
    let two = two.append_header((header::CONTENT_TYPE, "application/gzip"));
    let two = two.insert_header((header::CONTENT_LENGTH, zipped.len())).set_payload(zipped.clone());
    Answer::of(test::call_service(&app, two.to_request()).await).await.is_problem(415, "media-type");
    // A part is what its own header says.
    for (media_type, status) in
        [("application/gzip", 415), ("application/zip", 200), ("application/octet-stream", 200)]
    {
        let head = format!(
            "--xyz\r\nContent-Disposition: form-data; name=\"bundle\"; filename=\"a\"\r\nContent-Type: {media_type}\r\n\r\n"
        );
        let body = [head.as_bytes(), &zipped, b"\r\n--xyz--\r\n"].concat();
        let answer = send(&app, request(), "multipart/form-data; boundary=xyz", body).await;
        assert_eq!(answer.status, status, "{media_type}: {}", String::from_utf8_lossy(&answer.body));
    }
    // These say nothing, and curl sends the second one by itself.
    for media_type in ["application/octet-stream", "application/x-www-form-urlencoded"] {
        assert_eq!(send(&app, request(), media_type, zipped.clone()).await.status, 200, "{media_type}");
    }
}

#[actix_web::test]
async fn conditions_of_requests() {
    let app = application!();
    let address = made(&app).await;
    let whole = get(&app, &address, &[]).await;
    let tag = whole.header("etag");
    for (value, status) in [(tag, 200), ("*", 200), ("\"x\"", 412), (&*format!("W/{tag}"), 412)] {
        let answer = get(&app, &address, &[("if-match", value)]).await;
        assert_eq!(answer.status, status, "If-Match: {value}");
        if status == 412 {
            answer.is_problem(412, "precondition-failed");
        }
    }
    // Without what is asked for there is no condition to hold.
    get(&app, &format!("/v1/results/{}", "0".repeat(64)), &[("if-match", "\"x\"")])
        .await
        .is_problem(404, "result-not-found");
    for (method, uri, _) in with_bodies(&app).await.into_iter().filter(|(method, ..)| *method == Method::POST)
    {
        let request = test::TestRequest::default().method(method).uri(&uri);
        let request = request.insert_header((header::IF_NONE_MATCH, "*"));
        send(&app, request, "text/plain", "def A;").await.is_problem(412, "precondition-failed");
    }
    // A bundle that is there is not put again, and one that is not is not replaced.
    let body = archive(Format::Zip, GOOD);
    let uri = format!("/v1/bundles/{}", keys::sha256(&body));
    let put = |name: &'static str, value: &'static str| {
        let request = test::TestRequest::put().uri(&uri).insert_header((name, value));
        send(&app, request, "application/zip", body.clone())
    };
    put("if-match", "*").await.is_problem(412, "precondition-failed");
    assert_eq!(put("if-none-match", "*").await.status, 201);
    put("if-none-match", "*").await.is_problem(412, "precondition-failed");
    assert_eq!(put("if-match", "*").await.status, 204);
}

#[actix_web::test]
async fn every_page_has_a_policy() {
    let app = application!();
    let mut pages = Vec::new();
    for uri in ["/", "/docs", "/problems", "/play", "/login"] {
        pages.push((uri, get(&app, uri, &[]).await));
    }
    let dialect = archive(Format::Zip, &[("a.td", "def A;")]);
    let mut body = Vec::new();
    for part in ["old", "new"] {
        body.extend_from_slice(
            format!("--xyz\r\nContent-Disposition: form-data; name=\"{part}\"\r\n\r\n").as_bytes(),
        );
        body.extend_from_slice(&dialect);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--xyz--\r\n");
    let diff = test::TestRequest::post().uri("/v1/diff").insert_header((header::ACCEPT, "text/html"));
    pages.push(("/v1/diff", send(&app, diff, "multipart/form-data; boundary=xyz", body).await));
    pages.push(("/v1/upgrade", post(&app, "/v1/upgrade?from=22", "text/html", b"def A;".to_vec()).await));
    for (uri, page) in pages {
        assert_eq!(page.status, 200, "{uri}: {}", String::from_utf8_lossy(&page.body));
        assert!(page.header("content-type").starts_with("text/html"), "{uri}");
        let policy = page.header("content-security-policy");
        assert!(
            policy.contains("default-src 'none'") && !policy.contains("'unsafe-eval'"),
            "{uri}: {policy}"
        );
    }
}

/// A client that asks before it sends a body learns at once that it is too large.
#[actix_web::test]
async fn a_body_that_is_too_large_is_not_asked_for() {
    let address = serve(config());
    let head = |length: u64| {
        format!(
            "POST /v1/tblgen HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: {length}\r\n\r\n"
        )
    };
    let answer = talk(address, &head(17 << 20));
    assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
    let (head_text, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head_text.contains("application/problem+json") && !answer.contains("100 Continue"), "{answer}");
    let problem: Value = serde_json::from_str(body).unwrap();
    assert_eq!((&problem["code"], &problem["limit"]["seen"]), (&json!("too-large"), &json!(17 << 20)));
    let answer = talk(address, &format!("{}def A;", head(6)));
    assert!(answer.starts_with("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK"), "{answer}");
}

/// A process that takes too much memory begins no more work beside other work; what is there is still served.
#[actix_web::test]
async fn memory_has_a_ceiling() {
    let address = serve(Config { memory_mb: Some(1), ..config() });
    let request = |text: &str| {
        format!(
            "POST /v1/tblgen HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{text}",
            text.len()
        )
    };
    // A request that is alone is admitted.
    let made = talk(address, &request("def A;"));
    assert!(made.starts_with("HTTP/1.1 200 OK"), "{made}");
    let long = std::thread::spawn({
        let request = request("foreach i = !range(0, 400000) in def B#i { int x = !mul(i, 3); }\n");
        // The thread of the request before may not be free yet.
        move || while talk(address, &request).starts_with("HTTP/1.1 503") {}
    });
    let mut refused = String::new();
    while !long.is_finished() && !refused.starts_with("HTTP/1.1 503") {
        refused = talk(address, &request("def A;"));
    }
    assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("\r\nretry-after: 2\r\n"), "{refused}");
    assert!(refused.contains("\"code\":\"overloaded\"") && refused.contains("MB of memory"), "{refused}");
    let version = "GET /v1/version HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    assert!(talk(address, version).starts_with("HTTP/1.1 200 OK"));
    long.join().unwrap();
    // Its thread may not be free at the very moment of its answer.
    let start = Instant::now();
    let mut later = talk(address, &request("def B;"));
    while later.starts_with("HTTP/1.1 503") && start.elapsed() < Duration::from_secs(10) {
        later = talk(address, &request("def B;"));
    }
    assert!(later.starts_with("HTTP/1.1 200 OK"), "{later}");
}
