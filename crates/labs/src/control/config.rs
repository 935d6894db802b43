//! The dials of the control lab.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Settings of PPO (Schulman et al., 2017) and of its judge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ControlConfig {
    /// Worlds that run side by side.
    #[schemars(range(min = 1, max = 65536), extend("x-unit" = "worlds", "x-log" = true))]
    pub worlds: u32,
    /// Steps taken in every world before the networks are updated.
    #[schemars(range(min = 1, max = 4096), extend("x-unit" = "steps", "x-log" = true))]
    pub horizon: u32,
    /// How often each collected step is learned from.
    #[schemars(range(min = 1, max = 50), extend("x-live" = true))]
    pub epochs: u32,
    /// Into how many parts the collected steps are split in each epoch.
    #[schemars(range(min = 1, max = 256), extend("x-live" = true, "x-log" = true))]
    pub minibatches: u32,
    /// How far each update moves the weights (Adam).
    #[schemars(range(min = 0.0, max = 0.1), extend("x-live" = true, "x-log" = true))]
    pub learning_rate: f64,
    /// How much a reward counts for each step it lies in the future.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub gamma: f64,
    /// Between trusting the critic (0) and trusting what happened (1) when judging an action.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub gae_lambda: f64,
    /// How far an action's probability may move, as a ratio, before an update stops pushing it.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub clip: f64,
    /// Reward for keeping an open mind: weight of the policy's entropy.
    #[schemars(range(min = 0.0, max = 0.5), extend("x-live" = true))]
    pub entropy_weight: f64,
    /// Weight of the critic's error.
    #[schemars(range(min = 0.0, max = 10.0), extend("x-live" = true))]
    pub value_weight: f64,
    /// Longest gradient allowed; longer ones are shortened to this.
    #[schemars(range(min = 0.001, max = 1000.0), extend("x-live" = true, "x-log" = true))]
    pub max_grad_norm: f64,
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
            worlds: 128,
            horizon: 32,
            epochs: 10,
            minibatches: 8,
            learning_rate: 1e-3,
            gamma: 0.99,
            gae_lambda: 0.95,
            clip: 0.2,
            entropy_weight: 0.0,
            value_weight: 0.5,
            max_grad_norm: 0.5,
            eval_every: 1,
            eval_episodes: 100,
        }
    }
}
