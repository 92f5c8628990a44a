//! The parts of a project: fifteen trees with traps, which end right with nothing configured.

use std::{
    cell::Cell,
    collections::BTreeMap,
    fs,
    path::Path,
    process::{Command, Output},
};

use odsmith_tests::{
    archive::files_below,
    folder::{self, TestFolder},
    set_up,
};

const BASE: &str = "include \"mlir/IR/OpBase.td\"\n\
    def F_Dialect : Dialect { let name = \"f\"; let cppNamespace = \"f\"; }\n\
    class F_Op<string name> : Op<F_Dialect, name>;\n";
const ROOT: &str =
    "include \"F/Base.td\"\ndef F_GoOp : F_Op<\"go\"> { let arguments = (ins AnyType:$one); }\n";
/// A file that is an error wherever it is read.
const TRAP: &str = "def Trap : Missing;\n";
const PLAIN: [&str; 2] = ["included include/F/Base.td", "root include/F/F.td"];

/// Definitions of a dialect of their own.
fn dialect(name: &str) -> String {
    format!(
        "include \"mlir/IR/OpBase.td\"\ndef {name}_Dialect : Dialect {{ let name = \"{name}\"; let cppNamespace = \"{name}\"; }}\n\
         def {name}_GoOp : Op<{name}_Dialect, \"go\">;\n"
    )
}

struct Tree(TestFolder, Cell<bool>);

impl Tree {
    /// Makes a tree with one root and a file that it includes.
    fn plain(name: &str) -> Tree {
        let tree = Tree::empty(name);
        tree.write("include/F/Base.td", BASE).write("include/F/F.td", ROOT);
        tree
    }

    fn empty(name: &str) -> Tree {
        Tree(TestFolder::new(&format!("workspace-{name}")), Cell::new(false))
    }

    fn write(&self, path: &str, text: &str) -> &Tree {
        self.0.write(path, text);
        self
    }

    /// Copies MLIR's central definitions into an include folder.
    fn library(&self, include: &str) -> &Tree {
        self.1.set(true);
        let from = Path::new(set_up::library()).join("mlir/IR");
        for (path, bytes) in files_below(&from).into_iter().filter(|(path, _)| path.ends_with(".td")) {
            self.0.write(&format!("{include}/mlir/IR/{path}"), bytes);
        }
        self
    }

    #[cfg(unix)]
    fn link(&self, target: impl AsRef<Path>, path: &str) -> &Tree {
        std::os::unix::fs::symlink(target, self.0.join(path)).expect("a link");
        self
    }

    fn git(&self, words: &[&str]) -> String {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
        let output = Command::new("git").args(identity).args(words).current_dir(&*self.0).output();
        let output = output.expect("git starts");
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    fn commit(&self) -> &Tree {
        self.git(&["init", "-q"]);
        self.git(&["add", "-A"]);
        self.git(&["commit", "-qm", "one"]);
        self
    }

    fn output(&self, below: &str, words: &[&str]) -> Output {
        let mut command = Command::new(set_up::odsmith());
        command.args(words).current_dir(self.0.join(below)).env("ODSMITH_CACHE", "off");
        // A library in the tree is used only if none is named.
        command.env_remove("ODSMITH_LIBRARY").env_remove("ODSMITH_MLIR");
        if !self.1.get() {
            command.env("ODSMITH_LIBRARY", set_up::library());
        }
        command.output().expect("odsmith starts")
    }

    fn run(&self, below: &str, words: &[&str]) -> (i32, String) {
        let output = self.output(below, words);
        let text = [output.stdout, output.stderr].concat();
        (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&text).into_owned())
    }

    /// Returns the kind and the path of each row of `ls --files`, without libraries elsewhere.
    fn rows(&self, below: &str, words: &[&str]) -> Vec<String> {
        let output = self.output(below, &[&["ls", "--files"], words].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let rows = text.lines().map(|line| {
            let mut columns = line.split('\t');
            format!("{} {}", columns.next().unwrap_or_default(), columns.next().unwrap_or_default())
        });
        rows.filter(|row| !row.starts_with("library /")).collect()
    }

    /// All commands end with 0, and change nothing when they run again.
    fn ends_well(&self, below: &str, expected: &[&str]) {
        let rows = self.rows(below, &[]);
        assert_eq!(rows, expected, "{}", self.0.display());
        let words: [&[&str]; 4] = [
            &["check"],
            &["lint", "--fail-on", "never"],
            &["docs", "-o", "made/site"],
            &["generate", "-o", "made/all"],
        ];
        let mut made: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        for round in 0..2 {
            for words in words {
                let (status, message) = self.run(below, words);
                assert_eq!(status, 0, "{words:?} in {}: {message}", self.0.display());
                assert!(!message.contains("Trap"), "{words:?} in {}: {message}", self.0.display());
            }
            let now: BTreeMap<String, Vec<u8>> =
                files_below(&self.0.join(below).join("made")).into_iter().collect();
            assert!(now.keys().any(|path| path.starts_with("site/")), "{}", self.0.display());
            assert!(round == 0 || now == made, "{}: a second run made other files", self.0.display());
            made = now;
        }
        let outputs = ["output made/all", "output made/site"];
        let rows = self.rows(below, &[]).into_iter().filter(|row| !outputs.contains(&&**row));
        assert_eq!(rows.collect::<Vec<_>>(), expected, "{}", self.0.display());
        fs::remove_dir_all(self.0.join(below).join("made")).expect("a folder of this test");
        if self.0.join(".git").exists() {
            let (status, message) = self.run(below, &["diff", "git:HEAD", "."]);
            assert_eq!(status, 0, "diff in {}: {message}", self.0.display());
            assert_eq!(self.run(below, &["diff"]).0, 0);
        }
    }
}

fn with(rows: &[&'static str]) -> Vec<&'static str> {
    let mut all: Vec<&str> = PLAIN.iter().chain(rows).copied().collect();
    all.sort_by_key(|row| row.split_once(' ').map(|(_, path)| path));
    all
}

/// Drops the closing line of a check without errors and warnings.
fn without_closing((status, message): (i32, String)) -> (i32, String) {
    let lines =
        message.lines().filter(|line| !(line.starts_with("checked ") && line.ends_with(": no errors")));
    (status, lines.collect())
}

#[test]
fn a_plain_project() {
    Tree::plain("plain").commit().ends_well("", &PLAIN);
    // Without a repository.
    Tree::plain("no-repository").ends_well("", &PLAIN);
}

#[test]
fn libraries_in_the_tree() {
    let submodule = Tree::plain("submodule");
    submodule.commit().library("llvm/mlir/include");
    submodule.write("llvm/.git", "gitdir: ../.git/modules/llvm\n").write("llvm/clang/test/x.td", TRAP);
    submodule.ends_well("", &with(&["library llvm/mlir/include"]));

    let several = Tree::plain("libraries");
    several.library("third_party/llvm-project/mlir/include").write("third_party/tm/a/T.td", TRAP);
    several.library("third_party/tm/externals/llvm-project/mlir/include");
    let rows = [
        "library third_party/llvm-project/mlir/include",
        "dependency third_party/tm",
        "library third_party/tm/externals/llvm-project/mlir/include",
    ];
    several.ends_well("", &with(&rows));
    let (_, text) = several.run("", &["ls"]);
    let words: Vec<&str> = text.split_whitespace().collect();
    let library = "library third_party/llvm-project/mlir/include MLIR 22, in the tree";
    assert!(words.join(" ").contains(library), "{text}");
    assert!(text.contains("MLIR 22, not used"), "{text}");
    // An installation, and an include folder with files of the project.
    let installed = Tree::plain("installation");
    installed.library("opt/include").write("opt/include/own/X.td", TRAP).write("opt/share/Y.td", TRAP);
    installed.write("opt/include/llvm/Config/llvm-config.h", "#define LLVM_VERSION_MAJOR 22\n");
    installed.ends_well("", &with(&["library opt/include"]));
    let folder = Tree::plain("include-folder");
    folder.library("deps").write("deps/own/G.td", &dialect("g"));
    folder.ends_well("", &with(&["library deps", "root deps/own/G.td"]));
}

#[test]
fn builds() {
    let tree = Tree::plain("builds");
    for place in ["build", "b2", "env", "node_modules", "_deps", "cache", "conda", "ninja", "x/site-packages"]
    {
        tree.write(&format!("{place}/X.td"), TRAP);
    }
    tree.write("b2/CMakeCache.txt", "").write("env/pyvenv.cfg", "").write("cache/CACHEDIR.TAG", "");
    tree.write("conda/conda-meta/history", "").write("ninja/.ninja_log", "");
    tree.write("build_tools/G.td", &dialect("g"));
    #[cfg(unix)]
    tree.link("b2", "bazel-bin").link("b2", "result-1");
    let mut rows = with(&[
        "build _deps",
        "build b2",
        "build bazel-bin",
        "build build",
        "root build_tools/G.td",
        "build cache",
        "build conda",
        "build env",
        "build ninja",
        "build node_modules",
        "build result-1",
        "build x/site-packages",
    ]);
    if cfg!(not(unix)) {
        rows.retain(|row| !row.contains("bazel-bin") && !row.contains("result-1"));
    }
    tree.ends_well("", &rows);
}

#[test]
fn outputs() {
    let tree = Tree::plain("outputs");
    tree.write("old/result.json", "{\"schema\":1,\"engine\":{\"name\":\"odsmith\"}}").write("old/X.td", TRAP);
    tree.write("owned/.odsmith-output", "odsmith-output 1\nowns folder\nby docs\n").write("owned/X.td", TRAP);
    let listed = "odsmith-output 1\nowns files\nby generate\nX.td\t1\taa\nbelow/Y.td\t1\taa\n";
    tree.write("gen/.odsmith-output", listed).write("gen/X.td", TRAP).write("gen/below/Y.td", TRAP);
    tree.write("gen/Own.td", &dialect("own"));
    tree.ends_well(
        "",
        &with(&["root gen/Own.td", "output gen/X.td", "output gen/below/Y.td", "output old", "output owned"]),
    );
}

#[test]
fn ignored_files() {
    let tree = Tree::plain("ignored");
    tree.write(".gitignore", "made/\n*.gen.td\n")
        .write(".ignore", "a/\n")
        .write(".odsmithignore", "!vendor/own\n");
    tree.write("made/M.td", &dialect("m")).write("made/Other.td", TRAP).write("lib/X.gen.td", TRAP);
    tree.write("N.td", "include \"made/M.td\"\ndef N_Op : Op<m_Dialect, \"n\">;\n");
    tree.write("a/A.td", TRAP).write("vendor/own/V.td", &dialect("v")).write("vendor/z/Z.td", TRAP);
    tree.write("lib/.gitignore", "/L.td\n").write("lib/L.td", TRAP).write(".hidden/H.td", TRAP);
    let rows = [
        "root N.td",
        "ignored a",
        "ignored lib/L.td",
        "ignored lib/X.gen.td",
        "ignored made",
        "root vendor/own/V.td",
        "dependency vendor/z",
    ];
    let mut rows = with(&rows);
    // Outputs of this test are below `made`, which is ignored already.
    rows.sort_by_key(|row| row.split_once(' ').map(|(_, path)| path));
    assert_eq!(tree.rows("", &[]), rows);
    for words in [&["check"][..], &["docs", "-o", "site"], &["docs", "-o", "site"]] {
        let (status, message) = tree.run("", words);
        assert!(status == 0 && !message.contains("Trap"), "{message}");
    }
    assert!(tree.0.join("site/v/op/go.html").is_file() && tree.0.join("site/m/op/n.html").is_file());
    // A folder that the user names is read even if it is ignored.
    assert_eq!(tree.run("", &["check", "a"]).0, 1);
    assert_eq!(tree.run("", &["check", "lib/L.td"]).0, 1);
    // Without a repository, in the other form.
    let (status, text) = tree.run("", &["ls", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((status, &value["schema"]), (0, &serde_json::json!("odsmith.ls/1")));
    assert_eq!(value["projects"][0]["dependencies"][0]["path"], "vendor/z");
}

#[test]
fn bindings_and_tests() {
    let bindings = Tree::plain("bindings");
    bindings.write("python/F.td", "include \"F/F.td\"\n").write("python/T.td", "include \"triton/T.td\"\n");
    bindings.write("Empty.td", "include \"mlir/IR/OpBase.td\"\n");
    bindings.write("U.td", "// All of it.\ninclude \"UOps.td\"\n").write("UOps.td", &dialect("u"));
    let rows = [
        "include-only Empty.td",
        "root U.td",
        "included UOps.td",
        "include-only python/F.td",
        "include-only python/T.td",
    ];
    bindings.commit().ends_well("", &with(&rows));
    let (_, message) = bindings.run("", &["check"]);
    assert!(
        message.contains("warning: 'python/T.td' only includes files, and 'triton/T.td' is not there"),
        "{message}"
    );

    let tests = Tree::plain("tests");
    tests.write("test/x.td", "// RUN: mlir-tblgen %s\ninclude \"gone/G.td\"\ndef Trap : Missing;\n");
    tests.write("test/lib/TestOps.td", &dialect("t"));
    tests.commit().ends_well("", &with(&["root test/lib/TestOps.td", "lit-test test/x.td"]));

    let circle = Tree::empty("circle");
    let guarded = |guard: &str, other: &str, name: &str| {
        format!("#ifndef {guard}\n#define {guard}\ninclude \"inc/{other}.td\"\n{}#endif\n", dialect(name))
    };
    circle.write("inc/A.td", &guarded("A", "B", "a")).write("inc/B.td", &guarded("B", "A", "b"));
    circle.write("bind/py.td", "include \"inc/B.td\"\n").commit();
    circle.ends_well("", &["include-only bind/py.td", "root inc/A.td", "included inc/B.td"]);
}

#[test]
fn sparse_checkouts() {
    let tree = Tree::plain("sparse");
    tree.write("lib/B.td", &dialect("b")).write("pic.png", "picture");
    tree.write("include/F/F.td", &format!("include \"lib/B.td\"\n{ROOT}")).commit();
    let blob = tree.git(&["rev-parse", "HEAD:pic.png"]);
    fs::remove_file(tree.0.join(format!(".git/objects/{}/{}", &blob[..2], &blob[2..]))).expect("an object");
    tree.git(&["config", "core.sparseCheckout", "true"]);
    tree.git(&["config", "core.sparseCheckoutCone", "false"]);
    tree.write(".git/info/sparse-checkout", "/*\n!/lib/\n!/pic.png\n");
    tree.git(&["read-tree", "-mu", "HEAD"]);
    assert!(!tree.0.join("lib").exists());
    tree.ends_well("", &with(&["included lib/B.td"]));
}

#[test]
fn projects_inside() {
    let tree = Tree::plain("nested");
    tree.write("odsmith.toml", "").write("ex/odsmith.toml", "").write("ex/include/E/E.td", &dialect("e"));
    tree.commit();
    assert_eq!(
        tree.rows("", &[])[1..],
        ["included include/F/Base.td", "root include/F/F.td", "root ex/include/E/E.td"]
    );
    assert_eq!(tree.rows("ex/include", &[]), ["root E/E.td"]);
    // They are checked with their own settings, and not documented.
    let (status, message) = tree.run("", &["docs"]);
    assert!(status == 0 && message.contains("note: 'ex' has its own odsmith.toml"), "{message}");
    assert!(!tree.0.join("site/e").exists() && tree.0.join("site/f").exists());
    assert_eq!(without_closing(tree.run("", &["check"])), (0, String::new()));
    tree.write("ex/include/E/E.td", TRAP);
    let (status, message) = tree.run("", &["check"]);
    assert!(status == 1 && message.starts_with("ex/include/E/E.td:1:12: error: "), "{message}");
    tree.write("ex/odsmith.toml", "keep-going = true\n");
    let (_, message) = tree.run("", &["check"]);
    assert!(message.starts_with("ex/include/E/E.td:1:12: warning: "), "{message}");
}

#[cfg(unix)]
#[test]
fn links() {
    let outside = Tree::empty("links-outside");
    outside.library("include").write("include/llvm/Config/llvm-config.h", "#define LLVM_VERSION_MAJOR 22\n");
    outside.write("more/M.td", &dialect("m")).write("one/O.td", &dialect("o"));
    let tree = Tree::plain("links");
    tree.1.set(true);
    tree.write("a/x", "").link("include", "inc2").link("..", "a/loop").link("F.td", "include/F/F2.td");
    tree.link(&*outside.0, "ext").link(outside.0.join("more"), "more").link("nowhere", "dangling");
    tree.link(outside.0.join("one/O.td"), "O.td");
    let rows = [
        "root O.td",
        "link a/loop",
        "library ext/include",
        "link inc2",
        "alias include/F/F2.td",
        "root more/M.td",
    ];
    tree.ends_well("", &with(&rows));
}

#[test]
fn names_and_line_ends() {
    let tree = Tree::empty("names");
    tree.write("Größe 1/Base.td", &dialect("k").replace('\n', "\r\n"));
    tree.write("Größe 1/Ops A.td", "include \"Größe 1/Base.td\"\r\ndef K_A : Op<k_Dialect, \"a\">;\r\n");
    tree.commit().ends_well("", &["included Größe 1/Base.td", "root Größe 1/Ops A.td"]);
    // Case counts.
    tree.write("Wrong.td", "include \"größe 1/Base.td\"\ndef K_B : Op<k_Dialect, \"b\">;\n");
    assert_eq!(tree.run("", &["check"]).0, 1);
}

#[test]
fn folders_and_files_of_a_project() {
    let tree = Tree::plain("subfolder");
    tree.commit();
    tree.ends_well("include/F", &["included Base.td", "root F.td"]);
    assert_eq!(tree.rows("include/F", &["F.td"]), ["included Base.td", "root F.td"]);
    for words in [&["check", "F.td"][..], &["lint", "F.td", "--fail-on", "never"], &["check", "../F/F.td"]] {
        let (status, message) = tree.run("include/F", words);
        assert!(status == 0 && !message.contains("Base.td"), "{words:?}: {message}");
    }
    // A file has its own outputs, below the folder of the path.
    let (status, message) = tree.run("", &["generate", "include/F/F.td", "-o", "out"]);
    assert_eq!(status, 0, "{message}");
    assert!(tree.0.join("out/cpp/F.h.inc").is_file());
    // The folder of a manifest is that of outputs.
    tree.write("odsmith.toml", "");
    let (status, message) = tree.run("include", &["generate", "-o", "../out2"]);
    assert_eq!(status, 0, "{message}");
    assert!(tree.0.join("out2/cpp/include/F/F.h.inc").is_file());
    tree.write("include/F/F.td", TRAP);
    let (status, message) = tree.run("include", &["check"]);
    assert!(status == 1 && message.starts_with("F/F.td:1:12: error: "), "{message}");
}

#[test]
fn files_of_other_projects() {
    let outer = Tree::empty("missing");
    outer.write("stablehlo/stablehlo/dialect/Base.td", &dialect("stablehlo"));
    let text = format!("include \"stablehlo/dialect/Base.td\"\n{ROOT}");
    outer.write("p/include/F/Base.td", BASE).write("p/include/F/F.td", &text).write("p/G.td", &dialect("g"));
    let git = |words: &[&str]| outer.git(&[&["-C", "p"], words].concat());
    git(&["init", "-q"]);
    git(&["add", "-A"]);
    git(&["commit", "-qm", "one"]);
    assert_eq!(outer.rows("p", &[]), with(&["root G.td"]));
    // Folders beside the project are read only on request.
    assert_eq!(outer.run("p", &["check"]).0, 1);
    assert_eq!(outer.run("p", &["docs", "-o", "site"]).0, 1);
    let (status, message) = outer.run("p", &["diff", "git:HEAD", "."]);
    assert!(status == 0 && !message.lines().any(|line| line.starts_with("error:")), "{message}");
    let warning = "warning: 1 of 2 roots is not compared: 'include/F/F.td' fails on both sides";
    assert!(message.contains(warning), "{message}");
    assert_eq!(without_closing(outer.run("p", &["check", "-I", "../stablehlo"])), (0, String::new()));
    outer.write("p/odsmith.toml", "[dependencies]\nstablehlo = { path = \"../stablehlo\" }\n");
    assert_eq!(without_closing(outer.run("p", &["check"])), (0, String::new()));
    // In the tree it is read where it is needed, and has no pages.
    let inner = Tree::empty("dependency");
    inner.write("third_party/stablehlo/stablehlo/dialect/Base.td", &dialect("stablehlo"));
    inner.write("third_party/stablehlo/stablehlo/dialect/Other.td", TRAP);
    inner.write("include/F/Base.td", BASE).write("include/F/F.td", &text);
    inner.commit().ends_well("", &with(&["dependency third_party/stablehlo"]));
    let (_, text) = inner.run("", &["ls"]);
    assert!(text.contains("vendored, 2 files, 1 included"), "{text}");
    assert_eq!(inner.run("", &["docs"]).0, 0);
    assert!(inner.0.join("site/f").is_dir() && !inner.0.join("site/stablehlo").exists());
    let (status, message) = inner.run("", &["upgrade", "--from", "22", "--to", "22"]);
    assert!(status == 0 && !message.contains("could not find"), "{message}");
    // Such a folder may be named in a manifest.
    assert_eq!(inner.run("", &["init"]).0, 0);
    let manifest = fs::read_to_string(inner.0.join("odsmith.toml")).expect("a manifest");
    assert!(manifest.contains("<in-tree>/third_party/stablehlo"), "{manifest}");
    assert_eq!(without_closing(inner.run("", &["check"])), (0, String::new()));
    // Messages name the file of the disk.
    inner.write("third_party/stablehlo/stablehlo/dialect/Base.td", TRAP);
    let (status, message) = inner.run("", &["check"]);
    assert_eq!(status, 1);
    assert!(message.contains("third_party/stablehlo/stablehlo/dialect/Base.td:1:12: error: "), "{message}");
    assert!(!message.contains("<in-tree>"), "{message}");
}

#[test]
fn patterns_and_include_folders() {
    let tree = Tree::plain("patterns");
    tree.write("stray/S.td", TRAP).write("other/include/Q/Q.td", &dialect("q"));
    for pattern in ["stray", "stray/", "stray/**", "/stray", "S.td", "**/S.*"] {
        assert_eq!(
            without_closing(tree.run("", &["check", "--exclude", pattern])),
            (0, String::new()),
            "{pattern}"
        );
    }
    let (status, message) = tree.run("", &["check", "--exclude", "stray", "--exclude", "nowhere"]);
    assert_eq!(status, 0, "{message}");
    assert!(
        message.contains("warning") && message.contains("exclude 'nowhere' matches no file"),
        "{message}"
    );
    let (status, message) = tree.run("", &["check", "--ignore-errors", "stray"]);
    assert!(status == 0 && message.contains("S.td:1:12: warning: "), "{message}");
    assert_eq!(tree.run("", &["check", "--keep-going"]).0, 0);
    assert_eq!(tree.run("", &["check", "--keep-going", "--no-keep-going"]).0, 1);
    assert_eq!(tree.run("", &["lint", "--exclude", "stray", "--fail-on", "never"]).0, 0);
    // Excluded files are still included, and have no pages.
    tree.write("stray/S.td", &format!("include \"other/include/Q/Q.td\"\n{}", dialect("s")));
    assert_eq!(tree.run("", &["docs", "--exclude", "other"]).0, 0);
    assert!(tree.0.join("site/s/op/go.html").is_file() && !tree.0.join("site/q").exists());
    // -I adds, and a folder that is not there is a warning.
    let (status, message) = tree.run("", &["check", "-I", "nowhere"]);
    assert!(status == 0 && message.contains("warning: -I 'nowhere' is not there"), "{message}");
    assert_eq!(without_closing(tree.run("", &["check", "-I", "other/include"])), (0, String::new()));
}

#[test]
fn ties_and_missing_paths() {
    let tree = Tree::empty("ties");
    tree.write("a/X.td", &dialect("a")).write("b/X.td", &dialect("b"));
    tree.write("r/R.td", "\ninclude \"X.td\"\ndef R_Op : Op<a_Dialect, \"r\">;\n");
    let (status, message) = tree.run("", &["check"]);
    let warning = "r/R.td:2: \"X.td\": 'a/X.td' is read, not 'b/X.td'";
    assert!(status == 0 && message.contains(warning), "{message}");
    for (words, expected) in [
        (&["check", "nowhere"][..], "error: 'nowhere' is not there"),
        (&["lint", "nowhere"], "error: 'nowhere' is not there"),
        (&["diff", "nowhere", "."], "'nowhere' is not there"),
        (&["check", "text.txt"], "error: 'text.txt' is no .td file, folder or archive"),
        (&["check", "empty"], "error: no .td file in 'empty'; 1 is in 'empty/external/x' (vendored)"),
    ] {
        folder::write(&tree.0, "text.txt", "text");
        folder::write(&tree.0, "empty/external/x/X.td", TRAP);
        let (status, message) = tree.run("", words);
        assert!(status == 2 && message.contains(expected), "{words:?}: {status}: {message}");
    }
    tree.commit();
    let (status, message) = tree.run("", &["diff", "git:gone", "."]);
    assert!(status == 2 && message.contains("git has no revision 'gone'"), "{message}");
}

#[test]
fn excluded_files_and_circles() {
    let tree = Tree::plain("excluded");
    tree.write("lib/L.td", "include \"F/Base.td\"\ndef L;\n");
    let (status, message) =
        without_closing(tree.run("", &["check", "--exclude", "include/F/F.td", "--exclude", "lib"]));
    assert_eq!((status, &*message), (0, ""));
    let rows = tree.rows("", &["--exclude", "include/F/F.td", "--exclude", "lib"]);
    assert_eq!(rows, ["root include/F/Base.td"]);
    // A part of the project need not have the files that odsmith.toml names.
    tree.write("odsmith.toml", "exclude = [\"lib\", \"ex\"]\n").write("ex/odsmith.toml", "");
    tree.write("ex/E.td", &dialect("e"));
    for words in [&["check"][..], &["check", "include"], &["check", "include/F/F.td"], &["check", "lib"]] {
        let (status, message) = without_closing(tree.run("", words));
        assert_eq!((status, &*message), (0, ""), "{words:?}");
    }
}

/// A pattern is about either side of a comparison.
#[test]
fn patterns_of_comparisons() {
    let tree = Tree::plain("patterns-of-sides");
    tree.commit().write("lib/New.td", &dialect("n"));
    for flag in ["--exclude", "--ignore-errors"] {
        let (status, message) = tree.run("", &["diff", flag, "lib/New.td"]);
        assert!(status == 0 && !message.contains("matches no file"), "{message}");
        let (_, message) = tree.run("", &["diff", flag, "lib/Gone.td"]);
        assert_eq!(message.matches("Gone.td' matches no file").count(), 1, "{message}");
    }
}

/// A project inside of another reads nothing above it, on the disk and in revisions.
#[test]
fn a_project_inside_reads_nothing_above() {
    let tree = Tree::plain("above");
    tree.write("ex/odsmith.toml", "").write("ex/E.td", ROOT).commit();
    for words in [&["check"][..], &["diff"], &["diff", "git:HEAD", "git:HEAD"]] {
        let (status, message) = tree.run("ex", words);
        let help = "help: in odsmith.toml: [dependencies] workspace-above = { path = \"../include\" }";
        assert!(status == if words[0] == "check" { 1 } else { 2 }, "{words:?}: {status} {message}");
        assert!(
            words.len() > 2 || message.contains("help: in odsmith.toml: [dependencies] "),
            "{help}: {message}"
        );
    }
    tree.write("ex/odsmith.toml", "[dependencies]\nabove = { path = \"../include\" }\n");
    assert_eq!(without_closing(tree.run("ex", &["check"])), (0, String::new()));
    tree.write("ex/odsmith.toml", "includes = [\"../include\"]\n");
    let (status, message) = tree.run("ex", &["check"]);
    assert!(status == 2 && message.contains("\nhelp: in odsmith.toml: [dependencies] "), "{message}");
}

#[test]
fn lint_visits_projects_inside() {
    let tree = Tree::plain("lint-inside");
    tree.write("odsmith.toml", "").write("ex/odsmith.toml", "").write("ex/E.td", &dialect("e")).commit();
    let (_, message) = tree.run("", &["lint", "-v"]);
    assert!(message.contains("ex/E.td:") && !message.contains("is not read"), "{message}");
    let (_, message) = tree.run("", &["diff"]);
    assert_eq!(message.matches("note: 'ex' has its own odsmith.toml").count(), 1, "{message}");
}

#[test]
fn summaries_of_folders() {
    let tree = Tree::plain("summaries");
    tree.write("vendor/w/W.td", TRAP).write("gen/Own.td", &dialect("o"));
    assert_eq!(tree.run("", &["generate", "-o", "gen"]).0, 0);
    assert_eq!(tree.run("", &["docs", "-o", "site"]).0, 0);
    let (_, text) = tree.run("", &["ls", "-v", "--exclude", "gen/Own.td"]);
    let line = |start: &str| -> Vec<&str> { text.lines().filter(|line| line.starts_with(start)).collect() };
    let outputs = line("output");
    assert_eq!(outputs.len(), 2, "{text}");
    assert!(outputs[0].contains("gen ") && outputs[0].contains("by generate, "), "{text}");
    assert!(outputs[1].contains("site ") && outputs[1].contains("by docs, "), "{text}");
    assert!(line("depends")[0].ends_with("vendored, 1 file, 0 included"), "{text}");
    assert!(line("exclude")[0].ends_with("by --exclude"), "{text}");
    let (_, text) = tree.run("", &["ls", "--json"]);
    let answer: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let release = answer["projects"][0]["libraries"][0]["mlir"].as_str().unwrap_or_default();
    assert!(release.starts_with(|first: char| first.is_ascii_digit()), "{text}");
}
