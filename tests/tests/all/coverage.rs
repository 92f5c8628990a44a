//! `odsmith docs --min-coverage`: with too few documented definitions a build fails, but still writes the site.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::{fs, path::Path, process::Command};

use odsmith_tests::{
    folder::TestFolder,
    set_up::{library, odsmith, repository},
};

#[test]
fn too_little_documentation_fails_a_build() {
    let out = TestFolder::new("coverage");
    let (status, messages) = docs(&out, "100");
    assert_eq!(status, Some(1), "{messages}");
    let coverage: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(out.join("coverage.json")).unwrap()).unwrap();
    let percent = &coverage["total"]["percent"];
    assert!(
        messages.contains(&format!("error: {percent} % is documented, 100 % is asked for")),
        "{messages}"
    );
    for page in ["coverage.html", "coverage.svg", "mill/op/add.html", "mill/patterns.html", "mill/all.html"] {
        assert!(out.join(page).exists(), "{page}");
    }

    let (status, messages) = docs(&out, &percent.to_string());
    assert_eq!(status, Some(0), "{messages}");
}

/// Builds the site of the dialect that the tests compile.
fn docs(out: &Path, least: &str) -> (Option<i32>, String) {
    let mut command = Command::new(odsmith());
    command.arg("docs").arg(repository().join("tests/compile")).arg("--out").arg(out);
    let output = command.args(["--library", library(), "--min-coverage", least]).output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}
