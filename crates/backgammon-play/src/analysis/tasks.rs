//! The decisions of a match, each with all that is needed to judge it.
//!
//! A [`Task`] is a [`Decision`] of the crate `match-files` without what judging does not need. A decision
//! borrows the moves of its play from the record; a task borrows nothing, so an analysis can own the record
//! and its tasks.

use learnery_match_files::{Choice, Decision, MatchRecord};
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

/// What the player chose, see [`Choice`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskChoice {
    /// How to play a roll. `after` is seen from the opponent.
    Play { dice: Dice, after: Board },
    /// No choice: a roll whose play is not recorded, because the player resigned or the record ends. Only its
    /// luck is judged.
    Roll { dice: Dice },
    /// Whether to double before the roll.
    Cube { doubled: bool },
    /// The answer to a double.
    Answer(Answer),
}

impl Task {
    /// Whether this is the first roll of a game. It also decides who begins, and is no double, so its luck is
    /// measured against the rolls of two different numbers by either player.
    pub fn is_opening(&self) -> bool {
        self.entry == 0 && self.board == Board::START
    }
}

/// All decisions of a recorded match, in their order.
pub fn tasks(record: &MatchRecord) -> Vec<Task> {
    let task = |decision: Decision<'_>| Task {
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
