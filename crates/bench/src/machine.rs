//! The peak rates of the machine (the roofline): multiply-adds in registers, and memory bandwidth.

use std::hint::black_box;

use learnery_kernels::peak;
use learnery_kernels::reduce::add_assign;

use super::measure::measure_one;
use super::{Bench, BenchContext, Measurement};

pub const FMA: Bench = Bench {
    name: "machine/fma",
    unit: "GFLOP/s",
    about: "multiplications and additions of values that stay in registers, fused where that exists",
    run: measure_multiply_adds,
};

pub const BANDWIDTH: Bench = Bench {
    name: "machine/bandwidth",
    unit: "GB/s",
    about: "x += y over arrays far larger than the caches",
    run: measure_bandwidth,
};

/// Independent multiply-adds in registers on every thread. No arithmetic can be faster, so this task gives
/// the upper bound of other tasks. It is measured alternately with them (see `measure::measure`).
pub struct PeakTask {
    /// For each thread, the number that its multiply-adds change.
    values: Vec<f32>,
    /// Billions of operations that all threads together do in one iteration.
    pub gflop_per_iteration: f64,
}

impl PeakTask {
    pub fn new(context: &BenchContext) -> Self {
        let threads = context.threads;
        let gflop_per_iteration = peak::flops_per_iteration() * threads as f64 * 1e-9;
        Self { values: vec![0.5; threads], gflop_per_iteration }
    }

    pub fn run(&mut self, context: &BenchContext, iterations: u64) {
        context.pool.for_each_state(&mut self.values, |value| peak::run_multiply_adds(iterations, value));
    }
}

/// The benchmark [`FMA`].
fn measure_multiply_adds(context: &BenchContext) -> Measurement {
    let mut task = PeakTask::new(context);
    let sample = measure_one(context.clock, &mut |iterations| task.run(context, iterations));
    Measurement::without_comparison(sample.scaled(task.gflop_per_iteration))
}

/// The benchmark [`BANDWIDTH`].
fn measure_bandwidth(context: &BenchContext) -> Measurement {
    /// Floats in each of a thread's two arrays: 64 MiB natively, 16 MiB in a browser.
    const FLOATS: usize = if cfg!(target_arch = "wasm32") { 1 << 22 } else { 1 << 24 };
    /// `x` and `y` are read, and `x` is written.
    const BYTES_PER_ELEMENT: f64 = 3.0 * size_of::<f32>() as f64;
    let mut arrays_of_threads: Vec<_> =
        (0..context.threads).map(|_| (vec![1.0f32; FLOATS], vec![0.5f32; FLOATS])).collect();
    let sample = measure_one(context.clock, &mut |iterations| {
        context.pool.for_each_state(&mut arrays_of_threads, |(x, y)| {
            for _ in 0..iterations {
                add_assign(black_box(x), black_box(y));
            }
        });
    });
    let gigabytes = BYTES_PER_ELEMENT * FLOATS as f64 * context.threads as f64 * 1e-9;
    Measurement::without_comparison(sample.scaled(gigabytes))
}
