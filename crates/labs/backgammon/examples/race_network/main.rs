//! The network of one side of a race, learned from nothing but the rules and games of a checkpoint: how many
//! turns a side needs alone. Two sides give the chances of a race.
//!
//! `cargo run --release -p learnery-backgammon --example race_network -- pool CHECKPOINT GAMES POOL` writes
//! the sides of races in GAMES games.
//! `... -- teach POOL STATE ROUNDS` learns from them up to the round ROUNDS, or goes on from the file STATE
//! if there is one, and writes it from time to time. The rate falls to zero in the last 75 rounds, so a file
//! from before these can be continued to any number of rounds.
//! `... -- roll STATE RESULTS` rolls out the races of the golden positions that RESULTS does not have yet.
//! `... -- measure FILE PLIES` prints the errors of a state, or of a checkpoint, on the golden races.
//! `... -- duel CHECKPOINT STATE GAMES` plays the races of GAMES games, the state against the checkpoint, and
//! prints how fast both are.
//! `... -- speed CHECKPOINT GAMES` prints the speed of whole games with and without the network of one side.
//! `... -- match CHECKPOINT GAMES` plays whole games with the network of one side against without.
//! `... -- ship CHECKPOINT STATE OUT` writes the checkpoint with the averaged network of the state.
//!
//! The results have the same bits on any number of threads, and whether a run was continued or not.

mod measure;
mod play;
mod sides;
mod teacher;

use std::error::Error;
use std::fs;
use std::path::Path;

use learnery_backgammon::networks::TrainedNetwork;
use learnery_backgammon::one_sided::Side;
use learnery_lab::Checkpoint;
use learnery_nn::Tensors;
use learnery_worlds::backgammon::{BearOff, Board};

const SEED: u32 = 20_261_129;
// Ids of random-number streams: dice and noise of the games in which races begin, dice and choices of sides
// that play on alone, initial weights, minibatches and drawn sides of the teacher, dice of matches.
const DICE: u32 = 911;
const NOISE: u32 = 912;
const SIDES: u32 = 913;
const TEACHER_WEIGHTS: u32 = 914;
const TEACHER_BATCHES: u32 = 915;
const TEACHER_SIDES: u32 = 916;
const MATCH_DICE: u32 = 917;

/// The races of the command `duel` begin in games from this number on, which are not learned from.
const MATCH_GAMES: u64 = 1 << 32;

/// The folder of the golden positions.
const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/golden/backgammon/");

/// The key in the file format's header under which a file of tensors has a note; the notes here are empty.
const NOTE: &str = "race_network";
/// Rounds between two files.
const SAVED_EVERY: u64 = 25;

/// Tells how far it is.
#[allow(clippy::print_stderr)]
fn say(line: &str) {
    eprintln!("{line}");
}

fn read(path: &str) -> Result<Tensors, Box<dyn Error>> {
    Ok(Tensors::from_bytes(&fs::read(path)?, NOTE)?.0)
}

/// Writes a file whole or not at all.
fn write(path: &str, tensors: &Tensors) -> Result<(), Box<dyn Error>> {
    let new = format!("{path}.new");
    fs::write(&new, tensors.to_bytes(NOTE, String::new()))?;
    Ok(fs::rename(new, path)?)
}

/// The network of a checkpoint as it was before it got a network of one side.
fn without_races(path: &str) -> Result<TrainedNetwork, Box<dyn Error>> {
    let mut checkpoint = Checkpoint::from_bytes(&fs::read(path)?)?;
    let names: Vec<String> = checkpoint.tensors.iter().map(|(name, _)| name.to_owned()).collect();
    names.iter().filter(|name| name.starts_with("network/turns/")).for_each(|name| {
        checkpoint.tensors.remove(name);
    });
    Ok(TrainedNetwork::from_checkpoint(&checkpoint)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["pool", checkpoint, games, file] => {
            let network = without_races(checkpoint)?;
            let pool = sides::pool(&network, games.parse()?);
            say(&format!("{} sides", pool.len()));
            let mut tensors = Tensors::new();
            tensors.insert("sides", &[pool.len() * 26], pool.as_flattened());
            write(file, &tensors)?;
        }
        ["teach", pool, state, rounds] => {
            let pool: Vec<Side> = read(pool)?.get_vec::<u8>("sides")?.as_chunks().0.to_vec();
            let pool = teacher::open_sides(pool);
            if pool.is_empty() {
                return Err("no race was found; play more games".into());
            }
            let rounds: u64 = rounds.parse()?;
            let mut teacher = match Path::new(state).exists() {
                true => teacher::Teacher::from_tensors(&read(state)?)?,
                false => teacher::Teacher::new(),
            };
            while teacher.round < rounds {
                let loss = teacher.learn(&pool, rounds);
                say(&format!("round {}: loss {loss:.6}", teacher.round));
                if teacher.round % SAVED_EVERY == 0 || teacher.round == rounds {
                    write(state, &teacher.to_tensors())?;
                    say(&measure::errors(&teacher.races(), 0)?);
                }
            }
        }
        ["roll", state, results] => {
            measure::roll(&teacher::Teacher::from_tensors(&read(state)?)?.races(), results)?;
        }
        ["measure", file, plies] => {
            let (bytes, plies) = (fs::read(file)?, plies.parse()?);
            let text = match Checkpoint::from_bytes(&bytes) {
                Ok(checkpoint) => measure::errors(&TrainedNetwork::from_checkpoint(&checkpoint)?, plies)?,
                Err(_) => measure::errors(&teacher::Teacher::from_tensors(&read(file)?)?.races(), plies)?,
            };
            say(&text);
        }
        ["duel", checkpoint, state, games] => {
            let network = without_races(checkpoint)?;
            let starts = sides::race_starts(&network, MATCH_GAMES..MATCH_GAMES + games.parse::<u64>()?);
            let races = teacher::Teacher::from_tensors(&read(state)?)?.races();
            let [points, error] = play::duel(&races, &network, &starts);
            for [values, positions] in [play::speed(&races, &starts), play::speed(&network, &starts)] {
                say(&format!(
                    "{values:.0} plays valued a second; at two plies {positions:.1} positions a second"
                ));
            }
            say(&format!(
                "{} races, each twice: {points:+.5} points, standard error {error:.5}",
                starts.len()
            ));
        }
        ["speed", checkpoint, games] => {
            let with = TrainedNetwork::from_checkpoint(&Checkpoint::from_bytes(&fs::read(checkpoint)?)?)?;
            let without = without_races(checkpoint)?;
            BearOff::table(); // It is computed once, which must not count.
            for (plies, games) in [(0, games.parse::<u64>()? * 100), (2, games.parse()?)] {
                let [with, without] =
                    [&with, &without].map(|network| play::turns_a_second(network, plies, games));
                say(&format!(
                    "{plies} plies: {with:.1} turns a second, {without:.1} without the network of one side"
                ));
            }
        }
        ["match", checkpoint, games] => {
            let with = TrainedNetwork::from_checkpoint(&Checkpoint::from_bytes(&fs::read(checkpoint)?)?)?;
            let starts = vec![Board::START; games.parse()?];
            let [points, error] = play::duel(&with, &without_races(checkpoint)?, &starts);
            say(&format!(
                "{} games, each twice: {points:+.5} points, standard error {error:.5}",
                starts.len()
            ));
        }
        ["ship", checkpoint, state, out] => {
            let mut checkpoint = Checkpoint::from_bytes(&fs::read(checkpoint)?)?;
            let races = teacher::Teacher::from_tensors(&read(state)?)?.races();
            checkpoint.tensors.absorb("network/", races.to_tensors());
            fs::write(out, checkpoint.to_bytes())?;
        }
        _ => {
            return Err(
                "expected `pool CHECKPOINT GAMES POOL`, `teach POOL STATE ROUNDS`, `roll STATE RESULTS`, \
                        `measure FILE PLIES`, `duel CHECKPOINT STATE GAMES`, \
                        `speed CHECKPOINT GAMES`, `match CHECKPOINT GAMES` or `ship CHECKPOINT STATE OUT`"
                    .into(),
            );
        }
    }
    Ok(())
}
