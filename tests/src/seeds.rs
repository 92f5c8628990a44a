//! Random inputs by their seeds, and counts of them.
//!
//! A normal run takes the same seeds each time. `ODSMITH_FUZZ_SEED=today` takes those of the day, `ODSMITH_FUZZ_SEED=<n>`
//! those from a number on. With `ODSMITH_FUZZ_SECONDS=<n>` a run takes so long, and then adds a line to
//! `tests/fuzz/counts.tsv`: which test, from which seed to which, how many inputs differed, and of which release.

use std::{
    env, fmt, fs,
    io::Write as _,
    time::{Duration, Instant, SystemTime},
};

use crate::{pool, set_up};

/// Seeds that were tried.
#[derive(Clone, Copy, Debug)]
pub struct Tried {
    first: u64,
    last: u64,
    /// Programs or files in all.
    count: u64,
    differing: usize,
}

impl fmt::Display for Tried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tried { first, last, count, differing } = self;
        write!(
            f,
            "seeds {first} to {last} (again: ODSMITH_FUZZ_SEED={first}), {count} in all, {differing} differ"
        )
    }
}

/// Checks seeds, `count` at a time, and passes the results of each batch to `found`, which returns how many differ. A seed
/// makes `each` inputs.
pub fn run<T: Send>(
    kind: &str,
    count: u64,
    each: u64,
    check: impl Fn(u64) -> T + Sync,
    mut found: impl FnMut(Vec<T>) -> usize,
) -> Tried {
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let time = number("ODSMITH_FUZZ_SECONDS");
    let first = first();
    let started = Instant::now();
    let mut tried = Tried { first, last: first, count: 0, differing: 0 };
    loop {
        let next = first + tried.count / each;
        let seeds: Vec<u64> = (next..next + count).collect();
        tried.last = next + count - 1;
        tried.count += count * each;
        tried.differing += found(pool::map(&seeds, |&seed| check(seed)));
        if started.elapsed() >= Duration::from_secs(time.unwrap_or(0)) {
            break;
        }
    }
    if time.is_some() {
        write(kind, &tried);
    }
    tried
}

/// Where an ordinary run begins. Of the dialects of a day about one in forty still differs (see `fuzz/counts.tsv`).
const ORDINARY: u64 = 500_000;

/// The seed that a run begins with.
///
/// # Panics
/// `ODSMITH_FUZZ_SEED` is neither a number nor `today`.
#[must_use]
pub fn first() -> u64 {
    match env::var("ODSMITH_FUZZ_SEED").as_deref() {
        Err(_) | Ok("") => ORDINARY,
        Ok("today") => (1 << 40) + (days() << 20),
        Ok(seed) => seed.parse().expect("ODSMITH_FUZZ_SEED is a number or `today`"),
    }
}

/// Days since 1970.
fn days() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    now.as_secs() / 86_400
}

/// Adds a line to the account.
fn write(kind: &str, tried: &Tried) {
    let Tried { first, last, count, differing } = tried;
    let path = set_up::tests_folder().join("fuzz/counts.tsv");
    let release = set_up::fuzzed_release();
    let release = release.name();
    let line = format!("{}\t{kind}\t{first}\t{last}\t{count}\t{differing}\t{release}\n", date(days()));
    let file = fs::OpenOptions::new().append(true).create(true).open(path);
    file.and_then(|mut file| file.write_all(line.as_bytes())).expect("the account is written");
}

/// A day as year, month and day.
fn date(days: u64) -> String {
    // Years that begin in March have their leap day at the end.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, is_next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{}-{month:02}-{day:02}", era * 400 + year + is_next)
}
