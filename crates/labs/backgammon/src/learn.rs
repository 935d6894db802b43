//! Learning from remembered positions: cross-entropy of the five chances, Adam, and a mean of the networks for the player.
//!
//! Early targets are soon out of date, so what is drawn from is the last part of all positions, and the whole memory only
//! once there is much more. The step size falls as one over the root of the updates, and what plays, and judges what is learned from, is a mean over
//! the last part of the run, so that no length of the run need be known (Polyak and Juditsky, 1992).

use learnery_kernels::loss::sigmoid_cross_entropy;
use learnery_kernels::rng::Stream;
use learnery_kernels::vector::lerp;
use learnery_lab::{LabError, Row};
use learnery_nn::{Adam, AdamOptions, GradientShards, Tensors, Weights};

use super::config::BackgammonConfig;
use super::network::{Network, Tape};
use super::outcomes::OUTCOMES;
use super::replay::Replay;

/// Positions that go through a network together in training, and those of a piece.
const ROWS: usize = 64;
/// Most pieces, which bounds the memory.
const MOST_PIECES: usize = 8;
/// What part of all positions is learned from.
const RECENT: u64 = 8;
/// Longest gradient that is followed.
const MAX_NORM: f32 = 1.0;

/// The network that learns, and its optimiser.
pub struct Learner {
    weights: Weights,
    adam: Adam,
    stream: Stream,
    pieces: GradientShards<Piece>,
    order: Vec<u32>,
    /// Updates ever made.
    updates: u64,
    /// Updates of this round: done, and in all.
    round: (u64, u64),
    /// How many of the last positions are learned from.
    window: u64,
    /// What part of an update is still owed from earlier rounds.
    owed: f64,
    loss: f64,
    norms: f64,
}

struct Piece {
    tapes: [Tape; 2],
    /// The positions of a pass for either network.
    which: [Vec<u32>; 2],
    losses: Vec<f32>,
    targets: Vec<f32>,
    loss: f64,
}

impl Learner {
    /// Nothing learned yet.
    pub fn new(weights: Weights, network: &Network, config: &BackgammonConfig, stream: Stream) -> Self {
        let batch = config.batch as usize;
        let most = batch.div_ceil(ROWS).min(MOST_PIECES);
        let piece = || Piece {
            tapes: [0, 1].map(|i| network.body(i).tape(ROWS.min(batch))),
            which: [(); 2].map(|()| Vec::with_capacity(ROWS)),
            losses: vec![0.0; ROWS],
            targets: vec![0.0; ROWS * OUTCOMES],
            loss: 0.0,
        };
        Self {
            adam: Adam::new(weights.len()),
            pieces: GradientShards::new(ROWS, most, weights.len(), piece),
            weights,
            stream,
            order: vec![0; batch],
            updates: 0,
            round: (0, 0),
            window: 0,
            owed: 0.0,
            loss: 0.0,
            norms: 0.0,
        }
    }

    /// Starts a round of learning after `positions` more were played, `all` since the run began.
    pub fn begin(&mut self, config: &BackgammonConfig, positions: u64, all: u64) {
        self.window = (all / RECENT).max(positions);
        let wanted = self.owed + config.reuse * positions as f64 / f64::from(config.batch);
        let updates = wanted.floor().max(1.0);
        self.owed = (wanted - updates).max(0.0);
        self.round = (0, updates as u64);
        (self.loss, self.norms) = (0.0, 0.0);
    }

    /// One update; true when it was the last of the round.
    pub fn step(&mut self, network: &Network, replay: &Replay, config: &BackgammonConfig) -> bool {
        let Self { weights, pieces, order, stream, updates, .. } = self;
        let window = self.window.min(replay.len() as u64) as u32;
        for (i, at) in order.iter_mut().enumerate() {
            *at = replay.recent(stream.below(*updates, i as u64, window) as usize) as u32;
        }
        let scale = 1.0 / order.len() as f32;
        let (grads, pieces) = pieces.run(order.len(), |share, piece, grads| {
            piece.learn(network, weights, replay, &order[share], scale, grads);
        });
        self.loss += pieces.map(|piece| piece.loss).sum::<f64>() / order.len() as f64;
        let slower = 1.0 / (1.0 + *updates as f64 / f64::from(config.slowdown)).sqrt();
        let options = AdamOptions {
            lr: (config.learning_rate * slower) as f32,
            max_norm: MAX_NORM,
            ..AdamOptions::default()
        };
        let adam = &mut self.adam;
        self.norms += f64::from(weights.update(|params| adam.step(params, grads, &options)));
        *updates += 1;
        self.round.0 += 1;
        self.round.0 == self.round.1
    }

    /// Moves the player's network on after round number `round`, counted from one.
    pub fn teach(&self, player: &mut Weights, averaging: f64, round: u64) {
        let part = 1.0 / (averaging * round as f64).max(1.0);
        player.update(|params| lerp(params, part as f32, self.weights.flat()));
    }

    /// How much of the round is done.
    pub fn share(&self) -> f32 {
        self.round.0 as f32 / self.round.1.max(1) as f32
    }

    /// Means over the round.
    pub fn metrics(&self, out: &mut Row) {
        let n = self.round.0 as f64;
        out.set("loss", self.loss / n);
        out.set("gradNorm", self.norms / n);
    }

    /// What is needed to go on.
    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = Tensors::new();
        tensors.absorb("weights/", self.weights.to_tensors());
        tensors.absorb("adam/", self.adam.to_tensors());
        tensors.insert("updates", &[1], &[self.updates]);
        tensors.insert("owed", &[1], &[self.owed]);
        tensors
    }

    /// Puts it back.
    pub fn restore(&mut self, tensors: &Tensors) -> Result<(), LabError> {
        let layout = self.weights.layout().clone();
        self.weights.copy_from(&Weights::from_tensors(layout, &tensors.under("weights/"))?);
        self.adam = Adam::from_tensors(self.weights.len(), &tensors.under("adam/"))?;
        self.updates = tensors.get("updates", &[1])?[0];
        self.owed = tensors.get("owed", &[1])?[0];
        Ok(())
    }
}

impl Piece {
    /// Adds the gradient of some positions to `grads`.
    fn learn(
        &mut self,
        network: &Network,
        weights: &Weights,
        replay: &Replay,
        indices: &[u32],
        scale: f32,
        grads: &mut [f32],
    ) {
        self.loss = 0.0;
        for indices in indices.chunks(ROWS) {
            self.which.iter_mut().for_each(Vec::clear);
            for at in indices {
                self.which[Network::of(&replay.board(*at as usize))].push(*at);
            }
            for (i, (tape, which)) in self.tapes.iter_mut().zip(&self.which).enumerate() {
                if which.is_empty() {
                    continue;
                }
                let rows = which.len();
                let (targets, losses) = (&mut self.targets[..rows * OUTCOMES], &mut self.losses[..rows]);
                for (target, at) in targets.as_chunks_mut().0.iter_mut().zip(which) {
                    *target = replay.target(*at as usize).0;
                }
                let body = network.body(i);
                let boards = which.iter().map(|at| replay.board(*at as usize));
                let (logits, slopes) = body.forward(weights, boards, tape);
                sigmoid_cross_entropy(losses, slopes, logits, targets, scale);
                self.loss += losses.iter().map(|loss| f64::from(*loss)).sum::<f64>();
                body.backward(weights, rows, tape, grads);
            }
        }
    }
}
