//! Random programs through llvm-tblgen and through the engine: the same records and the same messages.
//!
//! `ODSMITH_FUZZ_SECONDS=<n>` goes on for so long, `ODSMITH_FUZZ_SEED=<n>` starts elsewhere; `make fuzz` sets both.

#![expect(clippy::print_stdout, reason = "a test says what it compared and what it left out")]

use std::{collections::BTreeMap, env};

use odsmith_engine::limits::Limits;
use odsmith_tests::{Run, diff, fixture, program, random, seeds};

/// Programs of an ordinary run.
const COUNT: u64 = 300;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    /// Both succeed with the same records.
    Same,
    /// Both fail with the same messages.
    SameError,
    /// The reference crashed, did not come to an end, or failed without a word.
    NoReference,
    /// They differ.
    Differs,
}

#[test]
fn random_programs() {
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    let mut reports: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let seeds = seeds::run(COUNT, check, |batch| {
        for (verdict, found) in batch {
            *counts.entry(verdict).or_default() += 1;
            if let Some((kind, report)) = found {
                let entry = reports.entry(kind).or_insert((0, report));
                entry.0 += 1;
            }
        }
    });
    println!("seeds {} to {}: {counts:?}", seeds.start(), seeds.end());
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
        println!("{}", messages(&program::ours(program.text().as_bytes(), Limits::default())));
    }
    if verdict != Verdict::Differs {
        return (verdict, None);
    }
    let small = program.shrunk(|text| compare(text).0 == Verdict::Differs).text();
    let (_, want, got) = compare(&small);
    let (want_messages, got_messages) = (messages(&want), messages(&got));
    let mut difference =
        diff::first_difference(want_messages.as_bytes(), got_messages.as_bytes()).unwrap_or_default();
    if want.status == 0 && got.status == 0 {
        difference += &diff::first_difference(&want.out, &got.out).unwrap_or_default();
    }
    let report = format!("--- seed {seed}\n{small}- {} + {}\n{difference}", want.status, got.status);
    let kind =
        format!("{} | {}", kind_of(&want_messages, &got_messages), kind_of(&got_messages, &want_messages));
    (verdict, Some((kind, report)))
}

fn reference(text: &str, seed: u64) -> Run {
    program::reference(text.as_bytes(), &seed.to_string())
}

fn verdict(want: &Run, got: &Run) -> Verdict {
    match (want.status, got.status) {
        (0, 0) if want.out == got.out && messages(want) == messages(got) => Verdict::Same,
        (1, 1) if messages(want) == messages(got) => Verdict::SameError,
        // It fails now and then without a word; here an error says so.
        (1, 1) if diff::first_error(&want.err).is_none() => Verdict::NoReference,
        (0 | 1, _) => Verdict::Differs,
        _ => Verdict::NoReference,
    }
}

/// All messages; the last line names the program.
fn messages(run: &Run) -> String {
    String::from_utf8_lossy(&fixture::neutral(&run.err)).into_owned()
}

/// The first message, or the first line where `other` has another one, without names and numbers.
fn kind_of(messages: &str, other: &str) -> String {
    let differs = messages.lines().zip(other.lines()).find(|(line, other)| line != other);
    let message = differs.map_or_else(|| messages.lines().next().unwrap_or_default(), |(line, _)| line);
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
