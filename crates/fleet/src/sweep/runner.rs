//! A worker's side of a sweep: computes whole runs. Beside it, [`Computer`] computes the jobs of one run too,
//! so whoever joins need not know which kind of fleet it is.

use std::sync::Arc;

use learnery_lab::fleet::{Job, JobId, Refusal, Version, VersionSettings, VersionedActor};
use learnery_lab::{Budget, Checkpoint, Entry, LabError, Session, Status};
use serde_json::Value;

use super::is_order;
use super::order::{Order, StopCondition, version_of};
use super::so_far::RunSoFar;
use crate::client::Compute;

/// Computes runs of a sweep, one after the other.
pub struct Runner {
    entries: Vec<Entry>,
    /// A run that has been fetched and has not begun.
    loaded: Option<LoadedRun>,
    run: Option<Run>,
    /// How far the run under way is, or the one that has ended last.
    so_far: Option<RunSoFar>,
    /// The lab, the seed and the settings of the run that was fetched last.
    settings: Option<VersionSettings>,
    /// The work done so far, for each kind of work that labs count, such as positions.
    work: Vec<(&'static str, u64)>,
}

/// A run that has been fetched.
struct LoadedRun {
    version: Version,
    session: Session,
    end: StopCondition,
}

/// The run under way.
struct Run {
    session: Session,
    end: StopCondition,
    /// The checkpoint of the unit (training iteration) in which the goal was reached, until the host has it.
    solved: Option<SolvedCheckpoint>,
    /// Units of the newest checkpoint that was handed out to be sent.
    sent_units: u64,
}

/// The checkpoint of the unit in which the goal was reached.
struct SolvedCheckpoint {
    units: u64,
    file: Arc<Vec<u8>>,
}

impl Run {
    /// Keeps the checkpoint of the unit that has just ended in memory, unless it is there.
    fn keep(&mut self, so_far: &mut RunSoFar) {
        if so_far.unit_in_memory() != Some(self.session.units()) {
            let solved = self.solved.as_ref().map(|solved| Arc::clone(&solved.file));
            so_far.keep(self.session.save(), solved);
        }
    }
}

impl Runner {
    pub fn new(entries: &[Entry]) -> Self {
        let entries = entries.to_vec();
        Self { entries, loaded: None, run: None, so_far: None, settings: None, work: Vec::new() }
    }

    /// Opens the run of an order's file, and notes its settings. Returns also when the run ends.
    fn open(&mut self, file: &[u8]) -> Result<(Session, StopCondition), LabError> {
        let damaged = |problem: Refusal| LabError::Fleet(problem.to_string());
        let (order, checkpoint) = Order::from_bytes(file).map_err(damaged)?;
        let entry = self.entries.iter().find(|entry| entry.about.id == order.lab);
        let entry = *entry.ok_or_else(|| LabError::UnknownLab {
            name: order.lab.clone(),
            known: self.entries.iter().map(|entry| entry.about.id).collect::<Vec<_>>().join(", "),
        })?;
        let settings = VersionSettings { lab: order.lab, seed: order.seed, config: order.config.clone() };
        self.settings = Some(settings);
        let session = match checkpoint {
            [] => Session::start(entry, &Value::Object(order.config), order.seed)?,
            file => Session::resume(entry, &Checkpoint::from_bytes(file)?)?,
        };
        Ok((session, order.end))
    }
}

impl Compute for Runner {
    /// The version of the run that has been fetched. `None` once the run has begun: to begin it again, its
    /// file has to be fetched again.
    fn version(&self) -> Option<Version> {
        self.loaded.as_ref().map(|loaded| loaded.version)
    }

    fn load(&mut self, version: Version, file: &[u8]) -> Result<(), LabError> {
        if version_of(file) != version {
            return Err(LabError::Fleet("the run is damaged; fetch it again".into()));
        }
        (self.run, self.so_far) = (None, None);
        let (session, end) = self.open(file)?;
        self.loaded = Some(LoadedRun { version, session, end });
        Ok(())
    }

    fn begin(&mut self, job: &[u8]) -> Result<JobId, Refusal> {
        let Job { id, .. } = Job::from_bytes(job)?;
        let loaded = self.loaded.take_if(|loaded| loaded.version == id.version);
        let Some(LoadedRun { session, end, .. }) = loaded else {
            return Err(Refusal::Version { expected: id.version.to_string(), found: "none".into() });
        };
        let sent_units = session.units();
        self.so_far = Some(RunSoFar::new(id, session.entry().about, session.seed(), sent_units));
        self.run = Some(Run { session, end, solved: None, sent_units });
        Ok(id)
    }

    fn advance(&mut self, budget: &mut Budget) -> Option<Vec<u8>> {
        let (run, so_far) = self.run.as_mut().zip(self.so_far.as_mut())?;
        let is_at_end = |session: &Session| {
            !session.is_mid_unit() && run.end.is_reached(session.units(), session.solved_at())
        };
        if !is_at_end(&run.session) {
            let work_before = run.session.work();
            let done = run.session.advance(budget);
            let kind_of_work = run.session.entry().about.work;
            let work_done = run.session.work().saturating_sub(work_before);
            match self.work.iter_mut().find(|(known, _)| *known == kind_of_work) {
                Some((_, total)) => *total += work_done,
                None => self.work.push((kind_of_work, work_done)),
            }
            so_far.completed = run.session.units();
            if done.just_solved {
                let checkpoint = run.session.save();
                let file = Arc::new(checkpoint.to_bytes());
                run.solved = Some(SolvedCheckpoint { units: run.session.units(), file: Arc::clone(&file) });
                so_far.keep(checkpoint, Some(file));
            }
            if done.status != Status::UnitFinished || !is_at_end(&run.session) {
                return None;
            }
        }
        run.keep(so_far);
        self.run = None;
        so_far.delivery()
    }

    fn checkpoint(&mut self) -> Option<(u64, Vec<u8>)> {
        let run = self.run.as_mut().filter(|run| !run.session.is_mid_unit())?;
        let (units, so_far) = (run.session.units(), self.so_far.as_mut()?);
        if units <= run.sent_units {
            return None;
        }
        run.sent_units = units;
        run.keep(so_far);
        Some((units, so_far.delivery()?))
    }

    fn last_checkpoint(&mut self) -> Option<(u64, Vec<u8>)> {
        if let Some(newest) = self.checkpoint() {
            return Some(newest);
        }
        let (run, so_far) = self.run.as_mut().zip(self.so_far.as_ref())?;
        let units = so_far.kept_unit();
        if units <= run.sent_units {
            return None;
        }
        run.sent_units = units;
        Some((units, so_far.delivery()?))
    }

    fn keep(&mut self) -> bool {
        let run = self.run.as_mut().filter(|run| !run.session.is_mid_unit());
        let Some((run, so_far)) = run.zip(self.so_far.as_mut()) else { return false };
        let is_new = run.session.units() > so_far.kept_unit();
        if is_new {
            run.keep(so_far);
        }
        is_new
    }

    fn so_far(&self) -> Option<&RunSoFar> {
        self.so_far.as_ref()
    }

    fn can_save(&self) -> bool {
        self.run.as_ref().is_none_or(|run| !run.session.is_mid_unit())
    }

    fn saved(&mut self, units: u64) {
        if let Some(so_far) = &mut self.so_far {
            so_far.host_unit = so_far.host_unit.max(units);
        }
        if let Some(run) = &mut self.run {
            // A delivery of this many units had the solved checkpoint with it.
            run.solved.take_if(|solved| solved.units <= units);
        }
    }
}

/// Computes whatever a fleet asks for: jobs of one run, or runs of a sweep.
pub struct Computer {
    jobs: VersionedActor,
    runs: Runner,
    /// Whether the last file fetched was a run of a sweep.
    has_runs: bool,
}

impl Computer {
    /// Computes jobs and runs of all labs of a list.
    #[cfg(not(target_family = "wasm"))]
    pub fn new(entries: &[Entry]) -> Self {
        Self::with(VersionedActor::new(entries), entries)
    }

    /// Computes the jobs of an actor, and runs of all labs of a list.
    pub fn with(jobs: VersionedActor, entries: &[Entry]) -> Self {
        Self { jobs, runs: Runner::new(entries), has_runs: false }
    }

    /// Whether the fleet computes a sweep.
    pub fn has_runs(&self) -> bool {
        self.has_runs
    }

    /// The lab, the seed and the settings of the run whose jobs it computes, or that it computes as a whole.
    pub fn run(&self) -> Option<&VersionSettings> {
        if self.has_runs { self.runs.settings.as_ref() } else { self.jobs.run() }
    }

    /// The work done so far, for each kind of work that labs count, such as positions.
    pub fn work(&self) -> &[(&'static str, u64)] {
        if self.has_runs { &self.runs.work } else { self.jobs.work() }
    }

    /// What computes for this kind of fleet.
    fn current(&mut self) -> &mut dyn Compute {
        if self.has_runs { &mut self.runs } else { &mut self.jobs }
    }
}

impl Compute for Computer {
    fn version(&self) -> Option<Version> {
        if self.has_runs { self.runs.version() } else { self.jobs.version() }
    }

    fn load(&mut self, version: Version, file: &[u8]) -> Result<(), LabError> {
        self.has_runs = is_order(file);
        self.current().load(version, file)
    }

    fn begin(&mut self, job: &[u8]) -> Result<JobId, Refusal> {
        self.current().begin(job)
    }

    fn advance(&mut self, budget: &mut Budget) -> Option<Vec<u8>> {
        self.current().advance(budget)
    }

    fn checkpoint(&mut self) -> Option<(u64, Vec<u8>)> {
        self.current().checkpoint()
    }

    fn last_checkpoint(&mut self) -> Option<(u64, Vec<u8>)> {
        self.current().last_checkpoint()
    }

    fn keep(&mut self) -> bool {
        self.current().keep()
    }

    fn so_far(&self) -> Option<&RunSoFar> {
        self.runs.so_far().filter(|_| self.has_runs)
    }

    fn can_save(&self) -> bool {
        !self.has_runs || self.runs.can_save()
    }

    fn saved(&mut self, units: u64) {
        self.current().saved(units);
    }
}
