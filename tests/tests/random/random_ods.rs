//! Random dialects through mlir-tblgen and through the engine: the same files, or the same first message.
//!
//! `ODSMITH_FUZZ_SECONDS=<n>` sets the time of a run, `ODSMITH_FUZZ_SEED=<n>` the first seed; `make fuzz` sets both.
//! `ODSMITH_FUZZ_KEEP=<folder>` keeps the whole files of reported differences there.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use odsmith_tests::{
    Run,
    diff::first_difference,
    pool,
    random_ods::{self, File},
    reference,
    run::{self, Flags},
    seeds, set_up,
};

/// The number of blocks of files in a normal run.
const COUNT: u64 = 6;

/// The name of a file.
const NAME: &str = "dialect.td";

/// The number of differences that are reduced; the rest is counted.
const REPORTS: usize = 24;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    /// Both succeed with the same text.
    Same,
    /// Both fail with the same first message.
    SameError,
    /// The reference crashed, answers differently each time, or reads uninitialised memory.
    Unstable,
    /// They differ.
    Differs,
}

/// A file for which a run differs.
struct Difference {
    kind: String,
    block: u64,
    flags: &'static [&'static str],
    file: File,
}

#[test]
fn random_dialects() {
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    let mut kinds: BTreeMap<String, Vec<Difference>> = BTreeMap::new();
    let tried = seeds::run("dialects", COUNT, random_ods::BLOCK, check, |batch| {
        let mut found = 0;
        for (verdicts, differences) in batch {
            verdicts.into_iter().for_each(|verdict| *counts.entry(verdict).or_default() += 1);
            found += differences.len();
            for difference in differences {
                kinds.entry(difference.kind.clone()).or_default().push(difference);
            }
        }
        found
    });
    println!("{tried}: {counts:?}");
    assert!(counts.contains_key(&Verdict::Same), "no file is valid");
    let total: usize = kinds.values().map(Vec::len).sum();
    let mut most: Vec<Vec<Difference>> = kinds.into_values().collect();
    most.sort_by_key(|alike| std::cmp::Reverse(alike.len()));
    let titles: String = most.iter().map(|alike| format!("{:6} {}\n", alike.len(), alike[0].kind)).collect();
    most.truncate(REPORTS);
    let firsts: Vec<Difference> = most.into_iter().filter_map(|mut alike| alike.pop()).collect();
    let reports = pool::map(&firsts, report);
    assert!(total == 0, "{total} runs differ (- reference, + ours)\n{}\n{titles}", reports.concat());
}

/// The results for each run of the files of a block, and the differences.
fn check(block: u64) -> (Vec<Verdict>, Vec<Difference>) {
    let folder = folder();
    let files = random_ods::block(block);
    let runs = files[0].runs.clone();
    let mut verdicts = Vec::new();
    let mut differences = Vec::new();
    let mut good: Vec<Vec<File>> = vec![Vec::new(); runs.len()];
    let compare = |file: &File, flags: &'static [&'static str], got: &Run| {
        write(&folder, &file.text());
        let want = theirs(&folder, flags);
        let mut verdict = verdict(&want, got);
        if verdict == Verdict::Differs
            && (random_ods::reads_beyond(&file.text()) || !is_stable(&folder, flags, &want))
        {
            verdict = Verdict::Unstable;
        }
        let kind = (verdict == Verdict::Differs).then(|| kind(flags, &want, got));
        (verdict, kind.map(|kind| Difference { kind, block, flags, file: file.clone() }))
    };
    for file in &files {
        write(&folder, &file.text());
        let got = ours(&folder, &runs);
        // A file that fails once mostly fails each time with the same message.
        let mut failed = 0;
        for ((&flags, got), good) in runs.iter().zip(got).zip(&mut good) {
            if got.status == 0 {
                good.push(file.clone());
                continue;
            }
            failed += 1;
            if failed <= 2 {
                let (verdict, difference) = compare(file, flags, &got);
                verdicts.push(verdict);
                differences.extend(difference);
            }
        }
    }
    for (&flags, good) in runs.iter().zip(good) {
        let Some(together) = File::together(&good) else { continue };
        write(&folder, &together.text());
        let got = ours(&folder, &[flags]).pop().unwrap_or_default();
        let (verdict, difference) = compare(&together, flags, &got);
        if verdict == Verdict::Same {
            verdicts.extend(good.iter().map(|_| verdict));
            continue;
        }
        // One of them differs, or only all together do.
        let mut is_one = false;
        for file in &good {
            write(&folder, &file.text());
            let got = ours(&folder, &[flags]).pop().unwrap_or_default();
            let (verdict, difference) = compare(file, flags, &got);
            verdicts.push(verdict);
            is_one |= difference.is_some();
            differences.extend(difference);
        }
        if !is_one {
            verdicts.push(verdict);
            differences.extend(difference);
        }
    }
    let _ = fs::remove_dir_all(&folder);
    (verdicts, differences)
}

/// Makes a new folder.
fn folder() -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let folder = env::temp_dir().join(format!("odsmith-dialects-{}-{number}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for a file");
    folder
}

fn write(folder: &Path, text: &str) {
    fs::write(folder.join(NAME), text).expect("the file is written");
}

/// The kind of a difference, equal for one cause: the generator and the first line that differs, without names.
fn kind(flags: &[&str], want: &Run, got: &Run) -> String {
    let plain = |text: &str| text.trim().replace(|c: char| c.is_ascii_digit(), "");
    if want.status != got.status || want.status != 0 {
        let message = |run: &Run| {
            let message = first_message(run);
            plain(message.split_once("error: ").map_or("", |(_, text)| text.split('\'').next().unwrap_or("")))
        };
        return format!("{}: {} | {}", flags[0], message(want), message(got));
    }
    let (want, got) = (String::from_utf8_lossy(&want.out), String::from_utf8_lossy(&got.out));
    let line = want.lines().zip(got.lines()).find(|(want, got)| want != got);
    let (want, got) = line.unwrap_or_default();
    let start = |line: &str| plain(line).chars().take(24).collect::<String>();
    format!("{}: {} | {}", flags[0], start(want), start(got))
}

/// The difference in a file, after reducing the file.
fn report(difference: &Difference) -> String {
    let Difference { block, flags, file, kind: cause } = difference;
    let folder = folder();
    let compare = |text: &str| {
        write(&folder, text);
        let want = theirs(&folder, flags);
        let got = ours(&folder, &[flags]).pop().unwrap_or_default();
        (want, got)
    };
    let (want, got) = compare(&file.text());
    let status = (want.status, got.status);
    let is_like_it = |text: &str| {
        let (want, got) = compare(text);
        (want.status, got.status) == status
            && verdict(&want, &got) == Verdict::Differs
            && kind(flags, &want, &got) == *cause
            && !random_ods::reads_beyond(text)
    };
    let small = file.clone().shrunk(is_like_it);
    let (want, got) = compare(&small.text());
    if let Some(kept) = env::var_os("ODSMITH_FUZZ_KEEP") {
        let name = format!("{block}{}.td", flags.join(""));
        fs::write(Path::new(&kept).join(name), small.text()).expect("the file is kept");
    }
    let difference = first_difference(&want.out, &got.out)
        .filter(|_| want.status == 0 && got.status == 0)
        .unwrap_or_default();
    let _ = fs::remove_dir_all(&folder);
    format!(
        "--- block {block} {} ({cause})\n{}\n- {} {}\n+ {} {}\n{difference}\n",
        flags.join(" "),
        small.body(),
        want.status,
        first_message(&want),
        got.status,
        first_message(&got),
    )
}

fn theirs(folder: &Path, flags: &[&str]) -> Run {
    reference::again("mlir-tblgen", folder, &[flags, &["-I", set_up::library(), NAME]].concat())
}

/// Returns true if the reference answers the same each time. Uninitialised memory that it reads, and the order of its
/// sets of pointers, change only from one process to the next.
fn is_stable(folder: &Path, flags: &[&str], want: &Run) -> bool {
    let arguments = [flags, &["-I", set_up::library(), NAME]].concat();
    (0..8).all(|_| {
        let again = reference::mlir_tblgen(folder, &arguments);
        again.status == want.status && again.out == want.out
    })
}

fn ours(folder: &Path, runs: &[&[&str]]) -> Vec<Run> {
    let flags = runs.iter().map(|flags| {
        let words: Vec<String> = flags.iter().map(|&word| word.to_owned()).collect();
        Flags::parse(&words).expect("the generator exists")
    });
    run::engine(folder, NAME, &flags.collect::<Vec<_>>(), &[set_up::library().to_owned()])
}

fn verdict(want: &Run, got: &Run) -> Verdict {
    match (want.status, got.status) {
        (0, 0) if want.out == got.out && first_message(want) == first_message(got) => Verdict::Same,
        (1, 1) if first_message(want) == first_message(got) => Verdict::SameError,
        // The reference sometimes fails without a message; ours has one.
        (1, 1) if want.err.is_empty() => Verdict::Unstable,
        (0 | 1, _) => Verdict::Differs,
        _ => Verdict::Unstable,
    }
}

/// The first error, with its location but without its folder.
fn first_message(run: &Run) -> String {
    let text = String::from_utf8_lossy(&run.err).replace(set_up::library(), "");
    text.lines().find(|line| line.contains("error: ")).unwrap_or_default().to_owned()
}
