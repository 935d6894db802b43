//! Acting in all worlds and judging what came of it: generalised advantage estimation (Schulman et al.,
//! 2015), with time running out kept apart from failing.
//!
//! Worlds are dealt into fixed chunks. A chunk owns its worlds, its scratch and its part of the rollout,
//! so threads share nothing and their number changes nothing.

use learnery_kernels::rng::Stream;
use learnery_lab::LabError;
use learnery_nn::Tensors;
use learnery_worlds::control::{CartPoles, Outcome};
use rayon::prelude::*;

use super::agent::{Agent, INPUTS, Scratch, log_probabilities};
use super::{ControlConfig, purpose};

/// Worlds in a chunk: enough rows for an efficient product, few enough for many threads.
const CHUNK: usize = 32;

/// All worlds, and what the agent went through in them since the last update.
pub struct Collector {
    chunks: Vec<Chunk>,
    horizon: usize,
    /// Steps of the present rollout that are done.
    t: usize,
    /// Steps ever taken in each world: the index of every random choice.
    clock: u64,
    actions: Stream,
}

struct Chunk {
    first: u64,
    worlds: CartPoles,
    scratch: Scratch,
    rollout: Rollout,
    /// Returns of the episodes that ended in this rollout: sum and number.
    ended: (u64, u64),
}

/// What one chunk went through. // each [horizon, worlds]
struct Rollout {
    observations: Vec<[f32; INPUTS]>,
    actions: Vec<u8>,
    log_probs: Vec<f32>,
    values: Vec<f32>,
    outcomes: Vec<Outcome>,
    /// What the critic expected of the state an episode was cut off in; 0 elsewhere.
    cut_values: Vec<f32>,
    advantages: Vec<f32>,
    returns: Vec<f32>,
}

/// One remembered step, as the learner reads it.
pub struct Sample {
    /// What the agent saw.
    pub observation: [f32; INPUTS],
    /// What it did.
    pub action: u8,
    /// How likely that was.
    pub log_prob: f32,
    /// How much better it turned out than expected.
    pub advantage: f32,
    /// What the critic should have expected.
    pub ret: f32,
}

impl Collector {
    /// Fresh worlds.
    pub fn new(config: &ControlConfig, seed: u32, agent: &Agent) -> Self {
        let (worlds, horizon) = (config.worlds as usize, config.horizon as usize);
        let starts = Stream::new(seed, purpose::STARTS);
        let chunks = (0..worlds)
            .step_by(CHUNK)
            .map(|first| {
                let last = (first + CHUNK).min(worlds);
                Chunk {
                    first: first as u64,
                    worlds: CartPoles::new(first as u64..last as u64, starts),
                    scratch: agent.scratch(last - first),
                    rollout: Rollout::new(horizon * (last - first)),
                    ended: (0, 0),
                }
            })
            .collect();
        let actions = Stream::new(seed, purpose::ACTIONS);
        Self { chunks, horizon, t: 0, clock: 0, actions }
    }

    /// Forgets the last rollout.
    fn begin(&mut self) {
        self.t = 0;
        self.chunks.iter_mut().for_each(|chunk| chunk.ended = (0, 0));
    }

    /// One step in every world; true when the rollout is full and judged.
    pub fn step(&mut self, agent: &Agent, config: &ControlConfig) -> bool {
        if self.t == self.horizon {
            self.begin();
        }
        let (t, clock, stream, horizon) = (self.t, self.clock, self.actions, self.horizon);
        let (gamma, lambda) = (config.gamma as f32, config.gae_lambda as f32);
        self.chunks.par_iter_mut().for_each(|chunk| {
            chunk.act(agent, t, clock, stream);
            if t + 1 == horizon {
                chunk.judge(agent, gamma, lambda);
            }
        });
        self.t += 1;
        self.clock += 1;
        self.t == self.horizon
    }

    /// How much of the rollout is done.
    pub fn share(&self) -> f32 {
        self.t as f32 / self.horizon as f32
    }

    /// Remembered steps in a full rollout.
    pub fn len(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.worlds.len()).sum::<usize>() * self.horizon
    }

    /// Steps ever taken, all worlds together.
    pub fn work(&self) -> u64 {
        self.clock * (self.len() / self.horizon) as u64
    }

    /// The remembered step number `index`.
    pub fn sample(&self, index: usize) -> Sample {
        // Every chunk but the last holds the same number of steps.
        let each = self.chunks[0].rollout.actions.len();
        let (r, i) = (&self.chunks[index / each].rollout, index % each);
        Sample {
            observation: r.observations[i],
            action: r.actions[i],
            log_prob: r.log_probs[i],
            advantage: r.advantages[i],
            ret: r.returns[i],
        }
    }

    /// Mean return of the episodes that ended in this rollout (not a number for none), and how many.
    pub fn mean_return(&self) -> (f64, u64) {
        let (sum, count) =
            self.chunks.iter().fold((0, 0), |(s, n), chunk| (s + chunk.ended.0, n + chunk.ended.1));
        (sum as f64 / count as f64, count)
    }

    /// The share of the variation of returns that the critic foresaw.
    pub fn explained_variance(&self) -> f64 {
        let steps =
            || self.chunks.iter().flat_map(|chunk| chunk.rollout.returns.iter().zip(&chunk.rollout.values));
        let n = self.len() as f64;
        let variance = |f: &dyn Fn(f32, f32) -> f64| {
            let mean = steps().map(|(r, v)| f(*r, *v)).sum::<f64>() / n;
            steps().map(|(r, v)| (f(*r, *v) - mean).powi(2)).sum::<f64>() / n
        };
        1.0 - variance(&|r, v| f64::from(r) - f64::from(v)) / variance(&|r, _| f64::from(r))
    }

    /// States and lengths of the first `most` worlds, for drawing.
    pub fn wall(&self, most: usize) -> (Vec<f32>, Vec<f32>) {
        let states = self.chunks.iter().flat_map(|chunk| chunk.worlds.observations());
        let steps = self.chunks.iter().flat_map(|chunk| chunk.worlds.steps());
        (states.take(most).flatten().copied().collect(), steps.take(most).map(|s| *s as f32).collect())
    }

    /// The worlds and the clock; only between rollouts.
    pub fn to_tensors(&self) -> Tensors {
        let (mut states, mut steps, mut episodes) = (Vec::new(), Vec::new(), Vec::new());
        for chunk in &self.chunks {
            let (s, n, e) = chunk.worlds.snapshot();
            states.extend_from_slice(s.as_flattened());
            steps.extend_from_slice(n);
            episodes.extend_from_slice(e);
        }
        let mut tensors = Tensors::new();
        tensors.insert("states", &[steps.len(), INPUTS], &states);
        tensors.insert("steps", &[steps.len()], &steps);
        tensors.insert("episodes", &[steps.len()], &episodes);
        tensors.insert("clock", &[1], &[self.clock]);
        tensors
    }

    /// Puts back what [`Collector::to_tensors`] gave.
    pub fn restore(&mut self, tensors: &Tensors) -> Result<(), LabError> {
        let worlds = self.len() / self.horizon;
        let states: Vec<f32> = tensors.get("states", &[worlds, INPUTS])?;
        let steps: Vec<u32> = tensors.get("steps", &[worlds])?;
        let episodes: Vec<u64> = tensors.get("episodes", &[worlds])?;
        self.clock = tensors.get::<u64>("clock", &[1])?[0];
        let (states, _) = states.as_chunks::<INPUTS>();
        for chunk in &mut self.chunks {
            let part = chunk.first as usize..chunk.first as usize + chunk.worlds.len();
            if !chunk.worlds.restore(&states[part.clone()], &steps[part.clone()], &episodes[part]) {
                return Err(LabError::Checkpoint("it holds a world in an impossible state".into()));
            }
        }
        Ok(())
    }
}

impl Rollout {
    fn new(steps: usize) -> Self {
        Self {
            observations: vec![[0.0; INPUTS]; steps],
            actions: vec![0; steps],
            log_probs: vec![0.0; steps],
            values: vec![0.0; steps],
            outcomes: vec![Outcome::Running; steps],
            cut_values: vec![0.0; steps],
            advantages: vec![0.0; steps],
            returns: vec![0.0; steps],
        }
    }
}

impl Chunk {
    /// Sees, chooses and acts once in every world of the chunk.
    fn act(&mut self, agent: &Agent, t: usize, clock: u64, stream: Stream) {
        let n = self.worlds.len();
        let now = t * n..(t + 1) * n;
        let Rollout { observations, actions, log_probs, values, outcomes, cut_values, .. } =
            &mut self.rollout;

        observations[now.clone()].copy_from_slice(self.worlds.observations());
        let seen = observations[now.clone()].as_flattened();
        values[now.clone()].copy_from_slice(agent.values(seen, n, &mut self.scratch));
        let logits = agent.logits(seen, n, &mut self.scratch);
        for i in 0..n {
            let log_p = log_probabilities(&logits[2 * i..2 * i + 2]);
            let right = stream.uniform(self.first + i as u64, clock) < log_p[1].exp();
            actions[now.start + i] = u8::from(right);
            log_probs[now.start + i] = log_p[usize::from(right)];
        }

        let ended = &mut self.ended;
        self.worlds.step(&actions[now.clone()], |_, length| {
            ended.0 += u64::from(length);
            ended.1 += 1;
        });
        outcomes[now.clone()].copy_from_slice(self.worlds.outcomes());
        for i in 0..n {
            // Time was up, yet the pole would have stayed up: the critic says for how long.
            cut_values[now.start + i] = match outcomes[now.start + i] {
                Outcome::Truncated => {
                    agent.values(&self.worlds.final_observation(i), 1, &mut self.scratch)[0]
                }
                Outcome::Running | Outcome::Terminated => 0.0,
            };
        }
    }

    /// Advantages and returns of the whole rollout, from its end to its beginning.
    fn judge(&mut self, agent: &Agent, gamma: f32, lambda: f32) {
        let n = self.worlds.len();
        let seen = self.worlds.observations().as_flattened();
        let next = agent.values(seen, n, &mut self.scratch);
        let r = &mut self.rollout;
        for (i, next) in next.iter().enumerate() {
            let (mut next_value, mut advantage) = (*next, 0.0);
            for at in (i..r.values.len()).step_by(n).rev() {
                if r.outcomes[at] != Outcome::Running {
                    // Nothing flows back over the end of an episode but the value it was cut off at.
                    (next_value, advantage) = (r.cut_values[at], 0.0);
                }
                let reward = 1.0;
                let surprise = reward + gamma * next_value - r.values[at];
                advantage = surprise + gamma * lambda * advantage;
                r.advantages[at] = advantage;
                r.returns[at] = advantage + r.values[at];
                next_value = r.values[at];
            }
        }
    }
}
