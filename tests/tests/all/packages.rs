//! Checks the recipes of packages: they have the version of the programs, and every file that they name exists.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use odsmith_tests::set_up::repository;

/// The placeholder with which a recipe takes its version from `Cargo.toml`.
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
    // A snapshot of trunk is in no suite of a distribution for long.
    for release in odsmith_engine::release::Release::ALL.iter().filter(|release| release.snapshot().is_none())
    {
        assert!(line.contains(&format!("\"{}\"", release.name())), "MLIR {} is not packed", release.name());
    }
}

fn output(program: &str, words: &[&str]) -> String {
    let output = Command::new(program).args(words).current_dir(repository()).output();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(output.status.success(), "{program} {words:?}\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The files that a source includes at compile time.
fn included(text: &str) -> impl Iterator<Item = &str> {
    ["include_str!(\"", "include_bytes!(\"", "#[path = \""].into_iter().flat_map(move |start| {
        text.split(start).skip(1).filter_map(|rest| rest.split_once('"')).map(|(path, _)| path)
    })
}

/// The package of each crate is complete: it has the metadata and every file that is compiled in. Files from outside of
/// its folder are those that `make dist` puts there.
#[test]
fn every_crate_can_be_published() {
    let cargo = env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let metadata = output(&cargo, &["metadata", "--no-deps", "--offline", "--format-version=1"]);
    let metadata: serde_json::Value = serde_json::from_str(&metadata).expect("JSON");
    let dist = text("tests/dist/dist.py");
    let mut count = 0;
    for package in metadata["packages"].as_array().expect("packages") {
        let name = package["name"].as_str().expect("a name");
        if package["publish"].as_array().is_some_and(Vec::is_empty) {
            continue;
        }
        count += 1;
        for field in ["description", "license", "rust_version"] {
            assert!(package[field].as_str().is_some_and(|text| !text.is_empty()), "{name} has no {field}");
        }
        let listed = output(&cargo, &["package", "--list", "--offline", "--allow-dirty", "-p", name]);
        let listed: BTreeSet<&str> = listed.lines().collect();
        let root = Path::new(package["manifest_path"].as_str().expect("a path")).parent().expect("a folder");
        assert!(listed.contains("src/lib.rs") || listed.contains("src/main.rs"), "{name}: {listed:?}");
        // Tests are not published.
        let sources = listed.iter().filter(|path| path.ends_with(".rs") && !path.starts_with("tests/"));
        for source in sources.filter(|path| root.join(path).is_file()) {
            for path in included(&fs::read_to_string(root.join(source)).expect("text")) {
                let folder = Path::new(source).parent().expect("a folder");
                let mut place = PathBuf::new();
                let mut is_outside = false;
                for part in folder.join(path).iter() {
                    match part == ".." {
                        true => is_outside |= !place.pop(),
                        false => place.push(part),
                    }
                }
                let moved =
                    path.rfind("../").map_or(path, |at| path[at + 3..].split('/').next().unwrap_or(path));
                let is_packed = !is_outside && listed.contains(&*place.to_string_lossy());
                let is_moved =
                    dist.contains(&format!("\"{path}\"")) || dist.contains(&format!("../{moved}/"));
                assert!(is_packed || is_moved, "{name}: {source} needs {path}");
            }
        }
    }
    assert!(count >= 10, "{count} crates");
}

/// A clone has to work on systems with reserved names and characters, and without case in file names.
#[test]
fn every_system_takes_the_names_of_the_repository() {
    const DEVICES: &[&str] =
        &["con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "lpt1", "lpt2", "lpt3"];
    let mut seen = BTreeMap::new();
    for path in output("git", &["ls-files"]).lines() {
        for part in path.split('/') {
            let stem = part.split('.').next().unwrap_or(part).to_lowercase();
            assert!(!DEVICES.contains(&&*stem), "{path} has the name of a device");
            assert!(!part.ends_with(['.', ' ']), "{path} ends with a dot or a space");
            assert!(
                !part.contains(['<', '>', ':', '"', '|', '?', '*', '\\']),
                "{path} has a character that is refused"
            );
        }
        assert!(path.len() < 200, "{path} is too long");
        let other = seen.insert(path.to_lowercase(), path);
        assert!(other.is_none(), "{path} and {other:?} differ in case only");
    }
}
