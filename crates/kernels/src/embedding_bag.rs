//! Layers whose inputs are ones among zeros: instead of a product, the rows of the ones are summed.
//!
//! With 24 ones among 144 inputs that is a sixth of the additions and no multiplication. The sum begins with the bias and
//! takes the ones in the order given, so with ascending ones it has the bits of [`crate::linear`] over the same zeros and
//! ones: what a zero adds there changes nothing.

use crate::epilogue::Epilogue;
use crate::simd::{Op, Simd, dispatch};

/// Columns that are summed at a time: of a cube's 144 rows that is 18 kB, so that this part of the table stays in the
/// nearest cache while the rows of a block go by, and the sums in registers.
const COLUMNS: usize = 32;

/// Rows that are summed before the tail takes them, while they are near.
const BLOCK: usize = 32;

/// `out = tail(sum of the table's rows of the ones)`: `per_row` ones for each row of `out` `[rows, outputs]`, and a `table`
/// `[inputs, outputs]`.
pub fn embedding_bag(
    out: &mut [f32],
    ones: &[u16],
    per_row: usize,
    table: &[f32],
    outputs: usize,
    tail: Epilogue,
) {
    let rows = check(ones, per_row, table, outputs);
    assert_eq!(out.len(), rows * outputs, "not {rows} rows of {outputs} outputs");
    tail.check(rows, outputs);
    dispatch(Forward { out, ones, per_row, table, outputs, tail });
}

/// Adds `dy` `[rows, outputs]` to the rows of the ones in `grads` `[inputs, outputs]`: the gradient of the table.
pub fn embedding_bag_backward(grads: &mut [f32], ones: &[u16], per_row: usize, dy: &[f32], outputs: usize) {
    let rows = check(ones, per_row, grads, outputs);
    assert_eq!(dy.len(), rows * outputs, "not {rows} rows of {outputs} gradients");
    dispatch(Backward { grads, ones, per_row, dy, outputs });
}

/// How many rows there are; panics where a one is beyond the table.
fn check(ones: &[u16], per_row: usize, table: &[f32], outputs: usize) -> usize {
    assert!(outputs > 0 && per_row > 0, "rows of nothing");
    let inputs = table.len() / outputs;
    assert_eq!(table.len(), inputs * outputs, "not whole rows of {outputs}");
    let most = ones.iter().fold(0, |most, one| most.max(*one));
    assert!(usize::from(most) < inputs, "a one beyond the {inputs} inputs");
    assert!(ones.len().is_multiple_of(per_row), "not whole rows of {per_row} ones");
    ones.len() / per_row
}

/// The arguments of [`embedding_bag`], checked.
struct Forward<'a> {
    out: &'a mut [f32],
    ones: &'a [u16],
    per_row: usize,
    table: &'a [f32],
    outputs: usize,
    tail: Epilogue<'a>,
}

impl Op for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let cols = self.outputs;
        let blocks = self.out.chunks_mut(BLOCK * cols).zip(self.ones.chunks(BLOCK * self.per_row));
        for (i, (out, ones)) in blocks.enumerate() {
            let mut column = 0;
            let bias = self.tail.bias;
            while column + COLUMNS <= cols {
                let (per_row, table) = (self.per_row, self.table);
                // SAFETY: `check` found every one inside the table, and these columns are inside every row.
                unsafe {
                    match COLUMNS / S::LANES {
                        2 => sum_columns::<S, 2>(s, out, ones, per_row, table, cols, column, bias),
                        4 => sum_columns::<S, 4>(s, out, ones, per_row, table, cols, column, bias),
                        _ => sum_columns::<S, 8>(s, out, ones, per_row, table, cols, column, bias),
                    }
                }
                column += COLUMNS;
            }
            while column + S::LANES <= cols {
                // SAFETY: as above.
                unsafe {
                    sum_columns::<S, 1>(s, out, ones, self.per_row, self.table, cols, column, bias);
                }
                column += S::LANES;
            }
            for (out, ones) in out.chunks_exact_mut(cols).zip(ones.chunks_exact(self.per_row)) {
                for (j, out) in out.iter_mut().enumerate().skip(column) {
                    let start = self.tail.bias.get(j).copied().unwrap_or(0.0);
                    *out = ones.iter().fold(start, |sum, one| sum + self.table[usize::from(*one) * cols + j]);
                }
            }
            self.tail.finish(s, None, out, i * BLOCK, cols);
        }
    }
}

/// The sums of `N` vectors of columns from `column` on, of some rows.
///
/// # Safety
/// Every one must be inside `table`, `[inputs, cols]`, and the columns inside a row of `cols`, of which `bias` has as many
/// or none.
#[inline(always)]
unsafe fn sum_columns<S: Simd, const N: usize>(
    s: S,
    out: &mut [f32],
    ones: &[u16],
    per_row: usize,
    table: &[f32],
    cols: usize,
    column: usize,
    bias: &[f32],
) {
    for (out, ones) in out.chunks_exact_mut(cols).zip(ones.chunks_exact(per_row)) {
        let mut sums = [s.splat(0.0); N];
        // SAFETY: the caller vouches for the columns and the ones.
        unsafe {
            if !bias.is_empty() {
                for (j, sum) in sums.iter_mut().enumerate() {
                    *sum = s.load_ptr(bias.as_ptr().add(column + j * S::LANES));
                }
            }
            for one in ones {
                let row = table.as_ptr().add(usize::from(*one) * cols + column);
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
    ones: &'a [u16],
    per_row: usize,
    dy: &'a [f32],
    outputs: usize,
}

impl Op for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { grads, ones, per_row, dy, outputs } = self;
        let mut column = 0;
        while column + COLUMNS <= outputs {
            // SAFETY: `check` found every one inside the table, and these columns are inside every row.
            unsafe {
                match COLUMNS / S::LANES {
                    2 => add_columns::<S, 2>(s, grads, ones, per_row, dy, outputs, column),
                    4 => add_columns::<S, 4>(s, grads, ones, per_row, dy, outputs, column),
                    _ => add_columns::<S, 8>(s, grads, ones, per_row, dy, outputs, column),
                }
            }
            column += COLUMNS;
        }
        while column + S::LANES <= outputs {
            // SAFETY: as above.
            unsafe { add_columns::<S, 1>(s, grads, ones, per_row, dy, outputs, column) };
            column += S::LANES;
        }
        for (dy, ones) in dy.chunks_exact(outputs).zip(ones.chunks_exact(per_row)) {
            for one in ones {
                let row = &mut grads[usize::from(*one) * outputs..][..outputs];
                row[column..].iter_mut().zip(&dy[column..]).for_each(|(g, d)| *g += d);
            }
        }
    }
}

/// Adds `N` vectors of every row of `dy` from `column` on to the rows of the ones.
///
/// # Safety
/// Every one must be inside `grads`, `[inputs, cols]`, and the columns inside a row of `cols`.
#[inline(always)]
unsafe fn add_columns<S: Simd, const N: usize>(
    s: S,
    grads: &mut [f32],
    ones: &[u16],
    per_row: usize,
    dy: &[f32],
    cols: usize,
    column: usize,
) {
    for (dy, ones) in dy.chunks_exact(cols).zip(ones.chunks_exact(per_row)) {
        // SAFETY: the caller vouches for the columns and the ones.
        unsafe {
            let mut d = [s.splat(0.0); N];
            for (j, d) in d.iter_mut().enumerate() {
                *d = s.load_ptr(dy.as_ptr().add(column + j * S::LANES));
            }
            for one in ones {
                let row = grads.as_mut_ptr().add(usize::from(*one) * cols + column);
                for (j, d) in d.iter().enumerate() {
                    let place = row.add(j * S::LANES);
                    s.store_ptr(place, s.add(s.load_ptr(place), *d));
                }
            }
        }
    }
}
