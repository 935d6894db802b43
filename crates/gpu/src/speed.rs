//! Measures a GPU's peak rate of multiply-adds by polling, never blocking, so that it also works in a page. The rate
//! determines how much work goes into one submission, and the page shows a run's speed as a share of it.

use crate::GpuError;
use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::plan::{Plan, PlanBuilder};
use learnery_kernels::product;

/// The number of workgroups, of 64 invocations each: enough to occupy large GPUs.
pub const GROUPS: usize = 4096;
/// The number of workgroups on software adapters, which run on the few cores of the CPU.
const SOFTWARE_GROUPS: usize = 256;

/// Floating-point operations of one iteration of the loop in the kernel `peak`, in one workgroup: 64 invocations, 4 times
/// 8 independent multiply-adds, 4 components of a vector, and 2 operations each.
const OPERATIONS_PER_LOOP: usize = 64 * 4 * 8 * 4 * 2;

/// The shortest round that counts. The delay until its end is noticed is small beside it.
const LONG_ENOUGH_SECONDS: f64 = 0.03;

/// The factor by which the iterations grow after a round that was too short.
const GROWTH: usize = 4;

/// A measurement in rounds. The iterations grow until two rounds of the same length in succession are long enough. The
/// faster of the two counts, because other load can only make a round slower.
#[derive(Debug)]
pub struct SpeedMeasurement {
    gpu: Gpu,
    out: Buffer,
    /// Iterations of the kernel's loop in the present round.
    loops: usize,
    /// When the present round was submitted, in seconds; `None` before the first.
    began: Option<f64>,
    /// Whether the warm-up is over: the first round, whose time includes compiling the kernel.
    is_warm: bool,
    /// The seconds of the round before, if it was long enough and had as many iterations.
    previous: Option<f64>,
}

impl SpeedMeasurement {
    pub fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        let out = gpu.buffer(4 * 64 * groups(gpu))?;
        Ok(Self { gpu: gpu.clone(), out, loops: 1, began: None, is_warm: false, previous: None })
    }

    /// Goes on with the measurement; to be called again and again. Returns `None` until it is done, then the floating-point
    /// operations per second, a multiply-add counted as two. `now` is the time in seconds. The device remembers the result,
    /// see [`Gpu::slice_cost`].
    pub fn poll(&mut self, now: f64) -> Result<Option<f64>, GpuError> {
        if self.gpu.in_flight()? > 0 {
            return Ok(None);
        }
        if let Some(began) = self.began {
            let seconds = now - began;
            let is_long = seconds >= LONG_ENOUGH_SECONDS;
            match self.previous {
                _ if !self.is_warm => self.is_warm = true,
                Some(previous) if is_long => {
                    let speed = operations(groups(&self.gpu), self.loops) / seconds.min(previous);
                    self.gpu.set_speed(speed);
                    return Ok(Some(speed));
                }
                None if is_long => self.previous = Some(seconds),
                _ => (self.loops, self.previous) = (self.loops * GROWTH, None),
            }
        }
        self.plan()?.submit_all();
        self.began = Some(now);
        Ok(None)
    }

    fn plan(&self) -> Result<Plan, GpuError> {
        let mut plan = PlanBuilder::new(&self.gpu);
        plan.dispatch("peak", &[], &[self.loops.into()], &[&self.out], [groups(&self.gpu), 1, 1], 1.0);
        plan.build()
    }
}

/// Floating-point operations of one round: every workgroup runs `loops` iterations of the kernel's loop.
pub fn operations(groups: usize, loops: usize) -> f64 {
    product([groups, loops, OPERATIONS_PER_LOOP])
}

fn groups(gpu: &Gpu) -> usize {
    if gpu.info().software { SOFTWARE_GROUPS } else { GROUPS }
}
