//! Networks against references in `f64`, against PyTorch, and against each other.

mod blocks;
mod golden;
mod gradients;
mod graph;
mod one_hot;
mod reference;
mod threads;
mod transformer;

use learnery_kernels::rng::Stream;

use crate::{Layout, Weights};

/// `n` normally distributed numbers with standard deviation 0.5, from the random stream `stream`.
fn numbers(n: usize, stream: u32) -> Vec<f32> {
    let (seed, sub_index) = (5, 0);
    (0..n).map(|i| 0.5 * Stream::new(seed, stream).normal2(i as u64, sub_index)[0]).collect()
}

/// Random weights: gammas with mean one, all others with mean zero.
fn random_weights(layout: Layout) -> Weights {
    let mut values = numbers(layout.len(), 1);
    for name in layout.names().filter(|name| name.ends_with("gamma")) {
        values[layout.find(name).unwrap()].iter_mut().for_each(|v| *v += 1.0);
    }
    let mut weights = Weights::new(layout);
    weights.update(|params| params.copy_from_slice(&values));
    weights
}

/// Panics unless every value differs from the expected one by at most `tolerance`, relative to 1 + its
/// magnitude.
fn assert_close(ours: &[f32], expected: &[f64], tolerance: f64) {
    assert_eq!(ours.len(), expected.len());
    for (i, (x, y)) in ours.iter().zip(expected).enumerate() {
        let error = (f64::from(*x) - y).abs();
        assert!(error <= tolerance * (1.0 + y.abs()), "value {i}: {x} and {y}");
    }
}
