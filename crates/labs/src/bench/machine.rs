//! What the machine allows: multiply-adds in registers, and traffic with memory.

use std::hint::black_box;

use learnery_kernels::reduce::add_assign;
use learnery_kernels::simd::{Op, Simd, dispatch};

use super::measure::measure_one;
use super::{Bench, Machine, Outcome, Sample};

/// The most arithmetic there is.
pub const FMA: Bench = Bench {
    name: "machine/fma",
    unit: "GFLOP/s",
    about: "multiply-adds on values that stay in registers",
    run: |machine| Outcome { sample: machine.fma(), limit: None, peer: None },
};

/// The most memory traffic there is.
pub const BANDWIDTH: Bench = Bench {
    name: "machine/bandwidth",
    unit: "GB/s",
    about: "x += y over arrays far larger than the caches",
    run: |machine| Outcome { sample: machine.bandwidth(), limit: None, peer: None },
};

impl Machine<'_> {
    /// GFLOP/s of multiply-adds in registers, on all threads of the machine together.
    pub fn fma(&self) -> Sample {
        once(&self.limits.fma, self.threads, || {
            let flops = dispatch(FlopsPerTurn) * self.threads as f64;
            let mut states = vec![0.5f32; self.threads];
            let sample = measure_one(self.clock, &mut |turns| {
                self.pool.on_each(&mut states, |x| *x = dispatch(MultiplyAdd { turns, x: *x }));
            });
            sample.scaled(flops * 1e-9)
        })
    }

    /// GB/s between memory and all threads together.
    pub fn bandwidth(&self) -> Sample {
        /// Floats in each of the two arrays of a thread: 64 MiB natively, less where memory is scarce.
        const FLOATS: usize = if cfg!(target_arch = "wasm32") { 1 << 22 } else { 1 << 24 };
        once(&self.limits.bandwidth, self.threads, || {
            let mut states: Vec<_> =
                (0..self.threads).map(|_| (vec![1.0f32; FLOATS], vec![0.5f32; FLOATS])).collect();
            let sample = measure_one(self.clock, &mut |turns| {
                self.pool.on_each(&mut states, |(x, y)| {
                    for _ in 0..turns {
                        add_assign(black_box(x), black_box(y));
                    }
                });
            });
            // Two arrays are read and one is written.
            sample.scaled(3.0 * 4.0 * FLOATS as f64 * self.threads as f64 * 1e-9)
        })
    }
}

fn once(
    known: &std::cell::RefCell<Vec<(usize, Sample)>>,
    threads: usize,
    find: impl FnOnce() -> Sample,
) -> Sample {
    if let Some((_, sample)) = known.borrow().iter().find(|(n, _)| *n == threads) {
        return *sample;
    }
    let sample = find();
    known.borrow_mut().push((threads, sample));
    sample
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
