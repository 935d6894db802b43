//! Matches, money sessions and the doubling cube. [`Stakes`] are what a game is played for, seen from the
//! side on roll; [`Session`] is a match or a money session of two players, game after game.

mod session;
mod stakes;

pub use session::{Answer, GameResult, Illegal, Rules, Session};
pub use stakes::{CubeOwner, LONGEST_MATCH, MAX_CUBE_LOG, NextGame, NoDouble, Scoring, Stakes, StakesError};
