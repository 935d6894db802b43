//! Matrix products on the device.
//!
//! The order of every sum depends on the shape of the product and on [`crate::shader::KERNEL_VERSION`] alone.
//! A [`Tiling`] changes only how the elements are dealt to invocations, so the tuner may choose any. In f16
//! ([`PlanBuilder::set_precision`]) the operands are rounded when they are loaded; buffers and sums stay f32.

use learnery_nn::Precision;

use crate::buffer::Buffer;
use crate::plan::{PlanBuilder, Word};
use crate::shader::{Constant, HALF};
#[cfg(not(target_family = "wasm"))]
use crate::trusted::TrustedKernel;

/// A matrix in a buffer.
#[derive(Clone, Copy, Debug)]
pub struct Matrix<'a> {
    pub buffer: &'a Buffer,
    /// The index of the first element.
    pub first: usize,
    /// The distance from one row to the next.
    pub row: usize,
    /// The distance from one matrix of a batch to the next.
    pub batch: usize,
    /// Whether the product uses the transpose.
    pub transposed: bool,
    /// Whether the elements are 16-bit floats, two in a word of the buffer. Only products by cooperative
    /// matrices read such operands.
    pub half: bool,
}

impl<'a> Matrix<'a> {
    /// A matrix with `columns` columns whose rows follow each other.
    pub fn new(buffer: &'a Buffer, first: usize, columns: usize) -> Self {
        Self { buffer, first, row: columns, batch: 0, transposed: false, half: false }
    }

    /// The transpose of the same matrix.
    pub fn t(self) -> Self {
        Self { transposed: !self.transposed, ..self }
    }
}

/// What is done with the sums, see `product.wgsl`.
#[derive(Clone, Copy, Debug)]
pub enum Epilogue<'a> {
    /// `c = sum`
    Store,
    /// `c = c + sum`
    Add,
    /// `c = sum + bias`, with the bias at an index of a buffer.
    Bias(&'a Buffer, usize),
    /// `saved = sum + bias`, `c = gelu(saved)`
    BiasGelu { bias: (&'a Buffer, usize), saved: &'a Buffer },
    /// `c = c + sum + bias`
    BiasAdd(&'a Buffer, usize),
    /// `c = sum * gelu'(saved)`
    GeluBackward { saved: &'a Buffer },
    /// `c = factor sum + other matrix`, plus `diagonal` on the diagonal.
    Polynomial { matrix: &'a Buffer, factor: f32, other: f32, diagonal: f32 },
}

impl Epilogue<'_> {
    /// The constant EPILOGUE of the kernel.
    pub fn number(&self) -> u32 {
        match self {
            Self::Store => 0,
            Self::Add => 1,
            Self::Bias(..) => 2,
            Self::BiasGelu { .. } => 3,
            Self::BiasAdd(..) => 4,
            Self::GeluBackward { .. } => 5,
            Self::Polynomial { .. } => 6,
        }
    }
}

/// A workgroup has this many invocations in both dimensions.
const WORKGROUP_SIDE: usize = 16;

/// How the elements of a product are dealt to invocations: each of a workgroup's 16 by 16 invocations
/// computes `rows` by `cols` elements, and `depth` elements of each row and column are loaded at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiling {
    pub rows: u32,
    pub cols: u32,
    pub depth: u32,
}

impl Tiling {
    /// The workgroup's tile: the rows and columns of the product that it computes.
    fn workgroup_tile(self) -> [usize; 2] {
        [self.rows, self.cols].map(|n| WORKGROUP_SIDE * n as usize)
    }

    /// The number of neighbouring rows or columns in one vector of a tile (a cell).
    fn width(self) -> u32 {
        if self.rows < 4 || self.cols < 4 { 2 } else { 4 }
    }
}

/// The constants of the kernel, for operands that are transposed or not, and an epilogue by its number.
pub fn kernel_constants(
    tiling: Tiling,
    transposed: [bool; 2],
    epilogue: u32,
    precision: Precision,
) -> [Constant; 10] {
    let width = tiling.width();
    // A tile has `16 n depth / width` cells, which the 256 invocations of a workgroup load.
    let loads = |n: u32| {
        assert!((n * tiling.depth).is_multiple_of(16 * width), "invocations load different numbers of cells");
        n * tiling.depth / (16 * width)
    };
    [
        ("ROWS", tiling.rows),
        ("COLS", tiling.cols),
        ("DEPTH", tiling.depth),
        ("WIDTH", width),
        ("A_LOADS", loads(tiling.rows)),
        ("B_LOADS", loads(tiling.cols)),
        ("TRANSPOSE_A", transposed[0].into()),
        ("TRANSPOSE_B", transposed[1].into()),
        ("EPILOGUE", epilogue),
        (HALF, (precision == Precision::F16).into()),
    ]
}

/// The tilings that the tuner chooses from. Their tiles fit into 16 kB of a workgroup's memory.
pub const TILINGS: [Tiling; 4] = [
    Tiling { rows: 2, cols: 2, depth: 16 },
    Tiling { rows: 4, cols: 4, depth: 16 },
    Tiling { rows: 8, cols: 4, depth: 16 },
    Tiling { rows: 8, cols: 8, depth: 8 },
];

/// The size of a product of matrices `[m, k]` and `[k, n]`, and the number of such products in a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    pub m: usize,
    pub n: usize,
    pub k: usize,
    pub batch: usize,
}

impl Size {
    pub fn new(m: usize, n: usize, k: usize) -> Self {
        Self { m, n, k, batch: 1 }
    }

    /// Floating-point operations.
    pub fn operations(self) -> f64 {
        2.0 * self.m as f64 * self.n as f64 * self.k as f64 * self.batch as f64
    }

    /// The largest tiling that still gives a device enough workgroups to share; the smallest if none does.
    pub fn default_tiling(self) -> Tiling {
        /// Enough to keep the cores of a usual device busy.
        const MIN_WORKGROUPS: usize = 128;
        let groups = |tiling: &Tiling| {
            let [rows, cols] = tiling.workgroup_tile();
            self.m.div_ceil(rows) * self.n.div_ceil(cols) * self.batch
        };
        let enough = TILINGS.iter().rev().find(|tiling| groups(tiling) >= MIN_WORKGROUPS);
        *enough.unwrap_or(&TILINGS[0])
    }
}

/// The largest number of elements of k in one split. A product with few elements and a long k, such as the
/// gradient of a weight matrix, would otherwise keep only few of a device's cores busy.
const SPLIT_LENGTH: usize = 512;

/// The number of splits of a product whose sums may be split.
pub fn splits(size: Size) -> usize {
    /// The rows and columns of the tile by which workgroups are counted here, whatever the tiling.
    const TILE: usize = 64;
    /// More workgroups than these keep no further cores of a device busy.
    const ENOUGH_WORKGROUPS: usize = 256;
    let tiles = size.m.div_ceil(TILE) * size.n.div_ceil(TILE);
    size.k.div_ceil(SPLIT_LENGTH).min(ENOUGH_WORKGROUPS.div_ceil(tiles)).max(1)
}

impl PlanBuilder {
    /// Appends `c = epilogue(a b)`.
    pub fn matmul(&mut self, size: Size, a: Matrix, b: Matrix, c: Matrix, epilogue: Epilogue) {
        #[cfg(not(target_family = "wasm"))]
        if self.uses_cooperative_matrices() {
            return self.matmul_cooperative(size, a, b, c, epilogue, None);
        }
        let tiling = self.gpu().tiling(size, [a.transposed, b.transposed], self.precision());
        self.matmul_tiled(size, a, b, c, epilogue, tiling);
    }

    /// [`PlanBuilder::matmul`] with a given tiling, never by cooperative matrices.
    pub fn matmul_tiled(
        &mut self,
        size: Size,
        a: Matrix,
        b: Matrix,
        c: Matrix,
        epilogue: Epilogue,
        tiling: Tiling,
    ) {
        self.product(size, a, b, c, epilogue, tiling, 1);
    }

    /// Appends `c += a b`, summed in as many parts as [`splits`] says, for products with a long k. The parts
    /// are written to `scratch` ([`split_scratch`] words) and added in order. The rows of `c` follow each
    /// other.
    pub fn matmul_split(
        &mut self,
        size: Size,
        a: Matrix,
        b: Matrix,
        c: Matrix,
        scratch: &Buffer,
        tiling: Option<Tiling>,
    ) {
        #[cfg(not(target_family = "wasm"))]
        if self.uses_cooperative_matrices() && tiling.is_none() {
            return self.matmul_split_cooperative(size, a, b, c, scratch, None);
        }
        let (parts, length) = (splits(size), size.m * size.n);
        // A split product is like a batch of shorter ones.
        let part = Size { k: size.k.div_ceil(parts), batch: parts, ..size };
        let transposed = [a.transposed, b.transposed];
        let tiling = tiling.unwrap_or_else(|| self.gpu().tiling(part, transposed, self.precision()));
        if parts == 1 {
            self.product(size, a, b, c, Epilogue::Add, tiling, 1);
            return;
        }
        let part = Matrix { batch: length, ..Matrix::new(scratch, 0, size.n) };
        self.product(size, a, b, part, Epilogue::Store, tiling, parts);
        self.sum_parts(scratch, parts, length, c.buffer, c.first);
    }

    /// Appends `out += sum of parts`, in order, from element `first` of `out` on. Each part has `length`
    /// elements, and they lie one after the other in `scratch`.
    pub fn sum_parts(&mut self, scratch: &Buffer, parts: usize, length: usize, out: &Buffer, first: usize) {
        let parameters = [length.into(), parts.into(), first.into()];
        self.dispatch_elements("sum_parts", &[("ADD", 1)], &parameters, &[scratch, out], length, 64);
    }

    /// Appends a kernel that sets a buffer to zero, as the sum of no parts. `scratch` is not read.
    pub fn clear(&mut self, buffer: &Buffer, scratch: &Buffer) {
        let parameters = [buffer.words().into(), 0.into(), 0.into()];
        self.dispatch_elements(
            "sum_parts",
            &[("ADD", 0)],
            &parameters,
            &[scratch, buffer],
            buffer.words(),
            64,
        );
    }

    /// Appends a copy of the first `length` elements, as the sum of one part.
    pub fn copy(&mut self, from: &Buffer, to: &Buffer, length: usize) {
        let parameters = [length.into(), 1.into(), 0.into()];
        self.dispatch_elements("sum_parts", &[("ADD", 0)], &parameters, &[from, to], length, 64);
    }

    /// Appends `c = epilogue(a b)`. With several parts, each sums its part of k and is written to a matrix of
    /// its own, like a batch.
    fn product(
        &mut self,
        size: Size,
        a: Matrix,
        b: Matrix,
        c: Matrix,
        epilogue: Epilogue,
        tiling: Tiling,
        parts: usize,
    ) {
        assert!(!a.half && !b.half, "this kernel reads no 16-bit floats");
        let constants =
            kernel_constants(tiling, [a.transposed, b.transposed], epilogue.number(), self.precision());
        // The lengths of the splits do not depend on the tiling, because they determine the order of the
        // sums.
        let split_length = size.k.div_ceil(parts);
        let product = Product { size, a, b, c, epilogue, parts, split_length };
        // Natively without checks of indices, which is a fifth to a third faster on an NVIDIA H100.
        #[cfg(not(target_family = "wasm"))]
        self.dispatch_trusted(TrustedKernel::Tiled, &constants, &product, tiling.workgroup_tile());
        #[cfg(target_family = "wasm")]
        self.dispatch(
            "matmul",
            &constants,
            &product.parameters(),
            &product.buffers(),
            product.workgroups(tiling.workgroup_tile()),
            size.operations(),
        );
    }
}

/// A product of matrices, as its kernels compute it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Product<'a> {
    pub size: Size,
    pub a: Matrix<'a>,
    pub b: Matrix<'a>,
    pub c: Matrix<'a>,
    pub epilogue: Epilogue<'a>,
    /// The number of splits of k, and the elements of k in each.
    pub parts: usize,
    pub split_length: usize,
}

impl<'a> Product<'a> {
    /// The parameters of the kernel, see `product.wgsl`.
    ///
    /// # Panics
    /// If the kernels cannot compute this product.
    pub fn parameters(&self) -> [Word; 19] {
        let Self { size, a, b, c, epilogue, parts, split_length } = *self;
        assert!(size.batch == 1 || parts == 1, "a batch of products cannot be split");
        assert!(parts == 1 || matches!(epilogue, Epilogue::Store), "parts of sums are only stored");
        let saves = matches!(epilogue, Epilogue::BiasGelu { .. } | Epilogue::GeluBackward { .. });
        assert!(size.batch == 1 || !saves, "a batch of products has no saved matrix");
        let (bias, factors) = match epilogue {
            Epilogue::Bias(_, first) | Epilogue::BiasAdd(_, first) => (first, [0.0; 3]),
            Epilogue::BiasGelu { bias, .. } => (bias.1, [0.0; 3]),
            Epilogue::Polynomial { factor, other, diagonal, .. } => (0, [factor, other, diagonal]),
            Epilogue::Store | Epilogue::Add | Epilogue::GeluBackward { .. } => (0, [0.0; 3]),
        };
        [
            size.m.into(),
            size.n.into(),
            size.k.into(),
            split_length.into(),
            parts.into(),
            a.first.into(),
            a.row.into(),
            a.batch.into(),
            b.first.into(),
            b.row.into(),
            b.batch.into(),
            c.first.into(),
            c.row.into(),
            c.batch.into(),
            bias.into(),
            // The index of the first element of `saved`.
            0.into(),
            factors[0].into(),
            factors[1].into(),
            factors[2].into(),
        ]
    }

    /// The buffers of the kernel, in the order of its bindings.
    pub fn buffers(&self) -> Vec<&'a Buffer> {
        let mut buffers = vec![self.a.buffer, self.b.buffer, self.c.buffer];
        match self.epilogue {
            Epilogue::Bias(bias, _) | Epilogue::BiasAdd(bias, _) => buffers.push(bias),
            Epilogue::BiasGelu { bias: (bias, _), saved } => buffers.extend([bias, saved]),
            // The kernel declares a bias too, which this epilogue does not use.
            Epilogue::GeluBackward { saved } => buffers.extend([self.b.buffer, saved]),
            Epilogue::Polynomial { matrix, .. } => buffers.push(matrix),
            Epilogue::Store | Epilogue::Add => {}
        }
        buffers
    }

    /// The number of workgroups in each dimension if each computes a tile of this many rows and columns.
    pub fn workgroups(&self, [rows, cols]: [usize; 2]) -> [usize; 3] {
        let Size { m, n, batch, .. } = self.size;
        [n.div_ceil(cols), m.div_ceil(rows), batch * self.parts]
    }
}

/// The words of scratch that [`PlanBuilder::matmul_split`] needs for a product.
pub fn split_scratch(size: Size) -> usize {
    match splits(size) {
        1 => 0,
        parts => parts * size.m * size.n,
    }
}
