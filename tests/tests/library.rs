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
