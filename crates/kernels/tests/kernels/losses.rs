//! Softmax, cross-entropy losses, derivatives of activations and vector operations, against their definitions
//! in `f64`.

use crate::{Source, assert_same, on_every_isa, same};
use learnery_kernels::activation::Activation;
use learnery_kernels::loss::{Targets, sigmoid_cross_entropy, softmax_cross_entropy};
use learnery_kernels::{activation, reduce, reference, vector};

/// Logits of all magnitudes, some of them minus infinity, and a mask; in some rows, all values are masked.
fn logits(source: &mut Source, rows: usize, cols: usize) -> (Vec<f32>, Vec<u8>) {
    let mut x = source.numbers(rows * cols);
    x.iter_mut().for_each(|v| *v *= 10.0);
    // Any byte but zero selects a value.
    let mut mask: Vec<u8> = (0..rows * cols).map(|_| [0, 1, 255][source.below(3)]).collect();
    for i in 0..rows * cols {
        x[i] = match source.below(20) {
            0 => f32::NEG_INFINITY,
            1 => -1e30,
            2 if mask[i] == 0 => f32::NAN,
            3 if mask[i] == 0 => f32::INFINITY,
            _ => x[i],
        };
    }
    for r in (0..rows).filter(|r| r % 5 == 4) {
        mask[r * cols..(r + 1) * cols].fill(0);
    }
    (x, mask)
}

#[track_caller]
fn assert_near(what: &str, got: f32, expected: f64, tolerance: f64) {
    let fine =
        same(got, expected as f32) || (f64::from(got) - expected).abs() <= tolerance * (1.0 + expected.abs());
    assert!(fine, "{what}: {got:e} should be {expected:e}");
}

#[test]
fn masked_softmax_matches_the_reference() {
    on_every_isa(|isa| {
        let mut source = Source::new(30);
        for cols in (1..70).chain([676]) {
            let rows = 1 + source.below(11);
            let (x, mask) = logits(&mut source, rows, cols);
            let (mut p, mut logs) = (x.clone(), x.clone());
            activation::masked_softmax(&mut p, &mask, cols);
            activation::masked_log_softmax(&mut logs, &mask, cols);
            let mut cleared = x.clone();
            cleared
                .iter_mut()
                .zip(&mask)
                .for_each(|(v, m)| *v = if *m == 0 { f32::NEG_INFINITY } else { *v });
            let mut sums = vec![0.0; rows];
            activation::log_sum_exp(&mut sums, &cleared, cols);
            for r in 0..rows {
                let row = &cleared[r * cols..][..cols];
                let expected = reference::log_softmax_row(row);
                let what = format!("row {r} of {rows}x{cols} on {isa}");
                assert_near(&what, sums[r], reference::log_sum_exp(row), 1e-6);
                for (j, expected) in expected.into_iter().enumerate() {
                    let i = r * cols + j;
                    assert_near(&what, logs[i], expected, 2e-6);
                    assert_near(&what, p[i], expected.exp(), 2e-6);
                    assert!(mask[i] != 0 || p[i] == 0.0, "{what}: a masked value has a probability");
                }
            }
            // Without a mask, with minus infinity for masked values: the same bits.
            let mut plain = cleared.clone();
            activation::softmax(&mut plain, cols);
            assert_same(isa, &plain, &p);
            activation::log_softmax(&mut cleared, cols);
            assert_same(isa, &cleared, &logs);
        }
    });
}

/// Which columns of a row a mask selects.
#[derive(Clone, Copy, Debug)]
enum Selection {
    NoColumn,
    AnyColumn,
    LastColumn,
    AllColumns,
    /// The number of columns in a quarter of the row, plus this.
    QuarterAnd(isize),
    /// Every column with a probability of one in this.
    OneIn(usize),
}

const SELECTIONS: [Selection; 12] = [
    Selection::NoColumn,
    Selection::AnyColumn,
    Selection::LastColumn,
    Selection::AllColumns,
    // A quarter is the largest number of columns that is gathered.
    Selection::QuarterAnd(-1),
    Selection::QuarterAnd(0),
    Selection::QuarterAnd(1),
    Selection::OneIn(5),
    Selection::OneIn(10),
    Selection::OneIn(15),
    Selection::OneIn(20),
    Selection::OneIn(25),
];

/// A mask over the columns of a row.
fn sparse_mask(source: &mut Source, cols: usize, selection: Selection) -> Vec<u8> {
    let mut mask = vec![0; cols];
    match selection {
        Selection::NoColumn => {}
        // Any byte but zero selects a value.
        Selection::AnyColumn => mask[source.below(cols)] = 255,
        Selection::LastColumn => mask[cols - 1] = 1,
        Selection::AllColumns => mask.fill(128),
        // Every third column, so that the selected ones are apart.
        Selection::QuarterAnd(more) => {
            (0..(cols / 4).saturating_add_signed(more)).for_each(|i| mask[3 * i] = 1);
        }
        Selection::OneIn(n) => mask.iter_mut().for_each(|m| *m = u8::from(source.below(n) == 0)),
    }
    mask
}

/// If a mask selects few values, the kernels gather them. The result is bit-identical to the result of a
/// whole row in which all other values are minus infinity.
#[test]
fn sparse_rows_are_bit_identical_to_whole_rows() {
    on_every_isa(|isa| {
        let mut source = Source::new(37);
        for cols in (17..90).chain([128, 512, 519, 676, 1100]) {
            for (case, selection) in SELECTIONS.into_iter().enumerate() {
                let mask = sparse_mask(&mut source, cols, selection);
                let x = if case % 2 == 0 {
                    source.numbers_with_special_values(cols)
                } else {
                    source.numbers(cols)
                };
                let mut cleared = x.clone();
                for (v, m) in cleared.iter_mut().zip(&mask) {
                    *v = if *m == 0 { f32::NEG_INFINITY } else { *v };
                }
                let what = format!("mask of {selection:?} of {cols} on {isa}");
                let (mut p, mut expected) = (x.clone(), cleared.clone());
                activation::masked_softmax(&mut p, &mask, cols);
                activation::softmax(&mut expected, cols);
                assert_same(&what, &p, &expected);
                let (mut logs, mut expected) = (x.clone(), cleared.clone());
                activation::masked_log_softmax(&mut logs, &mask, cols);
                activation::log_softmax(&mut expected, cols);
                assert_same(&what, &logs, &expected);

                let mut targets = source.numbers(cols);
                targets[source.below(cols)] = 0.0;
                let class = [source.below(cols) as u32];
                for targets in [Targets::Rows(&targets), Targets::Classes(&class)] {
                    let run = |x: &[f32], mask: Option<&[u8]>| {
                        let (mut loss, mut gradient) = ([f32::NAN], vec![f32::NAN; cols]);
                        let scale = 0.5;
                        softmax_cross_entropy(&mut loss, &mut gradient, x, targets, mask, scale);
                        [&loss[..], &gradient].concat()
                    };
                    assert_same(&what, &run(&x, Some(&mask)), &run(&cleared, None));
                }
            }
        }
    });
}

#[test]
fn nan_spreads_over_its_whole_row_and_no_other() {
    on_every_isa(|isa| {
        let mut source = Source::new(31);
        for cols in [2, 3, 16, 17, 40] {
            let mut x = source.numbers(3 * cols);
            x[cols + cols / 2] = f32::NAN;
            activation::softmax(&mut x, cols);
            assert!(x[cols..2 * cols].iter().all(|v| v.is_nan()), "{cols} columns on {isa}");
            assert!(x[..cols].iter().chain(&x[2 * cols..]).all(|v| *v <= 1.0), "{cols} columns on {isa}");
        }
    });
}

#[test]
fn softmax_cross_entropy_matches_the_reference() {
    on_every_isa(|isa| {
        let mut source = Source::new(32);
        for cols in (1..40).chain([100]) {
            let rows = 1 + source.below(7);
            let (x, mask) = logits(&mut source, rows, cols);
            let mut targets = source.numbers(rows * cols);
            targets.iter_mut().for_each(|t| *t = t.max(0.0));
            let classes: Vec<u32> = (0..rows).map(|_| source.below(cols) as u32).collect();
            let one_hot: Vec<f32> =
                (0..rows * cols).map(|i| f32::from(classes[i / cols] as usize == i % cols)).collect();
            for (given_targets, expected_targets) in
                [(Targets::Rows(&targets), &targets), (Targets::Classes(&classes), &one_hot)]
            {
                let (mut losses, mut gradient) = (vec![f32::NAN; rows], vec![f32::NAN; rows * cols]);
                // The last argument is a factor of the gradient, but not of the loss.
                softmax_cross_entropy(&mut losses, &mut gradient, &x, given_targets, Some(&mask), 0.5);
                for (r, got) in losses.into_iter().enumerate() {
                    let span = r * cols..(r + 1) * cols;
                    let row: Vec<f32> = x[span.clone()]
                        .iter()
                        .zip(&mask[span.clone()])
                        .map(|(v, m)| if *m == 0 { f32::NEG_INFINITY } else { *v })
                        .collect();
                    let (loss, slopes) = reference::cross_entropy_row(&row, &expected_targets[span.clone()]);
                    let what = format!("row {r} of {rows}x{cols} on {isa}");
                    assert_near(&what, got, loss, 1e-5);
                    for (g, e) in gradient[span].iter().zip(slopes) {
                        assert_near(&what, *g, 0.5 * e, 1e-5);
                    }
                }
            }
            // No mask gives the same result as a mask of ones.
            let x = source.numbers(rows * cols);
            let run = |mask: Option<&[u8]>| {
                let (mut losses, mut gradient) = (vec![0.0; rows], vec![0.0; rows * cols]);
                softmax_cross_entropy(&mut losses, &mut gradient, &x, Targets::Rows(&targets), mask, 1.0);
                [losses, gradient].concat()
            };
            assert_same(isa, &run(None), &run(Some(&vec![1; rows * cols])));
        }
    });
}

#[test]
fn sigmoid_cross_entropy_matches_the_reference() {
    on_every_isa(|isa| {
        let mut source = Source::new(33);
        for cols in 1..40 {
            let rows = 1 + source.below(7);
            let mut x = source.numbers(rows * cols);
            x.iter_mut().enumerate().for_each(|(i, v)| *v *= [1.0, 20.0, 200.0, 1e6][i % 4]);
            let t: Vec<f32> = (0..rows * cols).map(|i| [0.0, 1.0, 0.3][i % 3]).collect();
            let (mut losses, mut gradient) = (vec![0.0; rows], vec![0.0; rows * cols]);
            // The last argument is a factor of the gradient, but not of the loss.
            sigmoid_cross_entropy(&mut losses, &mut gradient, &x, &t, 0.25);
            for (r, loss) in losses.into_iter().enumerate() {
                let mut expected = 0.0;
                for i in r * cols..(r + 1) * cols {
                    let (x, t) = (f64::from(x[i]), f64::from(t[i]));
                    expected += x.max(0.0) - x * t + (-x.abs()).exp().ln_1p();
                    assert_near(isa, gradient[i], 0.25 * (reference::sigmoid(x) - t), 1e-6);
                }
                assert_near(isa, loss, expected, 1e-5);
            }
        }
    });
}

#[test]
fn activation_derivatives_agree_with_finite_differences() {
    on_every_isa(|isa| {
        let mut source = Source::new(34);
        for len in 0..70 {
            let (x, dy) = (source.numbers(len), source.numbers(len));
            let x: Vec<f32> = x.iter().map(|v| v * 6.0).collect();
            for which in [
                Activation::Identity,
                Activation::Relu,
                Activation::Tanh,
                Activation::Gelu,
                Activation::Sigmoid,
            ] {
                let y: Vec<f32> =
                    x.iter().map(|&v| reference::activation(f64::from(v), which) as f32).collect();
                let mut dx = dy.clone();
                which.backward(&mut dx, if which == Activation::Gelu { &x } else { &y });
                for i in 0..len {
                    let f = |h: f64| reference::activation(f64::from(x[i]) + h, which);
                    let slope = (f(1e-5) - f(-1e-5)) / 2e-5;
                    assert_near(
                        &format!("{which:?}'({}) on {isa}", x[i]),
                        dx[i],
                        f64::from(dy[i]) * slope,
                        2e-6,
                    );
                }
            }
        }
        // For large arguments, the derivative of GELU is one or zero.
        let mut far = [1.0; 4];
        activation::gelu_backward(&mut far, &[1e30, -1e30, f32::MAX, -f32::MAX]);
        assert_same(isa, &far, &[1.0, 0.0, 1.0, 0.0]);
    });
}

#[test]
fn relu_and_gelu_match_the_reference() {
    on_every_isa(|isa| {
        let x = Source::new(35).numbers_with_special_values(3000);
        let (mut relu, mut gelu) = (x.clone(), x.clone());
        activation::relu(&mut relu);
        activation::gelu(&mut gelu);
        for ((x, relu), gelu) in x.iter().zip(relu).zip(gelu) {
            assert_same(isa, &[relu], &[if *x < 0.0 { 0.0 } else { *x }]);
            let expected = reference::gelu(f64::from(*x));
            assert!(
                !x.is_finite() || (f64::from(gelu) - expected).abs() <= 1e-6 * expected.abs() + 2e-7,
                "gelu({x:e}) is {gelu:e} and should be {expected:e} on {isa}"
            );
        }
    });
}

#[test]
fn vector_operations_match_their_definitions() {
    on_every_isa(|isa| {
        let mut source = Source::new(36);
        for len in 0..130 {
            let (x, y, a) = (source.numbers(len), source.numbers(len), source.number());
            let (mut scaled, mut added, mut moved) = (x.clone(), y.clone(), y.clone());
            vector::scale(&mut scaled, a);
            vector::axpy(&mut added, a, &x);
            vector::lerp(&mut moved, a, &x);
            let mut dot = 0.0;
            for i in 0..len {
                let (x, y, a) = (f64::from(x[i]), f64::from(y[i]), f64::from(a));
                assert_near(isa, scaled[i], a * x, 1e-7);
                assert_near(isa, added[i], y + a * x, 2e-7);
                assert_near(isa, moved[i], y + a * (x - y), 4e-7);
                dot += x * y;
            }
            assert_near(isa, vector::dot(&x, &y), dot, 2e-6);
            let norm = reduce::global_norm([&x[..], &y[..]]);
            let expected = (reference::sum_squares(&x) + reference::sum_squares(&y)).sqrt();
            assert!((norm - expected).abs() <= 1e-12 * expected);
        }
    });
}
