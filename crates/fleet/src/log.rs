//! A log of the results since the last checkpoint. After the run went back to that checkpoint they are taken
//! again. As long as the results of the actor that was found out were right until then, every version of the
//! weights comes out as before, and only the jobs of that actor have to be computed again.

use std::collections::BTreeMap;

use learnery_lab::fleet::JobId;

/// A result that the run has taken.
#[derive(Clone, Debug)]
pub struct Logged {
    pub actor: String,
    pub result: Vec<u8>,
    /// Whether all of it was computed again.
    pub is_certain: bool,
}

/// Results by their jobs.
#[derive(Debug, Default)]
pub struct Log {
    results: BTreeMap<JobId, Logged>,
}

impl Log {
    pub fn insert(&mut self, id: JobId, logged: Logged) {
        self.results.insert(id, logged);
    }

    pub fn get(&self, id: &JobId) -> Option<&Logged> {
        self.results.get(id)
    }

    /// Forgets the results of an actor, but for those that are certain. Returns their jobs.
    pub fn forget(&mut self, actor: &str) -> Vec<JobId> {
        let is_doubtful = |logged: &Logged| logged.actor == actor && !logged.is_certain;
        let doubtful: Vec<JobId> =
            self.results.iter().filter(|(_, logged)| is_doubtful(logged)).map(|(id, _)| *id).collect();
        doubtful.iter().for_each(|id| _ = self.results.remove(id));
        doubtful
    }

    /// Forgets the results of the units (training iterations) before `unit`, because a checkpoint has them.
    pub fn forget_before(&mut self, unit: u64) {
        self.results.retain(|id, _| id.unit >= unit);
    }

    /// Bytes of all results.
    pub fn bytes(&self) -> usize {
        self.results.values().map(|logged| logged.result.len()).sum()
    }
}
