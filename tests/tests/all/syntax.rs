//! The grammar, diagrams and examples of a small dialect: their text, and that boxes of a diagram do not overlap.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use odsmith_tests::{
    folder::TestFolder,
    set_up::{library, odsmith, tests_folder},
};
use serde_json::Value;

/// Generates the site of the dialect into a folder; returns the twins of its operations by name.
fn pages(out: &Path) -> Vec<Value> {
    let done = Command::new(odsmith())
        .arg("docs")
        .arg(tests_folder().join("sketch"))
        .arg("-o")
        .arg(out)
        .env("ODSMITH_LIBRARY", library())
        .output()
        .expect("odsmith runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let folder = out.join("sketch/op");
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("operations have pages")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let twins = files.iter().filter(|path| path.extension().is_some_and(|extension| extension == "json"));
    let read = |path: &PathBuf| {
        let text = fs::read_to_string(path).expect("a twin can be read");
        serde_json::from_str(&text).expect("a twin is JSON")
    };
    twins.map(read).collect()
}

fn text<'v>(value: &'v Value, at: &str) -> &'v str {
    value.pointer(at).and_then(Value::as_str).unwrap_or_default()
}

#[test]
fn grammars_and_examples_are_as_recorded() {
    let pages = pages(&TestFolder::new("syntax"));
    let mut made = String::new();
    for page in &pages {
        let tokens = page.pointer("/syntax/tokens").and_then(Value::as_array).expect("a grammar");
        let grammar: String = tokens.iter().map(|token| text(token, "/text")).collect();
        let _ = writeln!(made, "## {} ({})", text(page, "/name"), text(page, "/syntax/origin"));
        for line in [&grammar, text(page, "/syntax/skeleton/custom"), text(page, "/syntax/skeleton/generic")]
        {
            let _ = writeln!(made, "{}", if line.is_empty() { "none" } else { line });
        }
        if let Some(unsure) = page.pointer("/syntax/skeleton/unsure").and_then(Value::as_array) {
            let names: Vec<&str> = unsure.iter().filter_map(Value::as_str).collect();
            let _ = writeln!(made, "unsure: {}", names.join(", "));
        }
        made.push('\n');
    }
    let path = tests_folder().join("sketch/expected.txt");
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(made == expected, "{} has it otherwise; now it is:\n{made}", path.display());
}

/// The numbers of an attribute in each tag of this name.
fn boxes(svg: &str) -> Vec<[i64; 4]> {
    let number = |tag: &str, key: &str| -> i64 {
        let tail = tag.split(&format!(" {key}=\"")).nth(1).expect("the attribute");
        tail.split('"').next().and_then(|digits| digits.parse().ok()).expect("a whole number")
    };
    let tags = svg.split("<rect").skip(1).map(|tail| tail.split('>').next().unwrap_or_default());
    tags.map(|tag| ["x", "y", "width", "height"].map(|key| number(tag, key))).collect()
}

#[test]
fn boxes_are_inside_the_picture_and_apart() {
    let out = TestFolder::new("diagrams");
    let pages = pages(&out);
    let mut seen = 0;
    for page in &pages {
        for (which, limit) in [("wide", 736)] {
            let svg = text(page, &format!("/syntax/diagram/{which}"));
            if svg.is_empty() {
                continue;
            }
            seen += 1;
            let name = text(page, "/name");
            let size =
                svg.split("viewBox=\"0 0 ").nth(1).and_then(|tail| tail.split('"').next()).expect("a size");
            let size: Vec<i64> = size.split(' ').map(|number| number.parse().expect("a number")).collect();
            assert!(size[0] <= limit, "{name}: {which} is {} wide", size[0]);
            let boxes = boxes(svg);
            assert_eq!(
                boxes.len(),
                svg.matches("<text").count().min(boxes.len()),
                "{name}: a box without text"
            );
            for (index, [x, y, width, height]) in boxes.iter().enumerate() {
                assert!(
                    *x >= 0 && *y >= 0 && x + width <= size[0] && y + height <= size[1],
                    "{name}: {which} {x} {y}"
                );
                for [left, top, wide, high] in &boxes[..index] {
                    let is_apart =
                        x + width <= *left || left + wide <= *x || y + height <= *top || top + high <= *y;
                    assert!(is_apart, "{name}: {which} has boxes on each other at {x} {y} and {left} {top}");
                }
            }
        }
        assert!(
            !text(page, "/syntax/diagram/wide").contains("style="),
            "the site's policy allows no inline style"
        );
    }
    assert!(seen > 8, "{seen} diagrams");
}
