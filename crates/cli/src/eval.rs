//! Judging a trained network, and writing it out alone.

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use learnery_lab::LabError;
use serde_json::{Map, json};

use crate::args::{EvalArgs, ExportArgs};
use crate::display::numbers;
use crate::failure::{reason, usage};
use crate::files::{about_file, checkpoint_path, read_checkpoint, write_whole};
use crate::{eval_options, out, table, train};

/// `learnery eval`.
pub fn eval(args: &EvalArgs) -> Result<()> {
    train::use_threads(args.threads)?;
    let path = checkpoint_path(&args.checkpoint)?;
    let (entry, checkpoint) = read_checkpoint(&path)?;
    let request = eval_options::request(entry, &args.options, args.seed)?;
    let report = entry.evaluate(&checkpoint, &request).map_err(|e| match e {
        LabError::Evaluation(_) => usage(e),
        other => about_file(&path, other),
    })?;
    let unit = checkpoint.header.units;
    if args.json {
        let figure = |(name, value, unit)| json!({ "name": name, "value": value, "unit": unit });
        let figures: Vec<_> = report.figures.into_iter().map(figure).collect();
        let mut line = Map::new();
        line.insert("lab".into(), entry.about.id.into());
        line.insert("checkpoint".into(), json!(path));
        line.insert("unit".into(), unit.into());
        line.insert("seed".into(), args.seed.into());
        line.extend(eval_options::as_json(&request));
        line.insert("summary".into(), report.summary.into());
        line.insert("figures".into(), figures.into());
        return out::json(&line);
    }
    let trained = format!("{}, trained for {}", entry.about.title, numbers::so_many(unit, entry.about.unit));
    let row = |(name, value, unit): (&str, f64, &str)| vec![name.into(), numbers::value(value), unit.into()];
    let rows: Vec<Vec<String>> = report.figures.into_iter().map(row).collect();
    let figures =
        table::render(&["", "", ""], &[false, true, false], &rows, table::width(&std::io::stdout()));
    out::say(&format!("{trained}\n{}\n\n{figures}", report.summary))
}

/// `learnery export`.
pub fn export(args: &ExportArgs) -> Result<()> {
    let path = checkpoint_path(&args.checkpoint)?;
    let (_, checkpoint) = read_checkpoint(&path)?;
    let network = checkpoint.network_only();
    refuse_existing(&args.out)?;
    let bytes = network.to_bytes();
    write_whole(&args.out, &bytes)?;
    let size = numbers::si(bytes.len() as f64);
    out::say(&format!("The network of {} is in {} ({size}B)\n", path.display(), args.out.display()))
}

/// A file that is there already is never written over.
pub fn refuse_existing(path: &Path) -> Result<()> {
    match path.symlink_metadata() {
        Ok(_) => bail!("{} exists already; choose another --out", path.display()),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(anyhow!("{} cannot be written: {}", path.display(), reason(&e))),
    }
}
