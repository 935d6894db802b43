//! Scratch memory of inference.
//!
//! A batch of any size goes through the whole network in blocks of [`ROWS`] rows, so that activations stay in
//! the L1 and L2 caches and the scratch is small. How rows are split into blocks does not change their
//! results.

use learnery_kernels::buffer::Buffer;

/// Rows per block.
pub const ROWS: usize = 64;

/// Buffers for the activations of [`ROWS`] rows, used by one thread at a time. Their contents have no meaning
/// between calls.
#[derive(Clone, Debug)]
pub struct Scratch {
    /// What each buffer holds is up to the network.
    /// Shape of each: `[ROWS, widest layer]`.
    pub(crate) buffers: [Buffer; 3],
}

impl Scratch {
    /// Scratch for layers of up to `width` outputs.
    pub(crate) fn new(width: usize) -> Self {
        Self { buffers: std::array::from_fn(|_| Buffer::new(ROWS * width)) }
    }
}

/// Splits `x` into blocks of at most [`ROWS`] rows. Yields (index of the first row, number of rows, values).
/// Shapes: `x [rows, inputs]`.
pub(crate) fn split_into_blocks(
    x: &[f32],
    rows: usize,
    inputs: usize,
) -> impl Iterator<Item = (usize, usize, &[f32])> {
    assert_eq!(x.len(), rows * inputs, "not {rows} rows of {inputs} inputs");
    (0..rows).step_by(ROWS).map(move |first| {
        let n = ROWS.min(rows - first);
        (first, n, &x[first * inputs..][..n * inputs])
    })
}
