//! Golden positions: money-game positions of nine plans (kinds of position), whose equities are known from
//! rollouts by the shipped network and by GNU Backgammon. With them the errors of networks are measured.
//!
//! `cargo run --release -p learnery-backgammon --example golden_positions -- draw NUMBER_OF_EACH_PLAN FILE`
//! draws positions.
//! `... -- roll FILE RESULTS ROLLS` rolls out the positions of FILE that RESULTS does not have yet, and
//! appends them. Each game ends after ROLLS rolls with the network's value; 0 plays to the end.
//! `... -- measure tests/golden/backgammon/equities.tsv NETWORK...` prints the errors of the shipped network
//! and of others.
//!
//! `scripts/gnubg_equities.py` asks GNU Backgammon and joins the files to the golden one.

mod draw;
mod measure;
mod plan;

use std::collections::HashSet;
use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::Write;

use learnery_backgammon::networks::TrainedNetwork;
use learnery_backgammon_play::rollout::{Rollout, RolloutOptions};
use learnery_lab::Checkpoint;
use learnery_worlds::backgammon::Board;

const SHIPPED_PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../models/backgammon.safetensors");
const SHIPPED_NAME: &str = "The shipped network";
/// The standard error at which a rollout ends, in points a game.
const STANDARD_ERROR: f64 = 0.005;
/// The most games of a rollout: a multiple of the 1,296 pairs of first rolls, which are distributed evenly.
const MAX_GAMES: u64 = 10_368;

fn network(path: &str) -> Result<TrainedNetwork, Box<dyn Error>> {
    Ok(TrainedNetwork::from_checkpoint(&Checkpoint::from_bytes(&fs::read(path)?)?)?)
}

#[allow(clippy::print_stdout, clippy::print_stderr)] // It prints what it measures.
fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["draw", of_each, file] => {
            let (positions, note) = draw::draw(&network(SHIPPED_PATH)?, of_each.parse()?);
            let lines =
                positions.iter().map(|(board, plan)| format!("{}\t{}\n", board.position_id(), plan.name()));
            fs::write(file, lines.collect::<String>())?;
            eprintln!("{note}");
        }
        ["roll", file, results, rolls] => roll_out(file, results, rolls.parse()?)?,
        ["measure", file, networks @ ..] => {
            let text = fs::read_to_string(file)?;
            let lines = text.lines().filter(|line| !line.starts_with('#'));
            let positions = lines.map(measure::Position::parse).collect::<Result<Vec<_>, _>>()?;
            let mut valued = vec![(SHIPPED_NAME.to_owned(), network(SHIPPED_PATH)?)];
            for path in networks {
                valued.push(((*path).to_owned(), network(path)?));
            }
            println!("{}", measure::table(&positions, &valued));
        }
        _ => {
            return Err(
                "expected `draw NUMBER FILE`, `roll FILE RESULTS ROLLS` or `measure FILE NETWORK...`".into(),
            );
        }
    }
    Ok(())
}

/// Rolls out each position of `file` that `results` does not have, until the standard error is reached or
/// [`MAX_GAMES`] are played, and appends its ID, equity, standard error and games. Games are truncated after
/// `rolls` rolls; 0 plays them to the end.
fn roll_out(file: &str, results: &str, rolls: u32) -> Result<(), Box<dyn Error>> {
    let network = network(SHIPPED_PATH)?;
    let mut done: HashSet<String> = fs::read_to_string(results)
        .unwrap_or_default()
        .lines()
        .filter_map(|line| line.split('\t').next().map(str::to_owned))
        .collect();
    let mut out = OpenOptions::new().append(true).create(true).open(results)?;
    let options = RolloutOptions {
        games: MAX_GAMES,
        truncate: (rolls > 0).then_some(rolls),
        until_error: Some(STANDARD_ERROR),
        ..RolloutOptions::default()
    };
    for line in fs::read_to_string(file)?.lines() {
        let id = line.split('\t').next().unwrap_or_default();
        if !done.insert(id.to_owned()) {
            continue;
        }
        let mut rollout = Rollout::new(&network, &Board::from_position_id(id)?, None, options)?;
        while rollout.ending().is_none() {
            rollout.step(&network, MAX_GAMES, &|| false, &mut |_| ());
        }
        // Without a cube there is one estimate.
        let estimate = rollout.estimates()[0];
        writeln!(out, "{id}\t{:.5}\t{:.5}\t{}", estimate.equity, estimate.error, rollout.games())?;
    }
    Ok(())
}
