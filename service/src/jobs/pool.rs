//! The pool that runs all processor work: a few threads with big stacks, and a bounded queue.
//!
//! No such work runs on a thread that serves HTTP. A panic ends one job and nothing else. The next task is that of the
//! waiting client whose work has used the least processor time lately. When the queue is full, the client with the most
//! tasks in it loses one, so no client can take the queue from the others. Tasks that have waited for too long, or that
//! no client waits for, are dropped.

use std::{
    collections::{BTreeMap, VecDeque},
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use odsmith_engine::{cancel::Cancel, parallel};
use tokio::{sync::oneshot, time::timeout_at};

use crate::jobs::ticket::{Client, Ticket};

/// The niceness of a job's thread, so that HTTP threads run first.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 15;

/// After this time, half of a client's past use is forgotten.
const HALF_LIFE: Duration = Duration::from_secs(30);

/// After this time without work, a thread rests.
const REST: Duration = Duration::from_millis(500);

/// Maximum number of clients whose use is remembered; beyond it, idle ones are forgotten.
const MOST_CLIENTS: usize = 10_000;

/// The reason why a job gave no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The queue is full.
    Overloaded,
    /// The job's time is over.
    Late,
    /// The job was stopped, as the memory of the process was nearly used up.
    Crowded,
    /// The job panicked: a bug of ours.
    Panicked,
}

/// A task in the queue.
trait Task: Send {
    fn is_over(&self) -> bool;
    fn stopper(&self) -> Stopper;
    fn run(self: Box<Self>);
    fn refuse(self: Box<Self>, why: Refused);
}

/// A handle that stops a task in favour of others.
#[derive(Clone)]
struct Stopper {
    cancel: Cancel,
    is_used: Arc<AtomicBool>,
}

struct Waiting<T, W> {
    work: W,
    ticket: Ticket,
    is_stopped: Arc<AtomicBool>,
    answer: oneshot::Sender<Result<T, Refused>>,
}

impl<T: Send, W: FnOnce() -> T + Send> Task for Waiting<T, W> {
    fn is_over(&self) -> bool {
        self.ticket.is_over() || self.answer.is_closed()
    }

    fn stopper(&self) -> Stopper {
        Stopper { cancel: self.ticket.cancel.clone(), is_used: self.is_stopped.clone() }
    }

    fn run(self: Box<Self>) {
        let before = processor_time();
        let made = (self.work)();
        let after = processor_time();
        self.ticket
            .spent
            .add(before.zip(after).map_or(Duration::ZERO, |(before, after)| after.saturating_sub(before)));
        // The receiver may be gone: then the answer is dropped.
        let is_stopped = self.is_stopped.load(Ordering::Relaxed);
        let _ = self.answer.send(if is_stopped { Err(Refused::Crowded) } else { Ok(made) });
    }

    fn refuse(self: Box<Self>, why: Refused) {
        let _ = self.answer.send(Err(why));
    }
}

/// The pool. When the last handle is dropped, its threads finish the queue and end.
pub struct Pool {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    wake: Condvar,
    waiting_limit: usize,
}

/// The work of one client.
#[derive(Default)]
struct Line {
    waiting: VecDeque<Box<dyn Task>>,
    /// Recent processor time in seconds, as of `at`.
    taken: f64,
    at: Option<Instant>,
    running: usize,
}

impl Line {
    /// Returns the processor time used by now; each running task counts as a second until its time is known.
    fn taken(&self, now: Instant) -> f64 {
        let age = self.at.map_or(0.0, |at| now.saturating_duration_since(at).as_secs_f64());
        self.taken * (-age / HALF_LIFE.as_secs_f64()).exp2() + self.running as f64
    }

    fn add(&mut self, seconds: f64, now: Instant) {
        self.taken = self.taken(now) - self.running as f64 + seconds;
        self.at = Some(now);
    }
}

/// A task that runs.
struct RunningTask {
    begun: Instant,
    stopper: Stopper,
}

#[derive(Default)]
struct State {
    /// By client; the server's own work has no client.
    lines: BTreeMap<Option<Client>, Line>,
    waiting: usize,
    /// The running jobs, by the numbers of their threads.
    running: BTreeMap<usize, RunningTask>,
    is_closed: bool,
}

impl State {
    /// Drops tasks that no client waits for, or that have waited for too long.
    fn purge(&mut self) {
        for line in self.lines.values_mut() {
            let before = line.waiting.len();
            line.waiting.retain(|task| !task.is_over());
            self.waiting -= before - line.waiting.len();
        }
    }

    /// Removes the last task of the client with the most tasks waiting, if these are more than `than`.
    fn shed(&mut self, than: usize) -> Option<Box<dyn Task>> {
        let clients = self.lines.iter_mut().filter(|(client, _)| client.is_some());
        let (_, longest) = clients.max_by_key(|(_, line)| line.waiting.len())?;
        let task = if longest.waiting.len() > than { longest.waiting.pop_back() } else { None };
        self.waiting -= usize::from(task.is_some());
        task
    }

    /// Returns the next task and its client. The server's own work is short, and comes first.
    fn next(&mut self, now: Instant) -> Option<(Option<Client>, Box<dyn Task>)> {
        while self.waiting > 0 {
            let waiting = self.lines.iter().filter(|(_, line)| !line.waiting.is_empty());
            let least = waiting.min_by(|(one, a), (other, b)| {
                one.is_some().cmp(&other.is_some()).then(a.taken(now).total_cmp(&b.taken(now)))
            });
            let client = least.map(|(client, _)| *client)?;
            let task = self.lines.get_mut(&client).and_then(|line| line.waiting.pop_front())?;
            self.waiting -= 1;
            if !task.is_over() {
                return Some((client, task));
            }
            task.refuse(Refused::Late);
        }
        None
    }

    /// Forgets clients without tasks and with almost no recent use.
    fn forget(&mut self, now: Instant) {
        if self.lines.len() > MOST_CLIENTS {
            self.lines
                .retain(|_, line| !line.waiting.is_empty() || line.running > 0 || line.taken(now) > 0.1);
        }
    }
}

/// How busy a pool is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Number of running jobs.
    pub running: usize,
    /// Number of waiting jobs.
    pub waiting: usize,
    /// The time that the longest running job has taken so far.
    pub longest: Duration,
}

impl Pool {
    /// Creates a pool of `threads` threads, with a queue of at most `waiting` jobs.
    ///
    /// # Errors
    /// A thread could not be started.
    pub fn new(threads: usize, waiting: usize) -> io::Result<Pool> {
        let shared =
            Arc::new(Shared { state: Mutex::default(), wake: Condvar::new(), waiting_limit: waiting.max(1) });
        (0..threads.max(1)).try_for_each(|index| start(&shared, index))?;
        Ok(Pool { shared })
    }

    /// Queues work; its answer arrives at the receiver.
    ///
    /// # Errors
    /// The queue is full, and no other client has more in it than this one.
    pub fn submit<T: Send + 'static>(
        &self,
        ticket: &Ticket,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<oneshot::Receiver<Result<T, Refused>>, Refused> {
        let (answer, receiver) = oneshot::channel();
        let task = Waiting { work, ticket: ticket.for_worker(), is_stopped: Arc::default(), answer };
        let mut state = self.shared.lock();
        let mut shed = None;
        if state.waiting >= self.shared.waiting_limit {
            state.purge();
        }
        if state.waiting >= self.shared.waiting_limit {
            let own = state.lines.get(&ticket.client).map_or(0, |line| line.waiting.len());
            // Internal work never displaces a task, so that readiness shows whether the queue moves.
            shed = ticket.client.and_then(|_| state.shed(own + 1));
            if shed.is_none() {
                return Err(Refused::Overloaded);
            }
        }
        state.forget(Instant::now());
        state.lines.entry(ticket.client).or_default().waiting.push_back(Box::new(task));
        state.waiting += 1;
        drop(state);
        if let Some(shed) = shed {
            shed.refuse(Refused::Overloaded);
        }
        self.shared.wake.notify_one();
        Ok(receiver)
    }

    /// Queues work and waits for its answer until the ticket's deadline. Work that has not begun by then is dropped;
    /// running work is cancelled.
    ///
    /// # Errors
    /// The queue is full, the time is over, or the work panicked.
    pub async fn run<T: Send + 'static>(
        &self,
        ticket: &Ticket,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refused> {
        let answer = self.submit(ticket, work)?;
        match timeout_at(ticket.until.into(), answer).await {
            Ok(answer) => answer.unwrap_or(Err(Refused::Panicked)),
            Err(_) => {
                ticket.cancel.cancel();
                Err(Refused::Late)
            }
        }
    }

    /// Queues work and blocks until its answer arrives.
    ///
    /// # Errors
    /// The queue is full, or the work panicked.
    pub fn wait<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Refused> {
        let ever = Ticket::internal(Duration::from_secs(365 * 24 * 3600));
        self.submit(&ever, work)?.blocking_recv().unwrap_or(Err(Refused::Panicked))
    }

    /// Returns how busy the pool is.
    #[must_use]
    pub fn load(&self) -> Load {
        let state = self.shared.lock();
        Load {
            running: state.running.len(),
            waiting: state.waiting,
            longest: state.running.values().map(|task| task.begun.elapsed()).max().unwrap_or_default(),
        }
    }

    /// Stops the job that has run longest, in favour of others; returns false if none is left to stop. Honest jobs are
    /// short.
    pub fn relieve(&self) -> bool {
        let state = self.shared.lock();
        let running = state.running.values().filter(|task| !task.stopper.is_used.load(Ordering::Relaxed));
        let Some(longest) = running.min_by_key(|task| task.begun) else { return false };
        longest.stopper.is_used.store(true, Ordering::Relaxed);
        longest.stopper.cancel.cancel();
        true
    }
}

/// Starts a thread of the pool.
fn start(shared: &Arc<Shared>, index: usize) -> io::Result<()> {
    let shared = shared.clone();
    let thread = thread::Builder::new().name(format!("job-{index}")).stack_size(parallel::STACK_BYTES);
    thread.spawn(move || {
        yield_to_others();
        serve(&shared, index);
    })?;
    Ok(())
}

/// Runs queued tasks until the pool is closed. A thread that rests after work is replaced by a new one: an allocator
/// frees the memory that it caches for a thread when the thread ends.
fn serve(shared: &Arc<Shared>, index: usize) {
    let mut has_worked = false;
    loop {
        match shared.take(index, has_worked) {
            Next::Task(client, task) => shared.work(index, client, task),
            Next::Rest if start(shared, index).is_ok() => return,
            // If no thread can be started, this one goes on.
            Next::Rest => {}
            Next::End => return,
        }
        has_worked = true;
    }
}

/// The next step of a thread.
enum Next {
    Task(Option<Client>, Box<dyn Task>),
    /// No task arrived for a while.
    Rest,
    End,
}

/// Lowers the priority of this thread: a hit takes microseconds, and should not wait for a job's time slice. Elsewhere
/// than on Linux all threads have the same priority.
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

    fn work(&self, thread: usize, client: Option<Client>, task: Box<dyn Task>) {
        let (begun, clock) = (Instant::now(), processor_time());
        // The work's shared state has its own locks; after a panic its answer is dropped unsent.
        let _ = catch_unwind(AssertUnwindSafe(|| task.run()));
        let taken = clock
            .zip(processor_time())
            .map_or_else(|| begun.elapsed(), |(before, after)| after.saturating_sub(before));
        let mut state = self.lock();
        state.running.remove(&thread);
        if let Some(line) = state.lines.get_mut(&client) {
            line.running -= 1;
            line.add(taken.as_secs_f64(), Instant::now());
        }
    }

    /// Waits for the next task; if the thread `may_rest`, for a limited time.
    fn take(&self, thread: usize, may_rest: bool) -> Next {
        let mut state = self.lock();
        loop {
            let now = Instant::now();
            if let Some((client, task)) = state.next(now) {
                state.running.insert(thread, RunningTask { begun: now, stopper: task.stopper() });
                state.lines.entry(client).or_default().running += 1;
                return Next::Task(client, task);
            }
            if state.is_closed {
                return Next::End;
            }
            if !may_rest {
                state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let waited = self.wake.wait_timeout(state, REST).unwrap_or_else(PoisonError::into_inner);
            state = waited.0;
            if waited.1.timed_out() && state.waiting == 0 && !state.is_closed {
                return Next::Rest;
            }
        }
    }
}

/// Returns the processor time of this thread, where it is known.
fn processor_time() -> Option<Duration> {
    #[cfg(target_os = "linux")]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        let (seconds, nanos) = (u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?);
        Some(Duration::new(seconds, nanos))
    }
    #[cfg(not(target_os = "linux"))]
    None
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn client(last: u8) -> Ticket {
        Ticket::new(Client::at([10, 0, 0, last].into()), Duration::from_secs(60))
    }

    /// Creates a pool of one thread, which is busy until the sender is dropped.
    fn busy(
        waiting: usize,
        ticket: &Ticket,
    ) -> (Pool, mpsc::Sender<()>, oneshot::Receiver<Result<(), Refused>>) {
        let pool = Pool::new(1, waiting).unwrap();
        let (go, gate) = mpsc::channel::<()>();
        let (started, has_started) = mpsc::channel();
        let work = pool.submit(ticket, move || {
            started.send(()).unwrap();
            let _ = gate.recv();
        });
        has_started.recv().unwrap();
        (pool, go, work.unwrap())
    }

    #[test]
    fn the_longest_job_is_stopped_in_favour_of_others() {
        let (long, other) = (client(1), client(2));
        let (pool, go, work) = busy(4, &long);
        let waiting = pool.submit(&other, || 7).unwrap();
        assert!(pool.relieve() && long.cancel.is_cancelled());
        assert!(!pool.relieve(), "it is stopped once");
        drop(go);
        assert_eq!(work.blocking_recv(), Ok(Err(Refused::Crowded)));
        assert_eq!(waiting.blocking_recv(), Ok(Ok(7)));
    }

    #[test]
    fn a_panic_ends_one_job() {
        let pool = Pool::new(1, 4).unwrap();
        assert_eq!(pool.wait(|| panic!("expected by this test")), Err::<(), _>(Refused::Panicked));
        assert_eq!(pool.wait(|| 7), Ok(7));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_is_spent_on_a_ticket_is_on_it_with_the_answer() {
        let (pool, ticket) = (Pool::new(2, 4).unwrap(), client(1));
        let spin = || {
            let start = processor_time().unwrap();
            while processor_time().unwrap() - start < Duration::from_millis(20) {}
        };
        for times in 1..3 {
            pool.submit(&ticket, spin).unwrap().blocking_recv().unwrap().unwrap();
            assert!(ticket.spent.time() >= Duration::from_millis(20 * times));
        }
    }

    #[test]
    fn a_full_queue_refuses() {
        let ticket = client(1);
        let (pool, go, _work) = busy(1, &ticket);
        let second = pool.submit(&ticket, || 2).unwrap();
        assert_eq!(pool.submit(&ticket, || 3).err(), Some(Refused::Overloaded));
        drop(go);
        assert_eq!(second.blocking_recv(), Ok(Ok(2)));
    }

    #[test]
    fn a_client_that_fills_the_queue_gives_way_to_others() {
        let (greedy, modest) = (client(1), client(2));
        let (pool, go, _work) = busy(8, &greedy);
        let (done, order) = mpsc::channel();
        let mut greedy_work = Vec::new();
        for _ in 0..8 {
            let done = done.clone();
            greedy_work.push(pool.submit(&greedy, move || done.send("greedy").unwrap()).unwrap());
        }
        let modest_work = pool.submit(&modest, move || done.send("modest").unwrap()).unwrap();
        drop(go);
        assert_eq!(modest_work.blocking_recv(), Ok(Ok(())));
        let answers: Vec<_> = greedy_work.into_iter().map(|work| work.blocking_recv().unwrap()).collect();
        assert_eq!(answers.iter().filter(|answer| **answer == Err(Refused::Overloaded)).count(), 1);
        assert_eq!(order.recv(), Ok("modest"), "the one who has taken least is next");
    }

    #[test]
    fn time_counts_and_not_requests() {
        let (heavy, light) = (client(1), client(2));
        let (pool, go, _work) = busy(64, &heavy);
        drop(go);
        let spin = || {
            let begun = Instant::now();
            while begun.elapsed() < Duration::from_millis(30) {
                std::hint::black_box(0);
            }
        };
        pool.submit(&heavy, spin).unwrap().blocking_recv().unwrap().unwrap();
        // Many requests that cost nothing.
        for _ in 0..20 {
            pool.submit(&light, || ()).unwrap().blocking_recv().unwrap().unwrap();
        }
        // The pool records the use only after the answer.
        pool.wait(|| ()).unwrap();
        let state = pool.shared.lock();
        let taken = |ticket: &Ticket| state.lines[&ticket.client].taken(Instant::now());
        assert!(taken(&heavy) > 2.0 * taken(&light), "{} {}", taken(&heavy), taken(&light));
    }

    #[actix_web::test]
    async fn what_waits_too_long_is_never_begun() {
        let (pool, go, _work) = busy(8, &client(1));
        let short = Ticket::new(Client::at([10, 0, 0, 2].into()), Duration::from_millis(20));
        let (began, has_begun) = mpsc::channel();
        assert_eq!(pool.run(&short, move || began.send(()).unwrap()).await, Err(Refused::Late));
        drop(go);
        // Runs after every task that was queued before it.
        pool.run(&client(2), || ()).await.unwrap();
        assert!(has_begun.try_recv().is_err());
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
