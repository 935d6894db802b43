//! Arguments of the monitor.

use std::path::PathBuf;

use clap::Args;

#[derive(Args, Debug)]
pub struct WatchArgs {
    /// Folders of runs, folders that hold runs (of a sweep, say), or the link of a fleet in quotation marks
    #[arg(required = true, value_name = "RUN|FOLDER|LINK")]
    pub runs: Vec<String>,
    /// The metric to draw, by its name in metrics.jsonl [default: that of the goal]
    #[arg(long, value_name = "NAME")]
    pub metric: Option<String>,
    /// Print a summary and end
    #[arg(long)]
    pub once: bool,
    /// With --once, write JSON to standard output, one object per run
    #[arg(long, requires = "once")]
    pub json: bool,
    /// With a link, trust the certificates in this file instead of the system's
    #[arg(long, value_name = "FILE")]
    pub ca: Option<PathBuf>,
}
