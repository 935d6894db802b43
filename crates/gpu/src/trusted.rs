//! The code of this crate that the compiler cannot prove safe, and its only file with `unsafe`: opening a
//! device with an experimental feature of wgpu, and compiling kernels without checks of indices.
//!
//! Without checks, an index beyond a buffer would read or write whatever memory is there. Two kernels are
//! compiled so, both for matrix products, and only [`PlanBuilder::dispatch_trusted`] launches them. Before a
//! launch it compares each [`Extent`], the part of a buffer that the launch uses, with the size of the
//! buffer. Within their extents the kernels stay by their own conditions, or because sizes are multiples of
//! their tiles, see [`unchecked_module`].

use crate::cooperative;
use crate::kernel::Checks;
use crate::matmul::{Epilogue, Matrix, Product, Size};
use crate::plan::PlanBuilder;
use crate::shader::{Constant, SOURCES};
use crate::{Buffer, Gpu};

/// The kernels of matrix products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TrustedKernel {
    /// `matmul`, without checks.
    Tiled,
    /// `matmul_cooperative` with cooperative matrices, without checks.
    Cooperative,
    /// `matmul_cooperative` with ordinary arithmetic ([`cooperative::Units::Plain`]), with checks.
    Plain,
}

/// Proves that [`PlanBuilder::dispatch_trusted`] asks for a kernel: its field is private to this file, and no
/// other function here makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Proof(());

/// The features that kernels with cooperative matrices need. With `SUBGROUP` an invocation knows which
/// fragments are its own.
const FEATURES: wgpu::Features = wgpu::Features::EXPERIMENTAL_COOPERATIVE_MATRIX
    .union(wgpu::Features::SHADER_F16)
    .union(wgpu::Features::SUBGROUP);

/// Asks for cooperative matrices too, if the adapter has those that our kernel uses.
pub(crate) fn with_cooperative_matrices<'a>(
    adapter: &wgpu::Adapter,
    mut descriptor: wgpu::DeviceDescriptor<'a>,
) -> wgpu::DeviceDescriptor<'a> {
    let info = adapter.get_info();
    let is_ours = |found: &wgpu::CooperativeMatrixProperties| {
        let types = (found.ab_type, found.cr_type);
        [found.m_size, found.n_size, found.k_size] == [16; 3]
            && types == (wgpu::CooperativeScalarType::F16, wgpu::CooperativeScalarType::F32)
            && !found.saturating_accumulation
    };
    if adapter.features().contains(FEATURES)
        && [info.subgroup_min_size, info.subgroup_max_size] == [cooperative::SUBGROUP_SIZE; 2]
        && adapter.cooperative_matrix_properties().iter().any(is_ours)
    {
        descriptor.required_features |= FEATURES;
        // SAFETY: wgpu asks for this token because experimental features may have errors of their own, not
        // because of rules that a caller must keep. We use one of these features, in one kernel, in shapes
        // that the adapter reported. `learnery bench --device gpu --check` compares its results on the
        // device.
        #[allow(unsafe_code)]
        let enabled = unsafe { wgpu::ExperimentalFeatures::enabled() };
        descriptor.experimental_features = enabled;
    }
    descriptor
}

/// The module of a trusted kernel, without checks of indices.
#[allow(unsafe_code)]
pub(crate) fn unchecked_module(
    device: &wgpu::Device,
    descriptor: wgpu::ShaderModuleDescriptor,
    _: Proof,
) -> wgpu::ShaderModule {
    // SAFETY: The text is that of a [`TrustedKernel`] of this crate, because only `dispatch_trusted` has a
    // [`Proof`].
    // - Buffers: `dispatch_trusted` has compared the extents of the launch with them, and made the parameters
    //   from the same product. An element of an operand is loaded if its row or column is below `m` or `n`,
    //   and its k below `k_end`, which is at most `k` (`a_element` and `b_element`; `a_load` and `b_load`,
    //   which leave the condition out where all sizes are multiples of the tile's and k is not 0). `write`
    //   writes below `m` and `n`, to the matrix of its batch or split; so do direct stores, where the sizes
    //   are multiples of the tile's.
    // - A workgroup's memory: indices follow from constants and from the number of the invocation. The
    //   functions that make the constants assert that the invocations load exactly the cells of a tile
    //   (`matmul::kernel_constants`, `cooperative::Variant::constants`).
    // - Loops end: they count up to the end of k, and k is less than 2^32 by more than a step, because a
    //   buffer with so many elements exceeds every limit of a binding.
    // - Divisors are constants, or the number of splits, which is at least 1.
    unsafe { device.create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked()) }
}

/// The part of a buffer that a kernel uses: lines of `width` elements, for each of some matrices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    first: usize,
    lines: usize,
    width: usize,
    matrices: usize,
    /// The distance between two lines, and between two matrices.
    line_stride: usize,
    matrix_stride: usize,
    /// The elements that the buffer has.
    elements: usize,
}

impl Extent {
    fn of(matrix: Matrix, lines: usize, width: usize, matrices: usize) -> Self {
        let elements = matrix.buffer.words() * if matrix.half { 2 } else { 1 };
        let Matrix { first, row: line_stride, batch: matrix_stride, .. } = matrix;
        Self { first, lines, width, matrices, line_stride, matrix_stride, elements }
    }

    /// The extent from which an operand of a product is read. After a transposition, if there is one, it has
    /// `rows` rows and `cols` columns.
    fn of_operand(matrix: Matrix, rows: usize, cols: usize, matrices: usize) -> Self {
        let [lines, width] = if matrix.transposed { [cols, rows] } else { [rows, cols] };
        Self::of(matrix, lines, width, matrices)
    }

    /// The extents of `a`, `b` and `c`.
    pub fn of_matrices(product: &Product) -> [Self; 3] {
        let Product { size: Size { m, n, k, batch }, a, b, c, parts, .. } = *product;
        [Self::of_operand(a, m, k, batch), Self::of_operand(b, k, n, batch), Self::of(c, m, n, batch * parts)]
    }

    /// The extents of what the epilogue uses besides `c`.
    fn of_epilogue(Product { size, c, epilogue, .. }: &Product) -> Vec<Self> {
        let row = |buffer: &Buffer, first| Self::of(Matrix::new(buffer, first, 0), 1, size.n, 1);
        let rows = |buffer: &Buffer| {
            let matrix = Matrix { batch: c.batch, ..Matrix::new(buffer, 0, size.n) };
            Self::of(matrix, size.m, size.n, size.batch)
        };
        match *epilogue {
            Epilogue::Store | Epilogue::Add => Vec::new(),
            Epilogue::Bias(bias, first) | Epilogue::BiasAdd(bias, first) => vec![row(bias, first)],
            Epilogue::BiasGelu { bias: (bias, first), saved } => vec![row(bias, first), rows(saved)],
            Epilogue::GeluBackward { saved } => vec![rows(saved)],
            Epilogue::Polynomial { matrix, .. } => vec![rows(matrix)],
        }
    }

    /// Whether lines consist of whole cells of four elements that begin at multiples of four.
    pub fn has_cells(&self) -> bool {
        let numbers = [self.first, self.width, self.line_stride, self.matrix_stride];
        numbers.iter().all(|n| n.is_multiple_of(4))
    }

    /// Whether all its elements are in the buffer, if it has any.
    fn is_within(&self) -> bool {
        if [self.matrices, self.lines, self.width].contains(&0) {
            return true;
        }
        let last = |count: usize, stride: usize| (count as u128 - 1) * stride as u128;
        let end = self.first as u128
            + last(self.matrices, self.matrix_stride)
            + last(self.lines, self.line_stride)
            + self.width as u128;
        end <= self.elements as u128 && end < 1 << 32
    }
}

impl PlanBuilder {
    /// Appends a launch of such a kernel, with one workgroup for each tile of `tile` rows and columns. The
    /// constants must be those of this product and this tile.
    ///
    /// # Panics
    /// If it would use elements beyond a buffer.
    pub(crate) fn dispatch_trusted(
        &mut self,
        kernel: TrustedKernel,
        constants: &[Constant],
        product: &Product,
        tile: [usize; 2],
    ) {
        for extent in Extent::of_matrices(product).into_iter().chain(Extent::of_epilogue(product)) {
            assert!(extent.is_within(), "a product exceeds its buffer: {extent:?}");
        }
        let (name, checks) = match kernel {
            TrustedKernel::Tiled => ("matmul", Checks::Trusted(Proof(()))),
            TrustedKernel::Cooperative => (cooperative::KERNEL, Checks::Trusted(Proof(()))),
            TrustedKernel::Plain => (cooperative::KERNEL, Checks::Full),
        };
        // The plan's own sources could have a kernel of the same name.
        let kernel = self.gpu().kernel(&SOURCES, name, constants, checks);
        self.dispatch_kernel(
            kernel,
            &product.parameters(),
            &product.buffers(),
            product.workgroups(tile),
            product.size.operations(),
        );
    }
}

impl Gpu {
    /// Whether products in f16 are computed by cooperative matrices.
    pub fn has_cooperative_matrices(&self) -> bool {
        self.device().features().contains(FEATURES)
    }
}
