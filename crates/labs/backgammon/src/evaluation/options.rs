//! The options of an evaluation (`learnery eval`). The doc comments are the help that users read.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::players::{MAX_PLIES, MAX_SIMULATIONS};

// No doc comment here: it would become part of the help.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct BackgammonEvalOptions {
    /// Number of games. They are played in pairs with the same dice and the seats swapped, so an odd number is rounded up.
    #[schemars(range(min = 1, max = 10_000_000), extend("x-unit" = "games"))]
    pub games: u64,
    /// Plies (dice rolls) of lookahead before each play; 0 values only the positions after the plays. An opponent that is a
    /// network has the same lookahead.
    #[schemars(range(min = 0, max = MAX_PLIES))]
    pub plies: u8,
    /// Simulations of a tree search before each play; none with 0. Cannot be combined with plies. An opponent that is a
    /// network has no tree search.
    #[schemars(range(min = 0, max = MAX_SIMULATIONS))]
    pub simulations: u32,
    /// The opponent: random (random plays), pubeval, gnubg (GNU Backgammon, which must be installed), or the file of another
    /// network.
    #[schemars(extend("x-input" = "opponent", "x-names" = ["random", "pubeval"]))]
    pub against: String,
}

impl Default for BackgammonEvalOptions {
    fn default() -> Self {
        Self { games: 1000, plies: 0, simulations: 0, against: "pubeval".into() }
    }
}
