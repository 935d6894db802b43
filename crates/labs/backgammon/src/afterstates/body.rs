//! One MLP of the afterstate network, from a board to the logits of its outcomes. Its training pass encodes
//! whole boards. Its inference is incremental: the afterstates of a dice roll differ in few inputs from the
//! board before it, so the sums of the first layer are computed once for that board, and for each play the
//! weight rows of the changed inputs are added (`learnery_kernels::weighted_rows`). The layers after the
//! first process up to 64 plays together.

use std::ops::Range;

use learnery_backgammon_play::outcomes::{OUTCOMES, Outcomes};
use learnery_kernels::activation::{Activation, sigmoid};
use learnery_kernels::buffer::Buffer;
use learnery_kernels::rng::Stream;
use learnery_kernels::weighted_rows::{WeightedRow, add_weighted_rows};
use learnery_nn::{Dense, Hidden, Layout, Mlp, MlpTape, Weights};
use learnery_worlds::backgammon::Board;

use super::expert::{MAX_EXPERT_INPUTS, encode_expert, expert_inputs};
use super::features::{RAW_INPUTS, encode, push_all, push_difference};
use crate::config::Inputs;

/// Plays that go through the hidden layers together.
const ROWS_PER_PASS: usize = 64;
/// Hidden layers are rectified and not normalised.
const RELU: Hidden = Hidden { norm: false, activation: Activation::Relu };
/// Gain of the initial output weights. It is small, so an untrained network gives probabilities close to one
/// half.
const HEAD_GAIN: f32 = 0.05;
/// Initial capacity of buffers for the plays of a dice roll. No roll has more than 3,060 plays.
const INITIAL_PLAYS: usize = 4096;
/// Initial capacity of the buffer for changed inputs, for each play of a pass. A play changes at most 16 raw
/// inputs; the expert inputs come on top.
const INITIAL_CHANGES: usize = 32;

/// The shape of the MLP, and where its parameters lie in [`Weights`].
#[derive(Clone, Debug)]
pub struct Body {
    /// The kind of expert inputs that follow the raw inputs.
    pub(crate) kind: Inputs,
    pub(crate) first: Dense,
    /// Where the weights of the first layer lie, one row for each input.
    // [inputs, width]
    rows: Range<usize>,
    /// Where the bias of the first layer lies.
    // [width]
    bias: Range<usize>,
    /// The layers after the first.
    pub(crate) rest: Mlp,
}

/// Buffers for inference with this MLP.
#[derive(Clone, Debug)]
pub struct BodyScratch {
    /// First-layer sums of the board before the plays.
    // [width]
    base: Buffer,
    /// First-layer activations of the plays.
    // [ROWS_PER_PASS, width]
    hidden: Buffer,
    rest: learnery_nn::Scratch,
    /// Indices of the plays that this MLP values.
    pub plays: Vec<u32>,
}

/// Buffers for the plays that go through an MLP together, which all MLPs share.
#[derive(Clone, Debug)]
pub struct RowScratch {
    /// For each play of a block, the inputs that differ from the board before the plays.
    changes: Vec<WeightedRow>,
    /// Where the changes of each play end.
    ends: Vec<usize>,
    // [ROWS_PER_PASS, OUTCOMES]
    logits: Buffer,
}

impl RowScratch {
    pub fn new() -> Self {
        Self {
            changes: Vec::with_capacity(INITIAL_CHANGES * ROWS_PER_PASS),
            ends: Vec::with_capacity(ROWS_PER_PASS),
            logits: Buffer::new(ROWS_PER_PASS * OUTCOMES),
        }
    }
}

/// Activations and gradients of a training pass through one MLP.
#[derive(Clone, Debug)]
pub struct Tape {
    // [capacity, inputs]
    inputs: Buffer,
    /// Activations of the first layer.
    // [capacity, width]
    hidden: Buffer,
    // [capacity, width]
    hidden_gradient: Buffer,
    /// The layers after the first.
    rest: MlpTape,
}

impl Body {
    /// An MLP with these widths of its two hidden layers, whose parameters are added to the layout.
    pub fn new(layout: &mut Layout, name: &str, kind: Inputs, [wide, narrow]: [usize; 2]) -> Self {
        let inputs = RAW_INPUTS + expert_inputs(kind);
        // The last argument of both: whether the backward pass gives the gradient with respect to the inputs.
        let first = Dense::new(layout, &format!("{name}/first"), inputs, wide, false);
        let find = |part| layout.find(&format!("{name}/first/{part}")).expect("it was just added");
        let (rows, bias) = (find("weight"), find("bias"));
        let rest = Mlp::new(layout, &format!("{name}/rest"), &[wide, narrow, OUTCOMES], RELU, true);
        Self { kind, first, rows, bias, rest }
    }

    /// Initialises the parameters at random. `i` is the index of the MLP.
    pub fn init(&self, params: &mut [f32], stream: Stream, i: u64) {
        /// The first layers use the indices of the stream from here on, one each.
        const FIRST_LAYERS: u64 = 100;
        let gain = 1.0;
        self.first.init(params, gain, stream, FIRST_LAYERS + i);
        // The other layers have a stream of their own, seeded by a random word.
        self.rest.init(params, HEAD_GAIN, Stream::new(stream.block(i, 0)[0], 0));
    }

    pub fn scratch(&self) -> BodyScratch {
        BodyScratch {
            base: Buffer::new(self.width()),
            hidden: Buffer::new(ROWS_PER_PASS * self.width()),
            rest: self.rest.scratch(),
            plays: Vec::with_capacity(INITIAL_PLAYS),
        }
    }

    /// Computes the values of the boards whose indices are `buffers.plays`, and leaves the other elements of
    /// `out`.
    pub fn values_near(
        &self,
        weights: &Weights,
        near: &Board,
        board: &dyn Fn(usize) -> Board,
        buffers: &mut BodyScratch,
        rows: &mut RowScratch,
        out: &mut [Outcomes],
    ) {
        let BodyScratch { base, hidden, rest, plays } = buffers;
        if plays.is_empty() {
            return;
        }
        let RowScratch { changes, ends, logits } = rows;
        let (table, bias) = (&weights.flat()[self.rows.clone()], &weights.flat()[self.bias.clone()]);
        changes.clear();
        push_all(near, changes);
        let (mut expert, mut near_expert) = ([0.0; MAX_EXPERT_INPUTS], [0.0; MAX_EXPERT_INPUTS]);
        let (expert, near_expert) =
            (&mut expert[..expert_inputs(self.kind)], &mut near_expert[..expert_inputs(self.kind)]);
        encode_expert(near, self.kind, near_expert);
        push_expert(expert, near_expert, changes);
        // The first-layer sums of `near`, starting from the bias. The last argument is the lower bound of the
        // results: none here, and 0 (that is ReLU) below.
        add_weighted_rows(base, bias, table, &[changes.len()], changes, f32::NEG_INFINITY);
        for plays in plays.chunks(ROWS_PER_PASS) {
            changes.clear();
            ends.clear();
            for i in plays {
                let board = board(*i as usize);
                push_difference(near, &board, changes);
                encode_expert(&board, self.kind, expert);
                push_expert(near_expert, expert, changes);
                ends.push(changes.len());
            }
            let n = plays.len();
            let (hidden, logits) = (&mut hidden[..n * base.len()], &mut logits[..n * OUTCOMES]);
            add_weighted_rows(hidden, base, table, ends, changes, 0.0);
            self.rest.infer(weights, hidden, n, rest, logits);
            sigmoid(logits);
            for (i, probabilities) in plays.iter().zip(logits.as_chunks().0) {
                let i = *i as usize;
                out[i] = Outcomes(*probabilities).clamped_to_possible(&board(i));
            }
        }
    }

    /// The number of inputs.
    pub fn inputs(&self) -> usize {
        self.first.inputs()
    }

    fn width(&self) -> usize {
        self.first.outputs()
    }

    /// A tape for up to `capacity` boards at once.
    pub fn tape(&self, capacity: usize) -> Tape {
        Tape {
            inputs: Buffer::new(capacity * self.inputs()),
            hidden: Buffer::new(capacity * self.width()),
            hidden_gradient: Buffer::new(capacity * self.width()),
            rest: self.rest.tape(capacity),
        }
    }

    /// Writes the inputs of a board.
    pub fn encode(&self, board: &Board, inputs: &mut [f32]) {
        let (raw, expert) = inputs.split_at_mut(RAW_INPUTS);
        encode(board, raw);
        encode_expert(board, self.kind, expert);
    }

    /// Runs a forward pass. Returns the logits, and the buffer into which the caller writes their gradients.
    // both [boards, OUTCOMES]
    pub fn forward<'t>(
        &self,
        weights: &Weights,
        boards: impl ExactSizeIterator<Item = Board>,
        tape: &'t mut Tape,
    ) -> (&'t [f32], &'t mut [f32]) {
        let rows = boards.len();
        let inputs = &mut tape.inputs[..rows * self.inputs()];
        for (board, inputs) in boards.zip(inputs.chunks_exact_mut(self.inputs())) {
            self.encode(&board, inputs);
        }
        let hidden = &mut tape.hidden[..rows * self.width()];
        self.first.forward(
            weights,
            hidden,
            inputs,
            rows,
            self.first.epilogue(weights).then(Activation::Relu),
        );
        self.rest.forward(weights, hidden, rows, &mut tape.rest);
        tape.rest.outputs_and_gradients(rows)
    }

    /// Adds the gradient of the last forward pass of `rows` boards to `grads`.
    pub fn backward(&self, weights: &Weights, rows: usize, tape: &mut Tape, grads: &mut [f32]) {
        let Tape { inputs, hidden, hidden_gradient, rest } = tape;
        let size = rows * self.width();
        let (hidden, gradient) = (&hidden[..size], &mut hidden_gradient[..size]);
        self.rest.backward(weights, hidden, rows, rest, grads, Some(gradient));
        Activation::Relu.backward(gradient, hidden);
        self.first.backward(grads, &inputs[..rows * self.inputs()], gradient, rows);
    }
}

/// Pushes the difference of two boards' expert inputs, `to` minus `from`.
fn push_expert(from: &[f32], to: &[f32], rows: &mut Vec<WeightedRow>) {
    for (i, (from, to)) in from.iter().zip(to).enumerate() {
        if from != to {
            rows.push(WeightedRow { row: (RAW_INPUTS + i) as u32, weight: to - from });
        }
    }
}
