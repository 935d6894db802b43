//! Gradient checks of MLP, dueling network and residual network: backpropagation against central differences
//! of a slow reference in `f64`. The loss is `sum(y * dy)` with random numbers `dy`, so `dy` is the gradient
//! of the loss with respect to the outputs `y`. The forward passes for training (`forward`) and for inference
//! (`infer`) are compared with the reference and with each other.

use super::reference::Params;
use super::{assert_close, numbers, random_weights};
use crate::params::WITH_INPUT_GRADIENT;
use crate::{Dueling, HeadShape, Hidden, Layout, Mlp, ResNet, ResNetShape, Weights};
use learnery_kernels::activation::Activation;

/// The batch size, which is no multiple of a register tile's height.
const ROWS: usize = 7;

/// The step of the central differences.
const STEP: f64 = 1e-6;

fn to_f64(values: &[f32]) -> Vec<f64> {
    values.iter().copied().map(f64::from).collect()
}

/// Compares the outputs `y` with the reference, and `grads` with the derivatives of `sum(y * dy)` with
/// respect to all parameters. `reference` computes the outputs of one row. Shapes: `x [ROWS, inputs], y, dy
/// [ROWS, outputs], grads [parameters]`.
fn assert_outputs_and_gradients_agree(
    weights: &Weights,
    x: &[f32],
    y: &[f32],
    dy: &[f32],
    grads: &[f32],
    reference: impl Fn(Params, &[f64]) -> Vec<f64>,
) {
    let (x, dy) = (to_f64(x), to_f64(dy));
    let run = |values: &[f64]| -> Vec<f64> {
        let params = Params { layout: weights.layout(), values };
        x.chunks_exact(x.len() / ROWS).flat_map(|row| reference(params, row)).collect()
    };
    let mut values = to_f64(weights.flat());
    assert_close(y, &run(&values), 1e-5);

    let loss = |values: &[f64]| run(values).iter().zip(&dy).map(|(y, w)| y * w).sum::<f64>();
    let derivatives: Vec<f64> = (0..values.len())
        .map(|i| {
            let value = values[i];
            values[i] = value + STEP;
            let loss_above = loss(&values);
            values[i] = value - STEP;
            let loss_below = loss(&values);
            values[i] = value;
            (loss_above - loss_below) / (2.0 * STEP)
        })
        .collect();
    assert_close(grads, &derivatives, 2e-5);
}

#[test]
fn mlp_gradients_agree_with_finite_differences() {
    for hidden in [Hidden::TANH, Hidden::NORM_RELU] {
        for sizes in [&[3, 2][..], &[3, 9, 2], &[3, 17, 5, 2]] {
            let mut layout = Layout::default();
            let mlp = Mlp::new(&mut layout, "net", sizes, hidden, WITH_INPUT_GRADIENT);
            let weights = random_weights(layout);
            let (x, dy) = (numbers(ROWS * 3, 2), numbers(ROWS * 2, 3));
            let (mut tape, mut grads) = (mlp.tape(ROWS), vec![0.0; weights.len()]);
            mlp.forward(&weights, &x, ROWS, &mut tape);
            tape.outputs_and_gradients(ROWS).1.copy_from_slice(&dy);
            let mut dx = vec![0.0; x.len()];
            mlp.backward(&weights, &x, ROWS, &mut tape, &mut grads, Some(&mut dx));
            let y = tape.outputs_and_gradients(ROWS).0.to_vec();
            assert_outputs_and_gradients_agree(&weights, &x, &y, &dy, &grads, |params, x| {
                params.mlp("net", x)
            });

            let mut inferred = vec![0.0; ROWS * 2];
            mlp.infer(&weights, &x, ROWS, &mut mlp.scratch(), &mut inferred);
            assert_eq!(inferred, y, "infer and forward are bit-identical");

            // The gradient with respect to the inputs.
            let values = to_f64(weights.flat());
            let params = Params { layout: weights.layout(), values: &values };
            let loss = |r: usize, row: &[f64]| -> f64 {
                params.mlp("net", row).iter().zip(&dy[2 * r..]).map(|(y, w)| y * f64::from(*w)).sum()
            };
            for r in 0..ROWS {
                let row = to_f64(&x[3 * r..][..3]);
                let derivative = |i: usize| {
                    let loss_after = |change: f64| {
                        let mut perturbed = row.clone();
                        perturbed[i] += change;
                        loss(r, &perturbed)
                    };
                    (loss_after(STEP) - loss_after(-STEP)) / (2.0 * STEP)
                };
                assert_close(&dx[3 * r..][..3], &[derivative(0), derivative(1), derivative(2)], 2e-5);
            }
        }
    }
}

#[test]
fn dueling_gradients_agree_with_finite_differences() {
    for hidden in [Hidden::TANH, Hidden::NORM_RELU] {
        let mut layout = Layout::default();
        let net = Dueling::new(&mut layout, "net", 5, &[11, 6], 4, hidden);
        let weights = random_weights(layout);
        let (x, dy) = (numbers(ROWS * 5, 2), numbers(ROWS * 4, 3));
        // The tape (the saved activations) has room for more rows than are used.
        let (mut tape, mut grads) = (net.tape(ROWS + 2), vec![0.0; weights.len()]);
        net.forward(&weights, &x, ROWS, &mut tape);
        tape.outputs_and_gradients(ROWS).1.copy_from_slice(&dy);
        net.backward(&weights, &x, ROWS, &mut tape, &mut grads);
        let q = tape.outputs_and_gradients(ROWS).0.to_vec();
        assert_outputs_and_gradients_agree(&weights, &x, &q, &dy, &grads, |params, x| {
            params.dueling("net", x)
        });

        let mut inferred = vec![0.0; ROWS * 4];
        net.infer(&weights, &x, ROWS, &mut net.scratch(), &mut inferred);
        assert_eq!(inferred, q, "infer and forward are bit-identical");
    }
}

#[test]
fn resnet_gradients_agree_with_finite_differences() {
    for blocks in [0, 1, 2] {
        let heads = vec![
            HeadShape {
                name: "policy",
                hidden: vec![9, 7],
                outputs: 6,
                output_activation: Activation::Identity,
            },
            HeadShape { name: "value", hidden: vec![], outputs: 3, output_activation: Activation::Sigmoid },
        ];
        let shape = ResNetShape { inputs: 5, width: 8, blocks, heads };
        let mut layout = Layout::default();
        let net = ResNet::new(&mut layout, "net", &shape);
        let weights = random_weights(layout);
        let (x, dy) = (numbers(ROWS * 5, 2), numbers(ROWS * 9, 3));
        let (mut tape, mut grads) = (net.tape(ROWS + 1), vec![0.0; weights.len()]);
        net.forward(&weights, &x, ROWS, &mut tape);
        let mut y = vec![0.0; ROWS * 9];
        // A row of `y` and `dy` has the six policy outputs, then the three value outputs.
        for (head, columns) in [(0, 0..6), (1, 6..9)] {
            let (out, d) = tape.outputs_and_gradients(head, ROWS);
            let n = columns.len();
            for r in 0..ROWS {
                y[9 * r..][columns.clone()].copy_from_slice(&out[n * r..][..n]);
                d[n * r..][..n].copy_from_slice(&dy[9 * r..][columns.clone()]);
            }
        }
        net.backward(&weights, &x, ROWS, &mut tape, &mut grads);
        assert_outputs_and_gradients_agree(&weights, &x, &y, &dy, &grads, |params, x| {
            params.resnet("net", &["policy", "value"], x)
        });

        let (mut policy, mut value) = (vec![0.0; ROWS * 6], vec![0.0; ROWS * 3]);
        net.infer(&weights, &x, ROWS, &mut net.scratch(), &mut [&mut policy, &mut value]);
        for r in 0..ROWS {
            assert_eq!(policy[6 * r..][..6], y[9 * r..][..6], "infer and forward are bit-identical");
            // `forward` gives the logits of a sigmoid head, and `infer` its probabilities.
            let sigmoid = |x: &f32| 1.0 / (1.0 + f64::from(-x).exp());
            let expected: Vec<f64> = y[9 * r + 6..][..3].iter().map(sigmoid).collect();
            assert_close(&value[3 * r..][..3], &expected, 1e-6);
        }
    }
}
