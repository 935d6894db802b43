//! How much work a lab may do before it hands control back.
//!
//! Work is counted in *steps*, the smallest piece a lab can stop after, and in *units* of many steps (a
//! whole training iteration). The budget says how many steps fit; it never changes what a step does, so a
//! run is the same however it is sliced.

/// A number of steps, and possibly a clock that may end the slice sooner.
pub struct Budget<'a> {
    left: u64,
    used: u64,
    expired: Option<&'a mut dyn FnMut() -> bool>,
}

impl<'a> Budget<'a> {
    /// Exactly `n` steps, or fewer where a unit ends first.
    pub fn steps(n: u64) -> Self {
        Self { left: n, used: 0, expired: None }
    }

    /// As many steps as the rest of the unit takes.
    pub fn unlimited() -> Self {
        Self::steps(u64::MAX)
    }

    /// At most `n` steps, and none begun once `expired` says so (asked after each step).
    pub fn until(n: u64, expired: &'a mut dyn FnMut() -> bool) -> Self {
        Self { left: n, used: 0, expired: Some(expired) }
    }

    /// True while another step may begin.
    pub fn allows(&self) -> bool {
        self.left > 0
    }

    /// Records one step done; true while another may begin.
    pub fn spend(&mut self) -> bool {
        self.used += 1;
        self.left = self.left.saturating_sub(1);
        if self.left > 0 && self.expired.as_mut().is_some_and(|expired| expired()) {
            self.left = 0;
        }
        self.left > 0
    }

    /// Steps done so far.
    pub fn used(&self) -> u64 {
        self.used
    }
}
