//! `odsmith check`: notes that say what to do, and the forms of its findings.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::{
    path::Path,
    process::{Command, Output},
};

use odsmith_tests::{folder, set_up};

const HEAD: &str =
    "include \"mlir/IR/OpBase.td\"\ndef D : Dialect { let name = \"d\"; let cppNamespace = \"::d\"; }\n";

fn check(name: &str, files: &[(&str, &str)], options: &[&str]) -> Output {
    let folder = folder::kept(concat!(env!("CARGO_TARGET_TMPDIR"), "/check"), name, files);
    let mut command = Command::new(set_up::odsmith());
    command.args(["check", "."]).args(options).current_dir(folder);
    command.env("ODSMITH_LIBRARY", set_up::library()).output().unwrap()
}

/// The messages of a project with one file.
fn messages(name: &str, text: &str) -> String {
    let output = check(name, &[("include/A.td", text)], &[]);
    assert_eq!(output.status.code(), Some(1), "{name}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn errors_with_a_known_cause_say_what_to_do() {
    for (name, text, error, note) in [
        (
            "double class",
            "include \"mlir/IR/AttrTypeBase.td\"\n\
             class APIntParameter<string desc = \"\"> : AttrOrTypeParameter<\"::llvm::APInt\", desc>;\n",
            "Class 'APIntParameter' already defined",
            "help: 'mlir/IR/AttrTypeBase.td' of the library defines it as well, since MLIR 21: leave this one out",
        ),
        (
            "renamed field",
            "def T : TypeConstraint<CPred<\"true\">, \"t\"> { let cppClassName = \"::x\"; }\n",
            "Value 'cppClassName' unknown!",
            "help: since MLIR 21 it is 'cppType'",
        ),
        (
            "moved file",
            "include \"mlir/IR/FunctionInterfaces.td\"\n",
            "could not find include file 'mlir/IR/FunctionInterfaces.td'",
            "help: since MLIR 18 it is 'mlir/Interfaces/FunctionInterfaces.td'",
        ),
        (
            "file in another case",
            "include \"mlir/Interfaces/callinterfaces.td\"\n",
            "could not find include file 'mlir/Interfaces/callinterfaces.td'",
            "help: it is spelled 'mlir/Interfaces/CallInterfaces.td'",
        ),
        (
            "misspelt file",
            "include \"mlir/Interfaces/CallInterface.td\"\n",
            "could not find include file 'mlir/Interfaces/CallInterface.td'",
            "help: did you mean 'mlir/Interfaces/CallInterfaces.td'?",
        ),
        (
            "file of another project",
            "include \"stablehlo/dialect/Base.td\"\n",
            "could not find include file 'stablehlo/dialect/Base.td'",
            "help: in odsmith.toml: [dependencies] stablehlo = { path = \"../stablehlo\" }",
        ),
        (
            "misspelt field",
            "def A : Op<D, \"a\"> { let argumnts = (ins I32:$x); }\n",
            "Value 'argumnts' unknown!",
            "help: did you mean 'arguments'?",
        ),
        (
            "misspelt class",
            "def A : TypeConstrain<CPred<\"true\">, \"t\">;\n",
            "Couldn't find class 'TypeConstrain'",
            "help: did you mean 'TypeConstraint'?",
        ),
        (
            "misspelt def",
            "def A : Op<D, \"a\"> { let arguments = (ins AnyRankedTensr:$x); }\n",
            "Variable not defined: 'AnyRankedTensr'",
            "help: did you mean 'AnyRankedTensor'?",
        ),
        (
            "misspelt argument",
            "class My<string mnemonic> : Op<D, mnemnic>;\n",
            "Variable not defined: 'mnemnic'",
            "help: did you mean 'mnemonic'?",
        ),
        (
            "file that is not included",
            "include \"mlir/Interfaces/SideEffectInterfaces.td\"\n\
             def A : Op<D, \"a\", [Pure, SameOperandsAndResultType]>;\n",
            "Variable not defined: 'SameOperandsAndResultType'",
            "help: it is in 'mlir/Interfaces/InferTypeOpInterface.td': include that file",
        ),
        (
            "renamed def",
            "def A : Op<D, \"a\", [NoSideEffect]>;\n",
            "Variable not defined: 'NoSideEffect'",
            "since MLIR 16 it is 'Pure'",
        ),
    ] {
        let messages = messages(name, &format!("{HEAD}{text}"));
        assert!(messages.contains(error) && messages.contains(note), "{name}: {messages}");
    }
}

#[test]
fn other_errors_get_no_remedy() {
    for (name, text) in [
        ("def", "def A : Op<D, \"a\"> { let arguments = (ins SomewhereElse:$x); }\n"),
        ("field", "def A : Op<D, \"a\"> { let cppClassName = \"x\"; }\n"),
        ("file", "include \"elsewhere/X.td\"\n"),
    ] {
        let messages = messages(&format!("no remedy for a {name}"), &format!("{HEAD}{text}"));
        assert!(messages.contains("error: ") && !messages.contains("help: "), "{name}: {messages}");
    }
}

#[test]
fn definitions_of_the_project_are_known() {
    let files = [
        ("include/P/Base.td", HEAD),
        ("include/P/Own.td", "include \"P/Base.td\"\nclass Own_Op<string name> : Op<D, name>;\n"),
        ("include/P/Ops.td", "include \"P/Base.td\"\ndef A : Own_Op<\"a\">;\ndef A;\n"),
        ("include/P/More.td", "include \"P/Own.td\"\ndef B : OwnOp<\"b\">;\n"),
        ("include/P/Twice.td", "include \"P/Own.td\"\nclass Own_Op;\nclass Own_Op<int i> { int x = i; }\n"),
        ("include/P/Last.td", "include \"P/Owns.td\"\nclass Last;\n"),
    ];
    let output = check("project", &files, &[]);
    let messages = String::from_utf8(output.stderr).unwrap();
    for note in [
        "help: it is in 'include/P/Own.td': include that file",
        "help: did you mean 'Own_Op'?",
        "help: it is defined in include/P/Own.td:2 as well",
        "help: did you mean 'P/Own.td'?",
    ] {
        assert!(messages.contains(note), "{note}: {messages}");
    }
}

#[test]
fn every_form_of_findings() {
    let text = format!("{HEAD}def A : Opp<D, \"a\"> {{ let summary = \"A\"; }}\n");
    let files = [("XOps.td", text.as_str())];
    for (form, parts) in [
        (
            "github",
            &[
                "::error file=XOps.td,line=3,col=9,title=input::Couldn't find class 'Opp'%0Adid you mean 'Op'?",
            ][..],
        ),
        (
            "markdown",
            &["| error | input |  | Couldn't find class 'Opp'<br>did you mean 'Op'? | XOps.td:3:9 |"],
        ),
        (
            "junit",
            &[
                "<testsuite name=\"odsmith check\" tests=\"1\" failures=\"1\">",
                "name=\"XOps.td:3:9\"",
                "(did you mean 'Op'?)",
            ],
        ),
        ("html", &["<h2>XOps.td</h2>", "Couldn't find class 'Opp'", "did you mean 'Op'?"]),
        ("sarif", &["\"startLine\": 3", "did you mean 'Op'?"]),
        ("json", &["\"line\": 3", "did you mean 'Op'?"]),
    ] {
        let output = check("forms", &files, &["--output-format", form]);
        assert_eq!(output.status.code(), Some(1), "{form}");
        let printed = String::from_utf8(output.stdout).unwrap();
        for part in parts {
            assert!(printed.contains(part), "{form}: {part}: {printed}");
        }
    }
    let output = check("fine", &[("XOps.td", HEAD)], &["--output-format", "junit"]);
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success() && printed.contains("<testcase classname=\"odsmith\" name=\"check\"/>"),
        "{printed}"
    );
}

#[test]
fn lint_has_one_line_for_a_dialect_without_summaries() {
    let mut ops = HEAD.to_owned();
    for index in 0..5 {
        ops += &format!("def Op{index} : Op<D, \"op{index}\">;\n");
    }
    let few = "include \"mlir/IR/OpBase.td\"\ndef E : Dialect { let name = \"e\"; let summary = \"e\"; let cppNamespace = \"::e\"; }\n\
               def One : Op<E, \"one\">;\n";
    let folder = folder::kept(
        concat!(env!("CARGO_TARGET_TMPDIR"), "/check"),
        "summaries",
        &[("D.td", &ops), ("E.td", few)],
    );
    let lint = |options: &[&str]| {
        let mut command = Command::new(set_up::odsmith());
        command.args(["lint", "."]).args(options).args(["--select", "DOC001"]).current_dir(&folder);
        let output = command.env("ODSMITH_LIBRARY", set_up::library()).output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    let printed = lint(&[]);
    let lines: Vec<&str> = printed.lines().filter(|line| line.contains("[DOC001]")).collect();
    let [first, second] = lines[..] else { panic!("{printed}") };
    assert_eq!(first, "warning: 6 definitions have no summary; -v lists them [DOC001] d");
    assert!(
        second.starts_with("E.td:3:5: warning: the operation has no summary [DOC001] e.one"),
        "{printed}"
    );
    let summary = "0 errors, 7 warnings, 0 notes\n";
    assert!(printed.ends_with(summary), "{printed}");
    let printed = lint(&["-v"]);
    assert_eq!(printed.matches("[DOC001]").count(), 7, "{printed}");
    assert!(printed.ends_with(summary), "{printed}");
}

#[test]
fn paths_are_those_of_the_working_directory() {
    let folder = folder::kept(
        concat!(env!("CARGO_TARGET_TMPDIR"), "/check"),
        "below",
        &[("a/b/Ops.td", "def A : Opp;\n"), ("c/Other.td", "")],
    );
    let run = |folder: &Path, command: &str, place: &str| {
        let mut run = Command::new(set_up::odsmith());
        run.args([command, place]).current_dir(folder).env("ODSMITH_LIBRARY", set_up::library());
        let output = run.output().unwrap();
        String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
    };
    let whole = folder.join("a/b/Ops.td");
    for (place, file) in [
        (".", "a/b/Ops.td"),
        ("a", "a/b/Ops.td"),
        ("./a/b/", "a/b/Ops.td"),
        ("a/b/Ops.td", "a/b/Ops.td"),
        (&*folder.join("a").to_string_lossy(), "a/b/Ops.td"),
    ] {
        for command in ["check", "lint"] {
            let printed = run(&folder, command, place);
            assert!(printed.contains(&format!("{file}:1:9: error: ")), "{command} {place}: {printed}");
        }
        let listed = run(&folder, "ls", place);
        assert!(!listed.contains("error"), "{listed}");
    }
    for place in ["..", "../a"] {
        let printed = run(&folder.join("c"), "check", place);
        assert!(printed.starts_with("../a/b/Ops.td:1:9: error: "), "{place}: {printed}");
    }
    let printed = run(Path::new("/"), "check", &folder.to_string_lossy());
    assert!(printed.starts_with(&format!("{}:1:9: error: ", whole.display())), "{printed}");
}

#[test]
fn lint_takes_types_that_are_called_as_builtin_ones() {
    let text = "include \"mlir/IR/AttrTypeBase.td\"\ndef K : Dialect { let name = \"k\"; let summary = \"k\"; let cppNamespace = \"::k\"; }\n\
                class K_Type<string n, string m> : TypeDef<K, n> { let mnemonic = m; let summary = \"a type\"; }\n\
                def K_Tup : K_Type<\"Tup\", \"tuple\">;\ndef K_F8 : K_Type<\"F8\", \"f8E4M3_v1\">;\ndef K_Two : K_Type<\"Two\", \"tuple\">;\n";
    let folder = folder::kept(concat!(env!("CARGO_TARGET_TMPDIR"), "/check"), "builtin", &[("K.td", text)]);
    let mut command = Command::new(set_up::odsmith());
    command.arg("lint").arg(&folder).args(["--select", "COR017"]).env("ODSMITH_LIBRARY", set_up::library());
    let printed = String::from_utf8(command.output().unwrap().stdout).unwrap();
    assert_eq!(printed.matches("[COR017]").count(), 1, "{printed}");
    assert!(
        printed.contains("K.td:6:5: error: another type of the dialect is called 'tuple', too"),
        "{printed}"
    );
}
