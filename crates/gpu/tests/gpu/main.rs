//! The tests of the GPU. They run on any adapter, a software adapter too. Without one they are skipped,
//! with a visible line, except where the environment variable `CI` is set.
#![allow(clippy::print_stdout)] // They say what is skipped.

// `npm test` chooses the tests by this name.
mod on_adapter {
    mod device;
    mod generator;
    mod half;
    mod matmul;
    mod shaders;
    mod transformer;
}

use learnery_gpu::testing::{device, numbers, relative_distance};
use learnery_gpu::{Gpu, Precision};

/// The precisions of products that the device has. That f16 is skipped is said, also where `CI` is set,
/// because SwiftShader has no 16-bit floats.
fn precisions(gpu: &Gpu) -> &'static [Precision] {
    match gpu.check_precision(Precision::F16) {
        Ok(()) => &[Precision::F32, Precision::F16],
        Err(reason) => {
            println!("SKIPPED in f16: {reason}");
            &[Precision::F32]
        }
    }
}
