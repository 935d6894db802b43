//! `learnery cube eval` with a network of the 3x3x3: asks the cube lab's tool `eval` about one random state
//! after the other, keeps the answers in a file, and prints what they say together.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};
use learnery_labs::cube::large::SearchPlan;
use learnery_labs::cube::{Estimate, Eval, EvalInput, EvalOutput, PuzzleName, SearchedState, Summary};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::ask::Source;
use crate::args::CubeEvalArgs;
use crate::device;
use crate::failure::{io_reason, usage};
use crate::run::stop::StopSignal;
use crate::terminal::table::{LEFT, RIGHT};
use crate::terminal::{numbers, stdout, table};

/// What the lines of a file were made with. A file that was made with another seed, width or time is not
/// continued. Lines record neither the network nor the metric, so each needs a file of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Made {
    seed: u32,
    width: u32,
    limit: Option<f64>,
}

impl Made {
    fn with(input: &EvalInput, limit: Option<f64>) -> Self {
        Self { seed: input.seed, width: input.first_width(), limit }
    }
}

/// What `eval` found out about one state: a line of its file, as JSON.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    seed: u32,
    /// The number of the state among those of the seed, which is also the number of the line.
    state: u32,
    /// The first width of the search.
    width: u32,
    /// The seconds that were given; `None` for one width.
    limit: Option<f64>,
    // The rest is what the tool answers, see `SearchedState`.
    stickers: String,
    solution: Option<String>,
    turns: Option<u32>,
    half_turns: Option<u32>,
    seconds: f64,
    expanded: u64,
}

impl Line {
    fn new(made: Made, found: &SearchedState, seconds: f64) -> Self {
        let (Made { seed, width, limit }, found) = (made, found.clone());
        let SearchedState { state, stickers, solution, turns, half_turns, expanded } = found;
        Self { seed, state, width, limit, stickers, solution, turns, half_turns, seconds, expanded }
    }

    fn made(&self) -> Made {
        Made { seed: self.seed, width: self.width, limit: self.limit }
    }

    fn searched(&self) -> SearchedState {
        let Self { state, stickers, solution, turns, half_turns, expanded, .. } = self.clone();
        SearchedState { state, stickers, solution, turns, half_turns, expanded }
    }
}

/// Opens the file of lines, and reads those that an earlier `eval` has made in the same way. If that `eval`
/// was ended within a line, the part of the line is removed.
fn open_lines(path: &Path, made: &Made) -> Result<(File, Vec<Line>)> {
    let failed = |error: std::io::Error| anyhow::anyhow!("{}: {}", path.display(), io_reason(&error));
    let options = OpenOptions::new().create(true).read(true).append(true).to_owned();
    let mut file = options.open(path).map_err(failed)?;
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(failed)?;
    // The length of the complete lines.
    let complete = text.rfind('\n').map_or(0, |end| end + 1);
    let mut lines: Vec<Line> = Vec::new();
    for text in text[..complete].lines() {
        let line: Line = serde_json::from_str(text)
            .map_err(|_| usage(format!("{}: not a file of `cube eval`", path.display())))?;
        if line.made() != *made || line.state as usize != lines.len() {
            return Err(usage(format!(
                "{}: it was made with another seed, width or time; name another file",
                path.display()
            )));
        }
        lines.push(line);
    }
    if complete < text.len() {
        // It does not begin like a line of ours, so it is another file, which must not be cut.
        if complete == 0 && !text.starts_with('{') {
            return Err(usage(format!("{}: not a file of `cube eval`", path.display())));
        }
        file.set_len(complete as u64).map_err(failed)?;
    }
    Ok((file, lines))
}

/// Runs `learnery cube eval` with a network of the 3x3x3.
pub fn eval(args: &CubeEvalArgs, source: &Source, mut input: EvalInput) -> Result<()> {
    let limit = args.time.map(|time| time.seconds);
    if limit.is_some() {
        input.widest = SearchPlan::LAST_WIDTH as u32;
    }
    let mut job = source.begin::<Eval>(input.clone())?;
    let (mut out, mut lines) = match &args.out {
        Some(path) => {
            let (file, lines) = open_lines(path, &Made::with(&input, limit))?;
            (Some(file), lines)
        }
        None => (None, Vec::new()),
    };
    let states = input.states(PuzzleName::Three);
    lines.truncate(states as usize);
    device::put_on_gpu(&mut job, args.device)?;
    let stop = StopSignal::listen()?;
    while lines.len() < states as usize && !stop.requested() {
        // One question for each state, because each has its own time.
        job.ask_again(EvalInput { first: lines.len() as u32, sample: 1, ..input.clone() }, None)?;
        let begin = Instant::now();
        let is_over = || limit.is_some_and(|limit| begin.elapsed().as_secs_f64() >= limit);
        let outcome = job.finish(&mut |_, _| !is_over() && !stop.requested())?;
        // A search that the user has interrupted does not count. One whose time is up does, with the solution
        // that it had found by then.
        if stop.requested() && outcome.is_partial() {
            break;
        }
        let Some(EvalOutput::Large(found)) = outcome.output() else { break };
        let Some(found) = found.searched.first().or(found.under_way.as_ref()) else { break };
        let line = Line::new(Made::with(&input, limit), found, begin.elapsed().as_secs_f64());
        if let Some(out) = &mut out {
            writeln!(out, "{}", serde_json::to_string(&line)?)?;
        }
        lines.push(line);
    }
    stop.begin_saving();
    let parameters = match job.partial() {
        Some(EvalOutput::Large(found)) => found.parameters,
        _ => 0,
    };
    report(args, parameters, &lines)
}

/// Writes the results.
fn report(args: &CubeEvalArgs, parameters: u64, lines: &[Line]) -> Result<()> {
    let Some(first) = lines.first() else { bail!("it was stopped before the first state was solved") };
    let searched: Vec<SearchedState> = lines.iter().map(Line::searched).collect();
    let Summary { states, solved, turns, half_turns, lengths, expanded } = Summary::of(&searched);
    let seconds = Estimate::of(&lines.iter().map(|line| line.seconds).collect::<Vec<_>>()).mean;
    if args.json {
        return stdout::write_json(&json!({
            "parameters": parameters,
            "states": states,
            "seed": first.seed,
            "width": first.width,
            "limit": first.limit,
            "solved": solved,
            "turns": turns,
            "halfTurns": half_turns,
            "lengths": lengths,
            "seconds": seconds,
            "expanded": expanded,
        }));
    }
    let rows: Vec<Vec<String>> = lengths
        .iter()
        .map(|(length, [quarter, half])| {
            vec![length.to_string(), numbers::count(*quarter), numbers::count(*half)]
        })
        .collect();
    let headings = ["turns", "solutions in quarter turns", "in half turns"];
    let table_text = table::render(&headings, &[RIGHT, RIGHT, LEFT], &rows, table::width(&std::io::stdout()));
    let widths = match first.limit {
        Some(limit) => format!("from {} on, {limit} s each", numbers::count(first.width.into())),
        None => format!("of {}", numbers::count(first.width.into())),
    };
    stdout::write(&format!(
        "{} parameters\nBeams {widths}, uniformly random states of seed {}: {} of {} solved\n\
         {:.2} ± {:.2} quarter turns, {:.2} ± {:.2} with half turns (95 %)\n\
         {seconds:.2} s and {} expanded states each\n\n{table_text}",
        numbers::count(parameters),
        first.seed,
        numbers::count(searched.iter().filter(|state| state.turns.is_some()).count() as u64),
        numbers::count(states),
        turns.mean,
        turns.interval,
        half_turns.mean,
        half_turns.interval,
        numbers::count(expanded as u64)
    ))
}
