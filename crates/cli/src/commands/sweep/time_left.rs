//! How long a sweep still takes, estimated from the rate at which this process computes.

use std::time::Instant;

/// Estimates the remaining time. Work is measured in whole runs: 1 is all units (training iterations) of one
/// run, 0.5 half of them.
pub struct TimeLeft {
    begin: Instant,
    /// The work of the whole sweep.
    total_work: f64,
    /// Work that is not computed here: it was done in an earlier call of the command, or a run ended before
    /// its last unit.
    skipped: f64,
    /// Work that this process, or those that compute for it, has done.
    computed: f64,
    /// For each run: the share of it, from its start, that was skipped or computed.
    shares: Vec<f64>,
}

impl TimeLeft {
    /// With successive halving, `total_work` is less than `runs`, because most runs end early.
    pub fn new(runs: usize, total_work: f64) -> Self {
        Self { begin: Instant::now(), total_work, skipped: 0.0, computed: 0.0, shares: vec![0.0; runs] }
    }

    /// Notes that this share of a run, from its start, need not be computed here. A share that is not above
    /// the last one changes nothing.
    pub fn note_skipped(&mut self, run: usize, share: f64) {
        self.skipped += self.raise(run, share);
    }

    /// Notes that this share of a run, from its start, has been computed. A share that is not above the last
    /// one changes nothing.
    pub fn note_computed(&mut self, run: usize, share: f64) {
        self.computed += self.raise(run, share);
    }

    /// Raises the share of a run, and returns by how much.
    fn raise(&mut self, run: usize, share: f64) -> f64 {
        let rise = (share - self.shares[run]).max(0.0);
        self.shares[run] += rise;
        rise
    }

    /// The estimate in seconds: the work that is left, times the time that computed work took per whole run.
    /// Skipped work took no time, so it does not count for the rate. `None` before anything was computed, and
    /// if nothing is left.
    pub fn seconds(&self) -> Option<f64> {
        let left = self.total_work - self.skipped - self.computed;
        // Sums of floats need not be exactly zero when nothing is left.
        let is_known = self.computed > 0.0 && left > 1e-9 * self.total_work;
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
        time.note_skipped(0, 1.0);
        time.note_skipped(1, 0.5);
        assert_eq!(time.seconds(), None, "another has computed it");
        time.note_computed(1, 1.0);
        // Half a run in a minute, and two runs are left.
        assert_eq!(time.seconds().map(f64::round), Some(240.0));
        time.note_computed(1, 0.75);
        assert_eq!(time.seconds().map(f64::round), Some(240.0), "it was computed before");
        time.note_computed(2, 1.0);
        time.note_computed(3, 0.25);
        time.note_skipped(3, 1.0);
        assert_eq!(time.seconds(), None, "nothing is left");
    }
}
