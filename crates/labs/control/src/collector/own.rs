//! The training worlds of a run whose text or parameters change.

use std::sync::Arc;

use super::Collector;
use crate::own::{OwnWorld, OwnWorlds};

impl Collector {
    /// Takes over clock, episodes and the normaliser of rewards from `before`, the collector of another text
    /// or of other parameters. With `has_states`, both texts have the same state variables, and episodes go
    /// on where the new rules allow it; elsewhere the next ones begin. Both collectors have the same number
    /// of worlds, and this one has taken no step.
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
