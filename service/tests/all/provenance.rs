//! The provenance of a result: it is stated, signed, verified by `odsmith verify`, and reproduced.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use crate::support::{
    archive,
    http::{application, config, get, post},
};
use actix_web::{test, web::Data};
use odsmith_service::{
    config::Config,
    http::{app, state::State},
    pipeline::{library, workspace::Workspace},
    store::{archive::Format, keys, signing::PublicKey},
};
use odsmith_tests::{folder::TestFolder, set_up};
use serde_json::Value;

/// The private key of RFC 8410, section 10.
const PRIVATE: &str = "-----BEGIN PRIVATE KEY-----\n\
    MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n-----END PRIVATE KEY-----\n";

const FILES: &[(&str, &str)] = &[
    ("include/a.td", "include \"b.td\"\ndef A : B<1>;\n"),
    ("include/b.td", "class B<int x> { int v = x; }\n"),
    (
        "odsmith.toml",
        "[[target]]\ntd = \"include/a.td\"\noutputs = [{ path = \"r.txt\", flags = [\"-print-records\"] }]\n",
    ),
];

struct Scratch(TestFolder);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let folder = TestFolder::new(&format!("provenance-{name}"));
        for (file, text) in FILES {
            folder.write(&format!("bundle/{file}"), text);
        }
        folder.write("private", PRIVATE);
        Scratch(folder)
    }

    fn verify(&self, file: &Path, more: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_odsmith-service"));
        command.arg("verify").arg(file).arg("--public-key").arg(self.0.join("public"));
        command.args(more).args(["--library", &format!("22={}", set_up::library())]).output().unwrap()
    }
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[actix_web::test]
async fn a_result_is_stated_signed_checked_and_made_again() {
    let scratch = Scratch::new("all");
    let config = Config { signing_key_file: Some(scratch.0.join("private")), ..config() };
    let named = format!("22={}", set_up::library()).parse().unwrap();
    let libraries = library::Libraries::load(&[named], None, None, &Vec::new).unwrap();
    let app = test::init_service(app::app(Data::new(State::new(&config, libraries).unwrap()))).await;
    let version = get(&app, "/v1/version", &[]).await.json();
    let public = scratch.0.write("public", version["signing_key"].as_str().unwrap().as_bytes());
    let bundle = scratch.0.join("bundle");
    let sent = odsmith_service::store::archive::write(
        Format::TarGz,
        &Workspace::open(&bundle, false)
            .and_then(|files| files.bundle())
            .unwrap()
            .iter()
            .map(|(path, bytes)| (path.to_owned(), bytes.to_vec()))
            .collect(),
    );
    let made = post(&app, "/v1/generate", "*/*", sent).await;
    assert_eq!(made.status, 200, "{}", String::from_utf8_lossy(&made.body));
    let address = made.header("content-location").to_owned();
    let key = address.rsplit('/').next().unwrap();
    let signed = get(&app, &format!("{address}.intoto.json"), &[]).await;
    assert_eq!(
        (signed.status.as_u16(), signed.header("content-type")),
        (200, "application/vnd.dsse.envelope.v1+json")
    );
    // The statement, in the words of in-toto and SLSA.
    let envelope = serde_json::from_slice(&signed.body).unwrap();
    let statement: Value =
        serde_json::from_slice(&PublicKey::read(&public).unwrap().open(&envelope).unwrap()).unwrap();
    assert_eq!(statement["_type"], "https://in-toto.io/Statement/v1");
    assert_eq!(statement["predicateType"], "https://slsa.dev/provenance/v1");
    let subject = |name: &str| {
        let subjects = statement["subject"].as_array().unwrap();
        subjects.iter().find(|subject| subject["name"] == name).unwrap()["digest"]["sha256"].clone()
    };
    assert_eq!(subject(&format!("{key}.tar.gz")), keys::sha256(&made.body));
    let records = get(&app, &format!("{address}/files/cpp/r.txt"), &[]).await.body;
    assert_eq!(subject("cpp/r.txt"), keys::sha256(&records));
    let object = get(&app, &address, &[]).await.json();
    let definition = &statement["predicate"]["buildDefinition"];
    assert_eq!(definition["resolvedDependencies"][0]["digest"]["odsmithTree"], object["tree"]);
    assert_eq!(definition["resolvedDependencies"][1]["digest"]["odsmithTree"], object["library"]["digest"]);
    assert_eq!(definition["externalParameters"]["manifest"], object["manifest"]);
    let builder = format!("urn:odsmith:build:{}", version["build"].as_str().unwrap());
    assert_eq!(statement["predicate"]["runDetails"]["builder"]["id"], builder);
    // Verification.
    let archived = scratch.0.write(&format!("{key}.tar.gz"), &made.body);
    let stated = scratch.0.write(&format!("{key}.intoto.json"), &signed.body);
    for file in [&archived, &stated] {
        let good = scratch.verify(file, &[]);
        assert!(
            good.status.success() && text(&good).contains(object["tree"].as_str().unwrap()),
            "{}",
            text(&good)
        );
    }
    let file = scratch.0.write("r.txt", &records);
    let named = ["--statement", stated.to_str().unwrap()];
    assert!(scratch.verify(&file, &named).status.success());
    let other = scratch.0.write("r.txt", b"something else");
    let bad = scratch.verify(&other, &named);
    assert!(bad.status.code() == Some(1) && text(&bad).contains("names no file"), "{}", text(&bad));
    // Reproduction.
    let again = scratch.verify(&archived, &["--rebuild", bundle.to_str().unwrap()]);
    assert!(again.status.success() && text(&again).contains("the same bytes"), "{}", text(&again));
    fs::write(bundle.join("include/b.td"), "class B<int x> { int v = 2; }\n").unwrap();
    let changed = scratch.verify(&archived, &["--rebuild", bundle.to_str().unwrap()]);
    assert!(
        changed.status.code() == Some(1) && text(&changed).contains("this is the tree"),
        "{}",
        text(&changed)
    );
    // Another key.
    let stranger = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n";
    scratch.0.write("public", stranger.as_bytes());
    let forged = scratch.verify(&archived, &[]);
    assert!(
        forged.status.code() == Some(1) && text(&forged).contains("not signed by the key"),
        "{}",
        text(&forged)
    );
}

#[actix_web::test]
async fn nothing_is_stated_without_a_key_or_of_failures() {
    let app = application!();
    let made = post(&app, "/v1/generate", "*/*", archive(Format::Zip, &[("a.td", "def A;")])).await;
    let address = format!("{}.intoto.json", made.header("content-location"));
    get(&app, &address, &[]).await.is_problem(404, "not-found");
    assert!(get(&app, "/v1/version", &[]).await.json().get("signing_key").is_none());
    let scratch = Scratch::new("none");
    let app = application!(Config { signing_key_file: Some(scratch.0.join("private")), ..config() });
    let failed = post(&app, "/v1/tblgen", "*/*", b"def A : Missing;".to_vec()).await;
    let address = failed.is_problem(422, "tablegen-errors")["result"].as_str().unwrap().to_owned();
    get(&app, &format!("{address}.intoto.json"), &[]).await.is_problem(404, "not-found");
    get(&app, &format!("/v1/results/{}.intoto.json", "0".repeat(64)), &[])
        .await
        .is_problem(404, "result-not-found");
}

/// A server that would sign what anyone wrote into a shared cache does not start.
#[::core::prelude::v1::test]
fn nothing_is_signed_that_others_can_write() {
    let scratch = Scratch::new("shared");
    let serve = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_odsmith-service"));
        command.args(["serve", "--bind", "127.0.0.1:0", "--print-config", "--signing-key-file"]);
        command.arg(scratch.0.join("private")).args(more).output().unwrap()
    };
    let key = scratch.0.write("key", [b'k'; 32]);
    let shared = ["--shared-cache", "redis://127.0.0.1:1/"];
    let refused = serve(&shared);
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused));
    assert!(text(&refused).contains("a signing key needs --shared-key-file"), "{}", text(&refused));
    let sealed = serve(&[&shared[..], &["--shared-key-file", key.to_str().unwrap()]].concat());
    assert_eq!(sealed.status.code(), Some(0), "{}", text(&sealed));
    assert_eq!(serve(&[]).status.code(), Some(0));
}

/// A server that signs rejects an entry that another program wrote into its folder, although its digest is right.
#[actix_web::test]
async fn a_forged_entry_of_the_store_is_not_signed() {
    let scratch = Scratch::new("store");
    let unsigned = || Config { store: Some(scratch.0.join("store")), ..config() };
    let body = || b"def A;".to_vec();
    // Anyone can write what a server without a key reads.
    let made = post(&application!(unsigned()), "/v1/tblgen?flags=--print-records", "*/*", body()).await;
    let address = made.header("content-location").split("/files").next().unwrap().to_owned();
    assert_eq!(get(&application!(unsigned()), &address, &[]).await.status, 200);
    let signing = || Config { signing_key_file: Some(scratch.0.join("private")), ..unsigned() };
    let statement = format!("{address}.intoto.json");
    let app = application!(signing());
    get(&app, &statement, &[]).await.is_problem(404, "result-not-found");
    // Its own entries stay valid over a restart.
    post(&app, "/v1/tblgen?flags=--print-records", "*/*", body()).await;
    assert_eq!(get(&application!(signing()), &statement, &[]).await.status, 200);
}
