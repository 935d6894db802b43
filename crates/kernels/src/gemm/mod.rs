//! Single-precision matrix products on strided views, for every transpose that forward and backward need.
//!
//! The right matrix is taken in panels of a few vectors' width, which the register tiles of the left matrix's rows
//! go through one after the other (Goto and van de Geijn, "Anatomy of high-performance matrix multiplication",
//! 2008; with the sizes of small networks everything but the panel stays where it is, because it is in cache
//! anyway).
//!
//! **Every element of the product is summed in the same order**, whatever the other sizes and wherever it stands:
//! along the inner size, one after the other, in blocks of 256, each block from zero. So a row has the same
//! bits in a batch of one and in a batch of a thousand, and work can be cut into chunks of rows at will.

pub(crate) mod pack;
pub(crate) mod tile;

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

    /// `rows x cols` of a wider row-major matrix, from the first of `data` on, whose rows begin `row_stride` apart.
    pub fn part(data: &'a [f32], rows: usize, cols: usize, row_stride: usize) -> Self {
        let part = Self { data, rows, cols, row_stride, col_stride: 1 };
        part.check();
        part
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
    pub(crate) fn check(&self) {
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

/// The longest stretch of the inner size that is summed at once, so that a panel stays in cache. Part of the promise
/// about the order of sums, and so the same for every instruction set.
const DEPTH: usize = 256;

/// The most columns of the right matrix that are packed at a time. WebAssembly packs the left matrix too, once for each
/// such block.
const WIDTH: usize = if cfg!(target_arch = "wasm32") { 128 } else { 64 };

/// Where those columns are packed, or the last, ragged ones padded. It lives on the stack, so a product allocates
/// nothing on any thread.
#[repr(C, align(64))]
struct Panels(MaybeUninit<[f32; DEPTH * WIDTH]>);

/// `out = a * b`, or `out += a * b` when `accumulate`. `out` is row-major `[a.rows, b.cols]`.
pub fn gemm(out: &mut [f32], a: Mat, b: Mat, accumulate: bool) {
    gemm_strided(out, b.cols, a, b, accumulate);
}

/// The same into some columns of a wider matrix: the rows of `out` begin `out_row` apart, and what lies between them
/// stays as it is.
pub fn gemm_strided(out: &mut [f32], out_row: usize, a: Mat, b: Mat, accumulate: bool) {
    assert_eq!(a.cols, b.rows, "inner sizes differ");
    let last = a.rows.saturating_sub(1).checked_mul(out_row).expect("output beyond the address space");
    let size = if a.rows == 0 || b.cols == 0 { 0 } else { last + b.cols };
    assert!(out_row >= b.cols && out.len() >= size, "output too small");
    a.check();
    b.check();
    if size == 0 {
        return;
    }
    if a.cols == 0 {
        if !accumulate {
            out[..size].chunks_mut(out_row).for_each(|row| row[..b.cols].fill(0.0));
        }
        return;
    }
    dispatch(Product { out, out_row, out_col: 1, a, b, accumulate });
}

/// Writes the transpose of `x` into rows that begin `width` apart: `out[j * width + i]` is element (i, j) of `x`, and
/// zero from its last row on. `width`, at least the rows of `x`, is whole vectors.
pub fn transpose(out: &mut [f32], width: usize, x: Mat) {
    struct Transpose<'a>(&'a mut [f32], usize, Mat<'a>);
    impl Op for Transpose<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let Self(out, width, x) = self;
            let source = x.data.as_ptr();
            // SAFETY: `transpose` has checked that all of `x` is readable, and `width` whole vectors for each of its
            // columns writable.
            unsafe {
                pack::columns(s, out.as_mut_ptr(), width, source, x.col_stride, x.row_stride, x.cols, x.rows);
            }
        }
    }
    x.check();
    assert!(width >= x.rows && width.is_multiple_of(MAX_LANES), "{width} is no width for {} rows", x.rows);
    let size = x.cols.checked_mul(width).expect("output beyond the address space");
    assert!(out.len() >= size, "output too small");
    if size > 0 {
        dispatch(Transpose(out, width, x));
    }
}

/// The arguments of [`gemm`], checked.
struct Product<'a> {
    /// Element (i, j) is `out[i * out_row + j * out_col]`.
    out: &'a mut [f32],
    out_row: usize,
    out_col: usize,
    a: Mat<'a>,
    b: Mat<'a>,
    accumulate: bool,
}

impl Op for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        const { assert!(S::LANES * S::TILE_VECTORS <= WIDTH && S::TILE_ROWS <= tile::MAX_ROWS) };
        // A narrow output would leave most lanes idle: its transpose is computed instead, lane by row. The sums
        // and their order are the same.
        if 2 * self.b.cols <= S::LANES && self.a.rows >= S::LANES {
            (self.a, self.b) = (self.b.t(), self.a.t());
            (self.out_row, self.out_col) = (self.out_col, self.out_row);
        }
        let mut panels = Panels(MaybeUninit::uninit());
        let panels: *mut f32 = panels.0.as_mut_ptr().cast();
        // Where the left matrix is packed, a wide block shares that work; elsewhere a block is one panel.
        let block = if S::PACK_LEFT { WIDTH / S::LANES } else { S::TILE_VECTORS };
        for from in (0..self.a.cols).step_by(DEPTH) {
            for (first, vectors) in shares(self.b.cols.div_ceil(S::LANES), block) {
                let whole = vectors / S::TILE_VECTORS;
                // SAFETY: `gemm` has checked every size, and the panels have room for `DEPTH` rows of a block.
                unsafe {
                    if whole > 0 {
                        self.block(s, panels, from, first, whole, S::TILE_VECTORS);
                    }
                    if vectors > whole * S::TILE_VECTORS {
                        let done = whole * S::TILE_VECTORS;
                        self.block(s, panels, from, first + done, 1, vectors - done);
                    }
                }
            }
        }
    }
}

impl Product<'_> {
    /// Computes the output's columns from vector `first` on, `count` panels of `vectors` each, as far as the inner
    /// size from `from` to the end of its stretch contributes.
    ///
    /// # Safety
    /// The sizes must have been checked, and `panels` must have room for the block.
    #[inline(always)]
    unsafe fn block<S: Simd>(
        &mut self,
        s: S,
        panels: *mut f32,
        from: usize,
        first: usize,
        count: usize,
        vectors: usize,
    ) {
        let Self { out, out_row, out_col, a, b, accumulate } = self;
        let depth = DEPTH.min(a.cols - from);
        let (column, width) = (first * S::LANES, vectors * S::LANES);
        let columns = (count * width).min(b.cols - column);
        // SAFETY: `check` found every element of `a` and `b` inside its slice, and `gemm` those of `out`; the
        // pointers below start at elements of theirs.
        unsafe {
            let source = b.data.as_ptr().add(from * b.row_stride + column * b.col_stride);
            let whole = b.col_stride == 1 && columns == width && !S::PACK_LEFT;
            let readable = whole && (a.rows < PACK_ROWS || depth * b.row_stride <= NEAR);
            let (right, right_step) = if readable {
                (source, b.row_stride)
            } else {
                for panel in 0..count {
                    let first = panel * width;
                    let (source, panel) = (source.add(first * b.col_stride), panels.add(first * depth));
                    let columns = width.min(columns - first);
                    pack::columns(s, panel, width, source, b.row_stride, b.col_stride, depth, columns);
                }
                (panels.cast_const(), width)
            };
            let mut row = 0;
            for (rows, tiles) in runs(a.rows, S::TILE_ROWS) {
                let tiles = Tiles {
                    count: tiles,
                    left: a.data.as_ptr().add(row * a.row_stride + from * a.col_stride),
                    left_row: a.row_stride,
                    left_step: a.col_stride,
                    right,
                    right_step,
                    panels: count,
                    panel_step: width * depth,
                    depth,
                    out: out.as_mut_ptr().add(row * *out_row + column * *out_col),
                    out_row: *out_row,
                    out_col: *out_col,
                    columns,
                    start: &[],
                    accumulate: *accumulate || from > 0,
                };
                tile::run(s, rows, vectors, tiles);
                row += rows * tiles.count;
            }
        }
    }
}

/// From how many rows on packing the right matrix pays even where it could be read in place, unless the part that
/// is needed spans at most [`NEAR`] values and so stays in the first cache as it is.
const PACK_ROWS: usize = 64;
const NEAR: usize = 8192;

/// Cuts `0..total` into the fewest shares of at most `most`, as even as can be: (start, length).
pub(crate) fn shares(total: usize, most: usize) -> impl Iterator<Item = (usize, usize)> {
    let count = total.div_ceil(most);
    let (least, longer) = (total.checked_div(count).unwrap_or(0), total.checked_rem(count).unwrap_or(0));
    (0..count).map(move |i| (i * least + i.min(longer), least + usize::from(i < longer)))
}

/// The same cut as two runs of equal shares: (length of a share, number of shares).
pub(crate) fn runs(total: usize, most: usize) -> impl Iterator<Item = (usize, usize)> {
    let count = total.div_ceil(most);
    let (least, longer) = (total.checked_div(count).unwrap_or(0), total.checked_rem(count).unwrap_or(0));
    [(least + 1, longer), (least, count - longer)].into_iter().filter(|&(_, shares)| shares > 0)
}
