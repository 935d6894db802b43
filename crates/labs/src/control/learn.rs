//! The update: proximal policy optimisation with a clipped objective (Schulman et al., 2017).
//!
//! A minibatch is cut into fixed pieces ([`Pieces`]), so the number of threads changes nothing.

use learnery_kernels::rng::Stream;
use learnery_lab::Row;
use learnery_nn::{Adam, AdamOptions, Pieces};

use super::agent::{ACTIONS, Agent, INPUTS, Tapes, log_probabilities};
use super::collect::Collector;
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
    pieces: Pieces<Piece>,
    plan: Plan,
    done: usize,
    stats: Stats,
    grad_norms: f64,
}

/// How one round of learning is laid out, fixed at its begin so that dials can move meanwhile.
#[derive(Clone, Copy, Default)]
struct Plan {
    unit: u64,
    epochs: usize,
    minibatches: usize,
}

struct Piece {
    tapes: Tapes,
    observations: Vec<[f32; INPUTS]>,
    stats: Stats,
}

/// Sums over samples.
#[derive(Clone, Copy, Default)]
struct Stats {
    policy_loss: f64,
    value_loss: f64,
    entropy: f64,
    kl: f64,
    clipped: f64,
    samples: f64,
}

impl Learner {
    /// Nothing learned yet.
    pub fn new(seed: u32, agent: &Agent, samples: usize) -> Self {
        let parameters = agent.weights.len();
        let piece = || Piece {
            tapes: agent.tapes(ROWS.min(samples)),
            observations: vec![[0.0; INPUTS]; ROWS.min(samples)],
            stats: Stats::default(),
        };
        Self {
            adam: Adam::new(parameters),
            shuffle: Stream::new(seed, purpose::SHUFFLE),
            order: vec![0; samples],
            pieces: Pieces::new(ROWS, samples.div_ceil(ROWS).min(MOST_PIECES), parameters, piece),
            plan: Plan::default(),
            done: 0,
            stats: Stats::default(),
            grad_norms: 0.0,
        }
    }

    /// Starts on the full rollout of iteration `unit`.
    pub fn begin(&mut self, config: &ControlConfig, unit: u64) {
        let minibatches = (config.minibatches as usize).min(self.order.len());
        self.plan = Plan { unit, epochs: config.epochs as usize, minibatches };
        self.done = 0;
        self.stats = Stats::default();
        self.grad_norms = 0.0;
    }

    /// Learns from one minibatch; true when the last one is done.
    pub fn step(&mut self, agent: &mut Agent, rollout: &Collector, config: &ControlConfig) -> bool {
        let Plan { unit, epochs, minibatches } = self.plan;
        let (epoch, part) = (self.done / minibatches, self.done % minibatches);
        if part == 0 {
            self.order.iter_mut().enumerate().for_each(|(i, o)| *o = i as u32);
            // At most 50 epochs, so this index never repeats.
            self.shuffle.shuffle(unit * 64 + epoch as u64, &mut self.order);
        }
        let total = self.order.len();
        let batch = &self.order[part * total / minibatches..(part + 1) * total / minibatches];
        let objective = Objective::new(config, batch, rollout);

        let (grads, pieces) = self.pieces.run(batch.len(), |share, piece, grads| {
            piece.learn(agent, rollout, &batch[share], &objective, grads);
        });
        pieces.for_each(|piece| self.stats.add(&piece.stats));
        let options = AdamOptions {
            lr: config.learning_rate as f32,
            max_norm: config.max_grad_norm as f32,
            eps: EPS,
            ..AdamOptions::default()
        };
        let norm = agent.weights.update(|params| self.adam.step(params, grads, &options));
        self.grad_norms += f64::from(norm);
        self.done += 1;
        self.done == epochs * minibatches
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

/// What one minibatch is judged by.
struct Objective {
    clip: f32,
    entropy_weight: f32,
    value_weight: f32,
    /// One over the size of the minibatch.
    weight: f32,
    advantage_mean: f32,
    /// One over the spread of the advantages.
    advantage_scale: f32,
}

impl Objective {
    fn new(config: &ControlConfig, batch: &[u32], rollout: &Collector) -> Self {
        let advantages = || batch.iter().map(|i| f64::from(rollout.sample(*i as usize).advantage));
        let n = batch.len() as f64;
        let mean = advantages().sum::<f64>() / n;
        let spread = (advantages().map(|a| (a - mean).powi(2)).sum::<f64>() / n).sqrt();
        Self {
            clip: config.clip as f32,
            entropy_weight: config.entropy_weight as f32,
            value_weight: config.value_weight as f32,
            weight: 1.0 / batch.len() as f32,
            advantage_mean: mean as f32,
            advantage_scale: (1.0 / (spread + 1e-8)) as f32,
        }
    }
}

impl Piece {
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
        for rows in indices.chunks(ROWS) {
            let n = rows.len();
            for (seen, index) in self.observations.iter_mut().zip(rows) {
                *seen = rollout.sample(*index as usize).observation;
            }
            let x = self.observations[..n].as_flattened();
            agent.forward(x, n, &mut self.tapes);
            let Tapes { actor, critic } = &mut self.tapes;
            let (logits, d_logits) = actor.outputs_and_gradients(n);
            let (values, d_values) = critic.outputs_and_gradients(n);
            for (r, index) in rows.iter().enumerate() {
                let sample = rollout.sample(*index as usize);
                let both = 2 * r..2 * r + ACTIONS;
                d_values[r] = self.stats.value(objective, values[r], sample.ret);
                let d = self.stats.policy(
                    objective,
                    &logits[both.clone()],
                    usize::from(sample.action),
                    sample.log_prob,
                    sample.advantage,
                );
                d_logits[both].copy_from_slice(&d);
            }
            agent.backward(x, n, &mut self.tapes, grads);
        }
    }
}

impl Stats {
    /// Counts one sample's critic error and returns its gradient at the value.
    fn value(&mut self, objective: &Objective, value: f32, ret: f32) -> f32 {
        let error = value - ret;
        self.value_loss += f64::from(error * error);
        objective.weight * objective.value_weight * error
    }

    /// Counts one sample's policy terms and returns their gradient at the logits.
    fn policy(
        &mut self,
        objective: &Objective,
        logits: &[f32],
        action: usize,
        old_log_prob: f32,
        advantage: f32,
    ) -> [f32; ACTIONS] {
        let log_p = log_probabilities(logits);
        let p = log_p.map(f32::exp);
        let entropy = -(p[0] * log_p[0] + p[1] * log_p[1]);
        let advantage = (advantage - objective.advantage_mean) * objective.advantage_scale;
        let log_ratio = log_p[action] - old_log_prob;
        let ratio = log_ratio.exp();
        let (low, high) = (1.0 - objective.clip, 1.0 + objective.clip);
        // The pessimistic one of both: beyond the clip there is nothing more to gain.
        let held = if advantage > 0.0 { ratio > high } else { ratio < low };

        self.policy_loss -= f64::from((ratio * advantage).min(ratio.clamp(low, high) * advantage));
        self.entropy += f64::from(entropy);
        self.kl += f64::from((ratio - 1.0) - log_ratio);
        self.clipped += f64::from(u8::from(held));
        self.samples += 1.0;

        let d_log_prob = if held { 0.0 } else { -ratio * advantage };
        std::array::from_fn(|k| {
            let chosen = if k == action { 1.0 } else { 0.0 };
            let from_policy = d_log_prob * (chosen - p[k]);
            let from_entropy = objective.entropy_weight * p[k] * (log_p[k] + entropy);
            objective.weight * (from_policy + from_entropy)
        })
    }

    fn add(&mut self, other: &Self) {
        self.policy_loss += other.policy_loss;
        self.value_loss += other.value_loss;
        self.entropy += other.entropy;
        self.kl += other.kl;
        self.clipped += other.clipped;
        self.samples += other.samples;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OBJECTIVE: Objective = Objective {
        clip: 0.2,
        entropy_weight: 0.05,
        value_weight: 0.5,
        weight: 0.25,
        advantage_mean: 0.3,
        advantage_scale: 0.8,
    };

    /// The loss of one sample in f64, as the paper has it.
    fn loss(logits: [f64; 2], action: usize, old: f64, advantage: f64) -> f64 {
        let sum: f64 = logits.iter().map(|l| l.exp()).sum();
        let p = logits.map(|l| l.exp() / sum);
        let ratio = p[action] / old.exp();
        let a = (advantage - 0.3) * 0.8;
        let surrogate = (ratio * a).min(ratio.clamp(0.8, 1.2) * a);
        let entropy = -p.iter().map(|p| p * p.ln()).sum::<f64>();
        0.25 * (-surrogate - 0.05 * entropy)
    }

    #[test]
    fn the_gradient_agrees_with_finite_differences() {
        let stream = Stream::new(11, 0);
        for i in 0..2000u64 {
            let [a, b, c, d] = stream.uniform4(i, 0).map(|u| 4.0 * u - 2.0);
            let (logits, action) = ([a, b], (i % 2) as usize);
            let old = log_probabilities(&[c, b])[action];
            let ours = Stats::default().policy(&OBJECTIVE, &logits, action, old, d);
            for k in 0..2 {
                let h = 1e-6;
                let at = |by: f64| {
                    let mut moved = logits.map(f64::from);
                    moved[k] += by;
                    loss(moved, action, f64::from(old), f64::from(d))
                };
                let (left, right) = ((at(0.0) - at(-h)) / h, (at(h) - at(0.0)) / h);
                // At the clip itself the loss has a corner; either side's slope is right there.
                let near = |slope: f64| (f64::from(ours[k]) - slope).abs() < 1e-4;
                assert!(near(left) || near(right), "case {i}: {ours:?}, {left}, {right}");
            }
        }
    }

    #[test]
    fn a_certain_policy_stays_finite() {
        let d = Stats::default().policy(&OBJECTIVE, &[-500.0, 500.0], 0, -0.1, 1.0);
        assert!(d.iter().all(|v| v.is_finite()), "{d:?}");
    }
}
