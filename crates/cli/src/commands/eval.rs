//! `learnery eval`: measures the strength of a trained network and prints a report: a summary and a table of
//! metrics (called `figures` in the JSON).

use anyhow::Result;
use learnery_lab::LabError;
use serde_json::{Map, json};

use crate::args::EvalArgs;
use crate::commands::eval_options;
use crate::failure::usage;
use crate::files::{checkpoint_path, file_error, read_checkpoint};
use crate::terminal::table::{LEFT, RIGHT};
use crate::terminal::{numbers, stdout, table};
use crate::threads;

pub fn eval(args: &EvalArgs) -> Result<()> {
    threads::start_pool(args.threads)?;
    let path = checkpoint_path(&args.checkpoint)?;
    let (entry, checkpoint) = read_checkpoint(&path)?;
    let request = eval_options::build_request(entry, &args.options, args.seed)?;
    let report = entry.evaluate(&checkpoint, &request).map_err(|e| match e {
        LabError::Evaluation(_) => usage(e),
        other => file_error(&path, other),
    })?;
    let (unit, fingerprint) = (checkpoint.header.units, checkpoint.fingerprint());
    if args.json {
        let metric = |(name, value, unit)| json!({ "name": name, "value": value, "unit": unit });
        let metrics: Vec<_> = report.metrics.into_iter().map(metric).collect();
        let mut line = Map::new();
        line.insert("lab".into(), entry.about.id.into());
        line.insert("checkpoint".into(), json!(path));
        line.insert("unit".into(), unit.into());
        line.insert("fingerprint".into(), fingerprint.into());
        line.insert("seed".into(), args.seed.into());
        line.extend(eval_options::as_json(&request));
        line.insert("summary".into(), report.summary.into());
        line.insert("figures".into(), metrics.into());
        return stdout::write_json(&line);
    }
    let trained = format!(
        "{}, trained for {}\nFingerprint {fingerprint}",
        entry.about.title,
        numbers::count_of(unit, entry.about.unit)
    );
    let row = |(name, value, unit): (&str, f64, &str)| vec![name.into(), numbers::value(value), unit.into()];
    let rows: Vec<Vec<String>> = report.metrics.into_iter().map(row).collect();
    let metrics = table::render(&["", "", ""], &[LEFT, RIGHT, LEFT], &rows, table::width(&std::io::stdout()));
    stdout::write(&format!("{trained}\n{}\n\n{metrics}", report.summary))
}
