//! Answers to the requests of GNU Backgammon (gnubg; see [`super::Request`]), in the words of its own
//! external player.

use std::fmt;

use super::super::notation::Move;

/// An answer. Its text, from `Display`, is one line without an end; only [`Answer::Version`] has more lines.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// No double: the side on roll rolls.
    Roll,
    Double,
    Take,
    Drop,
    /// Takes, turns the cube once more and keeps it.
    Beaver,
    /// The resignation is accepted.
    Accept,
    Reject,
    /// A play, move by move; without a move if none is legal.
    Play(Vec<Move>),
    /// Chances of the side on roll to win, to win a gammon or more, to win a backgammon, to lose a gammon or
    /// more, to lose a backgammon; then, for money, the equity for a cube of 1, in a match the chance to win
    /// the match.
    Evaluation([f64; 6]),
    /// Four lines: the versions of the protocol and of its boards, the name of what decides, and its version.
    Version {
        engine: &'static str,
        software: &'static str,
    },
    /// Confirms `set interface new` or `old`.
    Interface {
        new: bool,
    },
    /// Answers `set debug`: there is no debug output here.
    DebugOff,
    /// Answers `help`.
    NoHelp,
    /// Why there is no other answer; one sentence.
    Error(String),
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Roll => f.write_str("roll"),
            Self::Double => f.write_str("double"),
            Self::Take => f.write_str("take"),
            Self::Drop => f.write_str("drop"),
            Self::Beaver => f.write_str("beaver"),
            Self::Accept => f.write_str("accept"),
            Self::Reject => f.write_str("reject"),
            Self::Play(moves) => {
                for (i, each) in moves.iter().enumerate() {
                    let blank = if i == 0 { "" } else { " " };
                    write!(f, "{blank}{}/{}", Place(each.from), Place(each.to))?;
                    if each.hit {
                        f.write_str("*")?;
                    }
                }
                Ok(())
            }
            Self::Evaluation(numbers) => {
                let [win, gammon, backgammon, lost_gammon, lost_backgammon, value] = numbers;
                write!(
                    f,
                    "{win:.6} {gammon:.6} {backgammon:.6} {lost_gammon:.6} {lost_backgammon:.6} {value:.6}"
                )
            }
            Self::Version { engine, software } => {
                write!(f, "Interface: 2\nRFBF: 0\nEngine: {engine}\nSoftware: {software}")
            }
            Self::Interface { new } => write!(f, "New interface {}", if *new { "ON" } else { "OFF" }),
            Self::DebugOff => f.write_str("Debug output OFF"),
            Self::NoHelp => f.write_str("\tNo help information available"),
            Self::Error(sentence) => write!(f, "Error: {sentence}"),
        }
    }
}

/// A place in words, as in [`super::super::notation`].
struct Place(u8);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.0 {
            0 => f.write_str("off"),
            25 => f.write_str("bar"),
            point => point.fmt(f),
        }
    }
}
