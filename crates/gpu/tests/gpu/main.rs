//! The tests of the GPU. They run on any adapter, a software adapter too. Without one they are skipped,
//! with a visible line, except where the environment variable `CI` is set.

// `npm test` chooses the tests by this name.
mod on_adapter {
    mod cooperative;
    mod device;
    mod generator;
    mod half;
    mod matmul;
    mod shaders;
    mod transformer;
    mod worlds;
}

use learnery_gpu::testing::{
    arrive, device, half_device, modest_device, numbers, precisions, relative_distance,
};
