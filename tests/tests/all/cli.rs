//! `odsmith tblgen` beside mlir-tblgen: the same messages, exit codes, files and dependency files for the same command
//! lines. Both run as `mlir-tblgen` of their own folder, so that only the program's name differs.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test stops where it cannot go on, and says what it left out"
)]

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use odsmith_tests::{
    Run,
    folder::{self, TestFolder},
    set_up::{library, odsmith, reference_tools, tests_folder},
};

/// The files of the folder in which every command line runs.
const FILES: &[(&str, &str)] = &[
    ("a.td", "class A<int x> { int v = x; }\ndef B : A<1>;\n"),
    ("syntax.td", "def B : Missing;\n"),
    ("types.td", "def B { int x = \"a\"; }\ndef C { int x = \"a\"; }\n"),
    ("unused.td", "class A<int unused>;\ndef a : A<1>;\n"),
    ("macro.td", "#ifdef FOO\ndef foo;\n#endif\ndef bar;\n"),
    ("includes.td", "include \"i.td\"\ninclude \"z.td\"\ninclude \"both.td\"\n"),
    ("missing.td", "include \"nowhere.td\"\n"),
    ("below.td", "include \"bad.td\"\n"),
    ("assert.td", "def A { int x = 1; }\nassert 0, \"no\";\n"),
    ("both.td", "class FromFolder;\n"),
    (
        "deprecated.td",
        r#"class Deprecated<string r> { string odsDeprecated = r; }
def op;
def z : Deprecated<"because">;
def other { string odsDeprecated = "one line\nand another"; }
class In<dag d> { list<dag> v = [d]; }
def b { Deprecated v = z; }
def a { In i = In<(op other, z)>; In j = In<(z)>; }
multiclass M { def _x { dag d = (op (z)); } }
defm m : M;
"#,
    ),
    (
        "classes.td",
        "class I; class J : I; def z : I; def a10 : J; def a9 : I; def B : J; def : I; def _c : J;\n",
    ),
    (
        "patterns.td",
        "include \"ops.td\"\ndef Own : Pat<(A (A $x)), (replaceWithValue $x)>;\ndef Based : Twice<A>;\n",
    ),
    (
        "inc/ops.td",
        r#"include "mlir/IR/OpBase.td"
include "mlir/IR/PatternBase.td"
def P_Dialect : Dialect { let name = "p"; let cppNamespace = "::p"; }
def A : Op<P_Dialect, "a"> { let arguments = (ins AnyType:$x); let results = (outs AnyType:$r); }
class Twice<Op op> : Pat<(op (op $x)), (replaceWithValue $x)>;
defvar both = [1, 2];
foreach i = both in def Each#i : Pat<(A (A (A $x))), (replaceWithValue $x), [], [], (addBenefit i)>;
"#,
    ),
    ("inc/both.td", "class FromInc;\n"),
    ("inc/i.td", "include \"deep.td\"\ndef FromI;\n"),
    ("inc/deep.td", "class Deep;\n"),
    ("inc/z.td", "def Z : Deep;\n"),
    ("inc/bad.td", "def X : Missing;\n"),
    ("old", "stays as it is\n"),
    ("args", "--print-records \"a.td\"\n-I inc"),
];

/// Command lines whose status, streams and files are all compared.
const SAME: &[&str] = &[
    "a.td",
    "--print-records a.td",
    "-print-records a.td",
    "-- a.td",
    "a.td --",
    "nowhere.td",
    "inc",
    "syntax.td",
    "types.td",
    "assert.td",
    "unused.td",
    "unused.td --no-warn-on-unused-template-args",
    "unused.td --no-warn-on-unused-template-args=false",
    "unused.td --no-warn-on-unused-template-args=maybe",
    "missing.td",
    "missing.td -o out -d dep",
    "includes.td",
    "includes.td -Iinc",
    "includes.td -I inc",
    "includes.td -I=inc",
    "includes.td --I inc",
    "includes.td --Iinc",
    "includes.td -I inc -o out -d dep",
    "includes.td -I ./inc/ -o=out -d=dep",
    "below.td -Iinc//",
    "macro.td",
    "macro.td -DFOO",
    "macro.td -D FOO",
    "macro.td -D=FOO -DFOO",
    "macro.td -DFOO=1",
    "macro.td -D",
    "a.td -o out",
    "a.td -o out -o other",
    "a.td -o",
    "-I",
    "a.td -d dep",
    "a.td -d dep -o -",
    "syntax.td -d dep",
    "syntax.td -o out -d dep",
    "types.td -o old",
    "a.td -o nodir/x -d dep",
    "a.td -o out -d nodir/x",
    "a.td -o inc",
    "a.td -o out -d out",
    "a.td --write-if-changed -o out -d dep",
    "a.td syntax.td",
    "- a.td",
    "-",
    "",
    "- -o out -d dep",
    "@args",
    "@nowhere",
    "--on-deprecated=none a.td",
    "deprecated.td",
    "deprecated.td --on-deprecated=none",
    "deprecated.td --on-deprecated=warn -o out",
    "deprecated.td --on-deprecated=error -o out -d dep",
    "deprecated.td --color",
    "unused.td --color",
    "unused.td --color=false",
    "types.td --color",
    "assert.td --color",
    "below.td -Iinc --color",
    "missing.td -color=1",
    "--on-deprecated a.td",
    "--on-deprecated=perhaps a.td",
    "--write-if-changed=perhaps a.td",
    "--time-phases=false a.td",
    "--asmformat-error-is-fatal true a.td",
];

/// Command lines that only llvm-tblgen supports, compared in the same way.
const SAME_AS_LLVM: &[&str] = &[
    "--dump-json a.td",
    "--null-backend unused.td",
    "--print-enums classes.td --class=I",
    "--print-enums classes.td -class J -o out",
    "--print-enums classes.td --class=I --class=J",
    "--print-enums classes.td --class=None",
    "--print-enums classes.td",
    "--class=I a.td",
];

/// Command lines that name what does not exist, but is near to something: to hidden options, to several, with values.
const UNKNOWN: &[&str] = &[
    "--bogus a.td",
    "-bogus=1 a.td",
    "--gen-nonsense a.td",
    "---print-records a.td",
    "-=x a.td",
    "-oout a.td",
    "-w a.td",
    "a.td syntax.td --bogus",
    "--no-such-option a.td",
    "-rint-options a.td",
    "--print-optionx=1 a.td",
    "--statz= a.td",
    "--Qelp-list=q a.td",
    "--versiox=1 a.td",
    "--Qh a.td",
    "--Qh=2 a.td",
    "--gen-op a.td",
    "--generator a.td",
    "--nam=gen-op-decls a.td",
    "--write-if-change=1=2 a.td",
    "--gen-op-declz= --dialekt=x a.td",
    "--on-deprecatex=warn a.td",
    "-QI=4 a.td",
];

/// Options that the reference knows and hides: none of them changes an output.
const HIDDEN: &[&str] = &[
    "--print-options a.td",
    "--print-all-options=0 a.td",
    "--stats --sort-timers --track-memory=false a.td",
    "--rng-seed=3 --info-output-file nowhere a.td",
    "--disable-symbolication --crash-diagnostics-dir=x --debug-counter= a.td",
    "--print-options=maybe a.td",
];

const STDIN: &str = "def FromStdin : Missing;\n";

#[test]
fn the_same_as_the_reference() {
    let Some(pair) = Pair::new("cli-same") else { return };
    let wrong: Vec<String> = SAME.iter().filter_map(|line| pair.compare(line, |run| run)).collect();
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), SAME.len(), wrong.join("\n"));
    println!("{} command lines, no difference", SAME.len());
}

#[test]
fn the_same_as_llvm_tblgen() {
    let Some(pair) = Pair::of("cli-llvm", "llvm-tblgen") else { return };
    let wrong: Vec<String> = SAME_AS_LLVM.iter().filter_map(|line| pair.compare(line, |run| run)).collect();
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), SAME_AS_LLVM.len(), wrong.join("\n"));
}

/// Patterns name their location: by the path if it is relative, else by the file name.
#[test]
fn places_of_patterns() {
    let Some(pair) = Pair::new("cli-patterns") else { return };
    let library = library();
    for (folder, root) in [
        ("inc", "patterns.td"),
        ("./inc", "./patterns.td"),
        ("inc/../inc", "inc/../patterns.td"),
        ("{home}/work/inc", "patterns.td"),
        ("inc", "{home}/work/patterns.td"),
    ] {
        let line = format!("--gen-rewriters -I {folder} -I {library} {root}");
        let line = line.replace("{home}", pair.home.to_str().unwrap());
        assert_eq!(pair.compare(&line, |run| run), None);
        assert_eq!(run(&pair.ours, &pair.fresh(), &line).status, 0);
    }
}

#[test]
fn phases_are_timed() {
    let Some(pair) = Pair::new("cli-phases") else { return };
    for program in [&pair.ours, &pair.reference] {
        let made = run(program, &pair.fresh(), "a.td --time-phases");
        assert_eq!(made.status, 0);
        let text = String::from_utf8(made.err).unwrap();
        for phase in ["backend", "Write output", "Total"] {
            assert!(text.to_lowercase().contains(&phase.to_lowercase()), "{phase} in {text}");
        }
    }
}

#[test]
fn what_does_not_exist() {
    let Some(pair) = Pair::new("cli-unknown") else { return };
    let all = UNKNOWN.iter().chain(HIDDEN);
    let wrong: Vec<String> = all.filter_map(|line| pair.compare(line, |run| run)).collect();
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn other_releases() {
    let folder = tests_folder().join("fixtures/release");
    let of = |flags: &str| run(odsmith(), &folder, &format!("tblgen {flags} -I {} dialect.td", library()));

    let older = of("--mlir=21 -gen-dialect-decls --dialect=nested");
    assert!(String::from_utf8_lossy(&older.out).contains("namespace a {\nnamespace b {"));
    assert!(older.err.is_empty());
    let absent = of("--mlir=21 -gen-dialect-interface-decls");
    let message = String::from_utf8_lossy(&absent.err).into_owned();
    assert!(message.contains("Unknown command line argument '-gen-dialect-interface-decls'."));
    assert!(message.ends_with("Did you mean '--gen-attr-interface-decls'?\n"));
    assert_eq!(absent.status, 1);
    let newer = of("--mlir=23 -gen-op-doc --keep-op-source-order --dialect=nested");
    assert_eq!((newer.status, newer.err.is_empty()), (0, true));
    assert_eq!(of("--mlir=22 -gen-op-doc --keep-op-source-order").status, 1);
    for (flags, nearest) in [
        ("--mlir=17 --allow-hugo-specific-features", "--llvmir-intrinsics-filter"),
        ("--mlir=16 -gen-bytecode", "--gen-op-decls"),
        ("--mlir=18 -verify-openmp-ops", "--print-options"),
        ("--mlir=13 --Qh=2", "--D=2"),
        ("--mlir=19 --Qh=2", "--o=2"),
        ("--mlir=21 --print-debug-counter-queries", "--print-debug-counter"),
        ("--mlir=23 --QQQ", "-d"),
    ] {
        let message = String::from_utf8_lossy(&of(flags).err).into_owned();
        assert!(message.ends_with(&format!("Did you mean '{nearest}'?\n")), "{flags}: {message}");
    }
    let unknown = of("--mlir=20 -gen-dialect-decls --dialect=nested");
    assert!(String::from_utf8_lossy(&unknown.err).contains("MLIR 20 is not supported: no package"));
    assert_eq!(unknown.status, 1);
}

#[test]
fn an_unchanged_output_keeps_its_time() {
    let Some(pair) = Pair::new("cli-time") else { return };
    for program in [&pair.ours, &pair.reference] {
        let folder = pair.fresh();
        let line = "a.td --write-if-changed -o out";
        run(program, &folder, line);
        let before = fs::metadata(folder.join("out")).unwrap().modified().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20));
        run(program, &folder, line);
        assert_eq!(
            fs::metadata(folder.join("out")).unwrap().modified().unwrap(),
            before,
            "{}",
            program.display()
        );
        run(program, &folder, "a.td -o out");
        assert_ne!(
            fs::metadata(folder.join("out")).unwrap().modified().unwrap(),
            before,
            "{}",
            program.display()
        );
    }
}

#[test]
fn pages() {
    let Some(pair) = Pair::new("cli-pages") else { return };
    for line in ["--help", "-h", "-help", "--version", "a.td --help", "--bogus --version"] {
        let made = run(&pair.ours, &pair.fresh(), line);
        assert_eq!(made.status, run(&pair.reference, &pair.fresh(), line).status, "{line}");
        assert!(!made.out.is_empty(), "{line}");
    }
    let help = run(&pair.ours, &pair.fresh(), "--help");
    let help = String::from_utf8(help.out).unwrap();
    for flag in ["--print-records", "--dump-json", "-I <directory>", "--write-if-changed"] {
        assert!(help.contains(flag), "{flag} is not in the help");
    }
}

/// `odsmith` runs `tblgen` itself and becomes `odsmith-service` for other commands, wherever it is called from.
#[test]
fn two_programs() {
    let home = TestFolder::new("cli-programs");
    home.write("a.td", FILES[0].1);
    let whole = odsmith().with_file_name("odsmith-service");

    // Through links, from elsewhere.
    let link = home.join("link");
    symlink(odsmith(), &link).unwrap();
    assert_eq!(run(&link, &home, "--version").out, run(&whole, &home, "--version").out);
    assert_eq!(run(&link, &home, "docs --bogus").status, run(odsmith(), &home, "docs --bogus").status);
    // The whole program runs `tblgen` as well.
    assert_eq!(run(&whole, &home, "tblgen a.td").out, run(&link, &home, "tblgen a.td").out);
    // The whole program asks a server, under the name of the call.
    let named = home.join("mlir-tblgen");
    symlink(odsmith(), &named).unwrap();
    let version = String::from_utf8(run(&named, &home, "--version").out).unwrap();
    assert!(version.contains("in the place of mlir-tblgen"), "{version}");
    assert_eq!(version.as_bytes(), run(odsmith(), &home, "tblgen --version").out);
    let asked = run(&named, &home, "--server=http://127.0.0.1:9 a.td");
    let message = String::from_utf8(asked.err).unwrap();
    assert_eq!(asked.status, 0, "{message}");
    assert!(message.contains("mlir-tblgen: note: http://127.0.0.1:9"), "{message}");

    // Without the whole program.
    let alone = home.join("odsmith");
    // A hard link, as a new copy may still be open in a process that another test starts, and could then not be
    // executed.
    fs::hard_link(odsmith(), &alone).or_else(|_| fs::copy(odsmith(), &alone).map(|_| ())).unwrap();
    assert_eq!(run(&alone, &home, "tblgen a.td").status, 0);
    let left = run(&alone, &home, "docs .");
    let message = String::from_utf8(left.err).unwrap();
    assert_eq!(left.status, 2, "{message}");
    assert!(message.contains("odsmith-service: No such file"), "{message}");
    // With the whole program elsewhere on the path.
    let on_path = |args: &[&str]| {
        let mut command = Command::new(&alone);
        command.args(args).env("PATH", whole.parent().unwrap()).current_dir(&home).output().unwrap()
    };
    assert_eq!(on_path(&["--version"]).stdout, run(&whole, &home, "--version").out);
    assert_eq!(on_path(&["docs", "--bogus"]).status.code(), Some(2));
}

/// The two tools under one name.
struct Pair {
    home: TestFolder,
    ours: PathBuf,
    reference: PathBuf,
}

impl Pair {
    fn new(name: &str) -> Option<Pair> {
        Pair::of(name, "mlir-tblgen")
    }

    fn of(name: &str, tool: &str) -> Option<Pair> {
        let reference = reference_tools().join(tool);
        if !reference.is_file() {
            println!("left out: there is no {tool}");
            return None;
        }
        let home = TestFolder::new(name);
        let link = |program: &Path, folder: &str, tool: &str| {
            let link = home.join(folder).join(tool);
            fs::create_dir_all(home.join(folder)).unwrap();
            symlink(program, &link).unwrap();
            link
        };
        Some(Pair {
            ours: link(odsmith(), "one", "mlir-tblgen"),
            reference: link(&reference, "two", tool),
            home,
        })
    }

    /// Makes a folder with nothing but [`FILES`].
    fn fresh(&self) -> PathBuf {
        let folder = self.home.join("work");
        let _ = fs::remove_dir_all(&folder);
        for (path, text) in FILES {
            folder::write(&folder, path, text);
        }
        folder
    }

    fn compare(&self, line: &str, reduce: impl Fn(Run) -> Run) -> Option<String> {
        let of = |program: &Path| {
            let folder = self.fresh();
            let mut made = run(program, &folder, line);
            let home = program.parent().unwrap().to_str().unwrap();
            made.err = String::from_utf8_lossy(&made.err).replace(home, "").into_bytes();
            (reduce(made), files(&folder))
        };
        let (expected, made) = (of(&self.reference), of(&self.ours));
        let shown = |(run, files): &(Run, BTreeMap<String, String>)| {
            let own: Vec<_> =
                files.iter().filter(|(path, _)| !FILES.iter().any(|(known, _)| known == path)).collect();
            format!(
                "status {}\n{}{}{own:?}",
                run.status,
                String::from_utf8_lossy(&run.out),
                String::from_utf8_lossy(&run.err)
            )
        };
        (expected != made)
            .then(|| format!("== {line}\n-- expected: {}\n-- made: {}", shown(&expected), shown(&made)))
    }
}

fn run(program: &Path, folder: &Path, line: &str) -> Run {
    let mut child = Command::new(program)
        .args(line.split(' ').filter(|word| !word.is_empty()))
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the tool starts");
    // A tool that reads a file ignores its input.
    let _ = child.stdin.take().expect("a pipe").write_all(STDIN.as_bytes());
    let output = child.wait_with_output().expect("the tool ends");
    Run { status: output.status.code().unwrap_or(-1), out: output.stdout, err: output.stderr }
}

/// Every file below a folder.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                found.insert(name, String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned());
            }
        }
    }
    found
}
