//! Broken programs: the fixtures with bytes changed and pieces of others inserted. The engine must end within its
//! limits and never panic.
//!
//! `ODSMITH_FUZZ_SECONDS=<n>` sets the time of a run, `ODSMITH_FUZZ_SEED=<n>` the first seed.

use std::{
    env, fs,
    panic::{AssertUnwindSafe, catch_unwind},
    time::{Duration, Instant},
};

use odsmith_engine::{generators::Action, limits::Limits};
use odsmith_tests::{archive::files_below, program, random::Random, seeds, set_up};

/// The number of programs in a normal run.
const COUNT: u64 = 20_000;

#[test]
fn broken_programs() {
    let corpus: Vec<Vec<u8>> = files_below(&set_up::tests_folder().join("fixtures/lang"))
        .into_iter()
        .filter(|(path, _)| path.ends_with(".td") || path.ends_with(".cases"))
        .map(|(_, text)| text)
        .collect();
    let tried = seeds::run(
        "mutations",
        COUNT,
        1,
        |seed| check(seed, &corpus),
        |batch| {
            let failed: Vec<String> = batch.into_iter().flatten().collect();
            assert!(failed.is_empty(), "{} programs fail:\n{}", failed.len(), failed.join("\n"));
            0
        },
    );
    println!("{tried}: no panic, all limits kept");
}

/// The error of one program, which is written beside the build.
fn check(seed: u64, corpus: &[Vec<u8>]) -> Option<String> {
    let text = mutated(&mut Random::new(seed), corpus);
    let limits = Limits {
        fuel: 2_000_000,
        arena_bytes: 32 << 20,
        string_bytes: 1 << 20,
        list_items: 100_000,
        output_bytes: 8 << 20,
        ..Limits::default()
    };
    let started = Instant::now();
    let run = || program::outcome(&text, Action::PrintRecords, limits.clone());
    let what = match catch_unwind(AssertUnwindSafe(run)) {
        Err(_) => "panics".to_owned(),
        Ok(_) if started.elapsed() > Duration::from_secs(20) => format!("takes {:?}", started.elapsed()),
        Ok(outcome) if outcome.usage.fuel > limits.fuel => "uses too much fuel".to_owned(),
        Ok(_) => return None,
    };
    let path = format!("{}/mutation-{seed}.td", env!("CARGO_TARGET_TMPDIR"));
    let _ = fs::write(&path, &text);
    Some(format!("  {path} {what}"))
}

fn mutated(random: &mut Random, corpus: &[Vec<u8>]) -> Vec<u8> {
    const PIECES: &[&[u8]] = &[
        b"!foldl(",
        b"!cond(",
        b"!foreach(",
        b"[{",
        b"}]",
        b"/*",
        b"\"",
        b"#",
        b"...",
        b"<",
        b">",
        b"{",
        b"}",
        b"(",
        b")",
        b"let ",
        b"in ",
        b"def ",
        b"class ",
        b"multiclass ",
        b"defm ",
        b"foreach ",
        b"?",
        b"-9223372036854775808",
        b"99999999999999999999",
        b"\n#ifdef A\n",
        b"\n#endif\n",
        b"include \"case.td\"\n",
        b"\0",
        b"\xff",
        b"$x",
        b"NAME",
    ];
    let mut text = random.pick(corpus).clone();
    for _ in 0..1 + random.below(8) {
        let at = random.below(text.len() + 1);
        match random.below(6) {
            0 if at < text.len() => text[at] = random.number() as u8,
            1 => {
                let end = (at + random.below(40)).min(text.len());
                text.drain(at..end);
            }
            2 | 3 => drop(text.splice(at..at, random.pick(PIECES).iter().copied())),
            4 => {
                let other = random.pick(corpus);
                let from = random.below(other.len() + 1);
                let to = (from + random.below(400)).min(other.len());
                drop(text.splice(at..at, other[from..to].iter().copied()));
            }
            _ => {
                let to = (at + random.below(200)).min(text.len());
                let own = text[at..to].to_vec();
                drop(text.splice(to..to, own));
            }
        }
    }
    text
}
