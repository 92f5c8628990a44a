//! `odsmith calibrate`, with the reference of the set-up.

use std::{env, fs, path::PathBuf};

use odsmith_engine::release::Rule;
use odsmith_tests::{Run, folder::TestFolder, reference, set_up};

fn odsmith(folder: &std::path::Path, words: &[&str]) -> Run {
    reference::program(set_up::odsmith(), folder, words)
}

/// The tool of another release (`make conformance`) follows all rules of its release and does nothing else, and its texts
/// decide nearly all of them.
#[test]
fn the_tool_of_a_release_has_its_rules() {
    let Ok(release) = env::var("ODSMITH_CONFORM_RELEASE") else { return };
    let (tool, library) = match &*release {
        "22" => (set_up::reference_tools().join("mlir-tblgen"), PathBuf::from(set_up::library())),
        release => {
            let prefix = set_up::release(release, "tools").expect("the tool of the release");
            (prefix.join("bin/mlir-tblgen"), prefix.join("include"))
        }
    };
    let folder = TestFolder::new("calibrate");
    let [tool, library] = [tool, library].map(|path| path.display().to_string());
    let made = odsmith(&folder, &["calibrate", "--tool", &tool, "--library", &library, "-o", "tool.toml"]);
    assert_eq!(made.status, 0, "{}", String::from_utf8_lossy(&made.err));
    let profile = fs::read_to_string(folder.join("tool.toml")).expect("a profile");
    for line in [&format!("base = \"{release}\"")[..], "on = []", "off = []"] {
        assert!(profile.lines().any(|other| other == line), "no line {line}: {profile}");
    }
    assert!(!profile.contains("[[unknown]]"), "{profile}");
    let (undecided, known) = (profile.matches("[[undecided]]").count(), Rule::all().count());
    assert!(undecided * 20 <= known, "{profile}");
    println!("MLIR {release}: {undecided} of {known} rules are undecided");
}

/// The reference follows all rules of its release and does nothing else; its profile is a release to all purposes.
#[test]
fn the_reference_has_the_rules_of_its_release() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("calibrate");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("project")).expect("a folder");
    let tool = set_up::reference_tools().join("mlir-tblgen").display().to_string();
    let made =
        odsmith(&folder, &["calibrate", "--tool", &tool, "--library", set_up::library(), "-o", "tool.toml"]);
    let said = String::from_utf8_lossy(&made.err).into_owned();
    assert_eq!(made.status, 0, "{said}");
    assert!(said.contains("with 0 rules more and 0 less; 0 of "), "{said}");
    let profile = fs::read_to_string(folder.join("tool.toml")).expect("a profile");
    assert!(profile.contains("base = \"22\"") && !profile.contains("[[unknown]]"), "{profile}");

    let text = "include \"mlir/IR/OpBase.td\"\ndef D : Dialect { let name = \"d\"; let cppNamespace = \"d\"; }\n\
                def A : Op<D, \"a\">;\n";
    fs::write(folder.join("project/AOps.td"), text).expect("a file");
    let call = |mlir: &str| {
        let words = ["tblgen", mlir, "-gen-op-decls", "-I", set_up::library(), "project/AOps.td"];
        odsmith(&folder, &words)
    };
    assert_eq!(call("--mlir=tool.toml").out, call("--mlir=22").out);
    let wrong = profile.replace("on = []", "on = [\"NoSuchRule\"]");
    fs::write(folder.join("wrong.toml"), wrong).expect("a file");
    let refused = String::from_utf8_lossy(&call("--mlir=wrong.toml").err).into_owned();
    assert!(refused.contains("wrong.toml: the rule 'NoSuchRule' is not known"), "{refused}");

    let check = |mlir: &str| {
        let words = ["calibrate", "--tool", &tool, "--library", set_up::library(), "--check", "project"];
        odsmith(&folder, &[&words[..], &["--mlir", mlir]].concat())
    };
    let same = check("tool.toml");
    let said = String::from_utf8_lossy(&same.err).into_owned();
    assert!(same.status == 0 && said.contains("outputs compared, 0 differ"), "{said}");
}
