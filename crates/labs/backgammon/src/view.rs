//! What the backgammon lab shows, and what a visitor may do.
//!
//! The board that is shown has two sides: 0, *south*, the lower one, which is the visitor's where one plays, and 1, *north*.
//! Boards, outlooks and equities are south's; what is said of a play is said from the side that makes it.

use learnery_lab::Floats;
use serde::{Deserialize, Serialize};

/// What a visitor may do.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub enum BackgammonCommand {
    /// Begin a new game.
    NewGame {
        /// Who plays it.
        players: Players,
    },
    /// Play the visitor's turn.
    Play {
        /// The turn that is meant.
        turn: u32,
        /// Its moves, a die each: from and to on south's places.
        steps: Vec<[u8; 2]>,
    },
    /// Take back one's last turn and whatever was answered.
    Undo,
    /// How long the agent's turn is left to be seen before it is played.
    Tempo {
        /// Seconds, at most 60; nothing moves by itself at 0.
        seconds: f64,
    },
    /// Play the agent's turn now, or begin the next game.
    Next,
    /// Bring a trained player, who can then be played against.
    Invite {
        /// A checkpoint of this lab, in base 64.
        checkpoint: String,
    },
}

/// Who sits at the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonPlayers"))]
pub enum Players {
    /// The learner on both sides.
    Watch,
    /// The visitor, and the learner as it is now.
    Learner,
    /// The visitor, and the player that was invited.
    Expert,
}

/// What the learner is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonPhase"))]
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
    /// A game apart from training.
    pub stage: Stage,
}

/// A game apart from training, in real time, to be watched or played.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonStage"))]
pub struct Stage {
    /// Who plays.
    pub players: Players,
    /// Which game it is.
    pub game: u32,
    /// Turns that have been played in it.
    pub turn: u32,
    /// Checkers before the throw is played, south's counting up and north's down, on south's places: 1 to 24 points, 25
    /// south's bar, 0 north's.
    pub board: Vec<i8>,
    /// Whose turn it is.
    pub side: u8,
    /// The throw, the larger number first; zeros once the game is over.
    pub dice: [u8; 2],
    /// Whether the visitor is to move. A throw that cannot be played is passed by itself.
    pub awaits: bool,
    /// The ways through the visitor's turn, five numbers a step: node, from, to, whether it hits, next node. Node 0 is the
    /// board; a node that no step leaves is a finished turn.
    pub steps: Floats,
    /// The best plays, best first.
    pub candidates: Vec<Candidate>,
    /// How many plays there are.
    pub plays: u32,
    /// Simulations behind what is said of them; 0 where nothing was looked ahead.
    pub simulations: u32,
    /// South's chances if this throw is played best: to win, win a gammon, a backgammon, lose a gammon, a backgammon; and
    /// what they are worth in points.
    pub outlook: [f32; 6],
    /// A line a turn: the two dice, a space, the play in standard notation.
    pub record: String,
    /// The side that began.
    pub first: u8,
    /// What it was worth before every turn, and is now.
    pub equities: Floats,
    /// What every turn gave away against the best play, in points.
    pub costs: Floats,
    /// The last turn, where it can be shown; none at the begin and after one was taken back.
    pub last: Option<Played>,
    /// The visitor's last turn in this game, as it was judged when it was played.
    pub judged: Option<Judged>,
    /// Points of the game for south once it is over, else 0.
    pub result: i8,
    /// Points that south and north have won since they sat down.
    pub score: [u32; 2],
}

/// A play that could be made.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonCandidate"))]
pub struct Candidate {
    /// In the words of players.
    pub notation: String,
    /// Its moves in an order in which they can be made, three numbers each: from, to, whether it hits.
    pub moves: Vec<u8>,
    /// What it is worth, in points.
    pub equity: f32,
    /// Its chances, as in the outlook.
    pub outcomes: [f32; 5],
    /// Its share of the visits, where it was looked ahead.
    pub visits: f32,
}

/// A turn that was played.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonPlayed"))]
pub struct Played {
    /// Whose it was.
    pub side: u8,
    /// The throw.
    pub dice: [u8; 2],
    /// Its moves, as those of a candidate.
    pub moves: Vec<u8>,
}

/// What a turn of the visitor was worth.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonJudged"))]
pub struct Judged {
    /// Which turn of the game it was.
    pub turn: u32,
    /// What was played.
    pub played: String,
    /// What that was worth.
    pub equity: f32,
    /// The best play.
    pub best: String,
    /// What that would have been worth.
    pub best_equity: f32,
    /// Its moves, as those of a candidate.
    pub best_moves: Vec<u8>,
    /// What was given away.
    pub cost: f32,
    /// The place of what was played among all plays; 1 is the best.
    pub rank: u32,
    /// How many there were.
    pub of: u32,
}
