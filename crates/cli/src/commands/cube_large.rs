//! `learnery cube eval` with a network of the 3x3x3: solves many random states.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};
use learnery_labs::cube::TurnMetric as Metric;
use learnery_labs::cube::large::{Network, SearchPlan, Solving, count, source};
use learnery_labs::cube::puzzle::State;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::args::{CubeEvalArgs, Device, TurnMetric};
use crate::device;
use crate::failure::{io_reason, usage};
use crate::run::stop::StopSignal;
use crate::terminal::table::{LEFT, RIGHT};
use crate::terminal::{numbers, stdout, table};

/// The width of a search of `eval`, unless another is given.
const DEFAULT_EVAL_WIDTH: usize = 4096;
/// How many states `eval` solves, unless another number is given.
const DEFAULT_EVAL_STATES: u64 = 100;

/// What scores the states of searches.
enum Scorer<'a> {
    Cpu(&'a Network),
    Gpu(device::Scorer),
}

impl<'a> Scorer<'a> {
    fn new(network: &'a Network, device: Device) -> Result<Self> {
        let on_gpu = device::Scorer::new(network, device)?;
        Ok(on_gpu.map_or(Self::Cpu(network), Self::Gpu))
    }

    /// Does a step of a search.
    fn step(&mut self, network: &Network, solving: &mut Solving) -> Result<()> {
        match self {
            Self::Cpu(network) => drop(solving.step(network)),
            Self::Gpu(scorer) => scorer.step(network, solving)?,
        }
        Ok(())
    }
}

/// How to search, and for how long.
struct Plan {
    search: SearchPlan,
    /// Seconds for a search; infinite if it ends with its width.
    max_seconds: f64,
}

impl Plan {
    /// A plan with beams from `width` on; wider and wider ones if there is a time.
    fn new(network: &Network, width: usize, seconds: Option<f64>, metric: Metric) -> Self {
        let search = match seconds {
            Some(_) => SearchPlan::widening(network, [width, SearchPlan::LAST_WIDTH.max(width)], metric),
            None => SearchPlan::fixed(network, width, metric),
        };
        Self { search, max_seconds: seconds.unwrap_or(f64::INFINITY) }
    }

    /// Searches until the time is over or a stop is requested.
    fn search(
        &self,
        network: &Network,
        scorer: &mut Scorer,
        start: &State,
        stop: &StopSignal,
    ) -> Result<Solving> {
        let begin = Instant::now();
        let mut solving = Solving::begin(network, self.search.clone(), start);
        while !solving.is_done() {
            scorer.step(network, &mut solving)?;
            if begin.elapsed().as_secs_f64() >= self.max_seconds || stop.requested() {
                break;
            }
        }
        Ok(solving)
    }
}

/// What `eval` found out about one state: a line of its file, as JSON.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    seed: u32,
    /// The number of the state among those of the seed, which is also the number of the line.
    state: u64,
    /// The first width of the search.
    width: usize,
    /// The seconds that were given; `None` for one width.
    limit: Option<f64>,
    /// The state as stickers, face by face in the order U R F D L B, so that other programs can check the
    /// solution.
    stickers: String,
    solution: Option<String>,
    /// The turns of the solution in both metrics; `None` if none was found.
    turns: Option<usize>,
    half_turns: Option<usize>,
    seconds: f64,
    /// States whose neighbours were scored.
    expanded: u64,
}

/// Opens the file of lines, and reads those that an earlier `eval` with the seed, width and limit of
/// `settings` has written. If that `eval` was ended within a line, the part of the line is removed.
fn open_lines(path: &Path, settings: &Line) -> Result<(File, Vec<Line>)> {
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
        let is_same = (line.seed, line.width, line.limit) == (settings.seed, settings.width, settings.limit);
        if !is_same || line.state != lines.len() as u64 {
            return Err(usage(format!(
                "{}: it was made with another seed, width or time; name another file",
                path.display()
            )));
        }
        lines.push(line);
    }
    if complete < text.len() {
        // A file of something else, which must not be cut.
        if complete == 0 && !text.starts_with('{') {
            return Err(usage(format!("{}: not a file of `cube eval`", path.display())));
        }
        file.set_len(complete as u64).map_err(failed)?;
    }
    Ok((file, lines))
}

/// Runs `learnery cube eval` with a network of the 3x3x3.
pub fn eval(args: &CubeEvalArgs, network: &Network) -> Result<()> {
    let puzzle = network.puzzle();
    let states = args.sample.unwrap_or(DEFAULT_EVAL_STATES);
    let limit = args.time.map(|time| time.seconds);
    let width = args.beam.map_or(DEFAULT_EVAL_WIDTH, |width| width as usize);
    // Quarter turns unless something else is asked for.
    let metric = args.metric.map_or(Metric::Quarter, TurnMetric::of_lab);
    let plan = Plan::new(network, width, limit, metric);
    // A line of this evaluation, before anything is known of its state.
    let empty_line = Line {
        seed: args.seed,
        state: 0,
        width: plan.search.widths[0],
        limit,
        stickers: String::new(),
        solution: None,
        turns: None,
        half_turns: None,
        seconds: 0.0,
        expanded: 0,
    };
    let (mut out, mut lines) = match &args.out {
        Some(path) => {
            let (file, lines) = open_lines(path, &empty_line)?;
            (Some(file), lines)
        }
        None => (None, Vec::new()),
    };
    lines.truncate(states as usize);
    let mut scorer = Scorer::new(network, args.device)?;
    let stop = StopSignal::listen()?;
    // Scrambles of no length stand for uniformly random states.
    let scramble = 0;
    let states_of_seed = source(args.seed, scramble);
    while (lines.len() as u64) < states && !stop.requested() {
        let state = lines.len() as u64;
        let start = states_of_seed.state(puzzle, network.turns(), state);
        let begin = Instant::now();
        let solving = plan.search(network, &mut scorer, &start, &stop)?;
        // A search that was cut short says nothing about the state.
        if stop.requested() && !solving.is_done() {
            break;
        }
        let turns = |metric| solving.best().map(|best| count(puzzle, best, metric));
        let line = Line {
            state,
            stickers: puzzle.to_text(&start),
            solution: solving.best().map(|best| puzzle.format(best)),
            turns: turns(Metric::Quarter),
            half_turns: turns(Metric::Half),
            seconds: begin.elapsed().as_secs_f64(),
            expanded: solving.search().expanded(),
            ..empty_line.clone()
        };
        if let Some(out) = &mut out {
            writeln!(out, "{}", serde_json::to_string(&line)?)?;
        }
        lines.push(line);
    }
    stop.begin_saving();
    report(args, network, &lines)
}

/// A mean with its uncertainty.
struct Estimate {
    mean: f64,
    /// Half the width of the interval that contains the true mean with a probability of 95 %.
    interval: f64,
}

/// The mean of some values; NaN without any.
fn estimate(values: &[f64]) -> Estimate {
    /// The quantile of the normal distribution for 95 %.
    const STANDARD_ERRORS: f64 = 1.96;
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    Estimate { mean, interval: STANDARD_ERRORS * (squares / (n - 1.0) / n).sqrt() }
}

/// Writes the results.
fn report(args: &CubeEvalArgs, network: &Network, lines: &[Line]) -> Result<()> {
    let Some(first) = lines.first() else { bail!("it was stopped before the first state was solved") };
    let solved: Vec<&Line> = lines.iter().filter(|line| line.turns.is_some()).collect();
    let estimate_turns = |turns: fn(&Line) -> Option<usize>| {
        let turns = solved.iter().filter_map(|line| turns(line)).map(|turns| turns as f64);
        estimate(&turns.collect::<Vec<_>>())
    };
    let quarter = estimate_turns(|line| line.turns);
    let half = estimate_turns(|line| line.half_turns);
    let seconds = estimate(&lines.iter().map(|line| line.seconds).collect::<Vec<_>>()).mean;
    let expanded = estimate(&lines.iter().map(|line| line.expanded as f64).collect::<Vec<_>>()).mean;
    // How many solutions have a length: in quarter turns, and with half turns.
    let mut lengths: BTreeMap<usize, [u64; 2]> = BTreeMap::new();
    for line in &solved {
        for (metric, turns) in [line.turns, line.half_turns].into_iter().enumerate() {
            lengths.entry(turns.unwrap_or(0)).or_default()[metric] += 1;
        }
    }
    if args.json {
        return stdout::write_json(&json!({
            "parameters": network.weights.len(),
            "states": lines.len(),
            "seed": first.seed,
            "width": first.width,
            "limit": first.limit,
            "solved": solved.len() as f64 / lines.len() as f64,
            "turns": { "mean": quarter.mean, "interval": quarter.interval },
            "halfTurns": { "mean": half.mean, "interval": half.interval },
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
        Some(limit) => format!("from {} on, {limit} s each", numbers::count(first.width as u64)),
        None => format!("of {}", numbers::count(first.width as u64)),
    };
    stdout::write(&format!(
        "{} parameters\nBeams {widths}, uniformly random states of seed {}: {} of {} solved\n\
         {:.2} ± {:.2} quarter turns, {:.2} ± {:.2} with half turns (95 %)\n\
         {seconds:.2} s and {} expanded states each\n\n{table_text}",
        numbers::count(network.weights.len() as u64),
        first.seed,
        numbers::count(solved.len() as u64),
        numbers::count(lines.len() as u64),
        quarter.mean,
        quarter.interval,
        half.mean,
        half.interval,
        numbers::count(expanded as u64)
    ))
}
