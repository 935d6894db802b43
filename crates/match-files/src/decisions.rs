//! Walks through a record: every decision with the position and the stakes at which it was made. Analyses of
//! matches and annotated files ([`crate::write_mat`]) begin with these.

use super::record::{Action, GameRecord, MatchRecord};
use learnery_worlds::backgammon::Board;
use learnery_worlds::backgammon::Dice;
use learnery_worlds::backgammon::Move;
use learnery_worlds::backgammon::matches::{Answer, Session, Stakes};

/// What a player chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice<'a> {
    /// Whether to double before the roll. Listed only if a double was legal and the cube was not dead, or if
    /// the player doubled all the same.
    Cube { doubled: bool },
    /// The answer to a double.
    Answer(Answer),
    /// How to play a roll. `after` is seen from the opponent; without a legal move, `moves` is empty.
    Play { dice: Dice, moves: &'a [Move], after: Board },
    /// No choice: a roll whose play is not recorded, because the player resigned or the record ends. It is
    /// listed for its luck.
    Roll { dice: Dice },
}

/// A decision of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision<'a> {
    /// The number of the game, from 0.
    pub game: usize,
    /// The number of the entry in the game, from 0. A cube decision and the play that follows share one.
    pub entry: usize,
    /// The player who decides.
    pub player: usize,
    /// The player who is about to roll, or has rolled. The other one decides only about an answer.
    pub on_roll: usize,
    /// The position, seen from `on_roll`.
    pub board: Board,
    /// What the game is played for, seen from `on_roll`; for an answer, before the double.
    pub stakes: Stakes,
    /// The score when the game began.
    pub score: [u32; 2],
    pub choice: Choice<'a>,
}

impl MatchRecord {
    /// Every decision, in order.
    pub fn decisions(&self) -> Vec<Decision<'_>> {
        let mut decisions = Vec::new();
        for (number, game) in self.games.iter().enumerate() {
            game_decisions(number, game, &mut decisions);
        }
        decisions
    }
}

fn game_decisions<'a>(number: usize, game: &'a GameRecord, decisions: &mut Vec<Decision<'a>>) {
    let mut session: Session = game.start;
    let mut board = Board::START;
    // Whether the player on roll has no decision about the cube any more in this turn. Nobody doubles before
    // the opening roll.
    let mut has_decided_cube = true;
    for (index, entry) in game.entries.iter().enumerate() {
        let player = entry.player;
        let on_roll = session.doubler().unwrap_or(player);
        // A recorded game is legal, so its stakes exist.
        let Ok(stakes) = session.stakes(on_roll) else { return };
        let decision = |choice| Decision {
            game: number,
            entry: index,
            player,
            on_roll,
            board,
            stakes,
            score: game.start.score(),
            choice,
        };
        let may_double = !has_decided_cube && stakes.no_double().is_none();
        match &entry.action {
            Action::Play { dice, moves, after } => {
                if may_double {
                    decisions.push(decision(Choice::Cube { doubled: false }));
                }
                decisions.push(decision(Choice::Play { dice: *dice, moves, after: *after }));
                board = *after;
                has_decided_cube = false;
            }
            Action::Roll { dice } => {
                if may_double {
                    decisions.push(decision(Choice::Cube { doubled: false }));
                }
                decisions.push(decision(Choice::Roll { dice: *dice }));
            }
            Action::Double => {
                decisions.push(decision(Choice::Cube { doubled: true }));
                has_decided_cube = true;
                if session.double(player).is_err() {
                    return;
                }
            }
            Action::Answer(answer) => {
                decisions.push(decision(Choice::Answer(*answer)));
                if session.answer(*answer).is_err() {
                    return;
                }
            }
        }
    }
}
