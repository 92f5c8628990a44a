//! Random inputs by their seeds: one batch at an ordinary run, as many as fit into the time with `make fuzz`.
//!
//! `ODSMITH_FUZZ_SECONDS=<n>` goes on for so long, `ODSMITH_FUZZ_SEED=<n>` starts elsewhere.

use std::{
    env,
    ops::RangeInclusive,
    time::{Duration, Instant},
};

use crate::pool;

/// Checks what the seeds make, `count` at a time, and hands on what each batch came to; the seeds that were tried.
pub fn run<T: Send>(
    count: u64,
    check: impl Fn(u64) -> T + Sync,
    mut found: impl FnMut(Vec<T>),
) -> RangeInclusive<u64> {
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let time = Duration::from_secs(number("ODSMITH_FUZZ_SECONDS").unwrap_or(0));
    let first = number("ODSMITH_FUZZ_SEED").unwrap_or(0);
    let started = Instant::now();
    let mut next = first;
    loop {
        let seeds: Vec<u64> = (next..next + count).collect();
        next += count;
        found(pool::map(&seeds, |&seed| check(seed)));
        if started.elapsed() >= time {
            return first..=next - 1;
        }
    }
}
