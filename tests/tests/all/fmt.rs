//! `odsmith fmt`: files in place, checks, patches, standard input, ranges, settings, and the hook of pre-commit.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

use odsmith_tests::{
    folder::TestFolder,
    set_up::{odsmith, repository},
};

const UGLY: &str = "def   A : B< 1 >;\n";
const NICE: &str = "def A : B<1>;\n";

/// The status, the standard output and the messages of a call.
fn run(folder: &Path, words: &[&str], input: &str) -> (i32, String, String) {
    let mut command = Command::new(odsmith());
    command.arg("fmt").args(words).current_dir(folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("odsmith starts");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("the input is read");
    let output = child.wait_with_output().expect("odsmith ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

fn text(folder: &Path, path: &str) -> String {
    fs::read_to_string(folder.join(path)).expect("a file")
}

#[test]
fn files_change_in_place() {
    let folder = TestFolder::new("fmt");
    folder.write("a.td", UGLY);
    folder.write("below/b.td", NICE);
    folder.write("below/c.txt", UGLY);
    assert_eq!(run(&folder, &["--check"], "").0, 1);
    assert_eq!(text(&folder, "a.td"), UGLY);
    let (status, out, messages) = run(&folder, &[], "");
    assert_eq!((status, out.as_str()), (0, ""), "{messages}");
    assert!(messages.contains("changed 1 of 2 files"), "{messages}");
    assert_eq!(text(&folder, "a.td"), NICE);
    assert_eq!(text(&folder, "below/c.txt"), UGLY);
    let (status, out, messages) = run(&folder, &["--check"], "");
    assert_eq!((status, out.as_str()), (0, ""), "{messages}");
}

#[test]
fn a_check_names_the_first_place() {
    let folder = TestFolder::new("fmt");
    folder.write("a.td", format!("{NICE}{UGLY}"));
    let (status, _, messages) = run(&folder, &["--check"], "");
    assert_eq!(status, 1);
    assert!(messages.contains("a.td:2:7: error: this file has another layout"), "{messages}");
    let (status, out, _) = run(&folder, &["--check", "--output-format", "github"], "");
    assert_eq!(status, 1);
    assert!(out.starts_with("::error file=a.td,line=2,"), "{out}");
    let (status, out, _) = run(&folder, &["--check", "--json"], "");
    assert_eq!(status, 1);
    assert!(out.contains("\"line\": 2"), "{out}");
    assert_eq!(run(&folder, &["--check", "--fail-on", "never"], "").0, 0);
}

#[test]
fn a_patch_makes_the_layout() {
    let folder = TestFolder::new("fmt");
    folder.write("below/a.td", format!("def X;\n\n{UGLY}// c\n"));
    let (status, patch, messages) = run(&folder, &["--diff"], "");
    assert_eq!(status, 0, "{messages}");
    assert!(patch.contains("--- a/below/a.td\n+++ b/below/a.td\n"), "{patch}");
    assert!(patch.contains("-def   A : B< 1 >;\n+def A : B<1>;\n"), "{patch}");
    assert_eq!(run(&folder, &["--diff", "--check"], "").0, 1);
    folder.write("fmt.patch", &patch);
    let applied = Command::new("patch").args(["-p1", "-i", "fmt.patch"]).current_dir(&*folder).output();
    if applied.is_ok_and(|output| output.status.success()) {
        assert_eq!(run(&folder, &["--check"], "").0, 0);
    }
}

#[test]
fn a_broken_file_stays() {
    let folder = TestFolder::new("fmt");
    folder.write("a.td", UGLY);
    folder.write("b.td", "def   A {\n  int   x = 1;\n");
    let (status, _, messages) = run(&folder, &[], "");
    assert_eq!(status, 1);
    assert!(messages.contains("b.td:1:9: error: '{' is not closed"), "{messages}");
    assert_eq!(text(&folder, "a.td"), NICE);
    assert_eq!(text(&folder, "b.td"), "def   A {\n  int   x = 1;\n");
}

#[test]
fn standard_input_comes_back() {
    let folder = TestFolder::new("fmt");
    assert_eq!(run(&folder, &["-"], UGLY), (0, NICE.to_owned(), String::new()));
    let (status, out, messages) = run(&folder, &["-", "--stdin-path", "x/y.td"], "def A");
    assert_eq!((status, out.as_str()), (1, "def A"));
    assert!(messages.contains("x/y.td:1:1: error: this statement has no end"), "{messages}");
    assert_eq!(run(&folder, &["-", "--check"], UGLY).0, 1);
    folder.write("odsmith.toml", "[fmt]\nwidth = 20\n");
    let (_, out, _) = run(&folder, &["-"], "def A : B<1111, 2222>;\n");
    assert_eq!(out, "def A\n    : B<1111, 2222>;\n");
}

#[test]
fn some_lines_change() {
    let folder = TestFolder::new("fmt");
    let text = "def   A;\ndef   B {\n  int   x = 1;\n  int   y = 2;\n}\ndef   C;\n";
    let lines = |range: &str| run(&folder, &["-", "--lines", range], text).1;
    assert_eq!(lines("3"), text.replace("int   x", "int x"));
    assert_eq!(lines("6:6"), text.replace("def   C", "def C"));
    let first = "def A;\ndef B {\n  int x = 1;\n  int y = 2;\n}\ndef   C;\n";
    assert_eq!(lines("1:2"), first);
    let both = run(&folder, &["-", "--lines", "1", "--lines", "6"], text).1;
    assert_eq!(both, text.replace("def   A", "def A").replace("def   C", "def C"));
    assert_eq!(run(&folder, &["-", "--lines", "3:2"], text).0, 2);
    folder.write("a.td", text);
    folder.write("b.td", text);
    assert_eq!(run(&folder, &["--lines", "1"], "").0, 2);
}

#[test]
fn settings_and_files_that_stay() {
    let folder = TestFolder::new("fmt");
    folder.write("odsmith.toml", "[fmt]\nwidth = 40\nindent = 4\nexclude = [\"left.td\"]\n");
    let body = "def A : B {\nint x = 1;\n}\n";
    folder.write("a.td", body);
    folder.write("left.td", UGLY);
    folder.write("x.gen.td", UGLY);
    folder.write("said.td", format!("// This is a generated file, do not edit.\n{UGLY}"));
    folder.write("inner/odsmith.toml", "[fmt]\nindent = 3\n");
    folder.write("inner/a.td", body);
    folder.write(".gitignore", "ignored.td\n");
    folder.write(".git/HEAD", "ref: refs/heads/main\n");
    folder.write("ignored.td", UGLY);
    let (status, _, messages) = run(&folder, &[], "");
    assert_eq!(status, 0, "{messages}");
    assert_eq!(text(&folder, "a.td"), "def A : B {\n    int x = 1;\n}\n");
    assert_eq!(text(&folder, "inner/a.td"), "def A : B {\n   int x = 1;\n}\n");
    for path in ["left.td", "x.gen.td", "ignored.td"] {
        assert_eq!(text(&folder, path), UGLY, "{path}");
    }
    assert!(text(&folder, "said.td").ends_with(UGLY));
    // Files that are named change.
    assert_eq!(run(&folder, &["x.gen.td", "left.td"], "").0, 0);
    assert_eq!(text(&folder, "x.gen.td"), NICE);
    folder.write("odsmith.toml", "[fmt]\nwidht = 40\n");
    assert_eq!(run(&folder, &[], "").0, 2);
    folder.write("odsmith.toml", "[fmt]\nwidth = 4\n");
    let (status, _, messages) = run(&folder, &[], "");
    assert_eq!(status, 2);
    assert!(messages.contains("fmt.width is from 20 to 1000"), "{messages}");
    assert_eq!(run(&folder, &["nowhere"], "").0, 2);
    assert_eq!(run(&folder, &["odsmith.toml"], "").0, 2);
}

/// Runs the hook as pre-commit does: its entry with its arguments and the files of the commit that its pattern has.
#[test]
fn the_hook_of_pre_commit_changes_files() {
    let hooks = fs::read_to_string(repository().join(".pre-commit-hooks.yaml")).expect("the hooks");
    let hook = hooks.split("- id: ").find(|hook| hook.starts_with("odsmith-fmt\n")).expect("the hook");
    let field = |name: &str| hook.lines().find_map(|line| line.trim().strip_prefix(name));
    assert_eq!(field("entry: "), Some("odsmith fmt"));
    assert_eq!(field("files: "), Some("'\\.td$'"));
    assert_eq!((field("pass_filenames: "), field("args: ")), (None, None));
    let folder = TestFolder::new("fmt");
    folder.write("a.td", UGLY);
    folder.write("b/c.td", UGLY);
    let (status, _, messages) = run(&folder, &["a.td", "b/c.td"], "");
    assert_eq!(status, 0, "{messages}");
    assert_eq!((text(&folder, "a.td"), text(&folder, "b/c.td")), (NICE.to_owned(), NICE.to_owned()));
}
