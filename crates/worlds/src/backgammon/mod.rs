//! Backgammon without the cube: a turn at a time, seen from the side that is about to roll.
//!
//! A [`Board`] always stands at the boundary of a turn: nobody has rolled, and `own` are the checkers of the side
//! that will roll next. What a turn leads to ([`Plays`]) is such boards again, already seen from the other side.
//! There is no board in the middle of a turn and none seen from the side that has just played, so a value can be read
//! at no other moment and from no other side.

mod bearoff;
mod board;
mod dice;
#[cfg(test)]
mod golden;
mod match_id;
mod notation;
mod observation;
mod plays;
mod position_id;
#[cfg(test)]
mod reference;
mod turn_graph;
mod xgid;

#[cfg(test)]
mod tests;

pub use bearoff::{BearOff, Turns};
pub use board::{BAR, Board, BoardError, CHECKERS, POINTS, Win};
pub use dice::Dice;
pub use match_id::MatchId;
pub use notation::{Move, moves, notation};
pub use observation::{OBSERVATION_SIZE, observe};
pub use plays::{Plays, playable_moves};
pub use position_id::IdError;
pub use turn_graph::{TurnStep, turn_graph};
pub use xgid::Xgid;
