//! The settings of the cube lab.

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
    /// Deep approximate value iteration: a state's distance is one more than the smallest estimate among its
    /// neighbours.
    Davi,
    /// EfficientCube: predicts the last turn of a random scramble.
    Efficientcube,
    /// CayleyPy: predicts the number of turns of a random scramble.
    Cayleypy,
}

/// The puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubePuzzle"))]
pub enum PuzzleName {
    /// The 2x2x2 cube, with 3,674,160 states.
    #[serde(rename = "2x2x2")]
    Two,
    /// The 3x3x3 cube, with 43,252,003,274,489,856,000 states.
    #[serde(rename = "3x3x3")]
    Three,
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
    /// Which corner is in each of the seven positions (the eighth stays fixed) and how it is twisted,
    /// one-hot: 147 inputs.
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
///
/// `x-group`, `x-main` and the like say how the page shows a setting, see `schema.rs` in `crates/lab`. Where
/// `serde` has another name than the field, files and links have the older one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CubeConfig {
    /// Puzzle: the 2x2x2 cube, whose 3,674,160 states can all be tested, or the 3x3x3, whose
    /// 43 quintillion cannot.
    #[schemars(extend("x-group" = "acting"))]
    pub puzzle: PuzzleName,
    /// Learning algorithm: deep Q-learning, value iteration, predicting the last turn of a
    /// scramble (EfficientCube) or predicting its length (CayleyPy).
    #[schemars(extend("x-group" = "learning", "x-main" = true))]
    pub learner: Method,
    /// Turn metric, what counts as one turn: quarter turns only, or half turns too.
    #[schemars(extend("x-group" = "acting"))]
    pub metric: TurnMetric,
    /// Input of the network: the colours of the stickers, or which corner is in which position.
    #[schemars(extend("x-group" = "network", "x-applies" = {"puzzle": ["2x2x2"]}))]
    pub encoding: Encoding,
    /// Symmetry reduction: up to 96 states that differ only by rotation, reflection or inversion of the cube
    /// have the same distance. On: they are learned as one, from fewer samples. Off: each is learned for
    /// itself, which takes longer.
    #[schemars(extend(
        "x-group" = "network",
        "x-main" = true,
        "x-applies" = {"puzzle": ["2x2x2"], "learner": ["davi", "cayleypy"]}
    ))]
    pub symmetry: bool,
    /// Neurons in the first hidden layer. Up: solves more states in the end, but computes slower. Down:
    /// computes faster, but solves fewer states.
    #[schemars(extend("x-title" = "hidden layer 1"))]
    #[schemars(range(min = 4, max = 4096), extend("x-unit" = "neurons", "x-log" = true))]
    #[schemars(extend("x-group" = "network", "x-main" = true))]
    pub hidden_1: u32,
    /// Neurons in the second hidden layer; 0 leaves this layer out. Up: solves more states in the end, but
    /// computes slower. Down: computes faster, but solves fewer states.
    #[schemars(extend("x-title" = "hidden layer 2"))]
    #[schemars(range(min = 0, max = 4096), extend("x-unit" = "neurons"))]
    #[schemars(extend("x-group" = "network"))]
    pub hidden_2: u32,
    /// Neurons in the third hidden layer; 0 leaves this layer out. Up: solves more states in the end, but
    /// computes slower. Down: computes faster, but solves fewer states.
    #[schemars(extend("x-title" = "hidden layer 3"))]
    #[schemars(range(min = 0, max = 4096), extend("x-unit" = "neurons"))]
    #[schemars(extend("x-group" = "network"))]
    pub hidden_3: u32,
    /// Dueling network: two streams of neurons, one for the value of a state, one for the advantage of each
    /// turn. On: the value is learned from every turn. Off: the value of each turn is learned for itself.
    #[schemars(extend("x-group" = "network", "x-applies" = {"learner": ["dqn"]}))]
    pub dueling: bool,
    /// Minibatch size: samples in each update. Up: the loss falls more smoothly, but updates take longer.
    /// Down: updates are quicker, but the loss jumps more.
    #[schemars(range(min = 1, max = 16384), extend("x-unit" = "samples", "x-log" = true))]
    #[schemars(extend("x-group" = "learning"))]
    pub batch: u32,
    /// Updates in each iteration. Up: longer iterations, so the numbers on the page change less often. Down:
    /// shorter iterations, so they change more often.
    #[schemars(range(min = 1, max = 10000), extend("x-live" = true, "x-unit" = "updates", "x-log" = true))]
    #[schemars(extend("x-group" = "learning"))]
    pub updates: u32,
    /// Learning rate of Adam: how far each update moves the weights. Up: the loss falls faster, but too high
    /// a rate undoes what was learned. Down: it falls more slowly and steadily; at 0 nothing is learned.
    #[schemars(range(min = 0.0, max = 0.1), extend("x-live" = true, "x-log" = true))]
    #[schemars(extend("x-group" = "learning", "x-main" = true))]
    pub learning_rate: f64,
    /// Annealing: updates over which the learning rate falls to 1% along a cosine; 0 keeps it constant. Up:
    /// ends better, but later. Down: ends sooner, perhaps before enough is learned.
    #[schemars(extend("x-title" = "annealing"))]
    #[schemars(range(min = 0, max = 100_000_000), extend("x-live" = true, "x-unit" = "updates"))]
    #[schemars(extend("x-group" = "learning"))]
    pub anneal: u32,
    /// Gradient clipping: a gradient that is longer than this (by its norm) is scaled down to this length.
    /// Up: large gradients pass, which may be unstable. Down: makes the largest updates smaller.
    #[schemars(extend("x-title" = "gradient clipping"))]
    #[schemars(range(min = 0.001, max = 1000.0), extend("x-live" = true, "x-log" = true))]
    #[schemars(extend("x-group" = "learning"))]
    pub max_grad_norm: f64,

    /// Longest random scramble to learn from. Up: learns from states that are far from solved. Down: learns
    /// only from states that are close to solved.
    #[schemars(extend("x-title" = "longest training scramble"))]
    #[schemars(range(min = 1, max = 100), extend("x-live" = true, "x-unit" = "turns"))]
    #[schemars(extend(
        "x-group" = "acting",
        "x-main" = true,
        "x-applies" = {"learner": ["davi", "efficientcube", "cayleypy"]}
    ))]
    pub scramble: u32,
    /// Updates after which the target values are computed anew at the latest; at the earliest after an eighth
    /// of that. Up: more stable, but the targets are older. Down: follows the network faster, but is less
    /// stable.
    #[schemars(extend("x-title" = "refresh every"))]
    #[serde(rename = "renew_every")]
    #[schemars(range(min = 8, max = 100_000), extend("x-live" = true, "x-unit" = "updates", "x-log" = true))]
    #[schemars(extend("x-group" = "learning", "x-applies" = {"learner": ["davi"]}))]
    pub refresh_every: u32,
    /// The target values are computed anew early once the mean squared error is below this. Up: refreshes
    /// them sooner. Down: waits until the network fits them better.
    #[schemars(extend("x-title" = "refresh below"))]
    #[serde(rename = "renew_below")]
    #[schemars(range(min = 0.0, max = 100.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "learning", "x-applies" = {"learner": ["davi"]}))]
    pub refresh_below: f64,
    /// Fraction of the samples drawn in proportion to the squared Bellman residual, that is where the
    /// estimates contradict one another most. Up: works more on contradictions. Down: works more on random
    /// scrambles.
    #[schemars(extend("x-title" = "residual fraction"))]
    #[serde(rename = "focus")]
    #[schemars(range(min = 0.0, max = 1.0))]
    #[schemars(extend("x-group" = "learning", "x-applies" = {"learner": ["davi"]}))]
    pub residual_fraction: f64,

    /// Cubes that it tries to solve in parallel. Up: more varied data. Down: less varied data, but each cube
    /// is turned more often.
    #[schemars(range(min = 1, max = 16384), extend("x-unit" = "cubes", "x-log" = true))]
    #[schemars(extend("x-group" = "acting", "x-applies" = {"learner": ["dqn"]}))]
    pub worlds: u32,
    /// Updates between two turns of all cubes. Up: learns more from each turn, but sees fewer. Down: sees
    /// more turns, but learns less from each.
    #[schemars(extend("x-title" = "updates per turn"))]
    #[schemars(range(min = 1, max = 1000), extend("x-live" = true, "x-unit" = "updates", "x-log" = true))]
    #[schemars(extend("x-group" = "acting", "x-applies" = {"learner": ["dqn"]}))]
    pub act_every: u32,
    /// Discount factor: what solving is worth is multiplied by this for every turn that it takes. Up: looks
    /// further ahead. Down: solutions that take many turns count for little.
    #[schemars(extend("x-title" = "discount factor"))]
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "learning", "x-main" = true, "x-applies" = {"learner": ["dqn"]}))]
    pub gamma: f64,
    /// Reward that is subtracted for each turn; solving the cube gives 1. Up: prefers shorter solutions, but
    /// too high makes solving worthless. Down: the number of turns matters less.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "learning", "x-applies" = {"learner": ["dqn"]}))]
    pub turn_cost: f64,
    /// N-step returns. The rewards of this many turns are summed before the network's estimate is used. Up:
    /// spreads rewards faster, but is noisier. Down: less noisy, but spreads rewards slowly.
    #[schemars(extend("x-title" = "n-step return"))]
    #[schemars(range(min = 1, max = 16), extend("x-unit" = "turns"))]
    #[schemars(extend("x-group" = "learning", "x-applies" = {"learner": ["dqn"]}))]
    pub n_step: u32,
    /// Double Q-learning, which decides which network chooses the next turn for a target. On: the network
    /// chooses it and the target network gives its value, which avoids overestimates. Off: the target network
    /// does both, and overestimates.
    #[schemars(extend("x-title" = "double Q-learning"))]
    #[schemars(extend("x-live" = true))]
    #[schemars(extend("x-group" = "learning", "x-applies" = {"learner": ["dqn"]}))]
    pub double: bool,
    /// Capacity of the replay buffer of past steps. Up: more varied, but contains older attempts. Down: newer
    /// attempts, but less varied.
    #[schemars(range(min = 16, max = 4_194_304), extend("x-unit" = "steps", "x-log" = true))]
    #[schemars(extend("x-group" = "learning", "x-applies" = {"learner": ["dqn"]}))]
    pub replay: u32,
    /// Steps in the replay buffer before the first update. Up: the first updates are more varied, but later.
    /// Down: the first updates come sooner, but from few data.
    #[schemars(extend("x-title" = "warm-up"))]
    #[schemars(range(min = 1, max = 1_000_000), extend("x-unit" = "steps", "x-log" = true))]
    #[schemars(extend("x-group" = "learning", "x-applies" = {"learner": ["dqn"]}))]
    pub warm_up: u32,
    /// Prioritised replay: how strongly steps with large errors are preferred (an exponent); 0 prefers none,
    /// 1 is in proportion to the last error. Up: repeats its largest errors more. Down: repeats everything
    /// more equally.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "learning", "x-applies" = {"learner": ["dqn"]}))]
    pub priority: f64,
    /// Initial exponent of the importance weights (beta), which correct the bias of prioritised replay. It
    /// grows to 1, the full correction. Up: corrects more from the start. Down: corrects less at the start.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "learning", "x-applies" = {"learner": ["dqn"]}))]
    pub importance: f64,
    /// Updates until that exponent is 1. Up: corrects fully later. Down: corrects fully sooner.
    #[schemars(range(min = 1, max = 100_000_000), extend("x-live" = true, "x-unit" = "updates", "x-log" = true))]
    #[schemars(extend("x-group" = "learning", "x-applies" = {"learner": ["dqn"]}))]
    pub importance_updates: u32,
    /// Where large errors begin (Huber loss): smaller ones count by their square, larger ones only in
    /// proportion. Up: large errors pull harder. Down: large errors pull less, so learning is calmer.
    #[schemars(extend("x-title" = "Huber threshold"))]
    #[schemars(range(min = 0.001, max = 100.0), extend("x-live" = true, "x-log" = true))]
    #[schemars(extend("x-group" = "learning", "x-applies" = {"learner": ["dqn"]}))]
    pub huber: f64,
    /// Updates after which the target network is replaced by a copy of the network. Up: more stable, but
    /// slower. Down: faster, but less stable.
    #[schemars(extend("x-title" = "target update interval"))]
    #[schemars(range(min = 1, max = 100_000), extend("x-live" = true, "x-unit" = "updates", "x-log" = true))]
    #[schemars(extend("x-group" = "learning", "x-applies" = {"learner": ["dqn"]}))]
    pub target_every: u32,
    /// Fraction of random turns (epsilon) at the start. Up: explores more. Down: follows its estimates
    /// sooner, while they are still bad.
    #[schemars(extend("x-title" = "epsilon at the start"))]
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "acting", "x-applies" = {"learner": ["dqn"]}))]
    pub explore_from: f64,
    /// Fraction of random turns (epsilon) at the end. Up: explores more, but solves less. Down: solves more,
    /// but explores less.
    #[schemars(extend("x-title" = "epsilon at the end"))]
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "acting", "x-applies" = {"learner": ["dqn"]}))]
    pub explore_to: f64,
    /// Updates over which epsilon changes from the first value to the last. Up: explores for longer. Down:
    /// follows its estimates sooner.
    #[schemars(extend("x-title" = "epsilon decay"))]
    #[schemars(range(min = 1, max = 100_000_000), extend("x-live" = true, "x-unit" = "updates", "x-log" = true))]
    #[schemars(extend("x-group" = "acting", "x-applies" = {"learner": ["dqn"]}))]
    pub explore_updates: u32,
    /// Length of the first scrambles of the curriculum. Up: begins harder. Down: begins easier.
    #[schemars(extend("x-title" = "first scramble length"))]
    #[schemars(range(min = 1, max = 30), extend("x-unit" = "turns"))]
    #[schemars(extend("x-group" = "acting", "x-applies" = {"learner": ["dqn"]}))]
    pub level_from: u32,
    /// Length of the last scrambles of the curriculum. Up: harder cubes in the end. Down: easier cubes, but
    /// it never learns longer scrambles.
    #[schemars(extend("x-title" = "last scramble length"))]
    #[schemars(range(min = 1, max = 30), extend("x-live" = true, "x-unit" = "turns"))]
    #[schemars(extend("x-group" = "acting", "x-main" = true, "x-applies" = {"learner": ["dqn"]}))]
    pub level_to: u32,
    /// Scrambles grow by one turn once this fraction of those at the current length is solved. Up: demands
    /// more before they grow. Down: they grow sooner.
    #[schemars(extend("x-title" = "promotion threshold"))]
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "acting", "x-applies" = {"learner": ["dqn"]}))]
    pub level_up: f64,
    /// Scrambles of the current length over which that fraction is measured. Up: measures it more precisely,
    /// but later. Down: measures it sooner, but luck counts more.
    #[schemars(extend("x-title" = "promotion window"))]
    #[schemars(range(min = 1, max = 100_000), extend("x-live" = true, "x-unit" = "cubes", "x-log" = true))]
    #[schemars(extend("x-group" = "acting", "x-applies" = {"learner": ["dqn"]}))]
    pub level_window: u32,
    /// Fraction of scrambles that are shorter than the current length. Up: short ones are not forgotten.
    /// Down: more practice at the current length.
    #[schemars(extend("x-title" = "shorter scrambles"))]
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "acting", "x-applies" = {"learner": ["dqn"]}))]
    pub rehearse: f64,
    /// Fraction of attempts that repeat a scramble that failed before, while there are any. Up: more practice
    /// at what failed. Down: more new scrambles.
    #[schemars(extend("x-title" = "retried scrambles"))]
    #[schemars(range(min = 0.0, max = 0.9), extend("x-live" = true))]
    #[schemars(extend("x-group" = "acting", "x-applies" = {"learner": ["dqn"]}))]
    pub retry: f64,
    /// Turns that an attempt may take beyond the length of its scramble before it counts as failed. Up: more
    /// detours are allowed. Down: attempts end sooner, so there are more of them.
    #[schemars(range(min = 0, max = 100), extend("x-live" = true, "x-unit" = "turns"))]
    #[schemars(extend("x-group" = "acting", "x-applies" = {"learner": ["dqn"]}))]
    pub patience: u32,
    /// Updates of supervised pretraining on shortest solutions, before it learns by itself; 0 for none. Up:
    /// is shown more solutions. Down: has to find more by itself.
    #[schemars(extend("x-title" = "pretraining"))]
    #[schemars(range(min = 0, max = 1_000_000), extend("x-unit" = "updates"))]
    #[schemars(extend("x-group" = "learning", "x-applies" = {"learner": ["dqn"]}))]
    pub pretrain: u32,
    /// Longest scramble in pretraining. Up: is shown longer solutions. Down: is shown only short ones.
    #[schemars(extend("x-title" = "longest pretraining scramble"))]
    #[schemars(range(min = 1, max = 30), extend("x-live" = true, "x-unit" = "turns"))]
    #[schemars(extend("x-group" = "learning", "x-applies" = {"learner": ["dqn"]}))]
    pub pretrain_scramble: u32,

    /// Distillation: updates after annealing in which a network that guesses the distance after every turn
    /// learns from the one that guesses the distance of a state. It makes a search faster by as many times as
    /// there are turns; 0 leaves it out, as does training without annealing. Up: its guesses are closer to
    /// those it learns from. Down: training ends sooner.
    #[schemars(extend("x-title" = "distillation"))]
    #[schemars(range(min = 0, max = 100_000_000), extend("x-unit" = "updates"))]
    #[schemars(extend("x-group" = "learning", "x-applies" = {"puzzle": ["3x3x3"], "learner": ["davi", "cayleypy"]}))]
    pub distil: u32,

    /// Iterations between two evaluations of the greedy policy; 0 never evaluates. Up: training is faster,
    /// but progress shows later. Down: progress shows more often, but training is slower.
    #[schemars(extend("x-title" = "eval every"))]
    #[serde(rename = "judge_every")]
    #[schemars(range(min = 0, max = 10000), extend("x-live" = true, "x-unit" = "iterations"))]
    #[schemars(extend("x-group" = "measuring"))]
    pub evaluate_every: u32,
    /// Evaluation starts from every state that is at most this far from solved. 14 covers all states: it is
    /// the largest distance in quarter turns. Up: tests more and harder states. Down: tests fewer and easier
    /// states.
    #[schemars(extend("x-title" = "eval within"))]
    #[serde(rename = "judge_within")]
    #[schemars(range(min = 1, max = 14), extend("x-live" = true, "x-unit" = "turns"))]
    #[schemars(extend("x-group" = "measuring", "x-applies" = {"puzzle": ["2x2x2"]}))]
    pub evaluate_within: u32,
    /// States of an evaluation of the 3x3x3. Up: the result is more exact. Down: an evaluation takes less
    /// time.
    #[schemars(extend("x-title" = "states per eval"))]
    #[schemars(range(min = 1, max = 10_000), extend("x-live" = true, "x-unit" = "states", "x-log" = true))]
    #[schemars(extend("x-group" = "measuring", "x-applies" = {"puzzle": ["3x3x3"]}))]
    pub evaluate_states: u32,
    /// Beam width in an evaluation of the 3x3x3: how many states the search keeps at each depth. Up: solves
    /// more states, by shorter solutions. Down: an evaluation takes less time.
    #[schemars(extend("x-title" = "beam width in evals"))]
    #[schemars(range(min = 1, max = 1_048_576), extend("x-live" = true, "x-unit" = "states", "x-log" = true))]
    #[schemars(extend("x-group" = "measuring", "x-applies" = {"puzzle": ["3x3x3"]}))]
    pub evaluate_beam: u32,
    /// Length of the scrambles in an evaluation of the 3x3x3; 0 takes uniformly random states instead. Up:
    /// harder to solve. Down: easier to solve.
    #[schemars(extend("x-title" = "scramble length in evals"))]
    #[schemars(range(min = 0, max = 100), extend("x-live" = true, "x-unit" = "turns"))]
    #[schemars(extend("x-group" = "measuring", "x-applies" = {"puzzle": ["3x3x3"]}))]
    pub evaluate_scramble: u32,
    /// Goal: the percentage of the states of an evaluation that must be solved. Up: harder to reach. Down:
    /// easier to reach.
    #[schemars(range(min = 0.0, max = 100.0), extend("x-unit" = "%"))]
    #[schemars(extend("x-group" = "measuring"))]
    pub goal: f64,
}

impl Default for CubeConfig {
    fn default() -> Self {
        Self {
            puzzle: PuzzleName::Two,
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
            distil: 0,
            evaluate_every: 5,
            evaluate_within: 14,
            evaluate_states: 16,
            evaluate_beam: 256,
            evaluate_scramble: 0,
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

    /// Whether the network sees one representative of each class of symmetric states. Only the 2x2x2 has so
    /// few states that the class of each is in a table. Turns are not invariant under symmetry, so this is
    /// only for methods that predict distances.
    pub fn uses_symmetry(&self) -> bool {
        self.symmetry && self.puzzle == PuzzleName::Two && self.learner.predicts_distance()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_distances_of_the_2x2x2_are_learned_by_symmetry() {
        for puzzle in [PuzzleName::Two, PuzzleName::Three] {
            for learner in [Method::Davi, Method::Cayleypy, Method::Dqn, Method::Efficientcube] {
                let config = CubeConfig { puzzle, learner, ..CubeConfig::default() };
                let expected = puzzle == PuzzleName::Two && learner.predicts_distance();
                assert_eq!(config.uses_symmetry(), expected, "{puzzle:?}, {learner:?}");
            }
        }
    }
}
