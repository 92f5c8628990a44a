//! Messages of commands: what is wrong, where, and a line to paste. One test for each row of the table in the
//! specification of the command line.

use std::{
    fs,
    io::{Read, Write},
    net::TcpListener,
    process::{Command, Stdio},
    thread,
};

use odsmith_tests::{folder::TestFolder, set_up};

const HEAD: &str = "include \"mlir/IR/OpBase.td\"\n\
    def D : Dialect { let name = \"d\"; let summary = \"a dialect\"; let cppNamespace = \"::d\"; }\n";

/// A folder with a project in `x`, and the texts that commands print about it.
struct Desk(TestFolder);

impl Desk {
    fn new(files: &[(&str, &str)]) -> Desk {
        let desk = Desk(TestFolder::new("cli-messages"));
        for (path, text) in files {
            desk.0.write(path, text.replace("HEAD", HEAD));
        }
        desk
    }

    /// A project without faults in `x`.
    fn fine() -> Desk {
        Desk::new(&[("x/F.td", "HEAD")])
    }

    /// Runs a command line, and returns its code and what it prints to both streams.
    fn run(&self, line: &str) -> (i32, String, String) {
        let mut command = Command::new(set_up::odsmith());
        command.args(line.split(' ').filter(|word| !word.is_empty())).current_dir(&*self.0);
        command
            .env("ODSMITH_LIBRARY", set_up::library())
            .env("ODSMITH_CACHE", "off")
            .env_remove("ODSMITH_MLIR");
        let output = command.stdin(Stdio::null()).output().expect("odsmith starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
    }

    /// Runs a command line that ends with a code, and returns its messages.
    #[track_caller]
    fn says(&self, line: &str, code: i32) -> String {
        let (made, out, messages) = self.run(line);
        assert_eq!(made, code, "{line}: {out}{messages}");
        messages
    }

    /// A command line ends with a code, and prints a line.
    #[track_caller]
    fn has(&self, line: &str, code: i32, wanted: &[&str]) {
        let messages = self.says(line, code);
        for wanted in wanted {
            assert!(messages.lines().any(|own| own == *wanted), "{line}: no '{wanted}' in\n{messages}");
        }
    }
}

/// Returns a closing line without its time.
fn without_time(messages: &str) -> String {
    let line = messages.lines().last().unwrap_or_default();
    match (line.find(" in "), line.find(" s: ")) {
        (Some(from), Some(to)) => format!("{}{}", &line[..from], &line[to + 2..]),
        _ => line.to_owned(),
    }
}

#[test]
fn row_01_success_is_said() {
    let desk = Desk::fine();
    assert_eq!(without_time(&desk.says("check x", 0)), "checked 1 file, 1 dialect: no errors");
    assert_eq!(desk.says("check x -q", 0), "");
}

#[test]
fn row_02_a_closing_line_counts() {
    let unused = (0..6).fold(String::new(), |text, at| format!("{text}class C{at}<int unused>;\n"));
    let desk = Desk::new(&[("x/F.td", "HEAD"), ("x/G.td", &unused), ("x/H.td", "def H : Missing;\n")]);
    let messages = desk.says("check x", 1);
    assert_eq!(without_time(&messages), "checked 3 files, 1 dialect: 1 error, 6 warnings (5 more with -v)");
    assert!(messages.contains("(and 5 more places)"), "{messages}");
    let messages = desk.says("check x -v", 1);
    assert_eq!(without_time(&messages), "checked 3 files, 1 dialect: 1 error, 6 warnings");
    assert_eq!(messages.matches("warning: ").count(), 6);
    let messages = desk.says("check x -q", 1);
    assert!(messages.contains("Missing") && !messages.contains("warning") && !messages.contains("checked"));
}

#[test]
fn row_03_no_definitions() {
    let desk = Desk::new(&[("x/external/lib/F.td", "HEAD"), ("y/README", "")]);
    desk.has("check x", 2, &["error: no .td file in 'x'; 1 is in 'x/external/lib' (vendored)"]);
    desk.has("lint y", 2, &["error: no .td file in 'y'"]);
}

#[test]
fn row_04_a_file_that_is_no_archive() {
    let desk = Desk::new(&[("x.txt", "x")]);
    desk.has("check x.txt", 2, &["error: 'x.txt' is no .td file, folder or archive"]);
}

#[test]
fn row_05_a_file_of_another_project() {
    for (path, name) in [
        ("stablehlo/dialect/Base.td", "stablehlo"),
        ("shardy/dialect/sdy/ir/dialect.td", "shardy"),
        ("mhlo/IR/hlo_ops.td", "mhlo"),
        ("lhlo/IR/lhlo_ops.td", "lhlo"),
        ("triton/Dialect/Triton/IR/TritonOps.td", "triton"),
        ("torch-mlir/Dialect/Torch/IR/TorchBase.td", "torch-mlir"),
        ("circt/Dialect/HW/HW.td", "circt"),
        ("iree/compiler/Dialect/Util/IR/UtilBase.td", "iree"),
        ("Enzyme/MLIR/Dialect/Dialect.td", "Enzyme"),
        ("src/Dialect/ONNX/ONNX.td", "onnx-mlir"),
        ("tensorflow/compiler/mlir/tf.td", "tensorflow"),
    ] {
        let desk = Desk::new(&[("x/F.td", &format!("HEADinclude \"{path}\"\n"))]);
        let error = format!("x/F.td:3:9: error: could not find include file '{path}'");
        let help = format!("help: in odsmith.toml: [dependencies] {name} = {{ path = \"../{name}\" }}");
        desk.has("check x", 1, &[&error, &help]);
    }
}

#[test]
fn row_06_one_error_for_one_place() {
    let desk = Desk::new(&[("x/F.td", "HEADinclude \"nowhere/X.td\"\n")]);
    let extra = "Unexpected token at top level";
    for command in ["check", "docs -o site", "generate -o out", "lint"] {
        assert!(!desk.says(&format!("{command} x"), 1).contains(extra), "{command}");
    }
    let library = format!("tblgen x/F.td -I {}", set_up::library());
    assert!(desk.says(&library, 1).contains(extra));
}

#[test]
fn row_07_another_case() {
    let desk = Desk::new(&[("x/Q/Q.td", "HEAD"), ("x/F.td", "include \"q/Q.td\"\ndef X;\n")]);
    desk.has("check x", 1, &["help: it is spelled 'Q/Q.td'"]);
}

#[test]
fn row_08_a_file_that_moved() {
    let desk = Desk::new(&[("x/F.td", "HEADinclude \"mlir/IR/FunctionInterfaces.td\"\n")]);
    desk.has("check x", 1, &["help: since MLIR 18 it is 'mlir/Interfaces/FunctionInterfaces.td'"]);
}

#[test]
fn row_09_a_release_that_is_not_known() {
    let desk = Desk::fine();
    for command in ["check", "lint", "docs", "generate", "diff x", "upgrade --from 19 --to", "ls", "init"] {
        let line = if command.ends_with("--to") {
            format!("{command} 99 x")
        } else {
            format!("{command} x --mlir 99")
        };
        let help = "help: --mlir 24 reads it as 24; results may differ";
        desk.has(&line, 2, &["error: MLIR 99 is not known (13 to 19, 21 to 24)", help]);
    }
}

#[test]
fn row_10_a_release_that_is_not_here() {
    let desk = Desk::fine();
    let mut command = Command::new(set_up::odsmith());
    command.args(["check", "x", "--mlir", "13"]).current_dir(&*desk.0);
    command.env_remove("ODSMITH_LIBRARY").env("ODSMITH_CACHE", desk.0.join("none")).env("HOME", &*desk.0);
    let output = command.output().expect("odsmith starts");
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{messages}");
    assert_eq!(messages, "error: MLIR 13's .td files are not here\nhelp: odsmith library add 13\n");
}

#[test]
fn row_11_and_12_a_misspelt_word() {
    let desk = Desk::fine();
    desk.has("chek", 2, &["error: 'chek' is no command of odsmith", "help: did you mean 'check'?"]);
    desk.has(
        "check --exlude x",
        2,
        &["error: odsmith check has no flag '--exlude'", "help: did you mean '--exclude'?"],
    );
    desk.has("check --zzzzzz", 2, &["help: odsmith check --help"]);
    desk.has("library lst", 2, &["help: did you mean 'list'?"]);
    desk.has("check --output-format jsn", 2, &["help: did you mean 'json'?"]);
}

#[test]
fn row_13_a_pattern_without_a_match() {
    let desk = Desk::fine();
    desk.has("check x --exclude zzz", 0, &["warning: --exclude 'zzz' matches no file"]);
}

#[test]
fn row_14_an_unknown_key() {
    let desk = Desk::new(&[("x/F.td", "HEAD"), ("x/odsmith.toml", "exlude = [\"x\"]\n")]);
    for command in ["check", "lint", "docs -o site", "generate -o out", "upgrade", "ls"] {
        let error = "error: odsmith.toml:1: unknown key 'exlude'";
        desk.has(&format!("{command} x"), 2, &[error, "help: did you mean 'exclude'?"]);
    }
}

#[test]
fn row_15_a_dependency_that_is_not_there() {
    let manifest = "# a comment\n[dependencies]\ny = { path = \"../y\" }\n";
    let desk = Desk::new(&[("x/F.td", "HEAD"), ("x/odsmith.toml", manifest)]);
    for command in ["check", "lint", "docs -o site", "ls"] {
        desk.has(&format!("{command} x"), 2, &["error: odsmith.toml:3: dependency 'y': '../y' is not there"]);
    }
}

#[test]
fn row_16_an_include_folder_that_is_not_there() {
    let desk = Desk::fine();
    for place in ["/nowhere", "nowhere", "../nowhere"] {
        desk.has(&format!("check x -I {place}"), 0, &[&format!("warning: -I '{place}' is not there")]);
    }
}

#[test]
fn row_17_nothing_can_be_read() {
    let desk = Desk::new(&[("x/F.td", "def F : Missing;\n"), ("x/G.td", "def G : Missing;\n")]);
    desk.has("check x --keep-going", 1, &["error: none of 2 roots can be read"]);
    let desk = Desk::fine();
    assert!(!desk.says("check x --keep-going", 0).contains("none of"));
}

#[test]
fn row_18_roots_that_are_not_compared() {
    let files = [
        ("old/F.td", "HEAD"),
        ("old/X.td", "def X : Missing;\n"),
        ("new/F.td", "HEAD"),
        ("new/X.td", "def X : Missing;\n"),
    ];
    let desk = Desk::new(&files);
    desk.has("diff old new", 0, &["warning: 1 of 2 roots is not compared: 'X.td' fails on both sides"]);
    fs::write(desk.0.join("old/X.td"), "def X;\n").expect("a file");
    desk.has("diff old new", 1, &["error: 1 of 2 roots is not compared: 'X.td' fails on the new side"]);
    let messages = desk.says("diff old new --fail-on never", 0);
    assert!(!messages.lines().any(|line| line.starts_with("error:")), "{messages}");
    desk.has("diff new old", 0, &["warning: 1 of 2 roots is not compared: 'X.td' fails on the old side"]);
}

#[test]
fn row_19_a_path_that_is_not_there() {
    let desk = Desk::fine();
    for command in
        ["check y", "lint y", "docs y", "generate y", "diff y x", "diff x y", "upgrade y", "ls y", "import y"]
    {
        desk.has(command, 2, &["error: 'y' is not there"]);
    }
}

#[test]
fn row_20_a_revision_that_is_not_there() {
    let desk = Desk::fine();
    let git = Command::new("git").args(["init", "-q"]).current_dir(&*desk.0).status();
    assert!(git.is_ok_and(|status| status.success()));
    desk.has("diff git:y x", 2, &["error: 'git:y': git has no revision 'y'"]);
}

#[test]
fn row_21_nothing_is_written() {
    let desk = Desk::new(&[("x/F.td", "def F : Missing;\n")]);
    for command in ["docs -o made", "generate -o made"] {
        desk.has(&format!("{command} x"), 1, &["error: nothing written: 1 of 1 roots cannot be read"]);
        assert!(!desk.0.join("made").exists(), "{command}");
    }
}

#[test]
fn row_22_outputs_of_another_program() {
    let manifest = "on-unsupported = \"skip\"\n[[target]]\ntd = \"F.td\"\noutputs = [\
                    { path = \"a\", flags = [\"-gen-op-decls\"] }, { path = \"b\", flags = [\"--firrtl-x\"] }, \
                    { path = \"c\", flags = [\"-gen-firrtl\"] }]\n";
    let desk = Desk::new(&[("x/F.td", "HEAD"), ("x/odsmith.toml", manifest)]);
    let note = "note: 2 outputs have flags of another program and are left to it: cpp/b, cpp/c\n";
    for command in ["check x", "generate x -o made"] {
        let messages = desk.says(command, 0);
        assert!(messages.starts_with(note) && messages.lines().count() == 2, "{messages}");
    }
}

#[test]
fn row_23_a_dialect_has_to_be_named() {
    let second = "def E : Dialect { let name = \"e\"; let summary = \"e\"; let cppNamespace = \"::e\"; }\n";
    let op = "def D_A : Op<D, \"a\">;\ndef E_A : Op<E, \"a\">;\n";
    let text = format!("HEAD{second}{op}");
    let desk = Desk::new(&[("x/F.td", &text)]);
    assert!(!desk.says("check x", 0).contains("-dialect"));
    let manifest =
        "[[target]]\ntd = \"F.td\"\noutputs = [{ path = \"a\", flags = [\"-gen-dialect-decls\"] }]\n";
    desk.0.write("x/odsmith.toml", manifest);
    let messages = desk.says("check x", 1);
    assert!(messages.starts_with("error: x/F.td: when more than 1 dialect is present"), "{messages}");
    assert!(messages.contains("\nhelp: in odsmith.toml, add \"-dialect=NAME\""), "{messages}");
}

#[test]
fn row_24_an_include_with_two_meanings() {
    let desk = Desk::new(&[
        ("x/a/X.td", "def A;\n"),
        ("x/b/X.td", "def B;\n"),
        ("x/F.td", "HEADinclude \"X.td\"\n"),
    ]);
    desk.has("check x", 0, &["warning: F.td:3: \"X.td\": 'a/X.td' is read, not 'b/X.td'"]);
}

#[test]
fn row_25_a_shim_ends_with_a_command() {
    let desk = Desk::new(&[("mlir/MLIRConfig.cmake", "# MLIR\n")]);
    let messages = desk.says("cmake-shim c --mlir-dir mlir", 0);
    let lines: Vec<&str> = messages.lines().collect();
    assert_eq!(lines[0], "wrote 3 files to c");
    assert!(lines[1].starts_with("cmake -S . -B build -DMLIR_DIR=") && lines.len() == 2, "{messages}");
}

#[test]
fn row_26_a_rule_that_is_not_there() {
    let desk = Desk::fine();
    desk.has("rule ZZZZZZ", 2, &["error: no rule 'ZZZZZZ'", "help: odsmith rule"]);
    desk.has("lint --explain ZZZZZZ", 2, &["error: no rule 'ZZZZZZ'", "help: odsmith rule"]);
}

#[test]
fn row_27_written_files_are_counted() {
    let desk = Desk::fine();
    let count = |messages: &str| {
        let words: Vec<&str> = messages.trim_end().split(' ').collect();
        words[1].parse::<usize>().expect("a number")
    };
    let messages = desk.says("docs x -o site", 0);
    let first = count(&messages);
    assert_eq!(messages, format!("wrote {first} files to site\n"));
    assert_eq!(desk.says("docs x -o site", 0), format!("wrote {first} files to site ({first} unchanged)\n"));
    desk.0.write("x/G.td", HEAD.replace("\"d\"", "\"g\"").replace("def D", "def G"));
    desk.says("docs x -o site", 0);
    fs::remove_file(desk.0.join("x/G.td")).expect("the file");
    let messages = desk.says("docs x -o site", 0);
    assert!(messages.contains(" removed, ") && messages.contains(" unchanged)"), "{messages}");
    assert!(desk.says("generate x -o out", 0).starts_with("wrote "));
}

#[test]
fn row_28_reading_is_not_making() {
    let manifest = "[[target]]\ntd = \"F.td\"\noutputs = [{ path = \"a\", flags = [\"-gen-nothing\"] }]\n";
    let desk = Desk::new(&[("x/F.td", "HEAD"), ("x/odsmith.toml", manifest)]);
    // The newer library is needed twice, as the older release's own is not here.
    let (code, out, messages) =
        desk.run(&format!("upgrade x --from 22 --to 22 --library {}", set_up::library()));
    assert_eq!(code, 1, "{messages}");
    assert!(out.contains("1 of 1 roots are read") && out.contains("; 1 output cannot be made"), "{out}");
}

#[test]
fn row_29_no_command_prints_the_help() {
    let desk = Desk::fine();
    let messages = desk.says("", 2);
    for heading in ["Make:", "Examine:", "Set up:", "Serve:", "Exit codes"] {
        assert!(messages.lines().any(|line| line.starts_with(heading)), "{heading}: {messages}");
    }
}

#[test]
fn row_30_a_server_that_wants_a_token() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a call");
        let mut head = [0; 1024];
        let _ = stream.read(&mut head);
        let body = "{\"title\":\"Unauthorized\",\"detail\":\"a token is needed\"}";
        let head = "HTTP/1.1 401 Unauthorized\r\ncontent-type: application/json\r\nconnection: close";
        let answer = format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        stream.write_all(answer.as_bytes()).expect("an answer");
    });
    let desk = Desk::fine();
    let key = "0".repeat(64);
    let messages = desk.says(&format!("diff {key} x --server {address}"), 2);
    assert!(messages.contains("401") && messages.contains("\nhelp: set ODSMITH_TOKEN\n"), "{messages}");
    server.join().expect("the server ends");
}

#[test]
fn colours_are_asked_for_or_refused() {
    let desk = Desk::new(&[("x/F.td", "def F : Missing;\n")]);
    assert!(!desk.says("check x", 1).contains('\x1b'));
    assert!(!desk.says("check x --color never", 1).contains('\x1b'));
    assert!(desk.says("check x --color always", 1).contains("\x1b[0;1;31merror: "));
}

#[test]
fn several_paths_are_checked_at_once() {
    let desk = Desk::new(&[("x/F.td", "HEAD"), ("y/G.td", "def G : Missing;\n")]);
    let messages = desk.says("check x y", 1);
    assert_eq!(without_time(&messages), "checked 2 files, 1 dialect: 1 error");
    assert_eq!(without_time(&desk.says("check x/F.td x/F.td", 0)), "checked 1 file, 1 dialect: no errors");
    let (code, out, _) = desk.run("lint x y --json");
    assert_eq!(code, 1);
    assert!(out.contains("\"schema\"") || out.starts_with('{'), "{out}");
}

#[test]
fn earlier_names_work_with_a_warning() {
    let desk = Desk::fine();
    desk.has("check x --format json", 0, &["warning: '--format' is called '--output-format' now"]);
    desk.has("docs x --release 1 -o site", 0, &["warning: '--release' is called '--project-version' now"]);
    desk.has("manual -o man1", 0, &["warning: 'odsmith manual' is called 'odsmith man' now"]);
    let (code, out, messages) = desk.run("diff --rules");
    assert!(code == 0 && out.contains("IN001") && messages.contains("'odsmith rule' now"), "{messages}");
}

#[test]
fn reports_have_every_form() {
    let desk = Desk::new(&[("x/F.td", "HEADdef F : Missing;\n"), ("y/F.td", "HEAD")]);
    for command in [
        "check x",
        "lint x",
        "docs x -o site",
        "generate x -o out",
        "diff x y",
        "upgrade x --from 21 --to 22",
    ] {
        for form in ["text", "json", "sarif", "github", "gitlab", "junit", "markdown", "html"] {
            let (code, out, messages) = desk.run(&format!("{command} --output-format {form}"));
            assert!(code < 2 || command == "diff x y", "{command} {form}: {messages}");
            let is_json = ["json", "sarif", "gitlab"].contains(&form) && code < 2;
            let is_read = serde_json::from_str::<serde_json::Value>(&out).is_ok();
            assert!(!is_json || is_read, "{command} {form}: {out}");
        }
    }
}

/// Lint counts errors of definitions as check does, and has them in its report.
#[test]
fn lint_counts_errors_of_definitions() {
    let desk = Desk::new(&[("x/F.td", "HEAD"), ("x/N.td", "def N : Missing;\n")]);
    let (code, out, messages) = desk.run("lint x");
    assert_eq!((code, out.lines().last()), (1, Some("1 error, 0 warnings, 0 notes")), "{out}{messages}");
    assert!(messages.contains("x/N.td:1:9: error: "), "{messages}");
    let (code, out, messages) = desk.run("lint x --json");
    let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((code, &report["errors"], &*messages), (1, &serde_json::json!(1), ""), "{out}");
    assert_eq!(report["findings"][0]["place"]["file"], "x/N.td");
    for line in ["lint x --keep-going", "lint x --ignore-errors N.td"] {
        let (code, out, messages) = desk.run(line);
        assert_eq!(
            (code, out.lines().last()),
            (0, Some("0 errors, 1 warning, 0 notes")),
            "{line}: {out}{messages}"
        );
        assert!(messages.contains("x/N.td:1:9: warning: "), "{line}: {messages}");
    }
}

/// A missing file is an error of docs even in a root that may be none of MLIR's.
#[test]
fn a_missing_file_is_an_error_of_docs() {
    let desk = Desk::new(&[("x/F.td", "HEAD"), ("x/M.td", "include \"gone/A.td\"\ndef X;\n")]);
    desk.has("docs x -o site", 1, &["include \"gone/A.td\""]);
    let messages = desk.says("docs x -o site", 1);
    assert!(
        messages.lines().last().is_some_and(|line| line.ends_with(", 1 of 2 roots cannot be read")),
        "{messages}"
    );
    let messages = desk.says("generate x -o out", 1);
    assert!(
        messages.lines().last().is_some_and(|line| line.ends_with(", 1 of 2 roots cannot be read")),
        "{messages}"
    );
}

#[test]
fn exclusions_that_leave_nothing() {
    let desk = Desk::fine();
    desk.has("check x --exclude *.td", 2, &["error: every .td file in 'x' is excluded by --exclude '*.td'"]);
    desk.has(
        "docs x -o site --exclude F.td",
        2,
        &["error: every .td file in 'x' is excluded by --exclude 'F.td'"],
    );
    desk.has("check x/F.td --exclude F.td", 2, &["error: 'x/F.td' is excluded by --exclude 'F.td'"]);
    // A named file is a source, whatever odsmith.toml says.
    fs::write(desk.0.join("x/odsmith.toml"), "exclude = [\"*.td\"]\n").expect("a file");
    desk.has("check x", 2, &["error: every .td file in 'x' is excluded by 'exclude' of odsmith.toml"]);
    assert_eq!(without_time(&desk.says("check x/F.td", 0)), "checked 1 file, 1 dialect: no errors");
}

#[test]
fn targets_that_are_not_there() {
    let manifest = "# a comment\n[[target]]\ntd = \"gone/N.td\"\n";
    let desk = Desk::new(&[("x/F.td", "HEAD"), ("x/odsmith.toml", manifest)]);
    for command in ["check", "lint", "docs -o site", "generate -o out", "ls"] {
        desk.has(&format!("{command} x"), 2, &["error: odsmith.toml:3: 'gone/N.td' is not there"]);
    }
}

#[test]
fn include_folders_of_the_manifest_that_are_not_there() {
    let desk = Desk::new(&[("x/F.td", "HEAD"), ("x/odsmith.toml", "includes = [\"nowhere\"]\n")]);
    let warning = "warning: odsmith.toml:1: include folder 'nowhere' is not there";
    let messages = desk.says("check x -I gone", 0);
    assert!(messages.contains(warning) && messages.contains("warning: -I 'gone' is not there"), "{messages}");
    assert_eq!(without_time(&messages), "checked 1 file, 1 dialect: no errors, 2 warnings");
    desk.has("docs x -o site", 0, &[warning]);
}

/// A library of another release is passed over; one that is nowhere is offered.
#[test]
fn libraries_of_other_releases_are_passed_over() {
    let desk = Desk::fine();
    desk.has("check x --mlir 13", 2, &["help: odsmith library add 13"]);
    let own = set_up::library();
    desk.has(&format!("check x --mlir 13 --library {own}"), 2, &["help: odsmith library add 13"]);
}

#[test]
fn flags_that_do_not_go_together() {
    let desk = Desk::fine();
    let messages = desk.says("publish x --layout l --to oci://h/y:1", 2);
    assert!(messages.starts_with("error: ") && !messages.contains("Usage"), "{messages}");
    let messages = desk.says("yank oci://h/y:1", 2);
    assert!(messages.starts_with("error: ") && messages.contains("--reason"), "{messages}");
}
