//! The budget of one call of [`Budget::advance`]: the maximum number of steps before it returns.
//!
//! A *step* is the smallest interruptible piece of work; a *unit* is a training iteration of many steps. A
//! budget limits the number of steps and never changes what a step does. So however a run is divided into
//! calls, its result is bit-identical.

use crate::{Context, Lab, Status};

/// A maximum number of steps, and optionally a deadline.
pub struct Budget<'a> {
    remaining: u64,
    used: u64,
    /// Called after each step after which another one may follow. If it returns true, none does.
    expired: Option<&'a mut dyn FnMut() -> bool>,
}

impl<'a> Budget<'a> {
    /// At most `n` steps.
    pub fn steps(n: u64) -> Self {
        Self { remaining: n, used: 0, expired: None }
    }

    /// As many steps as the unit needs. `advance` still returns at the end of the unit.
    pub fn unlimited() -> Self {
        Self::steps(u64::MAX)
    }

    /// At most `n` steps, and no further step once `expired` returns true. `expired` is called after each
    /// step after which another one may follow.
    pub fn until(n: u64, expired: &'a mut dyn FnMut() -> bool) -> Self {
        Self { remaining: n, used: 0, expired: Some(expired) }
    }

    /// Does steps of a lab until the budget is spent, the unit is finished, or a device is busy or has
    /// failed.
    pub fn advance<L: Lab>(&mut self, lab: &mut L, cx: Context<L::Config>) -> Status {
        while self.allows() {
            let status = lab.step(cx);
            if !matches!(status, Status::Waiting | Status::Failed) {
                self.spend();
            }
            if status != Status::Ready {
                return status;
            }
        }
        Status::Ready
    }

    /// Whether another step may begin.
    pub fn allows(&self) -> bool {
        self.remaining > 0
    }

    /// Counts one completed step and returns whether another may begin.
    pub fn spend(&mut self) -> bool {
        self.used += 1;
        self.remaining = self.remaining.saturating_sub(1);
        if self.remaining > 0 && self.expired.as_mut().is_some_and(|expired| expired()) {
            self.remaining = 0;
        }
        self.remaining > 0
    }

    /// Steps completed.
    pub fn used(&self) -> u64 {
        self.used
    }
}
