//! Causal attention with several heads: a row looks at itself and at the rows before it (Vaswani et al., "Attention is
//! all you need", 2017).
//!
//! One sequence and one head are taken at a time, so that its table of weights, 64 kB for 128 rows, lies in the nearest
//! caches and nothing as large as a batch's tables is ever stored. What stays of the forward pass is one number a row,
//! the logarithm of the sum its weights were divided by, from which the way back makes them anew (Dao et al.,
//! "FlashAttention", 2022). Queries go in blocks, each against the keys up to its own end.
//!
//! **A row has the same bits** whether its sequence is taken whole ([`forward`]) or row by row ([`KvCache`]).

mod kv_cache;
mod rotary;
mod softmax_rows;

pub use kv_cache::KvCache;
pub use rotary::Rotary;

use crate::buffer::Buffer;
use crate::gemm::{Mat, gemm, gemm_strided, transpose};
use crate::simd::MAX_LANES;
use crate::vector::dot;

/// Queries that are taken together.
const BLOCK: usize = 32;

/// The heads that share a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heads {
    /// How many.
    pub count: usize,
    /// Numbers in a query, a key and a value of each.
    pub size: usize,
}

impl Heads {
    /// Numbers in a row of queries, keys or values: head by head.
    pub fn width(self) -> usize {
        self.count * self.size
    }

    /// What products of queries and keys are multiplied by.
    fn scale(self) -> f32 {
        1.0 / (self.size as f32).sqrt()
    }

    /// Part `part` (queries, keys, values) of head `head` in `rows` rows of all three.
    fn part(self, qkv: &[f32], part: usize, head: usize, rows: usize) -> Mat<'_> {
        let first = part * self.width() + head * self.size;
        Mat::part(&qkv[first..], rows, self.size, 3 * self.width())
    }

    /// How many rows of queries, keys and values there are.
    fn rows(self, qkv: &[f32]) -> usize {
        let row = 3 * self.width();
        assert!(row > 0 && qkv.len().is_multiple_of(row), "not whole rows of {} heads", self.count);
        qkv.len() / row
    }
}

/// What attention over one sequence works in.
#[derive(Clone, Debug)]
pub struct Workspace {
    heads: Heads,
    /// Most rows, and places in a row of a table.
    most: usize,
    stride: usize,
    /// Keys and values with a feature in each row. // [size, stride]
    features: [Buffer; 2],
    /// PartialSums of one head, row by row. // each [most, size]
    parts: [Buffer; 3],
    /// Weights, and on the way back the gradient at the products they come from. // each [most, stride]
    tables: [Buffer; 2],
    /// On the way back, what every row's gradients have in common. // [most]
    means: Vec<f32>,
}

impl Workspace {
    /// Workspace for sequences of up to `most` rows.
    pub fn new(heads: Heads, most: usize) -> Self {
        let stride = most.next_multiple_of(MAX_LANES);
        Self {
            heads,
            most,
            stride,
            features: std::array::from_fn(|_| Buffer::new(heads.size * stride)),
            parts: std::array::from_fn(|_| Buffer::new(most * heads.size)),
            tables: std::array::from_fn(|_| Buffer::new(most * stride)),
            means: vec![0.0; most],
        }
    }

    fn check(&self, heads: Heads, rows: usize) {
        assert!(
            heads == self.heads && rows <= self.most,
            "room for other heads, or for fewer than {rows} rows"
        );
    }
}

/// `out = softmax(q kᵀ / sqrt(size)) v` in each head, every row over itself and those before it. `qkv` has queries, keys
/// and values of all heads in each row. What [`backward`] needs is left in `levels`.
/// // qkv [rows, 3 width] -> out [rows, width], levels [heads, rows]
pub fn forward(out: &mut [f32], levels: &mut [f32], qkv: &[f32], heads: Heads, workspace: &mut Workspace) {
    let (rows, width) = (heads.rows(qkv), heads.width());
    workspace.check(heads, rows);
    assert!(out.len() == rows * width && levels.len() == rows * heads.count, "not {rows} rows of {width}");
    let Workspace { stride, features: [keys, _], parts: [values, ..], tables: [table, _], .. } = workspace;
    for (head, levels) in levels.chunks_exact_mut(rows.max(1)).enumerate() {
        transpose(keys, *stride, heads.part(qkv, 1, head, rows));
        copy(values, heads.part(qkv, 2, head, rows));
        let (keys, values) = (Keys { data: keys, stride: *stride }, Mat::new(values, rows, heads.size));
        for (first, levels) in (0..).step_by(BLOCK).zip(levels.chunks_mut(BLOCK)) {
            let queries = heads.part(&qkv[first * 3 * width..], 0, head, levels.len());
            let out = &mut out[first * width + head * heads.size..];
            attend(out, width, levels, queries, first, keys, values, heads.scale(), table);
        }
    }
}

/// Keys with a feature in each row. From the last key to the end of a vector there may be anything.
#[derive(Clone, Copy)]
struct Keys<'a> {
    data: &'a [f32],
    stride: usize,
}

impl<'a> Keys<'a> {
    /// The first of them, whole vectors, of `size` features each.
    fn first(self, count: usize, size: usize) -> Mat<'a> {
        Mat::part(self.data, size, count.next_multiple_of(MAX_LANES), self.stride)
    }
}

/// A block of queries, of which `first` is the first, against all keys up to its own end. The weights stay in the front of
/// `table`, row by row, as many places each as [`Keys::first`] gives.
fn attend(
    out: &mut [f32],
    out_row: usize,
    levels: &mut [f32],
    queries: Mat,
    first: usize,
    keys: Keys,
    values: Mat,
    scale: f32,
    table: &mut [f32],
) {
    let seen = first + queries.rows;
    let keys = keys.first(seen, queries.cols);
    let table = &mut table[..queries.rows * keys.cols];
    gemm(table, queries, keys, false);
    softmax_rows::weigh(table, keys.cols, first, scale, levels);
    let weights = Mat::part(table, queries.rows, seen, keys.cols);
    gemm_strided(out, out_row, weights, Mat { rows: seen, ..values }, false);
}

/// The weights of head `head`, as [`forward`] finds them: what row i gets of row j. // out [rows, rows]
pub fn weights(out: &mut [f32], qkv: &[f32], heads: Heads, head: usize, workspace: &mut Workspace) {
    let rows = heads.rows(qkv);
    workspace.check(heads, rows);
    assert!(out.len() == rows * rows && head < heads.count, "no table of {rows} rows for head {head}");
    let Workspace { stride, features: [keys, _], tables: [table, _], means: levels, .. } = workspace;
    transpose(keys, *stride, heads.part(qkv, 1, head, rows));
    let keys = Keys { data: keys, stride: *stride }.first(rows, heads.size);
    let table = &mut table[..rows * keys.cols];
    gemm(table, heads.part(qkv, 0, head, rows), keys, false);
    softmax_rows::weigh(table, keys.cols, 0, heads.scale(), &mut levels[..rows]);
    for (out, row) in out.chunks_exact_mut(rows.max(1)).zip(table.chunks_exact(keys.cols.max(1))) {
        out.copy_from_slice(&row[..rows]);
    }
}

/// The way back: from the gradient `dout` at what [`forward`] made of `qkv`, and from what it left, the gradient at
/// `qkv`. // dqkv [rows, 3 width], dout and out [rows, width]
pub fn backward(
    dqkv: &mut [f32],
    dout: &[f32],
    out: &[f32],
    levels: &[f32],
    qkv: &[f32],
    heads: Heads,
    workspace: &mut Workspace,
) {
    let (rows, width, size) = (heads.rows(qkv), heads.width(), heads.size);
    workspace.check(heads, rows);
    let sized = dout.len() == rows * width && out.len() == dout.len() && levels.len() == rows * heads.count;
    assert!(sized && dqkv.len() == qkv.len(), "not {rows} rows of {width}");
    let Workspace { stride, features, parts, tables: [weights, slopes], means, .. } = workspace;
    let stride = *stride;
    for (head, levels) in levels.chunks_exact(rows.max(1)).enumerate() {
        let column = head * size;
        let douts = Mat::part(&dout[column..], rows, size, width);
        let [queries, keys, values] = [0, 1, 2].map(|part| heads.part(qkv, part, head, rows));
        for (features, part) in features.iter_mut().zip([keys, values]) {
            transpose(features, stride, part);
        }
        for (copied, part) in parts.iter_mut().zip([queries, keys, douts]) {
            copy(copied, part);
        }
        let [queries, keys, douts] = parts.each_ref().map(|part| Mat::new(part, rows, size));
        for (r, mean) in means[..rows].iter_mut().enumerate() {
            let span = r * width + column..r * width + column + size;
            *mean = dot(&dout[span.clone()], &out[span]);
        }
        let [of_keys, of_values] = features.each_ref().map(|data| Keys { data, stride });
        for first in (0..rows).step_by(BLOCK) {
            let count = BLOCK.min(rows - first);
            let (weights, slopes) = (&mut weights[first * stride..], &mut slopes[first * stride..]);
            let of_keys = of_keys.first(first + count, size);
            let of_values = of_values.first(first + count, size);
            gemm_strided(weights, stride, some_rows(queries, first, count), of_keys, false);
            gemm_strided(slopes, stride, some_rows(douts, first, count), of_values, false);
            let (levels, means) = (&levels[first..][..count], &means[first..][..count]);
            softmax_rows::slopes(weights, slopes, stride, of_keys.cols, first, heads.scale(), levels, means);
            let slopes = Mat::part(slopes, count, first + count, stride);
            let dq = &mut dqkv[first * 3 * width + column..];
            gemm_strided(dq, 3 * width, slopes, Mat { rows: first + count, ..keys }, false);
        }
        // A key is seen from its own row on. Its block's table has been written from that block on.
        for first in (0..rows).step_by(BLOCK) {
            let count = BLOCK.min(rows - first);
            let [slopes, weights] = [&*slopes, &*weights]
                .map(|table| Mat::part(&table[first * stride + first..], rows - first, count, stride).t());
            let [queries, douts] = [queries, douts].map(|part| some_rows(part, first, rows - first));
            let dk = first * 3 * width + width + column;
            gemm_strided(&mut dqkv[dk..], 3 * width, slopes, queries, false);
            gemm_strided(&mut dqkv[dk + width..], 3 * width, weights, douts, false);
        }
    }
}

/// `count` rows from `first` on of a matrix that fills its data.
fn some_rows(part: Mat, first: usize, count: usize) -> Mat {
    Mat::new(&part.data[first * part.cols..], count, part.cols)
}

/// Copies a part of a wider matrix, row by row.
fn copy(to: &mut [f32], part: Mat) {
    for (r, to) in to.chunks_exact_mut(part.cols.max(1)).take(part.rows).enumerate() {
        to.copy_from_slice(&part.data[r * part.row_stride..][..part.cols]);
    }
}
