//! `learnery backgammon analyse`: judges every decision of a match that was played.

use std::path::Path;

use anyhow::{Result, anyhow};
use learnery_labs::backgammon::analysis::MatchAnalysis;
use learnery_labs::backgammon::players::TrainedNetwork;

use crate::args::BackgammonAnalyseArgs;
use crate::failure::usage;
use crate::files::{
    checkpoint_path, file_error, read_checkpoint, read_text, refuse_existing, write_atomically,
};
use crate::run::stop::StopSignal;
use crate::terminal::progress_line::ProgressLine;
use crate::terminal::{numbers, stderr, stdout};
use crate::threads;

pub fn analyse(args: &BackgammonAnalyseArgs) -> Result<()> {
    // Nothing is computed that could not be written at the end.
    for (path, option) in [(&args.json, "--json"), (&args.out, "--out")] {
        path.as_deref().map_or(Ok(()), |path| refuse_existing(path, option))?;
    }
    let path = checkpoint_path(&args.checkpoint)?;
    let (_, checkpoint) = read_checkpoint(&path)?;
    let network = TrainedNetwork::from_checkpoint(&checkpoint).map_err(|e| file_error(&path, e))?;
    MatchAnalysis::check(network.as_network(), args.plies).map_err(usage)?;
    let file = read_text(&args.file)?;
    let mut analysis =
        MatchAnalysis::read(&file.bytes, args.plies).map_err(|e| anyhow!("{}, {e}", file.name))?;
    threads::start_pool(args.threads)?;
    let stop = StopSignal::listen()?;
    let all = numbers::count_of(analysis.decisions() as u64, "decision");
    stderr::write(&format!("Judges {all}. Ctrl-C ends the analysis; what is judged by then is written.\n"));

    let line = ProgressLine::new();
    analysis.run(network.as_network(), usize::MAX, &|| stop.requested(), &|judged| {
        line.show(|| format!("{} of {all}", numbers::count(judged as u64)));
    });
    // The process may no longer be ended while the result is written.
    stop.begin_saving();
    line.clear();
    if let Some(path) = &args.json {
        write_new(path, "--json", &format!("{}\n", analysis.json()))?;
    }
    if let Some(path) = &args.out {
        write_new(path, "--out", &analysis.mat())?;
    }
    stdout::write(&analysis.text())
}

fn write_new(path: &Path, option: &str, text: &str) -> Result<()> {
    refuse_existing(path, option)?;
    write_atomically(path, text.as_bytes())
}
