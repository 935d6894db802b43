//! A game as one line of numbers, in the format of the First Internet Backgammon Server (FIBS) as gnubg uses
//! it.
//!
//! ```text
//! board:NAME:NAME   names of both players
//!  0  points to play to; 0 or 9999 for money          30  dice, twice two numbers; 0 before the roll
//!  1  both scores                                     34  the cube
//!  3  26 places: bar, points 1 to 24, bar; positive   35  whether the player of sign `colour` may double; the other
//!     numbers are checkers of one player, negative    37  whether a double awaits an answer
//!     numbers of the other                            38  colour; 39 direction: -1 if that player plays from 24 to 1
//! 29  the sign of the player on roll                  48  after the Crawford game; 49 not the Crawford game
//! ```
//!
//! Fields 40 to 47 say nothing new. In the lines of gnubg colour is 1 and direction -1. The first score
//! belongs to the player of sign -`colour`, and while a double awaits its answer, to the player of sign
//! `colour`. The side on roll is always the one that has doubled, also when the other side answers.

use std::fmt;

use super::super::board::{BAR, Board, BoardError, CHECKERS};
use super::super::dice::Dice;
use super::super::matches::{CubeOwner, LONGEST_MATCH, Stakes, StakesError};
use super::request::{BoardOptions, shortened};

/// Numbers behind the two names.
const NUMBERS: usize = 50;
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
        let turn = sign("the turn", numbers[29])?;
        let colour = sign("the colour", numbers[38])?;
        let direction = sign("the direction", numbers[39])?;
        // Whether the side on roll is the player of sign `colour`.
        let same = turn == colour;
        let downwards = (direction == -1) == same;

        let board = board(&numbers[3..29], turn, downwards)?;
        if board.result().is_some() {
            return Err(FibsBoardError::GameOver);
        }

        let (may, other_may) = in_order(same, numbers[35] != 0, numbers[36] != 0);
        // FIBS sets neither flag while a double awaits its answer.
        let doubled = numbers[37] != 0 || (!may && !other_may);
        let cube = numbers[34];
        if cube < 1 || cube.count_ones() != 1 {
            return Err(FibsBoardError::Value { what: "the cube", value: cube });
        }
        let owner = match (may, other_may) {
            _ if cube == 1 => CubeOwner::Centred,
            (true, true) => CubeOwner::Centred,
            (false, true) => CubeOwner::Other,
            (true, false) | (false, false) => CubeOwner::Own,
        };

        let length = if numbers[0] == UNLIMITED { 0 } else { numbers[0] };
        let (own_score, other_score) = in_order(same == doubled, numbers[1], numbers[2]);
        for (what, value) in [("the match length", length), ("a score", own_score), ("a score", other_score)]
        {
            if value < 0 {
                return Err(FibsBoardError::Value { what, value });
            }
        }
        Ok(Self {
            board,
            dice: dice(numbers)?,
            doubled,
            length,
            own_score,
            other_score,
            cube_log: cube.trailing_zeros() as u8,
            owner,
            crawford: numbers[48] == 0 && numbers[49] == 0,
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
                let near = own == 1 || other == 1;
                Stakes::match_play(own, other, near && self.crawford && options.crawford_rule)?
            }
        };
        Ok(stakes.with_cube(self.cube_log, self.owner)?)
    }
}

/// The two values in this order, or exchanged.
fn in_order<T>(keep: bool, first: T, second: T) -> (T, T) {
    if keep { (first, second) } else { (second, first) }
}

/// The checkers, seen from the player of sign `turn`, who plays from place 25 down to 0 or upwards.
fn board(places: &[i32], turn: i32, downwards: bool) -> Result<Board, FibsBoardError> {
    let (mut own, mut other) = ([0u8; 26], [0u8; 26]);
    for (place, value) in places.iter().enumerate() {
        let count = value.unsigned_abs();
        let checkers = match u8::try_from(count) {
            Ok(n @ 0..=CHECKERS) => n,
            _ => return Err(BoardError::TooMany { own: value.signum() == turn, count }.into()),
        };
        let from_own = if downwards { place } else { BAR - place };
        match value.signum() * turn {
            0 => {}
            // Place 0 is the other side's bar; a checker there cannot be of this side.
            1 if from_own > 0 => own[from_own] = checkers,
            -1 if from_own < BAR => other[BAR - from_own] = checkers,
            _ => return Err(FibsBoardError::Value { what: "a bar of the board", value: *value }),
        }
    }
    Ok(Board::new(&own, &other)?)
}

/// The roll: the first two of the four dice, or the others if those are zero, as FIBS has them on the other
/// side's turn.
fn dice(numbers: &[i32; NUMBERS]) -> Result<Option<Dice>, FibsBoardError> {
    let first = [numbers[30], numbers[31]];
    let pair = if first == [0, 0] { [numbers[32], numbers[33]] } else { first };
    if pair == [0, 0] {
        return Ok(None);
    }
    let [a, b] = pair.map(|die| u8::try_from(die).unwrap_or(0));
    let wrong = if (1..=6).contains(&a) { pair[1] } else { pair[0] };
    Dice::new(a, b).map(Some).ok_or(FibsBoardError::Value { what: "a die", value: wrong })
}
