//! Handles requests to stop: Ctrl-C and termination signals.
//!
//! After the first request the training loop stops between two steps and saves the run. If it does not get
//! there within 0.9 seconds, because a single step takes longer, the process exits, and the last saved
//! checkpoint remains. A second request makes the process exit at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::terminal::stderr;

/// The conventional exit code after Ctrl-C: 128 plus the number of the signal SIGINT.
const EXIT_CODE_CTRL_C: i32 = 130;

/// Time after the first request at which the process exits, unless the training loop has ended by then.
const MAX_STOP_DELAY: Duration = Duration::from_millis(900);

/// Counts the requests to stop.
#[derive(Clone, Default)]
pub struct StopSignal(Arc<State>);

/// What the signal handler and the training loop share.
#[derive(Default)]
struct State {
    requests: AtomicU32,
    /// Whether the training loop has ended and the run is being saved. Then the process waits, however long
    /// that takes.
    saving: AtomicBool,
}

impl StopSignal {
    /// Installs the signal handler; once per process.
    pub fn listen() -> Result<Self> {
        let stop = Self::default();
        let handler = stop.clone();
        ctrlc::set_handler(move || match handler.0.requests.fetch_add(1, Ordering::SeqCst) {
            0 => handler.exit_after_max_wait(),
            _ => exit(),
        })
        .context("no handler for Ctrl-C can be installed")?;
        Ok(stop)
    }

    /// Starts a thread that ends the process after `MAX_STOP_DELAY`, unless the run is being saved by then.
    fn exit_after_max_wait(&self) {
        let stop = self.clone();
        thread::spawn(move || {
            thread::sleep(MAX_STOP_DELAY);
            if !stop.0.saving.load(Ordering::SeqCst) {
                stderr::write("\nStopped in the middle of a step; the last checkpoint is kept.\n");
                exit();
            }
        });
    }

    /// Whether a stop has been requested.
    pub fn requested(&self) -> bool {
        self.0.requests.load(Ordering::SeqCst) > 0
    }

    /// Marks that the training loop has ended and the run is being saved.
    pub fn begin_saving(&self) {
        self.0.saving.store(true, Ordering::SeqCst);
    }
}

/// Ends the process at once.
fn exit() -> ! {
    stderr::show_cursor();
    std::process::exit(EXIT_CODE_CTRL_C)
}
