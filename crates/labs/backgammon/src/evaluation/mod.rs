//! Matches that measure the strength of a network, in points per game against an opponent.

mod luck;
mod matches;

pub use matches::{Choice, MAX_TURNS, Match, MatchScore, Player, Setup};
