//! Requests to stop: Ctrl-C and termination signals.
//!
//! The first request lets the unit end and the run be saved, if that takes less than a second. Otherwise the process ends
//! after a second with the last checkpoint kept. A second request ends it at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::display;

/// Exit code of a program that was ended by Ctrl-C.
const ENDED_BY_CTRL_C: i32 = 130;

/// Time from the first request to the end of the process, unless the run ends properly by then.
const LONGEST_WAIT: Duration = Duration::from_millis(900);

/// Whether somebody asked the program to stop.
#[derive(Clone, Default)]
pub struct Stop(Arc<State>);

#[derive(Default)]
struct State {
    requests: AtomicU32,
    /// The training loop has ended and saves, which is not to be cut off by the first request.
    ending: AtomicBool,
}

impl Stop {
    /// Listens from now on; once per process.
    pub fn listen() -> Result<Self> {
        let stop = Self::default();
        let seen = stop.clone();
        ctrlc::set_handler(move || match seen.0.requests.fetch_add(1, Ordering::SeqCst) {
            0 => seen.end_after_a_second(),
            _ => exit(),
        })
        .context("Ctrl-C cannot be listened for")?;
        Ok(stop)
    }

    /// A single step of a lab may take longer than anybody wants to wait.
    fn end_after_a_second(&self) {
        let stop = self.clone();
        thread::spawn(move || {
            thread::sleep(LONGEST_WAIT);
            if !stop.0.ending.load(Ordering::SeqCst) {
                display::put("\nStopped in the middle of a step; the last checkpoint is kept.\n");
                exit();
            }
        });
    }

    /// True from the first request on.
    pub fn requested(&self) -> bool {
        self.0.requests.load(Ordering::SeqCst) > 0
    }

    /// Says that the run ends properly now, however long saving takes.
    pub fn ending(&self) {
        self.0.ending.store(true, Ordering::SeqCst);
    }
}

fn exit() -> ! {
    display::give_back_cursor();
    std::process::exit(ENDED_BY_CTRL_C)
}
