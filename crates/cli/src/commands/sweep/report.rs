//! Writes the results of a sweep: a CSV file with every completed run, a page with their curves, and to
//! standard output a table or JSON.

use anyhow::Result;
use learnery_fleet::sweep::{CompletedRun, Page, Quartiles, csv, find_best, page, summarise};
use serde_json::{Value, json};

use super::Sweep;
use crate::files::write_atomically;
use crate::terminal::table::{LEFT, RIGHT};
use crate::terminal::{numbers, stderr, stdout, table};

/// The file of a sweep with every run as a line.
const CSV_FILE: &str = "results.csv";
/// The page of a sweep.
const PAGE_FILE: &str = "report.html";

/// Writes the results of the completed runs.
pub fn write(sweep: &Sweep, completed: &[CompletedRun], json: bool) -> Result<()> {
    let Sweep { configurations, out, .. } = sweep;
    let (metric, all) = (sweep.metric.name, sweep.jobs.len());
    if completed.is_empty() {
        return Ok(());
    }
    write_atomically(&out.join(CSV_FILE), csv(configurations, completed, metric).as_bytes())?;
    // Runs end in any order. Sorted, a sweep that was interrupted and continued writes the same page as one
    // that ran through.
    let mut sorted = completed.to_vec();
    sorted.sort_unstable_by_key(|run| (run.configuration, run.seed));
    let about = &sweep.entry.about;
    let html = page(&Page {
        title: about.title,
        unit: about.unit,
        metric: sweep.metric,
        target: sweep.target,
        configurations,
        completed: &sorted,
        all,
    });
    write_atomically(&out.join(PAGE_FILE), html.as_bytes())?;
    let summaries = summarise(configurations, completed);
    let has_rounds = sweep.halving.is_some();
    if json {
        for summary in &summaries {
            let mut object = json!({
                "settings": summary.label,
                "runs": summary.runs,
                "solved": summary.solved,
                "unitsToGoal": quartiles_json(summary.units_to_goal),
                metric: quartiles_json(summary.value),
            });
            if has_rounds {
                object["units"] = summary.units.into();
                object["dropped"] = summary.is_dropped.into();
            }
            stdout::write_json(&object)?;
        }
        return Ok(());
    }
    let rows: Vec<Vec<String>> = summaries
        .iter()
        .map(|summary| {
            let share = 100.0 * summary.solved as f64 / summary.runs.max(1) as f64;
            let units = has_rounds.then(|| summary.units.to_string());
            let cells = [
                summary.label.clone(),
                summary.runs.to_string(),
                format!("{share:.0} %"),
                quartiles_text(summary.units_to_goal),
                quartiles_text(summary.value),
            ];
            cells.into_iter().chain(units).collect()
        })
        .collect();
    let value_heading = format!("{metric} at the end");
    let headings = ["settings", "runs", "solved", "units to the goal", &value_heading, "units"];
    let alignments = [LEFT, RIGHT, RIGHT, RIGHT, LEFT, RIGHT];
    let columns = headings.len() - usize::from(!has_rounds);
    let width = table::width(&std::io::stdout());
    stdout::write(&table::render(&headings[..columns], &alignments[..columns], &rows, width))?;
    let best = find_best(&summaries, metric, sweep.metric.better);
    let best_sentence = best.map_or(String::new(), |best| format!("{}\n", best.sentence));
    stderr::write(&format!(
        "Medians, with quartiles in brackets. {best_sentence}{} of {all} runs are in {}, and their curves in {}.\n",
        completed.len(),
        out.join(CSV_FILE).display(),
        out.join(PAGE_FILE).display()
    ));
    Ok(())
}

fn quartiles_json(quartiles: Option<Quartiles>) -> Value {
    // JSON has no infinity: null where the goal was not reached.
    let number = |value: f64| if value.is_finite() { Value::from(value) } else { Value::Null };
    quartiles.map_or(Value::Null, |q| json!([number(q.lower), number(q.median), number(q.upper)]))
}

/// `median (lower to upper)`; a dash where the goal was not reached.
fn quartiles_text(quartiles: Option<Quartiles>) -> String {
    let number = |value: f64| if value.is_finite() { numbers::value(value) } else { "-".into() };
    quartiles
        .map_or("-".into(), |q| format!("{} ({} to {})", number(q.median), number(q.lower), number(q.upper)))
}
