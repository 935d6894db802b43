//! Plays and judges backgammon with anything that values positions ([`Evaluator`]), such as a trained
//! network. The crate knows no learner.
//!
//! Terms: a *play* is a complete turn, represented by its *afterstate*: the board it leads to, seen from the
//! side that rolls next. A *move* is the movement of one checker. A value belongs to the side that rolls
//! next ([`outcomes`]). After a play that is the opponent, so the best play is the one with the lowest value.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // These float methods differ between platforms.

pub mod analysis;
pub mod cube;
mod evaluator;
mod external_player;
pub mod game;
pub mod outcomes;
mod played_match;
pub mod players;
mod position_lines;
mod purpose;
pub mod rollout;
#[cfg(test)]
mod test_evaluator;
mod worth;

pub use evaluator::Evaluator;
pub use external_player::ExternalPlayer;
pub use learnery_worlds::backgammon::external_player::BoardOptions;
pub use played_match::PlayedMatch;
pub use position_lines::{BestPlay, LegalPlays, Oracle, RankOptions, RankedPlay, plays, position_and_dice};
pub use worth::Worth;
