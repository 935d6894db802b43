//! The budget of a call of [`crate::Lab::advance`]: how many steps it may do before it returns.
//!
//! A *step* is the smallest interruptible piece of work; a *unit* is a training iteration of many steps. A budget limits the
//! number of steps and never changes what a step does, so slicing a run changes no bit.

/// A maximum number of steps, and optionally a deadline.
pub struct Budget<'a> {
    left: u64,
    used: u64,
    /// Asked after each step; `true` ends the slice.
    expired: Option<&'a mut dyn FnMut() -> bool>,
}

impl<'a> Budget<'a> {
    /// `n` steps, or fewer where the unit ends first.
    pub fn steps(n: u64) -> Self {
        Self { left: n, used: 0, expired: None }
    }

    /// The rest of the unit.
    pub fn unlimited() -> Self {
        Self::steps(u64::MAX)
    }

    /// At most `n` steps, and no further one once `expired` returns true, which is asked after each step.
    pub fn until(n: u64, expired: &'a mut dyn FnMut() -> bool) -> Self {
        Self { left: n, used: 0, expired: Some(expired) }
    }

    /// Whether another step may begin.
    pub fn allows(&self) -> bool {
        self.left > 0
    }

    /// Counts one completed step; returns whether another may begin.
    pub fn spend(&mut self) -> bool {
        self.used += 1;
        self.left = self.left.saturating_sub(1);
        if self.left > 0 && self.expired.as_mut().is_some_and(|expired| expired()) {
            self.left = 0;
        }
        self.left > 0
    }

    /// Steps completed.
    pub fn used(&self) -> u64 {
        self.used
    }
}
