//! The update: proximal policy optimisation with a clipped objective (Schulman et al., 2017).
//!
//! A minibatch is cut into fixed pieces ([`GradientShards`]), so the number of threads changes nothing.

use learnery_kernels::rng::Stream;
use learnery_lab::Row;
use learnery_nn::{Adam, AdamOptions, GradientShards};

use super::agent::{Agent, Tapes};
use super::collect::Collector;
use super::objective::{Columns, Ends, Objective, Stats};
use super::rollout::Sample;
use super::{ControlConfig, purpose};

/// Rows that go through the networks together.
const ROWS: usize = 256;
/// Most pieces of a minibatch, which bounds the memory for their gradients.
const MOST_PIECES: usize = 64;
/// As in the PPO reference code; the usual 1e-8 makes early steps of tiny gradients too bold.
const EPS: f32 = 1e-5;

/// The optimiser, the order of learning, and scratch for every piece.
pub struct Learner {
    /// State of the optimiser.
    pub adam: Adam,
    shuffle: Stream,
    order: Vec<u32>,
    pieces: GradientShards<Piece>,
    plan: Plan,
    done: usize,
    stats: Stats,
    /// Samples and divergence before the present epoch.
    earlier: (f64, f64),
    grad_norms: f64,
}

/// How one round of learning is laid out, fixed at its begin so that dials can move meanwhile.
#[derive(Clone, Copy, Default)]
struct Plan {
    unit: u64,
    epochs: usize,
    minibatches: usize,
    learning_rate: f32,
}

struct Piece {
    tapes: Tapes,
    /// What was seen in the rows at hand.
    observations: Vec<f32>,
    /// All else about them.
    columns: Columns,
    stats: Stats,
}

impl Learner {
    /// Nothing learned yet.
    pub fn new(seed: u32, agent: &Agent, samples: usize) -> Self {
        let parameters = agent.weights.len();
        let piece = || Piece {
            tapes: agent.tapes(ROWS.min(samples)),
            observations: vec![0.0; ROWS.min(samples) * agent.inputs()],
            columns: Columns::new(ROWS.min(samples)),
            stats: Stats::default(),
        };
        Self {
            adam: Adam::new(parameters),
            shuffle: Stream::new(seed, purpose::SHUFFLE),
            order: vec![0; samples],
            pieces: GradientShards::new(ROWS, samples.div_ceil(ROWS).min(MOST_PIECES), parameters, piece),
            plan: Plan::default(),
            done: 0,
            stats: Stats::default(),
            earlier: (0.0, 0.0),
            grad_norms: 0.0,
        }
    }

    /// Starts on the full rollout of iteration `unit`.
    pub fn begin(&mut self, config: &ControlConfig, unit: u64) {
        let minibatches = (config.minibatches as usize).min(self.order.len());
        self.plan = Plan {
            unit,
            epochs: config.epochs as usize,
            minibatches,
            learning_rate: learning_rate(config, unit),
        };
        self.done = 0;
        self.stats = Stats::default();
        self.earlier = (0.0, 0.0);
        self.grad_norms = 0.0;
    }

    /// Learns from one minibatch; true when the last one is done.
    pub fn step(&mut self, agent: &mut Agent, rollout: &Collector, config: &ControlConfig) -> bool {
        let Plan { unit, epochs, minibatches, learning_rate } = self.plan;
        let (epoch, part) = (self.done / minibatches, self.done % minibatches);
        if part == 0 {
            self.order.iter_mut().enumerate().for_each(|(i, o)| *o = i as u32);
            // At most 50 epochs, so this index never repeats.
            self.shuffle.shuffle(unit * 64 + epoch as u64, &mut self.order);
        }
        let total = self.order.len();
        let batch = &self.order[part * total / minibatches..(part + 1) * total / minibatches];
        let objective = Objective::new(config, agent.policy(), batch.len(), advantages_of(batch, rollout));

        let (grads, pieces) = self.pieces.run(batch.len(), |share, piece, grads| {
            piece.learn(agent, rollout, &batch[share], &objective, grads);
        });
        pieces.for_each(|piece| self.stats.add(&piece.stats));
        let options = AdamOptions {
            lr: learning_rate,
            max_norm: config.max_grad_norm as f32,
            eps: EPS,
            ..AdamOptions::default()
        };
        let norm = agent.weights.update(|params| self.adam.step(params, grads, &options));
        self.grad_norms += f64::from(norm);
        self.done += 1;
        let end_of_epoch = self.done.is_multiple_of(minibatches);
        self.done == epochs * minibatches || (end_of_epoch && self.moved_enough(config.target_kl))
    }

    /// Whether the actor moved so far in this epoch that the rest of the round is called off.
    fn moved_enough(&mut self, target: f64) -> bool {
        let (samples, kl) = (self.stats.samples - self.earlier.0, self.stats.kl - self.earlier.1);
        self.earlier = (self.stats.samples, self.stats.kl);
        target > 0.0 && kl / samples > target
    }

    /// How much of the round is done.
    pub fn share(&self) -> f32 {
        self.done as f32 / (self.plan.epochs * self.plan.minibatches).max(1) as f32
    }

    /// Means over the round.
    pub fn metrics(&self, out: &mut Row) {
        let n = self.stats.samples;
        out.set("policyLoss", self.stats.policy_loss / n);
        out.set("valueLoss", self.stats.value_loss / n);
        out.set("entropy", self.stats.entropy / n);
        out.set("kl", self.stats.kl / n);
        out.set("clipped", self.stats.clipped / n);
        out.set("gradNorm", self.grad_norms / self.done as f64);
    }
}

/// The learning rate of iteration `unit`.
fn learning_rate(config: &ControlConfig, unit: u64) -> f32 {
    /// Where it ends, as a share of where it begins.
    const END: f64 = 0.1;
    let done = match config.anneal {
        0 => 0.0,
        units => (unit as f64 / f64::from(units)).min(1.0),
    };
    (config.learning_rate * (1.0 - (1.0 - END) * done)) as f32
}

/// Mean and spread of the advantages of a minibatch.
fn advantages_of(batch: &[u32], rollout: &Collector) -> [f64; 2] {
    let (mut sum, mut squares, n) = (0.0, 0.0, batch.len() as f64);
    for index in batch {
        let advantage = f64::from(Sample::of(rollout.record(*index as usize)).advantage);
        sum += advantage;
        squares += advantage * advantage;
    }
    let mean = sum / n;
    [mean, (squares / n - mean * mean).max(0.0).sqrt()]
}

impl Piece {
    /// Reads the samples with these numbers. So few numbers of a width not known beforehand would be a call each.
    fn read<const INPUTS: usize>(&mut self, rollout: &Collector, indices: &[u32]) {
        let places = self.observations.as_chunks_mut::<INPUTS>().0;
        for (row, (seen, index)) in places.iter_mut().zip(indices).enumerate() {
            let record = rollout.record(*index as usize);
            if let Some(observation) = record.first_chunk() {
                *seen = *observation;
            }
            self.columns.put(row, &Sample::of(record));
        }
    }

    /// Adds the gradient of this piece to `grads`.
    fn learn(
        &mut self,
        agent: &Agent,
        rollout: &Collector,
        indices: &[u32],
        objective: &Objective,
        grads: &mut [f32],
    ) {
        self.stats = Stats::default();
        let inputs = agent.inputs();
        let mut spread_slope = 0.0;
        for rows in indices.chunks(ROWS) {
            let n = rows.len();
            match inputs {
                2 => self.read::<2>(rollout, rows),
                3 => self.read::<3>(rollout, rows),
                4 => self.read::<4>(rollout, rows),
                6 => self.read::<6>(rollout, rows),
                _ => unreachable!("no world shows {inputs} numbers"),
            }
            let x = &self.observations[..n * inputs];
            agent.forward(x, n, &mut self.tapes);
            let Tapes { actor, critic } = &mut self.tapes;
            let (answers, d_answers) = actor.outputs_and_gradients(n);
            let (values, d_values) = critic.outputs_and_gradients(n);
            let ends = Ends { answers, d_answers, values, d_values };
            spread_slope += objective.judge(&mut self.columns, n, ends, &mut self.stats);
            agent.backward(x, n, &mut self.tapes, grads);
        }
        if let Some(at) = agent.spread() {
            grads[at] += spread_slope;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_learning_rate_falls_to_a_tenth() {
        let config = ControlConfig { learning_rate: 1e-3, anneal: 10, ..ControlConfig::default() };
        let rates = [0, 5, 10, 99].map(|unit| learning_rate(&config, unit));
        for (rate, expected) in rates.iter().zip([1e-3, 5.5e-4, 1e-4, 1e-4]) {
            assert!((rate - expected).abs() < 1e-9, "{rates:?}");
        }
        assert_eq!(learning_rate(&ControlConfig { anneal: 0, ..config }, 99), 1e-3);
    }
}
