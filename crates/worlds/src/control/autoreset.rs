//! Worlds behind the interface of Gymnasium's vector environments: the results of a step lie in plain arrays,
//! and an [`Autoreset`] mode says what becomes of a world whose episode has ended.
//!
//! [`AnyWorlds::step`] resets such a world at once. So in the other modes too its next episode exists
//! already, but the caller is shown the end of the last one until the mode lets the next one begin. Meanwhile
//! the world is *waiting*.

use super::kind::AnyWorlds;
use super::rules::Rules;
use super::worlds::{Outcome, Worlds};

/// When a world whose episode has ended starts the next one: Gymnasium's `AutoresetMode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Autoreset {
    /// In the next step, which ignores the world's action and has the reward 0.
    NextStep,
    /// In the same step: the observation returned is that of the new episode.
    SameStep,
    /// When the caller resets it; until then no world may be stepped.
    Disabled,
}

/// Where a step writes its results. Every number is written in every step.
pub struct StepResults<'a> {
    /// Shape: `[worlds, observation]`; of the other arrays `[worlds]`.
    pub observations: &'a mut [f32],
    pub rewards: &'a mut [f32],
    pub terminated: &'a mut [bool],
    pub truncated: &'a mut [bool],
}

/// What an autoreset mode needs of a batch of worlds. These methods are not in [`AnyWorlds`], because the
/// methods of a trait object are compiled into the page's bundle even if nothing calls them.
pub trait RestartableWorlds: AnyWorlds {
    /// Puts the world whose random numbers have the index `world` in place of world `i`, at the start of this
    /// episode.
    fn start_episode(&mut self, i: usize, world: u64, episode: u32);
    /// Sets these worlds, which are in ascending order, back to the start of their episodes, in which each
    /// has taken one step. If that step ended an episode, its world is taken off [`AnyWorlds::ended`].
    fn undo_first_step(&mut self, worlds: &[u32]);
    /// Marks these worlds, which are in ascending order, as the ones whose episode ended in the last step,
    /// with these final states. Shape: `states [worlds, state]`.
    fn restore_ended(&mut self, worlds: &[u32], states: &[f32]);
    /// The index of world `i`, which selects its random numbers.
    fn index(&self, i: usize) -> u64;
    /// The last state of the episode that world `ended()[k]` finished in the last step.
    fn final_state(&self, k: usize, out: &mut [f32]);
    /// Whether a running episode can be in this state after this number of steps.
    fn allows(&self, state: &[f32], steps: u32) -> bool;
    /// What the rules say about the end of the episode that world `ended()[k]` finished in the last step.
    fn verdict(&self, _k: usize) -> Verdict {
        Verdict::default()
    }
}

/// What rules say about the end of an episode. The built-in worlds say nothing; a world that a user has
/// described (`learnery_world_rules`) does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the episode ended as a success; `None` if the rules do not tell successes from failures.
    pub is_success: Option<bool>,
    /// What went wrong in the rules and where, such as a division by zero; `None` if nothing did.
    pub fault: Option<String>,
}

impl<R: Rules<N>, const N: usize> RestartableWorlds for Worlds<R, N> {
    fn start_episode(&mut self, i: usize, world: u64, episode: u32) {
        Self::start_episode(self, i, world, episode);
    }
    fn undo_first_step(&mut self, worlds: &[u32]) {
        Self::undo_first_step(self, worlds);
    }
    fn restore_ended(&mut self, worlds: &[u32], states: &[f32]) {
        Self::restore_ended(self, worlds, states);
    }
    fn index(&self, i: usize) -> u64 {
        Self::index(self, i)
    }
    fn final_state(&self, k: usize, out: &mut [f32]) {
        out.copy_from_slice(&self.final_fields()[k][..R::SPEC.state_size]);
    }
    fn allows(&self, state: &[f32], steps: u32) -> bool {
        Self::allows(self, state, steps)
    }
}

/// What is needed to continue a world with the same bits.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedWorld {
    /// The index of the world, which selects its random numbers.
    pub index: u64,
    /// The number of its present episode.
    pub episode: u32,
    /// The number of steps in that episode.
    pub steps: u32,
    /// Whether the world waits. Then its next episode is the present one, and `state` the last one of the
    /// episode before.
    pub waits: bool,
    pub state: Vec<f32>,
}

/// A batch of worlds of one kind with an autoreset mode.
pub struct VectorWorlds {
    worlds: Box<dyn RestartableWorlds>,
    observation_size: usize,
    autoreset: Autoreset,
    /// The worlds whose last episode has ended and whose next one has not begun for the caller, ascending.
    /// All of them ended in the last step.
    waiting: Vec<u32>,
}

impl VectorWorlds {
    /// Gives an autoreset mode to worlds that have made no step. All of them should have the same stream of
    /// random numbers, so that a caller's seed can be the index of a world.
    pub fn new(worlds: Box<dyn RestartableWorlds>, observation_size: usize, autoreset: Autoreset) -> Self {
        Self { worlds, observation_size, autoreset, waiting: Vec::new() }
    }

    pub fn count(&self) -> usize {
        self.worlds.count()
    }

    /// The worlds whose last episode has ended and whose next one has not begun for the caller, ascending.
    pub fn waiting(&self) -> &[u32] {
        &self.waiting
    }

    /// Starts the first episode of the world with the index `world` in place of world `i`, or without one the
    /// next episode of the same world.
    pub fn reset(&mut self, i: usize, world: Option<u64>) {
        let was_waiting = self.stop_waiting(i);
        match world {
            Some(world) => self.worlds.start_episode(i, world, 0),
            // The next episode of a waiting world exists already.
            None if was_waiting => {}
            None => {
                self.worlds.start_episode(i, self.worlds.index(i), self.worlds.episodes(i).wrapping_add(1));
            }
        }
    }

    /// Steps every world. Panics in the mode `Disabled` if a world waits for its reset.
    pub fn step(&mut self, actions: &[f32], results: &mut StepResults) {
        let Self { worlds, waiting, .. } = self;
        assert!(self.autoreset != Autoreset::Disabled || waiting.is_empty(), "a world waits for its reset");
        worlds.step(actions);
        // The episode of a waiting world begins with this step, which must not change its initial state.
        worlds.undo_first_step(waiting);
        worlds.observe(results.observations);
        results.rewards.copy_from_slice(worlds.rewards());
        results.terminated.fill(false);
        results.truncated.fill(false);
        for i in waiting.drain(..) {
            results.rewards[i as usize] = 0.0;
        }
        for &i in worlds.ended() {
            match worlds.outcome(i as usize) {
                Outcome::Terminated => results.terminated[i as usize] = true,
                Outcome::Truncated => results.truncated[i as usize] = true,
                // The list holds ended episodes only.
                Outcome::Running => {}
            }
        }
        if self.autoreset != Autoreset::SameStep {
            self.waiting.extend_from_slice(self.worlds.ended());
            self.show_ends(results.observations);
        }
    }

    /// Writes the current observation of each world.
    ///
    /// Shapes: `out [worlds, observation]`.
    pub fn observe(&self, out: &mut [f32]) {
        self.worlds.observe(out);
        self.show_ends(out);
    }

    /// The worlds whose episode ended in the last step, ascending.
    pub fn ended(&self) -> &[u32] {
        self.worlds.ended()
    }

    /// The last observation of the episode that world `ended()[k]` finished in the last step.
    pub fn final_observation(&self, k: usize, out: &mut [f32]) {
        self.worlds.final_observation(k, out);
    }

    /// What the rules say about the end of that episode.
    pub fn verdict(&self, k: usize) -> Verdict {
        self.worlds.verdict(k)
    }

    /// Writes the state that the observation of world `i` shows.
    pub fn state(&self, i: usize, out: &mut [f32]) {
        match self.waiting.binary_search(&(i as u32)) {
            Ok(_) => {
                let k = self.worlds.ended().partition_point(|ended| (*ended as usize) < i);
                self.worlds.final_state(k, out);
            }
            Err(_) => self.worlds.state(i, out),
        }
    }

    /// The number of steps in the episode of world `i`; 0 if the world waits for the next one.
    pub fn steps(&self, i: usize) -> u32 {
        self.worlds.steps(i)
    }

    /// Whether a running episode can be in this state after this number of steps.
    pub fn allows(&self, state: &[f32], steps: u32) -> bool {
        self.worlds.allows(state, steps)
    }

    /// Continues the episode of world `i` in this state, after this number of steps. Returns false and
    /// changes nothing if no running episode can be there.
    pub fn set_state(&mut self, i: usize, state: &[f32], steps: u32) -> bool {
        let is_valid = self.worlds.restore(i, state, steps, self.worlds.episodes(i));
        if is_valid {
            self.stop_waiting(i);
        }
        is_valid
    }

    /// What is needed to continue world `i`, whose state has this many numbers.
    pub fn save(&self, i: usize, state_size: usize) -> SavedWorld {
        let mut state = vec![0.0; state_size];
        self.state(i, &mut state);
        SavedWorld {
            index: self.worlds.index(i),
            episode: self.worlds.episodes(i),
            steps: self.steps(i),
            waits: self.waiting.binary_search(&(i as u32)).is_ok(),
            state,
        }
    }

    /// Continues all worlds from what [`VectorWorlds::save`] returned for each. Returns false if no running
    /// episode can be in one of the states. Then worlds before it have been continued, and none waits.
    pub fn restore(&mut self, saved: &[SavedWorld]) -> bool {
        self.waiting.clear();
        let (mut ends, mut start) = (Vec::new(), Vec::new());
        for (i, world) in saved.iter().enumerate() {
            self.worlds.start_episode(i, world.index, world.episode);
            if world.waits {
                self.waiting.push(i as u32);
                ends.extend_from_slice(&world.state);
                continue;
            }
            start.resize(world.state.len(), 0.0);
            self.worlds.state(i, &mut start);
            // The start of an episode needs no check: an episode that begins with its end ends in its first
            // step.
            let is_start = world.steps == 0 && start == world.state;
            if !is_start && !self.worlds.restore(i, &world.state, world.steps, world.episode) {
                self.waiting.clear();
                return false;
            }
        }
        self.worlds.restore_ended(&self.waiting, &ends);
        true
    }

    /// Takes world `i` off the list of waiting worlds. Returns whether it was waiting.
    fn stop_waiting(&mut self, i: usize) -> bool {
        let found = self.waiting.binary_search(&(i as u32));
        if let Ok(at) = found {
            self.waiting.remove(at);
        }
        found.is_ok()
    }

    /// Overwrites the observations of waiting worlds by the last ones of their episodes.
    fn show_ends(&self, observations: &mut [f32]) {
        let size = self.observation_size;
        // Both lists are ascending, and every waiting world is in the list of ended ones.
        let mut ended = self.worlds.ended().iter().enumerate();
        for waiting in &self.waiting {
            let place = ended.find(|(_, i)| *i == waiting);
            let (k, i) = place.expect("a waiting world has ended");
            self.worlds.final_observation(k, &mut observations[*i as usize * size..][..size]);
        }
    }
}
