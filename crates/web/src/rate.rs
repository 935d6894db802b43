//! How fast a run is going: counts over a sliding window of about two seconds.

use std::collections::VecDeque;

const WINDOW_MS: f64 = 2000.0;

/// Counts with the time they were seen.
#[derive(Default)]
pub struct Rate {
    marks: VecDeque<(f64, u64, u64)>,
}

impl Rate {
    /// Forgets what was seen, after a pause or a change of pace.
    pub fn reset(&mut self) {
        self.marks.clear();
    }

    /// Records the totals at `now` (milliseconds).
    pub fn record(&mut self, now: f64, units: u64, work: u64) {
        self.marks.push_back((now, units, work));
        // The oldest mark stays until the next one is old enough to stand for the window's start.
        while self.marks.len() > 2 && now - self.marks[1].0 >= WINDOW_MS {
            self.marks.pop_front();
        }
    }

    /// Units and work a second over the window; zero before there is one.
    pub fn per_second(&self) -> (f64, f64) {
        match (self.marks.front(), self.marks.back()) {
            (Some(first), Some(last)) if last.0 > first.0 => {
                let seconds = (last.0 - first.0) / 1000.0;
                ((last.1 - first.1) as f64 / seconds, (last.2 - first.2) as f64 / seconds)
            }
            _ => (0.0, 0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_follow_the_window() {
        let mut rate = Rate::default();
        assert_eq!(rate.per_second(), (0.0, 0.0));
        for i in 0..100u64 {
            rate.record(i as f64 * 100.0, i, 10 * i);
        }
        let (units, work) = rate.per_second();
        assert!((units - 10.0).abs() < 1e-9 && (work - 100.0).abs() < 1e-9);
    }
}
