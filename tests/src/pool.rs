//! Applies one function to many items on all cores, with stacks as big as the service's.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// Stack of a thread that runs the engine.
const STACK: usize = 256 << 20;

/// Applies `work` to every item on all cores; the results are in the items' order.
///
/// # Panics
/// When `work` does.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(items.len()));
    let threads = thread::available_parallelism().map_or(2, usize::from).min(items.len());
    thread::scope(|scope| {
        for _ in 0..threads {
            let one = || {
                while let Some((index, item)) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    items.get(index).map(|item| (index, item))
                } {
                    let result = work(item);
                    results.lock().expect("no worker panicked").push((index, result));
                }
            };
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, one).expect("a thread starts");
        }
    });
    let mut results = results.into_inner().expect("no worker panicked");
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}
