//! Linear layers on packed weights: `y = activation(norm(x W + b))`. In a residual network, `x W + b` is
//! first added to the residual stream, and norm and activation are applied to the stream.
//!
//! "Packed" means copied once into the order in which the register tiles read the weights ([`PackedMatrix`]).
//! A block of some rows ([`BLOCK`]) is multiplied with all panels of the weights, and then the [`Epilogue`]
//! is applied to it while it is still in the cache.
//!
//! **A row has the same bits in every batch**, as in [`crate::gemm`]: a sum begins with the bias and runs
//! along the inner dimension in blocks of 512, each later block from zero. The old value of a residual stream
//! is added last.

use std::ops::Range;

use crate::activation::Activation;
use crate::buffer::Buffer;
use crate::epilogue::{Epilogue, Saved};
use crate::gemm::{equal_runs, even_chunks, pack, tile};
// `dispatch` runs an `Op`, a computation generic over the instruction set `S`, with the best set of this
// machine.
use crate::simd::{Op, Simd, dispatch};

/// Length of a block of the inner dimension. It determines the order of sums.
const DEPTH: usize = 512;
const _: () = assert!(DEPTH <= tile::MAX_DEPTH);

/// The number of register tiles, one below the other, that are computed before the epilogue is applied to
/// their rows. A tile has at most 4 to 8 rows, depending on the instruction set. The number is [`BLOCK`] if
/// the weights stay in the L2 cache, so that the rows stay in L1. Otherwise every block loads the weights
/// from L3 or memory, and [`LONG_BLOCK`] makes such loads rarer.
const BLOCK: usize = 4;
const LONG_BLOCK: usize = 16;

/// The largest number of weights that stay in the L2 cache.
const L2_WEIGHTS: usize = 1 << 17;

/// The right-hand matrix `W` of a product, in the order in which the register tiles of this machine read it.
/// `W` is split into panels of columns, each at most `tile_vectors` vectors wide and padded with zeros to
/// whole vectors. A panel is stored row by row, and it begins at the offset (first column) * `inputs` of
/// `values`.
#[derive(Clone, Debug)]
pub struct PackedMatrix {
    inputs: usize,
    outputs: usize,
    /// Lanes per vector of the instruction set for which the matrix is packed, and vectors per row of the
    /// widest panel.
    lanes: usize,
    tile_vectors: usize,
    values: Buffer,
}

impl PackedMatrix {
    /// A matrix `[inputs, outputs]` of zeros.
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

    pub fn inputs(&self) -> usize {
        self.inputs
    }

    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// Packs `w`.
    /// Shapes: `w [inputs, outputs]`, row-major.
    pub fn pack(&mut self, w: &[f32]) {
        let row_stride = self.outputs;
        self.pack_strided(w, row_stride, 1);
    }

    /// Packs the transpose of `w`. The backward pass of a layer, `dx = dy Wᵀ`, reads its weights so.
    /// Shapes: `w [outputs, inputs]`, row-major.
    pub fn pack_transposed(&mut self, w: &[f32]) {
        let col_stride = self.inputs;
        self.pack_strided(w, 1, col_stride);
    }

    /// Changes the number of rows to `inputs`, at most the number it was created with. The contents are
    /// undefined until the next call of [`PackedMatrix::pack`].
    pub fn set_inputs(&mut self, inputs: usize) {
        let size = inputs * self.outputs.next_multiple_of(self.lanes);
        assert!(size <= self.values.len(), "room for fewer than {inputs} rows");
        self.inputs = inputs;
    }

    /// The last column at or before `column` at which a panel begins, or the number of columns.
    /// [`linear_columns`] may split a row there.
    pub fn panel_boundary(&self, column: usize) -> usize {
        if column >= self.outputs {
            return self.outputs;
        }
        let mut first = 0;
        for (vectors, panels) in equal_runs(self.outputs.div_ceil(self.lanes), self.tile_vectors) {
            let width = vectors * self.lanes;
            if column < first + panels * width {
                return first + (column - first) / width * width;
            }
            first += panels * width;
        }
        first
    }

    /// The panel whose first column is `column`.
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
                assert_eq!(to.lanes, S::LANES, "created for another instruction set");
                let packed = to.values.as_mut_ptr();
                for (first, vectors) in even_chunks(to.outputs.div_ceil(S::LANES), S::TILE_VECTORS) {
                    let (column, width) = (first * S::LANES, vectors * S::LANES);
                    let columns = width.min(to.outputs - column);
                    // SAFETY: `w` holds the whole matrix, as checked below, and the panels, each `inputs`
                    // rows of whole vectors, fill the buffer.
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

/// `out = epilogue(x W)`.
/// Shapes: `x [rows, inputs] -> out [rows, outputs]`.
pub fn linear(out: &mut [f32], x: &[f32], rows: usize, w: &PackedMatrix, epilogue: Epilogue) {
    run(None, out, x, rows, w, epilogue);
}

/// `residual += x W + bias`, then `out = activation(norm(residual))`: the last layer of a residual block
/// fused with the norm at the beginning of the next block. If `out` is empty, only the stream is updated, and
/// the epilogue must have neither norm nor activation.
/// Shapes: `x [rows, inputs] -> residual, out [rows, outputs]`.
pub fn linear_residual(
    residual: &mut [f32],
    out: &mut [f32],
    x: &[f32],
    rows: usize,
    w: &PackedMatrix,
    epilogue: Epilogue,
) {
    run(Some(residual), out, x, rows, w, epilogue);
}

/// Checks the arguments of [`linear`] and [`linear_residual`] and runs them.
fn run(
    residual: Option<&mut [f32]>,
    out: &mut [f32],
    x: &[f32],
    rows: usize,
    w: &PackedMatrix,
    epilogue: Epilogue,
) {
    let size = rows.checked_mul(w.outputs).expect("output beyond the address space");
    assert_eq!(Some(x.len()), rows.checked_mul(w.inputs), "not {rows} rows of {} inputs", w.inputs);
    let out_expected = if residual.is_some() && out.is_empty() { 0 } else { size };
    assert_eq!(out.len(), out_expected, "not {rows} rows of {} outputs", w.outputs);
    if let Some(residual) = &residual {
        assert_eq!(residual.len(), size, "not {rows} rows of {} in the stream", w.outputs);
        assert!(
            !out.is_empty() || size == 0 || epilogue.is_plain(),
            "no buffer for the output of the epilogue"
        );
    }
    epilogue.check(rows, w.outputs);
    if size > 0 {
        dispatch(Linear { residual, out, x, rows, w, epilogue });
    }
}

/// Computes the columns `first..first + out.len()` of one row: `out = activation(x W + bias)`, or `out += x
/// W + bias` if `accumulate`. The time of a single row is the time to load the weights, so several threads
/// share its columns. Both ends must be panel boundaries ([`PackedMatrix::panel_boundary`]). The result is
/// bit-identical to [`linear`] or [`linear_residual`].
pub fn linear_columns(
    out: &mut [f32],
    accumulate: bool,
    x: &[f32],
    w: &PackedMatrix,
    first: usize,
    epilogue: Epilogue,
) {
    struct Columns<'a>(&'a mut [f32], bool, &'a [f32], &'a PackedMatrix, usize, Epilogue<'a>);
    impl Op for Columns<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let Self(out, accumulate, x, w, first, mut epilogue) = self;
            assert_eq!(w.lanes, S::LANES, "packed for another instruction set");
            // `product` adds the bias; the activation can be applied to any columns.
            let (height, count) = (1, 1);
            product(s, out, accumulate, x, w, epilogue.bias, height, count, first..first + out.len());
            let (in_place, first_row, cols) = (None, 0, out.len());
            epilogue.apply_after_bias(s, in_place, out, first_row, cols);
        }
    }
    let last = first + out.len();
    assert_eq!(x.len(), w.inputs, "not one row of {} inputs", w.inputs);
    assert!(last <= w.outputs, "{last} columns of {}", w.outputs);
    assert!([first, last].iter().all(|column| w.panel_boundary(*column) == *column), "not a panel boundary");
    assert!(
        epilogue.norm.is_none() && matches!(epilogue.saved, Saved::Nothing),
        "layer norm needs whole rows"
    );
    assert!(!accumulate || epilogue.activation == Activation::Identity, "no activation when accumulating");
    epilogue.check(1, w.outputs);
    if !out.is_empty() {
        dispatch(Columns(out, accumulate, x, w, first, epilogue));
    }
}

/// The arguments of [`linear`] and [`linear_residual`], checked.
struct Linear<'a> {
    residual: Option<&'a mut [f32]>,
    out: &'a mut [f32],
    x: &'a [f32],
    rows: usize,
    w: &'a PackedMatrix,
    epilogue: Epilogue<'a>,
}

impl Op for Linear<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        assert_eq!(self.w.lanes, S::LANES, "packed for another instruction set");
        let cols = self.w.outputs;
        let block = if self.w.inputs * cols > L2_WEIGHTS { LONG_BLOCK } else { BLOCK };
        let mut row = 0;
        for (height, tiles) in equal_runs(self.rows, s.tile_rows()) {
            for (_, tiles) in even_chunks(tiles, block) {
                let (first, last) = (row * cols, (row + height * tiles) * cols);
                let (target, accumulate) = match &mut self.residual {
                    Some(residual) => (&mut residual[first..last], true),
                    None => (&mut self.out[first..last], false),
                };
                let x = &self.x[row * self.w.inputs..][..height * tiles * self.w.inputs];
                product(s, target, accumulate, x, self.w, self.epilogue.bias, height, tiles, 0..cols);
                match &self.residual {
                    None => self.epilogue.apply_after_bias(s, None, &mut self.out[first..last], row, cols),
                    Some(_) if self.out.is_empty() => {}
                    Some(residual) => {
                        self.epilogue.apply_after_bias(
                            s,
                            Some(&residual[first..last]),
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

/// `out = x W + bias`, or `out += x W + bias` if `accumulate`, for `count` register tiles of `height` rows
/// each, one below the other, and for the columns `columns`, which begin and end at panel boundaries.
#[inline(always)]
fn product<S: Simd>(
    s: S,
    out: &mut [f32],
    accumulate: bool,
    x: &[f32],
    w: &PackedMatrix,
    bias: &[f32],
    height: usize,
    count: usize,
    columns: Range<usize>,
) {
    // Unchecked pointers are used below.
    assert!(x.len() == height * count * w.inputs && out.len() == height * count * columns.len());
    // At least one block, because the first one writes the bias, also without inputs.
    for from in (0..w.inputs.max(1)).step_by(DEPTH) {
        let depth = DEPTH.min(w.inputs - from);
        let initial = if from == 0 { bias } else { &[] };
        let mut column = 0;
        // At most two runs of panels of equal width. Of each run, the panels inside of `columns` are
        // computed.
        for (vectors, panels) in equal_runs(w.outputs.div_ceil(S::LANES), S::TILE_VECTORS) {
            let width = vectors * S::LANES;
            let next = column + panels * width;
            column = column.max(columns.start);
            let panels = columns.end.min(next).saturating_sub(column).div_ceil(width);
            // With `PACK_LEFT`, one call packs the rows once for all panels. Otherwise there is one call per
            // panel, which stays in the L1 cache for all rows.
            let (calls, panels) = if S::PACK_LEFT { (panels.min(1), panels) } else { (panels, 1) };
            for _ in 0..calls {
                // SAFETY: the sizes of `x` and `out` are checked above; `pack_strided` laid out the panels
                // for the same lanes, one after the other, each `inputs` rows of `width` values.
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
                        initial: initial.get(column..).unwrap_or(&[]),
                        accumulate: accumulate || from > 0,
                    };
                    tile::run(s, height, vectors, tiles);
                }
                column += width * panels;
            }
            column = next;
        }
    }
}
