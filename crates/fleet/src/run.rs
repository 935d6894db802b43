//! The run that a host serves. A *unit* is one training iteration, of which *jobs* are computed elsewhere.
//! [`Run`] is a trait so that tests can host a run without a lab; [`LabRun`] is the run of a lab.

use learnery_lab::fleet::{JobId, Refusal, SharedRun, TakeOutcome, Version};
use learnery_lab::{Budget, Checkpoint, Entry, LabError, Session, Status};

/// How a slice of learning ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// There is more to do.
    Busy,
    /// The unit goes on when more results have come.
    Waiting,
    UnitFinished,
}

/// A run whose jobs are computed elsewhere; see also [`SharedRun`].
pub trait Run {
    /// Completed units, which is also the number of the unit under way.
    fn unit(&self) -> u64;
    /// The version of the weights in the unit under way, and the file with them; `None` between two units.
    fn version(&self) -> Option<(Version, &[u8])>;
    /// The number of jobs in a unit.
    fn jobs(&mut self) -> u32;
    /// The indices of the jobs of the unit under way that have no result, ascending; empty between two units.
    fn open_jobs(&mut self) -> Vec<u32>;
    /// Job `index` of the unit under way, as bytes; `None` if there is no such job.
    fn job(&mut self, index: u32) -> Option<Vec<u8>>;
    /// The number of parts of a job. A part, such as a game, can be computed again by itself, so that a host
    /// can check a result by a sample.
    fn parts(&mut self, index: u32) -> u32;
    /// A job that computes these parts of job `index` again.
    fn job_of_parts(&mut self, index: u32, parts: &[u32]) -> Option<Vec<u8>>;
    /// Whether these parts of a result agree to the byte with `again`, the result of [`Run::job_of_parts`].
    fn parts_agree(&mut self, result: &[u8], parts: &[u32], again: &[u8]) -> bool;
    /// Checks all of a result that can be checked without computing it again, and returns its job.
    fn check(&mut self, result: &[u8]) -> Result<JobId, Refusal>;
    /// Takes a result. The run learns from it when all jobs of the unit have one.
    fn take(&mut self, result: &[u8]) -> Result<TakeOutcome, Refusal>;
    /// Forgets the result of a job of the unit under way. The job is open again.
    fn revoke(&mut self, index: u32);
    /// Learns for one step.
    fn advance(&mut self) -> Step;
    /// A checkpoint file; `None` during a unit.
    fn save(&mut self) -> Option<Vec<u8>>;
    /// Goes back to a checkpoint file that [`Run::save`] returned.
    fn restore(&mut self, file: &[u8]) -> Result<(), LabError>;
}

/// A lab's run.
pub struct LabRun {
    run: SharedRun,
    entry: Entry,
}

impl LabRun {
    /// Shares a run from its next unit on. Fails if it is in the middle of a unit, or if its lab has no jobs.
    pub fn new(session: Session) -> Result<Self, LabError> {
        let entry = *session.entry();
        Ok(Self { run: SharedRun::new(session)?, entry })
    }

    pub fn session(&self) -> &Session {
        self.run.session()
    }
}

impl Run for LabRun {
    fn unit(&self) -> u64 {
        self.run.unit()
    }

    fn version(&self) -> Option<(Version, &[u8])> {
        self.run.version()
    }

    fn jobs(&mut self) -> u32 {
        self.run.jobs()
    }

    fn open_jobs(&mut self) -> Vec<u32> {
        self.run.open_jobs()
    }

    fn job(&mut self, index: u32) -> Option<Vec<u8>> {
        self.run.job(index)
    }

    fn parts(&mut self, index: u32) -> u32 {
        self.run.parts(index)
    }

    fn job_of_parts(&mut self, index: u32, parts: &[u32]) -> Option<Vec<u8>> {
        self.run.job_of_parts(index, parts)
    }

    fn parts_agree(&mut self, result: &[u8], parts: &[u32], again: &[u8]) -> bool {
        self.run.parts_agree(result, parts, again)
    }

    fn check(&mut self, result: &[u8]) -> Result<JobId, Refusal> {
        self.run.check(result)
    }

    fn take(&mut self, result: &[u8]) -> Result<TakeOutcome, Refusal> {
        self.run.take(result)
    }

    fn revoke(&mut self, index: u32) {
        self.run.revoke(index);
    }

    fn advance(&mut self) -> Step {
        match self.run.advance(&mut Budget::steps(1)).status {
            Status::Ready => Step::Busy,
            Status::Waiting => Step::Waiting,
            // Only a GPU fails, and a fleet's run is on the CPU.
            Status::Failed => unreachable!("a run on the CPU has failed"),
            Status::UnitFinished => Step::UnitFinished,
        }
    }

    fn save(&mut self) -> Option<Vec<u8>> {
        self.run.checkpoint().map(|checkpoint| checkpoint.to_bytes())
    }

    fn restore(&mut self, file: &[u8]) -> Result<(), LabError> {
        let checkpoint = Checkpoint::from_bytes(file)?;
        self.run = SharedRun::new(Session::resume(self.entry, &checkpoint)?)?;
        Ok(())
    }
}
