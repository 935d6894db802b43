//! The update: proximal policy optimisation with a clipped objective (Schulman et al., 2017).
//!
//! A minibatch is cut into fixed pieces ([`Pieces`]), so the number of threads changes nothing.

use learnery_kernels::rng::Stream;
use learnery_lab::Row;
use learnery_nn::{Adam, AdamOptions, Pieces};

use super::agent::{Agent, Tapes};
use super::collect::Collector;
use super::policy::Policy;
use super::rollout::{Sample, record_width};
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
    /// Their records.
    records: Vec<f32>,
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
            observations: vec![0.0; ROWS.min(samples) * agent.inputs()],
            records: vec![0.0; ROWS.min(samples) * record_width(agent.inputs())],
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
        let objective = Objective::new(config, agent.policy(), batch, rollout);

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

/// What one minibatch is judged by.
struct Objective {
    policy: Policy,
    clip: f32,
    value_clip: f32,
    entropy_weight: f32,
    value_weight: f32,
    /// One over the size of the minibatch.
    weight: f32,
    advantage_mean: f32,
    /// One over the spread of the advantages.
    advantage_scale: f32,
}

impl Objective {
    fn new(config: &ControlConfig, policy: Policy, batch: &[u32], rollout: &Collector) -> Self {
        let (mean, scale) = if config.normalise_advantages {
            let (mut sum, mut squares, n) = (0.0, 0.0, batch.len() as f64);
            for index in batch {
                let advantage = f64::from(Sample::of(rollout.record(*index as usize)).advantage);
                sum += advantage;
                squares += advantage * advantage;
            }
            let mean = sum / n;
            let spread = (squares / n - mean * mean).max(0.0).sqrt();
            (mean, 1.0 / (spread + 1e-8))
        } else {
            (0.0, 1.0)
        };
        Self {
            policy,
            clip: config.clip as f32,
            value_clip: config.value_clip as f32,
            entropy_weight: config.entropy_weight as f32,
            value_weight: config.value_weight as f32,
            weight: 1.0 / batch.len() as f32,
            advantage_mean: mean as f32,
            advantage_scale: scale as f32,
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
        let (inputs, outputs) = (agent.inputs(), agent.outputs());
        let mut spread_slope = 0.0;
        for rows in indices.chunks(ROWS) {
            let n = rows.len();
            let places = self.observations.chunks_exact_mut(inputs);
            let places = places.zip(self.records.chunks_exact_mut(record_width(inputs)));
            for ((seen, copy), index) in places.zip(rows) {
                let record = rollout.record(*index as usize);
                copy.copy_from_slice(record);
                seen.copy_from_slice(&record[..inputs]);
            }
            let x = &self.observations[..n * inputs];
            agent.forward(x, n, &mut self.tapes);
            let Tapes { actor, critic } = &mut self.tapes;
            let (answers, d_answers) = actor.outputs_and_gradients(n);
            let (values, d_values) = critic.outputs_and_gradients(n);
            for (r, record) in self.records.chunks_exact(record_width(inputs)).take(n).enumerate() {
                let sample = Sample::of(record);
                let its = r * outputs..(r + 1) * outputs;
                d_values[r] = self.stats.value(objective, values[r], &sample);
                spread_slope +=
                    self.stats.policy(objective, &answers[its.clone()], &sample, &mut d_answers[its]);
            }
            agent.backward(x, n, &mut self.tapes, grads);
        }
        if let Some(at) = agent.spread() {
            grads[at] += spread_slope;
        }
    }
}

impl Stats {
    /// Counts one sample's critic error and returns its gradient at the value.
    fn value(&mut self, objective: &Objective, value: f32, sample: &Sample) -> f32 {
        let error = value - sample.ret;
        let mut loss = error * error;
        let mut slope = error;
        if objective.value_clip > 0.0 {
            let moved = value - sample.value;
            let held = sample.value + moved.clamp(-objective.value_clip, objective.value_clip);
            let held_error = held - sample.ret;
            // The worse one of both: beyond the clip there is nothing more to gain.
            if held_error * held_error > loss {
                loss = held_error * held_error;
                slope = if moved.abs() < objective.value_clip { held_error } else { 0.0 };
            }
        }
        self.value_loss += f64::from(loss);
        objective.weight * objective.value_weight * slope
    }

    /// Counts one sample's policy terms, writes their gradient at the answers and returns that at the logarithm of
    /// the spread.
    fn policy(&mut self, objective: &Objective, answers: &[f32], sample: &Sample, d: &mut [f32]) -> f32 {
        let judged = objective.policy.judge(answers, sample.action);
        let advantage = (sample.advantage - objective.advantage_mean) * objective.advantage_scale;
        let log_ratio = judged.log_prob - sample.log_prob;
        let ratio = log_ratio.exp();
        let (low, high) = (1.0 - objective.clip, 1.0 + objective.clip);
        // The pessimistic one of both: beyond the clip there is nothing more to gain.
        let held = if advantage > 0.0 { ratio > high } else { ratio < low };

        self.policy_loss -= f64::from((ratio * advantage).min(ratio.clamp(low, high) * advantage));
        self.entropy += f64::from(judged.entropy);
        self.kl += f64::from((ratio - 1.0) - log_ratio);
        self.clipped += f64::from(u8::from(held));
        self.samples += 1.0;

        let d_log_prob = if held { 0.0 } else { -ratio * advantage };
        for (k, d) in d.iter_mut().enumerate() {
            let from_entropy = objective.entropy_weight * judged.entropy_slopes[k];
            *d = objective.weight * (d_log_prob * judged.log_prob_slopes[k] - from_entropy);
        }
        objective.weight * (d_log_prob * judged.spread_slope - objective.entropy_weight)
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
    use learnery_kernels::rng::Stream;

    const OBJECTIVE: Objective = Objective {
        policy: Policy::Categorical(2),
        clip: 0.2,
        value_clip: 0.3,
        entropy_weight: 0.05,
        value_weight: 0.5,
        weight: 0.25,
        advantage_mean: 0.3,
        advantage_scale: 0.8,
    };

    fn sample(action: f32, log_prob: f32, value: f32, advantage: f32, ret: f32) -> Sample {
        Sample { action, log_prob, value, advantage, ret }
    }

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

    /// Either slope is right at a corner of the loss.
    fn agrees(ours: f32, loss: impl Fn(f64) -> f64) -> bool {
        let h = 1e-6;
        let (left, right) = ((loss(0.0) - loss(-h)) / h, (loss(h) - loss(0.0)) / h);
        [left, right].iter().any(|slope| (f64::from(ours) - slope).abs() < 1e-4)
    }

    #[test]
    fn the_policy_gradient_agrees_with_finite_differences() {
        let stream = Stream::new(11, 0);
        for i in 0..2000u64 {
            let [a, b, c, advantage] = stream.uniform4(i, 0).map(|u| 4.0 * u - 2.0);
            let (logits, action) = ([a, b], (i % 2) as usize);
            let old = OBJECTIVE.policy.judge(&[c, b], action as f32).log_prob;
            let mut ours = [0.0; 2];
            Stats::default().policy(
                &OBJECTIVE,
                &logits,
                &sample(action as f32, old, 0.0, advantage, 0.0),
                &mut ours,
            );
            for k in 0..2 {
                let at = |by: f64| {
                    let mut moved = logits.map(f64::from);
                    moved[k] += by;
                    loss(moved, action, f64::from(old), f64::from(advantage))
                };
                assert!(agrees(ours[k], at), "case {i}: {ours:?}");
            }
        }
    }

    #[test]
    fn the_value_gradient_agrees_with_finite_differences() {
        let stream = Stream::new(12, 0);
        for i in 0..2000u64 {
            let [value, old, ret, _] = stream.uniform4(i, 0).map(|u| 2.0 * u - 1.0);
            let ours = Stats::default().value(&OBJECTIVE, value, &sample(0.0, 0.0, old, 0.0, ret));
            let at = |by: f64| {
                let (v, old, ret) = (f64::from(value) + by, f64::from(old), f64::from(ret));
                let held = old + (v - old).clamp(-0.3, 0.3);
                // Half the square, as its slope is the error.
                0.25 * 0.5 * 0.5 * (v - ret).powi(2).max((held - ret).powi(2))
            };
            assert!(agrees(ours, at), "case {i}: {ours}");
        }
    }

    #[test]
    fn a_certain_policy_stays_finite() {
        let mut d = [0.0; 2];
        Stats::default().policy(&OBJECTIVE, &[-500.0, 500.0], &sample(0.0, -0.1, 0.0, 1.0, 0.0), &mut d);
        assert!(d.iter().all(|v| v.is_finite()), "{d:?}");
    }

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
