//! The protocol in which GNU Backgammon (gnubg) asks an external player for its decisions, as text. It is
//! version 2 of the interface in gnubg's `external.c`, `external_y.y` and `FIBSBoard` in `drawboard.c`.
//!
//! A request is a line, and so is its answer, except that to `version`, which has four; gnubg puts a zero
//! byte behind each line it sends. [`Request`] reads a line, [`Answer`] writes an answer. In a game only
//! boards are sent ([`FibsBoard`]). The board itself says what is asked, except for a resignation, which
//! follows it with the points that are offered (1 to 3):
//!
//! ```text
//! request                                  when                        answer
//! board:NAME:NAME:...                      a double awaits an answer   take, drop or beaver
//!                                          the dice are rolled         8/5 6/5*, or an empty line without a
//!                                                                      legal play
//!                                          otherwise                   double or roll
//! board:... resignation 1                  the side on roll resigns    accept or reject
//! evaluation fibsboard board:... cubeful   outside of a game           six numbers
//! version, help, set interface new or old, set debug on or off, exit, quit
//! ```
//!
//! Whatever cannot be answered is answered with a line that begins with `Error: `, by which gnubg recognises
//! it.

mod answer;
mod fibs_board;
mod request;

#[cfg(test)]
mod tests;

pub use answer::Answer;
pub use fibs_board::{FibsBoard, FibsBoardError};
pub use request::{BoardOptions, Evaluation, Request, RequestError, Setting};
