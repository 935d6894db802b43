//! The rules of the built-in environments and sources of data: backgammon, classic control, the 2x2x2 cube,
//! twisty puzzles such as the 3x3x3 cube, Conway's game of life, and text. The crate contains no learner, no
//! network and no shaped reward. Worlds that users write are in `world-rules`.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // Their last bits differ between platforms.

pub mod backgammon;
pub mod control;
pub mod cube;
pub mod life;
pub mod puzzle;
pub mod text;
