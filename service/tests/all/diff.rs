//! `POST /v1/diff`, `GET /v1/diff`, `GET /v1/diffs/…`: comparisons over HTTP.

use crate::support::{
    archive,
    http::{application, get, post, send},
};
use odsmith_service::store::archive::Format;
use serde_json::{Value, json};

fn side(option: &str) -> Vec<u8> {
    let text = format!(
        "class Option<string n, string a, string t, string d, string h> {{ string cppName = n; string argument = a; \
         string type = t; string defaultValue = d; string description = h; string additionalOptFlags = \"\"; }}\n\
         class PassBase<string a, string b> {{ string argument = a; string baseClass = b; string summary = \"\"; \
         string description = \"\"; string constructor = \"\"; list<string> dependentDialects = []; \
         list<Option> options = []; list<int> statistics = []; }}\n\
         def P : PassBase<\"p\", \"B\"> {{ let options = [{option}]; }}\n"
    );
    archive(Format::Zip, &[("a.td", &text)])
}

const OLD: &str = "Option<\"n\", \"n\", \"int\", \"4\", \"\">";
const NEW: &str = "Option<\"n\", \"n\", \"int\", \"8\", \"\">";

const BOUNDARY: &str = "xYx";

fn parts(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, content) in parts {
        let head = format!(
            "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{name}\"; filename=\"{name}\"\r\n\r\n"
        );
        body.extend(head.as_bytes());
        body.extend(*content);
        body.extend(b"\r\n");
    }
    body.extend(format!("--{BOUNDARY}--\r\n").as_bytes());
    body
}

macro_rules! ask {
    ($app:expr, $accept:expr, $type:expr, $body:expr) => {
        send(
            $app,
            actix_web::test::TestRequest::post().uri("/v1/diff").insert_header(("accept", $accept)),
            $type,
            $body,
        )
        .await
    };
}

#[actix_web::test]
async fn archives_bundles_and_results_are_compared() {
    let app = application!();
    let multipart = format!("multipart/form-data; boundary={BOUNDARY}");
    let body = parts(&[("old", &side(OLD)), ("new", &side(NEW))]);
    let made = ask!(&app, "application/json", multipart.as_str(), body.clone());
    assert_eq!(made.status, 200, "{}", String::from_utf8_lossy(&made.body));
    let rules: Vec<Value> =
        made.json()["findings"].as_array().unwrap().iter().map(|it| it["rule"].clone()).collect();
    assert_eq!(rules, ["PA006"]);
    // Its address keeps every form of the answer.
    let address = made.header("content-location").to_owned();
    assert!(address.starts_with("/v1/diffs/") && address.ends_with(".json"), "{address}");
    for (extension, media_type, part) in [
        ("json", "application/json", "PA006"),
        ("md", "text/markdown; charset=utf-8", "PA006"),
        ("sarif", "application/sarif+json", "partialFingerprints"),
        ("html", "text/html; charset=utf-8", "<title>"),
    ] {
        let kept = get(&app, &address.replace("json", extension), &[]).await;
        assert_eq!((kept.status.as_u16(), kept.header("content-type")), (200, media_type));
        assert!(kept.header("cache-control").contains("immutable"));
        assert!(String::from_utf8_lossy(&kept.body).contains(part), "{extension}");
    }
    // Comparing the results of these bundles finds the same; it has an address of its own, as files show more.
    let mut keys = Vec::new();
    for option in [OLD, NEW] {
        let result = post(&app, "/v1/model", "*/*", side(option)).await;
        let location = result.header("content-location").to_owned();
        keys.push(location.split('/').nth(3).unwrap().to_owned());
    }
    let named = json!({ "old": keys[0], "new": keys[1] }).to_string();
    let named = ask!(&app, "text/markdown", "application/json", named);
    assert_eq!(named.status, 200, "{}", String::from_utf8_lossy(&named.body));
    let of_results = named.header("content-location").replace(".md", ".json");
    assert_ne!(of_results, address);
    assert_eq!(get(&app, &of_results, &[]).await.json()["findings"], made.json()["findings"]);
    let led = get(&app, &format!("/v1/diff?old={}&new={}", keys[0], keys[1]), &[]).await;
    assert_eq!((led.status.as_u16(), led.header("location")), (303, of_results.as_str()));
    // A comparison is not a result, so it has no archive.
    let key = address.trim_start_matches("/v1/diffs/").trim_end_matches(".json");
    get(&app, &format!("/v1/results/{key}"), &[]).await.is_problem(404, "not-found");
}

#[actix_web::test]
async fn options_of_a_comparison() {
    let app = application!();
    let multipart = format!("multipart/form-data; boundary={BOUNDARY}");
    let with = |options: Value| {
        parts(&[("old", &side(OLD)), ("new", &side(NEW)), ("options", options.to_string().as_bytes())])
    };
    let count = async |options: Value| {
        let made = ask!(&app, "application/json", multipart.as_str(), with(options));
        assert_eq!(made.status, 200, "{}", String::from_utf8_lossy(&made.body));
        made.json()["findings"].as_array().unwrap().len()
    };
    assert_eq!(count(json!({ "profile": "WIRE" })).await, 0);
    assert_eq!(count(json!({ "only": "rule=PA006" })).await, 1);
    assert_eq!(count(json!({ "only": "rule=IN001" })).await, 0);
    assert_eq!(count(json!({ "settings": { "rules": { "PA006": "off" } } })).await, 0);
    for wrong in [
        json!({ "profile": "SOME" }),
        json!({ "only": "file=a" }),
        json!({ "directions": ["up"] }),
        json!({ "settings": { "unknown": 1 } }),
        json!({ "settings": { "rules": { "XX001": "off" } } }),
    ] {
        ask!(&app, "*/*", multipart.as_str(), with(wrong)).is_problem(400, "bad-request");
    }
}

#[actix_web::test]
async fn sides_that_cannot_be_read() {
    let app = application!();
    let multipart = format!("multipart/form-data; boundary={BOUNDARY}");
    ask!(&app, "*/*", multipart.as_str(), parts(&[("old", &side(OLD)[..])])).is_problem(400, "bad-request");
    let broken = archive(Format::Zip, &[("a.td", "def A : Missing;\n")]);
    // A comparison that failed does not look like one without findings.
    let failed = ask!(&app, "*/*", multipart.as_str(), parts(&[("old", &broken), ("new", &side(NEW))]));
    assert_eq!(failed.status, 422);
    let unknown = "0".repeat(64);
    let body = json!({ "old": unknown, "new": unknown }).to_string();
    ask!(&app, "*/*", "application/json", body).is_problem(404, "bundle-not-found");
    ask!(&app, "*/*", "application/json", "{}".to_owned()).is_problem(400, "bad-request");
    ask!(&app, "*/*", "text/plain", "x".to_owned()).is_problem(415, "media-type");
    ask!(&app, "image/png", "application/json", "{}".to_owned()).is_problem(406, "not-acceptable");
    for path in ["/v1/diffs/x.json", &format!("/v1/diffs/{unknown}"), &format!("/v1/diffs/{unknown}.pdf")] {
        get(&app, path, &[]).await.is_problem(404, "not-found");
    }
    get(&app, &format!("/v1/diffs/{unknown}.json"), &[]).await.is_problem(404, "result-not-found");
}
