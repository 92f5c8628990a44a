//! `odsmith calibrate`, with the reference of the set-up.

use std::{fs, path::PathBuf};

use odsmith_tests::{Run, reference, set_up};

fn odsmith(folder: &std::path::Path, words: &[&str]) -> Run {
    reference::program(set_up::odsmith(), folder, words)
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
