//! Learners that need nothing but random scrambles.
//!
//! - Value iteration (DAVI; Agostinelli, McAleer, Shmakov and Baldi, "Solving the Rubik's cube with deep reinforcement
//!   learning and search", 2019): a state is one turn further than the nearest of its neighbours is guessed to be. The
//!   guesses that are learned from stay the same for a while; here they are made for all nodes at once, so that a target
//!   costs a few look-ups, and so that some samples can be drawn where guesses contradict one another ([`Doubts`]).
//! - EfficientCube (Takano, "Self-supervision is all you need for solving Rubik's cube", 2021): which turn did the scramble
//!   end with? Undo that one.
//! - CayleyPy (Chervov et al., "A machine learning approach that beats large Rubik's cubes", 2025): how many turns did the
//!   scramble have?

use std::ops::Range;

use learnery_kernels::rng::Stream;
use learnery_lab::{LabError, Row};
use learnery_nn::loss::{Targets, softmax_cross_entropy, squared_error};
use learnery_nn::{Adam, GradientShards, Tensors};
use learnery_worlds::cube::{Turns, inverse, turns};

use super::brain::{Brain, Lane, ROWS, Tape, distance, output};
use super::doubts::Doubts;
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
    draws: Stream,
    pieces: GradientShards<Piece>,
    lanes: Vec<Lane>,
    /// The guesses that are learned from; none but for value iteration. // [nodes]
    guesses: Vec<f32>,
    /// Those that take their place once all are made.
    fresh: Vec<f32>,
    /// How many of those are made, and then looked at for contradictions, while they are.
    renewing: Option<usize>,
    /// Where the guesses contradict one another; none where nobody draws by that.
    doubts: Option<Doubts>,
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
        let mut walks = Self {
            adam: Adam::new(parameters),
            scrambles: Stream::new(seed, purpose::SCRAMBLES),
            draws: Stream::new(seed, purpose::DOUBTS),
            pieces: GradientShards::new(ROWS, (config.batch as usize).div_ceil(ROWS), parameters, piece),
            lanes: (0..STRIDE / ROWS).map(|_| brain.lane()).collect(),
            guesses: vec![0.0; guessed],
            fresh: vec![0.0; guessed],
            renewing: None,
            doubts: (guessed > 0 && config.focus > 0.0).then(|| Doubts::new(guessed)),
            updates: 0,
            renewed: 0,
            recent: f64::NAN,
            loss: 0.0,
            count: 0,
            grad_norms: 0.0,
        };
        walks.look_back(space);
        walks
    }

    /// Goes on as if so many updates had been made before, with guesses to be renewed at once.
    pub fn resume_at(&mut self, updates: u64) {
        self.updates = updates;
    }

    /// Looks at all guesses that are learned from for contradictions, where that is wanted.
    fn look_back(&mut self, space: &Space) {
        if let Some(doubts) = &mut self.doubts {
            doubts.weigh(space, &self.guesses, 0, space.nodes());
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
        if let Some(done) = self.renewing {
            self.renew(brain, space, done);
            return false;
        }
        self.update(config, brain, space);
        self.count >= u64::from(config.updates)
    }

    /// Makes some fresh guesses; once all are made, looks at some for contradictions, where that is wanted.
    fn renew(&mut self, brain: &Brain, space: &Space, done: usize) {
        let nodes = space.nodes();
        let end = if done < nodes {
            let end = nodes.min(done + STRIDE);
            guess(brain, space, &mut self.lanes, done, &mut self.fresh[done..end]);
            end
        } else {
            let end = (2 * nodes).min(done + STRIDE);
            if let Some(doubts) = &mut self.doubts {
                doubts.weigh(space, &self.fresh, done - nodes, end - nodes);
            }
            end
        };
        self.renewing = Some(end);
        let whole = if self.doubts.is_some() { 2 * nodes } else { nodes };
        if end == whole {
            std::mem::swap(&mut self.guesses, &mut self.fresh);
            (self.renewing, self.renewed, self.recent) = (None, self.updates, f64::NAN);
        }
    }

    fn is_renewal_due(&self, config: &CubeConfig) -> bool {
        let age = self.updates - self.renewed;
        let latest = u64::from(config.renew_every);
        let fits = self.recent < config.renew_below && age >= latest / 8;
        !self.guesses.is_empty() && age > 0 && (fits || age >= latest)
    }

    fn update(&mut self, config: &CubeConfig, brain: &mut Brain, space: &Space) {
        let (batch, updates) = (config.batch as usize, self.updates);
        let task = Task {
            config,
            space,
            guesses: &self.guesses,
            scrambles: self.scrambles,
            turns: turns(),
            doubts: self.doubts.as_ref(),
            doubted: (config.focus * batch as f64).round() as usize,
            draws: self.draws,
        };
        let (grads, pieces) = self.pieces.run(batch, |share, piece, grads| {
            piece.loss = 0.0;
            for first in share.clone().step_by(ROWS) {
                piece.learn(&task, brain, updates, first..share.end.min(first + ROWS), grads);
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
    pub fn restore(&mut self, brain: &Brain, space: &Space, tensors: &Tensors) -> Result<(), LabError> {
        self.adam = Adam::from_tensors(brain.weights.len(), &tensors.under("adam/"))?;
        self.guesses = tensors.get("guesses", &[self.guesses.len()])?;
        let counters: Vec<u64> = tensors.get("counters", &[2])?;
        (self.updates, self.renewed) = (counters[0], counters[1]);
        if self.renewed > self.updates {
            return Err(LabError::Checkpoint("its counters do not hold together".into()));
        }
        self.recent = tensors.get("recent", &[1])?[0];
        self.look_back(space);
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
    doubts: Option<&'a Doubts>,
    /// How many samples of each update are drawn by them.
    doubted: usize,
    draws: Stream,
}

impl Task<'_> {
    /// The node that sample `place` of an update is drawn from by doubt, if it is: one from each of as many equal shares.
    fn doubtful(&self, update: u64, place: usize) -> Option<u32> {
        let doubts = self.doubts.filter(|_| place < self.doubted)?;
        let within = self.draws.uniform(update, place as u64);
        doubts.at((place as f64 + f64::from(within)) / self.doubted as f64)
    }
}

impl Piece {
    /// Adds the gradient of the samples `places` of an update to `grads`.
    fn learn(&mut self, task: &Task, brain: &Brain, update: u64, places: Range<usize>, grads: &mut [f32]) {
        let Task { config, space, .. } = task;
        let n = places.len();
        for (i, place) in places.enumerate() {
            let (state, last, length) = scramble_up_to(
                task.turns,
                task.scrambles,
                update * u64::from(config.batch) + place as u64,
                config.scramble,
                config.metric.rules(),
            );
            let node = task.doubtful(update, place).unwrap_or_else(|| space.node(state));
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
