//! Fixtures: a `.td` file whose header has the runs, and the reference's answers.
//!
//! A header line `// RUN-GEN: <flags>` is one run with the include folders *library* and `.`; a word `@path` among the
//! flags makes that file of the library the input. Run *n* (from 0) has its expectation in `<name>.expect/n.out`,
//! `n.err` and `n.rc`.
//!
//! A file without such a line is a program of the TableGen language. It runs with `--print-records` and, if that
//! succeeds, `--dump-json` and (with a line `// DETAILED`) `--print-detailed-records`. The expectations are
//! `print-records.txt`, `dump.json`, `print-detailed-records.txt`, `stderr.txt` and `rc.txt`, each absent if empty (or
//! 0). `// FLAGS:` lines add flags.
//!
//! Folders are removed from absolute paths in messages, and the closing `N errors.` may name either program.

use std::{
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use libtest_mimic::Trial;
pub use odsmith_calibrate::text::neutral;

use crate::{Run, diff::first_difference, program::on_a_big_stack, reference, run, set_up};

/// One run of a fixture.
#[derive(Clone, Debug)]
struct Case {
    /// The input, relative to the folder or absolute.
    td: String,
    /// Flags, without those for include folders.
    flags: Vec<String>,
    /// Include folders after those of the flags.
    includes: Vec<String>,
    /// The files of the expectation.
    expect: Expect,
}

#[derive(Clone, Debug)]
struct Expect {
    folder: PathBuf,
    out: &'static str,
    stem: String,
    /// True if messages and status are compared too: they are recorded once per program, not once per form.
    has_messages: bool,
}

/// Makes one test of each file in a folder of fixtures that has the extension, named after folder and file:
/// `ods/builders`. `check` returns how the file differs from its expectations.
///
/// # Panics
/// When the folder holds no such file.
pub fn trials(folder: &str, extension: &str, check: fn(&Path) -> Result<(), String>) -> Vec<Trial> {
    let path = set_up::tests_folder().join("fixtures").join(folder);
    let entries = fs::read_dir(&path).expect("the folder of fixtures");
    let mut inputs: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    inputs.retain(|path| path.extension().is_some_and(|found| found == extension));
    inputs.sort();
    assert!(!inputs.is_empty(), "no fixture in {}", path.display());
    let trial = |input: PathBuf| {
        let name = format!("{folder}/{}", stem(&input));
        Trial::test(name, move || Ok(on_a_big_stack(|| check(&input))?))
    };
    inputs.into_iter().map(trial).collect()
}

/// Returns true if the reference's answers are recorded instead of compared.
pub(crate) fn is_regenerating() -> bool {
    env::var_os("ODSMITH_REGENERATE").is_some()
}

/// The name of a file without its extension.
pub(crate) fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Compares every run of a fixture with the reference's answer. With `ODSMITH_REGENERATE` set, records the answers
/// instead.
///
/// # Errors
/// The first difference of each run.
pub fn check(path: &Path) -> Result<(), String> {
    let folder = path.parent().unwrap_or(path);
    let mut report = String::new();
    for case in cases(path) {
        if is_regenerating() {
            regenerate(folder, &case);
            continue;
        }
        let what = difference(folder, &case)?;
        if !what.is_empty() {
            let _ = write!(report, "  {} (- reference, + ours)\n{what}", case.flags.join(" "));
        }
    }
    if report.is_empty() { Ok(()) } else { Err(report) }
}

/// The difference of a run, empty if there is none.
fn difference(folder: &Path, case: &Case) -> Result<String, String> {
    let flags = run::Flags::parse(&case.flags).map_err(|generator| format!("no generator '{generator}'"))?;
    let got = run::engine(folder, &case.td, &[flags], &case.includes).pop().unwrap_or_default();
    let want = case.expect.read();
    let mut what = String::new();
    if case.expect.has_messages {
        if (want.status == 0) != (got.status == 0) {
            let _ = writeln!(what, "    status {} instead of {}", got.status, want.status);
        }
        if let Some(difference) = first_difference(&want.err, &clean(&got.err, folder)) {
            let _ = write!(what, "    messages\n{difference}");
        }
    }
    // The output of a run that failed does not count.
    if want.status == 0
        && let Some(difference) = first_difference(&want.out, &got.out)
    {
        let _ = write!(what, "    output\n{difference}");
    }
    Ok(what)
}

/// The runs in the header of a fixture.
fn cases(path: &Path) -> Vec<Case> {
    let text = String::from_utf8_lossy(&fs::read(path).expect("a fixture")).into_owned();
    let td = format!("{}.td", stem(path));
    let folder = path.with_extension("expect");
    let header = |mark: &str| -> Vec<String> {
        let comments = text.lines().take_while(|line| line.starts_with("//"));
        comments.filter_map(|line| Some(line.strip_prefix(mark)?.trim().to_owned())).collect()
    };
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();

    let runs = header("// RUN-GEN:");
    if !runs.is_empty() {
        return runs
            .iter()
            .enumerate()
            .map(|(index, line)| {
                let (input, flags): (Vec<String>, Vec<String>) =
                    words(line).into_iter().partition(|word| word.starts_with('@'));
                let input = input.first().map(|word| format!("{}/{}", set_up::library(), &word[1..]));
                Case {
                    td: input.unwrap_or_else(|| td.clone()),
                    flags,
                    includes: vec![set_up::library().to_owned(), ".".to_owned()],
                    expect: Expect {
                        folder: folder.clone(),
                        out: "out",
                        stem: index.to_string(),
                        has_messages: true,
                    },
                }
            })
            .collect();
    }

    let extra: Vec<String> = header("// FLAGS:").iter().flat_map(|line| words(line)).collect();
    let forms = [
        ("print-records", "print-records.txt", true),
        ("dump-json", "dump.json", false),
        ("print-detailed-records", "print-detailed-records.txt", false),
    ];
    forms
        .into_iter()
        // A form without an expectation is left out: the program fails, or the reference crashes.
        .filter(|(form, file, always)| {
            let is_wanted = *form != "print-detailed-records" || text.contains("\n// DETAILED");
            *always || folder.join(file).exists() || (is_regenerating() && is_wanted)
        })
        .map(|(form, file, has_messages)| Case {
            td: td.clone(),
            flags: [format!("--{form}")].into_iter().chain(extra.iter().cloned()).collect(),
            includes: Vec::new(),
            expect: Expect { folder: folder.clone(), out: file, stem: String::new(), has_messages },
        })
        .collect()
}

impl Expect {
    /// The paths of output, messages and status.
    fn paths(&self) -> [PathBuf; 3] {
        if self.stem.is_empty() {
            return [self.out, "stderr.txt", "rc.txt"].map(|name| self.folder.join(name));
        }
        ["out", "err", "rc"].map(|kind| self.folder.join(format!("{}.{kind}", self.stem)))
    }

    fn read(&self) -> Run {
        let [out, err, status] = self.paths().map(|path| fs::read(path).unwrap_or_default());
        let status = String::from_utf8_lossy(&status).trim().parse().unwrap_or(0);
        Run { status: if self.has_messages { status } else { 0 }, out, err: neutral(&err) }
    }

    fn write(&self, run: &Run) {
        fs::create_dir_all(&self.folder).expect("the folder of an expectation");
        let status = format!("{}\n", run.status).into_bytes();
        let [out, err, rc] = self.paths();
        let keeps_empty = !self.stem.is_empty();
        let mut files = vec![(out, &run.out)];
        if self.has_messages {
            files.push((err, &run.err));
            files.push((rc, &status));
        }
        for (path, bytes) in files {
            let is_empty = bytes.is_empty() || (bytes == b"0\n" && path.ends_with("rc.txt"));
            if is_empty && !keeps_empty {
                let _ = fs::remove_file(path);
            } else {
                fs::write(path, bytes).expect("an expectation is written");
            }
        }
    }
}

/// The input and the flags of each run of a fixture with another library. Programs of the language run in one form
/// only.
///
/// # Panics
/// When there is no such fixture.
#[must_use]
pub fn runs(path: &Path, library: &str) -> Vec<(String, Vec<String>)> {
    let is_asked = |case: &Case| case.expect.has_messages;
    let of_library = |td: String| td.replace(set_up::library(), library);
    cases(path).into_iter().filter(is_asked).map(|case| (of_library(case.td), case.flags)).collect()
}

/// Records the reference's answer to one run.
fn regenerate(folder: &Path, case: &Case) {
    let mut arguments: Vec<&str> = case.flags.iter().map(String::as_str).collect();
    for include in &case.includes {
        arguments.extend(["-I", include]);
    }
    arguments.push(&case.td);
    let mut run = if case.expect.stem.is_empty() {
        reference::llvm_tblgen(folder, &arguments)
    } else {
        reference::mlir_tblgen(folder, &arguments)
    };
    run.err = clean(&run.err, folder);
    // The statistics after detailed records count allocations of the reference.
    if let Some(at) = find(&run.out, b"Memory Allocation Stats") {
        let line = run.out[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        run.out.truncate(line);
    }
    if run.status == 0 || case.expect.has_messages {
        case.expect.write(&run);
    }
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|window| window == what)
}

/// Removes the folders that differ from machine to machine from messages.
fn clean(messages: &[u8], folder: &Path) -> Vec<u8> {
    let text = String::from_utf8_lossy(messages);
    let text =
        text.replace(&format!("{}/", set_up::library()), "").replace(&format!("{}/", folder.display()), "");
    neutral(text.as_bytes())
}
