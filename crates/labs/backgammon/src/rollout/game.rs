//! One game of a rollout, with its luck.
//!
//! The *luck* of a roll is the value after its best play minus the mean of that over all 21 rolls. Its mean is zero
//! whatever the network thinks, so subtracting it changes no mean, and the better the network, the less chance is left:
//! *variance reduction* by a control variate. The luck is that of the five outcome probabilities, so all of them gain.
//!
//! The positions after all plays of all 21 rolls go through the network together.

use learnery_worlds::backgammon::{Board, Dice, Plays};

use super::dice::GameDice;
use super::options::{MAX_ROLLS, RolloutOptions};
use crate::outcomes::{OUTCOMES, Outcomes, best_play};
use crate::players::{Evaluator, Lookahead, LookaheadPlayer, NetworkRef};

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
pub struct GamePlayer<'a> {
    network: NetworkRef<'a>,
    options: RolloutOptions,
    evaluator: Evaluator,
    /// Chooses plays with lookahead; `None` without lookahead.
    player: Option<LookaheadPlayer>,
    plays: Plays,
    /// The positions after all plays of all rolls, one roll after the other, and where each roll ends.
    boards: Vec<Board>,
    ends: Vec<usize>,
    values: Vec<Outcomes>,
}

impl<'a> GamePlayer<'a> {
    pub fn new(network: NetworkRef<'a>, options: &RolloutOptions) -> Self {
        let lookahead = Lookahead { plies: options.plies };
        Self {
            network,
            options: *options,
            evaluator: network.evaluator(),
            player: (options.plies > 0).then(|| LookaheadPlayer::new(network, lookahead)),
            plays: Plays::new(),
            boards: Vec::new(),
            ends: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Plays a game from `start`; `None` if `stop` answered true.
    pub fn play(
        &mut self,
        start: &Board,
        dice: &GameDice,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<GameResult> {
        let (mut board, mut luck, mut turn) = (*start, Chances::default(), 0);
        let rolls = self.options.truncate.unwrap_or(MAX_ROLLS);
        let end = loop {
            if stop() {
                return None;
            }
            if let Some(end) = self.known(&board) {
                break end;
            }
            if turn == rolls {
                break self.value(&board);
            }
            let lucky = self.play_turn(&mut board, dice.roll(turn));
            let lucky = if turn.is_multiple_of(2) { lucky } else { flipped_difference(lucky) };
            luck.iter_mut().zip(lucky).for_each(|(sum, lucky)| *sum += lucky);
            turn += 1;
        };
        let end = if turn.is_multiple_of(2) { end } else { end.flipped() };
        let plain = end.0.map(f64::from);
        Some(GameResult { plain, reduced: std::array::from_fn(|i| plain[i] - luck[i]) })
    }

    /// The value of a finished game, or of a race in the bear-off database.
    fn known(&self, board: &Board) -> Option<Outcomes> {
        if self.options.bear_off { Outcomes::exact(board) } else { board.other_won().map(Outcomes::lost) }
    }

    /// The value of a position for the side on roll.
    fn value(&mut self, board: &Board) -> Outcomes {
        let weights = self.network.weights();
        match &mut self.player {
            Some(player) => player.value(weights, board),
            None => self.evaluator.value(weights, board),
        }
    }

    /// Makes the best play, and returns the luck of the roll for the side that made it.
    fn play_turn(&mut self, board: &mut Board, dice: Dice) -> Chances {
        let Self { network, options, evaluator, player, plays, boards, ends, values } = self;
        let weights = network.weights();
        let rolls = if options.variance_reduction { &Dice::ALL[..] } else { std::slice::from_ref(&dice) };
        boards.clear();
        ends.clear();
        for roll in rolls {
            plays.find(board, *roll);
            boards.extend(plays.iter());
            ends.push(boards.len());
        }
        evaluator.values_of_boards(weights, &board.flipped(), boards, values);
        let (mut mean, mut rolled, mut begin, mut next) = (Chances::default(), Chances::default(), 0, *board);
        for (roll, end) in rolls.iter().zip(&*ends) {
            let (best, value) = best_play(&values[begin..*end]);
            let value = value.flipped().0.map(f64::from);
            let probability = f64::from(roll.ways()) / 36.0;
            mean.iter_mut().zip(value).for_each(|(mean, value)| *mean += probability * value);
            if *roll == dice {
                (rolled, next) = (value, boards[begin + best]);
            }
            begin = *end;
        }
        if let Some(player) = player {
            plays.find(board, dice);
            next = plays.get(player.choose(weights, board, plays).0);
        }
        *board = next;
        match options.variance_reduction {
            true => std::array::from_fn(|i| rolled[i] - mean[i]),
            false => Chances::default(),
        }
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

/// A difference of chances for the other side.
fn flipped_difference([win, gammon, backgammon, lost_gammon, lost_backgammon]: Chances) -> Chances {
    [-win, lost_gammon, lost_backgammon, gammon, backgammon]
}
