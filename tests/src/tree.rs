//! The tree of a release's `.td` files, and the runs of its generators on each of them.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use odsmith_engine::{
    generators::{GENERATORS, is_in_release},
    release::Rules,
};

/// The options that select a dialect, by generator.
const BY_DIALECT: &[(&str, &str)] = &[
    ("gen-attrdef-decls", "attrdefs-dialect"),
    ("gen-attrdef-defs", "attrdefs-dialect"),
    ("gen-attrdef-doc", "dialect"),
    ("gen-bytecode", "bytecode-dialect"),
    ("gen-dialect-decls", "dialect"),
    ("gen-dialect-defs", "dialect"),
    ("gen-dialect-doc", "dialect"),
    ("gen-directive-decl", "directives-dialect"),
    ("gen-enum-doc", "dialect"),
    ("gen-op-doc", "dialect"),
    ("gen-python-op-bindings", "bind-dialect"),
    ("gen-typedef-decls", "typedefs-dialect"),
    ("gen-typedef-defs", "typedefs-dialect"),
    ("gen-typedef-doc", "dialect"),
];

/// Other options to compare: generator, option, value.
const EXTRA: &[(&str, &str, &str)] = &[
    ("gen-dialect-doc", "strip-prefix", "=::mlir::"),
    ("gen-op-decls", "op-shard-count", "=3"),
    ("gen-op-defs", "op-shard-count", "=3"),
    ("gen-op-doc", "allow-hugo-specific-features", ""),
    ("gen-pass-capi-header", "prefix", "=Conform"),
    ("gen-pass-capi-impl", "prefix", "=Conform"),
    ("gen-pass-decls", "name", "=Conform"),
];

/// All `.td` files below a folder, sorted.
#[must_use]
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    find_td_files(folder, &mut found);
    found
}

fn find_td_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            find_td_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "td") {
            found.push(path);
        }
    }
}

/// The flags of every run of one file that a release supports. A file that cannot be read has only the first.
#[must_use]
pub fn flag_sets(rules: &Rules, dialects: Option<&[String]>) -> Vec<String> {
    let mut sets = vec!["--print-records".to_owned()];
    let Some(dialects) = dialects else { return sets };
    let is_known = |name: &str| is_in_release(name, rules);
    for name in GENERATORS.iter().map(|generator| generator.name).filter(|name| is_known(name)) {
        sets.push(format!("--{name}"));
        let extra = EXTRA.iter().filter(|(generator, option, _)| *generator == name && is_known(option));
        sets.extend(extra.map(|(_, option, value)| format!("--{name} --{option}{value}")));
        if let Some((_, option)) =
            BY_DIALECT.iter().find(|(generator, option)| *generator == name && is_known(option))
        {
            sets.extend(dialects.iter().map(|dialect| format!("--{name} --{option}={dialect}")));
        }
    }
    sets
}

/// The names of up to three dialects with definitions in the printed records, those with most definitions first.
#[must_use]
pub fn dialects(records: &str) -> Vec<String> {
    let mut names: Vec<(&str, &str)> = Vec::new();
    let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
    let mut dialect = None;
    for line in records.lines() {
        if let Some((name, classes)) = line.strip_prefix("def ").and_then(|rest| rest.split_once(" {")) {
            dialect = classes.split_whitespace().any(|class| class == "Dialect").then_some(name);
        } else if let Some(used) = ["  Dialect opDialect = ", "  Dialect dialect = "]
            .iter()
            .find_map(|field| line.strip_prefix(field)?.strip_suffix(';'))
        {
            *uses.entry(used).or_default() += 1;
        } else if let Some((def, name)) = dialect.zip(line.strip_prefix("  string name = \"")) {
            names.push((def, name.trim_end_matches("\";")));
            dialect = None;
        }
    }
    names.sort_by_key(|(def, _)| Reverse(uses.get(def).copied().unwrap_or(0)));
    names.into_iter().take(3).map(|(_, name)| name.to_owned()).collect()
}
