//! Random dialects through mlir-tblgen and through the engine: the same files, or the same first message.
//!
//! `ODSMITH_FUZZ_SECONDS=<n>` goes on for so long, `ODSMITH_FUZZ_SEED=<n>` starts elsewhere; `make fuzz` sets both.

use std::{collections::BTreeMap, env, fs, path::Path};

use odsmith_tests::{
    Run,
    diff::first_difference,
    random_ods::{self, File},
    reference,
    run::{self, Flags},
    seeds, set_up,
};

/// Files of an ordinary run.
const COUNT: u64 = 20;

/// The name of a file.
const NAME: &str = "dialect.td";

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    /// Both succeed with the same text.
    Same,
    /// Both fail with the same first message.
    SameError,
    /// The reference crashed, or says something else each time.
    Unsteady,
    /// They differ.
    Differs,
}

#[test]
fn random_dialects() {
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    let mut reports = Vec::new();
    let seeds = seeds::run(COUNT, check, |batch| {
        for (verdicts, report) in batch {
            verdicts.into_iter().for_each(|verdict| *counts.entry(verdict).or_default() += 1);
            reports.extend(report);
        }
    });
    println!("seeds {} to {}: {counts:?}", seeds.start(), seeds.end());
    assert!(counts.contains_key(&Verdict::Same), "no file is valid");
    let count = reports.len();
    reports.truncate(12);
    assert!(reports.is_empty(), "{count} files differ (- reference, + ours)\n{}", reports.join("\n"));
}

/// What each run of a file comes to, and a report of the first that differs.
fn check(seed: u64) -> (Vec<Verdict>, Option<String>) {
    let folder = env::temp_dir().join(format!("odsmith-dialects-{}-{seed}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for a file");
    let file = random_ods::file(seed);
    fs::write(folder.join(NAME), file.text()).expect("the file is written");
    let ours = ours(&folder, file.runs);
    let verdicts: Vec<Verdict> =
        file.runs.iter().zip(&ours).map(|(flags, got)| verdict(&theirs(&folder, flags), got)).collect();
    let differing = verdicts.iter().position(|verdict| *verdict == Verdict::Differs);
    let report = differing.and_then(|index| report(seed, file.clone(), file.runs[index], &folder));
    let _ = fs::remove_dir_all(&folder);
    (verdicts, report)
}

/// The difference in a file that is made smaller first; none if the reference does not say the same twice.
fn report(seed: u64, file: File, flags: &[&'static str], folder: &Path) -> Option<String> {
    let compare = |text: &str| {
        fs::write(folder.join(NAME), text).expect("the file is written");
        let want = theirs(folder, flags);
        let got = ours(folder, &[flags]).pop().unwrap_or_default();
        (want, got)
    };
    let (want, got) = compare(&file.text());
    let status = (want.status, got.status);
    let is_like_it = |text: &str| {
        let (want, got) = compare(text);
        (want.status, got.status) == status && verdict(&want, &got) == Verdict::Differs
    };
    let small = file.shrunk(is_like_it);
    let (want, got) = compare(&small.text());
    if theirs(folder, flags) != want {
        return None;
    }
    let difference = first_difference(&want.out, &got.out)
        .filter(|_| want.status == 0 && got.status == 0)
        .unwrap_or_default();
    Some(format!(
        "--- seed {seed} {}\n{}\n- {} {}\n+ {} {}\n{difference}",
        flags.join(" "),
        small.body(),
        want.status,
        first_message(&want),
        got.status,
        first_message(&got),
    ))
}

fn theirs(folder: &Path, flags: &[&str]) -> Run {
    reference::mlir_tblgen(folder, &[flags, &["-I", set_up::library(), NAME]].concat())
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
        (0, 0) if want.out == got.out => Verdict::Same,
        (1, 1) if first_message(want) == first_message(got) => Verdict::SameError,
        (0 | 1, _) => Verdict::Differs,
        _ => Verdict::Unsteady,
    }
}

/// The first error, with its place but without its folder.
fn first_message(run: &Run) -> String {
    let text = String::from_utf8_lossy(&run.err).replace(set_up::library(), "");
    text.lines().find(|line| line.contains("error: ")).unwrap_or_default().to_owned()
}
