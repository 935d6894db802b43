//! A run whose jobs are computed elsewhere: the learner's side of a fleet. How jobs and results travel is not
//! its business.

use super::envelope::OVERHEAD_BYTES;
use super::version::{VersionFile, VersionSettings};
use super::{Job, JobId, JobResult, Learner, Refusal, Version, digest};
use crate::{Advance, Budget, Checkpoint, LabError, Session};

/// A run whose jobs are computed elsewhere.
pub struct SharedRun {
    session: Session,
    /// The version of the unit under way, and its file.
    version: Option<(Version, Vec<u8>)>,
}

/// What [`SharedRun::take`] did with a result that it did not refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakeOutcome {
    /// The result counts: it is the first one of its job.
    Counted,
    /// The result is ignored, because the job has one already.
    Duplicate,
}

impl SharedRun {
    /// Shares a run from its next unit on. The error says why the lab or its settings cannot be shared.
    pub fn new(mut session: Session) -> Result<Self, LabError> {
        session.share()?;
        Ok(Self { session, version: None })
    }

    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Completed units, which is also the number of the unit under way.
    pub fn unit(&self) -> u64 {
        self.session.units()
    }

    /// Learns until the budget is spent, the unit is finished, or results are missing
    /// ([`crate::Status::Waiting`]). The first call after a unit begins the next one, and with it its jobs.
    pub fn advance(&mut self, budget: &mut Budget) -> Advance {
        let unit = self.session.units();
        let advanced = self.session.advance(budget);
        let has_jobs = self.session.learner().is_some_and(|learner| learner.open_jobs().is_some());
        if unit != self.session.units() || !has_jobs {
            self.version = None;
        } else if self.version.is_none() {
            let file = self.make_version_file();
            self.version = file.map(|file| (Version(digest(&file)), file));
        }
        advanced
    }

    fn make_version_file(&mut self) -> Option<Vec<u8>> {
        let network = self.session.learner()?.weights();
        let settings = VersionSettings {
            lab: self.session.entry().about.id.to_owned(),
            seed: self.session.seed(),
            config: self.session.unit_config().clone(),
        };
        Some(VersionFile { settings, network }.to_bytes())
    }

    /// The version of the unit under way, and its file; `None` between two units.
    pub fn version(&self) -> Option<(Version, &[u8])> {
        self.version.as_ref().map(|(version, file)| (*version, &file[..]))
    }

    /// The number of jobs in a unit.
    pub fn jobs(&mut self) -> u32 {
        self.learner().jobs()
    }

    /// The jobs of the unit under way without a result, ascending; empty between two units.
    pub fn open_jobs(&mut self) -> Vec<u32> {
        self.learner().open_jobs().unwrap_or_default()
    }

    /// Job `index` of the unit under way; `None` if there is no such job.
    pub fn job(&mut self, index: u32) -> Option<Vec<u8>> {
        let id = self.job_id(index)?;
        Some(Job { id, body: &self.learner().job(index) }.to_bytes())
    }

    /// The number of parts of job `index` of the unit under way; 0 if there is no such job. A part is what can
    /// be computed again by itself, to check some of a result.
    pub fn parts(&mut self, index: u32) -> u32 {
        self.job_id(index).map_or(0, |_| self.learner().parts(index))
    }

    /// A job that computes some parts of job `index` again; `None` if there is no such job.
    pub fn job_of_parts(&mut self, index: u32, parts: &[u32]) -> Option<Vec<u8>> {
        let id = self.job_id(index)?;
        Some(Job { id, body: &self.learner().job_of_parts(index, parts) }.to_bytes())
    }

    /// Whether these parts of a result that was checked agree to the byte with `again`, the result of the job
    /// that [`SharedRun::job_of_parts`] made.
    pub fn parts_agree(&mut self, result: &[u8], parts: &[u32], again: &[u8]) -> bool {
        match (JobResult::from_bytes(result), JobResult::from_bytes(again)) {
            (Ok(result), Ok(again)) if result.id == again.id && self.check_job(result.id).is_ok() => {
                self.learner().parts_agree(result.id.index, result.body, parts, again.body)
            }
            _ => false,
        }
    }

    /// Checks all of a result that can be checked without computing it again, and returns its job.
    pub fn check(&mut self, result: &[u8]) -> Result<JobId, Refusal> {
        let max_bytes = self.learner().max_result_bytes() + OVERHEAD_BYTES;
        if result.len() > max_bytes {
            return Err(Refusal::Damaged(format!(
                "it has {} bytes, and a result has at most {max_bytes}",
                result.len()
            )));
        }
        let JobResult { id, body } = JobResult::from_bytes(result)?;
        self.check_job(id)?;
        self.learner().check(id.index, body)?;
        Ok(id)
    }

    /// Checks a result and keeps it. The learner learns from it when all results of the unit are there.
    pub fn take(&mut self, result: &[u8]) -> Result<TakeOutcome, Refusal> {
        let id = self.check(result)?;
        if !self.open_jobs().contains(&id.index) {
            return Ok(TakeOutcome::Duplicate);
        }
        let body = JobResult::from_bytes(result)?.body;
        self.learner().take(id.index, body);
        Ok(TakeOutcome::Counted)
    }

    /// Forgets the result of a job of the unit under way. The job is open again.
    pub fn revoke(&mut self, index: u32) {
        if self.job_id(index).is_some() {
            self.learner().revoke(index);
        }
    }

    /// A checkpoint of the run; `None` during a unit, which has to wait for results first.
    pub fn checkpoint(&mut self) -> Option<Checkpoint> {
        (!self.session.is_mid_unit()).then(|| self.session.save())
    }

    /// The session, to go on alone: for the end of a unit. During a unit, which waits for results, begin from
    /// the last checkpoint instead.
    pub fn into_session(self) -> Session {
        self.session
    }

    /// Refuses a result whose job is not one of the unit under way.
    fn check_job(&mut self, id: JobId) -> Result<(), Refusal> {
        let JobId { unit, index, version } = id;
        let now = self.unit();
        if unit < now {
            return Err(Refusal::Late { unit, now });
        }
        match self.job_id(index) {
            Some(expected) if unit == now && expected.version == version => Ok(()),
            Some(expected) if unit == now => {
                Err(Refusal::Version { expected: expected.version.to_string(), found: version.to_string() })
            }
            _ => Err(Refusal::Unknown { unit, index, now }),
        }
    }

    /// The id of job `index` of the unit under way.
    fn job_id(&mut self, index: u32) -> Option<JobId> {
        let (version, _) = self.version()?;
        (index < self.jobs()).then_some(JobId { unit: self.unit(), index, version })
    }

    fn learner(&mut self) -> &mut dyn Learner {
        self.session.learner().expect("a run that is shared has a learner")
    }
}
