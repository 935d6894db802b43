//! Scratch memory of inference.
//!
//! A batch of any size goes through the whole network in blocks of [`ROWS`] rows, so that activations stay in the L1
//! and L2 caches and the scratch is small. A row's result does not depend on the blocks.

use learnery_kernels::buffer::Buffer;

/// Rows per block.
pub const ROWS: usize = 64;

/// Activations of [`ROWS`] rows, for one thread. Holds nothing between calls.
#[derive(Clone, Debug)]
pub struct Scratch {
    /// // each [ROWS, widest layer]
    pub(crate) buffers: [Buffer; 3],
}

impl Scratch {
    /// Scratch for layers of up to `width`.
    pub(crate) fn new(width: usize) -> Self {
        Self { buffers: std::array::from_fn(|_| Buffer::new(ROWS * width)) }
    }
}

/// Splits `x` into blocks: (first row, number of rows, their values). // x [rows, inputs]
pub(crate) fn blocks(x: &[f32], rows: usize, inputs: usize) -> impl Iterator<Item = (usize, usize, &[f32])> {
    assert_eq!(x.len(), rows * inputs, "not {rows} rows of {inputs} inputs");
    (0..rows).step_by(ROWS).map(move |first| {
        let n = ROWS.min(rows - first);
        (first, n, &x[first * inputs..][..n * inputs])
    })
}
