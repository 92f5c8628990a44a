//! Random inputs by their seeds, and counts of differences.
//!
//! A normal run always takes the same seeds. `ODSMITH_FUZZ_SEED=today` takes those of the day, `ODSMITH_FUZZ_SEED=<n>`
//! those from a number on. `ODSMITH_FUZZ_SECONDS=<n>` sets the time of a run, which is then added to
//! `tests/fuzz/counts.tsv`: for each test and release, all runs and inputs, and how many inputs differed the last time.

use std::{
    collections::BTreeMap,
    env, fmt, fs,
    sync::{Mutex, PoisonError},
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

const COUNTS_HEADER: &str = "test\trelease\truns\tinputs\topen differences\tlast run";

/// Adds a run to its row of `fuzz/counts.tsv`.
fn write(kind: &str, range: &SeedRange) {
    // Tests of one program end at the same time.
    static TABLE: Mutex<()> = Mutex::new(());
    let _held = TABLE.lock().unwrap_or_else(PoisonError::into_inner);
    let path = set_up::tests_folder().join("fuzz/counts.tsv");
    let table = fs::read_to_string(&path).expect("the table of counts is readable");
    let release = set_up::fuzzed_release();
    let table = with_run(&table, kind, release.name(), range, &date(days()));
    fs::write(&path, table).expect("the table of counts is writable");
}

/// The table of counts with another run in it. Rows are sorted by test and release.
fn with_run(table: &str, kind: &str, release: &str, range: &SeedRange, date: &str) -> String {
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some(COUNTS_HEADER), "fuzz/counts.tsv");
    // For each test and release: runs, inputs, and the other columns.
    let mut rows: BTreeMap<(&str, &str), (u64, u64, String)> = BTreeMap::new();
    for line in lines {
        let columns: Vec<&str> = line.splitn(5, '\t').collect();
        let [kind, release, runs, inputs, rest] = columns[..] else { panic!("fuzz/counts.tsv: {line}") };
        let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("fuzz/counts.tsv: {line}"));
        rows.insert((kind, release), (number(runs), number(inputs), rest.to_owned()));
    }
    let (runs, inputs, rest) = rows.entry((kind, release)).or_default();
    *runs += 1;
    *inputs += range.count;
    *rest = format!("{}\t{date}", range.differing);
    let mut table = format!("{COUNTS_HEADER}\n");
    for ((kind, release), (runs, inputs, rest)) in rows {
        table += &format!("{kind}\t{release}\t{runs}\t{inputs}\t{rest}\n");
    }
    table
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

#[cfg(test)]
mod tests {
    use super::{COUNTS_HEADER, SeedRange, with_run};

    #[test]
    fn runs_are_added_up_and_the_last_one_says_what_is_open() {
        let range = SeedRange { first: 1, last: 8, count: 64, differing: 0 };
        let before = format!("{COUNTS_HEADER}\nprograms\t21\t2\t100\t5\t2026-11-27\n");
        let after = with_run(&before, "programs", "21", &range, "2026-11-29");
        assert_eq!(after, format!("{COUNTS_HEADER}\nprograms\t21\t3\t164\t0\t2026-11-29\n"));
        let after = with_run(&after, "patterns", "22", &SeedRange { differing: 1, ..range }, "2026-11-30");
        let rows: Vec<&str> = after.lines().skip(1).collect();
        assert_eq!(rows, ["patterns\t22\t1\t64\t1\t2026-11-30", "programs\t21\t3\t164\t0\t2026-11-29"]);
    }
}
