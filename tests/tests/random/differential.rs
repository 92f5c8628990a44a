//! Random programs through llvm-tblgen and through the engine: the same records and the same messages.
//!
//! `ODSMITH_FUZZ_SECONDS=<n>` sets the time of a run, `ODSMITH_FUZZ_SEED=<n>` the first seed; `make fuzz` sets both.

#![expect(clippy::print_stdout, reason = "a test says what it compared and what it left out")]

use std::{collections::BTreeMap, env};

use odsmith_engine::{generators::Action, limits::Limits};
use odsmith_tests::{
    Run, diff, fixture, program,
    random::{self, Program},
    seeds,
};

/// The number of blocks of programs in a normal run.
const COUNT: u64 = 60;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    /// Both succeed with the same records.
    Same,
    /// Both fail with the same messages.
    SameError,
    /// The reference crashed, did not end, or failed without a message.
    NoReference,
    /// They differ.
    Differs,
}

#[test]
fn random_programs() {
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    let mut reports: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let tried = seeds::run("programs", COUNT, random::BLOCK, check, |batch| {
        let mut differing = 0;
        for (verdicts, found) in batch {
            verdicts.into_iter().for_each(|verdict| *counts.entry(verdict).or_default() += 1);
            differing += found.len();
            for (kind, report) in found {
                let entry = reports.entry(kind).or_insert((0, report));
                entry.0 += 1;
            }
        }
        differing
    });
    println!("{tried}: {counts:?}");
    let mut text = String::new();
    for (count, report) in reports.values() {
        text += &format!("{count} like this:\n{report}\n");
    }
    assert!(text.is_empty(), "{} kinds of difference (- reference, + ours)\n{text}", reports.len());
}

/// The form in which records are printed.
#[derive(Clone, Copy, Debug)]
struct Form {
    flag: &'static str,
    action: fn() -> Action,
}

const RECORDS: Form = Form { flag: "--print-records", action: || Action::PrintRecords };
const JSON: Form = Form { flag: "--dump-json", action: || Action::DumpJson };
const DETAILED: Form = Form { flag: "--print-detailed-records", action: || Action::PrintDetailedRecords };

fn check(block: u64) -> (Vec<Verdict>, Vec<(String, String)>) {
    let form = match block % 8 {
        6 if program::prints_in_many_ways() => JSON,
        7 if program::prints_in_many_ways() => DETAILED,
        _ => RECORDS,
    };
    let (mut verdicts, mut reports) = (Vec::new(), Vec::new());
    let mut good = Vec::new();
    let mut alone = Vec::new();
    for seed in block * random::BLOCK..(block + 1) * random::BLOCK {
        let program = random::program(seed, |text| ours(text, RECORDS).status == 0);
        let is_good = ours(&program.text(), RECORDS).status == 0;
        if is_good {
            good.push(program)
        } else {
            alone.push(program)
        };
    }
    let together = Program::together(&good);
    match compare(&together.text(), form, block).0 {
        Verdict::Same => verdicts.extend(good.iter().map(|_| Verdict::Same)),
        Verdict::SameError | Verdict::NoReference => alone.append(&mut good),
        Verdict::Differs => {
            // One of them differs, or only all together do.
            let is_one =
                good.iter().any(|program| compare(&program.text(), form, block).0 == Verdict::Differs);
            if is_one {
                alone.append(&mut good)
            } else {
                alone.push(together)
            };
        }
    }
    for program in alone {
        let (verdict, report) = check_alone(program, form, block);
        verdicts.push(verdict);
        reports.extend(report);
    }
    (verdicts, reports)
}

fn ours(text: &str, form: Form) -> Run {
    program::ours_by((form.action)(), text.as_bytes(), Limits::default())
}

fn compare(text: &str, form: Form, block: u64) -> (Verdict, Run, Run) {
    let mut want = program::reference_by(&[form.flag], text.as_bytes(), &block.to_string());
    // The statistics after detailed records count the reference's allocations.
    let mark = b"-------------------- Memory Allocation Stats";
    if let Some(end) = want.out.windows(mark.len()).position(|window| window == mark) {
        want.out.truncate(end);
    }
    let got = ours(text, form);
    (verdict(&want, &got), want, got)
}

fn check_alone(program: Program, form: Form, block: u64) -> (Verdict, Option<(String, String)>) {
    let (verdict, ..) = compare(&program.text(), form, block);
    if verdict == Verdict::SameError && env::var_os("ODSMITH_FUZZ_SHOW").is_some() {
        println!("{}", messages(&ours(&program.text(), form)));
    }
    if verdict != Verdict::Differs {
        return (verdict, None);
    }
    let small = program.shrunk(|program| compare(&program.text(), form, block).0 == Verdict::Differs).text();
    let (_, want, got) = compare(&small, form, block);
    let (want_messages, got_messages) = (messages(&want), messages(&got));
    let mut difference =
        diff::first_difference(want_messages.as_bytes(), got_messages.as_bytes()).unwrap_or_default();
    if want.status == 0 && got.status == 0 {
        difference += &diff::first_difference(&want.out, &got.out).unwrap_or_default();
    }
    let flag = form.flag;
    let report = format!("--- block {block} {flag}\n{small}- {} + {}\n{difference}", want.status, got.status);
    let kind =
        format!("{} | {}", kind_of(&want_messages, &got_messages), kind_of(&got_messages, &want_messages));
    (verdict, Some((kind, report)))
}

fn verdict(want: &Run, got: &Run) -> Verdict {
    match (want.status, got.status) {
        (0, 0) if want.out == got.out && messages(want) == messages(got) => Verdict::Same,
        (1, 1) if messages(want) == messages(got) => Verdict::SameError,
        // The reference sometimes fails without a message; ours has one.
        (1, 1) if diff::first_error(&want.err).is_none() => Verdict::NoReference,
        // Past the end of a dag the reference reports an error, but reads on there; later messages depend on that
        // memory.
        (1, 1) if read_past_the_end(want).is_some_and(|said| read_past_the_end(got) == Some(said)) => {
            Verdict::NoReference
        }
        // If a field lacks several bits that are set, the reference names one of them by chance.
        (1, 1) if sets_unknown_bits(want).is_some_and(|said| sets_unknown_bits(got) == Some(said)) => {
            Verdict::NoReference
        }
        // On an operand without a value the reference crashes, unless it first stops at another error.
        (1, 1) if crashes_later(want, got) => Verdict::NoReference,
        (0 | 1, _) => Verdict::Differs,
        _ => Verdict::NoReference,
    }
}

/// The messages up to the one about an index past the end of a dag.
fn read_past_the_end(run: &Run) -> Option<String> {
    let mut messages = messages(run);
    let found = messages.find(" index is out of range ")?;
    messages.truncate(found + messages[found..].find('\n')?);
    Some(messages)
}

/// The messages without the number of a bit that is set twice, if the number exceeds every field of these programs.
fn sets_unknown_bits(run: &Run) -> Option<String> {
    const WIDEST: u64 = 31;
    let messages = messages(run);
    let (before, rest) = messages.split_once("error: Cannot set bit #")?;
    let (bit, after) = rest.split_once(' ')?;
    (bit.parse::<u64>().ok()? > WIDEST).then(|| format!("{before}{after}"))
}

/// Returns true if ours reports an operand without a value where the reference, after the same messages, reports a
/// later error.
fn crashes_later(want: &Run, got: &Run) -> bool {
    let (want, got) = (messages(want), messages(got));
    let place = |line: &str| line.split(':').nth(1)?.parse::<u32>().ok();
    let differs = want.lines().zip(got.lines()).find(|(want, got)| want != got);
    differs.is_some_and(|(want, got)| {
        got.ends_with("' has no value") && place(want).zip(place(got)).is_some_and(|(want, got)| want > got)
    })
}

/// All messages; the last line names the program.
fn messages(run: &Run) -> String {
    String::from_utf8_lossy(&fixture::neutral(&run.err)).into_owned()
}

/// The first message, or the first line that differs from `other`, without names and numbers.
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
