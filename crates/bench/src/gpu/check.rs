//! Compares products by cooperative matrices (tensor cores), on the device, with the kernel `matmul` in f16:
//! another kernel that rounds the same operands to 16-bit floats and adds in 32 bits. On adapters without
//! cooperative matrices, the same kernel with ordinary arithmetic ([`Units::Plain`]) is compared, which tests
//! the comparison itself.

use learnery_gpu::cooperative::{TILINGS, Tiling, Units};
use learnery_gpu::matmul::{Epilogue, Matrix, Size, split_scratch};
use learnery_gpu::{Buffer, Gpu, GpuError, Plan, PlanBuilder, Precision};
use learnery_kernels::rng::Stream;
use serde::Serialize;

/// The largest error that counts as rounding, relative to the sum of the absolute values of all terms of an
/// element.
const TOLERANCE: f32 = 1.0 / 512.0;

/// One comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    pub name: String,
    /// The largest error, as a share of what is tolerated.
    pub error: f32,
    /// Whether all tilings of this product had the same bits.
    pub same_bits: bool,
}

impl Comparison {
    pub fn is_right(&self) -> bool {
        self.error <= 1.0 && self.same_bits
    }
}

const TRANSPOSED: [[bool; 2]; 4] = [[false, false], [false, true], [true, false], [true, true]];

/// Compares products of many shapes and calls `print` with each. Compiling kernels takes longest, so only few
/// shapes are computed with every tiling.
pub fn check_products(gpu: &Gpu, print: &mut dyn FnMut(Comparison)) -> Result<(), GpuError> {
    let is_software = gpu.info().software;
    let smallest = &TILINGS[..1];
    let mut fitting: Vec<Tiling> =
        TILINGS.into_iter().filter(|tiling| TRANSPOSED.iter().all(|t| tiling.fits(gpu, *t))).collect();
    if is_software {
        // Compiling the kernels of the larger tilings takes minutes there.
        fitting.truncate(1);
    }
    let mut compare =
        |product: &Operands, transposed, half, tilings: &[Tiling], case| -> Result<(), GpuError> {
            print(product.compare(transposed, half, tilings, case)?);
            Ok(())
        };
    // Whole tiles, odd sizes, and split sums, with every tiling.
    let whole = Operands::new(gpu, Size::new(256, 256, 256))?;
    let odd = Operands::new(gpu, Size::new(130, 70, 65))?;
    let long = Operands::new(gpu, Size::new(96, 260, if is_software { 1100 } else { 4200 }))?;
    for half in [false, true] {
        compare(&whole, [false, half], half, &fitting, Case::Store)?;
    }
    compare(&odd, [false, true], false, &fitting, Case::Store)?;
    compare(&long, [true, false], false, &fitting, Case::Split)?;
    for case in Case::EPILOGUES {
        compare(&whole, [false, false], false, &[*fitting.last().unwrap_or(&TILINGS[0])], case)?;
        compare(&odd, [false, false], false, smallest, case)?;
    }
    // Every transpose and way to load, from one element to large matrices.
    let sizes = [(1, 1, 1), (33, 257, 129), (100, 52, 36), (128, 64, 256)];
    let large = [(64, 64, 64), (1000, 1000, 1000), (1024, 1024, 1024), (2048, 512, 4096)];
    for (m, n, k) in sizes.into_iter().chain(large.into_iter().filter(|_| !is_software)) {
        let product = Operands::new(gpu, Size::new(m, n, k))?;
        for transposed in TRANSPOSED {
            for half in [false, true] {
                if !half || product.has_cells() {
                    compare(&product, transposed, half, smallest, Case::Store)?;
                }
            }
        }
    }
    let batch = Operands::new(gpu, Size { batch: 5, ..Size::new(68, 36, 28) })?;
    for (transposed, half) in [([false, true], false), ([false, false], true)] {
        compare(&batch, transposed, half, smallest, Case::Store)?;
    }
    if !is_software {
        let product = Operands::new(gpu, Size::new(4096, 4096, 4096))?;
        for (transposed, half) in [([false, false], false), ([false, true], true), ([true, false], false)] {
            compare(&product, transposed, half, &fitting[fitting.len() - 1..], Case::Store)?;
        }
    }
    Ok(())
}

/// What is done with the sums: split, or an [`Epilogue`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    Store,
    /// The sum over k in parts, added to `c`.
    Split,
    Add,
    Bias,
    BiasGelu,
    BiasAdd,
    GeluBackward,
    Polynomial,
}

impl Case {
    const EPILOGUES: [Self; 6] =
        [Self::Add, Self::Bias, Self::BiasGelu, Self::BiasAdd, Self::GeluBackward, Self::Polynomial];
}

/// The matrices of a product: `a` and `b` as they are, in 16 bits, and in absolute values.
struct Operands {
    gpu: Gpu,
    size: Size,
    exact: [Buffer; 2],
    halves: [Buffer; 2],
    absolute: [Buffer; 2],
    /// What `c` holds before the product, and the matrix that some epilogues read besides. Both have as many
    /// elements as `c`.
    before: Vec<f32>,
    other: Vec<f32>,
    c: Buffer,
    /// Holds `other`, or what an epilogue saves.
    extra: Buffer,
}

impl Operands {
    fn new(gpu: &Gpu, size: Size) -> Result<Self, GpuError> {
        let Size { m, n, k, batch } = size;
        let upload = |values: &[f32]| -> Result<Buffer, GpuError> {
            let buffer = gpu.buffer(values.len())?;
            gpu.write(&buffer, 0, values);
            Ok(buffer)
        };
        let numbers = |count: usize, seed: u32| {
            let mut values = vec![0.0; count.next_multiple_of(2)];
            Stream::new(seed, 0).fill_normal(0, &mut values);
            values
        };
        let values = [numbers(m * k * batch, 1), numbers(k * n * batch, 2)];
        let positive = values.each_ref().map(|values| values.iter().map(|x| x.abs()).collect::<Vec<_>>());
        let exact = [upload(&values[0])?, upload(&values[1])?];
        let absolute = [upload(&positive[0])?, upload(&positive[1])?];
        let halves = [gpu.buffer(values[0].len() / 2)?, gpu.buffer(values[1].len() / 2)?];
        let mut plan = PlanBuilder::new(gpu);
        for (from, to) in exact.iter().zip(&halves) {
            plan.round_halves(from, to);
        }
        plan.build()?.submit_all();
        let elements = m * n * batch;
        let (c, extra) = (gpu.buffer(elements)?, gpu.buffer(elements)?);
        let (before, other) = (numbers(elements, 3), numbers(elements, 4));
        Ok(Self { gpu: gpu.clone(), size, exact, halves, absolute, before, other, c, extra })
    }

    /// Whether rows consist of whole cells of four elements, as 16-bit floats are loaded.
    fn has_cells(&self) -> bool {
        let Size { m, n, k, .. } = self.size;
        [m, n, k].iter().all(|size| size.is_multiple_of(4))
    }

    /// Compares the product with each of the tilings with that of the kernel `matmul`.
    fn compare(
        &self,
        transposed: [bool; 2],
        half: bool,
        tilings: &[Tiling],
        case: Case,
    ) -> Result<Comparison, GpuError> {
        let Size { m, n, k, batch } = self.size;
        let units = if self.gpu.has_cooperative_matrices() { Units::Cooperative } else { Units::Plain };
        let expected = self.run(&self.exact, transposed, false, case, None)?;
        // For each element the sum of the absolute values of its terms.
        let terms = self.run(&self.absolute, transposed, false, Case::Store, None)?;
        let (mut error, mut same_bits) = (0.0, true);
        let mut first: Option<Vec<f32>> = None;
        for tiling in tilings {
            let operands = if half { &self.halves } else { &self.exact };
            let found = self.run(operands, transposed, half, case, Some((*tiling, units)))?;
            error = largest_error(&found, &expected, &terms, error);
            let bits = |values: &[f32]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            same_bits &= first.as_ref().is_none_or(|first| bits(first) == bits(&found));
            first.get_or_insert(found);
        }
        let transpose = |is: bool| if is { "ᵀ" } else { "" };
        let memory = if half { "f16" } else { "f32" };
        let tiles: Vec<String> = tilings.iter().map(|tiling| tiling.name()).collect();
        let batch = if batch > 1 { format!("{batch} times ") } else { String::new() };
        let name = format!(
            "{batch}{m}x{n}x{k} a{} b{} in {memory}, {case:?}, tiles of {}",
            transpose(transposed[0]),
            transpose(transposed[1]),
            tiles.join(" ")
        );
        Ok(Comparison { name, error, same_bits })
    }

    /// `c` after a product, and what the epilogue saved: by the kernel with cooperative matrices if there is
    /// a `tiling`, otherwise by `matmul`. `half`: whether the operands are stored as 16-bit floats.
    fn run(
        &self,
        operands: &[Buffer; 2],
        transposed: [bool; 2],
        half: bool,
        case: Case,
        tiling: Option<(Tiling, Units)>,
    ) -> Result<Vec<f32>, GpuError> {
        let (gpu, Size { m, n, k, batch }) = (&self.gpu, self.size);
        let length = m * n * batch;
        // NaN, so that an element that is not overwritten is found.
        let before = if case == Case::Store { &vec![f32::NAN; length] } else { &self.before };
        gpu.write(&self.c, 0, &before[..length]);
        gpu.write(&self.extra, 0, &self.other[..length]);
        let matrix = |buffer, rows: usize, cols: usize, transposed: bool| Matrix {
            transposed,
            half,
            batch: rows * cols,
            ..Matrix::new(buffer, 0, if transposed { rows } else { cols })
        };
        let a = matrix(&operands[0], m, k, transposed[0]);
        let b = matrix(&operands[1], k, n, transposed[1]);
        let c = Matrix { batch: m * n, ..Matrix::new(&self.c, 0, n) };
        let bias = gpu.buffer(n)?;
        gpu.write(&bias, 0, &self.before[..n]);
        let scratch = gpu.buffer(split_scratch(self.size).max(1))?;
        let epilogue = match case {
            Case::Store | Case::Split => Epilogue::Store,
            Case::Add => Epilogue::Add,
            Case::Bias => Epilogue::Bias(&bias, 0),
            Case::BiasGelu => Epilogue::BiasGelu { bias: (&bias, 0), saved: &self.extra },
            Case::BiasAdd => Epilogue::BiasAdd(&bias, 0),
            Case::GeluBackward => Epilogue::GeluBackward { saved: &self.extra },
            Case::Polynomial => {
                Epilogue::Polynomial { matrix: &self.extra, factor: 0.75, other: -0.5, diagonal: 0.25 }
            }
        };
        let mut plan = PlanBuilder::new(gpu);
        plan.set_precision(Precision::F16);
        let size = self.size;
        match (tiling, case) {
            (None, Case::Split) => plan.matmul_split(size, a, b, c, &scratch, Some(size.default_tiling())),
            (None, _) => plan.matmul_tiled(size, a, b, c, epilogue, size.default_tiling()),
            (Some((tiling, units)), Case::Split) => {
                plan.cooperative_split(size, a, b, c, &scratch, Some(tiling), units);
            }
            (Some((tiling, units)), _) => {
                plan.cooperative_product(size, a, b, c, epilogue, 1, Some(tiling), units);
            }
        }
        let plan: Plan = plan.build()?;
        plan.submit_all();
        let mut values: Vec<f32> = gpu.read(&self.c, 0, length)?;
        if case == Case::BiasGelu {
            values.extend(gpu.read::<f32>(&self.extra, 0, length)?);
        }
        Ok(values)
    }
}

/// The larger of `so_far` and the largest error of `found`, as a share of the tolerance; infinite if a number
/// is NaN. `terms` has the sums of absolute values for the elements of `c`, and again for what was saved
/// beside it.
fn largest_error(found: &[f32], expected: &[f32], terms: &[f32], so_far: f32) -> f32 {
    let errors = found.iter().zip(expected).zip(terms.iter().cycle()).map(|((found, expected), terms)| {
        let error = (found - expected).abs() / (TOLERANCE * terms).max(f32::MIN_POSITIVE);
        if error.is_nan() { f32::INFINITY } else { error }
    });
    errors.fold(so_far, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_is_a_share_of_the_tolerance_and_infinite_for_nan() {
        assert_eq!(largest_error(&[1.0, 2.0], &[1.0, 2.0], &[4.0, 4.0], 0.25), 0.25);
        assert_eq!(largest_error(&[1.0, 2.0], &[1.0, 3.0], &[4.0, 256.0], 0.0), 2.0);
        assert_eq!(largest_error(&[f32::NAN], &[1.0], &[4.0], 0.0), f32::INFINITY);
    }

    #[test]
    fn products_of_this_adapter_are_right() {
        let Some(gpu) = learnery_gpu::testing::device() else { return };
        if gpu.check_precision(Precision::F16).is_err() {
            return;
        }
        let mut found = Vec::new();
        check_products(gpu, &mut |comparison| found.push(comparison)).expect("the device answers");
        assert!(found.len() > 30);
        let wrong: Vec<&Comparison> = found.iter().filter(|comparison| !comparison.is_right()).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}
