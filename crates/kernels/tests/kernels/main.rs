//! All kernels against their references, on every instruction set of the machine.

mod attention;
#[cfg(feature = "baselines")]
mod baselines;
mod bit_parallel;
mod buffer;
mod elementwise;
mod embedding_bags;
mod functions;
mod gates;
mod layers;
mod losses;
mod peak;
mod philox;
mod products;
mod random;
mod schedule;
mod weighted_rows;

use learnery_kernels::rng::Stream;
use learnery_kernels::simd::{Isa, force_isa};

/// Runs `test` once for each instruction set of the machine, with its name.
fn on_every_isa(test: impl Fn(&str)) {
    for isa in Isa::available() {
        force_isa(Some(isa));
        test(isa.name());
        force_isa(None);
    }
}

/// Deterministic test data: value number n comes from the block of random numbers with index n and
/// sub-index 0.
struct Source {
    stream: Stream,
    /// The number of values taken so far.
    taken: u64,
}

impl Source {
    fn new(seed: u32) -> Self {
        let stream_id = 0;
        Self { stream: Stream::new(seed, stream_id), taken: 0 }
    }

    /// A whole number in `0..n`.
    fn below(&mut self, n: usize) -> usize {
        self.taken += 1;
        self.stream.below(self.taken, 0, n as u32) as usize
    }

    /// A number in -1..1.
    fn number(&mut self) -> f32 {
        self.taken += 1;
        2.0 * self.stream.uniform(self.taken, 0) - 1.0
    }

    /// Numbers in -1..1.
    fn numbers(&mut self, n: usize) -> Vec<f32> {
        (0..n).map(|_| self.number()).collect()
    }

    /// A mixture of ordinary numbers, zeros of both signs, denormal, huge and infinite numbers, and NaN.
    fn numbers_with_special_values(&mut self, n: usize) -> Vec<f32> {
        let number = |source: &mut Self| match source.below(16) {
            0 => 0.0,
            1 => -0.0,
            // Denormal.
            2 => source.number() * f32::MIN_POSITIVE,
            3 => source.number() * f32::MAX,
            4 => f32::INFINITY,
            5 => f32::NEG_INFINITY,
            6 => f32::NAN,
            7 => source.number() * 100.0,
            8 => source.number() * 1e6,
            _ => source.number() * 4.0,
        };
        (0..n).map(|_| number(self)).collect()
    }
}

/// Equal bits, or both NaN (whose sign and payload are unspecified).
fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

/// Panics at the first pair that is not [`same`].
#[track_caller]
fn assert_same(what: &str, got: &[f32], expected: &[f32]) {
    assert_eq!(got.len(), expected.len(), "{what}: lengths differ");
    for (i, (g, e)) in got.iter().zip(expected).enumerate() {
        assert!(same(*g, *e), "{what}: value {i} is {g:e} and should be {e:e}");
    }
}
