//! Waiting for a GPU.

use std::time::{Duration, Instant};

/// How long the thread polls without sleeping. A search on a GPU waits thousands of times a second, and Linux
/// may wake a sleeping thread 0.1 ms late.
const BUSY_WAIT_DURATION: Duration = Duration::from_millis(1);

/// How long the thread sleeps between two polls after that, so that it does not keep a core busy.
const POLL_INTERVAL: Duration = Duration::from_micros(100);

/// A wait for a GPU, from the first [`DeviceWait::pause`] to [`DeviceWait::end`].
#[derive(Debug, Default)]
pub struct DeviceWait {
    since: Option<Instant>,
}

impl DeviceWait {
    /// Yields, or sleeps briefly in a longer wait; then the caller polls the device again. Returns false in a
    /// browser, where the caller must return to the worker's event loop instead.
    pub fn pause(&mut self) -> bool {
        if cfg!(target_family = "wasm") {
            return false;
        }
        if self.since.get_or_insert_with(Instant::now).elapsed() < BUSY_WAIT_DURATION {
            std::thread::yield_now();
        } else {
            std::thread::sleep(POLL_INTERVAL);
        }
        true
    }

    /// Ends the wait. Must be called whenever a poll has found something; otherwise the next wait begins with
    /// sleeping.
    pub fn end(&mut self) {
        self.since = None;
    }
}
