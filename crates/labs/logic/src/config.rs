//! The dials of the logic lab. What follows from the choice of an experiment alone, its grid and its circuits, is in
//! [`Experiment::setup`].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::experiment::Experiment;

/// By what numbers an undecided gate is described.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "LogicParameters"))]
pub enum Parameters {
    /// One for each of the sixteen kinds of gates, as published.
    Kinds,
    /// One for each of the four lines of its truth table.
    Table,
}

/// Which neighbours the kernels hand on at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "LogicLooks"))]
pub enum Looks {
    /// All of them the same ones, as their wires have it by chance; as published.
    Alike,
    /// Each of them others, so that from the beginning news comes from all sides.
    Around,
}

/// Settings of the learner and of its judge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LogicConfig {
    /// What is to be grown: the rule of the game of life, a checkerboard, the same where cells act when they like (async), a
    /// figure out of one cell, or a coloured letter out of nothing.
    pub experiment: Experiment,
    /// What is learned of a gate: a number for each of its sixteen kinds, or one for each of the four lines of its truth
    /// table (table), which is a quarter of the memory.
    pub parameters: Parameters,
    /// Where the kernels look at first: all at the same neighbours (alike, as published), so that news travels one way or two
    /// until they have learned to look elsewhere, or to all sides (around).
    pub looks: Looks,
    /// How sure each gate is at first that it hands on its first input.
    #[schemars(range(min = 0.0, max = 20.0))]
    pub certainty: f64,
    /// How far apart the kinds of a gate stand at first (the spread of random numbers): what is exactly alike learns exactly
    /// alike, and would never be decided.
    #[schemars(range(min = 0.0, max = 5.0))]
    pub scatter: f64,
    /// Grids that are grown side by side and learned from together.
    #[schemars(range(min = 1, max = 64), extend("x-unit" = "grids", "x-log" = true))]
    pub batch: u32,
    /// Steps from the start to what is judged.
    #[schemars(range(min = 1, max = 64), extend("x-unit" = "steps"))]
    pub steps: u32,
    /// How often a cell acts; the others stay as they are for the step. For async.
    #[schemars(range(min = 0.05, max = 1.0), extend("x-live" = true))]
    pub fire_rate: f64,
    /// How far each update moves what is learned (AdamW).
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true, "x-log" = true))]
    pub learning_rate: f64,
    /// How fast Adam forgets old gradients; the square of a gradient is forgotten more slowly, as below.
    #[schemars(range(min = 0.0, max = 0.999), extend("x-live" = true))]
    pub beta_1: f64,
    /// How slowly the squares of gradients are forgotten.
    #[schemars(range(min = 0.0, max = 0.9999), extend("x-live" = true))]
    pub beta_2: f64,
    /// How much of what is learned goes in each update, times the learning rate.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub weight_decay: f64,
    /// Most that any number of a gradient may be.
    #[schemars(range(min = 0.0001, max = 1000.0), extend("x-live" = true, "x-log" = true))]
    pub clip: f64,
    /// Share of the gates that are decided in an epoch, drawn anew for each: the others learn to do with gates as they will be
    /// in the end (quantisation noise).
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub decided: f64,
    /// How fast the others become fewer while the soft error is small: by this share in each epoch; 0 for not at all.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub settle: f64,
    /// They become fewer while the soft error, its mean over twenty epochs or so, is below this, and more again above.
    #[schemars(range(min = 0.000_001, max = 1.0), extend("x-live" = true, "x-log" = true))]
    pub settle_below: f64,
    /// Changes of single gates that are tried after an epoch while few cells are wrong with every gate decided; those that
    /// leave fewer wrong are kept. 0 for none.
    #[schemars(range(min = 0, max = 1000), extend("x-live" = true, "x-unit" = "changes"))]
    pub mend: u32,
    /// Epochs of getting nowhere after which it begins anew with fresh gates and wires, neither the hard error having halved nor
    /// a proof having held; 0 for never. Whether gates come right is luck too, and bad luck shows early.
    #[schemars(range(min = 0, max = 100_000), extend("x-live" = true, "x-unit" = "epochs"))]
    pub anew_after: u32,
    /// Epochs in an iteration.
    #[schemars(range(min = 1, max = 1000), extend("x-live" = true, "x-unit" = "epochs", "x-log" = true))]
    pub epochs: u32,
    /// The decided circuit is put to the proof every so many iterations; 0 for never.
    #[schemars(range(min = 0, max = 10000), extend("x-live" = true, "x-unit" = "iterations"))]
    pub prove_every: u32,
    /// So many proofs one after the other must hold.
    #[schemars(range(min = 1, max = 100), extend("x-unit" = "proofs"))]
    pub goal: u32,
}

impl Default for LogicConfig {
    fn default() -> Self {
        Self {
            experiment: Experiment::Checkerboard,
            parameters: Parameters::Kinds,
            looks: Looks::Around,
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
            decided: 0.25,
            settle: 0.01,
            settle_below: 0.02,
            mend: 40,
            anew_after: 150,
            epochs: 5,
            prove_every: 1,
            goal: 3,
        }
    }
}
