//! Backgammon.

pub mod az;
