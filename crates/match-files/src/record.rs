//! A match as it was played: games, and the actions of each game in order. Only a [`crate::Recorder`] makes
//! these, so every record is legal.

use learnery_worlds::backgammon::Dice;
use learnery_worlds::backgammon::Move;
use learnery_worlds::backgammon::matches::{Answer, Rules, Session};
use learnery_worlds::backgammon::{Board, Win};

/// What a player did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Rolled the dice and played: the moves, none if none was possible, and the board after them, seen from
    /// the opponent.
    Play {
        dice: Dice,
        moves: Vec<Move>,
        after: Board,
    },
    /// Rolled the dice, but no play of them is recorded, because the player resigned or the record ends here.
    Roll {
        dice: Dice,
    },
    Double,
    Answer(Answer),
}

/// An action and who did it: player 0 or 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub player: usize,
    pub action: Action,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All checkers of the winner are off.
    Won(Win),
    /// The loser passed a double.
    Passed,
    /// The loser resigned a single game, a gammon or a backgammon.
    Resigned(Win),
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameEnd {
    pub winner: usize,
    pub ending: Ending,
    /// Points won, the doubling cube included. They may exceed what the winner of a match still needed.
    pub points: u32,
}

/// A game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    pub(super) start: Session,
    pub(super) entries: Vec<Entry>,
    pub(super) end: Option<GameEnd>,
}

impl GameRecord {
    /// The match when the game began: its score, and whether this is the Crawford game.
    pub fn start(&self) -> Session {
        self.start
    }

    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The result; `None` if the record stops before the end of the game, which only the last game may.
    pub fn end(&self) -> Option<GameEnd> {
        self.end
    }
}

/// A match or a money session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchRecord {
    pub(super) players: [String; 2],
    pub(super) rules: Rules,
    pub(super) tags: Vec<(String, String)>,
    pub(super) games: Vec<GameRecord>,
}

impl MatchRecord {
    /// The names of players 0 and 1.
    pub fn players(&self) -> &[String; 2] {
        &self.players
    }

    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// What the file says about the match besides: names of tags like `EventDate`, and their values.
    pub fn tags(&self) -> &[(String, String)] {
        &self.tags
    }

    pub fn games(&self) -> &[GameRecord] {
        &self.games
    }

    /// The score after the last game that ended.
    pub fn score(&self) -> [u32; 2] {
        let Some(game) = self.games.last() else { return [0; 2] };
        let mut score = game.start.score();
        if let Some(end) = game.end {
            score[end.winner] += end.points;
        }
        score
    }
}
