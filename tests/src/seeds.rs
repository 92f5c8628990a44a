//! Random inputs by their seeds, and counts of differences.
//!
//! A normal run always takes the same seeds. `ODSMITH_FUZZ_SEED=today` takes those of the day, `ODSMITH_FUZZ_SEED=<n>`
//! those from a number on. `ODSMITH_FUZZ_SECONDS=<n>` sets the time of a run, which then adds a line to
//! `tests/fuzz/counts.tsv`: the test, the first and last seed, the number of inputs that differed, and the release.

use std::{
    env, fmt, fs,
    io::Write as _,
    time::{Duration, Instant, SystemTime},
};

use crate::{pool, set_up};

/// A range of seeds that were checked, and their counts.
#[derive(Clone, Copy, Debug)]
pub struct SeedRange {
    first: u64,
    last: u64,
    /// The number of programs or files.
    count: u64,
    differing: usize,
}

impl fmt::Display for SeedRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SeedRange { first, last, count, differing } = self;
        write!(
            f,
            "seeds {first} to {last} (again: ODSMITH_FUZZ_SEED={first}), {count} in all, {differing} differ"
        )
    }
}

/// Checks seeds, `count` at a time, and passes the results of each batch to `found`, which returns the number that
/// differ. A seed makes `each` inputs.
pub fn run<T: Send>(
    kind: &str,
    count: u64,
    each: u64,
    check: impl Fn(u64) -> T + Sync,
    mut found: impl FnMut(Vec<T>) -> usize,
) -> SeedRange {
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let time = number("ODSMITH_FUZZ_SECONDS");
    let first = first();
    let started = Instant::now();
    let mut range = SeedRange { first, last: first, count: 0, differing: 0 };
    loop {
        let next = first + range.count / each;
        let seeds: Vec<u64> = (next..next + count).collect();
        range.last = next + count - 1;
        range.count += count * each;
        range.differing += found(pool::map(&seeds, |&seed| check(seed)));
        if started.elapsed() >= Duration::from_secs(time.unwrap_or(0)) {
            break;
        }
    }
    if time.is_some() {
        write(kind, &range);
    }
    range
}

/// The first seed of a normal run. About one in forty of a day's dialects still differs (see `fuzz/counts.tsv`).
const ORDINARY: u64 = 500_000;

/// The first seed of this run.
///
/// # Panics
/// When `ODSMITH_FUZZ_SEED` is neither a number nor `today`.
#[must_use]
pub fn first() -> u64 {
    match env::var("ODSMITH_FUZZ_SEED").as_deref() {
        Err(_) | Ok("") => ORDINARY,
        Ok("today") => (1 << 40) + (days() << 20),
        Ok(seed) => seed.parse().expect("ODSMITH_FUZZ_SEED is a number or `today`"),
    }
}

/// The days since 1970.
fn days() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    now.as_secs() / 86_400
}

/// Adds a line to `fuzz/counts.tsv`.
fn write(kind: &str, range: &SeedRange) {
    let SeedRange { first, last, count, differing } = range;
    let path = set_up::tests_folder().join("fuzz/counts.tsv");
    let release = set_up::fuzzed_release();
    let release = release.name();
    let line = format!("{}\t{kind}\t{first}\t{last}\t{count}\t{differing}\t{release}\n", date(days()));
    let file = fs::OpenOptions::new().append(true).create(true).open(path);
    file.and_then(|mut file| file.write_all(line.as_bytes())).expect("the account is written");
}

/// A date as year, month and day.
fn date(days: u64) -> String {
    // In years that begin in March the leap day is the last day.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, is_next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{}-{month:02}-{day:02}", era * 400 + year + is_next)
}
