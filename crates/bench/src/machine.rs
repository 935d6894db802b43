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
    run: |context| {
        let mut peak = Peak::new(context);
        let sample = measure_one(context.clock, &mut |iterations| peak.run(context, iterations));
        Measurement { sample: sample.scaled(peak.gflop), upper_bound: None, peer: None }
    },
};

pub const BANDWIDTH: Bench = Bench {
    name: "machine/bandwidth",
    unit: "GB/s",
    about: "x += y over arrays far larger than the caches",
    run: bandwidth,
};

/// The peak FMA throughput as a task: independent multiply-adds in registers on every thread. It is the upper
/// bound of arithmetic tasks and is measured alternately with them.
pub struct Peak {
    states: Vec<f32>,
    /// Billions of operations of an iteration on all threads.
    pub gflop: f64,
}

impl Peak {
    pub fn new(context: &BenchContext) -> Self {
        let threads = context.threads;
        Self { states: vec![0.5; threads], gflop: peak::flops_per_iteration() * threads as f64 * 1e-9 }
    }

    pub fn run(&mut self, context: &BenchContext, iterations: u64) {
        context.pool.for_each_state(&mut self.states, |x| peak::run_multiply_adds(iterations, x));
    }
}

/// The benchmark [`BANDWIDTH`].
fn bandwidth(context: &BenchContext) -> Measurement {
    /// Floats in each of a thread's two arrays: 64 MiB natively, 16 MiB in a browser.
    const FLOATS: usize = if cfg!(target_arch = "wasm32") { 1 << 22 } else { 1 << 24 };
    let mut states: Vec<_> =
        (0..context.threads).map(|_| (vec![1.0f32; FLOATS], vec![0.5f32; FLOATS])).collect();
    let sample = measure_one(context.clock, &mut |iterations| {
        context.pool.for_each_state(&mut states, |(x, y)| {
            for _ in 0..iterations {
                add_assign(black_box(x), black_box(y));
            }
        });
    });
    // Two arrays are read and one is written.
    let gigabytes = 3.0 * 4.0 * FLOATS as f64 * context.threads as f64 * 1e-9;
    Measurement { sample: sample.scaled(gigabytes), upper_bound: None, peer: None }
}
