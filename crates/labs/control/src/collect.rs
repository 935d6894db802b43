//! Acting in all worlds, with time running out kept apart from failing.
//!
//! Worlds are dealt into fixed chunks. A chunk owns its worlds, its scratch and its part of the rollout,
//! so threads share nothing and their number changes nothing.

use learnery_kernels::rng::Stream;
use learnery_lab::LabError;
use learnery_nn::Tensors;
use learnery_worlds::control::{AnyWorlds, Outcome};
use rayon::prelude::*;

use super::agent::{Agent, Scratch};
use super::normaliser::Sums;
use super::rollout::{Rollout, record_width};
use super::{ControlConfig, World, purpose};

/// Worlds in a chunk: enough rows for an efficient product, few enough for many threads; a multiple of four.
const CHUNK: usize = 32;

/// All worlds, and what the agent went through in them since the last update.
pub struct Collector {
    chunks: Vec<Chunk>,
    /// What the last full rollout holds for the learner, chunk after chunk.
    records: Vec<f32>,
    /// Numbers in a record.
    width: usize,
    horizon: usize,
    states: usize,
    /// Steps of the present rollout that are done.
    t: usize,
    /// Steps ever taken in each world: the index of every random choice.
    clock: u64,
    actions: Stream,
}

struct Chunk {
    first: u64,
    world: World,
    worlds: Box<dyn AnyWorlds>,
    scratch: Scratch,
    rollout: Rollout,
    /// What each world has earned in its present episode.
    earned: Vec<f32>,
    /// Returns of the episodes that ended in this rollout: sum and number.
    ended: (f64, u64),
    /// What was seen in this rollout, before it was normalised.
    seen: Sums,
    noise: Vec<f32>,
    /// Room for a number for each world.
    spare: [Vec<f32>; 2],
    /// Room for an observation for each world.
    last_seen: Vec<f32>,
}

/// How rewards are made into what is learned from, fixed for a step.
#[derive(Clone, Copy)]
struct Pay {
    scale: f32,
    shaping: f32,
    gamma: f32,
    lambda: f32,
}

impl Collector {
    /// Fresh worlds.
    pub fn new(config: &ControlConfig, seed: u32, agent: &Agent) -> Self {
        let (worlds, horizon) = (config.worlds as usize, config.horizon as usize);
        let (inputs, kind) = (agent.inputs(), agent.world().kind());
        let starts = Stream::new(seed, purpose::STARTS);
        let chunks = (0..worlds)
            .step_by(CHUNK)
            .map(|first| {
                let n = CHUNK.min(worlds - first);
                Chunk {
                    first: first as u64,
                    world: agent.world(),
                    worlds: kind.worlds(first as u64..(first + n) as u64, starts),
                    scratch: agent.scratch(n),
                    rollout: Rollout::new(n, horizon, inputs),
                    earned: vec![0.0; n],
                    ended: (0.0, 0),
                    seen: Sums::new(inputs),
                    noise: vec![0.0; n],
                    spare: [vec![0.0; n], vec![0.0; n]],
                    last_seen: vec![0.0; n * inputs],
                }
            })
            .collect();
        let actions = Stream::new(seed, purpose::ACTIONS);
        let width = record_width(inputs);
        let records = vec![0.0; worlds * horizon * width];
        Self { chunks, records, width, horizon, states: kind.spec().state_size, t: 0, clock: 0, actions }
    }

    /// Forgets the last rollout.
    fn begin(&mut self) {
        self.t = 0;
        for chunk in &mut self.chunks {
            chunk.ended = (0.0, 0);
            chunk.seen.clear();
        }
    }

    /// One step in every world; true when the rollout is full and judged.
    pub fn step(&mut self, agent: &Agent, config: &ControlConfig) -> bool {
        if self.t == self.horizon {
            self.begin();
        }
        let (t, clock, stream, horizon) = (self.t, self.clock, self.actions, self.horizon);
        let pay = Pay {
            scale: config.reward_scale as f32,
            shaping: config.shaping as f32,
            gamma: config.gamma as f32,
            lambda: config.gae_lambda as f32,
        };
        // Every chunk but the last holds the same number of steps.
        let each = self.chunks[0].rollout.len() * self.width;
        self.chunks.par_iter_mut().zip(self.records.par_chunks_mut(each)).for_each(|(chunk, records)| {
            chunk.act(agent, t, clock, stream, pay);
            if t + 1 == horizon {
                chunk.judge(agent, pay);
                chunk.rollout.record(records);
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

    /// Number of worlds.
    fn worlds(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.rollout.worlds).sum()
    }

    /// Remembered steps in a full rollout.
    pub fn len(&self) -> usize {
        self.worlds() * self.horizon
    }

    /// Steps ever taken, all worlds together.
    pub fn work(&self) -> u64 {
        self.clock * self.worlds() as u64
    }

    /// The record of the remembered step number `index`; see [`super::rollout::Sample`].
    pub fn record(&self, index: usize) -> &[f32] {
        &self.records[index * self.width..][..self.width]
    }

    /// What was seen in this rollout, in parts.
    pub fn seen(&self) -> impl Iterator<Item = &Sums> {
        self.chunks.iter().map(|chunk| &chunk.seen)
    }

    /// Mean return of the episodes that ended in this rollout (not a number for none), and how many.
    pub fn mean_return(&self) -> (f64, u64) {
        let (sum, count) =
            self.chunks.iter().fold((0.0, 0), |(s, n), chunk| (s + chunk.ended.0, n + chunk.ended.1));
        (sum / count as f64, count)
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
        let n = self.worlds().min(most);
        let (mut states, mut steps) = (vec![0.0; n * self.states], vec![0.0; n]);
        let places = states.chunks_exact_mut(self.states).zip(&mut steps);
        for ((chunk, i), (state, steps)) in self.each_world().zip(places) {
            chunk.worlds.state(i, state);
            *steps = chunk.worlds.steps(i) as f32;
        }
        (states, steps)
    }

    fn each_world(&self) -> impl Iterator<Item = (&Chunk, usize)> {
        self.chunks.iter().flat_map(|chunk| (0..chunk.rollout.worlds).map(move |i| (chunk, i)))
    }

    /// The worlds and the clock; only between rollouts.
    pub fn to_tensors(&self) -> Tensors {
        let n = self.worlds();
        let mut states = vec![0.0; n * self.states];
        for ((chunk, i), state) in self.each_world().zip(states.chunks_exact_mut(self.states)) {
            chunk.worlds.state(i, state);
        }
        let steps: Vec<u32> = self.each_world().map(|(chunk, i)| chunk.worlds.steps(i)).collect();
        let episodes: Vec<u32> = self.each_world().map(|(chunk, i)| chunk.worlds.episodes(i)).collect();
        let earned: Vec<f32> = self.each_world().map(|(chunk, i)| chunk.earned[i]).collect();
        let mut tensors = Tensors::new();
        tensors.insert("states", &[n, self.states], &states);
        tensors.insert("steps", &[n], &steps);
        tensors.insert("episodes", &[n], &episodes);
        tensors.insert("earned", &[n], &earned);
        tensors.insert("clock", &[1], &[self.clock]);
        tensors
    }

    /// Puts back what [`Collector::to_tensors`] gave.
    pub fn restore(&mut self, tensors: &Tensors) -> Result<(), LabError> {
        let n = self.worlds();
        let states: Vec<f32> = tensors.get("states", &[n, self.states])?;
        let steps: Vec<u32> = tensors.get("steps", &[n])?;
        let episodes: Vec<u32> = tensors.get("episodes", &[n])?;
        let earned: Vec<f32> = tensors.get("earned", &[n])?;
        self.clock = tensors.get::<u64>("clock", &[1])?[0];
        for chunk in &mut self.chunks {
            for i in 0..chunk.rollout.worlds {
                let at = chunk.first as usize + i;
                let state = &states[at * self.states..][..self.states];
                if !chunk.worlds.restore(i, state, steps[at], episodes[at]) {
                    return Err(LabError::Checkpoint("it holds a world in an impossible state".into()));
                }
                chunk.earned[i] = earned[at];
            }
        }
        Ok(())
    }
}

impl Chunk {
    /// Sees, chooses and acts once in every world of the chunk.
    fn act(&mut self, agent: &Agent, t: usize, clock: u64, stream: Stream, pay: Pay) {
        let (n, inputs) = (self.rollout.worlds, agent.inputs());
        let now = t * n..(t + 1) * n;
        let r = &mut self.rollout;

        let seen = &mut r.observations[t * n * inputs..][..n * inputs];
        self.worlds.observe(seen);
        // What shaping takes away for where a step begins, while it is still as the world has it.
        let [before, _] = &mut self.spare;
        if pay.shaping > 0.0 {
            for (before, seen) in before.iter_mut().zip(seen.chunks_exact(inputs)) {
                *before = self.world.potential(seen);
            }
        }
        if agent.normaliser.is_on() {
            self.seen.add(seen);
            agent.normaliser.apply(seen);
        }
        agent.values(seen, n, &mut self.scratch, &mut r.values[now.clone()]);
        let policy = agent.policy();
        policy.fill_noise(stream, clock, self.first, &mut self.noise);
        let answers = agent.answers(seen, n, &mut self.scratch);
        let (actions, log_probs) = (&mut r.actions[now.clone()], &mut r.log_probs[now.clone()]);
        policy.draw(answers, &self.noise, actions, log_probs);

        self.worlds.step(actions);
        let rewards = &mut r.rewards[now.clone()];
        for ((reward, earned), paid) in rewards.iter_mut().zip(&mut self.earned).zip(self.worlds.rewards()) {
            *earned += paid;
            *reward = pay.scale * paid;
        }
        r.goes_on[now.clone()].fill(1.0);
        r.cut_values[now.clone()].fill(0.0);
        if pay.shaping > 0.0 {
            self.shape(now.start, inputs, pay);
        }
        if !self.worlds.ended().is_empty() {
            self.close_episodes(agent, now.start);
        }
    }

    /// Adds the shaping reward: what the potential gains in a step, so that over an episode nothing is gained by it.
    fn shape(&mut self, begin: usize, inputs: usize, pay: Pay) {
        let [before, after] = &mut self.spare;
        self.worlds.observe(&mut self.last_seen);
        for (after, seen) in after.iter_mut().zip(self.last_seen.chunks_exact(inputs)) {
            *after = self.world.potential(seen);
        }
        for (k, world) in self.worlds.ended().iter().enumerate() {
            let i = *world as usize;
            // At a true end the potential is zero by definition; where time ran out it is what it was.
            after[i] = match self.worlds.outcome(i) {
                Outcome::Truncated => {
                    let seen = &mut self.last_seen[..inputs];
                    self.worlds.final_observation(k, seen);
                    self.world.potential(seen)
                }
                Outcome::Running | Outcome::Terminated => 0.0,
            };
        }
        for (i, (before, after)) in before.iter().zip(after).enumerate() {
            self.rollout.rewards[begin + i] += pay.shaping * (pay.gamma * *after - before);
        }
    }

    /// Counts the episodes that have just ended. Where time ran out the critic says what would have come.
    fn close_episodes(&mut self, agent: &Agent, begin: usize) {
        let inputs = agent.inputs();
        let mut cut = 0;
        for (k, world) in self.worlds.ended().iter().enumerate() {
            let i = *world as usize;
            self.ended = (self.ended.0 + f64::from(self.earned[i]), self.ended.1 + 1);
            self.earned[i] = 0.0;
            self.rollout.goes_on[begin + i] = 0.0;
            if self.worlds.outcome(i) == Outcome::Truncated {
                self.worlds.final_observation(k, &mut self.last_seen[cut * inputs..][..inputs]);
                cut += 1;
            }
        }
        let seen = &mut self.last_seen[..cut * inputs];
        agent.normaliser.apply(seen);
        let values = &mut self.spare[0][..cut];
        agent.values(seen, cut, &mut self.scratch, values);
        let truncated = self.worlds.ended().iter().map(|i| *i as usize);
        let truncated = truncated.filter(|i| self.worlds.outcome(*i) == Outcome::Truncated);
        for (i, value) in truncated.zip(values) {
            self.rollout.cut_values[begin + i] = *value;
        }
    }

    /// Advantages and returns of the whole rollout.
    fn judge(&mut self, agent: &Agent, pay: Pay) {
        let n = self.rollout.worlds;
        self.worlds.observe(&mut self.last_seen);
        agent.normaliser.apply(&mut self.last_seen);
        let [next, running] = &mut self.spare;
        agent.values(&self.last_seen, n, &mut self.scratch, next);
        self.rollout.judge(next, running, pay.gamma, pay.lambda);
    }
}
