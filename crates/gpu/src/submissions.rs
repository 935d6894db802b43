//! The submissions that the device has not finished, and the speed at which it finishes them. The speed
//! determines the size of the next submissions, some milliseconds. With shorter ones the device would wait for
//! the CPU; with longer ones the display, which may use the same GPU, would wait for the device.
//!
//! The first estimate of the speed comes from the measured peak ([`crate::SpeedMeasurement`]). It is wrong if
//! the device was busy with something else, and it knows nothing of the kernels of a run. On hardware, real
//! submissions correct it. Sizes have no influence on results.

use std::collections::VecDeque;

/// A rate is measured over at least this much busy time. The CPU notices the end of a submission up to some
/// milliseconds late, which is little beside it.
const WINDOW_SECONDS: f64 = 0.1;

/// The rate is the median over up to this many windows. Once there are this many, three disturbed ones do no
/// harm. In the first window the device may compile kernels; in a later one the worker may have been too busy
/// to notice the end of a submission.
const WINDOWS: usize = 7;

/// The fewest rates of which a median is taken.
const MIN_WINDOWS: usize = 3;

/// The submissions that are under way, in the order in which they were submitted and will end.
#[derive(Debug)]
pub struct Submissions {
    /// The cost of each, see [`crate::Plan::cost`].
    costs: VecDeque<f64>,
    /// Returns the time in seconds since any fixed moment; `None` if there is no clock.
    clock: Option<fn() -> f64>,
    /// The time up to which `busy_seconds` has been counted.
    counted_until: f64,
    /// Seconds in which at least one submission was under way, as the CPU sees it, in the present window.
    busy_seconds: f64,
    /// The cost of the submissions that ended in the present window.
    finished_cost: f64,
    /// The last rates, each in cost per second.
    rates: VecDeque<f64>,
}

impl Submissions {
    pub fn new(clock: Option<fn() -> f64>) -> Self {
        Self {
            costs: VecDeque::new(),
            clock,
            counted_until: 0.0,
            busy_seconds: 0.0,
            finished_cost: 0.0,
            rates: VecDeque::new(),
        }
    }

    /// From now on, time is measured by this clock.
    pub fn set_clock(&mut self, clock: fn() -> f64) {
        self.clock = Some(clock);
        self.counted_until = clock();
    }

    /// Records a submission of this cost. Call it just before it is submitted.
    pub fn begin(&mut self, cost: f64) {
        if self.costs.is_empty() {
            self.counted_until = self.now();
        }
        self.costs.push_back(cost);
    }

    /// Counts the end of the oldest submission.
    pub fn end(&mut self) {
        let now = self.now();
        self.busy_seconds += now - self.counted_until;
        self.counted_until = now;
        self.finished_cost += self.costs.pop_front().unwrap_or_default();
        if self.busy_seconds < WINDOW_SECONDS {
            return;
        }
        // A window of copies alone says nothing about kernels.
        if self.finished_cost > 0.0 {
            if self.rates.len() == WINDOWS {
                self.rates.pop_front();
            }
            self.rates.push_back(self.finished_cost / self.busy_seconds);
        }
        (self.busy_seconds, self.finished_cost) = (0.0, 0.0);
    }

    /// Forgets all measured rates, so that the measurement starts again.
    pub fn forget_rates(&mut self) {
        self.counted_until = self.now();
        self.rates.clear();
        (self.busy_seconds, self.finished_cost) = (0.0, 0.0);
    }

    /// The number of submissions under way.
    pub fn len(&self) -> usize {
        self.costs.len()
    }

    /// The cost of all submissions under way.
    pub fn cost(&self) -> f64 {
        self.costs.iter().sum()
    }

    /// The measured cost per second, once enough submissions have ended.
    pub fn rate(&self) -> Option<f64> {
        if self.rates.len() < MIN_WINDOWS {
            return None;
        }
        let mut rates: Vec<f64> = self.rates.iter().copied().collect();
        rates.sort_by(f64::total_cmp);
        Some(rates[rates.len() / 2])
    }

    fn now(&self) -> f64 {
        self.clock.map_or(0.0, |clock| clock())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    thread_local! {
        static NOW: Cell<f64> = const { Cell::new(0.0) };
    }

    fn pass(seconds: f64) {
        NOW.with(|now| now.set(now.get() + seconds));
    }

    fn submissions() -> Submissions {
        Submissions::new(Some(|| NOW.with(Cell::get)))
    }

    /// Simulates a device that is always given two submissions of this cost. Number `i` takes `seconds(i)`.
    /// Returns the measured rate.
    fn rate_of(count: usize, cost: f64, seconds: impl Fn(usize) -> f64) -> Option<f64> {
        let mut submissions = submissions();
        submissions.begin(cost);
        for i in 0..count {
            submissions.begin(cost);
            pass(seconds(i));
            submissions.end();
        }
        submissions.rate()
    }

    #[test]
    fn rate_is_the_cost_of_a_second() {
        let rate = rate_of(200, 3e9, |_| 0.006).expect("enough submissions");
        assert!((rate / (3e9 / 0.006) - 1.0).abs() < 1e-6, "{rate}");
        assert_eq!(rate_of(20, 3e9, |_| 0.006), None, "too few windows");
    }

    #[test]
    fn disturbed_windows_do_not_count() {
        // Kernels are compiled in the first submission, and the worker sleeps for a second during another.
        let disturbed = |i| if i == 0 || i == 60 { 1.0 } else { 0.006 };
        let rate = rate_of(100, 3e9, disturbed).expect("enough submissions");
        assert!((rate / (3e9 / 0.006) - 1.0).abs() < 0.01, "{rate}");
    }

    #[test]
    fn time_without_submissions_does_not_count() {
        let mut submissions = submissions();
        for _ in 0..400 {
            submissions.begin(1e9);
            submissions.begin(0.0);
            pass(0.004);
            submissions.end();
            pass(0.001);
            submissions.end();
            pass(0.1);
        }
        let rate = submissions.rate().expect("enough submissions");
        assert!((rate / (1e9 / 0.005) - 1.0).abs() < 0.01, "{rate}");
        assert_eq!((submissions.len(), submissions.cost()), (0, 0.0));
    }

    #[test]
    fn rate_follows_a_device_that_becomes_slower() {
        let rate = rate_of(400, 3e9, |i| if i < 200 { 0.006 } else { 0.03 }).expect("enough submissions");
        assert!((rate / (3e9 / 0.03) - 1.0).abs() < 1e-6, "{rate}");
    }

    #[test]
    fn forgotten_rates_do_not_count() {
        let mut submissions = submissions();
        for _ in 0..20 {
            submissions.begin(1.0);
            pass(0.05);
            submissions.end();
        }
        assert!(submissions.rate().is_some());
        submissions.forget_rates();
        assert_eq!(submissions.rate(), None);
    }

    #[test]
    fn without_a_clock_there_is_no_rate() {
        let mut submissions = Submissions::new(None);
        for _ in 0..1000 {
            submissions.begin(1e9);
            submissions.end();
        }
        assert_eq!(submissions.rate(), None);
    }
}
