//! Profiles in the place of a release: in `odsmith.toml`, on the command line, and of a server.

use std::fs;

use odsmith_tests::{
    Run,
    archive::{self, File},
    folder::TestFolder,
    http::Service,
    reference, set_up,
};
use serde_json::Value;

const DEFINITIONS: &str = "include \"mlir/IR/OpBase.td\"\ndef D : Dialect { let name = \"d\"; let cppNamespace = \"d\"; }\n\
                           def A : Op<D, \"a\"> { let arguments = (ins I32Attr:$n); let results = (outs F32:$r); }\n";
/// Two rules of a later release, of which the first alone changes these definitions' declarations.
const RULES: [&str; 2] = ["InherentAttributesWalked", "DividedAttributes"];

fn profile(rule: &str) -> String {
    format!("schema = \"odsmith.profile/1\"\nbase = \"22\"\non = [\"{rule}\"]\n")
}

fn odsmith(folder: &TestFolder, words: &[&str]) -> Run {
    reference::program(set_up::odsmith(), folder, words)
}

/// The declarations that `tblgen` makes, which the other commands must make as well.
fn declarations(folder: &TestFolder, mlir: &str) -> String {
    let mlir = format!("--mlir={mlir}");
    let words = ["tblgen", &mlir, "-gen-op-decls", "-I", set_up::library(), "project/AOps.td"];
    let made = odsmith(folder, &words);
    assert_eq!(made.status, 0, "{}", String::from_utf8_lossy(&made.err));
    String::from_utf8(made.out).expect("text")
}

/// Runs `generate` and returns the declarations and the result object.
fn generated(folder: &TestFolder, words: &[&str]) -> (String, Value) {
    let made = odsmith(folder, &[&["generate", "-o", "out"], words].concat());
    assert_eq!(made.status, 0, "{}", String::from_utf8_lossy(&made.err));
    let read = |path: &str| fs::read_to_string(folder.join("out").join(path)).expect(path);
    (read("cpp/AOps.h.inc"), serde_json::from_str(&read("result.json")).expect("JSON"))
}

#[test]
fn a_project_is_generated_by_the_rules_of_its_profile() {
    let folder = TestFolder::new("profiles");
    folder.write("project/AOps.td", DEFINITIONS);
    folder.write("walked.toml", profile(RULES[0]));
    let usual = declarations(&folder, "22");
    let walked = declarations(&folder, "walked.toml");
    assert_ne!(usual, walked);
    let (text, of_release) = generated(&folder, &["project"]);
    assert_eq!(text, usual);

    let (text, of_flag) = generated(&folder, &["project", "--mlir", "walked.toml"]);
    assert_eq!(text, walked);
    assert_eq!(
        (&of_flag["manifest"]["mlir"], &of_flag["library"]["mlir"]),
        (&"walked.toml".into(), &"22".into())
    );
    assert_ne!(of_flag["key"], of_release["key"]);

    folder.write("project/odsmith.toml", "mlir = '../walked.toml'\n");
    let (text, of_manifest) = generated(&folder, &["project"]);
    assert_eq!((text, &of_manifest["manifest"]["mlir"]), (walked, &"walked.toml".into()));
    // The key covers the profile's text, wherever the profile is.
    folder.write("walked.toml", profile(RULES[1]));
    let (text, changed) = generated(&folder, &["project"]);
    assert_eq!(text, declarations(&folder, "walked.toml"));
    assert_ne!(changed["key"], of_manifest["key"]);
    let (text, _) = generated(&folder, &["project", "--mlir", "22"]);
    assert_eq!(text, usual);

    let listed = odsmith(&folder, &["ls", "--json", "project"]);
    let listed: Value = serde_json::from_slice(&listed.out).expect("JSON");
    assert_eq!(
        listed["projects"][0]["mlir"],
        serde_json::json!({ "value": "walked.toml", "by": "odsmith.toml" })
    );

    folder.write("walked.toml", profile("NoSuchRule"));
    let refused = odsmith(&folder, &["check", "project"]);
    let said = String::from_utf8_lossy(&refused.err).into_owned();
    assert_eq!(refused.status, 2, "{said}");
    assert!(said.contains("walked.toml: the rule 'NoSuchRule' is not known"), "{said}");
    folder.write("project/odsmith.toml", "mlir = 'absent.toml'\n");
    let refused = odsmith(&folder, &["check", "project"]);
    let said = String::from_utf8_lossy(&refused.err).into_owned();
    assert!(refused.status == 2 && said.contains("absent.toml"), "{said}");
}

#[test]
fn a_server_generates_by_profiles_of_its_own_and_of_bundles() {
    let folder = TestFolder::new("profiles-http");
    folder.write("project/AOps.td", DEFINITIONS);
    let file = folder.write("walked.toml", profile(RULES[0]));
    let of_library =
        folder.write("other.toml", format!("library = \"of-another-one\"\n{}", profile(RULES[0])));
    let options = [format!("trunk={}", file.display()), format!("other={}", of_library.display())];
    let service = Service::start(&["--profile", &options[0], "--profile", &options[1]]);

    let libraries = service.get("/v1/libraries").json();
    let names: Vec<(&str, Option<&str>)> = libraries["libraries"]
        .as_array()
        .expect("libraries")
        .iter()
        .map(|one| (one["mlir"].as_str().expect("a name"), one["base"].as_str()))
        .collect();
    assert_eq!(names, [("22", None), ("trunk", Some("22")), ("other", Some("22"))]);

    let ask = |query: &str, files: &[File]| {
        let path = format!("/v1/generate?{query}");
        let json = [("Content-Type", "application/x-tar"), ("Accept", "application/json")];
        service.request("POST", &path, &json, &archive::tar(files))
    };
    let definitions: File = ("AOps.td".to_owned(), DEFINITIONS.as_bytes().to_vec());
    let digest = |answer: &odsmith_tests::http::Answer| {
        let value = answer.json();
        (value["outputs"][0]["sha256"].clone(), value["key"].clone(), value["manifest"]["mlir"].clone())
    };
    let usual = digest(&ask("", std::slice::from_ref(&definitions)));
    let of_server = digest(&ask("mlir=trunk", std::slice::from_ref(&definitions)));
    assert_ne!(usual.0, of_server.0);
    assert_eq!(of_server.2, "trunk");
    // Other settings are no part of a result.
    let package: File = ("Cargo.toml".to_owned(), b"[package]\nname = 'a'\n".to_vec());
    assert_eq!(digest(&ask("", &[definitions.clone(), package])), usual);
    let manifest: File = ("odsmith.toml".to_owned(), b"mlir = './mlir/walked.toml'\n".to_vec());
    let own: File = ("mlir/walked.toml".to_owned(), profile(RULES[0]).into_bytes());
    let of_bundle = digest(&ask("", &[definitions.clone(), manifest.clone(), own]));
    assert_eq!((&of_bundle.0, &of_bundle.2), (&of_server.0, &"mlir/walked.toml".into()));
    assert!(of_bundle.1 != of_server.1 && of_server.1 != usual.1);

    let absent = ask("", &[definitions.clone(), manifest]);
    assert_eq!(absent.status, 400);
    assert!(
        absent.json()["detail"]
            .as_str()
            .is_some_and(|text| text.contains("the profile 'mlir/walked.toml' is not among the files"))
    );
    let unknown = ask("mlir=later", std::slice::from_ref(&definitions)).json();
    assert!(
        unknown["detail"].as_str().is_some_and(|text| text.ends_with("there is 22, trunk, other")),
        "{unknown}"
    );
    // A profile that was measured with another library says so.
    let warned = ask("mlir=other", std::slice::from_ref(&definitions)).json();
    let message = warned["diagnostics"][0]["message"].as_str().unwrap_or_default();
    assert!(message.contains("is not the one that 'other' was measured with"), "{warned}");
    let editor = serde_json::json!({ "files": { "AOps.td": DEFINITIONS }, "mlir": "trunk" }).to_string();
    let answer =
        service.request("POST", "/v1/ide/check", &[("Content-Type", "application/json")], editor.as_bytes());
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
}

#[test]
fn a_server_takes_the_library_of_a_profile_by_its_name() {
    let folder = TestFolder::new("profiles-library");
    let file = folder.write("trunk.toml", profile(RULES[0]));
    let (profile, library) = (format!("trunk={}", file.display()), format!("trunk={}", set_up::library()));
    let service = Service::start(&["--profile", &profile, "--library", &library]);
    let libraries = service.get("/v1/libraries").json();
    assert_eq!(libraries["libraries"][1]["mlir"], "trunk");
    folder.write("AOps.td", DEFINITIONS);
    let refused = odsmith(&folder, &["check", "--library", &library, "."]);
    let said = String::from_utf8_lossy(&refused.err).into_owned();
    assert!(said.contains("names a library of MLIR 'trunk': it takes a release"), "{said}");
}
