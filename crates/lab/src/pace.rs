//! The speed of a run, in units (training iterations) and work (what the lab counts, such as games) per
//! second, averaged over the last two seconds or somewhat more. A unit can take longer than that, so the speed in
//! units is measured from the end of one unit to the end of a later one.

use std::collections::VecDeque;

/// The speed is averaged over at least this time, once the run has lasted that long.
const WINDOW_SECONDS: f64 = 2.0;

/// Estimates the speed from recent totals of units and work.
#[derive(Default)]
pub struct Pace {
    /// Oldest first.
    samples: VecDeque<Sample>,
    /// The samples at the boundary of two units, or just behind it; oldest first.
    unit_boundaries: VecDeque<Sample>,
}

/// The totals of the run at one point of time.
#[derive(Clone, Copy)]
struct Sample {
    seconds: f64,
    units: u64,
    work: u64,
}

impl Pace {
    /// Forgets all samples. Call it when training goes on after a pause, gets another speed limit, or is that of
    /// another run.
    pub fn reset(&mut self) {
        self.samples.clear();
        self.unit_boundaries.clear();
    }

    /// Records the totals of units and work at the time `now`, in seconds.
    pub fn record(&mut self, now: f64, units: u64, work: u64) {
        let sample = Sample { seconds: now, units, work };
        if self.samples.back().is_some_and(|last| units > last.units) {
            push(&mut self.unit_boundaries, sample);
        }
        push(&mut self.samples, sample);
    }

    /// Like [`Pace::record`], at a time at which one unit has ended and the next one has not begun.
    pub fn record_at_boundary(&mut self, now: f64, units: u64, work: u64) {
        let sample = Sample { seconds: now, units, work };
        push(&mut self.unit_boundaries, sample);
        push(&mut self.samples, sample);
    }

    /// Returns (units per second, work per second). The first is zero until the boundaries of a whole unit were
    /// recorded, the second until there are two samples.
    pub fn per_second(&self) -> (f64, f64) {
        (self.units_per_second(), self.work_per_second())
    }

    fn units_per_second(&self) -> f64 {
        let (Some(first), Some(last), Some(latest)) =
            (self.unit_boundaries.front(), self.unit_boundaries.back(), self.samples.back())
        else {
            return 0.0;
        };
        let completed = last.units.saturating_sub(first.units) as f64;
        let seconds = last.seconds - first.seconds;
        if completed == 0.0 || seconds <= 0.0 {
            return 0.0;
        }
        // As if the unit in progress ended now, if that is less: so a slow unit shows before it ends.
        (completed / seconds).min((completed + 1.0) / (latest.seconds - first.seconds))
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
    fn speed_of_short_units_is_averaged_over_the_window() {
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

    /// With nine seconds a unit the speed is 1/9. One end in a window of two seconds would make it 1/2.
    #[test]
    fn speed_of_long_units_is_measured_over_whole_ones() {
        let mut pace = Pace::default();
        // Recording begins in the middle of a unit; a unit ends after 4, 13, 22 and 31 seconds.
        let record = |pace: &mut Pace, tenths: std::ops::Range<u64>| {
            for tenth in tenths {
                pace.record(tenth as f64 / 10.0, (tenth + 50) / 90, 10 * tenth);
            }
        };
        record(&mut pace, 0..130);
        assert_eq!(pace.per_second().0, 0.0, "one boundary gives no speed");
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
