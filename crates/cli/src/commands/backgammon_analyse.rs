//! `learnery backgammon analyse`: judges every decision of a match that was played.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use learnery_backgammon_play::analysis::{MAX_DECISIONS, MAX_FILE_BYTES, MatchAnalysis};
use learnery_labs::backgammon::networks::TrainedNetwork;

use crate::args::BackgammonAnalyseArgs;
use crate::failure::usage;
use crate::files::{
    check_new_file, checkpoint_path, file_error, read_checkpoint, read_text_up_to, refuse_existing,
    write_atomically,
};
use crate::run::stop::StopSignal;
use crate::terminal::progress_line::ProgressLine;
use crate::terminal::{numbers, stderr, stdout};
use crate::threads;

pub fn analyse(args: &BackgammonAnalyseArgs) -> Result<()> {
    // Nothing is computed that could not be written at the end.
    let check = |path: &Option<PathBuf>, option: &str| {
        path.as_deref().map(|path| check_new_file(path, option)).transpose()
    };
    let (json, out) = (check(&args.json, "--json")?, check(&args.out, "--out")?);
    if json.is_some() && json == out {
        return Err(usage("--json and --out name the same file"));
    }
    let path = checkpoint_path(&args.checkpoint)?;
    let (_, checkpoint) = read_checkpoint(&path)?;
    let network = TrainedNetwork::from_checkpoint(&checkpoint).map_err(|e| file_error(&path, e))?;
    MatchAnalysis::check(&network, args.plies).map_err(usage)?;
    let file = read_text_up_to(&args.file, MAX_FILE_BYTES)?;
    let mut analysis =
        MatchAnalysis::read(&file.bytes, args.plies).map_err(|e| anyhow!("{}, {e}", file.name))?;
    if analysis.decisions() > MAX_DECISIONS {
        bail!("{} has {} decisions; at most {MAX_DECISIONS} are judged", file.name, analysis.decisions());
    }
    threads::start_pool(args.threads)?;
    let stop = StopSignal::listen()?;
    let all = numbers::count_of(analysis.decisions() as u64, "decision");
    stderr::write(&format!("Judges {all}. Ctrl-C ends the analysis; what is judged by then is written.\n"));

    let line = ProgressLine::new();
    analysis.run(&network, usize::MAX, &|| stop.requested(), &|judged| {
        line.show(|| format!("{} of {all}", numbers::count(judged as u64)));
    });
    // The process may no longer be ended while the result is written.
    stop.begin_saving();
    line.clear();
    // Everything is written that can be. A closed standard output is no error, so those of the files come
    // first.
    let table = stdout::write(&analysis.text());
    let json = write_new(args.json.as_deref(), "--json", || format!("{}\n", analysis.json()));
    let out = write_new(args.out.as_deref(), "--out", || analysis.mat());
    json.and(out).and(table)
}

fn write_new(path: Option<&Path>, option: &str, text: impl FnOnce() -> String) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    refuse_existing(path, option)?;
    write_atomically(path, text().as_bytes())
}
