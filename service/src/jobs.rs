//! The pool that all CPU work runs on: few threads with big stacks, a bounded queue in front.
//!
//! Nothing of it runs on a thread that serves HTTP. A panic ends one job and nothing else.

use std::{
    collections::{BTreeMap, VecDeque},
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use odsmith_engine::parallel;
use tokio::sync::oneshot;

/// How much less than other threads a job's thread is to run when both want to.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 15;

type Work = Box<dyn FnOnce() + Send>;

/// Why a job gave no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The queue is full.
    Overloaded,
    /// The job panicked: our own mistake.
    Panicked,
}

/// The pool. When the last handle goes, its threads finish what waits and end.
pub struct Pool {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    wake: Condvar,
    waiting_limit: usize,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Work>,
    /// When each job that runs began, by the number of its thread.
    running: BTreeMap<usize, Instant>,
    is_closed: bool,
}

/// How busy a pool is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Jobs that run.
    pub running: usize,
    /// Jobs that wait.
    pub waiting: usize,
    /// How long the job has run that runs longest.
    pub longest: Duration,
}

impl Pool {
    /// A pool of `threads` threads, in front of which at most `waiting` jobs wait.
    ///
    /// # Errors
    /// A thread could not be made.
    pub fn new(threads: usize, waiting: usize) -> io::Result<Pool> {
        let shared =
            Arc::new(Shared { state: Mutex::default(), wake: Condvar::new(), waiting_limit: waiting.max(1) });
        for index in 0..threads.max(1) {
            let shared = shared.clone();
            let thread =
                thread::Builder::new().name(format!("job-{index}")).stack_size(parallel::STACK_BYTES);
            thread.spawn(move || {
                yield_to_others();
                shared.serve(index);
            })?;
        }
        Ok(Pool { shared })
    }

    /// Queues work; its answer arrives at the receiver.
    ///
    /// # Errors
    /// The queue is full.
    pub fn submit<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<oneshot::Receiver<T>, Refused> {
        let (answer, receiver) = oneshot::channel();
        let work = move || {
            // A caller that has gone does not mind.
            let _ = answer.send(work());
        };
        let mut state = self.shared.lock();
        if state.queue.len() >= self.shared.waiting_limit {
            return Err(Refused::Overloaded);
        }
        state.queue.push_back(Box::new(work));
        drop(state);
        self.shared.wake.notify_one();
        Ok(receiver)
    }

    /// Queues work and waits for its answer.
    ///
    /// # Errors
    /// The queue is full, or the work panicked.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refused> {
        self.submit(work)?.await.map_err(|_| Refused::Panicked)
    }

    /// Queues work and blocks until its answer is there.
    ///
    /// # Errors
    /// The queue is full, or the work panicked.
    pub fn wait<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Refused> {
        self.submit(work)?.blocking_recv().map_err(|_| Refused::Panicked)
    }

    /// How busy it is.
    #[must_use]
    pub fn load(&self) -> Load {
        let state = self.shared.lock();
        Load {
            running: state.running.len(),
            waiting: state.queue.len(),
            longest: state.running.values().min().map_or(Duration::ZERO, Instant::elapsed),
        }
    }
}

/// Makes this thread wait where others want to run: a hit takes microseconds, and should not have to wait until a job
/// has had its turn. Where that can not be done all are equal.
fn yield_to_others() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), NICENESS);
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.lock().is_closed = true;
        self.shared.wake.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // No code that can panic runs under the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self, thread: usize) {
        while let Some(work) = self.take(thread) {
            // What the work shares with others is protected by locks of its own; its answer is dropped unsent.
            let _ = catch_unwind(AssertUnwindSafe(work));
            self.lock().running.remove(&thread);
        }
    }

    fn take(&self, thread: usize) -> Option<Work> {
        let mut state = self.lock();
        loop {
            if let Some(work) = state.queue.pop_front() {
                state.running.insert(thread, Instant::now());
                return Some(work);
            }
            if state.is_closed {
                return None;
            }
            state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_ends_one_job() {
        let pool = Pool::new(1, 4).unwrap();
        assert_eq!(pool.wait(|| panic!("expected by this test")), Err::<(), _>(Refused::Panicked));
        assert_eq!(pool.wait(|| 7), Ok(7));
    }

    #[test]
    fn a_full_queue_refuses() {
        let pool = Pool::new(1, 1).unwrap();
        let (go, gate) = std::sync::mpsc::channel::<()>();
        let (started, has_started) = std::sync::mpsc::channel();
        let first = pool.submit(move || {
            started.send(()).unwrap();
            gate.recv().unwrap();
        });
        has_started.recv().unwrap();
        let second = pool.submit(|| 2).unwrap();
        assert!(matches!(pool.submit(|| 3), Err(Refused::Overloaded)));
        go.send(()).unwrap();
        assert_eq!(second.blocking_recv(), Ok(2));
        assert!(first.is_ok());
    }

    #[test]
    fn deep_stacks_hold() {
        fn deep(level: u32) -> u64 {
            let here = std::hint::black_box([u64::from(level); 64]);
            if level == 0 { here[0] } else { deep(level - 1) + here[1] % 2 }
        }
        assert!(Pool::new(1, 1).unwrap().wait(|| deep(100_000)).is_ok());
    }
}
