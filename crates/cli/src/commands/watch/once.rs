//! `learnery watch --once`: the state of the runs so far, as a table or as JSON.

use anyhow::Result;
use serde_json::{Value, json};

use super::run::WatchedRun;
use super::runs::Runs;
use crate::args::WatchArgs;
use crate::failure::usage;
use crate::terminal::numbers::{self, count};
use crate::terminal::table::{LEFT, RIGHT};
use crate::terminal::{stderr, stdout, table};

/// How long the first status of a fleet may take.
#[cfg(feature = "fleet")]
const FIRST_STATUS_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(10);

/// Reads all there is, and prints it.
pub fn print(mut runs: Runs, args: &WatchArgs) -> Result<()> {
    for run in &mut runs.runs {
        #[cfg(feature = "fleet")]
        run.wait_for_status(FIRST_STATUS_TIMEOUT)?;
        while run.read_on().has_more {}
    }
    if runs.left_out > 0 {
        stderr::write(&format!(
            "The first {} runs are read; {} more are left out.\n",
            runs.runs.len(),
            runs.left_out
        ));
    }
    if let Some(name) = &args.metric
        && runs.runs.iter().all(|run| run.series(name).is_none())
    {
        return Err(usage(unknown_metric(name, &runs)));
    }
    let metric = |run: &WatchedRun| args.metric.clone().or_else(|| run.main_metric().map(str::to_owned));
    if args.json {
        return runs.runs.iter().try_for_each(|run| stdout::write_json(&as_json(run, metric(run))));
    }
    let rows: Vec<Vec<String>> = runs.runs.iter().map(|run| row(run, metric(run))).collect();
    let headings = ["run", "lab", "seed", "unit", "time", "metric", "value", "best", "goal", "state"];
    let alignments = [LEFT, LEFT, RIGHT, RIGHT, RIGHT, LEFT, RIGHT, RIGHT, RIGHT, LEFT];
    // Scripts expect one line per run, however wide.
    stdout::write(&table::render(&headings, &alignments, &rows, usize::MAX))
}

/// The error for a metric that no run has.
fn unknown_metric(name: &str, runs: &Runs) -> String {
    let mut names: Vec<&str> =
        runs.runs.iter().flat_map(|run| run.history.series.keys()).map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return format!("--metric {name}: no run has a metric yet");
    }
    format!("--metric {name}: no run has this metric; the metrics are {}", names.join(", "))
}

/// A run as a row of the table.
fn row(run: &WatchedRun, metric: Option<String>) -> Vec<String> {
    let dash = || "–".to_owned();
    let value = |value: Option<f64>| value.map_or_else(dash, numbers::value);
    let metric = metric.unwrap_or_default();
    vec![
        run.name.clone(),
        if run.metadata.lab.is_empty() { dash() } else { run.metadata.lab.clone() },
        run.metadata.seed.map_or_else(dash, |seed| seed.to_string()),
        count(run.history.unit()),
        run.history.last.as_ref().and_then(|last| last.seconds).map_or_else(dash, numbers::clock),
        if metric.is_empty() { dash() } else { metric.clone() },
        value(run.series(&metric).map(|series| series.latest)),
        value(run.best(&metric)),
        run.target(&metric).map_or_else(dash, numbers::target),
        state_text(run),
    ]
}

/// The state of a run, and what is wrong with its files.
fn state_text(run: &WatchedRun) -> String {
    let mut text = run.problem.clone().unwrap_or_else(|| run.state().to_owned());
    if let Some(age) = run.age().filter(|_| !run.is_growing()) {
        text.push_str(&format!(", wrote {} ago", numbers::duration(age.as_secs_f64())));
    }
    if run.history.damaged > 0 {
        text.push_str(&format!(", {}", numbers::count_of(run.history.damaged, "damaged line")));
    }
    if run.history.ends_within_a_row && !run.is_growing() {
        text.push_str(", ends within a row");
    }
    text
}

fn as_json(run: &WatchedRun, metric: Option<String>) -> Value {
    let metric = metric.unwrap_or_default();
    let last = run.history.last.as_ref();
    let (units_per_second, work_per_second) = run.history.per_second();
    let metrics: serde_json::Map<String, Value> =
        run.history.series.iter().map(|(name, series)| (name.clone(), series.latest.into())).collect();
    json!({
        "run": run.name,
        "lab": run.metadata.lab,
        "seed": run.metadata.seed,
        "unit": run.history.unit(),
        "work": last.and_then(|last| last.work).map(|work| work as u64),
        "seconds": last.and_then(|last| last.seconds),
        "unitsPerSecond": units_per_second,
        "workPerSecond": work_per_second,
        "metric": if metric.is_empty() { Value::Null } else { metric.clone().into() },
        "value": run.series(&metric).map(|series| series.latest),
        "best": run.best(&metric),
        "target": run.target(&metric),
        "solved": run.is_solved,
        "growing": run.is_growing(),
        "secondsSinceWritten": run.age().map(|age| age.as_secs_f64()),
        "rows": run.history.rows,
        "damagedLines": run.history.damaged,
        "endsWithinARow": run.history.ends_within_a_row,
        "problem": run.problem,
        "metrics": metrics,
        "fleet": run.fleet,
    })
}
