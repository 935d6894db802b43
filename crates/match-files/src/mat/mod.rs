//! The text format of Jellyfish, GNU Backgammon and eXtreme Gammon (`.mat`, `.txt`). Nobody has specified it.
//! A file has optional tags (`; [EventDate "2026.11.22"]`), a line `7 point match`, and games: `Game 1`, a
//! line with both names and scores, then rows of two columns, one for each player:
//!
//! ```text
//!  Game 1
//!  Anna : 0                       Ben : 0
//!   1)                             52: 13/8 24/22
//!   2) 55: 8/3* 8/3 6/1* 6/1       62: 25/23
//!   3)  Doubles => 2                Drops
//!       Wins 1 point
//! ```
//!
//! Lines that begin with `;` or `#` are comments. `read.rs` goes through the lines, with `headings.rs` for
//! those outside of rows, `cells.rs` for rows and `play_text.rs` for plays; `replay.rs` plays what they say,
//! and `write.rs` writes the format.

mod cells;
mod headings;
mod play_text;
mod read;
mod replay;
mod write;

pub use write::{Annotation, write_mat};

pub(super) use play_text::choose_play;
pub(super) use read::read;
