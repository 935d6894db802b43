//! How long a sweep still takes, estimated from what this process has computed of it so far.

use std::time::Instant;

/// The shares of the runs that are computed. A whole run counts 1. A *unit* is a training iteration.
pub struct TimeLeft {
    begin: Instant,
    /// What there is to do.
    all: f64,
    /// What need not be computed any more: others have, or a run has ended before its last unit.
    skipped: f64,
    /// What this process, or those that compute for it, has computed.
    computed: f64,
    /// The share of each run that was skipped or computed.
    shares: Vec<f64>,
}

impl TimeLeft {
    /// For this number of runs, of which `all` whole runs are to be computed.
    pub fn new(runs: usize, all: f64) -> Self {
        Self { begin: Instant::now(), all, skipped: 0.0, computed: 0.0, shares: vec![0.0; runs] }
    }

    /// Notes that a run need not be computed up to this share.
    pub fn skip(&mut self, run: usize, share: f64) {
        self.skipped += self.raise(run, share);
    }

    /// Notes that a run has been computed up to this share.
    pub fn compute(&mut self, run: usize, share: f64) {
        self.computed += self.raise(run, share);
    }

    /// Raises the share of a run, and returns by how much.
    fn raise(&mut self, run: usize, share: f64) -> f64 {
        let rise = (share - self.shares[run]).max(0.0);
        self.shares[run] += rise;
        rise
    }

    /// The estimate in seconds; `None` before anything was computed, and if nothing is left.
    pub fn seconds(&self) -> Option<f64> {
        let left = self.all - self.skipped - self.computed;
        let is_known = self.computed > 0.0 && left > 1e-9 * self.all;
        is_known.then(|| self.begin.elapsed().as_secs_f64() * left / self.computed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn time_left_is_measured_by_what_was_computed_here() {
        let mut time = TimeLeft::new(4, 4.0);
        assert_eq!(time.seconds(), None);
        time.begin -= Duration::from_secs(60);
        time.skip(0, 1.0);
        time.skip(1, 0.5);
        assert_eq!(time.seconds(), None, "another has computed it");
        time.compute(1, 1.0);
        // Half a run in a minute, and two runs are left.
        assert_eq!(time.seconds().map(f64::round), Some(240.0));
        time.compute(1, 0.75);
        assert_eq!(time.seconds().map(f64::round), Some(240.0), "it was computed before");
        time.compute(2, 1.0);
        time.compute(3, 0.25);
        time.skip(3, 1.0);
        assert_eq!(time.seconds(), None, "nothing is left");
    }
}
