//! Gates parametrised by the four rows of their truth table instead of a mixture of 16 kinds (Ruettgers,
//! Aczel, Plesner and Wattenhofer, "Light differentiable logic gate networks", 2025). The sigmoids of four
//! logits are the probabilities that the output is 1 for the inputs (0, 0), (0, 1), (1, 0) and (1, 1).

use super::{at_least_min, split_in_four, transpose_gradients, zero_if_negligible};
// `dispatch` runs an `Op`, a computation generic over the instruction set `S`, with the best set of this
// machine.
use crate::simd::{Op, Simd, dispatch, load_padded, math, store_partial};

/// Lines of a truth table of two inputs: (0, 0), (0, 1), (1, 0), (1, 1).
pub const LINES: usize = 4;

/// Computes the polynomial coefficients of gates from the logits of their truth tables.
/// Shapes: `logits [4, gates] -> coefs [4, gates]`.
pub fn table_coefficients(logits: &[f32], coefs: &mut [f32]) {
    let gates = coefs.len() / 4;
    assert!(coefs.len() == 4 * gates && logits.len() == LINES * gates);
    dispatch(TableCoefficients { logits, coefs, gates });
}

/// Backward pass of [`table_coefficients`]; overwrites `d_logits`.
/// Shapes: `d_coefs [gates, 4] -> d_logits [4, gates]`.
pub fn table_backward(logits: &[f32], d_coefs: &[f32], d_logits: &mut [f32]) {
    let gates = d_coefs.len() / 4;
    assert!(d_coefs.len() == 4 * gates && logits.len() == LINES * gates && d_logits.len() == logits.len());
    dispatch(TableBackward { logits, d_coefs, d_logits, gates });
}

/// The arguments of [`table_coefficients`], checked.
struct TableCoefficients<'a> {
    logits: &'a [f32],
    coefs: &'a mut [f32],
    gates: usize,
}

impl Op for TableCoefficients<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { logits, coefs, gates } = self;
        let lines = split_in_four(logits, gates);
        for first in (0..gates).step_by(S::LANES) {
            let end = gates.min(first + S::LANES);
            let mut outputs = [s.splat(0.0); LINES];
            for (output, line) in outputs.iter_mut().zip(lines) {
                *output = math::sigmoid(s, load_padded(s, &line[first..end], 0.0));
            }
            let [f00, f01, f10, f11] = outputs;
            // The polynomial c + c_a a + c_b b + c_ab a b with these values at the corners. The constant has
            // a minimum, because otherwise products of small outputs over many layers become denormal, and
            // arithmetic on denormal numbers is slow. Negligible coefficients are below the rounding errors
            // of the others.
            let c_ab = s.add(s.sub(f11, f10), s.sub(f00, f01));
            let c_a = zero_if_negligible(s, s.sub(f10, f00));
            let c_b = zero_if_negligible(s, s.sub(f01, f00));
            let all = [at_least_min(s, f00), c_a, c_b, zero_if_negligible(s, c_ab)];
            for (coefs, c) in coefs.chunks_exact_mut(gates).zip(all) {
                store_partial(s, &mut coefs[first..end], c);
            }
        }
    }
}

/// The arguments of [`table_backward`], checked.
struct TableBackward<'a> {
    logits: &'a [f32],
    d_coefs: &'a [f32],
    d_logits: &'a mut [f32],
    gates: usize,
}

impl Op for TableBackward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { logits, d_coefs, d_logits, gates } = self;
        let lines = split_in_four(logits, gates);
        for first in (0..gates).step_by(S::LANES) {
            let end = gates.min(first + S::LANES);
            let [d0, d1, d2, d3] = transpose_gradients(s, &d_coefs[4 * first..4 * end]);
            // By the chain rule, in the formulas for the coefficients above. f00 is in all four, f11 only in
            // c_ab.
            let (d10, d01) = (s.sub(d1, d3), s.sub(d2, d3));
            let output_gradients = [s.sub(s.sub(d0, d1), d01), d01, d10, d3];
            let each = d_logits.chunks_exact_mut(gates).zip(lines).zip(output_gradients);
            for ((d_logits, line), gradient) in each {
                let probability = math::sigmoid(s, load_padded(s, &line[first..end], 0.0));
                let derivative = s.mul(probability, s.sub(s.splat(1.0), probability));
                store_partial(s, &mut d_logits[first..end], s.mul(derivative, gradient));
            }
        }
    }
}
