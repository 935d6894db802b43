//! A chunk of the training worlds: acts in them and fills its part of the rollout.

use learnery_kernels::rng::Stream;
use learnery_worlds::control::{AnyWorlds, Outcome};

#[cfg(feature = "own-worlds")]
use super::Faults;
use crate::advantages::compute_advantages;
use crate::network::{Network, Scratch};
use crate::normaliser::ObservationSums;
use crate::rewards::DiscountedReturns;
use crate::rollout::Rollout;
use crate::task::Task;

/// A group of worlds that one thread steps, with their part of the rollout.
pub(super) struct Chunk {
    /// Number of the chunk's first world.
    pub(super) first: u64,
    task: Task,
    pub(super) worlds: Box<dyn AnyWorlds>,
    scratch: Scratch,
    pub(super) rollout: Rollout,
    /// Sum of the unscaled rewards so far in each world's current episode.
    pub(super) episode_returns: Vec<f32>,
    /// What the normaliser of rewards takes in; `None` if rewards are not normalised.
    pub(super) discounted: Option<DiscountedReturns>,
    /// The episodes that ended in this rollout.
    pub(super) finished_episodes: FinishedEpisodes,
    /// Those among them that a fault of the rules ended.
    #[cfg(feature = "own-worlds")]
    pub(super) faults: Faults,
    /// The samples of this rollout from which there is nothing to learn, as indices into the chunk's part.
    pub(super) left_out: Vec<u32>,
    /// Sums over the raw observations of this rollout, for the normaliser.
    pub(super) observation_sums: ObservationSums,
    /// Random numbers that sample the actions of the current step.
    /// Shape: `[worlds, numbers]`.
    noise: Vec<f32>,
    /// The actions of the current step as the worlds take them, if they are squashed; otherwise empty.
    /// Shape: `[worlds, numbers]`.
    squashed: Vec<f32>,
    /// Two buffers for potentials, values or advantages.
    /// Shape of each: `[worlds]`.
    per_world: [Vec<f32>; 2],
    /// A buffer for observations after the step.
    /// Shape: `[worlds, inputs]`.
    observations: Vec<f32>,
}

/// The number of episodes that ended, and the sum of their unscaled returns.
#[derive(Clone, Copy, Default)]
pub(super) struct FinishedEpisodes {
    pub(super) count: u64,
    pub(super) return_sum: f64,
}

/// The settings that turn rewards into returns.
#[derive(Clone, Copy)]
pub(super) struct ReturnOptions {
    pub(super) reward_scale: f32,
    /// Weight of the shaping reward; 0 for none.
    pub(super) shaping: f32,
    /// The discount factor.
    pub(super) gamma: f32,
    /// GAE's lambda.
    pub(super) lambda: f32,
}

impl Chunk {
    /// A chunk of these worlds, whose first has the number `first`.
    pub fn new(first: u64, worlds: Box<dyn AnyWorlds>, network: &Network, horizon: usize) -> Self {
        let (n, task) = (worlds.count(), network.task());
        let (inputs, numbers) = (network.inputs(), network.numbers());
        Self {
            first,
            task: task.clone(),
            worlds,
            scratch: network.scratch(n),
            rollout: Rollout::new(n, horizon, inputs, numbers),
            episode_returns: vec![0.0; n],
            discounted: task.normalises_rewards().then(|| DiscountedReturns::new(n)),
            finished_episodes: FinishedEpisodes::default(),
            #[cfg(feature = "own-worlds")]
            faults: Faults::default(),
            left_out: Vec::new(),
            observation_sums: ObservationSums::new(inputs),
            noise: vec![0.0; n * numbers],
            squashed: vec![0.0; if network.bounds().is_squashed() { n * numbers } else { 0 }],
            per_world: [vec![0.0; n], vec![0.0; n]],
            observations: vec![0.0; n * inputs],
        }
    }

    /// Forgets the last rollout.
    pub fn start_rollout(&mut self) {
        self.finished_episodes = FinishedEpisodes::default();
        #[cfg(feature = "own-worlds")]
        {
            self.faults = Faults::default();
        }
        self.left_out.clear();
        self.observation_sums.clear();
        if let Some(discounted) = &mut self.discounted {
            discounted.sums.clear();
        }
    }

    /// Observes, samples an action and takes one step, in every world of the chunk: step `t` of the rollout,
    /// with the random numbers of `stream` for the `clock`.
    pub fn act(&mut self, network: &Network, t: usize, clock: u64, stream: Stream, options: ReturnOptions) {
        let (n, inputs) = (self.rollout.worlds, network.inputs());
        // The entries of this step in the rollout.
        let now = t * n..(t + 1) * n;
        let r = &mut self.rollout;

        // Observe and value.
        let observations = &mut r.observations[t * n * inputs..][..n * inputs];
        self.worlds.observe(observations);
        let [before, _] = &mut self.per_world;
        if options.shaping > 0.0 {
            // The potential needs raw observations, so it is taken before they are normalised.
            for (before, observation) in before.iter_mut().zip(observations.chunks_exact(inputs)) {
                *before = self.task.shaping_potential(observation);
            }
        }
        if network.normaliser.is_enabled() {
            self.observation_sums.add(observations);
            network.normaliser.apply(observations);
        }
        network.values(observations, n, &mut self.scratch, &mut r.values[now.clone()]);
        // Sample actions.
        let policy = network.policy();
        policy.fill_noise(stream, clock, self.first, &mut self.noise);
        let outputs = network.actor_outputs(observations, n, &mut self.scratch);
        let numbers = network.numbers();
        let actions = &mut r.actions[t * n * numbers..][..n * numbers];
        let log_probs = &mut r.log_probs[now.clone()];
        policy.sample(outputs, &self.noise, actions, log_probs);

        // Step, and record rewards and ends of episodes.
        if network.bounds().is_squashed() {
            self.squashed.copy_from_slice(actions);
            network.bounds().squash(&mut self.squashed);
            self.worlds.step(&self.squashed);
        } else {
            self.worlds.step(actions);
        }
        let rewards = &mut r.rewards[now.clone()];
        for ((scaled, total), reward) in
            rewards.iter_mut().zip(&mut self.episode_returns).zip(self.worlds.rewards())
        {
            *total += reward;
            *scaled = options.reward_scale * reward;
        }
        if let Some(discounted) = &mut self.discounted {
            discounted.step(&r.rewards[now.clone()], options.gamma, self.worlds.ended());
        }
        r.continues[now.clone()].fill(1.0);
        r.truncation_values[now.clone()].fill(0.0);
        if options.shaping > 0.0 {
            self.add_shaping_rewards(now.start, inputs, options);
        }
        if !self.worlds.ended().is_empty() {
            self.close_episodes(network, now.start);
        }
        for i in self.worlds.only_began() {
            // A step that only began an episode is no transition. No reward of a later step belongs to what
            // came before it.
            self.rollout.continues[now.start + *i as usize] = 0.0;
            self.left_out.push((now.start + *i as usize) as u32);
        }
    }

    /// Adds `shaping * (gamma * potential after - potential before)` to the rewards at index `begin` and
    /// after it: potential-based shaping, which leaves the optimal policy unchanged (Ng, Harada and Russell,
    /// 1999).
    fn add_shaping_rewards(&mut self, begin: usize, inputs: usize, options: ReturnOptions) {
        let [before, after] = &mut self.per_world;
        self.worlds.observe(&mut self.observations);
        for (after, observation) in after.iter_mut().zip(self.observations.chunks_exact(inputs)) {
            *after = self.task.shaping_potential(observation);
        }
        // A world whose episode ended has already restarted. Its potential after the step must come from the
        // episode's last observation.
        for (k, world) in self.worlds.ended().iter().enumerate() {
            let i = *world as usize;
            after[i] = match self.worlds.outcome(i) {
                Outcome::Truncated => {
                    let observation = &mut self.observations[..inputs];
                    self.worlds.final_observation(k, observation);
                    self.task.shaping_potential(observation)
                }
                // The potential of a terminal state is zero by definition. (An ended episode is never
                // `Running`.)
                Outcome::Running | Outcome::Terminated => 0.0,
            };
        }
        for (i, (before, after)) in before.iter().zip(after).enumerate() {
            self.rollout.rewards[begin + i] += options.shaping * (options.gamma * *after - before);
        }
    }

    /// Records the episodes that ended in this step, whose rollout entries begin at index `begin`. For
    /// truncated ones, also records the critic's value of the last observation.
    fn close_episodes(&mut self, network: &Network, begin: usize) {
        let inputs = network.inputs();
        // The last observations of the truncated episodes are gathered at the front of `observations`.
        let mut truncated_count = 0;
        for (k, world) in self.worlds.ended().iter().enumerate() {
            let i = *world as usize;
            self.finished_episodes.count += 1;
            self.finished_episodes.return_sum += f64::from(self.episode_returns[i]);
            self.episode_returns[i] = 0.0;
            #[cfg(feature = "own-worlds")]
            if self.worlds.has_fault(i) {
                self.faults.add(1, || self.worlds.fault(k));
            }
            self.rollout.continues[begin + i] = 0.0;
            if self.worlds.outcome(i) == Outcome::Truncated {
                let observation = &mut self.observations[truncated_count * inputs..][..inputs];
                self.worlds.final_observation(k, observation);
                truncated_count += 1;
            }
        }
        let observations = &mut self.observations[..truncated_count * inputs];
        network.normaliser.apply(observations);
        let values = &mut self.per_world[0][..truncated_count];
        network.values(observations, truncated_count, &mut self.scratch, values);
        let ended = self.worlds.ended().iter().map(|i| *i as usize);
        let truncated_worlds = ended.filter(|i| self.worlds.outcome(*i) == Outcome::Truncated);
        for (i, value) in truncated_worlds.zip(values) {
            self.rollout.truncation_values[begin + i] = *value;
        }
    }

    /// Computes advantages and returns of the full rollout, and writes the records. Episodes that continue
    /// bootstrap from the critic's value of the current observation.
    pub fn finish_rollout(&mut self, network: &Network, options: ReturnOptions, records: &mut [f32]) {
        let n = self.rollout.worlds;
        self.worlds.observe(&mut self.observations);
        network.normaliser.apply(&mut self.observations);
        let [next_values, next_advantages] = &mut self.per_world;
        network.values(&self.observations, n, &mut self.scratch, next_values);
        compute_advantages(&mut self.rollout, next_values, next_advantages, options.gamma, options.lambda);
        self.rollout.write_records(records);
    }
}
