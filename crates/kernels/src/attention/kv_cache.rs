//! The KV cache of text generation: the keys and values of all earlier rows (tokens) of a sequence, so that a
//! new row costs one row of work.

use super::{BLOCK, Heads, KEYS, Keys, QUERIES, VALUES, attend};
use crate::buffer::Buffer;
use crate::gemm::Mat;
use crate::simd::MAX_LANES;

/// Keys and values of one layer for one growing sequence.
#[derive(Clone, Debug)]
pub struct KvCache {
    heads: Heads,
    /// The number of rows in the cache.
    pub(super) rows: usize,
    /// The largest number of rows.
    capacity: usize,
    /// Token shift replaces some key features of each row by the features of the row before. For the first
    /// new row, that row is no longer in `qkv`, so its features before the shift are kept here.
    /// [`super::Rotary`] alone reads and writes them, before `forward`. They are indexed like the queries and
    /// keys of a row of `qkv`; the other values are unused, and all are while the cache is empty.
    /// Shape: `[2 width]`.
    pub(super) last_keys: Buffer,
    /// Row stride of `keys`.
    stride: usize,
    /// Transposed keys of each head.
    /// Shape: `[heads, size, stride]`.
    keys: Buffer,
    /// Values of each head.
    /// Shape: `[heads, capacity, size]`.
    values: Buffer,
    /// Attention weights of a block of queries.
    /// Shape: `[BLOCK, stride]`.
    table: Buffer,
}

impl KvCache {
    /// An empty cache for up to `capacity` rows.
    pub fn new(heads: Heads, capacity: usize) -> Self {
        let stride = capacity.next_multiple_of(MAX_LANES);
        Self {
            heads,
            rows: 0,
            capacity,
            last_keys: Buffer::new(2 * heads.width()),
            stride,
            keys: Buffer::new(heads.width() * stride),
            values: Buffer::new(heads.width() * capacity),
            table: Buffer::new(BLOCK * stride),
        }
    }

    /// Number of rows in the cache.
    pub fn len(&self) -> usize {
        self.rows
    }

    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Starts a new sequence.
    pub fn clear(&mut self) {
        self.rows = 0;
        // Products read whole vectors of keys, also beyond the last key. Those keys have weight zero, but
        // zero times infinity is NaN, and keys of the old sequence may be infinite if its training has
        // diverged.
        self.keys.fill(0.0);
    }

    /// Appends rows to the cache and computes their attention. The result is bit-identical to the result of
    /// [`super::forward`] on the whole sequence, because the result of a query does not depend on the other
    /// queries of its block. [`super::Rotary`] must have been applied to `qkv`.
    /// Shapes: `qkv [rows, 3 width] -> out [rows, width]`.
    pub fn forward(&mut self, out: &mut [f32], qkv: &[f32]) {
        let (heads, before, rows) = (self.heads, self.rows, self.heads.rows(qkv));
        let width = heads.width();
        assert!(
            before + rows <= self.capacity,
            "{rows} rows do not fit behind {before} in a cache for {}",
            self.capacity
        );
        assert_eq!(out.len(), rows * width, "not {rows} rows of {width}");
        self.rows += rows;
        let Self { stride, capacity, keys, values, table, .. } = self;
        for head in 0..heads.count {
            let keys = &mut keys[head * heads.size * *stride..][..heads.size * *stride];
            let values = &mut values[head * heads.size * *capacity..][..heads.size * *capacity];
            for (r, row) in qkv.chunks_exact(3 * width).enumerate() {
                let [_, key, value] = [QUERIES, KEYS, VALUES]
                    .map(|part| &row[part * width + head * heads.size..][..heads.size]);
                for (feature_of_keys, feature) in keys.chunks_exact_mut(*stride).zip(key) {
                    feature_of_keys[before + r] = *feature;
                }
                values[(before + r) * heads.size..][..heads.size].copy_from_slice(value);
            }
            let (keys, values) =
                (Keys { data: keys, stride: *stride }, Mat::new(values, *capacity, heads.size));
            for first in (0..rows).step_by(BLOCK) {
                let count = BLOCK.min(rows - first);
                let queries =
                    Mat::part(&qkv[first * 3 * width + head * heads.size..], count, heads.size, 3 * width);
                let out = &mut out[first * width + head * heads.size..];
                // The log-sum-exps are dropped: only a backward pass needs them.
                let log_sums = &mut [0.0; BLOCK][..count];
                attend(out, width, log_sums, queries, before + first, keys, values, heads.scale(), table);
            }
        }
    }
}
