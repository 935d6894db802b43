//! Causal multi-head attention: each row attends to itself and the rows before it (Vaswani et al., "Attention
//! is all you need", 2017).
//!
//! One head of one sequence is computed at a time, so that its matrix of attention weights, 64 kB for 128
//! rows, stays in the L1 and L2 caches. The forward pass saves one number per row and head, the log-sum-exp
//! of the scores, from which the backward pass recomputes the weights (Dao et al., "FlashAttention", 2022).
//! Queries are processed in blocks of [`BLOCK`], each with the keys up to the end of the block.
//!
//! **A row has the same bits** whether its sequence is processed at once ([`forward`]) or row by row
//! ([`KvCache`]).

mod kv_cache;
mod rotary;
mod softmax_rows;

pub use kv_cache::KvCache;
pub use rotary::Rotary;

use crate::buffer::Buffer;
use crate::gemm::{Mat, gemm, gemm_strided, transpose};
use crate::simd::MAX_LANES;
use crate::vector::dot;

/// Queries per block.
const BLOCK: usize = 32;

/// The three parts of a row of `qkv`, in this order.
const QUERIES: usize = 0;
const KEYS: usize = 1;
const VALUES: usize = 2;

/// The last argument of [`gemm`]: the product overwrites the output instead of being added to it.
const OVERWRITE: bool = false;

/// The number and size of attention heads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heads {
    pub count: usize,
    /// The length of a query, key or value vector of one head.
    pub size: usize,
}

impl Heads {
    /// Length of a row of queries (or keys, or values) of all heads, one head after the other.
    pub fn width(self) -> usize {
        self.count * self.size
    }

    /// The factor of the scores: `1 / sqrt(size)`.
    pub fn scale(self) -> f32 {
        1.0 / (self.size as f32).sqrt()
    }

    /// One part ([`QUERIES`], [`KEYS`] or [`VALUES`]) of one head, as a view of `qkv`.
    /// Shapes: `qkv [rows, 3 width] -> [rows, size]`.
    fn part(self, qkv: &[f32], part: usize, head: usize, rows: usize) -> Mat<'_> {
        let first = part * self.width() + head * self.size;
        Mat::part(&qkv[first..], rows, self.size, 3 * self.width())
    }

    /// The number of rows (tokens) of `qkv`.
    fn rows(self, qkv: &[f32]) -> usize {
        let row = 3 * self.width();
        assert!(row > 0 && qkv.len().is_multiple_of(row), "not whole rows of {} heads", self.count);
        qkv.len() / row
    }
}

/// Workspace for attention over one sequence.
#[derive(Clone, Debug)]
pub struct Workspace {
    heads: Heads,
    /// The largest number of rows.
    max_rows: usize,
    /// The row stride of `tables` and `features`: `max_rows` rounded up to whole vectors.
    stride: usize,
    /// Keys and values of one head, transposed.
    /// Shape of each: `[size, stride]`.
    features: [Buffer; 2],
    /// Contiguous copies of queries, keys or values of one head.
    /// Shape of each: `[max_rows, size]`.
    parts: [Buffer; 3],
    /// Attention weights of one head and, in the backward pass, the gradient at the scores.
    /// Shape of each: `[max_rows, stride]`.
    tables: [Buffer; 2],
    /// In the backward pass: for each row, the mean of the gradients at the attention weights, weighted by
    /// these weights, which equals `dot(dout, out)`.
    /// Shape: `[max_rows]`.
    means: Vec<f32>,
}

impl Workspace {
    /// Workspace for sequences of up to `max_rows` rows.
    pub fn new(heads: Heads, max_rows: usize) -> Self {
        let stride = max_rows.next_multiple_of(MAX_LANES);
        Self {
            heads,
            max_rows,
            stride,
            features: std::array::from_fn(|_| Buffer::new(heads.size * stride)),
            parts: std::array::from_fn(|_| Buffer::new(max_rows * heads.size)),
            tables: std::array::from_fn(|_| Buffer::new(max_rows * stride)),
            means: vec![0.0; max_rows],
        }
    }

    /// Panics unless the workspace was created for these heads and is large enough.
    fn check(&self, heads: Heads, rows: usize) {
        assert!(
            heads == self.heads && rows <= self.max_rows,
            "a workspace for other heads, or for fewer than {rows} rows"
        );
    }
}

/// `out = softmax(q kᵀ / sqrt(size)) v` in each head, with a causal mask. A row of `qkv` has the queries of
/// all heads, then the keys, then the values. The log-sum-exp of each row's scores is written to `log_sums`
/// for [`backward`].
/// Shapes: `qkv [rows, 3 width] -> out [rows, width], log_sums [heads, rows]`.
pub fn forward(out: &mut [f32], log_sums: &mut [f32], qkv: &[f32], heads: Heads, workspace: &mut Workspace) {
    let (rows, width) = (heads.rows(qkv), heads.width());
    workspace.check(heads, rows);
    assert!(out.len() == rows * width && log_sums.len() == rows * heads.count, "not {rows} rows of {width}");
    let Workspace { stride, features: [keys, _], parts: [values, ..], tables: [table, _], .. } = workspace;
    for (head, log_sums) in log_sums.chunks_exact_mut(rows.max(1)).enumerate() {
        transpose(keys, *stride, heads.part(qkv, KEYS, head, rows));
        copy_part(values, heads.part(qkv, VALUES, head, rows));
        let (keys, values) = (Keys { data: keys, stride: *stride }, Mat::new(values, rows, heads.size));
        for (first, log_sums) in (0..).step_by(BLOCK).zip(log_sums.chunks_mut(BLOCK)) {
            let queries = heads.part(&qkv[first * 3 * width..], QUERIES, head, log_sums.len());
            let out = &mut out[first * width + head * heads.size..];
            attend(out, width, log_sums, queries, first, keys, values, heads.scale(), table);
        }
    }
}

/// Transposed keys, `[size, stride]`. Columns beyond the last key, up to the end of a vector, may hold any
/// numbers.
#[derive(Clone, Copy)]
struct Keys<'a> {
    data: &'a [f32],
    stride: usize,
}

impl<'a> Keys<'a> {
    /// The first `count` keys, rounded up to whole vectors.
    /// Shape: `[size, count rounded up]`.
    fn first(self, count: usize, size: usize) -> Mat<'a> {
        Mat::part(self.data, size, count.next_multiple_of(MAX_LANES), self.stride)
    }
}

/// Computes the attention of a block of queries to all keys up to the end of the block. The first query is
/// row `first` of its sequence. The rows of `out` begin `out_row` apart. Afterwards the first values of
/// `table` are the attention weights, and `log_sums` has the log-sum-exp of each query's scores.
/// Shapes: `queries [queries, size], table [queries, keys rounded up]`.
fn attend(
    out: &mut [f32],
    out_row: usize,
    log_sums: &mut [f32],
    queries: Mat,
    first: usize,
    keys: Keys,
    values: Mat,
    scale: f32,
    table: &mut [f32],
) {
    let visible = first + queries.rows;
    let keys = keys.first(visible, queries.cols);
    let table = &mut table[..queries.rows * keys.cols];
    gemm(table, queries, keys, OVERWRITE);
    softmax_rows::scores_to_weights(table, keys.cols, first, scale, log_sums);
    let weights = Mat::part(table, queries.rows, visible, keys.cols);
    gemm_strided(out, out_row, weights, Mat { rows: visible, ..values }, OVERWRITE);
}

/// Computes the attention weights of one head, as [`forward`] does: `out[i, j]` is how much row i attends to
/// row j.
/// Shapes: `qkv [rows, 3 width] -> out [rows, rows]`.
pub fn weights(out: &mut [f32], qkv: &[f32], heads: Heads, head: usize, workspace: &mut Workspace) {
    let rows = heads.rows(qkv);
    workspace.check(heads, rows);
    assert!(out.len() == rows * rows && head < heads.count, "no table of {rows} rows for head {head}");
    // `means` is free for the log-sum-exps, which are not needed here.
    let Workspace { stride, features: [keys, _], tables: [table, _], means: log_sums, .. } = workspace;
    transpose(keys, *stride, heads.part(qkv, KEYS, head, rows));
    let keys = Keys { data: keys, stride: *stride }.first(rows, heads.size);
    let table = &mut table[..rows * keys.cols];
    gemm(table, heads.part(qkv, QUERIES, head, rows), keys, OVERWRITE);
    let first_query = 0;
    softmax_rows::scores_to_weights(table, keys.cols, first_query, heads.scale(), &mut log_sums[..rows]);
    for (out, row) in out.chunks_exact_mut(rows.max(1)).zip(table.chunks_exact(keys.cols.max(1))) {
        out.copy_from_slice(&row[..rows]);
    }
}

/// Backward pass: computes the gradient `dqkv` at `qkv` from the gradient `dout` at `out`. `out` and
/// `log_sums` are the results of [`forward`].
/// Shapes: `dqkv, qkv [rows, 3 width], dout, out [rows, width], log_sums [heads, rows]`.
pub fn backward(
    dqkv: &mut [f32],
    dout: &[f32],
    out: &[f32],
    log_sums: &[f32],
    qkv: &[f32],
    heads: Heads,
    workspace: &mut Workspace,
) {
    let (rows, width, size) = (heads.rows(qkv), heads.width(), heads.size);
    workspace.check(heads, rows);
    let sized = dout.len() == rows * width && out.len() == dout.len() && log_sums.len() == rows * heads.count;
    assert!(sized && dqkv.len() == qkv.len(), "not {rows} rows of {width}");
    let Workspace { stride, features, parts, tables: [weights, d_scores], means, .. } = workspace;
    let stride = *stride;
    for (head, log_sums) in log_sums.chunks_exact(rows.max(1)).enumerate() {
        let column = head * size;
        let douts = Mat::part(&dout[column..], rows, size, width);
        let [queries, keys, values] = [QUERIES, KEYS, VALUES].map(|part| heads.part(qkv, part, head, rows));
        for (features, part) in features.iter_mut().zip([keys, values]) {
            transpose(features, stride, part);
        }
        for (copied, part) in parts.iter_mut().zip([queries, keys, douts]) {
            copy_part(copied, part);
        }
        let [queries, keys, douts] = parts.each_ref().map(|part| Mat::new(part, rows, size));
        // A row of the gradient at the softmax's input is weights * (gradient at the weights - mean) * scale.
        for (r, mean) in means[..rows].iter_mut().enumerate() {
            let span = r * width + column..r * width + column + size;
            *mean = dot(&dout[span.clone()], &out[span]);
        }
        let [keys_t, values_t] = features.each_ref().map(|data| Keys { data, stride });
        for first in (0..rows).step_by(BLOCK) {
            let count = BLOCK.min(rows - first);
            let (weights, d_scores) = (&mut weights[first * stride..], &mut d_scores[first * stride..]);
            let keys_t = keys_t.first(first + count, size);
            let values_t = values_t.first(first + count, size);
            gemm_strided(weights, stride, row_range(queries, first, count), keys_t, OVERWRITE);
            gemm_strided(d_scores, stride, row_range(douts, first, count), values_t, OVERWRITE);
            let (log_sums, means) = (&log_sums[first..][..count], &means[first..][..count]);
            softmax_rows::score_gradients(
                weights,
                d_scores,
                stride,
                keys_t.cols,
                first,
                heads.scale(),
                log_sums,
                means,
            );
            let d_scores = Mat::part(d_scores, count, first + count, stride);
            let dq = &mut dqkv[first * 3 * width + column..];
            gemm_strided(dq, 3 * width, d_scores, Mat { rows: first + count, ..keys }, OVERWRITE);
        }
        // The gradients of a block of keys and values are sums over queries. Only queries of this and later
        // blocks attend to these keys, and only their rows of the tables have been written for these columns.
        for first in (0..rows).step_by(BLOCK) {
            let count = BLOCK.min(rows - first);
            let [d_scores, weights] = [&*d_scores, &*weights]
                .map(|table| Mat::part(&table[first * stride + first..], rows - first, count, stride).t());
            let [queries, douts] = [queries, douts].map(|part| row_range(part, first, rows - first));
            let dk = first * 3 * width + width + column;
            gemm_strided(&mut dqkv[dk..], 3 * width, d_scores, queries, OVERWRITE);
            gemm_strided(&mut dqkv[dk + width..], 3 * width, weights, douts, OVERWRITE);
        }
    }
}

/// Rows `first..first + count` of a contiguous matrix.
fn row_range(part: Mat, first: usize, count: usize) -> Mat {
    Mat::new(&part.data[first * part.cols..], count, part.cols)
}

/// Copies a view of a wider matrix into contiguous memory.
fn copy_part(to: &mut [f32], part: Mat) {
    for (r, to) in to.chunks_exact_mut(part.cols.max(1)).take(part.rows).enumerate() {
        to.copy_from_slice(&part.data[r * part.row_stride..][..part.cols]);
    }
}
