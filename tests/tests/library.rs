//! `odsmith library`, as a process: MLIR's definitions by release, taken from folders and archives.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use odsmith_tests::set_up;

/// A cache of its own, with nothing of the machine in it.
struct Machine(PathBuf);

impl Machine {
    fn new(name: &str) -> Machine {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("library").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        Machine(folder)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(set_up::odsmith());
        command
            .current_dir(&self.0)
            .env("ODSMITH_CACHE", self.0.join("cache"))
            .env("ODSMITH_NO_INSTALLED", "1");
        for variable in ["ODSMITH_LIBRARY", "ODSMITH_MLIR", "MLIR_PREFIX", "MLIR_DIR", "VIRTUAL_ENV"] {
            command.env_remove(variable);
        }
        command
    }

    fn library(&self, arguments: &[&str]) -> Output {
        self.command().arg("library").args(arguments).output().expect("odsmith starts")
    }

    fn succeed(&self, arguments: &[&str]) -> String {
        let output = self.library(arguments);
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {messages}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.library(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }
}

#[test]
fn what_is_added_is_found_packed_and_added_again() {
    let machine = Machine::new("round");
    assert!(machine.succeed(&["list"]).contains("odsmith library add"));
    assert!(machine.refused(&["path", "22"]).contains("`odsmith library add 22` gets one"));
    machine.succeed(&["add", "22", "--from", set_up::library()]);
    let place = machine.succeed(&["path", "22"]);
    assert!(Path::new(place.trim()).join("mlir/IR/OpBase.td").is_file());
    assert!(machine.succeed(&["list"]).contains("the cache"));
    // The same bytes each time, and another machine takes them.
    machine.succeed(&["pack", "22", "-o", "one.tar.zst"]);
    machine.succeed(&["pack", "22", "-o", "two.tar.zst"]);
    let [one, two] =
        ["one.tar.zst", "two.tar.zst"].map(|name| fs::read(machine.0.join(name)).expect("a pack"));
    assert!(one == two, "a second pack has other bytes");
    let other = Machine::new("other");
    let pack = machine.0.join("one.tar.zst").display().to_string();
    other.succeed(&["add", "22", "--from", &pack]);
    let [theirs, ours] = [&other, &machine]
        .map(|machine| machine.succeed(&["identify", machine.succeed(&["path", "22"]).trim()]));
    assert_eq!(theirs, ours);
    assert!(ours.starts_with("MLIR 22, by what it defines"), "{ours}");
}

#[test]
fn results_do_not_depend_on_what_else_is_installed() {
    let machine = Machine::new("ways");
    let bundle = machine.0.join("bundle");
    fs::create_dir_all(&bundle).expect("a folder");
    let text = "include \"mlir/IR/OpBase.td\"\ndef Way_Dialect : Dialect { let name = \"way\"; }\n";
    fs::write(bundle.join("Way.td"), text).expect("a file");
    // An installation, with files of LLVM beside those of MLIR.
    machine.succeed(&["add", "22", "--from", set_up::library()]);
    let plain = machine.succeed(&["path", "22"]);
    let pack = machine.0.join("22.tar.zst");
    machine.succeed(&["pack", "22", "-o", "22.tar.zst"]);
    let installed = machine.0.join("installed/include");
    copy(Path::new(plain.trim()), &installed);
    fs::create_dir_all(installed.join("llvm/IR")).expect("a folder");
    fs::write(installed.join("llvm/IR/Other.td"), "def Other;\n").expect("a file");
    // A wheel, which has MLIR's files alone, and not all of them.
    let wheel = machine.0.join("venv/lib/python3.11/site-packages/mlir/_mlir_libs/include");
    copy(Path::new(plain.trim()), &wheel);
    fs::remove_dir_all(wheel.join("mlir/Reducer")).expect("a folder of the library");
    let made = |out: &str, library: Option<&Path>, environment: Option<&Path>| {
        let mut command = machine.command();
        command.args(["generate", "bundle", "--out", out]).env("ODSMITH_CACHE", machine.0.join("empty"));
        command.args(library.map(|place| format!("--library={}", place.display())));
        command.envs(environment.map(|place| ("VIRTUAL_ENV", place)));
        let output = command.output().expect("odsmith starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::read(machine.0.join(out)).expect("an archive")
    };
    let first = made("one.tar.gz", Some(&installed), None);
    assert!(first == made("two.tar.gz", Some(&pack), None), "a packed library gives another archive");
    let venv = machine.0.join("venv");
    assert!(first == made("three.tar.gz", None, Some(&venv)), "a wheel's library gives another archive");
    // What is read matters.
    fs::write(bundle.join("Way.td"), format!("include \"llvm/IR/Other.td\"\n{text}")).expect("a file");
    let with = made("four.tar.gz", Some(&installed), None);
    fs::write(installed.join("llvm/IR/Other.td"), "def Others;\n").expect("a file");
    assert!(
        with != made("five.tar.gz", Some(&installed), None),
        "a file that is read has no part in the name"
    );
}

#[test]
fn the_first_place_is_taken_and_another_release_never_silently() {
    let machine = Machine::new("order");
    machine.succeed(&["add", "22", "--from", set_up::library()]);
    let cached = machine.succeed(&["path", "22"]);
    let wheel = machine.0.join("venv/lib/python3.11/site-packages/mlir/include");
    copy(Path::new(cached.trim()), &wheel);
    let run = |words: &[&str], variables: &[(&str, &Path)]| {
        let output = machine.command().args(words).envs(variables.iter().copied()).output();
        let output = output.expect("odsmith starts");
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned())
    };
    let [list, _] = run(&["library", "list"], &[("VIRTUAL_ENV", &machine.0.join("venv"))]);
    let rows: Vec<&str> = list.lines().skip(1).collect();
    assert!(rows[0].contains("VIRTUAL_ENV") && rows[0].ends_with("(taken)"), "{list}");
    assert!(rows[1].contains("the cache") && rows[1].contains("not taken"), "{list}");
    let named = Path::new(cached.trim());
    let [list, _] = run(&["library", "list"], &[("ODSMITH_LIBRARY", named), ("MLIR_DIR", &wheel)]);
    let rows: Vec<&str> = list.lines().skip(1).collect();
    assert!(rows[0].contains("ODSMITH_LIBRARY") && rows[1].contains("MLIR_DIR"), "{list}");
    fs::write(machine.0.join("a.td"), "def A;\n").expect("a file");
    let place = format!("--library={}", named.display());
    let [_, message] = run(&["check", ".", &place, "--mlir=21"], &[]);
    assert!(message.contains("MLIR 21 is asked for, and --library names"), "{message}");
    let [_, message] = run(&["check", ".", &format!("--library=21={}", named.display())], &[]);
    assert!(message.contains("as MLIR 21, and it is MLIR 22, by what it defines"), "{message}");
}

/// Copies a folder.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let (place, name) = entry.map(|entry| (entry.path(), entry.file_name())).expect("an entry");
        if place.is_dir() {
            copy(&place, &to.join(name));
        } else {
            fs::copy(&place, to.join(name)).expect("a file");
        }
    }
}

#[test]
fn another_release_or_digest_is_refused() {
    let machine = Machine::new("refused");
    let library = set_up::library();
    let message = machine.refused(&["add", "19", "--from", library]);
    assert!(message.contains("this is MLIR 22 by what it defines, not MLIR 19"), "{message}");
    fs::write(machine.0.join("empty.tar"), [0; 1024]).expect("a file");
    let message = machine.refused(&["add", "22", "--from", "empty.tar"]);
    assert!(message.contains("empty.tar holds no mlir/IR/OpBase.td"), "{message}");
    let message = machine.refused(&["add", "22", "--from", "empty.tar", "--sha256", "00"]);
    assert!(message.contains("empty.tar has the SHA-256"), "{message}");
    assert!(machine.refused(&["add", "20", "--from", library]).contains("MLIR 20 is not supported"));
    assert!(machine.refused(&["pack", "22", "-o", "x"]).contains("ends with .tar.zst"));
}

#[test]
fn an_archive_is_the_same_wherever_the_library_is() {
    let machine = Machine::new("one-digest");
    let mlir = Path::new(set_up::library()).join("mlir");
    // An installation has files of LLVM beside MLIR's, a wheel has MLIR's in a folder of its own.
    let folders = ["installation/include", "wheel/mlir_core/include"].map(|name| machine.0.join(name));
    for folder in &folders {
        fs::create_dir_all(folder).expect("a folder");
        std::os::unix::fs::symlink(&mlir, folder.join("mlir")).expect("a link");
    }
    fs::create_dir_all(folders[0].join("llvm/IR")).expect("a folder");
    fs::write(folders[0].join("llvm/IR/Intrinsics.td"), "class Intrinsic;\n").expect("a file");
    machine.succeed(&["add", "22", "--from", &folders[1].display().to_string()]);
    let added = machine.succeed(&["path", "22"]);
    let bundle = set_up::tests_folder().join("fixtures/demo");
    let mut archives = Vec::new();
    for (number, library) in
        [folders[0].as_path(), &folders[1], Path::new(added.trim())].into_iter().enumerate()
    {
        let out = machine.0.join(format!("{number}.tar.gz"));
        let made = Command::new(set_up::odsmith())
            .arg("generate")
            .args([bundle.as_path(), "-o".as_ref(), &out])
            .arg(format!("--library=22={}", library.display()))
            .output()
            .expect("odsmith starts");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        archives.push(fs::read(out).expect("an archive"));
    }
    assert!(archives[1] == archives[0], "the wheel gives another archive than the installation");
    assert!(archives[2] == archives[0], "the cache gives another archive than the installation");
}
