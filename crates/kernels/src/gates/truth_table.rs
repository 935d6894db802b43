//! Gates described by the four lines of their truth table instead of a mixture of sixteen kinds: how likely each answer is
//! a one (Ruettgers, Aczel, Plesner and Wattenhofer, "Light differentiable logic gate networks", 2025). The logits are
//! those of the answers to (0, 0), (0, 1), (1, 0) and (1, 1).

use super::{by_coefficient, cleared, quarters, raised};
use crate::simd::{Op, Simd, dispatch, load_padded, math, store_partial};

/// Lines of a truth table.
pub const LINES: usize = 4;

/// The coefficients of gates whose answers are ones with the sigmoids of `logits`. // logits [4, gates] -> coefs [4, gates]
pub fn table_coefficients(logits: &[f32], coefs: &mut [f32]) {
    let gates = coefs.len() / 4;
    assert!(coefs.len() == 4 * gates && logits.len() == LINES * gates);
    dispatch(Mix { logits, coefs, gates });
}

/// The gradient at the logits from that at the coefficients. // d_coefs [gates, 4] -> d_logits [4, gates], replaced
pub fn table_backward(logits: &[f32], d_coefs: &[f32], d_logits: &mut [f32]) {
    let gates = d_coefs.len() / 4;
    assert!(d_coefs.len() == 4 * gates && logits.len() == LINES * gates && d_logits.len() == logits.len());
    dispatch(Unmix { logits, d_coefs, d_logits, gates });
}

struct Mix<'a> {
    logits: &'a [f32],
    coefs: &'a mut [f32],
    gates: usize,
}

impl Op for Mix<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { logits, coefs, gates } = self;
        let lines = quarters(logits, gates);
        for at in (0..gates).step_by(S::LANES) {
            let end = gates.min(at + S::LANES);
            let mut answers = [s.splat(0.0); LINES];
            for (answer, line) in answers.iter_mut().zip(lines) {
                *answer = math::sigmoid(s, load_padded(s, &line[at..end], 0.0));
            }
            let [none, b, a, both] = answers;
            let of_ab = s.add(s.sub(both, a), s.sub(none, b));
            let from_a = cleared(s, s.sub(a, none));
            let from_b = cleared(s, s.sub(b, none));
            let all = [raised(s, none), from_a, from_b, cleared(s, of_ab)];
            for (coefs, c) in coefs.chunks_exact_mut(gates).zip(all) {
                store_partial(s, &mut coefs[at..end], c);
            }
        }
    }
}

struct Unmix<'a> {
    logits: &'a [f32],
    d_coefs: &'a [f32],
    d_logits: &'a mut [f32],
    gates: usize,
}

impl Op for Unmix<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { logits, d_coefs, d_logits, gates } = self;
        let lines = quarters(logits, gates);
        for at in (0..gates).step_by(S::LANES) {
            let end = gates.min(at + S::LANES);
            let [d0, d1, d2, d3] = by_coefficient(s, &d_coefs[4 * at..4 * end]);
            let (from_a, from_b) = (s.sub(d1, d3), s.sub(d2, d3));
            let slopes = [s.sub(s.sub(d0, d1), from_b), from_b, from_a, d3];
            let each = d_logits.chunks_exact_mut(gates).zip(lines).zip(slopes);
            for ((d_logits, line), slope) in each {
                let share = math::sigmoid(s, load_padded(s, &line[at..end], 0.0));
                let steep = s.mul(share, s.sub(s.splat(1.0), share));
                store_partial(s, &mut d_logits[at..end], s.mul(steep, slope));
            }
        }
    }
}
