//! The real service as a process, over a socket: a bundle in, an archive out. Its refusals are tested beside its code.

use std::net::TcpListener;

use odsmith_tests::{
    archive::{File, files_below, gunzip, gzip, tar, untar, zip},
    http::{Answer, Service},
    set_up::tests_folder,
};

const GZIP: &str = "application/gzip";
const ZIP: &str = "application/zip";

/// A service that ends with the test, as one in a static variable would not.
fn service() -> Service {
    Service::start(&[])
}

fn sketch() -> Vec<File> {
    files_below(&tests_folder().join("fixtures/demo"))
}

fn file(path: &str, text: &str) -> File {
    (path.to_owned(), text.as_bytes().to_vec())
}

fn paths(answer: &Answer) -> Vec<String> {
    untar(&gunzip(&answer.body)).into_iter().map(|(path, _)| path).collect()
}

fn key(answer: &Answer) -> String {
    let location = answer.header("content-location").expect("a Content-Location");
    location.rsplit('/').next().unwrap_or_default().to_owned()
}

/// Checks that an error is a problem document with the same status inside.
#[track_caller]
fn assert_problem(answer: &Answer, status: u16) -> serde_json::Value {
    let text = String::from_utf8_lossy(&answer.body).into_owned();
    assert_eq!(answer.status, status, "{text}");
    assert_eq!(answer.header("content-type"), Some("application/problem+json"), "{text}");
    assert_eq!(answer.header("cache-control"), Some("no-store"), "{text}");
    let problem = answer.json();
    assert_eq!(problem["status"], status, "{text}");
    for field in ["type", "title", "code"] {
        assert!(problem[field].is_string(), "no {field}: {text}");
    }
    problem
}

#[test]
fn a_bundle_becomes_an_archive() {
    let service = service();
    let answer = service.generate(GZIP, &gzip(&tar(&sketch())));
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    let paths = paths(&answer);
    for wanted in ["result.json", "manifest.toml", "site/index.html"] {
        assert!(paths.iter().any(|path| path == wanted), "no {wanted} in {paths:#?}");
    }
    assert!(paths.iter().any(|path| path.starts_with("cpp/")), "{paths:#?}");
    let mut sorted = paths.clone();
    sorted.sort();
    assert_eq!(paths, sorted, "an archive's paths are sorted");
}

#[test]
fn the_same_bundle_gives_the_same_bytes() {
    let service = service();
    let first = service.generate(GZIP, &gzip(&tar(&sketch())));
    let again = service.generate(GZIP, &gzip(&tar(&sketch())));
    let zipped = service.generate(ZIP, &zip(&sketch()));
    let restarted = Service::start(&[]).generate(GZIP, &gzip(&tar(&sketch())));
    assert_eq!(first.status, 200);
    for (name, other) in [("again", again), ("as zip", zipped), ("after a restart", restarted)] {
        assert_eq!(other.status, 200, "{name}");
        assert_eq!(key(&other), key(&first), "{name}");
        assert!(other.body == first.body, "{name}: other bytes");
    }
}

#[test]
fn a_result_is_kept_and_tagged() {
    let service = service();
    let answer = service.generate(GZIP, &gzip(&tar(&sketch())));
    let result = format!("/v1/results/{}", key(&answer));
    let kept = service.get(&result);
    assert_eq!(kept.status, 200);
    assert!(kept.json().is_object());
    let tag = kept.header("etag").expect("an ETag").to_owned();
    let unchanged = service.request("GET", &result, &[("If-None-Match", &tag)], b"");
    assert_eq!(unchanged.status, 304);
    assert!(unchanged.body.is_empty());
    let archive = service.get(&format!("{result}.tar.gz"));
    assert_eq!(archive.status, 200);
    assert!(archive.body == answer.body, "the kept archive has other bytes");
    let site = service.get(&format!("/v1/sites/{}/index.html", key(&answer)));
    assert_eq!(site.status, 200);
    assert!(site.header("content-type").is_some_and(|kind| kind.starts_with("text/html")));
    assert_problem(&service.get(&format!("/v1/results/{}", "0".repeat(64))), 404);
}

#[test]
fn what_is_no_archive_is_refused() {
    let service = service();
    // The media type and the first bytes disagree.
    assert_problem(&service.generate(GZIP, b"this is no archive"), 415);
    assert_problem(&service.generate(GZIP, &zip(&sketch())), 415);
    assert_problem(&service.generate(GZIP, &gzip(b"packed, but no archive")), 400);
    let whole = gzip(&tar(&sketch()));
    assert_problem(&service.generate(GZIP, &whole[..whole.len() / 2]), 400);
}

#[test]
fn errors_of_the_input_are_located_and_leave_the_rest_alone() {
    let service = service();
    let good = "include \"mlir/IR/EnumAttr.td\"\n\
                def A : I32EnumAttr<\"A\", \"\", [I32EnumAttrCase<\"x\", 0>]>;\n";
    let bundle = [
        file("good.td", good),
        file("missing.td", "include \"no/such/file.td\"\ndef A;\n"),
        file("syntax.td", "def a {\n  int x = ;\n}\n"),
    ];
    let problem = assert_problem(&service.generate(GZIP, &gzip(&tar(&bundle))), 422);
    let diagnostics = problem["diagnostics"].as_array().expect("diagnostics").clone();
    let at = |file: &str, line: u64| {
        diagnostics.iter().any(|diagnostic| {
            diagnostic["file"].as_str().is_some_and(|name| name.ends_with(file))
                && diagnostic["range"]["start"]["line"] == line
        })
    };
    assert!(at("missing.td", 1) && at("syntax.td", 2), "{problem:#}");
}

#[test]
fn the_service_lives_on() {
    let service = service();
    for body in [&b"PK\x05\x06"[..], b"\x1f\x8b", b"", &[0; 512]] {
        assert!((400..500).contains(&service.generate(GZIP, body).status));
    }
    assert_eq!(service.get("/v1/version").status, 200);
    assert_problem(&service.get("/v1/nothing"), 404);
}

#[test]
fn sources_are_fetched_without_the_proxy_of_the_environment() {
    let proxy = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", proxy.local_addr().expect("an address"));
    let variables = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"].map(|name| (name, &*address));
    let service = Service::start_in(&["--fetch-host", "localhost"], &variables);
    let uri = format!("/v1/generate/x.zip?source=https://localhost/a.zip&sha256={}", "0".repeat(64));
    let problem = assert_problem(&service.get(&uri), 422);
    assert_eq!(problem["code"], "source-refused", "{problem}");
    proxy.set_nonblocking(true).expect("a socket");
    assert!(proxy.accept().is_err(), "the proxy was asked");
}
