//! Rollouts: the value of a position from many games that are played from it, instead of from the network alone.
//!
//! A *full* rollout plays each game to its end, a *truncated* one stops after some rolls and takes the network's value of
//! the position reached there. Races in the bear-off database end at once, because their value is known. Luck decides
//! most of a game, so it is subtracted ([`game`]), and the first two rolls are distributed evenly ([`dice`]).
//!
//! Plays are compared with the same dice for all of them, so most of the luck that is left cancels in the differences.
//!
//! Games are numbered, and a number determines its dice. The sums are taken in the order of the numbers, so the result
//! has the same bits on any number of threads, and a rollout that was stopped continues as if it had not been.

mod dice;
mod game;
mod options;
mod report;
mod statistics;

#[cfg(test)]
mod tests;

use learnery_worlds::backgammon::{BearOff, Board, Dice, Plays, moves, notation};
use rayon::prelude::*;

use dice::RolloutDice;
use game::{GamePlayer, GameResult};
pub use options::RolloutOptions;
pub use statistics::Estimate;
use statistics::Tally;

use crate::players::{Lookahead, LookaheadPlayer, NetworkRef};

/// Games between two checks whether the rollout may end: a multiple of 36, so that the first roll is distributed evenly.
const ROUND: u64 = 144;
/// Games of one task, which shares the buffers of a player.
const BLOCK: u64 = 4;

/// Why a rollout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All games are played.
    Games,
    /// The standard errors are below the limit.
    Error,
    /// The best play is far enough ahead of the others.
    Difference,
}

/// A position whose games are played: the one asked about, or the one after a play.
#[derive(Clone, Debug, PartialEq)]
struct Candidate {
    board: Board,
    /// The play in standard notation; `None` for the position itself. After a play the other side is on roll, so results
    /// are flipped.
    play: Option<String>,
}

/// A rollout, complete or under way.
pub struct Rollout<'a> {
    network: NetworkRef<'a>,
    options: RolloutOptions,
    candidates: Vec<Candidate>,
    tally: Tally,
}

impl<'a> Rollout<'a> {
    /// A rollout of `board`, or with `dice` a comparison of the plays that are best without lookahead (at most eight,
    /// each within 0.16 points of the best). An error is a sentence about the options.
    pub fn new(
        network: NetworkRef<'a>,
        board: &Board,
        dice: Option<Dice>,
        options: RolloutOptions,
    ) -> Result<Self, String> {
        options.check()?;
        // Computed here, because that takes a while in which no step could be stopped.
        BearOff::table();
        if options.plies > 0 && network.has_policy_head() {
            return Err("a rollout with a network that has a policy head looks 0 plies ahead".into());
        }
        let candidates = match dice {
            None if options.until_difference.is_some() => {
                return Err("a limit of the difference compares plays; expected dice".into());
            }
            None => vec![Candidate { board: *board, play: None }],
            Some(dice) => best_plays(network, board, dice),
        };
        let tally = Tally::new(candidates.len());
        Ok(Self { network, options, candidates, tally })
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
        // Errors of few games say little, and results must not depend on where a rollout was stopped before.
        if self.games() == 0 || !self.games().is_multiple_of(ROUND) {
            return None;
        }
        if until_error.is_some_and(|limit| self.estimates().iter().all(|estimate| estimate.error < limit)) {
            return Some(Ending::Error);
        }
        let best = self.best();
        let ahead = |limit: f64| {
            (0..self.candidates.len()).filter(|other| *other != best).all(|other| {
                let (difference, error) = self.tally.difference(best, other);
                difference > limit * error
            })
        };
        until_difference.filter(|limit| ahead(*limit)).map(|_| Ending::Difference)
    }

    /// Plays some games, at most up to the next check whether the rollout may end. `stop` is asked on every turn: once it
    /// answers true, the games that are complete count and the others are discarded. `progress` is called by any thread
    /// with the number of games of this step that ended, counted from 1 and over all candidates.
    pub fn step(&mut self, stop: &(dyn Fn() -> bool + Sync), progress: &(dyn Fn(u64) + Sync)) {
        let (network, options, candidates) = (self.network, self.options, &self.candidates);
        let begin = self.games();
        let end = ((begin / ROUND + 1) * ROUND).min(options.games);
        let dice = RolloutDice::new(options.seed);
        let ended = std::sync::atomic::AtomicU64::new(0);
        let starts: Vec<u64> = (begin..end).step_by(BLOCK as usize).collect();
        let blocks: Vec<Vec<Option<Vec<GameResult>>>> = starts
            .into_par_iter()
            .with_max_len(1)
            .map(|start| {
                let mut player = GamePlayer::new(network, &options);
                let mut play = |candidate: &Candidate, game: u64| {
                    let result = player.play(&candidate.board, &dice.game(game), stop)?;
                    progress(ended.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1);
                    Some(if candidate.play.is_some() { result.flipped() } else { result })
                };
                let games = start..(start + BLOCK).min(end);
                games.map(|game| candidates.iter().map(|c| play(c, game)).collect()).collect()
            })
            .collect();
        // Only games that are complete for all candidates, without gaps.
        for results in blocks.iter().flatten().map_while(Option::as_ref) {
            self.tally.add(results);
        }
    }

    /// The estimates of all candidates, with the luck subtracted unless the options say otherwise.
    pub fn estimates(&self) -> Vec<Estimate> {
        (0..self.candidates.len()).map(|i| self.tally.reduced(i)).collect()
    }

    /// The estimate from the bare results of the games of a candidate.
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

/// The plays that are best without lookahead, in the order in which they were found.
fn best_plays(network: NetworkRef, board: &Board, dice: Dice) -> Vec<Candidate> {
    let mut plays = Plays::new();
    plays.find(board, dice);
    let mut player = LookaheadPlayer::new(network, Lookahead::default());
    let candidate = |i: &u32| {
        let after = plays.get(*i as usize);
        let play = moves(board, dice, &after).map(|moves| notation(&moves));
        Candidate { board: after, play: Some(play.unwrap_or_default()) }
    };
    player.candidates(network.weights(), board, &plays).iter().map(candidate).collect()
}
