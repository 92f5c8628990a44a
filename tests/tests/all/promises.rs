//! Every test that the table of promises in `tests/README.md` names exists.

use std::{
    fs,
    path::{Path, PathBuf},
};

use odsmith_tests::set_up::repository;

/// Folders with unit tests.
const SOURCES: &[&str] = &[
    "service/src",
    "service/src/cli",
    "service/src/http",
    "service/src/jobs",
    "service/src/observe",
    "service/src/pipeline",
    "service/src/store",
    "service/import/src",
    "service/tblgen/src",
    "engine/tablegen/src",
    "engine/src",
];

#[test]
fn every_test_of_the_table_exists() {
    let readme = fs::read_to_string(repository().join("tests/README.md")).expect("tests/README.md");
    let table = readme.split("## The service, row by row").nth(1).expect("the table");
    let table = table.split("\n## ").next().unwrap_or_default();
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| ")).skip(2).collect();
    assert!(rows.len() > 50, "{} rows", rows.len());
    let mut wrong = Vec::new();
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        // Words other than names may be quoted, such as an address.
        let quoted = cells.last().into_iter().flat_map(|cell| cell.split('`').skip(1).step_by(2));
        let named: Vec<&str> = quoted.filter(|name| !name.starts_with('/')).collect();
        if named.is_empty() {
            wrong.push(format!("no test: {row}"));
        }
        wrong.extend(
            named.into_iter().filter(|name| !exists(name)).map(|name| format!("no such test: {name}")),
        );
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn exists(name: &str) -> bool {
    let root = repository();
    if let Some(target) = name.strip_prefix("make ") {
        return fs::read_to_string(root.join("Makefile"))
            .is_ok_and(|text| text.contains(&format!("\n{target}:")));
    }
    let is_path = name.contains('.') || name.ends_with('/');
    if is_path {
        return root.join("tests").join(name).exists();
    }
    let path: Vec<&str> = name.trim_start_matches("tests/").split("::").collect();
    let (modules, function) = match path.iter().position(|part| *part == "tests") {
        Some(at) => (&path[..at], path.get(at + 1)),
        None => (&path[..1], path.get(1)),
    };
    let is_unit = path.contains(&"tests");
    let files = if is_unit { unit_files(root, modules) } else { test_files(root, modules[0]) };
    files.iter().filter_map(|file| fs::read_to_string(file).ok()).any(|text| match function {
        Some(function) => text.contains(&format!("fn {function}(")),
        None => !is_unit || text.contains("mod tests {"),
    })
}

fn test_files(root: &Path, name: &str) -> Vec<PathBuf> {
    ["service/tests/all", "tests/tests/all", "tests/tests/random", "tests/tests"]
        .iter()
        .map(|folder| root.join(folder).join(format!("{name}.rs")))
        .collect()
}

fn unit_files(root: &Path, modules: &[&str]) -> Vec<PathBuf> {
    let file = modules.join("/");
    let places = SOURCES.iter().flat_map(|source| {
        [format!("{source}/{file}.rs"), format!("{source}/{file}/mod.rs")].map(|place| root.join(place))
    });
    places.collect()
}
