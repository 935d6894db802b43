//! The network of one side: an MLP from the checkers of the side to three distributions of numbers of turns,
//! the heads: until all checkers are off, until the first is off, until none is left in the opponent's home
//! board (`turns.rs`).
//!
//! The logits of a head begin as those of a normal distribution, the *prior*, whose mean follows from the pip
//! count. The outputs of the MLP change them: by coefficients of normalised Hermite polynomials, which move,
//! widen and skew the distribution, and by a correction for each of the first numbers of turns, where the
//! distribution is not smooth because few checkers are left.
//!
//! A side has few inputs that are not zero, so inference sums the first layer's rows of these.

use std::ops::Range;

use learnery_kernels::activation::{Activation, softmax};
use learnery_kernels::buffer::Buffer;
use learnery_kernels::rng::Stream;
use learnery_kernels::weighted_rows::{WeightedRow, add_weighted_rows};
use learnery_nn::{Dense, Hidden, Layout, Mlp, MlpTape, TensorError, Tensors, Weights};

use super::turns::{BINS, HEADS, Turns, known};
use super::{FIRST_FAR, LAST_HOME, Side, pips_beyond};

/// Places whose checkers are inputs: off, and the points. In a race nobody is on the bar.
const PLACES: usize = 25;
/// A unary code, as for the afterstate networks: at least one, two, three, four checkers, and half the number
/// beyond four.
const INPUTS_PER_PLACE: usize = 5;
const INPUTS: usize = PLACES * INPUTS_PER_PLACE;
/// Hermite polynomials of a head, of degrees 1 to 4.
const POLYNOMIALS: usize = 4;
/// The numbers of turns from 0 on of which each has a correction.
const CORRECTED_BINS: usize = 14;
const OUTPUTS_PER_HEAD: usize = POLYNOMIALS + CORRECTED_BINS;
const OUTPUTS: usize = HEADS * OUTPUTS_PER_HEAD;
/// Mean pips of a roll.
const PIPS_PER_ROLL: f32 = 49.0 / 6.0;
/// Polynomials are constant beyond this many standard deviations, where the prior remains the stronger.
const MAX_DEVIATION: f32 = 6.0;
/// Sides that go through the layers together.
const ROWS_PER_PASS: usize = 64;
/// The widest hidden layer that is read from a file.
const MOST_NEURONS: usize = 1024;
/// Hidden layers are rectified and not normalised.
const RELU: Hidden = Hidden { norm: false, activation: Activation::Relu };
/// Gain of the initial output weights: small, so an untrained network gives the priors.
const HEAD_GAIN: f32 = 0.05;
// Names in the layout and in files.
const FIRST: &str = "turns/first";
const FIRST_WEIGHT: &str = "turns/first/weight";
const FIRST_BIAS: &str = "turns/first/bias";
const SECOND_BIAS: &str = "turns/rest/0/bias";

/// The shape of the network, and its parameters.
#[derive(Debug)]
pub struct Network {
    first: Dense,
    rest: Mlp,
    /// Where the weights of the first layer lie, one row for each input.
    // [inputs, width]
    rows: Range<usize>,
    /// Where the bias of the first layer lies.
    // [width]
    bias: Range<usize>,
    weights: Weights,
}

/// Buffers for inference.
#[derive(Clone, Debug)]
pub struct Scratch {
    rows: Vec<WeightedRow>,
    /// Where the inputs of each side end in `rows`.
    ends: Vec<usize>,
    /// The distributions that the network has to compute in this pass.
    open: Vec<OpenHead>,
    // [ROWS_PER_PASS, width]
    hidden: Buffer,
    rest: learnery_nn::Scratch,
    // [ROWS_PER_PASS, OUTPUTS]
    outputs: Buffer,
    // [ROWS_PER_PASS, HEADS, BINS]
    logits: Vec<f32>,
}

/// A distribution that the network has to compute.
#[derive(Clone, Copy, Debug)]
struct OpenHead {
    /// The side, counted over all sides of the pass.
    side: usize,
    /// The side's row in the network's batch, where only sides with an open head are.
    row: usize,
    head: usize,
}

/// Activations and gradients of a training pass.
pub struct Tape {
    // [capacity, inputs]
    inputs: Buffer,
    // [capacity, width]
    hidden: Buffer,
    // [capacity, width]
    hidden_gradient: Buffer,
    rest: MlpTape,
}

/// The prior of a head and the polynomials, as logits of each number of turns.
struct Basis {
    prior: [f32; BINS],
    polynomials: [[f32; BINS]; POLYNOMIALS],
}

impl Basis {
    fn new(side: &Side, head: usize) -> Self {
        // The mean number of turns: pips and those that moves waste, by the pips of a roll, and turns that
        // are lost otherwise. Rough fits by eye, from which learning starts.
        let pips = |place: usize| pips_beyond(side, place) as f32;
        let mean = match head {
            0 => (pips(0) + 8.0) / PIPS_PER_ROLL,
            1 => (pips(LAST_HOME) + 4.0) / PIPS_PER_ROLL + 0.7,
            _ => (pips(FIRST_FAR - 1) + 2.0) / PIPS_PER_ROLL + 0.4,
        };
        // The bins end little above the largest means.
        let mean = mean.min(BINS as f32 - 4.0);
        let variance = 0.35 + 0.25 * mean;
        let scale = 1.0 / variance.sqrt();
        let mut basis = Self { prior: [0.0; BINS], polynomials: [[0.0; BINS]; POLYNOMIALS] };
        let [first, second, third, fourth] = &mut basis.polynomials;
        for turns in 0..BINS {
            let x = (turns as f32 - mean) * scale;
            basis.prior[turns] = -0.5 * x * x;
            let x = x.clamp(-MAX_DEVIATION, MAX_DEVIATION);
            let square = x * x;
            // Hermite polynomials of unit variance under a normal distribution: divided by the roots of 2!,
            // 3!, 4!.
            first[turns] = x;
            second[turns] = (square - 1.0) * 0.707_106_77;
            third[turns] = x * (square - 3.0) * 0.408_248_3;
            fourth[turns] = ((square - 6.0) * square + 3.0) * 0.204_124_15;
        }
        basis
    }

    fn logits(&self, outputs: &[f32], logits: &mut [f32]) {
        let (factors, corrections) = outputs.split_at(POLYNOMIALS);
        logits.copy_from_slice(&self.prior);
        for (factor, polynomial) in factors.iter().zip(&self.polynomials) {
            logits.iter_mut().zip(polynomial).for_each(|(logit, x)| *logit += factor * x);
        }
        logits.iter_mut().zip(corrections).for_each(|(logit, x)| *logit += x);
    }

    /// The gradient at the outputs from that at the logits.
    fn backward(&self, gradient: &[f32], outputs: &mut [f32]) {
        let (factors, corrections) = outputs.split_at_mut(POLYNOMIALS);
        for (factor, polynomial) in factors.iter_mut().zip(&self.polynomials) {
            *factor = gradient.iter().zip(polynomial).map(|(g, x)| g * x).sum();
        }
        corrections.copy_from_slice(&gradient[..CORRECTED_BINS]);
    }
}

/// Calls `add` with each input that is not zero.
fn inputs(side: &Side, mut add: impl FnMut(usize, f32)) {
    for (place, n) in side[..PLACES].iter().enumerate() {
        for k in 0..usize::from(*n).min(INPUTS_PER_PLACE - 1) {
            add(place * INPUTS_PER_PLACE + k, 1.0);
        }
        if *n > 4 {
            add(place * INPUTS_PER_PLACE + INPUTS_PER_PLACE - 1, f32::from(*n - 4) * 0.5);
        }
    }
}

impl Network {
    /// A network with these widths of its two hidden layers; all parameters are zero.
    pub fn new([wide, narrow]: [usize; 2]) -> Self {
        let mut layout = Layout::default();
        let first = Dense::new(&mut layout, FIRST, INPUTS, wide, false);
        let find = |part| layout.find(part).expect("it was just added");
        let (rows, bias) = (find(FIRST_WEIGHT), find(FIRST_BIAS));
        let rest = Mlp::new(&mut layout, "turns/rest", &[wide, narrow, OUTPUTS], RELU, true);
        Self { first, rest, rows, bias, weights: Weights::new(layout) }
    }

    /// Initialises all parameters at random.
    pub fn init(&mut self, stream: Stream) {
        let Self { first, rest, weights, .. } = self;
        weights.update(|params| {
            first.init(params, 1.0, stream, 0);
            rest.init(params, HEAD_GAIN, Stream::new(stream.block(0, 0)[0], 0));
        });
    }

    /// Reads a network with these widths.
    pub fn from_tensors(widths: [usize; 2], tensors: &Tensors) -> Result<Self, TensorError> {
        let mut network = Self::new(widths);
        network.weights = Weights::from_tensors(network.weights.layout().clone(), tensors)?;
        Ok(network)
    }

    /// Reads a network of any widths, if the tensors have one.
    pub fn find(tensors: &Tensors) -> Result<Option<Self>, TensorError> {
        if !tensors.contains(FIRST_BIAS) {
            return Ok(None);
        }
        // The sizes of its layers follow from the shapes of the tensors.
        let width = |name: &str| match tensors.get_vec::<f32>(name)?.len() {
            width @ 1..=MOST_NEURONS => Ok(width),
            width => Err(TensorError::Mismatch {
                name: name.into(),
                found: format!("{width} wide"),
                expected: format!("1 to {MOST_NEURONS}"),
            }),
        };
        Self::from_tensors([width(FIRST_BIAS)?, width(SECOND_BIAS)?], tensors).map(Some)
    }

    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Lets `change` modify the parameters.
    pub fn update(&mut self, change: impl FnOnce(&mut [f32])) {
        self.weights.update(change);
    }

    pub fn scratch(&self) -> Scratch {
        Scratch {
            rows: Vec::with_capacity(ROWS_PER_PASS * 16),
            ends: Vec::with_capacity(ROWS_PER_PASS),
            open: Vec::with_capacity(ROWS_PER_PASS * HEADS),
            hidden: Buffer::new(ROWS_PER_PASS * self.first.outputs()),
            rest: self.rest.scratch(),
            outputs: Buffer::new(ROWS_PER_PASS * OUTPUTS),
            logits: vec![0.0; ROWS_PER_PASS * HEADS * BINS],
        }
    }

    /// Computes the distributions of sides. Those that follow from the rules or the bear-off table are taken
    /// from there, and only sides with at least one other go through the network.
    pub fn turns(&self, sides: &[Side], scratch: &mut Scratch, out: &mut Vec<Turns>) {
        let weights = &self.weights;
        let (table, bias) = (&weights.flat()[self.rows.clone()], &weights.flat()[self.bias.clone()]);
        out.clear();
        out.resize(sides.len(), [[0.0; BINS]; HEADS]);
        let Scratch { rows, ends, open, hidden, rest, outputs, logits } = scratch;
        for (sides, out) in sides.chunks(ROWS_PER_PASS).zip(out.chunks_mut(ROWS_PER_PASS)) {
            rows.clear();
            ends.clear();
            open.clear();
            for (i, (side, out)) in sides.iter().zip(&mut *out).enumerate() {
                let before = open.len();
                for (head, (known, out)) in known(side).into_iter().zip(out).enumerate() {
                    match known {
                        Some(known) => *out = known,
                        None => open.push(OpenHead { side: i, row: ends.len(), head }),
                    }
                }
                if open.len() > before {
                    inputs(side, |row, weight| rows.push(WeightedRow { row: row as u32, weight }));
                    ends.push(rows.len());
                }
            }
            let n = ends.len();
            let (hidden, outputs) = (&mut hidden[..n * bias.len()], &mut outputs[..n * OUTPUTS]);
            // The floor of 0 is the ReLU of the first layer.
            add_weighted_rows(hidden, bias, table, ends, rows, 0.0);
            self.rest.infer(weights, hidden, n, rest, outputs);
            let logits = &mut logits[..open.len() * BINS];
            for (open, logits) in open.iter().zip(logits.chunks_exact_mut(BINS)) {
                let outputs =
                    &outputs[open.row * OUTPUTS + open.head * OUTPUTS_PER_HEAD..][..OUTPUTS_PER_HEAD];
                Basis::new(&sides[open.side], open.head).logits(outputs, logits);
            }
            softmax(logits, BINS);
            for (open, bins) in open.iter().zip(logits.as_chunks().0) {
                out[open.side][open.head] = *bins;
            }
        }
    }

    /// A tape for batches of up to `capacity` sides.
    pub fn tape(&self, capacity: usize) -> Tape {
        Tape {
            inputs: Buffer::new(capacity * INPUTS),
            hidden: Buffer::new(capacity * self.first.outputs()),
            hidden_gradient: Buffer::new(capacity * self.first.outputs()),
            rest: self.rest.tape(capacity),
        }
    }

    /// Runs a training pass forward, over all heads, and returns the logits.
    /// Shape: `[sides, HEADS, BINS]`.
    pub fn forward(&self, sides: &[Side], tape: &mut Tape) -> Vec<f32> {
        let n = sides.len();
        let rows = &mut tape.inputs[..n * INPUTS];
        rows.fill(0.0);
        for (side, row) in sides.iter().zip(rows.chunks_exact_mut(INPUTS)) {
            inputs(side, |i, x| row[i] = x);
        }
        let hidden = &mut tape.hidden[..n * self.first.outputs()];
        let relu = self.first.epilogue(&self.weights).then(Activation::Relu);
        self.first.forward(&self.weights, hidden, rows, n, relu);
        self.rest.forward(&self.weights, hidden, n, &mut tape.rest);
        let mut logits = vec![0.0; n * HEADS * BINS];
        expand(sides, tape.rest.outputs_and_gradients(n).0, &mut logits);
        logits
    }

    /// Adds the gradient of the last forward pass to `grads`, from that at its logits.
    pub fn backward(&self, sides: &[Side], gradient: &[f32], tape: &mut Tape, grads: &mut [f32]) {
        let n = sides.len();
        let outputs = tape.rest.outputs_and_gradients(n).1.chunks_exact_mut(OUTPUTS_PER_HEAD);
        for ((i, outputs), gradient) in outputs.enumerate().zip(gradient.chunks_exact(BINS)) {
            Basis::new(&sides[i / HEADS], i % HEADS).backward(gradient, outputs);
        }
        let Tape { inputs, hidden, hidden_gradient, rest } = tape;
        let size = n * self.first.outputs();
        let (hidden, gradient) = (&hidden[..size], &mut hidden_gradient[..size]);
        self.rest.backward(&self.weights, hidden, n, rest, grads, Some(gradient));
        Activation::Relu.backward(gradient, hidden);
        self.first.backward(grads, &inputs[..n * INPUTS], gradient, n);
    }
}

/// The logits from the outputs of the MLP.
fn expand(sides: &[Side], outputs: &[f32], logits: &mut [f32]) {
    let rows = outputs.chunks_exact(OUTPUTS_PER_HEAD).zip(logits.chunks_exact_mut(BINS));
    for (i, (outputs, logits)) in rows.enumerate() {
        Basis::new(&sides[i / HEADS], i % HEADS).logits(outputs, logits);
    }
}

#[cfg(test)]
#[path = "network_tests.rs"]
mod tests;
