//! A multi-layer perceptron: hidden layers of one kind and a linear end.
//!
//! By itself it is the network of the actor-critic labs; the heads of a [`crate::ResNet`] and the body of a
//! [`crate::Dueling`] network are made of it too.

use learnery_kernels::buffer::Buffer;
use learnery_kernels::epilogue::Activation;
use learnery_kernels::rng::Stream;

use crate::dense::Dense;
use crate::layer_norm::{LayerNorm, LayerNormTape};
use crate::params::Layout;
use crate::scratch::{Scratch, blocks};
use crate::weights::Weights;

/// What follows the product in a hidden layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// Whether rows are normalised.
    pub norm: bool,
    /// The last step; not GELU, whose derivative does not follow from what it gave.
    pub activation: Activation,
}

impl Hidden {
    /// Tanh alone.
    pub const TANH: Self = Self { norm: false, activation: Activation::Tanh };
    /// Layer norm, then ReLU.
    pub const NORM_RELU: Self = Self { norm: true, activation: Activation::Relu };
}

/// The shape of a perceptron and where its parameters lie.
#[derive(Clone, Debug)]
pub struct Mlp {
    layers: Vec<Layer>,
}

#[derive(Clone, Debug)]
struct Layer {
    dense: Dense,
    norm: Option<LayerNorm>,
    activation: Activation,
}

/// What a training pass keeps for the way back.
#[derive(Clone, Debug)]
pub struct MlpTape {
    /// Numbers in an output row.
    width: usize,
    /// Most rows it holds.
    capacity: usize,
    /// One for each layer.
    layers: Vec<Kept>,
    /// The gradient at the outputs. // [capacity, width]
    gradient: Buffer,
    /// Gradients on their way. // each [capacity, widest hidden layer]
    ways: [Buffer; 2],
}

#[derive(Clone, Debug)]
struct Kept {
    /// What the layer gave. // [capacity, outputs]
    y: Buffer,
    normed: Option<LayerNormTape>,
}

impl MlpTape {
    /// The outputs of the last forward pass of `rows` rows, and where the caller writes the gradient at them
    /// before [`Mlp::backward`]. // both [rows, outputs]
    pub fn outputs_and_gradients(&mut self, rows: usize) -> (&[f32], &mut [f32]) {
        let (last, len) = (self.layers.len() - 1, rows * self.width);
        (&self.layers[last].y[..len], &mut self.gradient[..len])
    }
}

impl Mlp {
    /// A perceptron through `sizes` (inputs, hidden..., outputs), its parameters added to `layout` under `name`.
    /// `way_back` says whether what goes in wants a gradient.
    pub fn new(layout: &mut Layout, name: &str, sizes: &[usize], hidden: Hidden, way_back: bool) -> Self {
        Self::behind(layout, name, 0, sizes, hidden, way_back)
    }

    /// The same behind layers that are not its own: their numbers come first in the names of its parameters.
    pub(crate) fn behind(
        layout: &mut Layout,
        name: &str,
        before: usize,
        sizes: &[usize],
        hidden: Hidden,
        way_back: bool,
    ) -> Self {
        assert!(sizes.len() >= 2, "a perceptron needs inputs and outputs");
        assert!(hidden.activation != Activation::Gelu, "no way back through GELU from what it gave");
        let last = sizes.len() - 2;
        let layer = |(i, pair): (usize, &[usize])| {
            let name = format!("{name}/{}", before + i);
            let dense = Dense::new(layout, &name, pair[0], pair[1], way_back || i > 0);
            let norm = (hidden.norm && i < last).then(|| LayerNorm::new(layout, &name, pair[1]));
            let activation = if i < last { hidden.activation } else { Activation::Identity };
            Layer { dense, norm, activation }
        };
        Self { layers: sizes.windows(2).enumerate().map(layer).collect() }
    }

    /// Orthogonal weights with gain sqrt(2) in the hidden layers and `last_gain` in the last, zero biases.
    pub fn init(&self, params: &mut [f32], last_gain: f32, stream: Stream) {
        self.init_from(params, last_gain, stream, 0);
    }

    /// The same, its matrices counted from `index` on, so that several perceptrons can share a stream.
    pub(crate) fn init_from(&self, params: &mut [f32], last_gain: f32, stream: Stream, index: u64) {
        for (i, layer) in self.layers.iter().enumerate() {
            let last = i + 1 == self.layers.len();
            let gain = if last { last_gain } else { std::f32::consts::SQRT_2 };
            layer.dense.init(params, gain, stream, index + i as u64);
            if let Some(norm) = &layer.norm {
                norm.init(params);
            }
        }
    }

    /// Numbers in a row that goes in.
    pub fn inputs(&self) -> usize {
        self.layers[0].dense.inputs()
    }

    /// Numbers in a row that comes out.
    pub fn outputs(&self) -> usize {
        self.layers[self.layers.len() - 1].dense.outputs()
    }

    /// The widest hidden layer.
    pub(crate) fn widest(&self) -> usize {
        self.layers[1..].iter().map(|layer| layer.dense.inputs()).max().unwrap_or(0)
    }

    /// What [`Mlp::infer`] works in.
    pub fn scratch(&self) -> Scratch {
        Scratch::new(self.widest())
    }

    /// Runs any number of rows, keeping nothing. // x [rows, inputs] -> out [rows, outputs]
    pub fn infer(&self, weights: &Weights, x: &[f32], rows: usize, scratch: &mut Scratch, out: &mut [f32]) {
        let [from, to, _] = &mut scratch.buffers;
        for (first, n, x) in blocks(x, rows, self.inputs()) {
            let out = &mut out[first * self.outputs()..][..n * self.outputs()];
            self.infer_block(weights, x, n, [from, to], Activation::Identity, out);
        }
    }

    /// Runs one block of rows with `end` applied to the outputs.
    pub(crate) fn infer_block(
        &self,
        weights: &Weights,
        x: &[f32],
        rows: usize,
        [mut from, mut to]: [&mut [f32]; 2],
        end: Activation,
        out: &mut [f32],
    ) {
        let (last, hidden) = self.layers.split_last().expect("there is always a layer");
        let mut x = Some(x);
        for layer in hidden {
            let y = &mut to[..rows * layer.dense.outputs()];
            let input = x.take().unwrap_or_else(|| &from[..rows * layer.dense.inputs()]);
            let tail = layer.dense.epilogue(weights).then(layer.activation);
            let tail = match &layer.norm {
                Some(norm) => norm.after(tail, weights),
                None => tail,
            };
            layer.dense.forward(weights, y, input, rows, tail);
            std::mem::swap(&mut from, &mut to);
        }
        let input = x.unwrap_or_else(|| &from[..rows * last.dense.inputs()]);
        last.dense.forward(weights, out, input, rows, last.dense.epilogue(weights).then(end));
    }

    /// Room for training batches of up to `capacity` rows.
    pub fn tape(&self, capacity: usize) -> MlpTape {
        let kept = |layer: &Layer| Kept {
            y: Buffer::new(capacity * layer.dense.outputs()),
            normed: layer.norm.is_some().then(|| LayerNormTape::new(capacity, layer.dense.outputs())),
        };
        MlpTape {
            width: self.outputs(),
            capacity,
            layers: self.layers.iter().map(kept).collect(),
            gradient: Buffer::new(capacity * self.outputs()),
            ways: std::array::from_fn(|_| Buffer::new(capacity * self.widest())),
        }
    }

    /// Runs `rows` rows of `x` `[rows, inputs]`, keeping what the way back needs. The outputs are in `tape`.
    pub fn forward(&self, weights: &Weights, x: &[f32], rows: usize, tape: &mut MlpTape) {
        assert!(rows <= tape.capacity, "{rows} rows on a tape for {}", tape.capacity);
        for (i, layer) in self.layers.iter().enumerate() {
            let (before, rest) = tape.layers.split_at_mut(i);
            let Kept { y, normed } = &mut rest[0];
            let input = before.last().map_or(x, |kept| &kept.y[..rows * layer.dense.inputs()]);
            let tail = layer.dense.epilogue(weights).then(layer.activation);
            let tail = match (&layer.norm, normed) {
                (Some(norm), Some(normed)) => norm.after_kept(tail, weights, rows, normed),
                _ => tail,
            };
            layer.dense.forward(weights, &mut y[..rows * layer.dense.outputs()], input, rows, tail);
        }
    }

    /// Adds the gradient of the last forward pass (same weights, `x` and `rows`) to `grads`, laid out like the
    /// parameters. The one at what went in is put into `dx`, where that is wanted. // dx [rows, inputs]
    pub fn backward(
        &self,
        weights: &Weights,
        x: &[f32],
        rows: usize,
        tape: &mut MlpTape,
        grads: &mut [f32],
        mut dx: Option<&mut [f32]>,
    ) {
        let MlpTape { layers, gradient, ways: [way, other], .. } = tape;
        let (mut way, mut other) = (way, other);
        for (i, layer) in self.layers.iter().enumerate().rev() {
            let dense = &layer.dense;
            let size = rows * dense.outputs();
            let dy = if i + 1 == self.layers.len() {
                &gradient[..size]
            } else {
                let Kept { y, normed } = &layers[i];
                let relu = (layer.activation == Activation::Relu && layer.norm.is_some()).then_some(&y[..]);
                if relu.is_none() {
                    layer.activation.backward(&mut way[..size], &y[..size]);
                }
                if let (Some(norm), Some(normed)) = (&layer.norm, normed) {
                    norm.backward(weights, grads, &mut other[..size], &way[..size], relu, normed);
                    std::mem::swap(&mut way, &mut other);
                }
                &way[..size]
            };
            if i > 0 {
                dense.backward(grads, &layers[i - 1].y, dy, rows);
                dense.backward_inputs(weights, &mut other[..rows * dense.inputs()], dy, rows);
                std::mem::swap(&mut way, &mut other);
            } else {
                dense.backward(grads, x, dy, rows);
                if let Some(dx) = dx.take() {
                    dense.backward_inputs(weights, dx, dy, rows);
                }
            }
        }
    }
}
