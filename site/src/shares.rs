//! Work shared out among threads; what comes out does not depend on how many there are.

use std::{
    panic::resume_unwind,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

/// So many pieces of work for each thread: neighbours are alike and differ from others, and small shares even that out.
const SHARES_PER_THREAD: usize = 16;
/// The same room for deep definitions as a job's own thread has.
const STACK_BYTES: usize = 256 << 20;

/// What `work` makes of each item, in their order.
///
/// # Panics
/// `work` panicked.
pub fn map<T: Sync, R: Send>(threads: usize, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    if threads < 2 || items.len() < 2 {
        return items.iter().map(work).collect();
    }
    let size = items.len().div_ceil(threads * SHARES_PER_THREAD);
    let shares: Vec<&[T]> = items.chunks(size).collect();
    let next = AtomicUsize::new(0);
    let run = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(share) = shares.get(index) else { return done };
            done.push((index, share.iter().map(&work).collect::<Vec<R>>()));
        }
    };
    let mut done = thread::scope(|scope| {
        let spawn = |_| thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, run);
        // Without a thread more, the others do its work.
        let others: Vec<_> = (1..threads).filter_map(|index| spawn(index).ok()).collect();
        let mut done = run();
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        done
    });
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().flat_map(|(_, share)| share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_stays() {
        let items: Vec<usize> = (0..1000).collect();
        for threads in [1, 2, 3, 7] {
            assert_eq!(map(threads, &items, |item| item * 2), (0..2000).step_by(2).collect::<Vec<_>>());
        }
        assert_eq!(map(4, &[1], |item| item + 1), [2]);
        assert!(map(4, &[] as &[usize], |item| item + 1).is_empty());
    }
}
