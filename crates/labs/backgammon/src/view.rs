//! The data given to the page, and the commands of a user. The *stage* is the board on the page: a game apart
//! from training that the user watches or plays.
//!
//! This board has two sides: 0, *south*, the lower one, which the user plays, and 1, *north*. Boards,
//! outlooks and equities are seen from south; the value of a play belongs to the side that makes it. Equity
//! is the expected points of a game, from -3 to 3. Where there is a doubling cube, the equities of plays and
//! what they cost are in other units: 1 is a single game at the present value of the cube. What a match adds
//! is in [`crate::match_view`].

use learnery_lab::Floats;
use serde::{Deserialize, Serialize};

use crate::match_view::MatchView;

/// What a user may do.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(tag = "type"))]
pub enum BackgammonCommand {
    /// Begin a new game.
    NewGame {
        /// Who plays it.
        players: Players,
    },
    /// Play the user's turn.
    Play {
        /// Number of the turn in the game.
        turn: u32,
        /// The moves of the turn, one for each die that is played: from and to, as places of south.
        steps: Vec<[u8; 2]>,
    },
    /// Take back the last turn in which the user could move, and all turns after it.
    Undo,
    /// Set how long a turn of the agent is shown before it is played.
    Tempo {
        /// Seconds, at most 60; 0 holds the game.
        seconds: f64,
    },
    /// Let the agent play its turn or decide about the cube now, or begin the next game.
    Next,
    /// Begin a match or a money session with the doubling cube.
    NewMatch {
        /// Who plays it.
        players: Players,
        /// Points that win the match, at most 25; 0 for a money session.
        length: u8,
        /// For money, where the Jacoby rule is in use: who is doubled may turn the cube once more at once and
        /// keep it.
        beavers: bool,
    },
    /// Roll without doubling.
    Roll,
    /// Offer a double.
    Double,
    /// Take the agent's double.
    Take,
    /// Pass the agent's double.
    Pass,
    /// Take the agent's double, turn the cube once more and keep it.
    Beaver,
    /// Resign the game of a match, in the user's turn. The agent may decline.
    Resign {
        /// What is lost: 1 for a single game, 2 for a gammon, 3 for a backgammon.
        loss: u8,
    },
    /// Ask for the match so far as a file in the text format of Jellyfish (`.mat`), which the reply contains.
    Save,
    /// Begin a single game without the cube from a position.
    SetUp {
        /// Who plays it.
        players: Players,
        /// An XGID, whose lower player is south. Its dice are the first roll, if it has any.
        position: String,
    },
    /// Bring a trained player to play against.
    Invite {
        /// A checkpoint of this lab, the file that comes with the command.
        #[serde(skip_deserializing)]
        #[cfg_attr(feature = "bindings", ts(skip))]
        checkpoint: Vec<u8>,
    },
}

/// Who plays on the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonPlayers"))]
pub enum Players {
    /// The learner on both sides.
    Watch,
    /// The user and the learner as it is now.
    Learner,
    /// The user and the invited player.
    Expert,
}

/// The phase of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonPhase"))]
pub enum Phase {
    /// Self-play; with AlphaZero, learning too.
    SelfPlay,
    /// Updates of the network.
    Learning,
    /// Evaluation games against pubeval.
    Evaluating,
}

/// Everything the page draws.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct BackgammonView {
    pub phase: Phase,
    /// How much of the phase is done, 0 to 1.
    pub phase_fraction: f32,
    /// Self-play games that have ended since the run began, or since its last warm restart.
    pub games: f64,
    pub stage: StageView,
}

/// A game apart from training, in real time, to be watched or played.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonStage"))]
pub struct StageView {
    /// Who plays.
    pub players: Players,
    /// Number of the game.
    pub game: u32,
    /// Turns played in it.
    pub turn: u32,
    /// Checkers before the roll is played, south's positive and north's negative, by south's places: 1 to 24
    /// are points, 25 is south's bar, 0 is north's.
    pub board: Vec<i8>,
    /// The side whose turn it is.
    pub side: u8,
    /// The dice roll, the larger number first; zeros before the roll and once the game is over.
    pub dice: [u8; 2],
    /// Whether the user has a roll to play. A roll without a legal move is passed automatically; whether a
    /// decision about the cube is due stands in `match_play`.
    pub awaits: bool,
    /// The user's legal moves as a graph, five numbers an edge: node, from, to, whether it hits, next node.
    /// Node 0 is the board; a node without an edge is a complete turn.
    pub steps: Floats,
    /// The best plays, some of all that are legal, the best first.
    pub candidates: Vec<Candidate>,
    /// Number of legal plays.
    pub plays: u32,
    /// Simulations of the search so far; 0 if there is none.
    pub simulations: u32,
    /// South's probabilities if this roll is played best: to win, to win a gammon, a backgammon, to lose a
    /// gammon, a backgammon; and the equity in points.
    pub outlook: [f32; 6],
    /// A line for each turn: the two dice, a space, the play in standard notation.
    pub record: String,
    /// The side that began.
    pub first: u8,
    /// The position at the start of the game, as in `board`.
    pub start: Vec<i8>,
    /// South's equity before every turn, and now.
    pub equities: Floats,
    /// For every turn, how much worse the play was than the best play, in equity.
    pub costs: Floats,
    /// The last turn, to be animated; none at the start of a game and after an undo.
    pub last: Option<PlayedTurn>,
    /// The review of the user's last turn in this game, by the network as it was at that turn.
    pub review: Option<TurnReview>,
    /// Points of the game for south once it is over, without the cube, else 0.
    pub result: i8,
    /// Points that south (first) and north have won since these players began.
    pub score: [u32; 2],
    /// The match or the money session; none in single games without the cube.
    pub match_play: Option<MatchView>,
}

/// A legal play.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonCandidate"))]
pub struct Candidate {
    /// Standard notation.
    pub notation: String,
    /// Its moves in a legal order, three numbers each: from, to, whether it hits.
    pub moves: Vec<u8>,
    /// Its equity.
    pub equity: f32,
    /// Its outcome probabilities, as in the outlook.
    pub outcomes: [f32; 5],
    /// Its fraction of the search's visits.
    pub visits: f32,
}

/// A turn that was played.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonPlayed"))]
pub struct PlayedTurn {
    /// The side that played it.
    pub side: u8,
    /// The dice roll.
    pub dice: [u8; 2],
    /// Its moves, as those of a candidate.
    pub moves: Vec<u8>,
}

/// A turn of the user, compared with the best play.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonReview"))]
pub struct TurnReview {
    /// Number of the turn in the game.
    pub turn: u32,
    /// The play that was made.
    pub played: String,
    /// Its equity.
    pub equity: f32,
    /// The best play.
    pub best: String,
    /// The best play's equity.
    pub best_equity: f32,
    /// The best play's moves, as those of a candidate.
    pub best_moves: Vec<u8>,
    /// How much worse the play was than the best, in equity.
    pub cost: f32,
    /// Rank of the play among all legal plays; 1 is the best.
    pub rank: u32,
    /// Number of legal plays.
    pub of: u32,
}
