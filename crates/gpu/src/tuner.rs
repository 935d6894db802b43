//! The tuner: times the tilings of each class of matrix products on this device before its first use, and
//! remembers the fastest. Native only, because a browser has no clock that is fine enough.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use learnery_kernels::rng::Stream;
use learnery_nn::Precision;

use crate::GpuError;
use crate::buffer::Buffer;
use crate::cooperative;
use crate::device::Gpu;
use crate::matmul::{Epilogue, Matrix, Size, TILINGS, Tiling};
use crate::plan::PlanBuilder;

/// The state of the tuner. It is off at first.
#[derive(Debug, Default)]
pub(crate) struct Tuner {
    is_on: AtomicBool,
    /// The fastest tiling of each class of products so far.
    tilings: Mutex<HashMap<SizeClass, Tiling>>,
    /// The same for products by cooperative matrices; the flags say which operands are stored as 16-bit
    /// floats.
    cooperative: Mutex<HashMap<(SizeClass, [bool; 2]), cooperative::Tiling>>,
}

impl Tuner {
    pub fn turn_on(&self) {
        self.is_on.store(true, Ordering::Relaxed);
    }

    /// The fastest tiling for products like this one; `None` while the tuner is off.
    pub fn tiling(
        &self,
        gpu: &Gpu,
        size: Size,
        transposed: [bool; 2],
        precision: Precision,
    ) -> Option<Tiling> {
        if !self.is_on.load(Ordering::Relaxed) {
            return None;
        }
        let mut tilings = self.tilings.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = tilings.entry(SizeClass::new(size, transposed, precision));
        let measure = || fastest_tiling(gpu, size, transposed, precision).unwrap_or(size.default_tiling());
        Some(*entry.or_insert_with(measure))
    }

    /// The fastest tiling for products by cooperative matrices; `None` while the tuner is off, and on devices
    /// without cooperative matrices.
    pub fn cooperative_tiling(&self, gpu: &Gpu, class: &cooperative::Class) -> Option<cooperative::Tiling> {
        if !self.is_on.load(Ordering::Relaxed) || !gpu.has_cooperative_matrices() {
            return None;
        }
        let mut tilings = self.cooperative.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (SizeClass::new(class.size, class.transposed, Precision::F16), class.half);
        let measure = || fastest_cooperative_tiling(gpu, class).unwrap_or(class.default_tiling(gpu));
        Some(*tilings.entry(key).or_insert_with(measure))
    }
}

/// Products that share a tiling: sizes up to the same powers of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct SizeClass {
    sizes: [u32; 4],
    transposed: [bool; 2],
    precision: Precision,
}

impl SizeClass {
    fn new(size: Size, transposed: [bool; 2], precision: Precision) -> Self {
        let class = |n: usize| n.next_power_of_two().trailing_zeros();
        Self { sizes: [size.m, size.n, size.k, size.batch].map(class), transposed, precision }
    }
}

/// The fastest of the tilings that give the bits of the default one for products of this size. WGSL allows a
/// compiler to round a multiply-add once or twice, so in principle it could treat two tilings differently.
fn fastest_tiling(
    gpu: &Gpu,
    size: Size,
    transposed: [bool; 2],
    precision: Precision,
) -> Result<Tiling, GpuError> {
    let operands = Operands::new(gpu, size, transposed, [false; 2])?;
    operands.fastest(size.default_tiling(), &TILINGS, |plan, [a, b, c], tiling| {
        plan.set_precision(precision);
        plan.matmul_tiled(size, a, b, c, Epilogue::Store, tiling);
    })
}

/// [`fastest_tiling`] for products by cooperative matrices.
fn fastest_cooperative_tiling(
    gpu: &Gpu,
    class: &cooperative::Class,
) -> Result<cooperative::Tiling, GpuError> {
    let operands = Operands::new(gpu, class.size, class.transposed, class.half)?;
    let fitting = cooperative::TILINGS.into_iter().filter(|tiling| tiling.fits(gpu, class.transposed));
    let fitting: Vec<cooperative::Tiling> = fitting.collect();
    operands.fastest(class.default_tiling(gpu), &fitting, |plan, [a, b, c], tiling| {
        plan.matmul_cooperative(class.size, a, b, c, Epilogue::Store, Some(tiling));
    })
}

/// Matrices of random numbers, by which tilings are timed.
struct Operands {
    gpu: Gpu,
    size: Size,
    buffers: [Buffer; 3],
    transposed: [bool; 2],
    half: [bool; 2],
}

impl Operands {
    /// For a product of this size of operands that are transposed, and stored as 16-bit floats, or not.
    fn new(gpu: &Gpu, size: Size, transposed: [bool; 2], half: [bool; 2]) -> Result<Self, GpuError> {
        /// Random numbers that an operand repeats, because drawing all of a large one takes a tenth of a
        /// second. The number is prime, so that its rows differ.
        const RANDOM_NUMBERS: usize = 65_537;
        let Size { m, n, k, batch } = size;
        let buffers = [gpu.buffer(m * k * batch)?, gpu.buffer(k * n * batch)?, gpu.buffer(m * n * batch)?];
        for ((seed, buffer), half) in (0..).zip(&buffers[..2]).zip(half) {
            let mut numbers = vec![0.0; buffer.words().min(RANDOM_NUMBERS)];
            Stream::new(seed, 0).fill_normal(0, &mut numbers);
            // Signs and digits of two 16-bit floats between 0.5 and 1.
            let halves = |x: &f32| x.to_bits() & 0x83ff_83ff | 0x3800_3800;
            let words: Vec<u32> =
                numbers.iter().map(|x| if half { halves(x) } else { x.to_bits() }).collect();
            let mut all = Vec::with_capacity(buffer.words());
            while all.len() < buffer.words() {
                all.extend_from_slice(&words[..words.len().min(buffer.words() - all.len())]);
            }
            gpu.write(buffer, 0, &all);
        }
        Ok(Self { gpu: gpu.clone(), size, buffers, transposed, half })
    }

    /// `a`, `b` and `c`.
    fn matrices(&self) -> [Matrix<'_>; 3] {
        let Size { m, n, k, .. } = self.size;
        let ([a_transposed, b_transposed], [a_half, b_half]) = (self.transposed, self.half);
        let matrix = |i: usize, rows: usize, cols: usize, transposed: bool, half: bool| {
            let columns = if transposed { rows } else { cols };
            Matrix { transposed, half, batch: rows * cols, ..Matrix::new(&self.buffers[i], 0, columns) }
        };
        [
            matrix(0, m, k, a_transposed, a_half),
            matrix(1, k, n, b_transposed, b_half),
            matrix(2, m, n, false, false),
        ]
    }

    /// The fastest of the tilings that give the bits of the default one. `append` appends the product with a
    /// tiling to a plan.
    fn fastest<T: Copy + PartialEq>(
        &self,
        default: T,
        tilings: &[T],
        append: impl Fn(&mut PlanBuilder, [Matrix; 3], T),
    ) -> Result<T, GpuError> {
        // All kernels are compiled at the same time.
        let mut all = PlanBuilder::new(&self.gpu);
        tilings.iter().for_each(|tiling| append(&mut all, self.matrices(), *tiling));
        all.build()?;
        let measure = |tiling: T| -> Result<(f64, Vec<u32>), GpuError> {
            let mut plan = PlanBuilder::new(&self.gpu);
            append(&mut plan, self.matrices(), tiling);
            Ok((crate::bench::seconds_in_a_row(&self.gpu, &plan.build()?), self.read_sample()?))
        };
        let (mut fewest_seconds, expected_bits) = measure(default)?;
        let mut fastest = default;
        for tiling in tilings.iter().filter(|tiling| **tiling != default) {
            let (seconds, bits) = measure(*tiling)?;
            if seconds < fewest_seconds && bits == expected_bits {
                (fewest_seconds, fastest) = (seconds, *tiling);
            }
        }
        Ok(fastest)
    }

    /// The bits of the first and of the last elements of `c`. A compiler that rounds otherwise does so in all
    /// elements, and reading many megabytes back would take most of the tuner's time.
    fn read_sample(&self) -> Result<Vec<u32>, GpuError> {
        const SAMPLE_WORDS: usize = 1 << 16;
        let (c, words) = (&self.buffers[2], self.buffers[2].words());
        let sample = words.min(SAMPLE_WORDS);
        let mut bits = self.gpu.read(c, 0, sample)?;
        bits.extend(self.gpu.read::<u32>(c, words - sample, sample)?);
        Ok(bits)
    }
}
