//! A dueling network for Q-learning (Wang et al., "Dueling network architectures for deep reinforcement
//! learning", 2016). It computes the value V of a state and the advantage A of each action, and from them
//! `Q = V + A - mean(A)`.
//!
//! Unlike in the paper, the two streams (V and A) have no layers of their own: one last layer computes V as
//! its first output and A as the others. A separate product with the single output column of V would leave
//! most lanes of a SIMD register idle.

use std::iter::once;

use learnery_kernels::activation::Activation;
use learnery_kernels::buffer::Buffer;
use learnery_kernels::rng::Stream;

use crate::mlp::{Hidden, Mlp, MlpTape};
use crate::params::{Layout, WITHOUT_INPUT_GRADIENT};
use crate::scratch::{Scratch, split_into_blocks};
use crate::weights::Weights;

/// The network: a multi-layer perceptron with `1 + actions` outputs.
#[derive(Clone, Debug)]
pub struct Dueling {
    body: Mlp,
}

/// What `forward` saves for `backward`.
#[derive(Clone, Debug)]
pub struct DuelingTape {
    body: MlpTape,
    actions: usize,
    /// The Q values and the gradient at the Q values.
    /// Shape of both: `[capacity, actions]`.
    q: Buffer,
    gradient: Buffer,
}

impl DuelingTape {
    /// The outputs of the last forward pass of `rows` rows, and where the caller writes the gradient at them
    /// before [`Dueling::backward`].
    /// Shape of both: `[rows, actions]`.
    pub fn outputs_and_gradients(&mut self, rows: usize) -> (&[f32], &mut [f32]) {
        let size = rows * self.actions;
        (&self.q[..size], &mut self.gradient[..size])
    }
}

impl Dueling {
    /// Adds the parameters of a network to `layout` under `name`. `hidden` are the widths of its hidden
    /// layers, which all have `norm_and_activation`.
    pub fn new(
        layout: &mut Layout,
        name: &str,
        inputs: usize,
        hidden: &[usize],
        actions: usize,
        norm_and_activation: Hidden,
    ) -> Self {
        assert!(actions > 0, "a dueling network needs actions");
        let sizes: Vec<usize> = once(inputs).chain(hidden.iter().copied()).chain(once(1 + actions)).collect();
        Self { body: Mlp::new(layout, name, &sizes, norm_and_activation, WITHOUT_INPUT_GRADIENT) }
    }

    /// Orthogonal weights with gain sqrt(2) in the hidden layers and one in the last, zero biases.
    pub fn init(&self, params: &mut [f32], rng: Stream) {
        let last_gain = 1.0;
        self.body.init(params, last_gain, rng);
    }

    pub fn inputs(&self) -> usize {
        self.body.inputs()
    }

    pub fn actions(&self) -> usize {
        self.body.outputs() - 1
    }

    /// Scratch for [`Dueling::infer`].
    pub fn scratch(&self) -> Scratch {
        Scratch::new(self.body.widest().max(self.body.outputs()))
    }

    /// Runs any number of rows without saving anything.
    /// Shapes: `x [rows, inputs] -> q [rows, actions]`.
    pub fn infer(&self, weights: &Weights, x: &[f32], rows: usize, scratch: &mut Scratch, q: &mut [f32]) {
        let actions = self.actions();
        // Two buffers for the layers in turn. The third has the outputs, V and A, which are no Q values yet.
        let [from, to, streams] = &mut scratch.buffers;
        for (first, n, x) in split_into_blocks(x, rows, self.inputs()) {
            let streams = &mut streams[..n * (1 + actions)];
            self.body.infer_block(weights, x, n, [from, to], Activation::Identity, streams);
            join_streams(&mut q[first * actions..][..n * actions], streams, actions);
        }
    }

    /// A tape for batches of up to `capacity` rows.
    pub fn tape(&self, capacity: usize) -> DuelingTape {
        let (body, actions) = (self.body.tape(capacity), self.actions());
        DuelingTape {
            body,
            actions,
            q: Buffer::new(capacity * actions),
            gradient: Buffer::new(capacity * actions),
        }
    }

    /// Runs `rows` rows and saves on `tape` the outputs and what the backward pass needs.
    /// Shapes: `x [rows, inputs]`.
    pub fn forward(&self, weights: &Weights, x: &[f32], rows: usize, tape: &mut DuelingTape) {
        self.body.forward(weights, x, rows, &mut tape.body);
        let (streams, _) = tape.body.outputs_and_gradients(rows);
        join_streams(&mut tape.q[..rows * tape.actions], streams, tape.actions);
    }

    /// Adds the gradients of the last forward pass (with the same weights, `x` and `rows`) to `grads`, which
    /// has the layout of the parameters.
    pub fn backward(
        &self,
        weights: &Weights,
        x: &[f32],
        rows: usize,
        tape: &mut DuelingTape,
        grads: &mut [f32],
    ) {
        let (_, d_streams) = tape.body.outputs_and_gradients(rows);
        join_streams_backward(d_streams, &tape.gradient[..rows * tape.actions], tape.actions);
        let input_gradients = None;
        self.body.backward(weights, x, rows, &mut tape.body, grads, input_gradients);
    }
}

/// Backward pass of [`join_streams`].
/// Shapes: `d_q [rows, actions] -> d_streams [rows, 1 + actions]`.
pub(crate) fn join_streams_backward(d_streams: &mut [f32], d_q: &[f32], actions: usize) {
    for (d, d_q) in d_streams.chunks_exact_mut(1 + actions).zip(d_q.chunks_exact(actions)) {
        let sum: f32 = d_q.iter().sum();
        let mean = sum / actions as f32;
        // Every Q has V as a term, so V gets the sum. An A is a term of its own Q, and `-A / actions` (its
        // part of the mean) is a term of every Q.
        d[0] = sum;
        d[1..].iter_mut().zip(d_q).for_each(|(d, d_q)| *d = d_q - mean);
    }
}

/// `q = v + a - mean(a)`
/// Shapes: `streams [rows, 1 + actions] -> q [rows, actions]`.
pub(crate) fn join_streams(q: &mut [f32], streams: &[f32], actions: usize) {
    for (q, streams) in q.chunks_exact_mut(actions).zip(streams.chunks_exact(1 + actions)) {
        let (v, a) = (streams[0], &streams[1..]);
        let shift = v - a.iter().sum::<f32>() / actions as f32;
        q.iter_mut().zip(a).for_each(|(q, a)| *q = a + shift);
    }
}
