//! The speed of a run: a moving average over a window of about two seconds.

use std::collections::VecDeque;

const WINDOW_SECONDS: f64 = 2.0;

/// Recent totals of units and work.
#[derive(Default)]
pub struct Pace {
    /// Time in seconds, total units, total work; oldest first.
    marks: VecDeque<(f64, u64, u64)>,
}

impl Pace {
    /// Empties the window, after a pause or a change of speed.
    pub fn reset(&mut self) {
        self.marks.clear();
    }

    /// Records the totals at the time `now`, in seconds.
    pub fn note(&mut self, now: f64, units: u64, work: u64) {
        self.marks.push_back((now, units, work));
        // The oldest mark stays until the next one lies outside of the window, so that the window is never shorter.
        while self.marks.len() > 2 && now - self.marks[1].0 >= WINDOW_SECONDS {
            self.marks.pop_front();
        }
    }

    /// Units and work per second; zero until there are two marks.
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
    fn pace_depends_on_the_last_two_seconds_only() {
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
