//! The table of endpoints, row by row: the status, the form and the cache policy of each answer.

use std::{collections::BTreeMap, time::Duration};

use crate::support::{
    archive,
    http::{Answer, application, config, get, post, send, state},
};
use actix_web::{App, http::Method, test, web::Data};
use odsmith_engine::{library::Library, release::Release};
use odsmith_service::{
    config::Config,
    http::{app, routes, state::State},
    jobs::ticket::Ticket,
    pipeline::library::Libraries,
    store::{archive::Format, keys},
};
use serde_json::{Value, json};

const GOOD: &[(&str, &str)] = &[("dir/a.td", "class A<int x> { int v = x; }\ndef B : A<1>;\n")];

const NOT_AT_ALL: &str = "no-store";
const A_MINUTE: &str = "public, max-age=60";
const MINUTES: &str = "public, max-age=300";
const FOR_EVER: &str = "public, max-age=31536000, immutable, no-transform";

/// Status, media type and cache policy.
fn seen(answer: &Answer) -> (u16, &str, &str) {
    (answer.status.as_u16(), answer.header("content-type"), answer.header("cache-control"))
}

#[actix_web::test]
async fn a_server_holds_libraries_of_several_releases() {
    let empty = |release: &str| {
        Library::new(Release::parse(release).unwrap(), format!("digest of {release}"), BTreeMap::new())
    };
    let libraries: Libraries = ["21", "23", "22"].map(empty).into_iter().collect();
    let app = test::init_service(app::app(Data::new(State::new(&config(), libraries).unwrap()))).await;

    let listed = get(&app, "/v1/libraries", &[]).await.json();
    let names = listed["libraries"].as_array().unwrap().iter().map(|library| library["mlir"].clone());
    assert_eq!(names.collect::<Vec<_>>(), ["23", "22", "21"]);

    // Bits are in braces since 23.
    let braced = "class C { bits<4> mask = 0; } let mask{1} = 1 in def a : C;";
    let of = async |release: &str, td: &str| {
        let form = format!("/v1/tblgen?td=a.td&flags=-print-records{release}");
        post(&app, &form, "*/*", archive(Format::Zip, &[("a.td", td)])).await
    };
    assert_eq!(of("", braced).await.status, 200);
    assert_eq!(of("&mlir=23", braced).await.status, 200);
    assert_eq!(of("&mlir=22", braced).await.status, 422);
    assert_eq!(of("&mlir=21", braced).await.status, 422);
    let missing = of("&mlir=19", braced).await;
    missing.is_problem(400, "bad-manifest");
}

/// Every result repeats the caution about its library, and its key depends on it.
#[actix_web::test]
async fn results_repeat_the_caution_about_a_library() {
    let of = async |caution: Option<&str>| {
        let library = Library::new(Release::newest(), "none".into(), BTreeMap::new());
        let library = library.with_caution(caution.map(str::to_owned));
        let app = test::init_service(app::app(Data::new(State::new(&config(), library).unwrap()))).await;
        let libraries = get(&app, "/v1/libraries", &[]).await.json();
        assert_eq!(libraries["libraries"][0]["caution"].as_str(), caution);
        post(&app, "/v1/generate", "application/json", archive(Format::Zip, GOOD)).await.json()
    };
    let caution = "the library is newer than all";
    let [plain, cautious] = [of(None).await, of(Some(caution)).await];
    assert_eq!(plain["diagnostics"].as_array().map(Vec::len), Some(0), "{plain:#}");
    assert_eq!(cautious["diagnostics"][0]["message"], caution, "{cautious:#}");
    assert_eq!(cautious["diagnostics"][0]["severity"], "warning");
    assert_eq!(cautious["status"], "ok");
    assert_ne!(plain["key"], cautious["key"]);
}

/// Client generators make one function for each operation, so that each of its statuses must have one type.
#[actix_web::test]
async fn a_response_has_one_type() {
    let app = application!();
    let description = get(&app, "/openapi.json", &[]).await.json();
    let mut count = 0;
    for (path, operations) in description["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            for (status, response) in operation["responses"].as_object().into_iter().flatten() {
                let contents = response["content"].as_object().into_iter().flatten();
                let types: std::collections::BTreeSet<String> =
                    contents.map(|(_, content)| content["schema"].to_string()).collect();
                assert!(types.len() <= 1, "{method} {path} {status}: {types:?}");
                count += 1;
            }
        }
    }
    assert!(count > 50, "{count} responses");
    // Each form has an address of its own, which wins over `Accept`.
    let broken = b"def A : Missing;".to_vec();
    let sarif = post(&app, "/v1/check/sarif", "*/*", broken.clone()).await;
    assert_eq!(sarif.header("content-type"), "application/sarif+json");
    assert_eq!(sarif.body, post(&app, "/v1/check", "application/sarif+json", broken.clone()).await.body);
    let text = post(&app, "/v1/check/text", "*/*", broken.clone()).await;
    assert!(
        text.header("content-type").starts_with("text/plain")
            && text.body.starts_with(b"input.td:1:9: error")
    );
    let object = post(&app, "/v1/results", "*/*", archive(Format::Zip, GOOD)).await;
    assert_eq!(object.header("content-type"), "application/json");
    let asked = post(&app, "/v1/generate", "application/json", archive(Format::Zip, GOOD)).await;
    assert_eq!(object.body, asked.body);
    get(&app, "/v1/results", &[]).await.is_problem(405, "method-not-allowed");
}

#[actix_web::test]
async fn a_root_that_is_alone_needs_no_name() {
    let app = application!();
    let of =
        async |form: &str, files: &[(&str, &str)]| post(&app, form, "*/*", archive(Format::Zip, files)).await;
    let flags = "/v1/tblgen?flags=-print-records";
    assert_eq!(of(flags, GOOD).await.status, 200);
    assert_eq!(of("/v1/records", GOOD).await.status, 200);
    // Of two files neither is the root.
    let two = of(flags, &[("a.td", "def A;"), ("b.td", "def B;")]).await;
    assert_eq!(two.status, 422);
    assert_eq!(of(&format!("{flags}&td=b.td"), &[("a.td", "def A;"), ("b.td", "def B;")]).await.status, 200);
}

#[actix_web::test]
async fn a_server_gets_no_dependencies() {
    let app = application!();
    let manifest = "[dependencies]\nother = { path = \"../other\" }\n";
    let own = [("odsmith.toml", manifest), ("a.td", "include \"other/O.td\"\ndef A : O;\n")];
    let alone = post(&app, "/v1/generate", "application/json", archive(Format::TarGz, &own)).await;
    alone.is_problem(400, "bad-manifest");
    // Files of other projects are in the bundle.
    let mut all = own.to_vec();
    all.push(("<other>/other/O.td", "class O;\n"));
    let whole = post(&app, "/v1/generate", "application/json", archive(Format::TarGz, &all)).await;
    assert_eq!(whole.status, 200, "{}", String::from_utf8_lossy(&whole.body));
    let targets = &whole.json()["targets"];
    assert_eq!(targets.as_array().map(Vec::len), Some(1), "{targets}");
}

#[actix_web::test]
async fn an_archive_in_one_folder() {
    let app = application!();
    let made = post(&app, "/v1/generate", "application/json", archive(Format::TarGz, GOOD)).await;
    let place = made.header("content-location").to_owned();
    for format in Format::ALL {
        let plain = get(&app, &format!("{place}{}", format.extension()), &[]).await;
        let address = format!("{place}{}?prefix=1", format.extension());
        let prefixed = get(&app, &address, &[]).await;
        assert_eq!(seen(&prefixed), (200, format.media_type(), FOR_EVER));
        assert!(prefixed.body != plain.body && prefixed.body == get(&app, &address, &[]).await.body);
        let zero = get(&app, &format!("{place}{}?prefix=0", format.extension()), &[]).await;
        assert!(zero.body == plain.body);
        let limits = odsmith_service::config::ArchiveLimits::default();
        let folder = format!("odsmith-{}", &place["/v1/results/".len()..][..16]);
        let below = odsmith_service::store::archive::read_below(&prefixed.body, &folder, &limits).unwrap();
        assert_eq!(
            below.len(),
            odsmith_service::store::archive::read(&prefixed.body, &limits).unwrap().len()
        );
        assert_eq!(below.len(), odsmith_service::store::archive::read(&plain.body, &limits).unwrap().len());
        assert!(!below.is_empty());
    }
    for wrong in ["prefix=2", "prefix=x", "other=1"] {
        assert_eq!(get(&app, &format!("{place}.tar.gz?{wrong}"), &[]).await.status, 400, "{wrong}");
    }
}

#[actix_web::test]
async fn generate() {
    let app = application!();
    let body = || archive(Format::TarGz, GOOD);
    let mut places = Vec::new();
    for format in Format::ALL {
        let made = post(&app, "/v1/generate", format.media_type(), body()).await;
        assert_eq!(seen(&made), (200, format.media_type(), NOT_AT_ALL));
        assert_eq!(Format::of_bytes(&made.body), Some(format));
        let place = made.header("content-location").to_owned();
        let kept = get(&app, &format!("{place}{}", format.extension()), &[]).await;
        assert_eq!(seen(&kept), (200, format.media_type(), FOR_EVER));
        assert_eq!((kept.header("content-encoding"), kept.body == made.body), ("", true));
        places.push(place);
    }
    let object = post(&app, "/v1/generate", "application/json", body()).await;
    assert_eq!(seen(&object), (200, "application/json", NOT_AT_ALL));
    places.push(object.header("content-location").to_owned());
    places.dedup();
    assert_eq!(places.len(), 1, "one result, whatever the form of the answer");
    let kept = get(&app, &places[0], &[]).await;
    assert_eq!(seen(&kept), (200, "application/json", FOR_EVER));
    assert!(kept.body == object.body, "what the answer's Content-Location says");
}

#[actix_web::test]
async fn generate_of_a_known_bundle() {
    let app = application!();
    let body = archive(Format::Zip, GOOD);
    let digest = keys::sha256(&body);
    let missing = get(&app, &format!("/v1/generate?bundle={digest}"), &[]).await;
    missing.is_problem(404, "bundle-not-found");
    let bundles = format!("/v1/bundles/{digest}");
    let head = || test::TestRequest::default().method(Method::HEAD).uri(&bundles);
    assert_eq!(seen(&send(&app, head(), "", "").await), (404, "application/problem+json", NOT_AT_ALL));
    for expected in [201, 204] {
        let put = send(&app, test::TestRequest::put().uri(&bundles), "application/zip", body.clone()).await;
        assert_eq!(seen(&put), (expected, "", NOT_AT_ALL));
    }
    assert_eq!(seen(&send(&app, head(), "", "").await), (204, "", NOT_AT_ALL));
    let known = get(&app, &format!("/v1/generate?bundle={digest}"), &[("accept", "application/zip")]).await;
    assert_eq!(seen(&known), (303, "", A_MINUTE));
    let result = get(&app, known.header("location"), &[]).await;
    assert_eq!(seen(&result), (200, "application/zip", FOR_EVER));
}

#[actix_web::test]
async fn results() {
    let app = application!();
    let made = post(&app, "/v1/generate", "application/json", archive(Format::Tar, GOOD)).await;
    let place = made.header("content-location");
    let object = get(&app, place, &[]).await.json();
    assert_eq!(object["key"], place.rsplit('/').next().unwrap_or_default());
    assert_eq!(object["engine"]["name"], "odsmith");
    assert_eq!(object["library"], json!({ "mlir": "22", "digest": keys::tree(std::iter::empty()) }));
    assert_eq!(object["manifest"]["target"][0]["td"], "dir/a.td");
    assert_eq!((&object["diagnostics"], &object["truncated"]), (&json!([]), &json!(false)));
    // Each archive's size and digest are those of the archive at its address.
    let archives = object["archives"].as_array().expect("archives");
    assert_eq!(archives.len(), Format::ALL.len());
    for (archive, format) in archives.iter().zip(Format::ALL) {
        let path = archive["path"].as_str().expect("a path");
        assert_eq!(path, format!("{place}{}", format.extension()));
        let whole = get(&app, path, &[]).await;
        assert_eq!(archive["sha256"], keys::sha256(&whole.body), "{path}");
        assert_eq!(archive["size"], whole.body.len());
        let part = get(&app, path, &[("range", "bytes=1-3")]).await;
        assert_eq!((part.status.as_u16(), &part.body[..]), (206, &whole.body[1..4]));
        assert_eq!(part.header("cache-control"), FOR_EVER);
    }
    // The object in the archive lacks only what depends on the archive.
    let inside = get(&app, &format!("{place}/files/result.json"), &[]).await;
    assert_eq!(seen(&inside), (200, "application/json", FOR_EVER));
    let mut without = object.clone();
    without.as_object_mut().expect("an object").remove("archives");
    assert_eq!(inside.json(), without);
    for (path, media_type) in [
        ("manifest.toml", "application/toml"),
        ("model.json", "application/json"),
        ("site/index.html", "text/plain; charset=utf-8"),
    ] {
        let file = get(&app, &format!("{place}/files/{path}"), &[]).await;
        assert_eq!(seen(&file), (200, media_type, FOR_EVER), "{path}");
    }
    let site = get(&app, &format!("{}/index.html", place.replace("results", "sites")), &[]).await;
    assert_eq!(seen(&site), (200, "text/html; charset=utf-8", FOR_EVER));
    assert!(site.header("content-security-policy").starts_with("default-src 'none'"));
}

#[actix_web::test]
async fn one_file_of_a_result() {
    let app = application!();
    let text = "text/plain; charset=utf-8";
    for (uri, media_type) in [
        ("/v1/tblgen?flags=--print-records&td=dir/a.td", text),
        ("/v1/records?td=dir/a.td", "application/json"),
        ("/v1/model", "application/json"),
    ] {
        let made = post(&app, uri, "*/*", archive(Format::Zip, GOOD)).await;
        assert_eq!(seen(&made), (200, media_type, NOT_AT_ALL), "{uri}");
        // The answer is now available by GET.
        let kept = get(&app, made.header("content-location"), &[]).await;
        assert_eq!((kept.status.as_u16(), kept.header("cache-control")), (200, FOR_EVER), "{uri}");
        assert!(kept.body == made.body, "{uri}");
    }
}

#[actix_web::test]
async fn check() {
    let app = application!();
    for (accept, media_type) in [
        ("application/json", "application/json"),
        ("application/sarif+json", "application/sarif+json"),
        ("text/plain", "text/plain; charset=utf-8"),
    ] {
        let checked = post(&app, "/v1/check", accept, b"def A : Missing;\n".to_vec()).await;
        assert_eq!(seen(&checked), (200, media_type, NOT_AT_ALL));
        assert!(String::from_utf8_lossy(&checked.body).contains("Couldn't find class 'Missing'"), "{accept}");
    }
}

#[actix_web::test]
async fn lint() {
    let app = application!();
    let text = b"class A { int x = 0; }\ndef B : A {\n  let x = 1;\n  let x = 2;\n}\n";
    for (accept, media_type) in [
        ("application/json", "application/json"),
        ("application/sarif+json", "application/sarif+json"),
        ("text/plain", "text/plain; charset=utf-8"),
    ] {
        let found = post(&app, "/v1/lint?select=TGN", accept, text.to_vec()).await;
        assert_eq!(seen(&found), (200, media_type, NOT_AT_ALL));
        assert!(
            String::from_utf8_lossy(&found.body).contains("a later 'let x' replaces the value"),
            "{accept}"
        );
    }
    for (path, media_type) in [("sarif", "application/sarif+json"), ("text", "text/plain; charset=utf-8")] {
        let found = post(&app, &format!("/v1/lint/{path}?select=TGN"), "*/*", text.to_vec()).await;
        assert_eq!(seen(&found), (200, media_type, NOT_AT_ALL));
    }
    // The default policy does not select this rule.
    let none = post(&app, "/v1/lint", "application/json", text.to_vec()).await.json();
    assert_eq!((&none["findings"], &none["notes"]), (&json!([]), &json!(0)));
    post(&app, "/v1/lint", "*/*", b"def A : Missing;".to_vec()).await.is_problem(422, "tablegen-errors");
    let wrong = post(&app, "/v1/lint?select=COR999", "*/*", text.to_vec()).await;
    assert_eq!(wrong.status, 400);
}

#[actix_web::test]
async fn discovery_and_pages() {
    let app = application!();
    for (path, media_type) in [
        ("/v1/generators", "application/json"),
        ("/v1/libraries", "application/json"),
        ("/v1/limits", "application/json"),
        ("/v1/version", "application/json"),
        ("/schemas/model.json", "application/schema+json"),
        ("/schemas/diff.json", "application/schema+json"),
        ("/schemas/plugin.json", "application/schema+json"),
        ("/openapi.json", "application/json"),
        ("/docs", "text/html; charset=utf-8"),
        ("/problems", "text/html; charset=utf-8"),
        ("/", "text/html; charset=utf-8"),
    ] {
        let answer = get(&app, path, &[]).await;
        assert_eq!(seen(&answer), (200, media_type, MINUTES), "{path}");
        assert!(answer.header("etag").starts_with("\"sha256-"), "{path}");
        let again = get(&app, path, &[("if-none-match", answer.header("etag"))]).await;
        assert_eq!((again.status.as_u16(), again.body.len()), (304, 0), "{path}");
    }
    let generators = get(&app, "/v1/generators", &[]).await.json();
    let has = |list: &str, flag: &str| {
        generators[list].as_array().into_iter().flatten().any(|entry| entry["flag"] == flag)
    };
    assert!(
        has("generators", "--gen-op-decls")
            && has("generators", "--dump-json")
            && has("options", "--dialect")
    );
    assert_eq!(get(&app, "/v1/libraries", &[]).await.json()["libraries"][0]["mlir"], "22");
    assert_eq!(get(&app, "/v1/version", &[]).await.json()["name"], "odsmith");
}

#[actix_web::test]
async fn the_operators_listener() {
    let mut config = config();
    (config.limits.jobs_running, config.limits.jobs_waiting) = (1, 1);
    let state = state(&config);
    let admin = App::new().app_data(state.clone()).configure(routes::configure_admin);
    let admin = test::init_service(admin).await;
    for (path, media_type) in [
        ("/livez", "text/plain"),
        ("/readyz", "text/plain"),
        ("/metrics", odsmith_service::observe::metrics::MEDIA_TYPE),
    ] {
        assert_eq!(seen(&get(&admin, path, &[]).await), (200, media_type, NOT_AT_ALL));
        // The public listener does not have them.
        let public = test::init_service(app::app(state.clone())).await;
        get(&public, path, &[]).await.is_problem(404, "not-found");
    }
    // A server is ready if its queue has capacity.
    let (go, gate) = std::sync::mpsc::channel::<()>();
    let (started, has_started) = std::sync::mpsc::channel();
    let ticket = Ticket::internal(Duration::from_secs(60));
    let running = state.results.pool.submit(&ticket, move || {
        let _ = started.send(());
        let _ = gate.recv();
    });
    has_started.recv().expect("it runs");
    let waiting = state.results.pool.submit(&ticket, || ());
    let refused = get(&admin, "/readyz", &[]).await;
    assert_eq!((refused.status.as_u16(), refused.header("cache-control")), (503, NOT_AT_ALL));
    assert_eq!(get(&admin, "/livez", &[]).await.status, 200, "busy is not dead");
    go.send(()).expect("it waits");
    running.expect("room").await.expect("its end").expect("it was done");
    waiting.expect("room").await.expect("its end").expect("it was done");
    assert_eq!(get(&admin, "/readyz", &[]).await.status, 200);
}

#[actix_web::test]
async fn sites_at_an_origin_of_their_own() {
    let app = application!(Config { site_origin: Some("https://sites.example".into()), ..config() });
    let made = post(&app, "/v1/generate", "*/*", archive(Format::Zip, GOOD)).await;
    let page = format!("{}/index.html", made.header("content-location").replace("results", "sites"));
    let away = get(&app, &page, &[("host", "odsmith.example")]).await;
    assert_eq!(away.status, 308);
    assert_eq!(away.header("location"), format!("https://sites.example{page}"));
    assert_eq!(get(&app, &page, &[("host", "sites.example")]).await.status, 200);
    for path in ["/", "/v1/version", made.header("content-location")] {
        get(&app, path, &[("host", "sites.example")]).await.is_problem(404, "not-found");
        assert_eq!(get(&app, path, &[("host", "odsmith.example")]).await.status, 200, "{path}");
    }
}

/// The limits that are promised by default.
#[actix_web::test]
async fn limits_as_promised() {
    let mut shown = get(&application!(), "/v1/limits", &[]).await.json();
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let mut take = |name: &str| shown.as_object_mut().expect("an object").remove(name).unwrap_or(Value::Null);
    assert_eq!((take("jobs_running"), take("jobs_waiting")), (json!(cores), json!(64 * cores)));
    let archive = json!({
        "body_bytes": 16 << 20, "unpacked_bytes": 64 << 20, "file_bytes": 8 << 20, "entries": 10_000,
        "path_bytes": 1_024, "path_depth": 32, "manifest_bytes": 1 << 20,
    });
    assert_eq!(take("archive"), archive);
    let job = json!({
        "fuel": 50_000_000, "arena_bytes": 256 << 20, "nesting": 32_000, "include_depth": 200, "records": 500_000,
        "list_items": 1_000_000, "string_bytes": 16 << 20, "output_bytes": 64 << 20, "diagnostics": 100,
        "targets": 2_000, "job_fuel": 1_000_000_000, "job_arena_bytes": 512 << 20, "work": 512 << 20,
        "text_bytes": 1 << 20,
    });
    assert_eq!(take("job"), job);
    assert_eq!(take("quota")["requests_per_minute"], 0, "no end to it, unless an operator sets one");
    let rest = json!({
        "head_seconds": 5, "body_seconds": 30, "body_bytes_per_second": 8 << 10, "fetch_seconds": 30,
        "job_seconds": 20, "bytes_in_flight": 512 << 20, "bytes_in_flight_of_client": 256 << 20,
        "connections": 20_000, "connections_of_client": 1_000, "idle_seconds": 15, "write_seconds": 30,
        "write_bytes_per_second": 8 << 10, "address_bytes": 8 << 10,
    });
    assert_eq!(shown, rest);
}

/// The manual is a site: pages and their resources have the policy of sites, and lead only to each other.
#[actix_web::test]
async fn the_manual() {
    let app = application!();
    let enter = get(&app, "/manual", &[]).await;
    assert_eq!((enter.status.as_u16(), enter.header("location")), (308, "/manual/"));
    for (path, media_type) in [
        ("", "text/html; charset=utf-8"),
        ("tutorial.html", "text/html; charset=utf-8"),
        ("how-to/cmake.html", "text/html; charset=utf-8"),
        ("reference/rules/COR001.html", "text/html; charset=utf-8"),
        ("assets/site.css", "text/css; charset=utf-8"),
        ("assets/site.js", "text/javascript; charset=utf-8"),
        ("assets/icon.svg", "image/svg+xml"),
    ] {
        let answer = get(&app, &format!("/manual/{path}"), &[]).await;
        assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, media_type), "{path}");
        let policy = answer.header("content-security-policy");
        assert!(
            policy.starts_with("default-src 'none'") && policy.ends_with("frame-ancestors 'none'"),
            "{path}: {policy}"
        );
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
    }
    let first = get(&app, "/manual/", &[]).await;
    let text = String::from_utf8_lossy(&first.body).into_owned();
    let links: Vec<&str> = text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let pages: Vec<&&str> = links.iter().filter(|link| link.ends_with(".html")).collect();
    assert!(pages.len() > 20, "{links:?}");
    for page in pages {
        assert_eq!(get(&app, &format!("/manual/{page}"), &[]).await.status.as_u16(), 200, "{page}");
    }
    get(&app, "/manual/nowhere.html", &[]).await.is_problem(404, "not-found");
}
