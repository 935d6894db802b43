//! `learnery cube`: evaluates a network on all 3,674,160 states of the 2x2x2 cube (`eval`); networks of the 3x3x3
//! go to `cube_large`. `cube_solve` solves one scrambled cube.

use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use learnery_lab::{Checkpoint, LabError};
use learnery_labs::cube::large::{Network, network_of};
use learnery_labs::cube::{self, DISTANCES, PuzzleName, Solver};
use serde_json::json;

use super::{cube_large, cube_solve};

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

/// The trained network of a puzzle.
fn trained_model(puzzle: PuzzleName) -> &'static [u8] {
    match puzzle {
        PuzzleName::Two => SMALL_MODEL,
        PuzzleName::Three => LARGE_MODEL,
    }
}

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

    fn of(checkpoint: &Checkpoint, metric: Option<TurnMetric>) -> Result<Self, LabError> {
        if cube::settings_of(checkpoint)?.puzzle == PuzzleName::Three {
            return network_of(checkpoint).map(Box::new).map(Self::Large);
        }
        Solver::open(checkpoint, metric.map(TurnMetric::of_lab)).map(Box::new).map(Self::Small)
    }
}

/// Returns an error if a GPU is asked for, which only searches of the 3x3x3 use.
pub fn refuse_gpu(device: Device) -> Result<()> {
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
    let (path, checkpoint) = match &args.checkpoint {
        Some(path) => {
            let path = checkpoint_path(path)?;
            let (_, checkpoint) = read_checkpoint(&path)?;
            (Some(path), checkpoint)
        }
        None => (None, Checkpoint::from_bytes(trained_model(puzzle))?),
    };
    cube_solve::solve(args, &checkpoint, path.as_deref())
}
