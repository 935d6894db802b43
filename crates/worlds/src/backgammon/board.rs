//! A position of backgammon: the checkers of both sides, packed into two 128-bit words. A *place* is where
//! checkers can be: a point of the board, the bar, or off the board.

use std::fmt;

/// The number of checkers of a side.
pub const CHECKERS: u8 = 15;
/// Points of the board, numbered from 1 (a side's ace point) to 24.
pub const POINTS: usize = 24;
/// The place of checkers on the bar, one pip behind point 24. Place 0 is for checkers borne off.
pub const BAR: usize = 25;

/// Mask of one side's checkers: four bits for each of the places 0 to 25.
pub(super) const SIDE_MASK: u128 = (1 << (4 * (BAR + 1))) - 1;

/// A position between two turns, seen from the side about to roll: `own` are its checkers, `other` are the
/// checkers of its opponent, which has just played.
///
/// Each side numbers places in its own direction of play: 0 is off, 1 to 24 are points, 25 is the bar. Point
/// `p` of one side is point `25 - p` of the other. Bits `4 p .. 4 p + 4` of `own` and `other` are the number
/// of checkers on place `p`. The numbers of each side, place 0 included, sum to fifteen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Board {
    pub(super) own: u128,
    pub(super) other: u128,
}

/// How a game was won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Win {
    /// The loser has borne off a checker.
    Single,
    /// The loser has borne off none.
    Gammon,
    /// The loser has borne off none and still has a checker in the winner's home board or on the bar.
    Backgammon,
}

impl Win {
    /// Points won without the doubling cube: 1, 2 or 3.
    pub fn points(self) -> i32 {
        self as i32 + 1
    }
}

/// Why a position is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardError {
    /// A side has more than fifteen checkers. `own` is true if it is the side about to roll.
    TooMany { own: bool, count: u32 },
    /// Both sides occupy a point, in the numbering of the side about to roll.
    Shared { point: usize },
    /// Both sides have borne off all checkers.
    BothWon,
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::TooMany { own, count } => {
                let side = if *own { "the side on roll" } else { "the other side" };
                write!(f, "{side} has {count} checkers; at most 15 are possible")
            }
            Self::Shared { point } => write!(f, "both sides stand on point {point} of the side on roll"),
            Self::BothWon => f.write_str("both sides have borne off all checkers"),
        }
    }
}

impl std::error::Error for BoardError {}

impl Board {
    /// The standard opening position.
    pub const START: Self = {
        // 2 checkers on point 24, 5 on the 13, 3 on the 8 and 5 on the 6.
        let side = 2 << (4 * 24) | 5 << (4 * 13) | 3 << (4 * 8) | 5 << (4 * 6);
        Self { own: side, other: side }
    };

    /// Creates a board from the number of checkers on places 1 to 25 of each side, in the side's own
    /// numbering. Entry 0 is ignored: all checkers up to fifteen that are on no other place are borne off.
    pub fn new(own: &[u8; 26], other: &[u8; 26]) -> Result<Self, BoardError> {
        let side = |places: &[u8; 26], own| {
            let count = places[1..].iter().map(|n| u32::from(*n)).sum();
            if count > u32::from(CHECKERS) {
                return Err(BoardError::TooMany { own, count });
            }
            let off = u128::from(CHECKERS) - u128::from(count);
            Ok((1..=BAR).fold(off, |bits, place| bits | u128::from(places[place]) << (4 * place)))
        };
        let board = Self { own: side(own, true)?, other: side(other, false)? };
        if let Some(point) = (1..=POINTS).find(|&p| board.own(p) > 0 && board.other(25 - p) > 0) {
            return Err(BoardError::Shared { point });
        }
        if board.own(0) == CHECKERS && board.other(0) == CHECKERS {
            return Err(BoardError::BothWon);
        }
        Ok(board)
    }

    /// A board without opposing checkers (all are borne off), for one-sided computations.
    pub(super) fn alone(own: &[u8; 26]) -> Self {
        let off = u128::from(CHECKERS - own[1..].iter().sum::<u8>());
        let own = (1..=BAR).fold(off, |bits, place| bits | u128::from(own[place]) << (4 * place));
        Self { own, other: u128::from(CHECKERS) }
    }

    /// Checkers of the side about to roll on `place` in its own numbering.
    pub fn own(&self, place: usize) -> u8 {
        checkers_on(self.own, place)
    }

    /// Checkers of the other side on `place` in the other side's numbering.
    pub fn other(&self, place: usize) -> u8 {
        checkers_on(self.other, place)
    }

    /// Checkers of the side about to roll on each of its places.
    pub fn own_places(&self) -> [u8; 26] {
        unpack_places(self.own)
    }

    /// Checkers of the other side on each of its places, in its own numbering.
    pub fn other_places(&self) -> [u8; 26] {
        unpack_places(self.other)
    }

    /// The same checkers, seen from the other side: the sides are exchanged.
    #[must_use]
    pub fn flipped(&self) -> Self {
        Self { own: self.other, other: self.own }
    }

    /// The pip count of the side about to roll.
    pub fn own_pips(&self) -> u32 {
        pips(self.own)
    }

    /// The pip count of the other side.
    pub fn other_pips(&self) -> u32 {
        pips(self.other)
    }

    /// Whether contact is over: no checker can be hit or blocked any more.
    pub fn is_race(&self) -> bool {
        highest(self.own) + highest(self.other) <= POINTS
    }

    /// How the other side has won; `None` if it has not. In a game only the other side can have won, because
    /// it has just played.
    pub fn other_won(&self) -> Option<Win> {
        (self.other(0) == CHECKERS).then(|| win_over(self.own))
    }

    /// The points (1 to 3) that the side on roll has won, or minus the points that it has lost; `None` if the
    /// game goes on. The side on roll can have won only on a board that was entered by hand: in a game, it is
    /// the other side that has just played.
    pub fn result(&self) -> Option<i32> {
        let won = (self.own(0) == CHECKERS).then(|| win_over(self.other).points());
        won.or(self.other_won().map(|win| -win.points()))
    }

    /// The packed checkers of both sides: a unique key for hashing and storage.
    pub fn key(&self) -> (u128, u128) {
        (self.own, self.other)
    }

    /// The board with a [`Board::key`].
    pub fn from_key((own, other): (u128, u128)) -> Result<Self, BoardError> {
        Self::new(&unpack_places(own), &unpack_places(other))
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Board({})", self.position_id())
    }
}

/// The kind of win against a loser with these checkers.
fn win_over(loser: u128) -> Win {
    /// The winner's home board and the bar: places 19 to 25 in the loser's numbering.
    const FAR_MASK: u128 = SIDE_MASK & !((1 << (4 * 19)) - 1);
    match loser {
        // The lowest four bits are the checkers borne off.
        _ if loser & 15 > 0 => Win::Single,
        _ if loser & FAR_MASK == 0 => Win::Gammon,
        _ => Win::Backgammon,
    }
}

/// The number of checkers on a place.
#[inline]
pub(super) fn checkers_on(side: u128, place: usize) -> u8 {
    debug_assert!(place <= BAR, "place {place}");
    // Shifting one 64-bit half is a single instruction on every target; shifting 128 bits is not.
    let half = if place < 16 { side as u64 } else { (side >> 64) as u64 };
    (half >> (4 * (place & 15))) as u8 & 15
}

/// The number of checkers on each place.
#[inline]
fn unpack_places(side: u128) -> [u8; 26] {
    let (low, high) = (side as u64, (side >> 64) as u64);
    let mut places = [0; 26];
    let (first, second) = places.split_at_mut(16);
    first.iter_mut().enumerate().for_each(|(i, n)| *n = (low >> (4 * i)) as u8 & 15);
    second.iter_mut().enumerate().for_each(|(i, n)| *n = (high >> (4 * i)) as u8 & 15);
    places
}

/// The pip count: how many points all checkers together have to move.
fn pips(side: u128) -> u32 {
    unpack_places(side).iter().zip(0..).map(|(n, place)| u32::from(*n) * place).sum()
}

/// The highest occupied place; 0 if all checkers are off.
fn highest(side: u128) -> usize {
    // Bit 0 is set, so that there always is a highest bit.
    (127 - ((side | 1) & SIDE_MASK).leading_zeros() as usize) / 4
}
