//! One address in many spellings. If the router takes a spelling for an endpoint, it has the scope, quota and origin of
//! the plain address; else it is not found.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::collections::BTreeSet;

use actix_web::{
    dev::{Service, ServiceResponse},
    http::{Method, Uri},
    test::{self, TestRequest},
};
use odsmith_service::config::{Config, QuotaLimits};
use serde_json::Value;

use crate::{
    support::{
        archive,
        http::{Answer, application, config, post},
    },
    tokens::{all, bearer},
};
use odsmith_service::store::archive::Format;

/// Addresses that the description of the service omits.
const PAGES: &[&str] = &[
    "/",
    "/ac/{sha256}",
    "/docs",
    "/catalog/{path}",
    "/login",
    "/manual",
    "/manual/{path}",
    "/openapi.json",
    "/play",
    "/play/frame.html",
    "/play/play.css",
    "/play/play.js",
    "/play/site.css",
    "/problems",
    "/start.css",
    "/start.js",
    "/v1/sites/{key}",
];

const METHODS: [Method; 5] = [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::DELETE];

/// Callers: one without a token, and one for each scope.
const CALLERS: [&str; 5] = ["", "read", "generate", "publish", "admin"];

/// Every address that the service answers, with values for its parameters.
fn addresses() -> BTreeSet<String> {
    let text = include_str!("../../openapi.json");
    let document: Value = serde_json::from_str(text).unwrap();
    let described = document["paths"].as_object().unwrap().keys().map(String::as_str);
    let key = "0123456789abcdef".repeat(4);
    let values = [
        ("{sha256}", key.as_str()),
        ("{key}", &key),
        ("{extension}", "zip"),
        ("{path}", "index.html"),
        ("{id}", "demo.a"),
        ("{project}", "demo"),
        ("{version}", "1.0.0"),
        ("{range}", "1.0.0..2.0.0"),
    ];
    let fill = |pattern: &str| {
        let pattern = pattern.replace("{name}", "made.zip");
        values.iter().fold(pattern, |pattern, (name, value)| pattern.replace(name, value))
    };
    let addresses: BTreeSet<String> = described.chain(PAGES.iter().copied()).map(fill).collect();
    assert!(
        addresses.iter().all(|address| !address.contains('{')),
        "a parameter has no value: {addresses:?}"
    );
    addresses
}

/// Spellings with one letter percent-encoded, in upper-case and in lower-case digits: the router decodes each.
fn encoded_letters(address: &str) -> Vec<String> {
    let letters = address.char_indices().filter(|(_, it)| it.is_ascii_alphanumeric() || *it == '.');
    let encoded = |(at, letter): (usize, char)| {
        let rest = &address[at + 1..];
        [
            format!("{}%{:02x}{rest}", &address[..at], letter as u32),
            format!("{}%{:02X}{rest}", &address[..at], letter as u32),
        ]
    };
    let mut spellings: BTreeSet<String> = letters.take(24).flat_map(encoded).collect();
    let all = |letter: char| match letter {
        '/' => "/".to_owned(),
        letter => format!("%{:02x}", letter as u32),
    };
    spellings.insert(address.chars().map(all).collect());
    spellings.remove(address);
    spellings.into_iter().collect()
}

/// Spellings that may name another address, or none.
fn other_spellings(address: &str) -> Vec<String> {
    let mut spellings: BTreeSet<String> =
        encoded_letters(address).into_iter().map(|it| it.replace('%', "%25")).collect();
    for (at, _) in address.match_indices('/') {
        let (before, after) = (&address[..at], &address[at + 1..]);
        for between in [
            "%2f",
            "%2F",
            "%252f",
            "//",
            "/./",
            "/%2e/",
            "/x/../",
            "/x/%2e%2e/",
            "/..%2f",
            "/;/",
            "/%20",
            "/%00",
            "\\",
            "%5c",
            "/%c0%af",
            "/%e2%88%95",
        ] {
            spellings.insert(format!("{before}{between}{after}"));
        }
    }
    for after in
        ["/", "//", "/.", "%2f", "%2F", "/%2e", ";", ";x=1", "%00", "%20", "%3f", "%23", "?", "?x", "."]
    {
        spellings.insert(format!("{address}{after}"));
    }
    spellings.insert(address.to_uppercase());
    spellings.insert(address.replacen("/v1", "/V1", 1));
    spellings.insert(format!("/{address}"));
    spellings.insert(format!("/v1/..{address}"));
    spellings.remove(address);
    spellings.into_iter().filter(|it| it.parse::<Uri>().is_ok()).collect()
}

async fn ask(
    app: &impl Service<actix_http::Request, Response = ServiceResponse, Error = actix_web::Error>,
    method: &Method,
    address: &str,
    caller: &str,
) -> Answer {
    let mut request = TestRequest::default().method(method.clone()).uri(address);
    if !caller.is_empty() {
        request = request.insert_header(bearer(caller));
    }
    Answer::of(test::call_service(app, request.to_request()).await).await
}

/// The decision about access: 401, 403, or 200 for anything that a handler answers.
fn decision(answer: &Answer) -> u16 {
    match answer.status.as_u16() {
        refused @ (401 | 403) => refused,
        _ => 200,
    }
}

#[actix_web::test]
async fn a_spelling_changes_no_decision() {
    let file = all("doors");
    let app = application!(file.config());
    let (mut same, mut refused) = (0, 0);
    for address in addresses() {
        for method in METHODS {
            // The form without a token counts as a wrong token, whose answer is delayed.
            if address == "/login" && method == Method::POST {
                continue;
            }
            for caller in CALLERS {
                let plain = decision(&ask(&app, &method, &address, caller).await);
                for spelling in encoded_letters(&address) {
                    let answer = ask(&app, &method, &spelling, caller).await;
                    assert_eq!(decision(&answer), plain, "{method} {spelling} as '{caller}' for {address}");
                    same += 1;
                }
            }
        }
    }
    for address in addresses() {
        for (method, caller) in METHODS.iter().flat_map(|method| CALLERS.map(|caller| (method, caller))) {
            if address == "/login" && *method == Method::POST {
                continue;
            }
            let plain = decision(&ask(&app, method, &address, caller).await);
            // A caller who is admitted may request anything that exists.
            if plain == 200 {
                continue;
            }
            for spelling in other_spellings(&address) {
                let answer = ask(&app, method, &spelling, caller).await;
                let is_nothing = matches!(answer.status.as_u16(), 400 | 404 | 405);
                assert!(
                    decision(&answer) == plain || is_nothing || is_public(&spelling),
                    "{method} {spelling} as '{caller}' for {address}: {}, and {plain}",
                    answer.status
                );
                refused += 1;
            }
        }
    }
    assert!(same > 15_000 && refused > 20_000, "{same} and {refused} requests");
}

/// Returns true if a spelling is the plain address of a public page: `/login` in `/login?x`.
fn is_public(spelling: &str) -> bool {
    matches!(spelling.split('?').next(), Some("/login" | "/start.css"))
}

/// A token that may only read cannot start jobs or store bundles through a spelling of their addresses.
#[actix_web::test]
async fn a_reader_makes_and_keeps_nothing() {
    let file = all("doors-reader");
    let app = application!(file.config());
    let bundle = archive(Format::Zip, &[("a.td", "def A;")]);
    let digest = odsmith_service::store::keys::sha256(&bundle);
    let put = |path: &str, token: &'static str| {
        TestRequest::put()
            .uri(&format!("{path}/{digest}"))
            .insert_header(bearer(token))
            .set_payload(bundle.clone())
    };
    for path in ["/v1/bundles", "/v1/%62undles", "/%761/bundles", "/v1/bundle%73"] {
        for token in ["read", "generate"] {
            let answer = Answer::of(test::call_service(&app, put(path, token).to_request()).await).await;
            answer.is_problem(403, "forbidden");
        }
    }
    let kept = test::call_service(&app, put("/v1/%62undles", "publish").to_request()).await;
    assert_eq!(kept.status(), 201, "the right token opens every spelling");
    for path in ["/v1/generate", "/v1/%67enerate", "/%76%31/generate", "/v1/generat%65"] {
        let address = format!("{path}?bundle={digest}");
        ask(&app, &Method::GET, &address, "read").await.is_problem(403, "forbidden");
        assert_eq!(ask(&app, &Method::GET, &address, "generate").await.status, 303, "{path}");
    }
}

#[actix_web::test]
async fn a_spelling_is_counted_on_the_quota() {
    let mut config = config();
    config.limits.quota = QuotaLimits { requests_per_minute: 1, burst: 1 };
    for spelling in encoded_letters("/v1/version").into_iter().chain(["/v1/version".to_owned()]) {
        let app = application!(config.clone());
        let first = ask(&app, &Method::GET, &spelling, "").await;
        assert_eq!((first.status.as_u16(), first.header("ratelimit").is_empty()), (200, false), "{spelling}");
        ask(&app, &Method::GET, &spelling, "").await.is_problem(429, "over-quota");
        assert_eq!(ask(&app, &Method::GET, "/docs", "").await.status, 200, "pages are free");
    }
    let app = application!(config);
    assert_eq!(ask(&app, &Method::GET, "/v9/version", "").await.status, 404);
    ask(&app, &Method::GET, "/v9/version", "").await.is_problem(429, "over-quota");
}

#[actix_web::test]
async fn a_spelling_of_a_site_is_at_the_origin_of_sites_alone() {
    let app = application!(Config { site_origin: Some("https://sites.example".into()), ..config() });
    let library = ("dialect.td", "def A;");
    let made = post(&app, "/v1/generate", "application/json", archive(Format::Zip, &[library])).await;
    let result = made.header("content-location").to_owned();
    let site = format!("{}/index.html", result.replace("results", "sites"));
    let at = async |host: &str, address: &str| {
        let request = TestRequest::get().uri(address).insert_header(("host", host));
        Answer::of(test::call_service(&app, request.to_request()).await).await
    };
    let spellings = |address: &str| {
        let mut all = encoded_letters(address);
        all.extend(other_spellings(address));
        all.push(address.to_owned());
        all
    };
    assert_eq!(at("sites.example", &site).await.status, 200);
    for spelling in spellings(&site) {
        let answer = at("odsmith.example", &spelling).await;
        assert!(matches!(answer.status.as_u16(), 308 | 404), "{spelling}: {}", answer.status);
        let away = answer.status == 404 || answer.header("location").starts_with("https://sites.example/");
        assert!(away, "{spelling}: {}", answer.header("location"));
    }
    for spelling in spellings(&result) {
        assert_eq!(at("odsmith.example", &result).await.status, 200);
        assert_eq!(at("sites.example", &spelling).await.status, 404, "{spelling}");
    }
}
