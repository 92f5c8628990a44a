//! Every dependency's licence is allowed by deny.toml.

use std::{fs, process::Command};

use odsmith_tests::set_up::repository;
use serde_json::Value;

#[test]
fn every_licence_is_allowed() {
    let allowed = allowed_licences();
    assert!(allowed.len() > 3, "deny.toml has no list of licences");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--offline", "--locked"])
        .current_dir(repository())
        .output()
        .expect("cargo runs");
    // A fresh checkout may lack packages for other systems, which only an online run can describe.
    let output = if output.status.success() {
        output
    } else {
        Command::new(env!("CARGO"))
            .args(["metadata", "--format-version=1", "--locked"])
            .current_dir(repository())
            .output()
            .expect("cargo runs")
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let refused: Vec<String> = packages
        .iter()
        .filter_map(|package| {
            let licence = package["license"].as_str().unwrap_or("none given");
            (!is_allowed(licence, &allowed))
                .then(|| format!("{} {}: {licence}", package["name"], package["version"]))
        })
        .collect();
    assert!(refused.is_empty(), "licences that deny.toml does not allow:\n{}", refused.join("\n"));
    println!("{} packages, all under licences that deny.toml allows", packages.len());
}

/// The strings of `allow = [...]` under `[licenses]` in deny.toml.
fn allowed_licences() -> Vec<String> {
    let text = fs::read_to_string(repository().join("deny.toml")).expect("deny.toml");
    let section = text.split("[licenses]").nth(1).unwrap_or_default();
    let list = section.split("allow = [").nth(1).and_then(|rest| rest.split(']').next()).unwrap_or_default();
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Returns whether an SPDX expression can be satisfied; `/` is the old spelling of `OR`, and `OR` binds weaker than
/// `AND`.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let expression = expression.replace('/', " OR ");
    // The only nesting in use: `(A OR B) AND C`.
    if let Some((group, rest)) = expression.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        let is_rest_allowed = match rest.trim() {
            "" => true,
            rest => rest.strip_prefix("AND ").is_some_and(|rest| is_allowed(rest, allowed)),
        };
        return is_allowed(group, allowed) && is_rest_allowed;
    }
    expression.split(" OR ").any(|choice| {
        choice
            .split(" AND ")
            .all(|name| allowed.iter().any(|allowed| allowed == name.trim().trim_matches(['(', ')'])))
    })
}

#[test]
fn expressions() {
    let allowed = ["MIT".to_owned(), "Apache-2.0".to_owned(), "Unicode-3.0".to_owned()];
    for yes in
        ["MIT", "MIT OR GPL-3.0", "MIT/GPL-2.0", "(MIT OR GPL-3.0) AND Unicode-3.0", "MIT AND Apache-2.0"]
    {
        assert!(is_allowed(yes, &allowed), "{yes}");
    }
    for no in ["GPL-3.0", "MIT AND GPL-3.0", "(MIT OR Apache-2.0) AND GPL-3.0", "none given"] {
        assert!(!is_allowed(no, &allowed), "{no}");
    }
}
