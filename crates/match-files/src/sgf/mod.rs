//! GNU Backgammon's files: the Smart Game Format (`.sgf`) for game 6, backgammon. A match is a sequence of
//! game trees, one for each game. White is player 0. Of the variations of a tree only the first one, the main
//! line, is read.

mod analysis;
mod read;
mod tree;

pub use analysis::{Analysis, PlayAnalysis};

pub(super) use read::read;
