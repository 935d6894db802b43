//! What a game is played for: the doubling cube, and the score of the match or the rules of the money
//! session.

use std::fmt;

use super::super::board::Win;

/// The longest match, in points.
pub const LONGEST_MATCH: u8 = 25;
/// log2 of the highest value of the cube, 4096.
pub const MAX_CUBE_LOG: u8 = 12;

/// Who may turn the cube, seen from the side on roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CubeOwner {
    /// In the middle: both sides may.
    Centred,
    Own,
    Other,
}

/// What points are worth, seen from the side on roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scoring {
    /// Each point counts the same.
    Money {
        /// The Jacoby rule: gammons and backgammons count as single games until the cube is turned.
        jacoby: bool,
        /// Beavers are allowed: who is doubled may turn the cube once more at once and keep it.
        beavers: bool,
    },
    /// The first side with enough points wins the match.
    Match {
        /// Points that the side on roll needs.
        own_away: u8,
        /// Points that the other side needs.
        other_away: u8,
        /// Whether this is the Crawford game, in which nobody may double: the first game in which a side
        /// needs one point.
        crawford: bool,
    },
}

/// What a game is played for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stakes {
    pub scoring: Scoring,
    pub(super) cube_log: u8,
    pub owner: CubeOwner,
}

/// Why stakes are impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StakesError {
    /// A side needs no more point.
    MatchOver,
    /// A side needs more than [`LONGEST_MATCH`] points.
    TooFar { away: u32 },
    /// No side needs exactly one point, so this cannot be the Crawford game.
    NotCrawford,
    /// The cube is turned in the Crawford game.
    CubeInCrawford,
    /// The cube is higher than [`MAX_CUBE_LOG`] allows.
    CubeTooHigh,
    /// A cube of 1 belongs to nobody, a higher one to a side.
    Owner,
}

impl fmt::Display for StakesError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::MatchOver => f.write_str("the match is over at this score"),
            Self::TooFar { away } => {
                write!(f, "a side needs {away} points; matches of at most {LONGEST_MATCH} points are known")
            }
            Self::NotCrawford => {
                f.write_str("this cannot be the Crawford game, because no side needs exactly one point")
            }
            Self::CubeInCrawford => f.write_str("the cube cannot be turned in the Crawford game"),
            Self::CubeTooHigh => write!(f, "the cube is higher than {}", 1u32 << MAX_CUBE_LOG),
            Self::Owner => f.write_str("a cube of 1 belongs to nobody, and a higher one to a side"),
        }
    }
}

impl std::error::Error for StakesError {}

/// Why the side on roll has no decision about the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoDouble {
    /// Nobody doubles in the Crawford game.
    Crawford,
    /// The other side owns the cube.
    NoAccess,
    /// The cube is dead: its present value is enough to win the match, so a double could only help the other
    /// side.
    Dead,
    /// The cube cannot be turned further.
    Highest,
}

impl fmt::Display for NoDouble {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Crawford => "nobody may double in the Crawford game",
            Self::NoAccess => "the other side owns the cube",
            Self::Dead => "the cube is dead: a win at its present value already wins the match",
            Self::Highest => "the cube cannot be turned further",
        })
    }
}

/// What follows a game of a match, for the side that was on roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextGame {
    /// The match is over.
    MatchOver { won: bool },
    /// Points that both sides now need, and whether the next game is the Crawford game.
    Score { own_away: u8, other_away: u8, crawford: bool },
}

impl Stakes {
    /// A money game with the cube in the middle.
    pub fn money(jacoby: bool, beavers: bool) -> Self {
        Self { scoring: Scoring::Money { jacoby, beavers }, cube_log: 0, owner: CubeOwner::Centred }
    }

    /// A game of a match with the cube in the middle. `crawford` matters only if a side needs one point.
    pub fn match_play(own_away: u32, other_away: u32, crawford: bool) -> Result<Self, StakesError> {
        let checked = |away: u32| match u8::try_from(away) {
            Ok(0) => Err(StakesError::MatchOver),
            Ok(points @ 1..=LONGEST_MATCH) => Ok(points),
            _ => Err(StakesError::TooFar { away }),
        };
        let (own_away, other_away) = (checked(own_away)?, checked(other_away)?);
        if crawford && own_away != 1 && other_away != 1 {
            return Err(StakesError::NotCrawford);
        }
        let scoring = Scoring::Match { own_away, other_away, crawford };
        Ok(Self { scoring, cube_log: 0, owner: CubeOwner::Centred })
    }

    /// The same stakes with the cube at `2^cube_log`.
    pub fn with_cube(self, cube_log: u8, owner: CubeOwner) -> Result<Self, StakesError> {
        if cube_log > MAX_CUBE_LOG {
            return Err(StakesError::CubeTooHigh);
        }
        if (cube_log == 0) != (owner == CubeOwner::Centred) {
            return Err(StakesError::Owner);
        }
        if cube_log > 0 && matches!(self.scoring, Scoring::Match { crawford: true, .. }) {
            return Err(StakesError::CubeInCrawford);
        }
        Ok(Self { cube_log, owner, ..self })
    }

    /// The value of the cube.
    pub fn cube(&self) -> u32 {
        1 << self.cube_log
    }

    /// The same stakes, seen from the other side.
    #[must_use]
    pub fn flipped(&self) -> Self {
        let scoring = match self.scoring {
            Scoring::Match { own_away, other_away, crawford } => {
                Scoring::Match { own_away: other_away, other_away: own_away, crawford }
            }
            money @ Scoring::Money { .. } => money,
        };
        let owner = match self.owner {
            CubeOwner::Centred => CubeOwner::Centred,
            CubeOwner::Own => CubeOwner::Other,
            CubeOwner::Other => CubeOwner::Own,
        };
        Self { scoring, owner, ..*self }
    }

    /// Why the side on roll may not double, or gains nothing by it; `None` if it has a decision.
    pub fn no_double(&self) -> Option<NoDouble> {
        match self.scoring {
            Scoring::Match { crawford: true, .. } => Some(NoDouble::Crawford),
            _ if self.owner == CubeOwner::Other => Some(NoDouble::NoAccess),
            Scoring::Match { own_away, .. } if u32::from(own_away) <= self.cube() => Some(NoDouble::Dead),
            _ if self.cube_log >= MAX_CUBE_LOG => Some(NoDouble::Highest),
            _ => None,
        }
    }

    /// The stakes after a double of the side on roll that the other side takes, still seen from the side on
    /// roll.
    #[must_use]
    pub fn doubled(&self) -> Self {
        Self { cube_log: (self.cube_log + 1).min(MAX_CUBE_LOG), owner: CubeOwner::Other, ..*self }
    }

    /// The points of a win by either side.
    pub fn points(&self, win: Win) -> u32 {
        let counts_as_single =
            matches!(self.scoring, Scoring::Money { jacoby: true, .. }) && self.cube_log == 0;
        self.cube() * if counts_as_single { 1 } else { win.points() as u32 }
    }

    /// What follows if the side on roll wins `points` points, or loses them if `won` is false. `None` for
    /// money.
    pub fn after(&self, points: u32, won: bool) -> Option<NextGame> {
        let Scoring::Match { own_away, other_away, .. } = self.scoring else { return None };
        let winner_away = if won { own_away } else { other_away };
        let Some(left) = u32::from(winner_away).checked_sub(points).filter(|left| *left > 0) else {
            return Some(NextGame::MatchOver { won });
        };
        let (own_now, other_now) = if won { (left as u8, other_away) } else { (own_away, left as u8) };
        // If a side needed one point already, this was the Crawford game or a later one.
        let crawford = left == 1 && own_away > 1 && other_away > 1;
        Some(NextGame::Score { own_away: own_now, other_away: other_now, crawford })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn match_play(own: u32, other: u32, crawford: bool) -> Stakes {
        Stakes::match_play(own, other, crawford).expect("a possible score")
    }

    #[test]
    fn points_follow_cube_and_jacoby_rule() {
        let jacoby = Stakes::money(true, false);
        assert_eq!([Win::Single, Win::Gammon, Win::Backgammon].map(|win| jacoby.points(win)), [1, 1, 1]);
        let turned = jacoby.doubled();
        assert_eq!([Win::Single, Win::Gammon, Win::Backgammon].map(|win| turned.points(win)), [2, 4, 6]);
        assert_eq!(Stakes::money(false, false).points(Win::Backgammon), 3);
        assert_eq!(match_play(5, 5, false).points(Win::Gammon), 2);
    }

    #[test]
    fn doubles_are_refused_where_they_are_illegal_or_useless() {
        assert_eq!(Stakes::money(true, true).no_double(), None);
        assert_eq!(Stakes::money(true, true).doubled().no_double(), Some(NoDouble::NoAccess));
        assert_eq!(Stakes::money(true, true).doubled().flipped().no_double(), None);
        assert_eq!(match_play(1, 3, true).no_double(), Some(NoDouble::Crawford));
        assert_eq!(match_play(3, 1, true).no_double(), Some(NoDouble::Crawford));
        // After the Crawford game the leader's cube is dead, the other's is not.
        assert_eq!(match_play(1, 3, false).no_double(), Some(NoDouble::Dead));
        assert_eq!(match_play(3, 1, false).no_double(), None);
        // A cube of 2 is dead for a side that needs two points.
        let two = match_play(2, 5, false).with_cube(1, CubeOwner::Own).expect("possible");
        assert_eq!(two.no_double(), Some(NoDouble::Dead));
        let highest = Stakes::money(false, false).with_cube(MAX_CUBE_LOG, CubeOwner::Own).expect("possible");
        assert_eq!(highest.no_double(), Some(NoDouble::Highest));
    }

    #[test]
    fn next_game_is_the_crawford_game_once() {
        let score = |own_away, other_away, crawford| Some(NextGame::Score { own_away, other_away, crawford });
        assert_eq!(match_play(3, 4, false).after(2, true), score(1, 4, true));
        assert_eq!(match_play(3, 4, false).after(2, false), score(3, 2, false));
        assert_eq!(match_play(1, 4, true).after(2, false), score(1, 2, false));
        // The other side catches up after the Crawford game: there is no second one.
        assert_eq!(match_play(1, 4, true).after(3, false), score(1, 1, false));
        assert_eq!(match_play(1, 4, false).after(1, true), Some(NextGame::MatchOver { won: true }));
        assert_eq!(match_play(3, 2, false).after(4, false), Some(NextGame::MatchOver { won: false }));
        assert_eq!(Stakes::money(false, false).after(1, true), None);
    }

    #[test]
    fn flipping_twice_changes_nothing() {
        let stakes = match_play(3, 7, false).with_cube(2, CubeOwner::Own).expect("possible");
        assert_eq!(stakes.flipped().flipped(), stakes);
        assert_eq!(stakes.flipped().owner, CubeOwner::Other);
    }

    #[test]
    fn impossible_stakes_are_refused() {
        for (own, other, crawford, error) in [
            (0, 3, false, StakesError::MatchOver),
            (3, 0, false, StakesError::MatchOver),
            (26, 1, false, StakesError::TooFar { away: 26 }),
            (1, 32_767, false, StakesError::TooFar { away: 32_767 }),
            (2, 3, true, StakesError::NotCrawford),
        ] {
            assert_eq!(Stakes::match_play(own, other, crawford), Err(error));
        }
        let money = Stakes::money(false, false);
        assert_eq!(money.with_cube(13, CubeOwner::Own), Err(StakesError::CubeTooHigh));
        assert_eq!(money.with_cube(0, CubeOwner::Own), Err(StakesError::Owner));
        assert_eq!(money.with_cube(1, CubeOwner::Centred), Err(StakesError::Owner));
        assert_eq!(match_play(1, 3, true).with_cube(1, CubeOwner::Own), Err(StakesError::CubeInCrawford));
    }
}
