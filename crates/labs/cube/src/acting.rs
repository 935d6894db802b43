//! Many cubes being solved side by side, for DQN to learn from: who turns them, what is remembered of it, and when the
//! scrambles grow longer.
//!
//! Scrambles that were given up can be met again (after prioritised level replay; Jiang, Grefenstette and Rocktäschel,
//! 2021). Of thousands of states one comes up too rarely to be learned when it is among the last that are not solved.

use learnery_kernels::rng::Stream;
use learnery_lab::{LabError, Row};
use learnery_nn::Tensors;
use learnery_worlds::cube::{SOLVED, STATES, State, TURNS, Turn, turns};
use rayon::prelude::*;

use super::brain::{Brain, Lane, ROWS};
use super::judge::best_of;
use super::replay::{Replay, Step};
use super::scramble::scramble;
use super::{CubeConfig, purpose};

/// Turns of the longest scrambles that the settings allow.
const MOST_TURNS: u32 = 30;

/// Scrambles given up that are kept to be tried again.
const FAILURES: usize = 1024;

/// All cubes.
pub struct Acting {
    scrambles: Stream,
    choices: Stream,
    cubes: Vec<Cube>,
    lanes: Vec<Lane>,
    chosen: Vec<Turn>,
    /// What each cube has behind it and not yet handed over, the oldest first. // [cubes, n_step]
    recent: Vec<Recent>,
    n_step: usize,
    /// Scrambles given up and not tried again yet. // [up to FAILURES]
    failures: Vec<Scramble>,
    /// Turns of the longest scrambles now.
    level: u32,
    /// Scrambles of that length that are over, and how many of them were solved.
    tried: u64,
    solved: u64,
    acts: u64,
    /// Episodes since the run began, and of this iteration those that are over and those that were solved.
    episodes: u64,
    ended: u64,
    won: u64,
}

/// Where an episode begins.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Scramble {
    state: State,
    /// Turns of it.
    length: u32,
}

/// One cube.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Cube {
    state: State,
    start: Scramble,
    /// Whether it had been given up before.
    again: bool,
    steps: u32,
    /// How many of `recent` it has.
    held: u32,
}

/// A turn whose return is not yet known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Recent {
    state: State,
    turn: Turn,
    /// Rewards since, discounted to here.
    reward: f32,
    /// The discount of the next one.
    discount: f32,
}

impl Acting {
    /// Cubes freshly scrambled.
    pub fn new(config: &CubeConfig, seed: u32, brain: &Brain) -> Self {
        let (count, n_step) = (config.worlds as usize, config.n_step as usize);
        let mut acting = Self {
            scrambles: Stream::new(seed, purpose::EPISODES),
            choices: Stream::new(seed, purpose::CHOICES),
            cubes: vec![Cube::default(); count],
            lanes: (0..count.div_ceil(ROWS)).map(|_| brain.lane()).collect(),
            chosen: vec![0; count],
            recent: vec![Recent::default(); count * n_step],
            n_step,
            failures: Vec::with_capacity(FAILURES),
            level: config.level_from.min(config.level_to),
            tried: 0,
            solved: 0,
            acts: 0,
            episodes: 0,
            ended: 0,
            won: 0,
        };
        (0..count).for_each(|i| acting.scramble(config, i));
        acting
    }

    /// Turns of the longest scrambles now.
    pub fn level(&self) -> u32 {
        self.level
    }

    /// Episodes that are over since the run began.
    pub fn episodes(&self) -> u64 {
        self.episodes - self.cubes.len() as u64
    }

    /// Begins an iteration.
    pub fn begin(&mut self) {
        (self.ended, self.won) = (0, 0);
    }

    /// Puts a new scramble in place of cube `i`, or one that was given up.
    fn scramble(&mut self, config: &CubeConfig, i: usize) {
        let episode = self.episodes;
        self.episodes += 1;
        let [rehearse, length, retry, which] = self.scrambles.uniform4(episode, 0);
        let again = retry < config.retry as f32 && !self.failures.is_empty();
        if again {
            let last = self.failures.len() - 1;
            let start = self.failures.swap_remove(((which * (last + 1) as f32) as usize).min(last));
            self.cubes[i] = Cube { state: start.state, start, again, steps: 0, held: 0 };
            return;
        }
        let shorter = rehearse < config.rehearse as f32 && self.level > 1;
        let length = if shorter { 1 + (length * (self.level - 1) as f32) as u32 } else { self.level };
        let (state, _) = scramble(turns(), self.scrambles, episode, length, config.metric.rules());
        self.cubes[i] = Cube { state, start: Scramble { state, length }, again, steps: 0, held: 0 };
    }

    /// Keeps a scramble that was given up; where there is no more room, in place of some other.
    fn give_up(&mut self, start: Scramble) {
        if self.failures.len() < FAILURES {
            self.failures.push(start);
        } else {
            self.failures[self.episodes as usize % FAILURES] = start;
        }
    }

    /// One turn of every cube, with what it taught handed to `replay`.
    pub fn step(&mut self, config: &CubeConfig, brain: &Brain, updates: u64, replay: &mut Replay) {
        self.level = self.level.min(config.level_to);
        self.choose(config, brain, updates);
        for i in 0..self.cubes.len() {
            self.turn(config, i, replay);
        }
        self.acts += 1;
        if self.tried >= u64::from(config.level_window) {
            let share = self.solved as f64 / self.tried as f64;
            if share >= config.level_up && self.level < config.level_to {
                self.level += 1;
            }
            (self.tried, self.solved) = (0, 0);
        }
    }

    /// Chooses a turn for every cube: the best one, or now and then any.
    fn choose(&mut self, config: &CubeConfig, brain: &Brain, updates: u64) {
        let done = (updates as f64 / f64::from(config.explore_updates)).min(1.0);
        let explore = (config.explore_from + (config.explore_to - config.explore_from) * done) as f32;
        let (choices, acts, count) = (self.choices, self.acts, brain.outputs());
        let work = self.cubes.par_chunks(ROWS).zip(self.chosen.par_chunks_mut(ROWS)).zip(&mut self.lanes);
        work.with_max_len(1).enumerate().for_each(|(chunk, ((cubes, chosen), lane))| {
            let said = brain.say(cubes.iter().map(|cube| cube.state), lane).chunks_exact(count);
            for (i, (chosen, q)) in chosen.iter_mut().zip(said).enumerate() {
                let [try_any, which, ..] = choices.uniform4(acts, (chunk * ROWS + i) as u64);
                let any = ((which * count as f32) as usize).min(count - 1) as Turn;
                *chosen = if try_any < explore { any } else { best_of(q, |_| true) };
            }
        });
    }

    /// Turns cube `i` as was chosen.
    fn turn(&mut self, config: &CubeConfig, i: usize, replay: &mut Replay) {
        let (turn, n) = (self.chosen[i], self.n_step);
        let cube = &mut self.cubes[i];
        let recent = &mut self.recent[i * n..][..n];
        let gamma = config.gamma as f32;
        let before = cube.state;
        cube.state = turns().after(before, turn);
        cube.steps += 1;
        let solved = cube.state == SOLVED;
        let over = solved || cube.steps >= cube.start.length + config.patience;
        let reward = f32::from(u8::from(solved)) - config.turn_cost as f32;

        let mut held = cube.held as usize;
        recent[held] = Recent { state: before, turn, reward: 0.0, discount: 1.0 };
        held += 1;
        for step in &mut recent[..held] {
            step.reward += step.discount * reward;
            step.discount *= gamma;
        }
        let out = if over { held } else { usize::from(held == n) };
        for step in &recent[..out] {
            let discount = if solved { 0.0 } else { step.discount };
            let Recent { state, turn, reward, .. } = *step;
            replay.push(Step { state, turn, reward, next: cube.state, discount });
        }
        recent.copy_within(out..held, 0);
        cube.held = (held - out) as u32;
        if over {
            self.ended += 1;
            self.won += u64::from(solved);
            let Cube { start, again, .. } = *cube;
            // Those tried again are harder than others, and would hold the level back.
            if start.length == self.level && !again {
                self.tried += 1;
                self.solved += u64::from(solved);
            }
            if !solved && config.retry > 0.0 {
                self.give_up(start);
            }
            self.scramble(config, i);
        }
    }

    /// How it goes.
    pub fn metrics(&self, out: &mut Row) {
        out.set("level", f64::from(self.level));
        out.set("episodes", self.episodes() as f64);
        out.set("won", 100.0 * self.won as f64 / self.ended as f64);
    }

    /// What is needed to go on.
    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = Tensors::new();
        let columns =
            |c: &Cube| [c.state, c.start.state, c.start.length, u32::from(c.again), c.steps, c.held];
        let cubes: Vec<u32> = self.cubes.iter().flat_map(columns).collect();
        tensors.insert("cubes", &[self.cubes.len(), 6], &cubes);
        let failures: Vec<u32> = self.failures.iter().flat_map(|start| [start.state, start.length]).collect();
        tensors.insert("failures", &[failures.len()], &failures);
        let recent: Vec<u32> = self.recent.iter().flat_map(|r| [r.state, u32::from(r.turn)]).collect();
        tensors.insert("recent", &[self.recent.len(), 2], &recent);
        let returns: Vec<f32> = self.recent.iter().flat_map(|r| [r.reward, r.discount]).collect();
        tensors.insert("returns", &[self.recent.len(), 2], &returns);
        let counters = [u64::from(self.level), self.tried, self.solved, self.acts, self.episodes];
        tensors.insert("counters", &[5], &counters);
        tensors
    }

    /// Goes on from what [`Acting::to_tensors`] gave.
    pub fn restore(&mut self, config: &CubeConfig, tensors: &Tensors) -> Result<(), LabError> {
        let cubes: Vec<u32> = tensors.get("cubes", &[self.cubes.len(), 6])?;
        let failures: Vec<u32> = tensors.get_vec("failures")?;
        let recent: Vec<u32> = tensors.get("recent", &[self.recent.len(), 2])?;
        let returns: Vec<f32> = tensors.get("returns", &[self.recent.len(), 2])?;
        let counters: Vec<u64> = tensors.get("counters", &[5])?;
        let turns = config.metric.rules().turns().min(TURNS) as u32;
        let is_state = |state: u32| (state as usize) < STATES;
        let begins = |state, length| is_state(state) && length <= MOST_TURNS;
        let fits = cubes
            .chunks_exact(6)
            .all(|c| is_state(c[0]) && begins(c[1], c[2]) && c[3] <= 1 && (c[5] as usize) < self.n_step)
            && failures.len().is_multiple_of(2)
            && failures.len() <= 2 * FAILURES
            && failures.chunks_exact(2).all(|f| begins(f[0], f[1]))
            && recent.chunks_exact(2).all(|r| is_state(r[0]) && r[1] < turns)
            && (1..=u64::from(MOST_TURNS)).contains(&counters[0])
            && counters[4] >= self.cubes.len() as u64;
        if !fits {
            return Err(LabError::Checkpoint("its cubes do not hold together".into()));
        }
        let start = |state, length| Scramble { state, length };
        for (cube, c) in self.cubes.iter_mut().zip(cubes.chunks_exact(6)) {
            let [state, from, length, again, steps, held] = [0, 1, 2, 3, 4, 5].map(|i| c[i]);
            *cube = Cube { state, start: start(from, length), again: again == 1, steps, held };
        }
        self.failures.clear();
        self.failures.extend(failures.chunks_exact(2).map(|f| start(f[0], f[1])));
        let pairs = recent.chunks_exact(2).zip(returns.chunks_exact(2));
        for (step, (r, f)) in self.recent.iter_mut().zip(pairs) {
            *step = Recent { state: r[0], turn: r[1] as Turn, reward: f[0], discount: f[1] };
        }
        self.level = counters[0] as u32;
        [self.tried, self.solved, self.acts, self.episodes] =
            [counters[1], counters[2], counters[3], counters[4]];
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn acting(retry: f64) -> (CubeConfig, Brain, Acting, Replay) {
        let config = CubeConfig {
            learner: crate::Learner::Dqn,
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
        let brain = Brain::new(&config, Stream::new(3, purpose::NETWORK));
        let acting = Acting::new(&config, 3, &brain);
        let replay = Replay::new(config.replay as usize);
        (config, brain, acting, replay)
    }

    /// What is tried again was given up before, and that as often as was asked for.
    #[test]
    fn what_was_given_up_comes_again() {
        for retry in [0.0, 0.5] {
            let (config, brain, mut acting, mut replay) = acting(retry);
            let (mut again, mut fresh) = (0, 0);
            for _ in 0..300 {
                let before: Vec<Scramble> = acting.failures.clone();
                let playing: Vec<Scramble> = acting.cubes.iter().map(|cube| cube.start).collect();
                acting.step(&config, &brain, 0, &mut replay);
                let known: BTreeSet<State> =
                    before.iter().chain(&playing).map(|scramble| scramble.state).collect();
                for cube in acting.cubes.iter().filter(|cube| cube.steps == 0) {
                    assert_eq!(cube.state, cube.start.state);
                    assert!(!cube.again || known.contains(&cube.start.state));
                    if cube.again { again += 1 } else { fresh += 1 }
                }
                assert!(acting.failures.len() <= FAILURES);
            }
            let share = f64::from(again) / f64::from(again + fresh);
            assert!((share - retry).abs() < 0.05, "{share} of {retry}");
            assert_eq!(retry == 0.0, acting.failures.is_empty());
        }
    }

    /// More than there is room for push others out.
    #[test]
    fn room_for_failures_is_limited() {
        let (.., mut acting, _) = acting(0.5);
        for state in 0..2 * FAILURES as State {
            acting.episodes += 1;
            acting.give_up(Scramble { state, length: 5 });
        }
        assert_eq!(acting.failures.len(), FAILURES);
        assert!(acting.failures.iter().all(|scramble| scramble.state >= FAILURES as State));
    }

    /// Failures outlive a break, and damaged ones are refused.
    #[test]
    fn failures_are_kept() {
        let (config, brain, mut before, mut replay) = acting(0.5);
        (0..50).for_each(|_| before.step(&config, &brain, 0, &mut replay));
        assert!(!before.failures.is_empty() && before.cubes.iter().any(|cube| cube.again));
        let mut tensors = before.to_tensors();
        let (.., mut after, _) = acting(0.5);
        after.restore(&config, &tensors).expect("it is our own");
        assert_eq!((&after.cubes, &after.failures), (&before.cubes, &before.failures));
        for damaged in [vec![1], vec![STATES as u32, 5], vec![1, MOST_TURNS + 1]] {
            tensors.insert("failures", &[damaged.len()], &damaged);
            assert!(after.restore(&config, &tensors).is_err());
        }
    }
}
