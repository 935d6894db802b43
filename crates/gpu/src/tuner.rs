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
    /// The same of products by cooperative matrices, in f16 or stored as such.
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

    /// The fastest tiling for products by cooperative matrices.
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
    let measure = |tiling: Tiling| {
        operands.measure(size, |plan, a, b, c| {
            plan.set_precision(precision);
            plan.matmul_tiled(size, a, b, c, Epilogue::Store, tiling);
        })
    };
    fastest(size.default_tiling(), &TILINGS, measure)
}

/// The same of products by cooperative matrices.
fn fastest_cooperative_tiling(
    gpu: &Gpu,
    class: &cooperative::Class,
) -> Result<cooperative::Tiling, GpuError> {
    let operands = Operands::new(gpu, class.size, class.transposed, class.half)?;
    let [half_a, half_b] = class.half;
    let measure = |tiling: cooperative::Tiling| {
        operands.measure(class.size, |plan, a, b, c| {
            let (a, b) = (Matrix { half: half_a, ..a }, Matrix { half: half_b, ..b });
            plan.matmul_cooperative(class.size, a, b, c, Epilogue::Store, Some(tiling));
        })
    };
    let fitting = cooperative::TILINGS.into_iter().filter(|tiling| tiling.fits(gpu, class.transposed));
    fastest(class.default_tiling(gpu), &fitting.collect::<Vec<_>>(), measure)
}

/// Matrices of random numbers, by which tilings are timed.
struct Operands {
    gpu: Gpu,
    buffers: [Buffer; 3],
    transposed: [bool; 2],
}

impl Operands {
    /// For a product of this size of operands that are transposed, and stored as 16-bit floats, or not.
    fn new(
        gpu: &Gpu,
        Size { m, n, k, batch }: Size,
        transposed: [bool; 2],
        half: [bool; 2],
    ) -> Result<Self, GpuError> {
        let (a, b, c) = (gpu.buffer(m * k * batch)?, gpu.buffer(k * n * batch)?, gpu.buffer(m * n * batch)?);
        for ((seed, buffer), half) in (0..).zip([&a, &b]).zip(half) {
            let mut values = vec![0.0f32; buffer.words()];
            Stream::new(seed, 0).fill_normal(0, &mut values);
            if half {
                // Signs and digits of two 16-bit floats between 0.5 and 1.
                let words: Vec<u32> =
                    values.iter().map(|x| x.to_bits() & 0x83ff_83ff | 0x3800_3800).collect();
                gpu.write(buffer, 0, &words);
            } else {
                gpu.write(buffer, 0, &values);
            }
        }
        Ok(Self { gpu: gpu.clone(), buffers: [a, b, c], transposed })
    }

    /// Measures a product that `append` appends to a plan: its seconds, and its bits.
    fn measure(
        &self,
        Size { m, n, k, batch }: Size,
        append: impl Fn(&mut PlanBuilder, Matrix, Matrix, Matrix),
    ) -> Result<(f64, Vec<u32>), GpuError> {
        let matrix = |i: usize, rows: usize, cols: usize, transposed: bool| {
            let columns = if transposed { rows } else { cols };
            Matrix { transposed, batch: rows * cols, ..Matrix::new(&self.buffers[i], 0, columns) }
        };
        let mut plan = PlanBuilder::new(&self.gpu);
        let (a, b) = (matrix(0, m, k, self.transposed[0]), matrix(1, k, n, self.transposed[1]));
        append(&mut plan, a, b, matrix(2, m, n, false));
        let seconds = crate::bench::seconds_in_a_row(&self.gpu, &plan.build()?);
        Ok((seconds, self.gpu.read(&self.buffers[2], 0, m * n * batch)?))
    }
}

/// The fastest of the tilings that give the bits of the default one. `measure` returns the seconds and the
/// bits of a tiling.
fn fastest<T: Copy + PartialEq>(
    default: T,
    tilings: &[T],
    measure: impl Fn(T) -> Result<(f64, Vec<u32>), GpuError>,
) -> Result<T, GpuError> {
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
