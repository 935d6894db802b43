//! The results of a sweep: a table for people, or JSON, and a file with every run.

use std::path::Path;

use anyhow::Result;
use learnery_fleet::sweep::{Ended, Point, Quartiles, csv, summaries};
use serde_json::{Value, json};

use crate::files::write_atomically;
use crate::terminal::table::{LEFT, RIGHT};
use crate::terminal::{numbers, stderr, stdout, table};

/// The file with every run, in the folder of the sweep.
const FILE: &str = "results.csv";

/// The runs of a sweep that have ended.
pub struct Report<'a> {
    pub points: &'a [Point],
    pub ended: &'a [Ended],
    /// The number of runs, ended or not.
    pub all: usize,
    /// The metric of the goal.
    pub metric: &'static str,
    pub out: &'a Path,
    pub json: bool,
}

pub fn write(report: &Report) -> Result<()> {
    let Report { points, ended, all, metric, out, json } = *report;
    if ended.is_empty() {
        return Ok(());
    }
    let path = out.join(FILE);
    write_atomically(&path, csv(points, ended, metric).as_bytes())?;
    let summaries = summaries(points, ended);
    if json {
        for summary in &summaries {
            stdout::write_json(&json!({
                "settings": summary.label,
                "runs": summary.runs,
                "solved": summary.solved,
                "unitsToGoal": as_json(summary.units_to_goal),
                metric: as_json(summary.value),
            }))?;
        }
        return Ok(());
    }
    let rows: Vec<Vec<String>> = summaries
        .iter()
        .map(|summary| {
            let share = 100.0 * summary.solved as f64 / summary.runs.max(1) as f64;
            vec![
                summary.label.clone(),
                summary.runs.to_string(),
                format!("{share:.0} %"),
                text(summary.units_to_goal),
                text(summary.value),
            ]
        })
        .collect();
    let headings = ["settings", "runs", "solved", "units to the goal", &format!("{metric} at the end")];
    let width = table::width(&std::io::stdout());
    stdout::write(&table::render(&headings, &[LEFT, RIGHT, RIGHT, RIGHT, LEFT], &rows, width))?;
    stderr::write(&format!(
        "Medians, with quartiles in brackets. {} of {all} runs are in {}.\n",
        ended.len(),
        path.display()
    ));
    Ok(())
}

fn as_json(quartiles: Option<Quartiles>) -> Value {
    // JSON has no infinity: null where the goal was not reached.
    let number = |value: f64| if value.is_finite() { Value::from(value) } else { Value::Null };
    quartiles.map_or(Value::Null, |q| json!([number(q.lower), number(q.median), number(q.upper)]))
}

/// `median (lower to upper)`; a dash where the goal was not reached.
fn text(quartiles: Option<Quartiles>) -> String {
    let number = |value: f64| if value.is_finite() { numbers::value(value) } else { "-".into() };
    quartiles
        .map_or("-".into(), |q| format!("{} ({} to {})", number(q.median), number(q.lower), number(q.upper)))
}
