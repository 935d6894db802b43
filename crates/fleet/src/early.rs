//! Results of later units (training iterations) than the one under way. They come after the host was started
//! anew, or after the run went back to a checkpoint: a buffer kept them, or actors were still at work. When
//! their unit begins with the same version (hash of the weights), they count.

use std::collections::BTreeMap;

use learnery_lab::fleet::{JobId, Version};

/// Results that came early, up to a number of bytes.
#[derive(Debug, Default)]
pub struct Early {
    /// By job and actor.
    results: BTreeMap<(JobId, String), Vec<u8>>,
    bytes: usize,
}

impl Early {
    /// Keeps a result if there is room for it.
    pub fn keep(&mut self, id: JobId, actor: &str, result: Vec<u8>, max_bytes: usize) {
        if self.bytes.saturating_add(result.len()) > max_bytes {
            return;
        }
        self.bytes += result.len();
        let replaced = self.results.insert((id, actor.into()), result);
        self.bytes -= replaced.map_or(0, |result| result.len());
    }

    /// Takes the results of a unit with this version, and forgets all others up to that unit.
    pub fn take(&mut self, unit: u64, version: Version) -> Vec<(String, Vec<u8>)> {
        let results = std::mem::take(&mut self.results);
        let (due, later): (BTreeMap<_, _>, _) = results.into_iter().partition(|((id, _), _)| id.unit <= unit);
        self.results = later;
        self.bytes = self.results.values().map(Vec::len).sum();
        let is_wanted = |id: &JobId| id.unit == unit && id.version == version;
        due.into_iter()
            .filter(|((id, _), _)| is_wanted(id))
            .map(|((_, actor), result)| (actor, result))
            .collect()
    }

    /// Forgets the results of an actor.
    pub fn forget(&mut self, actor: &str) {
        self.results.retain(|(_, sender), _| sender != actor);
        self.bytes = self.results.values().map(Vec::len).sum();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn early_results_wait_for_their_unit_and_version() {
        let (good, bad) = (Version([1; 32]), Version([2; 32]));
        let id = |unit, version| JobId { unit, index: 0, version };
        let mut early = Early::default();
        early.keep(id(3, good), "a", vec![1; 10], 35);
        early.keep(id(3, bad), "b", vec![2; 10], 35);
        early.keep(id(5, good), "a", vec![3; 10], 35);
        // There is no room for another, but for the same again.
        early.keep(id(6, good), "a", vec![4; 10], 35);
        early.keep(id(5, good), "a", vec![3; 5], 35);
        assert_eq!(early.take(2, good), vec![]);
        assert_eq!(early.take(3, good), [("a".to_owned(), vec![1; 10])]);
        assert_eq!(early.take(3, bad), vec![], "it is forgotten with its unit");
        early.keep(id(6, good), "c", vec![5; 10], 35);
        early.forget("a");
        assert_eq!(early.take(5, good), vec![]);
        assert_eq!(early.take(6, good), [("c".to_owned(), vec![5; 10])]);
    }
}
