//! Measures a GPU's peak of floating-point operations per second (multiply-adds, each counted as two). It
//! polls and never blocks, so that it also works in a page. The peak determines how much work goes into one
//! submission, and the page shows a run's speed as a share of it.

use learnery_kernels::product;

use crate::GpuError;
use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::plan::{Plan, PlanBuilder};

/// The number of workgroups, of 64 invocations each: enough to occupy large GPUs.
pub const GROUPS: usize = 4096;
/// The number of workgroups on software adapters, which run on the few cores of the CPU.
const SOFTWARE_GROUPS: usize = 256;

/// Floating-point operations of one iteration of the loop in the kernel `peak`, in one workgroup: 64
/// invocations, 4 times 8 independent multiply-adds, 4 components of a vector, and 2 operations each.
const OPERATIONS_PER_LOOP: usize = 64 * 4 * 8 * 4 * 2;

/// Only rounds of at least this length count. The delay until the CPU notices the end of a round is usually
/// small compared with it.
const LONG_ENOUGH_SECONDS: f64 = 0.03;

/// No round is planned to take longer, because the display may use the same GPU.
const MAX_SECONDS: f64 = 0.6;

/// The factor by which the iterations of the loop grow from one round to the next.
const ITERATION_GROWTH: usize = 4;

/// Two rounds agree if their rates differ by less than this fraction.
const RATE_TOLERANCE: f64 = 0.25;

/// The measurement ends after this many rounds, not counting the warm-up, even if no two rounds agree.
const MAX_ROUNDS: usize = 24;

/// A measurement in rounds, each of which is one submission.
#[derive(Debug)]
pub struct SpeedMeasurement {
    gpu: Gpu,
    out: Buffer,
    rounds: Rounds,
    /// When the present round was submitted, in seconds; `None` before the first.
    began: Option<f64>,
}

impl SpeedMeasurement {
    pub fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        // Each of a workgroup's 64 invocations writes a vector of four floats.
        let out = gpu.buffer(4 * 64 * groups(gpu))?;
        Ok(Self { gpu: gpu.clone(), out, rounds: Rounds::new(groups(gpu)), began: None })
    }

    /// Goes on with the measurement. Call it repeatedly: it returns `None` until the measurement is done,
    /// then the peak. `now` is the time in seconds since any fixed moment. The device remembers the peak, see
    /// [`Gpu::slice_cost`].
    pub fn poll(&mut self, now: f64) -> Result<Option<f64>, GpuError> {
        if self.gpu.in_flight()? > 0 {
            return Ok(None);
        }
        if let Some(speed) = self.began.and_then(|began| self.rounds.end(now - began)) {
            self.gpu.set_speed(speed);
            return Ok(Some(speed));
        }
        self.plan()?.submit_all();
        self.began = Some(now);
        Ok(None)
    }

    fn plan(&self) -> Result<Plan, GpuError> {
        let (groups, loops) = (self.rounds.groups, self.rounds.loops);
        let mut plan = PlanBuilder::new(&self.gpu);
        plan.dispatch("peak", &[], &[loops.into()], &[&self.out], [groups, 1, 1], 1.0);
        plan.build()
    }
}

/// Decides how long rounds are and when they suffice. The CPU notices the end of a round late, in a busy tab
/// by many milliseconds, so a short round says too little. The iterations grow until a round is long enough
/// and its rate is within `RATE_TOLERANCE` of the rate of the round before. A delay does not grow with the
/// work, so a longer round agrees with a shorter one only if the delay no longer matters. Rounds stop growing
/// at `MAX_SECONDS`: a delay of a quarter of that makes a device look slower than it is. The highest rate
/// counts, because the end of a round is never noticed too early.
#[derive(Debug)]
struct Rounds {
    groups: usize,
    /// Iterations of the kernel's loop in the present round.
    loops: usize,
    /// Rounds that have ended. The first is a warm-up: its time includes compiling the kernel.
    ended: usize,
    /// The rate of the round before.
    previous: Option<f64>,
    highest: f64,
}

impl Rounds {
    fn new(groups: usize) -> Self {
        Self { groups, loops: 1, ended: 0, previous: None, highest: 0.0 }
    }

    /// Ends a round that took `seconds`. Returns the speed once it is known.
    fn end(&mut self, seconds: f64) -> Option<f64> {
        self.ended += 1;
        if self.ended == 1 {
            return None;
        }
        let rate = operations(self.groups, self.loops) / seconds.max(1e-6);
        let is_long = seconds >= LONG_ENOUGH_SECONDS;
        if is_long || self.ended > MAX_ROUNDS {
            self.highest = self.highest.max(rate);
        }
        let agrees = self.previous.is_some_and(|previous| (rate / previous - 1.0).abs() < RATE_TOLERANCE);
        if is_long && agrees || self.ended > MAX_ROUNDS {
            return Some(self.highest);
        }
        if seconds * ITERATION_GROWTH as f64 <= MAX_SECONDS {
            self.loops *= ITERATION_GROWTH;
        }
        self.previous = Some(rate);
        None
    }
}

/// Floating-point operations of one round: every workgroup runs `loops` iterations of the kernel's loop.
pub fn operations(groups: usize, loops: usize) -> f64 {
    product([groups, loops, OPERATIONS_PER_LOOP])
}

fn groups(gpu: &Gpu) -> usize {
    if gpu.info().software { SOFTWARE_GROUPS } else { GROUPS }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulates a device of this speed, where the end of each round is noticed late. Returns the ratio of
    /// the measured speed to the true one, and the longest round without its delay.
    fn measure(groups: usize, speed: f64, mut delay: impl FnMut(usize) -> f64) -> (f64, f64) {
        let mut rounds = Rounds::new(groups);
        let mut longest = 0f64;
        for round in 0.. {
            let seconds = operations(groups, rounds.loops) / speed;
            longest = longest.max(seconds);
            if let Some(measured) = rounds.end(seconds + delay(round)) {
                return (measured / speed, longest);
            }
        }
        unreachable!()
    }

    #[test]
    fn speed_is_measured_through_delays() {
        for speed in [2e9, 1e11, 1e12, 5.6e13] {
            for delay in [0.0, 0.001, 0.02, 0.05] {
                let (share, longest) = measure(GROUPS, speed, |_| delay);
                assert!((0.7..=1.0).contains(&share), "{speed}, {delay}: {share}");
                assert!(longest <= MAX_SECONDS, "{speed}, {delay}: {longest} s");
            }
        }
    }

    #[test]
    fn rounds_that_were_disturbed_do_not_count() {
        // While kernels are compiled, the first rounds are noticed after 40 ms each.
        let (share, _) = measure(GROUPS, 5.6e13, |round| if round < 5 { 0.04 } else { 0.001 });
        assert!(share > 0.7, "{share}");
    }

    #[test]
    fn slow_software_needs_few_rounds() {
        let mut rounds = 0;
        let (share, _) = measure(SOFTWARE_GROUPS, 1e9, |round| {
            rounds = round + 1;
            0.0
        });
        assert!((share - 1.0).abs() < 1e-9 && rounds <= 5, "{share} after {rounds} rounds");
    }

    #[test]
    fn measurement_ends_even_if_no_rounds_agree() {
        let (share, _) = measure(GROUPS, 1e12, |round| if round % 2 == 0 { 0.0 } else { 3.0 });
        assert!(share > 0.5, "{share}");
    }
}
