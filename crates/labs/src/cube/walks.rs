//! Learners that need nothing but random scrambles.
//!
//! - Value iteration (DAVI; Agostinelli, McAleer, Shmakov and Baldi, "Solving the Rubik's cube with deep reinforcement
//!   learning and search", 2019): a state is one turn further than the nearest of its neighbours is guessed to be. The
//!   guesses that are learned from stay the same for a while; here they are made for all nodes at once, so that a target
//!   costs a few look-ups.
//! - EfficientCube (Takano, "Self-supervision is all you need for solving Rubik's cube", 2021): which turn did the scramble
//!   end with? Undo that one.
//! - CayleyPy (Chervov et al., "A machine learning approach that beats large Rubik's cubes", 2025): how many turns did the
//!   scramble have?

use learnery_kernels::rng::Stream;
use learnery_lab::{LabError, Row};
use learnery_nn::loss::{Targets, softmax_cross_entropy, squared_error};
use learnery_nn::{Adam, Pieces, Tensors};
use learnery_worlds::cube::{Turns, inverse, turns};

use super::brain::{Brain, Lane, ROWS, Tape, distance, output};
use super::judge::guess;
use super::scramble::scramble_up_to;
use super::space::Space;
use super::{CubeConfig, Learner, optimiser, purpose};

/// Nodes whose guesses are renewed in one step.
const STRIDE: usize = 8192;

/// How fast the running mean of the loss follows.
const FOLLOW: f64 = 0.05;

/// The learner.
pub struct Walks {
    adam: Adam,
    scrambles: Stream,
    pieces: Pieces<Piece>,
    lanes: Vec<Lane>,
    /// The guesses that are learned from; none but for value iteration. // [nodes]
    guesses: Vec<f32>,
    /// Those that take their place once all are made.
    fresh: Vec<f32>,
    /// How many of those are made, while they are.
    renewing: Option<usize>,
    /// Updates in all, and when the guesses were last renewed.
    updates: u64,
    renewed: u64,
    /// Running mean of the loss since then.
    recent: f64,
    /// Sums over the iteration.
    loss: f64,
    count: u64,
    grad_norms: f64,
}

struct Piece {
    tape: Tape,
    states: Vec<u32>,
    targets: Vec<f32>,
    classes: Vec<u32>,
    losses: Vec<f32>,
    loss: f64,
}

impl Walks {
    /// Nothing learned yet.
    pub fn new(config: &CubeConfig, seed: u32, brain: &Brain, space: &Space) -> Self {
        let piece = || Piece {
            tape: brain.tape(),
            states: vec![0; ROWS],
            targets: vec![0.0; ROWS],
            classes: vec![0; ROWS],
            losses: vec![0.0; ROWS],
            loss: 0.0,
        };
        let guessed = if config.learner == Learner::Davi { space.nodes() } else { 0 };
        let parameters = brain.weights.len();
        Self {
            adam: Adam::new(parameters),
            scrambles: Stream::new(seed, purpose::SCRAMBLES),
            pieces: Pieces::new(ROWS, (config.batch as usize).div_ceil(ROWS), parameters, piece),
            lanes: (0..STRIDE / ROWS).map(|_| brain.lane()).collect(),
            guesses: vec![0.0; guessed],
            fresh: vec![0.0; guessed],
            renewing: None,
            updates: 0,
            renewed: 0,
            recent: f64::NAN,
            loss: 0.0,
            count: 0,
            grad_norms: 0.0,
        }
    }

    /// Updates made since the run began.
    pub fn updates(&self) -> u64 {
        self.updates
    }

    /// How much of the iteration is done.
    pub fn share(&self, config: &CubeConfig) -> f32 {
        self.count as f32 / config.updates as f32
    }

    /// Begins an iteration.
    pub fn begin(&mut self) {
        (self.loss, self.count, self.grad_norms) = (0.0, 0, 0.0);
    }

    /// One step of an iteration: an update, or some fresh guesses; true when the last update is done.
    pub fn step(&mut self, config: &CubeConfig, brain: &mut Brain, space: &Space) -> bool {
        if self.renewing.is_none() && self.is_renewal_due(config) {
            self.renewing = Some(0);
        }
        if let Some(from) = self.renewing {
            let end = space.nodes().min(from + STRIDE);
            guess(brain, space, &mut self.lanes, from, &mut self.fresh[from..end]);
            self.renewing = Some(end);
            if end == space.nodes() {
                std::mem::swap(&mut self.guesses, &mut self.fresh);
                (self.renewing, self.renewed, self.recent) = (None, self.updates, f64::NAN);
            }
            return false;
        }
        self.update(config, brain, space);
        self.count >= u64::from(config.updates)
    }

    fn is_renewal_due(&self, config: &CubeConfig) -> bool {
        let age = self.updates - self.renewed;
        let latest = u64::from(config.renew_every);
        let fits = self.recent < config.renew_below && age >= latest / 8;
        !self.guesses.is_empty() && age > 0 && (fits || age >= latest)
    }

    fn update(&mut self, config: &CubeConfig, brain: &mut Brain, space: &Space) {
        let (batch, updates) = (config.batch as usize, self.updates);
        let task = Task { config, space, guesses: &self.guesses, scrambles: self.scrambles, turns: turns() };
        let (grads, pieces) = self.pieces.run(batch, |share, piece, grads| {
            piece.loss = 0.0;
            for first in share.clone().step_by(ROWS) {
                let n = ROWS.min(share.end - first);
                piece.learn(&task, brain, updates * batch as u64 + first as u64, n, grads);
            }
        });
        let loss = pieces.map(|piece| piece.loss).sum::<f64>() / batch as f64;
        let options = optimiser(config, self.updates);
        let norm = brain.weights.update(|params| self.adam.step(params, grads, &options));
        self.recent =
            if self.recent.is_nan() { 4.0 * loss + 0.1 } else { self.recent + FOLLOW * (loss - self.recent) };
        self.updates += 1;
        self.count += 1;
        self.loss += loss;
        self.grad_norms += f64::from(norm);
    }

    /// Means over the iteration.
    pub fn metrics(&self, out: &mut Row) {
        out.set("loss", self.loss / self.count as f64);
        out.set("gradNorm", self.grad_norms / self.count as f64);
    }

    /// What is needed to go on.
    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = Tensors::new();
        tensors.absorb("adam/", self.adam.to_tensors());
        tensors.insert("guesses", &[self.guesses.len()], &self.guesses);
        tensors.insert("counters", &[2], &[self.updates, self.renewed]);
        tensors.insert("recent", &[1], &[self.recent]);
        tensors
    }

    /// Goes on from what [`Walks::to_tensors`] gave.
    pub fn restore(&mut self, brain: &Brain, tensors: &Tensors) -> Result<(), LabError> {
        self.adam = Adam::from_tensors(brain.weights.len(), &tensors.under("adam/"))?;
        self.guesses = tensors.get("guesses", &[self.guesses.len()])?;
        let counters: Vec<u64> = tensors.get("counters", &[2])?;
        (self.updates, self.renewed) = (counters[0], counters[1]);
        if self.renewed > self.updates {
            return Err(LabError::Checkpoint("its counters do not hold together".into()));
        }
        self.recent = tensors.get("recent", &[1])?[0];
        Ok(())
    }
}

/// What an update learns from.
struct Task<'a> {
    config: &'a CubeConfig,
    space: &'a Space,
    guesses: &'a [f32],
    scrambles: Stream,
    turns: &'a Turns,
}

impl Piece {
    /// Adds the gradient of the scrambles `first..first + n` to `grads`.
    fn learn(&mut self, task: &Task, brain: &Brain, first: u64, n: usize, grads: &mut [f32]) {
        let Task { config, space, .. } = task;
        for i in 0..n {
            let (state, last, length) = scramble_up_to(
                task.turns,
                task.scrambles,
                first + i as u64,
                config.scramble,
                config.metric.rules(),
            );
            let node = space.node(state);
            self.states[i] = space.state(node);
            self.classes[i] = u32::from(inverse(last));
            self.targets[i] = match config.learner {
                _ if node == 0 => 0.0,
                Learner::Davi => 1.0 + space.least_around(node, task.guesses),
                _ => length as f32,
            };
        }
        let weight = 1.0 / config.batch as f32;
        let (said, gradient) = brain.forward(self.states[..n].iter().copied(), &mut self.tape);
        if config.learner == Learner::Efficientcube {
            let losses = &mut self.losses[..n];
            softmax_cross_entropy(losses, gradient, said, Targets::Classes(&self.classes[..n]), None, weight);
            self.loss += losses.iter().map(|loss| f64::from(*loss)).sum::<f64>();
        } else {
            for ((y, d), target) in said.iter().zip(gradient).zip(&self.targets) {
                // In the units in which the network speaks; the loss is told in turns.
                let (_, slope) = squared_error(y - output(*target));
                *d = weight * slope;
                self.loss += f64::from(distance(*y) - target).powi(2);
            }
        }
        brain.backward(&mut self.tape, grads);
    }
}
