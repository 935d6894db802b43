//! An actor that fetches versions of the weights by their hash, and computes jobs of any lab.

use super::version::{VersionFile, VersionSettings};
use super::{Actor, Job, JobId, JobResult, Refusal, Version};
use crate::{Budget, Entry, LabError};

/// An actor of any lab with its version of the weights.
pub struct VersionedActor {
    entries: &'static [Entry],
    /// The version that is loaded.
    loaded: Option<Loaded>,
    job: Option<JobId>,
}

struct Loaded {
    version: Version,
    settings: VersionSettings,
    actor: Box<dyn Actor>,
}

impl VersionedActor {
    /// An actor without weights, for the labs of this list.
    pub fn new(entries: &'static [Entry]) -> Self {
        Self { entries, loaded: None, job: None }
    }

    /// The version that is loaded.
    pub fn version(&self) -> Option<Version> {
        self.loaded.as_ref().map(|loaded| loaded.version)
    }

    /// The job under way.
    pub fn job(&self) -> Option<JobId> {
        self.job
    }

    /// Loads the file of a version. A job under way is given up.
    pub fn load(&mut self, version: Version, file: &[u8]) -> Result<(), LabError> {
        let VersionFile { settings, network } =
            VersionFile::from_bytes(file, version).map_err(|e| LabError::Fleet(e.to_string()))?;
        self.job = None;
        // With the same settings the actor keeps its memory.
        let old = self.loaded.take().filter(|old| old.settings == settings);
        let actor = match old {
            Some(Loaded { mut actor, .. }) => {
                actor.load(&network)?;
                actor
            }
            None => {
                let entry = Entry::find(self.entries, &settings.lab)?;
                let config = (entry.schema)().complete(None, &settings.config.clone().into())?;
                (entry.actor)(config, settings.seed, &network)?
            }
        };
        self.loaded = Some(Loaded { version, settings, actor });
        Ok(())
    }

    /// Begins a job, whose version must be loaded.
    pub fn begin(&mut self, job: &[u8]) -> Result<JobId, Refusal> {
        self.job = None;
        let Job { id, body } = Job::from_bytes(job)?;
        let found = self.version();
        let Some(loaded) = self.loaded.as_mut().filter(|_| found == Some(id.version)) else {
            let found = found.map_or("none".into(), |version| version.to_string());
            return Err(Refusal::Version { expected: id.version.to_string(), found });
        };
        loaded.actor.begin(body)?;
        self.job = Some(id);
        Ok(id)
    }

    /// Works on the job until the budget is spent. Returns the result once it is complete.
    pub fn advance(&mut self, budget: &mut Budget) -> Option<Vec<u8>> {
        let (id, loaded) = (self.job?, self.loaded.as_mut()?);
        let body = loaded.actor.advance(budget)?;
        self.job = None;
        Some(JobResult { id, body: &body }.to_bytes())
    }
}
