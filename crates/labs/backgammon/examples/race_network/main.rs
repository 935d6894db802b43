//! A better race network, learned from nothing but the rules and games of a checkpoint. A teacher learns how many
//! turns each side of a race needs alone. In a race the sides do not hinder each other, so two sides give the
//! chances of a race. The race network of the checkpoint learns these.
//!
//! `cargo run --release -p learnery-backgammon --example race_network -- teach CHECKPOINT TEACHER RACES GAMES NUMBER`
//! learns a teacher from the sides of races in GAMES games. It writes the teacher, and races with their
//! chances: of NUMBER that are drawn those that are not near the golden ones.
//! `... -- measure TEACHER` prints the teacher's errors on the golden races.
//! `... -- learn CHECKPOINT RACES OUT UPDATES WIDTH` writes the checkpoint with a new race network.
//!
//! The results have the same bits on any number of threads.

mod distil;
mod measure;
mod pairs;
mod sides;
mod turns;

use std::error::Error;
use std::fs;
use std::path::Path;

use learnery_backgammon::networks::TrainedNetwork;
use learnery_lab::Checkpoint;
use learnery_nn::Tensors;

const SEED: u32 = 20_261_129;
// Streams.
const DICE: u32 = 911;
const NOISE: u32 = 912;
const SIDES: u32 = 913;
const TEACHER_WEIGHTS: u32 = 914;
const TEACHER_BATCHES: u32 = 915;
const PAIRS: u32 = 916;
const RACE_WEIGHTS: u32 = 917;
const RACE_BATCHES: u32 = 918;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/golden/backgammon/");

/// The key in the file format's header under which a file of tensors has a note; the notes here are empty.
const NOTE: &str = "race_network";

/// Tells how far it is.
#[allow(clippy::print_stderr)]
fn say(line: &str) {
    eprintln!("{line}");
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["teach", checkpoint, teacher_file, races_file, games, number] => {
            let network = TrainedNetwork::from_checkpoint(&Checkpoint::from_bytes(&fs::read(checkpoint)?)?)?;
            let pool = sides::pool(&network, games.parse()?);
            say(&format!("{} sides", pool.len()));
            if pool.is_empty() {
                return Err("no race was found; play more games".into());
            }
            let mut teacher = turns::Teacher::new();
            teacher.learn(&pool);
            say(&measure::golden_races(&teacher)?);
            fs::write(teacher_file, teacher.to_tensors().to_bytes(NOTE, String::new()))?;
            let turns = teacher.lookahead(&pool);
            let excluded = pairs::Excluded::read(Path::new(&format!("{GOLDEN}equity_positions.tsv")))?;
            let (races, left_out) = pairs::draw(&pool, &turns, number.parse()?, &excluded);
            say(&format!("{} races; {left_out} left out", races.len()));
            fs::write(races_file, pairs::to_tensors(&races).to_bytes(NOTE, String::new()))?;
        }
        ["measure", teacher] => {
            let tensors = Tensors::from_bytes(&fs::read(teacher)?, NOTE)?.0;
            say(&measure::golden_races(&turns::Teacher::from_tensors(&tensors)?)?);
        }
        ["learn", checkpoint, races, out, updates, width] => {
            let races = pairs::from_tensors(&Tensors::from_bytes(&fs::read(races)?, NOTE)?.0)?;
            if races.len() < distil::FEWEST_RACES {
                return Err(format!(
                    "there are {} races; at least {} are needed",
                    races.len(),
                    distil::FEWEST_RACES
                )
                .into());
            }
            let before = Checkpoint::from_bytes(&fs::read(checkpoint)?)?;
            let after = distil::learn(&before, width.parse()?, &races, updates.parse()?)?;
            fs::write(out, after.to_bytes())?;
        }
        _ => {
            return Err("expected `teach CHECKPOINT TEACHER RACES GAMES NUMBER`, `measure TEACHER` or \
                        `learn CHECKPOINT RACES OUT UPDATES WIDTH`"
                .into());
        }
    }
    Ok(())
}
