//! Each field of small definitions of every kind, set to other values in turn, through mlir-tblgen and through the engine:
//! the same output, or the same messages.
//!
//! An ordinary run takes a fixed part of the changes, one with `ODSMITH_FUZZ_SECONDS` all of them. `ODSMITH_SWEEP=enum` takes
//! the definitions whose names hold that word, all changes of them; `ODSMITH_SWEEP_PART=5` takes every fifth change.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use odsmith_tests::{
    Run,
    diff::{first_difference, first_error},
    fixture, pool, reference,
    run::{self, Flags},
    set_up,
    sweep::{Change, Subject},
};

/// An ordinary run takes one change in so many.
const PART: usize = 23;

/// The name of a file.
const NAME: &str = "swept.td";

/// Two fields are wrong, and the reference names the other one.
const ORDER: &str = "which of two mistakes is named";
/// The class is named by several lines, the last of which is blank, and begins a line as the type that a function returns.
const LINES: &str = "a class name of several lines";

/// Differences that stay: the definition, a part of the change, and why.
const KNOWN: &[(&str, &str, &str)] = &[
    ("attribute definition", "cppClassName = [{", LINES),
    ("attribute definition", "cppClassName = \\\"\\\\n", LINES),
    ("attribute of an enum", "cppClassName = [{", LINES),
    ("attribute of an enum", "cppClassName = \\\"\\\\n", LINES),
    ("bit enum with groups", "className = [{", LINES),
    ("bit enum with groups", "className = \\\"\\\\n", LINES),
    ("enum of plain C++", "enumerants = ?, underlyingToSymbolFnName = ?", ORDER),
    ("enum of plain C++", "underlyingToSymbolFnName = ?, enumerants = ?", ORDER),
    ("side effect", "cppNamespace = ?, effects = ?", ORDER),
    ("type definition", "cppClassName = [{", LINES),
    ("type definition", "cppClassName = \\\"\\\\n", LINES),
    ("enum with requirements", "className = [{", LINES),
    ("enum with requirements", "className = \\\"\\\\n", LINES),
    ("type definition without parameters", "genVerifyDecl = ?, typeName = ?", ORDER),
    ("enum of plain C++", "summary = ?, enumerants = ?", ORDER),
    ("pattern", "constraints = ?, supplementalPatterns = ?", ORDER),
    ("pattern", "supplementalPatterns = ?, benefitDelta = ?", ORDER),
    ("pattern", "sourcePattern = (ins), resultPatterns = ?", ORDER),
    ("pattern", "sourcePattern = (swept), resultPatterns = ?", ORDER),
    ("pattern", "resultPatterns = ?, sourcePattern = (region)", ORDER),
    ("pattern", "constraints = [?], supplementalPatterns = [?]", ORDER),
    ("pattern", "supplementalPatterns = ?, benefitDelta = (ins", ORDER),
    ("pattern", "supplementalPatterns = [?], benefitDelta = ?", ORDER),
];

/// What a generator makes of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    /// Both succeed with the same text and the same messages.
    Same,
    /// Both fail with the same messages.
    SameError,
    /// They differ, which is known.
    Known,
    /// The reference crashed, fails without a word, or says something else each time.
    Unsteady,
    /// They differ.
    Differs,
}

/// A definition with one change.
struct Case<'s> {
    subject: &'s Subject,
    change: &'s Change,
}

#[test]
fn fields_give_what_the_reference_gives() {
    let only = env::var("ODSMITH_SWEEP").ok();
    let is_whole = only.is_some() || env::var_os("ODSMITH_FUZZ_SECONDS").is_some();
    let subjects = Subject::all();
    let subjects =
        subjects.iter().filter(|subject| only.as_ref().is_none_or(|only| subject.name.contains(only)));
    let part = match env::var("ODSMITH_SWEEP_PART") {
        Ok(part) => part.parse().expect("ODSMITH_SWEEP_PART is a number"),
        Err(_) if is_whole => 1,
        Err(_) => PART,
    };
    let subjects: Vec<&Subject> = subjects.collect();
    for subject in subjects.iter().filter(|_| only.is_some()) {
        println!("{}: {} changes of {:?}", subject.name, subject.changes.len(), subject.runs.concat());
    }
    let all = subjects
        .iter()
        .flat_map(|subject| subject.changes.iter().map(move |change| Case { subject, change }));
    let cases: Vec<Case<'_>> = all.step_by(part).collect();
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    let mut differences = Vec::new();
    for (verdicts, found) in pool::map(&cases, Case::check) {
        verdicts.into_iter().for_each(|verdict| *counts.entry(verdict).or_default() += 1);
        differences.extend(found);
    }
    let compared: usize = counts.iter().filter(|(kind, _)| **kind != Verdict::Unsteady).map(|(_, n)| n).sum();
    println!("{} changes of fields, {compared} cells compared: {counts:?}", cases.len());
    assert!(
        differences.is_empty(),
        "{} of {compared} cells differ (- reference, + ours)\n{}",
        differences.len(),
        differences.concat()
    );
}

impl Case<'_> {
    /// What each generator comes to, and the differences.
    fn check(&self) -> (Vec<Verdict>, Vec<String>) {
        let folder = folder();
        let text = self.subject.text(self.change);
        fs::write(folder.join(NAME), &text).expect("the file is written");
        let mut verdicts = Vec::new();
        let mut differences = Vec::new();
        let (is_readable, got) = ours(&folder, &self.subject.runs);
        // What can not be read is the same for all generators.
        let count = if is_readable { got.len() } else { 1 };
        for (words, got) in self.subject.runs.iter().zip(got).take(count) {
            let flags: Vec<&str> = words.iter().map(String::as_str).collect();
            let want = theirs(&folder, &flags);
            let mut verdict = verdict(&want, &got);
            if verdict == Verdict::Differs && !is_steady(&folder, &flags, &want) {
                verdict = Verdict::Unsteady;
            }
            if verdict == Verdict::Differs && self.is_known() {
                verdict = Verdict::Known;
            }
            if verdict == Verdict::Differs {
                differences.push(self.report(words, &want, &got));
            }
            verdicts.push(verdict);
        }
        let _ = fs::remove_dir_all(&folder);
        (verdicts, differences)
    }

    fn is_known(&self) -> bool {
        let change = self.change.to_string();
        let mut known = KNOWN.iter();
        known.any(|(name, part, _)| *name == self.subject.name && change.contains(part))
    }

    fn report(&self, words: &[String], want: &Run, got: &Run) -> String {
        let mut text = format!("--- {}: {} | {}\n", self.subject.name, self.change, words.join(" "));
        if want.status == got.status && want.status == 0 && want.out != got.out {
            return text + &first_difference(&want.out, &got.out).unwrap_or_default();
        }
        for (mark, run) in [('-', want), ('+', got)] {
            let message = first_error(&run.err).unwrap_or_default();
            text += &format!("      {mark} {} {message}\n", run.status);
        }
        text + &first_difference(&messages(want), &messages(got)).unwrap_or_default()
    }
}

/// A folder of its own.
fn folder() -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let folder = env::temp_dir().join(format!("odsmith-sweep-{}-{number}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for a file");
    folder
}

fn theirs(folder: &Path, flags: &[&str]) -> Run {
    reference::again("mlir-tblgen", folder, &[flags, &["-I", set_up::library(), NAME]].concat())
}

/// Whether the reference says the same each time. What it reads from memory that is not its own changes from one process to
/// the next.
fn is_steady(folder: &Path, flags: &[&str], want: &Run) -> bool {
    let arguments = [flags, &["-I", set_up::library(), NAME]].concat();
    (0..4).all(|_| {
        let again = reference::mlir_tblgen(folder, &arguments);
        again.status == want.status && again.out == want.out
    })
}

/// Whether the file can be read, and what each run gives.
fn ours(folder: &Path, runs: &[Vec<String>]) -> (bool, Vec<Run>) {
    let records = Vec::new();
    let flags = runs.iter().chain([&records]).filter_map(|words| Flags::parse(words).ok());
    let mut got = run::engine(folder, NAME, &flags.collect::<Vec<_>>(), &[set_up::library().to_owned()]);
    let is_readable = got.pop().is_some_and(|records| records.status == 0);
    (is_readable, got)
}

fn verdict(want: &Run, got: &Run) -> Verdict {
    let is_alike = || messages(want) == messages(got);
    match (want.status, got.status) {
        (0, 0) if want.out == got.out && is_alike() => Verdict::Same,
        (1, 1) if is_alike() => Verdict::SameError,
        // It fails now and then without a word; here an error says so.
        (1, 1) if want.err.is_empty() => Verdict::Unsteady,
        (0 | 1, _) => Verdict::Differs,
        _ => Verdict::Unsteady,
    }
}

/// All messages, without what depends on where files are. The reference ends one of them without a line break.
fn messages(run: &Run) -> Vec<u8> {
    let text = String::from_utf8_lossy(&run.err).replace(set_up::library(), "");
    fixture::neutral(text.as_bytes()).trim_ascii_end().to_owned()
}
