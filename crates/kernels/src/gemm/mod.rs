//! Single-precision matrix products on strided views, for every transpose that forward and backward need.
//!
//! The right matrix is taken in panels of a few vectors' width, which the register tiles of the left matrix's rows
//! go through one after the other (Goto and van de Geijn, "Anatomy of high-performance matrix multiplication",
//! 2008; with the sizes of small networks everything but the panel stays where it is, because it is in cache
//! anyway).
//!
//! **Every element of the product is summed in the same order**, whatever the other sizes and wherever it stands:
//! along the inner size, one after the other, in blocks of [`DEPTH`], each block from zero. So a row has the same
//! bits in a batch of one and in a batch of a thousand, and work can be cut into chunks of rows at will.

mod pack;
mod tile;

use std::mem::MaybeUninit;

use crate::simd::{MAX_LANES, Op, Simd, dispatch};
use tile::Tiles;

/// A read-only matrix view: `rows x cols` with arbitrary strides, so a transpose costs nothing.
#[derive(Clone, Copy, Debug)]
pub struct Mat<'a> {
    /// The backing slice; element (i, j) is `data[i * row_stride + j * col_stride]`.
    pub data: &'a [f32],
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub cols: usize,
    /// Distance between vertically adjacent elements.
    pub row_stride: usize,
    /// Distance between horizontally adjacent elements.
    pub col_stride: usize,
}

impl<'a> Mat<'a> {
    /// A row-major matrix that fills `data`.
    pub fn new(data: &'a [f32], rows: usize, cols: usize) -> Self {
        assert!(data.len() >= rows * cols, "matrix of {rows}x{cols} over {} values", data.len());
        Self { data, rows, cols, row_stride: cols, col_stride: 1 }
    }

    /// The same data seen transposed.
    pub fn t(self) -> Self {
        Self {
            rows: self.cols,
            cols: self.rows,
            row_stride: self.col_stride,
            col_stride: self.row_stride,
            ..self
        }
    }

    /// Panics unless every element lies inside `data`.
    fn check(&self) {
        let last = |n: usize, stride: usize| n.saturating_sub(1).checked_mul(stride);
        let end = last(self.rows, self.row_stride)
            .zip(last(self.cols, self.col_stride))
            .and_then(|(row, col)| row.checked_add(col));
        let inside = self.rows == 0 || self.cols == 0 || end.is_some_and(|end| end < self.data.len());
        assert!(inside, "a view of {}x{} leaves its {} values", self.rows, self.cols, self.data.len());
    }

    /// Element (i, j).
    pub fn at(&self, i: usize, j: usize) -> f32 {
        self.data[i * self.row_stride + j * self.col_stride]
    }
}

/// The longest stretch of the inner size that is summed at once, so that a panel stays in cache.
const DEPTH: usize = 256;

/// The widest panel of any instruction set.
const WIDTH: usize = 3 * MAX_LANES;

/// Where the panel in use is packed, or its last, ragged columns are padded. It lives on the stack, so a product
/// allocates nothing on any thread.
#[repr(C, align(64))]
struct Panel(MaybeUninit<[f32; DEPTH * WIDTH]>);

/// `out = a * b`, or `out += a * b` when `accumulate`. `out` is row-major `[a.rows, b.cols]`.
pub fn gemm(out: &mut [f32], a: Mat, b: Mat, accumulate: bool) {
    assert_eq!(a.cols, b.rows, "inner sizes differ");
    let size = a.rows.checked_mul(b.cols).expect("output beyond the address space");
    assert!(out.len() >= size, "output too small");
    a.check();
    b.check();
    if size == 0 {
        return;
    }
    if a.cols == 0 {
        if !accumulate {
            out[..size].fill(0.0);
        }
        return;
    }
    dispatch(Product { out, a, b, accumulate });
}

/// The arguments of [`gemm`], checked.
struct Product<'a> {
    out: &'a mut [f32],
    a: Mat<'a>,
    b: Mat<'a>,
    accumulate: bool,
}

impl Op for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        const { assert!(S::LANES * S::TILE_VECTORS <= WIDTH) };
        let Self { out, a, b, accumulate } = self;
        let mut panel = Panel(MaybeUninit::uninit());
        let panel: *mut f32 = panel.0.as_mut_ptr().cast();
        for from in (0..a.cols).step_by(DEPTH) {
            let depth = DEPTH.min(a.cols - from);
            for (first, vectors) in shares(b.cols.div_ceil(S::LANES), S::TILE_VECTORS) {
                let column = first * S::LANES;
                let columns = (vectors * S::LANES).min(b.cols - column);
                // SAFETY: `check` found every element of `a` and `b` inside its slice, and `gemm` those of
                // `out`; the panel has room for `DEPTH` rows of the widest tile, which `columns` rounded up
                // to whole vectors does not exceed.
                unsafe {
                    let source = b.data.as_ptr().add(from * b.row_stride + column * b.col_stride);
                    let in_place = b.col_stride == 1 && columns == vectors * S::LANES && a.rows < PACK_ROWS;
                    let (right, right_stride) = if in_place {
                        (source, b.row_stride)
                    } else {
                        let width = vectors * S::LANES;
                        pack::columns(s, panel, width, source, b.row_stride, b.col_stride, depth, columns);
                        (panel.cast_const(), width)
                    };
                    let mut row = 0;
                    for (rows, tiles) in tile_rows(a.rows, S::TILE_ROWS) {
                        tile::run(
                            s,
                            rows,
                            vectors,
                            Tiles {
                                count: tiles,
                                left: a.data.as_ptr().add(row * a.row_stride + from * a.col_stride),
                                left_row: a.row_stride,
                                left_step: a.col_stride,
                                right,
                                right_step: right_stride,
                                depth,
                                out: out.as_mut_ptr().add(row * b.cols + column),
                                out_row: b.cols,
                                columns,
                                accumulate: accumulate || from > 0,
                            },
                        );
                        row += rows * tiles;
                    }
                }
            }
        }
    }
}

/// From how many rows on packing the right matrix pays even where it could be read in place.
const PACK_ROWS: usize = 64;

/// Cuts `0..total` into the fewest shares of at most `most`, as even as can be: (start, length).
fn shares(total: usize, most: usize) -> impl Iterator<Item = (usize, usize)> {
    let count = total.div_ceil(most);
    let (least, longer) = (total / count, total % count);
    (0..count).map(move |i| (i * least + i.min(longer), least + usize::from(i < longer)))
}

/// The same cut of `total` rows, as two runs of equal tiles: (rows of a tile, number of tiles).
fn tile_rows(total: usize, most: usize) -> impl Iterator<Item = (usize, usize)> {
    let count = total.div_ceil(most);
    let (least, longer) = (total / count, total % count);
    [(least + 1, longer), (least, count - longer)].into_iter().filter(|&(_, tiles)| tiles > 0)
}
