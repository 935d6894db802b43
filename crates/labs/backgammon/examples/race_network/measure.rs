//! Errors of evaluators of races beside rollouts, and these rollouts.

use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::Write;

use learnery_backgammon_play::Evaluator;
use learnery_backgammon_play::players::{Lookahead, LookaheadPlayer, MAX_PLIES};
use learnery_backgammon_play::rollout::{Rollout, RolloutOptions};
use learnery_worlds::backgammon::Board;
use rayon::prelude::*;

use crate::GOLDEN;

/// Rollouts of races end at this standard error, or after the most games.
const STANDARD_ERROR: f64 = 0.001;
const MAX_GAMES: u64 = 5_184;

/// A race and its equity by rollouts.
struct Golden {
    board: Board,
    truth: f64,
}

/// The golden races with rollouts of GNU Backgammon and of a network that was shipped before, without a
/// network of one side. The mean of the two counts as the truth.
fn few() -> Result<Vec<Golden>, Box<dyn Error>> {
    let mut races = Vec::new();
    for line in fs::read_to_string(format!("{GOLDEN}equities.tsv"))?.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        if let [id, "race", ours, _, theirs, ..] = fields.as_slice() {
            let truth = (ours.parse::<f64>()? + theirs.parse::<f64>()?) / 2.0;
            races.push(Golden { board: Board::from_position_id(id)?, truth });
        }
    }
    Ok(races)
}

/// The races of all golden positions, with rollouts by [`roll`].
fn many() -> Result<Vec<Golden>, Box<dyn Error>> {
    let mut races = Vec::new();
    for line in fs::read_to_string(format!("{GOLDEN}races.tsv"))?.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [id, truth, ..] = fields.as_slice() else { return Err(format!("too short: {line}").into()) };
        races.push(Golden { board: Board::from_position_id(id)?, truth: truth.parse()? });
    }
    Ok(races)
}

/// Lines with the root mean square errors and the mean errors at each number of plies.
pub fn errors(evaluator: &impl Evaluator, most_plies: u8) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    for races in [few()?, many()?] {
        text += &format!("{} golden races, error and bias", races.len());
        for plies in 0..=most_plies.min(MAX_PLIES) {
            let new_player = || LookaheadPlayer::new(evaluator, Lookahead { plies });
            let errors: Vec<f64> = races
                .par_iter()
                .map_init(new_player, |player, race| {
                    f64::from(player.value(evaluator, &race.board).equity()) - race.truth
                })
                .collect();
            let worst = races.iter().zip(&errors).max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
            let worst = worst.map_or_else(String::new, |(race, error)| {
                format!(" (at most {error:+.4}, {})", race.board.position_id())
            });
            let n = errors.len() as f64;
            let error = (errors.iter().map(|e| e * e).sum::<f64>() / n).sqrt();
            text += &format!("; {plies} plies: {error:.4}, {:+.4}{worst}", errors.iter().sum::<f64>() / n);
        }
        text.push('\n');
    }
    Ok(text)
}

/// Rolls out the races of the golden positions that `results` does not have yet, to their ends, with luck
/// subtracted.
pub fn roll(evaluator: &impl Evaluator, results: &str) -> Result<(), Box<dyn Error>> {
    let done = fs::read_to_string(results).unwrap_or_default();
    let mut out = OpenOptions::new().append(true).create(true).open(results)?;
    let options =
        RolloutOptions { games: MAX_GAMES, until_error: Some(STANDARD_ERROR), ..RolloutOptions::default() };
    for line in fs::read_to_string(format!("{GOLDEN}equity_positions.tsv"))?.lines() {
        let Some((id, "race")) = line.split_once('\t') else { continue };
        if done.contains(id) {
            continue;
        }
        let mut rollout = Rollout::new(evaluator, &Board::from_position_id(id)?, None, options)?;
        while rollout.ending().is_none() {
            rollout.step(evaluator, MAX_GAMES, &|| false, &mut |_| ());
        }
        let estimate = rollout.estimates()[0];
        writeln!(out, "{id}\t{:.5}\t{:.5}\t{}", estimate.equity, estimate.error, rollout.games())?;
    }
    Ok(())
}
