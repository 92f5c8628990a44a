//! Many small programs in one file.
//!
//! `<theme>.cases` holds programs, each below a line `=== <what it shows>`; a first line `flags <flags>` says how they
//! run (`--print-records` without), a part below `=== *` stands in front of each. Beside it, `<theme>.expected` holds
//! under the same lines what the reference gave: `status <n>`, then every line of its output behind `| ` and every line
//! of its messages behind `! `.

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use odsmith_engine::limits::Limits;

use crate::{Run, diff::first_difference, fixture, pool, program, run::Flags, set_up};

/// A file of programs.
#[derive(Clone, Debug)]
struct Theme {
    /// How they run.
    flags: Vec<String>,
    cases: Vec<Case>,
}

/// One program.
#[derive(Clone, Debug)]
struct Case {
    /// What it shows.
    title: String,
    /// Its text, or the expectation.
    text: String,
}

/// Checks every file of cases in a folder of fixtures; with `ODSMITH_REGENERATE` set, writes the expectations anew.
///
/// # Panics
/// When a case differs, with the first difference of each.
pub fn check_folder(folder: &str) {
    let folder = set_up::tests_folder().join("fixtures").join(folder);
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("the folder of cases")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "cases"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no cases in {}", folder.display());
    let mut report = String::new();
    let mut count = 0;
    for file in &files {
        count += check(file, &mut report);
    }
    println!("{}: {count} cases in {} files", folder.display(), files.len());
    assert!(report.is_empty(), "cases differ (- reference, + ours):\n{report}");
}

fn check(file: &Path, report: &mut String) -> usize {
    let Theme { flags, cases } = read(file);
    let theme = file.file_stem().expect("a name").to_string_lossy().into_owned();
    let titles: BTreeSet<&str> = cases.iter().map(|case| case.title.as_str()).collect();
    assert_eq!(titles.len(), cases.len(), "{theme}: two cases have the same title");
    let expectations = file.with_extension("expected");
    if std::env::var_os("ODSMITH_REGENERATE").is_some() {
        let indices: Vec<usize> = (0..cases.len()).collect();
        let runs = pool::map(&indices, |&index| {
            let slot = format!("{theme}-{index}");
            let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
            show(&program::reference_by(&flags, cases[index].text.as_bytes(), &slot))
        });
        let mut text = String::new();
        for (case, run) in cases.iter().zip(runs) {
            let _ = write!(text, "=== {}\n{run}", case.title);
        }
        fs::write(&expectations, text).expect("the expectations are written");
        return cases.len();
    }
    let expected = read(&expectations).cases;
    let action = Flags::parse(&flags).unwrap_or_else(|name| panic!("{theme}: no generator {name}")).action;
    assert_eq!(expected.len(), cases.len(), "{theme}: cases without expectation");
    let ours = |case: &Case| program::ours_by(action.clone(), case.text.as_bytes(), Limits::default());
    let results = pool::map(&cases, |case| show(&ours(case)));
    for ((case, want), got) in cases.iter().zip(&expected).zip(results) {
        assert_eq!(case.title, want.title, "{theme}: the expectations are in another order");
        if let Some(difference) = first_difference(want.text.as_bytes(), got.as_bytes()) {
            let _ = write!(report, "  {theme}: {}\n{difference}", case.title);
        }
    }
    cases.len()
}

/// The cases of a file.
///
/// # Panics
/// When it can not be read.
fn read(file: &Path) -> Theme {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let mut theme = Theme { flags: vec!["--print-records".to_owned()], cases: Vec::new() };
    for line in text.split_inclusive('\n') {
        if let Some(title) = line.strip_prefix("=== ") {
            theme.cases.push(Case { title: title.trim_end().to_owned(), text: String::new() });
        } else if let Some(case) = theme.cases.last_mut() {
            case.text.push_str(line);
        } else if let Some(flags) = line.strip_prefix("flags ") {
            theme.flags = flags.split_whitespace().map(str::to_owned).collect();
        }
    }
    if theme.cases.first().is_some_and(|case| case.title == "*") {
        let common = theme.cases.remove(0).text;
        theme.cases.iter_mut().for_each(|case| case.text.insert_str(0, &common));
    }
    theme
}

fn show(run: &Run) -> String {
    let mut text = format!("status {}\n", run.status);
    // What a failing run printed before it failed is nobody's output.
    let out: &[u8] = if run.status == 0 { &run.out } else { &[] };
    for (mark, bytes) in [('|', out), ('!', &fixture::neutral(&run.err))] {
        for line in String::from_utf8_lossy(bytes).lines() {
            let _ = writeln!(text, "{mark} {line}");
        }
    }
    text
}
