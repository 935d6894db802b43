//! The threads that compute for Python, and how a computation is interrupted.

use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use learnery_lab::Interrupt;
use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError, PyRuntimeError};
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

/// Leaves the pool to the work that it still does, which nobody waits for. The next computation begins at
/// once, on a new pool.
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

    fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// How much of its work a tool has done.
#[derive(Clone, Copy)]
pub struct Amount {
    /// How much it has counted.
    pub count: u64,
    /// How much it will count; `None` while nobody can tell.
    pub total: Option<u64>,
    /// The share of the work that is done, 0 to 1.
    pub share: f64,
}

impl Amount {
    /// What a bar shows: how much is done, how much there is, and whether these are percentages, because no
    /// total of what is counted is known. `None` while nothing is done.
    fn shown(self) -> Option<(u64, u64, bool)> {
        match self.total {
            Some(total) => Some((self.count, total, false)),
            None => (self.share > 0.0).then_some(((100.0 * self.share) as u64, 100, true)),
        }
    }
}

/// How far a tool is, for the thread that waits for it.
#[derive(Clone, Default)]
struct Progress(Arc<Mutex<Option<Amount>>>);

impl Progress {
    fn set(&self, amount: Amount) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(amount);
    }

    /// `None` before the first step has ended.
    fn get(&self) -> Option<Amount> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Is told how far a tool is, and says whether to go on.
pub struct Watch {
    stop: Stop,
    progress: Progress,
}

impl Watch {
    /// Ends a long step of a tool early.
    pub fn interrupt(&self) -> Interrupt {
        let stop = self.stop.clone();
        Interrupt::new(move || stop.is_requested())
    }

    /// This much is done. Returns whether to go on.
    pub fn goes_on(&self, amount: Amount) -> bool {
        self.progress.set(amount);
        !self.stop.is_requested()
    }
}

/// Computes `work` on the pool without the GIL. Ctrl-C raises `KeyboardInterrupt` at once. Work that does not
/// ask [`Stop`] then goes on to its end, although nobody waits for its result.
pub fn compute<R: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Stop) -> R + Send + 'static,
) -> PyResult<R> {
    let (pool, stop) = (current_pool()?, Stop::default());
    let results = begin(&pool, stop.clone(), work);
    loop {
        if let Some(result) = next_result(py, &results)? {
            return Ok(result);
        }
        py.check_signals().inspect_err(|_| {
            stop.request();
            abandon(&pool);
        })?;
    }
}

/// [`compute`] for work that can be followed: `show` is called now and then, and at the end, with how much is
/// done, how much there is, and whether these are percentages; so is `meanwhile`, without arguments. Ctrl-C ends
/// such work early, with what is known by then. The result is returned with whether Ctrl-C was pressed. If
/// nothing has been done yet, or after a second Ctrl-C, it raises `KeyboardInterrupt`.
pub fn watched<R: Send + 'static, E: Send + 'static>(
    py: Python<'_>,
    show: Option<&Bound<'_, PyAny>>,
    mut meanwhile: impl FnMut() -> PyResult<()>,
    work: impl FnOnce(Watch) -> Result<R, E> + Send + 'static,
) -> PyResult<(Result<R, E>, bool)> {
    let (pool, stop, progress) = (current_pool()?, Stop::default(), Progress::default());
    let watch = Watch { stop: stop.clone(), progress: progress.clone() };
    let results = begin(&pool, stop.clone(), move |_| work(watch));
    let mut interrupt = None;
    loop {
        let received = next_result(py, &results)?;
        let amount = progress.get();
        let shown = amount.and_then(Amount::shown);
        let mut show_now = || -> PyResult<()> {
            meanwhile()?;
            if let Some((show, shown)) = show.zip(shown) {
                show.call1(shown)?;
            }
            Ok(())
        };
        if let Some(result) = received {
            if result.is_ok() {
                show_now()?;
            }
            return match interrupt {
                // Not enough was done for a result.
                Some(interrupt) if result.is_err() => Err(interrupt),
                interrupt => Ok((result, interrupt.is_some())),
            };
        }
        if let Err(e) = show_now().and_then(|()| py.check_signals()) {
            stop.request();
            let nothing_done = amount.is_none_or(|amount| amount.count == 0);
            if nothing_done || interrupt.is_some() || !e.is_instance_of::<PyKeyboardInterrupt>(py) {
                abandon(&pool);
                return Err(e);
            }
            interrupt = Some(e);
        }
    }
}

/// Begins `work` on the pool. If the channel closes without a result, the work has panicked, which the panic
/// hook has reported. The receiver is in a `Mutex` because `Python::detach` takes only what threads may
/// share.
fn begin<R: Send + 'static>(
    pool: &ThreadPool,
    stop: Stop,
    work: impl FnOnce(&Stop) -> R + Send + 'static,
) -> Mutex<Receiver<R>> {
    let (send, receive) = channel();
    pool.spawn(move || {
        if let Ok(result) = catch_unwind(AssertUnwindSafe(|| work(&stop))) {
            // Nobody receives it after an interruption.
            let _ = send.send(result);
        }
    });
    Mutex::new(receive)
}

/// Waits for the result until it is time to look for signals; `None` if there is none yet.
fn next_result<R: Send>(py: Python<'_>, results: &Mutex<Receiver<R>>) -> PyResult<Option<R>> {
    let received = py.detach(|| {
        let results = results.lock().unwrap_or_else(PoisonError::into_inner);
        results.recv_timeout(SIGNAL_INTERVAL)
    });
    match received {
        Ok(result) => Ok(Some(result)),
        Err(RecvTimeoutError::Timeout) => Ok(None),
        Err(RecvTimeoutError::Disconnected) => Err(PyRuntimeError::new_err("the computation failed")),
    }
}
