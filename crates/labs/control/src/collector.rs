//! The collector: acts with the current policy in all training worlds and fills the rollout, the data that
//! the learner gets next: `horizon` steps in each world.
//!
//! Worlds are split into chunks of fixed size. A chunk owns its worlds, its buffers and its part of the
//! rollout, so threads share nothing, and the result is bit-identical for any number of threads. An episode
//! that *terminated* has no future reward; one *truncated* by the time limit bootstraps from the critic's
//! value of its last observation (Pardo et al., 2018).

mod chunk;
#[cfg(feature = "gpu")]
mod device;
#[cfg(feature = "own-worlds")]
mod own;

use learnery_kernels::rng::Stream;
use learnery_lab::LabError;
use learnery_nn::Tensors;
use learnery_worlds::control::AnyWorlds;
use rayon::prelude::*;

use chunk::{Chunk, FinishedEpisodes, ReturnOptions};

use crate::config::ControlConfig;
use crate::network::Network;
use crate::normaliser::ObservationSums;
use crate::purpose;
use crate::rewards::RewardNormaliser;
use crate::rollout::{Records, record_width};

/// Worlds in a chunk: enough rows for an efficient matrix product, few enough to occupy many threads. A
/// multiple of four because one Philox block gives four random numbers.
pub const WORLDS_PER_CHUNK: usize = 32;

/// All training worlds and the rollout collected in them.
pub struct Collector {
    chunks: Vec<Chunk>,
    /// The last full rollout as the learner reads it, chunk after chunk.
    /// Shape: `[samples, width]`.
    records: Vec<f32>,
    /// Floats in a record.
    width: usize,
    /// Steps of a rollout in each world.
    horizon: usize,
    /// Floats in the state of a world.
    state_width: usize,
    /// Steps that each world has taken in the current rollout.
    steps_collected: usize,
    /// Steps taken in each world since the run began. It selects the random numbers that sample actions.
    clock: u64,
    /// The stream of the random numbers that sample actions.
    action_stream: Stream,
    /// The stream of the random numbers of the worlds.
    #[cfg(any(feature = "own-worlds", not(target_family = "wasm")))]
    starts: Stream,
    /// Normalises rewards that may have any size.
    reward_normaliser: Option<RewardNormaliser>,
}

/// What a rollout holds, in numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct RolloutSummary {
    /// The mean unscaled return of the episodes that ended in it; NaN if none did.
    pub mean_return: f64,
    /// The number of these episodes.
    pub episodes: u64,
    /// Explained variance of the critic: 1 - Var(return - value) / Var(return).
    pub explained_variance: f64,
}

/// The episodes of a rollout that a fault of the rules ended, such as a division by zero.
#[cfg(feature = "own-worlds")]
#[derive(Debug, Default)]
pub struct Faults {
    pub episodes: u64,
    /// The first fault, with its line. `None` if a GPU found faults that the rounding of the CPU does not have.
    pub first: Option<String>,
}

#[cfg(feature = "own-worlds")]
impl Faults {
    fn add(&mut self, episodes: u64, fault: impl FnOnce() -> Option<String>) {
        if self.first.is_none() && episodes > 0 {
            self.first = fault();
        }
        self.episodes += episodes;
    }

    /// How many of the `of` episodes a fault ended, and the first one, as a sentence without a full stop;
    /// `None` if there was none.
    pub fn sentence(&self, of: u64) -> Option<String> {
        let n = self.episodes;
        if n == 0 {
            return None;
        }
        let first_of_all = if n > 1 { "; one of them in " } else { ", in " };
        let first = match &self.first {
            // A fault without a known line does not begin with "line".
            Some(first) if first.starts_with("line") => format!("{first_of_all}{first}"),
            Some(first) => format!(": {first}"),
            None => "; computed again on the CPU, the fault does not occur, so its line is not known".into(),
        };
        let episodes = format!("{n} of the {of} episodes that ended in the last iteration");
        Some(format!("{episodes} failed by a fault of the rules{first}"))
    }
}

impl Collector {
    pub fn new(config: &ControlConfig, seed: u32, network: &Network) -> Self {
        let worlds = config.worlds as usize;
        let starts = Stream::new(seed, purpose::STARTS);
        let batches = (0..worlds).step_by(WORLDS_PER_CHUNK).map(|first| {
            let end = (first + WORLDS_PER_CHUNK).min(worlds);
            network.task().worlds(first as u64..end as u64, starts)
        });
        Self::of_batches(config, seed, network, batches)
    }

    /// A collector in these worlds, each batch of which is a chunk. All batches but the last have as many
    /// worlds as the first, a multiple of four.
    pub fn of_batches(
        config: &ControlConfig,
        seed: u32,
        network: &Network,
        batches: impl Iterator<Item = Box<dyn AnyWorlds>>,
    ) -> Self {
        let horizon = config.horizon as usize;
        let task = network.task();
        let mut worlds = 0;
        let chunks = batches
            .map(|batch| {
                let first = worlds;
                worlds += batch.count();
                Chunk::new(first as u64, batch, network, horizon)
            })
            .collect();
        let action_stream = Stream::new(seed, purpose::ACTIONS);
        let width = record_width(network.inputs(), network.numbers());
        let records = vec![0.0; worlds * horizon * width];
        Self {
            chunks,
            records,
            width,
            horizon,
            state_width: task.state_size(),
            steps_collected: 0,
            clock: 0,
            action_stream,
            #[cfg(any(feature = "own-worlds", not(target_family = "wasm")))]
            starts: Stream::new(seed, purpose::STARTS),
            reward_normaliser: task.normalises_rewards().then(RewardNormaliser::new),
        }
    }

    /// Starts a new rollout in the same worlds.
    fn start_rollout(&mut self) {
        self.steps_collected = 0;
        self.chunks.iter_mut().for_each(Chunk::start_rollout);
    }

    /// Takes one step in every world. If it fills the rollout, also computes the advantages, writes the
    /// records and returns true.
    pub fn step(&mut self, network: &Network, config: &ControlConfig) -> bool {
        if self.steps_collected == self.horizon {
            self.start_rollout();
        }
        let (clock, stream) = (self.clock, self.action_stream);
        // `t` is the index of this step in the rollout.
        let (t, horizon) = (self.steps_collected, self.horizon);
        let options = ReturnOptions {
            reward_scale: config.reward_scale as f32,
            shaping: config.shaping as f32,
            gamma: config.gamma as f32,
            lambda: config.gae_lambda as f32,
        };
        // The records of every chunk but the last have this length; `par_chunks_mut` gives the rest to the
        // last one.
        let chunk_len = self.chunks[0].rollout.len() * self.width;
        let is_last = t + 1 == horizon;
        // With a normaliser of rewards, all chunks must have taken the last step first: it takes in their
        // returns before the rollout is finished.
        let finishes_at_once = is_last && self.reward_normaliser.is_none();
        let chunks = self.chunks.par_iter_mut().zip(self.records.par_chunks_mut(chunk_len));
        chunks.for_each(|(chunk, records)| {
            chunk.act(network, t, clock, stream, options);
            if finishes_at_once {
                chunk.finish_rollout(network, options, records);
            }
        });
        if let Some(normaliser) = self.reward_normaliser.as_mut().filter(|_| is_last) {
            let all = self.chunks.iter().filter_map(|chunk| chunk.discounted.as_ref());
            all.for_each(|discounted| normaliser.absorb(&discounted.sums));
            let chunks = self.chunks.par_iter_mut().zip(self.records.par_chunks_mut(chunk_len));
            chunks.for_each(|(chunk, records)| {
                normaliser.apply(&mut chunk.rollout.rewards);
                chunk.finish_rollout(network, options, records);
            });
        }
        self.steps_collected += 1;
        self.clock += 1;
        self.steps_collected == self.horizon
    }

    /// The collected fraction of the rollout.
    pub fn fraction_done(&self) -> f32 {
        self.steps_collected as f32 / self.horizon as f32
    }

    /// The number of worlds.
    pub fn worlds(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.rollout.worlds).sum()
    }

    /// The number of samples in a full rollout.
    pub fn len(&self) -> usize {
        self.worlds() * self.horizon
    }

    /// Steps taken since the run began, summed over all worlds.
    pub fn steps_taken(&self) -> u64 {
        self.clock * self.worlds() as u64
    }

    /// The last full rollout, for the learner.
    pub fn records(&self) -> Records<'_> {
        Records { floats: &self.records, width: self.width }
    }

    /// Whether no rollout is in progress.
    #[cfg(not(target_family = "wasm"))]
    pub fn is_between_rollouts(&self) -> bool {
        self.steps_collected.is_multiple_of(self.horizon)
    }

    /// Drops the rollout in progress. Its worlds begin new episodes.
    #[cfg(not(target_family = "wasm"))]
    pub fn drop_rollout(&mut self) {
        self.start_rollout();
        let starts = self.starts;
        for chunk in &mut self.chunks {
            chunk.worlds.reset(chunk.first, starts);
            chunk.episode_returns.fill(0.0);
            if let Some(discounted) = &mut chunk.discounted {
                discounted.running.fill(0.0);
            }
        }
    }

    /// Sets the clock as if so many units had been collected before, so that actions are sampled with other
    /// random numbers than in those units.
    #[cfg(not(target_family = "wasm"))]
    pub fn skip_units(&mut self, units: u64) {
        self.clock = units * self.horizon as u64;
    }

    /// The indices of the samples of the last full rollout from which there is nothing to learn, ascending.
    #[cfg(not(target_family = "wasm"))]
    pub fn left_out(&self) -> impl Iterator<Item = u32> {
        self.chunks.iter().flat_map(|chunk| {
            let begin = chunk.first as u32 * self.horizon as u32;
            chunk.left_out.iter().map(move |i| begin + i)
        })
    }

    /// Sums over the raw observations of this rollout, one for each chunk.
    pub fn observation_sums(&self) -> impl Iterator<Item = &ObservationSums> {
        self.chunks.iter().map(|chunk| &chunk.observation_sums)
    }

    /// What the last full rollout holds.
    pub fn summary(&self) -> RolloutSummary {
        let mut all = FinishedEpisodes::default();
        for chunk in &self.chunks {
            all.count += chunk.finished_episodes.count;
            all.return_sum += chunk.finished_episodes.return_sum;
        }
        RolloutSummary {
            // 0 / 0, which is NaN, if no episode ended.
            mean_return: all.return_sum / all.count as f64,
            episodes: all.count,
            explained_variance: self.explained_variance(),
        }
    }

    /// How much reward, in the world's own unit, a critic's value of 1 stands for; `None` if rewards are not
    /// normalised.
    #[cfg(feature = "own-worlds")]
    pub fn reward_unit(&self, config: &ControlConfig) -> Option<f32> {
        let normaliser = self.reward_normaliser.as_ref()?;
        Some(normaliser.unit() / config.reward_scale as f32)
    }

    /// What faults of the rules did in the last full rollout, see [`Faults::sentence`].
    #[cfg(feature = "own-worlds")]
    pub fn fault_sentence(&self) -> Option<String> {
        let mut all = Faults::default();
        for Chunk { faults, .. } in &self.chunks {
            all.add(faults.episodes, || faults.first.clone());
        }
        all.sentence(self.summary().episodes)
    }

    fn explained_variance(&self) -> f64 {
        let steps =
            || self.chunks.iter().flat_map(|chunk| chunk.rollout.returns.iter().zip(&chunk.rollout.values));
        let n = self.len() as f64;
        let variance = |f: &dyn Fn(f32, f32) -> f64| {
            let mean = steps().map(|(r, v)| f(*r, *v)).sum::<f64>() / n;
            steps().map(|(r, v)| (f(*r, *v) - mean) * (f(*r, *v) - mean)).sum::<f64>() / n
        };
        1.0 - variance(&|r, v| f64::from(r) - f64::from(v)) / variance(&|r, _| f64::from(r))
    }

    /// The states of the first `limit` worlds, and the steps of their current episodes.
    pub fn drawn_worlds(&self, limit: usize) -> (Vec<f32>, Vec<f32>) {
        let n = self.worlds().min(limit);
        let (mut states, mut steps) = (vec![0.0; n * self.state_width], vec![0.0; n]);
        let outputs = states.chunks_exact_mut(self.state_width).zip(&mut steps);
        for ((chunk, i), (state, steps)) in self.each_world().zip(outputs) {
            chunk.worlds.state(i, state);
            *steps = chunk.worlds.steps(i) as f32;
        }
        (states, steps)
    }

    /// Each world as its chunk and its index in the chunk.
    fn each_world(&self) -> impl Iterator<Item = (&Chunk, usize)> {
        self.chunks.iter().flat_map(|chunk| (0..chunk.rollout.worlds).map(move |i| (chunk, i)))
    }

    /// Saves the worlds and the clock. Must be called between two rollouts, because a partial rollout is not
    /// saved.
    pub fn to_tensors(&self) -> Tensors {
        let n = self.worlds();
        let mut states = vec![0.0; n * self.state_width];
        for ((chunk, i), state) in self.each_world().zip(states.chunks_exact_mut(self.state_width)) {
            chunk.worlds.state(i, state);
        }
        let steps: Vec<u32> = self.each_world().map(|(chunk, i)| chunk.worlds.steps(i)).collect();
        let episodes: Vec<u32> = self.each_world().map(|(chunk, i)| chunk.worlds.episodes(i)).collect();
        let returns: Vec<f32> = self.each_world().map(|(chunk, i)| chunk.episode_returns[i]).collect();
        let mut tensors = Tensors::new();
        tensors.insert("states", &[n, self.state_width], &states);
        tensors.insert("steps", &[n], &steps);
        tensors.insert("episodes", &[n], &episodes);
        tensors.insert("earned", &[n], &returns);
        tensors.insert("clock", &[1], &[self.clock]);
        if let Some(normaliser) = &self.reward_normaliser {
            let running = self.chunks.iter().filter_map(|chunk| chunk.discounted.as_ref());
            let running: Vec<f32> = running.flat_map(|discounted| discounted.running.clone()).collect();
            tensors.insert("discounted", &[n], &running);
            tensors.absorb("returns/", normaliser.to_tensors());
        }
        tensors
    }

    /// Restores the worlds and the clock that [`Collector::to_tensors`] saved after `unit` units. Rejects
    /// counters that contradict each other.
    pub fn restore(&mut self, unit: u64, tensors: &Tensors) -> Result<(), LabError> {
        let n = self.worlds();
        let states: Vec<f32> = tensors.get("states", &[n, self.state_width])?;
        let steps: Vec<u32> = tensors.get("steps", &[n])?;
        let episodes: Vec<u32> = tensors.get("episodes", &[n])?;
        let returns: Vec<f32> = tensors.get("earned", &[n])?;
        self.clock = tensors.get::<u64>("clock", &[1])?[0];
        if self.clock != unit * self.horizon as u64 {
            // The message is shown after "checkpoint: ", hence "its".
            return Err(LabError::Checkpoint(format!(
                "its `clock` is {}, but {unit} iterations have {} steps each",
                self.clock, self.horizon
            )));
        }
        let mut discounted = Vec::new();
        if let Some(normaliser) = &mut self.reward_normaliser {
            normaliser.restore(&tensors.under("returns/"))?;
            discounted = tensors.get("discounted", &[n])?;
        }
        // Every episode has at least one step, and a change of the rules can end one more in a unit, which
        // has at least one step too.
        let most_episodes = if discounted.is_empty() { self.clock } else { 2 * self.clock };
        for chunk in &mut self.chunks {
            for i in 0..chunk.rollout.worlds {
                let world = chunk.first as usize + i;
                let state = &states[world * self.state_width..][..self.state_width];
                let is_possible = u64::from(episodes[world]) <= most_episodes;
                if !is_possible || !chunk.worlds.restore(i, state, steps[world], episodes[world]) {
                    return Err(LabError::Checkpoint("it holds a world in an impossible state".into()));
                }
                chunk.episode_returns[i] = returns[world];
                if let Some(to) = &mut chunk.discounted {
                    to.running[i] = discounted[world];
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
