//! Parser of eXtreme Gammon's position IDs: `XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10`.
//!
//! Fields are separated by colons. eXtreme Gammon draws one player at the bottom of the board ("lower") and one at the
//! top ("upper").
//!
//! ```text
//! 1  26 characters in the lower player's numbering: the upper player's bar, points 1 to 24, the lower player's bar;
//!    A to O are 1 to 15 checkers of the lower player, a to o of the upper player, - is an empty place
//! 2  the cube        3  its owner        (both ignored)
//! 4  the player on roll: 1 for the lower player, -1 for the upper player
//! 5  the dice: 00 before the roll, D, B or R while a double, beaver or raccoon awaits an answer
//! ```

use super::board::{BAR, Board};
use super::dice::Dice;
use super::position_id::IdError;

/// The name of the format in error messages.
const ID_NAME: &str = "an XGID";
/// Characters of the first field: 24 points and two bars.
const PLACES: usize = 26;

/// The fields of an XGID that matter in a game without the doubling cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Xgid {
    /// The position, seen from the side on roll.
    pub board: Board,
    /// `None` before the roll.
    pub dice: Option<Dice>,
}

impl Xgid {
    /// Parses an XGID, with or without the prefix `XGID=`.
    pub fn parse(text: &str) -> Result<Self, IdError> {
        let error = |problem| IdError::Part { what: ID_NAME, problem };
        let parts: Vec<&str> = text.strip_prefix("XGID=").unwrap_or(text).split(':').collect();
        let [places, _, _, turn, dice, ..] = parts[..] else {
            return Err(error("it needs places, cube, cube owner, turn and dice, separated by colons"));
        };
        let found = places.chars().count();
        if found != PLACES {
            return Err(IdError::Length { what: "the first field of an XGID", expected: PLACES, found });
        }
        let (mut lower, mut upper) = ([0; PLACES], [0; PLACES]);
        for (place, c) in places.chars().enumerate() {
            // `A` and `a` stand for one checker.
            let count = |one_checker: char| (c as u32 - one_checker as u32 + 1) as u8;
            // The upper player's bar holds no checker of the lower player, and vice versa.
            match c {
                '-' => {}
                'A'..='O' if place > 0 => lower[place] = count('A'),
                'a'..='o' if place < BAR => upper[BAR - place] = count('a'),
                _ => return Err(IdError::Character(c)),
            }
        }
        let board = Board::new(&lower, &upper)?;
        let board = match turn {
            "1" => board,
            "-1" => board.flipped(),
            _ => return Err(error("the turn must be 1 or -1")),
        };
        let dice = match dice {
            "00" | "D" | "B" | "R" => None,
            _ => {
                let numbers: Vec<u32> = dice.chars().filter_map(|c| c.to_digit(10)).collect();
                let [a, b] = numbers[..] else { return Err(error("there must be two dice")) };
                Some(Dice::new(a as u8, b as u8).ok_or(error("a die must be 1 to 6"))?)
            }
        };
        Ok(Self { board, dice })
    }
}
