//! Files of many small programs, and their expected output.
//!
//! `<theme>.cases` holds programs, each after a line `=== <title>`. A first line `flags <flags>` has their flags
//! (`--print-records` by default), and a part after `=== *` is put in front of each program. Beside it,
//! `<theme>.expected` holds the reference's answers after the same lines: `status <n>`, then every line of output after
//! `| ` and every line of messages after `! `.

use std::{collections::BTreeSet, fmt::Write as _, fs, path::Path};

use odsmith_engine::limits::Limits;

use crate::{Run, diff::first_difference, fixture, program, run::Flags};

/// A file of programs.
#[derive(Clone, Debug)]
struct Theme {
    /// The flags of each run.
    flags: Vec<String>,
    cases: Vec<Case>,
}

/// One program.
#[derive(Clone, Debug)]
struct Case {
    /// The behaviour that it shows.
    title: String,
    /// The program, or its expected output.
    text: String,
}

/// Checks every program of a file. With `ODSMITH_REGENERATE` set, records the reference's answers instead.
///
/// # Errors
/// The first difference of each program.
///
/// # Panics
/// When the file and its expectations have different cases.
pub fn check(file: &Path) -> Result<(), String> {
    let Theme { flags, cases } = read(file);
    let titles: BTreeSet<&str> = cases.iter().map(|case| case.title.as_str()).collect();
    assert_eq!(titles.len(), cases.len(), "two cases have the same title");
    let expectations = file.with_extension("expected");
    if fixture::is_regenerating() {
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let slot = fixture::stem(file);
        let mut text = String::new();
        for case in &cases {
            let run = program::reference_by(&flags, case.text.as_bytes(), &slot);
            let _ = write!(text, "=== {}\n{}", case.title, show(&run));
        }
        fs::write(&expectations, text).expect("the expectations are written");
        return Ok(());
    }
    let expected = read(&expectations).cases;
    let action = Flags::parse(&flags).map_err(|name| format!("no generator '{name}'"))?.action;
    assert_eq!(expected.len(), cases.len(), "cases without expectation");
    let mut report = String::new();
    for (case, want) in cases.iter().zip(&expected) {
        assert_eq!(case.title, want.title, "the expectations are in another order");
        let got = show(&program::ours_by(action.clone(), case.text.as_bytes(), Limits::default()));
        if let Some(difference) = first_difference(want.text.as_bytes(), got.as_bytes()) {
            let _ = write!(report, "  {} (- reference, + ours)\n{difference}", case.title);
        }
    }
    if report.is_empty() { Ok(()) } else { Err(report) }
}

/// The cases of a file.
///
/// # Panics
/// When the file cannot be read.
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
    // The output of a run that failed does not count.
    let out: &[u8] = if run.status == 0 { &run.out } else { &[] };
    for (mark, bytes) in [('|', out), ('!', &fixture::neutral(&run.err))] {
        for line in String::from_utf8_lossy(bytes).lines() {
            let _ = writeln!(text, "{mark} {line}");
        }
    }
    text
}
