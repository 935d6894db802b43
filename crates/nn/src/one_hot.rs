//! A perceptron whose inputs are ones among zeros, given by their places: its first layer sums rows instead of multiplying,
//! with the same bits ([`learnery_kernels::lookup`]).
//!
//! Its parameters have the names and shapes of an [`Mlp`] of the same sizes. At its end there may be a dueling join
//! ([`crate::dueling`]).

use std::ops::Range;

use learnery_kernels::buffer::Buffer;
use learnery_kernels::embedding_bag::{embedding_bag, embedding_bag_backward};
use learnery_kernels::epilogue::{Activation, Epilogue};
use learnery_kernels::reduce;
use learnery_kernels::rng::Stream;

use crate::dueling::{join, part};
use crate::layer_norm::{LayerNorm, LayerNormTape};
use crate::mlp::{Hidden, Mlp, MlpTape};
use crate::params::{Layout, orthogonal};
use crate::scratch::{ROWS, Scratch};
use crate::weights::Weights;

/// The network.
#[derive(Clone, Debug)]
pub struct OneHotMlp {
    inputs: usize,
    /// Ones in each row.
    ones: usize,
    table: Range<usize>,
    bias: Range<usize>,
    norm: LayerNorm,
    rest: Mlp,
    dueling: bool,
}

/// What [`OneHotMlp::infer`] works in.
#[derive(Clone, Debug)]
pub struct OneHotScratch {
    /// What the first layer gave. // [ROWS, width]
    first: Buffer,
    rest: Scratch,
}

/// What a training pass keeps for the way back.
#[derive(Clone, Debug)]
pub struct OneHotTape {
    /// What the first layer gave. // [capacity, width]
    y: Buffer,
    normed: LayerNormTape,
    rest: MlpTape,
    /// Gradients on their way through the first layer. // each [capacity, width]
    ways: [Buffer; 2],
    /// Where the streams are joined: what comes out, and the gradient there. // both [capacity, outputs]
    joined: Option<[Buffer; 2]>,
    outputs: usize,
}

impl OneHotTape {
    /// The outputs of the last forward pass of `rows` rows, and where the caller writes the gradient at them
    /// before [`OneHotMlp::backward`]. // both [rows, outputs]
    pub fn outputs_and_gradients(&mut self, rows: usize) -> (&[f32], &mut [f32]) {
        let size = rows * self.outputs;
        match &mut self.joined {
            Some([y, gradient]) => (&y[..size], &mut gradient[..size]),
            None => self.rest.outputs_and_gradients(rows),
        }
    }
}

impl OneHotMlp {
    /// A network of `inputs` inputs, of which `ones` are one, through `hidden` layers (at least one, with layer norm and
    /// ReLU) to `outputs`; with a dueling join or without. Its parameters are added to `layout` under `name`.
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
        let rest = Mlp::behind(layout, name, 1, &sizes, Hidden::NORM_RELU, true);
        Self { inputs, ones, table, bias, norm, rest, dueling }
    }

    /// Orthogonal weights with gain sqrt(2) in the hidden layers and `last_gain` in the last, zero biases.
    pub fn init(&self, params: &mut [f32], last_gain: f32, stream: Stream) {
        let table = &mut params[self.table.clone()];
        orthogonal(table, self.inputs, self.bias.len(), std::f32::consts::SQRT_2, stream, 0);
        params[self.bias.clone()].fill(0.0);
        self.norm.init(params);
        self.rest.init_from(params, last_gain, stream, 1);
    }

    /// Ones in a row that goes in.
    pub fn ones(&self) -> usize {
        self.ones
    }

    /// Numbers in a row that comes out.
    pub fn outputs(&self) -> usize {
        self.rest.outputs() - usize::from(self.dueling)
    }

    /// The width of the first layer.
    fn width(&self) -> usize {
        self.bias.len()
    }

    fn first<'a>(&self, weights: &'a Weights) -> (&'a [f32], Epilogue<'a>) {
        let flat = weights.flat();
        (&flat[self.table.clone()], Epilogue::bias(&flat[self.bias.clone()]).then(Activation::Relu))
    }

    /// What [`OneHotMlp::infer`] works in.
    pub fn scratch(&self) -> OneHotScratch {
        let rest = Scratch::new(self.rest.widest().max(self.rest.outputs()));
        OneHotScratch { first: Buffer::new(ROWS * self.width()), rest }
    }

    /// Runs any number of rows, keeping nothing. // ones [rows, ones of a row] -> out [rows, outputs]
    pub fn infer(&self, weights: &Weights, ones: &[u16], scratch: &mut OneHotScratch, out: &mut [f32]) {
        let (width, outputs) = (self.width(), self.outputs());
        let [from, to, streams] = &mut scratch.rest.buffers;
        for (ones, out) in ones.chunks(ROWS * self.ones).zip(out.chunks_mut(ROWS * outputs)) {
            let rows = ones.len() / self.ones;
            let input = &mut scratch.first[..rows * width];
            let (table, tail) = self.first(weights);
            embedding_bag(input, ones, self.ones, table, width, self.norm.after(tail, weights));
            let to_rest = if self.dueling { &mut streams[..rows * (1 + outputs)] } else { &mut *out };
            self.rest.infer_block(
                weights,
                input,
                rows,
                [&mut *from, &mut *to],
                Activation::Identity,
                to_rest,
            );
            if self.dueling {
                join(out, streams, outputs);
            }
        }
    }

    /// Room for training batches of up to `capacity` rows.
    pub fn tape(&self, capacity: usize) -> OneHotTape {
        let (width, outputs) = (self.width(), self.outputs());
        OneHotTape {
            y: Buffer::new(capacity * width),
            normed: LayerNormTape::new(capacity, width),
            rest: self.rest.tape(capacity),
            ways: std::array::from_fn(|_| Buffer::new(capacity * width)),
            joined: self.dueling.then(|| std::array::from_fn(|_| Buffer::new(capacity * outputs))),
            outputs,
        }
    }

    /// Runs the rows of `ones` `[rows, ones of a row]`, keeping what the way back needs. The outputs are in `tape`.
    pub fn forward(&self, weights: &Weights, ones: &[u16], tape: &mut OneHotTape) {
        let (rows, width) = (ones.len() / self.ones, self.width());
        let (table, tail) = self.first(weights);
        let tail = self.norm.after_kept(tail, weights, rows, &mut tape.normed);
        embedding_bag(&mut tape.y[..rows * width], ones, self.ones, table, width, tail);
        self.rest.forward(weights, &tape.y[..rows * width], rows, &mut tape.rest);
        if let Some([joined, _]) = &mut tape.joined {
            let (streams, _) = tape.rest.outputs_and_gradients(rows);
            join(&mut joined[..rows * tape.outputs], streams, tape.outputs);
        }
    }

    /// Adds the gradient of the last forward pass (same weights and `ones`) to `grads`, laid out like the parameters.
    pub fn backward(&self, weights: &Weights, ones: &[u16], tape: &mut OneHotTape, grads: &mut [f32]) {
        let (rows, width) = (ones.len() / self.ones, self.width());
        let size = rows * width;
        let OneHotTape { y, normed, rest, ways: [way, other], joined, outputs } = tape;
        if let Some([_, gradient]) = joined {
            let (_, streams) = rest.outputs_and_gradients(rows);
            part(streams, &gradient[..rows * *outputs], *outputs);
        }
        self.rest.backward(weights, &y[..size], rows, rest, grads, Some(&mut way[..size]));
        self.norm.backward(weights, grads, &mut other[..size], &way[..size], Some(&y[..]), normed);
        embedding_bag_backward(&mut grads[self.table.clone()], ones, self.ones, &other[..size], width);
        reduce::add_column_sums(&mut grads[self.bias.clone()], &other[..size]);
    }
}
