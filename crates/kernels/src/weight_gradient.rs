//! The gradient of the weights of a dense layer, `xᵀ dy`, which is a sum over many rows of `x` and `dy`. `dy`
//! is packed once and shared by all threads. The caller splits the columns of `x` among the threads: column i
//! of `x` gives row i of the gradient.
//!
//! Successive rows of `x` are a whole row stride apart, so walking down a few columns touches a new cache
//! line, and often a new page, for each row. Therefore groups of columns are first copied into contiguous
//! memory and then multiplied with all panels of `dy`.
//!
//! Each block of 256 rows is summed row by row from zero, then added to `out`. So the order of summation, and
//! with it the rounding, does not depend on how the columns are split among threads.

use std::mem::MaybeUninit;

use crate::gemm::{Mat, equal_runs, tile};
use crate::linear::PackedMatrix;
// `dispatch` runs an `Op`, a computation generic over the instruction set `S`, with the best set of this
// machine.
use crate::simd::{Op, Simd, dispatch};

/// Rows per block of the sum (KC in the literature on GEMM). Another size gives another rounding.
const ROW_BLOCK: usize = 256;

/// Elements from one row of a copy to the next: at least the columns of a group with every instruction set.
const COPY_STRIDE: usize = 16;

/// The number of groups of columns that are copied before they are multiplied with the panels.
const GROUPS: usize = 4;

/// Space for the copies, on the stack, so that nothing is allocated.
/// Shape: `[GROUPS, ROW_BLOCK, COPY_STRIDE]`.
#[repr(C, align(64))]
struct Copies(MaybeUninit<[f32; GROUPS * ROW_BLOCK * COPY_STRIDE]>);

/// `out += xᵀ dy`. `x` may be a view of some columns of a wider matrix. `dy` is packed; what [`PackedMatrix`]
/// calls its inputs are here the rows.
/// Shapes: `x [rows, inputs], dy [rows, outputs] -> out [inputs, outputs]`.
pub fn add_weight_gradient(out: &mut [f32], x: Mat, dy: &PackedMatrix) {
    let (rows, outputs) = (dy.inputs(), dy.outputs());
    assert!(x.rows == rows && x.col_stride == 1, "`x` must have {rows} rows, each contiguous");
    assert_eq!(Some(out.len()), x.cols.checked_mul(outputs), "`out` must be {} by {outputs}", x.cols);
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
        const { assert!(2 * S::TILE_ROWS <= COPY_STRIDE && COPY_STRIDE.is_multiple_of(S::LANES)) };
        // Columns per group: as many as two register tiles have rows, because a column of `x` becomes a row
        // of `out`.
        let tile_rows = s.tile_rows();
        let group_width = 2 * tile_rows;
        let Self { out, x, dy } = self;
        let mut copies = Copies(MaybeUninit::uninit());
        let copies: *mut f32 = copies.0.as_mut_ptr().cast();
        for first_row in (0..x.rows).step_by(ROW_BLOCK) {
            let depth = ROW_BLOCK.min(x.rows - first_row);
            for first_column in (0..x.cols).step_by(GROUPS * group_width) {
                let end_column = x.cols.min(first_column + GROUPS * group_width);
                // The first column and the width of each group.
                let groups = || {
                    let starts = (first_column..end_column).step_by(group_width);
                    starts.map(move |start| (start, group_width.min(end_column - start)))
                };
                for (i, (group_start, width)) in groups().enumerate() {
                    // SAFETY: `add_weight_gradient` has checked that these rows and columns are inside `x`.
                    // Each copy has `ROW_BLOCK` rows of `COPY_STRIDE` elements, which are whole vectors.
                    unsafe {
                        let copy = copies.add(i * ROW_BLOCK * COPY_STRIDE);
                        let source = x.data.as_ptr().add(first_row * x.row_stride + group_start);
                        for k in 0..depth {
                            for j in (0..width).step_by(S::LANES) {
                                let (values, rest) = (source.add(k * x.row_stride + j), width - j);
                                let v = if rest >= S::LANES {
                                    s.load_ptr(values)
                                } else {
                                    s.load_partial_ptr(values, rest, 0.0)
                                };
                                s.store_ptr(copy.add(k * COPY_STRIDE + j), v);
                            }
                        }
                    }
                }
                let mut out_column = 0;
                // Runs of panels of equal width: the vectors of a panel and the number of panels.
                for (vectors, panels) in equal_runs(dy.outputs().div_ceil(S::LANES), S::TILE_VECTORS) {
                    let panel_width = vectors * S::LANES;
                    // Where `tile::run` packs its left operand, it gets all panels in one call, so that it
                    // packs once. Otherwise it gets one panel per call, which stays in the L1 cache while all
                    // groups use it.
                    let (calls, panels) = if S::PACK_LEFT { (1, panels) } else { (panels, 1) };
                    for _ in 0..calls {
                        for (i, (group_start, width)) in groups().enumerate() {
                            let mut row_in_group = 0;
                            // Runs of tiles of equal height: the rows of a tile and the number of tiles.
                            for (height, tile_count) in equal_runs(width, tile_rows) {
                                // SAFETY: a copy holds `depth` rows of these columns; the panels are those of
                                // `dy`, and `out` has a row for each column of `x`, as checked.
                                unsafe {
                                    let out_row = group_start + row_in_group;
                                    let tiles = tile::Tiles {
                                        count: tile_count,
                                        left: copies
                                            .cast_const()
                                            .add(i * ROW_BLOCK * COPY_STRIDE + row_in_group),
                                        left_row: 1,
                                        left_step: COPY_STRIDE,
                                        right: dy.panel(out_column).add(first_row * panel_width),
                                        right_step: panel_width,
                                        panels,
                                        panel_step: panel_width * dy.inputs(),
                                        depth,
                                        out: out.as_mut_ptr().add(out_row * dy.outputs() + out_column),
                                        out_row: dy.outputs(),
                                        out_col: 1,
                                        columns: dy.outputs() - out_column,
                                        initial: &[],
                                        accumulate: true,
                                    };
                                    tile::run(s, height, vectors, tiles);
                                }
                                row_in_group += height * tile_count;
                            }
                        }
                        out_column += panel_width * panels;
                    }
                }
            }
        }
    }
}
