//! Random programs through llvm-tblgen and through the engine: the same records, or the same first message.
//!
//! `ODSMITH_FUZZ_SECONDS=<n>` goes on for so long, `ODSMITH_FUZZ_SEED=<n>` starts elsewhere; `make fuzz` sets both.

#![expect(clippy::print_stdout, reason = "a test says what it compared and what it left out")]

use std::{
    collections::BTreeMap,
    env,
    time::{Duration, Instant},
};

use odsmith_engine::limits::Limits;
use odsmith_tests::{Run, pool, program, random};

/// Kinds of difference that are known and still open: part of the message that the reference gives.
const OPEN: &[&str] = &["!getdagarg key", "assert condition must of type"];

/// Programs of an ordinary run.
const COUNT: u64 = 300;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    /// Both succeed with the same records.
    Same,
    /// Both fail with the same first message.
    SameError,
    /// The reference crashed, or did not come to an end.
    NoReference,
    /// They differ.
    Differs,
}

#[test]
fn random_programs() {
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seconds = number("ODSMITH_FUZZ_SECONDS");
    let first = number("ODSMITH_FUZZ_SEED").unwrap_or(0);
    let started = Instant::now();
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    let mut reports: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let mut next = first;
    loop {
        let seeds: Vec<u64> = (next..next + COUNT).collect();
        next += COUNT;
        for (verdict, found) in pool::map(&seeds, |&seed| check(seed)) {
            *counts.entry(verdict).or_default() += 1;
            if let Some((kind, report)) = found {
                let entry = reports.entry(kind).or_insert((0, report));
                entry.0 += 1;
            }
        }
        if seconds.is_none_or(|seconds| started.elapsed() >= Duration::from_secs(seconds)) {
            break;
        }
    }
    println!("seeds {first} to {}: {counts:?}", next - 1);
    let is_open = |kind: &str| OPEN.iter().any(|open| kind.contains(open));
    let open: usize = reports.iter().filter(|(kind, _)| is_open(kind)).map(|(_, (count, _))| count).sum();
    println!("{open} differences are of a known kind");
    reports.retain(|kind, _| !is_open(kind));
    let mut text = String::new();
    for (count, report) in reports.values() {
        text += &format!("{count} like this:\n{report}\n");
    }
    assert!(text.is_empty(), "{} kinds of difference (- reference, + ours)\n{text}", reports.len());
}

fn check(seed: u64) -> (Verdict, Option<(String, String)>) {
    let program = random::program(seed, |text| program::ours(text.as_bytes(), Limits::default()).status == 0);
    let compare = |text: &str| {
        let want = reference(text, seed);
        let got = program::ours(text.as_bytes(), Limits::default());
        (verdict(&want, &got), want, got)
    };
    let (verdict, ..) = compare(&program.text());
    if verdict == Verdict::SameError && env::var_os("ODSMITH_FUZZ_SHOW").is_some() {
        println!("{}", first_message(&program::ours(program.text().as_bytes(), Limits::default())));
    }
    if verdict != Verdict::Differs {
        return (verdict, None);
    }
    let small = program.shrunk(|text| compare(text).0 == Verdict::Differs).text();
    let (_, want, got) = compare(&small);
    let (want_first, got_first) = (first_message(&want), first_message(&got));
    let difference = odsmith_tests::diff::first_difference(&want.out, &got.out)
        .filter(|_| want.status == 0 && got.status == 0)
        .unwrap_or_default();
    let report = format!(
        "--- seed {seed}\n{small}- {} {want_first}\n+ {} {got_first}\n{difference}",
        want.status, got.status
    );
    let kind = format!("{} | {}", kind_of(&want_first), kind_of(&got_first));
    (verdict, Some((kind, report)))
}

fn reference(text: &str, seed: u64) -> Run {
    program::reference(text.as_bytes(), &seed.to_string())
}

fn verdict(want: &Run, got: &Run) -> Verdict {
    match (want.status, got.status) {
        (0, 0) if want.out == got.out && first_message(want) == first_message(got) => Verdict::Same,
        (1, 1) if first_message(want) == first_message(got) => Verdict::SameError,
        (0 | 1, _) => Verdict::Differs,
        _ => Verdict::NoReference,
    }
}

/// The first message with its place, and the first error.
fn first_message(run: &Run) -> String {
    let text = String::from_utf8_lossy(&run.err);
    let first = text.lines().next().unwrap_or_default();
    match text.lines().find(|line| line.contains(": error: ")) {
        Some(error) if error != first => format!("{first}\n  {error}"),
        _ => first.to_owned(),
    }
}

/// A message without names and numbers.
fn kind_of(message: &str) -> String {
    let message = message.lines().last().unwrap_or_default();
    let message = message.split_once(": ").map_or(message, |(_, rest)| rest);
    let mut kind = String::new();
    let mut is_quoted = false;
    for c in message.chars() {
        match c {
            '\'' => is_quoted = !is_quoted,
            _ if is_quoted || c.is_ascii_digit() => {}
            c => kind.push(c),
        }
    }
    kind
}
