//! The settings of the logic lab and the options of its evaluation. The size of the grid and of the circuits depends on the
//! experiment alone; it is in [`crate::experiment::Setup`].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::experiment::Experiment;

/// The parameters of a soft gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "LogicParameters"))]
pub enum Parameters {
    /// A logit for each of the sixteen gate kinds, as published.
    Kinds,
    /// A logit for each of the four entries of the truth table.
    Table,
}

/// The neighbours that the perception kernels (the circuits that read a cell's neighbourhood) pass on initially.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "LogicLooks"))]
pub enum InitialKernels {
    /// All kernels have the same wiring and pass on the same neighbours, as published.
    #[serde(rename = "alike")]
    Identical,
    /// Kernels pass on different neighbours, so that information travels in all directions from the beginning.
    #[serde(rename = "around")]
    AllDirections,
}

/// The upper end of the range of [`LogicConfig::epochs`].
pub const MAX_EPOCHS_PER_UNIT: u32 = 1000;

/// Settings of training and proof.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LogicConfig {
    /// What is learned: the rule of the game of life, a checkerboard, a checkerboard whose cells update at random times
    /// (async), a figure that grows from one cell, or a coloured letter that grows from an empty grid.
    pub experiment: Experiment,
    /// The parameters of a gate: one for each of its sixteen kinds (kinds, as published), or one for each of the four entries
    /// of its truth table (table), which takes a quarter of the memory.
    pub parameters: Parameters,
    /// Which neighbours the perception kernels pass on at first. With alike (as published) all kernels pass on the same one
    /// or two, so information travels in one or two directions until training changes that. With around they pass on
    /// different neighbours, in all directions.
    #[serde(rename = "looks")]
    pub initial_kernels: InitialKernels,
    /// Every gate starts as a plain wire. This is the initial logit of that kind: the higher, the closer its probability is
    /// to 1.
    #[schemars(range(min = 0.0, max = 20.0))]
    pub certainty: f64,
    /// Standard deviation of the noise on the initial logits. Without noise, kinds with equal gradients stay equal for ever.
    #[schemars(range(min = 0.0, max = 5.0))]
    pub scatter: f64,
    /// Grids in a batch.
    #[schemars(range(min = 1, max = 64), extend("x-unit" = "grids", "x-log" = true))]
    pub batch: u32,
    /// Steps of the automaton from the initial state to the state that is compared with the target.
    #[schemars(range(min = 1, max = 64), extend("x-unit" = "steps"))]
    pub steps: u32,
    /// The probability that a cell updates in a step; otherwise it keeps its state. Only for async.
    #[schemars(range(min = 0.05, max = 1.0), extend("x-live" = true))]
    pub fire_rate: f64,
    /// Learning rate of AdamW.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true, "x-log" = true))]
    pub learning_rate: f64,
    /// Adam's beta 1: the decay of the average gradient. The higher, the longer it remembers.
    #[schemars(range(min = 0.0, max = 0.999), extend("x-live" = true))]
    pub beta_1: f64,
    /// Adam's beta 2: the decay of the average squared gradient.
    #[schemars(range(min = 0.0, max = 0.9999), extend("x-live" = true))]
    pub beta_2: f64,
    /// Weight decay of AdamW: pulls all logits towards zero.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub weight_decay: f64,
    /// Every component of the gradient is clipped to this absolute value.
    #[schemars(range(min = 0.0001, max = 1000.0), extend("x-live" = true, "x-log" = true))]
    pub clip: f64,
    /// Fraction of the gates that are hard during an epoch, chosen at random each time (quantization noise): each is replaced
    /// by its most likely kind. The soft gates learn to work with gates as they will be in the final circuit.
    #[serde(rename = "decided")]
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub discretised_fraction: f64,
    /// How fast the fraction of soft gates shrinks while the soft error is small: by this fraction per epoch. 0 keeps it.
    #[serde(rename = "settle")]
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub settle_rate: f64,
    /// The fraction of soft gates shrinks while the soft error (averaged over about twenty epochs) is below this, and grows
    /// back while it is above.
    #[schemars(range(min = 0.000_001, max = 1.0), extend("x-live" = true, "x-log" = true))]
    pub settle_below: f64,
    /// Local search: how many changes of single gates are tried after an epoch, once few cells are wrong. A change is kept
    /// if fewer cells are wrong with it. 0 turns local search off.
    #[serde(rename = "mend")]
    #[schemars(range(min = 0, max = 1000), extend("x-live" = true, "x-unit" = "changes"))]
    pub local_search_tries: u32,
    /// The run restarts with fresh gates and wires after this many epochs in which neither the hard error halved nor a proof
    /// held. Success depends on the random start, and a bad start shows early. 0 turns restarts off.
    #[serde(rename = "anew_after")]
    #[schemars(range(min = 0, max = 100_000), extend("x-live" = true, "x-unit" = "epochs"))]
    pub restart_after: u32,
    /// Epochs per iteration.
    #[schemars(range(min = 1, max = 1000), extend("x-live" = true, "x-unit" = "epochs", "x-log" = true))]
    pub epochs: u32,
    /// Iterations between two proofs of the hard circuit. 0 turns proofs off, and restarts too.
    #[schemars(range(min = 0, max = 10000), extend("x-live" = true, "x-unit" = "iterations"))]
    pub prove_every: u32,
    /// Proofs in a row that must hold for the run to reach its goal.
    #[serde(rename = "goal")]
    #[schemars(range(min = 1, max = 100), extend("x-unit" = "proofs"))]
    pub goal_proofs: u32,
}

impl Default for LogicConfig {
    fn default() -> Self {
        Self {
            experiment: Experiment::Checkerboard,
            parameters: Parameters::Kinds,
            initial_kernels: InitialKernels::AllDirections,
            certainty: 4.0,
            scatter: 0.0,
            batch: 2,
            steps: 20,
            fire_rate: 1.0,
            learning_rate: 0.1,
            beta_1: 0.9,
            beta_2: 0.99,
            weight_decay: 0.01,
            clip: 100.0,
            discretised_fraction: 0.25,
            settle_rate: 0.01,
            settle_below: 0.02,
            local_search_tries: 40,
            restart_after: 150,
            epochs: 5,
            prove_every: 1,
            goal_proofs: 3,
        }
    }
}

/// Options of an evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LogicEvalOptions {
    /// Number of random initial states. Only for the checkerboards: the pictures have one initial state, and the game of
    /// life is tested in all 512 neighbourhoods.
    #[schemars(range(min = 1, max = 10_000))]
    pub games: u32,
}

impl Default for LogicEvalOptions {
    fn default() -> Self {
        Self { games: 256 }
    }
}
