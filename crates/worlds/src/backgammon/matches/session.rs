//! A match or a money session of two players, 0 and 1: the score, the game under way, and what may be done
//! with the cube. Checkers and dice are elsewhere: whoever plays them says when a game ends.

use std::fmt;

use super::super::board::Win;
use super::stakes::{CubeOwner, LONGEST_MATCH, MAX_CUBE_LOG, Stakes, StakesError};

/// The highest score at which a money session can be continued.
const HIGHEST_SCORE: u32 = 1_000_000;

/// What two players have agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// A match to this many points, 1 to [`LONGEST_MATCH`]. The Crawford rule is in use, the Jacoby rule is
    /// not.
    Match { length: u8 },
    /// A session without an end.
    Money { jacoby: bool, beavers: bool },
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// All checkers of the winner are off.
    Won(Win),
    /// The loser passed a double.
    Passed,
}

/// The answer to a double.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Take,
    Pass,
    /// Takes, turns the cube once more and keeps it.
    Beaver,
}

/// Why an action is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegal {
    MatchOver,
    /// A double awaits an answer.
    DoubleOffered,
    NoDoubleOffered,
    Crawford,
    /// The other player owns the cube.
    NoAccess,
    /// The cube cannot be turned further.
    Highest,
    /// Beavers were not agreed on.
    NoBeavers,
    /// A match of no points, or of too many.
    Length,
    /// A money session starts at a score above [`HIGHEST_SCORE`].
    Score,
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::MatchOver => f.write_str("the match is over"),
            Self::DoubleOffered => f.write_str("a double awaits an answer"),
            Self::NoDoubleOffered => f.write_str("no double awaits an answer"),
            Self::Crawford => f.write_str("nobody may double in the Crawford game"),
            Self::NoAccess => f.write_str("the other player owns the cube"),
            Self::Highest => f.write_str("the cube cannot be turned further"),
            Self::NoBeavers => f.write_str("beavers are not allowed here"),
            Self::Length => write!(f, "a match has 1 to {LONGEST_MATCH} points"),
            Self::Score => write!(f, "a score is at most {HIGHEST_SCORE}"),
        }
    }
}

impl std::error::Error for Illegal {}

/// A match or a money session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Session {
    rules: Rules,
    score: [u32; 2],
    /// Whether the Crawford game is under way.
    crawford: bool,
    /// The base-2 logarithm of the cube in the game under way.
    cube_log: u8,
    /// The owner of the cube in the game under way; `None` while the cube is in the middle.
    owner: Option<usize>,
    /// The player whose double awaits an answer.
    doubler: Option<usize>,
}

impl Session {
    /// Begins a match or a session.
    pub fn new(rules: Rules) -> Result<Self, Illegal> {
        if matches!(rules, Rules::Match { length } if !(1..=LONGEST_MATCH).contains(&length)) {
            return Err(Illegal::Length);
        }
        // No game is the Crawford game from the start: in a match to one point both players need one point,
        // and in longer ones nobody does yet.
        Ok(Self { rules, score: [0; 2], crawford: false, cube_log: 0, owner: None, doubler: None })
    }

    /// Continues a match or a session at a score. `crawford` says whether the next game is the Crawford game,
    /// which is possible only if exactly one player needs one point.
    pub fn at_score(rules: Rules, score: [u32; 2], crawford: bool) -> Result<Self, Illegal> {
        let session = Self { score, ..Self::new(rules)? };
        if session.winner().is_some() {
            return Err(Illegal::MatchOver);
        }
        if score.iter().any(|points| *points > HIGHEST_SCORE) {
            return Err(Illegal::Score);
        }
        let needs_one_point =
            |points: &u32| matches!(rules, Rules::Match { length } if points + 1 == u32::from(length));
        Ok(Self {
            crawford: crawford && score.iter().filter(|points| needs_one_point(points)).count() == 1,
            ..session
        })
    }

    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The player whose double awaits an answer.
    pub fn doubler(&self) -> Option<usize> {
        self.doubler
    }

    pub fn score(&self) -> [u32; 2] {
        self.score
    }

    pub fn is_crawford(&self) -> bool {
        self.crawford
    }

    pub fn cube(&self) -> u32 {
        1 << self.cube_log
    }

    /// The player who owns the cube; `None` while it is in the middle.
    pub fn owner(&self) -> Option<usize> {
        self.owner
    }

    /// The player who won the match; `None` while it goes on, and in a money session.
    pub fn winner(&self) -> Option<usize> {
        let Rules::Match { length } = self.rules else { return None };
        self.score.iter().position(|points| *points >= u32::from(length))
    }

    /// What the game is played for, seen from `player`. An error after the end of a match.
    pub fn stakes(&self, player: usize) -> Result<Stakes, StakesError> {
        let stakes = match self.rules {
            Rules::Money { jacoby, beavers } => Stakes::money(jacoby, beavers),
            Rules::Match { length } => {
                let away = |player: usize| u32::from(length).saturating_sub(self.score[player]);
                Stakes::match_play(away(player), away(1 - player), self.crawford)?
            }
        };
        let owner = match self.owner {
            None => CubeOwner::Centred,
            Some(owner) if owner == player => CubeOwner::Own,
            Some(_) => CubeOwner::Other,
        };
        stakes.with_cube(self.cube_log, owner)
    }

    /// `player`, who is about to roll, offers a double. A useless double (a dead cube) is legal.
    pub fn double(&mut self, player: usize) -> Result<(), Illegal> {
        self.check_play()?;
        if self.crawford {
            return Err(Illegal::Crawford);
        }
        if self.owner == Some(1 - player) {
            return Err(Illegal::NoAccess);
        }
        if self.cube_log >= MAX_CUBE_LOG {
            return Err(Illegal::Highest);
        }
        self.doubler = Some(player);
        Ok(())
    }

    /// The other player answers the double. A pass ends the game and begins the next one.
    pub fn answer(&mut self, answer: Answer) -> Result<(), Illegal> {
        let doubler = self.doubler.ok_or(Illegal::NoDoubleOffered)?;
        match answer {
            Answer::Pass => {
                self.doubler = None;
                return self.end_game(doubler, GameResult::Passed);
            }
            Answer::Take => self.cube_log += 1,
            Answer::Beaver => {
                if !matches!(self.rules, Rules::Money { beavers: true, .. }) {
                    return Err(Illegal::NoBeavers);
                }
                if self.cube_log + 2 > MAX_CUBE_LOG {
                    return Err(Illegal::Highest);
                }
                self.cube_log += 2;
            }
        }
        (self.owner, self.doubler) = (Some(1 - doubler), None);
        Ok(())
    }

    /// Ends the game, scores it, and begins the next one if the match is not over.
    pub fn end_game(&mut self, winner: usize, result: GameResult) -> Result<(), Illegal> {
        self.check_play()?;
        let points = match result {
            GameResult::Passed => self.cube(),
            // The stakes exist, because the match is not over.
            GameResult::Won(win) => self.stakes(winner).map_err(|_| Illegal::MatchOver)?.points(win),
        };
        let before = self.score;
        self.score[winner] += points;
        self.crawford = false;
        if let Rules::Match { length } = self.rules {
            let needs_one_point = |points: u32| points + 1 == u32::from(length);
            // If a player needed one point before, the game that has just ended was the Crawford game or a
            // later one.
            self.crawford = needs_one_point(self.score[winner]) && !before.into_iter().any(needs_one_point);
        }
        (self.cube_log, self.owner, self.doubler) = (0, None, None);
        Ok(())
    }

    fn check_play(&self) -> Result<(), Illegal> {
        match (self.winner(), self.doubler) {
            (Some(_), _) => Err(Illegal::MatchOver),
            (None, Some(_)) => Err(Illegal::DoubleOffered),
            (None, None) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(rules: Rules) -> Session {
        Session::new(rules).expect("good rules")
    }

    #[test]
    fn match_with_crawford_game_is_scored() {
        let mut game = session(Rules::Match { length: 5 });
        game.double(0).expect("legal");
        assert_eq!(game.double(0), Err(Illegal::DoubleOffered));
        assert_eq!(game.end_game(0, GameResult::Won(Win::Single)), Err(Illegal::DoubleOffered));
        assert_eq!(game.answer(Answer::Beaver), Err(Illegal::NoBeavers));
        game.answer(Answer::Take).expect("legal");
        assert_eq!((game.cube(), game.double(0)), (2, Err(Illegal::NoAccess)));
        game.end_game(0, GameResult::Won(Win::Gammon)).expect("legal");
        // A gammon with the cube at 2: four points, so the Crawford game follows.
        assert_eq!((game.score(), game.is_crawford(), game.cube()), ([4, 0], true, 1));
        assert_eq!((game.double(0), game.double(1)), (Err(Illegal::Crawford), Err(Illegal::Crawford)));
        game.end_game(1, GameResult::Won(Win::Single)).expect("legal");
        assert_eq!((game.score(), game.is_crawford()), ([4, 1], false));
        game.double(1).expect("the cube is in use again");
        game.answer(Answer::Pass).expect("legal");
        assert_eq!(game.score(), [4, 2]);
        // Player 1 also comes to need one point: there is no second Crawford game.
        game.double(1).expect("legal");
        game.answer(Answer::Take).expect("legal");
        game.end_game(1, GameResult::Won(Win::Single)).expect("legal");
        assert_eq!((game.score(), game.is_crawford(), game.winner()), ([4, 4], false, None));
        game.end_game(1, GameResult::Won(Win::Backgammon)).expect("legal");
        assert_eq!(game.winner(), Some(1));
        assert_eq!(game.double(0), Err(Illegal::MatchOver));
        assert_eq!(game.end_game(0, GameResult::Passed), Err(Illegal::MatchOver));
        assert_eq!(game.stakes(0), Err(StakesError::MatchOver));
    }

    #[test]
    fn money_session_has_jacoby_rule_and_beavers() {
        let mut game = session(Rules::Money { jacoby: true, beavers: true });
        game.end_game(0, GameResult::Won(Win::Gammon)).expect("legal");
        assert_eq!(game.score(), [1, 0], "a gammon without a turned cube");
        game.double(1).expect("legal");
        game.answer(Answer::Beaver).expect("legal");
        assert_eq!((game.cube(), game.double(1)), (4, Err(Illegal::NoAccess)));
        assert_eq!(game.stakes(0).map(|s| s.owner), Ok(CubeOwner::Own));
        game.double(0).expect("legal");
        game.answer(Answer::Pass).expect("legal");
        assert_eq!((game.score(), game.winner()), ([5, 0], None));
        assert_eq!(game.answer(Answer::Take), Err(Illegal::NoDoubleOffered));
    }

    #[test]
    fn match_to_one_point_has_no_crawford_game_and_a_dead_cube() {
        let game = session(Rules::Match { length: 1 });
        assert!(!game.is_crawford());
        let stakes = game.stakes(0).expect("under way");
        assert_eq!(stakes.no_double(), Some(super::super::NoDouble::Dead));
        for length in [0, 26, 255] {
            assert_eq!(Session::new(Rules::Match { length }), Err(Illegal::Length));
        }
    }

    #[test]
    fn match_continues_at_a_score() {
        let rules = Rules::Match { length: 5 };
        let at = |score, crawford| Session::at_score(rules, score, crawford);
        assert_eq!(at([4, 2], true).map(|s| (s.score(), s.is_crawford())), Ok(([4, 2], true)));
        assert_eq!(at([4, 2], false).map(|s| s.is_crawford()), Ok(false));
        assert_eq!(at([4, 4], true).map(|s| s.is_crawford()), Ok(false), "both need one point");
        assert_eq!(at([3, 2], true).map(|s| s.is_crawford()), Ok(false));
        assert_eq!(at([5, 2], false), Err(Illegal::MatchOver));
        let money = Rules::Money { jacoby: true, beavers: false };
        assert_eq!(Session::at_score(money, [0, 2_000_000], false), Err(Illegal::Score));
    }

    #[test]
    fn cube_stops_at_its_highest_value() {
        let mut game = session(Rules::Money { jacoby: false, beavers: true });
        for turn in 0..usize::from(MAX_CUBE_LOG) {
            game.double(turn % 2).expect("legal");
            game.answer(Answer::Take).expect("legal");
        }
        assert_eq!((game.cube(), game.double(MAX_CUBE_LOG as usize % 2)), (4096, Err(Illegal::Highest)));
    }
}
