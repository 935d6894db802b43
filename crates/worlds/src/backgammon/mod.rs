//! Backgammon: the checkers and dice here, the doubling cube and matches in [`matches`], the protocol of GNU
//! Backgammon's external players in [`external_player`].
//!
//! A [`Board`] is always a position between two turns: nobody has rolled, and `own` are the checkers of the
//! side that rolls next. A *play* is a whole turn. It is represented by its afterstate: the board after the
//! turn, already seen from the opponent, who rolls next. [`Plays`] finds all plays of a roll. There is no
//! type for a position in the middle of a turn, nor for one seen from the side that has just played. So an
//! evaluation of a board always means the same moment and side.

mod bearoff;
mod board;
mod dice;
pub mod external_player;
#[cfg(test)]
mod golden;
mod match_id;
pub mod matches;
mod notation;
mod observation;
mod plays;
mod position_id;
#[cfg(test)]
mod reference;
mod turn_graph;
mod two_sided;
mod xgid;

#[cfg(test)]
mod tests;

pub use bearoff::{BearOff, TurnDistribution};
pub use board::{BAR, Board, BoardError, CHECKERS, POINTS, Win};
pub use dice::Dice;
pub use match_id::MatchId;
pub use notation::{Move, moves, notation};
pub use observation::{OBSERVATION_SIZE, observe};
pub use plays::{Plays, playable_moves};
pub use position_id::IdError;
pub use turn_graph::{TurnStep, turn_graph};
pub use two_sided::{BearOffEquities, TwoSidedBearOff};
pub use xgid::Xgid;
