//! The terminal of `learnery fleet serve` and `learnery fleet sweep`: a line that is drawn over and over,
//! sentences above it, Ctrl-C; and the file of the status.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use learnery_fleet::nats::Terminal;
use learnery_fleet::status::{FleetStatus, LearnerState, SweepStatus};

use crate::run::messages;
use crate::run::stop::StopSignal;
use crate::terminal::numbers::{count, count_of};
use crate::terminal::progress_line::ProgressLine;
use crate::terminal::stderr;

/// The file of the status, in the folder of the fleet.
const STATUS_FILE: &str = "status.json";

/// The terminal of a host, and its file of the status.
pub struct HostTerminal {
    /// The folder of the fleet.
    fleet: PathBuf,
    stop: StopSignal,
    /// The line of the status.
    line: ProgressLine,
    /// What could not be written last, by the caller's numbers.
    unsaved: BTreeSet<u32>,
}

impl HostTerminal {
    /// `fleet` is the folder of the fleet.
    pub fn new(fleet: PathBuf, stop: StopSignal) -> Self {
        Self { fleet, stop, line: ProgressLine::new(), unsaved: BTreeSet::new() }
    }

    /// Tells the user, once, that something could not be written, as on a full disk, and when all can be
    /// written again. `what` is a number of the caller's for what was written, `error` says why it was not.
    pub fn note_save(&mut self, what: u32, error: Option<&anyhow::Error>) {
        let was_unsaved = !self.unsaved.is_empty();
        let is_changed = match error {
            Some(_) => self.unsaved.insert(what),
            None => self.unsaved.remove(&what),
        };
        match error {
            Some(error) if is_changed && !was_unsaved => self.tell(&messages::goes_on_unsaved(error)),
            None if is_changed && self.unsaved.is_empty() => self.tell(messages::SAVED_AGAIN),
            _ => {}
        }
    }

    /// Prints lines above the line of the status.
    pub fn print(&mut self, text: &str) {
        self.line.clear();
        stderr::write(text);
    }
}

impl Terminal for HostTerminal {
    fn status(&mut self, status: &FleetStatus, json: &[u8]) {
        write_status(&self.fleet.join(STATUS_FILE), json);
        self.line.show(|| summary(status));
    }

    fn tell(&mut self, sentence: &str) {
        self.print(&format!("{sentence}\n"));
    }

    fn is_stopped(&self) -> bool {
        let is_stopped = self.stop.requested();
        if is_stopped {
            // From here on the process is not ended: checkpoints are still saved, and the server is stopped.
            self.stop.begin_saving();
        }
        is_stopped
    }
}

/// Writes the file of the status. A reader must not find half of it, hence the renaming. After a crash nobody
/// wants it, so it is not synced.
fn write_status(path: &Path, json: &[u8]) {
    let temporary = path.with_file_name(".status.json.tmp");
    // If it fails, the next status comes in a second.
    _ = fs::write(&temporary, json).and_then(|()| fs::rename(&temporary, path));
}

/// A fleet in a line.
pub fn summary(status: &FleetStatus) -> String {
    let FleetStatus { jobs, machines, bytes_in_per_second, bytes_out_per_second, .. } = status;
    let threads: u32 = machines.iter().map(|machine| machine.threads).sum();
    let machines =
        format!("{} on {}", count_of(threads.into(), "thread"), count_of(machines.len() as u64, "machine"));
    let traffic =
        format!("{:.2} MB/s in, {:.2} MB/s out", bytes_in_per_second / 1e6, bytes_out_per_second / 1e6);
    if let Some(SweepStatus { solved }) = status.sweep {
        return format!(
            "runs {}/{}, {solved} reached the goal, {} under way, {machines}, {traffic}",
            jobs.done, jobs.all, jobs.leased
        );
    }
    let learner = match status.learner.state {
        LearnerState::Busy => "learning",
        LearnerState::Waiting => "waiting for results",
        LearnerState::NoActors => "waiting for actors",
    };
    let rate =
        status.rate.map_or(String::new(), |rate| format!(", {} {}/s", count(rate as u64), status.work));
    let unit = count(status.unit);
    format!("unit {unit}, jobs {}/{}, {machines}{rate}, {traffic}, {learner}", jobs.done, jobs.all)
}
