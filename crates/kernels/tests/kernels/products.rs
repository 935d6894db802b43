//! Matrix products of many sizes, strides and values against the reference. A row is bit-identical in every
//! batch.

use self::Layout::{RowMajor, Transposed};
use crate::{Source, assert_same, on_every_isa};
use learnery_kernels::gemm::{Mat, gemm};
use learnery_kernels::linear::PackedMatrix;
use learnery_kernels::reference;
use learnery_kernels::weight_gradient::add_weight_gradient;

/// How the elements of a view lie in its data.
#[derive(Clone, Copy, Debug)]
enum Layout {
    RowMajor,
    Transposed,
    PartOfRowMajor,
    PartOfTransposed,
    GapsBetweenElements,
}

const LAYOUTS: [Layout; 5] =
    [RowMajor, Transposed, Layout::PartOfRowMajor, Layout::PartOfTransposed, Layout::GapsBetweenElements];

/// Pairs of layouts of two operands, without parts and gaps.
const PLAIN_LAYOUTS: [[Layout; 2]; 4] =
    [[RowMajor, RowMajor], [RowMajor, Transposed], [Transposed, RowMajor], [Transposed, Transposed]];

/// A `rows x cols` view of `data`.
fn view<'a>(data: &'a [f32], rows: usize, cols: usize, layout: Layout) -> Mat<'a> {
    match layout {
        RowMajor => Mat::new(data, rows, cols),
        Transposed => Mat::new(data, cols, rows).t(),
        Layout::PartOfRowMajor => Mat { data: &data[1..], rows, cols, row_stride: cols + 3, col_stride: 1 },
        Layout::PartOfTransposed => Mat { data: &data[1..], rows, cols, row_stride: 1, col_stride: rows + 3 },
        Layout::GapsBetweenElements => Mat { data, rows, cols, row_stride: 2 * cols + 1, col_stride: 2 },
    }
}

/// The last argument of [`gemm`]: whether the product is added to the output.
const OVERWRITE: bool = false;
const ACCUMULATE: bool = true;

/// A number of values that is enough for a [`view`] of each layout.
fn capacity(rows: usize, cols: usize) -> usize {
    2 * (rows + 3) * (cols + 3)
}

/// Compares a product with the reference, with a tolerance relative to the sum of magnitudes. With `special`,
/// the operands have infinities, NaN and other special values.
fn check(
    isa: &str,
    source: &mut Source,
    [m, k, n]: [usize; 3],
    [a_layout, b_layout]: [Layout; 2],
    special: bool,
) {
    let mut draw = |len| if special { source.numbers_with_special_values(len) } else { source.numbers(len) };
    let (a, b, before) = (draw(capacity(m, k)), draw(capacity(k, n)), draw(m * n + 5));
    let (a, b) = (view(&a, m, k, a_layout), view(&b, k, n, b_layout));
    for accumulate in [false, true] {
        let (mut got, mut expected) = (before.clone(), before.clone());
        gemm(&mut got[1..], a, b, accumulate);
        reference::gemm(&mut expected[1..], a, b, accumulate);
        let what = format!("{m}x{k}x{n}, {a_layout:?} and {b_layout:?}, accumulate {accumulate}, on {isa}");
        assert_same(&what, &got[..1], &before[..1]);
        assert_same(&what, &got[1 + m * n..], &before[1 + m * n..]);
        for i in 0..m {
            for j in 0..n {
                let size: f32 = (0..k).map(|p| (a.at(i, p) * b.at(p, j)).abs()).sum();
                let size = size + before[1 + i * n + j].abs();
                let (g, e) = (got[1 + i * n + j], expected[1 + i * n + j]);
                // Whether a sum overflows depends on its order and rounding, so such elements may differ.
                let fine = !size.is_finite() || (g - e).abs() <= 1e-5 * size + f32::MIN_POSITIVE;
                assert!(fine, "({i}, {j}) of {what} is {g:e} and should be {e:e}");
                assert!(
                    !e.is_nan() || !g.is_finite() || !size.is_nan(),
                    "lost a NaN at ({i}, {j}) of {what}"
                );
            }
        }
    }
}

#[test]
fn gemm_matches_the_reference() {
    on_every_isa(|isa| {
        let mut source = Source::new(4);
        for case in 0..600 {
            let sizes = [source.below(71), source.below(71), source.below(71)];
            let layouts = [LAYOUTS[source.below(LAYOUTS.len())], LAYOUTS[source.below(LAYOUTS.len())]];
            let special_values = case % 4 == 0;
            check(isa, &mut source, sizes, layouts, special_values);
        }
        // Rows, inner size and columns: narrow outputs, and more than one block of the inner dimension.
        for sizes in [[1, 1, 1], [300, 64, 1], [129, 64, 2], [257, 64, 5], [64, 600, 48], [3, 513, 130]] {
            for [b_layout, a_layout] in PLAIN_LAYOUTS {
                let special_values = false;
                check(isa, &mut source, sizes, [a_layout, b_layout], special_values);
            }
        }
    });
}

#[test]
fn gemm_row_has_the_same_bits_in_every_batch() {
    on_every_isa(|isa| {
        let mut source = Source::new(5);
        for [k, n] in [[1, 1], [4, 64], [64, 1], [64, 2], [64, 5], [64, 64], [37, 70], [300, 33], [520, 17]] {
            for layouts in PLAIN_LAYOUTS {
                let rows = 131;
                let (a, b) = (source.numbers(rows * k), source.numbers(k * n));
                let (a, b) = (view(&a, rows, k, layouts[0]), view(&b, k, n, layouts[1]));
                let mut whole = vec![0.0; rows * n];
                gemm(&mut whole, a, b, OVERWRITE);
                for count in [1, 2, 3, 7, 8, 13, 32, 64, 100] {
                    let first = source.below(rows - count);
                    let part = Mat { data: &a.data[first * a.row_stride..], rows: count, ..a };
                    let mut got = vec![0.0; count * n];
                    gemm(&mut got, part, b, OVERWRITE);
                    let what = format!("rows {first}..+{count} of k {k}, n {n}, {layouts:?} on {isa}");
                    assert_same(&what, &got, &whole[first * n..(first + count) * n]);
                }
            }
        }
    });
}

/// The order is: along the inner dimension, in blocks of 256, each block from zero.
#[test]
fn gemm_sums_in_the_documented_order() {
    let [m, k, n] = [5, 600, 7];
    let mut source = Source::new(6);
    let (a, b) = (source.numbers(m * k), source.numbers(k * n));
    on_every_isa(|isa| {
        let fused = !matches!(isa, "portable" | "simd128");
        let mut got = vec![0.0; m * n];
        gemm(&mut got, Mat::new(&a, m, k), Mat::new(&b, k, n), OVERWRITE);
        for i in 0..m {
            for j in 0..n {
                let block = |from: usize| {
                    (from..k.min(from + 256)).fold(0.0f32, |sum, p| {
                        let (x, y) = (a[i * k + p], b[p * n + j]);
                        if fused { x.mul_add(y, sum) } else { x * y + sum }
                    })
                };
                let expected = (256..k).step_by(256).fold(block(0), |sum, from| sum + block(from));
                assert_same(isa, &[got[i * n + j]], &[expected]);
            }
        }
    });
}

#[test]
fn gemm_accepts_empty_matrices() {
    on_every_isa(|_| {
        gemm(&mut [], Mat::new(&[], 0, 3), Mat::new(&[0.0; 6], 3, 2), OVERWRITE);
        let mut out = [5.0; 6];
        gemm(&mut out, Mat::new(&[], 3, 0), Mat::new(&[], 0, 2), ACCUMULATE);
        assert_eq!(out, [5.0; 6]);
        gemm(&mut out, Mat::new(&[], 3, 0), Mat::new(&[], 0, 2), OVERWRITE);
        assert_eq!(out, [0.0; 6]);
    });
}

#[test]
#[should_panic(expected = "leaves its")]
fn view_beyond_its_data_is_rejected() {
    let data = [1.0; 11];
    let a = Mat { data: &data, rows: 3, cols: 4, row_stride: 4, col_stride: 1 };
    gemm(&mut [0.0; 9], a, Mat::new(&[1.0; 12], 4, 3), OVERWRITE);
}

#[test]
#[should_panic(expected = "leaves its")]
fn strides_beyond_the_address_space_are_rejected() {
    let a = Mat { data: &[1.0], rows: 3, cols: 1, row_stride: usize::MAX, col_stride: 1 };
    gemm(&mut [0.0; 9], a, Mat::new(&[1.0; 3], 1, 3), OVERWRITE);
}

/// A part of the rows of the gradient, computed alone, is bit-identical.
#[test]
fn add_weight_gradient_matches_the_reference() {
    on_every_isa(|isa| {
        let mut source = Source::new(50);
        let mut dy = PackedMatrix::new(600, 100);
        for case in 0..40 {
            let rows = if case == 0 { 600 } else { source.below(90) };
            let (inputs, outputs) = (1 + source.below(140), 100);
            let (x, y) = (source.numbers(rows * inputs), source.numbers(rows * outputs));
            dy.set_inputs(rows);
            dy.pack(&y);
            let before = source.numbers(inputs * outputs);
            let mut out = before.clone();
            add_weight_gradient(&mut out, Mat::new(&x, rows, inputs), &dy);
            let mut expected = before.clone();
            let (x, y) = (Mat::new(&x, rows, inputs), Mat::new(&y, rows, outputs));
            reference::gemm(&mut expected, x.t(), y, ACCUMULATE);
            for (i, (got, expected)) in out.iter().zip(&expected).enumerate() {
                assert!(
                    (got - expected).abs() < 1e-4,
                    "{i} of {rows}x{inputs} on {isa}: {got} and {expected}"
                );
            }
            let first = source.below(inputs);
            let part = Mat { data: x.data.get(first..).unwrap_or(&[]), cols: inputs - first, ..x };
            let mut alone = before;
            add_weight_gradient(&mut alone[first * outputs..], part, &dy);
            assert_same(isa, &alone[first * outputs..], &out[first * outputs..]);
        }
    });
}
