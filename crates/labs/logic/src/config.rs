//! The settings of the logic lab. The size of the grid and of the circuits depends on the experiment alone; it
//! is in [`crate::experiment::Setup`].

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

/// The neighbours that the perception kernels (the circuits that read a cell's neighbourhood) pass on
/// initially.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "LogicLooks"))]
pub enum InitialKernels {
    /// All kernels have the same wiring and pass on the same neighbours, as published.
    #[serde(rename = "alike")]
    Identical,
    /// Kernels pass on different neighbours, so that information travels in all directions from the
    /// beginning.
    #[serde(rename = "around")]
    AllDirections,
}

/// The maximum of [`LogicConfig::epochs`]. The buffers of a GPU have this size, and it bounds the counters of
/// a checkpoint.
pub const MAX_EPOCHS_PER_UNIT: u32 = 1000;

/// Settings of training and evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LogicConfig {
    /// The task: the rule of the game of life, a checkerboard, a checkerboard whose cells act at random times
    /// (async), a figure that grows from one cell, or a coloured letter that grows from an empty grid.
    #[schemars(extend("x-group" = "acting"))]
    pub experiment: Experiment,
    /// Numbers that are learned for each gate: one for each of the sixteen kinds, the functions of two bits
    /// (kinds, as published), or one for each of the four lines of its truth table (table), which takes a
    /// quarter of the memory.
    #[schemars(extend("x-group" = "network"))]
    pub parameters: Parameters,
    /// Initial perception: which neighbours a cell sees at first. With alike (as published) it sees the same
    /// one or two neighbours everywhere in its circuit, so signals travel in one or two directions until
    /// training changes that; with around they travel in all directions.
    #[schemars(extend("x-title" = "initial perception"))]
    #[serde(rename = "looks")]
    #[schemars(extend("x-group" = "network"))]
    pub initial_kernels: InitialKernels,
    /// How certain each gate is at first to be a plain wire (the initial logit of this kind). Up: starts from
    /// a clearer circuit, but gates change later. Down: gates change sooner, but signals blur on their way.
    #[schemars(extend("x-title" = "initial wire logit"))]
    #[schemars(range(min = 0.0, max = 20.0))]
    #[schemars(extend("x-group" = "network"))]
    #[serde(rename = "certainty")]
    pub initial_wire_logit: f64,
    /// Initial noise: how much the first mixtures differ by chance (standard deviation of the logits). Up:
    /// gates start more differently. Down: gates start more alike; at 0, functions with equal gradients stay
    /// equal for ever.
    #[schemars(extend("x-title" = "initial noise"))]
    #[schemars(range(min = 0.0, max = 5.0))]
    #[schemars(extend("x-group" = "network"))]
    #[serde(rename = "scatter")]
    pub initial_noise: f64,
    /// Batch size: grids in each update. Up: the soft error falls more smoothly, but iterations take longer.
    /// Down: iterations are quicker, but the soft error jumps more.
    #[schemars(range(min = 1, max = 64), extend("x-unit" = "grids", "x-log" = true))]
    #[schemars(extend("x-group" = "learning", "x-main" = true))]
    pub batch: u32,
    /// Steps of the cells from their start to the comparison with the target. Up: signals can cross more of
    /// the grid, but iterations take longer. Down: iterations are quicker, but signals may not arrive, so
    /// cells stay wrong.
    #[schemars(range(min = 1, max = 64), extend("x-unit" = "steps"))]
    #[schemars(extend("x-group" = "acting", "x-main" = true))]
    pub steps: u32,
    /// Fire rate: the probability that a cell takes part in a step; otherwise it keeps its state. Up: more
    /// cells change at the same time. Down: fewer do, in a more random order, which is harder to learn.
    #[schemars(range(min = 0.05, max = 1.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "acting", "x-applies" = {"experiment": ["async"]}))]
    pub fire_rate: f64,
    /// Learning rate of AdamW: how far each update moves the shares of the functions in a gate.
    /// Up: gates change faster. Down: gates change more slowly; at 0 nothing is learned.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true, "x-log" = true))]
    #[schemars(extend("x-group" = "learning", "x-main" = true))]
    pub learning_rate: f64,
    /// Adam's beta 1: decay of the average gradient. Up: averages over more updates, which is smoother. Down:
    /// follows the latest gradient.
    #[schemars(range(min = 0.0, max = 0.999), extend("x-live" = true))]
    #[schemars(extend("x-group" = "learning"))]
    pub beta_1: f64,
    /// Adam's beta 2: decay of the average squared gradient, which sets the size of updates. Up: averages
    /// over more updates, so sizes change slowly. Down: sizes follow the latest gradients.
    #[schemars(range(min = 0.0, max = 0.9999), extend("x-live" = true))]
    #[schemars(extend("x-group" = "learning"))]
    pub beta_2: f64,
    /// Weight decay: pulls every gate back towards an even mixture of all functions. Up: gates change their
    /// function more easily, but too much undoes learning, and the soft error rises. Down: gates keep the
    /// function that they have.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "learning"))]
    pub weight_decay: f64,
    /// Gradient clipping: every component of the gradient is limited to this absolute value. Up: large
    /// gradients pass, which may be unstable. Down: makes the largest updates smaller.
    #[schemars(extend("x-title" = "gradient clipping"))]
    #[schemars(range(min = 0.0001, max = 1000.0), extend("x-live" = true, "x-log" = true))]
    #[schemars(extend("x-group" = "learning"))]
    pub clip: f64,
    /// Quantization noise: share of the gates that are hard in an update, chosen at random each time, so that
    /// the soft gates learn to work with hard ones. Up: soft and hard error stay closer, but fall more
    /// slowly. Down: the soft error falls faster, but the hard error may stay high.
    #[schemars(extend("x-title" = "quantization noise"))]
    #[serde(rename = "decided")]
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "learning", "x-main" = true))]
    pub discretised_fraction: f64,
    /// Hardening rate: with each update the share of soft gates is divided by 1 plus this while the soft
    /// error is small; while it is not, the share is multiplied by 1 plus this. Up: gates become hard and
    /// soft again sooner. Down: they become so later; at 0 never.
    #[schemars(extend("x-title" = "hardening rate"))]
    #[serde(rename = "settle")]
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "learning"))]
    pub hardening_rate: f64,
    /// Hardening threshold: gates become hard while the soft error (averaged over about twenty updates) is
    /// below this, and soft again while it is above. Up: gates become hard sooner, perhaps too soon. Down:
    /// waits for a smaller soft error.
    #[schemars(extend("x-title" = "hardening threshold"))]
    #[schemars(range(min = 0.000_001, max = 1.0), extend("x-live" = true, "x-log" = true))]
    #[schemars(extend("x-group" = "learning"))]
    #[serde(rename = "settle_below")]
    pub hardening_threshold: f64,
    /// Local search (hill climbing): changes of single gates that are tried after an update, once few cells
    /// are wrong; 0 turns it off. A change is kept if fewer cells are wrong with it. Up: finds more repairs,
    /// but iterations take longer. Down: iterations are quicker, but the last wrong cells may stay.
    #[schemars(extend("x-title" = "local search"))]
    #[serde(rename = "mend")]
    #[schemars(range(min = 0, max = 1000), extend("x-live" = true, "x-unit" = "changes"))]
    #[schemars(extend("x-group" = "learning", "x-main" = true))]
    pub local_search_tries: u32,
    /// Random restarts: training begins again with new gates and wires after this many updates in which
    /// neither the hard error halved nor a test was perfect; 0 turns restarts off. A bad start shows early.
    /// Up: waits longer before it begins again. Down: begins again sooner.
    #[schemars(extend("x-title" = "restart after"))]
    #[serde(rename = "anew_after")]
    #[schemars(range(min = 0, max = 100_000), extend("x-live" = true, "x-unit" = "updates"))]
    #[schemars(extend("x-group" = "learning", "x-main" = true))]
    pub restart_after: u32,
    /// Updates in each iteration. Up: longer iterations, so the numbers on the page change less often. Down:
    /// shorter iterations, so they change more often.
    #[schemars(extend("x-title" = "updates per iteration"))]
    #[schemars(range(min = 1, max = MAX_EPOCHS_PER_UNIT), extend("x-live" = true, "x-unit" = "updates", "x-log" = true))]
    #[schemars(extend("x-group" = "learning"))]
    pub epochs: u32,
    /// Iterations between two tests (evaluations) of the hard gates; 0 turns tests off, and restarts too. Up:
    /// training is faster, but success is found later. Down: success is found sooner, but training is slower.
    #[schemars(extend("x-title" = "eval every"))]
    #[schemars(range(min = 0, max = 10000), extend("x-live" = true, "x-unit" = "iterations"))]
    #[schemars(extend("x-group" = "measuring"))]
    #[serde(rename = "prove_every")]
    pub eval_every: u32,
    /// Goal: how many tests in a row must have no wrong cell. Up: success is more certain. Down: success is
    /// easier to reach.
    #[serde(rename = "goal")]
    #[schemars(range(min = 1, max = 100), extend("x-unit" = "tests"))]
    #[schemars(extend("x-group" = "measuring"))]
    pub goal_evaluations: u32,
}

impl Default for LogicConfig {
    fn default() -> Self {
        Self {
            experiment: Experiment::Checkerboard,
            parameters: Parameters::Kinds,
            initial_kernels: InitialKernels::AllDirections,
            initial_wire_logit: 4.0,
            initial_noise: 0.0,
            batch: 2,
            steps: 20,
            fire_rate: 1.0,
            learning_rate: 0.1,
            beta_1: 0.9,
            beta_2: 0.99,
            weight_decay: 0.01,
            clip: 100.0,
            discretised_fraction: 0.25,
            hardening_rate: 0.01,
            hardening_threshold: 0.02,
            local_search_tries: 40,
            restart_after: 150,
            epochs: 5,
            eval_every: 1,
            goal_evaluations: 3,
        }
    }
}
