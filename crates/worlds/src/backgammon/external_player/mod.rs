//! The text protocol by which GNU Backgammon (gnubg) asks an external player what to do in a game. It is
//! version 2 of the interface in gnubg's `external.c`, `external_y.y` and `FIBSBoard` in `drawboard.c`. gnubg
//! can be such a player too (its command `external`), which other programs ask for evaluations.
//!
//! A request is a line; gnubg puts a zero byte behind it. [`Request`] reads it, [`Answer`] writes the answer,
//! which is a line too. (Four lines answer `version`; `exit` and `quit` end the connection without an
//! answer.) In a game gnubg sends nothing but boards ([`FibsBoard`]); the other requests are those of other
//! programs.
//!
//! A board itself says what is asked, except for a resignation, whose kind other programs write behind it: 1
//! for a single game, 2 for a gammon, 3 for a backgammon. gnubg does not ask about one: it accepts or
//! declines in the player's place. Rules may stand behind the board too ([`BoardOptions`]).
//!
//! ```text
//! request                                  when                        answer
//! board:NAME:NAME:...                      a double awaits an answer   take, drop or beaver
//!                                          the dice are rolled         8/5 6/5*, or an empty line if no play
//!                                                                      is legal
//!                                          otherwise                   double or roll
//! board:... resignation 1                  the side on roll resigns    accept or reject
//! evaluation fibsboard board:... cubeful   at any time                 six numbers (`Answer::Evaluation`)
//! version, help, set interface new or old, set debug on or off, exit, quit
//! ```
//!
//! A request that is malformed or cannot be granted is answered with a line that begins with `Error: `, by
//! which gnubg recognises an error.

mod answer;
mod fibs_board;
mod request;

#[cfg(test)]
mod tests;

pub use answer::Answer;
pub use fibs_board::{FibsBoard, FibsBoardError};
pub use request::{BoardOptions, Evaluation, Request, RequestError, Setting};
