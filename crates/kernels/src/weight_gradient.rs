//! The gradient of the weights of a dense layer, `xᵀ dy`, a sum over many rows. `dy` is packed once and shared by all
//! threads. Each thread computes some rows of the gradient, for some columns of `x`.
//!
//! The elements of a column of `x` are far apart in memory, so reading columns causes misses in the TLB and in the
//! cache. Therefore groups of columns are first copied into contiguous memory and then multiplied with all panels of
//! `dy`. Every element is summed in the same order: row by row, in blocks of 256 rows, each block from zero.

use std::mem::MaybeUninit;

use crate::gemm::{Mat, equal_runs, tile};
use crate::linear::PackedMatrix;
// `dispatch` runs an `Op`, a computation generic over the instruction set `S`, with the best set of this machine.
use crate::simd::{Op, Simd, dispatch};

/// Rows per block of the sum, which determines the order of sums.
const DEPTH: usize = 256;

/// Columns of `x` per copy: enough for two register tiles.
const COLUMNS: usize = 16;

/// The number of groups of columns that are copied before they are multiplied with the panels.
const GROUPS: usize = 4;

/// Space for the copies, on the stack, so that nothing is allocated.
/// Shape: `[GROUPS, DEPTH, COLUMNS]`.
#[repr(C, align(64))]
struct Copies(MaybeUninit<[f32; GROUPS * DEPTH * COLUMNS]>);

/// `out += xᵀ dy`. `x` may be a view of some columns of a wider matrix. `dy` is packed; its "inputs" are the rows.
/// Shapes: `x [rows, inputs], dy [rows, outputs] -> out [inputs, outputs]`.
pub fn add_weight_gradient(out: &mut [f32], x: Mat, dy: &PackedMatrix) {
    let (rows, outputs) = (dy.inputs(), dy.outputs());
    assert!(x.rows == rows && x.col_stride == 1, "not {rows} contiguous rows");
    assert_eq!(Some(out.len()), x.cols.checked_mul(outputs), "not {} by {outputs}", x.cols);
    x.check();
    if !out.is_empty() && rows > 0 {
        dispatch(WeightGradient { out, x, dy });
    }
}

/// The arguments of [`add_weight_gradient`], checked.
struct WeightGradient<'a> {
    out: &'a mut [f32],
    x: Mat<'a>,
    dy: &'a PackedMatrix,
}

impl Op for WeightGradient<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        const { assert!(2 * S::TILE_ROWS <= COLUMNS && COLUMNS.is_multiple_of(S::LANES)) };
        // Columns per group: as many as two register tiles have rows, because a column of `x` becomes a row of `out`.
        let group_width = 2 * S::TILE_ROWS;
        let Self { out, x, dy } = self;
        let mut copies = Copies(MaybeUninit::uninit());
        let copies: *mut f32 = copies.0.as_mut_ptr().cast();
        for from in (0..x.rows).step_by(DEPTH) {
            let depth = DEPTH.min(x.rows - from);
            for first in (0..x.cols).step_by(GROUPS * group_width) {
                let end = x.cols.min(first + GROUPS * group_width);
                // The first column and the width of each group.
                let groups = || {
                    (first..end).step_by(group_width).map(move |group| (group, group_width.min(end - group)))
                };
                for (i, (group, count)) in groups().enumerate() {
                    // SAFETY: `add_weight_gradient` has checked that these rows and columns are inside `x`. Each copy
                    // has `DEPTH` rows of `COLUMNS`, which are whole vectors.
                    unsafe {
                        let copy = copies.add(i * DEPTH * COLUMNS);
                        let source = x.data.as_ptr().add(from * x.row_stride + group);
                        for k in 0..depth {
                            for j in (0..count).step_by(S::LANES) {
                                let (values, rest) = (source.add(k * x.row_stride + j), count - j);
                                let v = if rest >= S::LANES {
                                    s.load_ptr(values)
                                } else {
                                    s.load_partial_ptr(values, rest, 0.0)
                                };
                                s.store_ptr(copy.add(k * COLUMNS + j), v);
                            }
                        }
                    }
                }
                let mut column = 0;
                for (vectors, panels) in equal_runs(dy.outputs().div_ceil(S::LANES), S::TILE_VECTORS) {
                    let width = vectors * S::LANES;
                    // With `PACK_LEFT`, one call packs the rows once for all panels; otherwise one call per panel.
                    let (calls, panels) = if S::PACK_LEFT { (1, panels) } else { (panels, 1) };
                    for _ in 0..calls {
                        for (i, (group, count)) in groups().enumerate() {
                            let mut row = 0;
                            for (height, tiles) in equal_runs(count, S::TILE_ROWS) {
                                // SAFETY: a copy holds `depth` rows of these columns; the panels are those of `dy`, and
                                // `out` has a row for each column of `x`, as checked.
                                unsafe {
                                    let tiles = tile::Tiles {
                                        count: tiles,
                                        left: copies.cast_const().add(i * DEPTH * COLUMNS + row),
                                        left_row: 1,
                                        left_step: COLUMNS,
                                        right: dy.panel(column).add(from * width),
                                        right_step: width,
                                        panels,
                                        panel_step: width * dy.inputs(),
                                        depth,
                                        out: out.as_mut_ptr().add((group + row) * dy.outputs() + column),
                                        out_row: dy.outputs(),
                                        out_col: 1,
                                        columns: dy.outputs() - column,
                                        initial: &[],
                                        accumulate: true,
                                    };
                                    tile::run(s, height, vectors, tiles);
                                    row += height * tiles.count;
                                }
                            }
                        }
                        column += width * panels;
                    }
                }
            }
        }
    }
}
