//! The dialect of `tests/compile/`: Odsmith's outputs for it equal those of mlir-tblgen, compile with the system's C++
//! compiler against the installed MLIR, and work on `.mlir` files as expected. Compiling needs `ODSMITH_COMPILE=1`;
//! `tests/compile/README.md` explains the arrangement. The outputs for its small sibling compile with the headers of
//! other releases, and those for a dialect in the oldest forms run with theirs.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test stops where it cannot go on, and says what it did"
)]

use std::{
    env,
    ffi::OsStr,
    fmt::Write as _,
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use odsmith_tests::{
    Run,
    diff::first_difference,
    pool, reference,
    set_up::{self, library, mlir, odsmith, tests_folder},
};

/// Generated files: the name, the root, the flags.
const GENERATED: &[(&str, &str, &str)] = &[
    ("MillAttrConstraints.cpp.inc", "MillTypes.td", "--gen-attr-constraint-defs"),
    ("MillAttrConstraints.h.inc", "MillTypes.td", "--gen-attr-constraint-decls"),
    ("MillAttrInterfaces.cpp.inc", "MillInterfaces.td", "--gen-attr-interface-defs"),
    ("MillAttrInterfaces.h.inc", "MillInterfaces.td", "--gen-attr-interface-decls"),
    ("MillAttributes.cpp.inc", "MillTypes.td", "--gen-attrdef-defs"),
    ("MillAttributes.h.inc", "MillTypes.td", "--gen-attrdef-decls"),
    ("MillDialect.cpp.inc", "MillTypes.td", "--gen-dialect-defs"),
    ("MillDialect.h.inc", "MillTypes.td", "--gen-dialect-decls"),
    ("MillEnums.cpp.inc", "MillTypes.td", "--gen-enum-defs"),
    ("MillEnums.h.inc", "MillTypes.td", "--gen-enum-decls"),
    ("MillOpInterfaces.cpp.inc", "MillInterfaces.td", "--gen-op-interface-defs"),
    ("MillOpInterfaces.h.inc", "MillInterfaces.td", "--gen-op-interface-decls"),
    ("MillOps.cpp.inc", "MillOps.td", "--gen-op-defs"),
    ("MillOps.h.inc", "MillOps.td", "--gen-op-decls"),
    ("MillPasses.h.inc", "MillPasses.td", "--gen-pass-decls --name=Mill"),
    ("MillPatterns.inc", "MillPatterns.td", "--gen-rewriters"),
    ("MillTypeConstraints.cpp.inc", "MillTypes.td", "--gen-type-constraint-defs"),
    ("MillTypeConstraints.h.inc", "MillTypes.td", "--gen-type-constraint-decls"),
    ("MillTypeInterfaces.cpp.inc", "MillInterfaces.td", "--gen-type-interface-defs"),
    ("MillTypeInterfaces.h.inc", "MillInterfaces.td", "--gen-type-interface-decls"),
    ("MillTypes.cpp.inc", "MillTypes.td", "--gen-typedef-defs"),
    ("MillTypes.h.inc", "MillTypes.td", "--gen-typedef-decls"),
];

/// Files generated for the sibling, and their flags.
const OF_SIBLING: &[(&str, &str)] = &[
    ("KilnAttrInterfaces.cpp.inc", "--gen-attr-interface-defs"),
    ("KilnAttrInterfaces.h.inc", "--gen-attr-interface-decls"),
    ("KilnAttributes.cpp.inc", "--gen-attrdef-defs"),
    ("KilnAttributes.h.inc", "--gen-attrdef-decls"),
    ("KilnDialect.cpp.inc", "--gen-dialect-defs"),
    ("KilnDialect.h.inc", "--gen-dialect-decls"),
    ("KilnEnums.cpp.inc", "--gen-enum-defs"),
    ("KilnEnums.h.inc", "--gen-enum-decls"),
    ("KilnOpInterfaces.cpp.inc", "--gen-op-interface-defs"),
    ("KilnOpInterfaces.h.inc", "--gen-op-interface-decls"),
    ("KilnOps.cpp.inc", "--gen-op-defs"),
    ("KilnOps.h.inc", "--gen-op-decls"),
    ("KilnPasses.h.inc", "--gen-pass-decls --name=Kiln"),
    ("KilnPatterns.inc", "--gen-rewriters"),
    ("KilnTypeInterfaces.cpp.inc", "--gen-type-interface-defs"),
    ("KilnTypeInterfaces.h.inc", "--gen-type-interface-decls"),
    ("KilnTypes.cpp.inc", "--gen-typedef-defs"),
    ("KilnTypes.h.inc", "--gen-typedef-decls"),
];

/// The releases whose headers the sibling is compiled with.
const OTHER_RELEASES: &[&str] = &["19", "23", "24"];

/// Files generated for the dialect in the oldest forms, and their flags.
const OF_OLDEST: &[(&str, &str)] = &[
    ("ForgeAttributes.cpp.inc", "--gen-attrdef-defs"),
    ("ForgeAttributes.h.inc", "--gen-attrdef-decls"),
    ("ForgeDialect.cpp.inc", "--gen-dialect-defs"),
    ("ForgeDialect.h.inc", "--gen-dialect-decls"),
    ("ForgeEnums.cpp.inc", "--gen-enum-defs"),
    ("ForgeEnums.h.inc", "--gen-enum-decls"),
    ("ForgeOps.cpp.inc", "--gen-op-defs"),
    ("ForgeOps.h.inc", "--gen-op-decls"),
    ("ForgePasses.h.inc", "--gen-pass-decls --name=Forge"),
    ("ForgePatterns.inc", "--gen-rewriters"),
    ("ForgeTypes.cpp.inc", "--gen-typedef-defs"),
    ("ForgeTypes.h.inc", "--gen-typedef-decls"),
];

/// The files for attributes that are dictionaries, which MLIR 14 supports.
const OF_STRUCTURES: &[(&str, &str)] =
    &[("ForgeStructs.cpp.inc", "--gen-struct-attr-defs"), ("ForgeStructs.h.inc", "--gen-struct-attr-decls")];

/// The releases that run it: one with code in the definitions, and one with flags in its place.
const OLDEST_RELEASES: &[&str] = &["14", "16"];

/// Translation units, the slowest first.
const SOURCES: &[&str] = &["Mill.cpp", "MillOps.cpp", "main.cpp"];

/// Flags of the compiler; `-O0`, because nothing here runs long.
const COMPILER_FLAGS: &[&str] = &["-std=c++17", "-O0", "-Wall", "-Werror", "-Wno-unused-function"];

#[test]
fn generated_files_equal_the_references() {
    let flags: Vec<_> = GENERATED.iter().filter(|(_, _, flags)| odsmith_generates(flags)).collect();
    let reports = pool::map(&flags, |&&(name, td, flags)| {
        let [want, got] = [Tool::Reference, Tool::Odsmith].map(|tool| tool.generate(td, flags));
        let difference = first_difference(&want.out, &got.out);
        difference.map(|difference| format!("  {name} ({flags} {td})\n{difference}"))
    });
    println!("{} of {} files compared", flags.len(), GENERATED.len());
    let report: String = reports.into_iter().flatten().collect();
    assert!(report.is_empty(), "generated files differ (- reference, + ours):\n{report}");
}

#[test]
fn the_dialect_compiles_and_runs() {
    if !is_compiling() {
        return;
    }
    let mill_opt = build();
    let cases = files(&folder().join("cases"), "mlir");
    assert!(!cases.is_empty(), "no cases");
    let report: String = pool::map(&cases, |case| check(&mill_opt, case)).concat();
    println!("{} files of cases run", cases.len());
    assert!(report.is_empty(), "{report}");
}

#[test]
fn the_sibling_compiles_with_headers_of_other_releases() {
    if !is_compiling() {
        return;
    }
    for release in OTHER_RELEASES {
        match set_up::release(release, "headers") {
            Some(prefix) => compile_sibling(release, &prefix.join("include")),
            None => println!("skipped: the headers of MLIR {release} are not available here (see above)"),
        }
    }
}

/// Generates the sibling for a release and compiles it, unless it is unchanged since the last time.
fn compile_sibling(release: &str, include: &Path) {
    let compiler = compiler();
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("kiln-{release}"));
    fs::create_dir_all(&out).unwrap();
    let includes = include.to_string_lossy();
    let generated = pool::map(OF_SIBLING, |(name, flags)| {
        let mlir = format!("--mlir={release}");
        let arguments: Vec<&str> = ["tblgen", &mlir]
            .into_iter()
            .chain(flags.split(' '))
            .chain(["-I", &includes, "Kiln.td"])
            .collect();
        let run = reference::program(odsmith(), &folder(), &arguments);
        assert_eq!(run.status, 0, "{release} {flags}: {}", String::from_utf8_lossy(&run.err));
        (*name, run.out)
    });
    let source = folder().join("Kiln.cpp");
    let mut hasher = DefaultHasher::new();
    (&compiler, include, COMPILER_FLAGS, &generated).hash(&mut hasher);
    for file in ["Kiln.cpp", "Directives.h"] {
        fs::read(folder().join(file)).unwrap().hash(&mut hasher);
    }
    let compiled = out.join(format!("{:016x}", hasher.finish()));
    if compiled.exists() {
        println!("MLIR {release}: compiled before");
        return;
    }
    for (name, bytes) in &generated {
        assert!(!bytes.is_empty(), "{release}: {name} is empty");
        fs::write(out.join(name), bytes).unwrap();
    }
    let mut command = Command::new(&compiler);
    // From 24 on, generated functions call generated functions that are deprecated.
    command
        .args(COMPILER_FLAGS)
        .args(["-Wno-deprecated-declarations", "-fsyntax-only"])
        .arg("-isystem")
        .arg(include)
        .arg("-I")
        .arg(&out);
    succeed(command.arg(&source));
    fs::write(compiled, "").unwrap();
    println!("MLIR {release}: {} generated files compiled", generated.len());
}

#[test]
fn the_oldest_forms_compile_and_run() {
    if !is_compiling() {
        return;
    }
    for release in OLDEST_RELEASES {
        let Some(prefix) = set_up::release(release, "develop") else {
            println!(
                "skipped: the headers and libraries of MLIR {release} are not available here (see above)"
            );
            continue;
        };
        let forge_opt = build_oldest(release, &prefix);
        let cases = files(&forge().join("cases"), "mlir");
        assert!(!cases.is_empty(), "no cases");
        let report: String = cases.iter().map(|case| check_oldest(&forge_opt, case)).collect();
        println!("MLIR {release}: {} files of cases run", cases.len());
        assert!(report.is_empty(), "MLIR {release}\n{report}");
    }
}

/// Generates the dialect in the oldest forms for a release, compiles and links it. Returns the path of the program.
/// Expectations are recorded with the files of mlir-tblgen, whose folder `ODSMITH_REFERENCE_<release>` names.
fn build_oldest(release: &str, prefix: &Path) -> PathBuf {
    let has_code = release == "14";
    let reference = is_regenerating().then(|| env::var_os(format!("ODSMITH_REFERENCE_{release}"))).flatten();
    let include = prefix.join("include");
    let includes = include.to_string_lossy();
    let mlir = format!("--mlir={release}");
    let structures = if has_code { OF_STRUCTURES } else { &[] };
    let outputs: Vec<&(&str, &str)> = OF_OLDEST.iter().chain(structures).collect();
    let generated = pool::map(&outputs, |(name, flags)| {
        let mut arguments: Vec<&str> = flags.split(' ').chain(["-I", &includes, "Forge.td"]).collect();
        if has_code {
            arguments.push("-DINLINE");
        }
        let run = match &reference {
            Some(tools) => reference::program(&Path::new(tools).join("mlir-tblgen"), &forge(), &arguments),
            None => reference::program(odsmith(), &forge(), &[&["tblgen", &mlir], &arguments[..]].concat()),
        };
        assert_eq!(run.status, 0, "{release} {flags}: {}", String::from_utf8_lossy(&run.err));
        (*name, run.out)
    });
    let (compiler, source) = (compiler(), forge().join("Forge.cpp"));
    let mut hasher = DefaultHasher::new();
    (&compiler, prefix, &generated, fs::read(&source).unwrap()).hash(&mut hasher);
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("forge-{release}"));
    let program = out.join(format!("forge-opt-{:016x}", hasher.finish()));
    if program.exists() {
        println!("MLIR {release}: compiled before");
        return program;
    }
    fs::create_dir_all(&out).unwrap();
    for (name, bytes) in &generated {
        fs::write(out.join(name), bytes).unwrap();
    }
    let libraries = prefix.join("lib");
    let mut command = Command::new(&compiler);
    // Today's compilers warn of the oldest headers.
    command.args(["-std=c++17", "-O0", "-w"]).arg("-isystem").arg(&include).arg("-I").arg(&out).arg(&source);
    command.arg("-L").arg(&libraries).arg(format!("-Wl,-rpath,{}", libraries.display()));
    succeed(command.args(["-lMLIR", "-lLLVM"]).arg("-o").arg(&program));
    println!("MLIR {release}: {} generated files compiled", generated.len());
    program
}

/// Runs a file of cases with the words of its `// RUN:` line: `rewrite`, or `fails` if messages are the result. The
/// output is read again, also in the generic form.
fn check_oldest(forge_opt: &Path, case: &Path) -> String {
    let text = fs::read_to_string(case).unwrap();
    let words = text.lines().next().and_then(|line| line.strip_prefix("// RUN:")).unwrap_or_default();
    let words: Vec<&str> = words.split_whitespace().collect();
    let (cases, name) = (case.parent().unwrap(), case.file_name().unwrap().to_string_lossy().into_owned());
    let run = |input: &str, words: &[&str]| reference::program(forge_opt, cases, &[&[input], words].concat());
    let first = run(&name, &words);
    let result = if words.contains(&"fails") { &first.err } else { &first.out };
    let expectation = case.with_extension("out");
    if is_regenerating() {
        fs::write(&expectation, result).unwrap();
    }
    let mut report = String::new();
    let mut expect = |what: &str, want: &[u8], got: &[u8]| {
        if let Some(difference) = first_difference(want, got) {
            let _ = writeln!(report, "{name}, {what} (- wanted, + got):\n{difference}");
        }
    };
    expect("as written", &fs::read(&expectation).unwrap_or_default(), result);
    if words.contains(&"fails") {
        expect("its status", b"1", first.status.to_string().as_bytes());
        return report;
    }
    for form in [&["printed"][..], &["generic"]] {
        let printed = run(&name, &[&words[..], form].concat());
        let file = forge_opt.with_file_name(format!("{name}.{}", form[0]));
        fs::write(&file, &printed.out).unwrap();
        expect(form[0], &first.out, &run(&file.display().to_string(), &words).out);
    }
    report
}

/// The folder of the dialect in the oldest forms, which other tests do not read with the project.
fn forge() -> PathBuf {
    tests_folder().join("forge")
}

/// Returns true if C++ is to be compiled.
fn is_compiling() -> bool {
    let is_wanted = env::var_os("ODSMITH_COMPILE").as_deref() == Some(OsStr::new("1"));
    if !is_wanted {
        println!("skipped: C++ is compiled only when ODSMITH_COMPILE is 1");
    }
    is_wanted
}

fn compiler() -> String {
    env::var("CXX").unwrap_or_else(|_| "c++".to_owned())
}

fn folder() -> PathBuf {
    tests_folder().join("compile")
}

/// Returns true if expectations are recorded, for which only the reference's files are used.
fn is_regenerating() -> bool {
    env::var_os("ODSMITH_REGENERATE").is_some()
}

// ---- Generated files

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tool {
    Odsmith,
    Reference,
}

impl Tool {
    fn for_flags(flags: &str) -> Tool {
        if odsmith_generates(flags) && !is_regenerating() { Tool::Odsmith } else { Tool::Reference }
    }

    fn generate(self, td: &str, flags: &str) -> Run {
        let own: &[&str] = if self == Tool::Odsmith { &["tblgen"] } else { &[] };
        let arguments: Vec<&str> =
            own.iter().copied().chain(flags.split(' ')).chain(["-I", library(), "-I", ".", td]).collect();
        let run = match self {
            Tool::Odsmith => reference::program(odsmith(), &folder(), &arguments),
            Tool::Reference => reference::mlir_tblgen(&folder(), &arguments),
        };
        assert_eq!(run.status, 0, "{self:?} {flags} {td}: {}", String::from_utf8_lossy(&run.err));
        run
    }
}

/// Returns true if Odsmith's help names the generator.
fn odsmith_generates(flags: &str) -> bool {
    let help = reference::program(odsmith(), &folder(), &["tblgen", "--help"]).out;
    let generator = flags.split(' ').next();
    String::from_utf8_lossy(&help).lines().any(|line| line.split_whitespace().next() == generator)
}

// ---- The program

/// Generates, compiles and links. Returns the path of the program. Unchanged inputs are not compiled again.
fn build() -> PathBuf {
    let generated = pool::map(GENERATED, |&(name, td, flags)| {
        let tool = Tool::for_flags(flags);
        (name, tool, tool.generate(td, flags).out)
    });
    for tool in [Tool::Odsmith, Tool::Reference] {
        let names: Vec<&str> =
            generated.iter().filter(|(_, from, _)| *from == tool).map(|(name, ..)| *name).collect();
        println!("{} files from {tool:?}: {}", names.len(), names.join(" "));
    }

    let compiler = compiler();
    let mut hasher = DefaultHasher::new();
    (mlir(), &compiler, COMPILER_FLAGS).hash(&mut hasher);
    for (name, _, bytes) in &generated {
        (name, bytes).hash(&mut hasher);
    }
    for source in SOURCES.iter().chain(&["Mill.h", "Directives.h"]) {
        fs::read(folder().join(source)).unwrap().hash(&mut hasher);
    }
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile");
    let program = out.join(format!("mill-opt-{:016x}", hasher.finish()));
    if program.exists() {
        println!("compiled before: {}", program.display());
        return program;
    }

    let _ = fs::remove_dir_all(&out);
    fs::create_dir_all(&out).unwrap();
    for (name, _, bytes) in &generated {
        fs::write(out.join(name), bytes).unwrap();
    }
    let include = mlir().join("include");
    pool::map(SOURCES, |source| {
        let mut command = Command::new(&compiler);
        command.args(COMPILER_FLAGS).arg("-isystem").arg(&include).arg("-I").arg(&out);
        command.arg("-c").arg(folder().join(source)).arg("-o").arg(out.join(source).with_extension("o"));
        succeed(&mut command);
    });
    let libraries = mlir().join("lib");
    let mut link = Command::new(&compiler);
    link.args(SOURCES.iter().map(|source| out.join(source).with_extension("o")));
    link.arg("-L")
        .arg(&libraries)
        .arg(format!("-Wl,-rpath,{}", libraries.display()))
        .args(["-lMLIR", "-lLLVM"]);
    succeed(link.arg("-o").arg(&program));
    program
}

fn succeed(command: &mut Command) {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let messages = String::from_utf8_lossy(&output.stderr);
    let start: Vec<&str> = messages.lines().take(40).collect();
    assert!(output.status.success(), "{command:?}\n{}", start.join("\n"));
}

// ---- Cases

/// Runs a file of cases with its `// RUN:` line, and returns the errors.
fn check(mill_opt: &Path, case: &Path) -> String {
    let text = fs::read_to_string(case).unwrap();
    let flags: Vec<&str> = text
        .lines()
        .find_map(|line| line.strip_prefix("// RUN:"))
        .unwrap_or_else(|| panic!("{} has no RUN line", case.display()))
        .split_whitespace()
        .collect();
    let name = case.file_stem().unwrap().to_string_lossy();
    let cases = case.parent().unwrap();
    let run = |what: &str, input: &str, flags: &[&str]| {
        let run = reference::program(mill_opt, cases, &[flags, &[input]].concat());
        let messages = String::from_utf8_lossy(&run.err);
        (run.out, if run.status == 0 { String::new() } else { format!("{name}, {what}:\n{messages}") })
    };
    let (printed, mut report) = run("as written", &format!("{name}.mlir"), &flags);
    // The program itself compares its messages with those that the file expects.
    if flags.contains(&"-verify-diagnostics") || !report.is_empty() {
        return report;
    }

    let expectation = case.with_extension("out");
    if is_regenerating() {
        fs::write(&expectation, &printed).unwrap();
    }
    let mut expect_printed = |what: &str, want: &[u8], got: &[u8], failure: String| {
        report += &failure;
        if let Some(difference) = first_difference(want, got) {
            let _ = writeln!(report, "{name}, {what} (- wanted, + got):\n{difference}");
        }
    };
    expect_printed("as written", &fs::read(&expectation).unwrap_or_default(), &printed, String::new());

    // Through a file of each form and back; rewritten operations stay as they are.
    let forms: &[&str] = if flags.contains(&"-split-input-file") {
        &["-mlir-print-op-generic"]
    } else {
        &["-mlir-print-op-generic", "-emit-bytecode"]
    };
    let again = |stem: &str, bytes: &[u8]| {
        let path = mill_opt.with_file_name(format!("{name}.{stem}"));
        fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let printed_file = again("printed.mlir", &printed);
    let (back, failure) = run("printed", &printed_file, &flags);
    expect_printed("printed and read again", &printed, &back, failure);
    for form in forms {
        let (bytes, failure) = run(form, &printed_file, &[&flags[..], &[form]].concat());
        let (back, failure_back) = run(form, &again("form", &bytes), &flags);
        expect_printed(form, &printed, &back, failure + &failure_back);
    }
    report
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|found| found == extension)).collect();
    files.sort();
    files
}
