//! The rules of every environment and source of data: games, physics, puzzles, automata and texts. No learner, no
//! network and no shaped reward is known here.

pub mod backgammon;
pub mod control;
pub mod cube;
pub mod life;
pub mod text;
