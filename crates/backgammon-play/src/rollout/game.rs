//! One game of a rollout, with its luck.
//!
//! The *luck* of a roll is the value after its best play minus the mean of that over all 21 rolls. Its mean
//! is zero whatever the evaluator says, so subtracting it from results does not change their mean. The better
//! the evaluator, the less chance is left in them: *variance reduction* by a control variate. Luck is
//! measured and subtracted for each of the five outcome probabilities, so each of them gets more precise.
//!
//! The positions after all plays of all 21 rolls are valued together.

use learnery_worlds::backgammon::{Board, Dice, Plays};

use super::dice::GameDice;
use super::options::{MAX_ROLLS, RolloutOptions};
use crate::outcomes::{OUTCOMES, Outcomes};
use crate::players::{Lookahead, LookaheadPlayer, RolledPlays};
use crate::{Evaluator, Worth};

/// Outcome probabilities of one game; with the luck subtracted they may leave the interval from 0 to 1.
pub type Chances = [f64; OUTCOMES];

/// The result of a game for the side on roll at its beginning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameResult {
    pub plain: Chances,
    /// With the luck subtracted.
    pub reduced: Chances,
}

/// Plays games. Owns the buffers for that.
pub struct GamePlayer<'a, E: Evaluator> {
    evaluator: &'a E,
    options: RolloutOptions,
    scratch: E::Scratch,
    /// Chooses plays with lookahead; `None` without lookahead.
    player: Option<LookaheadPlayer<E::Scratch>>,
    plays: Plays,
    /// Plays of the roll, or of all rolls where luck is measured.
    rolled: RolledPlays,
}

impl<'a, E: Evaluator> GamePlayer<'a, E> {
    pub fn new(evaluator: &'a E, options: &RolloutOptions) -> Self {
        let lookahead = Lookahead { plies: options.plies };
        Self {
            evaluator,
            options: *options,
            scratch: evaluator.scratch(),
            player: (options.plies > 0).then(|| LookaheadPlayer::new(evaluator, lookahead)),
            plays: Plays::new(),
            rolled: RolledPlays::default(),
        }
    }

    /// Plays a game from `start`; `None` if `stop` answered true. `worth` is that of the side on roll there.
    pub fn play(
        &mut self,
        start: &Board,
        worth: Worth,
        dice: &GameDice,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<GameResult> {
        let (mut board, mut luck, mut turn) = (*start, Chances::default(), 0);
        let rolls = self.options.truncate.unwrap_or(MAX_ROLLS);
        let last_value = loop {
            if stop() {
                return None;
            }
            if let Some(value) = self.known_value(&board) {
                break value;
            }
            if turn == rolls {
                break self.value(&board);
            }
            let is_first_side = turn.is_multiple_of(2);
            let worth = if is_first_side { worth } else { worth.flipped() };
            let turn_luck = self.play_turn(&mut board, worth, dice.roll(turn));
            // In odd turns the other side plays, but everything is summed for the side on roll at the start.
            let turn_luck = if is_first_side { turn_luck } else { flipped_difference(turn_luck) };
            luck.iter_mut().zip(turn_luck).for_each(|(sum, part)| *sum += part);
            turn += 1;
        };
        let result = if turn.is_multiple_of(2) { last_value } else { last_value.flipped() };
        let plain = result.0.map(f64::from);
        Some(GameResult { plain, reduced: std::array::from_fn(|i| plain[i] - luck[i]) })
    }

    /// The value of a finished game, or of a race in the bear-off database.
    fn known_value(&self, board: &Board) -> Option<Outcomes> {
        if self.options.bear_off { Outcomes::exact(board) } else { board.other_won().map(Outcomes::lost) }
    }

    /// The value of a position for the side on roll.
    fn value(&mut self, board: &Board) -> Outcomes {
        match &mut self.player {
            Some(player) => player.value(self.evaluator, board),
            None => self.evaluator.value(board, &mut self.scratch),
        }
    }

    /// Makes the best play, and returns the luck of the roll for the side that made it.
    fn play_turn(&mut self, board: &mut Board, worth: Worth, dice: Dice) -> Chances {
        let Self { evaluator, options, scratch, player, plays, rolled } = self;
        // Luck is a difference from the mean over all rolls; without it the roll itself is enough.
        let has_all_rolls = options.variance_reduction;
        let rolls = if has_all_rolls { &Dice::ALL[..] } else { std::slice::from_ref(&dice) };
        rolled.set_worth(worth);
        rolled.find_and_value(*evaluator, scratch, board, rolls);
        let roll = if has_all_rolls { dice.index() } else { 0 };
        let luck = if has_all_rolls { rolled.luck(roll) } else { Chances::default() };
        let (boards, values) = rolled.of_roll(roll);
        let (best, _) = worth.best_play(values);
        let mut next = boards[best];
        if let Some(player) = player {
            plays.find(board, dice);
            let (choice, _) = player.choose(*evaluator, board, plays);
            next = plays.get(choice);
        }
        *board = next;
        luck
    }
}

impl GameResult {
    /// The result for the other side.
    #[must_use]
    pub fn flipped(&self) -> Self {
        let flipped = |[win, gammon, backgammon, lost_gammon, lost_backgammon]: Chances| {
            [1.0 - win, lost_gammon, lost_backgammon, gammon, backgammon]
        };
        Self { plain: flipped(self.plain), reduced: flipped(self.reduced) }
    }
}

/// A difference of chances for the other side. It has no `1 -`, because those of its two terms cancel.
fn flipped_difference([win, gammon, backgammon, lost_gammon, lost_backgammon]: Chances) -> Chances {
    [-win, lost_gammon, lost_backgammon, gammon, backgammon]
}
