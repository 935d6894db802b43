//! `learnery cube`: evaluates a network on all 3,674,160 states of the 2x2x2 cube (`eval`), or solves one
//! scrambled cube with it (`solve`). Networks of the 3x3x3 go to `cube_large`.

use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};
use learnery_lab::{Checkpoint, LabError};
use learnery_labs::cube::large::{Network, network_of};
use learnery_labs::cube::{
    self, DISTANCES, PuzzleName, Solver, held_from_stickers, parse, shortest_solution,
};
use serde_json::json;

use super::cube_large;

use crate::args::{CubeArgs, CubeCommand, CubeEvalArgs, CubeSolveArgs, Device, TurnMetric};
use crate::failure::usage;
use crate::files::{checkpoint_path, file_error, read_checkpoint};
use crate::terminal::table::{LEFT, RIGHT};
use crate::terminal::{numbers, stdout, table};
use crate::threads;

pub fn cube(args: &CubeArgs) -> Result<()> {
    match &args.command {
        CubeCommand::Eval(args) => eval(args),
        CubeCommand::Solve(args) => solve(args),
    }
}

/// The trained networks that come with the program, which `solve` uses unless another one is given: for the
/// 2x2x2, and for the 3x3x3.
const SMALL_MODEL: &[u8] = include_bytes!("../../../../models/cube.safetensors");
const LARGE_MODEL: &[u8] = include_bytes!("../../../../models/cube3.safetensors");

/// How many states `eval` searches from with a beam, unless another number is given.
const DEFAULT_SAMPLE_STATES: u64 = 10_000;

/// The stickers of a 2x2x2.
const SMALL_STICKERS: usize = 24;

/// A network of either puzzle.
enum AnyNetwork {
    /// A network for the 2x2x2, which searches with the turns of its metric.
    Small(Box<Solver>),
    /// A network for the 3x3x3.
    Large(Box<Network>),
}

impl AnyNetwork {
    /// Opens the network of a checkpoint file or run folder. `metric` says what counts as one turn; `None`
    /// means as in training.
    fn open(path: &Path, metric: Option<TurnMetric>) -> Result<Self> {
        let path = checkpoint_path(path)?;
        let (_, checkpoint) = read_checkpoint(&path)?;
        Self::of(&checkpoint, metric).map_err(|error| match error {
            LabError::Evaluation(_) => usage(error),
            other => file_error(&path, other),
        })
    }

    /// The trained network of the 2x2x2 or of the 3x3x3.
    fn trained(puzzle: PuzzleName, metric: Option<TurnMetric>) -> Result<Self> {
        let bytes = match puzzle {
            PuzzleName::Two => SMALL_MODEL,
            PuzzleName::Three => LARGE_MODEL,
        };
        Ok(Self::of(&Checkpoint::from_bytes(bytes)?, metric)?)
    }

    fn of(checkpoint: &Checkpoint, metric: Option<TurnMetric>) -> Result<Self, LabError> {
        if cube::settings_of(checkpoint)?.puzzle == PuzzleName::Three {
            return network_of(checkpoint).map(Box::new).map(Self::Large);
        }
        let metric = metric.map(|metric| match metric {
            TurnMetric::Quarter => cube::TurnMetric::Quarter,
            TurnMetric::Half => cube::TurnMetric::Half,
        });
        Solver::open(checkpoint, metric).map(Box::new).map(Self::Small)
    }
}

/// Returns an error if a GPU is asked for, which only searches of the 3x3x3 use.
fn refuse_gpu(device: Device) -> Result<()> {
    if device == Device::Gpu {
        return Err(usage("--device gpu is for networks of the 3x3x3"));
    }
    Ok(())
}

/// A fraction in percent; a dash for NaN, which is the fraction of no states.
fn percent(fraction: f64) -> String {
    if fraction.is_nan() { "–".into() } else { format!("{:.3}", 100.0 * fraction) }
}

/// Runs `learnery cube eval`.
fn eval(args: &CubeEvalArgs) -> Result<()> {
    threads::start_pool(args.threads)?;
    let mut solver = match AnyNetwork::open(&args.checkpoint, args.metric)? {
        AnyNetwork::Large(network) => return cube_large::eval(args, &network),
        AnyNetwork::Small(solver) => solver,
    };
    if args.time.is_some() || args.out.is_some() {
        return Err(usage("--for and --out are for networks of the 3x3x3"));
    }
    refuse_gpu(args.device)?;
    let greedy_begin = Instant::now();
    let greedy = *solver.evaluate_greedy();
    let seconds = greedy_begin.elapsed().as_secs_f64();
    let search_begin = Instant::now();
    let search = args.beam.map(|width| {
        solver.evaluate_beam(width as usize, args.sample.unwrap_or(DEFAULT_SAMPLE_STATES), args.seed)
    });
    let search_seconds = search_begin.elapsed().as_secs_f64();

    let states: u64 = greedy.states.iter().sum();
    // Distance: the number of turns in a shortest solution. Excess: turns of the network's solution beyond
    // that.
    // With half turns no state is as far away as with quarter turns.
    let distances = (0..DISTANCES).filter(|d| greedy.states[*d] > 0);
    let excess = |d: usize| greedy.excess[d] as f64 / greedy.solved[d] as f64;
    if args.json {
        let by_distance: Vec<_> = distances
            .map(|d| {
                json!({
                    "distance": d, "states": greedy.states[d], "solved": greedy.solved_fraction_at(d), "excess": excess(d)
                })
            })
            .collect();
        let beam = search.map(|search| {
            json!({
                "width": args.beam, "sample": search.states, "seed": args.seed, "solved": search.solved_fraction(),
                "excess": search.mean_excess(), "seconds": search_seconds
            })
        });
        return stdout::write_json(&json!({
            "parameters": solver.parameters(),
            "states": states,
            "solved": greedy.solved_fraction(),
            "excess": greedy.mean_excess(),
            "seconds": seconds,
            "distances": by_distance,
            "beam": beam,
        }));
    }

    let rows: Vec<Vec<String>> = distances
        .map(|d| {
            vec![
                d.to_string(),
                numbers::count(greedy.states[d]),
                percent(greedy.solved_fraction_at(d)),
                numbers::value(excess(d)),
            ]
        })
        .collect();
    let width = table::width(&std::io::stdout());
    let headings = ["distance", "states", "solved, %", "excess, turns"];
    let table_text = table::render(&headings, &[RIGHT, RIGHT, RIGHT, LEFT], &rows, width);
    let mut text = format!(
        "{} parameters\nGreedy from {} states: {} % solved, on average {} turns more than necessary, in {seconds:.1} s\n\n{table_text}",
        numbers::count(solver.parameters() as u64),
        numbers::count(states),
        percent(greedy.solved_fraction()),
        numbers::value(greedy.mean_excess()),
    );
    if let (Some(search), Some(width)) = (search, args.beam) {
        text += &format!(
            "\nBeam of {width} from {} random states: {} % solved, on average {} turns more than necessary, in \
             {search_seconds:.1} s\n",
            numbers::count(search.states),
            percent(search.solved_fraction()),
            numbers::value(search.mean_excess()),
        );
    }
    stdout::write(&text)
}

/// Runs `learnery cube solve`.
fn solve(args: &CubeSolveArgs) -> Result<()> {
    let all_threads = None;
    threads::start_pool(all_threads)?;
    let puzzle = match &args.stickers {
        Some(stickers) if stickers.trim().chars().count() == SMALL_STICKERS => PuzzleName::Two,
        _ => PuzzleName::Three,
    };
    let network = match &args.checkpoint {
        Some(path) => AnyNetwork::open(path, args.metric)?,
        None => AnyNetwork::trained(puzzle, args.metric)?,
    };
    let mut solver = match network {
        AnyNetwork::Large(network) => return cube_large::solve(args, &network),
        AnyNetwork::Small(solver) => solver,
    };
    if args.time.is_some() {
        return Err(usage("--for is for networks of the 3x3x3"));
    }
    refuse_gpu(args.device)?;
    // The cube with its orientation in the user's hand, in which the turns of the solution are named.
    let held = match (&args.stickers, &args.scramble) {
        (Some(stickers), _) => held_from_stickers(stickers),
        (None, scramble) => parse(scramble.as_deref().unwrap_or_default()),
    };
    let held = held.map_err(usage)?;
    let best = shortest_solution(held.state, solver.metric());
    let found = solver.solve(held.state, args.beam.map(|width| width as usize));
    let notation = |turns: &[u8]| merged_names(turns.iter().map(|turn| held.name(*turn).to_string()));
    if args.json {
        stdout::write_json(&json!({
            "solution": found.as_ref().map(|turns| notation(turns)),
            "turns": found.as_ref().map(Vec::len),
            "least": best.len(),
            "shortest": notation(&best),
        }))?;
    }
    match found {
        Some(turns) if !args.json => {
            let count = numbers::count_of(turns.len() as u64, "turn");
            let text =
                if turns.is_empty() { "The cube is already solved".to_owned() } else { notation(&turns) };
            stdout::write(&format!("{text}\n{count}; the shortest solution has {}\n", best.len()))
        }
        // The JSON has it already.
        Some(_) => Ok(()),
        None if args.beam.is_none() => bail!("the greedy policy runs in a circle from here; try --beam 128"),
        None => bail!("no solution within the beam; try a wider one"),
    }
}

/// Turns in standard notation, in which two equal quarter turns are one half turn: `F2` for `F' F'`.
fn merged_names(names: impl Iterator<Item = String>) -> String {
    let mut merged: Vec<String> = Vec::new();
    for name in names {
        match merged.last_mut() {
            Some(last) if *last == name && !name.ends_with('2') => {
                *last = format!("{}2", name.trim_end_matches('\''));
            }
            _ => merged.push(name),
        }
    }
    merged.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_equal_quarter_turns_are_one_half_turn() {
        let merge = |text: &str| merged_names(text.split(' ').map(str::to_owned));
        assert_eq!(merge("F' F' R U U U2 R R'"), "F2 R U2 U2 R R'");
    }
}
