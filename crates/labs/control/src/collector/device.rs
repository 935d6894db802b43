//! What a run on a GPU asks of the collector: its worlds on their way to the device and back, and its clock.

use crate::gpu::ppo::Worlds;

use super::Collector;

impl Collector {
    /// Steps taken in each world since the run began.
    pub fn clock(&self) -> u64 {
        self.clock
    }

    /// Counts a rollout that the device collected.
    pub fn count_rollout(&mut self) {
        self.clock += self.horizon as u64;
    }

    /// The worlds as the device takes them.
    pub fn worlds_for_device(&self) -> Worlds {
        let mut worlds = Worlds::default();
        for (chunk, i) in self.each_world() {
            let mut state = [0.0; 4];
            chunk.worlds.state(i, &mut state[..self.state_width]);
            worlds.states.push(state);
            worlds.steps.push(chunk.worlds.steps(i));
            worlds.episodes.push(chunk.worlds.episodes(i));
            worlds.returns.push(chunk.episode_returns[i]);
        }
        worlds
    }

    /// Takes over the first worlds from the device. Returns false if no running episode can be in one of the
    /// states.
    #[must_use]
    pub fn put_worlds(&mut self, worlds: &Worlds) -> bool {
        for chunk in &mut self.chunks {
            let first = chunk.first as usize;
            for i in 0..chunk.rollout.worlds.min(worlds.states.len().saturating_sub(first)) {
                let world = first + i;
                let state = &worlds.states[world][..self.state_width];
                if !chunk.worlds.restore(i, state, worlds.steps[world], worlds.episodes[world]) {
                    return false;
                }
                chunk.episode_returns[i] = worlds.returns[world];
            }
        }
        true
    }
}
