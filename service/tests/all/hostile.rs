//! Requests made to cost more than they should: each soon reaches a limit, the same one on every machine.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use crate::support::{
    archive,
    http::{application, config, get, post, send, serve, state, talk},
};
use actix_web::{
    http::header,
    test,
    web::{Bytes, Data},
};
use odsmith_service::{
    config::Config,
    http::{app, state::State},
    jobs::ticket::{Client, Ticket},
    store::archive::Format,
};
use serde_json::Value;

/// Far more time than any of these takes, and far less than any took without a limit.
const SOON: Duration = Duration::from_secs(20);

/// Sends files, with all outputs requested, and returns the status and the answer.
async fn generate(config: &Config, files: &[(String, String)]) -> (u16, Value) {
    let app = application!(config.clone());
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let begun = Instant::now();
    let answer = post(&app, "/v1/generate", "application/json", archive(Format::TarZst, &files)).await;
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
    let answer = (answer.status.as_u16(), answer.json());
    // A server error, such as a deadline, would be no verdict on the input.
    assert!(answer.0 < 500, "{}", answer.1);
    answer
}

fn file(path: &str, text: impl Into<String>) -> (String, String) {
    (path.to_owned(), text.into())
}

fn messages(problem: &Value) -> String {
    let reports = problem["diagnostics"].as_array().unwrap();
    reports.iter().map(|report| report["message"].as_str().unwrap()).collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn is_limit((status, problem): (u16, Value), message: &str) {
    assert_eq!((status, problem["code"].as_str()), (422, Some("limit-exceeded")), "{problem}");
    assert!(messages(&problem).contains(message), "{}", messages(&problem));
}

#[actix_web::test]
async fn texts_that_are_too_long() {
    let root = file("a.td", "def A;");
    for piece in ["[a]", "<a ", "[a]("] {
        let text = piece.repeat((1 << 20) / piece.len() + 1);
        let answer = generate(&config(), &[root.clone(), file("a.md", text)]).await;
        is_limit(answer, "limit reached: length of a Markdown text (at most 1048576 bytes)");
    }
}

#[actix_web::test]
async fn texts_of_many_marks() {
    let mut quoted = ">".repeat(5_000);
    quoted.push_str(&"a\n".repeat(20_000));
    let texts = ["[a]", "<a ", "[a](", "# a\n", "$a", "```\na```b\n", "    ```\n", "{\n", "[a](#b) "]
        .map(|piece| piece.repeat(60_000 / piece.len()));
    for text in texts.into_iter().chain([quoted]) {
        let files = [file("a.td", "def A;"), file("a.md", text.clone())];
        let (status, answer) = generate(&config(), &files).await;
        assert_eq!(status, 200, "{}: {answer}", &text[..10]);
    }
}

#[actix_web::test]
async fn files_that_include_each_other() {
    // Each file includes the next one twice: 2^30 texts in 583 bytes.
    let files: Vec<_> = (0..31)
        .map(|index| file(&format!("{index}.md"), format!("[include \"{}.md\"]\n", index + 1).repeat(2)))
        .chain([file("a.td", "def A;")])
        .collect();
    let mut config = config();
    config.limits.job.work = 8 << 20;
    is_limit(
        generate(&config, &files).await,
        "limit reached: work on includes and pages (at most 8388608 units)",
    );
}

#[actix_web::test]
async fn many_roots_and_targets() {
    let mut config = config();
    config.limits.job.targets = 100;
    let roots: Vec<_> = (0..101).map(|index| file(&format!("{index}.td"), "def A;")).collect();
    is_limit(generate(&config, &roots).await, "number of root files (at most 100 targets)");
    assert_eq!(generate(&config, &roots[1..]).await.0, 200);
    let target = "[[target]]\ntd = '0.td'\n";
    let manifest = format!("schema = 1\n{}", target.repeat(20_000));
    let files = [roots[0].clone(), file("odsmith.toml", manifest)];
    is_limit(generate(&config, &files).await, "number of root files (at most 100 targets)");
}

#[actix_web::test]
async fn what_all_targets_take() {
    let roots: Vec<_> =
        (0..9).map(|index| file(&format!("{index}.td"), "foreach i = !range(0, 999) in def;")).collect();
    for (set, message) in [
        ((|config| config.limits.job.job_fuel = 5_000) as fn(&mut Config), "fuel of all targets"),
        (|config| config.limits.job.job_arena_bytes = 10_000, "memory of all targets"),
        (|config| config.limits.job.output_bytes = 100_000, "length of all outputs"),
    ] {
        let mut config = config();
        set(&mut config);
        let mut files = roots.clone();
        let target = |index| {
            format!(
                "[[target]]\ntd = '{index}.td'\noutputs = [{{ path = '{index}', flags = ['--print-records'] }}]\n"
            )
        };
        let targets: String = (0..9).map(target).collect();
        files.push(file("odsmith.toml", format!("schema = 1\n{targets}")));
        is_limit(generate(&config, &files).await, message);
        assert_eq!(generate(&crate::support::http::config(), &files).await.0, 200);
    }
}

#[actix_web::test]
async fn includes_that_may_mean_many_files() {
    // Every file has an include that could be in many folders.
    let files: Vec<_> =
        (0..3_000).map(|index| file(&format!("{index}/a.td"), "include \"a.td\"\n".repeat(20))).collect();
    let mut config = config();
    config.limits.job.work = 16 << 20;
    is_limit(generate(&config, &files).await, "work on includes and pages");
}

#[actix_web::test]
async fn json_of_many_entries() {
    let app = application!();
    let files: String = (0..300_000).map(|index| format!("\"{index}\":\"\",")).collect();
    let body = format!("{{\"files\":{{{}}}}}", files.trim_end_matches(','));
    let problem = send(&app, test::TestRequest::post().uri("/v1/generate"), "application/json", body).await;
    let problem = problem.is_problem(413, "too-large");
    assert_eq!((&problem["limit"]["name"], &problem["limit"]["seen"]), (&"entries".into(), &10_001.into()));
}

#[actix_web::test]
async fn addresses_that_are_too_long() {
    let app = application!();
    let answer = get(&app, &format!("/v1/{}", "x".repeat(9_000)), &[]).await;
    let problem = answer.is_problem(414, "address-too-long");
    assert_eq!(problem["limit"]["name"], "address_bytes");
}

#[actix_web::test]
async fn messages_do_not_repeat_all_that_came() {
    let app = application!();
    let name = "x".repeat(100_000);
    let body = archive(Format::Tar, &[("a.td", &format!("def A : {name};"))]);
    for answer in [
        post(&app, "/v1/generate", "*/*", body.clone()).await,
        post(&app, "/v1/check", "application/json;q=0", format!("def A : {name};").into_bytes()).await,
        send(
            &app,
            test::TestRequest::post().uri("/v1/generate"),
            "application/json",
            format!("{{\"{name}\": 1}}"),
        )
        .await,
    ] {
        assert!(answer.body.len() < 10_000, "{} bytes: {}", answer.body.len(), answer.status);
        assert!(answer.status.is_client_error(), "{}", answer.status);
    }
}

#[actix_web::test]
async fn bytes_are_what_their_media_type_says() {
    let app = application!();
    let gzip = archive(Format::TarGz, &[("a.td", "def A;")]);
    for (media_type, body) in [
        ("application/json", gzip.clone()),
        ("multipart/form-data; boundary=x", gzip.clone()),
        ("application/zip", gzip.clone()),
        ("application/gzip", b"def A;".to_vec()),
        ("application/x-tar", b"def A;".to_vec()),
    ] {
        let answer = send(&app, test::TestRequest::post().uri("/v1/generate"), media_type, body).await;
        answer.is_problem(415, "media-type");
    }
    let request = test::TestRequest::post().uri("/v1/generate");
    assert_eq!(send(&app, request, "application/gzip", gzip).await.status, 200);
}

#[actix_web::test]
async fn what_failed_is_said_truly() {
    let (status, problem) =
        generate(&config(), &[file("good.td", "def A;"), file("bad.td", "def B : Missing;")]).await;
    assert_eq!(status, 422);
    assert_eq!(problem["detail"], "there are errors in bad.td");
}

#[actix_web::test]
async fn files_that_no_root_reads_are_named() {
    let files = [
        file("good.td", "def A;"),
        file("one.td", "#ifndef ONE\n#define ONE\ninclude \"two.td\"\ndef One;\n#endif\n"),
        file("two.td", "#ifndef TWO\n#define TWO\ninclude \"one.td\"\ndef Two;\n#endif\n"),
    ];
    let (status, object) = generate(&config(), &files).await;
    assert_eq!(status, 200, "{object}");
    let warning = &object["diagnostics"][0];
    assert_eq!(warning["severity"], "warning");
    assert_eq!(
        warning["message"],
        "'one.td' and files that it includes include each other: it is taken as the root; name a target in odsmith.toml if \
         another one is"
    );
    // No tool can read files that include each other without guards.
    let files = [file("one.td", "include \"two.td\""), file("two.td", "include \"one.td\"")];
    let (status, problem) = generate(&config(), &files).await;
    assert_eq!((status, problem["code"].as_str()), (422, Some("limit-exceeded")), "{problem}");
}

// --- the queue --------------------------------------------------------------------------------------------

/// A state whose only thread is busy until the sender is dropped.
fn busy(config: &Config) -> (Data<State>, mpsc::Sender<()>) {
    let state = state(config);
    let (go, gate) = mpsc::channel::<()>();
    let (started, has_started) = mpsc::channel();
    let ticket = Ticket::new(Client::at([10, 9, 8, 7].into()), SOON);
    let work = state.results.pool.submit(&ticket, move || {
        started.send(()).unwrap();
        let _ = gate.recv();
    });
    assert!(work.is_ok());
    has_started.recv().unwrap();
    (state, go)
}

#[actix_web::test]
async fn what_waits_is_answered_in_time() {
    let mut config = config();
    (config.limits.jobs_running, config.limits.job_seconds) = (1, 1);
    let (state, go) = busy(&config);
    let app = test::init_service(app::app(state.clone())).await;
    let body = archive(Format::Tar, &[("a.td", "def A;")]);
    let digest = odsmith_service::store::keys::sha256(&body);
    let put = test::TestRequest::put().uri(&format!("/v1/bundles/{digest}"));
    let begun = Instant::now();
    for answer in [
        post(&app, "/v1/generate", "*/*", body.clone()).await,
        post(&app, "/v1/check", "*/*", b"def A;".to_vec()).await,
        send(&app, put, "application/x-tar", Bytes::from(body.clone())).await,
    ] {
        answer.is_problem(503, "deadline");
        assert_eq!(answer.header("retry-after"), "2");
    }
    assert!(begun.elapsed() < Duration::from_secs(6), "{:?}", begun.elapsed());
    drop(go);
    assert_eq!(post(&app, "/v1/generate", "*/*", body).await.status, 200);
}

#[::core::prelude::v1::test]
fn work_stops_when_its_client_goes() {
    let mut config = config();
    config.limits.job.fuel = u64::MAX / 2;
    (config.limits.jobs_running, config.limits.job_seconds) = (1, 600);
    let address = serve(config);
    let many = "!range(0, 100000)";
    let endless = format!("foreach i = {many} in foreach j = {many} in defvar x = !add(i, j);");
    let request = format!(
        "POST /v1/check HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{endless}",
        endless.len()
    );
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    thread::sleep(Duration::from_millis(500));
    drop(stream);
    // The one thread is free for others.
    let body = "def A;";
    let begun = Instant::now();
    let head =
        format!("POST /v1/check HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {}", body.len());
    let answer = talk(address, &format!("{head}\r\n\r\n{body}"));
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

// --- connections ------------------------------------------------------------------------------------------

fn connect(address: SocketAddr, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(SOON)).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    stream
}

fn version(address: SocketAddr) -> String {
    talk(address, "GET /v1/version HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
}

#[::core::prelude::v1::test]
fn bodies_that_are_only_announced_take_nothing() {
    let mut config = config();
    config.limits.bytes_in_flight = 17 << 20;
    let address = serve(config);
    let head = "POST /v1/check HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length:";
    let idle: Vec<TcpStream> =
        (0..35).map(|_| connect(address, &format!("{head} 16777216\r\n\r\nd"))).collect();
    let answer = talk(address, &format!("{head} 6\r\n\r\ndef A;"));
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    drop(idle);
}

#[::core::prelude::v1::test]
fn connections_of_one_address() {
    let mut config = config();
    config.limits.connections_of_client = 3;
    let address = serve(config);
    let open: Vec<TcpStream> = (0..3).map(|_| connect(address, "GET ")).collect();
    thread::sleep(Duration::from_millis(200));
    assert_eq!(version(address), "", "one more is closed");
    drop(open);
    thread::sleep(Duration::from_millis(500));
    assert!(version(address).starts_with("HTTP/1.1 200 "));
}

#[::core::prelude::v1::test]
fn connections_that_have_nothing_to_do() {
    let mut config = config();
    config.limits.idle_seconds = 1;
    let address = serve(config);
    let mut stream = connect(address, "GET /v1/version HTTP/1.1\r\nHost: x\r\n\r\n");
    let begun = Instant::now();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    assert!(answer.starts_with(b"HTTP/1.1 200 "));
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
}

/// The system closes the connection; a later read sees its end.
#[cfg(target_os = "linux")]
#[::core::prelude::v1::test]
fn readers_that_take_nothing() {
    let mut config = config();
    config.limits.write_seconds = 1;
    let address = serve(config);
    // An answer larger than both systems buffer for a connection.
    let text = format!("def A {{ string x = \"{}\"; }}", "y".repeat(7 << 20));
    let head = format!("POST /v1/tblgen HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n", text.len());
    let mut stream = connect(address, &format!("{head}{text}"));
    thread::sleep(Duration::from_secs(9));
    let mut taken = Vec::new();
    let _ = stream.read_to_end(&mut taken);
    assert!(taken.starts_with(b"HTTP/1.1 200 "));
    assert!(taken.len() < text.len(), "{} bytes were kept for it", taken.len());
    assert!(version(address).starts_with("HTTP/1.1 200 "));
}

#[actix_web::test]
async fn a_server_that_is_to_end_says_so() {
    let state = state(&config());
    let app = test::init_service(app::app(state.clone())).await;
    let admin = test::init_service(
        actix_web::App::new()
            .app_data(state.clone())
            .configure(odsmith_service::http::routes::configure_admin),
    )
    .await;
    assert_eq!(get(&admin, "/readyz", &[]).await.status, 200);
    assert_eq!(get(&app, "/v1/version", &[]).await.header(header::CONNECTION.as_str()), "");
    state.drain();
    assert_eq!(get(&admin, "/readyz", &[]).await.status, 503);
    let answer = get(&app, "/v1/version", &[]).await;
    assert_eq!((answer.status.as_u16(), answer.header(header::CONNECTION.as_str())), (200, "close"));
}
