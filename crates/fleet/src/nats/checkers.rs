//! The threads of the host that compute parts of results again.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use learnery_lab::fleet::VersionedActor;
use learnery_lab::{Budget, Entry};

use crate::host::Check;

/// A check, and the file with the weights of its version.
struct Task {
    check: Check,
    file: Arc<Vec<u8>>,
}

/// The threads that compute checks.
pub struct Checkers {
    tasks: mpsc::Sender<Task>,
    finished: mpsc::Receiver<FinishedCheck>,
    threads: usize,
    idle_threads: usize,
    /// The time that checks have taken, on all threads together.
    spent_nanoseconds: Arc<AtomicU64>,
}

/// A check that a thread has computed.
pub struct FinishedCheck {
    /// [`Check::ticket`].
    pub ticket: u64,
    /// The bytes that came out.
    pub result: Vec<u8>,
}

impl Checkers {
    /// Starts the threads. They end with the process, or when this is dropped and their checks are done.
    pub fn start(threads: usize, entries: &'static [Entry]) -> Self {
        let (tasks, task_receiver) = mpsc::channel::<Task>();
        let (finished_sender, finished) = mpsc::channel();
        // Threads take turns at the one receiver.
        let task_receiver = Arc::new(Mutex::new(task_receiver));
        let spent_nanoseconds = Arc::new(AtomicU64::new(0));
        for _ in 0..threads {
            let (task_receiver, finished_sender) = (Arc::clone(&task_receiver), finished_sender.clone());
            let spent_nanoseconds = Arc::clone(&spent_nanoseconds);
            thread::spawn(move || {
                let mut actor = VersionedActor::new(entries);
                loop {
                    let Ok(task) = task_receiver.lock().map(|tasks| tasks.recv()) else { return };
                    let Ok(Task { check, file }) = task else { return };
                    let begin = Instant::now();
                    let result = compute(&mut actor, &check, &file);
                    spent_nanoseconds.fetch_add(begin.elapsed().as_nanos() as u64, Ordering::Relaxed);
                    if finished_sender.send(FinishedCheck { ticket: check.ticket, result }).is_err() {
                        return;
                    }
                }
            });
        }
        Self { tasks, finished, threads, idle_threads: threads, spent_nanoseconds }
    }

    /// Whether a thread has nothing to do.
    pub fn is_idle(&self) -> bool {
        self.idle_threads > 0
    }

    /// Whether a thread computes.
    pub fn is_busy(&self) -> bool {
        self.idle_threads < self.threads
    }

    /// Gives a check to a thread. `file` is that of the check's version.
    pub fn begin(&mut self, check: Check, file: Arc<Vec<u8>>) {
        self.idle_threads = self.idle_threads.saturating_sub(1);
        self.tasks.send(Task { check, file }).expect("the threads wait for checks");
    }

    /// A check that a thread has finished since the last call, if there is one.
    pub fn next_finished(&mut self) -> Option<FinishedCheck> {
        let finished = self.finished.try_recv().ok()?;
        self.idle_threads += 1;
        Some(finished)
    }

    /// The time that checks have taken, on all threads together.
    pub fn spent(&self) -> Duration {
        Duration::from_nanos(self.spent_nanoseconds.load(Ordering::Relaxed))
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
