//! How often the newest checkpoint of a run is kept in memory, so that little is lost if the run is stopped
//! in the middle of a unit (training iteration).

use std::time::Duration;

/// A checkpoint is kept at most once in this many times the time that it takes, so in at most 5% of the time.
const MIN_PAUSE: u32 = 20;

/// Decides when a checkpoint is kept. Times are since the run began in this program.
#[derive(Default)]
pub struct KeepPace {
    /// When a checkpoint was kept or saved last.
    kept_at: Duration,
    /// How long it takes to keep one: the least that was measured, because a busy machine may delay one at
    /// any time. `None` before the first.
    duration: Option<Duration>,
}

impl KeepPace {
    /// Whether the unit that has ended at this time shall be kept.
    pub fn is_due(&self, now: Duration) -> bool {
        self.duration.is_none_or(|duration| now.saturating_sub(self.kept_at) >= duration * MIN_PAUSE)
    }

    /// A checkpoint was kept, which took from `begin` to `end`.
    pub fn kept(&mut self, begin: Duration, end: Duration) {
        let duration = end.saturating_sub(begin);
        self.kept_at = end;
        self.duration = Some(self.duration.map_or(duration, |least| least.min(duration)));
    }

    /// A checkpoint was saved, so the run has nothing to keep at this time.
    pub fn saved(&mut self, now: Duration) {
        self.kept_at = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkpoints_are_kept_in_a_twentieth_of_the_time() {
        let at = Duration::from_millis;
        let mut pace = KeepPace::default();
        assert!(pace.is_due(at(0)), "nobody knows yet how long it takes");
        pace.kept(at(0), at(10));
        assert!(!pace.is_due(at(209)) && pace.is_due(at(210)));
        pace.saved(at(300));
        assert!(!pace.is_due(at(499)) && pace.is_due(at(500)));
        // The machine was busy, then it was not.
        pace.kept(at(500), at(900));
        assert!(!pace.is_due(at(1099)) && pace.is_due(at(1100)));
        pace.kept(at(1100), at(1101));
        assert!(!pace.is_due(at(1120)) && pace.is_due(at(1121)));
    }
}
