//! eXtreme Gammon's position texts, read: `XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10`.
//!
//! The first part are 26 places as the lower player numbers them, from the upper player's bar over points 1 to 24 to the
//! lower player's bar: `A` to `O` are one to fifteen checkers of the lower player, `a` to `o` of the upper one. The
//! fourth part says who is on roll, 1 for the lower player and -1 for the upper one; the fifth the dice.

use super::board::{BAR, Board, CHECKERS};
use super::dice::Dice;
use super::position_id::IdError;

const WHAT: &str = "an XGID";
const PLACES: usize = 26;

/// What backgammon without a cube needs of an XGID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Xgid {
    /// The checkers, seen from the side on roll.
    pub board: Board,
    /// What it rolled; nothing before it did.
    pub dice: Option<Dice>,
}

impl Xgid {
    /// Reads an XGID, with or without its name in front.
    pub fn parse(text: &str) -> Result<Self, IdError> {
        let wrong = |problem| IdError::Part { what: WHAT, problem };
        let parts: Vec<&str> = text.strip_prefix("XGID=").unwrap_or(text).split(':').collect();
        let [places, _, _, turn, dice, ..] = parts[..] else {
            return Err(wrong("places, cube, its owner, turn and dice are parted by colons"));
        };
        let found = places.chars().count();
        if found != PLACES {
            return Err(IdError::Length { what: "the first part of an XGID", expected: PLACES, found });
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
            _ => return Err(wrong("the turn is 1 or -1")),
        };
        let dice = match dice {
            // Nobody has rolled, or a double or a beaver waits for its answer.
            "00" | "D" | "B" | "R" => None,
            _ => {
                let numbers: Vec<u32> = dice.chars().filter_map(|c| c.to_digit(10)).collect();
                let [a, b] = numbers[..] else { return Err(wrong("there are two dice")) };
                Some(Dice::new(a as u8, b as u8).ok_or(wrong("a die shows 1 to 6"))?)
            }
        };
        Ok(Self { board, dice })
    }
}
