//! The network of a puzzle of any size: a multilayer perceptron whose input is, for each place, which piece
//! is there in which orientation, one-hot. Its first layer is a sum of rows of a table, one for each place.

use learnery_kernels::rng::Stream;
use learnery_lab::LabError;
use learnery_nn::{Layout, OneHotMlp, OneHotScratch, OneHotTape, Tensors, Weights};
use learnery_worlds::puzzle::{Puzzle, State, Turn};

use crate::beam::{self, Guide};
use crate::config::{CubeConfig, Method, TurnMetric};

/// Upper bound of the number of states in one pass of training, or whose neighbours are scored in one call.
pub const MAX_ROWS: usize = beam::STATES_PER_CHUNK;

/// An output `y` means the distance `DISTANCE_MEAN + DISTANCE_SCALE * y`. This normalisation keeps outputs
/// near unit size.
pub const DISTANCE_MEAN: f32 = 15.0;
pub const DISTANCE_SCALE: f32 = 7.0;

/// What the network computes of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outputs {
    /// The distance of the state from solved.
    Distance,
    /// For each turn, the distance of the state after it.
    DistancesAfterTurns,
    /// For each turn, a logit of how likely it is to undo the last turn of a scramble.
    Logits,
}

/// The network's shape and its parameters.
#[derive(Clone)]
pub struct Network {
    puzzle: &'static Puzzle,
    /// How many turns there are to choose from: the first ones of the puzzle.
    turns: usize,
    net: OneHotMlp,
    pub weights: Weights,
    outputs: Outputs,
    /// For each place: the index of its first input.
    first_inputs: Vec<u16>,
}

/// Buffers for an inference pass.
pub struct Scratch {
    /// Indices of the inputs that are one.
    /// Shape: `[MAX_ROWS * turns, places]`.
    ones: Vec<u16>,
    net: OneHotScratch,
}

/// Activations of one training pass, kept from the forward for the backward pass.
pub struct Tape {
    /// Indices of the inputs that are one.
    /// Shape: `[MAX_ROWS, places]`.
    ones: Vec<u16>,
    net: OneHotTape,
    /// How many rows the last forward pass had.
    rows: usize,
}

/// How many turns a metric has. They are the first ones of the puzzle: quarter turns come before half turns.
pub fn turns(puzzle: &Puzzle, metric: TurnMetric) -> usize {
    match metric {
        TurnMetric::Quarter => puzzle.quarter_turns(),
        TurnMetric::Half => puzzle.turns(),
    }
}

impl Network {
    fn layout(
        config: &CubeConfig,
        puzzle: &'static Puzzle,
        outputs: Outputs,
    ) -> (Layout, OneHotMlp, Vec<u16>) {
        let mut first_inputs = Vec::new();
        let mut inputs = 0;
        for orbit in puzzle.orbits() {
            for _ in 0..orbit.places {
                first_inputs.push(inputs as u16);
                inputs += orbit.values();
            }
        }
        let count = match outputs {
            Outputs::Distance => 1,
            Outputs::DistancesAfterTurns | Outputs::Logits => turns(puzzle, config.metric),
        };
        let mut layout = Layout::default();
        let is_dueling = false;
        let shape = [inputs, puzzle.places()];
        let net = OneHotMlp::new(&mut layout, "net", shape, &config.hidden_sizes(), count, is_dueling);
        (layout, net, first_inputs)
    }

    /// A network with random initial weights for the learner of these settings.
    pub fn new(config: &CubeConfig, puzzle: &'static Puzzle, stream: Stream) -> Self {
        let outputs = match config.learner {
            Method::Efficientcube => Outputs::Logits,
            _ => Outputs::Distance,
        };
        let (layout, net, first_inputs) = Self::layout(config, puzzle, outputs);
        let mut weights = Weights::new(layout);
        // The initial weights of the last layer are scaled down, so that all initial outputs are near zero.
        let last_gain = 0.1;
        weights.update(|params| net.init(params, last_gain, stream));
        Self { puzzle, turns: turns(puzzle, config.metric), net, weights, outputs, first_inputs }
    }

    /// Reads a network that computes `outputs`.
    pub fn from_tensors(
        config: &CubeConfig,
        puzzle: &'static Puzzle,
        outputs: Outputs,
        tensors: &Tensors,
    ) -> Result<Self, LabError> {
        let (layout, net, first_inputs) = Self::layout(config, puzzle, outputs);
        let weights = Weights::from_tensors(layout, tensors)?;
        Ok(Self { puzzle, turns: turns(puzzle, config.metric), net, weights, outputs, first_inputs })
    }

    /// Reads the network of a checkpoint. With EfficientCube it computes logits. Otherwise it computes the
    /// distance of the state or, if it is distilled, of all its neighbours. The shape of the last layer tells
    /// which.
    pub fn from_any_tensors(
        config: &CubeConfig,
        puzzle: &'static Puzzle,
        tensors: &Tensors,
    ) -> Result<Self, LabError> {
        let read = |outputs| Self::from_tensors(config, puzzle, outputs, tensors);
        match config.learner {
            Method::Efficientcube => read(Outputs::Logits),
            _ => read(Outputs::DistancesAfterTurns).or_else(|_| read(Outputs::Distance)),
        }
    }

    /// A network that computes the distances after all turns, made of this network, which computes the
    /// distance of a state. The new network has the same layers, and the last one repeats its output for each
    /// turn. So at first it predicts the state's own distance for every neighbour.
    pub fn with_distances_after_turns(&self, config: &CubeConfig) -> Self {
        let outputs = Outputs::DistancesAfterTurns;
        let (layout, net, first_inputs) = Self::layout(config, self.puzzle, outputs);
        let mut weights = Weights::new(layout);
        let (from, turns) = (self.weights.flat(), self.turns);
        // The last parameters are the weights and the bias of the last layer. The others are the same.
        let last_width = config.hidden_sizes().last().map_or(0, |size| *size);
        let same = from.len() - last_width - 1;
        weights.update(|params| {
            assert_eq!(params.len(), same + (last_width + 1) * turns, "the last layer comes last");
            params[..same].copy_from_slice(&from[..same]);
            // The last layer has a row of `turns` weights for each neuron before it, then a row of biases.
            let rows = params[same..].chunks_exact_mut(turns);
            rows.zip(&from[same..]).for_each(|(outputs, value)| outputs.fill(*value));
        });
        Self { net, weights, outputs, first_inputs, ..*self }
    }

    /// For each place: the index of its first input.
    // Only the export of networks reads it, which the page does not have.
    #[cfg(not(target_family = "wasm"))]
    pub fn first_inputs(&self) -> &[u16] {
        &self.first_inputs
    }

    /// The layers.
    pub fn net(&self) -> &OneHotMlp {
        &self.net
    }

    pub fn outputs(&self) -> Outputs {
        self.outputs
    }

    pub fn puzzle(&self) -> &'static Puzzle {
        self.puzzle
    }

    /// The number of turns to choose from.
    pub fn turns(&self) -> usize {
        self.turns
    }

    /// Outputs per state.
    pub fn output_count(&self) -> usize {
        self.net.outputs()
    }

    pub fn tape(&self) -> Tape {
        Tape { ones: vec![0; MAX_ROWS * self.net.ones()], net: self.net.tape(MAX_ROWS), rows: 0 }
    }

    /// Writes the indices of the inputs that are one, and returns the number of states.
    ///
    /// Shape of the result: `ones [states, places]`.
    fn encode(&self, states: impl Iterator<Item = State>, ones: &mut [u16]) -> usize {
        let rows = ones.chunks_exact_mut(self.net.ones());
        rows.zip(states)
            .map(|(row, state)| {
                let places = row.iter_mut().zip(&state).zip(&self.first_inputs);
                places.for_each(|((one, value), first)| *one = first + u16::from(*value));
            })
            .count()
    }

    /// Computes the outputs for up to `MAX_ROWS * turns` states.
    ///
    /// Shape of the result: `outputs [states, outputs per state]`.
    pub fn infer(&self, states: impl Iterator<Item = State>, scratch: &mut Scratch, outputs: &mut [f32]) {
        let rows = self.encode(states, &mut scratch.ones);
        let ones = &scratch.ones[..rows * self.net.ones()];
        self.net.infer(&self.weights, ones, &mut scratch.net, &mut outputs[..rows * self.output_count()]);
    }

    /// Runs the forward pass for up to [`MAX_ROWS`] states. Returns the outputs, and a buffer into which the
    /// caller writes the gradient of the loss at the outputs before it calls [`Network::backward`].
    ///
    /// Shapes: `both [states, outputs per state]`.
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

/// Scores are distances, or minus the logarithms of the probabilities of turns, which are added along a path.
impl Guide for Network {
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        Scratch { ones: vec![0; MAX_ROWS * self.turns * self.net.ones()], net: self.net.scratch() }
    }

    fn adds_scores(&self) -> bool {
        self.outputs == Outputs::Logits
    }

    fn work(&self) -> u64 {
        // A network that computes the distance of a state alone computes each neighbour.
        let states = if self.outputs == Outputs::Distance { self.turns } else { 1 };
        states as u64 * self.weights.len() as u64
    }

    fn score(&self, states: &[State], scratch: &mut Scratch, scores: &mut [f32]) {
        match self.outputs {
            Outputs::Distance => {
                let neighbours = states
                    .iter()
                    .flat_map(|state| (0..self.turns as Turn).map(|turn| self.puzzle.after(state, turn)));
                self.infer(neighbours, scratch, scores);
            }
            Outputs::DistancesAfterTurns | Outputs::Logits => {
                self.infer(states.iter().copied(), scratch, scores);
            }
        }
        match self.outputs {
            Outputs::Distance | Outputs::DistancesAfterTurns => {
                scores.iter_mut().for_each(|score| *score = distance_of_output(*score));
            }
            Outputs::Logits => {
                for logits in scores.chunks_exact_mut(self.turns) {
                    let total = log_sum_exp(logits);
                    logits.iter_mut().for_each(|logit| *logit = total - *logit);
                }
            }
        }
    }
}

/// The logarithm of the sum of the exponentials.
fn log_sum_exp(logits: &[f32]) -> f32 {
    use learnery_kernels::math;
    let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    max + math::log(logits.iter().map(|logit| math::exp(logit - max)).sum())
}

/// Converts an output to a distance.
pub fn distance_of_output(y: f32) -> f32 {
    DISTANCE_MEAN + DISTANCE_SCALE * y
}

/// Converts a distance to an output.
pub fn output_of_distance(distance: f32) -> f32 {
    (distance - DISTANCE_MEAN) / DISTANCE_SCALE
}

/// The factor from the squared error of an output to the squared error of the distance that it means.
pub const SQUARED_SCALE: f32 = DISTANCE_SCALE * DISTANCE_SCALE;
