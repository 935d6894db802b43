//! The options of an evaluation (`learnery eval`). The doc comments are the help that users read.

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
    /// The opponent: a name, the file of another network, or GNU Backgammon, which plays without lookahead (gnubg) or looks
    /// 1 or 2 plies ahead.
    #[schemars(extend("x-input" = "opponent", "x-names" = ["random", "pubeval"]))]
    pub against: String,
    /// Whether the luck of every roll, measured by the network without lookahead, is subtracted from the result. The
    /// result that is expected stays the same, and the margin of error becomes smaller, but each game takes longer.
    pub luck: Luck,
}

impl Default for BackgammonEvalOptions {
    fn default() -> Self {
        Self { games: 1000, plies: 0, simulations: 0, against: "pubeval".into(), luck: Luck::Counted }
    }
}
