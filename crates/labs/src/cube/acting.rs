//! Many cubes being solved side by side, for DQN to learn from: who turns them, what is remembered of it, and when the
//! scrambles grow longer.

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

/// One cube.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Cube {
    state: State,
    /// Turns of its scramble.
    scrambled: u32,
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

    /// Puts a new scramble in place of cube `i`.
    fn scramble(&mut self, config: &CubeConfig, i: usize) {
        let episode = self.episodes;
        self.episodes += 1;
        let [rehearse, length, ..] = self.scrambles.uniform4(episode, 0);
        let shorter = rehearse < config.rehearse as f32 && self.level > 1;
        let length = if shorter { 1 + (length * (self.level - 1) as f32) as u32 } else { self.level };
        let (state, _) = scramble(turns(), self.scrambles, episode, length, config.metric.rules());
        self.cubes[i] = Cube { state, scrambled: length, steps: 0, held: 0 };
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
        let over = solved || cube.steps >= cube.scrambled + config.patience;
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
            if cube.scrambled == self.level {
                self.tried += 1;
                self.solved += u64::from(solved);
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
        let cubes: Vec<u32> =
            self.cubes.iter().flat_map(|c| [c.state, c.scrambled, c.steps, c.held]).collect();
        tensors.insert("cubes", &[self.cubes.len(), 4], &cubes);
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
        let cubes: Vec<u32> = tensors.get("cubes", &[self.cubes.len(), 4])?;
        let recent: Vec<u32> = tensors.get("recent", &[self.recent.len(), 2])?;
        let returns: Vec<f32> = tensors.get("returns", &[self.recent.len(), 2])?;
        let counters: Vec<u64> = tensors.get("counters", &[5])?;
        let turns = config.metric.rules().turns().min(TURNS) as u32;
        let fits = cubes.chunks_exact(4).all(|c| (c[0] as usize) < STATES && (c[3] as usize) < self.n_step)
            && recent.chunks_exact(2).all(|r| (r[0] as usize) < STATES && r[1] < turns)
            && (1..=30).contains(&counters[0])
            && counters[4] >= self.cubes.len() as u64;
        if !fits {
            return Err(LabError::Checkpoint("its cubes do not hold together".into()));
        }
        for (cube, c) in self.cubes.iter_mut().zip(cubes.chunks_exact(4)) {
            *cube = Cube { state: c[0], scrambled: c[1], steps: c[2], held: c[3] };
        }
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
