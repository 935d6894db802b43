//! Worlds of the user's own in training (`crate::own`): a run goes on when their rules, or parameters of the
//! rules, change.

use std::sync::Arc;

use super::Collector;
use crate::own::{OwnWorld, OwnWorlds};

impl Collector {
    /// Takes over clock, episodes (with their returns so far) and the normaliser of rewards from `before`,
    /// the collector of the rules or parameters until now. With `has_states`, both have the same state
    /// variables: an episode goes on if the new rules allow its state, and otherwise that world begins its
    /// next one. Without it, all begin their next ones. Both collectors have the same chunks, and this one
    /// has taken no step.
    pub fn go_on(&mut self, before: &Self, own: &Arc<OwnWorld>, has_states: bool) {
        self.clock = before.clock;
        self.reward_normaliser.clone_from(&before.reward_normaliser);
        let starts = self.starts;
        for (chunk, old) in self.chunks.iter_mut().zip(&before.chunks) {
            let n = chunk.rollout.worlds;
            let mut worlds = OwnWorlds::new(own.clone(), chunk.first..chunk.first + n as u64, starts);
            for i in 0..n {
                if worlds.adopt(i, &*old.worlds, has_states) {
                    chunk.episode_returns[i] = old.episode_returns[i];
                    if let (Some(to), Some(from)) = (&mut chunk.discounted, &old.discounted) {
                        to.running[i] = from.running[i];
                    }
                }
            }
            chunk.worlds = Box::new(worlds);
        }
    }
}
