//! An actor that fetches versions of the weights by their hash, and computes jobs of any lab.

use super::version::{VersionFile, VersionSettings};
use super::{Actor, Job, JobId, JobResult, Refusal, Version};
#[cfg(not(target_family = "wasm"))]
use crate::Entry;
use crate::any::ActorEntry;
use crate::{Budget, Lab, LabError};

/// An actor of any lab with its version of the weights.
pub struct VersionedActor {
    labs: Vec<ActorEntry>,
    /// The version that is loaded.
    loaded: Option<Loaded>,
    job: Option<JobId>,
    /// What all completed jobs amount to, as pairs of a noun and a count, such as ("turns", 120).
    work: Vec<(&'static str, u64)>,
}

struct Loaded {
    version: Version,
    settings: VersionSettings,
    actor: Box<dyn Actor>,
}

impl VersionedActor {
    /// An actor without weights, for the labs of this list.
    #[cfg(not(target_family = "wasm"))]
    pub fn new(entries: &[Entry]) -> Self {
        Self::of(entries.iter().map(|entry| entry.actor).collect())
    }

    /// An actor without weights, for one lab.
    pub fn of_lab<L: Lab>() -> Self {
        Self::of(vec![ActorEntry::of::<L>()])
    }

    fn of(labs: Vec<ActorEntry>) -> Self {
        Self { labs, loaded: None, job: None, work: Vec::new() }
    }

    /// The version that is loaded.
    pub fn version(&self) -> Option<Version> {
        self.loaded.as_ref().map(|loaded| loaded.version)
    }

    /// The lab, the seed and the settings of the run whose weights are loaded.
    pub fn run(&self) -> Option<&VersionSettings> {
        self.loaded.as_ref().map(|loaded| &loaded.settings)
    }

    /// What all jobs that it has completed amount to; see [`Actor::work`].
    pub fn work(&self) -> &[(&'static str, u64)] {
        &self.work
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
        // With the same settings the actor stays and only takes the new weights.
        let old = self.loaded.take().filter(|old| old.settings == settings);
        let actor = match old {
            Some(Loaded { mut actor, .. }) => {
                actor.load(&network)?;
                actor
            }
            None => {
                let lab = self.lab(&settings.lab)?;
                let config = (lab.schema)().complete(None, &settings.config.clone().into())?;
                (lab.make)(config, settings.seed, &network)?
            }
        };
        self.loaded = Some(Loaded { version, settings, actor });
        Ok(())
    }

    /// What makes actors of the lab with this id.
    fn lab(&self, id: &str) -> Result<&ActorEntry, LabError> {
        self.labs.iter().find(|lab| lab.id == id).ok_or_else(|| {
            let known: Vec<&str> = self.labs.iter().map(|lab| lab.id).collect();
            LabError::UnknownLab { name: id.into(), known: known.join(", ") }
        })
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
        for (noun, count) in loaded.actor.work() {
            match self.work.iter_mut().find(|(known, _)| *known == noun) {
                Some((_, total)) => *total += count,
                None => self.work.push((noun, count)),
            }
        }
        Some(JobResult { id, body: &body }.to_bytes())
    }
}
