//! The options of an evaluation (`learnery eval`). The doc comments are the help that users read.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

// No doc comment here: it would become part of the help.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct BackgammonEvalOptions {
    /// Games to play. They come in pairs with the same dice.
    #[schemars(range(min = 1, max = 10_000_000), extend("x-unit" = "games"))]
    pub games: u64,
    /// Dice rolls that the network looks ahead before it plays.
    #[schemars(range(min = 0, max = 2))]
    pub plies: u8,
    /// Simulations of a tree search before each play, in place of lookahead; 0 plays without a search. A network that is
    /// the opponent does not search.
    #[schemars(range(min = 0, max = 100_000))]
    pub simulations: u32,
    /// The opponent: a name, gnubg, or the file of another network.
    #[schemars(extend("x-input" = "opponent", "x-names" = ["random", "pubeval"]))]
    pub against: String,
}

impl Default for BackgammonEvalOptions {
    fn default() -> Self {
        Self { games: 1000, plies: 0, simulations: 0, against: "pubeval".into() }
    }
}
