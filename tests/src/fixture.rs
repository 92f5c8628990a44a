//! Fixtures: a `.td` file, what its header asks to run, and what the reference gave.
//!
//! A header line `// RUN-GEN: <flags>` is one run with the include folders *library* and `.`; a word `@path` in the
//! flags makes that file of the library the input. Run *n* (from 0) has its expectation in `<name>.expect/n.out`,
//! `n.err` and `n.rc`.
//!
//! A file without such a line is a program of the TableGen language: it runs with `--print-records` and, when that
//! succeeds, `--dump-json` and (if it says `// DETAILED`) `--print-detailed-records`; the expectations are
//! `print-records.txt`, `dump.json`, `print-detailed-records.txt`, `stderr.txt` and `rc.txt`, each absent when empty
//! (0). `// FLAGS:` lines add flags.
//!
//! Absolute folders are cut from messages, and the closing `N errors.` is not held to the program's name. The file
//! `pending.txt` of a folder names the cases that are known to differ; one that agrees must leave it.

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use crate::{Run, diff::first_difference, pool, reference, run, set_up};

/// One run of a fixture.
#[derive(Clone, Debug)]
struct Case {
    /// The fixture's name and, when it has several runs, what tells them apart.
    name: String,
    /// The input, relative to the folder or absolute.
    td: String,
    /// Flags, the include folders not among them.
    flags: Vec<String>,
    /// Include folders after those of the flags.
    includes: Vec<String>,
    /// Where the expectation is.
    expect: Expect,
}

#[derive(Clone, Debug)]
struct Expect {
    folder: PathBuf,
    out: &'static str,
    stem: String,
    /// Whether messages and status are compared as well (they are kept once per program, not once per form).
    has_messages: bool,
}

/// Checks every fixture of a folder and prints what was left out; with `ODSMITH_REGENERATE` set, writes the
/// expectations anew from the reference tools instead.
///
/// # Panics
/// When a fixture differs, with the first difference of each.
pub fn check_folder(folder: &str) {
    let folder = set_up::tests_folder().join("fixtures").join(folder);
    let cases = cases(&folder);
    assert!(!cases.is_empty(), "no fixture in {}", folder.display());
    if is_regenerating() {
        pool::map(&cases, |case| regenerate(&folder, case));
        return;
    }
    let pending: BTreeSet<String> = fs::read_to_string(folder.join("pending.txt"))
        .unwrap_or_default()
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect();
    let results = pool::map(&cases, |case| check(&folder, case));

    let (mut same, mut skipped, mut known, mut report) = (0, Vec::new(), 0, String::new());
    for (case, result) in cases.iter().zip(results) {
        match (result, pending.contains(&case.name)) {
            (Result::Same, false) => same += 1,
            (Result::Unsupported(generator), _) => skipped.push(generator),
            (Result::Differs(_), true) => known += 1,
            (Result::Same, true) => {
                let _ = writeln!(report, "  {} agrees now: take it out of pending.txt", case.name);
            }
            (Result::Differs(what), false) => {
                let _ = writeln!(report, "  {} ({})\n{what}", case.name, case.flags.join(" "));
            }
        }
    }
    skipped.sort_unstable();
    let all = cases.len();
    println!("{}: {same} of {all} agree, {known} pending, {} skipped", folder.display(), skipped.len());
    if !skipped.is_empty() {
        skipped.dedup();
        println!("  skipped because there is no such generator yet: {}", skipped.join(" "));
    }
    assert!(report.is_empty(), "fixtures differ (- reference, + ours):\n{report}");
}

fn is_regenerating() -> bool {
    std::env::var_os("ODSMITH_REGENERATE").is_some()
}

enum Result {
    Same,
    Unsupported(String),
    Differs(String),
}

fn check(folder: &Path, case: &Case) -> Result {
    let flags = match run::Flags::parse(&case.flags) {
        Ok(flags) => flags,
        Err(generator) => return Result::Unsupported(generator),
    };
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
    // What a failing run printed before it failed is nobody's output.
    if want.status == 0
        && let Some(difference) = first_difference(&want.out, &got.out)
    {
        let _ = write!(what, "    output\n{difference}");
    }
    if what.is_empty() { Result::Same } else { Result::Differs(what) }
}

fn cases(folder: &Path) -> Vec<Case> {
    let mut inputs: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the folder of fixtures")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "td"))
        .collect();
    inputs.sort();
    inputs.iter().flat_map(|path| cases_of(path)).collect()
}

fn cases_of(path: &Path) -> Vec<Case> {
    let text = String::from_utf8_lossy(&fs::read(path).expect("a fixture")).into_owned();
    let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
    let td = format!("{name}.td");
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
                    name: format!("{name}:{index}"),
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
        // A form without an expectation is not asked for: the program fails, or the reference tool dies.
        .filter(|(form, file, always)| {
            let is_wanted = *form != "print-detailed-records" || text.contains("\n// DETAILED");
            *always || folder.join(file).exists() || (is_regenerating() && is_wanted)
        })
        .map(|(form, file, has_messages)| Case {
            name: if has_messages { name.clone() } else { format!("{name}:{form}") },
            td: td.clone(),
            flags: [format!("--{form}")].into_iter().chain(extra.iter().cloned()).collect(),
            includes: Vec::new(),
            expect: Expect { folder: folder.clone(), out: file, stem: String::new(), has_messages },
        })
        .collect()
}

impl Expect {
    /// Paths of output, messages and status.
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

/// Writes one expectation from the reference tool.
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
    // The statistics behind detailed records count allocations of the reference.
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

/// Messages without the folders that differ from machine to machine.
fn clean(messages: &[u8], folder: &Path) -> Vec<u8> {
    let text = String::from_utf8_lossy(messages);
    let text =
        text.replace(&format!("{}/", set_up::library()), "").replace(&format!("{}/", folder.display()), "");
    neutral(text.as_bytes())
}

/// Messages whose closing count does not name the program.
pub fn neutral(messages: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(messages);
    let mut neutral = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.rsplit_once(": ").filter(|(_, rest)| {
            rest.strip_suffix(" errors.\n")
                .is_some_and(|count| count.bytes().all(|byte| byte.is_ascii_digit()))
        }) {
            Some((_, rest)) => neutral.extend(["tblgen: ", rest]),
            None => neutral.push_str(line),
        }
    }
    neutral.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_does_not_name_the_program() {
        assert_eq!(neutral(b"/usr/bin/mlir-tblgen: 2 errors.\n"), b"tblgen: 2 errors.\n");
        assert_eq!(neutral(b"a.td:1:2: error: many errors.\n"), b"a.td:1:2: error: many errors.\n");
    }
}
