//! Products of odd shapes against sums in `f64`, and equal bits with every tiling.

use learnery_gpu::matmul::{Epilogue, Matrix, Size, TILINGS, kernel_constants, split_scratch, splits};
use learnery_gpu::{Gpu, PlanBuilder, Precision, Word};

use crate::{device, numbers, precisions};

/// `x` as an operand of a product in this precision.
pub fn rounded(x: f32, precision: Precision) -> f32 {
    if precision == Precision::F32 {
        return x;
    }
    // Halves have 11 significant bits, fewer below 2^-14: their last digit there is 2^-24. Doubles compute
    // this exactly.
    let x = f64::from(x.clamp(-65504.0, 65504.0));
    let power = ((x.to_bits() >> 52 & 0x7ff) as i32 - 1023).max(-14);
    let digit = 2f64.powi(power - 10);
    ((x / digit).round_ties_even() * digit) as f32
}

/// `op(a) op(b)` in `f64`, each element with the sum of the magnitudes of its terms.
pub fn reference(
    size: Size,
    a: &[f32],
    b: &[f32],
    transposed: [bool; 2],
    precision: Precision,
) -> Vec<(f64, f64)> {
    let [a, b] = [a, b].map(|values| values.iter().map(|x| rounded(*x, precision)).collect::<Vec<f32>>());
    let Size { m, n, k, .. } = size;
    let element = |i: usize| {
        let (row, col) = (i / n, i % n);
        (0..k).fold((0.0, 0.0), |(sum, magnitude), l| {
            let a = f64::from(a[if transposed[0] { l * m + row } else { row * k + l }]);
            let b = f64::from(b[if transposed[1] { col * k + l } else { l * n + col }]);
            (sum + a * b, magnitude + (a * b).abs())
        })
    };
    (0..m * n).map(element).collect()
}

#[test]
fn products_are_right_and_have_the_same_bits_with_every_tiling() {
    let Some(gpu) = device() else { return };
    precisions(gpu).iter().for_each(|precision| compare_products(gpu, *precision));
}

fn compare_products(gpu: &Gpu, precision: Precision) {
    let shapes =
        [(1, 1, 1), (7, 33, 65), (31, 257, 64), (33, 7, 129), (257, 65, 31), (64, 128, 64), (130, 130, 17)];
    for (m, n, k) in shapes {
        let size = Size::new(m, n, k);
        let (a, b) = (numbers(m * k, 1), numbers(k * n, 2));
        for transposed in [[false, false], [false, true], [true, false], [true, true]] {
            let expected = reference(size, &a, &b, transposed, precision);
            let mut first: Option<Vec<f32>> = None;
            for tiling in TILINGS {
                let buffers = [m * k, k * n, m * n].map(|words| gpu.buffer(words).expect("a small buffer"));
                gpu.write(&buffers[0], 0, &a);
                gpu.write(&buffers[1], 0, &b);
                let matrix = |i: usize, rows: usize, cols: usize, transposed: bool| {
                    let columns = if transposed { rows } else { cols };
                    Matrix { transposed, ..Matrix::new(&buffers[i], 0, columns) }
                };
                let mut plan = PlanBuilder::new(gpu);
                plan.set_precision(precision);
                let [left, right] = [matrix(0, m, k, transposed[0]), matrix(1, k, n, transposed[1])];
                plan.matmul_tiled(size, left, right, matrix(2, m, n, false), Epilogue::Store, tiling);
                plan.build().expect("a plan").submit_all();
                let c: Vec<f32> = gpu.read(&buffers[2], 0, m * n).expect("the device answers");
                for (i, (c, (sum, magnitude))) in c.iter().zip(&expected).enumerate() {
                    let error = (f64::from(*c) - sum).abs();
                    assert!(
                        error <= 1e-6 * magnitude,
                        "{precision:?} {m}x{n}x{k} {transposed:?} {tiling:?} element {i}"
                    );
                }
                match &first {
                    None => first = Some(c),
                    Some(first) => assert!(
                        *first == c,
                        "{precision:?} {m}x{n}x{k} {transposed:?} {tiling:?}: other bits"
                    ),
                }
            }
        }
    }
}

#[test]
fn split_products_are_right_and_have_the_same_bits_with_every_tiling() {
    let Some(gpu) = device() else { return };
    precisions(gpu).iter().for_each(|precision| compare_split_products(gpu, *precision));
}

fn compare_split_products(gpu: &Gpu, precision: Precision) {
    for (m, n, k) in [(33, 65, 1300), (64, 64, 4096), (5, 3, 600)] {
        let size = Size::new(m, n, k);
        assert!(splits(size) > 1);
        let (a, b, before) = (numbers(m * k, 3), numbers(k * n, 4), numbers(m * n, 5));
        let expected = reference(size, &a, &b, [true, false], precision);
        let mut first: Option<Vec<f32>> = None;
        for tiling in TILINGS {
            let buffers = [m * k, k * n, m * n, split_scratch(size)]
                .map(|words| gpu.buffer(words).expect("a small buffer"));
            gpu.write(&buffers[0], 0, &a);
            gpu.write(&buffers[1], 0, &b);
            gpu.write(&buffers[2], 0, &before);
            let mut plan = PlanBuilder::new(gpu);
            plan.set_precision(precision);
            let left = Matrix::new(&buffers[0], 0, m).t();
            let (right, out) = (Matrix::new(&buffers[1], 0, n), Matrix::new(&buffers[2], 0, n));
            plan.matmul_split(size, left, right, out, &buffers[3], Some(tiling));
            plan.build().expect("a plan").submit_all();
            let c: Vec<f32> = gpu.read(&buffers[2], 0, m * n).expect("the device answers");
            for (i, ((c, before), (sum, magnitude))) in c.iter().zip(&before).zip(&expected).enumerate() {
                let error = (f64::from(*c) - sum - f64::from(*before)).abs();
                // What was there before is below 1.
                assert!(
                    error <= 1e-6 * (magnitude + 1.0),
                    "{precision:?} {m}x{n}x{k} {tiling:?} element {i}"
                );
            }
            match &first {
                None => first = Some(c),
                Some(first) => assert!(*first == c, "{precision:?} {m}x{n}x{k} {tiling:?}: other bits"),
            }
        }
    }
}

#[test]
fn products_without_checks_of_indices_have_the_same_bits() {
    let Some(gpu) = device() else { return };
    let (m, n, k) = (33, 70, 129);
    for (precision, tiling) in precisions(gpu).iter().flat_map(|p| TILINGS.map(|tiling| (*p, tiling))) {
        let buffers = [m * k, k * n, m * n].map(|words| gpu.buffer(words).expect("a small buffer"));
        gpu.write(&buffers[0], 0, &numbers(m * k, 1));
        gpu.write(&buffers[1], 0, &numbers(k * n, 2));
        let run = |append: &dyn Fn(&mut PlanBuilder)| -> Vec<f32> {
            gpu.write(&buffers[2], 0, &vec![0.0f32; m * n]);
            let mut plan = PlanBuilder::new(gpu);
            plan.set_precision(precision);
            append(&mut plan);
            plan.build().expect("a plan").submit_all();
            gpu.read(&buffers[2], 0, m * n).expect("the device answers")
        };
        // `matmul_tiled` launches the kernel compiled without checks of indices (trusted.rs), `dispatch` the
        // same kernel with them.
        let without_checks = run(&|plan| {
            let [a, b, c] = [(0, k), (1, n), (2, n)].map(|(i, columns)| Matrix::new(&buffers[i], 0, columns));
            plan.matmul_tiled(Size::new(m, n, k), a, b, c, Epilogue::Store, tiling);
        });
        let with_checks = run(&|plan| {
            let constants = kernel_constants(tiling, [false; 2], Epilogue::Store.number(), precision);
            // The parameters of `product.wgsl`: m, n, k; the length of a split, which is k, and the number of
            // splits; the offset and the strides of each matrix; unused.
            let parameters = [m, n, k, k, 1, 0, k, 0, 0, n, 0, 0, n, 0, 0, 0, 0, 0, 0].map(Word::from);
            let [rows, cols] = [tiling.rows, tiling.cols].map(|n| 16 * n as usize);
            let workgroups = [n.div_ceil(cols), m.div_ceil(rows), 1];
            plan.dispatch("matmul", &constants, &parameters, &buffers.each_ref(), workgroups, 1.0);
        });
        assert!(without_checks == with_checks, "{precision:?} {tiling:?}");
        assert!(without_checks.iter().any(|x| *x != 0.0));
    }
}

#[test]
fn tuned_products_have_the_same_bits() {
    let Some(gpu) = device() else { return };
    let (m, n, k) = (100, 70, 50);
    let (a, b) = (numbers(m * k, 1), numbers(k * n, 2));
    let product = |gpu: &Gpu, precision: Precision| -> Vec<f32> {
        let buffers = [m * k, k * n, m * n].map(|words| gpu.buffer(words).expect("a small buffer"));
        gpu.write(&buffers[0], 0, &a);
        gpu.write(&buffers[1], 0, &b);
        let mut plan = PlanBuilder::new(gpu);
        plan.set_precision(precision);
        let [a, b, c] = [(0, k), (1, n), (2, n)].map(|(i, columns)| Matrix::new(&buffers[i], 0, columns));
        plan.matmul(Size::new(m, n, k), a, b, c, Epilogue::Store);
        plan.build().expect("a plan").submit_all();
        gpu.read(&buffers[2], 0, m * n).expect("the device answers")
    };
    let software = true;
    let tuned = learnery_gpu::block_on(Gpu::open(software)).unwrap();
    tuned.tune();
    for precision in precisions(gpu) {
        assert!(product(gpu, *precision) == product(&tuned, *precision), "{precision:?}");
    }
}

#[test]
fn limits_of_the_device_are_measured() {
    let Some(gpu) = device() else { return };
    let peaks = learnery_gpu::bench::measure_peaks(gpu).unwrap();
    assert!(peaks.flops_per_second > 1e6 && peaks.bytes_per_second > 1e6, "{peaks:?}");
    for (tiling, rate) in learnery_gpu::bench::square_matmuls(gpu, 64).unwrap() {
        assert!(rate > 1e3, "{tiling:?}: {rate}");
    }
}
