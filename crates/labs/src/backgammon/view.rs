//! What the backgammon lab shows, and what a visitor may do.
//!
//! The board that is shown has a lower player, who is the visitor where one plays, and an upper one. Chances and points are
//! the lower player's unless something else is said.

use learnery_lab::Floats;
use serde::{Deserialize, Serialize};

/// What a visitor may do.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub enum BackgammonCommand {
    /// Begin a new game.
    NewGame {
        /// Whether the visitor plays the lower side; else it plays against itself.
        play: bool,
    },
    /// Throw the dice.
    Roll,
    /// Make a play.
    Play {
        /// The position it leads to, as one of `plays` says.
        to: String,
    },
    /// Take back one's last play and whatever was answered.
    Undo,
}

/// What the learner is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub enum Phase {
    /// Playing against itself.
    Playing,
    /// Learning from what it played.
    Learning,
    /// Being measured against pubeval.
    Measured,
}

/// What can be drawn now.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct BackgammonView {
    /// What the learner is busy with.
    pub phase: Phase,
    /// How much of the phase is done, 0 to 1.
    pub phase_share: f32,
    /// Games it has played against itself.
    pub games: f64,
    /// A board apart from training.
    pub table: Table,
}

/// A game that can be watched or played.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Table {
    /// Whether a visitor plays the lower side.
    pub visitor: bool,
    /// Which game it is.
    pub game: u32,
    /// Changes with everything but the chances: what was drawn before is drawn again only if this is another.
    pub version: u32,
    /// The lower player's checkers on its places: off, points 1 to 24, bar.
    pub lower: [u8; 26],
    /// The upper player's checkers on its own places.
    pub upper: [u8; 26],
    /// Pips to go, lower and upper.
    pub pips: [u32; 2],
    /// Whether it is the lower player's turn.
    pub lower_turn: bool,
    /// The throw that is to be played, the larger number first; none before it.
    pub dice: Option<[u8; 2]>,
    /// The position at the beginning of the turn, seen from the side whose turn it is.
    pub position: String,
    /// What the lower player has won, in points, once the game is over.
    pub won: Option<i32>,
    /// The lower player's chances: to win, win a gammon, a backgammon, lose a gammon, a backgammon.
    pub chances: [f32; 5],
    /// What they are worth in points.
    pub equity: f32,
    /// Every play of the throw for whoever's turn it is, best first.
    pub plays: Vec<Candidate>,
    /// The turns so far.
    pub turns: Vec<Turn>,
    /// What the position was thought worth to the lower player at the beginning and after every turn.
    pub equities: Floats,
    /// What the lower player's plays have cost it in all, in points.
    pub lower_cost: f32,
    /// What the upper player's have cost.
    pub upper_cost: f32,
}

/// A play that could be made.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Candidate {
    /// The position it leads to, seen from the other side.
    pub to: String,
    /// In the words of players.
    pub notation: String,
    /// Its moves in an order in which they can be made: from, to, whether something is hit; on the places of whoever's
    /// turn it is.
    pub moves: Vec<[u8; 3]>,
    /// What it is worth to whoever makes it, in points.
    pub equity: f32,
    /// Whoever makes it has these chances.
    pub chances: [f32; 5],
}

/// A turn that was played.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Turn {
    /// Whether it was the lower player's.
    pub lower: bool,
    /// The throw.
    pub dice: [u8; 2],
    /// The play.
    pub notation: String,
    /// The play that was thought best, where it was another.
    pub best: Option<String>,
    /// How much worse it was than the best, as the player of that time thought.
    pub cost: f32,
}
