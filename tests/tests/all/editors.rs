//! Real editors. Neovim without a screen opens MLIR's Arith dialect, breaks it, fixes it and renames an operand;
//! mlir-tblgen then reads the saved file. The test is skipped if Neovim is not installed.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use odsmith_tests::{
    folder::TestFolder,
    set_up::{library, odsmith, reference_tools, tests_folder},
};

/// Returns whether a program can be started.
fn has(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|it| it.success())
}

fn generated(program: &Path, folder: &Path, file: &Path) -> String {
    let words = if program.ends_with("odsmith") { vec!["tblgen"] } else { vec![] };
    let run = Command::new(program)
        .args(words)
        .arg("--gen-op-decls")
        .arg(file)
        .arg("-I")
        .arg(folder)
        .arg("-I")
        .arg(library())
        .output()
        .expect("the program runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).expect("text")
}

#[test]
fn neovim_breaks_mends_and_renames() {
    if !has("nvim") {
        println!("there is no nvim here");
        return;
    }
    let folder = TestFolder::new("nvim");
    let dialect = "mlir/Dialect/Arith/IR";
    fs::create_dir_all(folder.join(dialect)).expect("a folder");
    for entry in fs::read_dir(Path::new(library()).join(dialect)).expect("the dialect").flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "td") {
            fs::copy(entry.path(), folder.join(dialect).join(entry.file_name())).expect("a copy");
        }
    }
    let file = folder.join(dialect).join("ArithOps.td");
    let report = folder.join("report.txt");
    let run = Command::new("nvim")
        .args(["--headless", "-u", "NONE", "-i", "NONE", "-n", "-c"])
        .arg(format!("luafile {}", tests_folder().join("editor/nvim.lua").display()))
        .env("ODSMITH_BIN", odsmith())
        .env("ODSMITH_LIBRARY", library())
        .env("ODSMITH_ROOT", &folder)
        .env("ODSMITH_FILE", &file)
        .env("ODSMITH_REPORT", &report)
        .env("ODSMITH_OPERAND", "condition")
        .env("ODSMITH_NEW_NAME", "cond")
        .stdin(Stdio::null())
        .output()
        .expect("nvim runs");
    let said = fs::read_to_string(&report).unwrap_or_default();
    assert!(run.status.success(), "{said}\n{}", String::from_utf8_lossy(&run.stderr));
    let steps: Vec<&str> = said.lines().collect();
    assert_eq!(steps.len(), 5, "{said}");
    assert_eq!(
        steps[..3],
        ["opened with 0 errors", "broken: Variable not defined: 'NoSuchConstraint'", "mended"]
    );
    assert_eq!(steps[3], "renamed in 1 file");
    assert!(steps[4].contains("$cond"), "{said}");
    let text = fs::read_to_string(&file).expect("the file");
    assert!(!text.contains("$condition") && text.contains("$cond"), "the operand has its new name");
    let ours = generated(odsmith(), &folder, &file);
    assert!(ours.contains("getCond()"), "the accessor follows");
    let theirs = generated(&reference_tools().join("mlir-tblgen"), &folder, &file);
    assert_eq!(ours, theirs, "both tools read what was saved");
}

/// The extension's client under Node.js: its grammar, and its transport with the server.
#[test]
fn the_client_of_visual_studio_code() {
    let folder = tests_folder().parent().expect("the repository").join("service/integrations/vscode");
    if !has("node") || !folder.join("node_modules").is_dir() {
        println!("there is no node here, or `npm ci` was not run in {}", folder.display());
        return;
    }
    let run = Command::new("node")
        .args(["--test", "test/"])
        .current_dir(&folder)
        .env("ODSMITH_BIN", odsmith())
        .env("ODSMITH_LIBRARY", library())
        .output()
        .expect("node runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
}
