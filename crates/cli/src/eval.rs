//! Judging a trained network, and writing it out alone.

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use learnery_lab::{EvalRequest, LabError, Rival};
use serde_json::json;

use crate::args::{EvalArgs, ExportArgs};
use crate::display::numbers;
use crate::failure::{reason, usage};
use crate::files::{about_file, checkpoint_path, read_checkpoint, write_whole};
use crate::language::read_text;
use crate::{gnubg, out, table, train};

/// `learnery eval`.
pub fn eval(args: &EvalArgs) -> Result<()> {
    train::use_threads(args.threads)?;
    let path = checkpoint_path(&args.checkpoint)?;
    let (entry, checkpoint) = read_checkpoint(&path)?;
    let request = EvalRequest {
        games: args.games,
        against: args.against.clone(),
        rival: args.against.as_deref().map(rival).transpose()?.flatten(),
        plies: args.plies,
        text: args.text.as_deref().map(|path| read_text(entry, path)).transpose()?,
        seed: args.seed,
    };
    let report = entry.evaluate(&checkpoint, &request).map_err(|e| match e {
        LabError::Evaluation(_) => usage(e),
        other => about_file(&path, other),
    })?;
    let unit = checkpoint.header.units;
    if args.json {
        let figure = |(name, value, unit)| json!({ "name": name, "value": value, "unit": unit });
        let figures: Vec<_> = report.figures.into_iter().map(figure).collect();
        return out::json(&json!({
            "lab": entry.about.id,
            "checkpoint": path,
            "unit": unit,
            "seed": args.seed,
            "games": args.games,
            "against": args.against,
            "plies": args.plies,
            "text": args.text,
            "summary": report.summary,
            "figures": figures,
        }));
    }
    let trained = format!("{}, trained for {}", entry.about.title, numbers::so_many(unit, entry.about.unit));
    let row = |(name, value, unit): (&str, f64, &str)| vec![name.into(), numbers::value(value), unit.into()];
    let rows: Vec<Vec<String>> = report.figures.into_iter().map(row).collect();
    let figures =
        table::render(&["", "", ""], &[false, true, false], &rows, table::width(&std::io::stdout()));
    out::say(&format!("{trained}\n{}\n\n{figures}", report.summary))
}

/// Who is meant by `name`, where it is nobody the lab knows: GNU Backgammon, or whoever a file holds.
fn rival(name: &str) -> Result<Option<Rival>> {
    let path = Path::new(name);
    if name == "gnubg" {
        Ok(Some(Rival::Program(gnubg::start()?)))
    } else if path.exists() {
        let (_, checkpoint) = read_checkpoint(&checkpoint_path(path)?)?;
        Ok(Some(Rival::Checkpoint(Box::new(checkpoint))))
    } else {
        Ok(None)
    }
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
