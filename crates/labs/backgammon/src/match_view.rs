//! The match or the money session on the stage, as the page draws it. Sides: 0 is south, the user, and 1
//! north.

use serde::Serialize;

/// A match or a money session.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonMatch"))]
pub struct MatchView {
    /// Points that win the match; 0 for a money session.
    pub length: u8,
    /// Whether beavers are allowed. (Money sessions are always played with the Jacoby rule: gammons count
    /// only once the cube is turned.)
    pub beavers: bool,
    /// Whether this is the Crawford game, in which nobody may double.
    pub crawford: bool,
    /// The value of the cube; in a finished game, its last one.
    pub cube: u32,
    /// The side that owns the cube; none while it is in the middle.
    pub owner: Option<u8>,
    /// What happens next.
    pub step: MatchStep,
    /// The side that acts next.
    pub actor: u8,
    /// Points that a finished game gave its winner, with the cube and gammons; 0 while it goes on.
    pub points: u32,
    /// Whether the game ended with a pass.
    pub passed: bool,
    /// Whether the game ended with a resignation of the user.
    pub resigned: bool,
    /// The side that has won the match.
    pub winner: Option<u8>,
    /// The user's last cube decision in this game. It appears as soon as it is judged.
    pub cube_review: Option<CubeReview>,
}

/// What happens next in a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonMatchStep"))]
pub enum MatchStep {
    /// The dice are rolled, and the actor chooses a play.
    Play,
    /// The actor, who is on roll, doubles or rolls.
    DoubleOrRoll,
    /// The actor answers a double.
    Answer,
    /// The next game begins.
    NextGame,
    /// The match is over.
    Over,
}

/// What a side can do with the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonCubeChoice"))]
pub enum CubeChoice {
    /// Rolls without doubling.
    Roll,
    /// Doubles.
    Double,
    /// Takes a double: the game goes on at twice the stakes, and the taker owns the cube.
    Take,
    /// Passes a double: the game is lost at the stakes before it.
    Pass,
    /// Takes, turns the cube once more and keeps it.
    Beaver,
}

/// A cube decision of the user, compared with the best one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonCubeReview"))]
pub struct CubeReview {
    /// What the user did.
    pub chosen: CubeChoice,
    /// What is best.
    pub best: CubeChoice,
    /// The error of the decision: equity given away, where 1 is a single game at the value of the cube before
    /// it.
    pub cost: f32,
}
