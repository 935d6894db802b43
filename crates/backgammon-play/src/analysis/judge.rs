//! Judges single decisions: what they lost beside the best one, and the luck of the roll.
//!
//! Plays and cube decisions are valued at the score, with the cube and with lookahead. The luck of a roll is
//! the value after its best play minus the mean of that over all 21 rolls, without lookahead. The opening
//! roll also decides who begins, so its mean is that over the 30 rolls of two different dice by either
//! player.

use learnery_worlds::backgammon::matches::{Answer, Stakes};
use learnery_worlds::backgammon::{Board, Dice, Plays};

use super::judgement::{
    Amount, AnswerJudgement, CubeJudgement, Judged, Judgement, Mistake, PlayJudgement, PlayValue,
};
use super::ratings::CLOSE_CUBE;
use super::tasks::{Task, TaskChoice};
use crate::Evaluator;
use crate::cube::{CubePlayer, Decision, Payoffs, ValuedPlay, opposite};
use crate::outcomes::Outcomes;

/// Differences of utilities that are rounding errors.
const ROUNDING_TOLERANCE: f64 = 1e-9;

/// Judges decisions at a fixed depth. Owns the buffers for that; no result depends on what was judged before.
pub struct Judge<'a, E: Evaluator> {
    evaluator: &'a E,
    player: CubePlayer<E::Scratch>,
    /// Measures luck, without lookahead.
    luck_player: CubePlayer<E::Scratch>,
    looks_ahead: bool,
    plays: Plays,
}

impl<'a, E: Evaluator> Judge<'a, E> {
    pub fn new(evaluator: &'a E, plies: u8) -> Self {
        Self {
            evaluator,
            player: CubePlayer::new(evaluator, plies),
            luck_player: CubePlayer::new(evaluator, 0),
            looks_ahead: plies > 0,
            plays: Plays::new(),
        }
    }

    /// Judges a decision; `None` if `stop` answered true.
    pub fn judge(&mut self, task: &Task, stop: &(dyn Fn() -> bool + Sync)) -> Option<Judgement> {
        if stop() {
            return None;
        }
        let scale = Scale::new(&self.player, &task.stakes);
        let judged = match task.choice {
            TaskChoice::Play { dice, after } => {
                let luck = self.luck(task, dice, &scale);
                Judged::Play(self.play(task, dice, &after, &scale, luck, stop)?)
            }
            TaskChoice::Roll { dice } => Judged::Roll { dice, luck: self.luck(task, dice, &scale) },
            TaskChoice::Cube { doubled } => Judged::Cube(self.cube(task, doubled, &scale)),
            TaskChoice::Answer(answer) => Judged::Answer(self.answer(task, answer, &scale)),
        };
        let Task { game, entry, player, board, stakes, .. } = *task;
        Some(Judgement { game, entry, player, board, stakes, judged })
    }

    fn play(
        &mut self,
        task: &Task,
        dice: Dice,
        after: &Board,
        scale: &Scale,
        luck: Amount,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<PlayJudgement> {
        let Self { evaluator, player, plays, looks_ahead, .. } = self;
        plays.find(&task.board, dice);
        // A recorded play is legal, so it is found.
        let played = plays.iter().position(|play| play == *after).unwrap_or_default();
        let mut candidates = player.candidates(*evaluator, &task.board, plays, &task.stakes, Some(played));
        if *looks_ahead {
            for candidate in &mut candidates {
                if stop() {
                    return None;
                }
                *candidate = player.look_ahead(*evaluator, plays, &task.stakes, candidate.index);
            }
        }
        let better = |best: ValuedPlay, other: &ValuedPlay| {
            if other.utility > best.utility + ROUNDING_TOLERANCE { *other } else { best }
        };
        // The play that was made is always among the candidates.
        let made = candidates.iter().find(|candidate| candidate.index == played).copied();
        let made = made.unwrap_or(candidates[0]);
        // The search for the best play begins with the play that was made, so that of equal plays this one
        // counts as the best.
        let best = candidates.iter().fold(made, better);
        let value = |play: ValuedPlay| PlayValue {
            after: plays.get(play.index),
            outcomes: play.outcomes,
            value: scale.value(play.utility),
        };
        let (played, best) = (value(made), value(best));
        let error = best.value - played.value;
        Some(PlayJudgement { dice, plays: plays.len(), played, best, error, luck })
    }

    /// The utilities of all cube actions, also where a double would be useless.
    fn decide(&mut self, board: &Board, stakes: &Stakes) -> (Decision, Outcomes) {
        let valued = self.player.value(self.evaluator, board, &[*stakes, stakes.doubled()]);
        let decision =
            Decision::new(self.player.table(), stakes, valued.utilities[0], Some(valued.utilities[1]));
        (decision, valued.outcomes)
    }

    fn cube(&mut self, task: &Task, doubled: bool, scale: &Scale) -> CubeJudgement {
        let (decision, outcomes) = self.decide(&task.board, &task.stakes);
        let best = decision.utility();
        let double = decision.response().map_or(best, |(_, utility)| utility);
        let lost = best - if doubled { double } else { decision.no_double };
        let mistake = if doubled { Mistake::WrongDouble } else { Mistake::MissedDouble };
        // GNU Backgammon counts a decision as close if a double loses little where it is taken, or where it
        // wins the cash if that is less.
        let is_close = decision.double_take.is_some_and(|taken| {
            scale.difference(best - taken.min(decision.double_pass)).equity < CLOSE_CUBE
        });
        let (error, mistake) = scale.error(lost, mistake);
        CubeJudgement { doubled, decision, outcomes, counts: doubled || is_close, mistake, error }
    }

    fn answer(&mut self, task: &Task, answer: Answer, scale: &Scale) -> AnswerJudgement {
        let (decision, outcomes) = self.decide(&task.board, &task.stakes);
        // All these are utilities of the side that doubled, so the other side chooses the lowest.
        let taken = decision.double_take.unwrap_or(decision.double_pass);
        let beavered = decision.double_beaver.unwrap_or(taken);
        let best = decision.response().map_or(taken, |(_, utility)| utility);
        let (chosen, mistake) = match answer {
            Answer::Pass => (decision.double_pass, Mistake::WrongPass),
            Answer::Take if decision.double_pass < taken => (taken, Mistake::WrongTake),
            Answer::Take => (taken, Mistake::MissedBeaver),
            Answer::Beaver => (beavered, Mistake::WrongBeaver),
        };
        let (error, mistake) = scale.error(chosen - best, mistake);
        AnswerJudgement { answer, decision, outcomes, mistake, error }
    }

    fn luck(&mut self, task: &Task, dice: Dice, scale: &Scale) -> Amount {
        let Task { board, stakes, .. } = task;
        let rolled = self.after_roll(board, stakes, dice);
        let mean = if task.is_opening() {
            let theirs = stakes.flipped();
            let both = |dice: &Dice| {
                let own = self.after_roll(board, stakes, *dice);
                own + opposite(stakes, self.after_roll(&board.flipped(), &theirs, *dice))
            };
            // The 15 rolls of two different numbers, by either player.
            Dice::ALL.iter().filter(|dice| !dice.is_double()).map(both).sum::<f64>() / 30.0
        } else {
            let weighted = |dice: &Dice| f64::from(dice.ways()) * self.after_roll(board, stakes, *dice);
            Dice::ALL.iter().map(weighted).sum::<f64>() / 36.0
        };
        scale.difference(rolled - mean)
    }

    /// The utility after the best play of a roll, without lookahead.
    fn after_roll(&mut self, board: &Board, stakes: &Stakes, dice: Dice) -> f64 {
        self.plays.find(board, dice);
        let (_, utility) = self.luck_player.choose(self.evaluator, board, &self.plays, stakes);
        utility
    }
}

/// Turns utilities into amounts.
struct Scale {
    payoffs: Payoffs,
}

impl Scale {
    fn new<S>(player: &CubePlayer<S>, stakes: &Stakes) -> Self {
        Self { payoffs: Payoffs::new(player.table(), stakes) }
    }

    fn value(&self, utility: f64) -> Amount {
        Amount { equity: self.payoffs.equity(utility), utility }
    }

    fn difference(&self, utility: f64) -> Amount {
        let Payoffs { cash, dropped, .. } = self.payoffs;
        Amount { equity: 2.0 * utility / (cash - dropped), utility }
    }

    /// The error and the mistake, if anything is lost.
    fn error(&self, lost: f64, mistake: Mistake) -> (Amount, Option<Mistake>) {
        if lost > ROUNDING_TOLERANCE {
            (self.difference(lost), Some(mistake))
        } else {
            (Amount::default(), None)
        }
    }
}
