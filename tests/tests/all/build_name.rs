//! The name of a build: a change of any crate that a program is made of gives it another one.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use odsmith_sources::Sources;
use odsmith_tests::{
    folder::TestFolder,
    set_up::{odsmith, repository},
};

fn digest(root: &Path, folder: &str) -> String {
    let sources = Sources::of_crate(&root.join(folder)).expect("sources");
    sources.digest().expect("a digest")
}

/// The folders of the crates of the repository that a crate is made of, as cargo has them.
fn crates_of(package: &str) -> BTreeSet<PathBuf> {
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--prefix", "none", "--edges", "normal,build"])
        .args(["--package", package])
        .current_dir(repository())
        .output()
        .expect("cargo tree");
    let text = String::from_utf8(tree.stdout).expect("text");
    let root = repository().canonicalize().expect("a folder");
    let folder = |line: &str| {
        let place = line.split_once('(')?.1.split_once(')')?.0;
        Some(Path::new(place).strip_prefix(&root).ok()?.to_owned())
    };
    let folders: BTreeSet<PathBuf> = text.lines().filter_map(folder).collect();
    assert!(folders.len() > 5, "{text}\n{}", String::from_utf8_lossy(&tree.stderr));
    folders
}

/// Copies what a name may depend on: all manifests and sources.
fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_passed_over =
            name.starts_with('.') || ["target", "fixtures", "node_modules"].contains(&&*name);
        let target = to.join(&name);
        if entry.path().is_dir() && !is_passed_over {
            copy(&entry.path(), &target);
        } else if name.ends_with(".rs") || name.starts_with("Cargo.") || from.ends_with("templates") {
            fs::create_dir_all(to).expect("a folder");
            fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

#[test]
fn a_change_of_any_crate_changes_the_name() {
    let root = TestFolder::new("build-name");
    copy(repository(), &root);
    for (folder, package) in [("engine", "odsmith-engine"), ("service", "odsmith-service")] {
        let name = digest(&root, folder);
        let differs_after = |file: &Path| {
            let text = fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            fs::write(file, [&text[..], b"\n"].concat()).expect("a file");
            let changed = digest(&root, folder);
            fs::write(file, text).expect("a file");
            assert_eq!(digest(&root, folder), name, "{}", file.display());
            changed != name
        };
        let crates = crates_of(package);
        for own in &crates {
            assert!(differs_after(&root.join(own).join("src/lib.rs")), "{package}: {}", own.display());
            assert!(differs_after(&root.join(own).join("Cargo.toml")), "{package}: {}", own.display());
        }
        assert!(differs_after(&root.join("Cargo.lock")), "{package}: versions of other crates");
        let is_of_site = crates.contains(Path::new("site"));
        assert_eq!(differs_after(&root.join("templates/layout.hbs")), is_of_site, "{package}: templates");
        for other in ["tests", "site", "service", "engine/review"]
            .map(Path::new)
            .iter()
            .filter(|it| !crates.contains(**it))
        {
            assert!(!differs_after(&root.join(other).join("src/lib.rs")), "{package}: {}", other.display());
        }
    }
}

/// The program says the name that its sources have.
#[test]
fn the_program_has_the_name_of_its_sources() {
    let output = Command::new(odsmith()).args(["--version", "--json"]).output().expect("odsmith");
    let version: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(version["build"], digest(repository(), "service"));
}
