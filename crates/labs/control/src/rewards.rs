//! Running normalisation of rewards: they are divided by the standard deviation of the discounted return, so
//! that the critic learns numbers of about one whatever the unit of a world's rewards (as the wrapper
//! `NormalizeReward` of Gymnasium and `VecNormalize` of Stable-Baselines3 do). Rewards are not shifted,
//! because that would change which behaviour is best where episodes end.
//!
//! The worlds of the lab have a setting for the scale of rewards instead.

use learnery_nn::{TensorError, Tensors};

use crate::normaliser::{Normaliser, ObservationSums};

/// Normalised rewards are clamped to plus or minus this. Only a rare reward exceeds it, when it first occurs.
const MAX_REWARD: f32 = 10.0;

/// Mean and deviation of the discounted returns of all steps so far.
#[derive(Clone)]
pub struct RewardNormaliser {
    returns: Normaliser,
}

/// The discounted returns of a chunk of worlds.
pub struct DiscountedReturns {
    /// For each world the discounted sum of the rewards of its episode so far: in each step `gamma` times the
    /// number before, plus the reward; 0 at the beginning of an episode.
    /// Shape: `[worlds]`.
    pub running: Vec<f32>,
    /// Sums over this rollout.
    pub sums: ObservationSums,
}

impl RewardNormaliser {
    pub fn new() -> Self {
        Self { returns: Normaliser::new(1, true) }
    }

    /// Takes in the returns of a rollout.
    pub fn absorb(&mut self, sums: &ObservationSums) {
        self.returns.absorb(sums);
    }

    /// How much reward, in the world's own unit, a critic's value of 1 stands for.
    #[cfg(feature = "own-worlds")]
    pub fn unit(&self) -> f32 {
        1.0 / self.returns.scale()
    }

    /// Number, mean and sum of squared deviations of the returns so far.
    #[cfg(feature = "gpu")]
    pub fn statistics(&self) -> [f32; 3] {
        self.returns.statistics().map(|x| x as f32)
    }

    /// Divides rewards by the deviation of returns.
    pub fn apply(&self, rewards: &mut [f32]) {
        let scale = self.returns.scale();
        rewards.iter_mut().for_each(|reward| *reward = (*reward * scale).clamp(-MAX_REWARD, MAX_REWARD));
    }

    pub fn to_tensors(&self) -> Tensors {
        self.returns.to_tensors()
    }

    pub fn restore(&mut self, tensors: &Tensors) -> Result<(), TensorError> {
        self.returns.restore(tensors)
    }
}

impl DiscountedReturns {
    pub fn new(worlds: usize) -> Self {
        Self { running: vec![0.0; worlds], sums: ObservationSums::new(1) }
    }

    /// Counts a step of all worlds. `ended` has the indices of the worlds whose episode ended in it.
    pub fn step(&mut self, rewards: &[f32], gamma: f32, ended: &[u32]) {
        for (running, reward) in self.running.iter_mut().zip(rewards) {
            *running = gamma * *running + reward;
        }
        self.sums.add(&self.running);
        for i in ended {
            self.running[*i as usize] = 0.0;
        }
    }
}
