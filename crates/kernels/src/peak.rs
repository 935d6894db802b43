//! The peak arithmetic rate of a core: fused multiply-adds in registers, by which shares of the machine are stated.

use std::hint::black_box;

use crate::simd::{Op, Simd, dispatch};

/// Independent chains: enough to hide the instructions' latency, few enough for the registers, of which a browser's
/// compiler has fifteen.
const CHAINS: usize = 12;

/// Instructions of every chain in a turn.
const DEPTH: usize = 1024;

/// Floating-point operations in one turn of [`work`].
pub fn flops_per_iteration() -> f64 {
    dispatch(FlopsPerTurn)
}

/// Does `turns` turns of multiply-adds on the calling thread. `state` carries a value from call to call, so that the
/// compiler cannot drop the work.
pub fn run_multiply_adds(turns: u64, state: &mut f32) {
    *state = dispatch(MultiplyAdd { turns, x: *state });
}

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
            // Converges to two: neither overflow nor denormals, which would cost extra.
            let (a, b) = (s.splat(black_box(0.5)), s.splat(black_box(1.0)));
            for _ in 0..self.turns {
                for _ in 0..DEPTH {
                    for chain in &mut chains {
                        *chain = s.mul_add(*chain, a, b);
                    }
                }
            }
        } else {
            // An addition that depended on a product would measure both latencies. Independent multiplications and
            // additions can fill all units; ones squared and zeros doubled keep their values without more registers.
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

/// The shortest a repetition may take, in seconds: long beside a clock's resolution (a tenth of a millisecond in a
/// browser), short beside a time slice of the scheduler.
const REPETITION: f64 = if cfg!(target_arch = "wasm32") { 0.005 } else { 0.001 };

/// Repetitions, of which the fastest counts: whatever else the machine does can only slow one down.
const REPETITIONS: usize = 5;

/// Operations a second of `threads` threads, measured within some twenty repetitions. `clock` gives seconds since any
/// fixed moment; `on_all` runs the given work once on every thread and returns when all are done.
pub fn flops_per_second(clock: &dyn Fn() -> f64, threads: usize, on_all: &dyn Fn(&(dyn Fn() + Sync))) -> f64 {
    let seconds = |turns: u64| {
        let begin = clock();
        on_all(&|| {
            let mut state = 0.5;
            run_multiply_adds(turns, &mut state);
            black_box(state);
        });
        // A coarse clock may not have moved.
        (clock() - begin).max(1e-9)
    };
    // Doubling until three trials fill a repetition is the warm-up too.
    let mut turns = 1;
    while (0..3).any(|_| seconds(turns) < REPETITION) {
        turns *= 2;
    }
    let least = (0..REPETITIONS).map(|_| seconds(turns)).fold(f64::INFINITY, f64::min);
    turns as f64 * threads as f64 * flops_per_iteration() / least
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn flops_per_second_follow_the_clock() {
        // The clock moves by one second for each call of the work, however many turns it has.
        let now = Cell::new(0.0);
        let rate = flops_per_second(&|| now.get(), 3, &|work| {
            work();
            now.set(now.get() + 1.0);
        });
        assert_eq!(rate, 3.0 * flops_per_iteration());
    }
}
