//! Where the checkers stand, four bits a place, each side in its own numbering.

use std::fmt;

/// Checkers of a side.
pub const CHECKERS: u8 = 15;
/// Points of a side's way, numbered from 1 (its ace point) to 24.
pub const POINTS: usize = 24;
/// The place of checkers that were hit, one step behind point 24. Place 0 holds those borne off.
pub const BAR: usize = 25;

/// The bits of one side's checkers: places 0 to 25, four each.
pub(super) const SIDE: u128 = (1 << (4 * (BAR + 1))) - 1;

/// A position at the boundary of a turn, seen from the side about to roll.
///
/// Both sides count places in their own direction: 0 is off, 1 to 24 are points, 25 is the bar. The opponent's point
/// `p` is one's own `25 - p`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Board {
    pub(super) own: u128,
    pub(super) other: u128,
}

/// How a game was won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Win {
    /// The loser has borne off.
    Single,
    /// The loser has borne off nothing.
    Gammon,
    /// Nor left the winner's home and the bar.
    Backgammon,
}

impl Win {
    /// What it is worth without the cube.
    pub fn points(self) -> i32 {
        self as i32 + 1
    }
}

/// Why checkers cannot stand like that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardError {
    /// A side has more than fifteen.
    TooMany {
        /// Whether it is the side about to roll.
        own: bool,
        /// How many it has.
        count: u32,
    },
    /// Both sides stand on one point, numbered as the side about to roll does.
    Shared {
        /// The point.
        point: usize,
    },
    /// Both sides have borne off everything.
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
    /// The beginning of a game.
    pub const START: Self = {
        let side = 2 << (4 * 24) | 5 << (4 * 13) | 3 << (4 * 8) | 5 << (4 * 6);
        Self { own: side, other: side }
    };

    /// The board with so many checkers on the points and the bar of each side, in its own numbering; the rest of its
    /// fifteen are off, whatever place 0 says.
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

    /// A side by itself, which nobody can meet: its opponent has gone. For what is worked out about one side alone.
    pub(super) fn alone(own: &[u8; 26]) -> Self {
        let off = u128::from(CHECKERS - own[1..].iter().sum::<u8>());
        let own = (1..=BAR).fold(off, |bits, place| bits | u128::from(own[place]) << (4 * place));
        Self { own, other: u128::from(CHECKERS) }
    }

    /// Checkers of the side about to roll on a place of its own.
    pub fn own(&self, place: usize) -> u8 {
        count(self.own, place)
    }

    /// Checkers of the other side on a place of its own.
    pub fn other(&self, place: usize) -> u8 {
        count(self.other, place)
    }

    /// All places of the side about to roll.
    pub fn own_places(&self) -> [u8; 26] {
        places(self.own)
    }

    /// All places of the other side, in its own numbering.
    pub fn other_places(&self) -> [u8; 26] {
        places(self.other)
    }

    /// The same checkers with the other side about to roll.
    #[must_use]
    pub fn flipped(&self) -> Self {
        Self { own: self.other, other: self.own }
    }

    /// What the side about to roll has still to go, in pips.
    pub fn own_pips(&self) -> u32 {
        pips(self.own)
    }

    /// What the other side has still to go.
    pub fn other_pips(&self) -> u32 {
        pips(self.other)
    }

    /// Whether the sides can no longer meet.
    pub fn is_race(&self) -> bool {
        highest(self.own) + highest(self.other) <= POINTS
    }

    /// How the side that has just played has won, if it has. At the boundary of a turn nobody else can have.
    pub fn other_won(&self) -> Option<Win> {
        (self.other(0) == CHECKERS).then(|| win_over(self.own))
    }

    /// The points of a finished game for the side on roll. A played game ends with the other side's last checker; a
    /// board from elsewhere may also be one where the side on roll has nothing left to bear off.
    pub fn result(&self) -> Option<i32> {
        let won = (self.own(0) == CHECKERS).then(|| win_over(self.other).points());
        won.or(self.other_won().map(|win| -win.points()))
    }

    /// A number that sets boards apart: for hash tables.
    pub fn key(&self) -> (u128, u128) {
        (self.own, self.other)
    }

    /// The board of a [`Board::key`].
    pub fn from_key((own, other): (u128, u128)) -> Result<Self, BoardError> {
        Self::new(&places(own), &places(other))
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Board({})", self.position_id())
    }
}

/// How the side that lost with these checkers has lost.
fn win_over(loser: u128) -> Win {
    /// In the loser's numbering the winner's home is its last six points.
    const FAR: u128 = SIDE & !((1 << (4 * 19)) - 1);
    match loser {
        _ if loser & 15 > 0 => Win::Single,
        _ if loser & FAR == 0 => Win::Gammon,
        _ => Win::Backgammon,
    }
}

#[inline]
pub(super) fn count(side: u128, place: usize) -> u8 {
    debug_assert!(place <= BAR, "place {place}");
    // Half of it first: a shift of 64 bits is one instruction everywhere.
    let half = if place < 16 { side as u64 } else { (side >> 64) as u64 };
    (half >> (4 * (place & 15))) as u8 & 15
}

#[inline]
fn places(side: u128) -> [u8; 26] {
    let (low, high) = (side as u64, (side >> 64) as u64);
    let mut places = [0; 26];
    let (first, second) = places.split_at_mut(16);
    first.iter_mut().enumerate().for_each(|(i, n)| *n = (low >> (4 * i)) as u8 & 15);
    second.iter_mut().enumerate().for_each(|(i, n)| *n = (high >> (4 * i)) as u8 & 15);
    places
}

fn pips(side: u128) -> u32 {
    places(side).iter().zip(0..).map(|(n, place)| u32::from(*n) * place).sum()
}

/// The highest place with a checker; 0 where there is none.
fn highest(side: u128) -> usize {
    (127 - ((side | 1) & SIDE).leading_zeros() as usize) / 4
}
