//! The editor's questions over HTTP, and the page that asks them: answers, refusals, limits. The definitions need no
//! library.
#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::collections::BTreeMap;

use crate::support::http::{Answer, application, config, get, send, serve, state, talk};
use actix_web::{test::TestRequest, web::Data};
use odsmith_engine::{library::Library, release::Release};
use odsmith_service::{
    config::Config,
    http::{app, routes, state::State},
};
use serde_json::{Value, json};

const JSON: &str = "application/json";

const TEXT: &str = "// é\nclass Animal<string name> {\n  string cry = name;\n  int legs = 4;\n}\ndef Cat : Animal<\"meow\">;\n";

macro_rules! ask {
    ($app:expr, $route:expr, $question:expr) => {
        send(&$app, TestRequest::post().uri($route), JSON, $question.to_string()).await
    };
}

fn files(text: &str) -> Value {
    json!({ "zoo/a.td": text })
}

/// The byte offset of a word.
fn offset(text: &str, word: &str) -> usize {
    text.find(word).unwrap()
}

#[actix_web::test]
async fn all_errors_are_told_at_once() {
    let app = application!();
    let text = format!("{TEXT}def Dog : Anmal<\"wuff\">;\ndef Cow : Animal<7>;\n");
    let answer = ask!(app, "/v1/ide/check", json!({ "files": files(&text) }));
    assert_eq!(answer.status, 200, "{}", answer.json());
    let answer = answer.json();
    assert_eq!(answer["roots"], json!(["zoo/a.td"]));
    let problems = answer["problems"].as_array().unwrap();
    assert_eq!(problems.len(), 2, "{answer:#}");
    assert_eq!(problems[0]["message"], "Couldn't find class 'Anmal'");
    assert_eq!(problems[0]["origin"], "evaluation");
    assert_eq!(problems[1]["origin"], "after-error");
    let place = &problems[0]["place"];
    let at = offset(&text, "Anmal");
    assert_eq!((&place["line"], &place["column"]), (&json!(7), &json!(11)));
    assert_eq!(place["range"], json!({ "start": at, "end": at + "Anmal".len() }));
}

#[actix_web::test]
async fn hovers_and_completions() {
    let app = application!();
    let place = |text: &str, at: usize| json!({ "files": files(text), "path": "zoo/a.td", "offset": at });
    let found = ask!(app, "/v1/ide/hover", place(TEXT, offset(TEXT, "Animal<\"meow"))).json();
    assert!(found["text"].as_str().unwrap().contains("Animal"), "{found}");
    let at = offset(TEXT, "Animal<\"meow");
    assert_eq!(found["range"], json!({ "start": at, "end": at + "Animal".len() }));
    let nothing = ask!(app, "/v1/ide/hover", place(TEXT, 0));
    assert_eq!((nothing.status.as_u16(), &nothing.json()["text"]), (200, &json!("")));
    // Offsets past the end and inside a character are accepted.
    for at in [4, 1 << 40] {
        assert_eq!(ask!(app, "/v1/ide/hover", place(TEXT, at)).status, 200);
    }
    let text = format!("{TEXT}def Dog : Ani");
    let found = ask!(app, "/v1/ide/completion", place(&text, text.len())).json();
    let labels: Vec<&str> =
        found["items"].as_array().unwrap().iter().filter_map(|item| item["label"].as_str()).collect();
    assert!(labels.contains(&"Animal"), "{labels:?}");
}

#[actix_web::test]
async fn what_files_become() {
    let app = application!();
    let at = offset(TEXT, "Cat");
    let question = |view: &str, at: Option<usize>| json!({ "files": files(TEXT), "path": "zoo/a.td", "offset": at, "view": view });
    let of_cat = ask!(app, "/v1/ide/preview", question("records", Some(at))).json();
    assert_eq!(of_cat["shown"]["record"], "Cat", "{of_cat:#}");
    assert_eq!(of_cat["is_whole"], true);
    assert!(of_cat["shown"]["text"].as_str().unwrap().contains("string cry = \"meow\";"));
    let of_all = ask!(app, "/v1/ide/preview", question("records", None)).json();
    assert_eq!(of_all["shown"]["record"], Value::Null);
    for view in ["cpp", "page", "example", "program", "python", "json", "problems"] {
        let answer = ask!(app, "/v1/ide/preview", question(view, None));
        assert_eq!(answer.status, 200, "{view}: {}", answer.json());
    }
    let page = ask!(app, "/v1/ide/preview", question("page", None)).json();
    assert_eq!(page["shown"]["page"]["path"], "index.html");
    assert_eq!(page["shown"]["language"], "html");
}

#[actix_web::test]
async fn what_an_error_hides_is_not_shown() {
    let app = application!();
    let text = format!("{TEXT}def Dog : Anmal<\"wuff\">;\n");
    let question = |view: &str, at: Option<usize>| json!({ "files": files(&text), "path": "zoo/a.td", "offset": at, "view": view });
    for view in ["cpp", "page", "python", "json", "example", "records"] {
        let answer = ask!(app, "/v1/ide/preview", question(view, None)).json();
        assert_eq!((&answer["is_whole"], &answer["shown"]), (&json!(false), &Value::Null), "{view}");
    }
    // A definite record is shown.
    let cat = ask!(app, "/v1/ide/preview", question("records", Some(offset(&text, "Cat")))).json();
    assert_eq!(cat["shown"]["record"], "Cat");
}

#[actix_web::test]
async fn what_changed() {
    let app = application!();
    let question = |before: &str| json!({ "files": files(TEXT), "path": "zoo/a.td", "view": "changes", "before": files(before) });
    let same = ask!(app, "/v1/ide/preview", question(TEXT)).json();
    assert_eq!(same["shown"]["comparison"]["findings"], json!([]), "{same:#}");
    assert_eq!(same["shown"]["texts"], json!([]));
    let broken = ask!(app, "/v1/ide/preview", question("def A {")).json();
    assert_eq!(broken["shown"]["comparison"], Value::Null, "{broken:#}");
}

#[actix_web::test]
async fn what_is_no_question_is_refused() {
    let app = application!();
    for (route, body) in [
        ("/v1/ide/check", "{"),
        ("/v1/ide/check", "{}"),
        ("/v1/ide/check", r#"{"files": {"a.td": 1}}"#),
        ("/v1/ide/check", r#"{"files": {}, "more": 1}"#),
        ("/v1/ide/hover", r#"{"files": {"a.td": ""}, "path": "a.td", "offset": -1}"#),
        ("/v1/ide/hover", r#"{"files": {"a.td": ""}, "path": "b.td", "offset": 0}"#),
        ("/v1/ide/preview", r#"{"files": {"a.td": ""}, "path": "a.td", "view": "nothing"}"#),
        ("/v1/ide/preview", r#"{"files": {"a.td": ""}, "path": "b.td", "view": "cpp"}"#),
    ] {
        let answer = send(&app, TestRequest::post().uri(route), JSON, body).await;
        answer.is_problem(400, "bad-request");
    }
    for path in ["../a.td", "/a.td", "<mlir-22>/a:b.td", "a\\b.td"] {
        let answer = ask!(app, "/v1/ide/check", json!({ "files": { path: "" } }));
        answer.is_problem(400, "bad-archive");
    }
    let answer = ask!(app, "/v1/ide/check", json!({ "files": files(TEXT), "mlir": "7" }));
    answer.is_problem(400, "bad-manifest");
    let answer = send(&app, TestRequest::post().uri("/v1/ide/check"), "text/plain", "{}").await;
    answer.is_problem(415, "media-type");
    let answer = get(&app, "/v1/ide/check", &[]).await;
    answer.is_problem(405, "method-not-allowed");
    get(&app, "/v1/ide/nowhere", &[]).await.is_problem(404, "not-found");
}

#[actix_web::test]
async fn no_question_takes_more_than_its_limits() {
    let mut limited: Config = config();
    limited.limits.archive.body_bytes = 10_000;
    let app = application!(limited);
    let answer = ask!(app, "/v1/ide/check", json!({ "files": files(&"// x\n".repeat(4_000)) }));
    answer.is_problem(413, "too-large");
    // An endless evaluation stops, and the answer says why.
    let mut limited = config();
    limited.limits.job.fuel = 50_000;
    let app = application!(limited);
    let text =
        "foreach i = 0...1000 in { foreach j = 0...1000 in { def A#i#\"_\"#j { int x = !add(i, j); } } }\n";
    let answer = ask!(app, "/v1/ide/check", json!({ "files": files(text) }));
    assert_eq!(answer.status, 200);
    let answer = answer.json();
    assert!(answer["problems"][0]["message"].as_str().unwrap().contains("limit"), "{answer:#}");
    // A file that nests without end.
    let text = "def A { list<int> x = ".to_owned() + &"[".repeat(20_000);
    let answer = ask!(app, "/v1/ide/check", json!({ "files": files(&text) }));
    assert_eq!(answer.status, 200);
}

/// A file with the path of a library file does not change it for other clients.
#[actix_web::test]
async fn files_of_the_library_are_no_ones_to_change() {
    let app = application!();
    let question = json!({ "files": { "<mlir-22>/mlir/a.td": "class A;", "b.td": "include \"mlir/a.td\"\ndef B : A;" } });
    let first = ask!(app, "/v1/ide/check", question);
    let other = json!({ "files": { "b.td": "include \"mlir/a.td\"\ndef B : A;" } });
    let problems = ask!(app, "/v1/ide/check", other).json()["problems"].clone();
    assert!(problems[0]["message"].as_str().unwrap().contains("could not find include file"), "{problems}");
    assert!(first.status == 200 || first.status == 400);
}

/// Releases word messages differently. A name may be defined in the file that is missing, so it is no problem of its own.
#[actix_web::test]
async fn what_follows_from_a_missing_file_is_hidden_in_every_release() {
    let texts = [
        "include \"missing/Gone.td\"\ndef A : Gone;\ndef B : Away;\n",
        "include \"missing/Gone.td\"\ndef A { let x = 1; }\ndef B { int x = Away; }\n",
        "include \"missing/Gone.td\"\ndefm A : Gone;\ndef B { Away x = ?; }\n",
    ];
    for release in Release::ALL {
        let library = Library::new(*release, "none".into(), BTreeMap::new());
        let state = Data::new(State::new(&config(), library).unwrap());
        let app = actix_web::test::init_service(app::app(state)).await;
        for text in texts {
            let answer = ask!(app, "/v1/ide/check", json!({ "files": files(text) })).json();
            let problems = answer["problems"].as_array().unwrap();
            let messages: Vec<&str> = problems.iter().filter_map(|it| it["message"].as_str()).collect();
            assert!(messages[0].contains("ould not find include file 'missing/Gone.td'"), "{answer:#}");
            assert!(
                messages[1..].iter().all(|it| !it.contains("Gone") && !it.contains("Away")),
                "{answer:#}"
            );
            assert!(messages.len() <= 2, "{answer:#}");
        }
    }
}

#[actix_web::test]
async fn long_answers_are_packed_for_those_who_unpack() {
    let app = application!();
    let text =
        format!("{TEXT}{}", (0..400).map(|n| format!("def D{n} : Animal<\"x\">;\n")).collect::<String>());
    let question = json!({ "files": files(&text), "path": "zoo/a.td", "view": "records" }).to_string();
    let plain = send(&app, TestRequest::post().uri("/v1/ide/preview"), JSON, question.clone()).await;
    assert_eq!(plain.header("content-encoding"), "");
    let request = TestRequest::post().uri("/v1/ide/preview").insert_header(("accept-encoding", "gzip"));
    let packed = send(&app, request, JSON, question).await;
    assert_eq!(packed.header("content-encoding"), "gzip");
    assert_eq!(packed.header("vary"), "accept-encoding");
    assert_eq!(packed.header("cache-control"), "no-store");
    assert!(packed.body.len() * 5 < plain.body.len());
    let mut text = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&packed.body[..]), &mut text).unwrap();
    assert_eq!(text, plain.body);
}

#[actix_web::test]
async fn questions_are_counted() {
    let state = state(&config());
    let app = actix_web::test::init_service(app::app(state.clone())).await;
    ask!(app, "/v1/ide/check", json!({ "files": files(TEXT) }));
    let admin = actix_web::test::init_service(
        actix_web::App::new().app_data(state).configure(routes::configure_admin),
    );
    let text = String::from_utf8(get(&admin.await, "/metrics", &[]).await.body).unwrap();
    assert!(
        text.contains(r#"odsmith_requests_total{method="POST",route="/v1/ide",status="200"} 1"#),
        "{text}"
    );
}

/// A client that disconnects stops its work: the next client is answered at once.
#[test]
fn work_stops_when_its_client_has_gone() {
    let mut config = config();
    config.limits.jobs_running = 1;
    config.limits.job.fuel = u64::MAX;
    config.limits.job.job_fuel = u64::MAX;
    config.limits.job.records = u32::MAX;
    let address = serve(config);
    let endless = "foreach i = 0...30000 in { foreach j = 0...30000 in { defvar x = !add(i, j); } }\n";
    let long = json!({ "files": files(endless) }).to_string();
    let head = |body: &str| {
        format!(
            "POST /v1/ide/check HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    std::io::Write::write_all(&mut stream, head(&long).as_bytes()).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(300));
    drop(stream);
    let begun = std::time::Instant::now();
    let answer = talk(address, &head(&json!({ "files": files(TEXT) }).to_string()));
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(begun.elapsed().as_secs() < 8, "it took {:?}", begun.elapsed());
}

/// Every build has the page; in one without its script the page says how to get it.
#[actix_web::test]
async fn the_page() {
    let app = application!();
    let page: Answer = get(&app, "/play", &[]).await;
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    let policy = page.header("content-security-policy");
    // The page compiles the module of WebAssembly.
    let others = policy.replace("'wasm-unsafe-eval'", "");
    assert!(policy.starts_with("default-src 'none'") && !others.contains("unsafe"), "{policy}");
    let text = String::from_utf8(page.body.clone()).unwrap();
    let is_built_in = text.contains("/play/play.js");
    assert!(is_built_in || text.contains("<code>make build</code>"), "{text}");
    let frame = get(&app, "/play/frame.html", &[]).await;
    assert!(
        frame.header("content-security-policy").contains("frame-ancestors 'self'; sandbox allow-same-origin")
    );
    for path in ["/play/play.css", "/play/site.css"] {
        let style = get(&app, path, &[]).await;
        assert_eq!((style.status.as_u16(), style.header("content-type")), (200, "text/css; charset=utf-8"));
        assert!(!style.body.is_empty());
    }
    let plain = get(&app, "/play/play.js", &[]).await;
    let packed = get(&app, "/play/play.js", &[("accept-encoding", "gzip, br")]).await;
    assert_eq!((packed.header("content-encoding"), packed.header("vary")), ("gzip", "accept-encoding"));
    if is_built_in {
        assert!(packed.body.len() <= 350_000, "{} bytes of script", packed.body.len());
        assert!(plain.body.starts_with(b"/* Odsmith's playground."));
    }
    get(&app, "/play/nowhere.js", &[]).await.is_problem(404, "not-found");
}
