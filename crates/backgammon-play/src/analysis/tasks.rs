//! The decisions of a match, each with all that is needed to judge it.

use learnery_match_files::{Choice, MatchRecord};
use learnery_worlds::backgammon::matches::{Answer, Stakes};
use learnery_worlds::backgammon::{Board, Dice};

/// A decision to be judged.
#[derive(Clone, Debug)]
pub struct Task {
    /// The number of the game and of the entry in it, from 0.
    pub game: usize,
    pub entry: usize,
    /// The player who decides.
    pub player: usize,
    /// The position and what the game is played for, seen from the side on roll; for an answer, before the
    /// double.
    pub board: Board,
    pub stakes: Stakes,
    pub choice: TaskChoice,
}

/// What the player chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskChoice {
    Play {
        dice: Dice,
        after: Board,
    },
    /// A roll that was not played.
    Roll {
        dice: Dice,
    },
    Cube {
        doubled: bool,
    },
    Answer(Answer),
}

impl Task {
    /// Whether this is the first roll of a game, which also decides who begins.
    pub fn is_opening(&self) -> bool {
        self.entry == 0 && self.board == Board::START
    }
}

pub fn tasks(record: &MatchRecord) -> Vec<Task> {
    let task = |decision: learnery_match_files::Decision<'_>| Task {
        game: decision.game,
        entry: decision.entry,
        player: decision.player,
        board: decision.board,
        stakes: decision.stakes,
        choice: match decision.choice {
            Choice::Play { dice, after, .. } => TaskChoice::Play { dice, after },
            Choice::Roll { dice } => TaskChoice::Roll { dice },
            Choice::Cube { doubled } => TaskChoice::Cube { doubled },
            Choice::Answer(answer) => TaskChoice::Answer(answer),
        },
    };
    record.decisions().into_iter().map(task).collect()
}
