//! Measures the peak arithmetic throughput of the machine, with multiply-adds on registers (the compute roof
//! of a roofline plot). Benchmarks report utilisation relative to it.

use crate::product;
use std::hint::black_box;

// `dispatch` runs an `Op`, a computation generic over the instruction set `S`, with the best set of this
// machine.
use crate::simd::{Op, Simd, dispatch, fuses};

/// Independent dependency chains: enough to hide the latency of the instructions, and few enough for the
/// registers, of which a browser's compiler can use 15.
const CHAINS: usize = 12;

/// Instructions per chain in one iteration.
const DEPTH: usize = 1024;

/// Floating-point operations of one iteration of [`run_multiply_adds`].
pub fn flops_per_iteration() -> f64 {
    dispatch(FlopsPerIteration)
}

/// Runs `iterations` iterations of multiply-adds on the calling thread. `state` carries a value from call to
/// call, so that the compiler cannot remove the computation.
pub fn run_multiply_adds(iterations: u64, state: &mut f32) {
    *state = dispatch(MultiplyAdd { iterations, x: *state });
}

/// The arguments of [`run_multiply_adds`].
struct MultiplyAdd {
    iterations: u64,
    x: f32,
}

impl Op for MultiplyAdd {
    type Output = f32;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> f32 {
        let mut chains = [s.splat(self.x); CHAINS];
        if fuses(s) {
            // x / 2 + 1 converges to 2, so there are neither overflows nor denormals, which would be slower.
            let (a, b) = (s.splat(black_box(0.5)), s.splat(black_box(1.0)));
            for _ in 0..self.iterations {
                for _ in 0..DEPTH {
                    for chain in &mut chains {
                        *chain = s.mul_add(*chain, a, b);
                    }
                }
            }
        } else {
            // Without a fused instruction, a chain of multiply-adds would be limited by latency. Independent
            // multiplications and additions use all units. 1 * 1 and 0 + 0 do not change and need no further
            // registers.
            let (one, zero) = (s.splat(black_box(1.0)), s.splat(black_box(0.0)));
            for [x, y] in chains.as_chunks_mut().0 {
                (*x, *y) = (one, zero);
            }
            for _ in 0..self.iterations {
                for _ in 0..DEPTH {
                    for [x, y] in chains.as_chunks_mut().0 {
                        (*x, *y) = (s.mul(*x, *x), s.add(*y, *y));
                    }
                }
            }
        }
        // The result is always 0.5, because no sum is negative. But the compiler does not know it, so it must
        // compute all chains.
        let zero = s.splat(0.0);
        let sum = chains.into_iter().fold(zero, |x, y| s.add(x, y));
        if s.any(s.lt(sum, zero)) { 0.0 } else { 0.5 }
    }
}

/// The computation of [`flops_per_iteration`].
struct FlopsPerIteration;

impl Op for FlopsPerIteration {
    type Output = f64;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> f64 {
        // A fused multiply-add is two operations in one instruction.
        let operations = if fuses(s) { 2 } else { 1 };
        product([operations, S::LANES, CHAINS, DEPTH])
    }
}

/// The shortest duration of a repetition: long compared to the resolution of the clock (0.1 ms in
/// a browser), short compared to a time slice of the scheduler.
const MIN_REPETITION_SECONDS: f64 = if cfg!(target_arch = "wasm32") { 0.005 } else { 0.001 };

/// The number of repetitions. The fastest one is reported, because other processes can only slow a repetition
/// down.
const REPETITIONS: usize = 5;

/// Measures the floating-point operations per second of `threads` threads. `clock` gives seconds
/// since a fixed moment; `on_all` runs the given function once on every thread and returns when all are done.
pub fn flops_per_second(clock: &dyn Fn() -> f64, threads: usize, on_all: &dyn Fn(&(dyn Fn() + Sync))) -> f64 {
    let seconds_of = |iterations: u64| {
        let begin = clock();
        on_all(&|| {
            let mut state = 0.5;
            run_multiply_adds(iterations, &mut state);
            black_box(state);
        });
        // A coarse clock may not have advanced.
        (clock() - begin).max(1e-9)
    };
    // Double the iterations until three repetitions in a row are long enough, which also warms the machine
    // up.
    let mut iterations = 1;
    const WARM_UPS: usize = 3;
    while (0..WARM_UPS).any(|_| seconds_of(iterations) < MIN_REPETITION_SECONDS) {
        iterations *= 2;
    }
    let fastest = (0..REPETITIONS).map(|_| seconds_of(iterations)).fold(f64::INFINITY, f64::min);
    iterations as f64 * threads as f64 * flops_per_iteration() / fastest
}
