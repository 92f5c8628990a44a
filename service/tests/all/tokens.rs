//! Tokens: their scopes, headers and tenants, and how browsers use them.

use std::{
    fs,
    path::PathBuf,
    process::Command,
    time::{Duration, Instant},
};

use crate::support::{
    archive,
    http::{Answer, application, config, get, post, send, state},
};
use actix_web::{
    App,
    http::Method,
    test::{self, TestRequest},
};
use odsmith_service::{
    config::Config,
    http::{
        routes,
        tokens::{self, Scope},
    },
    store::{archive::Format, keys},
};
use odsmith_tests::folder::TestFolder;
use serde_json::json;

/// A folder with a token file.
pub struct File(TestFolder);

impl File {
    fn new(name: &str, rows: &[(&str, &[Scope], &str)]) -> File {
        let file = File(TestFolder::new(&format!("http-tokens-{name}")));
        file.write(rows);
        file
    }

    /// Writes tokens whose secret is their name.
    fn write(&self, rows: &[(&str, &[Scope], &str)]) {
        let rows: Vec<String> =
            rows.iter().map(|(name, scopes, tenant)| tokens::row(name, name, scopes, tenant, &[])).collect();
        self.0.write("tokens", rows.concat());
    }

    fn path(&self) -> PathBuf {
        self.0.join("tokens")
    }

    pub fn config(&self) -> Config {
        Config { tokens: Some(self.path()), ..config() }
    }
}

pub fn all(name: &str) -> File {
    let scopes = [Scope::Read, Scope::Generate, Scope::Publish, Scope::Admin];
    let rows: Vec<(&str, &[Scope], &str)> =
        scopes.iter().map(|scope| (scope.name(), std::slice::from_ref(scope), "")).collect();
    File::new(name, &rows)
}

pub fn bearer(token: &str) -> (&'static str, String) {
    ("authorization", format!("Bearer {token}"))
}

fn basic(pair: &str) -> (&'static str, String) {
    ("authorization", format!("Basic {}", keys::base64(pair.as_bytes())))
}

#[actix_web::test]
async fn a_token_is_good_for_its_scopes() {
    let file = all("scopes");
    let app = application!(file.config());
    let bundle = archive(Format::Zip, &[("a.td", "def A;")]);
    let bundles = format!("/v1/bundles/{}", keys::sha256(&bundle));
    for (method, uri, good) in [
        (Method::GET, "/v1/version", ["read", "generate"].as_slice()),
        (Method::GET, "/", &["read", "generate"]),
        (Method::HEAD, "/docs", &["read", "generate"]),
        (Method::POST, "/v1/check", &["generate"]),
        (Method::POST, "/v1/generate", &["generate"]),
        (Method::PUT, &bundles, &["publish"]),
        (Method::HEAD, &bundles, &["generate"]),
        (Method::GET, &bundles.replace("bundles/", "generate?bundle="), &["generate"]),
    ] {
        for token in ["read", "generate", "publish", "admin"] {
            let request = TestRequest::default().method(method.clone()).uri(uri).insert_header(bearer(token));
            let answer = send(&app, request, "application/zip", bundle.clone()).await;
            // Past the check of the scope, something else may be wrong: the bundle has another digest, or is missing.
            let expected =
                if good.contains(&token) { answer.status.as_u16() != 403 } else { answer.status == 403 };
            assert!(expected && answer.status != 401, "{method} {uri} with {token}: {}", answer.status);
            if answer.status == 403 && method != Method::HEAD {
                let problem = answer.is_problem(403, "forbidden");
                assert_eq!(problem["detail"], format!("this needs a token of scope '{}'", good[0]));
            }
        }
        let request = TestRequest::default().method(method.clone()).uri(uri);
        assert_eq!(send(&app, request, "", "").await.status, 401, "{method} {uri}");
    }
}

/// Basic authorization, as curl, Nix and Bazel send it from a `.netrc` file.
#[actix_web::test]
async fn basic_is_as_good_as_bearer() {
    let file = all("basic");
    let app = application!(file.config());
    for (header, status) in [
        (basic("anyone:read"), 200),
        (basic(":read"), 200),
        (basic("read:"), 200),
        (("authorization", "basic cmVhZDpyZWFk".to_owned()), 200),
        (basic("read"), 401),
        (("authorization", "Basic %%%".to_owned()), 401),
        (("authorization", "Digest read".to_owned()), 401),
        (("authorization", "read".to_owned()), 401),
    ] {
        let answer = get(&app, "/v1/version", &[(header.0, &header.1)]).await;
        assert_eq!(answer.status, status, "{header:?}");
    }
}

#[actix_web::test]
async fn wrong_tokens_are_slowed() {
    let file = all("slow");
    let app = application!(file.config());
    let ask = async |token: &str| {
        let start = Instant::now();
        let (name, value) = bearer(token);
        let status = get(&app, "/v1/version", &[(name, &value)]).await.status.as_u16();
        (status, start.elapsed())
    };
    let ((first, one), (second, two)) = futures_util::future::join(ask("wrong"), ask("wrong too")).await;
    assert_eq!((first, second), (401, 401));
    assert!(one >= Duration::from_millis(200) && two >= Duration::from_millis(450), "{one:?} {two:?}");
    let (status, time) = ask("read").await;
    assert!(status == 200 && time < Duration::from_millis(200), "a right one is not: {time:?}");
}

#[actix_web::test]
async fn the_file_may_change() {
    let file = File::new("changes", &[("old", &[Scope::Read], "")]);
    let app = application!(file.config());
    let ask = async |token: &str| {
        let (name, value) = bearer(token);
        get(&app, "/v1/version", &[(name, &value)]).await.status.as_u16()
    };
    assert_eq!(ask("old").await, 200);
    file.write(&[("new-one", &[Scope::Read], "")]);
    let start = Instant::now();
    while ask("new-one").await != 200 {
        assert!(start.elapsed() < Duration::from_secs(5));
    }
    assert_eq!(ask("old").await, 401, "revoked");
}

/// A digest that is known reveals that a client sent those bytes, and would give them to clients that never had them.
#[actix_web::test]
async fn what_is_named_by_digest_is_the_tenants_own() {
    let rights: &[Scope] = &[Scope::Generate, Scope::Publish];
    let file = File::new(
        "tenants",
        &[("a1", rights, "a"), ("a2", rights, "a"), ("b", rights, "b"), ("c", rights, "")],
    );
    let app = application!(file.config());
    let (path, text) = ("a.td", "def Secret;\n");
    let whole = json!({ "files": { path: text } }).to_string();
    let known = json!({ "known": { path: keys::sha256(text.as_bytes()) } }).to_string();
    let tblgen = |token: &str| TestRequest::post().uri("/v1/tblgen?td=a.td").insert_header(bearer(token));
    assert_eq!(send(&app, tblgen("a1"), "application/json", whole).await.status, 200);
    let bundle = archive(Format::Zip, &[(path, text)]);
    let digest = keys::sha256(&bundle);
    let uri = format!("/v1/bundles/{digest}");
    let put = |token: &str| TestRequest::put().uri(&uri).insert_header(bearer(token));
    assert_eq!(send(&app, put("a1"), "application/zip", bundle.clone()).await.status, 201);
    let by_digest = json!({ "bundle": digest }).to_string();
    for (token, is_known) in [("a2", true), ("b", false), ("c", false)] {
        let status = |good: u16| if is_known { good } else { 404 };
        let sent = send(&app, tblgen(token), "application/json", known.clone()).await;
        assert_eq!(sent.status, status(200), "{token}");
        let head = TestRequest::default().method(Method::HEAD).uri(&uri).insert_header(bearer(token));
        assert_eq!(send(&app, head, "", "").await.status, status(204), "{token}");
        let (name, value) = bearer(token);
        let got = get(&app, &format!("/v1/generate?bundle={digest}"), &[(name, &value)]).await;
        assert_eq!(got.status, status(303), "{token}");
        let sent = send(&app, tblgen(token), "application/json", by_digest.clone()).await;
        assert_eq!(sent.status, status(200), "{token}");
    }
    assert_eq!(send(&app, put("b"), "application/zip", bundle.clone()).await.status, 201, "new to them");
    assert_eq!(send(&app, put("a2"), "application/zip", bundle).await.status, 204);
}

#[actix_web::test]
async fn anyone_may_read_and_generate_where_that_is_said() {
    let file = all("anonymous");
    let app = application!(Config { allow_anonymous: true, ..file.config() });
    let answer = get(&app, "/v1/version", &[]).await;
    assert_eq!((answer.status.as_u16(), answer.header("cache-control")), (200, "public, max-age=300"));
    assert_eq!(post(&app, "/v1/check", "*/*", b"def A;".to_vec()).await.status, 200);
    let (name, value) = bearer("wrong");
    assert_eq!(get(&app, "/v1/version", &[(name, &value)]).await.status, 401, "a wrong token is a mistake");
}

#[actix_web::test]
async fn operators_pages_that_others_can_reach_need_a_token() {
    let file = all("admin");
    let public = Config { admin: Some("0.0.0.0:1".parse().unwrap()), ..file.config() };
    let own = Config { admin: Some("127.0.0.1:1".parse().unwrap()), ..file.config() };
    for (config, needs_one) in [(public, true), (own, false)] {
        let admin = App::new().app_data(state(&config)).configure(routes::configure_admin);
        let admin = test::init_service(admin).await;
        for (token, good) in [("admin", true), ("read", false), ("", false)] {
            let (name, value) = bearer(token);
            let status = get(&admin, "/metrics", &[(name, &value)]).await.status;
            assert_eq!(status == 200, good || !needs_one, "{token}");
        }
        // Probes have no token and reveal nothing.
        for path in ["/livez", "/readyz"] {
            assert_eq!(get(&admin, path, &[]).await.status, 200, "{path}");
        }
    }
}

#[actix_web::test]
async fn a_token_is_made_and_is_nowhere_else() {
    let file = File::new("made", &[]);
    fs::remove_file(file.path()).unwrap();
    let make = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_odsmith-service"));
        let output = command.arg("token").args(words).arg("--file").arg(file.path()).output().unwrap();
        let text = if output.status.success() { output.stdout } else { output.stderr };
        (output.status.success(), String::from_utf8(text).unwrap().trim().to_owned())
    };
    let (is_made, ci) = make(&["ci", "--scope", "read", "--tenant", "team"]);
    assert!(is_made && ci.starts_with("odsmith_") && ci.len() == 72, "{ci}");
    let ops = make(&["ops", "--scope", "generate,admin"]).1;
    let text = fs::read_to_string(file.path()).unwrap();
    assert!(!text.contains(&ci) && !text.contains(&ops) && text.matches("[[token]]").count() == 2, "{text}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(file.path()).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let app = application!(file.config());
    for (token, statuses) in [(&ci, [200, 403]), (&ops, [200, 200])] {
        let (name, value) = bearer(token);
        let version = get(&app, "/v1/version", &[(name, &value)]).await;
        let check = TestRequest::post().uri("/v1/check").insert_header((name, value));
        let check = send(&app, check, "text/plain", "def A;").await;
        assert_eq!([version.status.as_u16(), check.status.as_u16()], statuses);
    }
    // A row that would make the file invalid is not added, and neither is a row to an invalid file.
    let (is_made, error) = make(&["no name"]);
    assert!(!is_made && error.contains("a name has letters"), "{error}");
    assert_eq!(fs::read_to_string(file.path()).unwrap(), text);
    fs::write(file.path(), "[[token]]\n").unwrap();
    let (is_made, error) = make(&["more"]);
    assert!(!is_made && error.contains("missing field"), "{error}");
    assert_eq!(fs::read_to_string(file.path()).unwrap(), "[[token]]\n");
}

#[actix_web::test]
async fn a_browser_gets_in() {
    let file = all("browser");
    let app = application!(file.config());
    let page = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    let away = get(&app, "/docs?x=1", &[page]).await;
    assert_eq!((away.status.as_u16(), away.header("location")), (303, "/login?next=%2Fdocs%3Fx%3D1"));
    assert_eq!(away.header("cache-control"), "no-store");
    get(&app, "/docs", &[]).await.is_problem(401, "unauthorized");
    let form = get(&app, away.header("location"), &[page]).await;
    let text = String::from_utf8_lossy(&form.body).into_owned();
    assert!(form.status == 200 && text.contains("name=\"next\" value=\"/docs?x=1\""), "{text}");
    assert!(form.header("content-security-policy").contains("form-action 'self'"));
    assert_eq!(get(&app, "/start.css", &[]).await.status, 200);
    let enter = async |fields: &str, host: &str| -> Answer {
        let request = TestRequest::post().uri("/login").insert_header(("host", host));
        send(&app, request, "application/x-www-form-urlencoded", fields.to_owned()).await
    };
    let start = Instant::now();
    let wrong = enter("token=wrong&next=/docs", "odsmith.example").await;
    assert_eq!((wrong.status.as_u16(), wrong.header("set-cookie")), (401, ""));
    assert!(start.elapsed() >= Duration::from_millis(200));
    assert_eq!(enter("token=read%0d%0ax&next=/", "odsmith.example").await.header("set-cookie"), "");
    let entered = enter("token=generate&next=//evil.example", "odsmith.example").await;
    assert_eq!((entered.status.as_u16(), entered.header("location")), (303, "/"));
    let cookie = entered.header("set-cookie").to_owned();
    let expected = "odsmith_token=generate; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure";
    assert_eq!(cookie, expected);
    let local = enter("token=generate&next=/docs", "127.0.0.1:8080").await;
    assert!(!local.header("set-cookie").contains("Secure") && local.header("location") == "/docs");
    // The cookie opens everything that a browser requests.
    let cookie = ("cookie", "other=1; odsmith_token=generate");
    let (name, value) = bearer("generate");
    let made = TestRequest::post().uri("/v1/generate").insert_header((name, value));
    let made = send(&app, made, "application/zip", archive(Format::Zip, &[("a.td", "def A;")])).await;
    let site = format!("{}/", made.header("content-location").replace("results", "sites"));
    for path in ["/", "/docs", "/openapi.json", "/start.js", &site] {
        assert_eq!(get(&app, path, &[cookie, page]).await.status, 200, "{path}");
    }
    // Only pages of this origin may start jobs.
    let own = ("origin", "https://odsmith.example");
    let evil = ("origin", "https://evil.example");
    let (here, elsewhere) = (("sec-fetch-site", "same-origin"), ("sec-fetch-site", "same-site"));
    for (headers, status) in [
        (&[own][..], 200),
        (&[evil], 401),
        (&[], 401),
        // A proxy may give the server another name.
        (&[evil, here], 200),
        (&[own, elsewhere], 401),
    ] {
        let mut request = TestRequest::post()
            .uri("/v1/check")
            .insert_header(cookie)
            .insert_header(("host", "odsmith.example"));
        for header in headers {
            request = request.insert_header(*header);
        }
        assert_eq!(send(&app, request, "text/plain", "def A;").await.status, status, "{headers:?}");
    }
}

/// An answer does not show a tenant whether another one sent the same before.
#[actix_web::test]
async fn what_another_tenant_sent_is_no_hit() {
    let scopes = &[Scope::Generate][..];
    let file = File::new("private", &[("one", scopes, "a"), ("other", scopes, "b"), ("third", scopes, "a")]);
    let app = application!(file.config());
    let miss = "odsmith; fwd=miss; stored";
    for (uri, text) in [
        ("/v1/tblgen", "def A;"),
        ("/v1/generate", "def A;"),
        ("/v1/check", "def A : Missing;"),
        ("/v1/tblgen", "def A : Missing;"),
        ("/v1/upgrade?from=22", "def A;"),
    ] {
        let ask = async |token: &str| {
            let request = TestRequest::post().uri(uri).insert_header(bearer(token));
            let body = archive(Format::Zip, &[("a.td", text)]);
            send(&app, request, "application/zip", body).await
        };
        let first = ask("one").await;
        assert_eq!(first.header("cache-status"), miss, "{uri}");
        let seen = ask("other").await;
        assert_eq!((seen.status, seen.header("cache-status")), (first.status, miss), "{uri} {text}");
        assert_eq!(seen.header("server-timing"), "", "{uri}");
        if !uri.starts_with("/v1/upgrade") {
            let again = ask("third").await;
            assert_eq!(again.header("cache-status"), "odsmith; hit; detail=memory", "{uri} {text}");
        }
    }
}
