//! `learnery watch`: the monitor. It reads what runs write into their folders, and what fleets publish; a run
//! never notices.
//!
//! `runs.rs` finds the runs, `run.rs` reads one of them, by `tail.rs`, `rows.rs`, `history.rs` and
//! `series.rs`. `screen/` shows them, `once.rs` prints a summary.

#[cfg(feature = "fleet")]
mod feed;
mod history;
mod once;
mod rows;
mod run;
mod runs;
#[cfg(feature = "watch")]
mod screen;
mod series;
#[cfg(feature = "watch")]
mod settings_table;
mod tail;

use anyhow::Result;

use crate::args::WatchArgs;
use crate::failure::usage;
use runs::Runs;

pub fn watch(args: &WatchArgs) -> Result<()> {
    let runs = Runs::find(args)?;
    if args.once {
        return once::print(runs, args);
    }
    show(runs, args)
}

#[cfg(feature = "watch")]
fn show(runs: Runs, args: &WatchArgs) -> Result<()> {
    use std::io::IsTerminal;
    if !std::io::stdout().is_terminal() {
        return Err(usage("standard output is no terminal; --once prints a summary"));
    }
    screen::show(runs, args.metric.clone())
}

#[cfg(not(feature = "watch"))]
fn show(_: Runs, _: &WatchArgs) -> Result<()> {
    Err(usage(
        "this program was built without the screen of the monitor; build it with the feature `watch`, which is on by default, \
         or print a summary with --once",
    ))
}
