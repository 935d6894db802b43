//! The folders of a sweep's runs while others compute them. A folder takes each checkpoint with the rows up
//! to it, so it is an ordinary run folder at any time.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};
use learnery_fleet::nats::{LeftRun, ServeSweep, SweepKeeper, Terminal};
use learnery_fleet::sweep::{CompletedRun, Delivery, Order, Queue, SaveError, Store};
use learnery_lab::{Checkpoint, LabError, Session};
use serde::{Deserialize, Serialize};

use super::rounds::Rounds;
use super::time_left::TimeLeft;
use super::{Job, Setting, Sweep, check_settings, start_run};
use crate::commands::fleet::terminal::HostTerminal;
use crate::failure::{io_reason, one_line};
use crate::files::{LAST, read_checkpoint, write_atomically};
use crate::json_object::JsonObject;
use crate::run::folder::{LockedFolder, RunFolder, holds_run};
use crate::run::kept::kept_sentence;
use crate::run::metrics_file::rows_from_history;

/// The file with the leases, in the folder of the fleet.
const LEASES_FILE: &str = "leases.json";

/// Stands for the file with the leases in [`HostTerminal::note_save`], where runs are named by their numbers.
const LEASES: u32 = u32::MAX;

/// The most folders that are kept open. Each has three open files, of which a process may have 1,024, or 256
/// on macOS.
const MAX_OPEN_FOLDERS: usize = 64;

/// The folder of a run under way.
struct OpenFolder {
    folder: RunFolder,
    /// The unit (training iteration) of the last row in the folder.
    last_row_unit: u64,
}

/// The folders of a sweep's runs, and the terminal of its host.
pub struct Folders<'a> {
    sweep: &'a Sweep,
    /// The fleet's folder, in that of the sweep.
    fleet: PathBuf,
    /// Folders of runs under way, by job.
    open: BTreeMap<u32, OpenFolder>,
    rounds: Rounds<'a>,
    time: TimeLeft,
    /// Runs that go on in another round, since the host asked last.
    reopened: Vec<u32>,
    terminal: HostTerminal,
}

fn problem(error: anyhow::Error) -> LabError {
    LabError::Fleet(one_line(&error))
}

impl<'a> Folders<'a> {
    /// Reads how far the runs in the folders are. Returns the queue of runs too.
    pub fn open(sweep: &'a Sweep, fleet: PathBuf) -> Result<(Self, Queue)> {
        let jobs = sweep.jobs.len();
        let mut queue = read_leases(&fleet, sweep)?;
        let terminal = HostTerminal::new(fleet.clone(), sweep.stop.clone());
        let rounds = Rounds::new(sweep);
        let time = TimeLeft::new(jobs, rounds.whole_runs());
        let reopened = Vec::new();
        let mut folders = Self { sweep, fleet, open: BTreeMap::new(), rounds, time, reopened, terminal };
        for (index, job) in sweep.jobs.iter().enumerate() {
            let last = job.folder.join(LAST);
            if last.exists() {
                let (_, checkpoint) = read_checkpoint(&last)?;
                check_settings(sweep.entry, &sweep.settings[job.configuration], job.seed, &checkpoint)
                    .with_context(|| format!("{}", job.folder.display()))?;
            }
            folders.read_progress(index as u32)?;
        }
        folders.begin_rounds()?;
        for index in 0..jobs as u32 {
            let (units, is_done) = match folders.last_checkpoint(index)? {
                Some(checkpoint) => (checkpoint.header.units, folders.is_at_end(index, &checkpoint)),
                None => (0, false),
            };
            queue.set_progress(index, units, is_done);
        }
        // The queue has just got the progress of all runs, those of later rounds too.
        folders.reopened.clear();
        Ok((folders, queue))
    }

    /// The newest checkpoint of a run; `None` if there is none.
    fn last_checkpoint(&self, index: u32) -> Result<Option<Checkpoint>> {
        let last = self.job(index).0.folder.join(LAST);
        if last.exists() { Ok(Some(read_checkpoint(&last)?.1)) } else { Ok(None) }
    }

    /// Reads how far the folder of a run is. Returns whether it is at its end in this round; then its result
    /// is added.
    fn read_progress(&mut self, index: u32) -> Result<bool> {
        let Some(checkpoint) = self.last_checkpoint(index)? else { return Ok(false) };
        let is_done = self.is_at_end(index, &checkpoint);
        let share = match is_done {
            true => self.rounds.share(),
            false => self.rounds.share_of(self.job(index).0.configuration, checkpoint.header.units),
        };
        self.time.note_skipped(index as usize, share);
        if is_done {
            let session = Session::resume(*self.sweep.entry, &checkpoint)?;
            self.add_completed(index, &session, checkpoint.fingerprint());
        }
        Ok(is_done)
    }

    /// Begins the next round if all runs have completed this one, and so on.
    fn begin_rounds(&mut self) -> Result<()> {
        let Some(halving) = self.sweep.halving else { return Ok(()) };
        while self.rounds.is_complete() && !self.rounds.is_last() {
            let sentence = self.rounds.begin_next(halving);
            self.terminal.print(&sentence);
            // A sweep that was stopped in a later round has runs that are at their end already.
            for index in self.rounds.jobs() {
                if !self.read_progress(index)? {
                    self.reopened.push(index);
                }
            }
        }
        Ok(())
    }

    pub fn into_completed(self) -> Vec<CompletedRun> {
        self.rounds.into_completed()
    }

    fn job(&self, index: u32) -> (&'a Job, &'a Setting) {
        let job = &self.sweep.jobs[index as usize];
        (job, &self.sweep.settings[job.configuration])
    }

    /// The checkpoint file from which a new run begins elsewhere; empty for a run that begins with its
    /// settings alone. An order has no place for the text of a world of one's own, so such a run begins with
    /// a checkpoint, which has the text.
    fn first_checkpoint(&self, index: u32) -> Result<Vec<u8>, LabError> {
        let Sweep { entry, world: Some(world), .. } = self.sweep else { return Ok(Vec::new()) };
        let (job, setting) = self.job(index);
        let mut session = start_run(entry, &setting.config, job.seed, Some(world)).map_err(problem)?;
        Ok(session.save().to_bytes())
    }

    fn add_completed(&mut self, index: u32, session: &Session, fingerprint: String) {
        let (job, _) = self.job(index);
        let run = CompletedRun::of(session, job.configuration, self.sweep.metric.name, fingerprint);
        self.rounds.complete(run);
    }

    /// Writes the rows up to a checkpoint, and then the checkpoint.
    fn write(&mut self, index: u32, session: &Session, delivery: &Delivery) -> Result<()> {
        let (job, _) = self.job(index);
        let folder = match self.open.remove(&index) {
            Some(OpenFolder { mut folder, last_row_unit }) => {
                for (unit, values) in rows_from_history(session, last_row_unit) {
                    let mut row = JsonObject::default();
                    row.add("unit", unit);
                    values.iter().for_each(|&(name, value)| row.add(name, value));
                    folder.append(unit, &row, values.into_iter())?;
                }
                folder
            }
            None => {
                // Folders are opened again when they are needed.
                if self.open.len() >= MAX_OPEN_FOLDERS {
                    self.open.clear();
                }
                let locked = match holds_run(&job.folder) {
                    true => LockedFolder::continued(job.folder.clone())?,
                    false => LockedFolder::fresh(Some(&job.folder), self.sweep.entry.about.id, job.seed)?,
                };
                // Opening writes the rows of the session's history.
                locked.open(session)?
            }
        };
        let open = OpenFolder { folder, last_row_unit: session.units() };
        let OpenFolder { folder, .. } = self.open.entry(index).or_insert(open);
        if let Some(solved) = delivery.solved {
            folder.save_solved_file(solved)?;
        }
        folder.save_last_file(delivery.last)?;
        Ok(())
    }
}

/// The content of the file of leases. A lease has the number of its run, so the names of the runs stand
/// beside the leases.
#[derive(Serialize, Deserialize)]
struct Leases {
    runs: Vec<String>,
    queue: Queue,
}

/// Names of the runs, in their order.
fn run_names(sweep: &Sweep) -> Vec<String> {
    let name = |job: &Job| format!("{}, seed {}", sweep.configurations[job.configuration].label(), job.seed);
    sweep.jobs.iter().map(name).collect()
}

/// The queue with the leases of an earlier host, if there was one.
fn read_leases(fleet: &Path, sweep: &Sweep) -> Result<Queue> {
    let path = fleet.join(LEASES_FILE);
    match fs::read(&path) {
        Ok(bytes) => {
            let Leases { runs, queue } = serde_json::from_slice(&bytes)
                .map_err(|e| anyhow!("{} has been changed: {e}; remove it", path.display()))?;
            // With more seeds or settings the runs have other numbers.
            let is_same = runs == run_names(sweep);
            Ok(if is_same {
                queue.restore(ServeSweep::LEASE_DURATION)
            } else {
                queue.renewed(sweep.jobs.len())
            })
        }
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Queue::new(sweep.jobs.len())),
        Err(e) => Err(anyhow!("{} cannot be read: {}", path.display(), io_reason(&e))),
    }
}

impl Store for Folders<'_> {
    fn order(&mut self, index: u32) -> Result<Vec<u8>, LabError> {
        let (job, setting) = self.job(index);
        let last = job.folder.join(LAST);
        let checkpoint = match fs::read(&last) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => self.first_checkpoint(index)?,
            Err(e) => {
                return Err(problem(anyhow!("{} cannot be read: {}", last.display(), io_reason(&e))));
            }
        };
        let order = Order {
            lab: self.sweep.entry.about.id.into(),
            config: setting.config.clone(),
            seed: job.seed,
            end: self.rounds.end(job.configuration),
        };
        Ok(order.to_bytes(&checkpoint))
    }

    fn save(&mut self, index: u32, checkpoint: &Checkpoint, delivery: &Delivery) -> Result<(), SaveError> {
        let (job, setting) = self.job(index);
        let refused = |error: anyhow::Error| SaveError::Refused(one_line(&error));
        check_settings(self.sweep.entry, setting, job.seed, checkpoint)
            .map_err(|_| SaveError::Refused("the checkpoint is of another run".into()))?;
        if checkpoint.header.network_only {
            return Err(SaveError::Refused("the checkpoint holds only a network".into()));
        }
        let session = Session::resume(*self.sweep.entry, checkpoint).map_err(|e| refused(e.into()))?;
        if let Some(solved) = delivery.solved {
            Checkpoint::from_bytes(solved).map_err(|e| refused(e.into()))?;
        }
        let written = self.write(index, &session, delivery);
        self.terminal.note_save(index, written.as_ref().err());
        written.map_err(|_| SaveError::Failed)?;
        let share = self.rounds.share_of(job.configuration, session.units());
        self.time.note_computed(index as usize, share);
        Ok(())
    }

    fn is_at_end(&self, index: u32, checkpoint: &Checkpoint) -> bool {
        let header = &checkpoint.header;
        self.rounds.end(self.job(index).0.configuration).is_reached(header.units, header.solved_at)
    }

    fn finish(&mut self, index: u32) -> Result<(), LabError> {
        let (job, _) = self.job(index);
        self.open.remove(&index);
        let (_, checkpoint) = read_checkpoint(&job.folder.join(LAST)).map_err(problem)?;
        let session = Session::resume(*self.sweep.entry, &checkpoint)?;
        self.add_completed(index, &session, checkpoint.fingerprint());
        match self.rounds.end(job.configuration).units {
            // A run without a last unit has no share before it ends, see `Rounds::share_of`.
            None => self.time.note_computed(index as usize, self.rounds.share()),
            Some(_) => self.time.note_skipped(index as usize, self.rounds.share()),
        }
        let line = self.rounds.progress_line(self.time.seconds());
        self.terminal.print(&line);
        self.begin_rounds().map_err(problem)
    }

    fn reopened(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.reopened)
    }
}

impl SweepKeeper for Folders<'_> {
    fn save_queue(&mut self, queue: &Queue) -> bool {
        let leases = Leases { runs: run_names(self.sweep), queue: queue.clone() };
        let json = serde_json::to_vec(&leases).expect("plain data");
        let written = write_atomically(&self.fleet.join(LEASES_FILE), &json);
        self.terminal.note_save(LEASES, written.as_ref().err());
        written.is_ok()
    }

    fn left(&mut self, runs: &[LeftRun]) {
        for LeftRun { index, about, first_unit, completed, kept, .. } in runs {
            let folder = self.job(*index).0.folder.display().to_string();
            let kept = Some(*kept).filter(|units| *units > 0);
            self.terminal.tell(&kept_sentence(&folder, about.unit, kept, *completed, *first_unit));
        }
    }

    fn solved(&self) -> u32 {
        self.rounds.solved() as u32
    }

    fn terminal(&mut self) -> &mut dyn Terminal {
        &mut self.terminal
    }
}
