//! Linear layers on multi-hot inputs (rows of zeros and ones), which are given by the indices of their ones.
//! The product with the weights is the sum of the weight rows of these indices, which PyTorch calls an
//! embedding bag.
//!
//! With 24 ones among 144 inputs, it takes a sixth of the additions and no multiplication. The sum begins
//! with the bias and adds the rows in the order of the indices. With ascending indices, it is bit-identical
//! to [`crate::linear::linear`] on the zeros and ones, because adding zero changes nothing.

use crate::epilogue::Epilogue;
// `dispatch` runs an `Op`, a computation generic over the instruction set `S`, with the best set of this
// machine.
use crate::simd::{Op, Simd, dispatch};

/// Columns that are summed at a time. Their sums stay in registers. In a table with 144 rows, these columns
/// take 18 kB, which stay in the L1 cache for all rows of a block.
const COLUMNS: usize = 32;

/// Rows that are summed before the epilogue is applied to them, so that they are still in the L1 cache.
const BLOCK: usize = 32;

/// `out[r] = epilogue(sum of table[i] for the indices i of row r)`.
/// Shapes: `indices [rows, per_row], table [inputs, outputs] -> out [rows, outputs]`.
pub fn embedding_bag(
    out: &mut [f32],
    indices: &[u16],
    per_row: usize,
    table: &[f32],
    outputs: usize,
    epilogue: Epilogue,
) {
    let rows = check(indices, per_row, table, outputs);
    assert_eq!(out.len(), rows * outputs, "not {rows} rows of {outputs} outputs");
    epilogue.check(rows, outputs);
    dispatch(Forward { out, indices, per_row, table, outputs, epilogue });
}

/// Backward pass: adds row r of `dy` to row i of `grads`, the gradient of the table, for every index i of row
/// r.
/// Shapes: `indices [rows, per_row], dy [rows, outputs], grads [inputs, outputs]`.
pub fn embedding_bag_backward(
    grads: &mut [f32],
    indices: &[u16],
    per_row: usize,
    dy: &[f32],
    outputs: usize,
) {
    let rows = check(indices, per_row, grads, outputs);
    assert_eq!(dy.len(), rows * outputs, "not {rows} rows of {outputs} gradients");
    dispatch(Backward { grads, indices, per_row, dy, outputs });
}

/// Returns the number of rows. Panics unless every index is inside the table.
fn check(indices: &[u16], per_row: usize, table: &[f32], outputs: usize) -> usize {
    assert!(outputs > 0 && per_row > 0, "empty rows");
    let inputs = table.len() / outputs;
    assert_eq!(table.len(), inputs * outputs, "not whole rows of {outputs}");
    let highest = indices.iter().fold(0, |highest, index| highest.max(*index));
    assert!(usize::from(highest) < inputs, "an index beyond the {inputs} inputs");
    assert!(indices.len().is_multiple_of(per_row), "not whole rows of {per_row} indices");
    indices.len() / per_row
}

/// The arguments of [`embedding_bag`], checked.
struct Forward<'a> {
    out: &'a mut [f32],
    indices: &'a [u16],
    per_row: usize,
    table: &'a [f32],
    outputs: usize,
    epilogue: Epilogue<'a>,
}

impl Op for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let cols = self.outputs;
        let blocks = self.out.chunks_mut(BLOCK * cols).zip(self.indices.chunks(BLOCK * self.per_row));
        for (i, (out, indices)) in blocks.enumerate() {
            let mut column = 0;
            let bias = self.epilogue.bias;
            while column + COLUMNS <= cols {
                let (per_row, table) = (self.per_row, self.table);
                // SAFETY: `check` found every index inside the table, and these columns are inside every row.
                unsafe {
                    // Vectors of 16, 8 or 4 lanes.
                    match COLUMNS / S::LANES {
                        2 => sum_columns::<S, 2>(s, out, indices, per_row, table, cols, column, bias),
                        4 => sum_columns::<S, 4>(s, out, indices, per_row, table, cols, column, bias),
                        _ => sum_columns::<S, 8>(s, out, indices, per_row, table, cols, column, bias),
                    }
                }
                column += COLUMNS;
            }
            while column + S::LANES <= cols {
                // SAFETY: as above.
                unsafe {
                    sum_columns::<S, 1>(s, out, indices, self.per_row, self.table, cols, column, bias);
                }
                column += S::LANES;
            }
            for (out, indices) in out.chunks_exact_mut(cols).zip(indices.chunks_exact(self.per_row)) {
                for (j, out) in out.iter_mut().enumerate().skip(column) {
                    let start = self.epilogue.bias.get(j).copied().unwrap_or(0.0);
                    *out = indices
                        .iter()
                        .fold(start, |sum, index| sum + self.table[usize::from(*index) * cols + j]);
                }
            }
            let in_place = None;
            self.epilogue.apply_after_bias(s, in_place, out, i * BLOCK, cols);
        }
    }
}

/// Computes `N` vectors of columns, from `column` on, of every row of `out`.
///
/// # Safety
/// Every index must be below the rows of `table` `[inputs, cols]`, and the columns below `cols`. `bias` has
/// `cols` values or none.
#[inline(always)]
unsafe fn sum_columns<S: Simd, const N: usize>(
    s: S,
    out: &mut [f32],
    indices: &[u16],
    per_row: usize,
    table: &[f32],
    cols: usize,
    column: usize,
    bias: &[f32],
) {
    for (out, indices) in out.chunks_exact_mut(cols).zip(indices.chunks_exact(per_row)) {
        let mut sums = [s.splat(0.0); N];
        // SAFETY: the caller guarantees that columns and indices are in range.
        unsafe {
            if !bias.is_empty() {
                for (j, sum) in sums.iter_mut().enumerate() {
                    *sum = s.load_ptr(bias.as_ptr().add(column + j * S::LANES));
                }
            }
            for index in indices {
                let row = table.as_ptr().add(usize::from(*index) * cols + column);
                for (j, sum) in sums.iter_mut().enumerate() {
                    *sum = s.add(*sum, s.load_ptr(row.add(j * S::LANES)));
                }
            }
            for (j, sum) in sums.into_iter().enumerate() {
                s.store_ptr(out.as_mut_ptr().add(column + j * S::LANES), sum);
            }
        }
    }
}

/// The arguments of [`embedding_bag_backward`], checked.
struct Backward<'a> {
    grads: &'a mut [f32],
    indices: &'a [u16],
    per_row: usize,
    dy: &'a [f32],
    outputs: usize,
}

impl Op for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { grads, indices, per_row, dy, outputs } = self;
        let mut column = 0;
        while column + COLUMNS <= outputs {
            // SAFETY: `check` found every index inside the table, and these columns are inside every row.
            unsafe {
                // Vectors of 16, 8 or 4 lanes.
                match COLUMNS / S::LANES {
                    2 => add_columns::<S, 2>(s, grads, indices, per_row, dy, outputs, column),
                    4 => add_columns::<S, 4>(s, grads, indices, per_row, dy, outputs, column),
                    _ => add_columns::<S, 8>(s, grads, indices, per_row, dy, outputs, column),
                }
            }
            column += COLUMNS;
        }
        while column + S::LANES <= outputs {
            // SAFETY: as above.
            unsafe { add_columns::<S, 1>(s, grads, indices, per_row, dy, outputs, column) };
            column += S::LANES;
        }
        for (dy, indices) in dy.chunks_exact(outputs).zip(indices.chunks_exact(per_row)) {
            for index in indices {
                let row = &mut grads[usize::from(*index) * outputs..][..outputs];
                row[column..].iter_mut().zip(&dy[column..]).for_each(|(g, d)| *g += d);
            }
        }
    }
}

/// Adds `N` vectors of columns, from `column` on, of every row of `dy` to the rows of `grads` given by its
/// indices.
///
/// # Safety
/// Every index must be below the rows of `grads` `[inputs, cols]`, and the columns below `cols`.
#[inline(always)]
unsafe fn add_columns<S: Simd, const N: usize>(
    s: S,
    grads: &mut [f32],
    indices: &[u16],
    per_row: usize,
    dy: &[f32],
    cols: usize,
    column: usize,
) {
    for (dy, indices) in dy.chunks_exact(cols).zip(indices.chunks_exact(per_row)) {
        // SAFETY: the caller guarantees that columns and indices are in range.
        unsafe {
            let mut d = [s.splat(0.0); N];
            for (j, d) in d.iter_mut().enumerate() {
                *d = s.load_ptr(dy.as_ptr().add(column + j * S::LANES));
            }
            for index in indices {
                let row = grads.as_mut_ptr().add(usize::from(*index) * cols + column);
                for (j, d) in d.iter().enumerate() {
                    let target = row.add(j * S::LANES);
                    s.store_ptr(target, s.add(s.load_ptr(target), *d));
                }
            }
        }
    }
}
