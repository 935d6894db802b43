//! `learnery cube solve`: prints the answer of the cube lab's tool `solve`.

use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};
use learnery_lab::{Checkpoint, Job};
use learnery_labs::cube::large::SearchPlan;
use learnery_labs::cube::{GivenBy, PuzzleName, Solve, SolveEvent, SolveInput, SolveOutput, settings_of};
use serde_json::json;

use super::ask::{self, refused};
use super::cube::refuse_gpu;
use crate::args::{CubeSolveArgs, SOLVE_SECONDS, TurnMetric};
use crate::device;
use crate::failure::usage;
use crate::run::stop::StopSignal;
use crate::terminal::{numbers, stderr, stdout};

/// Solves the cube of the arguments with the network of a checkpoint, which is from this file if it was
/// named.
pub fn solve(args: &CubeSolveArgs, checkpoint: &Checkpoint, path: Option<&Path>) -> Result<()> {
    let (cube, given_by) = match &args.stickers {
        Some(stickers) => (stickers.clone(), GivenBy::Stickers),
        None => (args.scramble.clone().unwrap_or_default(), GivenBy::Scramble),
    };
    let mut input = SolveInput {
        cube,
        given_by,
        beam: args.beam.unwrap_or(0),
        widest: 0,
        metric: args.metric.map(TurnMetric::to_lab).into(),
    };
    let settings = settings_of(checkpoint).map_err(|error| refused(error, path))?;
    let begin = |input| Job::<Solve>::begin(checkpoint, input, None).map_err(|error| refused(error, path));
    match settings.puzzle {
        PuzzleName::Two => solve_small(args, begin(input)?),
        PuzzleName::Three => {
            let seconds = match (args.time, args.beam) {
                (Some(time), _) => Some(time.seconds),
                (None, Some(_)) => None,
                (None, None) => Some(SOLVE_SECONDS),
            };
            if seconds.is_some() {
                input.widest = SearchPlan::LAST_WIDTH as u32;
            }
            solve_large(args, begin(input)?, seconds)
        }
    }
}

/// Solves a 2x2x2.
fn solve_small(args: &CubeSolveArgs, mut job: Job<Solve>) -> Result<()> {
    if args.time.is_some() {
        return Err(usage("--for is for networks of the 3x3x3"));
    }
    refuse_gpu(args.device)?;
    let SolveOutput { solution: found, shortest, .. } = job.answer()?;
    // The table of the 2x2x2 has a shortest solution of every state.
    let (least, shortest) = shortest.map(|best| (best.length, best.notation)).unwrap_or_default();
    if args.json {
        stdout::write_json(&json!({
            "solution": found.as_ref().map(|found| &found.notation),
            "turns": found.as_ref().map(|found| found.length),
            "least": least,
            "shortest": shortest,
        }))?;
    }
    match found {
        Some(found) if !args.json => {
            let count = numbers::count_of(found.length.into(), "turn");
            let text = if found.turns.is_empty() { "The cube is already solved" } else { &found.notation };
            stdout::write(&format!("{text}\n{count}; the shortest solution has {least}\n"))
        }
        Some(_) => Ok(()), // the JSON has it already
        None if args.beam.is_none() => bail!("the greedy policy runs in a circle from here; try --beam 128"),
        None => bail!("no solution within the beam; try a wider one"),
    }
}

/// Solves a 3x3x3, for so many seconds if there is a time.
fn solve_large(args: &CubeSolveArgs, mut job: Job<Solve>, seconds: Option<f64>) -> Result<()> {
    device::put_on_gpu(&mut job, args.device)?;
    let stop = StopSignal::listen()?;
    let begin = Instant::now();
    let elapsed = || begin.elapsed().as_secs_f64();
    let report = |event| {
        stderr::write(&match event {
            SolveEvent::Searching { widths: [first, last], bytes } => format!(
                "Beams of {} to {} states, up to {} MB\n",
                numbers::count(first.into()),
                numbers::count(last.into()),
                numbers::count(bytes.div_ceil(1 << 20))
            ),
            SolveEvent::Improved { turns, width } => format!(
                "{} after {:.1} s, by a beam of {}\n",
                numbers::count_of(turns.into(), "turn"),
                elapsed(),
                numbers::count(width.into())
            ),
        });
    };
    let outcome = ask::finish(&mut job, &stop, seconds, &mut |event, line| {
        if !args.json {
            line.clear();
            report(event);
        }
        None
    })?;
    let seconds = elapsed();
    // The output is to be written even if a stop was requested.
    stop.begin_saving();
    let (found, searches) =
        outcome.output().map_or((None, 0), |answer| (answer.solution.as_ref(), answer.searches));
    if args.json {
        stdout::write_json(&json!({
            "solution": found.map(|found| &found.notation),
            "turns": found.map(|found| found.quarter_turns),
            "halfTurns": found.map(|found| found.half_turns),
            "searches": searches,
            "seconds": seconds,
        }))?;
    }
    match found {
        Some(_) if args.json => Ok(()), // the JSON has it already
        Some(found) if found.turns.is_empty() => stdout::write("The cube is already solved\n"),
        Some(found) => stdout::write(&format!(
            "{}\n{} quarter turns, {} with half turns, in {seconds:.1} s\n",
            found.notation, found.quarter_turns, found.half_turns
        )),
        None if stop.requested() => {
            Err(stop.interrupted("it was interrupted before a solution was found").into())
        }
        None => bail!("no solution was found; try a wider --beam or more time"),
    }
}
