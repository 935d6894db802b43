//! Handles requests to stop: Ctrl-C and termination signals.
//!
//! After the first request the training loop stops between two steps and saves the run. If it does not get
//! there within 0.9 seconds, because a single step takes longer, the process writes the newest checkpoints in
//! memory and exits. A second request makes the process exit at once.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::failure::Interrupted;
use crate::run::kept::{KeptRun, WeakRun};
use crate::terminal::stderr;

/// The number of the signal of Ctrl-C.
const SIGINT: i32 = 2;

/// What stands for no signal; signals have numbers from 1 on.
const NO_SIGNAL: i32 = 0;

/// Time after the first request at which the process exits, unless the training loop has ended by then and
/// the run is being saved.
const MAX_STOP_DELAY: Duration = Duration::from_millis(900);

/// Counts the requests to stop.
#[derive(Clone, Default)]
pub struct StopSignal(Arc<State>);

/// What the signal handler and the training loop share.
#[derive(Default)]
struct State {
    requests: AtomicU32,
    /// The number of the first signal; [`NO_SIGNAL`] before it.
    signal: AtomicI32,
    /// Whether the training loop has ended and the run is being saved. Then the process waits, however long
    /// that takes.
    saving: AtomicBool,
    /// The runs that this process trains.
    runs: Mutex<Vec<WeakRun>>,
    /// What the command has not reached if it stops now, as a sentence; `None` if a stop is a success.
    missed: Mutex<Option<&'static str>>,
}

impl StopSignal {
    /// Installs the signal handler; once per process.
    pub fn listen() -> Result<Self> {
        let stop = Self::default();
        listen(stop.clone()).context("no handler for Ctrl-C can be installed")?;
        Ok(stop)
    }

    /// Takes in a signal.
    fn receive(&self, signal: i32) {
        // Only the first signal is kept.
        _ = self.0.signal.compare_exchange(NO_SIGNAL, signal, Ordering::SeqCst, Ordering::SeqCst);
        match self.0.requests.fetch_add(1, Ordering::SeqCst) {
            0 => self.exit_after_max_wait(),
            _ => exit(self.code()),
        }
    }

    /// Starts a thread that ends the process after [`MAX_STOP_DELAY`], unless the training loop has ended by
    /// then and the run is being saved.
    fn exit_after_max_wait(&self) {
        let stop = self.clone();
        thread::spawn(move || {
            thread::sleep(MAX_STOP_DELAY);
            if !stop.0.saving.load(Ordering::SeqCst) {
                stop.rescue_and_exit();
            }
        });
    }

    /// Writes the newest checkpoints in memory, and ends the process.
    fn rescue_and_exit(&self) -> ! {
        let runs = self.0.runs.lock().unwrap_or_else(PoisonError::into_inner);
        let going_on: Vec<KeptRun> = runs.iter().filter_map(WeakRun::upgrade).collect();
        // The runs stay locked until the end, so that nothing is written in between.
        let rescued: Vec<_> = going_on.iter().map(KeptRun::rescue).collect();
        let sentences: String = rescued.iter().map(|run| format!("{}\n", run.sentence())).collect();
        stderr::write(&format!("\nStopped in the middle of a step.\n{sentences}"));
        let code = match self.missed() {
            Some(error) => {
                stderr::write_error(&error.to_string());
                error.code()
            }
            // A command without runs was cut off; a run that is rescued can go on, which is a success.
            None if runs.is_empty() => self.code(),
            None => 0,
        };
        exit(code)
    }

    /// Whether a stop has been requested.
    pub fn requested(&self) -> bool {
        self.0.requests.load(Ordering::SeqCst) > 0
    }

    /// Marks that the training loop has ended and the run is being saved.
    pub fn begin_saving(&self) {
        self.0.saving.store(true, Ordering::SeqCst);
    }

    /// Adds a run, whose checkpoint in memory is written if the process ends in the middle of a step.
    pub fn add(&self, run: &KeptRun) {
        self.0.runs.lock().unwrap_or_else(PoisonError::into_inner).push(run.downgrade());
    }

    /// Makes a stop a failure: `sentence` says what was not reached.
    pub fn fail_with(&self, sentence: &'static str) {
        *self.0.missed.lock().unwrap_or_else(PoisonError::into_inner) = Some(sentence);
    }

    /// The error of a stop, which says what was not reached; `None` if a stop is a success.
    pub fn missed(&self) -> Option<Interrupted> {
        let sentence = *self.0.missed.lock().unwrap_or_else(PoisonError::into_inner);
        sentence.map(|sentence| self.interrupted(sentence))
    }

    /// The error of a command that a signal ended. The sentence says what it did not reach.
    pub fn interrupted(&self, sentence: &'static str) -> Interrupted {
        Interrupted { sentence, signal: self.0.signal.load(Ordering::SeqCst) }
    }

    /// The exit code of a command that ends at once.
    fn code(&self) -> u8 {
        self.interrupted("").code()
    }
}

/// Calls [`StopSignal::receive`] with every signal.
#[cfg(unix)]
fn listen(stop: StopSignal) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    thread::spawn(move || signals.forever().for_each(|signal| stop.receive(signal)));
    Ok(())
}

#[cfg(not(unix))]
fn listen(stop: StopSignal) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(move || stop.receive(SIGINT))
}

/// Ends the process at once.
fn exit(code: u8) -> ! {
    stderr::show_cursor();
    std::process::exit(code.into())
}
