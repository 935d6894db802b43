//! What the machine allows: multiply-adds in registers, and traffic with memory.

use std::hint::black_box;

use learnery_kernels::peak;
use learnery_kernels::reduce::add_assign;

use super::measure::measure_one;
use super::{Bench, Machine, Outcome};

/// The most arithmetic there is.
pub const FMA: Bench = Bench {
    name: "machine/fma",
    unit: "GFLOP/s",
    about: "multiplications and additions of values that stay in registers, fused where that exists",
    run: |machine| {
        let mut peak = Peak::of(machine);
        let sample = measure_one(machine.clock, &mut |turns| peak.work(machine, turns));
        Outcome { sample: sample.scaled(peak.gflop), limit: None, peer: None }
    },
};

/// The most memory traffic there is.
pub const BANDWIDTH: Bench = Bench {
    name: "machine/bandwidth",
    unit: "GB/s",
    about: "x += y over arrays far larger than the caches",
    run: bandwidth,
};

/// Multiply-adds in registers on every thread, to be measured in turns with what they limit.
pub struct Peak {
    states: Vec<f32>,
    /// Billions of operations in a turn of all threads.
    pub gflop: f64,
}

impl Peak {
    /// As much work as `machine` has threads for.
    pub fn of(machine: &Machine) -> Self {
        let threads = machine.threads;
        Self { states: vec![0.5; threads], gflop: peak::flops_per_iteration() * threads as f64 * 1e-9 }
    }

    /// Does it.
    pub fn work(&mut self, machine: &Machine, turns: u64) {
        machine.pool.on_each(&mut self.states, |x| peak::run_multiply_adds(turns, x));
    }
}

fn bandwidth(machine: &Machine) -> Outcome {
    /// Floats in each of the two arrays of a thread: 64 MiB natively, less where memory is scarce.
    const FLOATS: usize = if cfg!(target_arch = "wasm32") { 1 << 22 } else { 1 << 24 };
    let mut states: Vec<_> =
        (0..machine.threads).map(|_| (vec![1.0f32; FLOATS], vec![0.5f32; FLOATS])).collect();
    let sample = measure_one(machine.clock, &mut |turns| {
        machine.pool.on_each(&mut states, |(x, y)| {
            for _ in 0..turns {
                add_assign(black_box(x), black_box(y));
            }
        });
    });
    // Two arrays are read and one is written.
    let gigabytes = 3.0 * 4.0 * FLOATS as f64 * machine.threads as f64 * 1e-9;
    Outcome { sample: sample.scaled(gigabytes), limit: None, peer: None }
}
