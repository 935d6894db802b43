//! `learnery fleet watch`: what a fleet is doing, once a second.

use anyhow::Result;
use learnery_fleet::nats::watch as watch_fleet;
use learnery_fleet::status::FleetStatus;

use super::terminal::summary;
use crate::args::FleetWatchArgs;
use crate::failure::usage;
use crate::run::stop::StopSignal;
use crate::terminal::numbers::{count, count_of};
use crate::terminal::stdout;

pub fn watch(args: &FleetWatchArgs) -> Result<()> {
    let link = args.link.parse().map_err(usage)?;
    let stop = StopSignal::listen()?;
    let mut written = Ok(());
    watch_fleet(&link, args.ca.clone(), |status| {
        written = match status {
            Some(status) if args.json => stdout::write_json(&status),
            Some(status) => stdout::write(&status_text(&status)),
            None => Ok(()),
        };
        written.is_ok() && !stop.requested()
    })?;
    written
}

/// A fleet in a few lines.
fn status_text(status: &FleetStatus) -> String {
    let mut text = summary(status) + "\n";
    for machine in &status.machines {
        let rate =
            machine.rate.map_or(String::new(), |rate| format!(", {} {}/s", count(rate as u64), status.work));
        text.push_str(&format!(
            "  {}: {} of {} busy, {}, {} accepted{rate}\n",
            machine.label,
            machine.working,
            count_of(machine.threads.into(), "thread"),
            machine.bits,
            machine.accepted
        ));
    }
    for refusal in &status.refusals {
        text.push_str(&format!("  refused {}: {}\n", count_of(refusal.count, "time"), refusal.reason));
    }
    for quarantine in &status.quarantined {
        text.push_str(&format!("  in quarantine: {}, {}\n", quarantine.actor, quarantine.reason));
    }
    text
}
