//! Waiting for a GPU.

use std::time::{Duration, Instant};

/// How long the thread stays awake. Systems wake a sleeping thread up to a tenth of a millisecond late, which a search with
/// thousands of requests a second would lose each time.
const AWAKE: Duration = Duration::from_millis(1);

/// How long the thread sleeps at a time when the device takes longer than that, so that it does not keep a core busy.
const SLEEP: Duration = Duration::from_micros(100);

/// A wait for a GPU, from the first [`DeviceWait::pause`] to [`DeviceWait::end`].
#[derive(Debug, Default)]
pub struct DeviceWait {
    since: Option<Instant>,
}

impl DeviceWait {
    /// Waits a moment, after which the device should be asked again. Returns false in a browser, which must not wait: there the
    /// worker's message loop goes on.
    pub fn pause(&mut self) -> bool {
        if cfg!(target_family = "wasm") {
            return false;
        }
        if self.since.get_or_insert_with(Instant::now).elapsed() < AWAKE {
            std::thread::yield_now();
        } else {
            std::thread::sleep(SLEEP);
        }
        true
    }

    /// Ends the wait, because the device has answered.
    pub fn end(&mut self) {
        self.since = None;
    }
}
