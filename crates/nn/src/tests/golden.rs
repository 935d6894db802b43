//! Agreement with PyTorch: outputs, loss, gradients, and the parameters after three steps of AdamW with
//! clipping. The golden files and the sizes of their networks come from `scripts/make_nn_golden.py`.

use std::path::Path;

use learnery_kernels::activation::Activation;
use learnery_kernels::activation::masked_softmax;

use super::assert_close;
use crate::loss::{Targets, huber, sigmoid_cross_entropy, softmax_cross_entropy, squared_error};
use crate::params::WITHOUT_INPUT_GRADIENT;
use crate::transformer::IGNORE;
use crate::{
    Adam, AdamOptions, Dueling, HeadShape, Hidden, Layout, Mlp, Reader, ResNet, ResNetShape, Tensors,
    Trainer, Transformer, TransformerShape, Weights,
};

/// Rows of the golden batches.
const ROWS: usize = 6;

/// The tensors of one golden file.
struct Golden(Tensors);

impl Golden {
    fn read(name: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
        let bytes = std::fs::read(path.join(format!("nn_{name}.safetensors"))).unwrap();
        Self(Tensors::from_bytes(&bytes, "").unwrap().0)
    }

    fn matrix(&self, name: &str, cols: usize) -> Vec<f32> {
        self.0.get(name, &[ROWS, cols]).unwrap()
    }

    /// Trains for three steps from PyTorch's initial parameters and compares loss, gradients and final
    /// parameters. `gradient` runs both passes, adds to the gradient and returns the loss.
    fn train(&self, layout: Layout, mut gradient: impl FnMut(&Weights, &mut [f32]) -> f64) {
        let expected = |prefix: &str| -> Vec<f64> {
            let flat = layout.from_tensors(&self.0.under(prefix)).unwrap();
            flat.into_iter().map(f64::from).collect()
        };
        // Gradients of the first step, and parameters after three steps.
        let (expected_grads, expected_params) = (expected("grads/"), expected("after/"));
        let mut weights = Weights::from_tensors(layout.clone(), &self.0.under("before/")).unwrap();
        let mut adam = Adam::new(weights.len());
        let options =
            AdamOptions { lr: 0.01, betas: (0.9, 0.99), eps: 1e-6, weight_decay: 0.1, max_norm: 0.5 };
        let mut grads = vec![0.0; weights.len()];
        for step in 0..3 {
            grads.fill(0.0);
            let loss = gradient(&weights, &mut grads);
            if step == 0 {
                assert_close(&self.0.get::<f32>("loss", &[1]).unwrap(), &[loss], 1e-5);
                assert_close(&grads, &expected_grads, 1e-5);
            }
            weights.update(|params| adam.step(params, &grads, &options));
        }
        assert_close(weights.flat(), &expected_params, 1e-4);
    }
}

/// Converts to double precision, which `assert_close` expects of the reference.
fn to_f64(values: &[f32]) -> Vec<f64> {
    values.iter().copied().map(f64::from).collect()
}

#[test]
fn mlp_trains_as_in_pytorch() {
    let golden = Golden::read("mlp");
    let (x, targets) = (golden.matrix("x", 4), golden.matrix("targets", 2));
    let mut layout = Layout::default();
    let net = Mlp::new(&mut layout, "net", &[4, 16, 16, 2], Hidden::TANH, WITHOUT_INPUT_GRADIENT);
    let mut tape = net.tape(ROWS);
    // The outputs are compared once, before the first update.
    let mut first = true;
    golden.train(layout, |weights, grads| {
        net.forward(weights, &x, ROWS, &mut tape);
        let (y, d) = tape.outputs_and_gradients(ROWS);
        if std::mem::take(&mut first) {
            assert_close(y, &to_f64(&golden.matrix("y", 2)), 1e-5);
        }
        // The loss is twice the mean squared error, that is, 4 / n times half the squared error.
        let scale = 4.0 / targets.len() as f32;
        let mut loss = 0.0;
        for ((d, y), t) in d.iter_mut().zip(y).zip(&targets) {
            let (value, slope) = squared_error(y - t);
            loss += f64::from(scale * value);
            *d = scale * slope;
        }
        let input_gradients = None;
        net.backward(weights, &x, ROWS, &mut tape, grads, input_gradients);
        loss
    });
}

#[test]
fn dueling_network_trains_as_in_pytorch() {
    let golden = Golden::read("dueling");
    let x = golden.matrix("x", 14);
    let vector = |name: &str| golden.0.get::<f32>(name, &[ROWS]).unwrap();
    let (actions, targets) = (vector("actions"), vector("targets"));
    let mut layout = Layout::default();
    let net = Dueling::new(&mut layout, "net", 14, &[12, 8], 9, Hidden::NORM_RELU);
    let mut tape = net.tape(ROWS);
    let mut first = true;
    golden.train(layout, |weights, grads| {
        net.forward(weights, &x, ROWS, &mut tape);
        let (q, d) = tape.outputs_and_gradients(ROWS);
        if std::mem::take(&mut first) {
            assert_close(q, &to_f64(&golden.matrix("q", 9)), 1e-5);
        }
        d.fill(0.0);
        let mut loss = 0.0;
        for r in 0..ROWS {
            let index = 9 * r + actions[r] as usize;
            const DELTA: f32 = 0.8;
            let (value, slope) = huber(q[index] - targets[r], DELTA);
            // The loss is four times the mean over the rows.
            let scale = 4.0 / ROWS as f32;
            loss += f64::from(scale * value);
            d[index] = scale * slope;
        }
        net.backward(weights, &x, ROWS, &mut tape, grads);
        loss
    });
}

#[test]
fn residual_network_trains_as_in_pytorch() {
    let golden = Golden::read("resnet");
    let x = golden.matrix("x", 11);
    let mask: Vec<u8> = golden.matrix("mask", 21).into_iter().map(|legal| legal as u8).collect();
    let (policy, outcomes) = (golden.matrix("policy", 21), golden.matrix("outcomes", 5));
    let heads = vec![
        HeadShape {
            name: "policy",
            hidden: vec![12, 10],
            outputs: 21,
            output_activation: Activation::Identity,
        },
        HeadShape { name: "value", hidden: vec![9], outputs: 5, output_activation: Activation::Sigmoid },
    ];
    let shape = ResNetShape { inputs: 11, width: 16, blocks: 2, heads };
    let mut layout = Layout::default();
    let net = ResNet::new(&mut layout, "net", &shape);
    let (mut tape, mut scratch) = (net.tape(ROWS), net.scratch());
    let mut first = true;
    golden.train(layout, |weights, grads| {
        if std::mem::take(&mut first) {
            let (mut logits, mut value) = (vec![0.0; ROWS * 21], vec![0.0; ROWS * 5]);
            net.infer(weights, &x, ROWS, &mut scratch, &mut [&mut logits, &mut value]);
            assert_close(&logits, &to_f64(&golden.matrix("logits", 21)), 1e-5);
            masked_softmax(&mut logits, &mask, 21);
            assert_close(&logits, &to_f64(&golden.matrix("p", 21)), 1e-5);
            assert_close(&value, &to_f64(&golden.matrix("value", 5)), 1e-5);
        }
        net.forward(weights, &x, ROWS, &mut tape);
        let (mut losses, scale) = ([0.0; 2 * ROWS], 1.0 / ROWS as f32);
        let (policy_losses, value_losses) = losses.split_at_mut(ROWS);
        let (logits, d) = tape.outputs_and_gradients(0, ROWS);
        softmax_cross_entropy(policy_losses, d, logits, Targets::Rows(&policy), Some(&mask), scale);
        let (logits, d) = tape.outputs_and_gradients(1, ROWS);
        sigmoid_cross_entropy(value_losses, d, logits, &outcomes, scale);
        net.backward(weights, &x, ROWS, &mut tape, grads);
        losses.iter().map(|loss| f64::from(loss * scale)).sum()
    });
}

#[test]
fn transformer_trains_as_in_pytorch() {
    let with_rotary_embedding = true;
    check_transformer("transformer", !with_rotary_embedding);
    check_transformer("rotary", with_rotary_embedding);
}

/// Compares a transformer with the golden file `nn_FILE`, with or without rotary embedding.
fn check_transformer(file: &str, rotary: bool) {
    const SEQUENCES: usize = 3;
    const LENGTH: usize = 8;
    let golden = Golden::read(file);
    let numbers = |name: &str| golden.0.get::<f32>(name, &[SEQUENCES, LENGTH]).unwrap();
    // Tokens are stored as floats; ignored targets are negative.
    let token = |v: f32| if v < 0.0 { IGNORE } else { v as u16 };
    let [inputs, targets] =
        ["inputs", "targets"].map(|name| numbers(name).into_iter().map(token).collect::<Vec<_>>());
    let shape = TransformerShape { vocabulary: 13, context: 10, width: 16, layers: 2, heads: 2, rotary };
    let mut layout = Layout::default();
    let net = Transformer::new(&mut layout, "net", &shape);
    let mut trainer = Trainer::new(&net, LENGTH, SEQUENCES);
    let mut reader = Reader::new(&net);
    let logits: Vec<f32> = golden.0.get("logits", &[SEQUENCES, LENGTH, 13]).unwrap();
    let mut first = true;
    golden.train(layout, |weights, grads| {
        if std::mem::take(&mut first) {
            let mut got = vec![0.0; LENGTH * 13];
            for (inputs, logits) in inputs.chunks(LENGTH).zip(logits.chunks(LENGTH * 13)) {
                reader.read(&net, weights, inputs);
                reader.logits(&net, weights, &mut got);
                assert_close(&got, &to_f64(logits), 1e-5);
            }
        }
        trainer.gradient(&net, weights, &inputs, &targets, grads).mean()
    });
}
