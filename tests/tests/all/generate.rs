//! `odsmith generate` as a process: a folder in, files out.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use odsmith_tests::{archive::files_below, folder, reference, set_up};

#[test]
fn a_folder_becomes_the_same_files_twice() {
    let folder = project("twice", &[]);
    let bundle = set_up::tests_folder().join("fixtures/demo").display().to_string();
    let library = format!("22={}", set_up::library());
    let [one, two] = ["one", "two"].map(|out| {
        let arguments = ["generate", &bundle, "-o", out, "--library", &library];
        let run = reference::program(set_up::odsmith(), &folder, &arguments);
        assert_eq!(run.status, 0, "{}", String::from_utf8_lossy(&run.err));
        files_below(&folder.join(out))
    });
    for wanted in ["cpp/", "markdown/", "site/index.html"] {
        assert!(one.iter().any(|(path, _)| path.starts_with(wanted)), "no {wanted}");
    }
    assert!(one == two, "a second run gives other files");
}

/// A repeated job takes its outputs from the cache: all files are the same, including the description of the result,
/// and an edit of an included file is noticed.
#[test]
fn outputs_of_earlier_jobs_are_taken_while_nothing_has_changed() {
    let manifest = "model = false\n[docs]\nenabled = false\n[[target]]\ntd = \"a.td\"\noutputs = [\n\
                    { path = \"a.h.inc\", flags = [\"--gen-op-decls\"] },\n\
                    { path = \"a.cpp.inc\", flags = [\"--gen-op-defs\"] }]\n[[target]]\ntd = \"b.td\"\noutputs = [{ path = \"b.h.inc\", flags = [\"--gen-op-decls\"] }]\n";
    let other = "include \"mlir/IR/OpBase.td\"\ninclude \"base.td\"\ndef B : Op<D, \"b\">;\n";
    let base = "def D : Dialect { let name = \"d\"; let cppNamespace = \"d\"; }\n";
    let files = [
        ("bundle/a.td", DIALECT),
        ("bundle/b.td", other),
        ("bundle/base.td", base),
        ("bundle/odsmith.toml", manifest),
    ];
    let folder = project("kept", &files);
    let states = folder.join("states");
    let made = |out: &str, cache: &Path| {
        let library = format!("--library=22={}", set_up::library());
        let mut command = Command::new(set_up::odsmith());
        command
            .current_dir(&folder)
            .args(["generate", "bundle", "-o", out, &library])
            .env("ODSMITH_CACHE", cache);
        let run = command.output().expect("odsmith runs");
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        files_below(&folder.join(out))
    };
    let kept = || fs::read_dir(&states).expect("a folder").flatten().map(|entry| entry.path()).collect();
    let is_state = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "state");
    let without = made("out/without", Path::new("off"));
    assert!(made("out/first", &states) == without, "the first time");
    let noted: Vec<PathBuf> = kept();
    assert!(noted.len() == 1 && !is_state(&noted[0]), "a job that comes once keeps nothing: {noted:?}");
    assert!(made("out/second", &states) == without, "the second time");
    let states_of_two: Vec<PathBuf> = kept().into_iter().filter(is_state).collect();
    assert_eq!(states_of_two.len(), 2, "one for each root: {states_of_two:?}");
    assert!(made("out/third", &states) == without, "the third time");
    fs::write(
        folder.join("bundle/base.td"),
        base.replace("cppNamespace = \"d\"", "cppNamespace = \"other\""),
    )
    .unwrap();
    let edited = made("out/edited", &states);
    assert!(edited == made("out/edited-without", Path::new("off")) && edited != without, "after an edit");
    let states_of_three = kept().iter().filter(|path| is_state(path)).count();
    assert_eq!(
        states_of_three, 2,
        "the root that includes it is kept in its new form, the other is as it was"
    );
}

fn project(name: &str, files: &[(&str, &str)]) -> PathBuf {
    folder::kept(concat!(env!("CARGO_TARGET_TMPDIR"), "/generate"), name, files)
}

/// The status of a command in a folder, and its messages.
fn run(folder: &Path, words: &[&str]) -> (i32, String) {
    let library = format!("--library=22={}", set_up::library());
    let words = [words, &[&*library]].concat();
    let run = reference::program(set_up::odsmith(), folder, &words);
    (run.status, String::from_utf8_lossy(&run.err).into_owned())
}

const DIALECT: &str = "include \"mlir/IR/OpBase.td\"\ndef D : Dialect { let name = \"d\"; let cppNamespace = \"d\"; }\n\
                       def A : Op<D, \"a\">;\n";

/// Drops the closing line of a check without errors and warnings.
fn without_closing((status, message): (i32, String)) -> (i32, String) {
    let lines =
        message.lines().filter(|line| !(line.starts_with("checked ") && line.ends_with(": no errors")));
    (status, lines.collect())
}

/// Errors of some or all roots can be made warnings, by flag or by manifest; roots can also be excluded.
#[test]
fn errors_that_are_ignored_are_warnings() {
    let files = [("a.td", DIALECT), ("old/broken.td", "def X : Missing;\n")];
    let folder = project("ignored", &files);
    let (status, message) = run(&folder, &["check", "."]);
    assert!(status == 1 && message.contains("broken.td:1:9: error: "), "{message}");
    for words in [&["--ignore-errors=old/"][..], &["--ignore-errors", "**/broken.td"], &["--keep-going"]] {
        let (status, message) = run(&folder, &[&["check", "."], words].concat());
        assert!(status == 0 && message.contains("broken.td:1:9: warning: "), "{words:?}: {message}");
    }
    let checked = run(&folder, &["check", ".", "--exclude=old/**"]);
    assert_eq!(without_closing(checked), (0, String::new()));
    let (status, _) = run(&folder, &["generate", ".", "-o", "out", "--keep-going"]);
    assert!(status == 0 && folder.join("out/cpp/a.h.inc").is_file());
    fs::write(folder.join("odsmith.toml"), "ignore-errors = [\"old/\"]\n").unwrap();
    assert_eq!(run(&folder, &["check", "."]).0, 0);
    fs::write(folder.join("odsmith.toml"), "exclude = [\"old/\"]\n").unwrap();
    assert_eq!(without_closing(run(&folder, &["check", "."])), (0, String::new()));
    // A job without any output is not a success.
    let folder = project("nothing", &files[1..]);
    let (status, message) = run(&folder, &["check", ".", "--keep-going"]);
    assert!(status == 1 && message.contains("none of 1 root can be read"), "{message}");
}

/// Where nothing fails it makes no difference that errors are ignored, whatever is asked for.
#[test]
fn ignored_errors_change_nothing_where_there_are_none() {
    let renamed = DIALECT.replace("\"a\"", "\"b\"");
    let classes = "class Alone<int x> { int y = x; }\n";
    let keep = ("odsmith.toml", "keep_going = true\n");
    let old = project("keep-old", &[("a.td", DIALECT), keep]);
    let new = project("keep-new", &[("a.td", &renamed), keep]);
    let empty = project("keep-empty", &[("a.td", classes), keep]);
    for folder in [&old, &empty] {
        for words in [
            &["check", "."][..],
            &["generate", ".", "-o", "out"],
            &["generate", ".", "-o", "out", "--outputs-only"],
            &["lint", ".", "--fail-on", "never"],
            &["docs", ".", "-o", "site"],
        ] {
            let (status, message) = run(folder, words);
            assert!(status == 0 && !message.contains("error:"), "{words:?}: {message}");
        }
    }
    let sides = [&old, &new].map(|folder| folder.display().to_string());
    let (status, message) = run(&old, &["diff", &sides[0], &sides[1]]);
    assert_eq!(status, 1, "{message}");
    let (status, message) = run(&old, &["diff", &sides[0], &sides[0]]);
    assert_eq!((status, message.contains("can be read")), (0, false), "{message}");
    // Roots with errors are left out of the comparison.
    fs::write(new.join("broken.td"), "def X : Missing;\n").unwrap();
    let (status, message) = run(&old, &["diff", &sides[0], &sides[1]]);
    assert!(status == 1 && message.contains("broken.td:1:9: warning: "), "{message}");
    fs::remove_file(new.join("a.td")).unwrap();
    let (status, message) = run(&old, &["diff", &sides[0], &sides[1]]);
    assert!(status == 1 && message.contains("none of 1 root can be read"), "{message}");
}

/// From MLIR 23 on documents are of one dialect, which is named where there are others.
#[test]
fn automatic_documents_name_their_dialect() {
    let other = "include \"mlir/IR/OpBase.td\"\ninclude \"mlir/IR/EnumAttr.td\"\n\
                 def O : Dialect { let name = \"other.one\"; let cppNamespace = \"o\"; }\n";
    let operation = |name: &str| format!("def {name}_A : Op<{name}, \"a\">;\n");
    let dialect = |name: &str, dialect: &str| {
        format!("def {name} : Dialect {{ let name = \"{dialect}\"; let cppNamespace = \"{dialect}\"; }}\n")
    };
    let of = |parts: &[&str]| format!("include \"lib/Other.td\"\n{}", parts.concat());
    let kind = "def T : TypeDef<B, \"T\"> { let mnemonic = \"t\"; }\ndef R : AttrDef<B, \"R\"> { let mnemonic = \"r\"; }\n";
    let choice = "def E : I32EnumAttr<\"E\", \"a choice\", [I32EnumAttrCase<\"x\", 0>]> { let cppNamespace = \"b\"; }\n";
    let own =
        of(&["include \"mlir/IR/AttrTypeBase.td\"\n", &dialect("B", "b"), &operation("B"), kind, choice]);
    let two = of(&[&dialect("B", "b"), &dialect("C", "c"), &operation("B"), &operation("C")]);
    let files = [
        ("lib/Other.td", other),
        ("BOps.td", &own),
        ("TwoOps.td", &two),
        ("Enums.td", &of(&[choice])),
        ("LoneEnums.td", &format!("include \"mlir/IR/EnumAttr.td\"\n{choice}")),
    ];
    let folder = project("documents", &files);
    let Some(prefix) = set_up::release("23", "library") else {
        eprintln!("MLIR 23 is not here: its documents were not tested");
        return;
    };
    let include = prefix.join("include");
    let library = format!("--library=23={}", include.display());
    let run = |words: &[&str]| {
        let run = reference::program(set_up::odsmith(), &folder, &[words, &[&*library]].concat());
        (run.status, String::from_utf8_lossy(&run.err).into_owned())
    };
    assert_eq!(without_closing(run(&["check", "."])), (0, String::new()));
    let (status, message) = run(&["generate", ".", "-o", "out", "--outputs-only"]);
    assert_eq!(status, 0, "{message}");
    let text = |path: &str| {
        fs::read_to_string(folder.join("out").join(path)).unwrap_or_else(|_| panic!("no {path}"))
    };
    assert!(text("BOps.md").contains("`b.a`"));
    assert!(text("TwoOpsB.md").contains("`b.a`") && !text("TwoOpsB.md").contains("`c.a`"));
    assert!(text("TwoOpsC.md").contains("`c.a`"));
    let (status, message) = run(&["docs", ".", "-o", "site", "--compat", "mlir-tblgen"]);
    assert_eq!(status, 0, "{message}");
    let text = |path: &str| {
        fs::read_to_string(folder.join("site/compat").join(path)).unwrap_or_else(|_| panic!("no {path}"))
    };
    assert!(text("BOpsTypes.md").contains("### TType") && text("BOpsAttributes.md").contains("### RAttr"));
    assert!(text("BOpsEnums.md").contains("### E") && text("Enums.md").contains("### E"));
}

/// Files that include each other have a root, and what was decided is said.
#[test]
fn circles_are_made_and_named() {
    let guarded = |name: &str, other: &str, text: &str| {
        format!("#ifndef {name}\n#define {name}\ninclude \"{other}\"\n{text}#endif\n")
    };
    let one = guarded("ONE", "two.td", DIALECT);
    let two = guarded("TWO", "one.td", "");
    let folder = project("circle", &[("one.td", &one), ("two.td", &two), ("alone.td", "def P;\n")]);
    let (status, message) = run(&folder, &["generate", ".", "-o", "out"]);
    assert!(status == 0 && message.contains("warning: 'one.td' and files that it includes"), "{message}");
    assert!(folder.join("out/cpp/one.h.inc").is_file(), "{message}");
}

/// Included files are roots if they define something of their own, whatever their folders are called.
#[test]
fn roots_are_what_defines_something_of_its_own() {
    let base = DIALECT.replace("def A : Op<D, \"a\">;\n", "");
    let folder = project(
        "roots",
        &[
            ("inc/D/DBase.td", &base),
            ("inc/D/DFace.td", "include \"mlir/IR/Interfaces.td\"\ndef DFace : OpInterface<\"DFace\">;\n"),
            (
                "inc/D/DOps.td",
                "include \"D/DBase.td\"\ninclude \"D/DFace.td\"\ndef A : Op<D, \"a\", [DFace]> { let arguments = (ins AnyType:$x); let results = (outs AnyType:$r); }\n",
            ),
            // Neither folder nor text identifies these files as a probe and patterns.
            (
                "elsewhere/Probe.td",
                "include \"D/DOps.td\"\ndef E : Dialect { let name = \"e\"; let cppNamespace = \"e\"; }\ndef B : Op<E, \"b\">;\n",
            ),
            (
                "elsewhere/Rules.td",
                "include \"D/DOps.td\"\ninclude \"elsewhere/Wrapped.td\"\ndef : Rule<(A (A $x)), (A $x)>;\n",
            ),
            (
                "elsewhere/Wrapped.td",
                "include \"mlir/IR/PatternBase.td\"\nclass Rule<dag a, dag b> : Pattern<a, [b]>;\n",
            ),
        ],
    );
    let (status, message) = run(&folder, &["generate", ".", "-o", "out"]);
    assert_eq!(status, 0, "{message}");
    let made = files_below(&folder.join("out/cpp"));
    let made: Vec<&str> =
        made.iter().map(|(path, _)| path.as_str()).filter(|path| path.ends_with(".inc")).collect();
    let expected = [
        "elsewhere/Probe.cpp.inc",
        "elsewhere/Probe.h.inc",
        "elsewhere/ProbeDialect.cpp.inc",
        "elsewhere/ProbeDialect.h.inc",
        "elsewhere/Rules.inc",
        "inc/D/DFace.cpp.inc",
        "inc/D/DFace.h.inc",
        "inc/D/DOps.cpp.inc",
        "inc/D/DOps.h.inc",
        "inc/D/DOpsDialect.cpp.inc",
        "inc/D/DOpsDialect.h.inc",
    ];
    assert_eq!(made, expected, "{message}");
}

/// In the lexer the first `}` of `}}]` hides the second one. A file that is taken for an included one is no root, so that
/// nothing is made of it.
#[test]
fn an_include_in_a_code_fragment_is_none() {
    let note = "class Note { code text = [{ one }}] include \"b.td\" }]; }\n";
    let other = DIALECT.replace("\"d\"", "\"e\"");
    let folder = project("code", &[("in/a.td", &format!("{DIALECT}{note}")), ("in/b.td", &other)]);
    let (status, message) = run(&folder, &["generate", "in", "-o", "out", "--outputs-only"]);
    assert_eq!(status, 0, "{message}");
    for file in ["a.h.inc", "b.h.inc", "b.cpp.inc"] {
        assert!(folder.join("out").join(file).is_file(), "no {file}");
    }
    // What b.td needs comes before a real `include` of it alone.
    for (text, is_included) in [
        ("class N { code t = [{ one }}] include \"b.td\" }]; }", false),
        ("class N { code t = [{ one }}}}] include \"b.td\" }]; }", false),
        ("class N { code t = [{ one }}]\n // }}] \n include \"b.td\" \" }]; }", false),
        ("/* /* [{ */ include \"b.td\" */ // [{\n/* include \"b.td\" */", false),
        ("class N { string t = \"\\\"[{\"; code u = [{ \" include \"b.td\" }]; }", false),
        ("class N { code t = [{ \" }]; string u = \"[{\"; }\ninclude \"b.td\"\n", true),
        ("class N { code t = [{ one }}}]; }\ninclude \"b.td\"\n", true),
        ("class N { code t = [{ one } }]; }\ninclude \"b.td\"\n", true),
        ("#ifdef X // [{\n#endif /* \" */\ninclude /* x */ \"b.td\"\n", true),
        ("// x \rinclude \"b.td\"\n", true),
    ] {
        let files = [("in/a.td", &*format!("class Base;\n{text}")), ("in/b.td", "def B : Base;\n")];
        let folder = project("code-or-not", &files);
        let (status, message) = run(&folder, &["check", "in"]);
        assert_eq!(status, i32::from(!is_included), "{text:?}: {message}");
        assert_eq!(message.contains("b.td:1:9: error"), !is_included, "{text:?}: {message}");
    }
}

/// The files below a folder, and what they hold.
fn made(folder: &Path) -> Vec<(String, Vec<u8>)> {
    files_below(folder).into_iter().collect()
}

#[test]
fn what_a_run_wrote_is_no_source_of_the_next() {
    let files = [
        ("XOps.td", DIALECT),
        ("guides/start.md", "# Start\n\n`d.a`\n"),
        ("test/a.mlir", "\"d.a\"() : () -> ()\n"),
    ];
    let folder = project("again", &files);
    let runs: &[&[&str]] = &[
        &["docs", "."],
        &["docs", ".", "-o", "test/out/deep"],
        &["generate", ".", "-o", "made"],
        &["docs", ".", "-o", "guides"],
        &["generate", ".", "-o", ".", "--outputs-only"],
    ];
    let outs = ["site", "test/out/deep", "made", "guides"];
    let mut firsts = Vec::new();
    for (words, out) in runs.iter().zip(outs) {
        let (status, message) = run(&folder, words);
        assert_eq!(status, 0, "{words:?}: {message}");
        firsts.push(made(&folder.join(out)));
    }
    let (status, message) = run(&folder, runs[4]);
    assert_eq!(status, 0, "{message}");
    // Once all of them are there, each makes what it made first.
    for (words, (out, first)) in runs.iter().zip(outs.iter().zip(&firsts)) {
        let (status, message) = run(&folder, words);
        assert_eq!(status, 0, "{words:?}: {message}");
        let again = made(&folder.join(out));
        let names =
            |files: &[(String, Vec<u8>)]| files.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>();
        assert_eq!(names(&again), names(first), "{words:?}");
        assert!(again == *first, "{words:?}: a file differs");
    }
    // From outside, of a folder in it, and of a copy in an archive as well.
    fs::remove_dir_all(folder.join("site")).unwrap();
    let (status, message) = run(&folder, &["docs", ".", "-o", "../again-outside"]);
    assert_eq!(status, 0, "{message}");
    assert!(made(&folder.join("../again-outside")).len() == firsts[0].len());
    let bundle = folder.join("../again.tar");
    let tar = Command::new("tar").arg("-cf").arg(&bundle).arg("-C").arg(&folder).arg(".").status();
    assert!(tar.is_ok_and(|status| status.success()));
    let words = ["docs", &*bundle.to_string_lossy(), "-o", "../again-archive"];
    let (status, message) = run(&folder, &words);
    assert_eq!(status, 0, "{message}");
    let guides = |out: &str| made(&folder.join(out).join("guide")).len();
    assert_eq!(guides("../again-archive"), guides("../again-outside"));
}

/// Folders of version 0.1.0 have no marker.
#[test]
fn folders_of_the_first_version_are_no_sources() {
    let folder = project("first-version", &[("XOps.td", DIALECT), ("notes/a.md", "# A\n")]);
    let (status, message) = run(&folder, &["docs", ".", "-o", "site"]);
    assert_eq!(status, 0, "{message}");
    let (status, message) = run(&folder, &["generate", ".", "-o", "made"]);
    assert_eq!(status, 0, "{message}");
    let first = made(&folder.join("site"));
    for out in ["site", "made"] {
        fs::rename(folder.join(out), folder.join(format!("old-{out}"))).unwrap();
        fs::remove_file(folder.join(format!("old-{out}/.odsmith-output"))).unwrap();
    }
    let (status, message) = run(&folder, &["docs", ".", "-o", "site"]);
    assert_eq!(status, 0, "{message}");
    assert!(made(&folder.join("site")) == first);
}

/// A page of what is gone is removed, unless another hand wrote it.
#[test]
fn files_that_are_no_longer_made_are_removed() {
    let folder = project("stale", &[("in/XOps.td", DIALECT), ("out/README", "mine\n")]);
    let (status, message) = run(&folder, &["docs", "in", "-o", "out"]);
    assert_eq!(status, 0, "{message}");
    fs::write(folder.join("out/CNAME"), "own\n").unwrap();
    fs::write(folder.join("out/d/op/a.md"), "edited\n").unwrap();
    fs::write(folder.join("in/XOps.td"), format!("{DIALECT}def Broken : Missing;\n")).unwrap();
    let (status, message) = run(&folder, &["docs", "in", "-o", "out"]);
    assert_eq!(status, 1, "{message}");
    assert!(folder.join("out/d/op/a.html").is_file(), "a run with an error removes nothing");
    fs::write(folder.join("in/XOps.td"), DIALECT.replace("\"a\"", "\"b\"")).unwrap();
    let (status, message) = run(&folder, &["docs", "in", "-o", "out"]);
    assert_eq!(status, 0, "{message}");
    assert!(message.contains("out/d/op/a.md' is no longer made, and stays"), "{message}");
    let is_there = |path: &str| folder.join("out").join(path).is_file();
    assert!(is_there("d/op/b.html") && is_there("CNAME") && is_there("README") && is_there("d/op/a.md"));
    assert!(!is_there("d/op/a.html") && !is_there("d/op/a.json"));
    // A build that follows what was read owns its folders.
    let words = ["generate", "in", "-o", "build", "--outputs-only", "--depfile", "build/x.d"];
    let (status, message) = run(&folder, &words);
    assert_eq!(status, 0, "{message}");
    assert!(folder.join("build/XOps.h.inc").is_file() && !folder.join("build/.odsmith-output").exists());
}
