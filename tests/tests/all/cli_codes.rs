//! The exit codes of all commands, from real runs, and the page of the manual about them.

use std::{
    fmt::Write as _,
    process::{Command, Output, Stdio},
};

use odsmith_tests::{folder::TestFolder, recorded, set_up};
use serde_json::Value;

const HEAD: &str = "include \"mlir/IR/OpBase.td\"\n\
    def D : Dialect { let name = \"d\"; let summary = \"a dialect\"; let cppNamespace = \"::d\"; }\n";
const FINE: &str =
    "class D_Op<string name> : Op<D, name>;\ndef D_GoOp : D_Op<\"go\"> { let summary = \"goes\"; }\n";
const BROKEN: &str = "def D_GoOp : Missing<\"go\">;\n";
const CMAKE: &str = "set(LLVM_TARGET_DEFINITIONS F.td)\nmlir_tablegen(F.h.inc -gen-op-decls)\n";

/// The commands of the table.
const COMMANDS: [&str; 9] = ["check", "lint", "docs", "generate", "diff", "upgrade", "ls", "init", "import"];

/// A row of the table: the situation, the folder, more words, and the code of each command; `-` has no such flag.
struct Situation {
    name: &'static str,
    folder: &'static str,
    words: &'static [&'static str],
    codes: &'static str,
}

/// The situations; codes are in the order of [`COMMANDS`].
const SITUATIONS: &[Situation] = &[
    row("nothing is wrong", "fine", &[], "000000000"),
    row("a pattern matches no file", "fine", &["--exclude", "zzz"], "0000000--"),
    row("a definition has an error", "broken", &[], "11112101-"),
    row("it has one, with `--fail-on never`", "broken", &["--fail-on", "never"], "000020---"),
    row("it has one, beside a file without, with `--keep-going`", "partly", &["--keep-going"], "000000---"),
    row("it has one, beside a file without", "partly", &[], "11110101-"),
    row("an included file is missing", "missing", &[], "11112101-"),
    row("no `.td` file is there", "empty", &[], "222222222"),
    row("the path is not there", "nowhere", &[], "222222222"),
    row("the release is not known", "fine", &["--mlir", "99"], "22222222-"),
    row("the library is not there", "fine", &["--library", "nowhere"], "22222222-"),
    row("`odsmith.toml` has a wrong key", "wrong-key", &[], "22222222-"),
    row("`odsmith.toml` names a dependency that is not there", "wrong-dependency", &[], "22222222-"),
    row("a flag is not known", "fine", &["--zzz"], "222222222"),
    row("`[[target]]` names a file that is not there", "wrong-target", &[], "22222222-"),
    row("`--exclude` leaves nothing", "fine", &["--exclude", "*.td"], "22222-2--"),
    row("the report cannot be written", "fine", &["-o", "fine/F.td/x"], "222222--2"),
];

const fn row(
    name: &'static str,
    folder: &'static str,
    words: &'static [&'static str],
    codes: &'static str,
) -> Situation {
    Situation { name, folder, words, codes }
}

/// Single command lines with their codes.
const LINES: &[(&str, &str)] = &[
    ("", "2"),
    ("--help", "0"),
    ("--version", "0"),
    ("help check", "0"),
    ("chek", "2"),
    ("rule", "0"),
    ("rule DOC001", "0"),
    ("rule unknown-class", "0"),
    ("rule ZZZ", "2"),
    ("lint fine --select ZZZ", "2"),
    ("lint bare", "0"),
    ("lint bare --fail-on warning", "1"),
    ("lint bare --fail-on never", "0"),
    ("check fine broken", "1"),
    ("check text.txt", "2"),
    ("diff fine changed", "1"),
    ("diff fine changed --fail-on never", "0"),
    ("diff fine broken", "1"),
    ("diff partly fine", "0"),
    ("diff broken broken", "2"),
    ("diff git:nowhere fine", "2"),
    ("diff fine fine --write-accept", "0"),
    ("docs bare -o site-bare --min-coverage 100", "1"),
    ("upgrade fine --from 22 --to 21", "2"),
    ("upgrade fine --from zzz", "2"),
    ("library identify nowhere", "2"),
    ("library path 99", "2"),
    ("schema manifest", "0"),
    ("schema model --markdown", "2"),
    ("completions bash", "0"),
    ("completions zzz", "2"),
    ("man -o man1", "0"),
    ("cmake-shim shim --mlir-dir nowhere", "2"),
    ("token ci --file fine", "2"),
    ("verify nowhere --public-key nowhere", "2"),
    ("serve --bind zzz", "2"),
    ("calibrate --tool nowhere", "2"),
];

fn project() -> TestFolder {
    let home = TestFolder::new("cli-codes");
    home.write("fine/F.td", format!("{HEAD}{FINE}"));
    home.write("fine/CMakeLists.txt", CMAKE);
    home.write("bare/F.td", format!("{HEAD}def D_GoOp : Op<D, \"go\">;\n"));
    home.write("changed/F.td", HEAD);
    home.write("broken/F.td", format!("{HEAD}{BROKEN}"));
    home.write("partly/F.td", format!("{HEAD}{FINE}"));
    home.write("partly/G.td", format!("{HEAD}{BROKEN}"));
    home.write("missing/F.td", format!("{HEAD}include \"nowhere/X.td\"\n"));
    home.write("empty/README", "nothing\n");
    home.write("text.txt", "nothing\n");
    home.write("wrong-key/F.td", format!("{HEAD}{FINE}"));
    home.write("wrong-key/odsmith.toml", "exlude = [\"x\"]\n");
    home.write("wrong-target/F.td", format!("{HEAD}{FINE}"));
    home.write("wrong-target/odsmith.toml", "[[target]]\ntd = \"nowhere.td\"\n");
    home.write("wrong-dependency/F.td", format!("{HEAD}{FINE}"));
    home.write("wrong-dependency/odsmith.toml", "[dependencies]\nx = { path = \"../nowhere\" }\n");
    home
}

fn run(home: &TestFolder, words: &[&str]) -> Output {
    let mut command = Command::new(set_up::odsmith());
    command.args(words).current_dir(&**home).stdin(Stdio::null());
    command.env("ODSMITH_LIBRARY", set_up::library()).env("ODSMITH_CACHE", home.join("cache"));
    command.env_remove("ODSMITH_MLIR").output().expect("odsmith starts")
}

/// Returns the code, or the code with what is wrong about the messages: an error has a line, and success none.
fn code(output: &Output) -> String {
    let code = output.status.code().map_or_else(|| "signal".to_owned(), |code| code.to_string());
    let messages = String::from_utf8_lossy(&output.stderr);
    let has_error = messages.lines().any(|line| line.starts_with("error:"));
    let is_usage = messages.starts_with("error:") || messages.contains("Usage:");
    match &*code {
        "0" if has_error => format!("0, with an error: {messages}"),
        "2" if !has_error && !is_usage => format!("2, without an error: {messages}"),
        _ => code,
    }
}

/// Returns the words of a command in a situation.
fn words(command: &'static str, situation: &Situation) -> Vec<String> {
    let folder = situation.folder;
    let mut words: Vec<&str> = vec![command, folder];
    let own_output = situation.words.contains(&"-o");
    match command {
        "diff" => words.push(folder),
        "upgrade" => {
            words.extend(["--from", "21", "--to", if situation.words.contains(&"99") { "99" } else { "22" }])
        }
        "docs" | "generate" if !own_output => words.extend(["-o", "made"]),
        _ => {}
    }
    words.extend(situation.words);
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn the_codes_of_each_situation() {
    let home = project();
    let mut page = "# Exit codes\n\nAll commands but `tblgen`, which has those of mlir-tblgen, end with one of these codes; `publish`, `pull`, `yank`\n\
                    and `catalog` have 4, 5 and 6 as well. A script sees whether a change is bad (1) or a job is broken (2). The tables of\n\
                    situations and command lines are from real runs.\n\n\
                    | code | meaning |\n| --- | --- |\n"
        .to_owned();
    let described = run(&home, &["schema", "commands"]).stdout;
    let described: Value = serde_json::from_slice(&described).expect("JSON");
    for row in described["exit_codes"].as_array().into_iter().flatten() {
        let _ = writeln!(page, "| {} | {} |", row["code"], row["meaning"].as_str().unwrap_or_default());
    }
    page += "\nCommands of registries:\n\n| code | meaning |\n| --- | --- |\n";
    for row in described["registry_exit_codes"].as_array().into_iter().flatten() {
        let _ = writeln!(page, "| {} | {} |", row["code"], row["meaning"].as_str().unwrap_or_default());
    }
    let _ = write!(
        page,
        "\n| situation | {} |\n| --- |{}\n",
        COMMANDS.join(" | "),
        " --- |".repeat(COMMANDS.len())
    );
    let mut wrong = Vec::new();
    for situation in SITUATIONS {
        let mut made = Vec::new();
        for (command, expected) in COMMANDS.iter().zip(situation.codes.chars()) {
            // `init` writes a file, so each run has files of its own.
            let home = if *command == "init" { &project() } else { &home };
            if expected == '-' {
                made.push(String::new());
                continue;
            }
            let words = words(command, situation);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let output = run(home, &words);
            let code = code(&output);
            if code != expected.to_string() {
                let messages = String::from_utf8_lossy(&output.stderr).into_owned();
                wrong.push(format!("{}: {}, and not {expected}\n{messages}", words.join(" "), code));
            }
            made.push(code);
        }
        let _ = writeln!(page, "| {} | {} |", situation.name, made.join(" | "));
    }
    page += "\n| command line | code |\n| --- | --- |\n";
    for (line, expected) in LINES {
        let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
        let output = run(&home, &words);
        let code = code(&output);
        if code != *expected {
            let messages = String::from_utf8_lossy(&output.stderr).into_owned();
            wrong.push(format!("{line}: {code}, and not {expected}\n{messages}"));
        }
        let _ = writeln!(page, "| `{}` | {code} |", format!("odsmith {line}").trim_end());
    }
    page += "\nA root that only the old side of `diff` cannot read, or both, is left out with a warning, and the code is that of the rest; on the\n\
             new side alone it is an error. A closed pipe ends a command quietly with the code that it reached. `serve` ends with 0 after\n\
             SIGTERM, and `lsp` after the requests `shutdown` and `exit`.\n";
    assert!(wrong.is_empty(), "{} codes are wrong:\n{}", wrong.len(), wrong.join("\n"));
    recorded::compare("service/manual/reference/exit-codes.md", &page);
}

/// A reader that closes the pipe early does not change the code, and sees no message.
#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_quietly() {
    let home = project();
    let mut command = Command::new(set_up::odsmith());
    command
        .args(["rule", "--output-format", "json"])
        .current_dir(&*home)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("odsmith starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("odsmith ends");
    assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]));
}

/// SIGINT and SIGTERM end a command that runs on and on, as the shell's 130 and 143 say.
#[cfg(unix)]
#[test]
fn signals_end_commands() {
    use std::{io::BufRead, io::BufReader, os::unix::process::ExitStatusExt};
    let home = project();
    for (signal, number) in [("-INT", 2), ("-TERM", 15)] {
        // A program that a shell starts in the background ignores SIGINT.
        let mut command = Command::new("env");
        command.arg("--default-signal=INT,TERM").arg(set_up::odsmith()).args(["docs", "fine", "--watch"]);
        command.current_dir(&*home).stderr(Stdio::piped());
        command.env("ODSMITH_LIBRARY", set_up::library());
        let mut child = command.spawn().expect("odsmith starts");
        let lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        let shown = lines.map_while(Result::ok).find(|line| line.contains("shows the site"));
        assert!(shown.is_some());
        let killed = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(killed.is_ok_and(|status| status.success()));
        let status = child.wait().expect("odsmith ends");
        assert!(status.signal() == Some(number) || status.code() == Some(128 + number), "{status}");
    }
}
