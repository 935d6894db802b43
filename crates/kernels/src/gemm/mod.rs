//! Single-precision matrix products (GEMM) on strided views, so that any operand may be a transpose.
//!
//! The right matrix is packed (copied) into panels a few vectors wide. A register tile, some rows of the
//! output by the width of a panel, is computed from rows of the left matrix and one panel (Goto and van de
//! Geijn, "Anatomy of high-performance matrix multiplication", 2008). The left matrix and the output of small
//! networks are in the cache anyway, so they are read in place.
//!
//! **Every element of the product is summed in the same order**, whatever its position and the sizes of the
//! matrices: the inner dimension is split into blocks of 256, each block is summed from zero, one product
//! after the other, and the block sums are added in order. So a row has the same bits in a batch of one and
//! in a batch of a thousand, and rows can be split over threads at will.

pub(crate) mod pack;
pub(crate) mod tile;

use std::mem::MaybeUninit;

// `dispatch` runs an `Op`, a computation generic over the instruction set `S`, with the best set of this
// machine.
use crate::simd::{MAX_LANES, Op, Simd, dispatch};
use tile::Tiles;

/// A read-only view of a matrix with arbitrary strides, so that transposing needs no copy.
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

    /// The first `cols` columns of a wider row-major matrix whose rows begin `row_stride` apart.
    pub fn part(data: &'a [f32], rows: usize, cols: usize, row_stride: usize) -> Self {
        let part = Self { data, rows, cols, row_stride, col_stride: 1 };
        part.check();
        part
    }

    /// The transposed view.
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

/// The length of a block of the inner dimension, small enough for a panel to stay in the cache. It determines
/// the order of sums and is therefore the same for all instruction sets.
const DEPTH: usize = 256;

/// The largest number of columns of the right matrix that are packed at a time. It is larger in WebAssembly,
/// which packs the left matrix too, once for each such block of columns.
const WIDTH: usize = if cfg!(target_arch = "wasm32") { 128 } else { 64 };

/// Space for packed panels, of which the last is padded to whole vectors. It is on the stack, so a product
/// does not allocate.
#[repr(C, align(64))]
struct Panels(MaybeUninit<[f32; DEPTH * WIDTH]>);

/// `out = a * b`, or `out += a * b` when `accumulate`. `out` is row-major `[a.rows, b.cols]`.
pub fn gemm(out: &mut [f32], a: Mat, b: Mat, accumulate: bool) {
    gemm_strided(out, b.cols, a, b, accumulate);
}

/// [`gemm`] into some columns of a wider matrix: the rows of `out` begin `out_row` apart, and the values
/// between them stay unchanged.
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

/// Transposes `x` into rows that begin `width` apart and are padded with zeros: `out[j * width + i] = x[i,
/// j]`. `width` is at least `x.rows` and a multiple of [`MAX_LANES`].
pub fn transpose(out: &mut [f32], width: usize, x: Mat) {
    struct Transpose<'a>(&'a mut [f32], usize, Mat<'a>);
    impl Op for Transpose<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let Self(out, width, x) = self;
            let source = x.data.as_ptr();
            // SAFETY: `transpose` has checked that all of `x` is readable, and that `out` has `width` values
            // for each column of `x`, which are whole vectors.
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
        // A narrow output would leave most lanes idle, so its transpose is computed instead. The order of
        // sums is the same.
        if 2 * self.b.cols <= S::LANES && self.a.rows >= S::LANES {
            (self.a, self.b) = (self.b.t(), self.a.t());
            (self.out_row, self.out_col) = (self.out_col, self.out_row);
        }
        let mut panels = Panels(MaybeUninit::uninit());
        let panels: *mut f32 = panels.0.as_mut_ptr().cast();
        // The largest number of vectors per block of columns. With `PACK_LEFT`, the left matrix is packed
        // once for the several panels of a block; otherwise a block is one panel.
        let block = if S::PACK_LEFT { WIDTH / S::LANES } else { S::TILE_VECTORS };
        for from in (0..self.a.cols).step_by(DEPTH) {
            for (first, vectors) in even_chunks(self.b.cols.div_ceil(S::LANES), block) {
                let whole_panels = vectors / S::TILE_VECTORS;
                // SAFETY: `gemm` has checked every size, and the panels have room for `DEPTH` rows of a
                // block.
                unsafe {
                    let done = whole_panels * S::TILE_VECTORS;
                    if whole_panels > 0 {
                        self.block(s, panels, from, first, whole_panels, S::TILE_VECTORS);
                    }
                    if vectors > done {
                        self.block(s, panels, from, first + done, 1, vectors - done);
                    }
                }
            }
        }
    }
}

impl Product<'_> {
    /// Adds the part of the product that belongs to one block of the inner dimension, the one that begins at
    /// index `from`. It computes `count` panels of output columns, each `vectors` vectors wide; the first
    /// panel begins at vector `first` (that is, at column `first * LANES`).
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
        // SAFETY: `check` found every element of `a` and `b` inside its slice, and `gemm_strided` those of
        // `out`; the pointers below start at elements of these.
        unsafe {
            let source = b.data.as_ptr().add(from * b.row_stride + column * b.col_stride);
            let readable_in_place = b.col_stride == 1 && columns == width && !S::PACK_LEFT;
            let in_place = readable_in_place && (a.rows < PACK_ROWS || depth * b.row_stride <= L1_VALUES);
            let (right, right_step) = if in_place {
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
            for (rows, tiles) in equal_runs(a.rows, s.tile_rows()) {
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
                    initial: &[],
                    accumulate: *accumulate || from > 0,
                };
                tile::run(s, rows, vectors, tiles);
                row += rows * tiles.count;
            }
        }
    }
}

/// A block of the right matrix whose columns are contiguous could be read in place. It is packed nevertheless
/// if there are at least `PACK_ROWS` rows and the block spans more than [`L1_VALUES`] values, that is, if it
/// is read often and would not stay in the L1 cache.
const PACK_ROWS: usize = 64;
const L1_VALUES: usize = 8192;

/// Splits `0..total` into the smallest number of chunks of length at most `max_len`. Their lengths differ by
/// at most one, and the longer chunks come first. Yields (start, length).
pub(crate) fn even_chunks(total: usize, max_len: usize) -> impl Iterator<Item = (usize, usize)> {
    let count = total.div_ceil(max_len);
    let (min_len, longer) = (total.checked_div(count).unwrap_or(0), total.checked_rem(count).unwrap_or(0));
    (0..count).map(move |i| (i * min_len + i.min(longer), min_len + usize::from(i < longer)))
}

/// The chunks of [`even_chunks`], grouped into at most two runs of equal length. Yields (length of a chunk,
/// number of chunks).
pub(crate) fn equal_runs(total: usize, max_len: usize) -> impl Iterator<Item = (usize, usize)> {
    let count = total.div_ceil(max_len);
    let (min_len, longer) = (total.checked_div(count).unwrap_or(0), total.checked_rem(count).unwrap_or(0));
    [(min_len + 1, longer), (min_len, count - longer)].into_iter().filter(|&(_, chunks)| chunks > 0)
}
