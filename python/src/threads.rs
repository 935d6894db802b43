//! The threads that compute for Python, and how a computation is interrupted.

use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// How often signals such as Ctrl-C are looked for.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// The stack of a thread, as much as the main thread of a program has.
const STACK_BYTES: usize = 8 << 20;

/// The pool of the process with this id. A fork copies the memory of a pool but none of its threads, so a
/// process that was forked needs another one.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// The pool, with as many threads as rayon's own: one for each core, or `RAYON_NUM_THREADS`.
pub fn current_pool() -> PyResult<Arc<ThreadPool>> {
    let mut current = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let id = process::id();
    if let Some((owner, pool)) = &*current
        && *owner == id
    {
        return Ok(pool.clone());
    }
    let built = ThreadPoolBuilder::new().stack_size(STACK_BYTES).build();
    let pool =
        Arc::new(built.map_err(|e| PyOSError::new_err(format!("the threads cannot be started: {e}")))?);
    // The pool of the process that forked is never dropped, because its threads cannot be told to end.
    mem::forget(current.replace((id, pool.clone())));
    Ok(pool)
}

/// Leaves the pool to the work that it still does. What is computed next begins at once, on another one.
fn abandon(pool: &Arc<ThreadPool>) {
    let mut current = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    current.take_if(|(_, present)| Arc::ptr_eq(present, pool));
}

/// Whether a computation should end, because nobody waits for its result any more.
#[derive(Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Computes `work` on the pool without the GIL. Ctrl-C raises `KeyboardInterrupt` at once. Work that does not
/// ask [`Stop`] then goes on to its end, although nobody waits for its result.
pub fn compute<R: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Stop) -> R + Send + 'static,
) -> PyResult<R> {
    let pool = current_pool()?;
    let stop = Stop::default();
    let (send, receive) = channel();
    let stop_of_work = stop.clone();
    pool.spawn(move || {
        // The panic has been reported. Without a result, the receiver finds the channel closed.
        if let Ok(result) = catch_unwind(AssertUnwindSafe(|| work(&stop_of_work))) {
            // Nobody receives it after an interruption.
            let _ = send.send(result);
        }
    });
    let receive = Mutex::new(receive);
    loop {
        let received = py.detach(|| {
            let receive = receive.lock().unwrap_or_else(PoisonError::into_inner);
            receive.recv_timeout(SIGNAL_INTERVAL)
        });
        match received {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => py.check_signals().inspect_err(|_| {
                stop.0.store(true, Ordering::Relaxed);
                abandon(&pool);
            })?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the computation failed"));
            }
        }
    }
}
