//! Affine layers on weights packed once: `y = activation(norm(x W + b))`, and the same through a residual stream.
//!
//! A block of some thirty rows goes through all panels of the weights, and what comes after the product (a
//! [`Epilogue`]) is done to it at once, while it is still in the first cache. Nothing is allocated, neither here nor when
//! a matrix is packed again.
//!
//! **A row has the same bits in every batch**, as in [`crate::gemm`]: a sum begins with the bias and runs along the
//! inner size in stretches of 512, each later stretch from zero; what is kept in a residual stream is added last.

use std::ops::Range;

use crate::buffer::Buffer;
use crate::epilogue::{Activation, Epilogue, Saved};
use crate::gemm::{pack, runs, shares, tile};
use crate::simd::{Op, Simd, dispatch};

/// The longest stretch of the inner size that is summed at once.
const DEPTH: usize = 512;
const _: () = assert!(DEPTH <= tile::MAX_DEPTH);

/// Tiles that go through a panel of the weights one after the other, and then through the tail: few where all panels
/// stay in the second cache, so that rows stay in the first; more where every block fetches the weights from further
/// away.
const BLOCK: usize = 4;
const LONG_BLOCK: usize = 16;

/// Weights that stay in the second cache.
const NEAR: usize = 1 << 17;

/// A right-hand matrix in the order in which the tiles of this machine's instruction set read it.
#[derive(Clone, Debug)]
pub struct PackedMatrix {
    inputs: usize,
    outputs: usize,
    /// Lanes of the instruction set that it is packed for, and vectors in its widest panels.
    lanes: usize,
    tile_vectors: usize,
    values: Buffer,
}

impl PackedMatrix {
    /// A matrix of zeros.
    pub fn new(inputs: usize, outputs: usize) -> Self {
        struct Lanes;
        impl Op for Lanes {
            type Output = (usize, usize);
            #[inline(always)]
            fn run<S: Simd>(self, _: S) -> (usize, usize) {
                (S::LANES, S::TILE_VECTORS)
            }
        }
        let (lanes, tile_vectors) = dispatch(Lanes);
        let size =
            outputs.next_multiple_of(lanes).checked_mul(inputs).expect("a matrix beyond the address space");
        Self { inputs, outputs, lanes, tile_vectors, values: Buffer::new(size) }
    }

    /// Its rows: how many numbers go in.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Its columns: how many numbers come out.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// Takes the values of `w` `[inputs, outputs]`, row by row.
    pub fn pack(&mut self, w: &[f32]) {
        let row_stride = self.outputs;
        self.pack_strided(w, row_stride, 1);
    }

    /// Takes the transpose of `w` `[outputs, inputs]`, row by row: a layer's own weights, for the way back
    /// (`dx = dy Wᵀ`).
    pub fn pack_transposed(&mut self, w: &[f32]) {
        let col_stride = self.inputs;
        self.pack_strided(w, 1, col_stride);
    }

    /// Makes it one of fewer rows, `inputs` of them, or again of as many as it was made for. What it holds is to be packed
    /// anew.
    pub fn set_inputs(&mut self, inputs: usize) {
        let size = inputs * self.outputs.next_multiple_of(self.lanes);
        assert!(size <= self.values.len(), "room for fewer than {inputs} rows");
        self.inputs = inputs;
    }

    /// The nearest place at or before `column` where a row may be cut into parts.
    pub fn cut(&self, column: usize) -> usize {
        let mut place = 0;
        if column >= self.outputs {
            return self.outputs;
        }
        for (vectors, panels) in runs(self.outputs.div_ceil(self.lanes), self.tile_vectors) {
            let width = vectors * self.lanes;
            if column < place + panels * width {
                return place + (column - place) / width * width;
            }
            place += panels * width;
        }
        place
    }

    /// Where the panel begins of which `column` is the first.
    pub(crate) fn panel(&self, column: usize) -> *const f32 {
        self.values[column * self.inputs..].as_ptr()
    }

    fn pack_strided(&mut self, w: &[f32], row_stride: usize, col_stride: usize) {
        struct Pack<'a>(&'a mut PackedMatrix, &'a [f32], usize, usize);
        impl Op for Pack<'_> {
            type Output = ();
            #[inline(always)]
            fn run<S: Simd>(self, s: S) {
                let Self(to, w, row_stride, col_stride) = self;
                assert_eq!(to.lanes, S::LANES, "made for another instruction set");
                let packed = to.values.as_mut_ptr();
                for (first, vectors) in shares(to.outputs.div_ceil(S::LANES), S::TILE_VECTORS) {
                    let (column, width) = (first * S::LANES, vectors * S::LANES);
                    let columns = width.min(to.outputs - column);
                    // SAFETY: `w` holds all of the matrix, as checked below, and the panels side by side fill the
                    // buffer: `inputs` rows of whole vectors.
                    unsafe {
                        let panel = packed.add(column * to.inputs);
                        let source = w.as_ptr().add(column * col_stride);
                        pack::columns(s, panel, width, source, row_stride, col_stride, to.inputs, columns);
                    }
                }
            }
        }
        let size = self.inputs * self.outputs;
        assert!(w.len() == size, "{} weights for {} by {}", w.len(), self.inputs, self.outputs);
        if size > 0 {
            dispatch(Pack(self, w, row_stride, col_stride));
        }
    }
}

/// `out = tail(x W)` for `x` `[rows, inputs]` and `out` `[rows, outputs]`.
pub fn linear(out: &mut [f32], x: &[f32], rows: usize, w: &PackedMatrix, tail: Epilogue) {
    run(None, out, x, rows, w, tail);
}

/// `stream += x W + bias`, and then `out = activation(norm(stream))`: the end of a residual block together with the
/// beginning of the next. `stream` and `out` are `[rows, outputs]`. Where the stream itself is all that is wanted, `out`
/// is empty and the tail has neither norm nor activation.
pub fn linear_residual(
    stream: &mut [f32],
    out: &mut [f32],
    x: &[f32],
    rows: usize,
    w: &PackedMatrix,
    tail: Epilogue,
) {
    run(Some(stream), out, x, rows, w, tail);
}

fn run(
    stream: Option<&mut [f32]>,
    out: &mut [f32],
    x: &[f32],
    rows: usize,
    w: &PackedMatrix,
    tail: Epilogue,
) {
    let size = rows.checked_mul(w.outputs).expect("output beyond the address space");
    assert_eq!(Some(x.len()), rows.checked_mul(w.inputs), "not {rows} rows of {} inputs", w.inputs);
    let out_expected = if stream.is_some() && out.is_empty() { 0 } else { size };
    assert_eq!(out.len(), out_expected, "not {rows} rows of {} outputs", w.outputs);
    if let Some(stream) = &stream {
        assert_eq!(stream.len(), size, "not {rows} rows of {} in the stream", w.outputs);
        assert!(!out.is_empty() || size == 0 || tail.is_plain(), "no place for what the tail makes");
    }
    tail.check(rows, w.outputs);
    if size > 0 {
        dispatch(Linear { stream, out, x, rows, w, tail });
    }
}

/// The columns from `first` on, as many as `out` has, of `activation(x W + bias)`, or of `out + x W + bias` where `adds`: one
/// row cut into parts, for a row alone waits for the weights, and each thread can fetch some. `first` must be one of
/// [`PackedMatrix::cut`], and so must be where `out` ends. The bits are those of [`linear`] and [`linear_residual`].
pub fn linear_part(out: &mut [f32], adds: bool, x: &[f32], w: &PackedMatrix, first: usize, tail: Epilogue) {
    struct Part<'a>(&'a mut [f32], bool, &'a [f32], &'a PackedMatrix, usize, Epilogue<'a>);
    impl Op for Part<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let Self(out, adds, x, w, first, mut tail) = self;
            assert_eq!(w.lanes, S::LANES, "packed for another instruction set");
            // `product` adds the bias, and what else there may be wants no other row.
            product(s, out, adds, x, w, tail.bias, 1, 1, first..first + out.len());
            let cols = out.len();
            tail.finish(s, None, out, 0, cols);
        }
    }
    let last = first + out.len();
    assert_eq!(x.len(), w.inputs, "not one row of {} inputs", w.inputs);
    assert!(last <= w.outputs, "{last} columns of {}", w.outputs);
    assert!([first, last].iter().all(|place| w.cut(*place) == *place), "a cut inside a panel");
    assert!(tail.norm.is_none() && matches!(tail.keep, Saved::Nothing), "a norm needs whole rows");
    assert!(!adds || tail.activation == Activation::Identity, "an activation of what is added to");
    tail.check(1, w.outputs);
    if !out.is_empty() {
        dispatch(Part(out, adds, x, w, first, tail));
    }
}

/// The arguments of [`linear`] and [`linear_residual`], checked.
struct Linear<'a> {
    stream: Option<&'a mut [f32]>,
    out: &'a mut [f32],
    x: &'a [f32],
    rows: usize,
    w: &'a PackedMatrix,
    tail: Epilogue<'a>,
}

impl Op for Linear<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        assert_eq!(self.w.lanes, S::LANES, "packed for another instruction set");
        let cols = self.w.outputs;
        let block = if self.w.inputs * cols > NEAR { LONG_BLOCK } else { BLOCK };
        let mut row = 0;
        for (height, tiles) in runs(self.rows, S::TILE_ROWS) {
            for (_, tiles) in shares(tiles, block) {
                let (first, last) = (row * cols, (row + height * tiles) * cols);
                let (target, adds) = match &mut self.stream {
                    Some(stream) => (&mut stream[first..last], true),
                    None => (&mut self.out[first..last], false),
                };
                let x = &self.x[row * self.w.inputs..][..height * tiles * self.w.inputs];
                product(s, target, adds, x, self.w, self.tail.bias, height, tiles, 0..cols);
                match &self.stream {
                    None => self.tail.finish(s, None, &mut self.out[first..last], row, cols),
                    Some(_) if self.out.is_empty() => {}
                    Some(stream) => {
                        self.tail.finish(
                            s,
                            Some(&stream[first..last]),
                            &mut self.out[first..last],
                            row,
                            cols,
                        );
                    }
                }
                row += height * tiles;
            }
        }
    }
}

/// `out = x W + bias`, or `out += x W + bias`, for `count` tiles of `height` rows and whole panels of `columns`.
#[inline(always)]
fn product<S: Simd>(
    s: S,
    out: &mut [f32],
    adds: bool,
    x: &[f32],
    w: &PackedMatrix,
    bias: &[f32],
    height: usize,
    count: usize,
    columns: Range<usize>,
) {
    assert!(x.len() == height * count * w.inputs && out.len() == height * count * columns.len());
    for from in (0..w.inputs.max(1)).step_by(DEPTH) {
        let depth = DEPTH.min(w.inputs - from);
        let start = if from == 0 { bias } else { &[] };
        let mut column = 0;
        for (vectors, panels) in runs(w.outputs.div_ceil(S::LANES), S::TILE_VECTORS) {
            let width = vectors * S::LANES;
            let next = column + panels * width;
            column = column.max(columns.start);
            let panels = columns.end.min(next).saturating_sub(column).div_ceil(width);
            // Where the rows are packed too, that is done once for all panels; elsewhere a panel stays in the first
            // cache while all rows go through it.
            let (calls, panels) = if S::PACK_LEFT { (panels.min(1), panels) } else { (panels, 1) };
            for _ in 0..calls {
                // SAFETY: the sizes of `x` and `out` are checked above; the panels were laid out by `pack_strided` for
                // the same lanes, each `inputs` rows of `width` values, one after the other.
                unsafe {
                    let panel = w.values.as_ptr().add(column * w.inputs + from * width);
                    let tiles = tile::Tiles {
                        count,
                        left: x.as_ptr().add(from),
                        left_row: w.inputs,
                        left_step: 1,
                        right: panel,
                        right_step: width,
                        panels,
                        panel_step: width * w.inputs,
                        depth,
                        out: out.as_mut_ptr().add(column - columns.start),
                        out_row: columns.len(),
                        out_col: 1,
                        columns: columns.end - column,
                        start: start.get(column..).unwrap_or(&[]),
                        accumulate: adds || from > 0,
                    };
                    tile::run(s, height, vectors, tiles);
                }
                column += width * panels;
            }
            column = next;
        }
    }
}
