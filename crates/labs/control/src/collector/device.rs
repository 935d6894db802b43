//! What a run on a GPU asks of the collector: its worlds on their way to the device and back, and its clock.

use crate::gpu::ppo::{BROKEN, Worlds};
use crate::gpu::{has_text, push_states};
use crate::network::Network;
use crate::normaliser::ObservationSums;
use crate::rewards::RewardNormaliser;

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
    pub fn worlds_for_device(&self, network: &Network) -> Worlds {
        let mut worlds = Worlds::default();
        for chunk in &self.chunks {
            let n = chunk.rollout.worlds;
            let broken = push_states(&*chunk.worlds, network.task(), &mut worlds.states);
            let steps = |i| if broken[i] { BROKEN } else { chunk.worlds.steps(i) };
            worlds.steps.extend((0..n).map(steps));
            worlds.episodes.extend((0..n).map(|i| chunk.worlds.episodes(i)));
            worlds.returns.extend_from_slice(&chunk.episode_returns);
            worlds.discounted.extend(chunk.discounted.iter().flat_map(|discounted| &discounted.running));
        }
        worlds
    }

    /// Count, mean and sum of squared deviations from the mean of all discounted returns so far; zeros where
    /// rewards are not normalised by them.
    pub fn discounted_for_device(&self) -> [f32; 3] {
        self.reward_normaliser.as_ref().map_or([0.0; 3], RewardNormaliser::statistics)
    }

    /// Takes in the discounted returns of a rollout on the device: their mean, and the sum of squared
    /// deviations from it.
    pub fn absorb_discounted(&mut self, [mean, squares]: [f32; 2]) {
        let (count, mean) = (self.len() as f64, f64::from(mean));
        if let Some(normaliser) = &mut self.reward_normaliser {
            // The normaliser takes sums and sums of squares.
            let squares = f64::from(squares) + count * mean * mean;
            normaliser.absorb(&ObservationSums::from_parts(count, vec![count * mean], vec![squares]));
        }
    }

    /// Takes over the first worlds from the device. Returns false if no running episode can be in one of the
    /// states.
    ///
    /// The end of an episode in a world of the user's own may depend on a rounding, so the CPU may find that
    /// one has ended that goes on on the device. Such an episode fails in its next step.
    #[must_use]
    pub fn put_worlds(&mut self, network: &Network, worlds: &Worlds) -> bool {
        let has_text = has_text(network.task());
        let floats = worlds.states.len() / worlds.steps.len().max(1);
        // A state of NaN stands for an episode that fails in its next step, see `OwnWorlds`.
        let failing = vec![f32::NAN; self.state_width];
        for chunk in &mut self.chunks {
            let first = chunk.first as usize;
            for i in 0..chunk.rollout.worlds.min(worlds.steps.len().saturating_sub(first)) {
                let world = first + i;
                let state = &worlds.states[world * floats..][..self.state_width];
                let (steps, episodes) = (worlds.steps[world], worlds.episodes[world]);
                let is_broken = has_text && steps == BROKEN;
                let is_restored = (!is_broken && chunk.worlds.restore(i, state, steps, episodes))
                    || (has_text && chunk.worlds.restore(i, &failing, 0, episodes));
                if !is_restored {
                    return false;
                }
                chunk.episode_returns[i] = worlds.returns[world];
                if let Some(discounted) = &mut chunk.discounted {
                    discounted.running[i] = worlds.discounted[world];
                }
            }
        }
        true
    }
}
