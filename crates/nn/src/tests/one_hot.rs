//! `OneHotMlp` against an MLP or dueling network of the same parameters on dense inputs.

use super::{numbers, random_weights};
use crate::params::WITHOUT_INPUT_GRADIENT;
use crate::{Dueling, Hidden, Layout, Mlp, OneHotMlp};

const INPUTS: usize = 30;
const ONES: usize = 6;
const HIDDEN: [usize; 2] = [40, 24];
const OUTPUTS: usize = 5;

/// `n` rows of inputs: as ascending indices of the ones, and as dense zeros and ones. Each row has one index
/// in each range of `INPUTS / ONES` inputs.
fn rows(n: usize) -> (Vec<u16>, Vec<f32>) {
    let range = INPUTS / ONES;
    let ones: Vec<u16> = (0..n * ONES).map(|i| (i % ONES * range + i * i % range) as u16).collect();
    let mut x = vec![0.0; n * INPUTS];
    ones.iter().enumerate().for_each(|(i, one)| x[i / ONES * INPUTS + usize::from(*one)] = 1.0);
    (ones, x)
}

/// Panics unless all values agree, with a tolerance relative to 1 + their magnitude.
fn assert_close(ours: &[f32], expected: &[f32]) {
    assert_eq!(ours.len(), expected.len());
    for (i, (x, y)) in ours.iter().zip(expected).enumerate() {
        assert!((x - y).abs() <= 1e-5 * (1.0 + y.abs()), "value {i}: {x} and {y}");
    }
}

#[test]
fn one_hot_mlp_matches_the_dense_network() {
    let n = crate::scratch::ROWS + 9;
    let (ones, x) = rows(n);
    let dy = numbers(n * OUTPUTS, 3);
    for dueling in [false, true] {
        let (mut layout, mut dense_layout) = (Layout::default(), Layout::default());
        let net = OneHotMlp::new(&mut layout, "net", [INPUTS, ONES], &HIDDEN, OUTPUTS, dueling);
        assert_eq!((net.ones(), net.outputs()), (ONES, OUTPUTS));

        // The dense network, with or without a dueling join.
        let mut grads = Vec::new();
        let (mut out, mut saved) = (vec![0.0; n * OUTPUTS], vec![0.0; n * OUTPUTS]);
        if dueling {
            let dense = Dueling::new(&mut dense_layout, "net", INPUTS, &HIDDEN, OUTPUTS, Hidden::NORM_RELU);
            let weights = random_weights(dense_layout.clone());
            let mut tape = dense.tape(n);
            dense.infer(&weights, &x, n, &mut dense.scratch(), &mut out);
            dense.forward(&weights, &x, n, &mut tape);
            let (y, gradient) = tape.outputs_and_gradients(n);
            saved.copy_from_slice(y);
            gradient.copy_from_slice(&dy);
            grads.resize(weights.len(), 0.0);
            dense.backward(&weights, &x, n, &mut tape, &mut grads);
        } else {
            let sizes = [INPUTS, HIDDEN[0], HIDDEN[1], OUTPUTS];
            let dense = Mlp::new(&mut dense_layout, "net", &sizes, Hidden::NORM_RELU, WITHOUT_INPUT_GRADIENT);
            let weights = random_weights(dense_layout.clone());
            let mut tape = dense.tape(n);
            dense.infer(&weights, &x, n, &mut dense.scratch(), &mut out);
            dense.forward(&weights, &x, n, &mut tape);
            let (y, gradient) = tape.outputs_and_gradients(n);
            saved.copy_from_slice(y);
            gradient.copy_from_slice(&dy);
            grads.resize(weights.len(), 0.0);
            let input_gradients = None;
            dense.backward(&weights, &x, n, &mut tape, &mut grads, input_gradients);
        }

        assert_eq!(layout.len(), dense_layout.len());
        assert!(layout.names().eq(dense_layout.names()));
        let weights = random_weights(layout);
        let mut ours = vec![0.0; n * OUTPUTS];
        net.infer(&weights, &ones, &mut net.scratch(), &mut ours);
        assert_eq!(ours, out);
        let mut tape = net.tape(n);
        net.forward(&weights, &ones, &mut tape);
        let (y, gradient) = tape.outputs_and_gradients(n);
        assert_eq!(y, saved);
        gradient.copy_from_slice(&dy);
        let mut our_grads = vec![0.0; weights.len()];
        net.backward(&weights, &ones, &mut tape, &mut our_grads);
        assert_close(&our_grads, &grads);
    }
}
