//! The table of openings and replies, which the page shows: the plays of each first roll, and of each roll of
//! the other side after the best ones, compared by rollouts of the shipped network. Money games and the three
//! scores of [`Worth`] are rolled out apart, because both sides then play otherwise.
//!
//! `cargo run --release -p learnery-backgammon --example openings -- FILE SECONDS`, where FILE is
//! `www/labs/backgammon/openings/table.tsv`.
//!
//! It goes on with a table that is not complete, and ends when it is or after so many seconds. Every line has
//! the same bits, no matter when and on how many threads it is computed.

mod compare;
mod table;

use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::time::{Duration, Instant};

use learnery_backgammon::networks::TrainedNetwork;
use learnery_backgammon_play::Worth;
use learnery_lab::Checkpoint;

use compare::{Effort, compare};
use table::{Table, decisions};

/// The first lines of the table.
const HEADER: &str = "\
# Openings and replies, by rollouts of models/backgammon.safetensors; the example `openings` of the crate
# learnery-backgammon makes it. Score, seen from the side that rolls first (dmp: both need one point; go: it
# needs two and the other one; save: the other way round), opening, roll, equity of the best play in
# thousandths of a point, its standard error; then each play, how far it is behind, the standard error of
# that, games. Cubeless; luck subtracted; seed 20261128.
";
const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../models/backgammon.safetensors");

fn shipped() -> Result<TrainedNetwork, Box<dyn Error>> {
    Ok(TrainedNetwork::from_checkpoint(&Checkpoint::from_bytes(&fs::read(SHIPPED)?)?)?)
}

#[allow(clippy::print_stderr)] // It says how far it is.
fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, seconds] = arguments.as_slice() else {
        return Err("expected the file of the table, and the most seconds".into());
    };
    let (begin, limit) = (Instant::now(), Duration::from_secs(seconds.parse()?));
    let network = shipped()?;
    let mut table = Table::read(&fs::read_to_string(path).unwrap_or_default())?;
    let mut out = OpenOptions::new().append(true).create(true).open(path)?;
    if table.len() == 0 {
        out.write_all(HEADER.as_bytes())?;
    }
    // The decisions after an opening are known once that has been rolled out.
    while let Some(decision) = decisions(&table)?.into_iter().find(|decision| !table.has(decision)) {
        if begin.elapsed() > limit {
            eprintln!("Not complete yet: {} lines.", table.len());
            return Ok(());
        }
        let effort = match decision.opening {
            None => Effort::OPENING,
            Some(_) if decision.worth == Worth::MONEY => Effort::REPLY,
            Some(_) => Effort::REPLY_AT_SCORE,
        };
        let found = compare(&network, &decision, effort)?;
        let line = table.add(&decision, &found);
        out.write_all(line.as_bytes())?;
    }
    eprintln!("Complete: {} lines.", table.len());
    Ok(())
}
