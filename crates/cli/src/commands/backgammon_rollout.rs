//! `learnery backgammon rollout`: plays many games from a position, and says what they tell about it or about
//! its plays.

use anyhow::Result;
use learnery_backgammon_play::position_and_dice;
use learnery_backgammon_play::rollout::{Rollout, RolloutOptions};
use learnery_labs::backgammon::networks::TrainedNetwork;

use crate::args::BackgammonRolloutArgs;
use crate::failure::usage;
use crate::files::{checkpoint_path, file_error, read_checkpoint};
use crate::run::stop::StopSignal;
use crate::terminal::progress_line::ProgressLine;
use crate::terminal::{numbers, stderr, stdout};
use crate::threads;

pub fn rollout(args: &BackgammonRolloutArgs) -> Result<()> {
    let (board, dice) = position_and_dice(&request(args)?).map_err(usage)?;
    let path = checkpoint_path(&args.oracle.checkpoint)?;
    let (_, checkpoint) = read_checkpoint(&path)?;
    let network = TrainedNetwork::from_checkpoint(&checkpoint).map_err(|e| file_error(&path, e))?;
    let options = RolloutOptions {
        games: args.games,
        truncate: args.truncate,
        plies: args.oracle.plies,
        seed: args.seed,
        variance_reduction: !args.keep_luck,
        bear_off: true,
        until_error: args.until_error,
        until_difference: args.until_difference,
    };
    let mut rollout = Rollout::new(&network, &board, dice, options).map_err(usage)?;
    threads::start_pool(args.threads)?;
    let stop = StopSignal::listen()?;
    let games = numbers::count_of(args.games, "game");
    stderr::write(&format!("Plays up to {games}. Ctrl-C ends the rollout; games that are complete count.\n"));

    let line = ProgressLine::new();
    while rollout.ending().is_none() && !stop.requested() {
        let games_before = rollout.games();
        let best = (games_before > 0).then(|| rollout.estimates()[rollout.best()]);
        let best = best.map_or_else(String::new, |best| {
            format!(", equity {:+.4} ± {:.4}", best.equity, best.equity - best.interval()[0])
        });
        // Each candidate play is rolled out in games of its own, and `ended` counts those of all.
        let candidates = rollout.candidates() as u64;
        rollout.step(&|| stop.requested(), &|ended| {
            line.show(|| format!("{} of {games}{best}", numbers::count(games_before + ended / candidates)));
        });
    }
    // The process may no longer be ended while the result is written.
    stop.begin_saving();
    line.clear();
    if args.json { stdout::write_json(&rollout.json()) } else { stdout::write(&rollout.text()) }
}

/// The request in the form of the line protocol: the position, then the dice.
fn request(args: &BackgammonRolloutArgs) -> Result<String> {
    let Some(dice) = &args.dice else { return Ok(args.position.clone()) };
    match *dice.chars().collect::<Vec<_>>() {
        [a, b] if a.is_ascii_digit() && b.is_ascii_digit() => Ok(format!("{} {a} {b}", args.position)),
        _ => Err(usage(format!("--dice {dice}: expected two numbers from 1 to 6, such as 31"))),
    }
}
