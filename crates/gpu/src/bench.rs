//! Microbenchmarks of a device: peak FLOP/s, memory bandwidth, submission latency, and the FLOP/s of our
//! kernel for matrix products. Native only: they block until the GPU has finished, which a browser does not
//! allow.

use learnery_kernels::product;
use std::time::Instant;

use crate::GpuError;
use crate::cooperative;
use crate::device::Gpu;
use crate::matmul::{Epilogue, Matrix, Size, TILINGS, Tiling};
use crate::plan::{Plan, PlanBuilder};
use crate::speed::SpeedMeasurement;

/// Repetitions of a measurement. The minimum is used: other load can only add time.
const REPETITIONS: usize = 5;
/// Bytes of a `vec4f`, which the kernel `stream` copies per invocation.
const VECTOR_BYTES: usize = 16;
/// Copies in one submission when bandwidth is measured, so that the latency of the submission hardly counts.
const COPIES_PER_SUBMISSION: usize = 16;

/// The measured peak throughput of a device, the two limits of its roofline.
#[derive(Clone, Copy, Debug)]
pub struct Peaks {
    /// Floating-point operations per second; a multiply-add counts as two.
    pub flops_per_second: f64,
    /// Bytes per second, read and written.
    pub bytes_per_second: f64,
}

/// The minimum duration of `submit`, in seconds, over a few repetitions.
fn min_seconds_of(gpu: &Gpu, submit: impl Fn()) -> f64 {
    // The first launch of a kernel may compile it.
    submit();
    gpu.wait();
    (0..REPETITIONS)
        .map(|_| {
            let begin = Instant::now();
            submit();
            gpu.wait();
            begin.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}

/// The minimum duration of a plan in one submission, in seconds, over a few repetitions.
pub fn min_seconds(gpu: &Gpu, plan: &Plan) -> f64 {
    min_seconds_of(gpu, || plan.submit_all())
}

/// The seconds of a plan that is repeated in one submission, so that the latency of the submission hardly
/// counts.
pub fn seconds_in_a_row(gpu: &Gpu, plan: &Plan) -> f64 {
    /// What all repetitions of a submission take together.
    const ENOUGH_SECONDS: f64 = 0.002;
    const MAX_REPETITIONS: f64 = 100.0;
    let once = min_seconds(gpu, plan);
    let times = (ENOUGH_SECONDS / once).clamp(1.0, MAX_REPETITIONS) as usize;
    if times == 1 { once } else { min_seconds_of(gpu, || plan.submit_repeated(times)) / times as f64 }
}

/// Submission latency: the seconds from the submission of a kernel that copies 16 bytes until its end is
/// known.
pub fn submission_latency(gpu: &Gpu) -> Result<f64, GpuError> {
    Ok(min_seconds(gpu, &copy(gpu, 1)?))
}

/// Measures the peak FLOP/s, see [`SpeedMeasurement`]. The device keeps the result and sizes its submissions
/// by it.
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

/// Measures the peak FLOP/s, and the memory bandwidth of a copy, as in the STREAM benchmark.
pub fn measure_peaks(gpu: &Gpu) -> Result<Peaks, GpuError> {
    /// Vectors to copy: 256 MiB on hardware, which no cache holds.
    const VECTORS: usize = 1 << 24;
    const VECTORS_IN_SOFTWARE: usize = 1 << 20;
    let vectors = if gpu.info().software { VECTORS_IN_SOFTWARE } else { VECTORS };
    // Some GPUs allow only buffers of 128 MiB.
    let vectors = vectors.min(gpu.info().largest_binding as usize / VECTOR_BYTES);
    let flops_per_second = measure_speed(gpu)?;
    let plan = copy(gpu, vectors)?;
    let seconds =
        min_seconds_of(gpu, || plan.submit_repeated(COPIES_PER_SUBMISSION)) / COPIES_PER_SUBMISSION as f64;
    // Every vector is read and written.
    let bytes_per_second = product([2, VECTOR_BYTES, vectors]) / seconds;
    Ok(Peaks { flops_per_second, bytes_per_second })
}

/// A plan that copies this number of vectors.
fn copy(gpu: &Gpu, vectors: usize) -> Result<Plan, GpuError> {
    const WORDS_PER_VECTOR: usize = VECTOR_BYTES / 4;
    let new_buffer = || gpu.buffer(WORDS_PER_VECTOR * vectors);
    let (from, to) = (new_buffer()?, new_buffer()?);
    let mut plan = PlanBuilder::new(gpu);
    plan.dispatch_elements("stream", &[], &[vectors.into()], &[&from, &to], vectors, 64);
    plan.build()
}

/// The FLOP/s of the product of two square matrices of size `n`, for each tiling.
pub fn square_matmuls(gpu: &Gpu, n: usize) -> Result<Vec<(Tiling, f64)>, GpuError> {
    let buffers = [gpu.buffer(n * n)?, gpu.buffer(n * n)?, gpu.buffer(n * n)?];
    let size = Size::new(n, n, n);
    let mut rates = Vec::new();
    for tiling in TILINGS {
        let mut plan = PlanBuilder::new(gpu);
        let [a, b, c] = buffers.each_ref().map(|buffer| Matrix::new(buffer, 0, n));
        plan.matmul_tiled(size, a, b, c, Epilogue::Store, tiling);
        rates.push((tiling, size.operations() / seconds_in_a_row(gpu, &plan.build()?)));
    }
    Ok(rates)
}

/// The FLOP/s of the same product by cooperative matrices, for each tiling that the device can run. The
/// operands are 16-bit floats in memory (`half`), or 32-bit floats that are rounded when they are loaded. The
/// list is empty if the device has no cooperative matrices.
pub fn cooperative_matmuls(
    gpu: &Gpu,
    n: usize,
    half: bool,
) -> Result<Vec<(cooperative::Tiling, f64)>, GpuError> {
    let mut rates = Vec::new();
    if !gpu.has_cooperative_matrices() {
        return Ok(rates);
    }
    let words = if half { n * n / 2 } else { n * n };
    let buffers = [gpu.buffer(words)?, gpu.buffer(words)?, gpu.buffer(n * n)?];
    let size = Size::new(n, n, n);
    for tiling in cooperative::TILINGS.into_iter().filter(|tiling| tiling.fits(gpu, [false; 2])) {
        let mut plan = PlanBuilder::new(gpu);
        let [a, b, c] = buffers.each_ref().map(|buffer| Matrix::new(buffer, 0, n));
        let (a, b) = (Matrix { half, ..a }, Matrix { half, ..b });
        plan.matmul_cooperative(size, a, b, c, Epilogue::Store, Some(tiling));
        rates.push((tiling, size.operations() / seconds_in_a_row(gpu, &plan.build()?)));
    }
    Ok(rates)
}
