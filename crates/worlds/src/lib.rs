//! The rules of every world, and nothing else: no rewards shaped, no networks known.

pub mod backgammon;
pub mod control;
pub mod cube;
pub mod text;
