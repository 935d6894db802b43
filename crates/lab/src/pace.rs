//! The speed of a run, in units (training iterations) and work (what the lab counts, such as games) per
//! second, averaged over the last two seconds.

use std::collections::VecDeque;

/// The speed is averaged over at least this time, once the run has lasted that long.
const WINDOW_SECONDS: f64 = 2.0;

/// Estimates the speed from recent totals of units and work.
#[derive(Default)]
pub struct Pace {
    /// Oldest first.
    samples: VecDeque<Sample>,
}

/// The totals of the run at one point of time.
struct Sample {
    seconds: f64,
    units: u64,
    work: u64,
}

impl Pace {
    /// Empties the window, after a pause or a change of speed.
    pub fn reset(&mut self) {
        self.samples.clear();
    }

    /// Records the totals of units and work at the time `now`, in seconds.
    pub fn record(&mut self, now: f64, units: u64, work: u64) {
        self.samples.push_back(Sample { seconds: now, units, work });
        // The oldest sample is dropped only if the second oldest is old enough too, so the samples still span
        // the window.
        while self.samples.len() > 2 && now - self.samples[1].seconds >= WINDOW_SECONDS {
            self.samples.pop_front();
        }
    }

    /// Returns (units per second, work per second); zeros until there are two samples.
    pub fn per_second(&self) -> (f64, f64) {
        match (self.samples.front(), self.samples.back()) {
            (Some(first), Some(last)) if last.seconds > first.seconds => {
                let seconds = last.seconds - first.seconds;
                ((last.units - first.units) as f64 / seconds, (last.work - first.work) as f64 / seconds)
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
        pace.record(0.0, 0, 0);
        // Ten seconds in tenths: no unit for five seconds, then one unit each tenth, with 100 work per unit.
        for tenth in 1..=100u64 {
            let units = tenth.saturating_sub(50);
            pace.record(tenth as f64 / 10.0, units, 100 * units);
        }
        let (units, work) = pace.per_second();
        assert!((units - 10.0).abs() < 1e-9 && (work - 1000.0).abs() < 1e-6, "{units} {work}");
    }
}
