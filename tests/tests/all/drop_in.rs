//! odsmith in place of mlir-tblgen: called by that name, in a stock CMake project, and as a client of a server.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Output},
    time::SystemTime,
};

use odsmith_tests::{
    folder::{self, TestFolder},
    http::Service,
    set_up::{self, repository},
};

fn example() -> PathBuf {
    repository().join("service/integrations")
}

fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

#[test]
fn called_mlir_tblgen_it_is_mlir_tblgen() {
    let scratch = TestFolder::new("drop-in-link");
    let link = scratch.join("mlir-tblgen");
    symlink(set_up::odsmith(), &link).expect("a link");
    let td = example().join("example/include/Foo/FooEnums.td");
    let ask = |program: &Path, first: &[&str]| {
        let mut command = Command::new(program);
        run(command.args(first).args(["--gen-enum-decls", "-I", set_up::library()]).arg(&td)).stdout
    };
    let made = ask(&link, &[]);
    assert!(!made.is_empty());
    assert_eq!(made, ask(set_up::odsmith(), &["tblgen"]));
    assert_eq!(made, ask(&set_up::reference_tools().join("mlir-tblgen"), &[]), "the reference's bytes");
}

/// A repeated call copies its earlier output, also with other output options; a change of any file runs it again.
#[test]
fn the_same_call_again() {
    let scratch = TestFolder::new("drop-in-again");
    let states = scratch.join("states");
    let write = |name: &str, text: &str| fs::write(scratch.join(name), text).expect("a file");
    let many: String = (0..400).map(|index| format!("def A{index} : Base;\n")).collect();
    write("base.td", "class Base { int x = 1; }\n");
    write("root.td", &format!("include \"base.td\"\n{many}"));
    let call = |flags: &[&str]| {
        let mut command = Command::new(set_up::odsmith());
        command.current_dir(&scratch).env("ODSMITH_CACHE", &states).args(["tblgen", "--print-enums"]);
        command.args(["--class=Base", "root.td"]).args(flags).output().expect("the program")
    };
    let kept = || {
        let names = fs::read_dir(&states).expect("states").flatten().map(|entry| entry.file_name());
        names.filter(|name| name.to_string_lossy().starts_with("output")).count()
    };
    let Output { stdout: first, .. } = call(&[]);
    assert!(first.starts_with(b"A0, A1"));
    assert_eq!(kept(), 1);
    // The output comes from the folder: it is stored there.
    let mut places = fs::read_dir(&states).expect("states").flatten().map(|entry| entry.path());
    let place = places.find(|path| path.to_string_lossy().contains("/output")).expect("an output");
    let held = fs::read(&place).expect("an output");
    assert!(held.windows(first.len()).any(|window| window == first.as_slice()));
    assert_eq!(call(&[]).stdout, first);
    call(&["-o", "made.inc", "-d", "made.d"]);
    assert_eq!(fs::read(scratch.join("made.inc")).expect("an output"), first);
    assert_eq!(fs::read_to_string(scratch.join("made.d")).expect("a rule"), "made.inc: base.td\n");
    assert_eq!(kept(), 1);
    // Other bytes, but the same number of them.
    write("base.td", "class Bare { int x = 1; }\n");
    let broken = call(&[]);
    assert!(!broken.status.success() && !broken.stderr.is_empty(), "{broken:?}");
    write("base.td", "class Base { int x = 2; }\n");
    assert_eq!(call(&[]).stdout, first);
}

/// Collects the outputs of a build folder with their times.
fn outputs(folder: &Path, found: &mut BTreeMap<PathBuf, SystemTime>) {
    for entry in fs::read_dir(folder).expect("a folder").filter_map(Result::ok) {
        let path = entry.path();
        let is_made = path.extension().is_some_and(|extension| extension == "inc" || extension == "md");
        if path.is_dir() {
            outputs(&path, found);
        } else if is_made {
            found.insert(path, entry.metadata().and_then(|data| data.modified()).expect("a time"));
        }
    }
}

fn ninja(build: &Path) -> String {
    String::from_utf8_lossy(&run(Command::new("ninja").arg("-C").arg(build)).stdout).into_owned()
}

/// Configures the example with a CMake generator, builds it, and returns its outputs.
fn built(source: &Path, build: &Path, settings: &[String]) -> BTreeMap<String, Vec<u8>> {
    run(Command::new("cmake")
        .args(["-G", "Ninja", "-S"])
        .arg(source.join("example"))
        .arg("-B")
        .arg(build)
        .args(settings));
    ninja(build);
    let mut found = BTreeMap::new();
    outputs(build, &mut found);
    found
        .into_keys()
        .map(|path| {
            (path.strip_prefix(build).expect("below").display().to_string(), fs::read(&path).expect("a file"))
        })
        .collect()
}

/// Returns whether there are CMake, Ninja and an MLIR to configure with; prints that the test is skipped if not.
#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
fn has_cmake() -> bool {
    let have = |program: &str| Command::new(program).arg("--version").output().is_ok();
    let mlir = set_up::reference_tools().with_file_name("lib/cmake/mlir/MLIRConfig.cmake");
    let is_there = have("cmake") && have("ninja") && mlir.is_file();
    if !is_there {
        println!(
            "skipped: cmake, ninja or MLIR's CMake files are missing (Debian: cmake ninja-build libmlir-22-dev)"
        );
    }
    is_there
}

fn settings() -> Vec<String> {
    let cmake = set_up::reference_tools().with_file_name("lib/cmake/mlir");
    vec![
        format!("-DMLIR_DIR={}", cmake.display()),
        format!("-DODSMITH_EXECUTABLE={}", set_up::odsmith().display()),
    ]
}

#[test]
fn a_stock_cmake_project() {
    if !has_cmake() {
        return;
    }
    let scratch = TestFolder::new("drop-in-cmake");
    let (source, build) = (scratch.join("source"), scratch.join("build"));
    folder::copy(&example(), &source);
    let made = built(&source, &build, &settings());
    assert!(made.len() >= 13, "{:?}", made.keys());

    // The same project with the reference.
    let reference = scratch.join("reference");
    let module = source.join("cmake/Odsmith.cmake");
    let ours = fs::read_to_string(&module).expect("the module");
    let theirs = format!("set(MLIR_TABLEGEN_EXE {}/mlir-tblgen)\n", set_up::reference_tools().display());
    fs::write(&module, theirs).expect("the module");
    let expected = built(&source, &reference, &settings());
    fs::write(&module, ours).expect("the module");
    assert_eq!(made.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (path, bytes) in &expected {
        assert!(made[path] == *bytes, "{path} differs from the reference's");
    }

    // Nothing changed, so nothing is rebuilt.
    run(Command::new("cmake").arg("-B").arg(&build).arg("-S").arg(source.join("example")));
    ninja(&build);
    assert!(ninja(&build).contains("no work to do"));

    // A file that an included file includes is touched: its dependents are made again with the same bytes.
    let mut before = BTreeMap::new();
    outputs(&build, &mut before);
    std::thread::sleep(std::time::Duration::from_millis(50));
    let enums = source.join("example/include/Foo/FooEnums.td");
    let text = fs::read_to_string(&enums).expect("the file");
    fs::write(&enums, &text).expect("the file");
    let log = ninja(&build);
    assert!(log.contains("FooOps.h.inc") && !log.contains("FooInterfaces"), "{log}");
    let mut after = BTreeMap::new();
    outputs(&build, &mut after);
    let changed: Vec<_> = before
        .iter()
        .filter(|(path, time)| path.extension().is_some_and(|it| it == "inc") && after[*path] != **time)
        .collect();
    assert!(changed.is_empty(), "written again although nothing changed: {changed:?}");
    assert!(ninja(&build).contains("no work to do"));

    // A change of that file also changes the outputs.
    fs::write(&enums, text.replace("Loose", "Screwed")).expect("the file");
    ninja(&build);
    let enums = fs::read_to_string(build.join("include/Foo/FooEnums.h.inc")).expect("the output");
    assert!(enums.contains("Screwed"));
}

#[test]
fn the_work_is_done_by_a_server() {
    let service = Service::start(&[]);
    let scratch = TestFolder::new("drop-in-server");
    let folder = example().join("example/include");
    let ask = |server: Option<&str>, output: &Path, generator: &str| {
        let mut command = Command::new(set_up::odsmith());
        command.arg("tblgen");
        if let Some(server) = server {
            command.args(["--server", server]);
        }
        command
            .args([generator, "-I"])
            .arg(&folder)
            .args(["-I", set_up::library()])
            .arg(folder.join("Foo/FooOps.td"));
        command.arg("-o").arg(output).arg("-d").arg(output.with_extension("d")).arg("--write-if-changed");
        command.output().expect("odsmith runs")
    };
    for generator in ["--gen-dialect-decls", "--gen-typedef-defs", "--print-records", "--gen-dialect-doc"] {
        // The depfile names its output.
        let output = scratch.join("output");
        let here = ask(None, &output, generator);
        let read = || {
            (
                fs::read(&output).expect("the output"),
                fs::read(output.with_extension("d")).expect("the depfile"),
            )
        };
        let expected = read();
        fs::remove_file(&output).expect("the output");
        let there = ask(Some(&service.address()), &output, generator);
        assert!(there.status.success(), "{}", String::from_utf8_lossy(&there.stderr));
        assert_eq!(here.stderr, there.stderr, "{generator}");
        assert!(read() == expected, "{generator}: other bytes");
        // The second call writes nothing.
        let before = fs::metadata(&output).and_then(|data| data.modified()).expect("a time");
        assert!(ask(Some(&service.address()), &output, generator).status.success());
        assert_eq!(fs::metadata(&output).and_then(|data| data.modified()).expect("a time"), before);
    }
}

#[test]
fn messages_of_a_server_name_the_files_here() {
    let service = Service::start(&[]);
    let scratch = TestFolder::new("drop-in-messages");
    fs::create_dir_all(scratch.join("sub")).expect("a folder");
    for (name, root, included) in [
        ("missing class", "include \"sub/b.td\"\ndef A : B;\n", "class C;\n"),
        ("in an include", "include \"b.td\"\n", "\n\ndef A : Missing;\n"),
        ("no include", "include \"nowhere.td\"\n", ""),
        ("a warning", "class A<int unused>;\n", ""),
    ] {
        fs::write(scratch.join("a.td"), root).expect("a file");
        fs::write(scratch.join("sub/b.td"), included).expect("a file");
        let ask = |server: &[&str]| {
            let mut command = Command::new(set_up::odsmith());
            command.arg("tblgen").args(server).args(["a.td", "-I", "sub", "-o", "out"]).current_dir(&scratch);
            command.output().expect("odsmith runs")
        };
        let (here, there) = (ask(&[]), ask(&["--server", &service.address()]));
        assert_eq!(String::from_utf8_lossy(&there.stderr), String::from_utf8_lossy(&here.stderr), "{name}");
        assert_eq!(there.status.code(), here.status.code(), "{name}");
    }
    let gone = Command::new(set_up::odsmith())
        .args(["tblgen", "--server", "http://127.0.0.1:9", "a.td"])
        .env("ODSMITH_FALLBACK", "0")
        .current_dir(&scratch)
        .output()
        .expect("odsmith runs");
    assert_eq!(gone.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&gone.stderr).contains("http://127.0.0.1:9: "));
}
