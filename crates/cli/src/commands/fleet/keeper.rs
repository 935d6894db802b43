//! What keeps the run of a fleet: its folder and the terminal of `learnery fleet serve`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use learnery_fleet::Trust;
use learnery_fleet::nats::Keeper;
use learnery_fleet::status::{FleetStatus, LearnerState};
use learnery_lab::{LabError, Session};

use crate::failure::one_line;
use crate::files::write_atomically;
use crate::json_object::JsonObject;
use crate::run::folder::RunFolder;
use crate::run::metrics_file;
use crate::run::stop::StopSignal;
use crate::terminal::numbers::{count, count_of};
use crate::terminal::progress_line::ProgressLine;
use crate::terminal::stderr;

/// Files in the fleet's folder, which is in the run's.
pub const FOLDER: &str = "fleet";
const TRUST: &str = "trust.json";
pub const STATUS: &str = "status.json";

/// The row of a unit.
struct Row {
    unit: u64,
    row: JsonObject,
    values: Vec<(&'static str, f64)>,
}

/// The run's folder and the terminal.
pub struct FolderKeeper {
    folder: RunFolder,
    fleet: PathBuf,
    stop: StopSignal,
    begin: Instant,
    /// Rows of units after the last checkpoint. The run may go back to it, so they are not written yet.
    rows: Vec<Row>,
    line: ProgressLine,
}

impl FolderKeeper {
    pub fn new(folder: RunFolder, stop: StopSignal) -> Self {
        let fleet = folder.path().join(FOLDER);
        Self { folder, fleet, stop, begin: Instant::now(), rows: Vec::new(), line: ProgressLine::new() }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// What is known of the actors of the run in this folder.
pub fn read_trust(fleet: &Path) -> Result<Trust, String> {
    let path = fleet.join(TRUST);
    match fs::read(&path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|e| format!("{}: {e}", path.display())),
        Err(_) => Ok(Trust::default()),
    }
}

fn problem(error: anyhow::Error) -> LabError {
    LabError::Fleet(one_line(&error))
}

impl Keeper for FolderKeeper {
    fn unit_finished(&mut self, session: &Session) -> Result<(), LabError> {
        let row = metrics_file::row(session, self.folder.seconds_before + self.begin.elapsed().as_secs_f64());
        let values = session.row().measured().collect();
        self.rows.push(Row { unit: session.units(), row, values });
        Ok(())
    }

    fn went_back(&mut self) {
        self.rows.clear();
    }

    fn save(&mut self, checkpoint: &[u8]) -> Result<(), LabError> {
        for Row { unit, row, values } in self.rows.drain(..) {
            self.folder.append(unit, &row, values.into_iter()).map_err(problem)?;
        }
        self.folder.save_last_file(checkpoint).map(drop).map_err(problem)
    }

    fn save_trust(&mut self, trust: &Trust) -> Result<(), LabError> {
        let json = serde_json::to_vec(trust).expect("plain data");
        write_atomically(&self.fleet.join(TRUST), &json).map_err(problem)
    }

    fn status(&mut self, status: &FleetStatus, json: &[u8]) {
        write_status(&self.fleet.join(STATUS), json);
        self.line.show(|| summary(status));
    }

    fn tell(&mut self, sentence: &str) {
        self.line.clear();
        stderr::write(&format!("{sentence}\n"));
    }

    fn is_stopped(&self) -> bool {
        let is_stopped = self.stop.requested();
        if is_stopped {
            // What was saved last is kept, and the server is ended in good order.
            self.stop.begin_saving();
        }
        is_stopped
    }
}

/// Writes the file of the status. A reader must not find half of it, but after a crash nobody wants it.
pub fn write_status(path: &Path, json: &[u8]) {
    let new = path.with_file_name(".status.json.tmp");
    _ = fs::write(&new, json).and_then(|()| fs::rename(&new, path));
}

/// A fleet in a line.
pub fn summary(status: &FleetStatus) -> String {
    let jobs = status.jobs;
    let threads: u32 = status.machines.iter().map(|machine| machine.threads).sum();
    if let Some(sweep) = status.sweep {
        return format!(
            "runs {}/{}, {} reached the goal, {} under way, {} on {}, {:.2} MB/s in, {:.2} MB/s out",
            jobs.done,
            jobs.all,
            sweep.solved,
            jobs.leased,
            count_of(threads.into(), "thread"),
            count_of(status.machines.len() as u64, "machine"),
            status.bytes_in_per_second / 1e6,
            status.bytes_out_per_second / 1e6,
        );
    }
    let learner = match status.learner.state {
        LearnerState::Busy => "learning",
        LearnerState::Waiting => "waiting for results",
        LearnerState::NoActors => "waiting for actors",
    };
    let rate =
        status.rate.map_or(String::new(), |rate| format!(", {} {}/s", count(rate as u64), status.work));
    format!(
        "unit {}, tables {}/{}, {} on {}{rate}, {:.2} MB/s in, {:.2} MB/s out, {learner}",
        count(status.unit),
        jobs.done,
        jobs.all,
        count_of(threads.into(), "thread"),
        count_of(status.machines.len() as u64, "machine"),
        status.bytes_in_per_second / 1e6,
        status.bytes_out_per_second / 1e6,
    )
}
