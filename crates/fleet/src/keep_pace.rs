//! How often the newest checkpoint of a run is *kept*, which means in memory, beside those that are *saved*
//! in files. A kept one loses little if the run is stopped in the middle of a unit (training iteration).

use std::time::Duration;

/// A checkpoint is kept at most once in this many times the shortest time that one took. So it takes at most
/// 5 % of the time on an idle machine, and more while other programs slow it down.
const MIN_PAUSE_FACTOR: u32 = 20;

/// Decides when a checkpoint is kept. Times are since the run began in this program.
#[derive(Default)]
pub struct KeepPace {
    /// When a checkpoint was kept or saved last.
    kept_at: Duration,
    /// The shortest time that keeping one took; `None` before the first. A busy machine may delay one at any
    /// time, and that must not make the pauses long ever after.
    shortest: Option<Duration>,
}

impl KeepPace {
    /// Whether a checkpoint should be kept now, when a unit has ended.
    pub fn is_due(&self, now: Duration) -> bool {
        self.shortest.is_none_or(|shortest| now.saturating_sub(self.kept_at) >= shortest * MIN_PAUSE_FACTOR)
    }

    /// A checkpoint was kept, which took from `begin` to `end`.
    pub fn kept(&mut self, begin: Duration, end: Duration) {
        let duration = end.saturating_sub(begin);
        self.kept_at = end;
        self.shortest = Some(self.shortest.map_or(duration, |shortest| shortest.min(duration)));
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
