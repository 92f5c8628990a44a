//! Folders that commands write: files of another hand are never overwritten, and what an earlier call wrote is.

use std::{fs, path::PathBuf, process::Command};

use odsmith_tests::{folder, set_up};

const OWN: &str = "a file of another hand\n";

struct CommandFolder(PathBuf);

impl CommandFolder {
    fn new(name: &str) -> CommandFolder {
        let parent = concat!(env!("CARGO_TARGET_TMPDIR"), "/output_folders");
        CommandFolder(folder::kept(parent, name, &[("project/AOps.td", &dialect("a"))]))
    }

    fn write(&self, path: &str, text: &str) {
        folder::write(&self.0, path, text);
    }

    fn text(&self, path: &str) -> Option<String> {
        fs::read(self.0.join(path)).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    fn run(&self, words: &[&str]) -> (i32, String) {
        let mut command = Command::new(set_up::odsmith());
        let output = command
            .args(words)
            .current_dir(&self.0)
            .env("ODSMITH_CACHE", self.0.join("cache"))
            .env("ODSMITH_LIBRARY", set_up::library())
            .output()
            .expect("odsmith starts");
        (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stderr).into_owned())
    }

    /// A command ends well, and ends well again.
    fn succeed(&self, words: &[&str]) {
        let (status, message) = self.run(words);
        assert_eq!(status, 0, "{words:?}: {message}");
    }

    /// A command leaves a file of another hand as it is, and says so.
    fn spares(&self, words: &[&str], path: &str) {
        self.write(path, OWN);
        let (status, message) = self.run(words);
        assert_eq!(status, 2, "{words:?}: {message}");
        assert!(message.contains(path) && message.contains("is there already"), "{words:?}: {message}");
        assert_eq!(self.text(path).as_deref(), Some(OWN), "{words:?}");
        fs::remove_file(self.0.join(path)).expect("a file");
    }
}

fn dialect(operation: &str) -> String {
    format!(
        "include \"mlir/IR/OpBase.td\"\ndef A_Dialect : Dialect {{ let name = \"x\"; let cppNamespace = \"x\"; }}\n\
         def A_Op : Op<A_Dialect, \"{operation}\"> {{ let arguments = (ins AnyType:$one); }}\n"
    )
}

#[test]
fn commands_spare_files_of_other_hands() {
    let place = CommandFolder::new("spared");
    place.write("installed/MLIRConfig.cmake", "# MLIR's\n");
    place.write("old/AOps.td", &dialect("a"));
    place.write("new/AOps.td", &dialect("b"));
    let commands: [(&[&str], &str); 6] = [
        (&["docs", "project", "-o", "site"], "site/index.html"),
        (&["generate", "project", "-o", "made"], "made/cpp/AOps.h.inc"),
        (&["generate", "project", "-o", "made-sites"], "made-sites/site/index.html"),
        (&["generate", "project", "-o", "outputs", "--outputs-only"], "outputs/AOps.h.inc"),
        (&["man", "-o", "man1"], "man1/odsmith.1"),
        (&["cmake-shim", "shim", "--mlir-dir", "installed"], "shim/MLIRConfig.cmake"),
    ];
    for (words, path) in commands {
        place.spares(words, path);
        place.succeed(words);
        place.succeed(words);
        assert!(place.text(path).is_some_and(|text| text != OWN), "{words:?}");
        // Its place is taken by another hand: only a folder that lists what it wrote takes it back.
        let link = place.0.join(path);
        fs::remove_file(&link).expect("a file");
        place.write("outside", OWN);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(place.0.join("outside"), &link).expect("a link");
            let (status, message) = place.run(words);
            assert_eq!((status, place.text("outside").as_deref()), (2, Some(OWN)), "{words:?}: {message}");
            fs::remove_file(&link).expect("a link");
        }
        place.succeed(words);
    }
}

/// The folder of an installation, and that of a shim, are none for a shim.
#[test]
fn a_shim_never_includes_itself() {
    let place = CommandFolder::new("shim");
    let installed = "# an installation's own file\n";
    place.write("installed/MLIRConfig.cmake", installed);
    for words in [
        ["cmake-shim", "installed", "--mlir-dir", "installed"],
        ["cmake-shim", "installed/.", "--mlir-dir", "installed"],
    ] {
        let (status, message) = place.run(&words);
        assert!(status == 2 && message.contains("is there already"), "{message}");
    }
    let files = fs::read_dir(place.0.join("installed")).expect("a folder").count();
    assert_eq!((files, place.text("installed/MLIRConfig.cmake").as_deref()), (1, Some(installed)));
    // Another file of the three is as good as the first.
    place.spares(&["cmake-shim", "part", "--mlir-dir", "installed"], "part/Odsmith.cmake");
    assert!(!place.0.join("part/MLIRConfig.cmake").exists(), "nothing is written by halves");
    place.succeed(&["cmake-shim", "shim", "--mlir-dir", "installed"]);
    for words in [["cmake-shim", "shim", "--mlir-dir", "shim"], ["cmake-shim", "other", "--mlir-dir", "shim"]]
    {
        let (status, message) = place.run(&words);
        assert!(status == 2 && message.contains("holds a folder of `odsmith cmake-shim`"), "{message}");
    }
    // One that a version without lists has written is written again.
    fs::remove_file(place.0.join("shim/.odsmith-output")).expect("a list");
    place.write("shim/Own.cmake", OWN);
    place.write("elsewhere/MLIRConfig.cmake", installed);
    place.succeed(&["cmake-shim", "shim", "--mlir-dir", "elsewhere"]);
    assert!(place.text("shim/MLIRConfig.cmake").is_some_and(|text| text.contains("/elsewhere")));
    assert_eq!(place.text("shim/Own.cmake").as_deref(), Some(OWN));
}

/// Pages of what is gone are removed, as far as they are as they were written, and nothing else.
#[test]
fn a_site_loses_pages_that_are_gone() {
    let place = CommandFolder::new("gone");
    let docs = ["docs", "project", "-o", "site"];
    place.succeed(&docs);
    place.write("site/CNAME", OWN);
    place.write("site/x/op/own.txt", OWN);
    place.write("site/x/op/a.md", OWN);
    // Where something cannot be read, nothing is gone.
    place.write("project/AOps.td", "def X : Missing;\n");
    let (status, message) = place.run(&docs);
    assert_eq!(status, 1, "{message}");
    assert!(place.text("site/x/op/a.html").is_some());
    place.write("project/AOps.td", &dialect("b"));
    place.succeed(&docs);
    assert!(place.text("site/x/op/b.html").is_some() && place.text("site/x/op/a.html").is_none());
    for path in ["site/CNAME", "site/x/op/own.txt", "site/x/op/a.md"] {
        assert_eq!(place.text(path).as_deref(), Some(OWN), "{path}");
    }
    // A page whose place is taken is not written.
    place.write("project/AOps.td", &dialect("c"));
    place.spares(&docs, "site/x/op/c.html");
}

/// What was written into a folder of the project is no source.
#[test]
fn a_second_run_reads_nothing_of_the_first() {
    let place = CommandFolder::new("inside");
    place.write("project/guide.md", "# Guide\n\nSome words.\n");
    let mut first = None;
    for _ in 0..2 {
        place.succeed(&["docs", "project", "-o", "project/site"]);
        place.succeed(&["generate", "project", "-o", "project/made"]);
        let files: Vec<PathBuf> = ["project/site", "project/made"]
            .iter()
            .flat_map(|folder| odsmith_tests::archive::files_below(&place.0.join(folder)))
            .map(|(path, _)| PathBuf::from(path))
            .collect();
        assert_eq!(first.get_or_insert_with(|| files.clone()), &files);
    }
}

/// A folder of an earlier version has no list, and is written again; one whose first run was cut off as well.
#[test]
fn folders_without_a_list_are_known() {
    let place = CommandFolder::new("known");
    for (words, folder) in
        [(["docs", "project", "-o", "site"], "site"), (["generate", "project", "-o", "made"], "made")]
    {
        place.succeed(&words);
        let list = place.0.join(folder).join(".odsmith-output");
        let text = fs::read_to_string(&list).expect("a list");
        assert!(text.starts_with("odsmith-output 1\nowns folder\nby "), "{text}");
        fs::remove_file(&list).expect("a list");
        place.write("project/AOps.td", &dialect("b"));
        place.succeed(&words);
        let start: String = text.lines().take(3).map(|line| format!("{line}\n")).collect();
        fs::write(&list, start).expect("a list");
        place.write("project/AOps.td", &dialect("c"));
        place.succeed(&words);
    }
}

#[test]
fn sites_of_releases_and_libraries_spare_folders() {
    let place = CommandFolder::new("folders");
    let docs = ["docs", "project", "-o", "sites", "--versioned", "--project-version", "1.0"];
    place.spares(&docs, "sites/versions.js");
    place.spares(&docs, "sites/index.html");
    place.write("sites/latest/notes.txt", OWN);
    let (status, message) = place.run(&docs);
    assert!(status == 2 && message.contains("sites/latest: the folder is there already"), "{message}");
    assert_eq!(place.text("sites/latest/notes.txt").as_deref(), Some(OWN));
    fs::remove_dir_all(place.0.join("sites/latest")).expect("a folder");
    place.succeed(&docs);
    place.succeed(&docs);
    assert!(place.text("sites/latest/index.html").is_some());
    let add = ["library", "add", "22", "--from", set_up::library()];
    place.write("cache/mlir-22/notes.txt", OWN);
    let (status, message) = place.run(&add);
    assert!(status == 2 && message.contains("mlir-22"), "{message}");
    assert_eq!(place.text("cache/mlir-22/notes.txt").as_deref(), Some(OWN));
    fs::remove_dir_all(place.0.join("cache/mlir-22")).expect("a folder");
    place.succeed(&add);
    place.succeed(&add);
}

/// Nothing is written where a file of another hand is in the way, and edits are named.
#[test]
fn a_folder_is_looked_at_before_it_is_written() {
    let place = CommandFolder::new("before");
    place.write("mine/index.html", OWN);
    for _ in 0..2 {
        let (status, message) = place.run(&["docs", "project", "-o", "mine"]);
        assert!(status == 2 && message.contains("odsmith did not write it"), "{message}");
        assert_eq!(odsmith_tests::archive::files_below(&place.0.join("mine")).len(), 1);
    }
    place.succeed(&["docs", "project", "-o", "site"]);
    let (_, message) = place.run(&["docs", "project", "-o", "site"]);
    let count = |message: &str| -> usize {
        let (before, _) = message.split_once(" unchanged").expect("a number");
        before.rsplit('(').next().and_then(|number| number.parse().ok()).expect("a number")
    };
    let all = count(&message);
    place.write("site/index.html", OWN);
    let (status, message) = place.run(&["docs", "project", "-o", "site"]);
    assert_eq!((status, count(&message)), (0, all - 1), "{message}");
    assert!(message.contains("warning: 'site/index.html' was changed by another hand"), "{message}");
}

/// Markdown that users move into the project is no source.
#[test]
fn a_moved_tree_of_markdown_is_known() {
    let place = CommandFolder::new("moved");
    let docs = ["docs", "project", "-o", "project/out", "--flavor", "hugo"];
    let mut first = None;
    for round in 0..3 {
        place.succeed(&docs);
        let files: Vec<String> = odsmith_tests::archive::files_below(&place.0.join("project/out"))
            .into_iter()
            .map(|(path, _)| path)
            .collect();
        assert_eq!(first.get_or_insert_with(|| files.clone()), &files, "{round}");
        let content = place.0.join("project/site/content");
        let _ = fs::remove_dir_all(&content);
        fs::create_dir_all(place.0.join("project/site")).expect("a folder");
        fs::rename(place.0.join("project/out/markdown"), content).expect("a folder");
    }
}
