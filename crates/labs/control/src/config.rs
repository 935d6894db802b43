//! Settings of the control lab. The doc comments of the fields are the help that users read.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bounds::ActionBounds;
use crate::world::World;

/// Settings of PPO (Schulman et al., 2017) and of its evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ControlConfig {
    /// The task (environment): balance a pole (cartpole), drive out of a valley (mountaincar), swing up a
    /// pendulum or two linked rods (acrobot), or what a text of your own says (own).
    #[schemars(extend("x-group" = "acting"))]
    pub world: World,
    /// Worlds (environments) in which the agent acts at the same time. Up: each iteration sees more, but
    /// takes longer. Down: iterations are quicker, but see little, and much alike.
    #[schemars(range(min = 1, max = 65536), extend("x-unit" = "worlds", "x-log" = true))]
    #[schemars(extend("x-group" = "acting", "x-main" = true))]
    pub worlds: u32,
    /// Rollout length: steps in every world between two updates of the networks. Up: better estimates of
    /// returns, but fewer updates. Down: updates come sooner, but rely more on the critic's guesses.
    #[schemars(range(min = 1, max = 4096), extend("x-unit" = "steps", "x-log" = true))]
    #[schemars(extend("x-group" = "acting"))]
    pub horizon: u32,
    /// Hidden units: neurons in each of the two hidden layers, in both networks. Up: can learn finer
    /// behaviour, but computes slower. Down: computes faster, but too few cannot do the task.
    #[schemars(extend("x-title" = "hidden units"))]
    #[schemars(range(min = 4, max = 512), extend("x-unit" = "neurons", "x-log" = true))]
    #[schemars(extend("x-group" = "network", "x-main" = true))]
    pub hidden: u32,
    /// Epochs: how often each iteration learns from all steps that it has collected. Up: learns more from the
    /// same steps, but may change too much, and the score falls. Down: changes less at a time, but learns
    /// more slowly.
    #[schemars(range(min = 1, max = MAX_EPOCHS), extend("x-live" = true))]
    #[schemars(extend("x-group" = "learning", "x-main" = true))]
    pub epochs: u32,
    /// Minibatches: parts into which each epoch splits the collected steps; each part gives one update. Up:
    /// more updates, each of them noisier. Down: fewer updates, each of them steadier.
    #[schemars(range(min = 1, max = 256), extend("x-live" = true, "x-log" = true))]
    #[schemars(extend("x-group" = "learning"))]
    pub minibatches: u32,
    /// Learning rate of Adam: how far each update moves the weights. Up: the score rises faster, but too high
    /// a rate makes it collapse. Down: it rises more slowly and steadily; at 0 nothing is learned.
    #[schemars(range(min = 0.0, max = 0.1), extend("x-live" = true, "x-log" = true))]
    #[schemars(extend("x-group" = "learning", "x-main" = true))]
    pub learning_rate: f64,
    /// Annealing: the learning rate falls linearly to a tenth over this many iterations; 0 keeps it constant.
    /// Up: large updates for longer. Down: fine updates sooner, perhaps before enough is learned.
    #[schemars(extend("x-title" = "annealing"))]
    #[schemars(range(min = 0, max = 100_000), extend("x-live" = true, "x-unit" = "iterations"))]
    #[schemars(extend("x-group" = "learning"))]
    pub anneal: u32,
    /// Discount factor: for each step that a reward comes later, what it counts is multiplied by this. Up:
    /// looks further ahead. Down: cares only for the next steps; at 0 only for the very next reward.
    #[schemars(extend("x-title" = "discount factor"))]
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "learning", "x-main" = true))]
    pub gamma: f64,
    /// Lambda of generalised advantage estimation (GAE): whether an action is judged by the rewards that
    /// followed, or by the critic. Up: more by the rewards, which vary with chance. Down: more by the critic,
    /// which is steadier, but may be wrong.
    #[schemars(extend("x-title" = "GAE lambda"))]
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "learning"))]
    pub gae_lambda: f64,
    /// PPO's clip range: once an action has become this fraction more or less likely, updates push it no
    /// further. Up: behaviour changes faster, but the score may suddenly fall. Down: behaviour changes little
    /// at a time, and the score rises more slowly.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "learning"))]
    pub clip: f64,
    /// Value clipping: once the critic's value of a state has moved this far in an iteration, updates stop
    /// pushing it; 0 for no limit. Up: the critic may change faster. Down: more cautious.
    #[schemars(range(min = 0.0, max = 1000.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "learning"))]
    pub value_clip: f64,
    /// KL limit: learning stops early in an iteration when an epoch has changed the agent's choices by more
    /// than this, as a mean KL divergence; 0 for no limit. Up: allows larger changes of the policy. Down:
    /// more cautious.
    #[schemars(extend("x-title" = "target KL"))]
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true, "x-unit" = "nats"))]
    #[schemars(extend("x-group" = "learning"))]
    pub target_kl: f64,
    /// Entropy weight: a bonus for choosing at random, in the loss. Up: it acts more at random, so it tries
    /// out more. Down: it settles on one way to act sooner, perhaps a wrong one.
    #[schemars(range(min = 0.0, max = 0.5), extend("x-live" = true))]
    #[schemars(extend("x-group" = "learning", "x-main" = true))]
    pub entropy_weight: f64,
    /// Value weight: how much the critic's error counts in the loss, where the actor's counts 1. Up: favours
    /// the critic. Down: favours the actor.
    #[schemars(range(min = 0.0, max = 10.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "learning"))]
    pub value_weight: f64,
    /// Gradient clipping: a gradient that is longer than this (by its norm) is scaled down to this length.
    /// Up: large gradients pass, which may be unstable. Down: makes the largest updates smaller.
    #[schemars(extend("x-title" = "gradient clipping"))]
    #[schemars(range(min = 0.001, max = 1000.0), extend("x-live" = true, "x-log" = true))]
    #[schemars(extend("x-group" = "learning"))]
    pub max_grad_norm: f64,
    /// Normalise advantages to mean 0 and standard deviation 1 in each minibatch. On: updates do not depend
    /// on the size of the rewards. Off: larger rewards make larger updates.
    #[schemars(extend("x-live" = true))]
    #[schemars(extend("x-group" = "learning"))]
    pub normalise_advantages: bool,
    /// Normalise observations to mean 0 and standard deviation 1 over everything seen so far. On: large and
    /// small quantities count alike. Off: the networks see positions and speeds as they are.
    #[schemars(extend("x-group" = "network"))]
    pub normalise_observations: bool,
    /// Reward scaling: rewards are multiplied by this before they are learned from. Charts show them
    /// unscaled. Up: larger returns, which the critic learns less easily. Down: keeps large returns in a
    /// range that the critic learns easily.
    #[schemars(range(min = 0.0001, max = 100.0), extend("x-live" = true, "x-log" = true))]
    #[schemars(extend("x-group" = "learning"))]
    pub reward_scale: f64,
    /// Reward shaping: extra reward for gaining mechanical energy, which is taken back where energy is lost
    /// (potential-based). So the best behaviour stays the best (Ng, Harada and Russell, 1999). Up: guides
    /// more. Down: guides less; 0 not at all.
    #[schemars(range(min = 0.0, max = 1000.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "acting", "x-applies" = {"world": ["mountaincar"]}))]
    pub shaping: f64,
    /// Initial exploration: standard deviation of the torque, or of the numbers of an action, under the
    /// untrained policy. Up: tries stronger torques. Down: tries weaker ones, which swing up less often.
    #[schemars(range(min = 0.01, max = 10.0))]
    #[schemars(extend("x-group" = "acting", "x-applies" = {"world": ["pendulum", "own"]}))]
    pub initial_spread: f64,
    /// How the numbers of a continuous action, which the policy draws from a normal distribution, are kept
    /// within their bounds. Clipped: what lies beyond a bound becomes the bound. Squashed: their hyperbolic
    /// tangent, scaled to the bounds (a squashed Gaussian), which comes close to the bounds but hardly
    /// reaches them; a number without two finite bounds stays as it is. The entropy, its weight and the
    /// initial exploration are those of the normal distribution before squashing.
    #[schemars(extend("x-group" = "acting", "x-applies" = {"world": ["pendulum", "own"]}, "x-later" = true))]
    pub action_bounds: ActionBounds,
    /// Iterations between two evaluations of the greedy policy, which always takes the most probable action;
    /// 0 never evaluates. Up: training is faster, but progress shows later. Down: progress shows sooner, but
    /// training is slower.
    #[schemars(range(min = 0, max = 10000), extend("x-live" = true, "x-unit" = "iterations"))]
    #[schemars(extend("x-group" = "measuring"))]
    pub eval_every: u32,
    /// Episodes in each evaluation. Up: measures the score more precisely, but takes longer. Down: quicker,
    /// but luck counts more.
    #[schemars(extend("x-title" = "episodes per eval"))]
    #[schemars(range(min = 1, max = 1000), extend("x-unit" = "episodes", "x-log" = true))]
    #[schemars(extend("x-group" = "measuring"))]
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
            action_bounds: ActionBounds::Clipped,
            eval_every: 1,
            eval_episodes: 100,
        }
    }
}

/// The maximum of [`ControlConfig::epochs`].
pub const MAX_EPOCHS: u32 = 50;

/// The maximum number of minibatch updates in an iteration: the upper limits of `epochs` and `minibatches`
/// multiplied.
pub const MAX_UPDATES_PER_UNIT: u64 = MAX_EPOCHS as u64 * 256;
