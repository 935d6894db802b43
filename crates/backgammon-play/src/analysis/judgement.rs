//! What was found about a decision.

use std::ops::{AddAssign, Sub};

use learnery_worlds::backgammon::matches::{Answer, Stakes};
use learnery_worlds::backgammon::{Board, Dice};

use crate::cube::Decision;
use crate::outcomes::Outcomes;

/// A value, or a difference of values (an error, or luck), in both units that players use.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Amount {
    /// Normalised to the cube: winning a single game at the present cube is 1, losing it -1.
    pub equity: f64,
    /// The chance to win the match in a match, points for money.
    pub utility: f64,
}

impl AddAssign for Amount {
    fn add_assign(&mut self, other: Self) {
        self.equity += other.equity;
        self.utility += other.utility;
    }
}

impl Sub for Amount {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { equity: self.equity - other.equity, utility: self.utility - other.utility }
    }
}

/// A decision and its judgement.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The index of the game in the match, and of the decision's entry in the record of the game.
    pub game: usize,
    pub entry: usize,
    /// The player who decided: 0 or 1.
    pub player: usize,
    /// The position and what the game is played for, seen from the player who decided. For an answer they are
    /// seen from the opponent, who doubled, and are those before the double.
    pub board: Board,
    pub stakes: Stakes,
    pub judged: Judged,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Judged {
    Play(PlayJudgement),
    /// A roll whose play is not recorded, because the player resigned or the record ends. It has luck only.
    Roll {
        dice: Dice,
        luck: Amount,
    },
    Cube(CubeJudgement),
    Answer(AnswerJudgement),
}

/// A play with its value for the side that plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayValue {
    /// Seen from the opponent.
    pub after: Board,
    /// Cubeless chances.
    pub outcomes: Outcomes,
    pub value: Amount,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PlayJudgement {
    pub dice: Dice,
    /// The number of legal plays; those that lead to the same position count once. A play is *forced* if it
    /// is the only one. If no checker can move, passing is the only play.
    pub plays: usize,
    pub played: PlayValue,
    pub best: PlayValue,
    /// What the play loses beside the best one, at least 0.
    pub error: Amount,
    pub luck: Amount,
}

/// What is wrong with a cube decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    MissedDouble,
    WrongDouble,
    WrongTake,
    WrongPass,
    /// A take where a beaver was better.
    MissedBeaver,
    WrongBeaver,
}

impl Mistake {
    pub const ALL: [Self; 6] = [
        Self::MissedDouble,
        Self::WrongDouble,
        Self::WrongTake,
        Self::WrongPass,
        Self::MissedBeaver,
        Self::WrongBeaver,
    ];

    pub fn words(self) -> &'static str {
        match self {
            Self::MissedDouble => "missed double",
            Self::WrongDouble => "wrong double",
            Self::WrongTake => "wrong take",
            Self::WrongPass => "wrong pass",
            Self::MissedBeaver => "missed beaver",
            Self::WrongBeaver => "wrong beaver",
        }
    }
}

/// Whether to double before a roll.
#[derive(Clone, Debug, PartialEq)]
pub struct CubeJudgement {
    pub doubled: bool,
    /// The utilities of all actions, for the side on roll.
    pub decision: Decision,
    /// Cubeless chances of the side on roll.
    pub outcomes: Outcomes,
    /// Whether GNU Backgammon counts it as a close or actual decision.
    pub counts: bool,
    pub mistake: Option<Mistake>,
    pub error: Amount,
}

/// The answer to a double.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerJudgement {
    pub answer: Answer,
    /// The utilities of all actions, for the side that doubled.
    pub decision: Decision,
    /// Cubeless chances of the side that doubled.
    pub outcomes: Outcomes,
    pub mistake: Option<Mistake>,
    pub error: Amount,
}

impl Judgement {
    /// What is lost by the decision.
    pub fn error(&self) -> Amount {
        match &self.judged {
            Judged::Play(play) => play.error,
            Judged::Roll { .. } => Amount::default(),
            Judged::Cube(cube) => cube.error,
            Judged::Answer(answer) => answer.error,
        }
    }

    /// The luck of the roll, if this is about one.
    pub fn luck(&self) -> Option<Amount> {
        match &self.judged {
            Judged::Play(play) => Some(play.luck),
            Judged::Roll { luck, .. } => Some(*luck),
            Judged::Cube(_) | Judged::Answer(_) => None,
        }
    }
}
