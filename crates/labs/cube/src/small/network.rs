//! The network: a multilayer perceptron that takes a one-hot encoded cube state and returns either one
//! estimated distance to the solved cube or one score per turn. It runs on up to [`MAX_ROWS`] states at a
//! time.

use learnery_kernels::rng::Stream;
use learnery_lab::LabError;
use learnery_nn::{Layout, OneHotMlp, OneHotScratch, OneHotTape, Tensors, Weights};
use learnery_worlds::cube::{
    ACTIVE_CORNER_INPUTS, CORNER_INPUTS, STICKER_INPUTS, State, active_corner_inputs, active_sticker_inputs,
};
use rayon::prelude::*;

use crate::config::{CubeConfig, Encoding, Method};
use crate::small::state_space::{SOLVED_NODE, StateSpace};

/// Upper bound of the number of states in one pass.
pub const MAX_ROWS: usize = 256;

/// An output `y` means the distance `DISTANCE_MEAN + DISTANCE_SCALE * y`. This normalisation keeps outputs
/// near unit size.
pub const DISTANCE_MEAN: f32 = 7.0;
pub const DISTANCE_SCALE: f32 = 3.0;

/// The network's shape and its parameters.
#[derive(Clone)]
pub struct Network {
    net: OneHotMlp,
    pub weights: Weights,
    encoding: Encoding,
    predicts_distance: bool,
}

/// Buffers for one inference pass.
pub struct Scratch {
    /// Indices of the inputs that are one.
    /// Shape: `[MAX_ROWS, ones per state]`.
    ones: Vec<u16>,
    net: OneHotScratch,
    /// Shape: `[MAX_ROWS, outputs]`.
    outputs: Vec<f32>,
}

/// Activations of one training pass, kept from the forward for the backward pass.
pub struct Tape {
    /// Indices of the inputs that are one.
    /// Shape: `[MAX_ROWS, ones per state]`.
    ones: Vec<u16>,
    net: OneHotTape,
    /// How many rows the last forward pass had.
    rows: usize,
}

impl Network {
    fn layout(config: &CubeConfig) -> (Layout, OneHotMlp) {
        let (inputs, ones) = match config.encoding {
            // Each sticker has six inputs, one per colour, of which one is active.
            Encoding::Stickers => (STICKER_INPUTS, STICKER_INPUTS / 6),
            Encoding::Corners => (CORNER_INPUTS, ACTIVE_CORNER_INPUTS),
        };
        let predicts_distance = config.learner.predicts_distance();
        let outputs = if predicts_distance { 1 } else { config.metric.to_rules().turns() };
        let dueling = config.dueling && config.learner == Method::Dqn;
        let mut layout = Layout::default();
        let net =
            OneHotMlp::new(&mut layout, "net", [inputs, ones], &config.hidden_sizes(), outputs, dueling);
        (layout, net)
    }

    fn assemble(config: &CubeConfig, net: OneHotMlp, weights: Weights) -> Self {
        let predicts_distance = config.learner.predicts_distance();
        Self { net, weights, encoding: config.encoding, predicts_distance }
    }

    /// A network with random initial weights.
    pub fn new(config: &CubeConfig, stream: Stream) -> Self {
        let (layout, net) = Self::layout(config);
        let mut weights = Weights::new(layout);
        // The initial weights of the last layer are scaled down, so that all initial outputs are near zero.
        let last_gain = 0.1;
        weights.update(|params| net.init(params, last_gain, stream));
        Self::assemble(config, net, weights)
    }

    pub fn from_tensors(config: &CubeConfig, tensors: &Tensors) -> Result<Self, LabError> {
        let (layout, net) = Self::layout(config);
        Ok(Self::assemble(config, net, Weights::from_tensors(layout, tensors)?))
    }

    /// The layers.
    pub fn net(&self) -> &OneHotMlp {
        &self.net
    }

    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// True if the network has one output, a distance; false if it has one score per turn.
    pub fn predicts_distance(&self) -> bool {
        self.predicts_distance
    }

    /// Outputs per state.
    pub fn outputs(&self) -> usize {
        self.net.outputs()
    }

    pub fn scratch(&self) -> Scratch {
        Scratch {
            ones: vec![0; MAX_ROWS * self.net.ones()],
            net: self.net.scratch(),
            outputs: vec![0.0; MAX_ROWS * self.outputs()],
        }
    }

    pub fn tape(&self) -> Tape {
        Tape { ones: vec![0; MAX_ROWS * self.net.ones()], net: self.net.tape(MAX_ROWS), rows: 0 }
    }

    /// Writes the indices of the inputs that are one, and returns the number of states.
    ///
    /// Shape of the result: `ones [states, ones per state]`.
    pub fn encode(&self, states: impl Iterator<Item = State>, ones: &mut [u16]) -> usize {
        let encode = match self.encoding {
            Encoding::Stickers => active_sticker_inputs,
            Encoding::Corners => active_corner_inputs,
        };
        let rows = ones.chunks_exact_mut(self.net.ones());
        rows.zip(states).map(|(row, state)| encode(state, row)).count()
    }

    /// Computes the outputs for up to [`MAX_ROWS`] states.
    ///
    /// Shape of the result: `[states, outputs]`.
    pub fn infer<'s>(&self, states: impl Iterator<Item = State>, scratch: &'s mut Scratch) -> &'s [f32] {
        self.infer_with(&self.weights, states, scratch)
    }

    /// Like [`Network::infer`] with other weights of the same shape, such as those of a target network.
    pub fn infer_with<'s>(
        &self,
        weights: &Weights,
        states: impl Iterator<Item = State>,
        scratch: &'s mut Scratch,
    ) -> &'s [f32] {
        let rows = self.encode(states, &mut scratch.ones);
        let outputs = &mut scratch.outputs[..rows * self.outputs()];
        self.net.infer(weights, &scratch.ones[..rows * self.net.ones()], &mut scratch.net, outputs);
        outputs
    }

    /// Estimates the distances of up to [`MAX_ROWS`] states. Only for a network that predicts distances.
    pub fn estimate_distances(
        &self,
        states: impl Iterator<Item = State>,
        scratch: &mut Scratch,
        distances: &mut [f32],
    ) {
        for (distance, y) in distances.iter_mut().zip(self.infer(states, scratch)) {
            *distance = distance_of_output(*y);
        }
    }

    /// Estimates the distances of the nodes of a state space (states or classes of symmetric states) from
    /// number `first` on, in parallel, until `distances` is full. The solved cube always gets 0.
    pub fn estimate_node_distances(
        &self,
        space: &StateSpace,
        scratches: &mut [Scratch],
        first: usize,
        distances: &mut [f32],
    ) {
        let chunks = scratches.par_iter_mut().zip(distances.par_chunks_mut(MAX_ROWS)).enumerate();
        chunks.with_max_len(1).for_each(|(i, (scratch, distances))| {
            let first = first + i * MAX_ROWS;
            let states = (first..first + distances.len()).map(|node| space.state(node as u32));
            self.estimate_distances(states, scratch, distances);
        });
        if first == SOLVED_NODE as usize {
            distances[0] = 0.0;
        }
    }

    /// Runs the forward pass for up to [`MAX_ROWS`] states. Returns the outputs, and a buffer into which the
    /// caller writes the gradient of the loss at the outputs before it calls [`Network::backward`].
    ///
    /// Shapes: `both [states, outputs]`.
    pub fn forward<'t>(
        &self,
        states: impl Iterator<Item = State>,
        tape: &'t mut Tape,
    ) -> (&'t [f32], &'t mut [f32]) {
        tape.rows = self.encode(states, &mut tape.ones);
        self.net.forward(&self.weights, &tape.ones[..tape.rows * self.net.ones()], &mut tape.net);
        tape.net.outputs_and_gradients(tape.rows)
    }

    /// Backpropagates through the last forward pass and adds the gradient at the parameters to `grads`.
    pub fn backward(&self, tape: &mut Tape, grads: &mut [f32]) {
        self.net.backward(&self.weights, &tape.ones[..tape.rows * self.net.ones()], &mut tape.net, grads);
    }
}

/// Converts an output to a distance, which is at least zero.
pub fn distance_of_output(y: f32) -> f32 {
    (DISTANCE_MEAN + DISTANCE_SCALE * y).max(0.0)
}

/// Converts a distance to an output.
pub fn output_of_distance(distance: f32) -> f32 {
    (distance - DISTANCE_MEAN) / DISTANCE_SCALE
}
