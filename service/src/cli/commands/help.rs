//! The help of commands in groups, with examples and exit codes; names of earlier versions; messages about words that
//! the parser does not know.

use clap::{
    Arg, Command, CommandFactory,
    error::{ContextKind, ContextValue, ErrorKind},
};
use odsmith_engine::text::nearest;

use super::{Cli, display, exit};

/// A heading of the list of commands, and the commands below it.
pub const GROUPS: [(&str, &[&str]); 5] = [
    ("Make", &["generate", "docs", "tblgen", "playground", "grammar"]),
    ("Examine", &["check", "lint", "fmt", "diff", "upgrade", "describe", "search", "ir", "ls", "rule"]),
    (
        "Set up",
        &["init", "import", "library", "cmake-shim", "calibrate", "plugin", "completions", "man", "schema"],
    ),
    ("Share", &["publish", "pull", "yank", "fetch", "catalog"]),
    ("Serve", &["serve", "token", "verify", "lsp", "mcp"]),
];

/// The examples of a command: what it does, and the command line.
type Examples = [(&'static str, &'static str); 2];

/// The examples of each command.
pub const EXAMPLES: &[(&str, Examples)] = &[
    (
        "generate",
        [
            ("everything that the project in this folder asks for, into generated/", "odsmith generate"),
            (
                "the C++ alone, with the rules of MLIR 22",
                "odsmith generate include --mlir 22 --outputs-only -o out",
            ),
        ],
    ),
    (
        "docs",
        [
            ("the reference of the project in this folder, into site/", "odsmith docs"),
            ("the same, made anew at each change, in a browser", "odsmith docs --watch --open"),
        ],
    ),
    (
        "tblgen",
        [
            ("the declarations of operations", "odsmith tblgen -gen-op-decls -I include Ops.td -o Ops.h.inc"),
            ("all records", "odsmith tblgen Ops.td"),
        ],
    ),
    (
        "playground",
        [
            ("a playground for a static host, or for a disk", "odsmith playground -o playground"),
            ("with MLIR 22 alone", "odsmith playground --mlir 22 -o playground"),
        ],
    ),
    (
        "check",
        [
            ("the project in this folder", "odsmith check"),
            ("two files; warnings count too", "odsmith check A.td B.td --fail-on warning"),
        ],
    ),
    (
        "grammar",
        [
            ("a TextMate grammar, for VS Code and GitHub", "odsmith grammar --for textmate -o syntaxes"),
            ("a lexer for the listings of Sphinx", "odsmith grammar --for pygments -o docs"),
        ],
    ),
    (
        "ir",
        [
            ("the operations of a file, each with its place", "odsmith ir --operations a.mlir"),
            ("the same text in generic form", "odsmith ir --generic a.mlir"),
        ],
    ),
    (
        "lint",
        [
            ("mend what can be mended without a change of generated code", "odsmith lint --fix"),
            ("annotations in a workflow of GitHub", "odsmith lint . --output-format github"),
        ],
    ),
    (
        "fmt",
        [
            ("all .td files of the project in this folder", "odsmith fmt"),
            (
                "in a workflow: fails if a file has another layout",
                "odsmith fmt --check --output-format github",
            ),
        ],
    ),
    (
        "diff",
        [
            ("what the edits in this folder break", "odsmith diff"),
            ("what changed since a tag, as a comment", "odsmith diff git:v1.0 . --output-format markdown"),
        ],
    ),
    (
        "upgrade",
        [
            ("what the project meets in the newest release that is here", "odsmith upgrade"),
            ("write names of MLIR 23 where they changed since 19", "odsmith upgrade --from 19 --to 23 --fix"),
        ],
    ),
    (
        "ls",
        [
            ("what the project consists of", "odsmith ls"),
            ("each file with its kind and the reason", "odsmith ls --files"),
        ],
    ),
    ("rule", [("all rules", "odsmith rule"), ("what a rule finds, and what to do", "odsmith rule DOC001")]),
    (
        "init",
        [
            ("an odsmith.toml for the project in this folder", "odsmith init"),
            ("for MLIR 22", "odsmith init --mlir 22"),
        ],
    ),
    (
        "import",
        [
            ("a manifest of what the build of this folder makes", "odsmith import"),
            ("the same of a build's folder", "odsmith import build --source ."),
        ],
    ),
    (
        "library",
        [
            ("the libraries that are found here", "odsmith library list"),
            ("MLIR 22's .td files", "odsmith library add 22"),
        ],
    ),
    (
        "cmake-shim",
        [
            ("a folder for -DMLIR_DIR", "odsmith cmake-shim shim"),
            ("for a certain MLIR", "odsmith cmake-shim shim --mlir-dir /opt/llvm/lib/cmake/mlir"),
        ],
    ),
    (
        "plugin",
        [
            ("a generator in Python, with a test", "odsmith plugin new names --lang python"),
            (
                "two forms of it over hostile definitions",
                "odsmith plugin check names.wasm --against generator.py -- -gen-names",
            ),
        ],
    ),
    (
        "calibrate",
        [
            (
                "the rules of an mlir-tblgen, for --mlir",
                "odsmith calibrate --tool build/bin/mlir-tblgen --library llvm-project/mlir/include -o mlir-7e3c571.toml",
            ),
            (
                "the outputs of a project that differ from the tool's",
                "odsmith calibrate --tool build/bin/mlir-tblgen --mlir mlir-7e3c571.toml --check .",
            ),
        ],
    ),
    (
        "describe",
        [
            ("an operation of MLIR 22", "odsmith describe arith.addi --from release:22"),
            ("a type of the project in this folder, as JSON", "odsmith describe '!my.box' --json"),
        ],
    ),
    (
        "search",
        [
            (
                "operations that take a memref and return an index",
                "odsmith search 'memref -> index' --from release:22",
            ),
            (
                "operations with a trait, in a published version",
                "odsmith search kind:op trait:Pure --from oci://registry.example/dialects/stablehlo:1.9.4",
            ),
        ],
    ),
    (
        "publish",
        [
            (
                "the project in this folder as version 1.9.4",
                "odsmith publish --to oci://registry.example/dialects/stablehlo:1.9.4",
            ),
            (
                "only if no bytecode breaks and lint has no warning",
                "odsmith publish --to oci://registry.example/dialects/stablehlo:1.9.4 --require diff=bytecode,lint=warning",
            ),
        ],
    ),
    (
        "pull",
        [
            (
                "all files of a version",
                "odsmith pull oci://registry.example/dialects/stablehlo:1.9.4 -o stablehlo",
            ),
            (
                "the model alone",
                "odsmith pull oci://registry.example/dialects/stablehlo:1.9.4 --only model -o stablehlo",
            ),
        ],
    ),
    (
        "yank",
        [
            (
                "withdraw a version, and name the one to use",
                "odsmith yank oci://registry.example/dialects/stablehlo:1.9.4 --reason 'wrong verifier' --use 1.9.5",
            ),
            ("take that back", "odsmith yank oci://registry.example/dialects/stablehlo:1.9.4 --undo"),
        ],
    ),
    (
        "fetch",
        [
            ("what odsmith.toml asks for, into odsmith.lock and the cache", "odsmith fetch"),
            ("the newest versions that fit", "odsmith fetch --update"),
        ],
    ),
    (
        "catalog",
        [
            (
                "the pages of all projects of a registry",
                "odsmith catalog build --from oci://registry.example/dialects/ -o catalog",
            ),
            ("who implements an interface", "odsmith catalog uses TilingInterface --catalog catalog"),
        ],
    ),
    ("completions", [("for bash", "odsmith completions bash"), ("for fish", "odsmith completions fish")]),
    (
        "man",
        [
            ("a page for each command", "odsmith man -o man1"),
            ("for all users", "odsmith man -o /usr/local/share/man/man1"),
        ],
    ),
    (
        "schema",
        [
            ("what odsmith.toml may hold", "odsmith schema manifest --markdown"),
            ("the form of model.json", "odsmith schema model"),
        ],
    ),
    (
        "serve",
        [
            ("on this machine", "odsmith serve"),
            ("for a network, with tokens", "odsmith serve --bind 0.0.0.0:8080 --tokens tokens.toml"),
        ],
    ),
    (
        "token",
        [
            ("a token for a job that generates", "odsmith token ci --file tokens.toml"),
            ("one for reading alone", "odsmith token reader --file tokens.toml --scope read"),
        ],
    ),
    (
        "verify",
        [
            ("where a file of a result comes from", "odsmith verify result.tar.gz --public-key key.pem"),
            (
                "make it again from the sources",
                "odsmith verify result.tar.gz --public-key key.pem --rebuild .",
            ),
        ],
    ),
    (
        "mcp",
        [
            ("for a client that starts it, about the project in this folder", "odsmith mcp"),
            ("about another folder", "odsmith mcp --root project"),
        ],
    ),
    (
        "lsp",
        [
            ("for an editor that starts it", "odsmith lsp"),
            ("the settings of an editor", "odsmith lsp --print-config nvim"),
        ],
    ),
];

/// Environment variables that some commands read, for their help.
const CACHE: &str = "Environment:
  ODSMITH_CACHE  Folder that keeps outputs for later calls, or `off` (default: ~/.cache/odsmith/states). It keeps those of
                 a project with [[target]] that was made before, if neither a reference nor a model is asked for.\n\n";

/// Returns the exit codes as lines.
fn exit_codes() -> String {
    let rows = exit::TABLE.iter().chain(&exit::SIGNALS);
    rows.map(|(code, meaning)| format!("  {code:<3}  {meaning}\n")).collect()
}

/// The commands whose exit codes say how a registry answered.
const REGISTRY_COMMANDS: &[&str] = &["publish", "pull", "yank", "catalog"];

/// Returns the exit codes of commands that ask a registry, as lines.
fn registry_exit_codes() -> String {
    let rows = exit::TABLE.iter().filter(|(code, _)| *code < 3).chain(&exit::REGISTRY).chain(&exit::SIGNALS);
    rows.map(|(code, meaning)| format!("  {code:<3}  {meaning}\n")).collect()
}

/// Returns the parser with grouped commands, examples and exit codes.
#[must_use]
pub fn command() -> Command {
    let mut command = Cli::command();
    let about = |name: &str| {
        let own = command.find_subcommand(name).and_then(Command::get_about);
        own.map(ToString::to_string).unwrap_or_default()
    };
    let mut groups = String::new();
    for (heading, names) in GROUPS {
        groups += &format!("{heading}:\n");
        for name in names {
            groups += &format!("  {name:<12} {}\n", about(name));
        }
        groups.push('\n');
    }
    let groups = groups.trim_end().to_owned();
    let head = "odsmith [OPTIONS] COMMAND";
    let end = format!(
        "`odsmith COMMAND --help` has the flags of a command, with examples.\n\nExit codes of all commands but tblgen; publish, \
         pull, yank and catalog have more:\n{}",
        exit_codes()
    );
    command = command
        .help_template("{about}\n\n{usage-heading} {usage}\n\n{before-help}Options:\n{options}{after-help}")
        .override_usage(head)
        .before_help(groups)
        .after_help(end);
    for (name, examples) in EXAMPLES {
        if *name == "tblgen" {
            continue;
        }
        command = command.mut_subcommand(name, |below| below.after_help(after_help(name, examples)));
    }
    command
}

fn after_help(name: &str, examples: &Examples) -> String {
    let lines = examples.map(|(what, line)| format!("  # {what}\n  {line}\n"));
    let environment = if name == "generate" { CACHE } else { "" };
    let codes = if REGISTRY_COMMANDS.contains(&name) { registry_exit_codes() } else { exit_codes() };
    format!("{environment}Examples:\n{}\nExit codes:\n{codes}", lines.concat())
}

/// Names of earlier versions: the commands that had them, the old name, and the new one.
const RENAMED: &[(&[&str], &str, &str)] = &[
    (&["check", "lint", "diff", "upgrade"], "--format", "--output-format"),
    (&["docs"], "--release", "--project-version"),
    (&["diff"], "--since-version", "--old-version"),
    (&["lsp"], "--root", ""),
];
/// Flags of earlier versions that are the command `rule` now.
const RULES: &[&str] = &["--rules", "--rows", "--explain"];

/// Returns the words with names of this version in the place of earlier ones, and a warning for each.
#[must_use]
pub fn renamed(words: &[String]) -> (Vec<String>, Vec<String>) {
    let mut words = words.to_vec();
    let mut warnings = Vec::new();
    let warn = |old: &str, new: &str| format!("'{old}' is called '{new}' now");
    let Some(at) = (1..words.len()).find(|at| !words[*at].starts_with('-')) else { return (words, warnings) };
    if words[at] == "manual" {
        warnings.push(warn("odsmith manual", "odsmith man"));
        "man".clone_into(&mut words[at]);
    }
    let command = words[at].clone();
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    for word in &mut words[at..end] {
        let (flag, value) = match word.split_once('=') {
            Some((flag, value)) => (flag.to_owned(), format!("={value}")),
            None => (word.clone(), String::new()),
        };
        let new = RENAMED.iter().find(|(commands, old, _)| *old == flag && commands.contains(&&*command));
        if let Some((_, old, new)) = new {
            if new.is_empty() {
                warnings.push(format!("'{old} DIR' is 'odsmith {command} DIR' now"));
                *word = value.trim_start_matches('=').to_owned();
            } else {
                warnings.push(warn(old, new));
                *word = format!("{new}{value}");
            }
        }
    }
    words.retain(|word| !word.is_empty());
    let is_examined = ["lint", "diff", "upgrade"].contains(&&*command);
    let flag = |word: &String| word.split('=').next().is_some_and(|flag| RULES.contains(&flag));
    if let Some(place) = words[..end.min(words.len())].iter().position(flag).filter(|_| is_examined) {
        let old = words.remove(place);
        let id = old.split_once('=').map(|(_, id)| id.to_owned());
        warnings.push(warn(
            &format!("odsmith {command} {}", old.split('=').next().unwrap_or(&old)),
            "odsmith rule",
        ));
        words[at] = "rule".to_owned();
        words.extend(["--of".to_owned(), command]);
        words.extend(id);
    }
    (words, warnings)
}

/// Returns the message about a command line that the parser refuses; `None` if the parser's own text is to be printed,
/// as for `--help`.
#[must_use]
pub fn refusal(error: &clap::Error, words: &[String]) -> Option<String> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let command = command();
    // The innermost command that is named.
    let (mut own, mut of) = (&command, "odsmith".to_owned());
    for word in words.iter().skip(1) {
        if let Some(below) = own.find_subcommand(word) {
            own = below;
            of += &format!(" {word}");
        }
    }
    let see = format!("help: {of} --help");
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let word = text(ContextKind::InvalidSubcommand)?;
            let names = own.get_subcommands().map(Command::get_name);
            let help = did_you_mean(&word, names).unwrap_or(see);
            Some(format!("'{word}' is no command of {of}\n{help}"))
        }
        ErrorKind::UnknownArgument => {
            let word = text(ContextKind::InvalidArg)?;
            if !word.starts_with('-') {
                return Some(format!("'{word}' is one argument too many for {of}\n{see}"));
            }
            let flags: Vec<String> = flags_of(own).chain(flags_of(&command)).collect();
            let help = did_you_mean(&word, flags.iter().map(String::as_str)).unwrap_or(see);
            Some(format!("{of} has no flag '{word}'\n{help}"))
        }
        ErrorKind::InvalidValue => {
            let (flag, value) = (text(ContextKind::InvalidArg)?, text(ContextKind::InvalidValue)?);
            let Some(ContextValue::Strings(all)) = error.get(ContextKind::ValidValue) else { return None };
            let flag = flag.split([' ', '=']).next().unwrap_or(&flag).to_owned();
            if value.is_empty() {
                let all = if all.is_empty() { String::new() } else { format!(": {}", all.join(", ")) };
                return Some(format!("'{flag}' wants a value{all}\n{see}"));
            }
            let help = did_you_mean(&value, all.iter().map(String::as_str)).unwrap_or(see);
            Some(format!("'{flag}' takes {}, and not '{value}'\n{help}", all.join(", ")))
        }
        ErrorKind::ValueValidation => {
            let (flag, value) = (text(ContextKind::InvalidArg)?, text(ContextKind::InvalidValue)?);
            let flag = flag.split([' ', '=']).next().unwrap_or(&flag).to_owned();
            let reason = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
            Some(match reason.starts_with("MLIR ") {
                true => reason,
                false => format!("'{flag}' cannot be '{value}': {reason}\n{see}"),
            })
        }
        ErrorKind::MissingRequiredArgument => {
            let Some(ContextValue::Strings(all)) = error.get(ContextKind::InvalidArg) else { return None };
            let all: Vec<String> = all.iter().map(|flag| format!("'{flag}'")).collect();
            Some(format!("{of} wants {}\n{see}", all.join(" and ")))
        }
        ErrorKind::ArgumentConflict => {
            let one = text(ContextKind::InvalidArg)?;
            let others = match error.get(ContextKind::PriorArg) {
                Some(ContextValue::String(other)) => vec![other.clone()],
                Some(ContextValue::Strings(others)) => others.clone(),
                _ => return None,
            };
            let others: Vec<String> = others.iter().map(|other| format!("'{other}'")).collect();
            Some(format!("'{one}' does not go with {}\n{see}", others.join(" and ")))
        }
        _ => None,
    }
}

fn flags_of(command: &Command) -> impl Iterator<Item = String> {
    let own = command.get_arguments().filter(|arg| !arg.is_hide_set());
    own.filter_map(Arg::get_long).map(|long| format!("--{long}"))
}

/// Returns the proposal for a word, if one is near.
fn did_you_mean<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> Option<String> {
    nearest(word, names).map(|name| format!("help: did you mean '{name}'?"))
}

/// Prints the warnings about names of earlier versions.
pub(super) fn warn_of_names(warnings: &[String]) {
    warnings.iter().for_each(|warning| display::warning(warning));
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    /// Returns the words of a command line, in which `'` quotes.
    fn words(line: &str) -> Vec<String> {
        let mut is_quoted = false;
        let split = |letter: char| {
            is_quoted ^= letter == '\'';
            letter == ' ' && !is_quoted
        };
        line.split(split).map(|word| word.trim_matches('\'').to_owned()).collect()
    }

    #[test]
    fn every_command_is_in_a_group_and_has_examples() {
        let command = command();
        let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        let listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        for name in names {
            assert!(listed.contains(&name), "{name} is in no group");
            let (_, examples) = EXAMPLES.iter().find(|(own, _)| *own == name).expect("examples");
            for (_, line) in examples {
                Cli::try_parse_from(words(line)).unwrap_or_else(|error| panic!("{line}: {error}"));
            }
        }
        assert_eq!(listed.len(), EXAMPLES.len());
    }

    #[test]
    fn earlier_names_lead_to_those_of_today() {
        for (line, new) in [
            ("odsmith check --format json", "odsmith check --output-format json"),
            ("odsmith -q lint x --format=json", "odsmith -q lint x --output-format=json"),
            ("odsmith docs x --release 1 -o y", "odsmith docs x --project-version 1 -o y"),
            ("odsmith diff --since-version 1", "odsmith diff --old-version 1"),
            ("odsmith lint --rules", "odsmith rule --of lint"),
            ("odsmith diff --explain IN001", "odsmith rule IN001 --of diff"),
            ("odsmith upgrade --explain=U1", "odsmith rule --of upgrade U1"),
            ("odsmith upgrade --rows --format html", "odsmith rule --output-format html --of upgrade"),
            ("odsmith manual -o x", "odsmith man -o x"),
            ("odsmith lsp --root x", "odsmith lsp x"),
        ] {
            let (made, warnings) = renamed(&words(line));
            assert_eq!(made.join(" "), new);
            assert!(!warnings.is_empty(), "{line}");
            Cli::try_parse_from(made).unwrap_or_else(|error| panic!("{new}: {error}"));
        }
        for line in ["odsmith", "odsmith check", "odsmith check -- --format", "odsmith tblgen --format x"] {
            assert_eq!(renamed(&words(line)), (words(line), Vec::new()));
        }
    }

    #[test]
    fn one_near_word_is_proposed() {
        let of = |line: &str| {
            let words = words(line);
            let error = command().try_get_matches_from(&words).expect_err("an error");
            refusal(&error, &words).unwrap_or_default()
        };
        assert_eq!(of("odsmith chek"), "'chek' is no command of odsmith\nhelp: did you mean 'check'?");
        assert_eq!(
            of("odsmith check --exlude x"),
            "odsmith check has no flag '--exlude'\nhelp: did you mean '--exclude'?"
        );
        assert_eq!(
            of("odsmith check --zzz"),
            "odsmith check has no flag '--zzz'\nhelp: odsmith check --help"
        );
        assert!(of("odsmith check --fail-on eror").ends_with("help: did you mean 'error'?"));
    }
}
