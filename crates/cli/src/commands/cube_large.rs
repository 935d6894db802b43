//! `learnery cube` with a network of the 3x3x3: solves one state (`solve`), or many random ones (`eval`).

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};
use learnery_labs::cube::TurnMetric as Metric;
use learnery_labs::cube::large::{AnytimeSearch, Network, SearchPlan, count, notation, read_state, source};
use learnery_labs::cube::puzzle::{State, Turn};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::args::{CubeEvalArgs, CubeSolveArgs, Device, TurnMetric};
use crate::device;
use crate::failure::{io_reason, usage};
use crate::run::stop::StopSignal;
use crate::terminal::table::{LEFT, RIGHT};
use crate::terminal::{numbers, stderr, stdout, table};

/// The width of a search of `eval`, unless another is given.
const DEFAULT_EVAL_WIDTH: usize = 4096;
/// Seconds for `solve` without a width.
const DEFAULT_SOLVE_SECONDS: f64 = 10.0;

fn metric(metric: Option<TurnMetric>) -> Metric {
    match metric {
        Some(TurnMetric::Half) => Metric::Half,
        _ => Metric::Quarter,
    }
}

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
    fn step(&mut self, search: &mut AnytimeSearch) -> Result<()> {
        match self {
            Self::Cpu(network) => search.step(network),
            Self::Gpu(scorer) => scorer.step(search)?,
        }
        Ok(())
    }
}

/// How to search, and for how long.
struct Plan {
    search: SearchPlan,
    seconds: f64,
}

impl Plan {
    /// A plan with beams from `width` on; wider and wider ones if there is a time.
    fn new(network: &Network, width: usize, seconds: Option<f64>, metric: Metric) -> Self {
        match seconds {
            Some(seconds) => Self { search: SearchPlan::widening(network, width, metric), seconds },
            None => Self { search: SearchPlan::fixed(network, width, metric), seconds: f64::INFINITY },
        }
    }

    /// Searches until the time is over or a stop is requested. Calls `improved` with every better solution.
    fn search(
        &self,
        network: &Network,
        scorer: &mut Scorer,
        start: &State,
        stop: Option<&StopSignal>,
        mut improved: impl FnMut(&AnytimeSearch, &[Turn], f64),
    ) -> Result<AnytimeSearch> {
        let begin = Instant::now();
        let mut search = self.search.begin(network, start);
        let mut improvements = 0;
        while !search.is_done() {
            scorer.step(&mut search)?;
            let seconds = begin.elapsed().as_secs_f64();
            let [_, now] = search.searches();
            if let (true, Some(best)) = (now > improvements, search.best()) {
                improvements = now;
                improved(&search, best, seconds);
            }
            if seconds >= self.seconds || stop.is_some_and(StopSignal::requested) {
                break;
            }
        }
        Ok(search)
    }
}

/// Runs `learnery cube solve` with a network of the 3x3x3.
pub fn solve(args: &CubeSolveArgs, network: &Network) -> Result<()> {
    let puzzle = network.puzzle();
    let scramble = args.scramble.as_deref().unwrap_or_default();
    let start = read_state(puzzle, scramble, args.stickers.as_deref()).map_err(usage)?;
    let seconds = match (args.time, args.beam) {
        (Some(time), _) => Some(time.seconds),
        (None, Some(_)) => None,
        (None, None) => Some(DEFAULT_SOLVE_SECONDS),
    };
    let metric = metric(args.metric);
    let width = args.beam.map_or(SearchPlan::FIRST_WIDTH, |width| width as usize);
    let plan = Plan::new(network, width, seconds, metric);
    let mut scorer = Scorer::new(network, args.device)?;
    let stop = StopSignal::listen()?;
    if !args.json {
        let megabytes = plan.search.bytes(network).div_ceil(1 << 20);
        stderr::write(&format!(
            "Beams of {} to {} states, up to {} MB\n",
            numbers::count(plan.search.widths[0] as u64),
            numbers::count(plan.search.widths[1] as u64),
            numbers::count(megabytes)
        ));
    }
    let begin = Instant::now();
    let search = plan.search(network, &mut scorer, &start, Some(&stop), |search, best, seconds| {
        if !args.json {
            stderr::write(&format!(
                "{} after {seconds:.1} s, by a beam of {}\n",
                numbers::count_of(count(puzzle, best, metric) as u64, "turn"),
                numbers::count(search.best_width() as u64)
            ));
        }
    })?;
    let seconds = begin.elapsed().as_secs_f64();
    stop.begin_saving();
    let text = |turns: &[Turn]| notation(puzzle, turns, metric);
    if args.json {
        return stdout::write_json(&json!({
            "solution": search.best().map(text),
            "turns": search.best().map(|best| count(puzzle, best, Metric::Quarter)),
            "halfTurns": search.best().map(|best| count(puzzle, best, Metric::Half)),
            "searches": search.searches()[0],
            "seconds": seconds,
        }));
    }
    match search.best() {
        Some([]) => stdout::write("The cube is already solved\n"),
        Some(best) => stdout::write(&format!(
            "{}\n{} quarter turns, {} with half turns, in {seconds:.1} s\n",
            text(best),
            count(puzzle, best, Metric::Quarter),
            count(puzzle, best, Metric::Half)
        )),
        None => bail!("no solution was found; try a wider --beam or more time"),
    }
}

/// What `eval` found out about one state: a line of its file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    seed: u32,
    state: u64,
    width: usize,
    /// The time that was given; `None` for one width.
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

/// Opens the file of lines, and reads those of an earlier `eval` with the same settings. A line that was cut
/// off when that was ended is removed.
fn open_lines(path: &Path, like: &Line) -> Result<(File, Vec<Line>)> {
    let failed = |error: std::io::Error| anyhow::anyhow!("{}: {}", path.display(), io_reason(&error));
    let options = OpenOptions::new().create(true).read(true).append(true).to_owned();
    let mut file = options.open(path).map_err(failed)?;
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(failed)?;
    let complete = text.rfind('\n').map_or(0, |end| end + 1);
    let mut lines: Vec<Line> = Vec::new();
    for text in text[..complete].lines() {
        let line: Line = serde_json::from_str(text)
            .map_err(|_| usage(format!("{}: not a file of `cube eval`", path.display())))?;
        let is_same = (line.seed, line.width, line.limit) == (like.seed, like.width, like.limit);
        if !is_same || line.state != lines.len() as u64 {
            return Err(usage(format!(
                "{}: it was made with another seed, width or time; name another file",
                path.display()
            )));
        }
        lines.push(line);
    }
    if complete < text.len() {
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
    let states = args.sample.unwrap_or(100);
    let limit = args.time.map(|time| time.seconds);
    let width = args.beam.map_or(DEFAULT_EVAL_WIDTH, |width| width as usize);
    let plan = Plan::new(network, width, limit, metric(args.metric));
    let like = Line {
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
            let (file, lines) = open_lines(path, &like)?;
            (Some(file), lines)
        }
        None => (None, Vec::new()),
    };
    lines.truncate(states as usize);
    let mut scorer = Scorer::new(network, args.device)?;
    let stop = StopSignal::listen()?;
    let uniform = 0;
    let states_of_seed = source(args.seed, uniform);
    while (lines.len() as u64) < states && !stop.requested() {
        let state = lines.len() as u64;
        let start = states_of_seed.state(puzzle, network.turns(), state);
        let begin = Instant::now();
        let search = plan.search(network, &mut scorer, &start, Some(&stop), |_, _, _| {})?;
        if stop.requested() && !search.is_done() {
            break;
        }
        let turns = |metric| search.best().map(|best| count(puzzle, best, metric));
        let line = Line {
            state,
            stickers: puzzle.to_text(&start),
            solution: search.best().map(|best| puzzle.format(best)),
            turns: turns(Metric::Quarter),
            half_turns: turns(Metric::Half),
            seconds: begin.elapsed().as_secs_f64(),
            expanded: search.expanded(),
            ..like.clone()
        };
        if let Some(out) = &mut out {
            writeln!(out, "{}", serde_json::to_string(&line)?)?;
        }
        lines.push(line);
    }
    stop.begin_saving();
    report(args, network, &lines)
}

/// The mean, and half the width of its 95 % interval.
fn mean(values: &[f64]) -> [f64; 2] {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    [mean, 1.96 * (squares / (n - 1.0) / n).sqrt()]
}

/// Writes the results.
fn report(args: &CubeEvalArgs, network: &Network, lines: &[Line]) -> Result<()> {
    let Some(first) = lines.first() else { bail!("it was stopped before the first state was solved") };
    let solved: Vec<&Line> = lines.iter().filter(|line| line.turns.is_some()).collect();
    let of = |value: fn(&Line) -> Option<usize>| -> Vec<f64> {
        solved.iter().filter_map(|line| value(line)).map(|turns| turns as f64).collect()
    };
    let [quarter, half] = [mean(&of(|line| line.turns)), mean(&of(|line| line.half_turns))];
    let [seconds, _] = mean(&lines.iter().map(|line| line.seconds).collect::<Vec<_>>());
    let [expanded, _] = mean(&lines.iter().map(|line| line.expanded as f64).collect::<Vec<_>>());
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
            "turns": { "mean": quarter[0], "interval": quarter[1] },
            "halfTurns": { "mean": half[0], "interval": half[1] },
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
    let table = table::render(&headings, &[RIGHT, RIGHT, LEFT], &rows, table::width(&std::io::stdout()));
    let limit = match first.limit {
        Some(limit) => format!("from {} on, {limit} s each", numbers::count(first.width as u64)),
        None => format!("of {}", numbers::count(first.width as u64)),
    };
    stdout::write(&format!(
        "{} parameters\nBeams {limit}, uniformly random states of seed {}: {} of {} solved\n\
         {:.2} ± {:.2} quarter turns, {:.2} ± {:.2} with half turns (95 %)\n\
         {seconds:.2} s and {} expanded states each\n\n{table}",
        numbers::count(network.weights.len() as u64),
        first.seed,
        numbers::count(solved.len() as u64),
        numbers::count(lines.len() as u64),
        quarter[0],
        quarter[1],
        half[0],
        half[1],
        numbers::count(expanded as u64)
    ))
}
