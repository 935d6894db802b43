//! `learnery fleet join`: computes for a fleet until its run is complete or Ctrl-C.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use learnery_fleet::Hello;
use learnery_fleet::nats::{Join, JoinEnd, Joined, LeftRun, new_token};
use learnery_kernels::isa;
use learnery_labs::LABS;
use sysinfo::System;

use crate::args::JoinArgs;
use crate::failure::usage;
use crate::run::kept::kept_sentence;
use crate::run::stop::StopSignal;
use crate::terminal::numbers::count_of;
use crate::terminal::progress_line::ProgressLine;
use crate::terminal::stderr;

/// The time between two looks at the threads.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

pub fn join(args: &JoinArgs) -> Result<()> {
    let link = args.link.parse().map_err(usage)?;
    // Every actor computes on one thread; the pool is for what a lab may still deal out.
    crate::threads::start_pool(Some(1))?;
    // At most 1,024, as `--threads` allows.
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get().min(1024) as u16);
    let threads = args.threads.unwrap_or(cores);
    let label = args.name.clone().or_else(|| System::host_name().ok()).unwrap_or_default();
    let stop = StopSignal::listen()?;
    let mut joined = Joined::start(Join {
        link,
        ca: args.ca.clone(),
        label,
        token: new_token(),
        threads,
        hello: Hello { build: env!("CARGO_PKG_VERSION").into(), bits: isa::bits().name().into() },
        entries: LABS,
    })?;
    stderr::write(&format!("Joined with {}; Ctrl-C leaves.\n", count_of(threads.into(), "thread")));
    let (line, begin) = (ProgressLine::new(), Instant::now());
    // What the user knows: whether there is a connection, and what the server refused last.
    let (mut was_connected, mut told_refusal) = (true, None);
    while !joined.has_ended() && !stop.requested() {
        thread::sleep(POLL_INTERVAL);
        let progress = joined.progress();
        if progress.is_connected != was_connected {
            was_connected = progress.is_connected;
            line.clear();
            stderr::write(if was_connected {
                "The server is back.\n"
            } else {
                "The server does not answer; trying again.\n"
            });
        }
        if progress.refused.is_some() && progress.refused != told_refusal {
            told_refusal = progress.refused.clone();
            line.clear();
            stderr::write(&format!(
                "The server refuses something: {}\n",
                told_refusal.as_deref().unwrap_or_default()
            ));
        }
        line.show(|| {
            let minutes = begin.elapsed().as_secs_f64() / 60.0;
            format!(
                "{} of {} busy, {} accepted, {:.1} a minute",
                progress.working,
                count_of(threads.into(), "thread"),
                count_of(progress.accepted, "result"),
                progress.accepted as f64 / minutes
            )
        });
    }
    line.clear();
    // Leaving may take longer than a stop usually allows.
    stop.begin_saving();
    let accepted = joined.progress().accepted;
    let (end, runs) = joined.leave();
    for LeftRun { about, seed, first_unit, completed, kept, .. } in runs {
        let run = format!("The run of {} with the seed {seed}", about.title);
        let kept = Some(kept).filter(|units| *units > 0);
        stderr::write(&(kept_sentence(&run, about.unit, kept, completed, first_unit) + "\n"));
    }
    match end {
        JoinEnd::Complete => stderr::write("The run is complete.\n"),
        JoinEnd::Left => {}
        JoinEnd::Refused(reason) => bail!("{reason}"),
    }
    stderr::write(&format!("Left the fleet after {}.\n", count_of(accepted, "accepted result")));
    Ok(())
}
