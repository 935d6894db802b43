//! What kind of position a board is: its plan. Several can fit; the first that [`Plan::of`] asks about is the
//! plan.

use learnery_worlds::backgammon::{BAR, Board};

/// The last point of a home board, and the first of the opponent's.
const LAST_HOME: usize = 6;
const FIRST_FAR: usize = 19;
/// The highest place outside the opponent's home board. A checker here or on a lower place has escaped.
const ESCAPED: usize = 18;

/// The kinds, in the order in which they are asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// The sides cannot hit each other any more.
    Race,
    /// One side has all checkers at home, but can still be hit.
    BearOffWithContact,
    /// A side far behind holds two points or more in the opponent's home board, and waits for a hit.
    BackGame,
    /// A side tries to hold one to three late hit checkers of the other.
    Containment,
    /// A side with a checker still behind has had to move six or more checkers to its lowest three points.
    CrashedBoard,
    /// Each side blocks checkers of the other by four points in a row or more.
    PrimeVersusPrime,
    /// A side attacks checkers in its home board.
    Blitz,
    /// A side holds a point far back, or both do, and waits for a hit or a high roll.
    Holding,
    /// Anything else.
    Contact,
}

impl Plan {
    /// All kinds, in the order in which positions are drawn and listed.
    pub const ALL: [Self; 9] = [
        Self::Contact,
        Self::Blitz,
        Self::PrimeVersusPrime,
        Self::Holding,
        Self::BackGame,
        Self::Containment,
        Self::CrashedBoard,
        Self::BearOffWithContact,
        Self::Race,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Race => "race",
            Self::BearOffWithContact => "bear-off with contact",
            Self::BackGame => "back game",
            Self::Containment => "containment",
            Self::CrashedBoard => "crashed board",
            Self::PrimeVersusPrime => "prime against prime",
            Self::Blitz => "blitz",
            Self::Holding => "holding game",
            Self::Contact => "other contact",
        }
    }

    pub fn of(board: &Board) -> Self {
        if board.is_race() {
            return Self::Race;
        }
        let sides = [Side(board.own_places()), Side(board.other_places())];
        // Whether this holds for a side and its opponent, either way round.
        let either =
            |holds: &dyn Fn(&Side, &Side) -> bool| holds(&sides[0], &sides[1]) || holds(&sides[1], &sides[0]);
        let both =
            |holds: &dyn Fn(&Side, &Side) -> bool| holds(&sides[0], &sides[1]) && holds(&sides[1], &sides[0]);
        if either(&|side, _| side.highest() <= LAST_HOME) {
            Self::BearOffWithContact
        } else if either(&|side, other| side.anchors(FIRST_FAR) >= 2 && side.pips() >= other.pips() + 20) {
            Self::BackGame
        } else if either(&Side::contains) {
            Self::Containment
        } else if either(&|side, _| side.count(1..=3) >= 6 && side.count(ESCAPED..=BAR) > 0) {
            Self::CrashedBoard
        } else if both(&Side::primes) {
            Self::PrimeVersusPrime
        } else if either(&Side::attacks) {
            Self::Blitz
        } else if either(&|side, other| side.anchors(ESCAPED) > 0 && other.highest() <= ESCAPED)
            || both(&|side, _| (ESCAPED..=22).any(|place| side.0[place] >= 2))
        {
            Self::Holding
        } else {
            Self::Contact
        }
    }
}

/// The checkers of a side on its places: off (0), 24 points, bar (25).
struct Side([u8; 26]);

impl Side {
    fn highest(&self) -> usize {
        (1..=BAR).rev().find(|place| self.0[*place] > 0).unwrap_or(0)
    }

    fn pips(&self) -> usize {
        (1..=BAR).map(|place| place * usize::from(self.0[place])).sum()
    }

    fn count(&self, places: std::ops::RangeInclusive<usize>) -> u8 {
        self.0[places].iter().sum()
    }

    /// The number of points made from this place on (anchors, if it is in the opponent's home board).
    fn anchors(&self, first: usize) -> usize {
        (first..BAR).filter(|place| self.0[*place] >= 2).count()
    }

    /// The number of points made in the home board.
    fn closed(&self) -> usize {
        (1..=LAST_HOME).filter(|place| self.0[*place] >= 2).count()
    }

    /// Whether four points in a row or more block a checker of the opponent.
    fn primes(&self, other: &Self) -> bool {
        let blocks = |first: usize| (first..first + 4).all(|place| self.0[place] >= 2);
        // The opponent's checkers on lower places of this side are behind the prime.
        (1..=BAR - 4).any(|first| blocks(first) && BAR - other.highest() < first)
    }

    /// Whether one to three checkers of the opponent are held while its others are home: after a late hit.
    fn contains(&self, other: &Self) -> bool {
        let held = other.count(FIRST_FAR..=BAR);
        (1..=3).contains(&held)
            && other.anchors(FIRST_FAR) == 0
            && other.count(0..=LAST_HOME) >= 10
            && self.count(FIRST_FAR..=BAR) == 0
    }

    /// Whether this side attacks two or more checkers of the opponent that have no anchor.
    fn attacks(&self, other: &Self) -> bool {
        other.count(FIRST_FAR..=BAR) >= 2
            && other.anchors(FIRST_FAR) == 0
            && self.closed() >= 3
            && self.count(1..=11) >= 9
    }
}
