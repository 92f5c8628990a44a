//! The generated pages of the manual (`service/manual/reference/`): each is what its table says.
//!
//! `ODSMITH_REGENERATE=1` writes them. Examples of rules are those that other tests run: lint's and upgrade's are in
//! their tables, diff's in `fixtures/diff/`.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    fmt::Write as _,
    fs,
    path::PathBuf,
};

use odsmith_engine::{
    diagnostic::Id,
    format::rules::RULES as LAYOUT_RULES,
    release::deprecations::{DEPRECATIONS, Deprecation, Status},
    review::{
        diff::rules::{self, Verdict},
        lint::{
            self,
            rule::{Fixable, Group, PRELUDE},
        },
        upgrade::texts::{TEXT_ROWS, TextRow},
    },
};
use odsmith_tests::set_up::{repository, tests_folder};
use serde_json::Value;

/// The foot of long generated pages.
const GENERATED: &str =
    "This page is generated: `cargo test -p odsmith-tests --test manual` compares it with its tables.";

/// The families of diff's rules, with their headings.
const FAMILIES: &[(&str, &str)] = &[
    ("OP", "Operations"),
    ("IN", "Attributes and properties"),
    ("AF", "Assembly formats"),
    ("TA", "Types and attributes"),
    ("EN", "Enums"),
    ("IF", "Interfaces"),
    ("TR", "Traits"),
    ("HK", "Hooks and builders"),
    ("DI", "Dialects"),
    ("PA", "Passes"),
    ("PT", "Rewrite patterns"),
];

/// The version that brought all of diff's rules.
const DIFF_SINCE: &str = "0.1";

fn folder() -> PathBuf {
    repository().join("service/manual/reference")
}

/// Compares pages with their files, or writes them.
fn compare(pages: &BTreeMap<String, String>) {
    let is_recording = env::var_os("ODSMITH_REGENERATE").is_some();
    let mut differing = Vec::new();
    for (path, text) in pages {
        let place = folder().join(path);
        if is_recording {
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            fs::write(&place, text).unwrap();
        }
        if fs::read_to_string(&place).unwrap_or_default() != *text {
            differing.push(path);
        }
    }
    assert!(differing.is_empty(), "ODSMITH_REGENERATE=1 writes {differing:?} anew");
}

#[test]
fn rules_have_pages() {
    let mut pages = BTreeMap::new();
    for rule in lint::rules() {
        pages.insert(format!("rules/{}.md", rule.id), lint_page(rule));
    }
    for rule in rules::Rule::all() {
        pages.insert(format!("rules/{}.md", rule.id()), diff_page(rule));
    }
    for row in DEPRECATIONS {
        pages.insert(format!("rules/{}.md", row.id), upgrade_page(row));
    }
    for row in TEXT_ROWS {
        pages.insert(format!("rules/{}.md", row.id), text_page(row));
    }
    let count = lint::rules().count() + rules::Rule::all().count() + DEPRECATIONS.len() + TEXT_ROWS.len();
    assert_eq!(pages.len(), count, "two rules have the same id");
    pages.insert("rules.md".to_owned(), index());
    compare(&pages);
    let known: BTreeSet<&str> = pages.keys().filter_map(|path| path.strip_prefix("rules/")).collect();
    for entry in fs::read_dir(folder().join("rules")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(known.contains(name.as_str()), "{name} is the page of no rule");
    }
}

/// The rules of `odsmith fmt`.
#[test]
fn the_layout_has_a_page() {
    let mut out = "# Layout\n\n[`odsmith fmt`](commands.md) gives `.td` files this layout. It changes blanks alone: tokens and \
         comments stay, in their order, and a file with its layout stays as it is. A file that is broken stays as it is, too, and a \
         message says where it is broken. [The measurement](../explain/layout.md) says how people write, and why the rules are as they are.\n\nThe \
         settings are in the section `[fmt]` of [odsmith.toml](manifest.md#fmtstyle), here with their defaults:\n\n```toml\n[fmt]\n\
         width = 80         # columns of a line\nindent = 2         # of a body, and of elements below their bracket\n\
         continuation = 4   # of what continues a statement\nstrict = false     # true: lists have one layout, wherever their lines \
         begin in the source\nexclude = []       # files to leave as they are, as in .gitignore\n```\n\nFiles that are generated \
         stay as they are unless they are named: `*.gen.td`, `*yamlgen.td`, and those that say so in their first lines \
         (`@generated`, or *generated file, do not edit*).\n"
        .to_owned();
    for rule in LAYOUT_RULES {
        let _ = write!(
            out,
            "\n## {}\n\n{}\n\n```tablegen\n{}```\n\nbecomes\n\n```tablegen\n{}```\n",
            rule.name, rule.text, rule.before, rule.after
        );
    }
    let _ = write!(out, "\n---\n\n{GENERATED}\n");
    compare(&BTreeMap::from([("layout.md".to_owned(), out)]));
}

/// Lists all rules with their first sentences.
fn index() -> String {
    let mut out = "# Rules\n\nEvery finding names its rule. `lint` and `diff` find what is accepted and still unwise, or \
         breaks others; their rules can be set and their findings accepted. `upgrade` finds forms that a release of MLIR no \
         longer reads.\n\n## check\n\nErrors of definitions have the messages of mlir-tblgen. Those of Odsmith's own parsers also \
         have a name, which JSON and SARIF show:\n\n| name | is |\n| --- | --- |\n"
        .to_owned();
    for id in Id::ALL {
        let _ = writeln!(out, "| `{}` | {} |", id.name(), cell(first_sentence(id.text())));
    }
    out += "\n## lint\n\nTo accept a finding, write a comment with a reason above the definition, or at the end of the line:\n\n\
            ```tablegen\n// odsmith: ignore COR011, DOC001: the buffer is unique by its name\n```\n\nor in any line of a file, for all \
            of it:\n\n```tablegen\n// odsmith: ignore-file STY: generated from a table\n```\n\n`[lint]` of [odsmith.toml](manifest.md#lintconfig) \
            selects rules and groups and sets their levels. `odsmith lint --write-baseline lint.json` accepts all findings that there are.\n";
    for group in Group::ALL {
        let _ = writeln!(
            out,
            "\n### {} ({})\n\n| rule | level | fix | finds |\n| --- | --- | --- | --- |",
            group.title(),
            group.letters()
        );
        for rule in lint::rules().filter(|rule| rule.group() == group) {
            let _ = writeln!(
                out,
                "| [{0}](rules/{0}.md) `{1}` | {2} | {3} | {4} |",
                rule.id,
                rule.name,
                rule.level.name(),
                fix_name(rule.fix),
                cell(first_sentence(rule.text)),
            );
        }
    }
    out += "\n## diff\n\nA finding says whom the change breaks:\n\n| level | whom |\n| --- | --- |\n";
    for level in rules::Level::ALL {
        let _ = writeln!(out, "| `{}` | {} |", level.name(), level_about(*level));
    }
    out += "\nThe signs: `✗` breaks, `!` silently means something else, `?` may break, and a level without a sign is safe. To accept \
            a finding, name its rule and subject in odsmith.toml:\n\n\
            ```toml\n[[diff.accept]]\nrule = \"IN001\"\nsubject = \"func.func#no_inline\"\nreason = \"v3 files are rewritten by the importer\"\n```\n\n\
            `odsmith diff OLD NEW --write-accept` prints these lines for all errors.\n";
    for (letters, title) in FAMILIES {
        let _ = writeln!(out, "\n### {title} ({letters})\n\n| rule | finds |\n| --- | --- |");
        for rule in rules::Rule::all().filter(|rule| rule.family() == *letters) {
            let _ = writeln!(
                out,
                "| [{0}](rules/{0}.md) `{1}` | {2} |",
                rule.id(),
                rule.name(),
                cell(first_sentence(rule.text()))
            );
        }
    }
    out += "\n## upgrade\n\nForms of MLIR's library that releases dropped, renamed or moved. `--fix` writes those anew that need no \
            decision. A form that is gone is an error, a deprecated one a warning, one with a better form a note.\n";
    for step in DEPRECATIONS.chunk_by(|one, next| (one.before, one.since) == (next.before, next.since)) {
        let _ = writeln!(
            out,
            "\n### From {} to {}\n\n| row | what to do | `--fix` |\n| --- | --- | --- |",
            step[0].before, step[0].since
        );
        for row in step {
            let by = if row.is_mechanical() { "yes" } else { "by hand" };
            let _ = writeln!(out, "| [{0}](rules/{0}.md) | {1} | {by} |", row.id, cell(&row.text()));
        }
    }
    out += "\n### IR as text\n\n| row | what changes | `--fix` |\n| --- | --- | --- |\n";
    for row in TEXT_ROWS {
        let by = if row.is_mechanical { "where definitions decide" } else { "by hand" };
        let _ = writeln!(out, "| [{0}](rules/{0}.md) | {1} | {by} |", row.id, cell(first_sentence(row.text)));
    }
    let _ = write!(
        out,
        "\n## The examples of lint\n\nEach example of lint that has no `include` of its own comes after these lines:\n\n```tablegen\n{}\n```\n\n---\n\n{GENERATED}\n",
        PRELUDE.trim()
    );
    out
}

fn lint_page(rule: &lint::rule::Rule) -> String {
    format!(
        "# {0} {1}\n\n{2}\n\n| property | value |\n| --- | --- |\n| command | `odsmith lint` |\n| group | {3} (`{4}`) |\n| level | {5} |\n| fix | {6} |\n| since | {7} |\n\n\
         ## Before\n\n```tablegen\n{8}\n```\n\n## After\n\n```tablegen\n{9}\n```\n\n\
         ## What to do\n\n{10}.\n\n## Accept it\n\nWrite a reason above the definition:\n\n```tablegen\n// odsmith: ignore {0}: the reason\n```\n\n\
         or turn the rule off in `odsmith.toml`:\n\n```toml\n[lint]\nignore = [\"{0}\"]\n```\n",
        rule.id,
        rule.name,
        rule.text,
        rule.group().title(),
        rule.group().letters(),
        rule.level.name(),
        match rule.fix {
            Fixable::No => "none",
            Fixable::Safe => "safe: `--fix`; generated code stays the same",
            Fixable::Unsafe => "unsafe: `--unsafe-fixes`; generated code or a name may change",
            Fixable::Either => "safe or unsafe, as each finding says",
        },
        rule.since,
        rule.bad.trim(),
        rule.good.trim(),
        capitalised(rule.advice.trim_end_matches('.')),
    )
}

fn diff_page(rule: rules::Rule) -> String {
    let id = rule.id();
    let read = |name: &str| {
        let path = tests_folder().join("fixtures/diff").join(id).join(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let side = |name: &str| read(name).split_once('\n').map_or(String::new(), |(_, text)| text.to_owned());
    let report = read("expected.txt");
    let subject = report.lines().find_map(|line| line.split_once(&format!(": {id} "))?.1.split_once(": "));
    let subject = subject.unwrap_or_else(|| panic!("{id} is not found in its own example")).0;
    let mut out = format!("# {id} {}\n\n{}\n\n", rule.name(), rule.text());
    let title = FAMILIES.iter().find(|(letters, _)| *letters == rule.family()).unwrap().1;
    let _ = write!(
        out,
        "| property | value |\n| --- | --- |\n| command | `odsmith diff` |\n| group | {title} (`{}`) |\n| since | {DIFF_SINCE} |\n",
        rule.family()
    );
    for (level, verdict) in rule.effects() {
        let effect = match verdict {
            Verdict::Silent => "accepted, with another meaning",
            Verdict::Breaks => "broken",
            Verdict::Unknown => "decided for each finding",
            Verdict::Safe => continue,
        };
        let _ = writeln!(out, "| {} (`{}`) | {effect} |", level_about(*level), level.name());
    }
    if rule.effects().is_empty() {
        out += "| effect | none: it is worth knowing |\n";
    }
    let patch = diffy::DiffOptions::new()
        .set_context_len(1000)
        .create_patch(&side("old.td"), &side("new.td"))
        .to_string();
    let lines: Vec<&str> = patch
        .lines()
        .filter(|line| !line.starts_with("---") && !line.starts_with("+++") && !line.starts_with("@@"))
        .collect();
    let _ = write!(
        out,
        "\n## Before and after\n\nFor instance {}:\n\n```diff\n{}\n```\n\n`odsmith diff` says:\n\n```text\n{}\n```\n",
        rule.example(),
        lines.join("\n").trim_end(),
        // The last line counts findings.
        report.trim_end().rsplit_once('\n').map_or("", |(findings, _)| findings),
    );
    let _ = write!(
        out,
        "\n## What to do\n\n{}\n\n## Accept it\n\nIn `odsmith.toml`, with the subject that the finding names:\n\n\
         ```toml\n[[diff.accept]]\nrule = \"{id}\"\nsubject = \"{subject}\"\nreason = \"why it is safe\"\n```\n",
        rule.advice(),
    );
    out
}

fn text_page(row: &TextRow) -> String {
    let TextRow { id, name, text, bad, good, .. } = row;
    let mut out = format!(
        "# {id} {name}\n\n{text}.\n\n| property | value |\n| --- | --- |\n| command | `odsmith upgrade` |\n| files | `.mlir` |\n\n## Before\n\n```mlir\n{bad}\n```\n"
    );
    if let Some(good) = good {
        let _ = write!(out, "\n## After\n\n```mlir\n{good}\n```\n");
    }
    out += "\n## What to do\n\n[Another release of MLIR](../../how-to/upgrade.md) shows the steps, and what is left to you.\n";
    out
}

fn upgrade_page(row: &Deprecation) -> String {
    let status = match row.status {
        Status::Gone => "gone: an error",
        Status::Deprecated => "deprecated: a warning",
        Status::Dated => "there is a better form: a note",
    };
    let by = if row.is_mechanical() {
        "`odsmith upgrade --fix` writes it anew."
    } else {
        "Write it anew by hand."
    };
    let mut out = format!(
        "# {} {}\n\n{}.\n\n| property | value |\n| --- | --- |\n| command | `odsmith upgrade` |\n| since | MLIR {} |\n| last release before | MLIR {} |\n| status | {status} |\n",
        row.id,
        row.name(),
        row.text(),
        row.since,
        row.before,
    );
    if !row.bad.is_empty() {
        let _ = write!(
            out,
            "\n## Before\n\n```tablegen\n{}\n```\n\n## After\n\n```tablegen\n{}\n```\n",
            row.bad.trim(),
            row.good().trim()
        );
    }
    let _ = write!(
        out,
        "\n## What to do\n\n{by}\n\n## Accept it\n\nThere is nothing to accept: a note does not fail, and a form that is gone cannot be read. \
         Definitions for both releases can be told apart by `-D` and `#ifdef`.\n"
    );
    out
}

fn level_about(level: rules::Level) -> &'static str {
    match level {
        rules::Level::Text => "files in the custom syntax",
        rules::Level::Generic => "files in the generic form",
        rules::Level::Bytecode => "bytecode",
        rules::Level::Verifier => "the validity of what was read",
        rules::Level::Cpp => "C++ that uses the dialect",
        rules::Level::Implementer => "C++ that implements it",
        rules::Level::Python => "Python bindings",
        rules::Level::Pipeline => "pipelines of passes and their options",
        rules::Level::Semantics => "the meaning or behaviour of a program",
    }
}

fn fix_name(fix: Fixable) -> &'static str {
    match fix {
        Fixable::No => "",
        Fixable::Safe => "safe",
        Fixable::Unsafe => "unsafe",
        Fixable::Either => "either",
    }
}

fn first_sentence(text: &str) -> &str {
    text.split_once(". ").map_or(text, |(first, _)| first).trim_end_matches('.')
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// A text in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

#[test]
fn addresses_of_the_service_are_described() {
    let text = fs::read_to_string(repository().join("service/openapi.json")).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    let mut out = format!(
        "# HTTP\n\nA server has the same at `/docs`, and as OpenAPI at `/openapi.json`.\n\n{}\n\n\
         [Run a server](../how-to/server.md) has examples with curl. Errors are JSON of the type [Problem](#problem); the page `/problems` of a \
         server explains each kind.\n",
        document["info"]["description"].as_str().unwrap()
    );
    for tag in document["tags"].as_array().unwrap() {
        let _ = writeln!(
            out,
            "\n## {}\n\n{}.",
            section_title(word(&tag["name"])),
            word(&tag["description"]).trim_end_matches('.')
        );
        for (path, operations) in document["paths"].as_object().unwrap() {
            for (method, operation) in operations.as_object().unwrap() {
                if operation["tags"].as_array().unwrap().contains(&tag["name"]) {
                    write_operation(&mut out, method, path, operation);
                }
            }
        }
    }
    out += "\n## Objects\n\nThe objects of odsmith.toml are in [its reference](manifest.md). Those of `model.json` have a JSON Schema: \
            `odsmith schema model`, or `/schemas/model.json`.\n";
    let manifest = manifest_objects(&document);
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        if !name.starts_with("Model") && !manifest.contains(name.as_str()) {
            write_object(&mut out, name, schema);
        }
    }
    for name in manifest {
        let fragment = name.to_lowercase().replace('.', "");
        out = out.replace(&format!("](#{fragment})"), &format!("](manifest.md#{fragment})"));
    }
    let _ = write!(out, "\n---\n\n{GENERATED}\n");
    compare(&BTreeMap::from([("http.md".to_owned(), out)]));
}

/// The heading of a tag.
fn section_title(tag: &str) -> String {
    if tag == "ide" { "Editors".to_owned() } else { capitalised(tag) }
}

fn write_operation(out: &mut String, method: &str, path: &str, operation: &Value) {
    let _ = write!(out, "\n### {} {path}\n\n{}\n", method.to_uppercase(), word(&operation["summary"]));
    if !word(&operation["description"]).is_empty() {
        let _ = write!(out, "\n{}\n", word(&operation["description"]));
    }
    let parameters = operation["parameters"].as_array().map_or(&[][..], Vec::as_slice);
    if !parameters.is_empty() {
        *out += "\n| parameter | in | meaning |\n| --- | --- | --- |\n";
    }
    for parameter in parameters {
        let needed = if parameter["required"] == true { ", needed" } else { "" };
        let _ = writeln!(
            out,
            "| `{}` | {}{needed} | {} |",
            word(&parameter["name"]),
            word(&parameter["in"]),
            cell(word(&parameter["description"]))
        );
    }
    if operation["requestBody"].is_object() {
        let body = &operation["requestBody"];
        let _ = write!(
            out,
            "\nBody: {}: {}.\n",
            lower(word(&body["description"]).trim_end_matches('.')),
            media_types(body)
        );
    }
    *out += "\n| status | answer |\n| --- | --- |\n";
    for (status, answer) in operation["responses"].as_object().unwrap() {
        let types = media_types(answer);
        let types = if types.is_empty() { types } else { format!(": {types}") };
        let _ = writeln!(out, "| {status} | {}{types} |", cell(word(&answer["description"])));
    }
}

fn media_types(part: &Value) -> String {
    let Some(content) = part["content"].as_object() else { return String::new() };
    let types = content.iter().map(|(name, of)| match kind(&of["schema"]) {
        kind if kind.contains("](#") && !kind.contains("#archive") => format!("`{name}` ({kind})"),
        _ => format!("`{name}`"),
    });
    types.collect::<Vec<_>>().join(", ")
}

fn write_object(out: &mut String, name: &str, schema: &Value) {
    let _ = write!(out, "\n### {name}\n");
    if !word(&schema["description"]).is_empty() {
        let _ = write!(out, "\n{}\n", word(&schema["description"]));
    }
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<String> = values.iter().map(|value| format!("`{}`", word(value))).collect();
        let _ = write!(out, "\nOne of {}.\n", values.join(", "));
    }
    let parts = schema["allOf"].as_array().into_iter().flatten().chain([schema]);
    let fields: Vec<(&String, &Value)> =
        parts.filter_map(|part| part["properties"].as_object()).flatten().collect();
    if !fields.is_empty() {
        *out += "\n| field | type | meaning |\n| --- | --- | --- |\n";
    }
    for (field, of) in fields {
        let _ = writeln!(out, "| `{field}` | {} | {} |", kind(of), cell(word(&of["description"])));
    }
}

/// The objects that the manifest consists of.
fn manifest_objects(document: &Value) -> BTreeSet<String> {
    let schemas = &document["components"]["schemas"];
    let mut names = BTreeSet::new();
    let mut waiting = vec!["Manifest".to_owned()];
    while let Some(name) = waiting.pop() {
        let text = schemas[&name].to_string();
        let parts = text.split("#/components/schemas/").skip(1).filter_map(|part| part.split('"').next());
        if names.insert(name) {
            waiting.extend(parts.map(str::to_owned));
        }
    }
    names
}

/// A type in words; named objects are links.
fn kind(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        let is_elsewhere = name.starts_with("Model");
        let fragment = name.to_lowercase().replace('.', "");
        return if is_elsewhere { format!("`{name}`") } else { format!("[{name}](#{fragment})") };
    }
    if let Some(one_of) = schema["oneOf"].as_array() {
        let kinds: Vec<String> = one_of.iter().filter(|of| of["type"] != "null").map(kind).collect();
        return kinds.join(" or ");
    }
    let name = match &schema["type"] {
        Value::Array(names) => names.iter().find(|name| *name != "null").map_or("", word),
        name => word(name),
    };
    match name {
        "array" => format!("list of {}", kind(&schema["items"])),
        name => name.to_owned(),
    }
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn lower(text: &str) -> String {
    let mut letters = text.chars();
    // An abbreviation stays.
    match (letters.next(), text.chars().nth(1)) {
        (Some(first), Some(second)) if second.is_lowercase() || second == ' ' => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => text.to_owned(),
    }
}
