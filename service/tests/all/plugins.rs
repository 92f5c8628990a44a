//! Plugins over HTTP: modules in the bundle and modules that the server offers, their part in keys, and their limits.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::collections::BTreeMap;

use actix_web::{test, web::Data};
use odsmith_engine::{library::Library, release::Release};
use odsmith_service::{
    config::Config,
    http::{app, state::State},
    pipeline::{library::Libraries, plugins::OfferedModules},
    store::archive::{self, Format},
};
use odsmith_tests::{
    folder::TestFolder,
    plugins::{answering, asking, module},
};
use serde_json::Value;

use crate::support::http::{Answer, config, get, post};

const INPUT: &str = "class A<int x> { int v = x; }\ndef B : A<1>;\n";

/// Returns the archive of a project whose output a plugin makes.
fn bundle(plugins: &str, program: Option<(&str, &[u8])>) -> Vec<u8> {
    let manifest = format!(
        "[docs]\nenabled = false\n{plugins}\n[[target]]\ntd = \"a.td\"\nplugin = \"own\"\n\
         outputs = [{{ path = \"own.inc\", flags = [\"-gen-own\", \"-x=1\"] }},\n\
         {{ path = \"records.txt\", flags = [\"--print-records\"] }}]\n"
    );
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    files.insert("a.td".into(), INPUT.into());
    files.insert("odsmith.toml".into(), manifest.into_bytes());
    files.extend(program.map(|(path, bytes)| (path.to_owned(), bytes.to_vec())));
    archive::write(Format::Zip, &files)
}

fn answer(text: &str) -> String {
    format!(r#"{{"protocol":1,"files":[{{"name":"own.inc","text":"{text}"}}]}}"#)
}

/// Returns the state of a server that offers modules.
fn offering(config: &Config, modules: OfferedModules) -> Data<State> {
    let library = Library::new(Release::default(), "none".into(), BTreeMap::new());
    Data::new(State::new(config, Libraries::from(library).offering(modules)).unwrap())
}

async fn generate(state: &Data<State>, body: Vec<u8>) -> Answer {
    let app = test::init_service(app::app(state.clone())).await;
    post(&app, "/v1/generate", "application/json", body).await
}

/// Returns the output of the plugin, and the key of the result.
async fn made(state: &Data<State>, body: Vec<u8>) -> (String, String) {
    let answer = generate(state, body).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    let app = test::init_service(app::app(state.clone())).await;
    let address = answer.header("content-location").to_owned();
    let file = get(&app, &format!("{address}/files/cpp/own.inc"), &[]).await;
    (String::from_utf8(file.body).unwrap(), answer.json()["key"].as_str().unwrap().to_owned())
}

const OWN: &str = "[plugins]\nown = \"tools/own.wasm\"";

#[actix_web::test]
async fn a_module_of_the_bundle_makes_an_output() {
    let state = offering(&config(), OfferedModules::default());
    let needs = r#"{"protocol":1,"needs":{"classes":["A"]}}"#;
    let module = asking(needs, &answer("one"));
    let (text, key) = made(&state, bundle(OWN, Some(("tools/own.wasm", &module)))).await;
    assert_eq!(text, "one");
    // The same module under another path, and with a wrong digest.
    let (_, moved) = made(&state, bundle("[plugins]\nown = \"own.wasm\"", Some(("own.wasm", &module)))).await;
    assert_ne!(key, moved);
    let digest = format!("[plugins]\nown = {{ path = \"own.wasm\", sha256 = \"{}\" }}", "0".repeat(64));
    let problem = failed(&generate(&state, bundle(&digest, Some(("own.wasm", &module)))).await);
    assert!(problem.contains("the plugin 'own' has the digest "), "{problem}");
}

#[track_caller]
fn failed(answer: &Answer) -> String {
    let problem = answer.json();
    assert_eq!(answer.status, 422, "{problem}");
    problem["diagnostics"][0]["message"].as_str().unwrap().to_owned()
}

#[actix_web::test]
async fn the_bytes_of_a_module_are_a_part_of_the_key() {
    let state = offering(&config(), OfferedModules::default());
    let of = |text: &str| bundle(OWN, Some(("tools/own.wasm", &answering(&answer(text)))));
    let (one, key_of_one) = made(&state, of("one")).await;
    let (two, key_of_two) = made(&state, of("two")).await;
    assert_eq!((&*one, &*two), ("one", "two"));
    assert_ne!(key_of_one, key_of_two);
    assert_eq!(made(&state, of("one")).await, ("one".to_owned(), key_of_one.clone()));

    // A module that nothing names has no part in the result.
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    files.insert("a.td".into(), INPUT.into());
    let alone = generate(&state, archive::write(Format::Zip, &files)).await.json()["key"].clone();
    files.insert("other.wasm".into(), answering("{}"));
    assert_eq!(generate(&state, archive::write(Format::Zip, &files)).await.json()["key"], alone);
}

#[actix_web::test]
async fn a_server_offers_modules_by_name_and_by_digest() {
    let folder = TestFolder::new("offered");
    let with = |text: &str| {
        let path = folder.write("own.wasm", answering(&answer(text)));
        let mut modules = OfferedModules::default();
        modules.add("own", &path).unwrap();
        offering(&config(), modules)
    };
    let (text, key) = made(&with("one"), bundle("", None)).await;
    assert_eq!(text, "one");
    let digest = generate(&with("one"), bundle("", None)).await.json();
    let digest = digest["manifest"]["plugins"]["own"]["sha256"].as_str().unwrap().to_owned();
    let (other, other_key) = made(&with("two"), bundle("", None)).await;
    assert!(other == "two" && other_key != key, "the key has the digest of what is offered");
    let by_digest = format!("[plugins]\nown = {{ sha256 = \"{digest}\" }}");
    assert_eq!(made(&with("one"), bundle(&by_digest, None)).await.0, "one");
    let missing = failed(&generate(&with("two"), bundle(&by_digest, None)).await);
    assert_eq!(missing, "the plugin 'own' has no 'path', and none of this name is offered here");
    let none = offering(&config(), OfferedModules::default());
    let missing = failed(&generate(&none, bundle("", None)).await);
    assert_eq!(missing, "the plugin 'own' has no 'path', and none of this name is offered here");
    let mut modules = OfferedModules::default();
    let wrong = modules.add("x", &folder.write("x.wasm", "no module")).unwrap_err();
    assert!(wrong.contains("it is no WebAssembly module"), "{wrong}");
}

#[actix_web::test]
async fn programs_never_run_on_a_server() {
    let state = offering(&config(), OfferedModules::default());
    let body =
        bundle("[plugins]\nown = \"own.wasm\"", Some(("own.wasm", b"#!/bin/sh\ntouch /tmp/odsmith-ran\n")));
    let answer = generate(&state, body).await;
    assert_eq!(
        failed(&answer),
        "the plugin 'own' is a program, and only WebAssembly modules (.wasm) run on a server"
    );
    assert_eq!(answer.json()["detail"], "1 of 2 outputs could be made");
}

/// The fuel and the memory of the job are those of its plugins as well.
#[actix_web::test]
async fn limits_of_the_job_hold_for_plugins() {
    let start = |body: &str| module(&format!("(func (export \"_start\") {body})"));
    let of = |module: &[u8]| bundle(OWN, Some(("tools/own.wasm", module)));
    let mut less = config();
    less.limits.job.fuel = 100_000;
    less.limits.job.arena_bytes = 4 << 20;
    let state = offering(&less, OfferedModules::default());
    let forever = generate(&state, of(&start("(loop $l (br $l))"))).await;
    let problem = forever.is_problem(422, "limit-exceeded");
    let message = problem["diagnostics"][0]["message"].as_str().unwrap();
    assert_eq!(message, "the plugin 'own': limit reached: work (at most 25600000 instructions)");
    let grows = "(loop $more (br_if $more (i32.ne (memory.grow (i32.const 16)) (i32.const -1)))) unreachable";
    let grows = generate(&state, of(&start(grows))).await;
    let problem = grows.is_problem(422, "limit-exceeded");
    let message = problem["diagnostics"][0]["message"].as_str().unwrap();
    assert_eq!(message, "the plugin 'own': limit reached: memory (at most 4194304 bytes)");

    // A plugin's work counts for its target.
    let state = offering(&config(), OfferedModules::default());
    let fuel = |answer: &Value| answer["targets"][0]["fuel"].as_u64().unwrap();
    let short = generate(&state, of(&answering(&answer("x")))).await.json();
    let loops = "(local $i i32) (loop $l (local.set $i (i32.add (local.get $i) (i32.const 1)))
                   (br_if $l (i32.lt_u (local.get $i) (i32.const 1000000))))";
    let long = generate(&state, of(&start(loops))).await.json();
    let address = long["result"].as_str().unwrap();
    let app = test::init_service(app::app(state.clone())).await;
    let long = get(&app, address, &[]).await.json();
    assert!(fuel(&long) > fuel(&short) + 1_000_000 / 256, "{} {}", fuel(&long), fuel(&short));
}
