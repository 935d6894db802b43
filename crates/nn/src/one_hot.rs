//! A multi-layer perceptron (MLP) on concatenated one-hot inputs, such as the stickers of a cube. A row of
//! inputs is given by the indices of its ones. The first layer is an embedding bag
//! ([`learnery_kernels::embedding_bag`]): it sums the weight rows of these indices. The result is
//! bit-identical to the matrix product.
//!
//! The parameters have the names and shapes of an [`Mlp`] of the same sizes. Optionally, the network is a
//! dueling network ([`crate::dueling`]).

use std::ops::Range;

use learnery_kernels::activation::Activation;
use learnery_kernels::buffer::Buffer;
use learnery_kernels::embedding_bag::{embedding_bag, embedding_bag_backward};
use learnery_kernels::epilogue::Epilogue;
use learnery_kernels::reduce;
use learnery_kernels::rng::Stream;

use crate::dueling::{join_streams, join_streams_backward};
use crate::layer_norm::{LayerNorm, LayerNormTape};
use crate::mlp::{Hidden, Mlp, MlpTape};
use crate::params::{Layout, WITH_INPUT_GRADIENT, orthogonal};
use crate::scratch::{ROWS, Scratch};
use crate::weights::Weights;

/// The shape of the network and the offsets of its parameters.
#[derive(Clone, Debug)]
pub struct OneHotMlp {
    inputs: usize,
    /// The number of ones per row of inputs, and so of indices.
    ones: usize,
    /// Weights of the first layer.
    /// Shape: `[inputs, width]`.
    table: Range<usize>,
    bias: Range<usize>,
    norm: LayerNorm,
    /// All layers after the first.
    rest: Mlp,
    dueling: bool,
}

/// Scratch for [`OneHotMlp::infer`].
#[derive(Clone, Debug)]
pub struct OneHotScratch {
    /// Output of the first layer.
    /// Shape: `[ROWS, width]`.
    first: Buffer,
    rest: Scratch,
}

/// What `forward` saves for `backward`.
#[derive(Clone, Debug)]
pub struct OneHotTape {
    /// Output of the first layer.
    /// Shape: `[capacity, width]`.
    y: Buffer,
    norm_tape: LayerNormTape,
    rest: MlpTape,
    /// Gradients at the output of the first layer, after and before its norm.
    /// Shape of each: `[capacity, width]`.
    gradients: [Buffer; 2],
    /// For a dueling network: the Q values and the gradient at the Q values.
    /// Shape of both: `[capacity, outputs]`.
    joined: Option<[Buffer; 2]>,
    outputs: usize,
}

impl OneHotTape {
    /// The outputs of the last forward pass of `rows` rows, and where the caller writes the gradient at them
    /// before [`OneHotMlp::backward`].
    /// Shape of both: `[rows, outputs]`.
    pub fn outputs_and_gradients(&mut self, rows: usize) -> (&[f32], &mut [f32]) {
        let size = rows * self.outputs;
        match &mut self.joined {
            Some([y, gradient]) => (&y[..size], &mut gradient[..size]),
            None => self.rest.outputs_and_gradients(rows),
        }
    }
}

impl OneHotMlp {
    /// Adds the parameters of a network to `layout` under `name`. It has `inputs` inputs, of which `ones` are
    /// one in each row. `hidden` are the widths of its hidden layers (at least one), which have layer norm
    /// and ReLU.
    pub fn new(
        layout: &mut Layout,
        name: &str,
        [inputs, ones]: [usize; 2],
        hidden: &[usize],
        outputs: usize,
        dueling: bool,
    ) -> Self {
        let width = hidden[0];
        let first = format!("{name}/0");
        let table = layout.add(format!("{first}/weight"), &[inputs, width]);
        let bias = layout.add(format!("{first}/bias"), &[width]);
        let norm = LayerNorm::new(layout, &first, width);
        let sizes: Vec<usize> = hidden.iter().copied().chain([outputs + usize::from(dueling)]).collect();
        let first_layer = 1;
        let rest = Mlp::new_rest(layout, name, first_layer, &sizes, Hidden::NORM_RELU, WITH_INPUT_GRADIENT);
        Self { inputs, ones, table, bias, norm, rest, dueling }
    }

    /// Orthogonal weights with gain sqrt(2) in the hidden layers and `last_gain` in the last, zero biases.
    pub fn init(&self, params: &mut [f32], last_gain: f32, stream: Stream) {
        // Layer i takes the random numbers of index i, here 0 and then 1 onwards.
        let table = &mut params[self.table.clone()];
        orthogonal(table, self.inputs, self.bias.len(), std::f32::consts::SQRT_2, stream, 0);
        params[self.bias.clone()].fill(0.0);
        self.norm.init(params);
        self.rest.init_from(params, last_gain, stream, 1);
    }

    /// Number of ones, and thus of indices, per input row.
    pub fn ones(&self) -> usize {
        self.ones
    }

    pub fn outputs(&self) -> usize {
        self.rest.outputs() - usize::from(self.dueling)
    }

    /// Whether it is a dueling network.
    pub fn is_dueling(&self) -> bool {
        self.dueling
    }

    fn width(&self) -> usize {
        self.bias.len()
    }

    /// Number of inputs.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// The first layer: its table `[inputs, width]`, its bias and its norm.
    pub fn first(&self) -> (&Range<usize>, &Range<usize>, &LayerNorm) {
        (&self.table, &self.bias, &self.norm)
    }

    /// All layers after the first.
    pub fn rest(&self) -> &Mlp {
        &self.rest
    }

    /// Weights and epilogue (without norm) of the first layer.
    fn first_layer<'a>(&self, weights: &'a Weights) -> (&'a [f32], Epilogue<'a>) {
        let flat = weights.flat();
        (&flat[self.table.clone()], Epilogue::bias(&flat[self.bias.clone()]).then(Activation::Relu))
    }

    /// Scratch for [`OneHotMlp::infer`].
    pub fn scratch(&self) -> OneHotScratch {
        let rest = Scratch::new(self.rest.widest().max(self.rest.outputs()));
        OneHotScratch { first: Buffer::new(ROWS * self.width()), rest }
    }

    /// Runs the network on any number of rows and saves nothing.
    /// Shapes: `ones [rows, ones per row] -> out [rows, outputs]`.
    pub fn infer(&self, weights: &Weights, ones: &[u16], scratch: &mut OneHotScratch, out: &mut [f32]) {
        let (width, outputs) = (self.width(), self.outputs());
        let [from, to, streams] = &mut scratch.rest.buffers;
        for (ones, out) in ones.chunks(ROWS * self.ones).zip(out.chunks_mut(ROWS * outputs)) {
            let rows = ones.len() / self.ones;
            let input = &mut scratch.first[..rows * width];
            let (table, epilogue) = self.first_layer(weights);
            embedding_bag(input, ones, self.ones, table, width, self.norm.attach(epilogue, weights));
            let rest_out = if self.dueling { &mut streams[..rows * (1 + outputs)] } else { &mut *out };
            self.rest.infer_block(
                weights,
                input,
                rows,
                [&mut *from, &mut *to],
                Activation::Identity,
                rest_out,
            );
            if self.dueling {
                join_streams(out, streams, outputs);
            }
        }
    }

    /// A tape for batches of up to `capacity` rows.
    pub fn tape(&self, capacity: usize) -> OneHotTape {
        let (width, outputs) = (self.width(), self.outputs());
        OneHotTape {
            y: Buffer::new(capacity * width),
            norm_tape: LayerNormTape::new(capacity, width),
            rest: self.rest.tape(capacity),
            gradients: std::array::from_fn(|_| Buffer::new(capacity * width)),
            joined: self.dueling.then(|| std::array::from_fn(|_| Buffer::new(capacity * outputs))),
            outputs,
        }
    }

    /// Runs the network on the rows and saves on `tape` the outputs and what the backward pass needs.
    /// Shapes: `ones [rows, ones per row]`.
    pub fn forward(&self, weights: &Weights, ones: &[u16], tape: &mut OneHotTape) {
        let (rows, width) = (ones.len() / self.ones, self.width());
        let (table, epilogue) = self.first_layer(weights);
        let epilogue = self.norm.attach_and_save(epilogue, weights, rows, &mut tape.norm_tape);
        embedding_bag(&mut tape.y[..rows * width], ones, self.ones, table, width, epilogue);
        self.rest.forward(weights, &tape.y[..rows * width], rows, &mut tape.rest);
        if let Some([joined, _]) = &mut tape.joined {
            let (streams, _) = tape.rest.outputs_and_gradients(rows);
            join_streams(&mut joined[..rows * tape.outputs], streams, tape.outputs);
        }
    }

    /// Adds the gradients of the last forward pass (with the same weights and `ones`) to `grads`, which has
    /// the layout of the parameters.
    pub fn backward(&self, weights: &Weights, ones: &[u16], tape: &mut OneHotTape, grads: &mut [f32]) {
        let (rows, width) = (ones.len() / self.ones, self.width());
        let size = rows * width;
        let OneHotTape { y, norm_tape, rest, gradients: [after_norm, before_norm], joined, outputs } = tape;
        if let Some([_, gradient]) = joined {
            let (_, streams) = rest.outputs_and_gradients(rows);
            join_streams_backward(streams, &gradient[..rows * *outputs], *outputs);
        }
        self.rest.backward(weights, &y[..size], rows, rest, grads, Some(&mut after_norm[..size]));
        let relu_output = Some(&y[..]);
        let (dx, dy) = (&mut before_norm[..size], &after_norm[..size]);
        self.norm.backward(weights, grads, dx, dy, relu_output, norm_tape);
        embedding_bag_backward(&mut grads[self.table.clone()], ones, self.ones, &before_norm[..size], width);
        reduce::add_column_sums(&mut grads[self.bias.clone()], &before_norm[..size]);
    }
}
