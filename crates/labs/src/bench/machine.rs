//! What the machine allows: multiply-adds in registers, and traffic with memory.

use std::hint::black_box;

use learnery_kernels::reduce::add_assign;
use learnery_kernels::simd::{Op, Simd, dispatch};

use super::measure::measure_one;
use super::{Bench, Machine, Outcome};

/// The most arithmetic there is.
pub const FMA: Bench = Bench {
    name: "machine/fma",
    unit: "GFLOP/s",
    about: "multiply-adds on values that stay in registers",
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
        Self { states: vec![0.5; threads], gflop: dispatch(FlopsPerTurn) * threads as f64 * 1e-9 }
    }

    /// Does it.
    pub fn work(&mut self, machine: &Machine, turns: u64) {
        machine.pool.on_each(&mut self.states, |x| *x = dispatch(MultiplyAdd { turns, x: *x }));
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

/// Independent chains of multiply-adds: enough to hide their latency, few enough for the registers. In
/// wasm, more than eight slow the browser's compiler down.
const CHAINS: usize = if cfg!(target_arch = "wasm32") { 8 } else { 12 };

/// Multiply-adds of every chain in a turn.
const DEPTH: usize = 1024;

struct MultiplyAdd {
    turns: u64,
    x: f32,
}

impl Op for MultiplyAdd {
    type Output = f32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> f32 {
        let mut chains = [simd.splat(self.x); CHAINS];
        // Tends to two: neither overflow nor denormals, which would cost extra.
        let (a, b) = (simd.splat(black_box(0.5)), simd.splat(black_box(1.0)));
        for _ in 0..self.turns {
            for _ in 0..DEPTH {
                for chain in &mut chains {
                    *chain = simd.mul_add(*chain, a, b);
                }
            }
        }
        let sum = chains.into_iter().reduce(|x, y| simd.add(x, y)).unwrap_or(a);
        if simd.any(simd.lt(sum, b)) { 0.0 } else { 0.5 }
    }
}

struct FlopsPerTurn;

impl Op for FlopsPerTurn {
    type Output = f64;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> f64 {
        (2 * S::LANES * CHAINS * DEPTH) as f64
    }
}
