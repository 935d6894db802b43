//! The update: the network is pulled to what the searches found and to what came of the turns (Silver et al., "Mastering
//! the game of Go without human knowledge", 2017).
//!
//! A minibatch is cut into fixed pieces ([`GradientShards`]), so the number of threads changes nothing.

use learnery_kernels::activation::log_softmax;
use learnery_kernels::buffer::Buffer;
use learnery_kernels::rng::Stream;
use learnery_nn::loss::sigmoid_cross_entropy;
use learnery_nn::{Adam, AdamOptions, GradientShards, ResNetTape};
use learnery_worlds::backgammon::{OBSERVATION_SIZE, Plays};

use super::config::Dials;
use super::judge::{Network, OUTCOMES, see};
use super::policy::{TERMS, terms};
use super::sample::{MOST_PLAYS, Sample};

/// Rows of a piece, which has a gradient of its own, of more than a megabyte.
const PIECE: usize = 128;
/// Most pieces, which bounds the memory for their gradients.
const MOST_PIECES: usize = 16;
/// Rows that go through the network together, so that what is kept of them stays in the second cache.
const BLOCK: usize = 64;

/// The positions that are remembered, the oldest making room.
pub struct Memory {
    samples: Vec<Sample>,
    /// Where the next goes once there is no more room.
    next: usize,
    room: usize,
}

impl Memory {
    /// Room for so many.
    pub fn new(room: usize) -> Self {
        Self { samples: Vec::with_capacity(room), next: 0, room }
    }

    /// Remembers one more.
    pub fn put(&mut self, sample: Sample) {
        if self.samples.len() < self.room {
            self.samples.push(sample);
        } else {
            self.samples[self.next] = sample;
            self.next = (self.next + 1) % self.room;
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Number `i` from the oldest on. (Where it lies is another matter: a memory that was saved begins with the oldest.)
    pub fn get(&self, i: usize) -> &Sample {
        let at = self.next + i;
        let n = self.samples.len();
        &self.samples[if at < n { at } else { at - n }]
    }

    /// From the oldest on.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Sample> {
        (0..self.len()).map(|i| self.get(i))
    }
}

/// What was learned in a unit, added up over positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// How far the policy is from what the searches found (relative entropy).
    pub policy: f64,
    /// Cross-entropy of the outcomes.
    pub value: f64,
    /// Entropy of the policy.
    pub entropy: f64,
    /// Positions.
    pub positions: f64,
}

impl Losses {
    fn add(&mut self, other: &Self) {
        self.policy += other.policy;
        self.value += other.value;
        self.entropy += other.entropy;
        self.positions += other.positions;
    }
}

/// The optimiser and room for every piece.
pub struct Learner {
    /// State of the optimiser.
    pub adam: Adam,
    draw: Stream,
    pieces: GradientShards<Piece>,
    batch: Vec<u32>,
    /// What was learned in this unit.
    pub losses: Losses,
    /// Lengths of the gradients of this unit, summed, and how many there were.
    pub gradients: (f64, u64),
}

struct Piece {
    tape: ResNetTape,
    seen: Buffer,     // [BLOCK, OBSERVATION_SIZE]
    wanted: Vec<f32>, // [BLOCK, OUTCOMES]
    plays: Plays,
    /// The terms of all plays of a turn, one after the other, with how many each has.
    terms: Vec<([u16; TERMS], usize)>,
    logits: Vec<f32>,
    policy: Vec<f32>,
    value_losses: [f32; BLOCK],
    losses: Losses,
}

impl Learner {
    /// Nothing learned yet.
    pub fn new(dials: &Dials, network: &Network, draw: Stream) -> Self {
        let piece = || Piece {
            tape: network.plan.tape(BLOCK),
            seen: Buffer::new(BLOCK * OBSERVATION_SIZE),
            wanted: vec![0.0; BLOCK * OUTCOMES],
            plays: Plays::new(),
            terms: Vec::with_capacity(MOST_PLAYS),
            logits: Vec::with_capacity(MOST_PLAYS),
            policy: Vec::with_capacity(MOST_PLAYS),
            value_losses: [0.0; BLOCK],
            losses: Losses::default(),
        };
        let parameters = network.weights.len();
        let most = dials.batch.div_ceil(PIECE).clamp(1, MOST_PIECES);
        Self {
            adam: Adam::new(parameters),
            draw,
            pieces: GradientShards::new(PIECE, most, parameters, piece),
            batch: vec![0; dials.batch],
            losses: Losses::default(),
            gradients: (0.0, 0),
        }
    }

    /// Begins a unit.
    pub fn begin(&mut self) {
        self.losses = Losses::default();
        self.gradients = (0.0, 0);
    }

    /// Learns from a minibatch, the one of this number since the run began.
    pub fn step(&mut self, network: &mut Network, memory: &Memory, dials: &Dials, number: u64) {
        for (i, position) in self.batch.iter_mut().enumerate() {
            *position = self.draw.below(number, i as u64, memory.len() as u32);
        }
        let Self { pieces, batch, .. } = self;
        let (plan, weights) = (&network.plan, &network.weights);
        let scale = 1.0 / batch.len() as f32;
        let (grads, pieces) = pieces.run(batch.len(), |share, piece, grads| {
            piece.losses = Losses::default();
            for rows in batch[share].chunks(BLOCK) {
                piece.see(rows, memory);
                let seen = &piece.seen[..rows.len() * OBSERVATION_SIZE];
                plan.forward(weights, seen, rows.len(), &mut piece.tape);
                piece.judge_policy(rows, memory, scale);
                piece.judge_value(rows, memory, scale * dials.value_weight);
                let seen = &piece.seen[..rows.len() * OBSERVATION_SIZE];
                plan.backward(weights, seen, rows.len(), &mut piece.tape, grads);
            }
        });
        pieces.for_each(|piece| self.losses.add(&piece.losses));
        let options = AdamOptions {
            lr: dials.learning_rate,
            weight_decay: dials.weight_decay,
            max_norm: dials.max_grad_norm,
            ..AdamOptions::default()
        };
        let norm = network.weights.update(|params| self.adam.step(params, grads, &options));
        self.gradients = (self.gradients.0 + f64::from(norm), self.gradients.1 + 1);
    }
}

impl Piece {
    fn see(&mut self, rows: &[u32], memory: &Memory) {
        for (row, out) in rows.iter().zip(self.seen.chunks_exact_mut(OBSERVATION_SIZE)) {
            see(&memory.get(*row as usize).turn, out);
        }
    }

    /// The policy's loss and its gradient.
    fn judge_policy(&mut self, rows: &[u32], memory: &Memory, scale: f32) {
        let (tables, gradients) = self.tape.outputs_and_gradients(0, rows.len());
        gradients.fill(0.0);
        let width = tables.len() / rows.len();
        let tables = tables.chunks_exact(width).zip(gradients.chunks_exact_mut(width));
        for (row, (table, gradient)) in rows.iter().zip(tables) {
            let sample = memory.get(*row as usize);
            self.plays.find(&sample.turn.board, sample.turn.dice);
            self.terms.clear();
            self.logits.clear();
            for left in self.plays.iter() {
                let mut places = [0; TERMS];
                let n = terms(&sample.turn.board, &left, &mut places);
                self.logits.push(places[..n].iter().map(|place| table[usize::from(*place)]).sum());
                self.terms.push((places, n));
            }
            let plays = self.logits.len();
            log_softmax(&mut self.logits, plays);
            self.policy.resize(plays, 0.0);
            sample.policy(&mut self.policy);
            for ((log_p, wanted), (places, n)) in self.logits.iter().zip(&self.policy).zip(&self.terms) {
                let p = log_p.exp();
                if *wanted > 0.0 {
                    self.losses.policy += f64::from(wanted * (wanted.ln() - log_p));
                }
                self.losses.entropy -= f64::from(p * log_p);
                let slope = scale * (p - wanted);
                places[..*n].iter().for_each(|place| gradient[usize::from(*place)] += slope);
            }
        }
        self.losses.positions += rows.len() as f64;
    }

    /// The value's.
    fn judge_value(&mut self, rows: &[u32], memory: &Memory, scale: f32) {
        for (row, wanted) in rows.iter().zip(self.wanted.chunks_exact_mut(OUTCOMES)) {
            wanted.copy_from_slice(&memory.get(*row as usize).came().0);
        }
        let (logits, gradients) = self.tape.outputs_and_gradients(1, rows.len());
        let (losses, wanted) = (&mut self.value_losses[..rows.len()], &self.wanted[..logits.len()]);
        sigmoid_cross_entropy(losses, gradients, logits, wanted, scale);
        self.losses.value += losses.iter().map(|loss| f64::from(*loss)).sum::<f64>();
    }
}
