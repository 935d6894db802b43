//! What the machine allows: multiply-adds in registers, and traffic with memory.

use std::hint::black_box;

use learnery_kernels::reduce::add_assign;
use learnery_kernels::simd::{Op, Simd, dispatch};

use super::measure::{measure_briefly, measure_one};
use super::pool::Pool;
use super::{Bench, Clock, Machine, Outcome};

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

/// Operations a second of the same, measured in a moment: for a page that says which share of it a lab gets.
pub fn peak(clock: &Clock, threads: usize) -> f64 {
    let machine = Machine { clock, threads, pool: &Pool::of(threads) };
    let mut peak = Peak::of(&machine);
    let operations = 1e9 * peak.gflop;
    measure_briefly(clock, &mut |turns| peak.work(&machine, turns)).rate * operations
}

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

/// Independent chains: enough to hide the latency of their instructions, few enough for the registers, of which a
/// browser's compiler has fifteen.
const CHAINS: usize = 12;

/// Instructions of every chain in a turn.
const DEPTH: usize = 1024;

struct MultiplyAdd {
    turns: u64,
    x: f32,
}

impl Op for MultiplyAdd {
    type Output = f32;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> f32 {
        let mut chains = [s.splat(self.x); CHAINS];
        if S::FUSED {
            // Tends to two: neither overflow nor denormals, which would cost extra.
            let (a, b) = (s.splat(black_box(0.5)), s.splat(black_box(1.0)));
            for _ in 0..self.turns {
                for _ in 0..DEPTH {
                    for chain in &mut chains {
                        *chain = s.mul_add(*chain, a, b);
                    }
                }
            }
        } else {
            // Additions that waited for products would measure the wait for both. Multiplications beside additions
            // can fill all units; ones squared and zeros doubled stay what they are and need no further register.
            let (one, zero) = (s.splat(black_box(1.0)), s.splat(black_box(0.0)));
            for [x, y] in chains.as_chunks_mut().0 {
                (*x, *y) = (one, zero);
            }
            for _ in 0..self.turns {
                for _ in 0..DEPTH {
                    for [x, y] in chains.as_chunks_mut().0 {
                        (*x, *y) = (s.mul(*x, *x), s.add(*y, *y));
                    }
                }
            }
        }
        let zero = s.splat(0.0);
        let sum = chains.into_iter().fold(zero, |x, y| s.add(x, y));
        if s.any(s.lt(sum, zero)) { 0.0 } else { 0.5 }
    }
}

struct FlopsPerTurn;

impl Op for FlopsPerTurn {
    type Output = f64;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> f64 {
        let each = if S::FUSED { 2 } else { 1 };
        (each * S::LANES * CHAINS * DEPTH) as f64
    }
}
