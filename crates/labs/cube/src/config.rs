//! The dials of the cube lab.

use learnery_worlds::cube;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How it learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeLearner"))]
pub enum Learner {
    /// Deep Q-learning: it tries to solve cubes, and learns what each turn is worth.
    Dqn,
    /// Value iteration: a state is one turn further than its nearest neighbour is guessed to be.
    Davi,
    /// It guesses which turn a random scramble ended with (EfficientCube).
    Efficientcube,
    /// It guesses how many random turns a scramble had (CayleyPy).
    Cayleypy,
}

/// What counts as one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeMetric"))]
pub enum Metric {
    /// Quarter turns only.
    Quarter,
    /// Quarter and half turns.
    Half,
}

/// How the network sees a cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    /// The colour of each of the 24 stickers: 144 inputs.
    Stickers,
    /// Which corner is in each of the seven places, and its twist: 147 inputs.
    Corners,
}

impl Metric {
    /// As the rules have it.
    pub fn rules(self) -> cube::Metric {
        match self {
            Self::Quarter => cube::Metric::Quarter,
            Self::Half => cube::Metric::Half,
        }
    }
}

impl Learner {
    /// Whether the network guesses distances; the others judge turns.
    pub fn guesses_distances(self) -> bool {
        matches!(self, Self::Davi | Self::Cayleypy)
    }
}

/// Settings of the learners and of their judge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CubeConfig {
    /// How it learns: by solving (dqn), by value iteration (davi), from the last turn of scrambles (efficientcube) or from
    /// their length (cayleypy).
    pub learner: Learner,
    /// What counts as one turn: quarter turns only, or half turns too.
    pub metric: Metric,
    /// What the network sees: the colours of the stickers, or which corner is where.
    pub encoding: Encoding,
    /// Whether the network is shown one state of the up to 96 that are alike up to how the cube is held, mirrors and
    /// inverses, in place of each of them. For davi and cayleypy, which learn distances: those are the same.
    pub symmetry: bool,
    /// Neurons in the first hidden layer.
    #[schemars(range(min = 4, max = 4096), extend("x-unit" = "neurons", "x-log" = true))]
    pub hidden_1: u32,
    /// Neurons in the second hidden layer; 0 for no such layer.
    #[schemars(range(min = 0, max = 4096), extend("x-unit" = "neurons"))]
    pub hidden_2: u32,
    /// Neurons in the third hidden layer; 0 for no such layer.
    #[schemars(range(min = 0, max = 4096), extend("x-unit" = "neurons"))]
    pub hidden_3: u32,
    /// Whether the value of a state and the advantages of turns are estimated apart. For dqn.
    pub dueling: bool,
    /// Samples in each update.
    #[schemars(range(min = 1, max = 16384), extend("x-unit" = "samples", "x-log" = true))]
    pub batch: u32,
    /// Updates in each iteration.
    #[schemars(range(min = 1, max = 10000), extend("x-live" = true, "x-unit" = "updates", "x-log" = true))]
    pub updates: u32,
    /// How far each update moves the weights (Adam).
    #[schemars(range(min = 0.0, max = 0.1), extend("x-live" = true, "x-log" = true))]
    pub learning_rate: f64,
    /// The learning rate falls along half a wave to a hundredth over so many updates; 0 for never.
    #[schemars(range(min = 0, max = 100_000_000), extend("x-live" = true, "x-unit" = "updates"))]
    pub anneal: u32,
    /// Longest gradient allowed; longer ones are shortened to this.
    #[schemars(range(min = 0.001, max = 1000.0), extend("x-live" = true, "x-log" = true))]
    pub max_grad_norm: f64,

    /// Most random turns of the scrambles that davi, efficientcube and cayleypy learn from.
    #[schemars(range(min = 1, max = 100), extend("x-live" = true, "x-unit" = "turns"))]
    pub scramble: u32,
    /// The guesses that davi learns from are renewed after so many updates at the latest, and not before an eighth of it.
    #[schemars(range(min = 8, max = 100_000), extend("x-live" = true, "x-unit" = "updates", "x-log" = true))]
    pub renew_every: u32,
    /// They are renewed sooner once the mean squared error is below this.
    #[schemars(range(min = 0.0, max = 100.0), extend("x-live" = true))]
    pub renew_below: f64,
    /// Share of samples that davi draws where its guesses contradict one another, and the more often the more they do;
    /// the others come from scrambles.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub focus: f64,

    /// Cubes that dqn tries to solve side by side.
    #[schemars(range(min = 1, max = 16384), extend("x-unit" = "cubes", "x-log" = true))]
    pub worlds: u32,
    /// They are all turned once every so many updates.
    #[schemars(range(min = 1, max = 1000), extend("x-live" = true, "x-unit" = "updates", "x-log" = true))]
    pub act_every: u32,
    /// How much a reward counts for each turn it lies in the future.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub gamma: f64,
    /// What each turn costs; solving earns 1.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub turn_cost: f64,
    /// Turns whose rewards are seen before the network is asked what follows.
    #[schemars(range(min = 1, max = 16), extend("x-unit" = "turns"))]
    pub n_step: u32,
    /// Whether one network chooses the next turn and the other one judges it (double DQN).
    #[schemars(extend("x-live" = true))]
    pub double: bool,
    /// Steps that are remembered.
    #[schemars(range(min = 16, max = 4_194_304), extend("x-unit" = "steps", "x-log" = true))]
    pub replay: u32,
    /// Steps to remember before the first update.
    #[schemars(range(min = 1, max = 1_000_000), extend("x-unit" = "steps", "x-log" = true))]
    pub warm_up: u32,
    /// How much more often surprising steps are learned from: 0 for not at all, 1 in proportion to the error.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub priority: f64,
    /// How far that is made up for by smaller updates at first; it grows to 1 over the updates below.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub importance: f64,
    /// Updates until it is made up for entirely.
    #[schemars(range(min = 1, max = 100_000_000), extend("x-live" = true, "x-unit" = "updates", "x-log" = true))]
    pub importance_updates: u32,
    /// Errors beyond this pull no harder (Huber's loss).
    #[schemars(range(min = 0.001, max = 100.0), extend("x-live" = true, "x-log" = true))]
    pub huber: f64,
    /// Updates after which the network that judges is renewed.
    #[schemars(range(min = 1, max = 100_000), extend("x-live" = true, "x-unit" = "updates", "x-log" = true))]
    pub target_every: u32,
    /// Share of random turns at first.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub explore_from: f64,
    /// Share of random turns in the end.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub explore_to: f64,
    /// Updates on the way there.
    #[schemars(range(min = 1, max = 100_000_000), extend("x-live" = true, "x-unit" = "updates", "x-log" = true))]
    pub explore_updates: u32,
    /// Turns of the first scrambles.
    #[schemars(range(min = 1, max = 30), extend("x-unit" = "turns"))]
    pub level_from: u32,
    /// Turns of the longest scrambles.
    #[schemars(range(min = 1, max = 30), extend("x-live" = true, "x-unit" = "turns"))]
    pub level_to: u32,
    /// Share of scrambles of the present length that must be solved before they get longer by a turn.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub level_up: f64,
    /// Scrambles of the present length by which that is judged.
    #[schemars(range(min = 1, max = 100_000), extend("x-live" = true, "x-unit" = "cubes", "x-log" = true))]
    pub level_window: u32,
    /// Share of scrambles that are shorter than the present length, lest those be forgotten.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub rehearse: f64,
    /// Share of scrambles that are those given up before, for as long as there are any.
    #[schemars(range(min = 0.0, max = 0.9), extend("x-live" = true))]
    pub retry: f64,
    /// A cube is given up after as many turns as it was scrambled with, and so many more.
    #[schemars(range(min = 0, max = 100), extend("x-live" = true, "x-unit" = "turns"))]
    pub patience: u32,
    /// Updates in which dqn is first taught shortest solutions; 0 for learning by itself.
    #[schemars(range(min = 0, max = 1_000_000), extend("x-unit" = "updates"))]
    pub pretrain: u32,
    /// Scrambles it is taught with have so many turns at most.
    #[schemars(range(min = 1, max = 30), extend("x-live" = true, "x-unit" = "turns"))]
    pub pretrain_scramble: u32,

    /// The greedy policy is judged every so many iterations; 0 for never.
    #[schemars(range(min = 0, max = 10000), extend("x-live" = true, "x-unit" = "iterations"))]
    pub judge_every: u32,
    /// It is judged from every state within so many turns of the solved one; 14 are all states there are.
    #[schemars(range(min = 1, max = 14), extend("x-live" = true, "x-unit" = "turns"))]
    pub judge_within: u32,
    /// How many of those states must be solved.
    #[schemars(range(min = 0.0, max = 100.0), extend("x-unit" = "%"))]
    pub goal: f64,
}

impl Default for CubeConfig {
    fn default() -> Self {
        Self {
            learner: Learner::Davi,
            metric: Metric::Quarter,
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
            renew_every: 200,
            renew_below: 0.05,
            focus: 0.5,
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
            judge_every: 5,
            judge_within: 14,
            goal: 90.0,
        }
    }
}

impl CubeConfig {
    /// The hidden layers there are.
    pub fn hidden(&self) -> Vec<usize> {
        let later = [self.hidden_2, self.hidden_3].into_iter().filter(|n| *n > 0);
        std::iter::once(self.hidden_1).chain(later).map(|n| n as usize).collect()
    }

    /// Whether like states are shown alike.
    pub fn by_class(&self) -> bool {
        self.symmetry && self.learner.guesses_distances()
    }
}
