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

    fn library(&self, arguments: &[&str]) -> Output {
        Command::new(set_up::odsmith())
            .arg("library")
            .args(arguments)
            .current_dir(&self.0)
            .env("ODSMITH_CACHE", self.0.join("cache"))
            .env("ODSMITH_NO_INSTALLED", "1")
            .env_remove("ODSMITH_LIBRARY")
            .env_remove("MLIR_PREFIX")
            .output()
            .expect("odsmith starts")
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
