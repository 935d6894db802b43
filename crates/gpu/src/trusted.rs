//! The code of this crate that the compiler cannot prove safe, and the only file of it with `unsafe`: opening a device
//! with an experimental feature of wgpu, and compiling kernels without checks of indices.
//!
//! Without checks, an index beyond a buffer would read or write whatever memory lies there. Two kernels are compiled so,
//! those of matrix products, and only [`PlanBuilder::dispatch_trusted`] launches them. What a launch multiplies is an
//! [`Extent`] of each buffer, which is compared with the buffer's size before. Within their extents the kernels stay by
//! their own bounds, or by sizes that are multiples of their tiles; see [`unchecked_module`].

use crate::kernel::Checks;
use crate::matmul::{Epilogue, Matrix, Size};
use crate::plan::{PlanBuilder, Word};
use crate::shader::Constant;
use crate::{Buffer, Gpu};

/// The kernels that may be compiled without checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TrustedKernel {
    Tiled,
    Cooperative,
}

impl TrustedKernel {
    fn name(self) -> &'static str {
        match self {
            Self::Tiled => "matmul",
            Self::Cooperative => crate::cooperative::KERNEL,
        }
    }
}

/// The features that kernels with cooperative matrices need. `SUBGROUP` tells an invocation which fragments are its own.
const FEATURES: wgpu::Features = wgpu::Features::EXPERIMENTAL_COOPERATIVE_MATRIX
    .union(wgpu::Features::SHADER_F16)
    .union(wgpu::Features::SUBGROUP);

/// The invocations of a subgroup for which the kernel is written.
const SUBGROUP: u32 = 32;

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
        && [info.subgroup_min_size, info.subgroup_max_size] == [SUBGROUP; 2]
        && adapter.cooperative_matrix_properties().iter().any(is_ours)
    {
        descriptor.required_features |= FEATURES;
        // SAFETY: wgpu asks for this word because experimental features may have errors of wgpu's own, not because of
        // rules that a caller must keep. Only one of them is used, by one kernel, in shapes that the adapter reported;
        // `learnery bench --device gpu --check` compares its results on the device.
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
) -> wgpu::ShaderModule {
    // SAFETY: The text is that of a [`TrustedKernel`], because only `dispatch_trusted` asks for [`Checks::Trusted`].
    // - Buffers: `dispatch_trusted` has compared the extents of the launch with them. An element of an operand is loaded
    //   if its row or column lies below `m` or `n`, and its k below `k_end`, which is at most `k` (`a_element` and
    //   `b_element`; `a_load` and `b_load`, which leave the question out where the sizes are multiples of the tile's).
    //   `write` writes below `m` and `n`, with the batch or the split by which the launch is dealt; so do direct stores,
    //   where the sizes are multiples of the tile's.
    // - A workgroup's memory: indices follow from constants and from the number of the invocation. That these load exactly
    //   the cells of a tile is asserted where the constants are made (`matmul::constants`, `Variant::constants`).
    // - Loops end: they count up to the end of k, at most 2^32 less a step, because matrices have fewer elements.
    // - Divisors are constants, or the number of splits, which is at least 1.
    unsafe { device.create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked()) }
}

/// The part of a buffer that a kernel uses: lines of `width` elements for each of some matrices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    first: usize,
    lines: usize,
    width: usize,
    matrices: usize,
    /// The distances between lines and between matrices.
    line: usize,
    matrix: usize,
    /// The elements that the buffer has.
    elements: usize,
}

impl Extent {
    pub fn of(matrix: Matrix, lines: usize, width: usize, matrices: usize) -> Self {
        let elements = matrix.buffer.words() * if matrix.half { 2 } else { 1 };
        Self { first: matrix.first, lines, width, matrices, line: matrix.row, matrix: matrix.batch, elements }
    }

    /// What `op(a)`, `[rows, cols]` each, is read from.
    pub fn of_operand(matrix: Matrix, rows: usize, cols: usize, matrices: usize) -> Self {
        let [lines, width] = if matrix.transposed { [cols, rows] } else { [rows, cols] };
        Self::of(matrix, lines, width, matrices)
    }

    /// What a product uses, in so many parts: `a`, `b`, `c`, then what its epilogue does.
    pub fn of_product(
        size: Size,
        a: Matrix,
        b: Matrix,
        c: Matrix,
        epilogue: Epilogue,
        parts: usize,
    ) -> Vec<Self> {
        let Size { m, n, k, batch } = size;
        let mut extents = vec![
            Self::of_operand(a, m, k, batch),
            Self::of_operand(b, k, n, batch),
            Self::of(c, m, n, batch * parts),
        ];
        extents.extend(Self::of_epilogue(epilogue, size, c));
        extents
    }

    /// What an epilogue uses besides `c`.
    fn of_epilogue(epilogue: Epilogue, size: Size, c: Matrix) -> Vec<Self> {
        let row = |buffer, first| Self::of(Matrix::new(buffer, first, 0), 1, size.n, 1);
        let rows = |buffer| {
            Self::of(Matrix { batch: c.batch, ..Matrix::new(buffer, 0, size.n) }, size.m, size.n, size.batch)
        };
        match epilogue {
            Epilogue::Store | Epilogue::Add => Vec::new(),
            Epilogue::Bias(bias, first) | Epilogue::BiasAdd(bias, first) => vec![row(bias, first)],
            Epilogue::BiasGelu { bias: (bias, first), saved } => vec![row(bias, first), rows(saved)],
            Epilogue::GeluBackward { saved } => vec![rows(saved)],
            Epilogue::Polynomial { matrix, .. } => vec![rows(matrix)],
        }
    }

    /// Whether lines consist of whole cells of four elements that begin at multiples of four.
    pub fn has_cells(&self) -> bool {
        [self.first, self.width, self.line, self.matrix].iter().all(|n| n.is_multiple_of(4))
    }

    /// Whether it lies within the buffer.
    fn is_within(&self) -> bool {
        let last = |count: usize, distance: usize| (count.max(1) as u128 - 1) * distance as u128;
        let end = self.first as u128
            + last(self.matrices, self.matrix)
            + last(self.lines, self.line)
            + self.width as u128;
        end <= self.elements as u128 && end < 1 << 32
    }
}

/// A launch of such a kernel.
pub(crate) struct TrustedDispatch<'a> {
    pub kernel: TrustedKernel,
    pub constants: Vec<Constant>,
    pub parameters: Vec<Word>,
    pub buffers: Vec<&'a Buffer>,
    /// What it uses of its buffers.
    pub extents: Vec<Extent>,
    pub workgroups: [usize; 3],
    pub cost: f64,
    /// Whether it is compiled with checks all the same.
    pub checked: bool,
}

impl PlanBuilder {
    /// Appends a launch of such a kernel.
    ///
    /// # Panics
    /// If it would leave a buffer.
    pub(crate) fn dispatch_trusted(&mut self, launch: TrustedDispatch) {
        for extent in &launch.extents {
            assert!(extent.is_within(), "a product leaves its buffer: {extent:?}");
        }
        let checks = if launch.checked { Checks::Full } else { Checks::Trusted };
        let kernel = self.gpu().kernel(launch.kernel.name(), &launch.constants, checks);
        self.dispatch_kernel(kernel, &launch.parameters, &launch.buffers, launch.workgroups, launch.cost);
    }
}

impl Gpu {
    /// Whether products in f16 are computed by cooperative matrices.
    pub fn has_cooperative_matrices(&self) -> bool {
        self.device().features().contains(FEATURES)
    }
}
