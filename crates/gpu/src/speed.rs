//! Measures the peak of multiply-adds without blocking, so that a page can do it too. Submissions are sized by it, and
//! the page shows which share of it a run uses.

use crate::GpuError;
use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::plan::{Plan, PlanBuilder};

/// Workgroups of 64 invocations: enough to occupy the largest GPUs.
const GROUPS: usize = 4096;
/// The same on software adapters, which have as many processors as the CPU has cores.
const SOFTWARE_GROUPS: usize = 256;

/// Floating-point operations of one loop of the kernel `peak` in one workgroup: 64 invocations with four times eight
/// multiply-adds of four numbers each.
const OPERATIONS_PER_LOOP: usize = 64 * 4 * 8 * 4 * 2;

/// A round that takes this long is not disturbed much by the time that passes until its end is noticed.
const LONG_ENOUGH_SECONDS: f64 = 0.03;

/// A round has so many times the loops of the one before.
const GROWTH: usize = 4;

/// A measurement in rounds, each longer than the one before, until a round takes long enough twice. The faster of the two
/// counts, because everything else that a machine does only makes it slower.
#[derive(Debug)]
pub struct SpeedMeasurement {
    gpu: Gpu,
    out: Buffer,
    loops: usize,
    /// When the present round was submitted, in seconds; `None` before the first.
    began: Option<f64>,
    /// Whether a round has been finished. The first also compiles the kernel and does not count.
    is_warm: bool,
    /// The seconds of the round before, if that took long enough.
    first: Option<f64>,
}

impl SpeedMeasurement {
    pub fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        let out = gpu.buffer(4 * 64 * groups(gpu))?;
        Ok(Self { gpu: gpu.clone(), out, loops: 1, began: None, is_warm: false, first: None })
    }

    /// Floating-point operations per second, a multiply-add counted as two, once they are known. `now` is the time in
    /// seconds. The device remembers the result, see [`Gpu::slice_cost`].
    pub fn poll(&mut self, now: f64) -> Result<Option<f64>, GpuError> {
        if self.gpu.in_flight() > 0 {
            return Ok(None);
        }
        if let Some(failure) = self.gpu.failure() {
            return Err(failure);
        }
        if let Some(began) = self.began {
            let seconds = now - began;
            let is_long = seconds >= LONG_ENOUGH_SECONDS;
            match self.first {
                _ if !self.is_warm => self.is_warm = true,
                Some(first) if is_long => {
                    let operations = (groups(&self.gpu) * self.loops * OPERATIONS_PER_LOOP) as f64;
                    let speed = operations / seconds.min(first);
                    self.gpu.set_speed(speed);
                    return Ok(Some(speed));
                }
                None if is_long => self.first = Some(seconds),
                _ => (self.loops, self.first) = (self.loops * GROWTH, None),
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

fn groups(gpu: &Gpu) -> usize {
    if gpu.info().software { SOFTWARE_GROUPS } else { GROUPS }
}
