//! Requests to stop: Ctrl-C and termination signals.
//!
//! After the first request, the unit in progress may end and the run is saved, if that takes less than a second.
//! Otherwise the process ends after a second and the last checkpoint is kept. A second request ends it at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::terminal::stderr;

/// Exit code of a program that was ended by Ctrl-C.
const ENDED_BY_CTRL_C: i32 = 130;

/// Time from the first request to the end of the process, unless the run ends properly by then.
const MAX_WAIT: Duration = Duration::from_millis(900);

/// Counts the requests to stop.
#[derive(Clone, Default)]
pub struct StopSignal(Arc<State>);

#[derive(Default)]
struct State {
    requests: AtomicU32,
    /// The training loop has ended and saves, which the first request must not cut off.
    saving: AtomicBool,
}

impl StopSignal {
    /// Installs the signal handler; once per process.
    pub fn listen() -> Result<Self> {
        let stop = Self::default();
        let handler = stop.clone();
        ctrlc::set_handler(move || match handler.0.requests.fetch_add(1, Ordering::SeqCst) {
            0 => handler.exit_after_a_second(),
            _ => exit(),
        })
        .context("Ctrl-C cannot be listened for")?;
        Ok(stop)
    }

    /// A single step of a lab may take longer than a person wants to wait.
    fn exit_after_a_second(&self) {
        let stop = self.clone();
        thread::spawn(move || {
            thread::sleep(MAX_WAIT);
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

    /// Marks that the run ends properly from here on, however long saving takes.
    pub fn begin_saving(&self) {
        self.0.saving.store(true, Ordering::SeqCst);
    }
}

fn exit() -> ! {
    stderr::show_cursor();
    std::process::exit(ENDED_BY_CTRL_C)
}
