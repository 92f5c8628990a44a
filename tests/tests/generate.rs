//! `odsmith generate`, as a process: a folder in, files out.

use std::{fs, path::Path};

use odsmith_tests::{archive::files_below, reference, set_up};

#[test]
fn a_folder_becomes_the_same_files_twice() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("generate");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
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
