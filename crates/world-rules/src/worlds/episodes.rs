//! Episodes that are begun, taken back or continued from outside: autoreset modes, checkpoints.

use super::{Ends, Worlds};
use crate::code::LANES;

impl Worlds {
    /// Makes world `i` the world with this index, at the start of this episode.
    pub fn start_episode(&mut self, i: usize, index: u64, episode: u32) {
        assert!(i < self.count, "there is no world {i}");
        let (counters, lane) = (&mut self.counters[i / LANES], i % LANES);
        (counters.index[0][lane], counters.index[1][lane]) = (index as u32, (index >> 32) as u32);
        counters.episode[lane] = episode;
        self.begin(&[i as u32]);
    }

    /// Sets these worlds, which are in ascending order, back to the start of their episodes, in which each
    /// has taken one step. If that step ended an episode, it is taken off [`Self::ended`].
    pub fn undo_first_step(&mut self, worlds: &[u32]) {
        let (states, observations) = (self.states(), self.sources.len());
        let mut kept = 0;
        for k in 0..self.ended.len() {
            let i = self.ended[k];
            if worlds.binary_search(&i).is_ok() {
                let (line, lane) = (i as usize / LANES, i as usize % LANES);
                let episode = &mut self.counters[line].episode[lane];
                *episode = episode.wrapping_sub(1);
                self.ends[line].clear(lane);
                continue;
            }
            (self.ended[kept], self.lengths[kept]) = (i, self.lengths[k]);
            self.final_states.copy_within(k * states..(k + 1) * states, kept * states);
            self.final_observations
                .copy_within(k * observations..(k + 1) * observations, kept * observations);
            if !self.fault_actions.is_empty() {
                self.fault_actions.swap(kept, k);
            }
            kept += 1;
        }
        self.ended.truncate(kept);
        self.lengths.truncate(kept);
        self.begin(worlds);
    }

    /// Continues as if the episodes of these worlds, which are in ascending order, had ended in the last step
    /// in these states: with the ends that were saved with the worlds. Why they ended is not known any more.
    ///
    /// Shapes: `states [worlds, numbers of the state]`.
    pub fn restore_ended(&mut self, worlds: &[u32], states: &[f32]) {
        self.ends.fill(Ends::default());
        self.clear_ended();
        self.ended.extend_from_slice(worlds);
        self.lengths.resize(worlds.len(), 0);
        self.final_states.extend_from_slice(states);
        for state in states.chunks_exact(self.states()) {
            self.final_observations.extend(self.world.look(&self.parameters, state).observation);
        }
    }

    /// Sets the state of world `i`, the number of steps in its episode and the number of its episodes, for
    /// example from a checkpoint. Returns false and changes nothing if no running episode can be in this
    /// state.
    pub fn restore(&mut self, i: usize, state: &[f32], steps: u32, episodes: u32) -> bool {
        let is_possible = i < self.count && self.allows(state, steps);
        if is_possible {
            self.resume(i, state, steps, episodes);
        }
        is_possible
    }

    /// [`Self::restore`] of a state that a running episode was in, perhaps with other parameters.
    pub fn resume(&mut self, i: usize, state: &[f32], steps: u32, episodes: u32) {
        assert!(i < self.count && state.len() == self.states(), "there is no world {i} with such a state");
        self.put(i, state, &self.world.look(&self.parameters, state).observation);
        self.set_counters(i, steps, episodes);
        self.broken[i / LANES] &= !(1 << (i % LANES));
    }

    /// Whether a running episode can be in this state after this number of steps.
    pub fn allows(&self, state: &[f32], steps: u32) -> bool {
        let is_too_late = self.world.spec().limit.is_some_and(|limit| steps >= limit);
        if state.len() != self.states() || is_too_late {
            return false;
        }
        // An episode may begin in a state that would have ended it.
        if steps == 0 {
            return self.world.observe(&self.parameters, state).is_some();
        }
        let looked = self.world.look(&self.parameters, state);
        looked.fault.is_none() && !looked.failed && !looked.succeeded
    }

    /// Whether the present episode of world `i` began with a fault, so that its first step fails.
    pub fn is_broken(&self, i: usize) -> bool {
        self.broken[i / LANES] >> (i % LANES) & 1 == 1
    }

    /// Restores world `i` after the beginning of an episode with a fault, see [`Self::is_broken`]. Returns
    /// false if there is no such world.
    pub fn restore_broken(&mut self, i: usize, episodes: u32) -> bool {
        if i >= self.count {
            return false;
        }
        let (state, observation) = (vec![0.0; self.states()], vec![0.0; self.sources.len()]);
        self.put(i, &state, &observation);
        self.set_counters(i, 0, episodes);
        self.broken[i / LANES] |= 1 << (i % LANES);
        true
    }

    fn set_counters(&mut self, i: usize, steps: u32, episodes: u32) {
        let counters = &mut self.counters[i / LANES];
        counters.begun[i % LANES] = self.now.wrapping_sub(steps);
        counters.episode[i % LANES] = episodes;
    }
}
