//! Parser of eXtreme Gammon's position IDs: `XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10`.
//!
//! Fields are separated by colons. The first has 26 places in the lower player's numbering: the upper player's bar,
//! points 1 to 24, the lower player's bar. `A` to `O` are one to fifteen checkers of the lower player, `a` to `o` of
//! the upper one. The fourth field is 1 if the lower player is on roll and -1 otherwise; the fifth holds the dice.

use super::board::{BAR, Board, CHECKERS};
use super::dice::Dice;
use super::position_id::IdError;

const WHAT: &str = "an XGID";
const PLACES: usize = 26;

/// The fields of an XGID that matter without the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Xgid {
    /// Seen from the side on roll.
    pub board: Board,
    /// `None` before the roll.
    pub dice: Option<Dice>,
}

impl Xgid {
    /// Parses an XGID, with or without the prefix `XGID=`.
    pub fn parse(text: &str) -> Result<Self, IdError> {
        let wrong = |problem| IdError::Part { what: WHAT, problem };
        let parts: Vec<&str> = text.strip_prefix("XGID=").unwrap_or(text).split(':').collect();
        let [places, _, _, turn, dice, ..] = parts[..] else {
            return Err(wrong("it needs places, cube, cube owner, turn and dice, separated by colons"));
        };
        let found = places.chars().count();
        if found != PLACES {
            return Err(IdError::Length { what: "the first field of an XGID", expected: PLACES, found });
        }
        let (mut lower, mut upper) = ([0; PLACES], [0; PLACES]);
        for (place, c) in places.chars().enumerate() {
            let count = |first: char| (c as u32).wrapping_sub(first as u32).wrapping_add(1) as u8;
            match c {
                '-' => {}
                'A'..='O' if place > 0 => lower[place] = count('A'),
                'a'..='o' if place < BAR => upper[BAR - place] = count('a'),
                _ => return Err(IdError::Character(c)),
            }
        }
        let board = Board::new(&lower, &upper)?;
        debug_assert!(lower.iter().all(|n| *n <= CHECKERS));
        let board = match turn {
            "1" => board,
            "-1" => board.flipped(),
            _ => return Err(wrong("the turn must be 1 or -1")),
        };
        let dice = match dice {
            // Before the roll, or a double, beaver or raccoon awaits an answer.
            "00" | "D" | "B" | "R" => None,
            _ => {
                let numbers: Vec<u32> = dice.chars().filter_map(|c| c.to_digit(10)).collect();
                let [a, b] = numbers[..] else { return Err(wrong("there must be two dice")) };
                Some(Dice::new(a as u8, b as u8).ok_or(wrong("a die must be 1 to 6"))?)
            }
        };
        Ok(Self { board, dice })
    }
}
