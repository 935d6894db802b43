//! The gradient of a layer's weights, `xᵀ dy` over many rows, on a `dy` packed once for everybody who makes a part of it.
//!
//! Columns of `x` lie far apart, a cache set or a page for each row; so some of them are first copied together, and then
//! go through all panels of `dy`. Every element is summed in the same order, wherever it stands: row by row, in stretches
//! of 256, each from zero.

use std::mem::MaybeUninit;

use crate::gemm::{Mat, runs, tile};
use crate::linear::PackedMatrix;
use crate::simd::{Op, Simd, dispatch};

/// The longest stretch of rows that is summed at once.
const DEPTH: usize = 256;

/// Places for the columns of `x` that lie together in a copy, those of two tiles.
const PLACES: usize = 16;

/// Copies that are made before the panels go by.
const GROUPS: usize = 4;

/// Where they are copied to. It lives on the stack, so nothing is allocated on any thread.
#[repr(C, align(64))]
struct Copies(MaybeUninit<[f32; GROUPS * DEPTH * PLACES]>);

/// `out += xᵀ dy` for `x` `[rows, inputs]`, perhaps some columns of a wider matrix, `dy` `[rows, outputs]` and `out`
/// `[inputs, outputs]`.
pub fn add_weight_gradient(out: &mut [f32], x: Mat, dy: &PackedMatrix) {
    let (rows, outputs) = (dy.inputs(), dy.outputs());
    assert!(x.rows == rows && x.col_stride == 1, "not {rows} rows side by side");
    assert_eq!(Some(out.len()), x.cols.checked_mul(outputs), "not {} by {outputs}", x.cols);
    x.check();
    if !out.is_empty() && rows > 0 {
        dispatch(Outer { out, x, dy });
    }
}

/// The arguments of [`add_weight_gradient`], checked.
struct Outer<'a> {
    out: &'a mut [f32],
    x: Mat<'a>,
    dy: &'a PackedMatrix,
}

impl Op for Outer<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        const { assert!(2 * S::TILE_ROWS <= PLACES && PLACES.is_multiple_of(S::LANES)) };
        let together = 2 * S::TILE_ROWS;
        let Self { out, x, dy } = self;
        let mut copies = Copies(MaybeUninit::uninit());
        let copies: *mut f32 = copies.0.as_mut_ptr().cast();
        for from in (0..x.rows).step_by(DEPTH) {
            let depth = DEPTH.min(x.rows - from);
            for first in (0..x.cols).step_by(GROUPS * together) {
                let end = x.cols.min(first + GROUPS * together);
                let groups =
                    || (first..end).step_by(together).map(move |group| (group, together.min(end - group)));
                for (i, (group, count)) in groups().enumerate() {
                    // SAFETY: `add_weight_gradient` has checked that these rows and columns are inside `x`. Each copy has `DEPTH`
                    // rows of `PLACES`, which are whole vectors.
                    unsafe {
                        let copy = copies.add(i * DEPTH * PLACES);
                        let source = x.data.as_ptr().add(from * x.row_stride + group);
                        for k in 0..depth {
                            for lane in (0..count).step_by(S::LANES) {
                                let (from, rest) = (source.add(k * x.row_stride + lane), count - lane);
                                let whole = rest >= S::LANES;
                                let v = if whole {
                                    s.load_ptr(from)
                                } else {
                                    s.load_partial_ptr(from, rest, 0.0)
                                };
                                s.store_ptr(copy.add(k * PLACES + lane), v);
                            }
                        }
                    }
                }
                let mut column = 0;
                for (vectors, panels) in runs(dy.outputs().div_ceil(S::LANES), S::TILE_VECTORS) {
                    let width = vectors * S::LANES;
                    // Where a tile copies its rows by itself, that is done once for all panels.
                    let (calls, panels) = if S::PACK_LEFT { (1, panels) } else { (panels, 1) };
                    for _ in 0..calls {
                        for (i, (group, count)) in groups().enumerate() {
                            let mut row = 0;
                            for (height, tiles) in runs(count, S::TILE_ROWS) {
                                // SAFETY: a copy holds `depth` rows of these columns; the panels are those of `dy`, and
                                // `out` has a row for each column of `x`, as checked.
                                unsafe {
                                    let tiles = tile::Tiles {
                                        count: tiles,
                                        left: copies.cast_const().add(i * DEPTH * PLACES + row),
                                        left_row: 1,
                                        left_step: PLACES,
                                        right: dy.panel(column).add(from * width),
                                        right_step: width,
                                        panels,
                                        panel_step: width * dy.inputs(),
                                        depth,
                                        out: out.as_mut_ptr().add((group + row) * dy.outputs() + column),
                                        out_row: dy.outputs(),
                                        out_col: 1,
                                        columns: dy.outputs() - column,
                                        start: &[],
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
