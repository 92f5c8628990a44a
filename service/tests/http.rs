//! The real application, called without a socket; a socket only where time and connections matter.

#![expect(clippy::unwrap_used, reason = "a test stops where it can not go on")]

mod support;

use std::{
    collections::BTreeMap,
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    sync::mpsc,
    thread,
    time::Duration,
};

use actix_web::{
    dev::{Service, ServiceResponse},
    http::{StatusCode, header},
    rt, test,
    web::Data,
};
use odsmith_engine::{library::Library, version::Release};
use odsmith_service::{app, archive::Format, config::Config, keys, state::State};
use serde_json::Value;
use support::archive;

fn config() -> Config {
    Config::new("127.0.0.1:0".parse().unwrap())
}

fn state(config: &Config) -> Data<State> {
    let library = Library::new(Release::default(), "none".into(), BTreeMap::new());
    Data::new(State::new(config, library).unwrap())
}

macro_rules! application {
    () => {
        application!(config())
    };
    ($config:expr) => {
        test::init_service(app::app(state(&$config))).await
    };
}

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

/// A body's bytes and the answer's headers as text.
struct Answer {
    status: StatusCode,
    headers: header::HeaderMap,
    body: Vec<u8>,
}

impl Answer {
    async fn of(response: ServiceResponse) -> Answer {
        let (status, headers) = (response.status(), response.headers().clone());
        Answer { status, headers, body: test::read_body(response).await.to_vec() }
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    #[track_caller]
    fn is_problem(&self, status: u16, code: &str) -> Value {
        let document = self.json();
        assert_eq!((self.status.as_u16(), document["code"].as_str()), (status, Some(code)), "{document}");
        assert_eq!(self.header("content-type"), "application/problem+json");
        assert_eq!(self.header("cache-control"), "no-store");
        assert_eq!(document["status"], status);
        assert_eq!(document["request_id"], self.header("x-request-id"));
        document
    }
}

async fn post(
    app: &impl Service<actix_http::Request, Response = ServiceResponse, Error = actix_web::Error>,
    uri: &str,
    accept: &str,
    body: Vec<u8>,
) -> Answer {
    let request =
        test::TestRequest::post().uri(uri).insert_header((header::ACCEPT, accept)).set_payload(body);
    Answer::of(test::call_service(app, request.to_request()).await).await
}

async fn get(
    app: &impl Service<actix_http::Request, Response = ServiceResponse, Error = actix_web::Error>,
    uri: &str,
    headers: &[(&str, &str)],
) -> Answer {
    let request = headers
        .iter()
        .fold(test::TestRequest::get().uri(uri), |request, header| request.insert_header(*header));
    Answer::of(test::call_service(app, request.to_request()).await).await
}

#[actix_web::test]
async fn a_bundle_becomes_an_archive_with_a_lasting_address() {
    let app = application!();
    let body = archive(Format::TarGz, &with_manifest(MANIFEST));
    let made = post(&app, "/v1/generate", "*/*", body).await;
    assert_eq!(made.status, 200, "{}", String::from_utf8_lossy(&made.body));
    assert_eq!(made.header("content-type"), "application/gzip");
    assert_eq!(made.header("content-encoding"), "identity");
    assert_eq!(made.header("cache-control"), "no-store");
    let address = made.header("content-location").to_owned();
    let kept = get(&app, &format!("{address}.tar.gz"), &[]).await;
    assert_eq!(kept.body, made.body);
    assert_eq!(kept.header("cache-control"), "public, max-age=31536000, immutable");
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
    // Two servers, as before and after a restart; every format in; every format out.
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
    assert_eq!(skipped.await.json()["outputs"][1]["status"], "skipped");
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
    let escape = support::tar(&[support::TarEntry { name: b"../x.td", ..Default::default() }]);
    let problem = post(&app, "/v1/generate", "*/*", escape).await.is_problem(400, "bad-archive");
    assert_eq!(problem["detail"], "'../x.td' has a segment '..'");
    let link = support::tar(&[support::TarEntry { kind: b'2', link: b"/etc/passwd", ..Default::default() }]);
    let problem = post(&app, "/v1/generate", "*/*", link).await.is_problem(400, "bad-archive");
    assert_eq!(problem["detail"], "'a.td' is a symbolic link");
    let problem = post(&app, "/v1/generate", "*/*", vec![0; 17 << 20]).await.is_problem(413, "too-large");
    assert_eq!(problem["limit"]["name"], "body_bytes");
    assert_eq!(problem["limit"]["value"], 16 << 20);
    let wrong = archive(Format::TarGz, &with_manifest("schema = 1\nunknown = 2"));
    post(&app, "/v1/generate", "*/*", wrong).await.is_problem(400, "bad-manifest");
    let good = || archive(Format::Zip, GOOD);
    post(&app, "/v1/generate?unknown=1", "*/*", good()).await.is_problem(400, "bad-manifest");
    post(&app, "/v1/generate?mlir=7", "*/*", good()).await.is_problem(400, "bad-manifest");
    post(&app, "/v1/generate", "text/html", good()).await.is_problem(406, "not-acceptable");
    for (name, value) in [
        (header::CONTENT_TYPE, "application/gzip"),
        (header::CONTENT_TYPE, "multipart/form-data; boundary=x"),
        (header::CONTENT_ENCODING, "gzip"),
    ] {
        let request =
            test::TestRequest::post().uri("/v1/generate").insert_header((name, value)).set_payload(good());
        let answer = Answer::of(test::call_service(&app, request.to_request()).await).await;
        answer.is_problem(415, "media-type");
    }
}

#[actix_web::test]
async fn addresses_that_lead_nowhere() {
    let app = application!();
    get(&app, "/nowhere", &[]).await.is_problem(404, "not-found");
    get(&app, "/v1/generate", &[]).await.is_problem(405, "method-not-allowed");
    let key = "0".repeat(64);
    get(&app, &format!("/v1/results/{key}"), &[]).await.is_problem(404, "result-not-found");
    get(&app, &format!("/v1/results/{key}.rar"), &[]).await.is_problem(404, "not-found");
    get(&app, "/v1/results/short", &[]).await.is_problem(404, "not-found");
    get(&app, &format!("/v1/sites/{key}/../../x"), &[]).await;
    let given = get(&app, "/livez", &[("x-request-id", "mine-1")]).await;
    assert_eq!(given.header("x-request-id"), "mine-1");
    let bad = get(&app, "/livez", &[("x-request-id", "no good")]).await;
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
    assert_eq!(get(&app, "/readyz", &[]).await.status, 200);
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
async fn an_ambiguous_include_is_named() {
    let app = application!();
    let files = [("a/X.td", ""), ("b/X.td", ""), ("r.td", "include \"X.td\"")];
    let made = post(&app, "/v1/check", "text/plain", archive(Format::Tar, &files)).await;
    let text = String::from_utf8_lossy(&made.body).into_owned();
    assert!(text.contains("may mean a/X.td or b/X.td"), "{text}");
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

/// A server on a free port; dropped with the sender.
fn serve(config: Config) -> SocketAddr {
    let (addresses, address) = mpsc::channel();
    thread::spawn(move || {
        rt::System::new().block_on(async move {
            let (server, bound) = app::server(&config, state(&config)).unwrap();
            addresses.send(bound[0]).unwrap();
            server.await.unwrap();
        });
    });
    address.recv().unwrap()
}

fn talk(address: SocketAddr, text: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    let mut answer = Vec::new();
    // The server may close before it has read all that was sent.
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
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
    let alive = talk(address, "GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assert!(alive.starts_with("HTTP/1.1 200 "), "{alive}");
}
