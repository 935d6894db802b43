//! The network, and many states at once through it.

use learnery_kernels::rng::Stream;
use learnery_lab::LabError;
use learnery_nn::{Layout, OneHotMlp, OneHotScratch, OneHotTape, Tensors, Weights};
use learnery_worlds::cube::{
    ACTIVE_CORNER_INPUTS, CORNER_INPUTS, STICKER_INPUTS, State, active_corner_inputs, active_sticker_inputs,
};

use super::CubeConfig;
use super::config::Encoding;

/// Rows that one lane takes at a time.
pub const ROWS: usize = 256;

/// Guessed distances are `MIDDLE + SPREAD y`, so that what the network says is about one in size.
const MIDDLE: f32 = 7.0;
const SPREAD: f32 = 3.0;

/// The network and its parameters.
#[derive(Clone)]
pub struct Brain {
    net: OneHotMlp,
    /// Its parameters.
    pub weights: Weights,
    encoding: Encoding,
    distances: bool,
}

/// What a pass of up to [`ROWS`] states works in.
pub struct Lane {
    ones: Vec<u16>,
    net: OneHotScratch,
    out: Vec<f32>,
}

/// Room to learn from up to [`ROWS`] states at a time.
pub struct Tape {
    ones: Vec<u16>,
    net: OneHotTape,
    rows: usize,
}

impl Brain {
    fn plan(config: &CubeConfig) -> (Layout, OneHotMlp) {
        let (inputs, ones) = match config.encoding {
            Encoding::Stickers => (STICKER_INPUTS, STICKER_INPUTS / 6),
            Encoding::Corners => (CORNER_INPUTS, ACTIVE_CORNER_INPUTS),
        };
        let distances = config.learner.guesses_distances();
        let outputs = if distances { 1 } else { config.metric.rules().turns() };
        let dueling = config.dueling && config.learner == super::Learner::Dqn;
        let mut layout = Layout::default();
        let net = OneHotMlp::new(&mut layout, "net", [inputs, ones], &config.hidden(), outputs, dueling);
        (layout, net)
    }

    fn with(config: &CubeConfig, net: OneHotMlp, weights: Weights) -> Self {
        Self { net, weights, encoding: config.encoding, distances: config.learner.guesses_distances() }
    }

    /// A fresh one.
    pub fn new(config: &CubeConfig, stream: Stream) -> Self {
        let (layout, net) = Self::plan(config);
        let mut weights = Weights::new(layout);
        weights.update(|params| net.init(params, 0.1, stream));
        Self::with(config, net, weights)
    }

    /// A trained one.
    pub fn from_tensors(config: &CubeConfig, tensors: &Tensors) -> Result<Self, LabError> {
        let (layout, net) = Self::plan(config);
        Ok(Self::with(config, net, Weights::from_tensors(layout, tensors)?))
    }

    /// Whether it guesses distances; otherwise it judges turns.
    pub fn guesses_distances(&self) -> bool {
        self.distances
    }

    /// Numbers it says about a state.
    pub fn outputs(&self) -> usize {
        self.net.outputs()
    }

    /// What a pass works in.
    pub fn lane(&self) -> Lane {
        Lane {
            ones: vec![0; ROWS * self.net.ones()],
            net: self.net.scratch(),
            out: vec![0.0; ROWS * self.outputs()],
        }
    }

    /// Room to learn.
    pub fn tape(&self) -> Tape {
        Tape { ones: vec![0; ROWS * self.net.ones()], net: self.net.tape(ROWS), rows: 0 }
    }

    fn encode(&self, states: impl Iterator<Item = State>, ones: &mut [u16]) -> usize {
        let encode = match self.encoding {
            Encoding::Stickers => active_sticker_inputs,
            Encoding::Corners => active_corner_inputs,
        };
        let places = ones.chunks_exact_mut(self.net.ones());
        places.zip(states).map(|(place, state)| encode(state, place)).count()
    }

    /// What it says about up to [`ROWS`] states. // [states, outputs]
    pub fn say<'l>(&self, states: impl Iterator<Item = State>, lane: &'l mut Lane) -> &'l [f32] {
        self.say_with(&self.weights, states, lane)
    }

    /// The same with other parameters of the same network.
    pub fn say_with<'l>(
        &self,
        weights: &Weights,
        states: impl Iterator<Item = State>,
        lane: &'l mut Lane,
    ) -> &'l [f32] {
        let rows = self.encode(states, &mut lane.ones);
        let out = &mut lane.out[..rows * self.outputs()];
        self.net.infer(weights, &lane.ones[..rows * self.net.ones()], &mut lane.net, out);
        out
    }

    /// Guessed distances of up to [`ROWS`] states.
    pub fn guess(&self, states: impl Iterator<Item = State>, lane: &mut Lane, out: &mut [f32]) {
        for (out, y) in out.iter_mut().zip(self.say(states, lane)) {
            *out = distance(*y);
        }
    }

    /// Runs up to [`ROWS`] states for [`Brain::backward`].
    pub fn forward<'t>(
        &self,
        states: impl Iterator<Item = State>,
        tape: &'t mut Tape,
    ) -> (&'t [f32], &'t mut [f32]) {
        tape.rows = self.encode(states, &mut tape.ones);
        self.net.forward(&self.weights, &tape.ones[..tape.rows * self.net.ones()], &mut tape.net);
        tape.net.outputs_and_gradients(tape.rows)
    }

    /// Adds the gradient of the last forward pass to `grads`, with that at its outputs written onto the tape.
    pub fn backward(&self, tape: &mut Tape, grads: &mut [f32]) {
        self.net.backward(&self.weights, &tape.ones[..tape.rows * self.net.ones()], &mut tape.net, grads);
    }
}

/// The distance that an output stands for: none is below zero.
pub fn distance(y: f32) -> f32 {
    (MIDDLE + SPREAD * y).max(0.0)
}

/// The output that stands for a distance.
pub fn output(distance: f32) -> f32 {
    (distance - MIDDLE) / SPREAD
}
