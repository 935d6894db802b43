//! The speed of a run, in units (training iterations) and work (what the lab counts, such as games) per
//! second, averaged over the last two seconds. A unit can take longer than that, so the speed in units is measured
//! from the end of one unit to the end of a later one.

use std::collections::VecDeque;

/// The speed is averaged over at least this time, once the run has lasted that long.
const WINDOW_SECONDS: f64 = 2.0;

/// Estimates the speed from recent totals of units and work.
#[derive(Default)]
pub struct Pace {
    /// Oldest first.
    samples: VecDeque<Sample>,
    /// The samples in which a unit had ended since the one before, oldest first.
    unit_ends: VecDeque<Sample>,
}

/// The totals of the run at one point of time.
#[derive(Clone, Copy)]
struct Sample {
    seconds: f64,
    units: u64,
    work: u64,
}

impl Pace {
    /// Empties the window, after a pause or a change of speed.
    pub fn reset(&mut self) {
        self.samples.clear();
        self.unit_ends.clear();
    }

    /// Records the totals of units and work at the time `now`, in seconds.
    pub fn record(&mut self, now: f64, units: u64, work: u64) {
        let sample = Sample { seconds: now, units, work };
        if self.samples.back().is_some_and(|last| units > last.units) {
            push(&mut self.unit_ends, sample);
        }
        push(&mut self.samples, sample);
    }

    /// Records the totals between two units.
    pub fn record_between_units(&mut self, now: f64, units: u64, work: u64) {
        let sample = Sample { seconds: now, units, work };
        push(&mut self.unit_ends, sample);
        push(&mut self.samples, sample);
    }

    /// Returns (units per second, work per second). The first is zero until two units have ended, the second until
    /// there are two samples.
    pub fn per_second(&self) -> (f64, f64) {
        (self.units_per_second(), self.work_per_second())
    }

    fn units_per_second(&self) -> f64 {
        let (Some(first), Some(last), Some(now)) =
            (self.unit_ends.front(), self.unit_ends.back(), self.samples.back())
        else {
            return 0.0;
        };
        let (units, seconds) = (last.units.saturating_sub(first.units) as f64, last.seconds - first.seconds);
        if units == 0.0 || seconds <= 0.0 {
            return 0.0;
        }
        // A unit that takes longer than those before lowers the speed before it has ended.
        (units / seconds).min((units + 1.0) / (now.seconds - first.seconds))
    }

    fn work_per_second(&self) -> f64 {
        let (Some(first), Some(last)) = (self.samples.front(), self.samples.back()) else { return 0.0 };
        let seconds = last.seconds - first.seconds;
        if seconds > 0.0 { last.work.saturating_sub(first.work) as f64 / seconds } else { 0.0 }
    }
}

/// Adds a sample, and drops the oldest ones that are outside of the window.
fn push(samples: &mut VecDeque<Sample>, sample: Sample) {
    samples.push_back(sample);
    // The oldest sample is dropped only if the second oldest is old enough too, so the samples still span
    // the window.
    while samples.len() > 2 && sample.seconds - samples[1].seconds >= WINDOW_SECONDS {
        samples.pop_front();
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

    /// A unit of nine seconds is no half a unit a second while one ends in the window.
    #[test]
    fn speed_of_long_units_is_measured_over_whole_ones() {
        let mut pace = Pace::default();
        // It begins in the middle of a unit; a unit ends after 4, 13, 22 and 31 seconds.
        let record = |pace: &mut Pace, tenths: std::ops::Range<u64>| {
            for tenth in tenths {
                pace.record(tenth as f64 / 10.0, (tenth + 50) / 90, 10 * tenth);
            }
        };
        record(&mut pace, 0..130);
        assert_eq!(pace.per_second().0, 0.0, "one end tells no speed");
        for (from, to) in [(130, 150), (150, 219), (219, 240), (240, 315)] {
            record(&mut pace, from..to);
            let (units, work) = pace.per_second();
            assert!((units - 1.0 / 9.0).abs() < 1e-3 && (work - 100.0).abs() < 1e-6, "{units} {work}");
        }
        // The next unit lasts 20 seconds and more.
        for tenth in 315..515 {
            pace.record(tenth as f64 / 10.0, 4, 10 * tenth);
        }
        assert!(pace.per_second().0 < 0.08, "{}", pace.per_second().0);
        pace.reset();
        assert_eq!(pace.per_second(), (0.0, 0.0));
    }
}
