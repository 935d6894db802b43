//! The options of an evaluation (`learnery eval`). The doc comments are the help that users read.

use learnery_backgammon_play::players::{MAX_PLIES, MAX_SIMULATIONS};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What happens to the luck of the dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Luck {
    /// It counts: a game is worth the points that were won.
    Counted,
    /// It is subtracted from the points that were won.
    Subtracted,
}

// No doc comment here: it would become part of the help.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct BackgammonEvalOptions {
    /// Number of games. They are played in pairs with the same dice and the sides exchanged, so an odd number
    /// is rounded up.
    #[schemars(range(min = 1, max = 10_000_000), extend("x-unit" = "games"))]
    pub games: u64,
    /// Plies (dice rolls) of lookahead before each play; 0 values only the positions after the plays. An
    /// opponent that is a network has the same lookahead.
    #[schemars(range(min = 0, max = MAX_PLIES))]
    pub plies: u8,
    /// Simulations of a tree search before each play; none with 0. Cannot be combined with plies. An opponent
    /// that is a network has no tree search.
    #[schemars(range(min = 0, max = MAX_SIMULATIONS))]
    pub simulations: u32,
    /// The opponent: random (random plays), pubeval, GNU Backgammon without lookahead (gnubg) or with 1 or 2
    /// plies of it (gnubg-1ply, gnubg-2ply), or the file of another network.
    #[schemars(extend("x-input" = "opponent", "x-names" = ["random", "pubeval"]))]
    pub against: String,
    /// Whether the luck of every roll, measured by the network without lookahead, is subtracted from the
    /// result. The result that is expected stays the same, and the margin of error becomes smaller, but each
    /// game takes longer.
    pub luck: Luck,
}

impl Default for BackgammonEvalOptions {
    fn default() -> Self {
        Self { games: 1000, plies: 0, simulations: 0, against: "pubeval".into(), luck: Luck::Counted }
    }
}
