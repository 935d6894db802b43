//! A line on a terminal that says how far the work is.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::Instant;

use crate::terminal::stderr;

/// Moves the cursor to the beginning of the line and erases the line.
const CLEAR_LINE: &str = "\r\x1b[K";

/// The line. Nothing is written if standard error is no terminal.
pub struct ProgressLine {
    /// When the line was last written; `None` if standard error is no terminal.
    last_written: Option<Mutex<Instant>>,
}

impl ProgressLine {
    /// Seconds between two changes of the line.
    const UPDATE_INTERVAL_SECONDS: f64 = 0.1;

    pub fn new() -> Self {
        Self { last_written: std::io::stderr().is_terminal().then(|| Mutex::new(Instant::now())) }
    }

    /// Called from any thread. Writes the line unless it was written a moment ago.
    pub fn show(&self, text: impl Fn() -> String) {
        // A thread that finds the line in use need not write it.
        let last_written = self.last_written.as_ref().and_then(|written| written.try_lock().ok());
        let Some(mut last_written) = last_written else { return };
        if last_written.elapsed().as_secs_f64() >= Self::UPDATE_INTERVAL_SECONDS {
            stderr::write(&format!("{CLEAR_LINE}{}", text()));
            *last_written = Instant::now();
        }
    }

    pub fn clear(&self) {
        if self.last_written.is_some() {
            stderr::write(CLEAR_LINE);
        }
    }
}
