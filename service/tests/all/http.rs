//! The real application, called without a socket; a socket is used only where time and connections matter.

use std::collections::BTreeMap;

use crate::support::{
    archive,
    http::{Answer, application, config, get, post, send, serve, state, talk},
};
use actix_web::{
    App,
    http::{Method, header},
    test,
};
use odsmith_service::{
    http::{app, routes},
    store::{archive::Format, keys},
};
use serde_json::{Value, json};

const GOOD: &[(&str, &str)] = &[("dir/a.td", "class A<int x> { int v = x; }\ndef B : A<1>;\n")];

const MANIFEST: &str = r#"
schema = 1
[[target]]
td = "dir/a.td"
out_dir = "out"
outputs = [
  { path = "records.txt", flags = ["--print-records"] },
  { path = "records.json", flags = ["-dump-json"] },
]
"#;

fn with_manifest(manifest: &str) -> Vec<(&str, &str)> {
    GOOD.iter().copied().chain([("odsmith.toml", manifest)]).collect()
}

#[actix_web::test]
async fn a_bundle_becomes_an_archive_with_a_lasting_address() {
    let app = application!();
    let body = archive(Format::TarGz, &with_manifest(MANIFEST));
    let made = post(&app, "/v1/generate", "*/*", body).await;
    assert_eq!(made.status, 200, "{}", String::from_utf8_lossy(&made.body));
    assert_eq!(made.header("content-type"), "application/gzip");
    assert_eq!(made.header("content-encoding"), "");
    assert_eq!(made.header("cache-control"), "no-store");
    let address = made.header("content-location").to_owned();
    let kept = get(&app, &format!("{address}.tar.gz"), &[]).await;
    assert_eq!(kept.body, made.body);
    assert_eq!(kept.header("cache-control"), "public, max-age=31536000, immutable, no-transform");
    assert_eq!(kept.header("etag"), format!("\"sha256-{}\"", keys::sha256(&kept.body)));
    let known = get(&app, &format!("{address}.tar.gz"), &[("if-none-match", kept.header("etag"))]).await;
    assert_eq!((known.status.as_u16(), known.body.len()), (304, 0));
    assert_eq!(known.header("etag"), kept.header("etag"));
    let part = get(&app, &format!("{address}.tar.gz"), &[("range", "bytes=2-5")]).await;
    assert_eq!((part.status.as_u16(), &part.body[..]), (206, &kept.body[2..6]));
    let object = get(&app, &address, &[]).await.json();
    assert_eq!(object["status"], "ok");
    let outputs = object["outputs"].as_array().unwrap();
    assert_eq!(outputs.len(), 2);
    assert_eq!(object["targets"][0]["parsed"], 1, "two outputs, one evaluation");
    for output in outputs {
        let path = output["path"].as_str().unwrap();
        let file = get(&app, &format!("{address}/files/{path}"), &[]).await;
        assert_eq!(output["sha256"], keys::sha256(&file.body), "{path}");
        assert_eq!(output["reads"][0], "dir/a.td");
    }
}

#[actix_web::test]
async fn the_same_bundle_gives_the_same_bytes() {
    let mut seen = BTreeMap::new();
    // Two servers, as before and after a restart, with every format as input and as output.
    for _ in 0..2 {
        let app = application!();
        for format in Format::ALL {
            let made = post(&app, "/v1/generate", "application/json", archive(format, GOOD)).await;
            let address = made.header("content-location").to_owned();
            for out in Format::ALL {
                let bytes = get(&app, &format!("{address}{}", out.extension()), &[]).await;
                assert_eq!(bytes.status, 200);
                let digest = keys::sha256(&bytes.body);
                assert_eq!(*seen.entry(out.extension()).or_insert(digest.clone()), digest);
            }
        }
    }
}

#[actix_web::test]
async fn an_unknown_generator_fails_alone() {
    let app = application!();
    let manifest = MANIFEST.replace("-dump-json", "-gen-nonsense-decls");
    let made = post(&app, "/v1/generate", "*/*", archive(Format::Zip, &with_manifest(&manifest))).await;
    let problem = made.is_problem(422, "tablegen-errors");
    assert_eq!(problem["detail"], "1 of 2 outputs could be made");
    let message = problem["diagnostics"][0]["message"].as_str().unwrap();
    assert!(message.starts_with("unknown flag '-gen-nonsense-decls'; did you mean '--"), "{message}");
    let address = problem["result"].as_str().unwrap();
    let good = get(&app, &format!("{address}/files/cpp/out/records.txt"), &[]).await;
    assert!(good.body.starts_with(b"------------- Classes"), "{}", String::from_utf8_lossy(&good.body));
    let archived = get(&app, &format!("{address}.tar"), &[]).await;
    assert_eq!(archived.status, 200);
    let skipped = post(
        &app,
        "/v1/generate?on_unsupported=skip",
        "application/json",
        archive(Format::Zip, &with_manifest(&manifest)),
    );
    let output = &skipped.await.json()["outputs"][1];
    assert_eq!(output["status"], "skipped");
    let diagnostic = &output["diagnostics"][0];
    assert_eq!(diagnostic["severity"], "warning");
    let message = diagnostic["message"].as_str().unwrap();
    assert!(message.ends_with("is skipped: unknown flag '-gen-nonsense-decls'"), "{message}");
}

#[actix_web::test]
async fn errors_have_places() {
    let app = application!();
    for (text, message) in [
        ("include \"nowhere.td\"", "could not find include file 'nowhere.td'"),
        ("def A : Missing;", "Couldn't find class 'Missing'"),
        ("def A {", ""),
    ] {
        let made = post(&app, "/v1/generate", "*/*", archive(Format::Tar, &[("x/a.td", text)])).await;
        let problem = made.is_problem(422, "tablegen-errors");
        let diagnostic = &problem["diagnostics"][0];
        assert_eq!(diagnostic["file"], "x/a.td", "{problem}");
        assert!(diagnostic["message"].as_str().unwrap().contains(message), "{problem}");
        assert_eq!(diagnostic["range"]["start"]["line"], 1);
    }
}

#[actix_web::test]
async fn refused_bodies() {
    let app = application!();
    post(&app, "/v1/generate", "*/*", b"no archive".to_vec()).await.is_problem(400, "bad-archive");
    let escape = crate::support::tar(&[crate::support::TarEntry { name: b"../x.td", ..Default::default() }]);
    let problem = post(&app, "/v1/generate", "*/*", escape).await.is_problem(400, "bad-archive");
    assert_eq!(problem["detail"], "'../x.td' has a segment '..'");
    let link = crate::support::tar(&[crate::support::TarEntry {
        kind: b'2',
        link: b"/etc/passwd",
        ..Default::default()
    }]);
    let problem = post(&app, "/v1/generate", "*/*", link).await.is_problem(400, "bad-archive");
    assert_eq!(problem["detail"], "'a.td' is a symbolic link");
    let problem = post(&app, "/v1/generate", "*/*", vec![0; 17 << 20]).await.is_problem(413, "too-large");
    assert_eq!(problem["limit"]["name"], "body_bytes");
    assert_eq!(problem["limit"]["value"], 16 << 20);
    let wrong = archive(Format::TarGz, &with_manifest("schema = 1\nunknown = 2"));
    post(&app, "/v1/generate", "*/*", wrong).await.is_problem(400, "bad-manifest");
    let good = || archive(Format::Zip, GOOD);
    post(&app, "/v1/generate?unknown=1", "*/*", good()).await.is_problem(400, "bad-parameter");
    post(&app, "/v1/generate?mlir=7", "*/*", good()).await.is_problem(400, "bad-manifest");
    post(&app, "/v1/generate", "text/html", good()).await.is_problem(406, "not-acceptable");
    for (name, value) in [(header::CONTENT_TYPE, "application/gzip"), (header::CONTENT_ENCODING, "gzip")] {
        let request = test::TestRequest::post()
            .uri("/v1/generate")
            .insert_header((name, value))
            .insert_header((header::CONTENT_LENGTH, good().len()))
            .set_payload(good());
        let answer = Answer::of(test::call_service(&app, request.to_request()).await).await;
        answer.is_problem(415, "media-type");
    }
}

fn part(name: &str, file: Option<&str>, content: &[u8]) -> Vec<u8> {
    let file = file.map_or(String::new(), |file| format!("; filename=\"{file}\""));
    let head = format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n");
    [head.as_bytes(), content, b"\r\n"].concat()
}

#[actix_web::test]
async fn every_form_of_a_request_is_the_same_request() {
    let app = application!();
    let generate = || test::TestRequest::post().uri("/v1/generate");
    let output = json!({ "path": "r.txt", "flags": ["--print-records"] });
    let manifest = json!({ "target": [{ "td": "dir/a.td", "outputs": [output] }] });
    let (name, text) = GOOD[0];
    let zip = archive(Format::Zip, GOOD);
    let parts = |parts: &[Vec<u8>]| [&parts.concat()[..], b"--edge--\r\n"].concat();
    let request = part("request", None, manifest.to_string().as_bytes());
    let files = parts(&[request.clone(), part("file", Some(name), text.as_bytes())]);
    let bundle = parts(&[request.clone(), part("bundle", Some("x.zip"), &zip)]);
    let json_files = json!({ "request": manifest, "files": { name: text } }).to_string();
    let digest = keys::sha256(&zip);
    let json_bundle = json!({ "request": manifest, "bundle": digest }).to_string();

    let unknown = send(&app, generate(), "application/json", json_bundle.clone()).await;
    unknown.is_problem(404, "bundle-not-found");
    let bundles = format!("/v1/bundles/{digest}");
    let head = || test::TestRequest::default().method(Method::HEAD).uri(&bundles);
    assert_eq!(send(&app, head(), "", "").await.status, 404);
    for expected in [201, 204] {
        let put = send(&app, test::TestRequest::put().uri(&bundles), "application/zip", zip.clone()).await;
        assert_eq!(put.status, expected);
    }
    assert_eq!(send(&app, head(), "", "").await.status, 204);

    let mut answers = Vec::new();
    for (media_type, body) in [
        ("multipart/form-data; boundary=edge", files.into()),
        ("multipart/form-data; boundary=edge", bundle.into()),
        ("application/json", json_files.into()),
        ("application/json", actix_web::web::Bytes::from(json_bundle)),
    ] {
        let answer = send(&app, generate(), media_type, body).await;
        assert_eq!(answer.status, 200, "{media_type} {}", String::from_utf8_lossy(&answer.body));
        answers.push((answer.header("content-location").to_owned(), answer.body));
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "one request in four forms has four results");

    // The bundle without a manifest also names a result.
    let known = get(&app, &format!("/v1/generate?bundle={digest}&title=T"), &[]).await;
    assert_eq!((known.status.as_u16(), known.header("cache-control")), (303, "public, max-age=60"));
    let made = get(&app, known.header("location"), &[]).await;
    assert_eq!((made.status.as_u16(), made.header("content-type")), (200, "application/gzip"));
    let missing = format!("/v1/generate?bundle={}", "0".repeat(64));
    get(&app, &missing, &[]).await.is_problem(404, "bundle-not-found");
    get(&app, "/v1/generate", &[]).await.is_problem(400, "bad-request");
}

#[actix_web::test]
async fn forms_that_are_wrong() {
    let app = application!();
    let generate = || test::TestRequest::post().uri("/v1/generate");
    for (body, detail) in [
        ("{", "the JSON is not a request"),
        (r#"{"unknown": 1}"#, "unknown field `unknown`"),
        (r#"{"request": {"unknown": 1}}"#, "unknown field `unknown`"),
        (r#"{"files": {"a.td": ""}, "bundle": "x"}"#, "either 'files' or 'bundle'"),
        (r#"{"bundle": "x"}"#, "64 hex digits"),
    ] {
        let problem = send(&app, generate(), "application/json", body).await.is_problem(400, "bad-request");
        assert!(problem["detail"].as_str().unwrap().contains(detail), "{problem}");
    }
    let problem = send(&app, generate(), "application/json", r#"{"files": {"../a.td": ""}}"#).await;
    assert_eq!(problem.is_problem(400, "bad-archive")["detail"], "'../a.td' has a segment '..'");
    for (body, detail) in [
        (part("other", None, b""), "there is no part 'other'"),
        (part("file", None, b""), "part 'file' has no file name"),
        (part("request", None, b"x"), "part 'request' is not a manifest"),
        ([part("bundle", None, b""), part("bundle", None, b"")].concat(), "part 'bundle' is there twice"),
        (b"no parts".to_vec(), "the multipart body"),
    ] {
        let body = [&body[..], b"--edge--\r\n"].concat();
        let answer = send(&app, generate(), "multipart/form-data; boundary=edge", body).await;
        let problem = answer.is_problem(400, "bad-request");
        assert!(problem["detail"].as_str().unwrap().contains(detail), "{problem}");
    }
    let wrong = format!("/v1/bundles/{}", "0".repeat(64));
    let put = send(&app, test::TestRequest::put().uri(&wrong), "application/zip", archive(Format::Zip, GOOD));
    put.await.is_problem(400, "digest-mismatch");
    let text = b"no archive".to_vec();
    let address = format!("/v1/bundles/{}", keys::sha256(&text));
    let put = send(&app, test::TestRequest::put().uri(&address), "application/zip", text);
    put.await.is_problem(400, "bad-archive");
}

#[actix_web::test]
async fn records_as_json() {
    let app = application!();
    let made = post(&app, "/v1/records?td=dir/a.td", "*/*", archive(Format::Zip, GOOD)).await;
    assert_eq!((made.header("content-type"), &made.json()["B"]["v"]), ("application/json", &json!(1)));
    let flags = post(&app, "/v1/records?flags=-x", "*/*", b"def A;".to_vec()).await;
    flags.is_problem(400, "bad-parameter");
}

#[actix_web::test]
async fn addresses_that_lead_nowhere() {
    let app = application!();
    get(&app, "/nowhere", &[]).await.is_problem(404, "not-found");
    get(&app, "/v1/tblgen", &[]).await.is_problem(405, "method-not-allowed");
    let key = "0".repeat(64);
    get(&app, &format!("/v1/results/{key}"), &[]).await.is_problem(404, "result-not-found");
    get(&app, &format!("/v1/results/{key}.rar"), &[]).await.is_problem(404, "not-found");
    get(&app, "/v1/results/short", &[]).await.is_problem(404, "not-found");
    get(&app, &format!("/v1/sites/{key}/../../x"), &[]).await;
    let given = get(&app, "/", &[("x-request-id", "mine-1")]).await;
    assert_eq!(given.header("x-request-id"), "mine-1");
    let bad = get(&app, "/", &[("x-request-id", "no good")]).await;
    assert_ne!(bad.header("x-request-id"), "no good");
}

#[actix_web::test]
async fn one_output_as_text() {
    let app = application!();
    let text = b"#ifdef X\ndef A;\n#endif\n".to_vec();
    let made = post(&app, "/v1/tblgen?flags=--print-records+-DX", "*/*", text).await;
    assert_eq!(made.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(
        String::from_utf8_lossy(&made.body),
        "------------- Classes -----------------\n------------- Defs -----------------\ndef A {\n}\n"
    );
    let body = archive(Format::Zip, GOOD);
    let made = post(&app, "/v1/tblgen?flags=--dump-json&td=dir/a.td", "*/*", body).await;
    assert_eq!(made.json()["B"]["v"], 1);
}

#[actix_web::test]
async fn checks_in_three_forms() {
    let app = application!();
    let bad = || b"def A : Missing;\n".to_vec();
    let json = post(&app, "/v1/check", "application/json", bad()).await;
    assert_eq!((json.status.as_u16(), &json.json()[0]["file"]), (200, &Value::from("input.td")));
    let sarif = post(&app, "/v1/check", "application/sarif+json", bad()).await;
    assert_eq!(sarif.json()["version"], "2.1.0");
    let text = post(&app, "/v1/check", "text/plain", bad()).await;
    assert_eq!(
        String::from_utf8_lossy(&text.body),
        "input.td:1:9: error: Couldn't find class 'Missing'\ndef A : Missing;\n        ^\n"
    );
}

#[actix_web::test]
async fn discovery() {
    let app = application!();
    for path in ["/v1/generators", "/v1/libraries", "/v1/limits", "/v1/version", "/", "/problems"] {
        let answer = get(&app, path, &[]).await;
        assert_eq!(answer.status, 200, "{path}");
        let again = get(&app, path, &[("if-none-match", answer.header("etag"))]).await;
        assert_eq!(again.status, 304, "{path}");
    }
    assert_eq!(get(&app, "/v1/limits", &[]).await.json()["archive"]["body_bytes"], 16 << 20);
}

#[actix_web::test]
async fn operators_see_counts() {
    let state = state(&config());
    let app = test::init_service(app::app(state.clone())).await;
    let admin = App::new().app_data(state.clone()).configure(routes::configure_admin);
    let admin = test::init_service(admin).await;
    for _ in 0..2 {
        let made = post(&app, "/v1/tblgen?flags=--print-records", "*/*", b"def A;".to_vec()).await;
        assert_eq!(made.status, 200);
    }
    get(&app, "/nowhere", &[]).await;
    get(&app, "/readyz", &[]).await.is_problem(404, "not-found");
    assert_eq!(get(&admin, "/livez", &[]).await.status, 200);
    assert_eq!(get(&admin, "/readyz", &[]).await.status, 200);
    let metrics = get(&admin, "/metrics", &[]).await;
    assert_eq!(metrics.header("content-type"), odsmith_service::observe::metrics::MEDIA_TYPE);
    let text = String::from_utf8_lossy(&metrics.body);
    for line in [
        "odsmith_requests_total{method=\"POST\",route=\"/v1/tblgen\",status=\"200\"} 2",
        "odsmith_requests_total{method=\"GET\",route=\"other\",status=\"404\"} 2",
        "odsmith_results_total{cache=\"hit\"} 1",
        "odsmith_results_total{cache=\"miss\"} 1",
        "odsmith_jobs_waiting 0",
        "odsmith_request_duration_seconds_count{route=\"/v1/tblgen\"} 2",
    ] {
        assert!(text.lines().any(|known| known == line), "no {line} in\n{text}");
    }
    assert!(text.ends_with("# EOF\n"));
}

#[actix_web::test]
async fn tokens() {
    let mut config = config();
    config.token_digests = vec![keys::sha256(b"secret")];
    let app = application!(config);
    let refused = get(&app, "/v1/version", &[]).await;
    refused.is_problem(401, "unauthorized");
    assert_eq!(refused.header("www-authenticate"), "Bearer, Basic realm=\"odsmith\"");
    for (value, status) in
        [("Bearer secret", 200), ("bearer secret", 200), ("Bearer wrong", 401), ("Basic secret", 401)]
    {
        assert_eq!(get(&app, "/v1/version", &[("authorization", value)]).await.status, status, "{value}");
    }
}

#[actix_web::test]
async fn limits_of_a_job() {
    let mut config = config();
    config.limits.job.fuel = 1_000;
    let app = application!(config);
    let endless = "foreach i = !range(0, 100000) in def;\n".as_bytes().to_vec();
    let problem = post(&app, "/v1/tblgen", "*/*", endless).await.is_problem(422, "limit-exceeded");
    assert_eq!(problem["diagnostics"][0]["code"], "limit", "{problem}");
    let small = post(&app, "/v1/tblgen", "*/*", b"def A;\n".to_vec()).await;
    assert_eq!(small.status, 200, "the others go on");
}

#[actix_web::test]
async fn archives_have_the_roots_of_folders() {
    let app = application!();
    let files = [
        ("a/A.td", "include \"q/Q.td\"\ndef A : Q;"),
        ("third_party/q/q/Q.td", "class Q;"),
        ("third_party/q/q/Trap.td", "def Trap : Missing;"),
        ("build/Trap.td", "def Trap : Missing;"),
        ("x/node_modules/Trap.td", "def Trap : Missing;"),
        ("llvm/mlir/include/mlir/IR/OpBase.td", "def Trap : Missing;"),
        ("llvm/clang/Trap.td", "def Trap : Missing;"),
        ("test/Trap.td", "// RUN: tool %s\ndef Trap : Missing;"),
    ];
    let made = post(&app, "/v1/check", "text/plain", archive(Format::Tar, &files)).await;
    assert_eq!(String::from_utf8_lossy(&made.body), "");
}

#[actix_web::test]
async fn an_ambiguous_include_is_named() {
    let app = application!();
    let files = [("a/X.td", "def A;"), ("b/X.td", "def B;"), ("r.td", "include \"X.td\"\ndef R;")];
    let made = post(&app, "/v1/check", "text/plain", archive(Format::Tar, &files)).await;
    let text = String::from_utf8_lossy(&made.body).into_owned();
    assert!(text.contains("warning: r.td:1: \"X.td\": 'a/X.td' is read, not 'b/X.td'"), "{text}");
    let named = post(&app, "/v1/check?includes=b", "text/plain", archive(Format::Tar, &files)).await;
    assert_eq!(String::from_utf8_lossy(&named.body), "");
}

#[actix_web::test]
async fn no_room_for_a_body() {
    let mut config = config();
    config.limits.bytes_in_flight = 1 << 20;
    let app = application!(config);
    let answer = post(&app, "/v1/generate", "*/*", vec![0; 2 << 20]).await;
    answer.is_problem(503, "overloaded");
    assert_eq!(answer.header("retry-after"), "2");
}

#[::core::prelude::v1::test]
fn bodies_that_never_end_are_given_up() {
    let mut config = config();
    config.limits.body_seconds = 1;
    let address = serve(config);
    let head = "POST /v1/generate HTTP/1.1\r\nHost: x\r\nContent-Length:";
    let slow = talk(address, &format!("{head} 1000\r\n\r\nabc"));
    assert!(slow.starts_with("HTTP/1.1 408 "), "{slow}");
    let large = talk(address, &format!("{head} 17825792\r\n\r\n"));
    assert!(large.starts_with("HTTP/1.1 413 ") && large.contains("\"seen\":17825792"), "{large}");
    let alive = talk(address, "GET /v1/version HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assert!(alive.starts_with("HTTP/1.1 200 "), "{alive}");
}

/// The service's description is the committed one: a change of it is a change of the service.
#[actix_web::test]
async fn the_description_is_the_one_that_was_read() {
    let app = application!();
    let answer = get(&app, "/openapi.json", &[]).await;
    let document = answer.json();
    assert_eq!(document["openapi"], "3.1.0");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");
    if std::env::var_os("ODSMITH_REGENERATE").is_some() {
        std::fs::write(path, &answer.body).unwrap();
    }
    let known = std::fs::read(path).unwrap_or_default();
    assert!(known == answer.body, "service/openapi.json differs; ODSMITH_REGENERATE=1 writes it anew");
    // Every address in the description exists.
    for path in document["paths"].as_object().unwrap().keys() {
        let answer = get(&app, &path.replace("{sha256}", &"0".repeat(64)), &[]).await;
        assert!(
            answer.status == 200 || answer.json()["detail"] != "there is nothing at this address",
            "{path}"
        );
    }
}
