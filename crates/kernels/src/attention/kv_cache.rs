//! Keys and values of the rows so far, so that a new row costs one row's work.

use super::{BLOCK, Heads, Keys, attend};
use crate::buffer::Buffer;
use crate::gemm::Mat;
use crate::simd::MAX_LANES;

/// What one layer remembers of a sequence that grows.
#[derive(Clone, Debug)]
pub struct KvCache {
    heads: Heads,
    /// Rows it holds, and the most it can.
    pub(super) rows: usize,
    most: usize,
    /// Keys of the last row, of which [`super::Rotary`] gives the next one its share. // [queries and keys of a row]
    pub(super) before: Buffer,
    /// Places in a row of `keys`.
    stride: usize,
    /// A feature in each row. // [heads, size, stride]
    keys: Buffer,
    /// // [heads, most, size]
    values: Buffer,
    /// Weights of a block of queries. // [BLOCK, stride]
    table: Buffer,
}

impl KvCache {
    /// Of no row yet, with room for `most`.
    pub fn new(heads: Heads, most: usize) -> Self {
        let stride = most.next_multiple_of(MAX_LANES);
        Self {
            heads,
            rows: 0,
            most,
            before: Buffer::new(2 * heads.width()),
            stride,
            keys: Buffer::new(heads.width() * stride),
            values: Buffer::new(heads.width() * most),
            table: Buffer::new(BLOCK * stride),
        }
    }

    /// How many rows it holds.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// True at the beginning of a sequence.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.rows = 0;
        // Beyond the last key there must be numbers that a product with zero makes zero.
        self.keys.fill(0.0);
    }

    /// Takes in further rows, and gives what [`super::forward`] would give of them after all rows before.
    /// // qkv [rows, 3 width] -> out [rows, width]
    pub fn forward(&mut self, out: &mut [f32], qkv: &[f32]) {
        let (heads, before, rows) = (self.heads, self.rows, self.heads.rows(qkv));
        let width = heads.width();
        assert!(before + rows <= self.most, "{rows} rows more than fit behind {before} of {}", self.most);
        assert_eq!(out.len(), rows * width, "not {rows} rows of {width}");
        self.rows += rows;
        let Self { stride, most, keys, values, table, .. } = self;
        for head in 0..heads.count {
            let keys = &mut keys[head * heads.size * *stride..][..heads.size * *stride];
            let values = &mut values[head * heads.size * *most..][..heads.size * *most];
            for (r, row) in qkv.chunks_exact(3 * width).enumerate() {
                let [_, key, value] =
                    [0, 1, 2].map(|part| &row[part * width + head * heads.size..][..heads.size]);
                for (feature, value) in keys.chunks_exact_mut(*stride).zip(key) {
                    feature[before + r] = *value;
                }
                values[(before + r) * heads.size..][..heads.size].copy_from_slice(value);
            }
            let (keys, values) = (Keys { data: keys, stride: *stride }, Mat::new(values, *most, heads.size));
            for first in (0..rows).step_by(BLOCK) {
                let count = BLOCK.min(rows - first);
                let queries =
                    Mat::part(&qkv[first * 3 * width + head * heads.size..], count, heads.size, 3 * width);
                let out = &mut out[first * width + head * heads.size..];
                let levels = &mut [0.0; BLOCK][..count];
                attend(out, width, levels, queries, before + first, keys, values, heads.scale(), table);
            }
        }
    }
}
