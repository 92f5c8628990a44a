//! The pages of the manual about commands and flags, which are written from the parser: `odsmith schema commands`.
//!
//! A name has one meaning: a flag of several commands has the same value, default and help in all of them.

use std::{collections::BTreeMap, fmt::Write as _, process::Command};

use odsmith_tests::{recorded, set_up};
use serde_json::Value;

/// The commands of the table, in its order.
const EXAMINERS: [&str; 7] = ["check", "lint", "docs", "generate", "diff", "upgrade", "ls"];
/// The flags that each group of the table must have in each of these commands.
const EXPECTED: [(&[&str], &[&str]); 6] = [
    (&["--manifest", "--include", "--define", "--exclude", "--mlir", "--library"], &EXAMINERS),
    (
        &[
            "--ignore-errors",
            "--keep-going",
            "--no-keep-going",
            "--output-format",
            "--json",
            "--fail-on",
            "--out",
        ],
        &["check", "lint", "docs", "generate", "diff", "upgrade"],
    ),
    (&["--mlir", "--library"], &["init", "lsp", "serve"]),
    (&["--json"], &["ls", "rule", "library list"]),
    (&["--old-mlir", "--new-mlir"], &["diff"]),
    (&["--from", "--to"], &["upgrade"]),
];
/// Flags that mean something of their own in some commands: each has its reason.
const EXCEPTIONS: [(&str, &[&str]); 20] = [
    // A comparison of layouts, and one with a tool.
    ("--check", &["fmt", "calibrate"]),
    // The settings of an editor, and those of the server.
    ("--print-config", &["lsp"]),
    // A folder or an archive, and not the file of a report.
    (
        "--out",
        &[
            "docs",
            "generate",
            "grammar",
            "playground",
            "man",
            "calibrate",
            "import",
            "library pack",
            "pull",
            "plugin new",
            "catalog build",
        ],
    ),
    // A release or a profile, and one folder.
    ("--mlir", &["calibrate", "playground"]),
    ("--library", &["calibrate", "verify"]),
    // A list in one form less than a report.
    ("--output-format", &["rule"]),
    (
        "--json",
        &[
            "rule",
            "ls",
            "library list",
            "describe",
            "search",
            "publish",
            "pull",
            "catalog query",
            "catalog show",
            "catalog uses",
            "catalog report",
        ],
    ),
    // A registry or a receiver, and a release.
    ("--to", &["publish", "catalog notify"]),
    // One version, all earlier ones, and another form of a program.
    ("--against", &["publish", "plugin check"]),
    // Parts of an artifact, and findings.
    ("--only", &["pull"]),
    // Of a withdrawal, and of accepted findings.
    ("--reason", &["yank"]),
    // Of answers, and of a server.
    ("--limit", &["search", "catalog query", "catalog uses"]),
    // The catalogue that is served, or asked for users, and the one that a question is about.
    ("--catalog", &["serve", "mcp", "diff"]),
    // Of the pages of a catalogue, and of a reference.
    ("--title", &["catalog build"]),
    // The breaks of versions, and a preset of rules.
    ("--level", &["catalog report"]),
    // Patches of different edits.
    ("--diff", &["lint", "upgrade", "fmt"]),
    ("--fix", &["lint", "upgrade"]),
    // The kinds of breaks that count, and the rules of a commit.
    ("--profile", &["serve"]),
    // A file of tokens that let clients in, and those of a text.
    ("--tokens", &["serve"]),
    // A place to take files from, and a release.
    ("--from", &["library add", "upgrade", "catalog build", "catalog notify"]),
];

/// Reads the description, and returns the groups of commands.
fn description() -> Value {
    let output =
        Command::new(set_up::odsmith()).args(["schema", "commands"]).output().expect("odsmith starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}

/// Returns all commands with their names, those below others too.
fn commands(all: &Value) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    for command in list(&all["groups"]).flat_map(|group| list(&group["commands"])) {
        let name = text(command, "name").to_owned();
        let below = list(&command["commands"]).map(|it| (format!("{name} {}", text(it, "name")), it));
        found.extend(below);
        found.push((name, command));
    }
    found
}

fn flag<'v>(command: &'v Value, name: &str) -> Option<&'v Value> {
    list(&command["flags"]).find(|flag| text(flag, "name") == name)
}

/// Returns the name of a flag with its value, as code.
fn spelled(flag: &Value) -> String {
    let short = flag["short"].as_str().map(|short| format!("{short}, ")).unwrap_or_default();
    let value = flag["value"].as_str().map(|value| format!(" {value}")).unwrap_or_default();
    format!("`{short}{}{value}`", text(flag, "name"))
}

/// Returns the help with default, values and variable.
fn meaning(flag: &Value) -> String {
    let mut all = text(flag, "about").replace('|', "\\|");
    let values: Vec<&str> = list(&flag["values"]).filter_map(Value::as_str).collect();
    if !values.is_empty() {
        let _ = write!(all, ": {}", values.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", "));
    }
    if let Some(default) = flag["default"].as_str() {
        let _ = write!(all, " [default: {default}]");
    }
    if let Some(variable) = flag["variable"].as_str() {
        let _ = write!(all, " [variable: {variable}]");
    }
    all
}

#[test]
fn every_command_has_the_flags_that_it_can_use() {
    let all = description();
    let commands = commands(&all);
    let missing = EXPECTED.iter().flat_map(|(flags, names)| {
        names.iter().flat_map(move |name| flags.iter().map(move |flag| (*name, *flag)))
    });
    let has = |(name, wanted): &(&str, &str)| {
        let command = commands.iter().find(|(own, _)| own == name);
        command.is_some_and(|(_, command)| flag(command, wanted).is_some())
    };
    // A list is no report of errors.
    let missing: Vec<_> = missing.filter(|pair| !has(pair)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let variables = commands.iter().filter_map(|(name, command)| {
        let mlir =
            flag(command, "--mlir").filter(|_| !["calibrate", "playground"].contains(&name.as_str()))?;
        (mlir["variable"] != "ODSMITH_MLIR").then_some(name)
    });
    assert_eq!(variables.count(), 0, "commands whose --mlir has no variable");
}

#[test]
fn a_flag_has_one_meaning() {
    let all = description();
    let mut meanings: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
    for (name, command) in commands(&all) {
        for flag in list(&command["flags"]) {
            let own = text(flag, "name");
            let is_other = EXCEPTIONS.iter().any(|(flag, names)| *flag == own && names.contains(&&*name));
            if !is_other {
                let of_flag = meanings.entry(own.to_owned()).or_default();
                of_flag.entry(format!("{} {}", spelled(flag), meaning(flag))).or_default().push(name.clone());
            }
        }
    }
    meanings.retain(|_, all| all.len() > 1);
    assert!(meanings.is_empty(), "{meanings:#?}");
}

#[test]
fn the_page_of_commands_is_as_recorded() {
    let all = description();
    let mut page = "# Commands\n\nThis page is written from the program: `odsmith schema commands` prints the same as JSON.\n\
                    `odsmith COMMAND --help` has the flags of one command. [Flags](flags.md) of several commands are on a page of\n\
                    their own, and so are the [exit codes](exit-codes.md).\n"
        .to_owned();
    let commands = commands(&all);
    let shared = |name: &str| commands.iter().filter(|(_, it)| flag(it, name).is_some()).count() > 3;
    for group in list(&all["groups"]) {
        let _ = write!(page, "\n## {}\n", text(group, "name"));
        for command in list(&group["commands"]) {
            let below: Vec<&(String, &Value)> = {
                let prefix = format!("{} ", text(command, "name"));
                commands.iter().filter(|(name, _)| name.starts_with(&prefix)).collect()
            };
            let _ = write!(page, "\n### odsmith {}\n\n{}.\n", text(command, "name"), text(command, "about"));
            let _ = write!(page, "\n```text\n{}\n```\n", text(command, "usage"));
            rows(&mut page, command, &shared);
            for (name, command) in below {
                let _ = write!(page, "\n`odsmith {name}`: {}.\n", text(command, "about"));
                rows(&mut page, command, &shared);
            }
            for example in list(&command["examples"]) {
                let about = text(example, "about");
                let _ = write!(page, "\n```sh\n# {about}\n{}\n```\n", text(example, "line"));
            }
        }
    }
    recorded::compare("service/manual/reference/commands.md", &page);
}

/// Adds the table of a command's arguments and of the flags that few commands share.
fn rows(page: &mut String, command: &Value, is_shared: &dyn Fn(&str) -> bool) {
    let mut rows = String::new();
    for argument in list(&command["arguments"]) {
        let dots = if argument["is_repeated"] == true { "..." } else { "" };
        let _ = writeln!(rows, "| `{}{dots}` | {} |", text(argument, "name"), meaning(argument));
    }
    let flags = list(&command["flags"]).filter(|flag| !is_shared(text(flag, "name")));
    flags.for_each(|flag| _ = writeln!(rows, "| {} | {} |", spelled(flag), meaning(flag)));
    if !rows.is_empty() {
        let _ = write!(page, "\n| argument | meaning |\n| --- | --- |\n{rows}");
    }
}

#[test]
fn the_page_of_flags_is_as_recorded() {
    let all = description();
    let commands = commands(&all);
    let mut flags: Vec<&Value> = Vec::new();
    for (_, command) in EXAMINERS.iter().filter_map(|name| commands.iter().find(|(own, _)| own == name)) {
        for flag in list(&command["flags"]) {
            if !flags.iter().any(|known| known["name"] == flag["name"]) {
                flags.push(flag);
            }
        }
    }
    let mut page = "# Flags of several commands\n\nA name has one meaning here, and a command that can use a flag has it. Some commands have a flag of such a\n\
                    name for something of their own: [their pages](commands.md) say what it is. This page is written from the program.\n"
        .to_owned();
    for group in ["Project", "MLIR", "Tolerance", "Report", "Display"] {
        let _ = write!(page, "\n## {group}\n\n| flag | meaning | {} | others |\n", EXAMINERS.join(" | "));
        let _ = writeln!(page, "| --- | --- |{} --- |", " --- |".repeat(EXAMINERS.len()));
        let of_group = flags.iter().filter(|flag| text(flag, "group") == group);
        for own in of_group {
            let name = text(own, "name");
            let has = |command: &str| {
                let command = commands.iter().find(|(own, _)| own == command);
                command.is_some_and(|(_, command)| flag(command, name).is_some())
            };
            let is_exception =
                |command: &str| EXCEPTIONS.iter().any(|(flag, of)| *flag == name && of.contains(&command));
            let cells = EXAMINERS.map(|command| if has(command) { "x" } else { "" });
            let others = commands.iter().map(|(own, _)| own.as_str());
            let others: Vec<&str> = others
                .filter(|own| {
                    !EXAMINERS.contains(own) && group != "Display" && has(own) && !is_exception(own)
                })
                .collect();
            let others = if group == "Display" { "all but tblgen".to_owned() } else { others.join(", ") };
            let _ =
                writeln!(page, "| {} | {} | {} | {others} |", spelled(own), meaning(own), cells.join(" | "));
        }
    }
    page += "\n`-o` is a folder, or an archive by its name, in `docs` (default: `site`) and `generate` (default: `generated`).\n\
             PATH is a folder, a `.td` file or an archive, and the current folder if none is named; `check`, `lint` and `ls` take several.\n\
             Colours: `--color`, else `NO_COLOR`, else `CLICOLOR_FORCE`, else on a terminal unless `TERM=dumb`.\n";
    recorded::compare("service/manual/reference/flags.md", &page);
}
