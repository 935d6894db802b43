//! The submissions that the device has not finished, the speed at which it finishes them, and the delay until
//! the CPU notices that. By these the next submissions are sized ([`slice_cost`]), some milliseconds each,
//! and so is what is under way at the same time ([`Submissions::are_enough`]). With less the device would
//! wait for the CPU; with more the display, which may use the same GPU, would wait for the device.
//!
//! The first estimate of the speed comes from the measured peak ([`crate::SpeedMeasurement`]). It is wrong if
//! the device was busy with something else, and it knows nothing of the kernels of a run. On hardware, real
//! submissions replace it. Sizes have no influence on results.

use std::collections::VecDeque;

/// The cost of one submission (see [`crate::Plan::submit`]) of a device whose speed is unknown: some
/// milliseconds on a fast one, a tenth of a second on one that is integrated in a processor. Until real
/// submissions have been measured, none is larger, whatever the peak.
const DEFAULT_HARDWARE_COST: f64 = 2e10;
/// The same of a software adapter. On hardware no submission is smaller, because none is slower.
const DEFAULT_SOFTWARE_COST: f64 = 3e7;

/// Submissions take about this long, so that the display, which may use the same GPU, is not delayed visibly.
const SUBMISSION_SECONDS: f64 = 0.006;

/// The share of the peak of multiply-adds that kernels reach on average, as estimated for [`slice_cost`]
/// until real submissions have been measured.
const USUAL_SHARE_OF_PEAK: f64 = 0.2;

/// The cost that may be under way at the same time, in submissions. With two, the device has the next one
/// when it finishes one; with more, a page would wait longer for the device to draw.
const SUBMISSIONS_AHEAD: f64 = 2.0;

/// The most submissions under way, however small they are.
const MAX_IN_FLIGHT: usize = 16;

/// A rate is measured over at least this much busy time.
const WINDOW_SECONDS: f64 = 0.1;

/// The rate is the median over up to this many windows. Once there are this many, three disturbed ones do no
/// harm. In the first window the device may compile kernels; in a later one the worker may have been too busy
/// to notice the end of a submission.
const WINDOWS: usize = 7;

/// The fewest rates of which a median is taken; of fewer the highest counts. Where the median of the last
/// ones is higher, that counts: nothing that disturbs a measurement makes a device look faster.
const MIN_WINDOWS: usize = 3;

/// The delay until the end of a submission is noticed is measured this often, by one without work on an idle
/// device.
const PROBE_SECONDS: f64 = 1.0;

/// The delay is the second largest of this many measurements. Ends that come one soon after the other are
/// noticed together, as late as the latest of them. One disturbed measurement does no harm.
const PROBES: usize = 5;

/// A longer delay is not believed, which limits what is under way because of it.
const MAX_DELAY: f64 = 0.05;

/// Longer delays than this vary so much that a device which waits for the CPU cannot be told from a slow one,
/// by which a run would be cut into ever smaller submissions. Then the highest of the last rates counts,
/// multiplied by `GROWTH`, so that submissions grow until the device's own time is most of what is measured.
const LONG_DELAY: f64 = 2.0 * SUBMISSION_SECONDS;
const GROWTH: f64 = 2.0;

/// At least this part of the busy time that the CPU sees counts as time of the device, whatever the delay.
const MIN_DEVICE_SHARE: f64 = 0.25;

/// The cost of a submission that takes some milliseconds. It follows from the measured `rate` of the
/// submissions so far; before there are any, from the measured peak of multiply-adds, or from the speed of a
/// usual device. A software adapter is not measured by its submissions, because it shares its processors with
/// the CPU's part of a run.
pub fn slice_cost(software: bool, peak: Option<f64>, rate: Option<f64>) -> f64 {
    let estimate = peak.map(|peak| peak * USUAL_SHARE_OF_PEAK * SUBMISSION_SECONDS);
    if software {
        return estimate.unwrap_or(DEFAULT_SOFTWARE_COST);
    }
    let unmeasured = || estimate.map_or(DEFAULT_HARDWARE_COST, |cost| cost.min(DEFAULT_HARDWARE_COST));
    rate.map_or_else(unmeasured, |rate| rate * SUBMISSION_SECONDS).max(DEFAULT_SOFTWARE_COST)
}

/// A submission under way.
#[derive(Clone, Copy, Debug)]
struct Submission {
    /// See [`crate::Plan::cost`].
    cost: f64,
    /// When it was submitted.
    began: f64,
    /// Whether it measures the delay.
    is_probe: bool,
}

/// The submissions that are under way, in the order in which they were submitted and will end.
#[derive(Debug)]
pub struct Submissions {
    under_way: VecDeque<Submission>,
    /// Returns the time in seconds since any fixed moment; `None` if there is no clock.
    clock: Option<fn() -> f64>,
    /// When the CPU noticed the last end of a submission.
    last_end: f64,
    /// Seconds in which at least one submission was under way, as the CPU sees it, in the present window.
    busy_seconds: f64,
    /// The part of them in which the device was at work, as far as the delay is known.
    device_seconds: f64,
    /// The cost of the submissions that ended in the present window.
    finished_cost: f64,
    /// The last rates, each in cost per second.
    rates: VecDeque<f64>,
    /// When the delay was measured last.
    probed: Option<f64>,
    /// The last measured delays in seconds.
    delays: VecDeque<f64>,
}

impl Submissions {
    pub fn new(clock: Option<fn() -> f64>) -> Self {
        Self {
            under_way: VecDeque::new(),
            clock,
            last_end: 0.0,
            busy_seconds: 0.0,
            device_seconds: 0.0,
            finished_cost: 0.0,
            rates: VecDeque::new(),
            probed: None,
            delays: VecDeque::new(),
        }
    }

    /// From now on, time is measured by this clock.
    pub fn set_clock(&mut self, clock: fn() -> f64) {
        self.clock = Some(clock);
        self.probed = None;
        self.forget_rates();
    }

    /// Whether a submission without work should come before the next one, see [`Self::begin_probe`].
    pub fn needs_probe(&self) -> bool {
        self.under_way.is_empty() && self.is_probe_due()
    }

    fn is_probe_due(&self) -> bool {
        self.clock.is_some() && self.probed.is_none_or(|probed| self.now() - probed >= PROBE_SECONDS)
    }

    /// Records a submission without work, to measure the delay. The device must be idle.
    pub fn begin_probe(&mut self) {
        let now = self.now();
        self.probed = Some(now);
        self.under_way.push_back(Submission { cost: 0.0, began: now, is_probe: true });
    }

    /// Records a submission of this cost. Call it just before it is submitted.
    pub fn begin(&mut self, cost: f64) {
        let began = self.now();
        self.under_way.push_back(Submission { cost, began, is_probe: false });
    }

    /// Counts the end of the oldest submission.
    pub fn end(&mut self) {
        let now = self.now();
        let Some(Submission { cost, began, is_probe }) = self.under_way.pop_front() else { return };
        if is_probe {
            push(&mut self.delays, PROBES, now - began);
            return;
        }
        let delay = self.delay();
        self.busy_seconds += now - began.max(self.last_end);
        // The device began when it had the submission and had finished the one before.
        self.device_seconds += (now - delay - began.max(self.last_end - delay)).max(0.0);
        self.last_end = now;
        self.finished_cost += cost;
        if self.busy_seconds < WINDOW_SECONDS {
            return;
        }
        // A window of copies alone says nothing about kernels.
        if self.finished_cost > 0.0 {
            let seconds = self.device_seconds.clamp(MIN_DEVICE_SHARE * self.busy_seconds, self.busy_seconds);
            push(&mut self.rates, WINDOWS, self.finished_cost / seconds);
        }
        self.begin_window();
    }

    fn begin_window(&mut self) {
        (self.busy_seconds, self.device_seconds, self.finished_cost) = (0.0, 0.0, 0.0);
    }

    /// Forgets all measured rates, so that the measurement starts again.
    pub fn forget_rates(&mut self) {
        self.last_end = self.now();
        self.rates.clear();
        self.begin_window();
    }

    /// The number of submissions under way.
    pub fn len(&self) -> usize {
        self.under_way.len()
    }

    /// The cost per second for which the next submissions are sized, once one window has ended.
    pub fn rate(&self) -> Option<f64> {
        let highest = self.rates.iter().copied().reduce(f64::max)?;
        if self.delay() > LONG_DELAY {
            return Some(GROWTH * highest);
        }
        if self.rates.len() < MIN_WINDOWS {
            return Some(highest);
        }
        let newest = self.rates.iter().rev().take(MIN_WINDOWS);
        Some(median(self.rates.iter()).max(median(newest)))
    }

    /// The seconds until the CPU notices the end of a submission, in a busy tab many milliseconds.
    fn delay(&self) -> f64 {
        let mut sorted: Vec<f64> = self.delays.iter().copied().collect();
        sorted.sort_by(f64::total_cmp);
        sorted.iter().rev().nth(1).map_or(0.0, |delay| delay.min(MAX_DELAY))
    }

    /// Whether enough submissions are under way, each of this cost where there is enough to do. What the
    /// device finishes within the delay counts as under way, so that much more is. Now and then nothing else
    /// is enough until the device is idle, so that the delay can be measured.
    pub fn are_enough(&self, slice_cost: f64) -> bool {
        let cost: f64 = self.under_way.iter().map(|submission| submission.cost).sum();
        let ahead = SUBMISSIONS_AHEAD + self.delay() / SUBMISSION_SECONDS;
        let has_enough = self.len() >= MAX_IN_FLIGHT || self.len() >= 2 && cost >= ahead * slice_cost;
        has_enough || !self.under_way.is_empty() && cost > 0.0 && self.is_probe_due()
    }

    fn now(&self) -> f64 {
        self.clock.map_or(0.0, |clock| clock())
    }
}

/// Appends a value, and drops the oldest so that there are at most `most`.
fn push(values: &mut VecDeque<f64>, most: usize, value: f64) {
    if values.len() == most {
        values.pop_front();
    }
    values.push_back(value);
}

fn median<'a>(values: impl Iterator<Item = &'a f64>) -> f64 {
    let mut sorted: Vec<f64> = values.copied().collect();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

#[cfg(test)]
mod simulation;

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
        assert!(rate_of(20, 3e9, |_| 0.006).is_some_and(|rate| rate > 0.0), "one window is enough");
        assert_eq!(rate_of(10, 3e9, |_| 0.006), None, "no window has ended");
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
        assert_eq!(submissions.len(), 0);
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

    /// The delay is measured on an idle device, and does not count as its time.
    #[test]
    fn delays_do_not_count() {
        let (delay, seconds, cost) = (0.01, 0.006, 3e9);
        let mut submissions = submissions();
        for _ in 0..10 {
            assert!(submissions.needs_probe());
            submissions.begin_probe();
            assert!(!submissions.needs_probe());
            pass(delay);
            submissions.end();
            // One at a time: the device waits for the CPU.
            while !submissions.needs_probe() {
                submissions.begin(cost);
                pass(seconds + delay);
                submissions.end();
            }
        }
        let rate = submissions.rate().expect("enough submissions");
        assert!((rate / (cost / seconds) - 1.0).abs() < 0.01, "{rate}");
        submissions.begin(cost);
        assert!(submissions.are_enough(cost), "the device must be idle before the delay is measured again");
    }

    /// What the device finishes until the CPU notices an end is under way too.
    #[test]
    fn delays_let_more_be_under_way() {
        let most = |delay| {
            let mut submissions = submissions();
            for _ in 0..2 {
                submissions.begin_probe();
                pass(delay);
                submissions.end();
            }
            while !submissions.are_enough(1e9) {
                submissions.begin(1e9);
            }
            submissions.len()
        };
        assert_eq!([0.0, 0.006, 0.03, 0.05, 0.8].map(most), [2, 3, 7, 11, 11]);
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
