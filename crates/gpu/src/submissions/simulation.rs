//! A simulated device and the CPU that feeds it, for the size of submissions. Its speed, the delays until the
//! CPU notices the end of a submission, and the measured peak are chosen by the test.

use std::cell::Cell;

use learnery_kernels::rng::Stream;

use super::*;

/// The longest time of a submission on the device, where ends are noticed at once: two thirds of the
/// display's frame. Where they are noticed late, the display is not smooth anyway, and a submission may take
/// as much longer.
const LONGEST_SECONDS: f64 = 0.012;

/// The least that a device may do, as a share of what it could have done.
const LEAST_SHARE: f64 = 1.0 / 3.0;

/// Costs per second: a GPU that is integrated in a processor, a faster one, and a card for data centres.
const SPEEDS: [f64; 3] = [2e10, 2e11, 1e13];

/// A measured peak, divided by the true one.
const ERRORS_OF_PEAKS: [f64; 5] = [1e-3, 0.1, 1.0, 10.0, 1e3];

thread_local! {
    static NOW: Cell<f64> = const { Cell::new(0.0) };
}

struct Simulation {
    /// The cost per second at a time in seconds.
    speed: Box<dyn Fn(f64) -> f64>,
    /// The seconds until the end of submission number `i` is noticed.
    delay: Box<dyn Fn(usize) -> f64>,
    /// Between these times the CPU notices nothing.
    asleep: [f64; 2],
    peak: Option<f64>,
    /// The cost of a unit, after which the CPU waits until the device is idle.
    unit: f64,
    /// Submissions are made of dispatches of this cost.
    dispatch: f64,
}

/// What a simulation gave in some part of it.
#[derive(Debug)]
struct Outcome {
    share: f64,
    longest_seconds: f64,
}

impl Simulation {
    /// A device of this constant speed, a fifth of its peak, whose ends are noticed at once.
    fn new(speed: f64) -> Self {
        Self {
            speed: Box::new(move |_| speed),
            delay: Box::new(|_| 6e-5),
            asleep: [0.0; 2],
            peak: Some(speed / USUAL_SHARE_OF_PEAK),
            unit: f64::INFINITY,
            dispatch: 1e6,
        }
    }

    /// Runs from time 0 on. What ends between these times counts.
    fn run(&self, [from, to]: [f64; 2]) -> Outcome {
        NOW.set(0.0);
        let mut submissions = Submissions::new(Some(|| NOW.get()));
        let mut noticed_at = VecDeque::new();
        let (mut idle_from, mut last_notice) = (0.0, 0.0f64);
        let (mut submitted, mut left_of_unit) = (0, self.unit);
        let mut outcome = Outcome { share: 0.0, longest_seconds: 0.0 };
        while NOW.get() < to {
            let now = NOW.get();
            let slice = slice_cost(false, self.peak, submissions.rate());
            if left_of_unit <= 0.0 && submissions.len() == 0 {
                left_of_unit = self.unit;
            }
            if left_of_unit <= 0.0 || submissions.are_enough(slice) {
                let next: f64 = noticed_at.pop_front().expect("something is under way");
                NOW.set(now.max(next));
                submissions.end();
                continue;
            }
            let mut cost = 0.0;
            if submissions.needs_probe() {
                submissions.begin_probe();
            } else {
                cost = self.dispatch * (slice / self.dispatch).floor().max(1.0);
                left_of_unit -= cost;
                submissions.begin(cost);
            }
            let began = now.max(idle_from);
            idle_from = self.end_of(began, cost);
            if (from..to).contains(&idle_from) {
                outcome.share += cost;
                outcome.longest_seconds = outcome.longest_seconds.max(idle_from - began);
            }
            let mut notice = idle_from + (self.delay)(submitted);
            if (self.asleep[0]..self.asleep[1]).contains(&notice) {
                notice = self.asleep[1];
            }
            // Ends are noticed in the order of submissions.
            last_notice = last_notice.max(notice);
            noticed_at.push_back(last_notice);
            submitted += 1;
        }
        outcome.share /= self.possible(from, to);
        outcome
    }

    /// When the device ends a submission of this cost.
    fn end_of(&self, mut time: f64, cost: f64) -> f64 {
        const STEP: f64 = 1e-3;
        let mut left = cost;
        loop {
            let speed = (self.speed)(time);
            if left <= STEP * speed {
                return time + left / speed;
            }
            left -= STEP * speed;
            time += STEP;
        }
    }

    /// The cost that a device without pauses finishes between these times.
    fn possible(&self, from: f64, to: f64) -> f64 {
        let steps = 1000;
        let step = (to - from) / f64::from(steps);
        (0..steps).map(|i| step * (self.speed)(from + step * (f64::from(i) + 0.5))).sum()
    }

    /// # Panics
    /// If the device does less than it must, or a submission takes too long.
    fn check(&self, what: &str, delay: f64, counted: [f64; 2]) {
        let outcome = self.run(counted);
        assert!(outcome.share >= LEAST_SHARE, "{what}: {outcome:?}");
        assert!(outcome.longest_seconds <= LONGEST_SECONDS + delay, "{what}: {outcome:?}");
    }
}

/// Delays between nothing and twice this many seconds, in an order that looks random.
fn varying(delay: f64) -> Box<dyn Fn(usize) -> f64> {
    let stream = Stream::new(1, 1);
    Box::new(move |i| 2.0 * delay * f64::from(stream.uniform(i as u64, 0)))
}

/// A device is used, and not for too long at a time, whatever the peak, and whatever the delays in a busy
/// tab.
#[test]
fn neither_delays_nor_a_wrong_peak_make_a_run_slow() {
    for speed in SPEEDS {
        for error in ERRORS_OF_PEAKS {
            let peak = Some(error * speed / USUAL_SHARE_OF_PEAK);
            // The first submissions are sized by the peak alone.
            let start = 2.0 * DEFAULT_HARDWARE_COST / speed + 2.5;
            let counted = [start, start + 6.0];
            for delay in [6e-5, 0.003, 0.008, 0.016, 0.03, 0.05, 0.08] {
                let what = format!("speed {speed:e}, delay {delay} s, peak times {error}");
                let constant: Box<dyn Fn(usize) -> f64> = Box::new(move |_| delay);
                Simulation { peak, delay: constant, ..Simulation::new(speed) }.check(&what, delay, counted);
            }
            for delay in [6e-5, 0.003, 0.008, 0.016, 0.03] {
                let what = format!("speed {speed:e}, delays up to {} s, peak times {error}", 2.0 * delay);
                for unit in [f64::INFINITY, 0.3 * speed] {
                    let simulation =
                        Simulation { peak, unit, delay: varying(delay), ..Simulation::new(speed) };
                    simulation.check(&format!("{what}, units of {unit}"), delay, counted);
                }
            }
        }
    }
}

/// A device that throttles itself, or that other programs use, gets smaller submissions soon, and larger ones
/// afterwards.
#[test]
fn submissions_follow_a_device_that_slows_down() {
    for speed in SPEEDS {
        for delay in [6e-5, 0.008] {
            for slower in [3.0, 7.0] {
                let changing =
                    move |time: f64| if (5.0..15.0).contains(&time) { speed / slower } else { speed };
                let simulation =
                    Simulation { speed: Box::new(changing), delay: varying(delay), ..Simulation::new(speed) };
                let what = format!("speed {speed:e}, delay {delay} s, {slower} times slower for a while");
                for counted in [[2.0, 4.9], [8.0, 14.9], [17.0, 25.0]] {
                    simulation.check(&format!("{what}, from {} s on", counted[0]), delay, counted);
                }
            }
        }
    }
}

/// A worker that sleeps for seconds, as in a hidden tab, delays only what it sleeps through.
#[test]
fn a_sleep_of_the_worker_does_no_harm() {
    for speed in SPEEDS {
        let simulation = Simulation { asleep: [5.0, 8.0], delay: varying(0.003), ..Simulation::new(speed) };
        simulation.check(&format!("speed {speed:e}"), 0.003, [8.5, 12.0]);
    }
}

/// Where a single dispatch is more than a submission should be, each is one, and no reason for smaller ones.
#[test]
fn large_dispatches_are_submitted_one_by_one() {
    let (seconds, delay) = (0.02, 0.003);
    for speed in SPEEDS {
        let simulation =
            Simulation { dispatch: seconds * speed, delay: varying(delay), ..Simulation::new(speed) };
        simulation.check(&format!("speed {speed:e}"), seconds, [2.0, 6.0]);
    }
}

/// Before anything is measured, no submission is larger than on a usual device, whatever the peak.
#[test]
fn first_submissions_are_limited() {
    let [slow, fast] = [1e10, 5e13];
    assert_eq!(slice_cost(false, Some(slow), None), DEFAULT_SOFTWARE_COST);
    assert_eq!(
        slice_cost(false, Some(fast / 10.0), None),
        fast / 10.0 * USUAL_SHARE_OF_PEAK * SUBMISSION_SECONDS
    );
    assert_eq!(slice_cost(false, Some(1e3 * fast), None), DEFAULT_HARDWARE_COST);
    assert_eq!(slice_cost(false, None, None), DEFAULT_HARDWARE_COST);
    assert_eq!(slice_cost(false, Some(fast), Some(0.0)), DEFAULT_SOFTWARE_COST);
    assert_eq!(slice_cost(false, Some(fast), Some(1e13)), 1e13 * SUBMISSION_SECONDS);
    assert_eq!(slice_cost(true, None, Some(1e13)), DEFAULT_SOFTWARE_COST);
    assert_eq!(slice_cost(true, Some(slow), Some(1e13)), slow * USUAL_SHARE_OF_PEAK * SUBMISSION_SECONDS);
}
