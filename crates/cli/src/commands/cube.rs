//! `learnery cube`: prints what the cube lab's tool `eval` answers about a network of the 2x2x2; networks of
//! the 3x3x3 go to `cube_large`. `cube_solve` solves one scrambled cube.

use std::time::Instant;

use anyhow::Result;
use learnery_lab::{Checkpoint, Job};
use learnery_labs::cube::{AtDistance, Eval, EvalInput, EvalOutput, PuzzleName, settings_of};

use super::ask::{self, Source, refused};
use super::{cube_large, cube_solve};
use crate::args::{CubeArgs, CubeCommand, CubeEvalArgs, CubeSolveArgs, Device, TurnMetric};
use crate::failure::usage;
use crate::files::{checkpoint_path, read_checkpoint};
use crate::run::stop::StopSignal;
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

/// The stickers of a 2x2x2.
const SMALL_STICKERS: usize = 24;

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
    let source = Source::read(&args.checkpoint)?;
    let input = EvalInput {
        beam: args.beam.unwrap_or(0),
        sample: args.sample.unwrap_or(0),
        metric: args.metric.map(TurnMetric::to_lab).into(),
        seed: args.seed,
        ..EvalInput::default()
    };
    let settings = settings_of(&source.checkpoint).map_err(|error| refused(error, Some(&source.path)))?;
    match settings.puzzle {
        PuzzleName::Two => eval_small(args, source.begin(input)?),
        PuzzleName::Three => cube_large::eval(args, &source, input),
    }
}

/// Evaluates a network of the 2x2x2.
fn eval_small(args: &CubeEvalArgs, mut job: Job<Eval>) -> Result<()> {
    if args.time.is_some() || args.out.is_some() {
        return Err(usage("--for and --out are for networks of the 3x3x3"));
    }
    refuse_gpu(args.device)?;
    let begin = Instant::now();
    let mut seconds = 0.0;
    let stop = StopSignal::listen()?;
    let outcome = ask::finish(&mut job, &stop, None, &mut |_, _| {
        // The one event of the 2x2x2: the greedy policy has been evaluated, and searches may follow.
        seconds = begin.elapsed().as_secs_f64();
        None
    })?;
    // The process may no longer be ended while the result is written.
    stop.begin_saving();
    let search_seconds = begin.elapsed().as_secs_f64() - seconds;
    let Some(EvalOutput::Small(found)) = outcome.output() else {
        return Err(stop.interrupted("it was interrupted before the greedy policy was evaluated").into());
    };
    if args.json {
        let mut json = serde_json::to_value(found)?;
        json["seconds"] = seconds.into();
        if found.beam.is_some() {
            json["beam"]["seconds"] = search_seconds.into();
        }
        return stdout::write_json(&json);
    }
    // Distance: the number of turns in a shortest solution. Excess: turns of the network's solution beyond
    // that.
    let row = |at: &AtDistance| {
        let (states, excess) = (numbers::count(at.states), numbers::value(at.excess));
        vec![at.distance.to_string(), states, percent(at.solved), excess]
    };
    let rows: Vec<Vec<String>> = found.distances.iter().map(row).collect();
    let width = table::width(&std::io::stdout());
    let headings = ["distance", "states", "solved, %", "excess, turns"];
    let table_text = table::render(&headings, &[RIGHT, RIGHT, RIGHT, LEFT], &rows, width);
    let mut text = format!(
        "{} parameters\nGreedy from {} states: {} % solved, on average {} turns more than necessary, in {seconds:.1} s\n\n{table_text}",
        numbers::count(found.parameters),
        numbers::count(found.states),
        percent(found.solved),
        numbers::value(found.excess),
    );
    if let Some(beam) = &found.beam {
        text += &format!(
            "\nBeam of {} from {} random states: {} % solved, on average {} turns more than necessary, in \
             {search_seconds:.1} s\n",
            beam.width,
            numbers::count(beam.sample),
            percent(beam.solved),
            numbers::value(beam.excess),
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
