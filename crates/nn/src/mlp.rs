//! A multi-layer perceptron (MLP): hidden layers, all with the same kind of norm and activation, and a linear
//! output layer.
//!
//! It is the network of the actor-critic learners of classic control tasks, and a part of [`crate::ResNet`]
//! (the heads), [`crate::Dueling`] and [`crate::OneHotMlp`].

use learnery_kernels::activation::Activation;
use learnery_kernels::buffer::Buffer;
use learnery_kernels::rng::Stream;

use crate::dense::Dense;
use crate::layer_norm::{LayerNorm, LayerNormTape};
use crate::params::Layout;
use crate::scratch::{Scratch, split_into_blocks};
use crate::weights::Weights;

/// Norm and activation of the hidden layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// Whether there is a layer norm before the activation.
    pub norm: bool,
    /// Any but GELU, whose derivative cannot be computed from its output, which is all that the tape holds.
    pub activation: Activation,
}

impl Hidden {
    /// Tanh without layer norm.
    pub const TANH: Self = Self { norm: false, activation: Activation::Tanh };
    /// Layer norm, then ReLU.
    pub const NORM_RELU: Self = Self { norm: true, activation: Activation::Relu };
}

/// The shape of a multi-layer perceptron and the offsets of its parameters.
#[derive(Clone, Debug)]
pub struct Mlp {
    pub(crate) layers: Vec<Layer>,
}

/// A dense layer, with the norm and the activation after it.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub(crate) dense: Dense,
    pub(crate) norm: Option<LayerNorm>,
    pub(crate) activation: Activation,
}

/// What `forward` saves for `backward`.
#[derive(Clone, Debug)]
pub struct MlpTape {
    /// Length of an output row.
    width: usize,
    /// The largest number of rows.
    capacity: usize,
    layers: Vec<LayerTape>,
    /// The gradient at the outputs.
    /// Shape: `[capacity, width]`.
    output_gradient: Buffer,
    /// Gradients between layers: one buffer holds the gradient at a layer's output while the other receives
    /// the gradient at its input, and then they swap. Shape of each: `[capacity, widest hidden layer]`.
    gradients: [Buffer; 2],
}

/// What the forward pass of one layer saves.
#[derive(Clone, Debug)]
struct LayerTape {
    /// The layer's output.
    /// Shape: `[capacity, outputs]`.
    y: Buffer,
    norm_tape: Option<LayerNormTape>,
}

impl MlpTape {
    /// The outputs of the last forward pass of `rows` rows, and where the caller writes the gradient at them
    /// before [`Mlp::backward`].
    /// Shape of both: `[rows, outputs]`.
    pub fn outputs_and_gradients(&mut self, rows: usize) -> (&[f32], &mut [f32]) {
        let (last, len) = (self.layers.len() - 1, rows * self.width);
        (&self.layers[last].y[..len], &mut self.output_gradient[..len])
    }
}

impl Mlp {
    /// Adds the parameters of an MLP to `layout` under `name`. `sizes` are the widths of inputs, hidden
    /// layers and outputs. With `input_gradient`, the backward pass can compute the gradient at the inputs.
    pub fn new(
        layout: &mut Layout,
        name: &str,
        sizes: &[usize],
        hidden: Hidden,
        input_gradient: bool,
    ) -> Self {
        let first_layer = 0;
        Self::new_rest(layout, name, first_layer, sizes, hidden, input_gradient)
    }

    /// [`Mlp::new`] for the last layers of a larger network: the number in the first layer's name is
    /// `first_layer`.
    pub(crate) fn new_rest(
        layout: &mut Layout,
        name: &str,
        first_layer: usize,
        sizes: &[usize],
        hidden: Hidden,
        input_gradient: bool,
    ) -> Self {
        assert!(sizes.len() >= 2, "an MLP needs inputs and outputs");
        assert!(hidden.activation != Activation::Gelu, "GELU has no backward pass from its output");
        let last = sizes.len() - 2;
        let layer = |(i, pair): (usize, &[usize])| {
            let name = format!("{name}/{}", first_layer + i);
            let dense = Dense::new(layout, &name, pair[0], pair[1], input_gradient || i > 0);
            let norm = (hidden.norm && i < last).then(|| LayerNorm::new(layout, &name, pair[1]));
            let activation = if i < last { hidden.activation } else { Activation::Identity };
            Layer { dense, norm, activation }
        };
        Self { layers: sizes.windows(2).enumerate().map(layer).collect() }
    }

    /// Orthogonal weights with gain sqrt(2) in the hidden layers and `last_gain` in the last, zero biases.
    pub fn init(&self, params: &mut [f32], last_gain: f32, stream: Stream) {
        let index = 0;
        self.init_from(params, last_gain, stream, index);
    }

    /// [`Mlp::init`] for networks with several MLPs that share a `stream` of random numbers. Layer i takes
    /// its numbers at `index + i`.
    pub(crate) fn init_from(&self, params: &mut [f32], last_gain: f32, stream: Stream, index: u64) {
        for (i, layer) in self.layers.iter().enumerate() {
            let is_last = i + 1 == self.layers.len();
            let gain = if is_last { last_gain } else { std::f32::consts::SQRT_2 };
            layer.dense.init(params, gain, stream, index + i as u64);
            if let Some(norm) = &layer.norm {
                norm.init(params);
            }
        }
    }

    /// The dense layers in order, each with the norm after it.
    pub fn layers(
        &self,
    ) -> impl ExactSizeIterator<Item = (&Dense, Option<&LayerNorm>)> + DoubleEndedIterator {
        self.layers.iter().map(|layer| (&layer.dense, layer.norm.as_ref()))
    }

    pub fn inputs(&self) -> usize {
        self.layers[0].dense.inputs()
    }

    pub fn outputs(&self) -> usize {
        self.layers[self.layers.len() - 1].dense.outputs()
    }

    /// The width of the widest hidden layer.
    pub(crate) fn widest(&self) -> usize {
        self.layers[1..].iter().map(|layer| layer.dense.inputs()).max().unwrap_or(0)
    }

    /// Scratch for [`Mlp::infer`].
    pub fn scratch(&self) -> Scratch {
        Scratch::new(self.widest())
    }

    /// Runs the network on any number of rows and saves nothing.
    /// Shapes: `x [rows, inputs] -> out [rows, outputs]`.
    pub fn infer(&self, weights: &Weights, x: &[f32], rows: usize, scratch: &mut Scratch, out: &mut [f32]) {
        let [from, to, _] = &mut scratch.buffers;
        for (first, n, x) in split_into_blocks(x, rows, self.inputs()) {
            let out = &mut out[first * self.outputs()..][..n * self.outputs()];
            self.infer_block(weights, x, n, [from, to], Activation::Identity, out);
        }
    }

    /// Runs the network on one block of rows and applies `output_activation` to the outputs. The two buffers
    /// hold the input and the output of a hidden layer in turn.
    pub(crate) fn infer_block(
        &self,
        weights: &Weights,
        x: &[f32],
        rows: usize,
        [mut from, mut to]: [&mut [f32]; 2],
        output_activation: Activation,
        out: &mut [f32],
    ) {
        let (last, hidden) = self.layers.split_last().expect("an MLP has a layer");
        // The input of the first layer; later layers read the output of the layer before them in `from`.
        let mut x = Some(x);
        for layer in hidden {
            let y = &mut to[..rows * layer.dense.outputs()];
            let input = x.take().unwrap_or_else(|| &from[..rows * layer.dense.inputs()]);
            let epilogue = layer.dense.epilogue(weights).then(layer.activation);
            let epilogue = match &layer.norm {
                Some(norm) => norm.attach(epilogue, weights),
                None => epilogue,
            };
            layer.dense.forward(weights, y, input, rows, epilogue);
            std::mem::swap(&mut from, &mut to);
        }
        let input = x.unwrap_or_else(|| &from[..rows * last.dense.inputs()]);
        last.dense.forward(weights, out, input, rows, last.dense.epilogue(weights).then(output_activation));
    }

    /// A tape for batches of up to `capacity` rows.
    pub fn tape(&self, capacity: usize) -> MlpTape {
        let tape = |layer: &Layer| LayerTape {
            y: Buffer::new(capacity * layer.dense.outputs()),
            norm_tape: layer.norm.is_some().then(|| LayerNormTape::new(capacity, layer.dense.outputs())),
        };
        MlpTape {
            width: self.outputs(),
            capacity,
            layers: self.layers.iter().map(tape).collect(),
            output_gradient: Buffer::new(capacity * self.outputs()),
            gradients: std::array::from_fn(|_| Buffer::new(capacity * self.widest())),
        }
    }

    /// Runs the network on `rows` rows and saves on `tape` the outputs and what the backward pass needs.
    /// Shapes: `x [rows, inputs]`.
    pub fn forward(&self, weights: &Weights, x: &[f32], rows: usize, tape: &mut MlpTape) {
        assert!(rows <= tape.capacity, "{rows} rows on a tape for {}", tape.capacity);
        for (i, layer) in self.layers.iter().enumerate() {
            let (before, rest) = tape.layers.split_at_mut(i);
            let LayerTape { y, norm_tape } = &mut rest[0];
            let input = before.last().map_or(x, |tape| &tape.y[..rows * layer.dense.inputs()]);
            let epilogue = layer.dense.epilogue(weights).then(layer.activation);
            let epilogue = match (&layer.norm, norm_tape) {
                (Some(norm), Some(norm_tape)) => norm.attach_and_save(epilogue, weights, rows, norm_tape),
                _ => epilogue,
            };
            layer.dense.forward(weights, &mut y[..rows * layer.dense.outputs()], input, rows, epilogue);
        }
    }

    /// Adds the gradients of the last forward pass (with the same weights, `x` and `rows`) to `grads`, which
    /// has the layout of the parameters. Writes the gradient at the inputs to `dx` if given. Shapes: `dx
    /// [rows, inputs]`.
    pub fn backward(
        &self,
        weights: &Weights,
        x: &[f32],
        rows: usize,
        tape: &mut MlpTape,
        grads: &mut [f32],
        mut dx: Option<&mut [f32]>,
    ) {
        let MlpTape { layers, output_gradient, gradients: [current, next], .. } = tape;
        // `current` holds the gradient at the output of the layer, `next` receives what is computed from it.
        let (mut current, mut next) = (current, next);
        for (i, layer) in self.layers.iter().enumerate().rev() {
            let dense = &layer.dense;
            let size = rows * dense.outputs();
            let dy = if i + 1 == self.layers.len() {
                &output_gradient[..size]
            } else {
                let LayerTape { y, norm_tape } = &layers[i];
                // The backward pass of a ReLU after a norm is fused into the backward pass of the norm.
                let relu = (layer.activation == Activation::Relu && layer.norm.is_some()).then_some(&y[..]);
                if relu.is_none() {
                    layer.activation.backward(&mut current[..size], &y[..size]);
                }
                if let (Some(norm), Some(norm_tape)) = (&layer.norm, norm_tape) {
                    norm.backward(weights, grads, &mut next[..size], &current[..size], relu, norm_tape);
                    std::mem::swap(&mut current, &mut next);
                }
                &current[..size]
            };
            if i > 0 {
                dense.backward(grads, &layers[i - 1].y, dy, rows);
                dense.backward_inputs(weights, &mut next[..rows * dense.inputs()], dy, rows);
                std::mem::swap(&mut current, &mut next);
            } else {
                dense.backward(grads, x, dy, rows);
                if let Some(dx) = dx.take() {
                    dense.backward_inputs(weights, dx, dy, rows);
                }
            }
        }
    }
}
