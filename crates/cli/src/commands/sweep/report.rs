//! The results of a sweep: a table for people, or JSON, a file with every run, and a page with their curves.

use anyhow::Result;
use learnery_fleet::sweep::{Ended, Page, Quartiles, best, csv, page, summaries};
use serde_json::{Value, json};

use super::Sweep;
use crate::files::write_atomically;
use crate::terminal::table::{LEFT, RIGHT};
use crate::terminal::{numbers, stderr, stdout, table};

/// The files of a sweep in its folder: every run as a line, and the page.
const CSV: &str = "results.csv";
const PAGE: &str = "report.html";

/// Writes what the runs that have ended came to.
pub fn write(sweep: &Sweep, ended: &[Ended], json: bool) -> Result<()> {
    let Sweep { points, out, .. } = sweep;
    let (metric, all) = (sweep.metric.name, sweep.jobs.len());
    if ended.is_empty() {
        return Ok(());
    }
    write_atomically(&out.join(CSV), csv(points, ended, metric).as_bytes())?;
    let mut sorted = ended.to_vec();
    sorted.sort_unstable_by_key(|run| (run.point, run.seed));
    let about = &sweep.entry.about;
    let html = page(&Page {
        title: about.title,
        unit: about.unit,
        metric: sweep.metric,
        target: sweep.target,
        points,
        ended: &sorted,
        all,
    });
    write_atomically(&out.join(PAGE), html.as_bytes())?;
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
    let best = best(&summaries, metric, sweep.metric.better);
    let best = best.map_or(String::new(), |best| format!("{}\n", best.sentence));
    stderr::write(&format!(
        "Medians, with quartiles in brackets. {best}{} of {all} runs are in {}, and their curves in {}.\n",
        ended.len(),
        out.join(CSV).display(),
        out.join(PAGE).display()
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
