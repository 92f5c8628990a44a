//! Holds the recipes of packages to the programs: one version, and every file that they name.

use std::{
    fs,
    path::{Path, PathBuf},
};

use odsmith_tests::set_up::repository;

/// What says that a recipe takes its version from `Cargo.toml`.
const HOLE: &str = "@VERSION@";

fn text(path: &str) -> String {
    fs::read_to_string(repository().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn version() -> String {
    let manifest = text("Cargo.toml");
    let (_, package) = manifest.split_once("[workspace.package]").expect("a package");
    let version = package.lines().find_map(|line| line.strip_prefix("version = ")).expect("a version");
    version.trim_matches('"').to_owned()
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

#[test]
fn there_is_one_version() {
    let version = version();
    let manifest = text("Cargo.toml");
    let own: Vec<&str> =
        manifest.lines().filter(|line| line.starts_with("odsmith") && line.contains("path =")).collect();
    assert!(own.len() >= 8, "{own:?}");
    for line in own {
        assert!(line.contains(&format!("version = \"={version}\"")), "another version: {line}");
    }
    let description: serde_json::Value = serde_json::from_str(&text("service/openapi.json")).expect("JSON");
    assert_eq!(description["info"]["version"], version.as_str());
    let mut recipes = Vec::new();
    files(&repository().join("service/packages"), &mut recipes);
    for recipe in recipes.iter().filter(|path| !path.iter().any(|part| part == "__pycache__")) {
        let text = fs::read_to_string(recipe).expect("text");
        assert!(!text.contains(&version), "{} has a version of its own", recipe.display());
    }
}

#[test]
fn recipes_take_the_version_of_the_programs() {
    for recipe in ["debian/control", "debian/changelog", "npm/package.json", "npm/platform.json"] {
        assert!(text(&format!("service/packages/{recipe}")).contains(HOLE), "{recipe}");
    }
    assert!(text("service/packages/python/pyproject.toml").contains("dynamic = [\"version\"]"));
}

#[test]
fn every_supported_release_is_packed() {
    let listed = text("tests/dist/dist.py");
    let line = listed.lines().find(|line| line.starts_with("RELEASES = ")).expect("a list");
    for release in odsmith_engine::release::Release::ALL.iter().filter(|release| release.is_complete()) {
        assert!(line.contains(&format!("\"{}\"", release.name())), "MLIR {} is not packed", release.name());
    }
}
