//! How fast a run is going: counts over a sliding window of about two seconds.

use std::collections::VecDeque;

const WINDOW_SECONDS: f64 = 2.0;

/// Totals with the time they were seen.
#[derive(Default)]
pub struct Pace {
    marks: VecDeque<(f64, u64, u64)>,
}

impl Pace {
    /// Forgets what was seen, after a pause or a change of speed.
    pub fn reset(&mut self) {
        self.marks.clear();
    }

    /// Notes the totals at `now` (seconds).
    pub fn note(&mut self, now: f64, units: u64, work: u64) {
        self.marks.push_back((now, units, work));
        // The oldest mark stays until the next one is old enough to stand for the window's start.
        while self.marks.len() > 2 && now - self.marks[1].0 >= WINDOW_SECONDS {
            self.marks.pop_front();
        }
    }

    /// Units and work a second; zero before there is a span to measure over.
    pub fn per_second(&self) -> (f64, f64) {
        match (self.marks.front(), self.marks.back()) {
            (Some(first), Some(last)) if last.0 > first.0 => {
                let seconds = last.0 - first.0;
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
    fn only_the_window_counts() {
        let mut pace = Pace::default();
        assert_eq!(pace.per_second(), (0.0, 0.0));
        pace.note(0.0, 0, 0);
        for tenth in 1..=100u64 {
            let fast = tenth.saturating_sub(50); // nothing for five seconds, then ten units a second
            pace.note(tenth as f64 / 10.0, fast, 100 * fast);
        }
        let (units, work) = pace.per_second();
        assert!((units - 10.0).abs() < 1e-9 && (work - 1000.0).abs() < 1e-6, "{units} {work}");
    }
}
