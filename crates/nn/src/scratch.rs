//! What an inference pass works in.
//!
//! A batch of any size goes through the whole network some rows at a time, so activations stay in the nearest caches
//! and the scratch is small; nothing of it is worth keeping. A row's result does not depend on the cut.

use learnery_kernels::buffer::Buffer;

/// Rows that go through a network together.
pub const ROWS: usize = 64;

/// Activations of [`ROWS`] rows, for one thread.
#[derive(Clone, Debug)]
pub struct Scratch {
    /// As many as any network needs at once. // each [ROWS, widest layer]
    pub(crate) buffers: [Buffer; 3],
}

impl Scratch {
    /// For layers of up to `width`.
    pub(crate) fn new(width: usize) -> Self {
        Self { buffers: std::array::from_fn(|_| Buffer::new(ROWS * width)) }
    }
}

/// Cuts `x` `[rows, inputs]` into blocks: (first row, rows, their part of `x`).
pub(crate) fn blocks(x: &[f32], rows: usize, inputs: usize) -> impl Iterator<Item = (usize, usize, &[f32])> {
    assert_eq!(x.len(), rows * inputs, "not {rows} rows of {inputs} inputs");
    (0..rows).step_by(ROWS).map(move |first| {
        let n = ROWS.min(rows - first);
        (first, n, &x[first * inputs..][..n * inputs])
    })
}
