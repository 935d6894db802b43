//! The tests of the GPU. They run on any adapter, a software adapter too. Without one they are skipped,
//! with a visible line, except where the environment variable `CI` is set.
#![allow(clippy::print_stdout)] // They say what is skipped.

// `npm test` chooses the tests by this name.
mod on_adapter {
    mod cooperative;
    mod device;
    mod gates;
    mod generator;
    mod half;
    mod matmul;
    mod resnet;
    mod shaders;
    mod transformer;
}

use learnery_gpu::testing::device;
use learnery_gpu::{Gpu, Precision};

/// The precisions of products that the device has. That f16 is skipped is said, also where `CI` is set, because
/// SwiftShader has no 16-bit floats.
fn precisions(gpu: &Gpu) -> &'static [Precision] {
    match gpu.check_precision(Precision::F16) {
        Ok(()) => &[Precision::F32, Precision::F16],
        Err(reason) => {
            println!("SKIPPED in f16: {reason}");
            &[Precision::F32]
        }
    }
}

/// Numbers between -1 and 1 that look random.
fn numbers(count: usize, seed: u32) -> Vec<f32> {
    let stream = learnery_kernels::rng::Stream::new(seed, 77);
    (0..count as u64).map(|i| 2.0 * stream.uniform(i, 0) - 1.0).collect()
}

/// The distance of two vectors relative to the norm of the second.
fn relative_distance(a: &[f32], b: &[f32]) -> f64 {
    assert_eq!(a.len(), b.len());
    let norm = |values: &mut dyn Iterator<Item = f64>| values.map(|x| x * x).sum::<f64>().sqrt();
    let difference = norm(&mut a.iter().zip(b).map(|(a, b)| f64::from(*a) - f64::from(*b)));
    difference / norm(&mut b.iter().map(|b| f64::from(*b))).max(1e-30)
}
