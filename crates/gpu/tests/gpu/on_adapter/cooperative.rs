//! Products by cooperative matrices: every text of the kernel is validated and translated for Vulkan. What it
//! computes is tested with the same kernel without cooperative matrices, because no software adapter has any.

use learnery_gpu::cooperative::{KERNEL, TILINGS, Tiling, Units, Variant};
use learnery_gpu::matmul::{Epilogue, Matrix, Size, split_scratch, splits};
use learnery_gpu::shader::{SOURCES, Shader};
use learnery_gpu::{Buffer, Gpu, PlanBuilder, Precision};
use naga::valid::Capabilities;

use super::matmul::{reference, rounded};
use crate::{half_device, numbers};

/// The bytes of memory that adapters with tensor cores give a workgroup.
const MAX_MEMORY: u32 = 48 << 10;

const TRANSPOSED: [[bool; 2]; 4] = [[false, false], [false, true], [true, false], [true, true]];

/// Variants in which every constant of the kernel has each of its values. Constants whose conditions are
/// nested in the source occur in all possible combinations.
fn variants() -> Vec<Variant> {
    let usual = Variant {
        transposed: [false, true],
        half: [false; 2],
        vector: [true; 2],
        edges: true,
        direct: false,
        epilogue: Epilogue::Store.number(),
    };
    let mut variants = Vec::new();
    for transposed in TRANSPOSED {
        for (half, vector, edges) in [
            ([false; 2], [true; 2], false),
            ([false; 2], [false; 2], true),
            ([true, false], [true, false], true),
            ([false, true], [false, true], true),
            ([true; 2], [true; 2], true),
        ] {
            variants.push(Variant { transposed, half, vector, edges, ..usual });
        }
    }
    variants.extend((0..7).map(|epilogue| Variant { epilogue, ..usual }));
    // Only these two epilogues can store tiles directly.
    let direct = [Epilogue::Store, Epilogue::Add].map(|epilogue| epilogue.number());
    variants.extend(direct.map(|epilogue| Variant { edges: false, direct: true, epilogue, ..usual }));
    variants
}

#[test]
fn every_text_of_the_kernel_is_valid_and_translated_for_vulkan() {
    // All variants are checked with two small tilings only: the text of a larger one is the same with more
    // repetitions.
    for variant in variants() {
        for units in [Units::Cooperative, Units::Plain] {
            check_text(TILINGS[0], &variant, units);
            check_text(TWO_STAGES, &variant, units);
        }
    }
    for tiling in TILINGS {
        for transposed in TRANSPOSED {
            check_text(tiling, &Variant { transposed, ..variants()[0] }, Units::Cooperative);
        }
    }
}

/// Checks that naga accepts the kernel with these constants and translates it, and that its memory is what
/// the tiling says.
fn check_text(tiling: Tiling, variant: &Variant, units: Units) {
    let constants = variant.constants(tiling, units);
    let text = Shader::new(&SOURCES, KERNEL, &constants).text;
    let module = naga::front::wgsl::parse_str(&text)
        .unwrap_or_else(|e| panic!("{constants:?}: {}", e.emit_to_string(&text)));
    let capabilities = match units {
        Units::Cooperative => {
            Capabilities::SHADER_FLOAT16 | Capabilities::COOPERATIVE_MATRIX | Capabilities::SUBGROUP
        }
        Units::Plain => Capabilities::SHADER_FLOAT16,
    };
    let mut validator = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), capabilities);
    validator.subgroup_stages(naga::valid::ShaderStages::COMPUTE);
    validator.subgroup_operations(naga::valid::SubgroupOperationSet::all());
    let info =
        validator.validate(&module).unwrap_or_else(|e| panic!("{constants:?}: {}", e.emit_to_string(&text)));
    let mut layouter = naga::proc::Layouter::default();
    layouter.update(module.to_ctx()).expect("the types are valid");
    let memory: u32 = module
        .global_variables
        .iter()
        .filter(|(_, variable)| variable.space == naga::AddressSpace::WorkGroup)
        .map(|(_, variable)| layouter[variable.ty].size)
        .sum();
    assert_eq!(memory, tiling.memory(variant.transposed, variant.direct), "{constants:?}");
    assert!(memory <= MAX_MEMORY, "{constants:?}: {memory} bytes of a workgroup's memory");
    let options = naga::back::spv::Options { lang_version: (1, 6), ..Default::default() };
    naga::back::spv::write_vec(&module, &info, &options, None)
        .unwrap_or_else(|e| panic!("{constants:?}: {e}"));
}

/// A tiling that loads one step while it multiplies the step before.
const TWO_STAGES: Tiling = Tiling::new([2, 1], [2, 1], 32, 2);

/// Tilings that differ in everything and fit into the memory of software adapters.
const TESTED: [Tiling; 4] =
    [TILINGS[0], TWO_STAGES, Tiling::new([1, 1], [1, 2], 16, 1), Tiling::new([1, 2], [2, 2], 64, 1)];

/// What is in gaps: large, so that a kernel that reads there gives a visibly wrong sum.
const GAP: f32 = 1e4;

/// A product whose operands and results are in buffers, with gaps between their rows.
struct Product<'a> {
    gpu: &'a Gpu,
    size: Size,
    transposed: [bool; 2],
    half: bool,
    /// The first element of each matrix, and the elements between the end of a row and the next.
    first: usize,
    gap: usize,
    a: Vec<f32>,
    b: Vec<f32>,
}

impl<'a> Product<'a> {
    fn new(gpu: &'a Gpu, size: Size, transposed: [bool; 2], half: bool, first: usize, gap: usize) -> Self {
        let Size { m, n, k, .. } = size;
        Self { gpu, size, transposed, half, first, gap, a: numbers(m * k, 1), b: numbers(k * n, 2) }
    }

    /// A buffer with `values` as rows of `width` and gaps filled with [`GAP`] before and between them; as
    /// 16-bit floats if `half`.
    fn upload(&self, values: &[f32], width: usize, half: bool) -> Buffer {
        let row = width + self.gap;
        let mut words = vec![GAP; self.first + values.len() / width * row];
        words.resize(words.len().next_multiple_of(2), GAP);
        for (i, line) in values.chunks(width).enumerate() {
            words[self.first + i * row..][..width].copy_from_slice(line);
        }
        let buffer = self.gpu.buffer(words.len()).expect("a small buffer");
        self.gpu.write(&buffer, 0, &words);
        if !half {
            return buffer;
        }
        let halves = self.gpu.buffer(words.len() / 2).expect("a small buffer");
        let mut plan = PlanBuilder::new(self.gpu);
        plan.round_halves(&buffer, &halves);
        plan.build().expect("a plan").submit_all();
        halves
    }

    /// Fills `c` with `before`, runs what `append` adds to a plan, and returns `c`.
    fn run(&self, before: &[f32], append: impl Fn(&mut PlanBuilder, Matrix, Matrix, Matrix)) -> Vec<f32> {
        let Size { m, n, k, .. } = self.size;
        let widths = [(m, k), (k, n)].map(|(rows, cols)| [cols, rows]);
        let [a_width, b_width] = [0, 1].map(|i| widths[i][usize::from(self.transposed[i])]);
        let (a, b) = (self.upload(&self.a, a_width, self.half), self.upload(&self.b, b_width, self.half));
        let c = self.upload(before, n, false);
        let matrix = |buffer, width, transposed, half| Matrix {
            buffer,
            first: self.first,
            row: width + self.gap,
            batch: 0,
            transposed,
            half,
        };
        let mut plan = PlanBuilder::new(self.gpu);
        append(
            &mut plan,
            matrix(&a, a_width, self.transposed[0], self.half),
            matrix(&b, b_width, self.transposed[1], self.half),
            matrix(&c, n, false, false),
        );
        plan.build().expect("a plan").submit_all();
        let words: Vec<f32> = self.gpu.read(&c, 0, c.words()).expect("the device answers");
        // `upload` rounds up to an even number of words, so there may be one more than those of the rows.
        let rows: Vec<&[f32]> = words[self.first..].chunks_exact(n + self.gap).take(m).collect();
        assert_eq!(rows.len(), m);
        let mut gaps = words[..self.first].iter().chain(rows.iter().flat_map(|row| &row[n..]));
        assert!(gaps.all(|x| *x == GAP), "it wrote outside of the rows");
        rows.iter().flat_map(|row| &row[..n]).copied().collect()
    }

    /// The sums in `f64`, with the sums of magnitudes.
    fn expected(&self) -> Vec<(f64, f64)> {
        reference(self.size, &self.a, &self.b, self.transposed, Precision::F16)
    }
}

#[test]
fn products_are_right_and_have_the_same_bits_with_every_tiling() {
    let Some(gpu) = half_device() else { return };
    // Sizes, whether the operands are 16-bit floats, and the offsets and gaps of their rows. First whole
    // tiles, which are stored directly. Then sizes that are not multiples of a tile, loaded four elements at
    // a time and one by one.
    let cases = [
        ((64, 64, 64), false, 0, 0),
        ((128, 64, 96), true, 8, 4),
        ((1, 1, 1), false, 3, 1),
        ((33, 70, 65), false, 3, 1),
        ((96, 20, 40), false, 4, 8),
        ((36, 132, 20), true, 8, 4),
    ];
    for ((m, n, k), half, first, gap) in cases {
        for transposed in TRANSPOSED {
            let product = Product::new(gpu, Size::new(m, n, k), transposed, half, first, gap);
            let expected = product.expected();
            let mut found: Option<Vec<f32>> = None;
            for tiling in TESTED {
                let c = product.run(&vec![0.0; m * n], |plan, a, b, c| {
                    let (size, epilogue) = (product.size, Epilogue::Store);
                    plan.cooperative_product(size, a, b, c, epilogue, 1, Some(tiling), Units::Plain);
                });
                for (c, (sum, magnitude)) in c.iter().zip(&expected) {
                    let error = (f64::from(*c) - sum).abs();
                    assert!(error <= 1e-6 * magnitude, "{m}x{n}x{k} {transposed:?} {half} {tiling:?}");
                }
                let first_bits = found.get_or_insert_with(|| c.clone());
                assert!(*first_bits == c, "{m}x{n}x{k} {transposed:?} {tiling:?}: other bits");
            }
        }
    }
}

/// A product without terms is zero, and nothing is read.
#[test]
fn empty_sums_are_zero() {
    let Some(gpu) = half_device() else { return };
    let empty = Size::new(64, 64, 0);
    let (operand, c) = (gpu.buffer(0).expect("a small buffer"), gpu.buffer(64 * 64).expect("a small buffer"));
    gpu.write(&c, 0, &[1.0f32; 64 * 64]);
    let [a, b] = [0, 64].map(|columns| Matrix::new(&operand, 0, columns));
    let mut plan = PlanBuilder::new(gpu);
    let out = Matrix::new(&c, 0, 64);
    plan.cooperative_product(empty, a, b, out, Epilogue::Store, 1, Some(TILINGS[0]), Units::Plain);
    plan.build().expect("a plan").submit_all();
    assert_eq!(gpu.read::<f32>(&c, 0, 64 * 64).expect("the device answers"), [0.0; 64 * 64]);
}

/// Checks that errors are below 2e-6 of the magnitudes of all terms.
fn assert_close(found: &[f32], expected: impl ExactSizeIterator<Item = (f64, f64)>, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (i, (found, (expected, magnitude))) in found.iter().zip(expected).enumerate() {
        let error = (f64::from(*found) - expected).abs();
        assert!(error <= 2e-6 * magnitude, "{what} element {i}: {found} {expected}");
    }
}

/// GELU and its derivative.
fn gelu(x: f64) -> (f64, f64) {
    let (c, d) = ((2.0 / std::f64::consts::PI).sqrt(), 0.044_715);
    let t = (c * (x + d * x.powi(3))).tanh();
    (0.5 * x * (1.0 + t), 0.5 * (1.0 + t) + 0.5 * x * (1.0 - t * t) * c * (1.0 + 3.0 * d * x * x))
}

#[test]
fn epilogues_are_right() {
    let Some(gpu) = half_device() else { return };
    for (m, n, k) in [(64, 64, 32), (50, 37, 20)] {
        let product = Product::new(gpu, Size::new(m, n, k), [false, true], false, 0, 0);
        let sums = product.expected();
        let (before, bias) = (numbers(m * n, 3), numbers(n + 3, 4));
        let other = numbers(m * n, 5);
        let upload = |values: &[f32]| {
            let buffer = gpu.buffer(values.len()).expect("a small buffer");
            gpu.write(&buffer, 0, values);
            buffer
        };
        let (bias_buffer, other_buffer) = (upload(&bias), upload(&other));
        let biased = |i: usize| sums[i].0 + f64::from(bias[3 + i % n]);
        for tiling in TESTED {
            let run = |epilogue: Epilogue| {
                product.run(&before, |plan, a, b, c| {
                    plan.cooperative_product(product.size, a, b, c, epilogue, 1, Some(tiling), Units::Plain);
                })
            };
            // Of the terms of the sum, and of two more that are below 1, such as a bias and what was there.
            let magnitude = |i: usize| sums[i].1 + 2.0;
            let check = |found: &[f32], expected: &dyn Fn(usize) -> f64, what: &str| {
                assert_close(
                    found,
                    (0..m * n).map(|i| (expected(i), magnitude(i))),
                    &format!("{what} {tiling:?}"),
                );
            };
            let old = |i: usize| f64::from(before[i]);
            check(&run(Epilogue::Add), &|i| old(i) + sums[i].0, "add");
            check(&run(Epilogue::Bias(&bias_buffer, 3)), &biased, "bias");
            check(&run(Epilogue::BiasAdd(&bias_buffer, 3)), &|i| old(i) + biased(i), "bias and add");
            let backward = run(Epilogue::GeluBackward { saved: &other_buffer });
            check(&backward, &|i| sums[i].0 * gelu(other[i].into()).1, "backward");
            let polynomial =
                Epilogue::Polynomial { matrix: &other_buffer, factor: 2.0, other: -0.5, diagonal: 0.25 };
            let diagonal = |i: usize| if i / n == i % n { 0.25 } else { 0.0 };
            let expected = |i: usize| 2.0 * sums[i].0 - 0.5 * f64::from(other[i]) + diagonal(i);
            check(&run(polynomial), &expected, "polynomial");
            let saved = upload(&other);
            let forward = run(Epilogue::BiasGelu { bias: (&bias_buffer, 3), saved: &saved });
            check(&forward, &|i| gelu(biased(i)).0, "GELU");
            let saved: Vec<f32> = gpu.read(&saved, 0, m * n).expect("the device answers");
            check(&saved, &biased, "saved");
        }
    }
}

#[test]
fn split_products_are_right_and_have_the_same_bits_with_every_tiling() {
    let Some(gpu) = half_device() else { return };
    for (m, n, k) in [(33, 65, 1300), (64, 64, 1024), (4, 8, 600)] {
        let size = Size::new(m, n, k);
        assert!(splits(size) > 1);
        let product = Product::new(gpu, size, [true, false], false, 0, 0);
        let before = numbers(m * n, 5);
        let sums = product.expected();
        let mut found: Option<Vec<f32>> = None;
        for tiling in TESTED {
            let scratch = gpu.buffer(split_scratch(size)).expect("a small buffer");
            let c = product.run(&before, |plan, a, b, c| {
                plan.cooperative_split(size, a, b, c, &scratch, Some(tiling), Units::Plain);
            });
            // What was there before is below 1.
            let expected = before.iter().zip(&sums).map(|(old, sum)| (f64::from(*old) + sum.0, sum.1 + 1.0));
            assert_close(&c, expected, &format!("{m}x{n}x{k} {tiling:?}"));
            let first_bits = found.get_or_insert_with(|| c.clone());
            assert!(*first_bits == c, "{m}x{n}x{k} {tiling:?}: other bits");
        }
    }
}

#[test]
fn batches_are_right() {
    let Some(gpu) = half_device() else { return };
    let (m, n, k, batch) = (20, 36, 28, 3);
    let size = Size { batch, ..Size::new(m, n, k) };
    let (a, b) = (numbers(m * k * batch, 1), numbers(k * n * batch, 2));
    for tiling in TESTED {
        let buffers = [m * k, k * n, m * n].map(|words| gpu.buffer(words * batch).expect("a small buffer"));
        gpu.write(&buffers[0], 0, &a);
        gpu.write(&buffers[1], 0, &b);
        let matrix = |i: usize, rows: usize, cols: usize| Matrix {
            batch: rows * cols,
            ..Matrix::new(&buffers[i], 0, cols)
        };
        let (left, right, out) = (matrix(0, m, k), matrix(1, k, n), matrix(2, m, n));
        let mut plan = PlanBuilder::new(gpu);
        plan.cooperative_product(size, left, right, out, Epilogue::Store, 1, Some(tiling), Units::Plain);
        plan.build().expect("a plan").submit_all();
        let c: Vec<f32> = gpu.read(&buffers[2], 0, m * n * batch).expect("the device answers");
        for i in 0..batch {
            let (a, b) = (&a[i * m * k..][..m * k], &b[i * k * n..][..k * n]);
            let expected = reference(Size::new(m, n, k), a, b, [false; 2], Precision::F16);
            assert_close(&c[i * m * n..][..m * n], expected.into_iter(), &format!("batch {i} {tiling:?}"));
        }
    }
}

#[test]
fn halves_are_rounded_as_operands_are() {
    let Some(gpu) = half_device() else { return };
    // What is too large becomes the largest 16-bit float.
    let mut values = vec![1.0, -1.000_488_3, 6.1035e-5, 5.96e-8, 65504.0, 65520.0, -3.4e38, 0.0];
    values.extend(numbers(500, 9));
    let (from, to) = (gpu.buffer(values.len()).unwrap(), gpu.buffer(values.len() / 2).unwrap());
    gpu.write(&from, 0, &values);
    let mut plan = PlanBuilder::new(gpu);
    plan.round_halves(&from, &to);
    plan.build().expect("a plan").submit_all();
    let words: Vec<u32> = gpu.read(&to, 0, values.len() / 2).expect("the device answers");
    let halves = words.iter().flat_map(|word| [*word as u16, (*word >> 16) as u16]);
    for (value, half) in values.iter().zip(halves) {
        assert_eq!(of_half(half), rounded(*value, Precision::F16), "{value}");
    }
}

/// The value of a finite 16-bit float.
fn of_half(bits: u16) -> f32 {
    let (exponent, digits) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023));
    let size =
        if exponent == 0 { digits * 2f32.powi(-24) } else { (1024.0 + digits) * 2f32.powi(exponent - 25) };
    if bits >> 15 == 1 { -size } else { size }
}

#[test]
#[should_panic(expected = "exceeds its buffer")]
fn product_beyond_its_buffer_is_refused() {
    let Some(gpu) = half_device() else { panic!("exceeds its buffer: not tested without 16-bit floats") };
    let buffers = [16 * 16, 16 * 16 - 1, 16 * 16].map(|words| gpu.buffer(words).expect("a small buffer"));
    let [a, b, c] = buffers.each_ref().map(|buffer| Matrix::new(buffer, 0, 16));
    let mut plan = PlanBuilder::new(gpu);
    plan.cooperative_product(Size::new(16, 16, 16), a, b, c, Epilogue::Store, 1, None, Units::Plain);
}
