//! A game as one line of numbers, in the format of the First Internet Backgammon Server (FIBS) as GNU
//! Backgammon uses it.
//!
//! The line begins with `board:NAME:NAME:`, the names of both players. Then come fifty numbers, here with the
//! index of the first of each kind:
//!
//! ```text
//!  0  points to play to; 0 or 9999 for money
//!  1  both scores
//!  3  26 places: bar, points 1 to 24, bar; a positive number is checkers of one player, a negative number of
//!     the other
//! 29  the player on roll: the sign of this player's checkers
//! 30  dice, twice two numbers; 0 before the roll
//! 34  the cube
//! 35  whether the player of sign `colour` may double
//! 36  whether the other player may double
//! 37  whether a double awaits an answer
//! 38  colour: a sign, 1 or -1
//! 39  direction: -1 if the player of sign `colour` plays from 24 to 1, 1 if upwards
//! 48  after the Crawford game
//! 49  not the Crawford game
//! ```
//!
//! Fields 40 to 47 say nothing new. In the lines of GNU Backgammon (gnubg) colour is 1 and direction -1. The
//! first score belongs to the player of sign -`colour`, and while a double awaits its answer, to the player
//! of sign `colour`. The side on roll is always the one that has doubled, also when the other side answers.

use std::fmt;

use super::super::board::{BAR, Board, BoardError, CHECKERS};
use super::super::dice::Dice;
use super::super::matches::{CubeOwner, LONGEST_MATCH, Stakes, StakesError};
use super::request::{BoardOptions, shortened};

/// Numbers behind the two names.
const NUMBERS: usize = 50;
/// Indices of the numbers that are used here, see above. Where two or more follow each other, of the first.
mod index {
    pub const LENGTH: usize = 0;
    pub const SCORES: usize = 1;
    pub const PLACES: usize = 3;
    pub const TURN: usize = 29;
    pub const DICE: usize = 30;
    pub const CUBE: usize = 34;
    pub const MAY_DOUBLE: usize = 35;
    pub const DOUBLED: usize = 37;
    pub const COLOUR: usize = 38;
    pub const DIRECTION: usize = 39;
    pub const AFTER_CRAWFORD: usize = 48;
    pub const NOT_CRAWFORD: usize = 49;
}
/// How FIBS writes a match without end.
const UNLIMITED: i32 = 9999;

/// A game between two turns or after a roll. Everything is seen from the side on roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FibsBoard {
    pub board: Board,
    /// `None` before the roll.
    pub dice: Option<Dice>,
    /// Whether the side on roll has doubled and waits for the answer, or one of the sides has beavered.
    pub doubled: bool,
    /// Points to play to, 0 for money.
    length: i32,
    own_score: i32,
    other_score: i32,
    cube_log: u8,
    owner: CubeOwner,
    /// Whether it is the Crawford game, if the Crawford rule is in use and a side needs one point.
    crawford: bool,
}

/// Why a line is no possible board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FibsBoardError {
    /// Fields separated by colons, the names included.
    Fields {
        found: usize,
    },
    /// A field that is no number; `field` counts from 1 behind the names.
    Number {
        field: usize,
        text: String,
    },
    /// A field with an impossible value.
    Value {
        what: &'static str,
        value: i32,
    },
    Board(BoardError),
    Stakes(StakesError),
    GameOver,
}

impl fmt::Display for FibsBoardError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Fields { found } => {
                write!(f, "a board has two names and {NUMBERS} numbers; this has {found} fields")
            }
            Self::Number { field, text } => write!(f, "number {field} of the board is {text:?}"),
            Self::Value { what, value } => write!(f, "{what} cannot be {value}"),
            Self::Board(error) => error.fmt(f),
            Self::Stakes(error) => error.fmt(f),
            Self::GameOver => f.write_str("the game is over in this position"),
        }
    }
}

impl std::error::Error for FibsBoardError {}

impl From<BoardError> for FibsBoardError {
    fn from(error: BoardError) -> Self {
        Self::Board(error)
    }
}

impl From<StakesError> for FibsBoardError {
    fn from(error: StakesError) -> Self {
        Self::Stakes(error)
    }
}

impl FibsBoard {
    /// Reads what follows `board:`.
    pub fn parse(text: &str) -> Result<Self, FibsBoardError> {
        let fields: Vec<&str> = text.split(':').collect();
        if fields.len() != NUMBERS + 2 {
            return Err(FibsBoardError::Fields { found: fields.len() });
        }
        let mut numbers = [0i32; NUMBERS];
        for (i, (number, field)) in numbers.iter_mut().zip(&fields[2..]).enumerate() {
            let wrong = || FibsBoardError::Number { field: i + 1, text: shortened(field) };
            *number = field.trim().parse().map_err(|_| wrong())?;
        }
        Self::from_numbers(&numbers)
    }

    fn from_numbers(numbers: &[i32; NUMBERS]) -> Result<Self, FibsBoardError> {
        let sign = |what, value: i32| match value {
            1 | -1 => Ok(value),
            _ => Err(FibsBoardError::Value { what, value }),
        };
        let turn = sign("the turn", numbers[index::TURN])?;
        let colour = sign("the colour", numbers[index::COLOUR])?;
        let direction = sign("the direction", numbers[index::DIRECTION])?;
        // Whether the side on roll is the player of sign `colour`.
        let is_colour_on_roll = turn == colour;
        let plays_downwards = (direction == -1) == is_colour_on_roll;

        let board = read_board(&numbers[index::PLACES..index::TURN], turn, plays_downwards)?;
        if board.result().is_some() {
            return Err(FibsBoardError::GameOver);
        }

        let (may_double, other_may_double) =
            in_order(is_colour_on_roll, numbers[index::MAY_DOUBLE] != 0, numbers[index::MAY_DOUBLE + 1] != 0);
        // FIBS sets neither flag while a double awaits its answer.
        let doubled = numbers[index::DOUBLED] != 0 || (!may_double && !other_may_double);
        let cube = numbers[index::CUBE];
        // The cube is a power of two.
        if cube < 1 || cube.count_ones() != 1 {
            return Err(FibsBoardError::Value { what: "the cube", value: cube });
        }
        let owner = match (may_double, other_may_double) {
            _ if cube == 1 => CubeOwner::Centred,
            (true, true) => CubeOwner::Centred,
            (false, true) => CubeOwner::Other,
            // With neither flag, the side on roll has doubled, so the cube was its own.
            (true, false) | (false, false) => CubeOwner::Own,
        };

        let length = if numbers[index::LENGTH] == UNLIMITED { 0 } else { numbers[index::LENGTH] };
        // The order of the scores changes while a double awaits its answer, see above.
        let (own_score, other_score) =
            in_order(is_colour_on_roll == doubled, numbers[index::SCORES], numbers[index::SCORES + 1]);
        for (what, value) in [("the match length", length), ("a score", own_score), ("a score", other_score)]
        {
            if value < 0 {
                return Err(FibsBoardError::Value { what, value });
            }
        }
        Ok(Self {
            board,
            dice: read_dice(numbers)?,
            doubled,
            length,
            own_score,
            other_score,
            cube_log: cube.trailing_zeros() as u8,
            owner,
            crawford: numbers[index::AFTER_CRAWFORD] == 0 && numbers[index::NOT_CRAWFORD] == 0,
        })
    }

    /// What the game is played for, seen from the side on roll. A side that needs more than [`LONGEST_MATCH`]
    /// points is taken to need that many.
    pub fn stakes(&self, options: &BoardOptions) -> Result<Stakes, FibsBoardError> {
        let stakes = match self.length {
            0 => Stakes::money(options.jacoby, options.beavers),
            length => {
                let away = |score: i32| (length - score).clamp(0, LONGEST_MATCH.into()) as u32;
                let (own, other) = (away(self.own_score), away(self.other_score));
                let needs_one_point = own == 1 || other == 1;
                let is_crawford = needs_one_point && self.crawford && options.crawford_rule;
                Stakes::match_play(own, other, is_crawford)?
            }
        };
        Ok(stakes.with_cube(self.cube_log, self.owner)?)
    }
}

/// The two values in this order, or exchanged.
fn in_order<T>(is_in_order: bool, first: T, second: T) -> (T, T) {
    if is_in_order { (first, second) } else { (second, first) }
}

/// Reads the checkers. The board is seen from the player of sign `turn`, who plays from place 25 down to 0,
/// or upwards.
fn read_board(places: &[i32], turn: i32, plays_downwards: bool) -> Result<Board, FibsBoardError> {
    let (mut own, mut other) = ([0u8; 26], [0u8; 26]);
    for (place, value) in places.iter().enumerate() {
        let count = value.unsigned_abs();
        let checkers = match u8::try_from(count) {
            Ok(n @ 0..=CHECKERS) => n,
            _ => return Err(BoardError::TooMany { own: value.signum() == turn, count }.into()),
        };
        // The place in the numbering of the player of sign `turn`.
        let own_place = if plays_downwards { place } else { BAR - place };
        match value.signum() * turn {
            0 => {}
            // Place 0 is the other side's bar; a checker there cannot be of this side.
            1 if own_place > 0 => own[own_place] = checkers,
            -1 if own_place < BAR => other[BAR - own_place] = checkers,
            _ => return Err(FibsBoardError::Value { what: "a bar of the board", value: *value }),
        }
    }
    Ok(Board::new(&own, &other)?)
}

/// Reads the roll: the first two of the four dice, or the others if the first are zero. On the other side's
/// turn, FIBS writes the roll into the last two.
fn read_dice(numbers: &[i32; NUMBERS]) -> Result<Option<Dice>, FibsBoardError> {
    let first = [numbers[index::DICE], numbers[index::DICE + 1]];
    let last = [numbers[index::DICE + 2], numbers[index::DICE + 3]];
    let pair = if first == [0, 0] { last } else { first };
    if pair == [0, 0] {
        return Ok(None);
    }
    // A number that is no die becomes 0, which is no die either.
    let [a, b] = pair.map(|die| u8::try_from(die).unwrap_or(0));
    let wrong = if (1..=6).contains(&a) { pair[1] } else { pair[0] };
    Dice::new(a, b).map(Some).ok_or(FibsBoardError::Value { what: "a die", value: wrong })
}
