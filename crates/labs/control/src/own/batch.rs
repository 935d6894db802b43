//! A batch of worlds of a text, for the collector and the evaluator.

use std::ops::Range;
use std::sync::Arc;

use learnery_kernels::rng::Stream;
use learnery_world_rules::{Outcome as RulesOutcome, Worlds};
use learnery_worlds::control::{AnyWorlds, Outcome};

use super::OwnWorld;

/// A batch of worlds. The state of a world whose episode began with a fault of the rules, such as a division
/// by zero, is saved as NaN: its next step fails, whatever its state.
pub struct OwnWorlds {
    own: Arc<OwnWorld>,
    worlds: Worlds,
    /// The actions in the units of the text.
    /// Shape: `[worlds, numbers]`.
    actions: Vec<f32>,
    rewards: Vec<f32>,
}

impl OwnWorlds {
    /// The worlds with the numbers of `range`.
    pub fn new(own: Arc<OwnWorld>, range: Range<u64>, stream: Stream) -> Self {
        let worlds = Worlds::new(own.rules().clone(), own.values(), range, stream);
        let (n, numbers) = (worlds.len(), own.spec().actions.count());
        Self { own, worlds, actions: vec![0.0; n * numbers], rewards: vec![0.0; n] }
    }

    /// Continues in world `i` the episode that `others` has there: a batch of the worlds with the same
    /// numbers, perhaps of another text. `has_states` says whether both texts have the same state variables.
    /// If the episode cannot continue, the next one begins. Returns whether it continued.
    pub fn adopt(&mut self, i: usize, others: &dyn AnyWorlds, has_states: bool) -> bool {
        if has_states {
            let mut state = vec![0.0; self.own.spec().state.len()];
            others.state(i, &mut state);
            // An episode that began with a fault begins anew: the new text may have none.
            let is_broken = state.iter().all(|x| x.is_nan());
            if !is_broken && self.restore(i, &state, others.steps(i), others.episodes(i)) {
                return true;
            }
        }
        self.worlds.start_episode(i, self.worlds.index(i), others.episodes(i).wrapping_add(1));
        false
    }
}

impl AnyWorlds for OwnWorlds {
    fn reset(&mut self, first: u64, stream: Stream) {
        self.worlds.reset(first, stream);
    }

    fn count(&self) -> usize {
        self.worlds.len()
    }

    fn step(&mut self, actions: &[f32]) {
        let numbers = self.own.spec().actions.count();
        for (to, from) in self.actions.chunks_exact_mut(numbers).zip(actions.chunks_exact(numbers)) {
            for (i, (to, from)) in to.iter_mut().zip(from).enumerate() {
                *to = self.own.scaled_action(i, *from);
            }
        }
        self.worlds.step(&self.actions);
        self.worlds.rewards(&mut self.rewards);
    }

    fn observe(&self, out: &mut [f32]) {
        self.worlds.observe(out);
    }

    fn rewards(&self) -> &[f32] {
        &self.rewards
    }

    fn ended(&self) -> &[u32] {
        self.worlds.ended()
    }

    fn outcome(&self, i: usize) -> Outcome {
        match self.worlds.outcome(i) {
            RulesOutcome::Running => Outcome::Running,
            RulesOutcome::Failed | RulesOutcome::Succeeded => Outcome::Terminated,
            RulesOutcome::Truncated => Outcome::Truncated,
        }
    }

    fn succeeded(&self, i: usize) -> bool {
        self.worlds.outcome(i) == RulesOutcome::Succeeded
    }

    fn has_fault(&self, i: usize) -> bool {
        self.worlds.has_fault(i)
    }

    fn fault(&self, k: usize) -> Option<String> {
        self.worlds.fault(k).map(|fault| fault.to_string())
    }

    fn final_observation(&self, k: usize, out: &mut [f32]) {
        out.copy_from_slice(self.worlds.final_observation(k));
    }

    fn state(&self, i: usize, out: &mut [f32]) {
        if self.worlds.is_broken(i) {
            return out.fill(f32::NAN);
        }
        self.worlds.state(i, out);
    }

    fn steps(&self, i: usize) -> u32 {
        self.worlds.steps(i)
    }

    fn episodes(&self, i: usize) -> u32 {
        self.worlds.episodes(i)
    }

    fn restore(&mut self, i: usize, state: &[f32], steps: u32, episodes: u32) -> bool {
        if state.iter().all(|x| x.is_nan()) {
            return steps == 0 && self.worlds.restore_broken(i, episodes);
        }
        self.worlds.restore(i, state, steps, episodes)
    }
}
