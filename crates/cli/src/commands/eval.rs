//! `learnery eval`: measures the strength of a trained network by the tool `evaluate` of its lab, and prints
//! the report: a summary and a table of figures.

use anyhow::Result;
use learnery_lab::{EvalRequest, Figure, LabError, Report};
use serde_json::{Map, json};

use super::ask::answer_of;
use crate::args::EvalArgs;
use crate::commands::eval_options;
use crate::failure::usage;
use crate::files::{checkpoint_path, file_error, read_checkpoint};
use crate::run::stop::StopSignal;
use crate::terminal::table::{LEFT, RIGHT};
use crate::terminal::{numbers, stdout, table};
use crate::threads;

pub fn eval(args: &EvalArgs) -> Result<()> {
    threads::start_pool(args.threads)?;
    let path = checkpoint_path(&args.checkpoint)?;
    let (entry, checkpoint) = read_checkpoint(&path)?;
    let (options, named) = eval_options::read(entry, &args.options)?;
    let request = EvalRequest { options, seed: args.seed, named };
    let refused = |error: LabError| match error {
        LabError::Evaluation(_) => usage(error),
        other => file_error(&path, other),
    };
    let mut job = entry.begin_evaluation(&checkpoint, &request).map_err(refused)?;
    let (stop, no_deadline) = (StopSignal::listen()?, None);
    let counts = entry.evaluation()?.about.counts;
    let (report, partial) =
        answer_of(&mut *job, counts, &stop, no_deadline, &mut |_| true, Report::of, refused)?;
    let Report { summary, figures } = report;
    let (unit, fingerprint) = (checkpoint.header.units, checkpoint.fingerprint());
    if args.json {
        let mut line = Map::new();
        line.insert("lab".into(), entry.about.id.into());
        line.insert("checkpoint".into(), json!(path));
        line.insert("unit".into(), unit.into());
        line.insert("fingerprint".into(), fingerprint.into());
        line.insert("seed".into(), args.seed.into());
        line.extend(eval_options::as_json(&request.options));
        line.insert("summary".into(), summary.into());
        line.insert("figures".into(), json!(figures));
        if partial {
            line.insert("partial".into(), true.into());
        }
        return stdout::write_json(&line);
    }
    let trained = format!(
        "{}, trained for {}\nFingerprint {fingerprint}",
        entry.about.title,
        numbers::count_of(unit, entry.about.unit)
    );
    let row = |Figure { name, value, unit }: Figure| vec![name.into(), numbers::value(value), unit.into()];
    let rows: Vec<Vec<String>> = figures.into_iter().map(row).collect();
    let figures = table::render(&["", "", ""], &[LEFT, RIGHT, LEFT], &rows, table::width(&std::io::stdout()));
    let interrupted = if partial { " (interrupted)" } else { "" };
    stdout::write(&format!("{trained}\n{summary}{interrupted}\n\n{figures}"))
}
