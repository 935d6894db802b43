//! Slow motion: limits the number of steps per second.

/// The longest pause that slow motion and the animation make up for. A longer pause, as in a hidden tab,
/// counts as this long. In slow motion it counts as the time of one step if that is longer, so that a slow
/// rate is kept although the worker sleeps from one step to the next.
pub const MAX_CATCH_UP_SECONDS: f64 = 0.25;

/// Limits the number of steps per second (a token bucket): passing time adds steps to a balance, and each
/// step takes one from it.
#[derive(Clone, Copy, Debug, Default)]
pub struct SlowMotion {
    /// The rate; `None` runs at full speed.
    pub steps_per_second: Option<f64>,
    /// The number of steps that are allowed now; its fraction is part of the next step.
    balance: f64,
    /// When time was last added to the balance.
    updated_at_ms: f64,
}

impl SlowMotion {
    pub fn new(steps_per_second: Option<f64>, now_ms: f64) -> Self {
        let steps_per_second = steps_per_second.filter(|rate| rate.is_finite() && *rate > 0.0);
        Self { steps_per_second, balance: 0.0, updated_at_ms: now_ms }
    }

    /// How many steps are allowed now.
    pub fn allowed_steps(&mut self, now_ms: f64) -> u64 {
        let Some(rate) = self.steps_per_second else { return u64::MAX };
        let seconds =
            ((now_ms - self.updated_at_ms) / 1000.0).clamp(0.0, MAX_CATCH_UP_SECONDS.max(1.0 / rate));
        self.balance += seconds * rate;
        self.updated_at_ms = now_ms;
        self.balance as u64
    }

    /// Takes the steps that were done from the balance.
    pub fn take(&mut self, steps: u64) {
        if self.steps_per_second.is_some() {
            self.balance = (self.balance - steps as f64).max(0.0);
        }
    }

    /// Milliseconds from now until one more step is allowed; zero at full speed.
    pub fn milliseconds_until_step(&self, now_ms: f64) -> f64 {
        let Some(rate) = self.steps_per_second else { return 0.0 };
        let allowed_at_ms = self.updated_at_ms + (1.0 - self.balance) / rate * 1000.0;
        (allowed_at_ms - now_ms).max(0.0)
    }
}
