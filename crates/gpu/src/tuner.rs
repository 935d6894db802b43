//! The tuner: times the tilings of each class of matrix products on this device before its first use, and
//! remembers the fastest. Native only, because a browser has no clock that is fine enough.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use learnery_kernels::rng::Stream;
use learnery_nn::Precision;

use crate::GpuError;
use crate::device::Gpu;
use crate::matmul::{Epilogue, Matrix, Size, TILINGS, Tiling};
use crate::plan::PlanBuilder;

/// The state of the tuner. It is off at first.
#[derive(Debug, Default)]
pub(crate) struct Tuner {
    is_on: AtomicBool,
    /// The fastest tiling of each class of products so far.
    tilings: Mutex<HashMap<SizeClass, Tiling>>,
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
    let Size { m, n, k, batch } = size;
    let (a, b, c) = (gpu.buffer(m * k * batch)?, gpu.buffer(k * n * batch)?, gpu.buffer(m * n * batch)?);
    for (seed, buffer) in (0..).zip([&a, &b]) {
        let mut values = vec![0.0; buffer.words()];
        Stream::new(seed, 0).fill_normal(0, &mut values);
        gpu.write(buffer, 0, &values);
    }
    let matrix = |buffer, rows: usize, cols: usize, transposed: bool| {
        let columns = if transposed { rows } else { cols };
        Matrix { transposed, batch: rows * cols, ..Matrix::new(buffer, 0, columns) }
    };
    let measure = |tiling: Tiling| -> Result<(f64, Vec<u32>), GpuError> {
        let mut plan = PlanBuilder::new(gpu);
        plan.set_precision(precision);
        let (a, b) = (matrix(&a, m, k, transposed[0]), matrix(&b, k, n, transposed[1]));
        plan.matmul_tiled(size, a, b, matrix(&c, m, n, false), Epilogue::Store, tiling);
        let seconds = crate::bench::min_seconds(gpu, &plan.build()?);
        Ok((seconds, gpu.read(&c, 0, m * n * batch)?))
    };
    let default = size.default_tiling();
    let (mut fewest_seconds, expected_bits) = measure(default)?;
    let mut fastest = default;
    for tiling in TILINGS.into_iter().filter(|tiling| *tiling != default) {
        let (seconds, bits) = measure(tiling)?;
        if seconds < fewest_seconds && bits == expected_bits {
            (fewest_seconds, fastest) = (seconds, tiling);
        }
    }
    Ok(fastest)
}
