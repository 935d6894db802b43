//! The threads of the host that compute parts of results again.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use learnery_lab::fleet::VersionedActor;
use learnery_lab::{Budget, Entry};

use crate::host::Check;

/// A check and the file of its version.
struct Task {
    check: Check,
    file: Arc<Vec<u8>>,
}

/// The threads that compute checks.
pub struct Checkers {
    tasks: mpsc::Sender<Task>,
    done: mpsc::Receiver<(u64, Vec<u8>)>,
    threads: usize,
    idle: usize,
    /// Nanoseconds that checks have taken.
    spent: Arc<AtomicU64>,
}

impl Checkers {
    /// Starts the threads. They end with the process, or when this is dropped and their checks are done.
    pub fn start(threads: usize, entries: &'static [Entry]) -> Self {
        let (tasks, receive) = mpsc::channel::<Task>();
        let (send, done) = mpsc::channel();
        let receive = Arc::new(Mutex::new(receive));
        let spent = Arc::new(AtomicU64::new(0));
        for _ in 0..threads {
            let (receive, send, spent) = (Arc::clone(&receive), send.clone(), Arc::clone(&spent));
            thread::spawn(move || {
                let mut actor = VersionedActor::new(entries);
                loop {
                    let Ok(task) = receive.lock().map(|receive| receive.recv()) else { return };
                    let Ok(Task { check, file }) = task else { return };
                    let begin = Instant::now();
                    let again = compute(&mut actor, &check, &file);
                    spent.fetch_add(begin.elapsed().as_nanos() as u64, Ordering::Relaxed);
                    if send.send((check.ticket, again)).is_err() {
                        return;
                    }
                }
            });
        }
        Self { tasks, done, threads, idle: threads, spent }
    }

    /// Whether a thread has nothing to do.
    pub fn is_idle(&self) -> bool {
        self.idle > 0
    }

    /// Whether a thread computes.
    pub fn is_busy(&self) -> bool {
        self.idle < self.threads
    }

    /// Computes a check.
    pub fn begin(&mut self, check: Check, file: Arc<Vec<u8>>) {
        self.idle = self.idle.saturating_sub(1);
        self.tasks.send(Task { check, file }).expect("the threads wait for checks");
    }

    /// A check that is done: its ticket and the result.
    pub fn next_done(&mut self) -> Option<(u64, Vec<u8>)> {
        let done = self.done.try_recv().ok()?;
        self.idle += 1;
        Some(done)
    }

    /// The time that checks have taken, on all threads together.
    pub fn spent(&self) -> Duration {
        Duration::from_nanos(self.spent.load(Ordering::Relaxed))
    }
}

fn compute(actor: &mut VersionedActor, check: &Check, file: &[u8]) -> Vec<u8> {
    if actor.version() != Some(check.version) {
        actor.load(check.version, file).expect("the host's own version");
    }
    actor.begin(&check.job).expect("the host's own job");
    loop {
        if let Some(result) = actor.advance(&mut Budget::steps(u64::MAX)) {
            return result;
        }
    }
}
