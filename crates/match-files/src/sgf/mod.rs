//! GNU Backgammon's files: the Smart Game Format (`.sgf`) for game 6, backgammon. A match is a sequence of
//! game trees, one for each game. White is player 0. Of the variations of a tree only the first one, the main
//! line, is read. `tree.rs` parses the syntax, `read.rs` plays the games, `analysis.rs` reads evaluations:
//!
//! ```text
//! (;GM[6]MI[length:5][ws:0][bs:0]PW[Ann]PB[Ben]RE[B+1]   a match to 5 points; Black wins 1 point
//! ;W[31hefe]                                             White rolls 3 1 and plays 8/5 6/5
//! ;B[double]
//! ;W[drop])
//! ```

mod analysis;
mod read;
mod tree;

pub use analysis::{Analysis, PlayAnalysis};

pub(super) use read::read;
