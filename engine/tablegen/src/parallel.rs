//! Work shared among threads; the result does not depend on their number.

use std::{
    collections::VecDeque,
    num::NonZero,
    panic::resume_unwind,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicIsize, Ordering},
    },
    thread::{self, Scope, ScopedJoinHandle},
};

/// Stack of a thread that evaluates or writes: deep definitions need it, and only the touched pages take memory.
pub const STACK_BYTES: usize = 256 << 20;

/// Runs `work` where the stack is deep enough: on this thread's stack, or on a new one.
pub fn with_stack<R>(work: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(STACK_BYTES / 8 * 7, STACK_BYTES, work)
}

/// Returns the number of threads that this process may run at once, or 1 if the system does not report it.
#[must_use]
pub fn parallelism() -> NonZero<usize> {
    thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// A budget of additional threads. The number is negative while a thread continues whose replacement still works.
/// Clones share the number.
#[derive(Clone, Debug, Default)]
pub struct Spare(Arc<AtomicIsize>);

impl Spare {
    /// Creates a budget of this number of threads.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        Spare(Arc::new(AtomicIsize::new(isize::try_from(threads).unwrap_or(isize::MAX))))
    }

    /// Creates a budget of these threads, without the one that works already.
    #[must_use]
    pub fn beside_one(threads: NonZero<usize>) -> Self {
        Spare::new(threads.get() - 1)
    }

    /// Frees a thread: it has done its work, or waits.
    fn give(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// Takes a thread, if one is free.
    fn take(&self) -> bool {
        let less = |threads: isize| (threads > 0).then(|| threads - 1);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
    }

    /// Runs `wait`, while another thread may work in place of this one.
    fn lend<R>(&self, wait: impl FnOnce() -> R) -> R {
        self.give();
        let waited = wait();
        self.0.fetch_sub(1, Ordering::Relaxed);
        waited
    }

    /// Starts a thread if one is free; it is free again after its work.
    fn start<'scope, T: Send + 'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        work: impl FnOnce() -> T + Send + 'scope,
    ) -> Option<ScopedJoinHandle<'scope, T>> {
        if !self.take() {
            return None;
        }
        let work = || {
            let made = work();
            self.give();
            made
        };
        let started = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        if started.is_err() {
            self.give();
        }
        started.ok()
    }
}

/// Maps items on this number of threads, and keeps their order.
///
/// # Panics
/// `work` panicked.
pub fn map<'i, T: Sync, R: Send>(threads: usize, items: &'i [T], work: impl Fn(&'i T) -> R + Sync) -> Vec<R> {
    map_on(&Spare::new(threads.saturating_sub(1)), items, work)
}

/// Maps items on this thread and the free ones, and keeps their order.
///
/// # Panics
/// `work` panicked.
pub fn map_on<'i, T: Sync, R: Send>(
    spare: &Spare,
    items: &'i [T],
    work: impl Fn(&'i T) -> R + Sync,
) -> Vec<R> {
    let mut own = Vec::with_capacity(items.len());
    let others =
        meet(spare, items.len(), &mut own, Vec::new, |done, index| done.push((index, work(&items[index]))));
    let is_sorted = others.is_empty();
    own.extend(others.into_iter().flatten());
    if !is_sorted {
        own.sort_unstable_by_key(|(index, _)| *index);
    }
    own.into_iter().map(|(_, made)| made).collect()
}

/// Works on `count` items, by index, from both ends: this thread into `own` in their order, and all threads that are or
/// become free into states of their own, from the last item on. Returns the others' states.
///
/// # Panics
/// `work` panicked.
pub fn meet<S: Send>(
    spare: &Spare,
    count: usize,
    own: &mut S,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) + Sync,
) -> Vec<S> {
    let left = Mutex::new(0..count);
    // Taking an item cannot panic halfway.
    let left = || left.lock().unwrap_or_else(PoisonError::into_inner);
    let help = || {
        let mut state = state();
        while let Some(index) = { left().next_back() } {
            work(&mut state, index);
        }
        state
    };
    thread::scope(|scope| {
        let mut others = Vec::new();
        loop {
            let (next, waiting) = {
                let mut left = left();
                (left.next(), left.len())
            };
            let Some(index) = next else { break };
            // Without another thread, this one does its work.
            others.extend((0..waiting).map_while(|_| spare.start(scope, help)));
            work(own, index);
        }
        let join = |other: ScopedJoinHandle<'_, S>| other.join().unwrap_or_else(|panic| resume_unwind(panic));
        match others.is_empty() {
            true => Vec::new(),
            false => spare.lend(|| others.into_iter().map(join).collect()),
        }
    })
}

/// Passes the results of `work` on `count` items to `hand_on`, in order, until that returns an error. This thread
/// and the free ones work, each with a state of its own, on at most `ahead` items that wait.
///
/// # Errors
/// Those of `hand_on`.
///
/// # Panics
/// `work` panicked.
pub fn in_order<S, R: Send, E>(
    spare: &Spare,
    count: usize,
    ahead: usize,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> R + Sync,
    mut hand_on: impl FnMut(&mut S, usize, R) -> Result<(), E>,
) -> Result<(), E> {
    let pipeline = Pipeline::new(count, ahead);
    let help = || {
        // A thread whose item will never come has panicked.
        let _end = EndOfPipeline { pipeline: &pipeline, is_end: thread::panicking };
        let mut state = state();
        while let Some(item) = pipeline.take() {
            let made = work(&mut state, item);
            pipeline.put(item, made);
        }
    };
    thread::scope(|scope| {
        let _end = EndOfPipeline { pipeline: &pipeline, is_end: || true };
        let helpers = (1..count.min(ahead)).map_while(|_| spare.start(scope, help)).count();
        let mut own = state();
        for item in 0..count {
            let made = loop {
                match pipeline.next(item, helpers > 0) {
                    Step::Made(made) => break made,
                    Step::Work(other) => {
                        let made = work(&mut own, other);
                        pipeline.put(other, made);
                    }
                    // A helper panicked; so does the scope.
                    Step::End => return Ok(()),
                }
            };
            hand_on(&mut own, item, made)?;
        }
        Ok(())
    })
}

/// Items that are worked on in any order, and passed on in their own.
struct Pipeline<R> {
    count: usize,
    ahead: usize,
    queue: Mutex<Queue<R>>,
    changed: Condvar,
}

struct Queue<R> {
    /// The first item that no thread has started.
    next: usize,
    /// The number of items passed on.
    handed: usize,
    /// The results of the items after those.
    made: VecDeque<Option<R>>,
    is_over: bool,
}

/// The next step of the thread that passes results on.
enum Step<R> {
    Made(R),
    Work(usize),
    End,
}

impl<R> Pipeline<R> {
    fn new(count: usize, ahead: usize) -> Self {
        let queue = Queue { next: 0, handed: 0, made: VecDeque::new(), is_over: false };
        Pipeline { count, ahead, queue: Mutex::new(queue), changed: Condvar::new() }
    }

    fn queue(&self) -> MutexGuard<'_, Queue<R>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'q>(&self, queue: MutexGuard<'q, Queue<R>>) -> MutexGuard<'q, Queue<R>> {
        self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes an item to work on, as soon as few enough wait; nothing at the end.
    fn take(&self) -> Option<usize> {
        let mut queue = self.queue();
        loop {
            if queue.is_over || queue.next == self.count {
                return None;
            }
            if queue.next < queue.handed + self.ahead {
                queue.next += 1;
                return Some(queue.next - 1);
            }
            queue = self.wait(queue);
        }
    }

    /// Stores the result of an item.
    fn put(&self, item: usize, made: R) {
        let mut queue = self.queue();
        let place = item - queue.handed;
        if queue.made.len() <= place {
            queue.made.resize_with(place + 1, || None);
        }
        queue.made[place] = Some(made);
        drop(queue);
        self.changed.notify_all();
    }

    /// Returns the next result to pass on or, until that is there, another item to work on.
    fn next(&self, item: usize, is_helped: bool) -> Step<R> {
        let mut queue = self.queue();
        loop {
            if queue.made.front().is_some_and(Option::is_some)
                && let Some(Some(made)) = queue.made.pop_front()
            {
                queue.handed = item + 1;
                drop(queue);
                self.changed.notify_all();
                return Step::Made(made);
            }
            let may_take = if is_helped { queue.handed + self.ahead } else { item + 1 };
            if queue.next < self.count.min(may_take) {
                queue.next += 1;
                return Step::Work(queue.next - 1);
            }
            if queue.is_over {
                return Step::End;
            }
            queue = self.wait(queue);
        }
    }
}

/// A guard that ends the pipeline when a thread leaves it, so that others do not wait for its item.
struct EndOfPipeline<'p, R> {
    pipeline: &'p Pipeline<R>,
    is_end: fn() -> bool,
}

impl<R> Drop for EndOfPipeline<'_, R> {
    fn drop(&mut self) {
        if (self.is_end)() {
            self.pipeline.queue().is_over = true;
            self.pipeline.changed.notify_all();
        }
    }
}

/// Returns the results of two functions, run at the same time if there may be two threads.
///
/// # Panics
/// One of them panicked.
pub fn both<A: Send, B>(threads: usize, one: impl Fn() -> A + Sync, other: impl FnOnce() -> B) -> (A, B) {
    thread::scope(|scope| {
        let spawn = || thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, &one).ok();
        let running = if threads > 1 { spawn() } else { None };
        let made = other();
        // Without another thread, this one does its work.
        let first =
            running.map_or_else(&one, |running| running.join().unwrap_or_else(|panic| resume_unwind(panic)));
        (first, made)
    })
}

/// Returns the result of `work`, with `help` at the same time if a thread is free; `work` receives whether one is.
///
/// # Panics
/// One of them panicked.
pub fn beside<R>(spare: &Spare, help: impl FnOnce() + Send, work: impl FnOnce(bool) -> R) -> R {
    thread::scope(|scope| work(spare.start(scope, help).is_some()))
}

/// Runs `work` on a thread of its own, for which nothing waits. Where there are no threads, it runs before this returns.
pub fn aside(name: &str, work: impl FnOnce() + Send + 'static) {
    if cfg!(target_family = "wasm") {
        return work();
    }
    // Without a thread its answer never comes, but everything else works.
    let _ = thread::Builder::new().name(name.to_owned()).stack_size(STACK_BYTES).spawn(work);
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    #[test]
    fn both_are_made() {
        for threads in [0, 1, 2] {
            assert_eq!(both(threads, || 1, || "two"), (1, "two"));
        }
    }

    #[test]
    fn the_order_stays() {
        let items: Vec<usize> = (0..1000).collect();
        for threads in [1, 2, 3, 7] {
            assert_eq!(map(threads, &items, |item| item * 2), (0..2000).step_by(2).collect::<Vec<_>>());
        }
        assert_eq!(map(4, &[1], |item| item + 1), [2]);
        assert!(map(4, &[] as &[usize], |item| item + 1).is_empty());
    }

    #[test]
    fn items_are_handed_on_in_their_order() {
        for threads in [0, 1, 3] {
            let (spare, mut all) = (Spare::new(threads), Vec::new());
            let hand_on = |_: &mut (), item, made| {
                all.push((item, made));
                if item == 900 { Err("enough") } else { Ok(()) }
            };
            let ended = in_order(&spare, 1000, 8, || (), |(), item| item * 2, hand_on);
            assert_eq!(ended, Err("enough"));
            assert_eq!(all, (0..=900).map(|item| (item, item * 2)).collect::<Vec<_>>());
            let none = in_order(&spare, 0, 8, || (), |(), item| item, |_, _, _| Err("never"));
            assert_eq!(none, Ok(()));
        }
    }

    #[test]
    fn a_panic_of_a_helper_is_not_waited_for() {
        let (here, has_begun) = (thread::current().id(), AtomicBool::new(false));
        let work = |_: &mut (), item: usize| {
            if thread::current().id() != here {
                has_begun.store(true, Ordering::Relaxed);
                panic!("a helper's panic, which is a part of the test");
            }
            while !has_begun.load(Ordering::Relaxed) {
                thread::yield_now();
            }
            item
        };
        let run = || in_order(&Spare::new(1), 1000, 8, || (), work, |_, _, _| Ok::<_, ()>(()));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
    }

    #[test]
    fn both_ends_meet() {
        for threads in [0, 1, 4] {
            let (spare, mut all) = (Spare::new(threads), Vec::new());
            let others = meet(&spare, 1000, &mut all, Vec::new, |done, index| done.push(index));
            assert!(all.is_sorted(), "this thread goes from the front");
            // A thread that ends early may be followed by another.
            assert!(threads > 0 || others.is_empty());
            for other in others {
                assert!(other.is_sorted_by(|a, b| a > b), "the others go from the back");
                all.extend(other);
            }
            all.sort_unstable();
            assert_eq!(all, (0..1000).collect::<Vec<_>>());
            assert_eq!(
                spare.0.load(Ordering::Relaxed),
                threads as isize,
                "threads that have ended are spare again"
            );
        }
    }
}
