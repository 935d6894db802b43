//! The dials of the control lab.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::world::World;

/// Settings of PPO (Schulman et al., 2017) and of its judge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ControlConfig {
    /// The world to learn: balance a pole, drive out of a valley, swing up a pendulum or two linked rods.
    pub world: World,
    /// Worlds that run side by side.
    #[schemars(range(min = 1, max = 65536), extend("x-unit" = "worlds", "x-log" = true))]
    pub worlds: u32,
    /// Steps taken in every world before the networks are updated.
    #[schemars(range(min = 1, max = 4096), extend("x-unit" = "steps", "x-log" = true))]
    pub horizon: u32,
    /// Neurons in each of the two hidden layers of either network.
    #[schemars(range(min = 4, max = 512), extend("x-unit" = "neurons", "x-log" = true))]
    pub hidden: u32,
    /// How often each collected step is learned from.
    #[schemars(range(min = 1, max = 50), extend("x-live" = true))]
    pub epochs: u32,
    /// Into how many parts the collected steps are split in each epoch.
    #[schemars(range(min = 1, max = 256), extend("x-live" = true, "x-log" = true))]
    pub minibatches: u32,
    /// How far each update moves the weights (Adam).
    #[schemars(range(min = 0.0, max = 0.1), extend("x-live" = true, "x-log" = true))]
    pub learning_rate: f64,
    /// The learning rate falls evenly to a tenth over so many iterations; 0 for never.
    #[schemars(range(min = 0, max = 100_000), extend("x-live" = true, "x-unit" = "iterations"))]
    pub anneal: u32,
    /// How much a reward counts for each step it lies in the future.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub gamma: f64,
    /// Between trusting the critic (0) and trusting what happened (1) when judging an action.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub gae_lambda: f64,
    /// How far an action's probability may move, as a ratio, before an update stops pushing it.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub clip: f64,
    /// How far the critic may move in an iteration before an update stops pushing it; 0 for any.
    #[schemars(range(min = 0.0, max = 1000.0), extend("x-live" = true))]
    pub value_clip: f64,
    /// An iteration's learning ends early once the actor has moved so far; 0 for never.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true, "x-unit" = "nats"))]
    pub target_kl: f64,
    /// Reward for keeping an open mind: weight of the policy's entropy.
    #[schemars(range(min = 0.0, max = 0.5), extend("x-live" = true))]
    pub entropy_weight: f64,
    /// Weight of the critic's error.
    #[schemars(range(min = 0.0, max = 10.0), extend("x-live" = true))]
    pub value_weight: f64,
    /// Longest gradient allowed; longer ones are shortened to this.
    #[schemars(range(min = 0.001, max = 1000.0), extend("x-live" = true, "x-log" = true))]
    pub max_grad_norm: f64,
    /// Whether advantages are brought to mean 0 and spread 1 in each minibatch.
    #[schemars(extend("x-live" = true))]
    pub normalise_advantages: bool,
    /// Whether what is seen is brought to mean 0 and spread 1, by all that was seen so far.
    pub normalise_observations: bool,
    /// Rewards are multiplied by this before they are learned from; figures show them as they are.
    #[schemars(range(min = 0.0001, max = 100.0), extend("x-live" = true, "x-log" = true))]
    pub reward_scale: f64,
    /// Weight of a reward for gaining energy that leaves the best way of acting what it is (Ng, Harada and Russell,
    /// 1999); MountainCar only.
    #[schemars(range(min = 0.0, max = 1000.0), extend("x-live" = true))]
    pub shaping: f64,
    /// How widely a motor's torque is tried out at first: the spread of the untrained policy. Pendulum only.
    #[schemars(range(min = 0.01, max = 10.0))]
    pub initial_spread: f64,
    /// A greedy examination is held every so many iterations; 0 for never.
    #[schemars(range(min = 0, max = 10000), extend("x-live" = true, "x-unit" = "iterations"))]
    pub eval_every: u32,
    /// Episodes in an examination.
    #[schemars(range(min = 1, max = 1000), extend("x-unit" = "episodes", "x-log" = true))]
    pub eval_episodes: u32,
}

impl Default for ControlConfig {
    fn default() -> Self {
        Self {
            world: World::CartPole,
            worlds: 128,
            horizon: 32,
            hidden: 64,
            epochs: 10,
            minibatches: 8,
            learning_rate: 1e-3,
            anneal: 0,
            gamma: 0.99,
            gae_lambda: 0.95,
            clip: 0.2,
            value_clip: 0.0,
            target_kl: 0.0,
            entropy_weight: 0.0,
            value_weight: 0.5,
            max_grad_norm: 0.5,
            normalise_advantages: true,
            normalise_observations: false,
            reward_scale: 1.0,
            shaping: 0.0,
            initial_spread: 1.0,
            eval_every: 1,
            eval_episodes: 100,
        }
    }
}
