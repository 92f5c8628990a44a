//! Random dialects whose C++ compiles (`src/random_ods/sound.rs`). Odsmith and mlir-tblgen generate the same, it
//! compiles against the installed MLIR, and the compiled program parses its own output to the same operations.
//!
//! Compiling needs `ODSMITH_COMPILE=1`: four dialects in a normal run. `ODSMITH_SOUND=<n>` sets their number, in parts;
//! `ODSMITH_FUZZ_SEED=<n>` sets the first one.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::{
    env,
    ffi::OsStr,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use odsmith_tests::{
    diff::first_difference,
    pool,
    random_ods::{SoundDialect, sound},
    reference,
    run::{self, Flags},
    seeds,
    set_up::{library, mlir, tests_folder},
};

/// The number of dialects in a normal run.
const COUNT: u64 = 4;

/// The number of dialects in a program; more take too much memory to compile.
const PART: usize = 20;

/// The outputs for each: the suffix of its name, and the flags.
const GENERATED: &[(&str, &str)] = &[
    ("Dialect.h", "--gen-dialect-decls"),
    ("Enums.h", "--gen-enum-decls"),
    ("Attrs.h", "--gen-attrdef-decls"),
    ("Types.h", "--gen-typedef-decls"),
    ("Ops.h", "--gen-op-decls"),
    ("Dialect.cpp", "--gen-dialect-defs"),
    ("Enums.cpp", "--gen-enum-defs"),
    ("Attrs.cpp", "--gen-attrdef-defs"),
    ("Types.cpp", "--gen-typedef-defs"),
    ("Ops.cpp", "--gen-op-defs"),
];

#[test]
fn sound_dialects_compile_and_come_back() {
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let count = number("ODSMITH_SOUND").unwrap_or(COUNT);
    let first = seeds::first();
    let dialects: Vec<SoundDialect> = (first..first + count).map(sound).collect();
    println!(
        "dialects {first} to {} (again: ODSMITH_FUZZ_SEED={first} ODSMITH_SOUND={count})",
        first + count - 1
    );
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sound");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let wrong: String = pool::map(&dialects, |dialect| generate(dialect, &folder)).concat();
    assert!(wrong.is_empty(), "(- reference, + ours)\n{wrong}");
    if env::var_os("ODSMITH_COMPILE").as_deref() != Some(OsStr::new("1")) {
        println!("not compiled: C++ is compiled only when ODSMITH_COMPILE is 1");
        return;
    }
    let parts: Vec<(usize, &[SoundDialect])> = dialects.chunks(PART).enumerate().collect();
    let wrong: String = pool::map(&parts, |(index, part)| compile_and_run(*index, part, &folder)).concat();
    assert!(wrong.is_empty(), "{wrong}");
}

/// Writes the generated files of a dialect; returns their differences from the reference's.
fn generate(dialect: &SoundDialect, folder: &Path) -> String {
    let td = format!("{}.td", dialect.name);
    fs::write(folder.join(&td), &dialect.td).unwrap();
    fs::write(folder.join(format!("{}.mlir", dialect.name)), &dialect.mlir).unwrap();
    let flags: Vec<Flags> =
        GENERATED.iter().map(|(_, flag)| Flags::parse(&[(*flag).to_owned()]).unwrap()).collect();
    let runs = run::engine(folder, &td, &flags, &[library().to_owned()]);
    let mut wrong = String::new();
    for ((name, flag), got) in GENERATED.iter().zip(runs) {
        let want = reference::again("mlir-tblgen", folder, &[flag, "-I", library(), &td]);
        if want.status != 0 {
            let _ = write!(wrong, "{td} {flag}:\n{}", String::from_utf8_lossy(&want.err));
        }
        if let Some(difference) = first_difference(&want.out, &got.out) {
            let _ = write!(wrong, "{td} {flag}:\n{difference}");
        }
        fs::write(folder.join(format!("{}{name}.inc", dialect.name)), &got.out).unwrap();
    }
    wrong
}

/// Compiles and links a program with some of the dialects, and runs it on their modules. Returns the errors.
fn compile_and_run(index: usize, dialects: &[SoundDialect], folder: &Path) -> String {
    let all = folder.join(format!("all{index}.inc"));
    fs::write(&all, includes(dialects)).unwrap();
    let program = folder.join(format!("sound{index}"));
    let libraries = mlir().join("lib");
    let mut compiler = Command::new(env::var("CXX").unwrap_or_else(|_| "c++".to_owned()));
    compiler
        .args(["-std=c++17", "-O0", "-Wall", "-Werror", "-Wno-unused-function", "-Wno-unused-variable"])
        .arg(format!("-DRANDOM_FILES=\"{}\"", all.display()))
        .arg("-isystem")
        .arg(mlir().join("include"))
        .arg("-I")
        .arg(folder)
        .arg(tests_folder().join("compile/Random.cpp"))
        .arg("-o")
        .arg(&program)
        .arg("-L")
        .arg(&libraries)
        .arg(format!("-Wl,-rpath,{}", libraries.display()))
        .args(["-lMLIR", "-lLLVM"]);
    let output = compiler.stdin(Stdio::null()).output().unwrap();
    if !output.status.success() {
        let messages = String::from_utf8_lossy(&output.stderr);
        let start: Vec<&str> = messages.lines().filter(|line| line.contains("error")).take(20).collect();
        return format!("part {index} does not compile:\n{}\n", start.join("\n"));
    }
    let files: Vec<PathBuf> =
        dialects.iter().map(|dialect| folder.join(format!("{}.mlir", dialect.name))).collect();
    let output = Command::new(&program).args(&files).stdin(Stdio::null()).output().unwrap();
    match output.status.success() {
        true => String::new(),
        false => {
            format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
        }
    }
}

/// C++ that includes all outputs for these dialects.
fn includes(dialects: &[SoundDialect]) -> String {
    let mut text = String::new();
    for SoundDialect { name, td, .. } in dialects {
        let namespace = format!("sound::{}", name.to_lowercase());
        let has_types = td.contains(": TypeDef<");
        let mut add = |line: String| {
            text += &line;
            text.push('\n');
        };
        let include = |ending: &str| format!("#include \"{name}{ending}.inc\"");
        add(include("Dialect.h"));
        add(include("Enums.h"));
        for (macros, ending) in [("ATTRDEF", "Attrs"), ("TYPEDEF", "Types"), ("OP", "Ops")] {
            add(format!("#define GET_{macros}_CLASSES\n{}", include(&format!("{ending}.h"))));
        }
        // Functions of parsers and printers are outside of namespaces.
        let functions = [
            "generatedAttributeParser",
            "generatedAttributePrinter",
            "generatedTypeParser",
            "generatedTypePrinter",
        ];
        for function in functions {
            add(format!("#define {function} {function}{name}"));
        }
        add(include("Dialect.cpp"));
        add(include("Enums.cpp"));
        for (macros, ending) in [("ATTRDEF", "Attrs"), ("TYPEDEF", "Types"), ("OP", "Ops")] {
            add(format!("#define GET_{macros}_CLASSES\n{}", include(&format!("{ending}.cpp"))));
        }
        add(format!("void {namespace}::{name}Dialect::initialize() {{"));
        let lists = [
            ("addAttributes", "ATTRDEF", "Attrs"),
            ("addTypes", "TYPEDEF", "Types"),
            ("addOperations", "OP", "Ops"),
        ];
        for (function, macros, ending) in
            lists.into_iter().filter(|(function, ..)| has_types || *function != "addTypes")
        {
            add(format!(
                "  {function}<\n#define GET_{macros}_LIST\n{}\n  >();",
                include(&format!("{ending}.cpp"))
            ));
        }
        add("}".to_owned());
        for function in functions {
            add(format!("#undef {function}"));
        }
    }
    text += "static void registerRandomDialects(mlir::MLIRContext &context) {\n";
    for SoundDialect { name, .. } in dialects {
        let _ =
            writeln!(text, "  context.getOrLoadDialect<sound::{}::{name}Dialect>();", name.to_lowercase());
    }
    text + "}\n"
}
