//! The settings of the cube lab and the options of its evaluation.

use learnery_nn::{AdamOptions, Decay, Schedule};
use learnery_worlds::cube;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The learning method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeLearner"))]
pub enum Method {
    /// Deep Q-learning: learns the value of each turn from its own attempts.
    Dqn,
    /// Deep approximate value iteration: a state's distance is one more than the smallest estimate among its neighbours.
    Davi,
    /// EfficientCube: predicts the last turn of a random scramble.
    Efficientcube,
    /// CayleyPy: predicts the number of turns of a random scramble.
    Cayleypy,
}

/// What counts as one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeMetric"))]
pub enum TurnMetric {
    /// Quarter turns only.
    Quarter,
    /// Quarter and half turns.
    Half,
}

/// How a state is encoded for the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    /// The colour of each of the 24 stickers, one-hot: 144 inputs.
    Stickers,
    /// Which corner is in each of the seven positions (the eighth stays fixed) and how it is twisted, one-hot: 147 inputs.
    Corners,
}

impl TurnMetric {
    pub fn to_rules(self) -> cube::Metric {
        match self {
            Self::Quarter => cube::Metric::Quarter,
            Self::Half => cube::Metric::Half,
        }
    }
}

impl Method {
    /// Whether the network predicts a state's distance to the solved cube; otherwise it scores turns.
    pub fn predicts_distance(self) -> bool {
        matches!(self, Self::Davi | Self::Cayleypy)
    }
}

/// Settings of the learners and of the evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CubeConfig {
    /// Learning algorithm: deep Q-learning (dqn), value iteration (davi), predicting the last turn of a scramble
    /// (efficientcube) or predicting its length (cayleypy). Other settings name the algorithms that use them.
    pub learner: Method,
    /// Turn metric, what counts as one turn: quarter turns only, or half turns too.
    pub metric: TurnMetric,
    /// Input of the network: the colours of the stickers, or which corner is in which position.
    pub encoding: Encoding,
    /// Symmetry reduction: up to 96 states that differ only by rotation, reflection or inversion of the cube have the
    /// same distance and are learned as one. For davi and cayleypy, which learn distances.
    pub symmetry: bool,
    /// Neurons in the first hidden layer. More solve more states in the end, but compute slower.
    #[schemars(range(min = 4, max = 4096), extend("x-unit" = "neurons", "x-log" = true))]
    pub hidden_1: u32,
    /// Neurons in the second hidden layer; 0 leaves this layer out.
    #[schemars(range(min = 0, max = 4096), extend("x-unit" = "neurons"))]
    pub hidden_2: u32,
    /// Neurons in the third hidden layer; 0 leaves this layer out.
    #[schemars(range(min = 0, max = 4096), extend("x-unit" = "neurons"))]
    pub hidden_3: u32,
    /// Dueling network: estimate the value of a state and the advantage of each turn separately. For dqn.
    pub dueling: bool,
    /// Minibatch size: samples in each update. Larger updates are less noisy, but slower.
    #[schemars(range(min = 1, max = 16384), extend("x-unit" = "samples", "x-log" = true))]
    pub batch: u32,
    /// Updates in each iteration. More make iterations longer and reports rarer.
    #[schemars(range(min = 1, max = 10000), extend("x-live" = true, "x-unit" = "updates", "x-log" = true))]
    pub updates: u32,
    /// Learning rate of Adam: how far each update moves the weights. Higher learns faster, but too high is unstable.
    #[schemars(range(min = 0.0, max = 0.1), extend("x-live" = true, "x-log" = true))]
    pub learning_rate: f64,
    /// Annealing: updates over which the learning rate falls to 1% along a cosine. Longer ends better, but later; 0
    /// keeps it constant.
    #[schemars(range(min = 0, max = 100_000_000), extend("x-live" = true, "x-unit" = "updates"))]
    pub anneal: u32,
    /// Gradient clipping: a gradient with a larger norm is scaled down to this one. Lower makes the largest updates
    /// smaller.
    #[schemars(range(min = 0.001, max = 1000.0), extend("x-live" = true, "x-log" = true))]
    pub max_grad_norm: f64,

    /// Longest random scramble that davi, efficientcube and cayleypy learn from. Longer shows more states that are far
    /// from solved.
    #[schemars(range(min = 1, max = 100), extend("x-live" = true, "x-unit" = "turns"))]
    pub scramble: u32,
    /// For davi: updates after which the target values are computed anew at the latest; at the earliest after an eighth
    /// of that. Lower follows the network faster, but is less stable.
    #[serde(rename = "renew_every")]
    #[schemars(range(min = 8, max = 100_000), extend("x-live" = true, "x-unit" = "updates", "x-log" = true))]
    pub refresh_every: u32,
    /// For davi: the target values are computed anew early once the mean squared error is below this. Higher refreshes
    /// them sooner.
    #[serde(rename = "renew_below")]
    #[schemars(range(min = 0.0, max = 100.0), extend("x-live" = true))]
    pub refresh_below: f64,
    /// For davi: fraction of the samples drawn in proportion to the squared Bellman residual, that is where the
    /// estimates contradict one another most. The others are random scrambles.
    #[serde(rename = "focus")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub residual_fraction: f64,

    /// For dqn: cubes that it tries to solve in parallel. More give more varied data.
    #[schemars(range(min = 1, max = 16384), extend("x-unit" = "cubes", "x-log" = true))]
    pub worlds: u32,
    /// For dqn: updates between two turns of all cubes. Higher learns more from each turn, but sees fewer.
    #[schemars(range(min = 1, max = 1000), extend("x-live" = true, "x-unit" = "updates", "x-log" = true))]
    pub act_every: u32,
    /// For dqn: discount factor. A reward is multiplied by this for every turn that it comes later. Higher looks
    /// further ahead.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub gamma: f64,
    /// For dqn: reward that is subtracted for each turn; solving the cube gives 1. Higher prefers shorter solutions.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub turn_cost: f64,
    /// For dqn: n-step returns. The rewards of this many turns are summed before the network's estimate is used. More
    /// spreads rewards faster, but is noisier.
    #[schemars(range(min = 1, max = 16), extend("x-unit" = "turns"))]
    pub n_step: u32,
    /// For dqn: double Q-learning. The network chooses the next turn and the target network gives its value, which
    /// avoids overestimates.
    #[schemars(extend("x-live" = true))]
    pub double: bool,
    /// For dqn: capacity of the replay buffer of past steps. Larger is more varied, but contains older attempts.
    #[schemars(range(min = 16, max = 4_194_304), extend("x-unit" = "steps", "x-log" = true))]
    pub replay: u32,
    /// For dqn: steps in the replay buffer before the first update. More makes the first updates more varied, but
    /// later.
    #[schemars(range(min = 1, max = 1_000_000), extend("x-unit" = "steps", "x-log" = true))]
    pub warm_up: u32,
    /// For dqn: exponent of prioritised replay. 0 samples uniformly, 1 in proportion to the last error.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub priority: f64,
    /// For dqn: initial exponent of the importance weights (beta), which correct the bias of prioritised replay. It
    /// grows to 1, the full correction.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub importance: f64,
    /// For dqn: updates until that exponent is 1. Higher corrects later.
    #[schemars(range(min = 1, max = 100_000_000), extend("x-live" = true, "x-unit" = "updates", "x-log" = true))]
    pub importance_updates: u32,
    /// For dqn: threshold of the Huber loss, which is quadratic below and linear above, so that larger errors pull no
    /// harder.
    #[schemars(range(min = 0.001, max = 100.0), extend("x-live" = true, "x-log" = true))]
    pub huber: f64,
    /// For dqn: updates after which the target network is replaced by a copy of the network. Higher is more stable, but
    /// slower.
    #[schemars(range(min = 1, max = 100_000), extend("x-live" = true, "x-unit" = "updates", "x-log" = true))]
    pub target_every: u32,
    /// For dqn: fraction of random turns (epsilon) at the start. Higher explores more.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub explore_from: f64,
    /// For dqn: fraction of random turns (epsilon) at the end. Higher explores more, but solves less.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub explore_to: f64,
    /// For dqn: updates over which epsilon changes from the first value to the last. Higher explores for longer.
    #[schemars(range(min = 1, max = 100_000_000), extend("x-live" = true, "x-unit" = "updates", "x-log" = true))]
    pub explore_updates: u32,
    /// For dqn: length of the first scrambles of the curriculum. Shorter is easier to begin with.
    #[schemars(range(min = 1, max = 30), extend("x-unit" = "turns"))]
    pub level_from: u32,
    /// For dqn: length of the last scrambles of the curriculum. Longer is harder.
    #[schemars(range(min = 1, max = 30), extend("x-live" = true, "x-unit" = "turns"))]
    pub level_to: u32,
    /// For dqn: scrambles grow by one turn once this fraction of those at the current length is solved. Higher demands
    /// more.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub level_up: f64,
    /// For dqn: scrambles of the current length over which that fraction is measured. More measure it more precisely,
    /// but later.
    #[schemars(range(min = 1, max = 100_000), extend("x-live" = true, "x-unit" = "cubes", "x-log" = true))]
    pub level_window: u32,
    /// For dqn: fraction of scrambles that are shorter than the current length, so that short ones are not forgotten.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub rehearse: f64,
    /// For dqn: fraction of attempts that repeat a scramble that failed before, while there are any.
    #[schemars(range(min = 0.0, max = 0.9), extend("x-live" = true))]
    pub retry: f64,
    /// For dqn: turns that an attempt may take beyond the length of its scramble before it counts as failed.
    #[schemars(range(min = 0, max = 100), extend("x-live" = true, "x-unit" = "turns"))]
    pub patience: u32,
    /// For dqn: updates of supervised pretraining on shortest solutions, before it learns by itself; 0 for none.
    #[schemars(range(min = 0, max = 1_000_000), extend("x-unit" = "updates"))]
    pub pretrain: u32,
    /// For dqn: longest scramble in pretraining.
    #[schemars(range(min = 1, max = 30), extend("x-live" = true, "x-unit" = "turns"))]
    pub pretrain_scramble: u32,

    /// Iterations between two evaluations of the greedy policy. Lower shows progress more often, but slows training; 0
    /// never evaluates.
    #[serde(rename = "judge_every")]
    #[schemars(range(min = 0, max = 10000), extend("x-live" = true, "x-unit" = "iterations"))]
    pub evaluate_every: u32,
    /// Evaluation starts from every state that is at most this far from solved. 14 covers all states: it is the largest
    /// distance in quarter turns.
    #[serde(rename = "judge_within")]
    #[schemars(range(min = 1, max = 14), extend("x-live" = true, "x-unit" = "turns"))]
    pub evaluate_within: u32,
    /// Goal: the percentage of those states that must be solved.
    #[schemars(range(min = 0.0, max = 100.0), extend("x-unit" = "%"))]
    pub goal: f64,
}

impl Default for CubeConfig {
    fn default() -> Self {
        Self {
            learner: Method::Davi,
            metric: TurnMetric::Quarter,
            encoding: Encoding::Corners,
            symmetry: true,
            hidden_1: 96,
            hidden_2: 96,
            hidden_3: 0,
            dueling: true,
            batch: 1024,
            updates: 100,
            learning_rate: 3e-3,
            anneal: 20_000,
            max_grad_norm: 10.0,
            scramble: 20,
            refresh_every: 200,
            refresh_below: 0.05,
            residual_fraction: 0.5,
            worlds: 256,
            act_every: 2,
            gamma: 0.9,
            turn_cost: 0.0,
            n_step: 3,
            double: true,
            replay: 65_536,
            warm_up: 4096,
            priority: 0.6,
            importance: 0.4,
            importance_updates: 20_000,
            huber: 1.0,
            target_every: 200,
            explore_from: 1.0,
            explore_to: 0.05,
            explore_updates: 1000,
            level_from: 1,
            level_to: 6,
            level_up: 0.9,
            level_window: 500,
            rehearse: 0.5,
            retry: 0.0,
            patience: 6,
            pretrain: 0,
            pretrain_scramble: 14,
            evaluate_every: 5,
            evaluate_within: 14,
            goal: 90.0,
        }
    }
}

impl CubeConfig {
    /// The sizes of the hidden layers, without those that are left out.
    pub fn hidden_sizes(&self) -> Vec<usize> {
        let later = [self.hidden_2, self.hidden_3].into_iter().filter(|n| *n > 0);
        std::iter::once(self.hidden_1).chain(later).map(|n| n as usize).collect()
    }

    /// Whether the network sees one representative of each class of symmetric states. Turns are not invariant under
    /// symmetry, so this is only for methods that predict distances.
    pub fn uses_symmetry(&self) -> bool {
        self.symmetry && self.learner.predicts_distance()
    }

    /// Options of the optimiser at update number `update`: the learning rate falls along a cosine to 1%.
    pub fn adam_options(&self, update: u64) -> AdamOptions {
        let factor = match self.anneal {
            0 => 1.0,
            steps => {
                let steps = u64::from(steps);
                Schedule { warm_up: 0, steps, floor: 0.01, decay: Decay::Cosine }.at(update)
            }
        };
        AdamOptions {
            lr: (self.learning_rate * factor) as f32,
            max_norm: self.max_grad_norm as f32,
            ..AdamOptions::default()
        }
    }
}

/// Options of an evaluation. The greedy policy is always evaluated from all states.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CubeEvalOptions {
    /// Number of random states to solve by beam search as well; 0 for none.
    #[schemars(range(min = 0, max = 1_000_000), extend("x-unit" = "states"))]
    pub games: u32,
    /// Beam width: the number of states that the search keeps at each depth.
    #[schemars(range(min = 1, max = 65_536), extend("x-unit" = "states"))]
    pub beam: u32,
}

impl Default for CubeEvalOptions {
    fn default() -> Self {
        Self { games: 0, beam: 128 }
    }
}
