//! A dueling network (Wang et al., "Dueling network architectures for deep reinforcement learning", 2016): what a state
//! is worth and how much better each action is than the others, `Q = V + A - mean(A)`.
//!
//! Both streams end in one layer, whose first output is `V` and whose others are `A`: a product of one column would
//! leave most of a vector idle.

use std::iter::once;

use learnery_kernels::buffer::Buffer;
use learnery_kernels::epilogue::Activation;
use learnery_kernels::rng::Stream;

use crate::mlp::{Hidden, Mlp, MlpTape};
use crate::params::Layout;
use crate::scratch::{Scratch, blocks};
use crate::weights::Weights;

/// The network: a perceptron with `1 + actions` outputs.
#[derive(Clone, Debug)]
pub struct Dueling {
    body: Mlp,
}

/// What a training pass keeps for the way back.
#[derive(Clone, Debug)]
pub struct DuelingTape {
    body: MlpTape,
    actions: usize,
    /// What each action is worth, and the gradient there. // both [capacity, actions]
    q: Buffer,
    gradient: Buffer,
}

impl DuelingTape {
    /// The outputs of the last forward pass of `rows` rows, and where the caller writes the gradient at them
    /// before [`Dueling::backward`]. // both [rows, actions]
    pub fn outputs_and_gradients(&mut self, rows: usize) -> (&[f32], &mut [f32]) {
        let size = rows * self.actions;
        (&self.q[..size], &mut self.gradient[..size])
    }
}

impl Dueling {
    /// A network through `hidden` layers, its parameters added to `layout` under `name`.
    pub fn new(
        layout: &mut Layout,
        name: &str,
        inputs: usize,
        hidden: &[usize],
        actions: usize,
        kind: Hidden,
    ) -> Self {
        assert!(actions > 0, "there is nothing to choose from");
        let sizes: Vec<usize> = once(inputs).chain(hidden.iter().copied()).chain(once(1 + actions)).collect();
        Self { body: Mlp::new(layout, name, &sizes, kind, false) }
    }

    /// Orthogonal weights with gain sqrt(2) in the hidden layers and one in the last, zero biases.
    pub fn init(&self, params: &mut [f32], stream: Stream) {
        self.body.init(params, 1.0, stream);
    }

    /// Numbers in a row that goes in.
    pub fn inputs(&self) -> usize {
        self.body.inputs()
    }

    /// Actions to choose from.
    pub fn actions(&self) -> usize {
        self.body.outputs() - 1
    }

    /// What [`Dueling::infer`] works in.
    pub fn scratch(&self) -> Scratch {
        Scratch::new(self.body.widest().max(self.body.outputs()))
    }

    /// Runs any number of rows, keeping nothing. // x [rows, inputs] -> q [rows, actions]
    pub fn infer(&self, weights: &Weights, x: &[f32], rows: usize, scratch: &mut Scratch, q: &mut [f32]) {
        let actions = self.actions();
        let [from, to, streams] = &mut scratch.buffers;
        for (first, n, x) in blocks(x, rows, self.inputs()) {
            let streams = &mut streams[..n * (1 + actions)];
            self.body.infer_block(weights, x, n, [from, to], Activation::Identity, streams);
            join(&mut q[first * actions..][..n * actions], streams, actions);
        }
    }

    /// Room for training batches of up to `capacity` rows.
    pub fn tape(&self, capacity: usize) -> DuelingTape {
        let (body, actions) = (self.body.tape(capacity), self.actions());
        DuelingTape {
            body,
            actions,
            q: Buffer::new(capacity * actions),
            gradient: Buffer::new(capacity * actions),
        }
    }

    /// Runs `rows` rows of `x` `[rows, inputs]`, keeping what the way back needs. The outputs are in `tape`.
    pub fn forward(&self, weights: &Weights, x: &[f32], rows: usize, tape: &mut DuelingTape) {
        self.body.forward(weights, x, rows, &mut tape.body);
        let (streams, _) = tape.body.outputs_and_gradients(rows);
        join(&mut tape.q[..rows * tape.actions], streams, tape.actions);
    }

    /// Adds the gradient of the last forward pass (same weights, `x` and `rows`) to `grads`, laid out like the
    /// parameters.
    pub fn backward(
        &self,
        weights: &Weights,
        x: &[f32],
        rows: usize,
        tape: &mut DuelingTape,
        grads: &mut [f32],
    ) {
        let (_, d_streams) = tape.body.outputs_and_gradients(rows);
        part(d_streams, &tape.gradient[..rows * tape.actions], tape.actions);
        self.body.backward(weights, x, rows, &mut tape.body, grads, None);
    }
}

/// The way back through [`join`]. // d_q [rows, actions] -> d_streams [rows, 1 + actions]
pub(crate) fn part(d_streams: &mut [f32], d_q: &[f32], actions: usize) {
    for (d, d_q) in d_streams.chunks_exact_mut(1 + actions).zip(d_q.chunks_exact(actions)) {
        let sum: f32 = d_q.iter().sum();
        let mean = sum / actions as f32;
        d[0] = sum;
        d[1..].iter_mut().zip(d_q).for_each(|(d, d_q)| *d = d_q - mean);
    }
}

/// `q = v + a - mean(a)` // streams [rows, 1 + actions] -> q [rows, actions]
pub(crate) fn join(q: &mut [f32], streams: &[f32], actions: usize) {
    for (q, streams) in q.chunks_exact_mut(actions).zip(streams.chunks_exact(1 + actions)) {
        let (v, a) = (streams[0], &streams[1..]);
        let shift = v - a.iter().sum::<f32>() / actions as f32;
        q.iter_mut().zip(a).for_each(|(q, a)| *q = a + shift);
    }
}
