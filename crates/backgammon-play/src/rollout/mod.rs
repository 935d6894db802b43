//! Rollouts: the value of a position from many games that are played from it, instead of from the evaluator
//! alone.
//!
//! A *full* rollout plays each game to its end, a *truncated* one stops after some rolls and takes the
//! evaluator's value of the position reached there. A game ends when it reaches the bear-off table, which has
//! exact values. Variance is reduced in two ways: the luck of the rolls is subtracted from results
//! ([`game`]), and the first two rolls are stratified ([`dice`]).
//!
//! Plays are compared with the same dice for all of them (common random numbers), so most of the luck that is
//! left cancels in the differences.
//!
//! Games are numbered, and a number determines its dice. The sums are taken in the order of the numbers, so
//! the result has the same bits on any number of threads, and a rollout that was stopped continues as if it
//! had not been.

mod candidates;
mod dice;
mod game;
mod options;
mod report;
mod statistics;

#[cfg(test)]
mod tests;

use learnery_worlds::backgammon::{BearOff, Board, Dice};
use rayon::prelude::*;

use candidates::Candidate;
pub use candidates::best_at_one_ply;
use dice::RolloutDice;
use game::{GamePlayer, GameResult};
pub use options::RolloutOptions;
pub use statistics::Estimate;
use statistics::Tally;

use crate::Evaluator;

/// Games between two checks whether the rollout may end early: a multiple of 36, so that every first roll is
/// as frequent as its probability says.
const GAMES_PER_CHECK: u64 = 144;

/// Why a rollout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All games were played.
    Games,
    /// The standard error of every equity is below the limit.
    Error,
    /// The best play is ahead of every other one by more standard errors of the difference than the limit.
    Difference,
}

/// A rollout of one or more candidates, complete or under way.
pub struct Rollout {
    options: RolloutOptions,
    candidates: Vec<Candidate>,
    tally: Tally,
}

impl Rollout {
    /// Without `dice`, a rollout of `board`. With `dice`, a comparison of the plays that are best without
    /// lookahead: at most eight, each within 0.16 points of the best. The evaluator must be the same in every
    /// call. An error is a sentence about the options.
    pub fn new(
        evaluator: &impl Evaluator,
        board: &Board,
        dice: Option<Dice>,
        options: RolloutOptions,
    ) -> Result<Self, String> {
        options.check()?;
        let candidates = match dice {
            None if options.until_difference.is_some() => {
                return Err("a limit of the difference compares plays; expected dice".into());
            }
            None => vec![Candidate::position(*board)],
            Some(dice) => candidates::best(evaluator, board, dice, options.worth),
        };
        Self::of(evaluator, candidates, options)
    }

    /// A comparison of chosen plays of a roll. `plays` are the positions after them.
    pub fn of_plays(
        evaluator: &impl Evaluator,
        board: &Board,
        dice: Dice,
        plays: &[Board],
        options: RolloutOptions,
    ) -> Result<Self, String> {
        let candidates = plays.iter().map(|after| Candidate::play(board, dice, after)).collect();
        Self::of(evaluator, candidates, options)
    }

    fn of(
        evaluator: &impl Evaluator,
        candidates: Vec<Candidate>,
        options: RolloutOptions,
    ) -> Result<Self, String> {
        options.check()?;
        // Computed here, because it takes half a second, and a step must be able to stop sooner.
        BearOff::table();
        if options.plies > 0 && evaluator.has_policy_head() {
            return Err("a rollout with a network that has a policy head looks 0 plies ahead".into());
        }
        let tally = Tally::new(candidates.len(), options.worth);
        Ok(Self { options, candidates, tally })
    }

    /// Games played from each candidate.
    pub fn games(&self) -> u64 {
        self.tally.games()
    }

    /// The number of positions that games are played from.
    pub fn candidates(&self) -> usize {
        self.candidates.len()
    }

    /// Whether the rollout has ended, and why.
    pub fn ending(&self) -> Option<Ending> {
        let RolloutOptions { games, until_error, until_difference, .. } = self.options;
        if self.games() >= games {
            return Some(Ending::Games);
        }
        // Standard errors of few games are unreliable. Checks after fixed numbers of games do not depend on
        // where a rollout was stopped before.
        if self.games() == 0 || !self.games().is_multiple_of(GAMES_PER_CHECK) {
            return None;
        }
        if until_error.is_some_and(|limit| self.estimates().iter().all(|estimate| estimate.error < limit)) {
            return Some(Ending::Error);
        }
        let best = self.best();
        // A single play is ahead of nothing, so the limit says nothing about it.
        let until_difference = until_difference.filter(|_| self.candidates.len() > 1);
        let ahead = |limit: f64| {
            (0..self.candidates.len()).filter(|other| *other != best).all(|other| {
                let (difference, error) = self.tally.difference(best, other);
                difference > limit * error
            })
        };
        until_difference.filter(|limit| ahead(*limit)).map(|_| Ending::Difference)
    }

    /// Plays games from each candidate: up to the next check whether the rollout may end, at most `most`.
    /// `stop` is asked before every turn: once it returns true, complete games count and the others are
    /// discarded.
    /// `counted` is called after each game, in the order of their numbers, with the rollout so far.
    pub fn step(
        &mut self,
        evaluator: &impl Evaluator,
        most: u64,
        stop: &(dyn Fn() -> bool + Sync),
        counted: &mut dyn FnMut(&Self),
    ) {
        let (options, candidates) = (self.options, &self.candidates);
        let begin = self.games();
        let next_check = (begin / GAMES_PER_CHECK + 1) * GAMES_PER_CHECK;
        let end = next_check.min(options.games).min(begin.saturating_add(most));
        let dice = RolloutDice::new(options.seed);
        // Each game from each candidate is a task of its own, so a few games occupy many threads. Tasks in a
        // row share the buffers of a player.
        let tasks: Vec<(u64, &Candidate)> =
            (begin..end).flat_map(|game| candidates.iter().map(move |candidate| (game, candidate))).collect();
        let play = |player: &mut GamePlayer<_>, (game, candidate): (u64, &Candidate)| {
            // After a play the opponent is on roll, so worth and result change sides.
            let is_play = candidate.play.is_some();
            let worth = if is_play { options.worth.flipped() } else { options.worth };
            let result = player.play(&candidate.board, worth, &dice.game(game), stop)?;
            Some(if is_play { result.flipped() } else { result })
        };
        let new_player = || GamePlayer::new(evaluator, &options);
        let results: Vec<Option<GameResult>> = tasks.into_par_iter().map_init(new_player, play).collect();
        // Only games that are complete for all candidates, up to the first that is not.
        let games: Vec<Vec<GameResult>> = results
            .chunks(candidates.len().max(1))
            .map_while(|results| results.iter().copied().collect())
            .collect();
        for results in games {
            self.tally.add(&results);
            counted(self);
        }
    }

    /// Gives up the candidates for which `is_kept` is false, and forgets their games. Those that are kept are
    /// numbered anew.
    pub fn retain(&mut self, is_kept: &dyn Fn(usize) -> bool) {
        self.tally.retain(is_kept);
        let mut i = 0..self.candidates.len();
        self.candidates.retain(|_| i.next().is_some_and(is_kept));
    }

    /// The position of a candidate, and how the play that leads to it is written, if it is one.
    pub fn candidate(&self, candidate: usize) -> (&Board, Option<&str>) {
        let Candidate { board, play } = &self.candidates[candidate];
        (board, play.as_deref())
    }

    /// The equity of candidate `a` minus that of `b`, and the standard error of the difference.
    pub fn difference(&self, a: usize, b: usize) -> (f64, f64) {
        self.tally.difference(a, b)
    }

    /// The estimates of all candidates, with the luck subtracted unless the options say otherwise.
    pub fn estimates(&self) -> Vec<Estimate> {
        (0..self.candidates.len()).map(|i| self.tally.reduced(i)).collect()
    }

    /// The estimate for a candidate without luck subtracted.
    pub fn plain(&self, candidate: usize) -> Estimate {
        self.tally.plain(candidate)
    }

    /// The candidate with the highest equity; of equal ones the first.
    pub fn best(&self) -> usize {
        let estimates = self.estimates();
        (0..estimates.len())
            .fold(0, |best, i| if estimates[i].equity > estimates[best].equity { i } else { best })
    }
}
