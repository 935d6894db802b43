//! Bias, activations, log-softmax, reductions and the Adam step against their references.

use crate::{Source, assert_same, on_every_isa};
use learnery_kernels::optim::{AdamStep, adam};
use learnery_kernels::{activation, reduce, reference};

/// Panics unless every value is within `relative` (a fraction of the expected value) plus `absolute` of the
/// expected value, or both are NaN.
#[track_caller]
fn assert_close(what: &str, got: &[f32], expected: &[f32], relative: f32, absolute: f32) {
    assert_eq!(got.len(), expected.len());
    for (i, (g, e)) in got.iter().zip(expected).enumerate() {
        let fine = g.to_bits() == e.to_bits()
            || g == e
            || (g - e).abs() <= relative * e.abs() + absolute
            || (g.is_nan() && e.is_nan());
        assert!(fine, "{what}: value {i} is {g:e} and should be {e:e}");
    }
}

/// Calls `test` with many sizes: numbers of rows and columns, and the start of the slices in their buffers.
fn for_many_sizes(seed: u32, test: impl Fn(&str, &mut Source, usize, usize, usize)) {
    on_every_isa(|isa| {
        let mut source = Source::new(seed);
        for cols in 1..70 {
            let (rows, start) = (source.below(9), source.below(4));
            test(isa, &mut source, rows, cols, start);
        }
    });
}

#[test]
fn bias_add_and_bias_tanh_match_the_reference() {
    for_many_sizes(10, |isa, source, rows, cols, start| {
        let (x, bias) = (
            source.numbers_with_special_values(start + rows * cols),
            source.numbers_with_special_values(start + cols),
        );
        let bias = &bias[start..];
        let (mut got, mut expected) = (x.clone(), x.clone());
        activation::bias_add(&mut got[start..], bias);
        reference::bias_add(&mut expected[start..], bias);
        assert_same(isa, &got, &expected);
        let (mut got, mut expected) = (x.clone(), x);
        activation::bias_tanh(&mut got[start..], bias);
        reference::bias_tanh(&mut expected[start..], bias);
        assert_close(isa, &got, &expected, 8e-7, 0.0);
    });
}

#[test]
fn tanh_backward_matches_the_reference() {
    for_many_sizes(11, |isa, source, rows, cols, start| {
        let dy = source.numbers_with_special_values(start + rows * cols);
        let mut y = source.numbers(start + rows * cols);
        // Some outputs are saturated.
        y.iter_mut().step_by(5).for_each(|y| *y = y.signum());
        let (mut got, mut expected) = (dy.clone(), dy.clone());
        activation::tanh_backward(&mut got[start..], &y[start..]);
        reference::tanh_backward(&mut expected[start..], &y[start..]);
        // Where y is near one, 1 - y * y loses digits on instruction sets that round the square first.
        for ((g, e), d) in got.iter().zip(&expected).zip(&dy) {
            assert_close(isa, &[*g], &[*e], 1e-6, d.abs() * 1e-7 + f32::MIN_POSITIVE);
        }
    });
}

#[test]
fn log_softmax_matches_the_reference() {
    for_many_sizes(12, |isa, source, rows, cols, start| {
        let mut x = source.numbers(start + rows * cols);
        x.iter_mut().for_each(|v| *v *= 20.0);
        for i in (start..x.len()).step_by(11) {
            x[i] = [f32::NEG_INFINITY, 0.0, 1e30, -1e30, 200.0][i % 5];
        }
        let mut with_nan = x.clone();
        if let Some(v) = with_nan.get_mut(start + cols / 2) {
            *v = f32::NAN;
        }
        for x in [x, with_nan] {
            let (mut got, mut expected) = (x.clone(), x);
            activation::log_softmax(&mut got[start..], cols);
            reference::log_softmax(&mut expected[start..], cols);
            assert_close(isa, &got, &expected, 1e-6, 2e-5);
        }
    });
}

#[test]
fn sums_match_the_reference() {
    for_many_sizes(13, |isa, source, rows, cols, start| {
        let (x, out) = (
            source.numbers_with_special_values(start + rows * cols),
            source.numbers_with_special_values(start + cols),
        );
        let (mut got, mut expected) = (out.clone(), out.clone());
        reduce::add_column_sums(&mut got[start..], &x[start..]);
        reference::add_column_sums(&mut expected[start..], &x[start..]);
        assert_same(isa, &got, &expected);
        let (mut got, mut expected) = (x.clone(), x.clone());
        let addend = source.numbers_with_special_values(rows * cols);
        reduce::add_assign(&mut got[start..], &addend);
        reference::add_assign(&mut expected[start..], &addend);
        assert_same(isa, &got, &expected);
        let (got, expected) = (reduce::sum_squares(&x[start..]), reference::sum_squares(&x[start..]));
        let fine = got == expected || (got.is_nan() && expected.is_nan());
        assert!(fine || (got - expected).abs() <= 1e-14 * expected, "{got} for {expected} on {isa}");
    });
}

#[test]
fn sum_squares_has_the_same_bits_on_every_isa() {
    let x = Source::new(14).numbers(1003);
    // The documented order: 16 partial sums in turn, then the halves of the list are added until one is left.
    let mut parts = [0.0f64; 16];
    for (i, v) in x.iter().enumerate() {
        parts[i % parts.len()] += f64::from(*v) * f64::from(*v);
    }
    let halves = |v: &[f64]| -> Vec<f64> { (0..v.len() / 2).map(|i| v[i] + v[i + v.len() / 2]).collect() };
    let expected = halves(&halves(&halves(&halves(&parts))))[0];
    on_every_isa(|isa| assert_eq!(reduce::sum_squares(&x).to_bits(), expected.to_bits(), "on {isa}"));
}

#[test]
fn adam_is_bit_identical_to_its_reference() {
    for_many_sizes(15, |isa, source, rows, cols, start| {
        let len = start + rows * cols;
        let step = AdamStep {
            lr: 1e-3,
            beta1: 0.9,
            beta2: 0.999,
            eps: 1e-8,
            weight_decay: if cols % 2 == 0 { 0.0 } else { 0.01 },
            grad_scale: 0.7,
            t: 1 + source.below(1000) as u64,
        };
        let (g, v) = (source.numbers_with_special_values(len), source.numbers(len));
        let (p, m) = (source.numbers(len), source.numbers_with_special_values(len));
        let v: Vec<f32> = v.into_iter().map(f32::abs).collect();
        let (mut got, mut expected) = ([p.clone(), m.clone(), v.clone()], [p, m, v]);
        for (run, parameters_and_moments) in
            [(adam as fn(&mut [f32], &_, &mut _, &mut _, &_), &mut got), (reference::adam, &mut expected)]
        {
            let [p, m, v] = parameters_and_moments;
            run(&mut p[start..], &g[start..], &mut m[start..], &mut v[start..], &step);
        }
        for (got, expected) in got.iter().zip(&expected) {
            assert_same(isa, got, expected);
        }
    });
}
