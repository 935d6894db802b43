//! Matrix products by cooperative matrices, natively on adapters that have them: tensor cores multiply
//! fragments of 16 by 16 elements, with operands in f16 and sums in f32. There they compute all products of
//! [`Precision::F16`].
//!
//! An element is summed over k in steps of 16 in ascending order, whatever the [`Tiling`], so the tuner may
//! choose any. The same kernel without cooperative matrices ([`Units::Plain`]) runs on every adapter with
//! 16-bit floats. It shares all indices and edges with the other, so tests on software adapters check these.

use learnery_nn::Precision;

use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::matmul::{Epilogue, Matrix, Product, Size, splits};
use crate::plan::PlanBuilder;
use crate::shader::{COOPERATIVE, Constant, HALF};
use crate::trusted::{Extent, TrustedKernel};

/// What runs whose products are computed by cooperative matrices record instead of
/// [`crate::shader::KERNEL_VERSION`], because tensor cores round sums in their own way. It rises with the
/// version of the other kernels.
pub const KERNEL_VERSION: u32 = 1000 + crate::shader::KERNEL_VERSION;

/// The name of the kernel.
pub const KERNEL: &str = "matmul_cooperative";

/// The invocations of a subgroup for which the kernel is written.
pub(crate) const SUBGROUP_SIZE: u32 = 32;

/// How the elements of a product are dealt: `fragments` rows and columns of fragments to a subgroup (32
/// invocations that run together), `subgroups` rows and columns of subgroups to a workgroup. `depth` elements
/// of each row and column are loaded at a time, into one of `stages` (1 or 2) regions of a workgroup's
/// memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tiling {
    pub fragments: [u32; 2],
    pub subgroups: [u32; 2],
    pub depth: u32,
    pub stages: u32,
}

impl Tiling {
    pub const fn new(fragments: [u32; 2], subgroups: [u32; 2], depth: u32, stages: u32) -> Self {
        Self { fragments, subgroups, depth, stages }
    }

    /// The size of its tile: `128x64`. No two of [`TILINGS`] share one.
    pub fn name(self) -> String {
        let [rows, cols] = self.tile();
        format!("{rows}x{cols}")
    }

    /// The rows and columns of a workgroup's tile.
    pub fn tile(self) -> [usize; 2] {
        [0, 1].map(|i| 16 * (self.fragments[i] * self.subgroups[i]) as usize)
    }

    /// Invocations of a workgroup.
    pub fn threads(self) -> u32 {
        SUBGROUP_SIZE * self.subgroups[0] * self.subgroups[1]
    }

    /// The cells (four elements) of the tile of each operand, transposed or not: lines, and cells of a line.
    fn cells(self, transposed: [bool; 2]) -> [[u32; 2]; 2] {
        let [rows, cols] = self.tile().map(|n| n as u32);
        let a = if transposed[0] { [self.depth, rows / 4] } else { [rows, self.depth / 4] };
        let b = if transposed[1] { [cols, self.depth / 4] } else { [self.depth, cols / 4] };
        [a, b]
    }

    /// The bytes of a workgroup's memory. A cell has 8 bytes, and each line is padded by two cells. A region
    /// for a fragment of sums has 16 rows of 16 floats, padded to 20 against bank conflicts. If fragments are
    /// stored directly (`direct`), there is one region, of zeros, from which sums are initialised; otherwise
    /// each subgroup has one, on the way to the epilogue. See the declarations in the kernel.
    pub fn memory(self, transposed: [bool; 2], direct: bool) -> u32 {
        let tiles: u32 = self.cells(transposed).iter().map(|[lines, cells]| 8 * lines * (cells + 2)).sum();
        let fragments = if direct { 1 } else { self.subgroups[0] * self.subgroups[1] };
        self.stages * tiles + fragments * 16 * 20 * 4
    }

    /// Whether every invocation loads the same number of cells, all at the same place of their lines.
    fn is_even(self, transposed: [bool; 2]) -> bool {
        let threads = self.threads();
        self.depth.is_multiple_of(16)
            && self.cells(transposed).iter().all(|[lines, cells]| {
                threads.is_multiple_of(*cells) && (lines * cells).is_multiple_of(threads)
            })
    }

    /// Whether a device can run it.
    pub fn fits(self, gpu: &Gpu, transposed: [bool; 2]) -> bool {
        let limits = gpu.device().limits();
        self.is_even(transposed)
            && self.memory(transposed, false) <= limits.max_compute_workgroup_storage_size
            && self.threads() <= limits.max_compute_invocations_per_workgroup
            && self.threads() <= limits.max_compute_workgroup_size_x
    }
}

/// The tilings that the tuner chooses from, in ascending size of their tiles. Each was the fastest of those
/// measured on an NVIDIA H100 for one shape or another (`docs/log/kernels.md`). The first fits into 16 kB of
/// a workgroup's memory.
pub const TILINGS: [Tiling; 4] = [
    Tiling::new([2, 2], [2, 2], 32, 1),
    Tiling::new([2, 2], [4, 2], 64, 1),
    Tiling::new([4, 4], [2, 2], 32, 1),
    Tiling::new([4, 4], [2, 4], 32, 1),
];

/// What multiplies fragments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Units {
    /// Cooperative matrices, that is, tensor cores.
    Cooperative,
    /// The ordinary arithmetic of each invocation, for tests on adapters without cooperative matrices.
    Plain,
}

/// What the text of the kernel depends on besides the tiling and [`Units`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    pub transposed: [bool; 2],
    /// Whether each operand is stored as 16-bit floats.
    pub half: [bool; 2],
    /// Whether each operand is loaded four elements (a cell) at a time.
    pub vector: [bool; 2],
    /// Whether loads are checked: tiles reach beyond a matrix, the parts of k are no whole steps, or an
    /// operand is not loaded by cells.
    pub edges: bool,
    /// Whether fragments are stored, or added to what is there, without passing through a workgroup's memory.
    pub direct: bool,
    /// The number of the epilogue, see [`Epilogue::number`].
    pub epilogue: u32,
}

impl Variant {
    /// The constants of the kernel.
    pub fn constants(&self, tiling: Tiling, units: Units) -> Vec<Constant> {
        assert!(tiling.is_even(self.transposed), "invocations load different numbers of cells");
        let threads = tiling.threads();
        let loads = tiling.cells(self.transposed).map(|[lines, cells]| lines * cells / threads);
        vec![
            ("FRAGMENT_ROWS", tiling.fragments[0]),
            ("FRAGMENT_COLS", tiling.fragments[1]),
            ("SUBGROUP_ROWS", tiling.subgroups[0]),
            ("SUBGROUP_COLS", tiling.subgroups[1]),
            ("DEPTH", tiling.depth),
            ("STAGES", tiling.stages),
            ("A_LOADS", loads[0]),
            ("B_LOADS", loads[1]),
            ("TRANSPOSE_A", self.transposed[0].into()),
            ("TRANSPOSE_B", self.transposed[1].into()),
            ("A_HALF", self.half[0].into()),
            ("B_HALF", self.half[1].into()),
            ("A_VECTOR", self.vector[0].into()),
            ("B_VECTOR", self.vector[1].into()),
            ("EDGES", self.edges.into()),
            ("DIRECT", self.direct.into()),
            ("EPILOGUE", self.epilogue),
            (HALF, 1),
            (COOPERATIVE, (units == Units::Cooperative).into()),
        ]
    }
}

/// Products that share a tiling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    pub size: Size,
    pub transposed: [bool; 2],
    pub half: [bool; 2],
}

impl Class {
    /// The largest tiling that this device can run and that still gives it 128 workgroups to share; the
    /// smallest if there is none.
    pub fn default_tiling(&self, gpu: &Gpu) -> Tiling {
        let groups = |tiling: &Tiling| {
            let [rows, cols] = tiling.tile();
            self.size.m.div_ceil(rows) * self.size.n.div_ceil(cols) * self.size.batch
        };
        let is_suitable = |tiling: &&Tiling| groups(tiling) >= 128 && tiling.fits(gpu, self.transposed);
        let enough = TILINGS.iter().rev().find(is_suitable);
        *enough.unwrap_or(&TILINGS[0])
    }
}

/// The lengths of the splits of k are multiples of this, the largest depth of a tiling, so that no step
/// reaches beyond its split.
const SPLIT_MULTIPLE: usize = 64;

impl PlanBuilder {
    /// Whether products are computed by cooperative matrices.
    pub(crate) fn uses_cooperative_matrices(&self) -> bool {
        self.precision() == Precision::F16 && self.gpu().has_cooperative_matrices()
    }

    /// [`PlanBuilder::matmul`] by cooperative matrices.
    pub fn matmul_cooperative(
        &mut self,
        size: Size,
        a: Matrix,
        b: Matrix,
        c: Matrix,
        epilogue: Epilogue,
        tiling: Option<Tiling>,
    ) {
        self.cooperative_product(size, a, b, c, epilogue, 1, tiling, Units::Cooperative);
    }

    /// [`PlanBuilder::matmul_split`] by cooperative matrices.
    pub fn matmul_split_cooperative(
        &mut self,
        size: Size,
        a: Matrix,
        b: Matrix,
        c: Matrix,
        scratch: &Buffer,
        tiling: Option<Tiling>,
    ) {
        self.cooperative_split(size, a, b, c, scratch, tiling, Units::Cooperative);
    }

    /// [`PlanBuilder::matmul_split_cooperative`] with the kernel for given units.
    pub fn cooperative_split(
        &mut self,
        size: Size,
        a: Matrix,
        b: Matrix,
        c: Matrix,
        scratch: &Buffer,
        tiling: Option<Tiling>,
        units: Units,
    ) {
        let (parts, length) = (splits(size), size.m * size.n);
        if parts == 1 {
            self.cooperative_product(size, a, b, c, Epilogue::Add, 1, tiling, units);
            return;
        }
        let part = Matrix { batch: length, ..Matrix::new(scratch, 0, size.n) };
        self.cooperative_product(size, a, b, part, Epilogue::Store, parts, tiling, units);
        self.sum_parts(scratch, parts, length, c.buffer, c.first);
    }

    /// Appends `c = epilogue(a b)` by these units, summed over k in `parts` parts. Several parts are written
    /// to matrices of their own, like a batch. Without a `tiling`, the device chooses one for this class of
    /// products.
    ///
    /// # Panics
    /// If a matrix exceeds its buffer.
    pub fn cooperative_product(
        &mut self,
        size: Size,
        a: Matrix,
        b: Matrix,
        c: Matrix,
        epilogue: Epilogue,
        parts: usize,
        tiling: Option<Tiling>,
        units: Units,
    ) {
        let (transposed, half) = ([a.transposed, b.transposed], [a.half, b.half]);
        let part = Size { k: size.k.div_ceil(parts), batch: size.batch * parts, ..size };
        let class = Class { size: part, transposed, half };
        let tiling = tiling.unwrap_or_else(|| self.gpu().cooperative_tiling(&class));
        // The lengths of the splits do not depend on the tiling, because they determine the order of the
        // sums.
        let split_length =
            if parts == 1 { size.k } else { size.k.div_ceil(parts).next_multiple_of(SPLIT_MULTIPLE) };
        let product = Product { size, a, b, c, epilogue, parts, split_length };
        let tile @ [rows, cols] = tiling.tile();
        let is_whole = size.m.is_multiple_of(rows) && size.n.is_multiple_of(cols);
        // The kernel loads its first step without a condition, so there must be one.
        let has_whole_steps = size.k > 0
            && size.k == parts * split_length
            && split_length.is_multiple_of(tiling.depth as usize);
        let [a_has_cells, b_has_cells, c_has_cells] =
            Extent::of_matrices(&product).map(|extent| extent.has_cells());
        let vector = [a_has_cells, b_has_cells];
        let is_stored = matches!(epilogue, Epilogue::Store | Epilogue::Add);
        assert!((0..2).all(|i| vector[i] || !half[i]), "16-bit floats are loaded four at a time");
        let variant = Variant {
            transposed,
            half,
            vector,
            edges: !is_whole || !has_whole_steps || vector.contains(&false),
            direct: is_stored && is_whole && c_has_cells,
            epilogue: epilogue.number(),
        };
        let kernel = match units {
            Units::Cooperative => TrustedKernel::Cooperative,
            Units::Plain => TrustedKernel::Plain,
        };
        self.dispatch_trusted(kernel, &variant.constants(tiling, units), &product, tile);
    }

    /// Appends a kernel that rounds the words of `from` to 16-bit floats, two in each word of `to`.
    pub fn round_halves(&mut self, from: &Buffer, to: &Buffer) {
        let words = from.words() / 2;
        assert!(from.words().is_multiple_of(2) && to.words() >= words, "two elements to a word");
        self.dispatch_elements("round_halves", &[(HALF, 1)], &[words.into()], &[from, to], words, 64);
    }
}
