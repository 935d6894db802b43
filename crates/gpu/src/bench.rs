//! Measures a device: its peak of multiply-adds, the bandwidth of its memory, and our kernels beside both. Native only,
//! because a browser has no clock that is fine enough, and few have timestamps.

use std::time::Instant;

use crate::GpuError;
use crate::device::Gpu;
use crate::matmul::{Epilogue, Matrix, Size, TILINGS, Tiling};
use crate::plan::{Plan, PlanBuilder};
use crate::speed::SpeedMeasurement;

/// Repetitions of a measurement; the best counts, because everything else a machine does only makes it slower.
const REPEATS: usize = 5;

/// The device's own limits.
#[derive(Clone, Copy, Debug)]
pub struct Peak {
    /// Floating-point operations a second, a multiply-add counted as two.
    pub operations: f64,
    /// Bytes a second, reading and writing.
    pub bandwidth: f64,
}

/// The time of one kind of kernel within a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelTime {
    pub name: &'static str,
    /// Launches.
    pub count: usize,
    pub seconds: f64,
    /// Floating-point operations; zero for kernels that mostly move memory.
    pub operations: f64,
}

/// The fastest of some submissions of a plan, in seconds.
pub fn best_time(gpu: &Gpu, plan: &Plan) -> f64 {
    // The first launch of a kernel may compile it.
    plan.submit_all();
    gpu.wait();
    (0..REPEATS)
        .map(|_| {
            let begin = Instant::now();
            plan.submit_all();
            gpu.wait();
            begin.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}

/// Seconds from a submission of an empty kernel until its end is known.
pub fn submission_time(gpu: &Gpu) -> Result<f64, GpuError> {
    let (x, y) = (gpu.buffer(4)?, gpu.buffer(4)?);
    let mut plan = PlanBuilder::new(gpu);
    plan.dispatch("stream", &[], &[1.into()], &[&x, &y], [1, 1, 1], 1.0);
    Ok(best_time(gpu, &plan.build()?))
}

/// Measures the peak of multiply-adds in floating-point operations per second, see [`SpeedMeasurement`].
pub fn measure_speed(gpu: &Gpu) -> Result<f64, GpuError> {
    let begin = Instant::now();
    let mut measurement = SpeedMeasurement::new(gpu)?;
    loop {
        gpu.wait();
        if let Some(speed) = measurement.poll(begin.elapsed().as_secs_f64())? {
            return Ok(speed);
        }
    }
}

/// Measures the device's limits.
pub fn peak(gpu: &Gpu) -> Result<Peak, GpuError> {
    let enough: usize = if gpu.info().software { 1 << 20 } else { 1 << 24 };
    // Some GPUs allow only buffers of 128 MB; a vector has 16 bytes.
    let vectors = enough.min((gpu.info().largest_binding / 16) as usize);
    let operations = measure_speed(gpu)?;
    let (x, y) = (gpu.buffer(4 * vectors)?, gpu.buffer(4 * vectors)?);
    let mut plan = PlanBuilder::new(gpu);
    plan.dispatch_elements("stream", &[], &[vectors.into()], &[&x, &y], vectors, 64);
    let bandwidth = 32.0 * vectors as f64 / best_time(gpu, &plan.build()?);
    Ok(Peak { operations, bandwidth })
}

/// Operations a second of a product of square matrices with each tiling.
pub fn square_products(gpu: &Gpu, n: usize) -> Result<Vec<(Tiling, f64)>, GpuError> {
    let (a, b, c) = (gpu.buffer(n * n)?, gpu.buffer(n * n)?, gpu.buffer(n * n)?);
    let size = Size::new(n, n, n);
    let mut rates = Vec::new();
    for tiling in TILINGS {
        let mut plan = PlanBuilder::new(gpu);
        let [a, b, c] = [&a, &b, &c].map(|buffer| Matrix::new(buffer, 0, n));
        plan.matmul_tiled(size, a, b, c, Epilogue::Store, tiling);
        rates.push((tiling, size.operations() / best_time(gpu, &plan.build()?)));
    }
    Ok(rates)
}
