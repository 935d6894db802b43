//! The folder of a run that a fleet computes. A *unit* is one training iteration, and has one row of metrics.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::anyhow;
use learnery_fleet::Trust;
use learnery_fleet::nats::{Keeper, Terminal};
use learnery_lab::{LabError, Session};

use super::terminal::HostTerminal;
use crate::failure::{io_reason, one_line};
use crate::files::write_atomically;
use crate::json_object::JsonObject;
use crate::run::folder::RunFolder;
use crate::run::metrics_file;
use crate::run::stop::StopSignal;

/// The fleet's folder, in the run's.
pub const FOLDER: &str = "fleet";
/// The file about the trust in actors, in the fleet's folder.
const TRUST_FILE: &str = "trust.json";

/// The row of a unit.
struct Row {
    unit: u64,
    /// The row of `metrics.jsonl`.
    row: JsonObject,
    /// The metrics by name, for TensorBoard.
    values: Vec<(&'static str, f64)>,
}

/// Keeps the run, whose checkpoints and rows it writes.
pub struct FolderKeeper {
    folder: RunFolder,
    fleet: PathBuf,
    started_at: Instant,
    /// Rows of units after the last checkpoint. The run may go back to it, so they are not written yet.
    rows: Vec<Row>,
    terminal: HostTerminal,
}

impl FolderKeeper {
    pub fn new(folder: RunFolder, stop: StopSignal) -> Self {
        let fleet = folder.path().join(FOLDER);
        let terminal = HostTerminal::new(fleet.clone(), stop);
        Self { folder, fleet, started_at: Instant::now(), rows: Vec::new(), terminal }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// What is known of the actors of the run in this folder.
pub fn read_trust(fleet: &Path) -> Result<Trust, String> {
    let path = fleet.join(TRUST_FILE);
    match fs::read(&path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|e| format!("{}: {e}", path.display())),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Trust::default()),
        Err(e) => Err(format!("{} cannot be read: {}", path.display(), io_reason(&e))),
    }
}

fn problem(error: anyhow::Error) -> LabError {
    LabError::Fleet(one_line(&error))
}

impl Keeper for FolderKeeper {
    fn unit_finished(&mut self, session: &Session) -> Result<(), LabError> {
        let row = metrics_file::unit_row(
            session,
            self.folder.seconds_before + self.started_at.elapsed().as_secs_f64(),
        );
        let values = session.row().measured().collect();
        self.rows.push(Row { unit: session.units(), row, values });
        Ok(())
    }

    fn went_back(&mut self) {
        self.rows.clear();
    }

    fn save(&mut self, checkpoint: &[u8]) -> Result<(), LabError> {
        // What cannot be written waits in memory. An error says that it has no room either.
        let mut rows_written = Ok(());
        for Row { unit, row, values } in self.rows.drain(..) {
            rows_written = rows_written.and(self.folder.append(unit, &row, values.into_iter()));
        }
        // The checkpoint, which matters more, is written in any case.
        self.folder.save_last_file(checkpoint).map_err(problem)?;
        rows_written.map_err(problem)
    }

    fn note_save(&mut self, error: Option<&LabError>) {
        self.terminal.note_save(0, error.map(|error| anyhow!("{error}")).as_ref());
    }

    fn save_trust(&mut self, trust: &Trust) -> Result<(), LabError> {
        let json = serde_json::to_vec(trust).expect("plain data");
        write_atomically(&self.fleet.join(TRUST_FILE), &json).map_err(problem)
    }

    fn terminal(&mut self) -> &mut dyn Terminal {
        &mut self.terminal
    }
}
