//! Collects the data for deep Q-learning. An episode is an attempt to solve one cube with an epsilon-greedy
//! policy: the turn with the highest Q value, or with probability epsilon a random one. Many cubes run in
//! parallel. A transition that is learned from has an n-step return: the rewards of n turns, then the value
//! of the state after them.
//!
//! Episodes start from random scrambles. A curriculum makes these longer: its level is their current length.
//! Scrambles that the agent failed to solve are stored and can be repeated (after prioritised level replay;
//! Jiang, Grefenstette and Rocktäschel, 2021). Otherwise the last few unsolved states among thousands would
//! come up too rarely to be learned.

mod checkpoint;

use learnery_kernels::rng::Stream;
use learnery_lab::Row;
use learnery_worlds::cube::{SOLVED, State, Turn, turns};
use rayon::prelude::*;

use super::replay::{ReplayBuffer, Transition};
use crate::config::CubeConfig;
use crate::purpose;
use crate::small::network::{MAX_ROWS, Network, Scratch};
use crate::small::policy::best_turn;
use crate::small::scramble::scramble;

/// Upper bound of the settings `level_from` and `level_to`: the length of the longest scramble of an episode.
const MAX_SCRAMBLE: u32 = 30;

/// Upper bound of the setting `patience`: the turns that an episode may take beyond the length of its
/// scramble.
const MAX_PATIENCE: u32 = 100;

/// Upper bound of the number of failed scrambles that are stored.
const MAX_FAILED_SCRAMBLES: usize = 1024;

pub struct Collector {
    scrambles: Stream,
    exploration: Stream,
    /// The episode of each cube.
    episodes: Vec<Episode>,
    scratches: Vec<Scratch>,
    /// The turn chosen for each cube in the current step.
    /// Shape: `[cubes]`.
    chosen: Vec<Turn>,
    /// The last turns of each episode whose n-step returns are incomplete, the oldest first. Of each cube's
    /// `n_step` entries only the first `Episode::pending` are read.
    /// Shape: `[cubes, n_step]`.
    pending: Vec<PendingTransition>,
    n_step: usize,
    /// At most [`MAX_FAILED_SCRAMBLES`] scrambles that the agent failed to solve and has not tried again.
    failed: Vec<Scramble>,
    /// The current length of scrambles in the curriculum.
    level: u32,
    /// Episodes with scrambles of the length `level`, without retries of failed scrambles, that finished
    /// since the last decision about the level.
    level_episodes: u64,
    /// The solved ones among `level_episodes`.
    level_solved: u64,
    /// Number of calls of [`Collector::step`], which makes one turn of every cube.
    steps: u64,
    /// Episodes started since the run began.
    started: u64,
    /// Episodes that finished in this unit (training iteration).
    unit_finished: u64,
    /// The solved ones among `unit_finished`.
    unit_solved: u64,
}

/// The state that an episode starts from, and the number of turns of its scramble.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Scramble {
    state: State,
    length: u32,
}

/// An attempt to solve one cube.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Episode {
    state: State,
    start: Scramble,
    /// Whether it repeats a failed scramble.
    is_retry: bool,
    /// Turns made so far.
    turns: u32,
    /// How many of the cube's entries of `Collector::pending` are in use.
    pending: u32,
}

/// A turn whose n-step return is not complete yet.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct PendingTransition {
    state: State,
    turn: Turn,
    /// The sum of the discounted rewards so far.
    reward: f32,
    /// The discount of the next reward.
    discount: f32,
}

impl Collector {
    pub fn new(config: &CubeConfig, seed: u32, network: &Network) -> Self {
        let (count, n_step) = (config.worlds as usize, config.n_step as usize);
        let mut collector = Self {
            scrambles: Stream::new(seed, purpose::EPISODES),
            exploration: Stream::new(seed, purpose::EXPLORATION),
            episodes: vec![Episode::default(); count],
            scratches: (0..count.div_ceil(MAX_ROWS)).map(|_| network.scratch()).collect(),
            chosen: vec![0; count],
            pending: vec![PendingTransition::default(); count * n_step],
            n_step,
            failed: Vec::with_capacity(MAX_FAILED_SCRAMBLES),
            level: config.level_from.min(config.level_to),
            level_episodes: 0,
            level_solved: 0,
            steps: 0,
            started: 0,
            unit_finished: 0,
            unit_solved: 0,
        };
        (0..count).for_each(|i| collector.begin_episode(config, i));
        collector
    }

    /// The current length of scrambles in the curriculum.
    pub fn level(&self) -> u32 {
        self.level
    }

    /// Episodes finished since the run began.
    pub fn finished_episodes(&self) -> u64 {
        self.started - self.episodes.len() as u64
    }

    /// Resets the counts of the unit.
    pub fn begin_unit(&mut self) {
        (self.unit_finished, self.unit_solved) = (0, 0);
    }

    /// Starts an episode of cube `i`: from a new scramble, or from one that failed before.
    fn begin_episode(&mut self, config: &CubeConfig, i: usize) {
        let index = self.started;
        self.started += 1;
        // Four uniform numbers: whether to use a shorter scramble, its length, whether to retry, and which
        // failed scramble.
        let [rehearse, length, retry, which] = self.scrambles.uniform4(index, 0);
        let is_retry = retry < config.retry as f32 && !self.failed.is_empty();
        let start = if is_retry {
            let last = self.failed.len() - 1;
            // A uniform random index. Rounding may carry it to `last + 1`, hence the minimum.
            self.failed.swap_remove(((which * (last + 1) as f32) as usize).min(last))
        } else {
            let is_shorter = rehearse < config.rehearse as f32 && self.level > 1;
            let length = if is_shorter { 1 + (length * (self.level - 1) as f32) as u32 } else { self.level };
            let (state, _) = scramble(turns(), self.scrambles, index, length, config.metric.to_rules());
            Scramble { state, length }
        };
        self.episodes[i] = Episode { state: start.state, start, is_retry, turns: 0, pending: 0 };
    }

    /// Stores a failed scramble. If [`MAX_FAILED_SCRAMBLES`] are stored, the new one replaces another. Which
    /// one follows from the number of episodes started, which rises, so that all are replaced in the course
    /// of time.
    fn store_failed(&mut self, start: Scramble) {
        if self.failed.len() < MAX_FAILED_SCRAMBLES {
            self.failed.push(start);
        } else {
            self.failed[self.started as usize % MAX_FAILED_SCRAMBLES] = start;
        }
    }

    /// Makes one turn of every cube and moves complete n-step transitions to `replay`. `updates` is the
    /// number of updates so far, which determines epsilon.
    pub fn step(&mut self, config: &CubeConfig, network: &Network, updates: u64, replay: &mut ReplayBuffer) {
        // The setting is live and may have been lowered.
        self.level = self.level.min(config.level_to);
        self.choose_turns(config, network, updates);
        for i in 0..self.episodes.len() {
            self.make_turn(config, i, replay);
        }
        self.steps += 1;
        if self.level_episodes >= u64::from(config.level_window) {
            let solved = self.level_solved as f64 / self.level_episodes as f64;
            if solved >= config.level_up && self.level < config.level_to {
                self.level += 1;
            }
            (self.level_episodes, self.level_solved) = (0, 0);
        }
    }

    /// Chooses a turn of every cube: the best one, or with probability epsilon a random one.
    fn choose_turns(&mut self, config: &CubeConfig, network: &Network, updates: u64) {
        let progress = (updates as f64 / f64::from(config.explore_updates)).min(1.0);
        let epsilon = (config.explore_from + (config.explore_to - config.explore_from) * progress) as f32;
        let (exploration, steps, count) = (self.exploration, self.steps, network.outputs());
        let episodes = self.episodes.par_chunks(MAX_ROWS);
        let chunks = episodes.zip(self.chosen.par_chunks_mut(MAX_ROWS)).zip(&mut self.scratches);
        chunks.with_max_len(1).enumerate().for_each(|(chunk, ((episodes, chosen), scratch))| {
            let states = episodes.iter().map(|episode| episode.state);
            let q_values = network.infer(states, scratch).chunks_exact(count);
            for (i, (chosen, q)) in chosen.iter_mut().zip(q_values).enumerate() {
                let [explore, which, ..] =
                    exploration.uniform4(steps, chunk as u64 * MAX_ROWS as u64 + i as u64);
                let random = ((which * count as f32) as usize).min(count - 1) as Turn;
                *chosen = if explore < epsilon { random } else { best_turn(q, |_| true) };
            }
        });
    }

    /// Makes the chosen turn of cube `i`.
    fn make_turn(&mut self, config: &CubeConfig, i: usize, replay: &mut ReplayBuffer) {
        let (turn, n) = (self.chosen[i], self.n_step);
        let episode = &mut self.episodes[i];
        let pending = &mut self.pending[i * n..][..n];
        let gamma = config.gamma as f32;
        let before = episode.state;
        episode.state = turns().after(before, turn);
        episode.turns += 1;
        let is_solved = episode.state == SOLVED;
        let is_over = is_solved || episode.turns >= episode.start.length + config.patience;
        // Solving the cube gives 1, and every turn costs `turn_cost`.
        let reward = f32::from(u8::from(is_solved)) - config.turn_cost as f32;

        let mut count = episode.pending as usize;
        pending[count] = PendingTransition { state: before, turn, reward: 0.0, discount: 1.0 };
        count += 1;
        for transition in &mut pending[..count] {
            transition.reward += transition.discount * reward;
            transition.discount *= gamma;
        }
        // At the end of an episode all returns are complete; before that, only the oldest one, once it has n
        // rewards. An episode that ends unsolved was truncated, so its returns bootstrap from the last state.
        let complete = if is_over { count } else { usize::from(count == n) };
        for transition in &pending[..complete] {
            let discount = if is_solved { 0.0 } else { transition.discount };
            let PendingTransition { state, turn, reward, .. } = *transition;
            replay.push(Transition { state, turn, reward, next: episode.state, discount });
        }
        pending.copy_within(complete..count, 0);
        episode.pending = (count - complete) as u32;
        if is_over {
            let Episode { start, is_retry, .. } = *episode;
            self.finish_episode(config, start, is_retry, is_solved);
            self.begin_episode(config, i);
        }
    }

    /// Counts a finished episode, and stores its scramble if it failed.
    fn finish_episode(&mut self, config: &CubeConfig, start: Scramble, is_retry: bool, is_solved: bool) {
        self.unit_finished += 1;
        self.unit_solved += u64::from(is_solved);
        // Retries are harder than fresh scrambles and would hold the curriculum back.
        if start.length == self.level && !is_retry {
            self.level_episodes += 1;
            self.level_solved += u64::from(is_solved);
        }
        if !is_solved && config.retry > 0.0 {
            self.store_failed(start);
        }
    }

    pub fn metrics(&self, out: &mut Row) {
        out.set("level", f64::from(self.level));
        out.set("episodes", self.finished_episodes() as f64);
        out.set("won", 100.0 * self.unit_solved as f64 / self.unit_finished as f64);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::config::Method;

    /// A collector of 40 cubes whose scrambles have 5 turns. Episodes end after as many turns as their
    /// scramble has, so an untrained network fails most of them.
    pub(super) fn collector(retry: f64) -> (CubeConfig, Network, Collector, ReplayBuffer) {
        let config = CubeConfig {
            learner: Method::Dqn,
            hidden_1: 8,
            hidden_2: 0,
            worlds: 40,
            level_from: 5,
            level_to: 6,
            level_window: 20,
            patience: 0,
            retry,
            ..CubeConfig::default()
        };
        let network = Network::new(&config, Stream::new(3, purpose::NETWORK));
        let collector = Collector::new(&config, 3, &network);
        let replay = ReplayBuffer::new(config.replay as usize);
        (config, network, collector, replay)
    }

    #[test]
    fn retries_repeat_failed_scrambles_in_the_configured_fraction_of_episodes() {
        for retry in [0.0, 0.5] {
            let (config, network, mut collector, mut replay) = collector(retry);
            let (mut retries, mut fresh) = (0, 0);
            for _ in 0..300 {
                // A retry may repeat a scramble that was stored before, or one whose episode ends in this
                // step.
                let failed: Vec<Scramble> = collector.failed.clone();
                let current: Vec<Scramble> = collector.episodes.iter().map(|episode| episode.start).collect();
                collector.step(&config, &network, 0, &mut replay);
                let known: BTreeSet<State> =
                    failed.iter().chain(&current).map(|scramble| scramble.state).collect();
                for episode in collector.episodes.iter().filter(|episode| episode.turns == 0) {
                    assert_eq!(episode.state, episode.start.state);
                    assert!(!episode.is_retry || known.contains(&episode.start.state));
                    if episode.is_retry { retries += 1 } else { fresh += 1 }
                }
                assert!(collector.failed.len() <= MAX_FAILED_SCRAMBLES);
            }
            let fraction = f64::from(retries) / f64::from(retries + fresh);
            assert!((fraction - retry).abs() < 0.05, "{fraction} instead of {retry}");
            assert_eq!(retry == 0.0, collector.failed.is_empty());
        }
    }

    #[test]
    fn failed_scrambles_beyond_the_limit_replace_others() {
        let (.., mut collector, _) = collector(0.5);
        for state in 0..2 * MAX_FAILED_SCRAMBLES as State {
            collector.started += 1;
            collector.store_failed(Scramble { state, length: 5 });
        }
        assert_eq!(collector.failed.len(), MAX_FAILED_SCRAMBLES);
        // The second half of the scrambles has replaced the first.
        assert!(collector.failed.iter().all(|scramble| scramble.state >= MAX_FAILED_SCRAMBLES as State));
    }
}
